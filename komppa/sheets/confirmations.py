"""The teams agree to a result; from then on only an organiser corrects it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from komppa.cup.changes import changing
from komppa.cup.models import Game
from komppa.cup.verdicts import verdict_of
from komppa.errors import Refusal
from komppa.sheets.models import Confirmation, TableKey
from komppa.sheets.services import lock_game, refuse_archived
from scoring.sides import Side


def confirm_result(
    *,
    game: Game,
    side: Side,
    number: int,
    version: int,
    by: User | None,
    table_key: TableKey | None = None,
) -> Confirmation:
    """Write that a team agrees to the result; a second time changes nothing.

    ``number`` and ``version`` are the entry that the writer saw as appended last.
    """
    with transaction.atomic():
        cup, fresh = lock_game(game)
        newest = fresh.deal_entries.order_by("-pk").first()
        if newest is None or (newest.number, newest.version) != (number, version):
            raise Refusal(
                _(
                    "Tulosta ei vahvistettu: pelin jakoja on muutettu sen jälkeen, "
                    "kun avasit sivun. Tarkista uusi tilanne."
                ),
                code="result_changed",
            )
        team, verdict = fresh.teams[side], verdict_of(fresh, cup)
        if team is None or verdict is None or not verdict.is_by_play:
            raise Refusal(
                _("Vain pelaamalla päättyneen pelin tulos vahvistetaan."),
                code="not_won",
            )
        told = fresh.confirmations.filter(team=team, number=number, version=version)
        if (earlier := told.first()) is not None:
            return earlier
        refuse_archived(cup)
        with changing(cup):
            return Confirmation.objects.create(
                game=fresh,
                team=team,
                number=number,
                version=version,
                confirmed_by=by,
                table_key=table_key,
            )
