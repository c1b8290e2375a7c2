"""A deal card by card in words: what was asked, what was wrong, and by which rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from komppa.words import SUIT_LABELS, duty_sentence
from komppa.words_of_cards import card_name
from scoring.cards import Card, Rank
from scoring.declarations import (
    FIRST_ACT_AFTER,
    Act,
    AskHalf,
    AskWhole,
    Declare,
    partner_of,
)
from scoring.problems import Problem
from scoring.replay import Position, VoidAct, WrongCard
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
    "R3.3": gettext_lazy("Tästä maasta on jo tehty valtti tai pikkuvaltti."),
    "R3.4": gettext_lazy("Kokonainen paloi aiemmassa kysymyksessä."),
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


def void_reason(void: VoidAct, act: Act, before: Position, *, by: Seat) -> str:
    """Return why an act made nothing that the player at a seat did there and then."""
    if void.seat is not by:
        return _untrue(act, before, void.seat)
    if void.rule == "R3.1":
        return _untimely(before)
    if void.rule == "R3.2":
        return _not_his_to_say(act, before, by)
    return str(_VOID[void.rule])


def _untimely(before: Position) -> str:
    if len(before.tricks) < FIRST_ACT_AFTER:
        return _("Ilmoittaa ja kysyä saa aikaisintaan toisen tikin jälkeen.")
    if before.on_table:
        return _("Ilmoittaa ja kysyä saa vain ennen tikin alkua, ei kesken tikin.")
    return _("Ilmoittaa tai kysyä saa vain kerran voittamaansa tikkiä kohti.")


def _not_his_to_say(act: Act, before: Position, by: Seat) -> str:
    hand = before.hands[by]
    if isinstance(act, Declare):
        return _(
            "Kokonaiseen kuuluvat saman maan kuningas ja rouva, ja molempien on oltava "
            "vielä kädessä."
        )
    if partner_of(by) not in before.hands:
        return _("Kysyä voi vain pariltaan, eikä tässä pelissä ole paria.")
    if isinstance(act, AskHalf) and act.suit in hand.wholes:
        return _(
            "Hänellä oli sekä tämän maan kuningas että rouva; puolikasta kysyy se, "
            "jolla on vain toinen niistä."
        )
    return _(
        "Hänellä ei ollut tämän maan kuningasta eikä rouvaa; puolikasta kysyy se, "
        "jolla on toinen niistä."
    )


def _untrue(act: Act, before: Position, partner: Seat) -> str:
    if isinstance(act, AskWhole) and act.answer in before.hands[partner].wholes:
        if act.answer in before.trumps.suits:
            return _(
                "Parin nimeämästä maasta oli jo tehty valtti tai pikkuvaltti, joten se "
                "ei käynyt vastaukseksi."
            )
        return _("Parin nimeämä kokonainen oli palanut eikä käynyt vastaukseksi.")
    return _("Parin vastaus ei ollut totta.")


def end_sentence(team: str, trick: int) -> str:
    """Return where a third foul ended the game (R7.1)."""
    return _(
        "Peli päättyi %(trick)d. tikkiin: %(team)s teki kolmannen pelivirheensä"
    ) % {
        "trick": trick,
        "team": team,
    }


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
