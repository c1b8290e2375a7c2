"""What a withdrawal will do, said before it is done (R9.10)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from komppa.cup.choices import WithdrawnGamesChoice
from komppa.cup.models import Cup, Game
from komppa.cup.verdicts import verdict_of
from komppa.words import listing


def withdrawal_sentences(cup: Cup, games: Sequence[Game]) -> list[str]:
    """Return what happens to the team's games and to its place, a sentence each."""
    annuls = cup.withdrawn_games == WithdrawnGamesChoice.ANNUL
    of_group = [game for game in games if game.group_id]
    if not of_group:
        told = [_("Joukkueella ei ole lohkopelejä.")]
    elif annuls:
        told = _annulled(of_group)
    else:
        told = _walkovers(cup, of_group)
    bracket = [g for g in games if not g.group_id and verdict_of(g, cup) is None]
    if bracket:
        told.append(
            _("Kesken tai pelaamatta olevat jatkopelit voittaa vastustaja: %(games)s.")
            % _numbers(bracket)
        )
    if annuls and any(g.deal_count or g.outcome for g in games if not g.group_id):
        told.append(
            _(
                "Joukkue on jo pelannut jatkopelejä. Jos se vain jättää loput pelit "
                "väliin, merkitse niihin luovutus: vetäytyminen muuttaisi lohkon "
                "järjestystä, ja pelatut jatkopelit joutuisivat ristiriitaan."
            )
        )
    return [
        *told,
        _("Kirjatut jaot jäävät talteen, ja vetäytymisen peruminen palauttaa kaiken."),
    ]


def _annulled(games: Sequence[Game]) -> list[str]:
    begun = [game for game in games if game.deal_count or game.outcome]
    unplayed = [game for game in games if game not in begun]
    told = [_("Joukkue siirtyy sarjataulukon alle ilman sijaa.")]
    if begun:
        text = _("Sen pelatut ja kesken olevat lohkopelit mitätöidään: %(games)s.")
        told.append(text % _numbers(begun))
    if unplayed:
        text = _("Sen pelaamattomia lohkopelejä ei pelata: %(games)s.")
        told.append(text % _numbers(unplayed))
    return told


def _walkovers(cup: Cup, games: Sequence[Game]) -> list[str]:
    over = [game for game in games if verdict_of(game, cup)]
    still_open = [game for game in games if game not in over]
    told = [
        _(
            "Joukkue pitää sijansa sarjataulukossa, mutta jää muuten yhtä hyvien "
            "joukkueiden taakse."
        )
    ]
    if over:
        text = _("Sen päättyneet lohkopelit jäävät voimaan: %(games)s.")
        told.append(text % _numbers(over))
    if still_open:
        text = _(
            "Kesken tai pelaamatta olevat lohkopelit ovat luovutuksia, ja vastustaja "
            "voittaa ne: %(games)s."
        )
        told.append(text % _numbers(still_open))
    return told


def _numbers(games: Sequence[Game]) -> dict[str, str]:
    return {"games": listing([str(game) for game in games])}
