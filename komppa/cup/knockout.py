"""Who stands where in a bracket that is being played, as far as it is known now.

A slot is *settled* when its source has spoken: by naming a team, or by leaving it
empty, since both who could have come are out. An empty slot lets the opponent go on;
one that is not settled lets him wait.

Who played is a fact. Where the source of a game that has begun says otherwise later,
or nothing any more, the game is in *conflict*: whatever its result, it settles
nothing further on until the organiser annuls or confirms it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from komppa.cup.bracket import LoserOf, WinnerOf
from scoring.sides import Pair, Side


@dataclass(frozen=True, slots=True)
class Occupant:
    team: int | None
    is_settled: bool = True


UNKNOWN = Occupant(None, is_settled=False)
NOBODY = Occupant(None)

Source = Occupant | WinnerOf | LoserOf
"""Where a side comes from: settled outside the bracket, or by one of its games."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    game: int
    sources: Pair[Source]
    teams: Pair[int | None]
    """Who plays; a fact once the game has begun, until then of no matter."""
    has_begun: bool
    is_over: bool
    """Whether play or an outcome has ended it."""
    winner: Side | None


@dataclass(frozen=True, slots=True)
class GameState:
    slots: Pair[Occupant]
    """What the sources say now."""
    teams: Pair[int | None]
    conflicts: tuple[Side, ...]
    """The sides on which another team played than the source says now."""
    is_over: bool
    winner: Occupant
    """Who goes on; ``UNKNOWN`` while in conflict."""
    loser: Occupant

    @property
    def in_conflict(self) -> bool:
        return bool(self.conflicts)


def resolve(
    games: Iterable[GameFacts], withdrawn: Collection[int] = ()
) -> dict[int, GameState]:
    """Return the state of every game.

    A ``withdrawn`` team loses the games it has not finished.
    """
    facts = {game.game: game for game in games}
    states: dict[int, GameState] = {}
    for game in facts:
        _state(game, facts, withdrawn, states)
    return states


def _state(
    game: int,
    facts: Mapping[int, GameFacts],
    withdrawn: Collection[int],
    states: dict[int, GameState],
) -> GameState:
    if game in states:
        return states[game]

    def occupant(source: Source) -> Occupant:
        if isinstance(source, Occupant):
            return source
        before = _state(source.game, facts, withdrawn, states)
        return before.winner if isinstance(source, WinnerOf) else before.loser

    own = facts[game]
    slots = Pair(*(occupant(own.sources[side]) for side in Side))
    if slots.a == slots.b and slots.a.team is not None:
        # Nobody meets himself: until it is mended, it is open who plays.
        slots = Pair(UNKNOWN, UNKNOWN)
    states[game] = _played(own, slots, withdrawn)
    return states[game]


def _played(
    own: GameFacts, slots: Pair[Occupant], withdrawn: Collection[int]
) -> GameState:
    conflicts: tuple[Side, ...] = ()
    present = slots
    if own.has_begun:
        present = Pair(*(Occupant(own.teams[side]) for side in Side))
        conflicts = tuple(side for side in Side if slots[side] != present[side])
    is_over, winner, loser = _outcome(own, present, withdrawn)
    return GameState(
        slots=slots,
        teams=Pair(*(present[side].team for side in Side)),
        conflicts=conflicts,
        is_over=is_over,
        winner=UNKNOWN if conflicts else winner,
        loser=UNKNOWN if conflicts else loser,
    )


def _outcome(
    own: GameFacts, present: Pair[Occupant], withdrawn: Collection[int]
) -> tuple[bool, Occupant, Occupant]:
    if own.is_over:
        if own.winner is None:
            return True, NOBODY, NOBODY
        return True, present[own.winner], present[own.winner.other]
    if not (present.a.is_settled and present.b.is_settled):
        return False, UNKNOWN, UNKNOWN
    in_play = [
        side
        for side in Side
        if present[side].team is not None and present[side].team not in withdrawn
    ]
    if len(in_play) == 2:
        return False, UNKNOWN, UNKNOWN
    if not in_play:
        return True, NOBODY, NOBODY
    return True, present[in_play[0]], NOBODY
