"""Random legal deals of four players in bit masks: ``playout``, but fast.

A card is its index in the pack, 0 to 35: suit ``card // 9``, rank ``card % 9``. A
player at seat 0 to 3 holds four masks, one a suit, whose bit r stands for the rank
r: ``held[4 * seat + suit]``. What may be played or said is looked up by mask.

The rules are those of ``tricks`` and ``declarations``, where their reasons are told,
for the default ruleset alone. ``tests/scoring/test_compact.py`` proves that both
forms allow the same in every position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoring.cards import PACK, Rank
from scoring.deal import Deal, Event, Play
from scoring.declarations import AskHalf, AskWhole, Declare
from scoring.hands import Hand
from scoring.playout import ACTS, OPENINGS, Chance, shuffled
from scoring.rulesets import ruleset
from scoring.sides import Seat
from scoring.suits import Suit

SUITS, RANKS, SEATS = len(Suit), len(Rank), len(Seat)
TRICKS = 9
ACE = 1 << Rank.ACE
CLUBS, SPADES = 0, 3
NO_SUIT = -1

SUIT_OF = [card // RANKS for card in range(len(PACK))]
RANK_OF = [card % RANKS for card in range(len(PACK))]
BIT_OF = [1 << rank for rank in RANK_OF]
SUIT_MASK = (1 << RANKS) - 1

CARDS = [
    [
        tuple(suit * RANKS + rank for rank in range(RANKS) if mask >> rank & 1)
        for mask in range(1 << RANKS)
    ]
    for suit in range(SUITS)
]
"""The cards of a suit, by mask."""

ABOVE = [SUIT_MASK & -(2 << rank) for rank in range(RANKS)]
"""The ranks above a rank."""

EVENTS: tuple[Event, ...] = (
    *map(Play, PACK),
    *map(Declare, Suit),
    *map(AskWhole, (*Suit, None)),
    *map(AskHalf, Suit),
)
"""The events by number: first the cards, then the acts."""
DECLARE, ASK_WHOLE, ASK_HALF = 36, 40, 45
NO_WHOLE = ASK_WHOLE + SUITS

_SUBSETS = [
    tuple(suit for suit in range(SUITS) if mask >> suit & 1)
    for mask in range(1 << SUITS)
]
DECLARATIONS = [tuple(DECLARE + suit for suit in some) for some in _SUBSETS]
WHOLE_QUESTIONS = [
    tuple(ASK_WHOLE + suit for suit in some) or (NO_WHOLE,) for some in _SUBSETS
]
HALF_QUESTIONS = [tuple(ASK_HALF + suit for suit in some) for some in _SUBSETS]

WHOLES = [
    sum(1 << suit for suit in range(SUITS) if key >> 2 * suit & 3 == 3)
    for key in range(1 << 2 * SUITS)
]
"""The suits of which king and queen are there, by the key of ``pairs``."""
HALVES = [
    sum(1 << suit for suit in range(SUITS) if key >> 2 * suit & 3 in (1, 2))
    for key in range(1 << 2 * SUITS)
]
"""The suits of which exactly one of them is there."""


class Played(NamedTuple):
    """A deal played to its end."""

    order: list[int]
    """The cards as dealt, nine to a seat."""
    leader: int
    set_opening: bool
    events: list[int]
    """Indexes of ``EVENTS``."""


def playouts(count: int, chance: Chance) -> Iterator[Deal]:
    """Yield so many deals of the default ruleset, finished and without a foul."""
    for _ in range(count):
        yield to_deal(play(chance))


def count_playouts(count: int, chance: Chance) -> int:
    """Play the deals that ``playouts`` yields, keep none, and return how many."""
    return sum(1 for _ in range(count) if play(chance))


def to_deal(played: Played) -> Deal:
    """Return a deal in the readable form."""
    hands = {
        seat: Hand(frozenset(PACK[card] for card in played.order[at : at + TRICKS]))
        for seat, at in zip(Seat, range(0, len(PACK), TRICKS), strict=True)
    }
    return Deal(
        hands,
        tuple(Seat)[played.leader],
        tuple(EVENTS[number] for number in played.events),
        ruleset(),
        played.set_opening,
    )


def play(chance: Chance) -> Played:
    """Return a deal played to its end, every choice by chance."""
    order = shuffled(chance)
    held = dealt(order)
    opening = chance() < OPENINGS
    leader = first = int(chance() * SEATS)
    if opening:
        leader = first = next(p for p in range(SEATS) if held[SUITS * p] & ACE)
    events: list[int] = []
    trump = NO_SUIT
    made = burned = 0
    for trick in range(TRICKS):
        must_lead = NO_SUIT
        if trick >= 2 and chance() < ACTS:
            options = acts(held, leader, made, burned)
            act = options[int(chance() * len(options))]
            events.append(act)
            suit, burned = outcome(act, held, leader, burned)
            if suit != NO_SUIT:
                made |= 1 << suit
                if trump == NO_SUIT:
                    trump = suit
                else:
                    must_lead = suit

        options = leads(held, leader, trick, must_lead, opening)
        card = options[int(chance() * len(options))]
        events.append(card)
        led = SUIT_OF[card]
        best = RANK_OF[card]
        held[SUITS * leader + led] ^= BIT_OF[card]
        trumped = False
        seat = winner = leader
        for _ in range(SEATS - 1):
            seat = (seat + 1) & 3
            options = follows(held, seat, trick, led, best, trump, trumped)
            card = options[int(chance() * len(options))]
            events.append(card)
            suit = SUIT_OF[card]
            held[SUITS * seat + suit] ^= BIT_OF[card]
            if suit == led:
                if not trumped and RANK_OF[card] > best:
                    best = RANK_OF[card]
                    winner = seat
            elif suit == trump and (not trumped or RANK_OF[card] > best):
                trumped = True
                best = RANK_OF[card]
                winner = seat
        leader = winner
    return Played(order, first, opening, events)


def dealt(order: list[int]) -> list[int]:
    """Return the masks of four players dealt nine cards each."""
    held = [0] * (SEATS * SUITS)
    for seat in range(SEATS):
        at = SUITS * seat
        for card in order[TRICKS * seat : TRICKS * seat + TRICKS]:
            held[at + SUIT_OF[card]] |= BIT_OF[card]
    return held


def leads(
    held: list[int], seat: int, trick: int, must_lead: int, opening: bool
) -> tuple[int, ...]:
    """Return what may be led to a trick, counted from 0 (R2.5, R2.8)."""
    clubs, diamonds, hearts, spades = held[SUITS * seat : SUITS * seat + SUITS]
    if trick == 0:
        if opening and clubs & ACE:
            return CARDS[CLUBS][ACE]
        if (clubs | diamonds | hearts | spades) & ACE:
            clubs, diamonds, hearts, spades = (
                clubs & ACE,
                diamonds & ACE,
                hearts & ACE,
                spades & ACE,
            )
        elif spades:
            return CARDS[SPADES][spades]
    elif must_lead != NO_SUIT and held[SUITS * seat + must_lead]:
        return CARDS[must_lead][held[SUITS * seat + must_lead]]
    return CARDS[0][clubs] + CARDS[1][diamonds] + CARDS[2][hearts] + CARDS[3][spades]


def follows(
    held: list[int],
    seat: int,
    trick: int,
    led: int,
    best: int,
    trump: int,
    trumped: bool,
) -> tuple[int, ...]:
    """Return what may be played to a lead (R2.1 to R2.4, R2.6).

    ``best`` is the rank that leads so far, of a trump if the trick is ``trumped``.
    """
    at = SUITS * seat
    mask = held[at + led]
    if mask:
        if trick == 0 and mask & ACE:
            return CARDS[led][ACE]
        if trumped:
            return CARDS[led][mask]
        return CARDS[led][mask & ABOVE[best] or mask]
    if trump != NO_SUIT:
        mask = held[at + trump]
        if mask:
            if trumped:
                return CARDS[trump][mask & ABOVE[best] or mask]
            return CARDS[trump][mask]
    clubs, diamonds, hearts, spades = held[at : at + SUITS]
    return CARDS[0][clubs] + CARDS[1][diamonds] + CARDS[2][hearts] + CARDS[3][spades]


def acts(held: list[int], seat: int, made: int, burned: int) -> tuple[int, ...]:
    """Return what may be declared or asked by the one who leads (R3.2 to R3.4)."""
    own, partner = pairs(held, seat), pairs(held, seat ^ 2)
    spent = made | burned
    return (
        DECLARATIONS[WHOLES[own] & ~spent]
        + WHOLE_QUESTIONS[WHOLES[partner] & ~spent]
        + HALF_QUESTIONS[HALVES[own] & ~made]
    )


def outcome(act: int, held: list[int], seat: int, burned: int) -> tuple[int, int]:
    """Return the suit that a lawful act makes, or NO_SUIT, and the wholes burned."""
    if act < ASK_WHOLE:
        return act - DECLARE, burned
    burned |= WHOLES[pairs(held, seat)]
    if act < ASK_HALF:
        return (NO_SUIT if act == NO_WHOLE else act - ASK_WHOLE), burned
    partner = pairs(held, seat ^ 2)
    suit = act - ASK_HALF
    has_it = HALVES[partner] >> suit & 1
    return (suit if has_it else NO_SUIT), burned | WHOLES[partner]


def pairs(held: list[int], seat: int) -> int:
    """Return which kings and queens a player holds: two bits a suit."""
    clubs, diamonds, hearts, spades = held[SUITS * seat : SUITS * seat + SUITS]
    return (
        (clubs >> 5 & 3)
        | (diamonds >> 3 & 12)
        | (hearts >> 1 & 48)
        | (spades << 1 & 192)
    )
