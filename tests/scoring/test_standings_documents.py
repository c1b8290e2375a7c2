"""The command standings: its documents, and every reason to refuse one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.documents import shown
from scoring.standings import answer

VECTORS = Path(__file__).parent.parent / "vectors" / "standings.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]


def game(a, b, sets_a=2, sets_b=0, winner="a"):
    return {"a": a, "b": b, "sets": {"a": sets_a, "b": sets_b}, "winner": winner}


CIRCLE = {
    "teams": ["t1", "t2", "t3"],
    "games": [game("t1", "t2"), game("t2", "t3"), game("t3", "t1")],
}


def refusals(document):
    """Return the code and path of every problem of a document refused."""
    result, refused = answer(document)
    assert refused is True
    return [(problem["code"], problem["path"]) for problem in result["problems"]]


def ranks(document):
    result, refused = answer(document)
    assert refused is False
    return [(row["rank"], row["team"], row["decided_by"]) for row in result["rows"]]


KEYS = (
    *("team", "rank", "played", "won", "lost", "sets_won", "sets_lost"),
    *("decided_by", "tied_with"),
)


def row(*values):
    return dict(zip(KEYS, values, strict=True))


def test_document_is_answered_with_rows_and_lots_needed():
    document = {
        "teams": ["t1", "t2", "t3", "t4"],
        "games": [
            game("t1", "t4"),
            game("t2", "t4", 0, 1, winner="a"),
            game("t4", "t3", 2, 1, winner="b"),
            game("t1", "t2", 0, 0, winner=None),
        ],
    }

    assert answer(document) == (
        {
            "rows": [
                row("t1", 1, 2, 1, 1, 2, 0, None, []),
                row("t3", 2, 1, 1, 0, 1, 2, "sets_won", []),
                row("t2", 3, 2, 1, 1, 0, 1, "sets_won", []),
                row("t4", 4, 3, 0, 3, 3, 3, "won", []),
            ],
            "lots_needed": [],
        },
        False,
    )


def test_level_teams_are_named_in_rows_and_in_lots_needed():
    result, _ = answer(CIRCLE)

    assert [row["tied_with"] for row in result["rows"]] == [
        ["t2", "t3"],
        ["t1", "t3"],
        ["t1", "t2"],
    ]
    assert result["lots_needed"] == [["t1", "t2", "t3"]]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_vector_document_gives_its_ranks_and_ties(case):
    result, refused = answer(case["in"])

    assert refused is False
    rows = result["rows"]
    assert {row["team"]: row["rank"] for row in rows} == case["ranks"]
    assert {
        row["team"]: {key: row[key] for key in ("won", "sets_won", "sets_lost")}
        for row in rows
    } == case["table"]
    tied = {row["rank"]: [row["team"], *row["tied_with"]] for row in rows[::-1]}
    assert [tied[rank] for rank in sorted(tied) if len(tied[rank]) > 1] == (
        case["tied_groups"]
    )


def test_lots_settle_a_tied_set_that_they_name_wholly():
    assert ranks(CIRCLE | {"lots": ["t3", "t1", "t2"]}) == [
        (1, "t3", None),
        (2, "t1", "lot"),
        (3, "t2", "lot"),
    ]
    assert ranks(CIRCLE | {"lots": ["t3", "t1"]}) == [
        (1, "t1", None),
        (1, "t2", None),
        (1, "t3", None),
    ]


TWO_LEVEL = {
    "teams": ["t1", "t2", "t3"],
    "games": [game("t1", "t3"), game("t2", "t3")],
    "lots": ["t3", "t2", "t1"],
}


def test_lots_settle_a_tied_set_within_the_teams_they_name():
    assert ranks(TWO_LEVEL | {"complete": True}) == [
        (1, "t2", None),
        (2, "t1", "lot"),
        (3, "t3", "won"),
    ]


@pytest.mark.parametrize(
    "document",
    [TWO_LEVEL, TWO_LEVEL | {"complete": False}],
    ids=["a_pair_has_not_met", "said_so"],
)
def test_lots_are_ignored_while_the_group_is_not_complete(document):
    result, refused = answer(document)

    assert refused is False
    assert [row["rank"] for row in result["rows"]] == [1, 1, 3]
    assert result["lots_needed"] == []


def test_lots_default_to_none_drawn():
    assert answer(CIRCLE | {"lots": []}) == answer(CIRCLE)


@pytest.mark.parametrize(
    "teams", [[], ["t1"], ["", "t 1/2", "Ässät"]], ids=["none", "one", "any_texts"]
)
def test_teams_without_games_are_answered(teams):
    result, refused = answer({"teams": teams, "games": []})

    assert refused is False
    assert [row["team"] for row in result["rows"]] == teams


def changed(index=0, **members):
    """Return a circle with one game changed."""
    games = [dict(entry) for entry in CIRCLE["games"]]
    games[index] |= members
    return {"games": games}


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        ({"teams": "t1"}, [("malformed", "teams")]),
        (
            {"teams": ["t1", 2, "t2", "t3", None]},
            [("malformed", "teams/1"), ("malformed", "teams/4")],
        ),
        ({"teams": ["t1", "t2", "t3", "t1"]}, [("team_twice", "teams/3")]),
        (
            {"teams": ["t1", "t2", "t3", "t1", "t1"]},
            [("team_twice", "teams/3"), ("team_twice", "teams/4")],
        ),
        (
            {"teams": ["t1", "t3"]},
            [("unknown_team", "games/0/b"), ("unknown_team", "games/1/a")],
        ),
        ({"games": {}}, [("malformed", "games")]),
        ({"games": None}, [("malformed", "games")]),
        ({"games": [["t1", "t2"]]}, [("malformed", "games/0")]),
        (changed(a="t9"), [("unknown_team", "games/0/a")]),
        (changed(2, b="T1"), [("unknown_team", "games/2/b")]),
        (changed(a=1), [("malformed", "games/0/a")]),
        (changed(b=None), [("malformed", "games/0/b")]),
        (changed(1, b="t2"), [("team_against_itself", "games/1")]),
        (
            changed(a="x", b="x"),
            [
                ("unknown_team", "games/0/a"),
                ("unknown_team", "games/0/b"),
                ("team_against_itself", "games/0"),
            ],
        ),
        (changed(sets=[2, 0]), [("malformed", "games/0/sets")]),
        (changed(sets={"a": 2}), [("missing", "games/0/sets/b")]),
        (changed(sets={"a": -1, "b": 0}), [("out_of_range", "games/0/sets/a")]),
        (changed(sets={"a": 2, "b": 100}), [("out_of_range", "games/0/sets/b")]),
        (
            changed(sets={"a": 2.0, "b": True}),
            [
                ("not_a_whole_number", "games/0/sets/a"),
                ("not_a_whole_number", "games/0/sets/b"),
            ],
        ),
        (
            changed(sets={"a": 2, "b": 0, "c": 1}),
            [("unknown_key", "games/0/sets/c")],
        ),
        (changed(winner="A"), [("malformed", "games/0/winner")]),
        (changed(winner="t1"), [("malformed", "games/0/winner")]),
        (changed(winner=0), [("malformed", "games/0/winner")]),
        (changed(winner=["a"]), [("malformed", "games/0/winner")]),
        (changed(table=4), [("unknown_key", "games/0/table")]),
        ({"lots": "t1"}, [("malformed", "lots")]),
        ({"lots": None}, [("malformed", "lots")]),
        ({"lots": [1]}, [("malformed", "lots/0")]),
        ({"lots": ["t1", "t9"]}, [("unknown_team", "lots/1")]),
        ({"lots": ["t1", "t2", "t1"]}, [("team_twice", "lots/2")]),
        ({"complete": 1}, [("malformed", "complete")]),
        ({"complete": None}, [("malformed", "complete")]),
        ({"withdrawn": ["t1"]}, [("unknown_key", "withdrawn")]),
    ],
    ids=lambda value: json.dumps(value)[:70] if isinstance(value, dict) else "",
)
def test_group_is_refused_for(change, problems):
    assert refusals(CIRCLE | change) == problems


@pytest.mark.parametrize("key", ["teams", "games"])
def test_missing_key_of_the_group_is_named(key):
    document = {name: value for name, value in CIRCLE.items() if name != key}

    assert refusals(document) == [("missing", key)]


@pytest.mark.parametrize("key", ["a", "b", "sets", "winner"])
def test_missing_key_of_a_game_is_named(key):
    entry = {name: value for name, value in game("t1", "t2").items() if name != key}

    assert refusals(CIRCLE | {"games": [entry]}) == [("missing", f"games/0/{key}")]


@pytest.mark.parametrize("sets", [0, 99])
def test_sets_from_0_to_99_are_accepted(sets):
    document = CIRCLE | changed(sets={"a": sets, "b": sets})

    assert answer(document)[1] is False


@pytest.mark.parametrize("document", [None, [], "t1", 3, False, [CIRCLE]], ids=str)
def test_document_that_is_no_object_is_refused(document):
    assert refusals(document) == [("malformed", "")]


def test_every_problem_is_listed_at_once():
    document = {
        "teams": ["t1", "t2", "t1"],
        "games": [game("t1", "t9"), game("t2", "t2", 100, -1, winner="c"), None],
        "lots": ["t2", "t2", "t8"],
        "complete": "yes",
        "group": "A",
    }

    assert refusals(document) == [
        ("unknown_key", "group"),
        ("team_twice", "teams/2"),
        ("unknown_team", "games/0/b"),
        ("team_against_itself", "games/1"),
        ("out_of_range", "games/1/sets/a"),
        ("out_of_range", "games/1/sets/b"),
        ("malformed", "games/1/winner"),
        ("malformed", "games/2"),
        ("team_twice", "lots/1"),
        ("unknown_team", "lots/2"),
        ("malformed", "complete"),
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            {"teams": ["t1", "t2", "t3", "t1"]},
            ("team_twice", "teams/3", f"{shown('t1')} is listed twice."),
        ),
        (
            changed(a="t9"),
            ("unknown_team", "games/0/a", f"{shown('t9')} is not a team of the group."),
        ),
        (
            changed(1, b="t2"),
            (
                "team_against_itself",
                "games/1",
                f"{shown('t2')} cannot play against itself.",
            ),
        ),
        (
            changed(winner="t1"),
            (
                "malformed",
                "games/0/winner",
                f"{shown('t1')} stands where a, b or null belongs.",
            ),
        ),
    ],
    ids=["team_twice", "unknown_team", "team_against_itself", "winner"],
)
def test_problem_says_which_team(change, problem):
    result, _ = answer(CIRCLE | change)

    code, path, message = problem
    assert result == {
        "problems": [{"code": code, "rule": None, "path": path, "message": message}]
    }


def test_answer_leaves_the_document_as_it_was():
    before = json.dumps(TWO_LEVEL)

    answer(TWO_LEVEL)

    assert json.dumps(TWO_LEVEL) == before


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 101)
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(["t1", "t2", "t3", "a", "b"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "sets", "winner"]), inner)
    ),
    max_leaves=10,
)
names = st.sampled_from(["t1", "t2", "t3", "t4"])
games = st.builds(
    game,
    names,
    names,
    st.integers(-1, 3),
    st.integers(0, 3),
    st.sampled_from(["a", "b", None, "A"]),
)


@given(
    json_values
    | st.dictionaries(st.sampled_from([*TWO_LEVEL, "complete", "x"]), json_values)
    | st.fixed_dictionaries(
        {"teams": st.lists(names), "games": st.lists(games, max_size=4)},
        optional={"lots": st.lists(names), "complete": st.booleans()},
    )
)
def test_any_json_is_answered_or_refused_with_problems(document):
    result, refused = answer(document)

    if refused:
        assert list(result) == ["problems"]
        assert result["problems"] != []
    else:
        assert list(result) == ["rows", "lots_needed"]
        assert sorted(row["team"] for row in result["rows"]) == sorted(
            document["teams"]
        )
    json.dumps(result)
