"""What follows for a cup's games from who has won, withdrawn or qualified.

``changing`` does this at the end of every write, so that what is kept on the rows is
never older than the facts.
"""

from __future__ import annotations

from dataclasses import dataclass

from komppa.cup.choices import Phase
from komppa.cup.models import Cup, Game
from komppa.cup.qualifying import bracket_games, has_begun, knockout_of
from komppa.cup.queries import games_of
from komppa.cup.verdicts import verdict_of

_TEAMS = ("team_a_id", "team_b_id")


@dataclass(frozen=True, slots=True)
class Settled:
    """What a row should keep."""

    game: Game
    figures: dict[str, bool | int | None]

    @property
    def differences(self) -> dict[str, bool | int | None]:
        return {
            name: value
            for name, value in self.figures.items()
            if getattr(self.game, name) != value
        }


@dataclass(frozen=True, slots=True)
class Consequences:
    rows: tuple[Settled, ...]
    phase: Phase


def consequences(cup: Cup) -> Consequences:
    """Return what follows for each game of the cup and its phase; writes nothing."""
    bracket = list(bracket_games(cup))
    states = knockout_of(cup, bracket)
    rows = []
    for game in bracket:
        state = states[game.pk]
        figures: dict[str, bool | int | None] = {"is_finished": state.is_over}
        if not has_begun(game):
            figures["team_a_id"], figures["team_b_id"] = state.teams.a, state.teams.b
        rows.append(Settled(game, figures))
    others = list(games_of(cup).exclude(pk__in=states))
    rows += [
        Settled(game, {"is_finished": verdict_of(game, cup) is not None})
        for game in others
    ]
    phase = Phase.GROUPS if others else Phase.SETUP
    if states:
        is_open = any(s.in_conflict or not s.is_over for s in states.values())
        phase = Phase.BRACKET if is_open else Phase.FINISHED
    return Consequences(tuple(rows), phase)


def settle(cup: Cup) -> None:
    """Write what follows; the caller has locked the cup, and saves its phase."""
    found = consequences(cup)
    for row in found.rows:
        if row.differences:
            if not row.differences.keys().isdisjoint(_TEAMS):
                # Whoever was going to sit there no longer plays.
                row.game.seats.all().delete()
            Game.objects.filter(pk=row.game.pk).update(**row.differences)
    cup.phase = found.phase
