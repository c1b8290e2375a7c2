"""The ``game`` command: what it answers, and everything it has against a document."""

from __future__ import annotations

import json

import pytest

from scoring.documents import parse
from scoring.game_document import answer

PLAIN = {"last_trick": "A", "mattis": {"A": 5, "B": 3}}
WRONG = {"last_trick": "A", "mattis": {"A": 5, "B": 4}}
LEVEL = {
    "last_trick": "A",
    "mattis": {"A": 4, "B": 4},
    "pips": {"A": 18, "B": 18},
    "aces": {"A": 2, "B": 2},
}
TO_SEVEN = {**PLAIN, "trump": "A", "small_trumps": {"A": 3, "B": 0}}
TO_TWELVE = {**PLAIN, "trump": "A", "small_trumps": {"A": 1, "B": 0}}
BY_POINTS = {"last_trick": "A", "card_points": {"A": 61, "B": 59}}


def document(*deals, **rest):
    return {"sets_to_win": 2, "deals": list(deals), **rest}


def reasons(data):
    found, refused = answer(data)
    assert refused is True
    return [(problem["code"], problem["path"]) for problem in found["problems"]]


def test_answer_has_the_form_of_the_manual():
    data = document(
        {
            "club_ace": "B1",
            "trump": "A",
            "small_trumps": {"A": 1, "B": 0},
            **PLAIN,
            "fouls": ["B"],
        },
        {**LEVEL, "fouls": [{"team": "B", "corrected": True}]},
    )

    assert answer(data) == (
        {
            "winner": None,
            "reason": None,
            "sets": {"A": 0, "B": 0},
            "fouls": {"A": 0, "B": 1},
            "points": {"A": 6, "B": 0},
            "set": 1,
            "laistokierros": False,
            "next": {"dealer": "A2", "leader": "B2"},
            "deals": [
                {
                    "set": 1,
                    "laistokierros": False,
                    "dealer": None,
                    "leader": "B1",
                    "points": {"A": 5, "B": 0},
                    "score": {"A": 5, "B": 0},
                    "parts": {
                        "A": {
                            "trump": 2,
                            "small_trumps": 1,
                            "matti": 1,
                            "last_trick": 1,
                        },
                        "B": {},
                    },
                    "effects": [{"code": "porvoo_foul", "team": "B", "rule": "R5.4"}],
                },
                {
                    "set": 1,
                    "laistokierros": False,
                    "dealer": "B1",
                    "leader": "A2",
                    "points": {"A": 1, "B": 0},
                    "score": {"A": 6, "B": 0},
                    "parts": {"A": {"last_trick": 1}, "B": {}},
                    "effects": [],
                },
            ],
        },
        False,
    )


def test_answer_tells_a_game_lost_by_fouls():
    state, _ = answer(document(PLAIN, {"fouls": ["B", "B", "B"], "abandoned": True}))

    assert (state["winner"], state["reason"], state["points"]) == (
        "A",
        "fouls",
        {"A": 2, "B": 0},
    )
    assert state["deals"][1]["effects"] == [
        {"code": "lost_by_fouls", "team": "B", "rule": "R7.1"},
        {"code": "game_won", "team": "A", "rule": "R7.1"},
    ]


def test_answer_takes_rulesets_and_switches():
    data = document(
        {**BY_POINTS, "fouls": [{"team": "A", "corrected": True}]},
        ruleset="wikipedia-12",
        switches={"corrected_foul": "counts"},
    )

    state, refused = answer(data)

    assert (refused, state["points"], state["fouls"]) == (
        False,
        {"A": 2, "B": 0},
        {"A": 1, "B": 0},
    )


def test_answer_takes_an_abandoned_deal_with_its_defaults_spelt_out():
    abandoned = {
        "club_ace": "A1",
        "trump": None,
        "small_trumps": {"A": 0, "B": 0},
        "suits": None,
        "last_trick": None,
        "mattis": None,
        "pips": None,
        "aces": None,
        "no_tricks": None,
        "fouls": ["A", "A", "A"],
        "abandoned": True,
    }

    assert answer(document(abandoned))[0]["winner"] == "B"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([], [("malformed", "")]),
        (None, [("malformed", "")]),
        ("game", [("malformed", "")]),
        ({}, [("missing", "sets_to_win"), ("missing", "deals")]),
        (document(set=1), [("unknown_key", "set")]),
        (document(sets_to_win=0), [("out_of_range", "sets_to_win")]),
        (document(sets_to_win=10), [("out_of_range", "sets_to_win")]),
        (document(sets_to_win=10**100), [("out_of_range", "sets_to_win")]),
        (document(sets_to_win=None), [("not_a_whole_number", "sets_to_win")]),
        (document(sets_to_win=True), [("not_a_whole_number", "sets_to_win")]),
        (document(sets_to_win=2.0), [("not_a_whole_number", "sets_to_win")]),
        (document(deals=None), [("malformed", "deals")]),
        (document(deals={}), [("malformed", "deals")]),
        (document(deals=[None, []]), [("malformed", f"deals/{i}") for i in (0, 1)]),
        (document(ruleset="bridge"), [("out_of_range", "ruleset")]),
        (document(ruleset=None), [("malformed", "ruleset")]),
        (document(ruleset=["kotipeli"]), [("malformed", "ruleset")]),
        (document(switches=None), [("malformed", "switches")]),
        (
            document(switches={"both_on_target": "win"}),
            [("out_of_range", "switches/both_on_target")],
        ),
        (
            document(switches={"both_on_target": None}),
            [("malformed", "switches/both_on_target")],
        ),
        (
            document(switches={"foul_loss_sets": "full"}),
            [("unknown_key", "switches/foul_loss_sets")],
        ),
    ],
    ids=lambda value: json.dumps(value)[:60] if not isinstance(value, list) else "",
)
def test_answer_refuses_what_is_malformed(data, expected):
    assert reasons(data) == expected


def test_answer_refuses_keys_given_twice_at_every_depth():
    data = parse(
        '{"sets_to_win": 1, "sets_to_win": 2, "deals": [{"last_trick": "A",'
        ' "mattis": {"A": 5, "B": 3, "A": 5}}]}'
    )

    assert reasons(data) == [
        ("duplicate_key", "sets_to_win"),
        ("duplicate_key", "deals/0/mattis/A"),
    ]


@pytest.mark.parametrize(
    ("deals", "expected"),
    [
        (
            [PLAIN, WRONG, {**WRONG, "last_trick": "C"}],
            [
                ("mattis_sum", "deals/1/mattis"),
                ("not_a_team", "deals/2/last_trick"),
                ("mattis_sum", "deals/2/mattis"),
            ],
        ),
        (
            [{**PLAIN, "fouls": ["A", "A"]}, {**PLAIN, "fouls": ["A"]}],
            [("third_foul_not_abandoned", "deals/1/abandoned")],
        ),
        (
            [{**PLAIN, "fouls": ["A", "A"]}, WRONG, {**PLAIN, "fouls": ["A"]}],
            [("mattis_sum", "deals/1/mattis")],
        ),
        (
            [PLAIN, {"fouls": ["A", "A"], "abandoned": True}],
            [("abandoned_without_third_foul", "deals/1/abandoned")],
        ),
        (
            [WRONG, {"fouls": ["A", "A"], "abandoned": True}],
            [("mattis_sum", "deals/0/mattis")],
        ),
        (
            [WRONG, {"fouls": [], "abandoned": True}],
            [
                ("mattis_sum", "deals/0/mattis"),
                ("abandoned_without_third_foul", "deals/1/abandoned"),
            ],
        ),
        (
            [TO_SEVEN, TO_TWELVE] * 2 + [PLAIN, WRONG],
            [
                ("after_the_end", "deals/4"),
                ("after_the_end", "deals/5"),
                ("mattis_sum", "deals/5/mattis"),
            ],
        ),
        (
            [{"fouls": ["B", "B", "B"], "abandoned": True}, PLAIN],
            [("after_the_end", "deals/1")],
        ),
        (
            [PLAIN, {**PLAIN, "club_ace": "A1"}, {**PLAIN, "club_ace": "A1"}],
            [("club_ace_not_opening", "deals/1/club_ace")],
        ),
        (
            [BY_POINTS],
            [
                ("unknown_key", "deals/0/card_points"),
                ("missing", "deals/0/mattis"),
            ],
        ),
    ],
    ids=[
        "each_sheet_by_itself",
        "third_foul",
        "third_foul_after_an_unsound_sheet",
        "no_third_foul",
        "perhaps_a_third_foul",
        "surely_no_third_foul",
        "after_the_end_by_sets",
        "after_the_end_by_fouls",
        "club_ace_until_unsound",
        "figures_of_another_ruleset",
    ],
)
def test_answer_lists_all_problems_that_can_be_known(deals, expected):
    assert reasons(document(*deals)) == expected


@pytest.mark.parametrize(
    ("rest", "deals", "expected"),
    [
        (
            {"ruleset": "bridge"},
            [
                WRONG,
                {"last_trick": "A", "card_points": {"A": 1, "B": 119}},
                {"mattis": None},
                {},
            ],
            [
                ("out_of_range", "ruleset"),
                ("mattis_sum", "deals/0/mattis"),
                ("card_points_impossible", "deals/1/card_points"),
                ("missing", "deals/2/mattis"),
                ("last_trick_missing", "deals/2/last_trick"),
                ("last_trick_missing", "deals/3/last_trick"),
            ],
        ),
        (
            {"switches": {"corrected_foul": "maybe"}},
            [
                {**PLAIN, "fouls": ["A", "A", "A"]},
                {"fouls": [{"team": "A", "corrected": True}], "abandoned": True},
            ],
            [
                ("out_of_range", "switches/corrected_foul"),
                ("third_foul_not_abandoned", "deals/0/abandoned"),
            ],
        ),
        (
            {"switches": {"foul_loss_sets": "full"}},
            [{**PLAIN, "fouls": ["A", "A"]}, {**PLAIN, "fouls": ["A"]}],
            [
                ("unknown_key", "switches/foul_loss_sets"),
                ("third_foul_not_abandoned", "deals/1/abandoned"),
            ],
        ),
        (
            {"sets_to_win": 0},
            [{**PLAIN, "fouls": ["A", "A"]}, {**PLAIN, "fouls": ["A"]}],
            [
                ("out_of_range", "sets_to_win"),
                ("third_foul_not_abandoned", "deals/1/abandoned"),
            ],
        ),
        (
            {"sets_to_win": 0},
            [TO_SEVEN, TO_TWELVE] * 9 + [PLAIN],
            [("out_of_range", "sets_to_win"), ("after_the_end", "deals/18")],
        ),
    ],
    ids=[
        "unknown_ruleset",
        "unknown_value_of_a_switch",
        "unknown_switch",
        "unknown_number_of_sets",
        "more_sets_than_any_game",
    ],
)
def test_answer_checks_the_deals_though_the_rules_are_in_doubt(rest, deals, expected):
    assert reasons(document(*deals, **rest)) == expected


def test_answer_gives_rule_and_sentence_with_each_problem():
    found, _ = answer(document(PLAIN, PLAIN, PLAIN, WRONG))

    assert found == {
        "problems": [
            {
                "code": "mattis_sum",
                "rule": "R10.1",
                "path": "deals/3/mattis",
                "message": "Mattis are 5 and 4; they add to 8.",
            }
        ]
    }
