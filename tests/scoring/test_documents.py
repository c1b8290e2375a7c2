"""Strict JSON: what is none, what is read, and what the Reader has against it."""

from __future__ import annotations

import math

import pytest

from scoring.documents import (
    MAX_DEPTH,
    NotJson,
    Reader,
    pair_to_json,
    parse,
    refusal,
    shown,
)
from scoring.problems import Code, Problem
from scoring.rulesets import NoTricks
from scoring.sides import Pair, Seat, Side
from scoring.suits import Suit


def nested(depth):
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "{'a': 1}",
        "nul",
        "1 2",
        b"\xff",
        b'"\xc3"',
        "\ud800",
        nested(MAX_DEPTH + 1),
        nested(100_000),
        "[" * 100_000,
        '{"a":' * 2000 + "1" + "}" * 2000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_parse_refuses_what_is_no_json(text):
    with pytest.raises(NotJson) as refused:
        parse(text)

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'{"a": [1, null]}', {"a": [1, None]}),
        (b"\xef\xbb\xbf[]", []),
        ('"\u00e4"', "\u00e4"),
        ('"\\ud800"', "\ud800"),
        ("5.0", 5.0),
        ("1e999", math.inf),
        ("-Infinity", -math.inf),
        (str(10**100), 10**100),
        ("-" + "9" * 10_000, -int("9" * 999)),
        (nested(2), [[]]),
    ],
    ids=lambda value: str(value)[:12],
)
def test_parse_reads_all_that_is_json(text, value):
    assert parse(text) == value


def test_parse_reads_up_to_the_deepest_nesting():
    assert parse(nested(MAX_DEPTH))[0] is not None


def test_parse_remembers_keys_given_twice_and_keeps_the_last():
    value = parse('{"a": 1, "b": 2, "a": 3, "c": {"d": 1, "d": 1}, "a": 4}')

    assert value == {"a": 4, "b": 2, "c": {"d": 1}}
    assert (value.duplicates, value["c"].duplicates) == (("a",), ("d",))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        ({}, "an object"),
        ([], "a list"),
        ("a\nb\x7f", '"a\\nb\\x7f"'),
        ("\u00e4", '"\u00e4"'),
        ("\ud800", '"\\ud800"'),
        ("x" * 40, '"' + "x" * 40 + '"'),
        ("x" * 41, '"' + "x" * 40 + '..."'),
        (12, "12"),
        (10**5000, "a number far out of range"),
        (5.0, "5.0"),
        (math.nan, "nan"),
    ],
    ids=lambda value: str(value)[:12] if not isinstance(value, int) else "",
)
def test_shown_is_short_and_printable_for_any_value(value, text):
    assert (shown(value), text.isprintable()) == (text, True)


WHOLE = [True, False, None, 5.0, math.nan, math.inf, "5", [], {}]


@pytest.mark.parametrize("value", WHOLE, ids=repr)
def test_whole_refuses_what_is_no_whole_number(value):
    reader = Reader()

    assert reader.whole(value, "n", 0, 9) is None
    assert codes(reader) == [(Code.NOT_A_WHOLE_NUMBER, "n")]


@pytest.mark.parametrize("value", [0, 10, -5, 10**100])
def test_whole_refuses_numbers_out_of_range(value):
    reader = Reader()

    assert reader.whole(value, "n", 1, 9) is None
    assert codes(reader) == [(Code.OUT_OF_RANGE, "n")]
    assert reader.problems[0].message.endswith("is not among 1..9.")


@pytest.mark.parametrize(("low", "high"), [(1, 9), (1, None), (None, 9), (None, None)])
@pytest.mark.parametrize("value", [1, 9])
def test_whole_takes_numbers_in_range(value, low, high):
    reader = Reader()

    assert reader.whole(value, "n", low, high) == value
    assert reader.problems == []


def test_members_reports_every_key_and_returns_the_known_ones():
    reader = Reader()
    value = parse('{"a": 1, "x": 2, "c": null, "c": 3}')

    known = reader.members(value, "here", required=("a", "b"), optional=("c",))

    assert known == {"a": 1, "c": 3}
    assert codes(reader) == [
        (Code.DUPLICATE_KEY, "here/c"),
        (Code.UNKNOWN_KEY, "here/x"),
        (Code.MISSING, "here/b"),
    ]


@pytest.mark.parametrize(
    ("read", "value", "code"),
    [
        (Reader.members, [], Code.MALFORMED),
        (Reader.items, {}, Code.MALFORMED),
        (Reader.items, "ab", Code.MALFORMED),
        (Reader.flag, 1, Code.MALFORMED),
        (Reader.flag, None, Code.MALFORMED),
        (Reader.text, 5, Code.MALFORMED),
        (Reader.pair, [5, 3], Code.MALFORMED),
        (Reader.side, "a", Code.NOT_A_TEAM),
        (Reader.side, None, Code.NOT_A_TEAM),
        (Reader.side, [], Code.NOT_A_TEAM),
        (Reader.seat, "A3", Code.NOT_A_SEAT),
        (Reader.seat, {}, Code.NOT_A_SEAT),
        (Reader.suit, "X", Code.NOT_A_SUIT),
        (Reader.suit, 1, Code.NOT_A_SUIT),
    ],
    ids=lambda value: getattr(value, "__name__", repr(value)),
)
def test_reader_refuses_values_of_another_kind(read, value, code):
    reader = Reader()

    assert read(reader, value, "here") is None
    assert codes(reader) == [(code, "here")]


@pytest.mark.parametrize(
    ("read", "value", "expected"),
    [
        (Reader.items, [1, 2], [1, 2]),
        (Reader.flag, False, False),
        (Reader.text, "", ""),
        (Reader.pair, {"A": 5, "B": 3}, Pair(5, 3)),
        (Reader.side, "B", Side.B),
        (Reader.seat, "A2", Seat.A2),
        (Reader.suit, "H", Suit.H),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_reader_returns_values_in_their_own_type(read, value, expected):
    reader = Reader()

    assert read(reader, value, "here") == expected
    assert reader.problems == []


def test_pair_reports_both_members():
    reader = Reader()

    assert reader.pair({"A": 5.0, "B": -1}, "mattis", 0, 8) is None
    assert codes(reader) == [
        (Code.NOT_A_WHOLE_NUMBER, "mattis/A"),
        (Code.OUT_OF_RANGE, "mattis/B"),
    ]


def test_seat_refuses_a_seat_that_this_game_lacks():
    reader = Reader()

    assert reader.seat("A2", "club_ace", (Seat.A1, Seat.B1)) is None
    assert codes(reader) == [(Code.NOT_A_SEAT, "club_ace")]


@pytest.mark.parametrize(
    ("value", "code"), [("never", Code.OUT_OF_RANGE), (1, Code.MALFORMED)]
)
def test_choice_refuses_what_is_not_offered(value, code):
    reader = Reader()

    assert reader.choice(value, "switch", NoTricks) is None
    assert codes(reader) == [(code, "switch")]


def test_choice_returns_the_member():
    assert Reader().choice("porvoo", "switch", NoTricks) is NoTricks.PORVOO


def test_pair_to_json_names_the_teams():
    assert pair_to_json(Pair(5, 3)) == {"A": 5, "B": 3}


def test_refusal_lists_the_problems():
    problem = Problem(Code.MISSING, "deals", (("key", '"deals"'),))

    assert refusal([problem]) == {"problems": [problem.to_json()]}


def codes(reader):
    return [(problem.code, problem.path) for problem in reader.problems]
