"""The command legal: its documents, and every reason to refuse one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.documents import shown
from scoring.tricks import answer

VECTORS = Path(__file__).parent.parent / "vectors" / "legal.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]

FOLLOWING = {
    "hand": ["S10", "S7", "HA"],
    "trick": ["SK", "H8"],
    "trump": "H",
    "trick_number": 4,
    "must_lead": None,
    "set_opening": False,
}
LEADING = FOLLOWING | {"trick": [], "must_lead": "S"}


def refusals(document):
    """Return the code and path of every problem of a document refused."""
    result, refused = answer(document)
    assert refused is True
    return [(problem["code"], problem["path"]) for problem in result["problems"]]


def test_document_is_answered_with_legal_cards_duty_and_rule():
    assert answer(FOLLOWING) == (
        {"legal": ["S7", "S10"], "duty": "follow_suit", "rule": "R2.1"},
        False,
    )


def test_small_trump_to_lead_is_read_from_the_document():
    assert answer(LEADING) == (
        {"legal": ["S7", "S10"], "duty": "lead_small_trump", "rule": "R2.8"},
        False,
    )


def test_defaults_are_no_trump_no_small_trump_and_no_opening():
    given = {"hand": ["CA", "DA", "S7"], "trick": [], "trick_number": 1}

    assert answer(given) == (
        {"legal": ["CA", "DA"], "duty": "lead_ace", "rule": "R2.5"},
        False,
    )
    assert answer(given) == answer(
        given | {"trump": None, "must_lead": None, "set_opening": False}
    )
    assert answer(given | {"set_opening": True}) == (
        {"legal": ["CA"], "duty": "lead_club_ace", "rule": "R2.5"},
        False,
    )


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_vector_document_gives_its_legal_cards(case):
    result, refused = answer(case["in"])

    assert refused is False
    assert result["legal"] == case["legal"]


def test_small_trump_not_in_hand_leaves_the_lead_free():
    assert answer(LEADING | {"must_lead": "D"}) == (
        {"legal": ["HA", "S7", "S10"], "duty": "free", "rule": "R2.4"},
        False,
    )


@pytest.mark.parametrize("number", [2, 4])
def test_set_opening_after_the_first_trick_is_accepted_and_binds_nothing(number):
    document = {"hand": ["CA", "D6"], "trick": [], "trick_number": number}

    assert answer(document | {"set_opening": True}) == (
        {"legal": ["CA", "D6"], "duty": "free", "rule": "R2.4"},
        False,
    )


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        ({"hand": "S10"}, [("malformed", "hand")]),
        ({"hand": None}, [("malformed", "hand")]),
        ({"hand": ["S1", "S7"]}, [("not_a_card", "hand/0")]),
        ({"hand": ["S7", 7]}, [("not_a_card", "hand/1")]),
        ({"hand": [["S7"]]}, [("not_a_card", "hand/0")]),
        ({"hand": ["s7"]}, [("not_a_card", "hand/0")]),
        ({"hand": []}, [("hand_size", "hand")]),
        ({"hand": ["S6", "S7", "S8"], "trick_number": 8}, [("hand_size", "hand")]),
        ({"hand": ["S6", "S6"]}, [("card_twice", "hand/1")]),
        ({"hand": ["SK"]}, [("card_twice", "trick/0")]),
        ({"trick": ["SK", "H8", "SK"]}, [("card_twice", "trick/2")]),
        ({"trick": {}}, [("malformed", "trick")]),
        ({"trick": ["C5"]}, [("not_a_card", "trick/0")]),
        ({"trick": ["C6", "C7", "C8", "C9"]}, [("trick_size", "trick")]),
        ({"trick_number": 0}, [("out_of_range", "trick_number")]),
        ({"trick_number": 10}, [("out_of_range", "trick_number")]),
        ({"trick_number": 4.0}, [("not_a_whole_number", "trick_number")]),
        ({"trick_number": True}, [("not_a_whole_number", "trick_number")]),
        ({"trick_number": "4"}, [("not_a_whole_number", "trick_number")]),
        ({"trick_number": None}, [("not_a_whole_number", "trick_number")]),
        ({"trick_number": 2}, [("trump_too_early", "trump")]),
        ({"trick_number": 1}, [("trump_too_early", "trump")]),
        ({"trump": "h"}, [("not_a_suit", "trump")]),
        ({"trump": False}, [("not_a_suit", "trump")]),
        ({"trump": ""}, [("not_a_suit", "trump")]),
        ({"set_opening": 1}, [("malformed", "set_opening")]),
        ({"set_opening": None}, [("malformed", "set_opening")]),
        ({"leader": "A1"}, [("unknown_key", "leader")]),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
)
def test_turn_is_refused_for(change, problems):
    assert refusals(FOLLOWING | change) == problems


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        ({"must_lead": "X"}, [("not_a_suit", "must_lead")]),
        ({"must_lead": []}, [("not_a_suit", "must_lead")]),
        ({"trick": ["C6"]}, [("must_lead_after_the_lead", "must_lead")]),
        ({"trump": None}, [("must_lead_without_trump", "must_lead")]),
        ({"must_lead": "H"}, [("must_lead_is_trump", "must_lead")]),
        ({"trick_number": 3}, [("must_lead_too_early", "must_lead")]),
        (
            {"trick": ["C6"], "trump": None, "trick_number": 1},
            [
                ("must_lead_after_the_lead", "must_lead"),
                ("must_lead_without_trump", "must_lead"),
                ("must_lead_too_early", "must_lead"),
            ],
        ),
        ({"trump": "X"}, [("not_a_suit", "trump")]),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
)
def test_small_trump_to_lead_is_refused_for(change, problems):
    assert refusals(LEADING | change) == problems


@pytest.mark.parametrize("key", ["hand", "trick", "trick_number"])
def test_missing_key_is_named(key):
    document = {name: value for name, value in FOLLOWING.items() if name != key}

    assert refusals(document) == [("missing", key)]


@pytest.mark.parametrize("document", [None, [], "S7", 4, True, [FOLLOWING]], ids=str)
def test_document_that_is_no_object_is_refused(document):
    assert refusals(document) == [("malformed", "")]


def test_every_problem_is_listed_at_once():
    document = {
        "hand": ["S7", "S7", "X"],
        "trick": ["S7", "C6", "C7", "C8"],
        "trick_number": 2,
        "trump": "H",
        "must_lead": "D",
        "set_opening": "no",
        "seat": "A1",
    }

    assert refusals(document) == [
        ("unknown_key", "seat"),
        ("not_a_card", "hand/2"),
        ("malformed", "set_opening"),
        ("trick_size", "trick"),
        ("card_twice", "hand/1"),
        ("card_twice", "trick/0"),
        ("trump_too_early", "trump"),
        ("must_lead_after_the_lead", "must_lead"),
        ("must_lead_too_early", "must_lead"),
    ]


def test_hand_too_large_for_any_trick_is_found_without_a_trick_number():
    hand = ["C6", "C7", "C8", "C9", "CJ", "CQ", "CK", "C10", "CA", "D6"]

    assert refusals({"hand": hand, "trick": []}) == [
        ("missing", "trick_number"),
        ("hand_size", "hand"),
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"hand": ["S9", "HK", "S9"]},
            ("card_twice", "R1.1", "hand/2", "S9 is there twice."),
        ),
        (
            {"hand": ["S6", "S7", "S8"], "trick_number": 8},
            ("hand_size", "R1.1", "hand", "3 cards in hand; possible are 1..2."),
        ),
        (
            {"trick_number": 2},
            ("trump_too_early", "R3.1", "trump", "There is no trump before trick 3."),
        ),
        (
            {"hand": ["S5"]},
            (
                *("not_a_card", None, "hand/0"),
                f"{shown('S5')} is not a card, such as S10 or HA.",
            ),
        ),
    ],
    ids=["card_twice", "hand_size", "trump_too_early", "not_a_card"],
)
def test_problem_tells_rule_and_figures(change, problem):
    result, _ = answer(FOLLOWING | change)

    assert result == {
        "problems": [
            dict(zip(("code", "rule", "path", "message"), problem, strict=True))
        ]
    }


@pytest.mark.parametrize("number", range(1, 10))
def test_hand_may_hold_one_to_ten_minus_trick_number_cards(number):
    full = ["C6", "C7", "C8", "C9", "CJ", "CQ", "CK", "C10", "CA"][: 10 - number]
    document = {"trick": [], "trick_number": number}

    assert answer(document | {"hand": full})[1] is False
    assert answer(document | {"hand": full[:1]})[1] is False
    assert refusals(document | {"hand": [*full, "D6"]}) == [("hand_size", "hand")]


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(["S10", "HA", "C6", "H", "S"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from([*FOLLOWING, "x"]), json_values) | json_values,
    st.booleans(),
)
def test_any_json_is_answered_or_refused_with_problems(document, patch):
    if patch and isinstance(document, dict):
        document = FOLLOWING | document

    result, refused = answer(document)

    assert sorted(result) == (["problems"] if refused else ["duty", "legal", "rule"])
    assert all(result.values())
    json.dumps(result)
