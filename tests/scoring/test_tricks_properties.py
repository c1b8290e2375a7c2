"""R2 on random turns, against a second reading of the rules written card by card."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from scoring.cards import PACK, Card
from scoring.suits import Suit
from scoring.tricks import Duty, legal, narrowings, winner


@dataclass(frozen=True)
class Position:
    hand: tuple[Card, ...]
    trick: tuple[Card, ...]
    trump: Suit | None
    trick_number: int
    must_lead: Suit | None
    set_opening: bool

    @property
    def rest(self):
        return {
            "trump": self.trump,
            "trick_number": self.trick_number,
            "must_lead": self.must_lead,
            "set_opening": self.set_opening,
        }

    def turn(self):
        return legal(self.hand, self.trick, **self.rest)


@st.composite
def positions(draw):
    number = draw(st.sampled_from([1, 1, 1, 2, 3, 4, 5, 7, 9]))
    # Few suits make following, trumping and overtaking common.
    suits = draw(st.sets(st.sampled_from(Suit), min_size=1))
    cards = draw(st.permutations([card for card in PACK if card.suit in suits]))
    trick = tuple(cards[: draw(st.integers(0, 3))])
    rest = cards[len(trick) :]
    hand = tuple(rest[: draw(st.integers(1, min(10 - number, len(rest))))])
    trump = draw(st.none() | st.sampled_from(Suit)) if number >= 3 else None
    must_lead = None
    if trump and number >= 4 and not trick:
        others = [suit for suit in Suit if suit is not trump]
        must_lead = draw(st.none() | st.sampled_from(others))
    return Position(hand, trick, trump, number, must_lead, draw(st.booleans()))


ORDER = ["6", "7", "8", "9", "J", "Q", "K", "10", "A"]


def beats(card, other, position):
    """Return whether a card takes the trick from one that leads it so far."""
    trump = position.trump and position.trump.value
    suit, rank = str(card)[0], str(card)[1:]
    other_suit, other_rank = str(other)[0], str(other)[1:]
    if suit == other_suit:
        return ORDER.index(rank) > ORDER.index(other_rank)
    return suit == trump


def best_of(position):
    best = position.trick[0]
    for card in position.trick[1:]:
        if beats(card, best, position):
            best = card
    return best


def may_be_played(card, position):
    """Return whether R2 allows one card of the hand; sentences of the rules."""
    hand, trick = position.hand, position.trick
    texts = [str(other) for other in hand]
    suit = card.suit
    if not trick:
        if position.trick_number == 1:
            if position.set_opening and "CA" in texts:
                return str(card) == "CA"
            if any(text.endswith("A") for text in texts):
                return str(card).endswith("A")
            return suit == "S" or not any(text.startswith("S") for text in texts)
        holds_it = any(other.suit == position.must_lead for other in hand)
        return not holds_it or suit == position.must_lead
    led = trick[0].suit
    follows = any(other.suit == led for other in hand)
    trumps = any(other.suit == position.trump for other in hand)
    if follows:
        mine = [other for other in hand if other.suit == led]
    elif trumps:
        mine = [other for other in hand if other.suit == position.trump]
    else:
        mine = list(hand)
    if card not in mine:
        return False
    if position.trick_number == 1 and f"{led}A" in texts:
        return str(card) == f"{led}A"
    best = best_of(position)
    return beats(card, best, position) or not any(
        beats(other, best, position) for other in mine
    )


@given(positions())
def test_legal_cards_are_those_that_the_rules_allow_one_by_one(position):
    expected = [card for card in PACK if card in position.hand]

    assert list(position.turn().legal) == [
        card for card in expected if may_be_played(card, position)
    ]


@given(positions())
def test_something_of_the_hand_is_always_legal(position):
    cards = position.turn().legal

    assert cards != ()
    assert set(cards) <= set(position.hand)
    assert list(cards) == sorted(set(cards))


@given(positions(), st.randoms(use_true_random=False))
def test_turn_does_not_depend_on_the_order_of_the_hand(position, random):
    shuffled = random.sample(position.hand, k=len(position.hand))

    assert legal(shuffled, position.trick, **position.rest) == position.turn()


@given(positions())
def test_duty_is_free_exactly_when_the_whole_hand_is_legal(position):
    turn = position.turn()

    assert (turn.duty is Duty.FREE) == (len(turn.legal) == len(position.hand))


@given(positions())
def test_each_duty_narrows_further_and_the_last_names_the_turn(position):
    steps = list(narrowings(sorted(position.hand), position.trick, **position.rest))
    turn = position.turn()

    sizes = [len(position.hand)] + [len(cards) for _, cards in steps]
    assert sizes == sorted(set(sizes), reverse=True)
    if steps:
        assert steps[-1] == (turn.duty, turn.legal)


@given(positions())
def test_legal_cards_stay_legal_in_a_hand_of_just_those(position):
    turn = position.turn()

    again = legal(turn.legal, position.trick, **position.rest)

    assert again.legal == turn.legal
    assert again.duty is Duty.FREE


@given(positions().filter(lambda position: position.trick))
def test_winner_is_the_card_that_nothing_in_the_trick_beats(position):
    index = winner(position.trick, position.trump)

    assert position.trick[index] == best_of(position)
