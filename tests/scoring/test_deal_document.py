"""The ``deal`` command: documents in and out, and why one is refused."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import pytest

from scoring.deal import Deal
from scoring.deal_document import answer, deal_to_json, read_deal
from scoring.game_document import answer as answer_game
from scoring.problems import Refused
from scoring.replay import replay
from scoring.rulesets import ruleset

VECTORS = Path(__file__).parent.parent / "vectors" / "deals.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]

OPENING = {
    "hands": {
        "A1": ["CA", "CK", "CQ", "D7", "D8", "H7", "H8", "S6", "S7"],
        "B1": ["C6", "C7", "DA", "D10", "DK", "HA", "H10", "S8", "S9"],
        "A2": ["C8", "C9", "D9", "DJ", "D6", "HQ", "HJ", "SK", "SQ"],
        "B2": ["C10", "CJ", "DQ", "HK", "H6", "H9", "SA", "S10", "SJ"],
    },
    "leader": "A1",
    "set_opening": True,
    "events": [{"play": "CA"}, {"play": "HA", "corrected": "C6"}, {"play": "SK"}],
}

OPEN = {
    "ruleset": "avomarjapussi",
    "hands": {
        "A1": {
            "hand": ["C6", "C7", "C8", "C9"],
            "up": ["CJ", "CQ", "HQ", "D6", "D7", "D8", "D9"],
            "down": ["CK", "HK", "HA", "SA", "D10", "DA", "H6"],
        },
        "B1": {
            "hand": ["S6", "S7", "S8", "S9"],
            "up": ["SJ", "SQ", "SK", "S10", "H7", "H8", "H9"],
            "down": ["HJ", "H10", "DJ", "DQ", "DK", "C10", "CA"],
        },
    },
    "leader": "B1",
    "events": [],
}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_deal_gives_the_known_sheet(case):
    result, refused = answer(case["in"])

    assert refused is False
    assert (result["fouls"], result["void"], result["finished"]) == ([], [], True)
    assert [trick["winner"] for trick in result["tricks"]] == case["winners"]
    known = {key: result["sheet"][key] for key in case["sheet"]}
    assert known == case["sheet"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_game_takes_the_sheet_for_the_known_points(case):
    result, _ = answer(case["in"])
    rules = case["in"].get("ruleset", "kemistikilta-2011")
    game = {"ruleset": rules, "sets_to_win": 2, "deals": [result["sheet"]]}

    state, refused = answer_game(game)

    assert refused is False
    assert state["deals"][0]["points"] == case["deal_points"]


def test_answer_of_an_unfinished_deal_has_every_key():
    assert answer(OPENING) == (
        {
            "sheet": None,
            "tricks": [{"leader": "A1", "cards": ["CA", "C6", "SK"], "winner": None}],
            "fouls": [
                {
                    "event": 1,
                    "seat": "B1",
                    "team": "B",
                    "rule": "R2.1",
                    "legal": ["C6", "C7"],
                    "corrected": True,
                },
                {
                    "event": 2,
                    "seat": "A2",
                    "team": "A",
                    "rule": "R2.1",
                    "legal": ["C8", "C9"],
                    "corrected": False,
                },
            ],
            "void": [],
            "finished": False,
        },
        False,
    )


def test_void_act_is_listed_with_who_erred():
    document = {
        **OPENING,
        "events": [{"play": "CA"}, {"ask_half": "C", "answer": True}],
    }

    result, _ = answer(document)

    assert result["void"] == [{"event": 1, "seat": "A1", "rule": "R3.1"}]


@pytest.mark.parametrize(
    ("rules", "compared"),
    [
        ("kemistikilta-2011", ["mattis", "pips", "aces"]),
        ("wikipedia-12", ["card_points"]),
    ],
)
def test_sheet_has_exactly_the_facts_of_its_ruleset(rules, compared):
    case = next(case for case in CASES if "ruleset" not in case["in"])
    result, _ = answer({**case["in"], "ruleset": rules})

    assert list(result["sheet"]) == [
        "trump",
        "small_trumps",
        "suits",
        "last_trick",
        "no_tricks",
        "fouls",
        *compared,
    ]


def test_document_of_open_hands_reads_back():
    usual = {"ruleset": "avomarjapussi", "set_opening": False}

    assert deal_to_json(read_deal(OPEN)) == {**usual, **OPEN}


@pytest.mark.parametrize(
    "document",
    [OPENING, OPEN, *(case["in"] for case in CASES[:3])],
    ids=["partners", "open_hands", *(case["id"] for case in CASES[:3])],
)
def test_document_and_text_of_a_deal_read_back(document):
    deal = read_deal(document)

    assert read_deal(deal_to_json(deal)) == deal
    assert Deal.parse(str(deal)) == deal


def test_document_keeps_switches_that_are_not_the_ruleset_s():
    document = {**OPENING, "switches": {"corrected_foul": "counts"}}

    assert deal_to_json(read_deal(document))["switches"] == {"corrected_foul": "counts"}


def test_rules_given_are_followed_instead_of_those_of_the_document():
    rules = ruleset("wikipedia-10")

    assert read_deal(OPENING, rules).rules == rules


def test_turned_up_cards_of_a_document_are_played():
    document = deepcopy(OPEN)
    document["events"] = [{"play": card} for card in ("S10", "D9", "DQ", "D7")]

    result, refused = answer(document)

    assert (refused, result["fouls"]) == (False, [])
    assert [trick["winner"] for trick in result["tricks"]] == ["B1", "B1"]


def with_change(document, path, value):
    changed = deepcopy(document)
    *way, last = path
    inner = changed
    for key in way:
        inner = inner[key]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return changed


def refusals(document):
    result, refused = answer(document)
    assert refused is True
    return [(p["code"], p["rule"], p["path"]) for p in result["problems"]]


@pytest.mark.parametrize(
    ("path", "value", "problems"),
    [
        (["leader"], "C1", [("not_a_seat", None, "leader")]),
        (["leader"], "A2", [("opener_without_club_ace", "R2.5", "leader")]),
        (["leader"], None, [("missing", None, "leader")]),
        (["hands"], None, [("missing", None, "hands")]),
        (["events"], None, [("missing", None, "events")]),
        (["events"], {}, [("malformed", None, "events")]),
        (["hands", "B2"], None, [("missing", None, "hands/B2")]),
        (["hands", "C1"], [], [("unknown_key", None, "hands/C1")]),
        (["hands", "A1", 8], None, [("dealt_size", "R1.1", "hands/A1")]),
        (["hands", "A1", 0], "CK", [("card_twice", "R1.1", "hands/A1/1")]),
        (["hands", "A1", 0], "D10", [("card_twice", "R1.1", "hands/B1/3")]),
        (["hands", "A1", 0], "X1", [("not_a_card", None, "hands/A1/0")]),
        (["hands", "A1"], "CA", [("malformed", None, "hands/A1")]),
        (["ruleset"], "poker", [("out_of_range", None, "ruleset")]),
        (["switches"], {"x": 1}, [("unknown_key", None, "switches/x")]),
        (["set_opening"], 1, [("malformed", None, "set_opening")]),
        (["deals"], [], [("unknown_key", None, "deals")]),
        (["events", 1], "HA", [("malformed", None, "events/1")]),
        (["events", 1], {}, [("malformed", None, "events/1")]),
        (["events", 1, "declare"], "H", [("malformed", None, "events/1")]),
        (["events", 1, "corrected"], "X", [("not_a_card", None, "events/1/corrected")]),
        (["events", 1, "answer"], True, [("unknown_key", None, "events/1/answer")]),
        (["events", 2], {"declare": "X"}, [("not_a_suit", None, "events/2/declare")]),
        (["events", 2], {"declare": 1}, [("not_a_suit", None, "events/2/declare")]),
        (
            ["events", 2],
            {"ask_half": "C", "answer": "yes"},
            [("malformed", None, "events/2/answer")],
        ),
        (["events", 0], {"play": "CK9"}, [("not_a_card", None, "events/0/play")]),
        (["events", 0], {"play": "SA"}, [("card_not_there", "R1.1", "events/0/play")]),
        (
            ["events", 1],
            {"play": "C7", "corrected": "C6"},
            [("corrected_legal_card", "R7.3", "events/1/play")],
        ),
        (
            ["events", 1],
            {"play": "HA", "corrected": "DA"},
            [("corrected_to_wrong_card", "R7.3", "events/1/corrected")],
        ),
    ],
    ids=lambda value: json.dumps(value) if not isinstance(value, str) else value,
)
def test_document_is_refused_for_what_is_wrong_in_it(path, value, problems):
    assert refusals(with_change(OPENING, path, value)) == problems


def test_events_after_the_end_are_refused():
    case = CASES[0]["in"]
    count = len(case["events"])
    document = {**case, "events": [*case["events"], {"ask_whole": None}]}

    assert refusals(document) == [("after_the_deal", "R1.1", f"events/{count}")]


@pytest.mark.parametrize(
    ("path", "value", "problems"),
    [
        (["hands", "A1", "down"], None, [("missing", None, "hands/A1/down")]),
        (["hands", "A1", "up", 6], None, [("dealt_size", "R1.1", "hands/A1/up")]),
        (["hands", "A1", "up", 0], "S9", [("card_twice", "R1.1", "hands/B1/hand/3")]),
        (["hands", "A1"], ["C6"], [("malformed", None, "hands/A1")]),
        (["hands", "A2"], {}, [("unknown_key", None, "hands/A2")]),
        (["leader"], "A2", [("not_a_seat", None, "leader")]),
    ],
    ids=["part_lacks", "too_few", "twice", "no_parts", "no_such_seat", "no_leader"],
)
def test_open_hands_are_refused_for_what_is_wrong_in_them(path, value, problems):
    assert refusals(with_change(OPEN, path, value)) == problems


def test_hands_of_four_are_none_of_two():
    assert refusals({**OPENING, "ruleset": "avomarjapussi"}) == [
        ("unknown_key", None, "hands/A2"),
        ("unknown_key", None, "hands/B2"),
        ("malformed", None, "hands/A1"),
        ("malformed", None, "hands/B1"),
    ]


def test_every_malformed_event_is_told_and_only_the_first_impossible_one():
    malformed = with_change(OPENING, ["events"], [{"play": "X"}, {"pass": 1}, {}])
    impossible = with_change(OPENING, ["events"], [{"play": "SA"}, {"play": "SA"}])

    assert [path for _, _, path in refusals(malformed)] == [
        "events/0/play",
        "events/1",
        "events/2",
    ]
    assert [path for _, _, path in refusals(impossible)] == ["events/0/play"]


@pytest.mark.parametrize("document", [None, [], "deal", 5], ids=repr)
def test_what_is_no_object_is_refused(document):
    assert refusals(document) == [("malformed", None, "")]


def test_read_deal_leaves_events_that_cannot_happen_to_the_replay():
    deal = read_deal(with_change(OPENING, ["events"], [{"play": "SA"}]))

    with pytest.raises(Refused, match="events/0/play: A1 has no SA to play"):
        replay(deal)
