from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from komppa.console import KomppaCommand
from komppa.cup.models import Cup
from komppa.sheets.transfer import document_of, text_of


class Command(KomppaCommand):
    help = "Write a cup into a file that another installation can import."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("cup", help="the cup's address, such as komppa-cup-2026")
        parser.add_argument("file", help="ends in .json, or in .json.gz to be packed")

    def handle(self, *args: Any, cup: str, file: str, **options: Any) -> None:
        found = Cup.objects.filter(slug=cup).first()
        if found is None:
            raise CommandError(f"Turnausta {cup} ei ole.")
        data = text_of(document_of(found)).encode()
        path = Path(file)
        if path.exists():
            raise CommandError(f"{path} on jo olemassa; anna toinen nimi.")
        try:
            path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from error
        self.stdout.write(f"{found.name}: {path}")
