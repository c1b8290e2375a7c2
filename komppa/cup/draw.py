"""Groups by lot, and the lot itself: the same facts and seed give the same answer.

Everybody can redo a draw from what is stored with it: the exact input, the name of
the algorithm and the seed. Hence two rules for whoever changes this file:

- An algorithm that has drawn once never changes. A better one gets its own name in
  ``_ALGORITHMS`` and the old one stays.
- Of the standard library's generator only ``random()`` is used. It alone is promised
  to give the same numbers in every release; ``shuffle`` and ``sample`` are not.

The groups of ``fisher-yates-pots-1``:

- Sizes differ by at most one, larger groups first: 14 teams in 4 are 4, 4, 3, 3.
- Without pots every division into groups is equally likely.
- A pot is spread evenly: two groups differ by at most one in teams of that pot. The
  pots are drawn in the order of their numbers, teams without a pot last.
- What a pot has over an even share goes to groups drawn by lot among those with
  which the later pots can still be spread evenly. So no letter is a pot's by habit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

T = TypeVar("T")

Groups = tuple[tuple[int, ...], ...]

ALGORITHM = "fisher-yates-pots-1"
MAX_GROUPS = 26
MIN_TEAMS_PER_GROUP = 2


class DrawRefused(ValueError):
    """A draw that cannot be made from these facts.

    ``code`` is ``group_count`` (not 1 to 26), ``too_few_teams`` (less than two a
    group), ``team_twice``, ``pots_mismatch`` (not one for each team), ``seed`` (not
    hexadecimal), ``algorithm`` (unknown) or ``malformed`` (stored facts that are none).
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class DrawInput:
    """The facts a draw starts from, in the order in which they are stored."""

    team_ids: tuple[int, ...]
    pots: tuple[int | None, ...]
    """The pot of each team of ``team_ids``, None without one; empty: no pots."""
    group_count: int

    def to_json(self) -> dict[str, object]:
        """Return what ``from_json`` takes, made of JSON's own types only."""
        return {
            "team_ids": list(self.team_ids),
            "pots": list(self.pots),
            "group_count": self.group_count,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, object]) -> DrawInput:
        """Return the input that ``to_json`` wrote; raises ``DrawRefused``."""
        if set(stored) != {"team_ids", "pots", "group_count"}:
            raise DrawRefused("malformed", f"not the keys of a draw: {sorted(stored)}")
        return cls(
            team_ids=tuple(_whole(item) for item in _items(stored["team_ids"])),
            pots=tuple(
                None if item is None else _whole(item)
                for item in _items(stored["pots"])
            ),
            group_count=_whole(stored["group_count"]),
        )


def draw_groups(facts: DrawInput, seed: str, algorithm: str = ALGORITHM) -> Groups:
    """Return the team ids of each group, in the order in which they came out.

    ``seed`` is a hexadecimal number, ``algorithm`` the name stored with an old draw.
    Raises ``DrawRefused``.
    """
    if algorithm not in _ALGORITHMS:
        raise DrawRefused("algorithm", f"unknown algorithm: {algorithm!r}")
    if not 1 <= facts.group_count <= MAX_GROUPS:
        raise DrawRefused("group_count", f"{facts.group_count} groups")
    if len(set(facts.team_ids)) < len(facts.team_ids):
        raise DrawRefused("team_twice", f"a team is in the draw twice: {facts}")
    if len(facts.team_ids) < MIN_TEAMS_PER_GROUP * facts.group_count:
        raise DrawRefused(
            "too_few_teams",
            f"{len(facts.team_ids)} teams for {facts.group_count} groups",
        )
    if facts.pots and len(facts.pots) != len(facts.team_ids):
        raise DrawRefused(
            "pots_mismatch", f"{len(facts.pots)} pots for {len(facts.team_ids)} teams"
        )
    return _ALGORITHMS[algorithm](facts, _generator(seed))


def draw_order(items: Sequence[T], seed: str) -> tuple[T, ...]:
    """Return the items in a random order, best first: the lot of R9.5.

    The answer depends on the order of ``items`` too: give them sorted if it is to be
    found again. Raises ``DrawRefused`` for a seed that is not hexadecimal.
    """
    return tuple(_shuffled(items, _generator(seed)))


def group_sizes(team_count: int, group_count: int) -> tuple[int, ...]:
    """Return the size of each group, larger first."""
    share, over = divmod(team_count, group_count)
    return tuple(share + (index < over) for index in range(group_count))


def group_name(index: int) -> str:
    """Return the letter of the group with this index, from 0: A to Z."""
    if not 0 <= index < MAX_GROUPS:
        raise ValueError(f"no letter for group {index}")
    return chr(ord("A") + index)


def _fisher_yates_pots_1(facts: DrawInput, generator: Random) -> Groups:
    loose, pots = _by_pot(facts)
    count = facts.group_count
    shares = [len(teams) // count for teams in pots]
    overs = [len(teams) % count for teams in pots]
    sizes = group_sizes(len(facts.team_ids), count)
    room = [size - sum(shares) for size in sizes]
    groups: list[list[int]] = [[] for _ in sizes]
    for number, teams in enumerate(pots):
        lucky = _draw_lucky(room, overs[number], overs[number + 1 :], generator)
        deck = iter(_shuffled(teams, generator))
        for index, group in enumerate(groups):
            more = index in lucky
            room[index] -= more
            group.extend(next(deck) for _ in range(shares[number] + more))
    deck = iter(_shuffled(loose, generator))
    for size, group in zip(sizes, groups, strict=True):
        group.extend(next(deck) for _ in range(size - len(group)))
    return tuple(tuple(group) for group in groups)


def _by_pot(facts: DrawInput) -> tuple[list[int], list[list[int]]]:
    """Return the teams without a pot, and those of each pot by its number."""
    pot_of = dict(zip(facts.team_ids, facts.pots, strict=True)) if facts.pots else {}
    loose = [team for team in facts.team_ids if pot_of.get(team) is None]
    numbers = sorted({pot for pot in pot_of.values() if pot is not None})
    return loose, [
        [team for team in facts.team_ids if pot_of[team] == number]
        for number in numbers
    ]


def _draw_lucky(
    room: Sequence[int], over: int, later: Sequence[int], generator: Random
) -> set[int]:
    """Draw the groups that get one of the ``over`` teams beyond a pot's even share.

    ``room`` is how many places each group has left beyond all even shares, ``later``
    what the following pots have over theirs.
    """
    lucky: set[int] = set()
    # A group passed over need not be tried again: more lucky ones only narrow what
    # is possible.
    for index in _shuffled(range(len(room)), generator):
        if len(lucky) < over and _can_finish(room, {*lucky, index}, over, later):
            lucky.add(index)
    return lucky


def _can_finish(
    room: Sequence[int], lucky: Collection[int], over: int, later: Sequence[int]
) -> bool:
    """Say whether the later pots can be spread evenly if these groups are lucky.

    As for a 0-1 matrix with given sums (Gale and Ryser): any k of the pots must find
    the places they need where no pot may use more than one place in a group.
    """
    left = [places - (index in lucky) for index, places in enumerate(room)]
    if min(left) < 0:
        return False
    # The rest of this pot is best placed where there is most room.
    others = sorted(set(range(len(room))) - set(lucky), key=lambda i: -left[i])
    for index in others[: over - len(lucky)]:
        left[index] -= 1
    needs = sorted(later, reverse=True)
    return min(left) >= 0 and all(
        sum(needs[:k]) <= sum(min(places, k) for places in left)
        for k in range(1, len(needs) + 1)
    )


_ALGORITHMS: dict[str, Callable[[DrawInput, Random], Groups]] = {
    "fisher-yates-pots-1": _fisher_yates_pots_1,
}


def _shuffled(items: Iterable[T], generator: Random) -> list[T]:
    deck = list(items)
    for last in range(len(deck) - 1, 0, -1):
        pick = int(generator.random() * (last + 1))
        deck[last], deck[pick] = deck[pick], deck[last]
    return deck


def _generator(seed: str) -> Random:
    # int() alone would take "-5", "0x5" and "5_0", and -5 gives the numbers of 5.
    if not re.fullmatch(r"[0-9A-Fa-f]+", seed):
        raise DrawRefused("seed", f"not a hexadecimal number: {seed!r}")
    return Random(int(seed, 16))


def _items(value: object) -> list[object]:
    if not isinstance(value, list):
        raise DrawRefused("malformed", f"not a list: {value!r}")
    return value


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise DrawRefused("malformed", f"not a whole number: {value!r}")
    return value
