"""Drawings as plain coordinates, for SVG without any inline style."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from komppa.live.boards import SUITS
from komppa.words import Names
from scoring.sides import Pair, Side

WIDTH, HEIGHT = 340, 168
LEFT, RIGHT, TOP, BOTTOM = 28, 328, 14, 144
LONGEST_STEP = 44


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int
    score: int
    label: str
    """The deal's number in the set, empty where the next is too near."""


@dataclass(frozen=True, slots=True)
class Line:
    suit: str
    points: tuple[Point, ...]

    @property
    def path(self) -> str:
        return " ".join(f"{point.x},{point.y}" for point in self.points)


@dataclass(frozen=True, slots=True)
class Picture:
    """A set's course towards the target, one line a team."""

    lines: tuple[Line, Line]
    target: int
    levels: tuple[tuple[int, int], ...]
    """Scores with a line across, each with its height."""
    description: str
    """The same in words."""


def picture_of(scores: Sequence[Pair[int]], target: int, names: Names) -> Picture:
    """Draw the scores of a set, which begin with 0-0."""
    step = min(LONGEST_STEP, (RIGHT - LEFT) / max(1, len(scores) - 1))
    every = max(1, round(24 / step))

    def line(side: Side) -> Line:
        points = (
            Point(
                round(LEFT + step * number),
                _height(score[side], target),
                score[side],
                str(number) if number and number % every == 0 else "",
            )
            for number, score in enumerate(scores)
        )
        return Line(SUITS[side], tuple(points))

    said = {
        "a": names.a,
        "b": names.b,
        "scores": ", ".join(f"{score.a}–{score.b}" for score in scores),
    }
    levels = sorted({0, target // 2, target})
    return Picture(
        lines=(line(Side.A), line(Side.B)),
        target=target,
        levels=tuple((level, _height(level, target)) for level in levels),
        description=_("Erän kulku, %(a)s–%(b)s: %(scores)s") % said,
    )


def _height(score: int, target: int) -> int:
    return round(BOTTOM - (BOTTOM - TOP) * score / target)
