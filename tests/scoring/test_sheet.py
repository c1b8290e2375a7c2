"""A deal sheet and its text form, which are inverses."""

from __future__ import annotations

import json

import pytest

from scoring.documents import parse
from scoring.problems import Code, Refused
from scoring.rulesets import ruleset
from scoring.sheet import KEYS, DealSheet, Suits, read_sheet
from scoring.sides import Pair, Seat
from scoring.suits import Suit
from tests.scoring.sheets import A, B, abandoned, by, corrected, played, without_tricks

CUP = ruleset()
WIKIPEDIA = ruleset("wikipedia-12")

SHEETS = {
    "plain": (
        played(),
        CUP,
        {"last_trick": "A", "mattis": {"A": 5, "B": 3}},
    ),
    "everything": (
        DealSheet(
            last_trick=B,
            mattis=Pair(4, 4),
            pips=Pair(18, 18),
            aces=Pair(3, 1),
            trump=A,
            small_trumps=Pair(1, 2),
            suits=Suits(Suit.H, Pair((Suit.C,), (Suit.S, Suit.D))),
            fouls=by(B, corrected(A)),
            club_ace=Seat.B2,
        ),
        CUP,
        {
            "club_ace": "B2",
            "trump": "A",
            "small_trumps": {"A": 1, "B": 2},
            "suits": {"trump": "H", "small": {"A": ["C"], "B": ["S", "D"]}},
            "last_trick": "B",
            "mattis": {"A": 4, "B": 4},
            "pips": {"A": 18, "B": 18},
            "aces": {"A": 3, "B": 1},
            "fouls": ["B", {"team": "A", "corrected": True}],
        },
    ),
    "no_tricks": (
        without_tricks(B),
        CUP,
        {"last_trick": "A", "mattis": {"A": 8, "B": 0}, "no_tricks": "B"},
    ),
    "card_points": (
        DealSheet(last_trick=A, card_points=Pair(60, 60)),
        WIKIPEDIA,
        {"last_trick": "A", "card_points": {"A": 60, "B": 60}},
    ),
    "abandoned": (
        abandoned(A, A, A),
        CUP,
        {"fouls": ["A", "A", "A"], "abandoned": True},
    ),
    "no_suits_at_all": (
        played(suits=Suits(None, Pair((), ()))),
        CUP,
        {
            "suits": {"trump": None, "small": {"A": [], "B": []}},
            "last_trick": "A",
            "mattis": {"A": 5, "B": 3},
        },
    ),
    "empty": (DealSheet(), CUP, {}),
}


@pytest.mark.parametrize(("sheet", "rules", "data"), SHEETS.values(), ids=SHEETS.keys())
def test_to_json_and_from_json_are_inverses(sheet, rules, data):
    assert sheet.to_json() == data
    assert list(sheet.to_json()) == list(data)
    assert DealSheet.from_json(parse(json.dumps(data)), rules) == sheet


def test_from_json_takes_defaults_spelt_out():
    data = {
        "last_trick": "A",
        "mattis": {"A": 5, "B": 3},
        "club_ace": None,
        "trump": None,
        "small_trumps": {"A": 0, "B": 0},
        "suits": None,
        "pips": None,
        "aces": None,
        "no_tricks": None,
        "fouls": [],
        "abandoned": False,
    }

    assert DealSheet.from_json(data, CUP) == played()


@pytest.mark.parametrize(
    "foul", ["B", {"team": "B"}, {"team": "B", "corrected": False}]
)
def test_from_json_takes_a_foul_in_either_form(foul):
    data = {"last_trick": "A", "mattis": {"A": 5, "B": 3}, "fouls": [foul]}

    assert DealSheet.from_json(data, CUP) == played(fouls=by(B))


def test_from_json_leaves_the_facts_to_problems():
    data = {"last_trick": "A", "mattis": {"A": 5, "B": 4}}

    assert DealSheet.from_json(data, CUP) == played(mattis=(5, 4))


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"last_trick": "C"}, [(Code.NOT_A_TEAM, "last_trick")]),
        ({"trump": 1}, [(Code.NOT_A_TEAM, "trump")]),
        ({"no_tricks": []}, [(Code.NOT_A_TEAM, "no_tricks")]),
        ({"club_ace": "C1"}, [(Code.NOT_A_SEAT, "club_ace")]),
        ({"mattis": {"A": 5.0, "B": 3}}, [(Code.NOT_A_WHOLE_NUMBER, "mattis/A")]),
        (
            {"mattis": {"A": True, "B": "3"}},
            [
                (Code.NOT_A_WHOLE_NUMBER, "mattis/A"),
                (Code.NOT_A_WHOLE_NUMBER, "mattis/B"),
            ],
        ),
        ({"mattis": {"A": 5}}, [(Code.MISSING, "mattis/B")]),
        ({"mattis": {"A": 5, "B": 3, "C": 0}}, [(Code.UNKNOWN_KEY, "mattis/C")]),
        ({"mattis": [5, 3]}, [(Code.MALFORMED, "mattis")]),
        ({"small_trumps": None}, [(Code.MALFORMED, "small_trumps")]),
        ({"fouls": None}, [(Code.MALFORMED, "fouls")]),
        ({"fouls": "A"}, [(Code.MALFORMED, "fouls")]),
        (
            {"fouls": ["A", "X", None]},
            [
                (Code.NOT_A_TEAM, "fouls/1"),
                (Code.NOT_A_TEAM, "fouls/2"),
            ],
        ),
        ({"fouls": [{"corrected": True}]}, [(Code.MISSING, "fouls/0/team")]),
        (
            {"fouls": [{"team": "C", "corrected": 1, "who": "A1"}]},
            [
                (Code.UNKNOWN_KEY, "fouls/0/who"),
                (Code.NOT_A_TEAM, "fouls/0/team"),
                (Code.MALFORMED, "fouls/0/corrected"),
            ],
        ),
        ({"abandoned": None}, [(Code.MALFORMED, "abandoned")]),
        ({"abandoned": 0}, [(Code.MALFORMED, "abandoned")]),
        ({"suits": "H"}, [(Code.MALFORMED, "suits")]),
        (
            {"suits": {}},
            [(Code.MISSING, "suits/trump"), (Code.MISSING, "suits/small")],
        ),
        (
            {"suits": {"trump": "X", "small": {"A": ["C", "c"], "B": None}}},
            [
                (Code.NOT_A_SUIT, "suits/trump"),
                (Code.NOT_A_SUIT, "suits/small/A/1"),
                (Code.MALFORMED, "suits/small/B"),
            ],
        ),
        ({"card_points": {"A": 60, "B": 60}}, [(Code.UNKNOWN_KEY, "card_points")]),
        ({"tricks": 9}, [(Code.UNKNOWN_KEY, "tricks")]),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
)
def test_from_json_refuses_what_is_malformed(facts, expected):
    data = {"last_trick": "A", "mattis": {"A": 5, "B": 3}, **facts}

    with pytest.raises(Refused) as refused:
        DealSheet.from_json(data, CUP)

    assert [(p.code, p.path) for p in refused.value.problems] == expected
    assert {p.rule for p in refused.value.problems} == {None}


@pytest.mark.parametrize("data", [None, [], "A", 5, True], ids=repr)
def test_from_json_refuses_what_is_no_object(data):
    with pytest.raises(Refused) as refused:
        DealSheet.from_json(data, CUP)

    assert [(p.code, p.path) for p in refused.value.problems] == [(Code.MALFORMED, "")]


def test_from_json_refuses_a_key_given_twice():
    data = parse('{"last_trick": "A", "mattis": {"A": 5, "B": 3}, "last_trick": "B"}')

    with pytest.raises(Refused) as refused:
        DealSheet.from_json(data, CUP)

    assert [(p.code, p.path) for p in refused.value.problems] == [
        (Code.DUPLICATE_KEY, "last_trick")
    ]


def test_from_json_knows_no_mattis_where_card_points_are_compared():
    with pytest.raises(Refused) as refused:
        DealSheet.from_json(
            {"last_trick": "A", "mattis": {"A": 5, "B": 3}, "pips": None}, WIKIPEDIA
        )

    assert [(p.code, p.path) for p in refused.value.problems] == [
        (Code.UNKNOWN_KEY, "mattis"),
        (Code.UNKNOWN_KEY, "pips"),
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            {"last_trick": "C", "mattis": {"A": 5, "B": 4}},
            [(Code.NOT_A_TEAM, "last_trick"), (Code.MATTIS_SUM, "mattis")],
        ),
        (
            {"last_trick": "A", "mattis": {"A": 4.0, "B": 4}},
            [(Code.NOT_A_WHOLE_NUMBER, "mattis/A")],
        ),
        (
            {
                "last_trick": "A",
                "mattis": {"A": 4, "B": 4},
                "pips": {"A": 18},
                "trump": "X",
                "small_trumps": {"A": 1, "B": 0},
            },
            [(Code.MISSING, "pips/B"), (Code.NOT_A_TEAM, "trump")],
        ),
        ({"abandoned": "yes"}, [(Code.MALFORMED, "abandoned")]),
        (
            {"abandoned": True, "fouls": ["X"], "last_trick": "A"},
            [(Code.NOT_A_TEAM, "fouls/0"), (Code.ABANDONED_WITH_FACTS, "last_trick")],
        ),
        (
            {
                "last_trick": "A",
                "mattis": {"A": 5, "B": 3},
                "trump": "A",
                "small_trumps": {"A": 1, "B": "1"},
                "suits": {"trump": "H", "small": {"A": ["C"], "B": ["D"]}},
            },
            [(Code.NOT_A_WHOLE_NUMBER, "small_trumps/B")],
        ),
        (
            {
                "last_trick": "A",
                "mattis": {"A": 5, "B": 3},
                "trump": "X",
                "suits": {"trump": "H", "small": {"A": [], "B": []}},
            },
            [(Code.NOT_A_TEAM, "trump")],
        ),
        (
            {
                "last_trick": "A",
                "mattis": {"A": 5, "B": 3},
                "fouls": ["A", "A", "A", "B"],
                "abandoned": "yes",
            },
            [(Code.MALFORMED, "abandoned")],
        ),
        (7, [(Code.MALFORMED, "")]),
    ],
    ids=[
        "the_rest_is_still_checked",
        "nothing_is_missing_that_is_malformed",
        "nothing_is_needed_that_is_malformed",
        "whether_abandoned_is_unknown",
        "which_fouls_is_unknown",
        "how_many_small_trumps_is_unknown",
        "whose_trump_is_unknown",
        "whether_abandoned_by_a_third_foul_is_unknown",
        "no_object",
    ],
)
def test_check_tells_all_that_can_be_known_of_a_malformed_sheet(data, expected):
    reading = read_sheet(data, CUP)

    found = reading.check(CUP, Pair(0, 0), opens_set=True)

    assert [(p.code, p.path) for p in found] == expected


def test_keys_are_the_fields_of_a_sheet():
    assert set(KEYS) == set(DealSheet.__dataclass_fields__)
