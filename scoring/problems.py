"""Why a document or a sheet is refused: one code, one place, the wrong figures.

A code is stable: programs and translations key on it. The English sentence is
for people who read the command line and may change.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

# Python refuses to print integers of more than 4300 digits.
_PRINTABLE = 10**18


class Code(StrEnum):
    """What is wrong, by name."""

    NOT_A_TEAM = "not_a_team"
    NOT_A_SEAT = "not_a_seat"
    NOT_A_SUIT = "not_a_suit"
    NOT_A_WHOLE_NUMBER = "not_a_whole_number"
    OUT_OF_RANGE = "out_of_range"
    MISSING = "missing"
    UNKNOWN_KEY = "unknown_key"
    DUPLICATE_KEY = "duplicate_key"
    MALFORMED = "malformed"

    MATTIS_SUM = "mattis_sum"
    PIPS_SUM = "pips_sum"
    ACES_SUM = "aces_sum"
    PIPS_IMPOSSIBLE = "pips_impossible"
    PIPS_NEEDED = "pips_needed"
    ACES_NEEDED = "aces_needed"
    ACES_OVER_MATTIS = "aces_over_mattis"
    TENS_OVER_FOUR = "tens_over_four"
    CARD_POINTS_SUM = "card_points_sum"
    CARD_POINTS_IMPOSSIBLE = "card_points_impossible"

    SMALL_TRUMPS_WITHOUT_TRUMP = "small_trumps_without_trump"
    SMALL_TRUMPS_OVER_THREE = "small_trumps_over_three"
    SUITS_DISAGREE = "suits_disagree"
    SUIT_TWICE = "suit_twice"

    LAST_TRICK_MISSING = "last_trick_missing"
    NO_TRICKS_BUT_MATTIS = "no_tricks_but_mattis"
    NO_TRICKS_BUT_PIPS = "no_tricks_but_pips"
    NO_TRICKS_BUT_ACES = "no_tricks_but_aces"
    NO_TRICKS_BUT_CARD_POINTS = "no_tricks_but_card_points"
    NO_TRICKS_BUT_LAST_TRICK = "no_tricks_but_last_trick"
    NO_TRICKS_BUT_TRUMP = "no_tricks_but_trump"
    NO_TRICKS_BUT_SMALL_TRUMPS = "no_tricks_but_small_trumps"

    ABANDONED_WITHOUT_THIRD_FOUL = "abandoned_without_third_foul"
    THIRD_FOUL_NOT_ABANDONED = "third_foul_not_abandoned"
    ABANDONED_WITH_FACTS = "abandoned_with_facts"
    FOUL_AFTER_THIRD = "foul_after_third"

    AFTER_THE_END = "after_the_end"
    CLUB_ACE_NOT_OPENING = "club_ace_not_opening"

    NOT_A_CARD = "not_a_card"
    CARD_TWICE = "card_twice"
    HAND_SIZE = "hand_size"
    TRICK_SIZE = "trick_size"
    TRUMP_TOO_EARLY = "trump_too_early"
    MUST_LEAD_AFTER_THE_LEAD = "must_lead_after_the_lead"
    MUST_LEAD_WITHOUT_TRUMP = "must_lead_without_trump"
    MUST_LEAD_IS_TRUMP = "must_lead_is_trump"
    MUST_LEAD_TOO_EARLY = "must_lead_too_early"

    DEALT_SIZE = "dealt_size"
    OPENER_WITHOUT_CLUB_ACE = "opener_without_club_ace"
    CARD_NOT_THERE = "card_not_there"
    CORRECTED_LEGAL_CARD = "corrected_legal_card"
    CORRECTED_TO_WRONG_CARD = "corrected_to_wrong_card"
    AFTER_THE_DEAL = "after_the_deal"

    TEAM_TWICE = "team_twice"
    UNKNOWN_TEAM = "unknown_team"
    TEAM_AGAINST_ITSELF = "team_against_itself"


# Rule and sentence of each code; the names in braces are the figures of its
# problems. Rule None: the document is malformed, whatever the cards were.
_TEXTS: dict[Code, tuple[str | None, str]] = {
    Code.NOT_A_TEAM: (None, "{value} is not a team: A or B."),
    Code.NOT_A_SEAT: (None, "{value} is not a seat of this game."),
    Code.NOT_A_SUIT: (None, "{value} is not a suit: C, D, H or S."),
    Code.NOT_A_WHOLE_NUMBER: (None, "{value} is not a whole number."),
    Code.OUT_OF_RANGE: (None, "{value} is not among {allowed}."),
    Code.MISSING: (None, "{key} is required."),
    Code.UNKNOWN_KEY: (None, "{key} is not a key here."),
    Code.DUPLICATE_KEY: (None, "{key} is given more than once."),
    Code.MALFORMED: (None, "{value} stands where {wanted} belongs."),
    Code.MATTIS_SUM: ("R10.1", "Mattis are {a} and {b}; they add to {needed}."),
    Code.PIPS_SUM: ("R10.1", "Pips are {a} and {b}; they add to {needed}."),
    Code.ACES_SUM: ("R10.1", "Aces are {a} and {b}; they add to {needed}."),
    Code.PIPS_IMPOSSIBLE: ("R10.1", "No cards add up to {value} pips."),
    Code.PIPS_NEEDED: ("R10.1", "Mattis are 4 and 4, so the pips are needed."),
    Code.ACES_NEEDED: ("R10.1", "Pips are 18 and 18, so the aces are needed."),
    Code.ACES_OVER_MATTIS: (
        "R10.1",
        "Team {team} has {aces} aces but only {mattis} mattis.",
    ),
    Code.TENS_OVER_FOUR: (
        "R10.1",
        "Team {team} has {mattis} mattis and {aces} aces: that is {tens} tens of 4.",
    ),
    Code.CARD_POINTS_SUM: (
        "R10.1",
        "Card points are {a} and {b}; they add to {needed}.",
    ),
    Code.CARD_POINTS_IMPOSSIBLE: ("R10.1", "No cards add up to {value} points."),
    Code.SMALL_TRUMPS_WITHOUT_TRUMP: (
        "R10.2",
        "There are {total} small trumps but no trump.",
    ),
    Code.SMALL_TRUMPS_OVER_THREE: (
        "R10.2",
        "There are {total} small trumps; at most 3 are possible.",
    ),
    Code.SUITS_DISAGREE: (
        "R10.2",
        "The suits name {named} where the sheet counts {counted}.",
    ),
    Code.SUIT_TWICE: ("R10.2", "{suit} is named twice."),
    Code.LAST_TRICK_MISSING: ("R10.3", "The last trick has no winner."),
    Code.NO_TRICKS_BUT_MATTIS: ("R10.3", "Team {team} has no tricks but mattis."),
    Code.NO_TRICKS_BUT_PIPS: ("R10.3", "Team {team} has no tricks but pips."),
    Code.NO_TRICKS_BUT_ACES: ("R10.3", "Team {team} has no tricks but aces."),
    Code.NO_TRICKS_BUT_CARD_POINTS: (
        "R10.3",
        "Team {team} has no tricks but card points.",
    ),
    Code.NO_TRICKS_BUT_LAST_TRICK: (
        "R10.3",
        "Team {team} has no tricks but the last trick.",
    ),
    Code.NO_TRICKS_BUT_TRUMP: ("R10.3", "Team {team} has no tricks but the trump."),
    Code.NO_TRICKS_BUT_SMALL_TRUMPS: (
        "R10.3",
        "Team {team} has no tricks but small trumps.",
    ),
    Code.ABANDONED_WITHOUT_THIRD_FOUL: (
        "R10.4",
        "The deal is abandoned without a team's third foul.",
    ),
    Code.THIRD_FOUL_NOT_ABANDONED: (
        "R10.4",
        "Team {team} has its third foul, so the deal is abandoned.",
    ),
    Code.ABANDONED_WITH_FACTS: (
        "R10.4",
        "The deal is abandoned, yet {key} is given.",
    ),
    Code.FOUL_AFTER_THIRD: ("R10.4", "A foul follows team {team}'s third."),
    Code.AFTER_THE_END: ("R10.5", "Team {team} has already won the game."),
    Code.CLUB_ACE_NOT_OPENING: (
        "R8.1",
        "The club ace is asked only on the first deal of a set.",
    ),
    Code.NOT_A_CARD: (None, "{value} is not a card, such as S10 or HA."),
    Code.CARD_TWICE: ("R1.1", "{card} is there twice."),
    Code.HAND_SIZE: ("R1.1", "{count} cards in hand; possible are {allowed}."),
    Code.TRICK_SIZE: ("R1.1", "{count} cards in the trick; possible are {allowed}."),
    Code.TRUMP_TOO_EARLY: ("R3.1", "There is no trump before trick {first}."),
    Code.MUST_LEAD_AFTER_THE_LEAD: ("R2.8", "The trick has been led already."),
    Code.MUST_LEAD_WITHOUT_TRUMP: ("R3.3", "There is no small trump without trump."),
    Code.MUST_LEAD_IS_TRUMP: ("R3.3", "{suit} is trump, so it is no small trump."),
    Code.MUST_LEAD_TOO_EARLY: ("R3.1", "No small trump binds before trick {first}."),
    Code.DEALT_SIZE: ("R1.1", "{count} cards are dealt there, not {needed}."),
    Code.OPENER_WITHOUT_CLUB_ACE: (
        "R2.5",
        "{holder} holds the club ace and opens the set, not {seat}.",
    ),
    Code.CARD_NOT_THERE: ("R1.1", "{seat} has no {card} to play."),
    Code.CORRECTED_LEGAL_CARD: ("R7.3", "{card} was legal: there is no slip in it."),
    Code.CORRECTED_TO_WRONG_CARD: ("R7.3", "{card} is not legal either."),
    Code.AFTER_THE_DEAL: ("R1.1", "The deal is over after {tricks} tricks."),
    Code.TEAM_TWICE: (None, "{team} is listed twice."),
    Code.UNKNOWN_TEAM: (None, "{team} is not a team of the group."),
    Code.TEAM_AGAINST_ITSELF: (None, "{team} cannot play against itself."),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason for refusing."""

    code: Code
    path: str
    """Where: keys and indexes from 0 joined by ``/``; empty for the whole."""
    figures: tuple[tuple[str, int | str], ...] = ()
    """The figures that were wrong, by name, for the sentence about them."""

    @property
    def rule(self) -> str | None:
        """The rule broken, or None for a malformed document."""
        return _TEXTS[self.code][0]

    @property
    def message(self) -> str:
        """The reason as an English sentence; figures that lack show as ``?``."""
        shown = _Figures((name, _printable(value)) for name, value in self.figures)
        return _TEXTS[self.code][1].format_map(shown)

    def under(self, path: str) -> Problem:
        """Return the problem as seen from a document that holds this one at path."""
        return replace(self, path=join(path, self.path)) if path else self

    def to_json(self) -> dict[str, str | None]:
        """Return the problem as the command line answers it."""
        return {
            "code": self.code.value,
            "rule": self.rule,
            "path": self.path,
            "message": self.message,
        }


class Refused(ValueError):
    """Facts that cannot be used; ``problems`` holds every reason found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(_line(problem) for problem in self.problems))


def join(path: str, key: str | int) -> str:
    """Return the path of a key or index inside the value at path."""
    if key == "":
        return path
    return f"{path}/{key}" if path else str(key)


def _line(problem: Problem) -> str:
    return f"{problem.path or 'document'}: {problem.message}"


def _printable(value: int | str) -> str:
    if isinstance(value, str):
        return value
    if abs(value) >= _PRINTABLE:
        return "a number far out of range"
    return str(value)


class _Figures(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "?"
