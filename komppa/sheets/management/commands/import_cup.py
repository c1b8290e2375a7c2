from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from komppa.console import KomppaCommand
from komppa.errors import Refusal
from komppa.sheets.forms_transfer import unpacked
from komppa.sheets.transfer import import_cup


class Command(KomppaCommand):
    help = "Make the cup that another installation has exported into a file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help=".json or .json.gz")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            with Path(file).open("rb") as source:
                cup = import_cup(text=unpacked(source), by=None)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        except ValueError as error:
            raise CommandError(f"{file}: tiedosto ei ole Kompan turnaus.") from error
        except Refusal as refusal:
            raise CommandError(refusal.message) from refusal
        self.stdout.write(f"{cup.name}: /{cup.slug}/")
