"""One sentence for each way in which facts can be refused; see ``words``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from scoring.problems import Code

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

KEY_LABELS: Mapping[str, StrPromise] = {
    "mattis": _("matit"),
    "pips": _("silmät"),
    "aces": _("ässät"),
    "card_points": _("korttipisteet"),
    "trump": _("valtti"),
    "small_trumps": _("pikkuvaltit"),
    "suits": _("maat"),
    "last_trick": _("viimeinen tikki"),
    "no_tricks": _("ei yhtään tikkiä"),
    "fouls": _("pelivirheet"),
    "abandoned": _("keskeytynyt jako"),
    "club_ace": _("ristiässä"),
    "hands": _("pelaajien kortit"),
    "leader": _("jaon aloittaja"),
    "events": _("jaon tapahtumat"),
    "play": _("pelattu kortti"),
}

SENTENCES: Mapping[Code, StrPromise] = {
    Code.NOT_A_TEAM: _("%(value)s ei ole kumpikaan joukkueista."),
    Code.NOT_A_SEAT: _("%(value)s ei ole tämän pelin pelaajapaikka."),
    Code.NOT_A_SUIT: _("%(value)s ei ole maa."),
    Code.NOT_A_WHOLE_NUMBER: _("%(value)s ei ole kokonaisluku."),
    Code.OUT_OF_RANGE: _("%(value)s ei kelpaa, sallittuja ovat %(allowed)s."),
    Code.MISSING: _("Merkitse %(key)s."),
    Code.UNKNOWN_KEY: _("Tätä tietoa ei näillä säännöillä merkitä: %(key)s."),
    Code.DUPLICATE_KEY: _("Sama tieto on annettu kahdesti: %(key)s."),
    Code.MALFORMED: _("%(value)s on vääränlainen tieto."),
    Code.MATTIS_SUM: _("Matteja on yhteensä %(total)s, pitäisi olla %(needed)s."),
    Code.PIPS_SUM: _("Silmiä on yhteensä %(total)s, pitäisi olla %(needed)s."),
    Code.ACES_SUM: _("Ässiä on yhteensä %(total)s, pitäisi olla %(needed)s."),
    Code.PIPS_IMPOSSIBLE: _(
        "Silmiä ei voi olla %(value)s: millään korteilla ei tule sitä määrää."
    ),
    Code.PIPS_NEEDED: _("Matit menivät tasan 4–4, joten tarvitaan silmät."),
    Code.ACES_NEEDED: _("Silmät menivät tasan 18–18, joten tarvitaan ässät."),
    Code.ACES_OVER_MATTIS: _(
        "%(team)s: ässiä on %(aces)s, mutta matteja vain %(mattis)s."
    ),
    Code.TENS_OVER_FOUR: _(
        "%(team)s: matteja on %(mattis)s ja ässiä %(aces)s, joten kymppejä olisi "
        "%(tens)s, mutta pakassa on niitä vain 4."
    ),
    Code.CARD_POINTS_SUM: _(
        "Korttipisteitä on yhteensä %(total)s, pitäisi olla %(needed)s."
    ),
    Code.CARD_POINTS_IMPOSSIBLE: _(
        "Korttipisteitä ei voi olla %(value)s: millään korteilla ei tule sitä määrää."
    ),
    Code.SMALL_TRUMPS_WITHOUT_TRUMP: _(
        "Pikkuvaltteja on %(total)s, mutta valtti puuttuu."
    ),
    Code.SMALL_TRUMPS_OVER_THREE: _(
        "Pikkuvaltteja on %(total)s, mutta niitä voi olla enintään 3."
    ),
    Code.SUITS_DISAGREE: _(
        "Pikkuvalttien maita on merkitty %(named)s, mutta pikkuvaltteja %(counted)s."
    ),
    Code.SUIT_TWICE: _("%(suit)s on merkitty kahdesti."),
    Code.LAST_TRICK_MISSING: _("Merkitse, kumpi sai viimeisen tikin."),
    Code.NO_TRICKS_BUT_MATTIS: _(
        "%(team)s ei saanut tikkejä, joten sillä ei voi olla matteja."
    ),
    Code.NO_TRICKS_BUT_PIPS: _(
        "%(team)s ei saanut tikkejä, joten sillä ei voi olla silmiä."
    ),
    Code.NO_TRICKS_BUT_ACES: _(
        "%(team)s ei saanut tikkejä, joten sillä ei voi olla ässiä."
    ),
    Code.NO_TRICKS_BUT_CARD_POINTS: _(
        "%(team)s ei saanut tikkejä, joten sillä ei voi olla korttipisteitä."
    ),
    Code.NO_TRICKS_BUT_LAST_TRICK: _(
        "%(team)s ei saanut tikkejä, joten viimeinenkään ei voi olla sen."
    ),
    Code.NO_TRICKS_BUT_TRUMP: _(
        "%(team)s ei saanut tikkejä, joten se ei voinut tehdä valttia."
    ),
    Code.NO_TRICKS_BUT_SMALL_TRUMPS: _(
        "%(team)s ei saanut tikkejä, joten se ei voinut tehdä pikkuvalttia."
    ),
    Code.ABANDONED_WITHOUT_THIRD_FOUL: _(
        "Jako on merkitty keskeytyneeksi, mutta kummallakaan joukkueella ei ole "
        "kolmatta pelivirhettä."
    ),
    Code.THIRD_FOUL_NOT_ABANDONED: _(
        "%(team)s teki kolmannen pelivirheensä, joten jako on merkittävä "
        "keskeytyneeksi."
    ),
    Code.ABANDONED_WITH_FACTS: _(
        "Jako keskeytyi kolmanteen pelivirheeseen, joten tätä ei merkitä: %(key)s."
    ),
    Code.FOUL_AFTER_THIRD: _(
        "Peli päättyi, kun %(team)s teki kolmannen pelivirheensä; sen jälkeen ei voi "
        "olla virheitä."
    ),
    Code.AFTER_THE_END: _("Peli on jo päättynyt: %(team)s voitti sen."),
    Code.CLUB_ACE_NOT_OPENING: _(
        "Ristiässän haltija merkitään vain erän ensimmäisessä jaossa."
    ),
    Code.NOT_A_CARD: _("%(value)s ei ole kortti."),
    Code.CARD_TWICE: _("Kortti %(card)s on mukana kahdesti."),
    Code.HAND_SIZE: _("Kädessä on %(count)s korttia, sallittuja ovat %(allowed)s."),
    Code.TRICK_SIZE: _("Tikissä on %(count)s korttia, sallittuja ovat %(allowed)s."),
    Code.TRUMP_TOO_EARLY: _("Valttia ei voi olla ennen %(first)s. tikkiä."),
    Code.MUST_LEAD_AFTER_THE_LEAD: _("Tikki on jo aloitettu."),
    Code.MUST_LEAD_WITHOUT_TRUMP: _("Pikkuvalttia ei voi olla ilman valttia."),
    Code.MUST_LEAD_IS_TRUMP: _("%(suit)s on valtti, joten se ei ole pikkuvaltti."),
    Code.MUST_LEAD_TOO_EARLY: _("Pikkuvaltti ei voi sitoa ennen %(first)s. tikkiä."),
    Code.DEALT_SIZE: _("Kortteja on %(count)s, pitäisi olla %(needed)s."),
    Code.OPENER_WITHOUT_CLUB_ACE: _(
        "Erän aloittaa ristiässän haltija %(holder)s, ei %(seat)s."
    ),
    Code.CARD_NOT_THERE: _(
        "Vuorossa on %(seat)s, jolla ei ole pelattavana korttia %(card)s."
    ),
    Code.CORRECTED_LEGAL_CARD: _(
        "Kortin %(card)s sai pelata, joten siinä ei ollut korjattavaa."
    ),
    Code.CORRECTED_TO_WRONG_CARD: _("Korttia %(card)s ei myöskään saanut pelata."),
    Code.AFTER_THE_DEAL: _("Jako on jo pelattu loppuun: tikkejä on %(tricks)s."),
    Code.TEAM_TWICE: _("%(team)s on mukana kahdesti."),
    Code.UNKNOWN_TEAM: _("%(team)s ei kuulu lohkoon."),
    Code.TEAM_AGAINST_ITSELF: _("%(team)s ei voi pelata itseään vastaan."),
}
