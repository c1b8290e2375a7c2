"""The rulesets by name: data, each with its difference from the default."""

from __future__ import annotations

import pytest

from scoring.problems import Code, Refused
from scoring.rulesets import (
    DEFAULT,
    RULESETS,
    SWITCHES,
    BothOnTarget,
    Comparison,
    CorrectedFoul,
    NoTricks,
    Ruleset,
    ruleset,
)
from scoring.sides import Seat


def test_ruleset_without_a_name_is_that_of_the_cup():
    assert ruleset() == Ruleset(
        key="kemistikilta-2011",
        target=12,
        drop_to=7,
        comparison=Comparison.MATTIS,
        whole_questions_after_trump=True,
        laistokierros_no_tricks=NoTricks.STAYS,
        both_on_target=BothOnTarget.LAISTOKIERROS,
        corrected_foul=CorrectedFoul.FREE,
        players_per_team=2,
    )


@pytest.mark.parametrize(
    ("key", "differences"),
    [
        ("kotipeli", {"both_on_target": BothOnTarget.DROP}),
        (
            "wikipedia-12",
            {
                "comparison": Comparison.CARD_POINTS,
                "whole_questions_after_trump": False,
            },
        ),
        (
            "wikipedia-10",
            {
                "target": 10,
                "comparison": Comparison.CARD_POINTS,
                "whole_questions_after_trump": False,
            },
        ),
        (
            "avomarjapussi",
            {"players_per_team": 1, "whole_questions_after_trump": False},
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_ruleset_differs_from_the_default_as_the_rules_say(key, differences):
    assert ruleset(key) == Ruleset(key, **differences)


def test_rulesets_hold_each_under_its_own_key():
    assert {key: rules.key for key, rules in RULESETS.items()} == {
        key: key
        for key in (
            DEFAULT,
            "kotipeli",
            "wikipedia-12",
            "wikipedia-10",
            "avomarjapussi",
        )
    }


@pytest.mark.parametrize(
    ("key", "seats"),
    [
        (DEFAULT, (Seat.A1, Seat.B1, Seat.A2, Seat.B2)),
        ("avomarjapussi", (Seat.A1, Seat.B1)),
    ],
)
def test_seats_go_clockwise(key, seats):
    assert ruleset(key).seats == seats


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name, kind in SWITCHES.items() for value in kind],
)
def test_ruleset_takes_every_value_of_every_switch(name, value):
    rules = ruleset("kotipeli", **{name: value.value})

    assert getattr(rules, name) is value


def test_ruleset_refuses_everything_unknown_at_once():
    with pytest.raises(Refused) as refused:
        ruleset("bridge", corrected_foul="maybe", foul_loss_sets="full")

    assert [(problem.code, problem.path) for problem in refused.value.problems] == [
        (Code.OUT_OF_RANGE, "ruleset"),
        (Code.UNKNOWN_KEY, "switches/foul_loss_sets"),
        (Code.OUT_OF_RANGE, "switches/corrected_foul"),
    ]
