"""The draw (arvonta) of groups: drafted, looked at, confirmed or discarded."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from komppa.cup import services
from komppa.cup.access import visitor
from komppa.cup.admin_base import act, cup_by_id, page
from komppa.cup.choices import DrawStatus
from komppa.cup.forms import DrawForm
from komppa.cup.models import Cup, Team
from komppa.cup.queries import has_results
from komppa.cup.workbench import draw_records
from komppa.errors import Refusal


@require_http_methods(["GET", "HEAD", "POST"])
def draw_page(request: HttpRequest, cup_id: int) -> HttpResponse:
    cup = cup_by_id(cup_id)
    teams = _drawn_from(cup)
    form = DrawForm(request.POST or None, team_count=len(teams))
    if request.method != "POST":
        return _show(request, cup, teams, form)
    if not form.is_valid():
        return _show(request, cup, teams, form, status=422)
    try:
        services.draft_draw(
            cup=cup,
            group_count=form.cleaned_data["group_count"],
            by=visitor(request),
        )
    except Refusal as refusal:
        messages.error(request, refusal.message)
    return redirect("admin:cup_draw", cup.pk)


@require_POST
def confirm(request: HttpRequest, cup_id: int, draw_id: int) -> HttpResponse:
    cup = cup_by_id(cup_id)
    return act(
        request,
        services.confirm_draw,
        draw=get_object_or_404(cup.draws, pk=draw_id),
        done=_("Arvonta on vahvistettu. Tee seuraavaksi pelit."),
        back=("admin:cup_draw", cup.pk),
    )


@require_POST
def discard(request: HttpRequest, cup_id: int, draw_id: int) -> HttpResponse:
    cup = cup_by_id(cup_id)
    return act(
        request,
        services.discard_draw,
        draw=get_object_or_404(cup.draws, pk=draw_id),
        done=_("Arvonta on hylätty. Se jää muistiin."),
        back=("admin:cup_draw", cup.pk),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def cancel(request: HttpRequest, cup_id: int, draw_id: int) -> HttpResponse:
    """Ask once more, since the groups and games go with it."""
    cup = cup_by_id(cup_id)
    draw = get_object_or_404(cup.draws, pk=draw_id)
    if request.method != "POST":
        return page(
            request,
            "cup/admin/draw_cancel.html",
            title=_("Perutaanko vahvistettu arvonta?"),
            cup=cup,
            here="draw",
            draw=draw,
            is_confirmed=draw.status == DrawStatus.CONFIRMED,
            group_count=cup.groups.count(),
            game_count=cup.games.count(),
        )
    return act(
        request,
        services.cancel_draw,
        draw=draw,
        done=_("Arvonta on peruttu. Lohkot ja pelit on poistettu."),
        back=("admin:cup_draw", cup.pk),
    )


def _show(
    request: HttpRequest,
    cup: Cup,
    teams: QuerySet[Team],
    form: DrawForm,
    status: int = 200,
) -> HttpResponse:
    records = draw_records(cup)
    by_status = {record.draw.status: record for record in records}
    confirmed = by_status.get(DrawStatus.CONFIRMED)
    return page(
        request,
        "cup/admin/draw.html",
        title=_("Arvonta"),
        cup=cup,
        here="draw",
        form=form,
        teams=teams,
        pots=_pots(teams),
        draft=by_status.get(DrawStatus.DRAFT),
        confirmed=confirmed,
        history=[r for r in records if r.draw.status != DrawStatus.DRAFT],
        game_count=cup.games.count(),
        is_fixed=has_results(cup),
        has_outside=any(not hasattr(team, "membership") for team in teams),
        status=status,
    )


def _drawn_from(cup: Cup) -> QuerySet[Team]:
    return cup.teams.filter(withdrawn=False).select_related("membership")


def _pots(teams: QuerySet[Team]) -> list[tuple[int | None, list[Team]]]:
    """Return the teams by pot, those without one last; nothing if nobody has one."""
    numbers = {team.pot for team in teams}
    if numbers <= {None}:
        return []
    ordered = sorted(numbers, key=lambda pot: (pot is None, pot or 0))
    return [(pot, [team for team in teams if team.pot == pot]) for pot in ordered]
