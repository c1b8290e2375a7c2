from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from komppa.console import KomppaCommand
from komppa.cup.changes import changing
from komppa.cup.models import Cup, Game
from komppa.cup.settling import consequences
from komppa.sheets.queries import course_of
from komppa.sheets.services import derived_figures, rebuild_derived
from scoring.problems import Refused


class Command(KomppaCommand):
    help = (
        "Compare all that is kept of cups and games with what their facts make of it."
    )

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
        # What follows from the figures, once they are right.
        left += sum(self._follows(cup, rebuild) for cup in Cup.objects.order_by("pk"))
        if left:
            raise CommandError(f"Kohteita, joiden tiedot eivät täsmää: {left}")
        self.stdout.write("Johdetut tiedot vastaavat kirjattuja.")

    def _follows(self, cup: Cup, rebuild: bool) -> int:
        """Return how many of the cup's games, or the cup itself, stay wrong."""
        found = consequences(cup)
        wrong: list[tuple[str, str, object, object]] = [
            (str(row.game), name, getattr(row.game, name), value)
            for row in found.rows
            for name, value in row.differences.items()
        ]
        if cup.phase != found.phase:
            wrong.append(("", "phase", str(cup.phase), found.phase.value))
        for game, name, kept, value in wrong:
            place = f"{cup.slug} {game}".strip()
            self.stdout.write(f"{place}: {name} {kept!r}, pitäisi olla {value!r}")
        if wrong and rebuild:
            with changing(cup):
                pass  # whatever is changed, all that follows is written
            return 0
        return len({game for game, *_rest in wrong})


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
