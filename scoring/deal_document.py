"""The ``deal`` command: a deal card by card, answered by its sheet and its fouls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scoring.cards import Card
from scoring.deal import Deal, Event, Play
from scoring.declarations import AskHalf, AskWhole, Declare
from scoring.documents import Reader, refusal, shown
from scoring.hands import Hand
from scoring.problems import Code, Refused, join
from scoring.replay import Position, replay
from scoring.rulesets import DEFAULT, RULESETS, SWITCHES, Ruleset, read_ruleset
from scoring.sides import Seat

EVENTS = ("play", "declare", "ask_whole", "ask_half")


def answer(data: object) -> tuple[dict[str, object], bool]:
    """Return the answer to a document, and whether it was refused."""
    try:
        end = replay(read_deal(data))
    except Refused as refused:
        return refusal(refused.problems), True
    return result_to_json(end), False


def read_deal(data: object, rules: Ruleset | None = None) -> Deal:
    """Return the deal that a document records, in rules given or its own.

    With ``rules``, what the document says of its ruleset and switches is read but
    not followed.

    Raises:
        Refused: The document is malformed, cards are there twice or not as many
            as are dealt, or the wrong player opens. Events are checked in form only.
    """
    reader = Reader()
    document = reader.members(
        data,
        "",
        required=("hands", "leader", "events"),
        optional=("ruleset", "switches", "set_opening"),
    )
    if document is None:
        raise Refused(reader.problems)
    own = read_ruleset(reader, document)
    deal = _read_with(reader, document, rules or own)
    if deal is None or reader.problems:
        raise Refused(reader.problems)
    if problems := deal.problems():
        raise Refused(problems)
    return deal


def deal_to_json(deal: Deal) -> dict[str, object]:
    """Return the document that records a deal; switches as far as they differ."""
    usual = RULESETS.get(deal.rules.key, RULESETS[DEFAULT])
    switches = {
        name: value.value
        for name in SWITCHES
        if (value := getattr(deal.rules, name)) is not getattr(usual, name)
    }
    return {
        "ruleset": deal.rules.key,
        **({"switches": switches} if switches else {}),
        "hands": {
            seat.value: _write_hand(hand, deal.rules)
            for seat, hand in deal.hands.items()
        },
        "leader": deal.leader.value,
        "set_opening": deal.set_opening,
        "events": [event_to_json(event) for event in deal.events],
    }


def event_to_json(event: Event) -> dict[str, object]:
    """Return an event as documents have it."""
    if isinstance(event, Play):
        play: dict[str, object] = {"play": str(event.card)}
        return play | ({"corrected": str(event.corrected)} if event.corrected else {})
    if isinstance(event, Declare):
        return {"declare": event.suit.value}
    if isinstance(event, AskWhole):
        return {"ask_whole": None if event.answer is None else event.answer.value}
    said = {} if event.answer is None else {"answer": event.answer}
    return {"ask_half": event.suit.value, **said}


def result_to_json(end: Position) -> dict[str, object]:
    """Return what the command answers of a deal replayed to its last event."""
    sheet = end.sheet()
    open_trick = () if end.open_trick is None else (end.open_trick,)
    return {
        "sheet": None if sheet is None else sheet.played_to_json(end.rules),
        "tricks": [trick.to_json() for trick in (*end.tricks, *open_trick)],
        "fouls": [foul.to_json() for foul in end.fouls],
        "void": [void.to_json() for void in end.void],
        "finished": end.finished,
    }


def _read_with(
    reader: Reader, document: Mapping[str, object], rules: Ruleset | None
) -> Deal | None:
    """Return the deal; where it cannot be read, the reader knows why."""
    opening = reader.flag(document.get("set_opening", False), "set_opening")
    events = _read_events(reader, document)
    if rules is None:
        return None
    leader = None
    if "leader" in document:
        leader = reader.seat(document["leader"], "leader", rules.seats)
    hands = _read_hands(reader, document, rules)
    if hands is None or leader is None or opening is None:
        return None
    return Deal(hands, leader, events, rules, opening)


def _read_hands(
    reader: Reader, document: Mapping[str, object], rules: Ruleset
) -> dict[Seat, Hand] | None:
    if "hands" not in document:
        return None
    seats = tuple(seat.value for seat in rules.seats)
    given = reader.members(document["hands"], "hands", required=seats)
    if given is None:
        return None
    dealt = _Dealt(reader, set())
    read = _read_open_hand if rules.face_up else _read_hand
    hands = {
        Seat(seat): read(dealt, given[seat], join("hands", seat), rules)
        for seat in seats
        if seat in given
    }
    whole = {seat: hand for seat, hand in hands.items() if hand is not None}
    return whole if len(whole) == len(seats) else None


class _Dealt(NamedTuple):
    """The reading of all hands, which share one pack."""

    reader: Reader
    seen: set[Card]

    def cards(self, value: object, path: str, count: int) -> list[Card] | None:
        """Return exactly so many cards, none of them seen before."""
        items = self.reader.items(value, path)
        if items is None:
            return None
        if len(items) != count:
            self.reader.refuse(Code.DEALT_SIZE, path, count=len(items), needed=count)
        cards = [
            self._card(item, join(path, index)) for index, item in enumerate(items)
        ]
        known = [card for card in cards if card is not None]
        return known if len(known) == count == len(items) else None

    def _card(self, value: object, path: str) -> Card | None:
        card = self.reader.card(value, path)
        if card in self.seen:
            self.reader.refuse(Code.CARD_TWICE, path, card=str(card))
            return None
        if card is not None:
            self.seen.add(card)
        return card


def _read_hand(dealt: _Dealt, value: object, path: str, rules: Ruleset) -> Hand | None:
    cards = dealt.cards(value, path, rules.tricks)
    return None if cards is None else Hand(frozenset(cards))


def _read_open_hand(
    dealt: _Dealt, value: object, path: str, rules: Ruleset
) -> Hand | None:
    sizes = {
        "hand": rules.tricks - 2 * rules.face_up,
        "up": rules.face_up,
        "down": rules.face_up,
    }
    given = dealt.reader.members(value, path, required=tuple(sizes))
    if given is None:
        return None
    parts = [
        dealt.cards(given[key], join(path, key), size) if key in given else None
        for key, size in sizes.items()
    ]
    hand, up, down = parts
    if hand is None or up is None or down is None:
        return None
    return Hand.open(hand, up, down)


def _write_hand(hand: Hand, rules: Ruleset) -> object:
    if not rules.face_up:
        return [str(card) for card in sorted(hand.cards)]
    up = [covered.by for covered in hand.down]
    return {
        "hand": [str(card) for card in sorted(hand.cards.difference(up))],
        "up": [str(card) for card in up],
        "down": [str(covered.card) for covered in hand.down],
    }


def _read_events(reader: Reader, document: Mapping[str, object]) -> tuple[Event, ...]:
    if "events" not in document:
        return ()
    items = reader.items(document["events"], "events") or []
    read = (
        _read_event(reader, item, join("events", index))
        for index, item in enumerate(items)
    )
    return tuple(event for event in read if event is not None)


def _read_event(reader: Reader, value: object, path: str) -> Event | None:
    kinds = [key for key in EVENTS if key in value] if isinstance(value, dict) else []
    if len(kinds) != 1:
        wanted = f"an event with one of {', '.join(EVENTS)}"
        reader.refuse(Code.MALFORMED, path, value=shown(value), wanted=wanted)
        return None
    [kind] = kinds
    more = {"play": ("corrected",), "ask_half": ("answer",)}.get(kind, ())
    given = reader.members(value, path, required=(kind,), optional=more) or {}
    subject, at = given[kind], join(path, kind)
    if kind == "play":
        return _read_play(reader, given, path)
    if kind == "ask_whole" and subject is None:
        return AskWhole(None)
    suit = reader.suit(subject, at)
    said = None
    if "answer" in given:
        said = reader.flag(given["answer"], join(path, "answer"))
    if suit is None:
        return None
    if kind == "ask_half":
        return AskHalf(suit, said)
    return Declare(suit) if kind == "declare" else AskWhole(suit)


def _read_play(reader: Reader, given: Mapping[str, object], path: str) -> Play | None:
    card = reader.card(given["play"], join(path, "play"))
    stays = None
    if "corrected" in given:
        stays = reader.card(given["corrected"], join(path, "corrected"))
    return None if card is None else Play(card, stays)
