"""The order of a group by a plain reading of R9, to compare the site's with.

Short rather than quick: whoever doubts it can read it beside ``docs/rules.md``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from scoring.sides import Pair, Side

OPEN, EMPTY = "open", "empty"
"""Of a place in the bracket: nobody knows yet, and nobody comes."""

Place = int | str

Result = tuple[int, int, Pair[int], Side | None]


@dataclass(frozen=True)
class Line:
    """A team's place in its group."""

    team: int
    rank: int
    played: int
    won: int
    sets_won: int
    sets_lost: int
    tied_with: frozenset[int]


@dataclass(frozen=True)
class Table:
    lines: tuple[Line, ...]
    is_complete: bool
    left: frozenset[int]
    """Those who are listed without a rank (R9.10)."""

    def on(self, rank: int) -> Place:
        """Return who comes from the rank."""
        if not self.is_complete:
            return OPEN
        if rank > len(self.lines):
            return EMPTY
        there = [x.team for x in self.lines if x.rank == rank and not x.tied_with]
        return there[0] if there else OPEN

    @property
    def lots_needed(self) -> set[frozenset[int]]:
        tied = {x.tied_with | {x.team} for x in self.lines if x.tied_with}
        return tied if self.is_complete else set()


def figures(team: int, results: Iterable[Result]) -> tuple[int, int, int, int]:
    """Return games played, games won, sets won and sets lost."""
    played = won = sets_won = sets_lost = 0
    for a, b, sets, winner in results:
        for side, own in ((Side.A, a), (Side.B, b)):
            if own == team:
                played, won = played + 1, won + (winner is side)
                sets_won += sets[side]
                sets_lost += sets[side.other]
    return played, won, sets_won, sets_lost


def split(teams: Sequence[int], key: Callable[[int], Any]) -> list[list[int]]:
    """Return the teams in levels by ascending key."""
    found: dict[Any, list[int]] = defaultdict(list)
    for team in teams:
        found[key(team)].append(team)
    return [found[place] for place in sorted(found)]


def levels_of(
    teams: Sequence[int],
    results: Sequence[Result],
    gone: set[int],
    lots: Sequence[Sequence[int]],
) -> list[list[int]]:
    """Return the group from the best down, those who share a rank together."""

    def key(team: int) -> tuple[int, int, int, bool]:
        _played, won, sets_won, sets_lost = figures(team, results)
        return -won, -sets_won, sets_lost, team in gone

    levels = [
        part for level in split(teams, key) for part in _by_mutual(level, results)
    ]
    return by_lots(levels, lots)


def _by_mutual(level: list[int], results: Sequence[Result]) -> list[list[int]]:
    """R9.4: one figure at a time, each part again from the first with its own games."""
    own = [r for r in results if r[0] in level and r[1] in level]
    met = {frozenset(r[:2]) for r in own}
    if any(frozenset(pair) not in met for pair in combinations(level, 2)):
        return [level]
    for index, sign in ((1, -1), (2, -1), (3, 1)):
        parts = split(level, lambda t, i=index, s=sign: s * figures(t, own)[i])
        if len(parts) > 1:
            return [x for part in parts for x in _by_mutual(part, results)]
    return [level]


def by_lots(
    levels: Sequence[list[int]], lots: Sequence[Sequence[int]]
) -> list[list[int]]:
    """R9.5: a lot settles only exactly the set that it was drawn for."""
    settled = []
    for level in levels:
        drawn = [lot for lot in lots if sorted(lot) == sorted(level)]
        if drawn and len(level) > 1:
            settled += [[team] for team in drawn[0]]
        else:
            settled.append(level)
    return settled


def lines_of(
    levels: Sequence[Sequence[int]], results: Sequence[Result]
) -> Iterable[Line]:
    rank = 1
    for level in levels:
        for team in level:
            played, won, sets_won, sets_lost = figures(team, results)
            others = frozenset(level) - {team}
            yield Line(team, rank, played, won, sets_won, sets_lost, others)
        rank += len(level)
