"""The lot (arpa): drawn here and nowhere else, for a tie that nothing else settles."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from komppa.cup import services
from komppa.cup.admin_base import act, cup_by_id, page
from komppa.cup.models import Cup
from komppa.cup.queries import GroupStanding, StandingRow, group_standings
from komppa.cup.workbench import lot_records


@require_safe
def lots_page(request: HttpRequest, cup_id: int) -> HttpResponse:
    cup = cup_by_id(cup_id)
    standings = group_standings(cup)
    return page(
        request,
        "cup/admin/lots.html",
        title=_("Arvat"),
        cup=cup,
        here="lots",
        ties=_ties(standings),
        records=lot_records(cup, standings),
        unfinished=[s.group for s in standings if not s.is_complete],
    )


@require_POST
def draw_lot(request: HttpRequest, cup_id: int) -> HttpResponse:
    cup = cup_by_id(cup_id)
    group_id, *team_ids = (
        _number(text)
        for text in (request.POST.get("group", ""), *request.POST.getlist("team"))
    )
    group = get_object_or_404(cup.groups, pk=group_id)
    _refuse_strangers(cup, team_ids)
    return act(
        request,
        services.draw_lot,
        group=group,
        team_ids=team_ids,
        done=_("Arpa on vedetty. Tulos on alla."),
        back=("admin:cup_lots", cup.pk),
    )


def _ties(
    standings: list[GroupStanding],
) -> list[tuple[GroupStanding, list[StandingRow]]]:
    """Return each tied set as its rows of the standings."""
    return [
        (standing, [row for row in standing.rows if row.team in tied])
        for standing in standings
        for tied in standing.lots_needed
    ]


def _refuse_strangers(cup: Cup, team_ids: list[int]) -> None:
    if cup.teams.filter(pk__in=team_ids).count() != len(team_ids):
        raise Http404


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise Http404
    return int(text)
