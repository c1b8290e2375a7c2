"""A deal card by card in words: what was asked, what was wrong, and by which rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from komppa.words import SUIT_LABELS, duty_sentence
from komppa.words_of_cards import card_name
from scoring.cards import Card, Rank
from scoring.declarations import Act, AskHalf, AskWhole, Declare
from scoring.problems import Problem
from scoring.replay import VoidAct, WrongCard
from scoring.sides import Seat
from scoring.suits import Suit
from scoring.tricks import CLUB_ACE, Duty

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

_DUTY_OF_RULE = {
    "R2.1": Duty.FOLLOW_SUIT,
    "R2.2": Duty.TRUMP,
    "R2.3": Duty.OVERTAKE,
    "R2.6": Duty.PLAY_ACE,
    "R2.8": Duty.LEAD_SMALL_TRUMP,
}

_VOID: Mapping[str, StrPromise] = {
    "R3.1": gettext_lazy(
        "Ilmoittaa tai kysyä saa vain tikin voittaja ennen seuraavan tikin alkua, "
        "kerran voittamaansa tikkiä kohti ja aikaisintaan toisen tikin jälkeen."
    ),
    "R3.2": gettext_lazy("Hänellä ei ollut sitä, mitä ilmoitus tai kysymys vaatii."),
    "R3.3": gettext_lazy("Tästä maasta on jo tehty valtti tai pikkuvaltti."),
    "R3.4": gettext_lazy("Kokonainen on palanut aiempaan kysymykseen."),
    "R3.5": gettext_lazy("Kokonaista ei saa kysyä valtin teon jälkeen."),
}


def act_sentence(act: Act, player: str) -> str:
    """Return what was said before a trick: ”Liisa kysyy kokonaista: hertta”."""
    if isinstance(act, Declare):
        return _("%(player)s ilmoittaa kokonaisen: %(suit)s") % {
            "player": player,
            "suit": SUIT_LABELS[act.suit],
        }
    if isinstance(act, AskWhole):
        if act.answer is None:
            return _("%(player)s kysyy kokonaista: ei ole") % {"player": player}
        return _("%(player)s kysyy kokonaista: %(suit)s") % {
            "player": player,
            "suit": SUIT_LABELS[act.answer],
        }
    return _half_sentence(act, player)


def _half_sentence(act: AskHalf, player: str) -> str:
    asked = {"player": player, "suit": SUIT_LABELS[act.suit]}
    if act.answer is None:
        return _("%(player)s kysyy puolikasta: %(suit)s") % asked
    if act.answer:
        return _("%(player)s kysyy puolikasta: %(suit)s, on") % asked
    return _("%(player)s kysyy puolikasta: %(suit)s, ei ole") % asked


def made_sentence(suit: Suit, *, is_small: bool) -> str:
    """Return what an act made of a suit."""
    made = {"suit": SUIT_LABELS[suit]}
    if is_small:
        return _("%(suit)s on pikkuvaltti") % made
    return _("%(suit)s on valtti") % made


def void_reason(void: VoidAct, *, by: Seat) -> str:
    """Return why an act of the player at a seat made nothing."""
    if void.seat is not by:
        return _("Parin vastaus ei ollut totta.")
    return str(_VOID[void.rule])


def foul_sentence(foul: WrongCard, player: str, card: Card) -> str:
    """Return who played which wrong card."""
    told = {"player": player, "card": card_name(card)}
    if foul.corrected:
        return _("Heti korjattu virhe, %(player)s: %(card)s") % told
    return _("Pelivirhe, %(player)s: %(card)s") % told


def foul_reason(foul: WrongCard, *, is_opening: bool) -> str:
    """Return the duty that forbade the card."""
    duty = _DUTY_OF_RULE.get(foul.rule) or _leading_duty(foul.legal, is_opening)
    return duty_sentence(duty)


def _leading_duty(legal: Sequence[Card], is_opening: bool) -> Duty:
    if is_opening and tuple(legal) == (CLUB_ACE,):
        return Duty.LEAD_CLUB_ACE
    is_ace = any(card.rank is Rank.ACE for card in legal)
    return Duty.LEAD_ACE if is_ace else Duty.LEAD_SPADE


def place_in_document(problem: Problem) -> str:
    """Return where in the ``deal`` document a problem is, for who reads no paths."""
    first, *rest = problem.path.split("/")
    # Somebody's own key may look like a path too.
    if first == "events" and rest and rest[0].isdecimal():
        return _("tapahtuma %(number)d") % {"number": int(rest[0]) + 1}
    if first == "hands" and rest:
        return _("kortit paikalla %(seat)s") % {"seat": rest[0][:20]}
    if first == "leader":
        return pgettext("jaon tallenteessa", "aloittaja")
    if first == "events":
        return _("tapahtumat")
    if first == "hands":
        return pgettext("jaon tallenteessa", "kortit")
    if first in ("ruleset", "switches"):
        return pgettext("jaon tallenteessa", "säännöt")
    return first[:40] or _("koko tallenne")
