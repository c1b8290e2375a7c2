from __future__ import annotations

from itertools import count
from typing import Any

from django.core.management.base import CommandError, CommandParser

from komppa.console import KomppaCommand
from komppa.cup.draw import MAX_GROUPS
from komppa.cup.models import Cup
from komppa.errors import Refusal
from komppa.sheets.demo import FIXTURE, SLUG, replay
from komppa.sheets.demo_facts import (
    MOST_TEAMS,
    CupFacts,
    generate_facts,
    read_facts,
    write_facts,
)
from komppa.sheets.services import remove_demo_cup

# Who waits for SQLite's lock looks at it ten times a second.
OTHERS_TURN = 0.12


class Command(KomppaCommand):
    help = (
        "Make a cup to look at, in the middle of its group games, or remove it. It is "
        "played a game at a time, so others can write meanwhile; one that was left "
        "half made can be removed too."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--slug", help="its address, demo unless told")
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
        self, *args: Any, slug: str | None, facts: bool, remove: bool, **options: Any
    ) -> None:
        if remove:
            self._remove(SLUG if slug is None else slug)
            return
        told = _facts(**options)
        if facts:
            self.stdout.write(write_facts(told), ending="")
            return
        if slug is None and _is_invented(**options):
            told, slug = _beside_others(told)
        cup = _replay(told, SLUG if slug is None else slug)
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
    if not _is_invented(teams, groups, seed):
        return read_facts(FIXTURE)
    teams = 16 if teams is None else teams
    groups = 4 if groups is None else groups
    try:
        return generate_facts(
            teams=teams, groups=groups, seed=1 if seed is None else seed
        )
    except ValueError as error:
        raise CommandError(
            f"{teams} joukkuetta ja {groups} lohkoa ei käy: lohkoja on 1–{MAX_GROUPS}, "
            f"joukkueita enintään {MOST_TEAMS} ja jokaisessa lohkossa vähintään kaksi."
        ) from error


def _is_invented(
    teams: int | None, groups: int | None, seed: int | None, **options: Any
) -> bool:
    return (teams, groups, seed) != (None, None, None)


def _beside_others(facts: CupFacts) -> tuple[CupFacts, str]:
    """Return a free address, and the facts with a name that tells the cup apart."""
    if not Cup.objects.filter(slug=SLUG).exists():
        return facts, SLUG
    number = _free_number()
    name = facts["name"].replace("Demo", f"Demo {number}", 1)
    return {**facts, "name": name}, f"{SLUG}-{number}"


def _free_number() -> int:
    taken = set(
        Cup.objects.filter(slug__startswith=SLUG).values_list("slug", flat=True)
    )
    return next(n for n in count(2) if f"{SLUG}-{n}" not in taken)


def _replay(facts: CupFacts, slug: str) -> Cup:
    try:
        return replay(facts, slug=slug, pause=OTHERS_TURN)
    except Refusal as refusal:
        if refusal.code != "slug_taken":
            raise
        raise CommandError(
            f"{refusal.message} Anna uudelle toinen osoite "
            f"(--slug {SLUG}-{_free_number()}) tai poista entinen ensin (--remove)."
        ) from refusal
