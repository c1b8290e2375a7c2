"""Whether the facts of a deal sheet can all be true (R10, and R8.1).

What only the state of the game tells (a third foul, the first deal of a set) is
checked where the state is known.

Not checked: whether such a deal could be dealt and played. Figures that pass may
still be out of reach of nine lawful tricks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.documents import shown
from scoring.problems import Code, Problem
from scoring.rulesets import Comparison, Ruleset
from scoring.sides import ZERO, Pair, Side

if TYPE_CHECKING:
    from scoring.sheet import DealSheet, Foul

# What the pack holds (R1.3), and what can be made of it.
PACK = {"mattis": 8, "pips": 36, "aces": 4, "card_points": 120}
TENS = 4
SMALL_TRUMPS = 3
FOULS_THAT_LOSE = 3

FACTS_COMPARED = {
    Comparison.MATTIS: ("mattis", "pips", "aces"),
    Comparison.CARD_POINTS: ("card_points",),
}

# A wrong sum has its own code; out of range is what no slip of a digit explains.
_MOST = 999

_SUMS = {
    "mattis": Code.MATTIS_SUM,
    "pips": Code.PIPS_SUM,
    "aces": Code.ACES_SUM,
    "card_points": Code.CARD_POINTS_SUM,
}
# No card is worth 1, so nobody has 1, nor all but 1.
_IMPOSSIBLE = {
    "pips": Code.PIPS_IMPOSSIBLE,
    "card_points": Code.CARD_POINTS_IMPOSSIBLE,
}
_NO_TRICKS_BUT = {
    "mattis": Code.NO_TRICKS_BUT_MATTIS,
    "pips": Code.NO_TRICKS_BUT_PIPS,
    "aces": Code.NO_TRICKS_BUT_ACES,
    "card_points": Code.NO_TRICKS_BUT_CARD_POINTS,
    "small_trumps": Code.NO_TRICKS_BUT_SMALL_TRUMPS,
}
_DEFAULT_WHEN_ABANDONED = {
    "trump": None,
    "small_trumps": ZERO,
    "suits": None,
    "last_trick": None,
    **dict.fromkeys(PACK),
    "no_tricks": None,
}

_HALF_THE_MATTIS = Pair(4, 4)
_HALF_THE_PIPS = Pair(18, 18)


@dataclass(frozen=True, slots=True)
class Case:
    """A sheet, and what is known around it."""

    sheet: DealSheet
    rules: Ruleset
    fouls_before: Pair[int] | None = None
    """Fouls counted before this deal (R7.1); None if unknown."""
    opens_set: bool | None = None
    """Whether the deal is a set's first (R8.1); None if unknown."""
    unread: frozenset[str] = frozenset()
    """Keys of facts that may be there or not: they stand at their defaults."""

    def pair(self, key: str) -> Pair[int] | None:
        pair: Pair[int] | None = getattr(self.sheet, key)
        return pair

    def lacks(self, key: str) -> bool:
        """Return whether a fact that a deal played out must have is surely missing."""
        return (
            getattr(self.sheet, key) is None
            and not self.sheet.abandoned
            and self.unread.isdisjoint((key, "abandoned"))
        )


def problems(case: Case) -> list[Problem]:
    """Return every problem of a case, in the order of the rules."""
    return [problem for check in _CHECKS for problem in check(case)]


def third_foul(
    fouls: tuple[Foul, ...], rules: Ruleset, before: Pair[int]
) -> int | None:
    """Return the index of the first foul that is its team's third (R7.1)."""
    counted = before
    for index, foul in enumerate(fouls):
        if foul.counts(rules):
            counted = counted.replace(foul.side, counted[foul.side] + 1)
            if counted[foul.side] >= FOULS_THAT_LOSE:
                return index
    return None


def _problem(code: Code, path: str, **figures: int | str) -> Problem:
    return Problem(code, path, tuple(figures.items()))


def _seat(case: Case) -> Iterator[Problem]:
    seat = case.sheet.club_ace
    if seat is not None and seat not in case.rules.seats:
        yield _problem(Code.NOT_A_SEAT, "club_ace", value=shown(seat.value))


def _foreign_facts(case: Case) -> Iterator[Problem]:
    for comparison, keys in FACTS_COMPARED.items():
        if comparison is case.rules.comparison:
            continue
        for key in keys:
            if case.pair(key) is not None:
                yield _problem(Code.UNKNOWN_KEY, key, key=shown(key))


def _ranges(case: Case) -> Iterator[Problem]:
    for key in ("small_trumps", *PACK):
        pair = case.pair(key)
        if pair is None:
            continue
        for side in Side:
            if not 0 <= pair[side] <= _MOST:
                yield _problem(
                    Code.OUT_OF_RANGE,
                    f"{key}/{side}",
                    value=pair[side],
                    allowed=f"0..{_MOST}",
                )


def _compared_facts(case: Case) -> Iterator[Problem]:
    key = FACTS_COMPARED[case.rules.comparison][0]
    if case.lacks(key):
        yield _problem(Code.MISSING, key, key=shown(key))


def _sums(case: Case) -> Iterator[Problem]:
    for key, code in _SUMS.items():
        pair = case.pair(key)
        if pair is not None and pair.a + pair.b != PACK[key]:
            yield _problem(code, key, a=pair.a, b=pair.b, needed=PACK[key])


def _impossible(case: Case) -> Iterator[Problem]:
    for key, code in _IMPOSSIBLE.items():
        pair = case.pair(key)
        for value in () if pair is None else (pair.a, pair.b):
            if value in (1, PACK[key] - 1):
                yield _problem(code, key, value=value)
                break


def _tie_breaks(case: Case) -> Iterator[Problem]:
    if case.sheet.mattis != _HALF_THE_MATTIS:
        return
    if case.lacks("pips"):
        yield _problem(Code.PIPS_NEEDED, "pips")
    elif case.sheet.pips == _HALF_THE_PIPS and case.lacks("aces"):
        yield _problem(Code.ACES_NEEDED, "aces")


def _aces_and_tens(case: Case) -> Iterator[Problem]:
    if case.sheet.mattis is None or case.sheet.aces is None:
        return
    for side in Side:
        mattis, aces = case.sheet.mattis[side], case.sheet.aces[side]
        tens = mattis - aces
        if tens < 0:
            yield _problem(
                Code.ACES_OVER_MATTIS,
                f"aces/{side}",
                team=side.value,
                mattis=mattis,
                aces=aces,
            )
        if tens > TENS:
            yield _problem(
                Code.TENS_OVER_FOUR,
                f"aces/{side}",
                team=side.value,
                mattis=mattis,
                aces=aces,
                tens=tens,
            )


def _small_trumps(case: Case) -> Iterator[Problem]:
    total = case.sheet.small_trumps.a + case.sheet.small_trumps.b
    if total > 0 and case.sheet.trump is None and "trump" not in case.unread:
        yield _problem(Code.SMALL_TRUMPS_WITHOUT_TRUMP, "small_trumps", total=total)
    if total > SMALL_TRUMPS:
        yield _problem(Code.SMALL_TRUMPS_OVER_THREE, "small_trumps", total=total)


def _suit_of_trump(case: Case) -> Iterator[Problem]:
    if case.sheet.suits is None or "trump" in case.unread:
        return
    named = case.sheet.suits.trump
    if (named is None) != (case.sheet.trump is None):
        yield _problem(
            Code.SUITS_DISAGREE,
            "suits/trump",
            named="no trump" if named is None else named.value,
            counted="no trump" if case.sheet.trump is None else "a trump",
        )


def _suits_of_small_trumps(case: Case) -> Iterator[Problem]:
    if case.sheet.suits is None or "small_trumps" in case.unread:
        return
    for side in Side:
        named = len(case.sheet.suits.small[side])
        counted = case.sheet.small_trumps[side]
        if named != counted:
            yield _problem(
                Code.SUITS_DISAGREE,
                f"suits/small/{side}",
                named=named,
                counted=counted,
            )


def _suit_twice(case: Case) -> Iterator[Problem]:
    if case.sheet.suits is None:
        return
    seen = {case.sheet.suits.trump}
    for side in Side:
        for index, suit in enumerate(case.sheet.suits.small[side]):
            if suit in seen:
                yield _problem(
                    Code.SUIT_TWICE, f"suits/small/{side}/{index}", suit=suit.value
                )
            seen.add(suit)


def _last_trick(case: Case) -> Iterator[Problem]:
    if case.lacks("last_trick"):
        yield _problem(Code.LAST_TRICK_MISSING, "last_trick")


def _no_tricks(case: Case) -> Iterator[Problem]:
    side = case.sheet.no_tricks
    if side is None:
        return
    for key, code in _NO_TRICKS_BUT.items():
        pair = case.pair(key)
        if pair is not None and pair[side] > 0:
            yield _problem(code, f"{key}/{side}", team=side.value)
    if case.sheet.last_trick is side:
        yield _problem(Code.NO_TRICKS_BUT_LAST_TRICK, "last_trick", team=side.value)
    if case.sheet.trump is side:
        yield _problem(Code.NO_TRICKS_BUT_TRUMP, "trump", team=side.value)


def _abandoned(case: Case) -> Iterator[Problem]:
    if not case.sheet.abandoned:
        return
    for key, default in _DEFAULT_WHEN_ABANDONED.items():
        if getattr(case.sheet, key) != default:
            yield _problem(Code.ABANDONED_WITH_FACTS, key, key=shown(key))


def _third_foul(case: Case) -> Iterator[Problem]:
    """Yield what R10.4 has against the fouls.

    With the fouls before the deal unknown, a third is sure only where the sheet
    alone has three, and surely lacks only where no foul on it counts.
    """
    if not case.unread.isdisjoint(("fouls", "abandoned")):
        return
    fouls, rules = case.sheet.fouls, case.rules
    third = third_foul(fouls, rules, case.fouls_before or ZERO)
    if third is None:
        unsure = case.fouls_before is None and any(f.counts(rules) for f in fouls)
        if case.sheet.abandoned and not unsure:
            yield _problem(Code.ABANDONED_WITHOUT_THIRD_FOUL, "abandoned")
        return
    team = fouls[third].side.value
    if not case.sheet.abandoned:
        yield _problem(Code.THIRD_FOUL_NOT_ABANDONED, "abandoned", team=team)
    for index in range(third + 1, len(fouls)):
        yield _problem(Code.FOUL_AFTER_THIRD, f"fouls/{index}", team=team)


def _opening(case: Case) -> Iterator[Problem]:
    if case.sheet.club_ace is not None and case.opens_set is False:
        yield _problem(Code.CLUB_ACE_NOT_OPENING, "club_ace")


_CHECKS = (
    _seat,
    _opening,
    _foreign_facts,
    _ranges,
    # R10.1
    _compared_facts,
    _sums,
    _impossible,
    _tie_breaks,
    _aces_and_tens,
    # R10.2
    _small_trumps,
    _suit_of_trump,
    _suits_of_small_trumps,
    _suit_twice,
    # R10.3
    _last_trick,
    _no_tricks,
    # R10.4
    _abandoned,
    _third_foul,
)
