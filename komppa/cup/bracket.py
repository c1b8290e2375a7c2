"""The knockout as a structure: which slot meets which, before any team is known.

Words. The *seeds* are the qualifiers from the best down: all group winners in the
order of their groups, then all seconds, and so on. A *tier* is the qualifiers of one
rank. A *leaf* is a place in the full first bracket round, which has a power of two
of them; two leaves whose numbers differ only from the n-th bit down meet in bracket
round n at the earliest.

Where the seeds go is settled by strength alone and never bends: 1 meets the last, 2
the last but one, and so on in every bracket round if the better one always wins.
From this follow the things that a tier may claim:

- Byes fall to the best seeds, in turn to one half and the other.
- Group winners are spread evenly over every part of the bracket, so they meet as
  late as their number allows, and the weakest seeds start against them.

What is free is which group's team takes which of its tier's leaves. This is used to
keep teams of one group apart: as few pairs as possible that can meet in the first
bracket round, then in the second, and so on. With equally many from each group the
swaps below find the fewest there can be, for every number of groups up to 64
qualifiers, and no winner loses a bye to a later letter by them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, combinations, groupby
from typing import TypeVar

from komppa.cup.draw import group_name

T = TypeVar("T")

MAX_QUALIFIERS = 64


class BracketRefused(ValueError):
    """A bracket that cannot be made.

    ``code`` is ``too_few`` (less than 2 qualifiers), ``too_many`` (more than 64) or
    ``qualifier_twice``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Stage(StrEnum):
    """What a game of the bracket is called; after the bronze, from the final back."""

    BRONZE = "bronze"
    FINAL = "final"
    SEMI_FINAL = "semi_final"
    QUARTER_FINAL = "quarter_final"
    ROUND_OF_16 = "round_of_16"
    ROUND_OF_32 = "round_of_32"
    ROUND_OF_64 = "round_of_64"


@dataclass(frozen=True, slots=True)
class GroupRank:
    """The team that a group's standings put on a rank."""

    group: int
    """Index of the group, from 0."""
    rank: int
    """From 1."""

    def __str__(self) -> str:
        return f"{group_name(self.group)}{self.rank}"


@dataclass(frozen=True, slots=True)
class WinnerOf:
    game: int
    """Number of a game of the same bracket."""


@dataclass(frozen=True, slots=True)
class LoserOf:
    game: int
    """Number of a game of the same bracket."""


# There is no slot for a bye: the team stands in the next bracket round at once.
Slot = GroupRank | WinnerOf | LoserOf


@dataclass(frozen=True, slots=True)
class BracketGame:
    number: int
    """From 1 in the bracket, in the order of play; the final has the last."""
    bracket_round: int
    """From 1; the bronze game is in the final's."""
    position: int
    """Place in its full bracket round from the top, from 0; byes leave gaps.

    Its winner goes to position // 2 of the next, an even one as a.
    """
    stage: Stage
    a: Slot
    b: Slot


@dataclass(frozen=True, slots=True)
class Bracket:
    bracket_rounds: tuple[tuple[BracketGame, ...], ...]
    bronze: BracketGame | None
    byes: tuple[GroupRank, ...]
    """Who starts in the second bracket round, best first."""

    @property
    def games(self) -> tuple[BracketGame, ...]:
        """Every game, by number."""
        played = [game for games in self.bracket_rounds for game in games]
        if self.bronze:
            played.append(self.bronze)
        return tuple(sorted(played, key=lambda game: game.number))


def stage_of(bracket_round: int, position: int, last_round: int) -> Stage:
    """Return what the game of a place is called, as in ``BracketGame``."""
    if bracket_round == last_round and position > 0:
        return Stage.BRONZE
    return list(Stage)[last_round - bracket_round + 1]


def group_qualifiers(group_count: int, per_group: int) -> tuple[GroupRank, ...]:
    """Return the first ``per_group`` ranks of each group, best seeds first."""
    return tuple(
        GroupRank(group, rank)
        for rank in range(1, per_group + 1)
        for group in range(group_count)
    )


def plan_bracket(qualifiers: Sequence[GroupRank], *, bronze: bool) -> Bracket:
    """Return the bracket of 2 to 64 qualifiers, in whatever order they are given.

    A group may have more qualifiers than another, such as a best third. ``bronze``
    asks for a game of the semi-finals' losers; it is left out where there are no two
    semi-finals. Raises ``BracketRefused``.
    """
    if len(qualifiers) < 2:
        raise BracketRefused("too_few", f"{len(qualifiers)} qualifiers")
    if len(qualifiers) > MAX_QUALIFIERS:
        raise BracketRefused("too_many", f"{len(qualifiers)} qualifiers")
    if len(set(qualifiers)) < len(qualifiers):
        raise BracketRefused("qualifier_twice", f"{qualifiers}")
    leaves = _place(qualifiers)
    # The better seed is always a, so an empty place is always b.
    byes = [a for a, b in _pairs(leaves) if a and b is None]
    row: list[Slot | None] = [*leaves]
    bracket_rounds: list[tuple[BracketGame, ...]] = []
    number = 1
    while len(row) > 2:
        games, row = _play(row, len(bracket_rounds) + 1, number)
        bracket_rounds.append(games)
        number += len(games)
    last_round = len(bracket_rounds) + 1
    bronze_game = None
    if bronze and bracket_rounds and len(semi_finals := bracket_rounds[-1]) == 2:
        losers = [LoserOf(game.number) for game in semi_finals]
        bronze_game = BracketGame(number, last_round, 1, Stage.BRONZE, *losers)
        number += 1
    final, _ = _play(row, last_round, number)
    return Bracket(
        bracket_rounds=(*bracket_rounds, final),
        bronze=bronze_game,
        byes=tuple(sorted(byes, key=_strength)),
    )


def _play(
    row: Sequence[Slot | None], bracket_round: int, number: int
) -> tuple[tuple[BracketGame, ...], list[Slot | None]]:
    """Return the games of a bracket round and the slots that go on, from the top."""
    stage = list(Stage)[len(row).bit_length() - 1]
    games: list[BracketGame] = []
    going_on: list[Slot | None] = []
    for position, (a, b) in enumerate(_pairs(row)):
        if a and b:
            game = number + len(games)
            games.append(BracketGame(game, bracket_round, position, stage, a, b))
            going_on.append(WinnerOf(game))
        else:
            going_on.append(a or b)
    return tuple(games), going_on


def _place(qualifiers: Sequence[GroupRank]) -> list[GroupRank | None]:
    """Return who stands on each leaf, None where the neighbour has a bye."""
    seeds = sorted(qualifiers, key=_strength)
    order = _seeds_by_leaf(len(seeds))
    free = (order.index(seed) for seed in range(len(seeds)))
    leaf_of: dict[GroupRank, int] = {}
    tiers: list[list[GroupRank]] = []
    for _, members in groupby(seeds, key=lambda team: team.rank):
        tier = list(members)
        # Start crosswise (B2 against A1, A2 against B1), settle each tier around
        # those above it, then improve them all: from simpler starts the swaps get
        # stuck short of the best for some numbers of groups.
        for team in _crosswise(tier, len(tiers)):
            leaf_of[team] = next(free)
        _keep_groups_apart(leaf_of, [tier])
        tiers.append(tier)
    _keep_groups_apart(leaf_of, tiers)
    row: list[GroupRank | None] = [None] * len(order)
    for team, leaf in leaf_of.items():
        row[leaf] = team
    return row


def _keep_groups_apart(
    leaf_of: dict[GroupRank, int], tiers: Sequence[Sequence[GroupRank]]
) -> None:
    """Swap teams within these tiers while that takes teams of one group apart."""
    fewest = _meetings(leaf_of)
    improved = True
    while improved:
        improved = False
        for one, other in chain.from_iterable(combinations(t, 2) for t in tiers):
            leaf_of[one], leaf_of[other] = leaf_of[other], leaf_of[one]
            meetings = _meetings(leaf_of)
            if meetings < fewest:
                fewest, improved = meetings, True
            else:
                leaf_of[one], leaf_of[other] = leaf_of[other], leaf_of[one]


def _meetings(leaf_of: Mapping[GroupRank, int]) -> list[int]:
    """Count the pairs of one group by the first bracket round that can join them."""
    leaves: dict[int, list[int]] = defaultdict(list)
    for team, leaf in leaf_of.items():
        leaves[team.group].append(leaf)
    counts = [0] * MAX_QUALIFIERS.bit_length()
    for one, other in chain.from_iterable(combinations(x, 2) for x in leaves.values()):
        counts[(one ^ other).bit_length()] += 1
    return counts


def _seeds_by_leaf(seed_count: int) -> list[int]:
    """Return the seed, from 0, of each leaf, for the leaves that so many need."""
    seeds = [0]
    while len(seeds) < seed_count:
        last = 2 * len(seeds) - 1
        seeds = [seed for better in seeds for seed in (better, last - better)]
    return seeds


def _crosswise(tier: Sequence[GroupRank], index: int) -> list[GroupRank]:
    """Return every other tier backwards, in pairs: A B C D E as E C D A B."""
    if index % 2 == 0:
        return list(tier)
    pairs = [tier[start : start + 2] for start in range(0, len(tier), 2)]
    return [team for pair in reversed(pairs) for team in pair]


def _strength(team: GroupRank) -> tuple[int, int]:
    # Larger groups come first in the draw, and their winners have played more.
    return team.rank, team.group


def _pairs(row: Sequence[T]) -> list[tuple[T, T]]:
    return list(zip(row[::2], row[1::2], strict=True))
