"""The sheet that a deal card by card comes to, beside the one that was entered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from komppa import words
from komppa.sheets.queries import Course, PlayedDeal
from komppa.words import Names
from komppa.words_of_problems import KEY_LABELS
from scoring.deal import Deal
from scoring.points import deal_parts, deal_points
from scoring.replay import Position, WrongCard
from scoring.rulesets import Ruleset
from scoring.sheet import DealSheet, Foul
from scoring.sides import ZERO, Pair, Seat, Side
from scoring.suits import Suit
from scoring.validity import FOULS_THAT_LOSE


class Verdict(StrEnum):
    SAME = "same"
    DIFFERENT = "different"
    UNTOLD = "untold"
    """One of the two does not say."""


@dataclass(frozen=True, slots=True)
class ComparedFact:
    label: str
    recorded: str
    """As the record tells; empty where it does not."""
    entered: str
    """As the sheet tells, which need not tell what decides nothing."""
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Comparison:
    facts: tuple[ComparedFact, ...]
    is_complete: bool
    """Whether the record tells the whole deal, or as far as a game's third foul."""

    @property
    def differences(self) -> int:
        return sum(fact.verdict is Verdict.DIFFERENT for fact in self.facts)

    @property
    def is_same(self) -> bool:
        return self.is_complete and not self.differences


class _Told(NamedTuple):
    """One fact of a deal: to compare, and to show."""

    value: object
    text: str
    is_beginning: bool = False
    """Whether ``value`` is a row of things that may go on."""

    def agrees_with(self, entered: _Told) -> bool:
        own, value = self.value, entered.value
        if self.is_beginning and isinstance(own, tuple) and isinstance(value, tuple):
            return own == value[: len(own)]
        return own == value


_Facts = dict[str, _Told]


def derived_sheet(end: Position, fouls_before: Pair[int]) -> DealSheet | None:
    """Return the sheet of a deal played, cut where a team had its third foul (R7.2).

    None for a deal that has not been played to its end.
    """
    last = third_foul(end, fouls_before)
    if last is None:
        return end.sheet()
    fouls = (foul for foul in end.fouls if foul.event <= last.event)
    return DealSheet(fouls=tuple(map(_foul, fouls)), abandoned=True)


def third_foul(end: Position, fouls_before: Pair[int]) -> WrongCard | None:
    """Return the wrong card that lost the game, if one did (R7.1)."""
    counted = fouls_before
    for wrong in end.fouls:
        side = wrong.seat.side
        if _foul(wrong).counts(end.rules):
            counted = counted.replace(side, counted[side] + 1)
        if counted[side] >= FOULS_THAT_LOSE:
            return wrong
    return None


def _foul(wrong: WrongCard) -> Foul:
    return Foul(wrong.seat.side, wrong.corrected)


def fouls_before(course: Course, deal: PlayedDeal, rules: Ruleset) -> Pair[int]:
    """Return the fouls that each team has on its count before a deal (R7.1)."""
    counted = ZERO
    for earlier in course.deals[: deal.position - 1]:
        for foul in earlier.sheet.fouls:
            if foul.counts(rules):
                counted = counted.replace(foul.side, counted[foul.side] + 1)
    return counted


def compare(
    recorded: Deal,
    end: Position,
    played: PlayedDeal,
    course: Course,
    names: Names,
    seats: Mapping[Seat, str],
) -> Comparison:
    """Return every fact of a deal as its record and as its sheet tell it."""
    rules = recorded.rules
    derived = derived_sheet(end, fouls_before(course, played, rules))
    told = _told_by_play(recorded, seats)
    told |= (
        _told_by_sheet(derived, rules, names) if derived else _told_so_far(end, names)
    )
    entered = _told_by_course(course, played, seats)
    entered |= _told_by_sheet(played.sheet, rules, names)
    keys = [key for key in _labels() if key in told or key in entered]
    return Comparison(
        tuple(_compared(key, told.get(key), entered.get(key)) for key in keys),
        is_complete=derived is not None,
    )


def _compared(key: str, told: _Told | None, entered: _Told | None) -> ComparedFact:
    verdict = Verdict.UNTOLD
    if told and entered:
        agrees = told.agrees_with(entered)
        verdict = Verdict.SAME if agrees else Verdict.DIFFERENT
    return ComparedFact(
        str(capfirst(_labels()[key])),
        told.text if told else "",
        entered.text if entered else "",
        verdict,
    )


def _labels() -> dict[str, str]:
    """Return what is compared, in the order of the sheet."""
    return {
        "leader": str(KEY_LABELS["leader"]),
        "opens_set": _("erän 1. jako"),
        "trump": str(KEY_LABELS["trump"]),
        "trump_suit": _("valtin maa"),
        "small_trumps": str(KEY_LABELS["small_trumps"]),
        "small_suits": _("pikkuvalttien maat"),
        "last_trick": str(KEY_LABELS["last_trick"]),
        "mattis": str(KEY_LABELS["mattis"]),
        "pips": str(KEY_LABELS["pips"]),
        "aces": str(KEY_LABELS["aces"]),
        "card_points": str(KEY_LABELS["card_points"]),
        "no_tricks": str(KEY_LABELS["no_tricks"]),
        "fouls": str(KEY_LABELS["fouls"]),
        "abandoned": str(KEY_LABELS["abandoned"]),
        "points": _("jaon pisteet"),
    }


def _told_by_play(recorded: Deal, seats: Mapping[Seat, str]) -> _Facts:
    leader = recorded.leader
    return {
        "leader": _Told(leader, seats.get(leader, leader.value)),
        "opens_set": _yes_or_no(recorded.set_opening),
    }


def _told_by_course(
    course: Course, played: PlayedDeal, seats: Mapping[Seat, str]
) -> _Facts:
    """Return what the deals before tell: whose lead it was (R8), and of which set."""
    before = course.deals[played.position - 2] if played.position > 1 else None
    opens = before is None or before.result.set_number != played.result.set_number
    leader = played.result.leader
    known = {"leader": _Told(leader, seats.get(leader, leader.value))} if leader else {}
    return {**known, "opens_set": _yes_or_no(opens)}


def _told_by_sheet(sheet: DealSheet, rules: Ruleset, names: Names) -> _Facts:
    facts = {
        "fouls": _fouls(sheet.fouls, names),
        "abandoned": _yes_or_no(sheet.abandoned),
    }
    if sheet.abandoned:
        return facts
    points = deal_points(deal_parts(sheet, rules))
    facts |= _told_trumps(sheet, names) | {
        "last_trick": _team(sheet.last_trick, names),
        "no_tricks": _team(sheet.no_tricks, names),
        "points": _figures(points),
    }
    for key in ("mattis", "pips", "aces", "card_points"):
        if (pair := getattr(sheet, key)) is not None:
            facts[key] = _figures(pair)
    return facts


def _told_trumps(sheet: DealSheet, names: Names) -> _Facts:
    facts = {
        "trump": _team(sheet.trump, names),
        "small_trumps": _figures(sheet.small_trumps),
    }
    suits = sheet.suits
    if suits and suits.trump:
        facts["trump_suit"] = _suit(suits.trump)
    if suits and (suits.small.a or suits.small.b):
        facts["small_suits"] = _small_suits(suits.small)
    return facts


def _told_so_far(end: Position, names: Names) -> _Facts:
    """Return what can no longer change in a deal that breaks off."""
    facts: _Facts = {}
    trumps = end.trumps
    if trumps.trump is not None:
        facts["trump"] = _team(trumps.trump_side, names)
        facts["trump_suit"] = _suit(trumps.trump)
    if end.fouls:
        so_far = _fouls(tuple(map(_foul, end.fouls)), names)
        text = _("ainakin %(fouls)s") % {"fouls": so_far.text}
        facts["fouls"] = so_far._replace(text=text, is_beginning=True)
    return facts


def _team(side: Side | None, names: Names) -> _Told:
    return _Told(side, names[side] if side else "–")


def _figures(pair: Pair[int]) -> _Told:
    return _Told(pair, f"{pair.a}–{pair.b}")


def _suit(suit: Suit) -> _Told:
    return _Told(suit, str(words.SUIT_LABELS[suit]))


def _small_suits(small: Pair[tuple[Suit, ...]]) -> _Told:
    """Tell the suits of both teams; in which order they were made is not kept."""
    told = [
        ", ".join(str(words.SUIT_LABELS[suit]) for suit in sorted(small[side])) or "–"
        for side in Side
    ]
    value = tuple(tuple(sorted(small[side])) for side in Side)
    return _Told(value, " / ".join(told))


def _yes_or_no(value: bool) -> _Told:
    return _Told(value, _("kyllä") if value else _("ei"))


def _fouls(fouls: tuple[Foul, ...], names: Names) -> _Told:
    told = [
        _("%(team)s (korjattu heti)") % {"team": names[foul.side]}
        if foul.corrected
        else names[foul.side]
        for foul in fouls
    ]
    return _Told(fouls, ", ".join(told) or "–")
