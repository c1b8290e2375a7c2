"""Whole deals in which anything may go wrong, against the second reading."""

from __future__ import annotations

import json

from hypothesis import given, note, settings
from hypothesis import strategies as st

from scoring import deal_document
from tests.scoring import second_reading
from tests.scoring.second_reading import FOUR, PACK, PARTNER, SUITS, TWO

RULESETS = [
    "kemistikilta-2011",
    "kotipeli",
    "wikipedia-12",
    "wikipedia-10",
    "avomarjapussi",
]


def random_document(random):
    """Return a deal in which most things, but not all, go by the rules."""
    rules = random.choice([None, *RULESETS])
    seats = TWO if rules == "avomarjapussi" else FOUR
    hands = random_hands(random, seats)
    document = {
        "hands": hands,
        "leader": random.choice(seats),
        "set_opening": random.random() < 0.4,
    }
    if rules:
        document["ruleset"] = rules
    if rules == "avomarjapussi":
        document["hands"] = {
            seat: {"hand": hand[:4], "up": hand[4:11], "down": hand[11:]}
            for seat, hand in hands.items()
        }
    if document["set_opening"] and random.random() < 0.95:
        document["leader"] = next(seat for seat in seats if "CA" in hands[seat])
    return {**document, "events": random_events(random, document)}


def random_hands(random, seats):
    size = 36 // len(seats)
    hands = {seat: [] for seat in seats}
    rest = random.sample(PACK, k=len(PACK))
    # Left to chance, there would be too few wholes and halves to act upon.
    if random.random() < 0.7:
        for suit in SUITS:
            seat = random.choice(seats)
            other = random.choice([seat, PARTNER[seat] if seats == FOUR else seat])
            for holder, card in [(seat, suit + "K"), (other, suit + "Q")]:
                hands[holder].append(card)
                rest.remove(card)
    for seat in seats:
        missing = size - len(hands[seat])
        hand = hands[seat] + rest[:missing]
        rest = rest[missing:]
        hands[seat] = random.sample(hand, k=size)
    return hands


def random_events(random, document):
    try:
        table = second_reading.Table({**document, "events": []})
    except second_reading.Impossible:
        return []
    carelessness = random.choice([0, 0.02, 0.1])
    talkativeness = random.choice([0.3, 0.8, 1])
    hoards = random.random() < 0.6
    # Most of what is wild is refused, and the deal ends there.
    wild = random.randrange(200)
    length = random.choice([random.randrange(60), 200, 200, 200, 200])
    events = []
    while len(events) < length:
        if table.is_finished:
            if random.random() < 0.9:
                break
            event = random.choice([{"play": "CA"}, {"declare": "C"}])
        elif random.random() < talking(events, table, talkativeness, carelessness):
            event = random_act(random, table)
        elif len(events) == wild:
            event = wild_play(random, table.hands[table.turn])
        else:
            event = random_play(random, table, carelessness, hoards)
        events.append(event)
        try:
            table.take(len(events) - 1, event)
        except second_reading.Impossible:
            # What comes after it must change nothing.
            return [*events, {"declare": "H"}]
    return events


def talking(events, table, talkativeness, carelessness):
    """Return how likely something is said here: mostly once, and between tricks."""
    if table.trick:
        return carelessness
    was_said = events and "play" not in events[-1]
    return talkativeness * (1 if table.may_act() and not was_said else 0.3)


def random_play(random, table, carelessness, hoards):
    hand = table.hands[table.turn]
    legal = table.legal()
    illegal = [card for card in hand if card not in legal]
    # Kings and queens that stay in hand keep the later tricks interesting.
    plain = [card for card in legal if card[1:] not in ("K", "Q")]
    # The duties that seldom bind are broken more often.
    seldom = table.must_lead or not table.done
    if illegal and random.random() < carelessness * (6 if seldom else 2):
        slip = {"play": random.choice(illegal)}
        return random.choice([slip, {**slip, "corrected": random.choice(legal)}])
    return {"play": random.choice(plain if hoards and plain else legal)}


def wild_play(random, hand):
    return random.choice(
        [
            {"play": random.choice(PACK)},
            {"play": random.choice(hand), "corrected": random.choice(PACK)},
            {"play": random.choice(PACK), "corrected": random.choice(hand)},
            {"play": random.choice(hand), "corrected": random.choice(hand)},
        ]
    )


def random_act(random, table):
    actor, partner = table.leader, PARTNER[table.leader]
    kinds = ["declare", "ask_whole", "ask_half"]
    if random.random() < 0.25:
        return random_words(random, random.choice(kinds))
    held = [{"declare": suit} for suit in SUITS if table.holds_whole(actor, suit)]
    if table.is_open_game:
        return random.choice(held or [{"declare": random.choice(SUITS)}])
    # Mostly what succeeds, unless it is burned or used up: the rest is common anyway.
    wholes = [{"ask_whole": suit} for suit in table.usable_wholes(partner)]
    halves = [
        {"ask_half": suit}
        for suit in SUITS
        if table.has_half(actor, suit) and table.has_half(partner, suit)
    ]
    likely = [acts for acts in [held, wholes, halves] if acts]
    if not likely:
        return random.choice([{"ask_whole": None}, {"ask_half": random.choice(SUITS)}])
    act = random.choice(random.choice(likely))
    return denied(act) if random.random() < 0.15 else act


def denied(act):
    """Return a question that succeeds with an untrue no for its answer."""
    if "ask_whole" in act:
        return {"ask_whole": None}
    return {**act, "answer": False} if "ask_half" in act else act


def random_words(random, kind):
    suit = random.choice(SUITS)
    if kind == "ask_whole":
        return {"ask_whole": random.choice([None, suit])}
    if kind == "ask_half" and random.random() < 0.7:
        return {"ask_half": suit, "answer": random.random() < 0.5}
    return {kind: suit}


def read_twice(document):
    """Return the engine's answer and the second reading's; a refusal is its path."""
    given, is_refused = deal_document.answer(document)
    if is_refused:
        (problem,) = given["problems"]
        given = problem["path"].split("/")[:2]
    try:
        expected = second_reading.answer(document)
    except second_reading.Impossible as refusal:
        expected = ["leader"]
        if refusal.event is not None:
            expected = ["events", str(refusal.event)]
    return json.loads(json.dumps(given)), expected


def shortest_difference(document):
    """Return a document cut after the first event that is read in two ways."""
    for length in range(len(document["events"]) + 1):
        cut = {**document, "events": document["events"][:length]}
        given, expected = read_twice(cut)
        if given != expected:
            return cut
    return document


# A seed of its own for every deal: drawn choice by choice, most deals would end in
# an early refusal.
@settings(max_examples=500)
@given(st.builds(random_document, st.randoms(use_true_random=True)))
def test_engine_and_second_reading_agree_on_any_deal(document):
    given, expected = read_twice(document)

    if given != expected:
        note(f"shortest: {json.dumps(shortest_difference(document))}")
    assert given == expected
