"""A cup for two players a game: the same sheet, without partners (Avomarjapussi)."""

from __future__ import annotations

from random import Random

import pytest

from komppa.sheets.forms_correction import typed
from komppa.sheets.models import DealEntry
from komppa.sheets.queries import course_of
from scoring import playout
from scoring.replay import replay
from scoring.rulesets import RULESETS
from scoring.sides import Seat
from tests.factories import drawn_cup
from tests.sheets.posts import address, blank, post, text

pytestmark = pytest.mark.django_db

RULES = RULESETS["avomarjapussi"]


@pytest.fixture
def game():
    cup = drawn_cup(ruleset="avomarjapussi", sets_to_win=9)
    return cup.games.select_related("team_a", "team_b").first()


def test_opener_is_asked_for_by_what_decides_it(scorekeeper_client, game):
    page = text(scorekeeper_client.get(address(game)))

    question = (
        "Kuka aloitti erän? näkyvän ristiässän haltija, muuten se, joka ei jakanut; "
        "voit ohittaa"
    )
    assert page.count(question) == 1
    assert page.count("Näkyvän ristiässän haltija aloittaa, muuten") == 1
    assert "Kenellä oli ristiässä?" not in page


def test_two_take_turns_in_leading_and_dealing(scorekeeper_client, game):
    scorekeeper_client.post(address(game), post(game, club_ace="B1"))
    after_one = course_of(game).state
    scorekeeper_client.post(address(game), post(game))
    after_two = course_of(game).state

    assert (after_one.next_dealer, after_one.next_leader) == (Seat.B1, Seat.A1)
    assert (after_two.next_dealer, after_two.next_leader) == (Seat.A1, Seat.B1)


@pytest.mark.parametrize("seat", ["A2", "B2"])
def test_nobody_sits_where_a_partner_would(scorekeeper_client, game, seat):
    answer = scorekeeper_client.post(address(game), post(game, club_ace=seat))

    assert (answer.status_code, DealEntry.objects.count()) == (422, 0)


def test_deals_played_card_by_card_are_recorded_as_their_sheets(
    scorekeeper_client, game
):
    """The sheets that replaying makes go through the page and come back the same."""
    for seed in range(6):
        sheet = replay(playout.play(Random(seed).random, RULES)).sheet()
        data = {name: v for name, v in typed(sheet).items() if v not in ("", False)}
        answer = scorekeeper_client.post(address(game), blank(game) | data)
        assert answer.status_code == 303
        stored = course_of(game).deals[-1].sheet
        # The page asks for pips and aces only where they decide (R4.2).
        assert (stored.mattis, stored.last_trick) == (sheet.mattis, sheet.last_trick)
        assert stored.trump == sheet.trump
        assert stored.suits == (sheet.suits if sheet.trump else None)
        assert stored.no_tricks == sheet.no_tricks
