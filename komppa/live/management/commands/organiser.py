from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from komppa.console import KomppaCommand
from komppa.cup.services_organisers import admit_organiser

DONE = {
    "create_organiser": "Järjestäjän tunnus tehtiin. / An organiser was made.",
    "reset_organiser": "Järjestäjän salasana uusittiin. / The password was renewed.",
    "promote_organiser": (
        "Kirjaajasta tehtiin järjestäjä. / The scorekeeper was made an organiser."
    ),
}


class Command(KomppaCommand):
    help = "Make an organiser, or give one a new password and release any lock."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the user name")
        parser.add_argument(
            "--promote", action="store_true", help="make a scorekeeper an organiser"
        )

    def handle(self, *args: Any, name: str, promote: bool, **options: Any) -> None:
        account = admit_organiser(name=name, promote=promote)
        self.stdout.write(DONE[account.act])
        self.stdout.write(f"tunnus / user name:    {account.user.username}")
        self.stdout.write(
            f"salasana / password:   {account.password}  (vain nyt / shown only now)"
        )
