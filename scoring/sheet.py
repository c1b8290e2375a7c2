"""What the scorekeeper writes of one deal, before any rule is applied.

A sheet holds facts only; what they are worth is in ``points``, whether they can
all be true in ``validity``. Its text form is the deal of the ``game`` command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring import validity
from scoring.documents import Reader, pair_to_json
from scoring.problems import Problem, Refused, join
from scoring.rulesets import CorrectedFoul, Ruleset
from scoring.sides import ZERO, Pair, Seat, Side
from scoring.suits import Suit


@dataclass(frozen=True, slots=True)
class Suits:
    """Which suits the trump and the small trumps were."""

    trump: Suit | None
    small: Pair[tuple[Suit, ...]]


@dataclass(frozen=True, slots=True)
class Foul:
    """A wrong card, or another breach, by a team (R7)."""

    side: Side
    corrected: bool = False
    """Whether the card was swapped while the trick was on the table (R7.3)."""

    def counts(self, rules: Ruleset) -> bool:
        """Return whether it counts towards the three that lose a game (R7.3)."""
        return not self.corrected or rules.corrected_foul is not CorrectedFoul.FREE

    def sends_to_porvoo(self, rules: Ruleset) -> bool:
        """Return whether it takes the team to 0 (R5.4, R7.3)."""
        return not self.corrected or rules.corrected_foul is CorrectedFoul.FOUL


@dataclass(frozen=True, slots=True)
class DealSheet:
    """The facts of one deal (jako)."""

    last_trick: Side | None = None
    mattis: Pair[int] | None = None
    pips: Pair[int] | None = None
    """Needed only where the mattis are 4-4 (R4.2)."""
    aces: Pair[int] | None = None
    """Needed only where the pips are then 18-18."""
    card_points: Pair[int] | None = None
    """In place of the three above where the ruleset compares card points."""
    trump: Side | None = None
    small_trumps: Pair[int] = ZERO
    suits: Suits | None = None
    no_tricks: Side | None = None
    fouls: tuple[Foul, ...] = ()
    """In the order in which they happened (R7.2)."""
    abandoned: bool = False
    """Whether a third foul ended the game in this deal (R7.1)."""
    club_ace: Seat | None = None
    """Who held it, asked on a set's first deal only (R8.1)."""

    def problems(
        self,
        rules: Ruleset,
        *,
        fouls_before: Pair[int] | None = None,
        opens_set: bool | None = None,
        path: str = "",
    ) -> list[Problem]:
        """Return every reason why these facts cannot all be true (R10).

        Without the state of the game (the fouls that each team has on its count
        already, and whether the deal is the first of a set) only what the sheet
        alone tells is found. No problem is no proof that the deal was so played.

        Args:
            rules: The ruleset of the game.
            fouls_before: Fouls counted before this deal (R7.1), if known.
            opens_set: Whether this is a set's first deal (R8.1), if known.
            path: Where the sheet stands in its document, before every path.
        """
        found = Reading(self).check(rules, fouls_before, opens_set)
        return [problem.under(path) for problem in found]

    def to_json(self) -> dict[str, object]:
        """Return the sheet as the ``game`` command takes it, defaults left out."""
        return {
            key: form.write(value)
            for key, form in _FORMS.items()
            if (value := getattr(self, key)) != _DEFAULTS[key]
        }

    def played_to_json(self, rules: Ruleset) -> dict[str, object]:
        """Return what the play of a finished deal tells, defaults included.

        That is every key of a sheet but ``club_ace`` and ``abandoned``.
        """
        told = (*_TOLD_BY_PLAY, *validity.FACTS_COMPARED[rules.comparison])
        facts = ((key, getattr(self, key)) for key in told)
        return {
            key: None if value is None else _FORMS[key].write(value)
            for key, value in facts
        }

    @classmethod
    def from_json(cls, data: object, rules: Ruleset) -> DealSheet:
        """Return the sheet that to_json wrote; the facts are not checked (R10).

        Raises:
            Refused: The data is malformed, by the keys and seats of these rules.
        """
        reading = read_sheet(data, rules)
        if reading.problems:
            raise Refused(reading.problems)
        return reading.sheet


@dataclass(frozen=True, slots=True)
class Reading:
    """A sheet as far as it could be read."""

    sheet: DealSheet
    """Facts that could not be read are at their defaults."""
    unread: frozenset[str] = frozenset()
    """Their keys, among others refused: nothing can be said about them."""
    problems: tuple[Problem, ...] = ()
    """Why they could not be read; paths as seen from the sheet."""

    def check(
        self,
        rules: Ruleset,
        fouls_before: Pair[int] | None = None,
        opens_set: bool | None = None,
    ) -> list[Problem]:
        """Return all that is wrong, in form and in fact; see DealSheet.problems."""
        case = validity.Case(self.sheet, rules, fouls_before, opens_set, self.unread)
        return [*self.problems, *validity.problems(case)]


def read_sheet(data: object, rules: Ruleset) -> Reading:
    """Return what can be read of a deal of the ``game`` command."""
    reader = Reader()
    given = reader.members(data, "", optional=_keys_of(rules))
    if given is None:
        return Reading(DealSheet(), frozenset(KEYS), tuple(reader.problems))
    facts: dict[str, Any] = {
        key: _FORMS[key].read(reader, value, key)
        for key, value in given.items()
        if value is not None or _DEFAULTS[key] is not None
    }
    refused = {problem.path.split("/")[0] for problem in reader.problems}
    return Reading(
        DealSheet(**{key: facts[key] for key in facts if key not in refused}),
        frozenset(refused),
        tuple(reader.problems),
    )


def _keys_of(rules: Ruleset) -> tuple[str, ...]:
    compared = validity.FACTS_COMPARED
    foreign = {
        key
        for kind in compared
        if kind is not rules.comparison
        for key in compared[kind]
    }
    return tuple(key for key in KEYS if key not in foreign)


def _read_fouls(reader: Reader, value: object, path: str) -> tuple[Foul | None, ...]:
    items = reader.items(value, path) or []
    return tuple(
        _read_foul(reader, item, join(path, index)) for index, item in enumerate(items)
    )


def _read_foul(reader: Reader, value: object, path: str) -> Foul | None:
    if not isinstance(value, dict):
        side = reader.side(value, path)
        return None if side is None else Foul(side)
    given = reader.members(value, path, required=("team",), optional=("corrected",))
    if given is None or "team" not in given:
        return None
    side = reader.side(given["team"], join(path, "team"))
    corrected = reader.flag(given.get("corrected", False), join(path, "corrected"))
    return None if side is None else Foul(side, bool(corrected))


def _read_suits(reader: Reader, value: object, path: str) -> Suits:
    given = reader.members(value, path, required=("trump", "small")) or {}
    trump = given.get("trump")
    return Suits(
        None if trump is None else reader.suit(trump, join(path, "trump")),
        _read_small(reader, given["small"], join(path, "small"))
        if "small" in given
        else Pair((), ()),
    )


def _read_small(reader: Reader, value: object, path: str) -> Pair[tuple[Suit, ...]]:
    given = reader.members(value, path, required=("A", "B")) or {}
    named = {
        side: _read_suit_list(reader, suits, join(path, side))
        for side, suits in given.items()
    }
    return Pair(named.get("A", ()), named.get("B", ()))


def _read_suit_list(reader: Reader, value: object, path: str) -> tuple[Suit, ...]:
    items = reader.items(value, path) or []
    read = (reader.suit(item, join(path, index)) for index, item in enumerate(items))
    return tuple(suit for suit in read if suit is not None)


def _write_fouls(fouls: tuple[Foul, ...]) -> list[object]:
    return [
        {"team": foul.side.value, "corrected": True}
        if foul.corrected
        else foul.side.value
        for foul in fouls
    ]


def _write_suits(suits: Suits) -> dict[str, object]:
    small = Pair([*map(str, suits.small.a)], [*map(str, suits.small.b)])
    return {
        "trump": None if suits.trump is None else suits.trump.value,
        "small": pair_to_json(small),
    }


class _Form(NamedTuple):
    """How one fact stands in JSON, both ways."""

    read: Callable[[Reader, object, str], object]
    write: Callable[[Any], object]


_TEAM = _Form(Reader.side, str)
_PAIR = _Form(Reader.pair, pair_to_json)

_FORMS: Mapping[str, _Form] = {
    "club_ace": _Form(Reader.seat, str),
    "trump": _TEAM,
    "small_trumps": _PAIR,
    "suits": _Form(_read_suits, _write_suits),
    "last_trick": _TEAM,
    "mattis": _PAIR,
    "pips": _PAIR,
    "aces": _PAIR,
    "card_points": _PAIR,
    "no_tricks": _TEAM,
    "fouls": _Form(_read_fouls, _write_fouls),
    "abandoned": _Form(Reader.flag, bool),
}

KEYS = tuple(_FORMS)
_TOLD_BY_PLAY = (
    "trump",
    "small_trumps",
    "suits",
    "last_trick",
    "no_tricks",
    "fouls",
)
_DEFAULTS = {key: getattr(DealSheet(), key) for key in KEYS}
