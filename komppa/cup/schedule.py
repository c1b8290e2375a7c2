"""Group games: who meets whom in which schedule round, and at which table.

A *schedule round* is a part of the plan in which every team of a group plays once
(one team rests where their number is odd). A *wave* is what is played at the same
time, one game a table. With few tables a schedule round takes several waves, and a
wave may hold the end of one schedule round and the beginning of the next.

The length of a game cannot be known (two sets or three, a set of four deals or
forty), so the tables are a plan; it is the order of the games that counts. When the
evening leaves the plan, a free table takes the first game of the order whose teams
are both free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Generic, TypeVar

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ScheduledGame(Generic[T]):
    """A game of two teams of one group."""

    group_index: int
    """Index of the group, from 0."""
    schedule_round: int
    """From 1, in each group by itself."""
    a: T
    b: T


@dataclass(frozen=True, slots=True)
class TableTurn:
    """Where a game is played, and when, counted in games of equal length."""

    table: int
    """Index of the table, from 0."""
    wave: int
    """From 0."""


def group_games(groups: Sequence[Sequence[T]]) -> tuple[ScheduledGame[T], ...]:
    """Return the games in which every two teams of each group meet once.

    ``groups`` holds the teams of each group in the order drawn. The games come in the
    order in which they are to be called: schedule round by schedule round, and in
    each of them first one game of every group, then the second of every group.
    No team is twice in a schedule round, and the numbers of games that a team has as
    a and as b differ by at most one. A group of one has no games.

    Raises ``ValueError`` when a team is in two places.
    """
    twice = [team for team, count in Counter(chain(*groups)).items() if count > 1]
    if twice:
        raise ValueError(f"in the groups twice: {twice}")
    plans = [
        [
            [ScheduledGame(index, number, a, b) for a, b in pairs]
            for number, pairs in enumerate(_circle(teams), start=1)
        ]
        for index, teams in enumerate(groups)
    ]
    return tuple(
        game
        for same_round in zip_longest(*plans, fillvalue=[])
        for one_of_each in zip_longest(*same_round)
        for game in one_of_each
        if game is not None
    )


def place_games(
    games: Sequence[ScheduledGame[T]], table_count: int
) -> tuple[TableTurn, ...]:
    """Return table and wave of each game; a table plays its games in their order.

    Each game in turn is put in the earliest wave in which its teams are free and a
    table has played all that it was given before. Raises ``ValueError`` when there
    is no table.
    """
    if table_count < 1:
        raise ValueError(f"no games on {table_count} tables")
    table_free = [0] * table_count
    team_free: dict[T, int] = {}
    turns = []
    for game in games:
        teams_ready = max(team_free.get(game.a, 0), team_free.get(game.b, 0))
        wave = max(teams_ready, min(table_free))
        # Of the tables free by then, the one that has waited least: another may yet
        # serve a later game whose teams are ready sooner. Among equals the first, so
        # a table more than the games can use is never used.
        table = max(
            (index for index in range(table_count) if table_free[index] <= wave),
            key=table_free.__getitem__,
        )
        turns.append(TableTurn(table, wave))
        table_free[table] = team_free[game.a] = team_free[game.b] = wave + 1
    return tuple(turns)


def assign_tables(
    games: Sequence[ScheduledGame[T]], table_count: int
) -> tuple[int, ...]:
    """Return the index of the table of each game, from 0; see ``place_games``."""
    return tuple(turn.table for turn in place_games(games, table_count))


def _circle(teams: Sequence[T]) -> Iterator[list[tuple[T, T]]]:
    """Yield the pairs (a, b) of each schedule round, by the circle method.

    An odd number of teams stands in a circle. Each in turn is the pivot: those at
    equal distance to its left and right meet, and it rests itself, or meets the team
    that stands outside the circle where the number of teams is even.
    """
    circle = len(teams) - (len(teams) + 1) % 2
    for pivot in range(circle):
        pairs = []
        if circle < len(teams):
            pairs.append(_sides(teams[pivot], teams[-1], swap=pivot % 2 == 1))
        for distance in range(1, circle // 2 + 1):
            right = teams[(pivot + distance) % circle]
            left = teams[(pivot - distance) % circle]
            # A team is once right and once left at each distance, so it is a as
            # often as b; the swap only keeps it from being a many times in a row.
            pairs.append(_sides(right, left, swap=distance % 2 == 0))
        yield pairs


def _sides(one: T, other: T, *, swap: bool) -> tuple[T, T]:
    return (other, one) if swap else (one, other)
