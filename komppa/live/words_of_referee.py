"""What the referee says: each duty with the real cards of the case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext_lazy

from komppa.live.referee import Position, Step
from komppa.words import SUIT_LABELS
from komppa.words_of_cards import card_mark, card_marks
from scoring.cards import Card, Rank
from scoring.suits import Suit
from scoring.tricks import Duty, winner

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Cards = Sequence[Card]


@dataclass(frozen=True, slots=True)
class Told:
    """A duty as it is told: ”Ylimenopakko R2.3: S10 voittaa SK:n, ja sinulla on se”."""

    name: str
    rule: str
    text: SafeString


_NAMES: Mapping[Duty, StrPromise] = {
    Duty.LEAD_CLUB_ACE: pgettext_lazy("sääntö", "Erän aloitus"),
    Duty.LEAD_ACE: pgettext_lazy("sääntö", "Ässäaloitus"),
    Duty.LEAD_SPADE: pgettext_lazy("sääntö", "Patapakko"),
    Duty.LEAD_SMALL_TRUMP: pgettext_lazy("sääntö", "Pikkuvaltin maa"),
    Duty.FOLLOW_SUIT: pgettext_lazy("sääntö", "Maapakko"),
    Duty.TRUMP: pgettext_lazy("sääntö", "Valttipakko"),
    Duty.PLAY_ACE: pgettext_lazy("sääntö", "Ässäpakko"),
    Duty.OVERTAKE: pgettext_lazy("sääntö", "Ylimenopakko"),
    Duty.FREE: pgettext_lazy("sääntö", "Vapaa valinta"),
}


def told_step(step: Step, position: Position) -> Told:
    """Return why the duty of a step leaves its cards alone."""
    duty, kept = step
    return Told(str(_NAMES[duty]), duty.rule, _SENTENCES[duty](position, kept))


def told_free(position: Position) -> Told:
    """Return why no duty drops any card of the hand."""
    return Told(str(_NAMES[Duty.FREE]), Duty.FREE.rule, _free(position))


def legal_sentence(legal: Cards, hand: Cards) -> SafeString:
    """Return which cards of the hand may be played."""
    if len(legal) == len(hand) > 1:
        return _filled(_("Minkä tahansa kortin saa pelata."))
    text = ngettext("Sallittu kortti: {cards}", "Sallitut kortit: {cards}", len(legal))
    return _filled(text, legal)


def verdict_sentence(card: Card, *, is_foul: bool) -> SafeString:
    """Return whether a card that was played was a foul."""
    if is_foul:
        return _filled(_("Pelivirhe: {cards} ei ollut sallittu."), [card])
    return _filled(_("Ei virhettä: {cards} oli sallittu."), [card])


def _filled(
    text: str, cards: Cards = (), *, best: Card | None = None, suit: Suit | None = None
) -> SafeString:
    return format_html(
        text,
        cards=card_marks(cards),
        best=card_mark(best) if best else "",
        suit=SUIT_LABELS[suit] if suit else "",
    )


# The duties; the cards are those that a duty leaves.


def _lead_club_ace(position: Position, cards: Cards) -> SafeString:
    text = _("erän ensimmäinen kortti on {cards}, ja sinulla on se")
    return _filled(text, cards)


def _lead_ace(position: Position, cards: Cards) -> SafeString:
    return _filled(_("jako aloitetaan ässällä, ja sinulla on {cards}"), cards)


def _lead_spade(position: Position, cards: Cards) -> SafeString:
    text = _("ilman ässää jako aloitetaan padalla, ja sinulla on {cards}")
    return _filled(text, cards)


def _lead_small_trump(position: Position, cards: Cards) -> SafeString:
    text = _("pikkuvaltti on {suit}, ja sinulla on {cards}")
    return _filled(text, cards, suit=position.small)


def _follow_suit(position: Position, cards: Cards) -> SafeString:
    text = _("aloitettu maa on {suit}, ja sinulla on {cards}")
    return _filled(text, cards, suit=_led(position))


def _trump(position: Position, cards: Cards) -> SafeString:
    text = ngettext(
        "aloitettua maata ({suit}) sinulla ei ole, mutta sinulla on valtti {cards}",
        "aloitettua maata ({suit}) sinulla ei ole, mutta sinulla on valtit {cards}",
        len(cards),
    )
    return _filled(text, cards, suit=_led(position))


def _play_ace(position: Position, cards: Cards) -> SafeString:
    text = _("ensimmäisessä tikissä {cards} on pelattava, ja sinulla on se")
    return _filled(text, cards)


def _overtake(position: Position, cards: Cards) -> SafeString:
    text = ngettext(
        "{cards} voittaa {best}:n, ja sinulla on se",
        "{cards} voittavat {best}:n, ja sinulla on ne",
        len(cards),
    )
    return _filled(text, cards, best=_best(position))


_SENTENCES: Mapping[Duty, Callable[[Position, Cards], SafeString]] = {
    Duty.LEAD_CLUB_ACE: _lead_club_ace,
    Duty.LEAD_ACE: _lead_ace,
    Duty.LEAD_SPADE: _lead_spade,
    Duty.LEAD_SMALL_TRUMP: _lead_small_trump,
    Duty.FOLLOW_SUIT: _follow_suit,
    Duty.TRUMP: _trump,
    Duty.PLAY_ACE: _play_ace,
    Duty.OVERTAKE: _overtake,
}


# Why nothing binds: either no duty fits any card, or every card does what it asks.


def _free(position: Position) -> SafeString:
    if len(position.hand) == 1:
        return _filled(_("{cards} on ainoa korttisi"), position.hand)
    if position.trick:
        return _free_to_follow(position)
    if position.number == 1:
        return _free_to_begin(position)
    if position.small is None:
        return _filled(_("mikään sääntö ei sido tätä aloitusta"))
    if position.hand[0].suit is position.small:
        text = _("pikkuvaltti on {suit}, ja kaikki korttisi ovat sitä maata")
    else:
        text = _("pikkuvaltti on {suit}, mutta sitä maata sinulla ei ole")
    return _filled(text, suit=position.small)


def _free_to_begin(position: Position) -> SafeString:
    if position.hand[0].rank is Rank.ACE:
        return _filled(_("jako aloitetaan ässällä, ja kaikki korttisi ovat ässiä"))
    if position.hand[0].suit is Suit.S:
        text = _("ilman ässää jako aloitetaan padalla, ja kaikki korttisi ovat patoja")
        return _filled(text)
    return _filled(_("sinulla ei ole ässää eikä pataa"))


def _free_to_follow(position: Position) -> SafeString:
    suit = position.hand[0].suit
    if suit is _led(position):
        if _wins(position, position.hand[0]):
            text = _("kaikki korttisi ovat aloitettua maata ja voittavat {best}:n")
        else:
            text = _("kaikki korttisi ovat aloitettua maata, ja {best} voittaa ne")
    elif suit is position.trump:
        if _wins(position, position.hand[0]):
            text = _("kaikki korttisi ovat valttia ja voittavat {best}:n")
        else:
            text = _("kaikki korttisi ovat valttia, ja {best} voittaa ne")
    elif position.trump:
        text = _("sinulla ei ole aloitettua maata ({suit}) eikä valttia")
    else:
        text = _("sinulla ei ole aloitettua maata ({suit}), eikä valttia ole tehty")
    return _filled(text, best=_best(position), suit=_led(position))


def _led(position: Position) -> Suit:
    return position.trick[0].suit


def _best(position: Position) -> Card:
    return position.trick[winner(position.trick, position.trump)]


def _wins(position: Position, card: Card) -> bool:
    trick = (*position.trick, card)
    return winner(trick, position.trump) == len(position.trick)
