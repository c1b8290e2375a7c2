"""Problems: their text form, and a sentence for each code whatever the figures."""

from __future__ import annotations

import pytest

from scoring.problems import Code, Problem, Refused, join


def test_problem_to_json_has_code_rule_path_and_sentence():
    problem = Problem(
        Code.MATTIS_SUM, "deals/3/mattis", (("a", 5), ("b", 4), ("needed", 8))
    )

    assert problem.to_json() == {
        "code": "mattis_sum",
        "rule": "R10.1",
        "path": "deals/3/mattis",
        "message": "Mattis are 5 and 4; they add to 8.",
    }


@pytest.mark.parametrize("code", Code)
def test_every_code_has_a_sentence_without_its_figures(code):
    message = Problem(code, "").message

    assert (message[-1], message.strip()) == (".", message)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (10**5000, "a number far out of range is not a team: A or B."),
        (-(10**18), "a number far out of range is not a team: A or B."),
        ("{x}", "{x} is not a team: A or B."),
    ],
    ids=["huge", "far_below", "braces"],
)
def test_message_takes_any_figure(value, message):
    assert Problem(Code.NOT_A_TEAM, "", (("value", value),)).message == message


@pytest.mark.parametrize(
    ("path", "inside", "whole"),
    [
        ("deals/0", "mattis/A", "deals/0/mattis/A"),
        ("deals/0", "", "deals/0"),
        ("", "mattis", "mattis"),
        ("", "", ""),
    ],
)
def test_under_puts_the_outer_path_in_front(path, inside, whole):
    assert Problem(Code.MISSING, inside).under(path) == Problem(Code.MISSING, whole)


def test_join_takes_indexes():
    assert join(join("", "deals"), 0) == "deals/0"


def test_refused_holds_every_problem_and_prints_them():
    refused = Refused(
        [
            Problem(Code.LAST_TRICK_MISSING, "last_trick"),
            Problem(Code.AFTER_THE_END, "", (("team", "B"),)),
        ]
    )

    assert [problem.code for problem in refused.problems] == [
        Code.LAST_TRICK_MISSING,
        Code.AFTER_THE_END,
    ]
    assert str(refused) == (
        "last_trick: The last trick has no winner.; "
        "document: Team B has already won the game."
    )
