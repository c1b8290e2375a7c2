"""R10: every reason why the facts of a sheet cannot all be true."""

from __future__ import annotations

import pytest

from scoring.problems import Code
from scoring.rulesets import ruleset
from scoring.sheet import DealSheet, Suits
from scoring.sides import ZERO, Pair, Seat
from scoring.suits import Suit
from tests.scoring.sheets import A, B, abandoned, by, corrected, played, without_tricks

CUP = ruleset()
WIKIPEDIA = ruleset("wikipedia-12")

LEVEL = Pair(4, 4)
LEVEL_PIPS = Pair(18, 18)


def reasons(sheet, rules=CUP, **state):
    return [(p.code, p.path) for p in sheet.problems(rules, **state)]


def by_points(a, b, **facts):
    return DealSheet(last_trick=A, card_points=Pair(a, b), **facts)


def named(trump, a=(), b=()):
    return Suits(trump, Pair(tuple(a), tuple(b)))


@pytest.mark.parametrize(
    ("sheet", "rules"),
    [
        (played(), CUP),
        (played(mattis=(4, 4), pips=Pair(20, 16)), CUP),
        (played(mattis=(4, 4), pips=LEVEL_PIPS, aces=Pair(0, 4)), CUP),
        (played(mattis=(5, 3), pips=Pair(36, 0), aces=Pair(1, 3)), CUP),
        (played(mattis=(8, 0), aces=Pair(4, 0)), CUP),
        (played(trump=B, small_trumps=Pair(2, 1)), CUP),
        (
            played(
                trump=B,
                small_trumps=Pair(1, 1),
                suits=named(Suit.H, [Suit.C], [Suit.S]),
            ),
            CUP,
        ),
        (without_tricks(A), CUP),
        (without_tricks(B), CUP),
        (by_points(60, 60), WIKIPEDIA),
        (by_points(120, 0, no_tricks=B), WIKIPEDIA),
        (by_points(2, 118), WIKIPEDIA),
        (played(fouls=by(A, B, A, B, corrected(A), corrected(A))), CUP),
        (abandoned(A, B, A, A), CUP),
        (played(club_ace=Seat.B2), CUP),
        (played(club_ace=Seat.B1), ruleset("avomarjapussi")),
    ],
)
def test_problems_finds_none_on_a_sound_sheet(sheet, rules):
    assert reasons(sheet, rules) == []


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"mattis": (5, 4)}, [(Code.MATTIS_SUM, "mattis")]),
        ({"mattis": (9, 0)}, [(Code.MATTIS_SUM, "mattis")]),
        ({"mattis": (-1, 9)}, [(Code.OUT_OF_RANGE, "mattis/A")]),
        (
            {"mattis": (10**100, 3)},
            [(Code.OUT_OF_RANGE, "mattis/A"), (Code.MATTIS_SUM, "mattis")],
        ),
        ({"pips": Pair(20, 17)}, [(Code.PIPS_SUM, "pips")]),
        ({"pips": Pair(1, 35)}, [(Code.PIPS_IMPOSSIBLE, "pips")]),
        ({"pips": Pair(35, 1)}, [(Code.PIPS_IMPOSSIBLE, "pips")]),
        (
            {"pips": Pair(35, 2)},
            [(Code.PIPS_SUM, "pips"), (Code.PIPS_IMPOSSIBLE, "pips")],
        ),
        ({"aces": Pair(2, 3)}, [(Code.ACES_SUM, "aces")]),
        ({"mattis": (4, 4)}, [(Code.PIPS_NEEDED, "pips")]),
        ({"mattis": (4, 4), "aces": Pair(2, 2)}, [(Code.PIPS_NEEDED, "pips")]),
        (
            {"mattis": (4, 4), "pips": LEVEL_PIPS},
            [(Code.ACES_NEEDED, "aces")],
        ),
        (
            {"mattis": (6, 2), "aces": Pair(1, 3)},
            [(Code.TENS_OVER_FOUR, "aces/A"), (Code.ACES_OVER_MATTIS, "aces/B")],
        ),
    ],
    ids=[
        "mattis_add_to_nine",
        "mattis_nine_to_nil",
        "mattis_below_nil",
        "mattis_beyond_all_sense",
        "pips_add_to_37",
        "pips_one",
        "pips_35",
        "pips_35_and_a_wrong_sum",
        "aces_add_to_five",
        "mattis_level_without_pips",
        "mattis_level_with_aces_only",
        "pips_level_without_aces",
        "aces_beyond_need_do_not_fit",
    ],
)
def test_r10_1_figures_that_cannot_be(facts, expected):
    assert reasons(played(**facts)) == expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (61, 60, [(Code.CARD_POINTS_SUM, "card_points")]),
        (1, 119, [(Code.CARD_POINTS_IMPOSSIBLE, "card_points")]),
        (119, 1, [(Code.CARD_POINTS_IMPOSSIBLE, "card_points")]),
        (-2, 122, [(Code.OUT_OF_RANGE, "card_points/A")]),
    ],
)
def test_r10_1_card_points_that_cannot_be(a, b, expected):
    assert reasons(by_points(a, b), WIKIPEDIA) == expected


@pytest.mark.parametrize(
    ("sheet", "rules", "expected"),
    [
        (DealSheet(last_trick=A), CUP, [(Code.MISSING, "mattis")]),
        (DealSheet(last_trick=A), WIKIPEDIA, [(Code.MISSING, "card_points")]),
        (
            by_points(60, 60),
            CUP,
            [(Code.UNKNOWN_KEY, "card_points"), (Code.MISSING, "mattis")],
        ),
        (
            played(pips=Pair(20, 16)),
            WIKIPEDIA,
            [
                (Code.UNKNOWN_KEY, "mattis"),
                (Code.UNKNOWN_KEY, "pips"),
                (Code.MISSING, "card_points"),
            ],
        ),
    ],
    ids=["no_mattis", "no_card_points", "card_points_in_the_cup", "mattis_elsewhere"],
)
def test_r10_1_the_figures_are_those_that_the_ruleset_compares(sheet, rules, expected):
    assert reasons(sheet, rules) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (
            {"small_trumps": Pair(1, 0)},
            [(Code.SMALL_TRUMPS_WITHOUT_TRUMP, "small_trumps")],
        ),
        (
            {"trump": A, "small_trumps": Pair(2, 2)},
            [(Code.SMALL_TRUMPS_OVER_THREE, "small_trumps")],
        ),
        (
            {"small_trumps": Pair(0, 4)},
            [
                (Code.SMALL_TRUMPS_WITHOUT_TRUMP, "small_trumps"),
                (Code.SMALL_TRUMPS_OVER_THREE, "small_trumps"),
            ],
        ),
        (
            {"trump": A, "small_trumps": Pair(-1, 1)},
            [(Code.OUT_OF_RANGE, "small_trumps/A")],
        ),
        ({"suits": named(Suit.H)}, [(Code.SUITS_DISAGREE, "suits/trump")]),
        (
            {"trump": A, "suits": named(None)},
            [(Code.SUITS_DISAGREE, "suits/trump")],
        ),
        (
            {
                "trump": A,
                "small_trumps": Pair(1, 0),
                "suits": named(Suit.H, (), [Suit.C]),
            },
            [
                (Code.SUITS_DISAGREE, "suits/small/A"),
                (Code.SUITS_DISAGREE, "suits/small/B"),
            ],
        ),
        (
            {
                "trump": A,
                "small_trumps": Pair(1, 2),
                "suits": named(Suit.H, [Suit.C], [Suit.H, Suit.C]),
            },
            [
                (Code.SUIT_TWICE, "suits/small/B/0"),
                (Code.SUIT_TWICE, "suits/small/B/1"),
            ],
        ),
    ],
    ids=[
        "small_trump_alone",
        "four_small_trumps",
        "four_and_no_trump",
        "below_nil",
        "suit_without_trump",
        "trump_without_suit",
        "suit_of_the_other_team",
        "suits_named_again",
    ],
)
def test_r10_2_trumps_that_cannot_be(facts, expected):
    assert reasons(played(**facts)) == expected


def test_r10_3_last_trick_has_a_winner():
    assert reasons(DealSheet(mattis=Pair(5, 3))) == [
        (Code.LAST_TRICK_MISSING, "last_trick")
    ]


def test_r10_3_team_without_tricks_has_nothing():
    sheet = played(
        last=B,
        mattis=(4, 4),
        pips=Pair(20, 16),
        aces=Pair(3, 1),
        trump=B,
        small_trumps=Pair(1, 1),
        no_tricks=B,
    )

    assert reasons(sheet) == [
        (Code.NO_TRICKS_BUT_MATTIS, "mattis/B"),
        (Code.NO_TRICKS_BUT_PIPS, "pips/B"),
        (Code.NO_TRICKS_BUT_ACES, "aces/B"),
        (Code.NO_TRICKS_BUT_SMALL_TRUMPS, "small_trumps/B"),
        (Code.NO_TRICKS_BUT_LAST_TRICK, "last_trick"),
        (Code.NO_TRICKS_BUT_TRUMP, "trump"),
    ]


def test_r10_3_team_without_tricks_has_no_card_points():
    assert reasons(by_points(100, 20, no_tricks=B), WIKIPEDIA) == [
        (Code.NO_TRICKS_BUT_CARD_POINTS, "card_points/B")
    ]


@pytest.mark.parametrize(
    ("sheet", "before", "expected"),
    [
        (abandoned(A), Pair(2, 0), []),
        (abandoned(A, A), Pair(1, 2), []),
        (abandoned(B, A, B), Pair(1, 1), []),
        (played(fouls=by(A, B)), Pair(1, 1), []),
        (abandoned(A), ZERO, [(Code.ABANDONED_WITHOUT_THIRD_FOUL, "abandoned")]),
        (abandoned(A), None, []),
        (abandoned(), None, [(Code.ABANDONED_WITHOUT_THIRD_FOUL, "abandoned")]),
        (
            abandoned(corrected(A)),
            Pair(2, 2),
            [(Code.ABANDONED_WITHOUT_THIRD_FOUL, "abandoned")],
        ),
        (
            abandoned(corrected(A)),
            None,
            [(Code.ABANDONED_WITHOUT_THIRD_FOUL, "abandoned")],
        ),
        (
            played(fouls=by(B)),
            Pair(0, 2),
            [(Code.THIRD_FOUL_NOT_ABANDONED, "abandoned")],
        ),
        (
            played(fouls=by(A, A, A)),
            None,
            [(Code.THIRD_FOUL_NOT_ABANDONED, "abandoned")],
        ),
        (abandoned(A, B), Pair(2, 0), [(Code.FOUL_AFTER_THIRD, "fouls/1")]),
        (
            abandoned(A, corrected(A), B),
            Pair(2, 2),
            [
                (Code.FOUL_AFTER_THIRD, "fouls/1"),
                (Code.FOUL_AFTER_THIRD, "fouls/2"),
            ],
        ),
        (
            played(fouls=by(A, B)),
            Pair(2, 1),
            [
                (Code.THIRD_FOUL_NOT_ABANDONED, "abandoned"),
                (Code.FOUL_AFTER_THIRD, "fouls/1"),
            ],
        ),
        (abandoned(A, A, A, B), None, [(Code.FOUL_AFTER_THIRD, "fouls/3")]),
    ],
    ids=[
        "third",
        "second_and_third",
        "the_other_team_gets_there_first",
        "two_each",
        "first_only",
        "unknown_before",
        "no_foul_at_all",
        "corrected_is_free",
        "corrected_is_free_whatever_was_before",
        "played_on",
        "three_on_one_sheet",
        "one_after",
        "a_corrected_one_after_too",
        "played_on_with_one_more",
        "four_on_one_sheet",
    ],
)
def test_r10_4_abandoned_is_exactly_the_third_foul(sheet, before, expected):
    assert reasons(sheet, fouls_before=before) == expected


@pytest.mark.parametrize("switch", ["counts", "foul"])
def test_r10_4_third_foul_may_be_a_corrected_one_where_they_count(switch):
    rules = ruleset(corrected_foul=switch)
    before = Pair(0, 2)

    assert reasons(abandoned(corrected(B)), rules, fouls_before=before) == []
    assert reasons(played(fouls=by(corrected(B))), rules, fouls_before=before) == [
        (Code.THIRD_FOUL_NOT_ABANDONED, "abandoned")
    ]


def test_r10_4_abandoned_deal_has_nothing_but_fouls():
    sheet = abandoned(
        *(A, A, A),
        trump=A,
        small_trumps=Pair(1, 0),
        suits=named(Suit.H, [Suit.C]),
        last_trick=A,
        mattis=Pair(8, 0),
        pips=Pair(36, 0),
        aces=Pair(4, 0),
        no_tricks=B,
        club_ace=Seat.A1,
    )

    assert reasons(sheet) == [
        (Code.ABANDONED_WITH_FACTS, key)
        for key in (
            "trump",
            "small_trumps",
            "suits",
            "last_trick",
            "mattis",
            "pips",
            "aces",
            "no_tricks",
        )
    ]


def test_r10_4_abandoned_deal_needs_no_pips():
    assert reasons(abandoned(A, A, A, mattis=LEVEL)) == [
        (Code.ABANDONED_WITH_FACTS, "mattis")
    ]


@pytest.mark.parametrize(
    ("opens_set", "expected"),
    [
        (True, []),
        (None, []),
        (False, [(Code.CLUB_ACE_NOT_OPENING, "club_ace")]),
    ],
)
def test_r8_1_club_ace_is_asked_on_the_first_deal_only(opens_set, expected):
    assert reasons(played(club_ace=Seat.A1), opens_set=opens_set) == expected


def test_problems_refuses_a_seat_that_two_players_lack():
    assert reasons(played(club_ace=Seat.A2), ruleset("avomarjapussi")) == [
        (Code.NOT_A_SEAT, "club_ace")
    ]


def test_problems_names_every_broken_rule_at_once_with_its_path():
    sheet = DealSheet(
        mattis=Pair(5, 4),
        small_trumps=Pair(0, 1),
        fouls=by(A),
        club_ace=Seat.A1,
    )

    found = sheet.problems(
        CUP, fouls_before=Pair(2, 0), opens_set=False, path="deals/3"
    )

    assert [(p.code, p.rule, p.path) for p in found] == [
        (Code.CLUB_ACE_NOT_OPENING, "R8.1", "deals/3/club_ace"),
        (Code.MATTIS_SUM, "R10.1", "deals/3/mattis"),
        (Code.SMALL_TRUMPS_WITHOUT_TRUMP, "R10.2", "deals/3/small_trumps"),
        (Code.LAST_TRICK_MISSING, "R10.3", "deals/3/last_trick"),
        (Code.THIRD_FOUL_NOT_ABANDONED, "R10.4", "deals/3/abandoned"),
    ]


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        (played(mattis=(5, 4)), "Mattis are 5 and 4; they add to 8."),
        (
            played(mattis=(10**100, 3)),
            "a number far out of range is not among 0..999.",
        ),
        (
            played(mattis=(6, 2), aces=Pair(1, 3)),
            "Team A has 6 mattis and 1 aces: that is 5 tens of 4.",
        ),
        (
            played(trump=A, suits=named(Suit.H, [Suit.C])),
            "The suits name 1 where the sheet counts 0.",
        ),
        (played(fouls=by(B, B, B)), "Team B has its third foul, so the deal is"),
    ],
    ids=["sum", "huge", "tens", "suits", "third_foul"],
)
def test_problems_carry_the_wrong_figures(sheet, message):
    assert sheet.problems(CUP)[0].message.startswith(message)
