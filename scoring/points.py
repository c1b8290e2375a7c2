"""What a deal is worth: named parts, each by one rule (R4, R5.4).

The sheet must be sound (``DealSheet.problems``); points are per team and deal.
"""

from __future__ import annotations

from enum import StrEnum

from scoring.rulesets import Comparison, Ruleset
from scoring.sheet import DealSheet
from scoring.sides import Pair, Side


class Part(StrEnum):
    """What points are given for; the comparison of cards is always MATTI."""

    TRUMP = "trump"
    SMALL_TRUMPS = "small_trumps"
    MATTI = "matti"
    LAST_TRICK = "last_trick"


Parts = tuple[tuple[Part, int], ...]


def deal_parts(sheet: DealSheet, rules: Ruleset) -> Pair[Parts]:
    """Return the parts of each team that count, those of no points left out.

    A team that goes to Porvoo for a foul gets none, and what would have been its
    own goes to nobody (R5.4). At most 7 points for both together (R4.3).
    """
    return Pair(_parts(sheet, rules, Side.A), _parts(sheet, rules, Side.B))


def deal_points(parts: Pair[Parts]) -> Pair[int]:
    """Return the sum of each team's parts."""
    return Pair(
        sum(points for _, points in parts.a), sum(points for _, points in parts.b)
    )


def is_offender(sheet: DealSheet, rules: Ruleset, side: Side) -> bool:
    """Return whether a team goes to Porvoo for a foul (R5.4, R7.3)."""
    return any(
        foul.side is side and foul.sends_to_porvoo(rules) for foul in sheet.fouls
    )


def _parts(sheet: DealSheet, rules: Ruleset, side: Side) -> Parts:
    if is_offender(sheet, rules, side):
        return ()
    parts = (
        (Part.TRUMP, _trump(sheet, side)),
        (Part.SMALL_TRUMPS, _small_trumps(sheet, side)),
        (Part.MATTI, _matti(sheet, rules, side)),
        (Part.LAST_TRICK, _last_trick(sheet, side)),
    )
    return tuple((part, points) for part, points in parts if points)


def _trump(sheet: DealSheet, side: Side) -> int:
    """R4.1."""
    return 2 if sheet.trump is side else 0


def _small_trumps(sheet: DealSheet, side: Side) -> int:
    """R4.1."""
    return sheet.small_trumps[side]


def _matti(sheet: DealSheet, rules: Ruleset, side: Side) -> int:
    """R4.2."""
    return 1 if _better_catch(sheet, rules) is side else 0


def _last_trick(sheet: DealSheet, side: Side) -> int:
    """R4.1."""
    return 1 if sheet.last_trick is side else 0


def _better_catch(sheet: DealSheet, rules: Ruleset) -> Side | None:
    """Return the team whose cards are worth the point, by the first difference."""
    if rules.comparison is Comparison.CARD_POINTS:
        return _more((sheet.card_points,))
    return _more((sheet.mattis, sheet.pips, sheet.aces))


def _more(figures: tuple[Pair[int] | None, ...]) -> Side | None:
    for pair in figures:
        if pair is not None and pair.a != pair.b:
            return Side.A if pair.a > pair.b else Side.B
    return None
