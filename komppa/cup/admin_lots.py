"""The lot (arpa): drawn here or on paper, for a tie that nothing else settles."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from komppa.cup import services
from komppa.cup.access import visitor
from komppa.cup.admin_base import act, cup_by_id, page
from komppa.cup.admin_changes import save_or_show
from komppa.cup.forms_changes import ChangeForm, LotForm
from komppa.cup.models import Cup, Group, Lot, Team
from komppa.cup.queries import GroupStanding, StandingRow, group_standings
from komppa.cup.services_lots import record_lot, restore_lot, take_back_lot
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
        number_or_404(text)
        for text in (request.POST.get("group", ""), *request.POST.getlist("team"))
    )
    group = get_object_or_404(cup.groups, pk=group_id)
    refuse_strangers(cup, team_ids)
    return act(
        request,
        services.draw_lot,
        group=group,
        team_ids=team_ids,
        done=_("Arpa on vedetty. Tulos on alla."),
        back=("admin:cup_lots", cup.pk),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def take_back(request: HttpRequest, cup_id: int, lot_id: int) -> HttpResponse:
    lot = _lot_or_404(cup_id, lot_id)
    return _change(
        request,
        lot,
        take_back_lot,
        title=_("Peru arpa"),
        done=_("Arpa on peruttu. Se jää muistiin."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def restore(request: HttpRequest, cup_id: int, lot_id: int) -> HttpResponse:
    lot = _lot_or_404(cup_id, lot_id)
    return _change(
        request,
        lot,
        restore_lot,
        title=_("Palauta arpa"),
        done=_("Arpa on palautettu."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def record(request: HttpRequest, cup_id: int) -> HttpResponse:
    """Record a lot drawn on paper for a tie, or in place of a lot that was wrong."""
    cup = cup_by_id(cup_id)
    asked = request.GET
    replaces = (
        _lot_or_404(cup_id, number_or_404(asked["lot"])) if "lot" in asked else None
    )
    group, teams = _tied(cup, replaces, request)
    form = LotForm(request.POST if request.method == "POST" else None, teams=teams)
    show = partial(_show_record, request, cup, replaces)
    if not form.is_bound:
        return show(form=form)
    if not form.is_valid():
        return show(form=form, status=422)
    return save_or_show(
        request,
        form,
        cup=cup,
        act=partial(
            record_lot,
            cup=cup,
            group=group,
            order=form.order,
            replaces=replaces,
            reason=form.cleaned_data["reason"],
            by=visitor(request),
        ),
        show=show,
        done=_("Arpa on kirjattu."),
        back=("admin:cup_lots", cup.pk),
    )


def _change(
    request: HttpRequest,
    lot: Lot,
    service: Callable[..., None],
    *,
    title: str,
    done: str,
) -> HttpResponse:
    form = ChangeForm(request.POST if request.method == "POST" else None)
    names = dict(lot.cup.teams.values_list("pk", "name"))

    def show(*, status: int = 200, **context: Any) -> HttpResponse:
        return page(
            request,
            "cup/admin/lot_change.html",
            title=title,
            cup=lot.cup,
            here="lots",
            lot=lot,
            names=[names[pk] for pk in lot.order],
            status=status,
            **context,
        )

    if not form.is_bound:
        return show(form=form)
    if not form.is_valid():
        return show(form=form, status=422)
    return save_or_show(
        request,
        form,
        cup=lot.cup,
        act=partial(
            service, lot=lot, reason=form.cleaned_data["reason"], by=visitor(request)
        ),
        show=show,
        done=done,
        back=("admin:cup_lots", lot.cup_id),
    )


def _show_record(
    request: HttpRequest,
    cup: Cup,
    replaces: Lot | None,
    *,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    return page(
        request,
        "cup/admin/lot_record.html",
        title=_("Korjaa arpa") if replaces else _("Kirjaa paperilla vedetty arpa"),
        cup=cup,
        here="lots",
        replaces=replaces,
        status=status,
        **context,
    )


def _tied(
    cup: Cup, replaces: Lot | None, request: HttpRequest
) -> tuple[Group | None, list[Team]]:
    """Return whose lot it is: that of the wrong one, or of the tie in the address."""
    if replaces is not None:
        group, team_ids = replaces.group, list(replaces.order)
    else:
        team_ids = [number_or_404(text) for text in request.GET.getlist("team")]
        group = None
        if "group" in request.GET:
            group_id = number_or_404(request.GET["group"])
            group = get_object_or_404(cup.groups, pk=group_id)
    teams = {team.pk: team for team in cup.teams.filter(pk__in=team_ids)}
    if len(teams) < len(team_ids) or len(teams) < 2:
        raise Http404
    return group, [teams[pk] for pk in team_ids]


def _lot_or_404(cup_id: int, lot_id: int) -> Lot:
    return get_object_or_404(
        Lot.objects.select_related("cup", "group"), pk=lot_id, cup=cup_by_id(cup_id)
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


def refuse_strangers(cup: Cup, team_ids: list[int]) -> None:
    """Answer 404 where some team is not of this cup."""
    if cup.teams.filter(pk__in=team_ids).count() != len(team_ids):
        raise Http404


def number_or_404(text: str) -> int:
    """Return an id that was sent, 404 if it is none."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise Http404
    return int(text)
