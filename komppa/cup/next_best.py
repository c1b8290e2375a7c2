"""The best of the next place over all groups: who of them goes on as well.

Groups need not be of one size, so the figures of R9.1 to R9.3 are compared per game
played, in that order; what they leave level is settled by a lot for exactly those.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Candidate:
    team: int
    played: int
    won: int
    sets_won: int
    sets_lost: int

    @property
    def per_game(self) -> tuple[Fraction, Fraction, Fraction]:
        """Games won, sets won and sets lost, each per game played."""
        games = max(self.played, 1)
        return (
            Fraction(self.won, games),
            Fraction(self.sets_won, games),
            Fraction(self.sets_lost, games),
        )


@dataclass(frozen=True, slots=True)
class Ranking:
    order: tuple[tuple[int, ...], ...]
    """Teams from the best down; those still level together."""

    def best(self, number: int) -> int | None:
        """Return the ``number``-th best, from 1; None where not settled, or no such."""
        before = 0
        for level in self.order:
            if before + 1 == number and len(level) == 1:
                return level[0]
            before += len(level)
        return None

    def ties(self, places: int) -> tuple[tuple[int, ...], ...]:
        """Return each set of teams still level that has a part in the first places."""
        found = []
        before = 0
        for level in self.order:
            if before < places and len(level) > 1:
                found.append(level)
            before += len(level)
        return tuple(found)


def rank_across(
    candidates: Iterable[Candidate], lots: Sequence[Sequence[int]] = ()
) -> Ranking:
    """Return the candidates of different groups from the best down.

    Each of ``lots`` is a drawn order of teams, best first; it settles only the set
    of teams that it was drawn for.
    """
    ranked = sorted(candidates, key=_merit)
    order: list[tuple[int, ...]] = []
    for _, level in groupby(ranked, key=_merit):
        teams = tuple(candidate.team for candidate in level)
        drawn = next((lot for lot in lots if set(lot) == set(teams)), None)
        if drawn is not None and len(teams) > 1:
            order += [(team,) for team in drawn]
        else:
            order.append(teams)
    return Ranking(tuple(order))


def _merit(candidate: Candidate) -> tuple[Fraction, Fraction, Fraction]:
    won, sets_won, sets_lost = candidate.per_game
    return -won, -sets_won, sets_lost
