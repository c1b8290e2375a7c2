"""The pack of 36 cards (R1).

A card has a text form that parses back: suit letter and rank, ``CA D10 HK S9``.
Cards sort by suit (C D H S), then from low to high: 6 7 8 9 J Q K 10 A.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from scoring.suits import Suit

RANK_TEXTS = ("6", "7", "8", "9", "J", "Q", "K", "10", "A")


class Rank(IntEnum):
    """A rank; the value is its strength within a suit, 0 to 8 (R1.1)."""

    SIX = 0
    SEVEN = 1
    EIGHT = 2
    NINE = 3
    JACK = 4
    QUEEN = 5
    KING = 6
    TEN = 7
    ACE = 8

    @property
    def text(self) -> str:
        return RANK_TEXTS[self]

    @classmethod
    def parse(cls, text: str) -> Rank:
        """Return the rank written ``text``, such as ``"10"`` or ``"K"`` (R1.2).

        Raises:
            ValueError: It is anything else; case and spaces count.
        """
        try:
            return cls(RANK_TEXTS.index(text))
        except ValueError:
            raise ValueError(f"not a rank: {text!r}") from None


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One of the 36 cards."""

    suit: Suit
    rank: Rank

    def __str__(self) -> str:
        return f"{self.suit.value}{self.rank.text}"

    def __repr__(self) -> str:
        return f"Card.parse('{self}')"

    @classmethod
    def parse(cls, text: str) -> Card:
        """Return the card written ``text``, such as ``"S10"`` (R1.2).

        Raises:
            ValueError: It is anything else; case and spaces count.
        """
        try:
            return _CARDS[text]
        except KeyError:
            raise ValueError(f"not a card: {text!r}") from None

    @property
    def matti(self) -> bool:
        """Whether the card is a matti, an ace or a ten (R1.3)."""
        return self.rank >= Rank.TEN

    @property
    def pips(self) -> int:
        """Its pips: king 4, queen 3, jack 2, others 0 (R1.3)."""
        return _PIPS.get(self.rank, 0)


PACK = tuple(Card(suit, rank) for suit in Suit for rank in Rank)
"""All 36 cards, in order."""

HAND_SIZE = 9
"""Cards dealt to each player, and tricks of a deal (R1.1)."""

_CARDS = {str(card): card for card in PACK}
_PIPS = {Rank.JACK: 2, Rank.QUEEN: 3, Rank.KING: 4}
