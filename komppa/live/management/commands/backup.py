from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from komppa.backups import make
from komppa.console import KomppaCommand
from komppa.cup.models import Cup


class Command(KomppaCommand):
    help = (
        "Make a backup of everything, open it and check it. The server may be running."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", type=Path, help="a folder, or the name of a file not there yet"
        )

    def handle(self, *args: Any, path: Path, **options: Any) -> None:
        # Before the first start there is no database, and this says so.
        Cup.objects.exists()
        made = make(path.absolute())
        found = made.contents
        self.stdout.write(f"Varmuuskopio on tehty ja tarkistettu: {made.path}")
        self.stdout.write(
            f"  turnauksia {found.cups}, jakoja {found.deals}, "
            f"käyttäjiä {found.users}; {made.size / 1000:.0f} kt"
        )
