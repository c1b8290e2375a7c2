from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandParser

from komppa.backups import restore
from komppa.console import KomppaCommand


class Command(KomppaCommand):
    help = (
        "Put a backup where there is nothing yet: no cups, no users and no server at "
        "work. One made by an older Komppa is brought up to date."
    )
    # What is there may be no database at all.
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "path", type=Path, help="a backup, or a folder: its newest backup is taken"
        )

    def handle(self, *args: Any, path: Path, **options: Any) -> None:
        restored = restore(path.absolute())
        found = restored.contents
        self.stdout.write(f"Palautettiin {restored.path}")
        self.stdout.write(
            f"  turnauksia {found.cups}, jakoja {found.deals}, käyttäjiä {found.users}"
        )
        call_command("check_derived", stdout=self.stdout)
        self.stdout.write(
            "Salasanat ovat ennallaan, mutta jokaisen pitää kirjautua uudelleen."
        )
