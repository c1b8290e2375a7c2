from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from komppa.sheets.playing import pick, play_game, play_game_within, shuffled
from scoring.cards import PACK
from scoring.game import Reason, fold
from scoring.rulesets import ruleset
from scoring.sides import Pair

RULES = ruleset()
GAMES = [list(play_game(RULES, 2, str(seed))) for seed in range(60)]
DEALS = [sheet for game in GAMES for sheet, _ in game]


def test_play_game_ends_with_a_winner_and_the_engine_agrees():
    for game in GAMES:
        state = fold([sheet for sheet, _ in game], RULES, 2)

        assert state == game[-1][1]
        assert state.winner is not None


def test_play_game_asks_for_the_club_ace_on_a_sets_first_deal_only():
    for game in GAMES:
        openings = [True, *(state.opens_set for _, state in game[:-1])]

        assert [sheet.club_ace is not None for sheet, _ in game] == openings


def test_play_game_passes_the_lead_on_by_the_rules():
    for game in GAMES:
        results = game[-1][1].deals
        for before, after in pairwise(results):
            if before.set_number == after.set_number:
                assert after.dealer == before.leader


def test_play_game_writes_down_what_the_comparison_needs_and_no_more():
    for sheet in DEALS:
        level = sheet.mattis == Pair(4, 4)
        assert (sheet.pips is not None) == level
        assert (sheet.aces is not None) == (sheet.pips == Pair(18, 18))


def test_play_game_knows_all_that_happens_in_an_evening():
    assert {sheet.trump is None for sheet in DEALS} == {True, False}
    assert {sheet.small_trumps.a + sheet.small_trumps.b for sheet in DEALS} >= {0, 1, 2}
    assert any(sheet.no_tricks for sheet in DEALS)
    assert any(foul.corrected for sheet in DEALS for foul in sheet.fouls)
    assert any(not foul.corrected for sheet in DEALS for foul in sheet.fouls)


def test_play_game_may_end_by_three_fouls(monkeypatch):
    monkeypatch.setattr("komppa.sheets.playing._FOUL_RATE", 0.7)

    state = list(play_game(RULES, 3, "fouls"))[-1][1]

    assert state.reason is Reason.FOULS


@pytest.mark.parametrize("rules", ["kotipeli", "kemistikilta-2011"])
def test_play_game_is_the_same_for_the_same_seed(rules):
    again = [list(play_game(ruleset(rules), 2, "7")) for _ in range(2)]

    assert again[0] == again[1]
    assert again[0] != list(play_game(ruleset(rules), 2, "8"))


def test_play_game_within_keeps_to_the_length():
    lengths = {len(play_game_within(RULES, 2, str(s), range(12, 16))) for s in range(5)}

    assert lengths <= {12, 13, 14, 15}


def test_shuffled_keeps_every_card():
    assert sorted(shuffled(Random(1), PACK)) == sorted(PACK)
    assert shuffled(Random(1), PACK) != shuffled(Random(2), PACK)


def test_pick_reaches_every_item():
    random = Random(1)

    assert {pick(random, "abc") for _ in range(100)} == {"a", "b", "c"}
