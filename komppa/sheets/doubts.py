"""What is possible and yet so unusual that the sheet asks once more."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from django.utils.translation import gettext as _

from komppa.sheets.queries import Course
from komppa.words import Names
from scoring.sheet import DealSheet
from scoring.sides import Pair, Side

# No table plays a deal faster than this, so the same facts again are an echo.
SOON = timedelta(minutes=2)
MANY_FOULS = 4


class Doubt(StrEnum):
    SAME_AGAIN = "same_again"
    EVERY_SUIT = "every_suit"
    EVERY_MATTI = "every_matti"
    MANY_FOULS = "many_fouls"


def doubts_of(sheet: DealSheet, course: Course, now: datetime) -> list[Doubt]:
    """Return what should be asked before this sheet becomes the next deal."""
    found = []
    last = course.last
    if last and last.sheet == sheet and now - last.entry.entered_at < SOON:
        found.append(Doubt.SAME_AGAIN)
    if sheet.small_trumps.a + sheet.small_trumps.b >= 3:
        found.append(Doubt.EVERY_SUIT)
    if sheet.no_tricks is None and sheet.mattis in (Pair(8, 0), Pair(0, 8)):
        found.append(Doubt.EVERY_MATTI)
    if len(sheet.fouls) >= MANY_FOULS:
        found.append(Doubt.MANY_FOULS)
    return found


def doubt_sentence(doubt: Doubt, sheet: DealSheet, names: Names) -> str:
    if doubt is Doubt.SAME_AGAIN:
        return _(
            "Täsmälleen samat tiedot kirjattiin juuri äsken edelliseen jakoon. "
            "Onko tämä varmasti uusi jako?"
        )
    if doubt is Doubt.EVERY_SUIT:
        return _("Kaikki neljä maata on merkitty valtiksi tai pikkuvaltiksi.")
    if doubt is Doubt.MANY_FOULS:
        return _("Samassa jaossa on %(count)d pelivirhettä.") % {
            "count": len(sheet.fouls)
        }
    winner = Side.A if sheet.mattis == Pair(8, 0) else Side.B
    return _(
        "%(winner)s sai kaikki kahdeksan mattia. Jos %(loser)s jäi kokonaan ilman "
        "tikkejä, merkitse se kohtaan ”Ei yhtään tikkiä”."
    ) % {"winner": names[winner], "loser": names[winner.other]}
