"""Deals as they are written down: events, tricks, whole deals, and their text."""

from __future__ import annotations

import pytest

from scoring.cards import Card
from scoring.deal import Deal, Play, Trick, parse_event
from scoring.declarations import AskHalf, AskWhole, Declare
from scoring.problems import Refused
from scoring.rulesets import ruleset
from scoring.sides import Seat
from scoring.suits import Suit

WHOLE = """\
wikipedia-12 both_on_target=drop corrected_foul=counts
A1 C6 C7 CJ D9 H6 HQ H10 SQ SK
B1 C8 DJ D10 DA H7 HK HA S10 SA
A2 C9 CQ CA D6 D7 DQ HJ S6 S9
B2 CK C10 D8 DK H8 H9 S7 S8 SJ
A2 opens
CA CK C7 C8
D7 DK D9 DA declare:H
HA HJ H8>H9 HQ whole:no half:S:yes"""

BARE = """\
avomarjapussi
A1 C6 C7 CJ D9 / H6 HQ H10 SQ SK C8 DJ / D10 DA H7 HK HA S10 SA
B1 C9 CQ CA D6 / D7 DQ HJ S6 S9 CK C10 / D8 DK H8 H9 S7 S8 SJ
B1 leads"""


def card(text):
    return Card.parse(text)


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("D10", Play(card("D10"))),
        ("H9>HK", Play(card("H9"), corrected=card("HK"))),
        ("declare:H", Declare(Suit.H)),
        ("whole:S", AskWhole(Suit.S)),
        ("whole:no", AskWhole(None)),
        ("half:D", AskHalf(Suit.D)),
        ("half:D:no", AskHalf(Suit.D, False)),
    ],
)
def test_event_and_its_text_are_each_other_s(text, event):
    assert parse_event(text) == event
    assert str(event) == text


@pytest.mark.parametrize("text", ["", "H9>", "H9>HK>HQ", "declare", "declare:", "x:y"])
def test_parse_event_refuses_what_is_none(text):
    with pytest.raises(ValueError, match="not a"):
        parse_event(text)


@pytest.mark.parametrize(
    ("text", "trick"),
    [
        (
            "B1: CA C8 CJ C9 -> A1",
            Trick(Seat.B1, tuple(map(card, ["CA", "C8", "CJ", "C9"])), Seat.A1),
        ),
        ("A2: S10", Trick(Seat.A2, (card("S10"),))),
    ],
    ids=["won", "open"],
)
def test_trick_and_its_text_are_each_other_s(text, trick):
    assert Trick.parse(text) == trick
    assert str(trick) == text


@pytest.mark.parametrize("text", ["", "CA C8", "X1: CA", "B1: C11", "B1: CA -> C1"])
def test_parse_refuses_what_is_no_trick(text):
    with pytest.raises(ValueError, match="not a"):
        Trick.parse(text)


@pytest.mark.parametrize("text", [WHOLE, BARE], ids=["of_partners", "open_hands"])
def test_text_of_a_deal_parses_back(text):
    assert str(Deal.parse(text)) == text


def test_deal_is_read_from_its_text():
    deal = Deal.parse(WHOLE)

    assert deal.rules == ruleset(
        "wikipedia-12", both_on_target="drop", corrected_foul="counts"
    )
    assert (deal.leader, deal.set_opening) == (Seat.A2, True)
    assert str(deal.hands[Seat.B2]) == "CK C10 D8 DK H8 H9 S7 S8 SJ"
    assert [str(event) for event in deal.events[7:]] == [
        "DA",
        "declare:H",
        "HA",
        "HJ",
        "H8>H9",
        "HQ",
        "whole:no",
        "half:S:yes",
    ]


def test_lines_of_events_may_be_broken_anywhere():
    *head, first, second, third = WHOLE.split("\n")
    events = f"{first} {second} {third}".split(" ")

    assert Deal.parse("\n".join(head + events)) == Deal.parse(WHOLE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("wikipedia-12 ", "wikipedia-13 "),
        ("corrected_foul=counts", "corrected_foul=often"),
        ("corrected_foul=counts", "foul"),
        ("A1 C6", "C1 C6"),
        ("A1 C6", "B1 C6"),
        ("A2 opens", "A2 begins"),
        ("A2 opens", "A2"),
        ("A2 opens", "X opens"),
        ("CA CK", "CA CX"),
        ("half:S:yes", "half:S:perhaps"),
    ],
)
def test_parse_refuses_what_is_no_deal(old, new):
    text = WHOLE.replace(old, new, 1)

    assert text != WHOLE
    with pytest.raises(ValueError, match=r"."):
        Deal.parse(text)


def test_parse_tells_of_a_ruleset_what_the_rulesets_tell():
    with pytest.raises(Refused, match="wikipedia-13"):
        Deal.parse(WHOLE.replace("wikipedia-12", "wikipedia-13"))


@pytest.mark.parametrize("text", ["", "kotipeli", "\n\n\n\n\n"], ids=repr)
def test_parse_refuses_a_text_that_ends_too_early(text):
    with pytest.raises(ValueError, match=r"."):
        Deal.parse(text)


def problems(text):
    return [
        (p.code.value, p.path, dict(p.figures)) for p in Deal.parse(text).problems()
    ]


def test_sound_deals_have_no_problems():
    assert (problems(WHOLE), problems(BARE)) == ([], [])


def test_every_hand_has_its_cards_and_no_card_is_there_twice():
    text = WHOLE.replace("A1 C6 C7", "A1 C7").replace("B1 C8", "B1 CK")

    assert problems(text) == [
        ("dealt_size", "hands/A1", {"count": 8, "needed": 9}),
        ("card_twice", "hands", {"card": "CK"}),
    ]


def test_set_is_opened_by_the_holder_of_the_club_ace():
    text = WHOLE.replace("A2 opens", "B1 opens")

    assert problems(text) == [
        ("opener_without_club_ace", "leader", {"holder": "A2", "seat": "B1"})
    ]
    assert problems(text.replace("opens", "leads")) == []


def test_club_ace_that_lies_face_down_binds_nobody():
    seen = BARE.replace("leads", "opens")
    hidden = seen.replace("CA D6", "SJ D6").replace("S8 SJ", "S8 CA")

    assert problems(seen.replace("B1 opens", "A1 opens")) == [
        ("opener_without_club_ace", "leader", {"holder": "B1", "seat": "A1"})
    ]
    assert [
        problems(hidden.replace("B1 opens", f"{s} opens")) for s in ("A1", "B1")
    ] == [
        [],
        [],
    ]
