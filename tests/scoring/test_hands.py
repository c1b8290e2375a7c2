"""Hands: their text, what a whole is, and cards that are turned up."""

from __future__ import annotations

import pytest

from scoring.cards import Card
from scoring.hands import Covered, Hand
from scoring.suits import Suit


def cards(text):
    return [Card.parse(word) for word in text.split()]


OPEN = Hand.open(cards("SA HK"), cards("S10 CQ"), cards("HQ C6"))


@pytest.mark.parametrize(
    "text", ["", "C6", "C6 D10 SA", "HK SA / S10 CQ / HQ C6"], ids=repr
)
def test_text_of_a_hand_parses_back(text):
    assert str(Hand.parse(text)) == text


def test_open_hand_holds_what_its_player_sees():
    assert Hand.parse("HK SA / S10 CQ / HQ C6") == OPEN
    assert OPEN.cards == frozenset(cards("SA HK S10 CQ"))
    assert OPEN.down == (
        Covered(Card.parse("S10"), Card.parse("HQ")),
        Covered(Card.parse("CQ"), Card.parse("C6")),
    )
    assert (len(OPEN), [str(card) for card in OPEN]) == (
        6,
        ["CQ", "HK", "S10", "SA", "C6", "HQ"],
    )


@pytest.mark.parametrize(
    "text", ["C6 D11", "C6 / D7", "C6 / D7 / H8 H9", "c6", "C6,C7"], ids=repr
)
def test_parse_refuses_what_is_no_hand(text):
    with pytest.raises(ValueError, match=r"not a|argument"):
        Hand.parse(text)


@pytest.mark.parametrize(
    ("text", "wholes", "halves"),
    [
        ("CK CQ DK HQ S6", {Suit.C}, {Suit.D, Suit.H}),
        ("CK CQ DK DQ HK HQ SK SQ", set(Suit), set()),
        ("CJ C10 CA", set(), set()),
        ("HK / S6 / HQ", set(), {Suit.H}),
        ("HK / HQ / S6", {Suit.H}, set()),
    ],
    ids=["both_kinds", "all", "none", "face_down", "face_up"],
)
def test_whole_is_king_and_queen_that_can_be_played(text, wholes, halves):
    hand = Hand.parse(text)

    assert (hand.wholes, hand.halves) == (wholes, halves)


def test_card_face_down_is_turned_up_only_when_the_one_on_it_has_gone():
    still_down = OPEN.without(Card.parse("SA"))
    bare = OPEN.without(Card.parse("S10"))

    assert still_down.turned_up() == still_down
    assert Card.parse("HQ") not in bare.cards
    assert bare.turned_up() == Hand.parse("HK SA HQ / CQ / C6")


@pytest.mark.parametrize("card", ["D6", "HQ"], ids=["elsewhere", "face_down"])
def test_without_refuses_a_card_that_cannot_be_played(card):
    with pytest.raises(ValueError, match=f"{card} is not in the hand"):
        OPEN.without(Card.parse(card))
