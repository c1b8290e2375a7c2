"""Anything at all on the command line: an answer or a failure, never a traceback."""

from __future__ import annotations

import json
from io import BytesIO, StringIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.__main__ import COMMANDS, main

WORDS = [
    *("sets_to_win", "deals", "ruleset", "switches", "club_ace", "trump"),
    *("small_trumps", "last_trick", "mattis", "pips", "aces", "card_points"),
    *("no_tricks", "fouls", "abandoned", "suits", "small", "team", "corrected"),
    *("A", "B", "A1", "H", "kotipeli", "wikipedia-12", "corrected_foul", "counts"),
    *("hand", "trick", "trick_number", "must_lead", "set_opening", "SA", "C10"),
    *("teams", "games", "lots", "complete", "a", "b", "sets", "winner", "t1"),
    *("hands", "leader", "events", "play", "declare", "ask_whole", "ask_half"),
    *("answer", "up", "down", "avomarjapussi", "CA", "HK"),
    *("", "deals/0", "\ud800", "\u0000", "x" * 100),
]
ODD = [
    *("null", "true", "NaN", "-Infinity", "5.0", "1e400", "-0", '"\\ud800"', "[]"),
    *("{}", str(10**100), "9" * 5000, "[" * 400 + "]" * 400, '{"a":1,"a":2}'),
]

words = st.sampled_from(WORDS)
values = st.one_of(
    words.map(json.dumps),
    st.integers(-1, 40).map(str),
    st.sampled_from(ODD),
    st.text(max_size=3).map(json.dumps),
)


def a_list(items):
    return "[" + ",".join(items) + "]"


def an_object(members):
    return "{" + ",".join(f"{json.dumps(key)}:{text}" for key, text in members) + "}"


texts = st.recursive(
    values,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(a_list),
        st.lists(st.tuples(words, inner), max_size=6).map(an_object),
    ),
    max_leaves=25,
)
pairs = st.tuples(values, values).map(
    lambda both: an_object(zip("AB", both, strict=True))
)
deals = st.lists(st.tuples(words, values | pairs | texts), max_size=6).map(an_object)
games = st.tuples(st.lists(deals, max_size=3).map(a_list), values, texts).map(
    lambda parts: an_object(
        [
            ("sets_to_win", "2"),
            ("deals", parts[0]),
            ("ruleset", parts[1]),
            ("switches", parts[2]),
        ]
    )
)


def run(*arguments, stdin=b""):
    stdout, stderr = BytesIO(), StringIO()
    status = main(arguments, BytesIO(stdin), stdout, stderr)
    return status, stdout.getvalue(), stderr.getvalue()


def assert_in_order(status, stdout, stderr, documents=1):
    """Check that status, answers and complaint agree with each other."""
    answers = [json.loads(line) for line in stdout.splitlines()]
    refused = [answer for answer in answers if "problems" in answer]
    if status == 2:
        assert len(answers) < documents
        assert stderr.count("\n") == 1
        return
    assert (len(answers), stderr) == (documents, "")
    assert status == (1 if refused else 0)
    for answer in refused:
        assert answer["problems"]
        for problem in answer["problems"]:
            assert list(problem) == ["code", "rule", "path", "message"]
            assert problem["message"].isprintable()


@pytest.mark.parametrize("command", COMMANDS)
@given(st.binary(max_size=60))
@example(b"\xef\xbb\xbf{}")
@example(b"[" * 100_000)
def test_command_takes_any_bytes(command, stdin):
    assert_in_order(*run(command, stdin=stdin))


@pytest.mark.parametrize("command", COMMANDS)
@given(texts)
def test_command_takes_any_json(command, text):
    status, stdout, stderr = run(command, stdin=text.encode())

    assert status < 2
    assert_in_order(status, stdout, stderr)


@given(games)
def test_game_takes_any_deals(text):
    status, stdout, stderr = run("game", stdin=text.encode())

    assert status < 2
    assert_in_order(status, stdout, stderr)


FOUR_HANDS = {
    seat: [f"{suit}{rank}" for rank in ("6", "7", "8", "9", "J", "Q", "K", "10", "A")]
    for seat, suit in zip(("A1", "B1", "A2", "B2"), "CDHS", strict=True)
}
deal_events = st.lists(st.tuples(words, values | texts), max_size=3).map(an_object)
whole_deals = st.tuples(
    values, st.lists(deal_events, max_size=5).map(a_list), texts
).map(
    lambda parts: an_object(
        [
            ("hands", json.dumps(FOUR_HANDS)),
            ("leader", parts[0]),
            ("events", parts[1]),
            ("switches", parts[2]),
        ]
    )
)


@given(whole_deals)
def test_deal_takes_any_events(text):
    status, stdout, stderr = run("deal", stdin=text.encode())

    assert status < 2
    assert_in_order(status, stdout, stderr)


@given(st.lists(texts, max_size=4))
def test_lines_takes_any_json(lines):
    status, stdout, stderr = run(
        "game", "--lines", stdin="".join(f"{line}\n\n" for line in lines).encode()
    )

    assert status < 2
    assert_in_order(status, stdout, stderr, documents=len(lines))


@given(
    st.lists(
        st.sampled_from(
            [
                *("game", "legal", "--lines", "-", "--", "-h", "no/such", "\0"),
                *("playout", "--deals", "--seed", "--count-only", "--seed=2", "0"),
            ]
        )
        | st.text(max_size=4),
        max_size=4,
    )
)
def test_main_takes_any_arguments(arguments):
    status, stdout, stderr = run(*arguments, stdin=b"{}")

    # No deals are printed as nothing at all.
    documents = 0 if arguments[:1] == ["playout"] and not (status or stdout) else 1
    assert_in_order(status, stdout, stderr, documents)
