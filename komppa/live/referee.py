"""One turn of a trick, as the referee is asked about it; pure.

A position lives in the address of the page and nowhere else::

    ?hand=S7.S10.HA&trick=SK.H8&trump=H&n=4&card=S7

Whatever is tapped leads to another position, so the way back is the browser's own.
What may be played is the engine's answer alone (``scoring.tricks``); here is only
what a turn can consist of, so that the page offers nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.cards import Card
from scoring.documents import Reader
from scoring.problems import Code, Problem, join
from scoring.rulesets import Ruleset
from scoring.suits import Suit
from scoring.tricks import (
    CLUB_ACE,
    FIRST_SMALL_TRUMP_TRICK,
    FIRST_TRUMP_TRICK,
    Duty,
    narrowings,
)

# Longer than the pack, and than any number that is asked for.
_MOST_ITEMS = 37
_MOST_LETTERS = 200

Step = tuple[Duty, tuple[Card, ...]]
"""A duty that drops cards, and those that it leaves."""

Steps = tuple[Step, ...]


class Place(StrEnum):
    """Where a card goes that is tapped in the pack."""

    HAND = "hand"
    TRICK = "trick"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much there can be of what at a table (R1.1)."""

    tricks: int
    hand: int
    """Cards that a player can see as his own when the deal begins."""
    trick: int
    """Cards that can lie in the trick when it is a player's turn."""

    @classmethod
    def of(cls, rules: Ruleset) -> Limits:
        return cls(rules.tricks, rules.tricks - rules.face_up, len(rules.seats) - 1)

    def most_in_hand(self, number: int) -> int:
        """Return how many cards a player can choose from in a trick.

        Cards that lie face down are turned up one by one, so that he may see as
        many as in the beginning for as long as he has them.
        """
        return min(self.hand, self.tricks + 1 - number)

    def last_number(self, held: int) -> int:
        """Return the last trick in which a player can hold so many, 0 if in none."""
        return self.tricks + 1 - max(held, 1) if held <= self.hand else 0


@dataclass(frozen=True, slots=True)
class Position:
    """What is known of a turn; any part may still be lacking."""

    hand: tuple[Card, ...] = ()
    """In card order."""
    trick: tuple[Card, ...] = ()
    """As it was played, leader's card first."""
    trump: Suit | None = None
    number: int | None = None
    """Which trick of the deal it is."""
    small: Suit | None = None
    """The suit of a small trump just made (R2.8)."""
    opens: bool = False
    """Whether the deal is the first of its set (R2.5)."""
    card: Card | None = None
    """A card of the hand that was played, or might be."""
    to: Place = Place.HAND

    @property
    def query(self) -> str:
        """The position as the query of an address; ``read`` reads it back."""
        parts = {
            "hand": ".".join(map(str, self.hand)),
            "trick": ".".join(map(str, self.trick)),
            "trump": self.trump or "",
            "n": str(self.number or ""),
            "small": self.small or "",
            "opens": "1" if self.opens else "",
            "card": str(self.card or ""),
            "to": "" if self.to is Place.HAND else self.to.value,
        }
        return "&".join(f"{name}={value}" for name, value in parts.items() if value)

    # What can be, given the rest.

    @property
    def first_number(self) -> int:
        """The first trick in which this can happen (R3.1)."""
        if self.small:
            return FIRST_SMALL_TRUMP_TRICK
        return FIRST_TRUMP_TRICK if self.trump else 1

    def numbers(self, limits: Limits) -> range:
        """Return the tricks that it can be, whatever number it has now."""
        return range(self.first_number, limits.last_number(len(self.hand)) + 1)

    def most_in_hand(self, limits: Limits) -> int:
        return limits.most_in_hand(self.number or self.first_number)

    def fits(self, limits: Limits) -> bool:
        """Return whether the hand is small enough for the earliest trick it can be."""
        return len(self.hand) <= self.most_in_hand(limits)

    @property
    def may_have_trump(self) -> bool:
        return self.number is None or self.number >= FIRST_TRUMP_TRICK

    @property
    def may_have_small(self) -> bool:
        is_late = self.number is None or self.number >= FIRST_SMALL_TRUMP_TRICK
        return is_late and self.trump is not None and not self.trick

    @property
    def may_open(self) -> bool:
        """Whether it matters that the deal opens a set."""
        return self.number == 1 and not self.trick and CLUB_ACE in self.hand

    # What a tap makes of it; None where it would lead to nothing that can be.

    def tapped(self, card: Card, limits: Limits) -> Position | None:
        """Return the position after a card of the pack was put or taken back."""
        if card in self.hand or card in self.trick:
            kept = replace(
                self,
                hand=tuple(other for other in self.hand if other != card),
                trick=tuple(other for other in self.trick if other != card),
                card=None if self.card == card else self.card,
            )
            return kept._tidy()
        if self.to is Place.HAND:
            wider = replace(self, hand=tuple(sorted((*self.hand, card))))
            return wider if wider.fits(limits) else None
        is_full = len(self.trick) >= limits.trick
        return None if is_full else replace(self, trick=(*self.trick, card))._tidy()

    def numbered(self, number: int | None) -> Position:
        return replace(self, number=number)._tidy()

    def trumped(self, trump: Suit | None) -> Position:
        return replace(self, trump=trump)._tidy()

    def small_made(self, suit: Suit | None) -> Position:
        return replace(self, small=suit)

    def opening(self, opens: bool) -> Position:
        return replace(self, opens=opens)

    def played(self, card: Card) -> Position:
        """Return the position that asks about a card, or no longer does."""
        return replace(self, card=None if self.card == card else card)

    def turned_to(self, place: Place) -> Position:
        return replace(self, to=place)

    def _tidy(self) -> Position:
        """Return the position without what the rest of it has made void."""
        keeps_small = self.may_have_small and self.small is not self.trump
        return replace(
            self,
            small=self.small if keeps_small else None,
            opens=self.opens and self.may_open,
        )

    # What the engine says.

    def steps(self, limits: Limits) -> Steps | None:
        """Return each duty that drops cards of the hand, the strongest first.

        None as long as there is no hand, or as it matters which trick it is.
        """
        if not self.hand:
            return None
        numbers = [self.number] if self.number else self.numbers(limits)
        found = {
            tuple(
                narrowings(
                    self.hand,
                    self.trick,
                    trump=self.trump,
                    trick_number=number,
                    must_lead=self.small,
                    set_opening=self.opens,
                )
            )
            for number in numbers
        }
        return found.pop() if len(found) == 1 else None


def read(
    query: Mapping[str, str], limits: Limits
) -> tuple[Position, tuple[Problem, ...]]:
    """Return the position of an address, and all that cannot be about it.

    What cannot be read is left out of the position, what cannot be true is not.
    """
    reader = Reader()
    hand = _read_cards(reader, query, "hand")
    position = Position(
        hand=tuple(sorted(dict.fromkeys(hand))),
        trick=tuple(dict.fromkeys(_read_cards(reader, query, "trick"))),
        trump=_read_suit(reader, query, "trump"),
        number=_read_number(reader, query, limits),
        small=_read_suit(reader, query, "small"),
        opens=query.get("opens") == "1",
        to=Place.TRICK if query.get("to") == Place.TRICK else Place.HAND,
    )
    _refuse_what_cannot_be(reader, position, limits)
    # Only of a card in hand can it be asked whether it was legal.
    asked = [card for card in position.hand if str(card) == query.get("card")]
    position = replace(position, card=asked[0] if asked else None)
    return position, tuple(reader.problems)


def _read_cards(reader: Reader, query: Mapping[str, str], key: str) -> list[Card]:
    text = query.get(key, "")[:_MOST_LETTERS]
    items = text.split(".", _MOST_ITEMS) if text else []
    cards: list[Card] = []
    for index, item in enumerate(items):
        card = reader.card(item, join(key, index))
        if card is None:
            return cards  # one sentence for a whole line of noise
        if card in cards:
            reader.refuse(Code.CARD_TWICE, join(key, index), card=str(card))
        cards.append(card)
    return cards


def _read_suit(reader: Reader, query: Mapping[str, str], key: str) -> Suit | None:
    text = query.get(key)
    return reader.suit(text[:_MOST_LETTERS], key) if text else None


def _read_number(
    reader: Reader, query: Mapping[str, str], limits: Limits
) -> int | None:
    text = query.get("n", "")[:_MOST_LETTERS]
    if not text:
        return None
    is_number = text.isascii() and text.isdecimal()
    return reader.whole(int(text) if is_number else text, "n", 1, limits.tricks)


def _refuse_what_cannot_be(reader: Reader, position: Position, limits: Limits) -> None:
    for index, card in enumerate(position.trick):
        if card in position.hand:
            reader.refuse(Code.CARD_TWICE, join("trick", index), card=str(card))
    most = position.most_in_hand(limits)
    if not position.fits(limits):
        count, allowed = len(position.hand), f"1..{most}"
        reader.refuse(Code.HAND_SIZE, "hand", count=count, allowed=allowed)
    if (count := len(position.trick)) > limits.trick:
        allowed = f"0..{limits.trick}"
        reader.refuse(Code.TRICK_SIZE, "trick", count=count, allowed=allowed)
    if position.trump and _is_before(position, FIRST_TRUMP_TRICK):
        reader.refuse(Code.TRUMP_TOO_EARLY, "trump", first=FIRST_TRUMP_TRICK)
    if position.small:
        _refuse_small(reader, position, position.small)


def _refuse_small(reader: Reader, position: Position, small: Suit) -> None:
    if position.trick:
        reader.refuse(Code.MUST_LEAD_AFTER_THE_LEAD, "small")
    if position.trump is None:
        reader.refuse(Code.MUST_LEAD_WITHOUT_TRUMP, "small")
    if position.trump is small:
        reader.refuse(Code.MUST_LEAD_IS_TRUMP, "small", suit=small)
    if _is_before(position, FIRST_SMALL_TRUMP_TRICK):
        first = FIRST_SMALL_TRUMP_TRICK
        reader.refuse(Code.MUST_LEAD_TOO_EARLY, "small", first=first)


def _is_before(position: Position, first: int) -> bool:
    return position.number is not None and position.number < first


def legal_of(hand: Iterable[Card], steps: Steps) -> tuple[Card, ...]:
    """Return what the steps leave of a hand."""
    return steps[-1][1] if steps else tuple(hand)


def step_against(card: Card, steps: Steps) -> Step | None:
    """Return the first duty that forbids a card, None if none does."""
    return next((step for step in steps if card not in step[1]), None)
