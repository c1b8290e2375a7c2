"""Random deals in the readable form, and the same in bit masks."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from scoring import compact, playout
from scoring.cards import PACK, Card
from scoring.deal import Play
from scoring.replay import positions, replay
from scoring.rulesets import RULESETS, ruleset
from scoring.suits import Suit

DEFAULT = ruleset()
# 36 positions and some acts a deal: more than 10,000 positions.
DEALS = 300


def in_masks(cards):
    """A player's cards as ``compact`` holds them: a mask for each suit."""
    return [sum(1 << card.rank for card in cards if card.suit is suit) for suit in Suit]


def in_words(numbers):
    return [str(compact.EVENTS[number]) for number in numbers]


def place(suit):
    return compact.NO_SUIT if suit is None else list(Suit).index(suit)


def held_in(position):
    return [mask for hand in position.hands.values() for mask in in_masks(hand.cards)]


def cards_allowed(position):
    """What bit masks let be played, from the readable position."""
    seat = list(position.rules.seats).index(position.turn)
    trick = position.trick_number - 1
    if not position.on_table:
        must_lead = place(position.must_lead)
        opening = position.set_opening
        return compact.leads(held_in(position), seat, trick, must_lead, opening)
    led, trump = position.on_table[0].suit, position.trumps.trump
    trumps = [card for card in position.on_table if card.suit is trump is not led]
    best = max(trumps or [card for card in position.on_table if card.suit is led])
    return compact.follows(
        held_in(position),
        seat,
        trick,
        place(led),
        best.rank,
        place(trump),
        bool(trumps),
    )


def acts_allowed(position):
    seat = list(position.rules.seats).index(position.turn)
    made, burned = (
        sum(1 << place(suit) for suit in suits)
        for suits in (position.trumps.suits, position.trumps.burned)
    )
    return compact.acts(held_in(position), seat, made, burned)


def test_bit_masks_allow_in_every_position_what_the_rules_allow():
    seen = Counter()
    for seed in range(DEALS):
        deal = playout.play(Random(seed).random, DEFAULT)
        for position in islice(positions(deal), len(deal.events)):
            seen["cards"] += 1
            turn = position.legal()
            seen[turn.duty] += 1
            assert in_words(cards_allowed(position)) == [*map(str, turn.legal)]
            if acts := [str(act) for act in position.lawful_acts()]:
                seen["acts"] += 1
                assert in_words(acts_allowed(position)) == acts

    assert seen["cards"] >= 10_000
    assert seen["acts"] >= 1_000
    assert min(seen.values()) >= 3


def test_bit_masks_make_the_same_deals_of_the_same_chances():
    fast, readable = Random(2011).random, Random(2011).random

    for _ in range(DEALS):
        deal = playout.play(readable, DEFAULT)
        assert compact.to_deal(compact.play(fast)) == deal


def test_seed_gives_these_deals_for_ever():
    [deal] = compact.playouts(1, Random(7).random)

    assert str(deal) == PINNED


PINNED = """\
kemistikilta-2011
A1 C9 CK CA D7 D8 H9 H10 SK S10
B1 C6 C7 DQ DK HQ HK HA S7 SA
A2 CJ CQ C10 D6 D9 H6 H7 SJ SQ
B2 C8 DJ D10 DA H8 HJ S6 S8 S9
B1 leads
HA H7 H8 H9
S7 SQ S6 S10
SK SA SJ S9 declare:H
HQ H6 HJ H10
D7 DK D9 D10
DA D8 DQ D6
DJ CK HK C10
C7 CQ C8 CA
C9 C6 CJ S8"""


def test_playouts_of_a_seed_begin_alike_however_many_are_asked():
    three, five = (
        list(compact.playouts(3, Random(1).random)),
        list(compact.playouts(5, Random(1).random)),
    )

    assert five[:3] == three
    assert len(set(map(str, five))) == 5
    assert list(compact.playouts(0, Random(1).random)) == []
    assert next(compact.playouts(1, Random(2).random)) != three[0]


@pytest.mark.parametrize("count", [0, 1, 25])
def test_count_playouts_counts_what_it_plays(count):
    assert compact.count_playouts(count, Random(3).random) == count


def test_shuffled_gives_every_place_to_every_card():
    chance = Random(36).random
    orders = [playout.shuffled(chance) for _ in range(1000)]

    assert all(sorted(order) == list(range(36)) for order in orders)
    # 1000 shuffles put a card in a place 28 times; 70 is nearly eight deviations off.
    for where in zip(*orders, strict=True):
        times = Counter(where)
        assert (len(times), max(times.values()) < 70) == (36, True)


@pytest.mark.parametrize("key", RULESETS)
def test_playout_of_any_ruleset_is_finished_and_without_a_slip(key):
    rules = RULESETS[key]
    opened = 0
    for seed in range(20):
        deal = playout.play(Random(seed).random, rules)
        end = replay(deal)

        assert (end.finished, end.fouls, end.void) == (True, (), ())
        assert end.sheet().problems(rules) == []
        opened += deal.set_opening
    assert 0 < opened < 20


def test_choices_are_spread_over_all_that_is_lawful():
    acts = Counter(
        type(event).__name__
        for deal in compact.playouts(200, Random(5).random)
        for event in deal.events
        if not isinstance(event, Play)
    )
    led = Counter(
        deal.events[0].card for deal in compact.playouts(2000, Random(6).random)
    )

    assert acts["AskWhole"] > acts["AskHalf"] > acts["Declare"] > 5
    assert {card for card in PACK if card.rank.text == "A"} <= set(led)
    assert led[Card.parse("CA")] > led[Card.parse("DA")]
