"""The organiser's pages of disputed deals: card by card, beside what was entered."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from komppa.cup.access import organiser_only, visitor
from komppa.cup.admin_base import page
from komppa.cup.models import Game
from komppa.errors import Refusal
from komppa.sheets.access import game_of_sheet
from komppa.sheets.contexts_records import Teller, notes_on, records_page
from komppa.sheets.forms_records import RecordForm, TakeBackRecordForm
from komppa.sheets.queries import PlayedDeal, standing_records
from komppa.sheets.records import RecordConflict, attach_record, take_back_record

_REASONS = ("reason_missing", "reason_too_long")


@never_cache
@require_safe
@organiser_only
def records(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    game = game_of_sheet(request, slug, number)
    return _page(
        request,
        game,
        "records",
        title=_("Peli %(number)d: kortti kortilta") % {"number": game.number},
        **records_page(game),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organiser_only
def attach(request: HttpRequest, slug: str, number: int, deal: int) -> HttpResponse:
    """Show what a document says of a deal; attach it once that has been seen."""
    game = game_of_sheet(request, slug, number)
    teller = Teller.of(game)
    played = teller.played(deal)
    if played is None:
        raise Http404
    if request.method != "POST":
        initial = _initial(request, game, played)
        return _show(request, teller, played, RecordForm(initial=initial, cup=game.cup))
    form = RecordForm(request.POST, request.FILES, cup=game.cup)
    if not form.is_valid():
        return _show(request, teller, played, form, status=422)
    if "save" not in request.POST:
        return _show(request, teller, played, form, is_read=True)
    if not form.was_looked_at:
        return _show(
            request, teller, played, form, is_read=True, is_stale=True, status=422
        )
    return _attach(request, teller, played, form)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organiser_only
def take_back(
    request: HttpRequest, slug: str, number: int, record: int
) -> HttpResponse:
    game = game_of_sheet(request, slug, number)
    found = get_object_or_404(game.deal_records, pk=record)
    form = TakeBackRecordForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            take_back_record(
                record=found, by=visitor(request), reason=form.cleaned_data["reason"]
            )
        except Refusal as refusal:
            field = "reason" if refusal.code in _REASONS else None
            form.add_error(field, refusal.message)
        else:
            messages.success(request, _("Tallenne on poistettu käytöstä."))
            return _back(game)
    teller = Teller.of(game)
    played = teller.played(found.number) if found.left_at is None else None
    return _page(
        request,
        game,
        "record_back",
        title=_("Peli %(number)d: tallenne pois käytöstä") % {"number": game.number},
        names=teller.names,
        played=played,
        facts=teller.facts(played) if played else "",
        form=form,
        status=422 if form.errors else 200,
    )


def _attach(
    request: HttpRequest, teller: Teller, played: PlayedDeal, form: RecordForm
) -> HttpResponse:
    try:
        attach_record(
            game=teller.game,
            number=played.entry.number,
            version=form.cleaned_data["version"],
            document=form.document_read,
            seen=form.cleaned_data["seen"],
            by=visitor(request),
            reason=form.cleaned_data["reason"],
        )
    except Refusal as refusal:
        return _show(
            request,
            teller,
            played,
            form,
            is_read=True,
            refusal=refusal,
            status=409 if isinstance(refusal, RecordConflict) else 422,
        )
    messages.success(request, _("Tallenne on liitetty jakoon."))
    return _back(teller.game)


def _initial(request: HttpRequest, game: Game, played: PlayedDeal) -> dict[str, object]:
    """Return what the form begins with: an older record where one is named."""
    standing = standing_records(game).get(played.entry.number)
    initial: dict[str, object] = {
        "version": played.entry.version,
        "seen": standing.pk if standing else None,
    }
    wanted = request.GET.get("record", "")
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 19:
        record = get_object_or_404(game.deal_records, pk=wanted)
        initial["document"] = json.dumps(record.document)
    return initial


def _show(
    request: HttpRequest,
    teller: Teller,
    played: PlayedDeal,
    form: RecordForm,
    *,
    is_read: bool = False,
    refusal: Refusal | None = None,
    **context: Any,
) -> HttpResponse:
    standing = standing_records(teller.game).get(played.entry.number)
    shown = form
    if is_read:
        shown = form.again(
            version=played.entry.version, seen=standing.pk if standing else None
        )
    return _page(
        request,
        teller.game,
        "record",
        title=_("Peli %(number)d, jako %(deal)d: kortti kortilta")
        % {"number": teller.game.number, "deal": played.position},
        form=shown,
        refusal=refusal,
        reason_refused=refusal is not None and refusal.code in _REASONS,
        names=teller.names,
        played=played,
        facts=teller.facts(played),
        seats=teller.seats.items(),
        standing=standing,
        told=teller.told(form.deal, played) if is_read else None,
        notes=_notes(teller, played, form) if is_read else (),
        **context,
    )


def _notes(teller: Teller, played: PlayedDeal, form: RecordForm) -> list[str]:
    return notes_on(form.document_read, form.deal, teller.game, played.entry.number)


def _page(
    request: HttpRequest, game: Game, name: str, *, title: str, **context: Any
) -> HttpResponse:
    return page(
        request,
        f"sheets/{name}.html",
        title=title,
        cup=game.cup,
        game=game,
        here="games",
        **context,
    )


def _back(game: Game) -> HttpResponse:
    address = reverse("sheets:records", args=[game.cup.slug, game.number])
    return HttpResponseRedirect(address, status=303)
