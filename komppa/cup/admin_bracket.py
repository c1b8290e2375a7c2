"""The bracket (jatkopelit): made from finished groups, watched, and taken away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from komppa.cup import services, services_bracket
from komppa.cup.access import visitor
from komppa.cup.admin_base import act, cup_by_id, page
from komppa.cup.admin_changes import save
from komppa.cup.admin_lots import number_or_404, refuse_strangers
from komppa.cup.bracket_offers import Offer
from komppa.cup.bracket_workbench import (
    Board,
    bracket_now,
    byes_told,
    planned_stages,
    progress_of,
)
from komppa.cup.forms_bracket import BracketForm
from komppa.cup.forms_changes import ChangeForm
from komppa.cup.models import Cup, Group, Team
from komppa.cup.next_best import Candidate
from komppa.cup.plans import bracket_tables
from komppa.cup.qualifying import NextBest
from komppa.cup.queries import StandingRow
from komppa.cup.services_bracket import bracket_refusal
from komppa.cup.words_of_bracket import next_best_tie
from komppa.errors import Refusal
from komppa.words import listing


@require_http_methods(["GET", "HEAD", "POST"])
def bracket_page(request: HttpRequest, cup_id: int) -> HttpResponse:
    """Show the bracket, or make the one that was offered."""
    cup = cup_by_id(cup_id)
    now = bracket_now(cup)
    form = _form(request, cup, now)
    if request.method != "POST":
        return _show(request, cup, now, form)
    if form is not None and not form.is_valid():
        return _show(request, cup, now, form, status=422)
    # Without a form the page has grown old, and the service says in what.
    data = form.cleaned_data if form is not None else {"table_count": 1, "stamp": ""}
    return act(
        request,
        services_bracket.make_bracket,
        cup=cup,
        table_count=data["table_count"],
        stamp=data["stamp"],
        done=_("Jatkopelit on tehty."),
        back=("admin:cup_bracket", cup.pk),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: HttpRequest, cup_id: int) -> HttpResponse:
    """Ask once more, and why; the games go with it."""
    cup = cup_by_id(cup_id)
    form = ChangeForm(request.POST if request.method == "POST" else None)
    show = partial(_show_remove, request, cup)
    if not form.is_bound:
        return show(form=form)
    if not form.is_valid():
        return show(form=form, status=422)
    return save(
        request,
        form,
        act=partial(
            services_bracket.remove_bracket,
            cup=cup,
            reason=form.cleaned_data["reason"],
            by=visitor(request),
        ),
        show=show,
        done=_("Jatkopelit on poistettu."),
        back=("admin:cup_bracket", cup.pk),
    )


@require_POST
def draw_lot(request: HttpRequest, cup_id: int) -> HttpResponse:
    """Draw the lot inside a group, or between groups where none is named."""
    cup = cup_by_id(cup_id)
    team_ids = [number_or_404(text) for text in request.POST.getlist("team")]
    refuse_strangers(cup, team_ids)
    draw = partial(services_bracket.draw_lot_across, cup=cup)
    if "group" in request.POST:
        group_id = number_or_404(request.POST["group"])
        group = get_object_or_404(cup.groups, pk=group_id)
        draw = partial(services.draw_lot, group=group)
    try:
        lot = draw(team_ids=team_ids, by=visitor(request))
    except Refusal as refusal:
        messages.error(request, refusal.message)
    else:
        names = Team.objects.in_bulk(lot.order)
        order = listing([names[pk].name for pk in lot.order])
        text = _("Arpa on vedetty. Järjestys on %(teams)s.") % {"teams": order}
        messages.success(request, text)
    return redirect("admin:cup_bracket", cup.pk)


def _form(request: HttpRequest, cup: Cup, now: Offer | Board) -> BracketForm | None:
    """Return the form that makes the bracket, None where none can be made."""
    if isinstance(now, Board) or now.bracket is None:
        return None
    options = bracket_tables(now.bracket)
    tables = cup.playing_tables.count() or len(options)
    return BracketForm(
        request.POST if request.method == "POST" else None,
        options=options,
        initial={"table_count": min(tables, len(options)), "stamp": now.stamp},
    )


def _show(
    request: HttpRequest,
    cup: Cup,
    now: Offer | Board,
    form: BracketForm | None,
    status: int = 200,
) -> HttpResponse:
    made = isinstance(now, Board)
    context: dict[str, Any] = {"board": now} if isinstance(now, Board) else _offer(now)
    return page(
        request,
        f"cup/admin/{'bracket' if made else 'bracket_offer'}.html",
        title=_("Jatkopelit"),
        cup=cup,
        here="bracket",
        form=form,
        now=now,
        stages=now.stages if isinstance(now, Board) else planned_stages(cup, now),
        compared=_compared(now.next_best),
        ties_across=_ties_across(now),
        status=status,
        **context,
    )


def _offer(offer: Offer) -> dict[str, Any]:
    refused = bracket_refusal(offer.refused) if offer.refused else ""
    gone = [q.team.name for q in offer.qualifiers.values() if q.team.withdrawn]
    return {
        "progress": progress_of(offer),
        "refused": refused,
        "byes": byes_told(offer),
        "withdrawn": listing(gone),
        "team_count": len(offer.qualifiers),
    }


def _ties_across(now: Offer | Board) -> list[tuple[Sequence[Team], str]]:
    rank = now.next_best.rank if now.next_best else 0
    return [(tied, next_best_tie(rank, tied)) for tied in now.ties_across]


@dataclass(frozen=True, slots=True)
class Compared:
    """A team in the comparison of the next place, its figures per game played."""

    place: int
    is_tied: bool
    goes_on: str
    group: Group
    row: StandingRow
    won: float
    sets_won: float
    sets_lost: float


def _compared(following: NextBest | None) -> list[Compared]:
    if following is None:
        return []
    places = dict(_places(following))
    found = []
    for standing, row in following.rows:
        place, is_tied, goes_on = places[row.team.pk]
        figures = Candidate(
            row.team.pk, row.played, row.won, row.sets_won, row.sets_lost
        ).per_game
        won, sets_won, sets_lost = (float(figure) for figure in figures)
        found.append(
            Compared(
                place=place,
                is_tied=is_tied,
                goes_on=goes_on,
                group=standing.group,
                row=row,
                won=won,
                sets_won=sets_won,
                sets_lost=sets_lost,
            )
        )
    return found


def _places(following: NextBest) -> Iterator[tuple[int, tuple[int, bool, str]]]:
    """Yield each team with its place, whether it shares it, and whether it goes on."""
    before = 0
    for level in following.ranking.order:
        goes_on = _("kyllä") if before < following.places else _("ei")
        if before < following.places < before + len(level):
            goes_on = _("arpa ratkaisee")
        if not following.is_complete:
            goes_on = "–"
        for team in level:
            yield team, (before + 1, len(level) > 1, goes_on)
        before += len(level)


def _show_remove(request: HttpRequest, cup: Cup, **context: Any) -> HttpResponse:
    games = cup.games.filter(bracket_round__isnull=False)
    return page(
        request,
        "cup/admin/bracket_remove.html",
        title=_("Poistetaanko jatkopelit?"),
        cup=cup,
        here="bracket",
        count=games.count(),
        **context,
    )
