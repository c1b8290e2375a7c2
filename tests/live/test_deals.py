from __future__ import annotations

import pytest

from komppa.live.deals import ToldEffect, told_sets
from komppa.sheets.queries import course_of
from scoring.sheet import Foul
from scoring.sides import Pair, Side
from tests.factories import SIX_FOR_A, drawn_cup, record, sheet

pytestmark = pytest.mark.django_db

NAMES = Pair("Kopla", "Matit")


@pytest.fixture
def game():
    return drawn_cup().games.order_by("number").first()


def told(game):
    return told_sets(course_of(game), game.cup.rules, NAMES, {})


def test_newest_set_and_newest_deal_come_first(game):
    for _ in range(3):
        record(game, sheet(**SIX_FOR_A))

    sets = told(game)

    assert [told_set.number for told_set in sets] == [2, 1]
    assert [deal.position for deal in sets[1].deals] == [2, 1]
    assert [(s.score_a, s.score_b, s.is_won) for s in sets] == [
        (6, 0, False),
        (12, 0, True),
    ]


def test_deal_tells_the_reason_and_rule_of_every_point(game):
    record(game, sheet((5, 3), "B", trump=Side.A))

    (deal,) = told(game)[0].deals

    assert [(side.step.parts, side.rules) for side in deal.sides] == [
        ("Valtti 2 + matti 1", ("R4.1", "R4.2")),
        ("Viimeinen tikki 1", ("R4.1",)),
    ]
    assert [side.step.arithmetic for side in deal.sides] == ["0 + 3 = 3", "0 + 1 = 1"]


def test_deal_over_the_target_tells_how_it_fell(game):
    record(game, sheet(**SIX_FOR_A))
    record(game, sheet((3, 5), "B", trump=Side.A, small_trumps=Pair(2, 0)))
    record(game, sheet((5, 3), "A", trump=Side.A))

    newest = told(game)[0].deals[0]

    assert newest.effects == (ToldEffect("Kopla meni yli: 14 → 7", "R5.2", False),)
    assert newest.sides[0].step.score == 7


def test_first_deal_of_a_set_starts_from_nothing(game):
    for _ in range(2):
        record(game, sheet(**SIX_FOR_A))
    record(game, sheet((5, 3), "A", fouls=(Foul(Side.B),)))

    newest = told(game)[0].deals[0]

    assert newest.effects[0].text == "Matit: Porvoo pelivirheestä (0 → 0)"


def test_deal_tells_what_won_it(game):
    for _ in range(2):
        record(game, sheet(**SIX_FOR_A))

    assert told(game)[0].deals[0].effects == (
        ToldEffect("Kopla voitti 1. erän", "R5.1", True),
    )
