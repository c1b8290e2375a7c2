"""How a game ended and what it gives: by play, by an outcome, or by who is out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from komppa.cup.choices import FoulLossSetsChoice, Outcome, WithdrawnGamesChoice
from komppa.cup.models import Cup, Game
from scoring.sides import ZERO, Pair, Side
from scoring.standings import GameResult


class How(StrEnum):
    PLAYED = "played"
    FOULS = "fouls"
    WALKOVER = "walkover"
    OPPONENT_WITHDREW = "opponent_withdrew"
    NO_OPPONENT = "no_opponent"
    """In the bracket: both who could have come are out."""
    BOTH_ABSENT = "both_absent"
    BOTH_WITHDREW = "both_withdrew"
    NOBODY = "nobody"
    """In the bracket: nobody is left for either side."""
    ANNULLED = "annulled"
    WITHDRAWN = "withdrawn"
    """Annulled, since a team of the group withdrew (R9.10)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    how: How
    winner: Side | None
    """None where both lost, and where nothing counts."""
    sets: Pair[int]

    @property
    def counts(self) -> bool:
        """Whether it counts in the standings of a group."""
        return self.how not in (How.ANNULLED, How.WITHDRAWN, How.NOBODY)

    @property
    def is_by_play(self) -> bool:
        """Whether it was won at the table, so that the teams can agree to it."""
        return self.how in (How.PLAYED, How.FOULS)


def verdict_of(game: Game, cup: Cup) -> Verdict | None:
    """Return how the game ended, None while it is open (R9.8 to R9.11).

    Its teams must have been fetched with it.
    """
    present = [side for side in Side if game.teams[side] is not None]
    gone = [side for side in Side if (team := game.teams[side]) and team.withdrawn]
    annuls = cup.withdrawn_games == WithdrawnGamesChoice.ANNUL
    if gone and annuls and game.group_id is not None:
        return Verdict(How.WITHDRAWN, None, ZERO)
    if game.outcome == Outcome.ANNULLED:
        return Verdict(How.ANNULLED, None, ZERO)
    if game.outcome == Outcome.BOTH_ABSENT:
        return Verdict(How.BOTH_ABSENT, None, ZERO)
    if game.outcome in (Outcome.WALKOVER_A, Outcome.WALKOVER_B):
        side = Side.A if game.outcome == Outcome.WALKOVER_A else Side.B
        return _given(game, How.WALKOVER, side)
    if game.winning_side is not None:
        return _played(game, cup, game.winning_side)
    if len(present) < 2:
        staying = [side for side in present if side not in gone]
        return _without_opponent(game, staying) if game.is_finished else None
    if len(gone) == 2:
        return Verdict(How.BOTH_WITHDREW, None, ZERO)
    return _given(game, How.OPPONENT_WITHDREW, gone[0].other) if gone else None


def counted_result(game: Game, cup: Cup) -> GameResult[int] | None:
    """Return what a game gives to the standings, None if nothing."""
    verdict = verdict_of(game, cup)
    if game.team_a_id is None or game.team_b_id is None:
        return None
    if verdict is None or not verdict.counts:
        return None
    sets = verdict.sets
    return GameResult(game.team_a_id, game.team_b_id, sets.a, sets.b, verdict.winner)


def _given(game: Game, how: How, winner: Side) -> Verdict:
    return Verdict(how, winner, ZERO.replace(winner, game.sets_to_win))


def _played(game: Game, cup: Cup, winner: Side) -> Verdict:
    if game.ended_by != "fouls":
        return Verdict(How.PLAYED, winner, game.sets)
    sets = game.sets
    if cup.foul_loss_sets == FoulLossSetsChoice.FULL:
        sets = sets.replace(winner, game.sets_to_win)
    return Verdict(How.FOULS, winner, sets)


def _without_opponent(game: Game, staying: list[Side]) -> Verdict:
    """Return the end of a bracket game that ``settling`` knows to lack a team."""
    if not staying:
        return Verdict(How.NOBODY, None, ZERO)
    return _given(game, How.NO_OPPONENT, staying[0])
