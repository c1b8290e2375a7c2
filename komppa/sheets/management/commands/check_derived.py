from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from komppa.console import KomppaCommand
from komppa.cup.models import Game
from komppa.sheets.queries import course_of
from komppa.sheets.services import derived_figures, rebuild_derived
from scoring.problems import Refused


class Command(KomppaCommand):
    help = "Compare what is kept of each game with what its deals make of it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--rebuild", action="store_true", help="write anew what differs"
        )

    def handle(self, *args: Any, rebuild: bool, **options: Any) -> None:
        left = 0
        games = Game.objects.select_related("cup").order_by("cup", "number")
        for game in games.iterator():
            differences, can_mend = _differences(game)
            for difference in differences:
                self.stdout.write(f"{game.cup.slug} {game}: {difference}")
            if differences and rebuild and can_mend:
                rebuild_derived(game=game)
            elif differences:
                left += 1
        if left:
            raise CommandError(f"Pelejä, joiden luvut eivät vastaa jakoja: {left}")
        self.stdout.write("Pelien luvut vastaavat niiden jakoja.")


def _differences(game: Game) -> tuple[list[str], bool]:
    """Return what differs, and whether it can be written anew."""
    try:
        derived = derived_figures(course_of(game))
    except Refused as refused:
        return [
            f"{problem.path}: {problem.message}" for problem in refused.problems
        ], False
    return [
        f"{name} {getattr(game, name)!r}, pitäisi olla {value!r}"
        for name, value in derived.items()
        if getattr(game, name) != value
    ], True
