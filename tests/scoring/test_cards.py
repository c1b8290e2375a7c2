"""R1: the pack, the text form of a card, mattis and pips."""

from __future__ import annotations

import dataclasses
import pickle
import random
import re

import pytest

from scoring.cards import HAND_SIZE, PACK, RANK_TEXTS, Card, Rank
from scoring.suits import Suit


def test_pack_has_36_different_cards_nine_for_each_of_four_players():
    assert len(PACK) == len(set(PACK)) == 36 == 4 * HAND_SIZE


def test_pack_is_in_suit_order_from_low_to_high():
    assert " ".join(str(card) for card in PACK) == (
        "C6 C7 C8 C9 CJ CQ CK C10 CA D6 D7 D8 D9 DJ DQ DK D10 DA "
        "H6 H7 H8 H9 HJ HQ HK H10 HA S6 S7 S8 S9 SJ SQ SK S10 SA"
    )


def test_cards_sort_into_pack_order():
    shuffled = random.Random(4).sample(PACK, k=36)

    assert tuple(sorted(shuffled)) == PACK


@pytest.mark.parametrize("card", PACK, ids=str)
def test_card_text_parses_back(card):
    assert Card.parse(str(card)) == card
    assert repr(card) == f"Card.parse('{card}')"


@pytest.mark.parametrize("rank", Rank, ids=lambda rank: rank.text)
def test_rank_text_parses_back(rank):
    assert Rank.parse(rank.text) is rank


@pytest.mark.parametrize(
    "text",
    ["", "S", "10", "S1", "S5", "s10", "S10 ", " S10", "10S", "X6", "SA6", "S\u0661"],
)
def test_parse_refuses_what_is_no_card(text):
    with pytest.raises(ValueError, match=f"^{re.escape(f'not a card: {text!r}')}$"):
        Card.parse(text)


@pytest.mark.parametrize("text", ["", "5", "11", "a", "1", "10 "])
def test_parse_refuses_what_is_no_rank(text):
    with pytest.raises(ValueError, match=f"^not a rank: {text!r}$"):
        Rank.parse(text)


def test_mattis_are_the_aces_and_tens():
    assert [str(card) for card in PACK if card.matti] == [
        *("C10", "CA", "D10", "DA", "H10", "HA", "S10", "SA")
    ]


def test_pips_are_four_three_and_two_and_36_in_the_pack():
    hearts = {card.rank.text: card.pips for card in PACK if card.suit is Suit.H}

    assert hearts == dict.fromkeys(RANK_TEXTS, 0) | {"J": 2, "Q": 3, "K": 4}
    assert sum(card.pips for card in PACK) == 36


def test_card_cannot_be_changed():
    card = Card.parse("H10")

    with pytest.raises(dataclasses.FrozenInstanceError):
        card.suit = Suit.C


def test_card_survives_pickling_as_an_equal_card():
    card = Card.parse("DQ")

    copy = pickle.loads(pickle.dumps(card))

    assert copy == card
    assert hash(copy) == hash(card)
