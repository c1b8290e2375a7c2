"""R2: the duties of one turn and the winner of a trick."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.cards import Card
from scoring.suits import Suit
from scoring.tricks import Duty, legal, narrowings, winner

VECTORS = Path(__file__).parent.parent / "vectors" / "legal.json"


def cards(text):
    return tuple(Card.parse(word) for word in text.split())


def turn(hand, trick="", trump=None, trick_number=4, must_lead=None, opening=False):
    """Return "legal cards: duty rule" for a turn written as words."""
    answer = legal(
        cards(hand),
        cards(trick),
        trump=trump and Suit(trump),
        trick_number=trick_number,
        must_lead=must_lead and Suit(must_lead),
        set_opening=opening,
    )
    return f"{' '.join(map(str, answer.legal))}: {answer.duty} {answer.rule}"


# R2.1


def test_r2_1_led_suit_in_hand_is_followed():
    assert turn("S10 S7 HA", "SA") == "S7 S10: follow_suit R2.1"


def test_r2_1_following_binds_before_trumping():
    assert turn("S7 HA H6", "SA", trump="H") == "S7: follow_suit R2.1"


def test_r2_1_hand_of_the_led_suit_alone_is_free_when_it_cannot_overtake():
    assert turn("S6 S7", "SA") == "S6 S7: free R2.4"


# R2.2


def test_r2_2_trump_is_played_without_the_led_suit():
    assert turn("H6 HA D9", "SK", trump="H") == "H6 HA: trump R2.2"


def test_r2_2_trump_binds_also_when_it_cannot_win():
    assert turn("H6 D9", "SK H8", trump="H") == "H6: trump R2.2"


def test_r2_2_there_is_no_trump_duty_without_trump():
    assert turn("H6 HA D9", "SK") == "D9 H6 HA: free R2.4"


# R2.3


def test_r2_3_best_card_of_the_trick_is_overtaken_by_any_that_can():
    assert turn("S10 SA S7", "SK") == "S10 SA: overtake R2.3"


def test_r2_3_ten_stands_above_the_king_and_below_the_ace():
    assert turn("SK SA", "S10") == "SA: overtake R2.3"


def test_r2_3_overtaking_is_judged_against_the_best_card_not_the_last():
    assert turn("SQ SA", "SK S6") == "SA: overtake R2.3"


def test_r2_3_overtaking_binds_over_the_card_of_ones_partner():
    # The partner's ten is two cards back and wins so far.
    assert turn("SA S6", "S10 S7") == "SA: overtake R2.3"


def test_r2_3_trump_is_overtrumped():
    assert turn("H10 H6 D9", "SK H8", trump="H") == "H10: overtake R2.3"


def test_r2_3_led_trump_is_overtaken():
    assert turn("H10 H6 D9", "H8", trump="H") == "H10: overtake R2.3"


def test_r2_3_following_a_trumped_trick_leaves_any_card_of_the_suit():
    assert turn("S6 SA HA", "SK H8", trump="H") == "S6 SA: follow_suit R2.1"


def test_r2_3_high_card_of_a_third_suit_overtakes_nothing():
    assert turn("CA C6", "S6") == "C6 CA: free R2.4"


# R2.4


def test_r2_4_any_card_is_legal_with_neither_led_suit_nor_trump():
    assert turn("CA D6", "SK H8", trump="H") == "CA D6: free R2.4"


def test_r2_4_any_lead_is_legal_after_the_first_trick():
    assert turn("HA D6 S7", trump="H") == "D6 HA S7: free R2.4"
    assert turn("HA D6 S7", trick_number=2) == "D6 HA S7: free R2.4"


def test_r2_4_single_card_is_free_whatever_it_is():
    assert turn("CA", trick_number=1, opening=True) == "CA: free R2.4"
    assert turn("S7", "SK", trick_number=9) == "S7: free R2.4"


# R2.5


def test_r2_5_first_lead_of_a_set_is_the_club_ace():
    assert turn("CA DA S7", trick_number=1, opening=True) == "CA: lead_club_ace R2.5"


def test_r2_5_first_lead_of_a_later_deal_is_any_ace():
    assert turn("CA DA S7", trick_number=1) == "CA DA: lead_ace R2.5"


def test_r2_5_first_lead_without_an_ace_is_a_spade():
    assert turn("S7 S10 HK", trick_number=1) == "S7 S10: lead_spade R2.5"


def test_r2_5_ace_binds_before_a_spade():
    assert turn("HA S10 HK", trick_number=1) == "HA: lead_ace R2.5"


def test_r2_5_spade_ace_is_no_nearer_than_another_ace():
    assert turn("HA SA HK", trick_number=1) == "HA SA: lead_ace R2.5"


def test_r2_5_first_lead_with_neither_ace_nor_spade_is_free():
    assert turn("H10 D7", trick_number=1) == "D7 H10: free R2.4"


@pytest.mark.parametrize(
    ("hand", "answer"),
    [
        ("DA S7 H6", "DA: lead_ace R2.5"),
        ("S7 H6", "S7: lead_spade R2.5"),
        ("D7 H6", "D7 H6: free R2.4"),
    ],
    ids=["an_ace", "a_spade", "neither"],
)
def test_r2_5_set_opening_without_the_club_ace_has_the_other_duties(hand, answer):
    assert turn(hand, trick_number=1, opening=True) == answer


@pytest.mark.parametrize("number", [2, 5, 8])
def test_r2_5_set_opening_binds_no_later_lead(number):
    assert turn("CA D6", trick_number=number, opening=True) == "CA D6: free R2.4"


def test_r2_5_set_opening_does_not_bind_those_who_follow():
    assert turn("CA D6", "D9", trick_number=1, opening=True) == ("D6: follow_suit R2.1")


# R2.6


def test_r2_6_led_suits_ace_is_played_to_the_first_trick():
    assert turn("SA S10 C7", "SK", trick_number=1) == "SA: play_ace R2.6"


def test_r2_6_ace_binds_where_another_card_would_overtake():
    assert turn("SA S10 SK", "SQ", trick_number=1) == "SA: play_ace R2.6"


def test_r2_6_ace_is_not_asked_for_after_the_first_trick():
    assert turn("SA S10 S7", "SK", trick_number=2) == "S10 SA: overtake R2.3"


def test_r2_6_ace_of_another_suit_is_not_asked_for():
    assert turn("HA D6", "SK", trick_number=1) == "D6 HA: free R2.4"


def test_r2_6_others_overtake_in_the_first_trick_as_in_any():
    assert turn("S6 S10 C7", "SK", trick_number=1) == "S10: overtake R2.3"
    assert turn("S6 S10 C7", "SA", trick_number=1) == "S6 S10: follow_suit R2.1"


def test_r2_6_only_card_of_the_suit_is_the_ace_so_following_says_it_all():
    assert turn("SA C7 D7", "SK", trick_number=1) == "SA: follow_suit R2.1"


# R2.7


@pytest.mark.parametrize(
    ("trick", "trump", "won_by"),
    [
        ("S7", None, 0),
        ("S7 S9 SJ S6", None, 2),
        ("SK S10 SA SQ", None, 2),
        ("SK S10 SQ SJ", None, 1),
        ("S6 HA DA CA", None, 0),
        ("SA S10 H6 SK", "H", 2),
        ("SA H7 H6 H9", "H", 3),
        ("H7 SA CA DA", "H", 0),
        ("S7 S9 DA S8", "H", 1),
    ],
    ids=[
        *("alone", "highest", "ace_first", "ten_over_king", "other_suits_lose"),
        *("trump", "highest_trump", "led_trump", "no_trump_in_it"),
    ],
)
def test_r2_7_trick_goes_to_the_highest_trump_else_of_the_led_suit(
    trick, trump, won_by
):
    assert winner(cards(trick), trump and Suit(trump)) == won_by


def test_r2_7_trick_without_cards_has_no_winner():
    with pytest.raises(ValueError, match="a trick without cards has no winner"):
        winner((), None)


# R2.8


def test_r2_8_suit_of_a_small_trump_is_led():
    assert turn("DK DQ C7", trump="H", must_lead="D") == (
        "DQ DK: lead_small_trump R2.8"
    )


def test_r2_8_leader_without_the_suit_is_free():
    assert turn("C7 S6", trump="H", must_lead="D") == "C7 S6: free R2.4"


def test_r2_8_hand_of_the_suit_alone_is_free():
    assert turn("D7 D8", trump="H", must_lead="D") == "D7 D8: free R2.4"


# The order of the duties


def test_duty_is_the_last_that_left_fewer_cards():
    steps = narrowings(
        cards("S6 S10 C7"),
        cards("SK"),
        trump=None,
        trick_number=4,
        must_lead=None,
        set_opening=False,
    )

    assert list(steps) == [
        (Duty.FOLLOW_SUIT, cards("S6 S10")),
        (Duty.OVERTAKE, cards("S10")),
    ]


def test_trumping_and_overtrumping_narrow_one_after_the_other():
    steps = narrowings(
        cards("H6 H10 C7"),
        cards("SK H8"),
        trump=Suit.H,
        trick_number=4,
        must_lead=None,
        set_opening=False,
    )

    assert list(steps) == [
        (Duty.TRUMP, cards("H6 H10")),
        (Duty.OVERTAKE, cards("H10")),
    ]


def test_every_duty_names_its_rule():
    assert {duty.value: duty.rule for duty in Duty} == {
        "lead_club_ace": "R2.5",
        "lead_ace": "R2.5",
        "lead_spade": "R2.5",
        "lead_small_trump": "R2.8",
        "follow_suit": "R2.1",
        "trump": "R2.2",
        "play_ace": "R2.6",
        "overtake": "R2.3",
        "free": "R2.4",
    }


def test_legal_leaves_the_hand_as_it_was():
    hand = [*cards("S10 S7 HA")]

    legal(hand, cards("SK"), trick_number=4)

    assert hand == [*cards("S10 S7 HA")]


CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_vector_gives_its_legal_cards(case):
    given = case["in"]

    answer = legal(
        cards(" ".join(given["hand"])),
        cards(" ".join(given["trick"])),
        trump=given["trump"] and Suit(given["trump"]),
        trick_number=given["trick_number"],
        must_lead=given["must_lead"] and Suit(given["must_lead"]),
        set_opening=given["set_opening"],
    )

    assert [str(card) for card in answer.legal] == case["legal"]
