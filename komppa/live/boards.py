"""A game as every list and page shows it, whether played, in play or to come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from komppa.cup.choices import Outcome
from komppa.cup.models import Cup, Game, Team
from komppa.cup.queries import counted_result
from komppa.words import Names
from scoring.sides import Pair, Side
from scoring.validity import FOULS_THAT_LOSE

SUITS: Mapping[Side, str] = {Side.A: "S", Side.B: "H"}
"""The mark of each side, the same on every page."""


class State(StrEnum):
    IN_PLAY = "in_play"
    WAITING = "waiting"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class BoardSide:
    name: str
    team: Team | None
    suit: str
    sets: int
    set_marks: tuple[bool, ...]
    """One for each set that a win takes, true for those won."""
    points: int
    fouls: int
    has_won: bool
    has_lost: bool

    @property
    def foul_marks(self) -> tuple[bool, ...]:
        return tuple(number < self.fouls for number in range(FOULS_THAT_LOSE))


@dataclass(frozen=True, slots=True)
class Board:
    game: Game
    state: State
    a: BoardSide
    b: BoardSide
    set_number: int
    """The set in play."""
    note: str
    """How it ended in a word or two, if not by the last set."""
    outcome: str
    """How it ended as a sentence, empty while it has not."""
    counts: bool
    """Whether its result counts in the standings."""

    @property
    def sides(self) -> tuple[BoardSide, BoardSide]:
        return self.a, self.b


def names_of(game: Game) -> Names:
    """Return the teams' names, or where the teams will come from."""
    return Pair(_name(game, "a"), _name(game, "b"))


def _name(game: Game, side: str) -> str:
    team: Team | None = getattr(game, f"team_{side}")
    if team is not None:
        return team.name
    group = getattr(game, f"source_group_{side}")
    if group is not None:
        return f"{group.name}{getattr(game, f'source_rank_{side}')}"
    winner_of = getattr(game, f"winner_of_{side}")
    if winner_of is not None:
        return _("Voittaja %(game)s") % {"game": winner_of}
    return _("Häviäjä %(game)s") % {"game": getattr(game, f"loser_of_{side}")}


def board_of(game: Game, cup: Cup) -> Board:
    result = counted_result(game, cup)
    sets = Pair(result.sets_a, result.sets_b) if result else game.sets
    winner = result.winner if result else None
    names = names_of(game)
    a, b = (
        BoardSide(
            name=names[side],
            team=game.teams[side],
            suit=SUITS[side],
            sets=sets[side],
            set_marks=tuple(n < sets[side] for n in range(game.sets_to_win)),
            points=game.points[side],
            fouls=game.fouls[side],
            has_won=winner is side,
            has_lost=result is not None and winner is not side,
        )
        for side in Side
    )
    winner_name = names[winner] if winner else ""
    return Board(
        game=game,
        state=_state(game),
        a=a,
        b=b,
        set_number=game.sets_a + game.sets_b + 1,
        note=_note(game),
        outcome=_outcome(game, winner_name) if game.is_finished else "",
        counts=result is not None,
    )


def boards_of(games: Iterable[Game], cup: Cup) -> list[Board]:
    return [board_of(game, cup) for game in games]


def _state(game: Game) -> State:
    if game.is_finished:
        return State.FINISHED
    return State.IN_PLAY if game.is_in_play else State.WAITING


def _note(game: Game) -> str:
    if game.outcome in (Outcome.WALKOVER_A, Outcome.WALKOVER_B):
        return _("luovutus")
    if game.outcome == Outcome.BOTH_ABSENT:
        return _("kumpikin poissa")
    if game.outcome == Outcome.ANNULLED:
        return _("mitätöity")
    if game.ended_by == "fouls":
        return _("kolmas pelivirhe")
    return ""


def _outcome(game: Game, winner: str) -> str:
    team = {"team": winner}
    if game.outcome == Outcome.ANNULLED:
        return _("Peli on mitätöity, eikä sitä lasketa kummallekaan.")
    if game.outcome == Outcome.BOTH_ABSENT:
        return _("Kumpikin joukkue oli poissa: peli on hävitty molemmille.")
    if game.outcome != Outcome.PLAYED:
        return _("%(team)s voitti pelin luovutuksella.") % team
    if game.ended_by == "fouls":
        return (
            _("%(team)s voitti pelin, kun vastustaja teki kolmannen pelivirheensä.")
            % team
        )
    return _("%(team)s voitti pelin.") % team
