"""How the facts of a cup read on the organiser's screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from komppa.cup.choices import Outcome
from komppa.cup.models import Cup, Game, OrganiserLog

RULESET_TITLES = {
    "kemistikilta-2011": gettext_lazy("Kemistikilta 2011: Komppa-cupin säännöt"),
    "kotipeli": gettext_lazy("Kotipeli"),
    "wikipedia-12": gettext_lazy("Wikipedia, erä 12:een"),
    "wikipedia-10": gettext_lazy("Wikipedia, erä 10:een"),
    "avomarjapussi": gettext_lazy("Avomarjapussi kahdelle"),
}

RULESET_TEXTS = {
    "kemistikilta-2011": gettext_lazy(
        "Erän voittaa tasan 12 pisteellä, ja yli mennyt putoaa seitsemään (R5). "
        "Mattipisteen saa joukkue, jolla on enemmän matteja; tasatilanteessa "
        "ratkaisevat silmät ja sitten ässät (R4.2). Jos molemmilla on tasan 12, "
        "pelataan laistokierros (R6)."
    ),
    "kotipeli": gettext_lazy(
        "Kuten Komppa-cupissa, mutta laistokierrosta ei pelata: jos molemmilla on "
        "tasan 12, molemmat putoavat seitsemään (R6.6)."
    ),
    "wikipedia-12": gettext_lazy(
        "Mattipisteen sijaan pisteen saa joukkue, jolla on enemmän korttipisteitä: "
        "ässä 11, kymppi 10, kuningas 4, rouva 3 ja sotilas 2, pakassa yhteensä 120; "
        "60–60 ei anna pistettä kummallekaan (R4.2). Kokonaista ei saa kysyä valtin "
        "teon jälkeen (R3.5)."
    ),
    "wikipedia-10": gettext_lazy(
        "Kuten edellä Wikipedian säännöissä, mutta erän voittaa tasan 10 pisteellä, "
        "ja yli mennyt putoaa seitsemään (R5)."
    ),
    "avomarjapussi": gettext_lazy(
        "Kahden pelaajan peli: joukkueessa on yksi pelaaja, kummallakin 18 korttia "
        "eikä paria, jolta kysyä. Pisteet ja erät kuten Komppa-cupissa."
    ),
}

ACTS = {
    "create_cup": gettext_lazy("Turnaus luotu"),
    "update_cup": gettext_lazy("Turnauksen tietoja muutettu"),
    "add_team": gettext_lazy("Joukkue lisätty"),
    "update_team": gettext_lazy("Joukkueen tietoja muutettu"),
    "remove_team": gettext_lazy("Joukkue poistettu"),
    "draft_draw": gettext_lazy("Lohkot arvottu luonnokseksi"),
    "discard_draw": gettext_lazy("Arvontaluonnos hylätty"),
    "confirm_draw": gettext_lazy("Arvonta vahvistettu"),
    "replace_draw": gettext_lazy("Vahvistettu arvonta korvattu uudella"),
    "cancel_draw": gettext_lazy("Vahvistettu arvonta peruttu"),
    "make_group_games": gettext_lazy("Lohkopelit tehty"),
    "draw_lot": gettext_lazy("Lohkon arpa vedetty"),
    "add_team_to_group": gettext_lazy("Joukkue lisätty lohkoon"),
    "rename_team": gettext_lazy("Joukkueen nimi muutettu"),
    "replace_player": gettext_lazy("Pelaaja vaihdettu"),
    "withdraw_team": gettext_lazy("Joukkue vetäytyi"),
    "cancel_withdrawal": gettext_lazy("Vetäytyminen peruttu"),
    "set_outcome": gettext_lazy("Pelin tulos merkitty"),
    "move_game": gettext_lazy("Peli siirretty"),
    "make_bracket": gettext_lazy("Jatkopelit tehty"),
    "remove_bracket": gettext_lazy("Jatkopelit poistettu"),
    "draw_lot_across": gettext_lazy("Lohkojen välinen arpa vedetty"),
    "record_lot": gettext_lazy("Paperilla vedetty arpa kirjattu"),
    "take_back_lot": gettext_lazy("Arpa peruttu"),
    "restore_lot": gettext_lazy("Arpa palautettu"),
    "change_rules": gettext_lazy("Turnauksen sääntöjä muutettu"),
    "correct_deals": gettext_lazy("Pelin jakoja korjattu"),
    "attach_record": gettext_lazy("Jakoon liitetty tallenne"),
    "take_back_record": gettext_lazy("Jaon tallenne poistettu käytöstä"),
    "move_record": gettext_lazy("Tallenne siirtynyt jaon mukana"),
    "suspend_record": gettext_lazy("Tallenne jäänyt ilman jakoa"),
    "import_cup": gettext_lazy("Turnaus tuotu tiedostosta"),
    "annul_game": gettext_lazy("Peli mitätöity"),
    "cancel_annulment": gettext_lazy("Pelin mitätöinti peruttu"),
    "confirm_conflict": gettext_lazy("Peli vahvistettu pelattuna"),
    "name_team": gettext_lazy("Joukkue valittu jatkopeliin"),
    "create_scorekeeper": gettext_lazy("Kirjaajan tunnus tehty"),
    "reset_password": gettext_lazy("Kirjaajalle annettu uusi salasana"),
    "deactivate_scorekeeper": gettext_lazy("Kirjaajan tunnus poistettu käytöstä"),
    "activate_scorekeeper": gettext_lazy("Kirjaajan tunnus otettu käyttöön"),
    "remove_demo_cup": gettext_lazy("Esittelyturnaus poistettu"),
    "create_organiser": gettext_lazy("Järjestäjän tunnus tehty"),
    "promote_organiser": gettext_lazy("Kirjaajasta tehty järjestäjä"),
    "reset_organiser": gettext_lazy("Järjestäjälle annettu uusi salasana"),
}

_FACTS = {
    "name": gettext_lazy("nimi"),
    "players": gettext_lazy("pelaajat"),
    "pot": gettext_lazy("kori"),
    "seed": gettext_lazy("siemenluku"),
    "groups": gettext_lazy("lohkoja"),
    "games": gettext_lazy("pelejä"),
    "tables": gettext_lazy("pöytiä"),
    "teams": gettext_lazy("joukkueita"),
    "team_a": gettext_lazy("joukkue A"),
    "team_b": gettext_lazy("joukkue B"),
    "replay": gettext_lazy("uusi peli"),
    "order": pgettext_lazy("arvan tulos", "järjestys"),
    "group": gettext_lazy("lohko"),
    "player": gettext_lazy("pelaaja"),
    "table": gettext_lazy("pöytä"),
    "next": gettext_lazy("pelataan seuraavaksi"),
    "outcome": gettext_lazy("tulos"),
    "winner": gettext_lazy("voittaja"),
    "deal": gettext_lazy("jako"),
    "aces": gettext_lazy("ristiässän merkintä poistettu"),
}


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """One fact of a log line, before and after; empty where there was none."""

    name: str
    old: str
    new: str


def act_name(act: str) -> str:
    return str(ACTS.get(act, act))


def changed_facts(line: OrganiserLog) -> Iterator[ChangedFact]:
    """Yield what a log line changed, leaving out what stayed as it was."""
    old = line.old if isinstance(line.old, Mapping) else {}
    new = line.new if isinstance(line.new, Mapping) else {}
    for name in [*new, *(name for name in old if name not in new)]:
        before, after = (_fact(name, facts) for facts in (old, new))
        # A name that the line tells anyway is told once.
        if before != after and (before or after != line.target):
            yield ChangedFact(fact_name(name), before, after)


def fact_name(name: str) -> str:
    if name in _FACTS:
        return str(_FACTS[name])
    try:
        return str(Cup._meta.get_field(name).verbose_name)  # type: ignore[union-attr]
    except (FieldDoesNotExist, AttributeError):
        return name


def ruleset_title(key: str) -> str:
    return str(RULESET_TITLES.get(key, key))


def game_teams(game: Game) -> str:
    unknown = _("ei vielä selvillä")
    return f"{game.team_a or unknown} – {game.team_b or unknown}"


def game_state(game: Game) -> str:
    """Return in a few words where a game stands."""
    if game.outcome:
        return capfirst(str(Outcome(game.outcome).label))
    score = f"{game.sets_a}–{game.sets_b}"
    if game.winner:
        by_fouls = game.ended_by == "fouls"
        state = (
            _("Päättyi %(score)s, kolme virhettä")
            if by_fouls
            else _("Päättyi %(score)s")
        )
        return state % {"score": score}
    if game.deal_count:
        return _("Käynnissä, erät %(score)s") % {"score": score}
    return _("Pelaamatta")


def _fact(name: str, facts: Mapping[str, Any]) -> str:
    if name not in facts:
        return ""
    value = facts[name]
    if name == "ruleset":
        return ruleset_title(str(value))
    if name == "outcome" and value in Outcome.values:
        return str(Outcome(value).label) if value else _("pelaamalla")
    if name in _FACTS:
        return _plain(value)
    try:
        choices = Cup._meta.get_field(name).flatchoices  # type: ignore[union-attr]
    except (FieldDoesNotExist, AttributeError):
        choices = []
    labels = [str(label) for choice, label in choices if choice == value]
    return labels[0] if labels else _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return _("kyllä") if value else _("ei")
    if isinstance(value, list):
        return ", ".join(str(item) for item in value if item != "")
    return "" if value is None else str(value)
