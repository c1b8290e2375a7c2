"""Random legal deals: cards, declarations and questions by chance among the lawful.

This is the readable form, one ``Position`` after the other, for any ruleset.
``compact`` makes the same deals of the same chances with bit masks, much faster.

A chance is what ``Random(seed).random`` gives, the one method whose numbers Python
promises to keep, so a seed gives the same deals on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from scoring.cards import PACK, Card
from scoring.deal import Deal, Event, Play
from scoring.hands import Hand
from scoring.replay import Position, start
from scoring.rulesets import Ruleset
from scoring.sides import Seat
from scoring.tricks import CLUB_ACE

T = TypeVar("T")
Chance = Callable[[], float]
"""Gives a number from 0 up to, not including, 1."""

ACTS = 0.5
"""How often a player acts who may."""

OPENINGS = 0.25
"""How often a deal is the first of its set."""


def play(chance: Chance, rules: Ruleset) -> Deal:
    """Return a deal played to its end, every choice by chance."""
    deal = dealt(chance, rules)
    events: list[Event] = []
    position = start(deal)
    while not position.finished:
        for event in _turn(position, chance):
            events.append(event)
            position = position.after(event)
    return Deal(deal.hands, deal.leader, tuple(events), rules, deal.set_opening)


def dealt(chance: Chance, rules: Ruleset) -> Deal:
    """Return a deal before its first event: shuffled, dealt, and who leads."""
    order = shuffled(chance)
    pack = [PACK[index] for index in order]
    hands = {
        seat: _hand(pack[i * rules.tricks : (i + 1) * rules.tricks], rules)
        for i, seat in enumerate(rules.seats)
    }
    opening = chance() < OPENINGS
    leader = picked(rules.seats, chance)
    if opening:
        leader = _holder_of_club_ace(hands) or leader
    return Deal(hands, leader, (), rules, opening)


def shuffled(chance: Chance) -> list[int]:
    """Return 0 to 35 in random order."""
    keys = [chance() for _ in PACK]
    return sorted(range(len(PACK)), key=keys.__getitem__)


def picked(options: Sequence[T], chance: Chance) -> T:
    """Return one of the options, each as likely as the others."""
    return options[int(chance() * len(options))]


def _hand(cards: Sequence[Card], rules: Ruleset) -> Hand:
    up = rules.face_up
    if not up:
        return Hand(frozenset(cards))
    return Hand.open(cards[2 * up :], cards[:up], cards[up : 2 * up])


def _holder_of_club_ace(hands: dict[Seat, Hand]) -> Seat | None:
    return next((s for s, hand in hands.items() if CLUB_ACE in hand.cards), None)


def _turn(position: Position, chance: Chance) -> Iterator[Event]:
    """Yield one act, now and then, where one is possible; else a card."""
    acts = tuple(position.lawful_acts())
    if acts and chance() < ACTS:
        yield picked(acts, chance)
    else:
        yield Play(picked(position.legal().legal, chance))
