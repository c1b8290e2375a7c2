"""Reads of the tables' queues: what is played where, what comes next, and who clashes.

A table plays its games in the cup's own order; a game keeps its place in that order
wherever it is moved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from komppa.cup.models import Cup, Game, Team
from komppa.cup.queries import games_of


@dataclass(frozen=True, slots=True)
class Queue:
    """The open games of a table, the one in play first."""

    number: int
    games: tuple[Game, ...]

    @property
    def at_hand(self) -> tuple[Game, ...]:
        """What is being played, or else is to be begun."""
        in_play = tuple(game for game in self.games if game.is_in_play)
        return in_play or self.games[:1]


@dataclass(frozen=True, slots=True)
class Clash:
    """A team that two tables want at the same time."""

    team: Team
    games: tuple[Game, Game]

    @property
    def is_in_play(self) -> bool:
        return all(game.is_in_play for game in self.games)


def queues_of(cup: Cup) -> list[Queue]:
    """Return the queue of every table of the cup, an empty one included."""
    games = sorted(
        games_of(cup).filter(is_finished=False, playing_table__isnull=False),
        key=lambda game: not game.is_in_play,
    )
    numbers = cup.playing_tables.order_by("number").values_list("number", flat=True)
    return [
        Queue(
            number,
            tuple(
                g for g in games if g.playing_table and g.playing_table.number == number
            ),
        )
        for number in numbers
    ]


def clashes_of(queues: Sequence[Queue]) -> list[Clash]:
    """Return the teams that are in two of the games at hand."""
    at_hand = [game for queue in queues for game in queue.at_hand]
    return [
        Clash(team, (one, other))
        for one, other in combinations(at_hand, 2)
        for team in (one.team_a, one.team_b)
        if team is not None and team in (other.team_a, other.team_b)
    ]
