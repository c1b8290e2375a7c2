"""What a number of groups or tables would give, shown before it is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from komppa.cup.bracket import Bracket, BracketGame
from komppa.cup.draw import MAX_GROUPS, MIN_TEAMS_PER_GROUP, group_sizes
from komppa.cup.schedule import group_games, place_games

USUAL_GROUP = 4
MOST_TABLES_OFFERED = 30


@dataclass(frozen=True, slots=True)
class GroupOption:
    count: int
    sizes: tuple[int, ...]
    """Of each group, larger first."""
    games: int


@dataclass(frozen=True, slots=True)
class TableOption:
    count: int
    waves: int
    """How many games after one another the busiest table has, as planned."""


@dataclass(frozen=True, slots=True)
class GamesPlan:
    games: int
    schedule_rounds: int
    options: tuple[TableOption, ...]
    """From one table to as many as can be used at once."""


def group_options(team_count: int) -> list[GroupOption]:
    """Return every number of groups that so many teams can be drawn into."""
    most = min(MAX_GROUPS, team_count // MIN_TEAMS_PER_GROUP)
    return [_group_option(team_count, count) for count in range(1, most + 1)]


def usual_group_count(team_count: int) -> int:
    """Return the number of groups that gives groups of four, or three or five."""
    return min(MAX_GROUPS, max(1, (team_count + USUAL_GROUP // 2) // USUAL_GROUP))


def games_plan(sizes: Sequence[int]) -> GamesPlan:
    """Return what the games of groups of these sizes take on any number of tables."""
    games = group_games(
        [[(index, team) for team in range(size)] for index, size in enumerate(sizes)]
    )
    at_once = min(MOST_TABLES_OFFERED, max(1, sum(size // 2 for size in sizes)))
    return GamesPlan(
        games=len(games),
        schedule_rounds=max((game.schedule_round for game in games), default=0),
        options=tuple(
            TableOption(
                count,
                1 + max((turn.wave for turn in place_games(games, count)), default=-1),
            )
            for count in range(1, at_once + 1)
        ),
    )


def bracket_tables(bracket: Bracket) -> list[TableOption]:
    """Return what the bracket takes on each number of tables it can use at once."""
    sizes = [len(games) for games in playing_order(bracket)]
    return [
        TableOption(count, sum(-(-size // count) for size in sizes))
        for count in range(1, min(MOST_TABLES_OFFERED, max(sizes)) + 1)
    ]


def playing_order(bracket: Bracket) -> list[list[BracketGame]]:
    """Return the games of each bracket round, in the order that tables are given.

    The final comes before the bronze game, which is played at the same time.
    """
    bracket_rounds = [list(games) for games in bracket.bracket_rounds]
    if bracket.bronze:
        bracket_rounds[-1].append(bracket.bronze)
    return bracket_rounds


def _group_option(team_count: int, count: int) -> GroupOption:
    sizes = group_sizes(team_count, count)
    return GroupOption(count, sizes, sum(size * (size - 1) // 2 for size in sizes))
