"""The cards by name, ”patakymppi”, and as they stand in a sentence, ”S10”.

The letters are those of the rules (R1.2); on the screen the suit is its picture,
which is what stands on the card in one's hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext, pgettext_lazy

from komppa.words import SUIT_LABELS, listing
from scoring.cards import Card, Rank

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

_RANKS: Mapping[Rank, StrPromise] = {
    Rank.ACE: pgettext_lazy("kortin arvo", "ässä"),
    Rank.TEN: pgettext_lazy("kortin arvo", "kymppi"),
    Rank.KING: pgettext_lazy("kortin arvo", "kuningas"),
    Rank.QUEEN: pgettext_lazy("kortin arvo", "rouva"),
    Rank.JACK: pgettext_lazy("kortin arvo", "sotilas"),
    Rank.NINE: pgettext_lazy("kortin arvo", "yhdeksän"),
    Rank.EIGHT: pgettext_lazy("kortin arvo", "kahdeksan"),
    Rank.SEVEN: pgettext_lazy("kortin arvo", "seitsemän"),
    Rank.SIX: pgettext_lazy("kortin arvo", "kuusi"),
}


def card_name(card: Card) -> str:
    """Return what the card is called: ”patakymppi”, ”ten of spades”, ”spadertia”."""
    return pgettext("kortin nimi", "%(suit)s%(rank)s") % {
        "suit": SUIT_LABELS[card.suit],
        "rank": _RANKS[card.rank],
    }


def card_mark(card: Card) -> SafeString:
    """Return the card as it stands in a sentence, read aloud by its name."""
    return format_html(
        '<span class="card-mark" role="img" aria-label="{}">'
        '<svg class="suit suit-{}" aria-hidden="true" focusable="false">'
        '<use href="{}#{}"/></svg>'
        '<span class="card-letter">{}</span>{}</span>',
        card_name(card),
        card.suit.value,
        static("komppa/suits.svg"),
        card.suit.value,
        card.suit.value,
        card.rank.text,
    )


def card_marks(cards: Iterable[Card]) -> SafeString:
    """Return cards as one enumeration: ”S7, S9 ja S10”."""
    # Marks are safe already, and so is what stands between them.
    return SafeString(listing([card_mark(card) for card in cards]))
