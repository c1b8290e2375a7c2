from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from komppa.console import KomppaCommand
from komppa.cup.services_organisers import admit_organiser


class Command(KomppaCommand):
    help = "Make an organiser, or give one a new password and release any lock."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the user name")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        account = admit_organiser(name=name)
        self.stdout.write(f"tunnus / user name:    {account.user.username}")
        self.stdout.write(
            f"salasana / password:   {account.password}  (vain nyt / shown only now)"
        )
