from __future__ import annotations

from komppa.live.pictures import BOTTOM, LEFT, RIGHT, TOP, picture_of
from scoring.sides import ZERO, Pair

NAMES = Pair("Kopla", "Matit")


def test_picture_rises_from_nothing_to_the_target():
    picture = picture_of([ZERO, Pair(6, 1), Pair(12, 2)], 12, NAMES)

    a, b = picture.lines
    assert [point.y for point in a.points] == [BOTTOM, (BOTTOM + TOP) // 2, TOP]
    assert [point.score for point in b.points] == [0, 1, 2]


def test_picture_of_a_long_set_stays_inside():
    picture = picture_of([ZERO] + [Pair(7, 7)] * 60, 12, NAMES)

    xs = [point.x for point in picture.lines[0].points]
    assert (min(xs), max(xs)) == (LEFT, RIGHT)
    assert len([p for p in picture.lines[0].points if p.label]) < 20


def test_picture_says_the_same_in_words():
    picture = picture_of([ZERO, Pair(3, 1)], 12, NAMES)

    assert picture.description == "Erän kulku, Kopla–Matit: 0–0, 3–1"


def test_picture_marks_the_target_of_the_ruleset():
    assert picture_of([ZERO], 10, NAMES).levels == ((0, BOTTOM), (5, 79), (10, TOP))
