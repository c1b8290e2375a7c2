"""The four suits, in the order in which cards are listed (R1.1)."""

from __future__ import annotations

from enum import StrEnum


class Suit(StrEnum):
    """Clubs, diamonds, hearts, spades: risti, ruutu, hertta, pata (R1.2)."""

    C = "C"
    D = "D"
    H = "H"
    S = "S"
