"""Trump, small trumps, questions and what they burn (R3), moment by moment."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.declarations import (
    AskHalf,
    AskWhole,
    Declare,
    Occasion,
    Result,
    Trumps,
    judge,
    lawful_acts,
    parse_act,
    partner_of,
)
from scoring.hands import Hand
from scoring.rulesets import ruleset
from scoring.sides import Pair, Seat, Side
from scoring.suits import Suit

C, D, H, S = Suit

OWN = "CK CQ DK HQ S6"
PARTNER = "DQ SK SQ HA C9"


def moment(
    own=OWN, partner=PARTNER, made=(), burned=(), rules="kemistikilta-2011", **m
):
    """A1 has just won the second trick and has done nothing yet."""
    usual = {"seat": Seat.A1, "tricks": 2, "trick_open": False, "acted": False}
    return Occasion(
        ruleset(rules),
        Trumps(tuple((suit, Side.B) for suit in made), frozenset(burned)),
        hand=Hand.parse(own),
        partner_hand=None if partner is None else Hand.parse(partner),
        **{**usual, **m},
    )


def made_by_a(occasion, suit, burned=()):
    trumps = occasion.trumps.with_success(suit, Side.A)
    return Result(replace(trumps, burned=trumps.burned | frozenset(burned)), suit)


def void(occasion, rule, erred=Seat.A1):
    return Result(occasion.trumps, broken=rule, erred=erred)


@pytest.mark.parametrize(
    "text",
    ["declare:H", "whole:S", "whole:no", "half:D", "half:D:yes", "half:D:no"],
)
def test_text_of_an_act_parses_back(text):
    assert str(parse_act(text)) == text


@pytest.mark.parametrize("text", ["declare:X", "declare", "whole:", "half:D:maybe", ""])
def test_parse_act_refuses_what_is_no_act(text):
    with pytest.raises(ValueError, match="not an act"):
        parse_act(text)


def test_own_whole_makes_trump_and_burns_nothing():
    now = moment()

    assert judge(Declare(C), now) == made_by_a(now, C)


def test_whole_of_the_partner_makes_trump_and_burns_those_of_the_asker():
    now = moment()

    assert judge(AskWhole(S), now) == made_by_a(now, S, burned={C})


def test_no_to_a_whole_question_burns_those_of_the_asker_all_the_same():
    now = moment(partner="S6 HA")

    assert judge(AskWhole(None), now) == Result(Trumps(burned=frozenset({C})))


@pytest.mark.parametrize("answer", [None, True], ids=["not_written_down", "said"])
def test_half_that_the_partner_completes_burns_the_wholes_of_both(answer):
    now = moment()

    assert judge(AskHalf(D, answer), now) == made_by_a(now, D, burned={C, S})


@pytest.mark.parametrize("answer", [None, False], ids=["not_written_down", "said"])
def test_half_that_the_partner_lacks_burns_the_wholes_of_both(answer):
    now = moment()

    assert judge(AskHalf(H, answer), now) == Result(Trumps(burned=frozenset({C, S})))


@pytest.mark.parametrize(
    ("act", "burned"),
    [
        (AskWhole(None), {C}),
        (AskWhole(D), {C}),
        (AskHalf(D, False), {C, S}),
        (AskHalf(H, True), {C, S}),
    ],
    ids=["no_whole", "another_suit", "no_half", "half_he_lacks"],
)
def test_untrue_answer_is_void_by_the_partner_and_still_burns(act, burned):
    result = judge(act, moment())

    assert result == Result(
        Trumps(burned=frozenset(burned)), broken="R3.2", erred=Seat.A2
    )


def test_burned_whole_of_the_partner_is_no_answer():
    now = moment(burned={S})

    assert judge(AskWhole(None), now).broken is None
    assert judge(AskWhole(S), now).broken == "R3.2"


def test_suit_that_has_succeeded_is_no_answer():
    now = moment(made=[S])

    assert judge(AskWhole(None), now).broken is None
    assert judge(AskWhole(S), now).broken == "R3.2"


def test_later_success_of_either_team_is_a_small_trump():
    trumps = Trumps().with_success(H, Side.B).with_success(C, Side.A)
    trumps = trumps.with_success(S, Side.B).with_success(D, Side.A)

    assert (trumps.trump, trumps.trump_side) == (H, Side.B)
    assert trumps.small == Pair((C, D), (S,))


@pytest.mark.parametrize(
    "when",
    [
        {"tricks": 0},
        {"tricks": 1},
        {"tricks": 0, "trick_open": True},
        {"tricks": 5, "trick_open": True},
        {"tricks": 9},
        {"acted": True},
    ],
    ids=["at_once", "after_one", "first_open", "open", "over", "second"],
)
@pytest.mark.parametrize("act", [Declare(C), AskWhole(S), AskHalf(D)], ids=str)
def test_act_at_the_wrong_time_is_void_and_burns_nothing(act, when):
    now = moment(**when)

    assert judge(act, now) == void(now, "R3.1")
    assert list(lawful_acts(now)) == []


@pytest.mark.parametrize("tricks", [2, 8], ids=["earliest", "latest"])
def test_act_is_timely_from_the_second_trick_to_the_eighth(tricks):
    assert judge(Declare(C), moment(tricks=tricks)).made is C


@pytest.mark.parametrize(
    ("act", "state", "rule"),
    [
        (Declare(C), {"made": [C]}, "R3.3"),
        (AskHalf(D), {"made": [H, D]}, "R3.3"),
        (Declare(D), {}, "R3.2"),
        (Declare(S), {}, "R3.2"),
        (Declare(C), {"burned": {C}}, "R3.4"),
        (AskHalf(C), {}, "R3.2"),
        (AskHalf(S), {}, "R3.2"),
        (AskWhole(S), {"made": [H], "rules": "wikipedia-12"}, "R3.5"),
        (AskWhole(None), {"made": [H], "rules": "wikipedia-10"}, "R3.5"),
        (AskWhole(None), {"partner": None}, "R3.2"),
        (AskHalf(D), {"partner": None, "rules": "avomarjapussi"}, "R3.2"),
    ],
    ids=[
        "declared_used_suit",
        "half_of_used_suit",
        "half_declared",
        "whole_of_partner_declared",
        "burned",
        "half_of_a_whole",
        "half_of_nothing",
        "whole_after_trump",
        "no_after_trump",
        "whole_without_partner",
        "half_without_partner",
    ],
)
def test_act_against_a_rule_is_void_and_burns_nothing(act, state, rule):
    now = moment(**state)

    assert judge(act, now) == void(now, rule)


def test_whole_may_be_asked_before_trump_in_every_ruleset_of_partners():
    assert judge(AskWhole(S), moment(rules="wikipedia-12")).made is S


def test_lawful_acts_are_those_that_stand_with_true_answers():
    assert [str(act) for act in lawful_acts(moment())] == [
        "declare:C",
        "whole:S",
        "half:D",
        "half:H",
    ]
    assert [str(act) for act in lawful_acts(moment(made=[S, H], burned={C}))] == [
        "whole:no",
        "half:D",
    ]
    assert [str(act) for act in lawful_acts(moment(partner=None, tricks=7))] == [
        "declare:C"
    ]


def test_lawful_answers_are_all_the_wholes_that_the_partner_may_name():
    now = moment(own="H6", partner="CK CQ HK HQ SK SQ", made=[H])

    assert [str(act) for act in lawful_acts(now)] == ["whole:C", "whole:S"]


@pytest.mark.parametrize(
    ("seat", "partner"), [("A1", "A2"), ("A2", "A1"), ("B1", "B2"), ("B2", "B1")]
)
def test_partner_sits_opposite(seat, partner):
    assert partner_of(Seat(seat)) is Seat(partner)
