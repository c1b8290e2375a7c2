"""A player's cards: those he can play, and those that still lie face down.

In most rulesets nothing lies face down. In Avomarjapussi each player has 4 cards
in hand and 7 face up on the table, each upon another card that is turned up once
the one on it has been played and the trick is over, before anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from scoring.cards import Card, Rank
from scoring.suits import Suit


class Covered(NamedTuple):
    """A card that lies face down."""

    by: Card
    """The card face up on it, or played already in the trick on the table."""
    card: Card


@dataclass(frozen=True, slots=True)
class Hand:
    """What a player holds; a new value after every card."""

    cards: frozenset[Card]
    """All he can see as his own, in hand and face up: what he may play from."""
    down: tuple[Covered, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Hand:
        """Return the hand written ``S10 S7 HA``, or ``S10 / HA S6 / C7 C8``.

        The second form is that of Avomarjapussi: in hand / face up / under these.

        Raises:
            ValueError: It is anything else.
        """
        parts = [tuple(map(Card.parse, part.split())) for part in text.split("/")]
        if len(parts) == 3:
            return cls.open(*parts)
        if len(parts) == 1:
            return cls(frozenset(parts[0]))
        raise ValueError(f"not a hand: {text!r}")

    def __str__(self) -> str:
        up = [covered.by for covered in self.down]
        parts = [sorted(self.cards.difference(up))]
        if self.down:
            parts += [up, [covered.card for covered in self.down]]
        return " / ".join(" ".join(map(str, part)) for part in parts)

    @classmethod
    def open(
        cls, hand: Iterable[Card], up: Iterable[Card], down: Iterable[Card]
    ) -> Hand:
        """Return a hand of Avomarjapussi; each card of ``down`` lies under its ``up``.

        Raises:
            ValueError: ``up`` and ``down`` are not equally many.
        """
        seen = tuple(up)
        pairs = tuple(Covered(by, card) for by, card in zip(seen, down, strict=True))
        return cls(frozenset((*hand, *seen)), pairs)

    def __len__(self) -> int:
        return len(self.cards) + len(self.down)

    def __iter__(self) -> Iterator[Card]:
        """Yield every card, those face down last; each part in card order."""
        yield from sorted(self.cards)
        yield from sorted(covered.card for covered in self.down)

    @property
    def wholes(self) -> frozenset[Suit]:
        """The suits of which king and queen are both there (R3.2)."""
        return frozenset(suit for suit in Suit if self._of_pair(suit) == 2)

    @property
    def halves(self) -> frozenset[Suit]:
        """The suits of which exactly one of king and queen is there (R3.2)."""
        return frozenset(suit for suit in Suit if self._of_pair(suit) == 1)

    def without(self, card: Card) -> Hand:
        """Return the hand after a card of it has been played.

        Raises:
            ValueError: The card is not among those that can be played.
        """
        if card not in self.cards:
            raise ValueError(f"{card} is not in the hand")
        return Hand(self.cards - {card}, self.down)

    def turned_up(self) -> Hand:
        """Return the hand after the cards that nothing lies on were turned up."""
        if not self.down:
            return self
        bare = {covered.card for covered in self.down if covered.by not in self.cards}
        return Hand(
            self.cards | bare,
            tuple(covered for covered in self.down if covered.by in self.cards),
        )

    def _of_pair(self, suit: Suit) -> int:
        return sum(Card(suit, rank) in self.cards for rank in (Rank.QUEEN, Rank.KING))
