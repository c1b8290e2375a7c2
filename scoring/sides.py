"""The two teams of a game, their seats, and figures kept for both."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

T = TypeVar("T")


class Side(StrEnum):
    """A team as a game knows it: A or B."""

    A = "A"
    B = "B"

    @property
    def other(self) -> Side:
        return Side.B if self is Side.A else Side.A


class Seat(StrEnum):
    """A place at the table; the four go clockwise in this order."""

    A1 = "A1"
    B1 = "B1"
    A2 = "A2"
    B2 = "B2"

    @property
    def side(self) -> Side:
        return Side(self.value[0])


@dataclass(frozen=True, slots=True)
class Pair(Generic[T]):
    """One value for each side, such as mattis 5-3."""

    a: T
    b: T

    def __getitem__(self, side: Side) -> T:
        if side is Side.A:
            return self.a
        if side is Side.B:
            return self.b
        raise KeyError(side)

    def replace(self, side: Side, value: T) -> Pair[T]:
        """Return the pair with one side's value changed."""
        return Pair(value, self.b) if side is Side.A else Pair(self.a, value)

    @property
    def swapped(self) -> Pair[T]:
        return Pair(self.b, self.a)


ZERO = Pair(0, 0)
