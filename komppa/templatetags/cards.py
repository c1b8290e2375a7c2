"""Cards in templates: ``{{ card|card_name }}``, ``{{ card|card_mark }}``."""

from __future__ import annotations

from django import template

from komppa import words
from komppa.words_of_cards import card_mark, card_name
from scoring.cards import Card

register = template.Library()
register.filter("card_name", card_name)
register.filter("card_mark", card_mark)


@register.filter
def suit_name(card: Card) -> str:
    return str(words.SUIT_LABELS[card.suit])
