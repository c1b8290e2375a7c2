"""One sentence for each way in which a line of a list can be wrong; see ``words``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from komppa.cup.team_lists import Code, Layout, Problem
from komppa.errors import Refusal

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

LAYOUT_TITLES: Mapping[Layout, StrPromise] = {
    Layout.SEMICOLON: _("Puolipiste: Joukkue; Pelaaja; Pelaaja; Kori"),
    Layout.TAB: _("Sarkain: solut taulukkolaskennasta"),
    Layout.COMMA: _("Pilkku: Joukkue, Pelaaja, Pelaaja, Kori"),
    Layout.DASH: _("Ajatusviiva tai kaksoispiste: Joukkue – Pelaaja, Pelaaja"),
    Layout.NAMES: _("Ei mikään: riveillä on vain joukkueiden nimiä"),
}

LAYOUTS_READ: Mapping[Layout, StrPromise] = {
    Layout.SEMICOLON: _("Rivien tiedot erotettiin puolipisteistä."),
    Layout.TAB: _("Rivien tiedot erotettiin sarkaimista."),
    Layout.COMMA: _("Rivien tiedot erotettiin pilkuista."),
    Layout.DASH: _(
        "Joukkueet ja pelaajat erotettiin ajatusviivoista tai kaksoispisteistä."
    ),
    Layout.NAMES: _("Jokainen rivi luettiin kokonaan joukkueen nimeksi."),
}

_SENTENCES: Mapping[Code, StrPromise] = {
    Code.QUOTE_OPEN: _(
        "Lainausmerkki jää auki. Poista se ja kirjoita joukkueen kaikki tiedot "
        "samalle riville."
    ),
    Code.UNREADABLE: _("Merkkiä � ei voitu lukea. Kirjoita sen tilalle oikea."),
    Code.LINE_TOO_LONG: _(
        "Rivi on liian pitkä. Jätä riville vain yhden joukkueen tiedot."
    ),
    Code.EXTRA: _(
        "Rivillä on ylimääräistä: ”%(text)s”. Poista se, tai valitse alta toinen "
        "erotin."
    ),
    Code.NOT_A_POT: _(
        "”%(text)s” ei kelpaa koriksi. Kirjoita luku 1–%(most)d tai jätä kori pois."
    ),
    Code.TOO_MANY_ROWS: _(
        "Turnaukseen mahtuu enintään %(most)d joukkuetta. Poista listasta rivit "
        "tästä riviin %(last)d asti."
    ),
}

# What to do where the service says only why.
_ADVICE: Mapping[str, StrPromise] = {
    "name_taken": _("Poista rivi tai vaihda nimi."),
    "name_too_long": _("Lyhennä nimeä."),
    "player_name_too_long": _("Lyhennä nimeä."),
    "too_many_players": _("Poista ylimääräiset nimet."),
    "too_many_teams": _("Poista rivi."),
}


def problem_sentence(problem: Problem) -> str:
    facts = {"text": problem.text, "most": problem.most, "last": problem.last}
    return str(_SENTENCES[problem.code]) % facts


def refusal_sentence(refusal: Refusal) -> str:
    """Return why the service refuses a row, and what to do about it."""
    advice = _ADVICE.get(refusal.code)
    return f"{refusal.message} {advice}" if advice else refusal.message
