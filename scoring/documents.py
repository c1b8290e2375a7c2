"""Strict reading of JSON documents, every problem of one collected with its path.

Text that is no JSON at all raises NotJson. Whatever is JSON can be parsed, and
what is wrong in it (a key twice, 5.0 for a whole number) is found by the Reader.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from enum import StrEnum
from typing import TypeVar

from scoring.cards import Card
from scoring.problems import Code, Problem, join
from scoring.sides import Pair, Seat, Side
from scoring.suits import Suit

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")

# Deeper than any document, shallower than where some Python would give up.
MAX_DEPTH = 500

# Every range in these documents ends below a thousand.
_MAX_DIGITS = 1000

_SHOWN = 40


class NotJson(ValueError):
    """The text is not JSON, or is nested deeper than MAX_DEPTH."""


class JsonObject(dict[str, object]):
    """A JSON object that remembers which of its keys came more than once."""

    __slots__ = ("duplicates",)

    duplicates: tuple[str, ...]


def parse(text: str | bytes) -> object:
    """Return the value of one JSON text, objects as JsonObject.

    Of a key given twice the last value is kept. Whole numbers of any length are
    read, the very long ones cut to one that is out of every range too. NaN and
    the infinities, which Python's writer may produce, are read as floats.

    Raises:
        NotJson: The text is not UTF-8, not JSON, or nested deeper than MAX_DEPTH.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        value: object = json.loads(
            text, object_pairs_hook=_remember_duplicates, parse_int=_whole
        )
    except UnicodeDecodeError as error:
        raise NotJson(f"not UTF-8: {error.reason} at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise NotJson(
            f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise NotJson("nested too deep") from None
    if _is_deeper_than(MAX_DEPTH, value):
        raise NotJson("nested too deep")
    return value


def shown(value: object) -> str:
    """Return a short text for any JSON value, fit for a message."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int) and abs(value) >= 10**_SHOWN:
        return "a number far out of range"
    return str(value)


class Reader:
    """Takes the values of one document apart and collects its problems.

    Every method takes a value and its path, and returns the value in its own
    type, or None after recording why it could not. So None is no answer to
    "was it given": ask that of the value.
    """

    __slots__ = ("problems",)

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def refuse(self, code: Code, path: str, **figures: int | str) -> None:
        """Record a problem at path, with the figures its sentence names."""
        self.problems.append(Problem(code, path, tuple(figures.items())))

    def members(
        self,
        value: object,
        path: str,
        *,
        required: Collection[str] = (),
        optional: Collection[str] = (),
    ) -> Mapping[str, object] | None:
        """Return the members of an object that are known here.

        Keys that are neither required nor optional, required keys that lack and
        keys given twice are recorded; what is left is returned all the same.
        None only if the value is no object.
        """
        if not isinstance(value, dict):
            self.refuse(Code.MALFORMED, path, value=shown(value), wanted="an object")
            return None
        duplicates = value.duplicates if isinstance(value, JsonObject) else ()
        for key in duplicates:
            self.refuse(Code.DUPLICATE_KEY, join(path, key), key=shown(key))
        for key in value:
            if key not in required and key not in optional:
                self.refuse(Code.UNKNOWN_KEY, join(path, key), key=shown(key))
        for key in required:
            if key not in value:
                self.refuse(Code.MISSING, join(path, key), key=shown(key))
        return {
            key: member
            for key, member in value.items()
            if key in required or key in optional
        }

    def items(self, value: object, path: str) -> list[object] | None:
        """Return the items of a list."""
        if isinstance(value, list):
            return value
        self.refuse(Code.MALFORMED, path, value=shown(value), wanted="a list")
        return None

    def flag(self, value: object, path: str) -> bool | None:
        """Return true or false."""
        if isinstance(value, bool):
            return value
        self.refuse(Code.MALFORMED, path, value=shown(value), wanted="true or false")
        return None

    def text(self, value: object, path: str) -> str | None:
        """Return a string, of any length."""
        if isinstance(value, str):
            return value
        self.refuse(Code.MALFORMED, path, value=shown(value), wanted="a text")
        return None

    def whole(
        self,
        value: object,
        path: str,
        low: int | None = None,
        high: int | None = None,
    ) -> int | None:
        """Return a whole number from low to high, both included.

        ``true``, ``5.0`` and ``"5"`` are not whole numbers.
        """
        if isinstance(value, bool) or not isinstance(value, int):
            self.refuse(Code.NOT_A_WHOLE_NUMBER, path, value=shown(value))
            return None
        if (low is not None and value < low) or (high is not None and value > high):
            bounds = ("" if end is None else str(end) for end in (low, high))
            self.refuse(
                Code.OUT_OF_RANGE, path, value=shown(value), allowed="..".join(bounds)
            )
            return None
        return value

    def pair(
        self,
        value: object,
        path: str,
        low: int | None = None,
        high: int | None = None,
    ) -> Pair[int] | None:
        """Return the whole numbers of both teams, ``{"A": 5, "B": 3}``."""
        both = self.members(value, path, required=("A", "B"))
        if both is None or len(both) < 2:
            return None
        a = self.whole(both["A"], join(path, "A"), low, high)
        b = self.whole(both["B"], join(path, "B"), low, high)
        return None if a is None or b is None else Pair(a, b)

    def side(self, value: object, path: str) -> Side | None:
        """Return one of the two teams of a game."""
        return self._member(value, path, Side, Code.NOT_A_TEAM)

    def suit(self, value: object, path: str) -> Suit | None:
        """Return a suit."""
        return self._member(value, path, Suit, Code.NOT_A_SUIT)

    def card(self, value: object, path: str) -> Card | None:
        """Return a card, written as ``"S10"`` (R1.2)."""
        if isinstance(value, str):
            try:
                return Card.parse(value)
            except ValueError:
                pass
        self.refuse(Code.NOT_A_CARD, path, value=shown(value))
        return None

    def seat(
        self, value: object, path: str, seats: Collection[Seat] = tuple(Seat)
    ) -> Seat | None:
        """Return one of the seats given."""
        if isinstance(value, str) and value in seats:
            return Seat(value)
        self.refuse(Code.NOT_A_SEAT, path, value=shown(value))
        return None

    def choice(self, value: object, path: str, kind: type[E]) -> E | None:
        """Return a member of an enumeration of texts."""
        text = self.text(value, path)
        if text is None:
            return None
        return self._member(text, path, kind, Code.OUT_OF_RANGE, allowed=listed(kind))

    def _member(
        self, value: object, path: str, kind: type[E], code: Code, **figures: str
    ) -> E | None:
        if isinstance(value, str):
            try:
                return kind(value)
            except ValueError:
                pass
        self.refuse(code, path, value=shown(value), **figures)
        return None


def listed(names: Iterable[str]) -> str:
    """Return names for a sentence, ``free, counts, foul``."""
    return ", ".join(str(name) for name in names)


def pair_to_json(pair: Pair[T]) -> dict[str, T]:
    """Return a pair as the documents have it, ``{"A": 5, "B": 3}``."""
    return {Side.A.value: pair.a, Side.B.value: pair.b}


def refusal(problems: Iterable[Problem]) -> dict[str, object]:
    """Return the answer to a document that is refused."""
    return {"problems": [problem.to_json() for problem in problems]}


def _remember_duplicates(pairs: list[tuple[str, object]]) -> JsonObject:
    members = JsonObject(pairs)
    members.duplicates = ()
    if len(members) < len(pairs):
        times = Counter(key for key, _ in pairs)
        members.duplicates = tuple(key for key, count in times.items() if count > 1)
    return members


def _whole(digits: str) -> int:
    # int() refuses more than 4300 digits, and would be slow before that.
    return int(digits[:_MAX_DIGITS])


def _is_deeper_than(limit: int, value: object) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(limit):
        if not level:
            return False
        level = [
            child
            for container in level
            for child in (
                container.values() if isinstance(container, dict) else container
            )
            if isinstance(child, dict | list)
        ]
    return bool(level)


def _quoted(text: str) -> str:
    quoted = json.dumps(text[:_SHOWN], ensure_ascii=False)
    if len(text) > _SHOWN:
        quoted = f'{quoted[:-1]}..."'
    # No terminal or file takes a lone surrogate.
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode()
        for sign in quoted
    )
