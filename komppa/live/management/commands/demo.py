from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from komppa.console import KomppaCommand
from komppa.cup.models import Cup
from komppa.sheets.demo import FIXTURE, SLUG, replay
from komppa.sheets.demo_facts import (
    CupFacts,
    generate_facts,
    read_facts,
    write_facts,
)
from komppa.sheets.services import remove_demo_cup


class Command(KomppaCommand):
    help = "Make a cup to look at, in the middle of its group games, or remove it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--slug", default=SLUG, help="its address, demo unless told"
        )
        parser.add_argument("--teams", type=int, help="invent a cup of so many teams")
        parser.add_argument("--groups", type=int, help="in so many groups")
        parser.add_argument("--seed", type=int, help="the same seed, the same cup")
        parser.add_argument(
            "--facts", action="store_true", help="print its facts and make nothing"
        )
        parser.add_argument(
            "--remove", action="store_true", help="remove the demonstration cup"
        )

    def handle(
        self, *args: Any, slug: str, facts: bool, remove: bool, **options: Any
    ) -> None:
        if remove:
            self._remove(slug)
        elif facts:
            self.stdout.write(write_facts(_facts(**options)), ending="")
        else:
            cup = replay(_facts(**options), slug=slug)
            self.stdout.write(f"{cup.name}: /{cup.slug}/")

    def _remove(self, slug: str) -> None:
        cup = Cup.objects.filter(slug=slug).first()
        if cup is None:
            raise CommandError(f"Turnausta osoitteessa ”{slug}” ei ole.")
        remove_demo_cup(cup=cup, by=None)
        self.stdout.write(f"{cup.name} on poistettu.")


def _facts(
    teams: int | None, groups: int | None, seed: int | None, **options: Any
) -> CupFacts:
    if (teams, groups, seed) == (None, None, None):
        return read_facts(FIXTURE)
    try:
        return generate_facts(teams=teams or 16, groups=groups or 4, seed=seed or 1)
    except ValueError as error:
        raise CommandError(str(error)) from error
