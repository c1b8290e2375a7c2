"""R4: what a deal is worth, part by part; R5.4: what an offender forfeits."""

from __future__ import annotations

import pytest

from scoring.points import Part, deal_parts, deal_points
from scoring.rulesets import ruleset
from scoring.sheet import DealSheet
from scoring.sides import Pair
from tests.scoring.sheets import EVEN, A, B, by, corrected, played, without_tricks

CUP = ruleset()
WIKIPEDIA = ruleset("wikipedia-12")


def parts(sheet, rules=CUP):
    both = deal_parts(sheet, rules)
    return dict(both.a), dict(both.b)


def test_r4_1_trump_two_small_trumps_one_each_last_trick_one():
    sheet = DealSheet(last_trick=B, trump=A, small_trumps=Pair(1, 2), **EVEN)

    assert parts(sheet) == (
        {Part.TRUMP: 2, Part.SMALL_TRUMPS: 1},
        {Part.SMALL_TRUMPS: 2, Part.LAST_TRICK: 1},
    )


@pytest.mark.parametrize(
    ("mattis", "pips", "aces", "winner"),
    [
        ((5, 3), None, None, A),
        ((0, 8), None, None, B),
        ((5, 3), Pair(0, 36), Pair(1, 3), A),
        ((4, 4), Pair(19, 17), None, A),
        ((4, 4), Pair(2, 34), Pair(4, 0), B),
        ((4, 4), Pair(18, 18), Pair(3, 1), A),
        ((4, 4), Pair(18, 18), Pair(0, 4), B),
        ((4, 4), Pair(18, 18), Pair(2, 2), None),
    ],
    ids=[
        "more_mattis",
        "all_mattis",
        "mattis_before_pips_and_aces",
        "more_pips",
        "pips_before_aces",
        "more_aces",
        "all_aces",
        "level_all_through",
    ],
)
def test_r4_2_matti_point_by_the_first_difference(mattis, pips, aces, winner):
    both = deal_parts(played(mattis=mattis, pips=pips, aces=aces), CUP)

    assert [side for side in (A, B) if (Part.MATTI, 1) in both[side]] == (
        [winner] if winner else []
    )


@pytest.mark.parametrize(
    ("card_points", "winner"),
    [(Pair(61, 59), A), (Pair(0, 120), B), (Pair(60, 60), None)],
    ids=["more", "all", "level"],
)
def test_r4_2_in_wikipedia_more_card_points_take_the_point(card_points, winner):
    sheet = DealSheet(last_trick=B, card_points=card_points)

    both = deal_parts(sheet, WIKIPEDIA)

    assert [side for side in (A, B) if (Part.MATTI, 1) in both[side]] == (
        [winner] if winner else []
    )


def test_r4_3_seven_points_at_most():
    sheet = played(trump=A, small_trumps=Pair(3, 0))

    assert deal_points(deal_parts(sheet, CUP)) == Pair(7, 0)


def test_r4_3_no_points_at_least():
    sheet = played(last=B, mattis=(3, 5))

    assert deal_points(deal_parts(sheet, CUP)) == Pair(0, 2)


def test_parts_leave_out_what_gave_nothing():
    assert parts(without_tricks(A)) == ({}, {Part.MATTI: 1, Part.LAST_TRICK: 1})


def test_r5_4_offender_gets_nothing_and_its_points_go_to_nobody():
    sheet = played(trump=B, small_trumps=Pair(1, 1), fouls=by(A))

    assert parts(sheet) == ({}, {Part.TRUMP: 2, Part.SMALL_TRUMPS: 1})


def test_r5_4_both_may_forfeit():
    sheet = played(trump=B, small_trumps=Pair(1, 1), fouls=by(B, A))

    assert parts(sheet) == ({}, {})


@pytest.mark.parametrize(
    ("switch", "points"), [("free", 2), ("counts", 2), ("foul", 0)]
)
def test_r7_3_corrected_foul_costs_the_points_only_as_a_foul(switch, points):
    sheet = played(fouls=by(corrected(A)))

    assert deal_points(deal_parts(sheet, ruleset(corrected_foul=switch))).a == points
