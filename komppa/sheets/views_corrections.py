"""The organiser's page where the deals of a game are put right.

Nothing is written until the draft is saved; until then the page carries it along.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from komppa.cup.access import organiser_only, visitor
from komppa.cup.admin_base import page
from komppa.cup.models import Game
from komppa.cup.previews import Moves
from komppa.cup.words_of_moves import stamp_of
from komppa.errors import Refusal
from komppa.sheets import revisions
from komppa.sheets.access import game_of_sheet
from komppa.sheets.contexts import answer_of
from komppa.sheets.contexts_corrections import corrections_page, moves_of
from komppa.sheets.corrections import correct_deals, made_by, restored_draft
from komppa.sheets.forms_correction import CorrectedSheetForm, Draft, DraftForm, Op
from komppa.sheets.queries import course_of, seating
from komppa.sheets.revisions import Row
from scoring.problems import Refused
from scoring.sheet import DealSheet


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organiser_only
def corrections(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    game = game_of_sheet(request, slug, number)
    if request.method != "POST":
        return _page(request, game, Draft.of(course_of(game)))
    form = DraftForm(request.POST)
    if not form.is_valid():
        broken = _("Korjaus katkesi kesken. Mitään ei tallennettu: aloita alusta.")
        draft = Draft.of(course_of(game))
        return _page(request, game, draft, status=422, alert=broken)
    draft, op = form.draft_as_sent(), form.cleaned_data["op"]
    match op.name:
        case "save":
            return _save(request, game, draft, form)
        case "edit" | "insert":
            return _open(request, game, draft, op, form)
        case "put" | "put_new":
            return _put(request, game, draft, op, form)
    return _page(request, game, draft.with_rows(_changed(game, draft, op)), form=form)


@never_cache
@require_POST
@organiser_only
def preview(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Answer what the half-filled sheet of a draft would give. Writes nothing."""
    game = game_of_sheet(request, slug, number)
    form = DraftForm(request.POST)
    if not form.is_valid():
        raise Http404
    draft, op = form.draft_as_sent(), form.cleaned_data["op"]
    sheet_form = CorrectedSheetForm(
        request.POST,
        game=game,
        rows=draft.rows,
        index=_index(op, len(draft.rows) + 1),
        seated=seating(game),
    )
    sheet_form.full_clean()
    context = {"answer": answer_of(sheet_form), "form": sheet_form}
    return render(request, "sheets/_answer.html", context)


def _save(
    request: HttpRequest, game: Game, draft: Draft, form: DraftForm
) -> HttpResponse:
    seen, found = form.cleaned_data["seen_moves"], moves_of(game, draft)
    is_other = isinstance(found, Moves) and seen and seen != stamp_of(found)
    # Looked at last: a second tap may come while the first is being saved.
    if is_other and not made_by(game, draft.key):
        alert = _("Muutos siirtäisi nyt muuta kuin äsken. Tarkista se uudelleen.")
        return _page(request, game, draft, form=form, status=409, alert=alert)
    try:
        correct_deals(
            game=game,
            draft=draft.rows,
            seen=draft.seen,
            key=draft.key,
            by=visitor(request),
            reason=form.cleaned_data["reason"],
        )
    except Refusal as refusal:
        if refusal.code in ("reason_missing", "reason_too_long"):
            form.add_error("reason", refusal.message)
            return _page(request, game, draft, form=form, status=422)
        return _page(request, game, draft, form=form, status=409, alert=refusal.message)
    messages.success(request, _("Korjaus on tallennettu."))
    address = reverse("sheets:corrections", args=[game.cup.slug, game.number])
    return HttpResponseRedirect(address, status=303)


def _open(
    request: HttpRequest, game: Game, draft: Draft, op: Op, form: DraftForm
) -> HttpResponse:
    """Open the sheet of a deal to be changed, or an empty one to be put in."""
    is_new = op.name == "insert"
    index = _index(op, len(draft.rows) + is_new)
    sheet_form = CorrectedSheetForm(
        game=game,
        rows=draft.rows,
        index=index,
        seated=seating(game),
        sheet=None if is_new else _sheet(game, draft.rows[index]),
    )
    return _sheet_page(request, game, draft, sheet_form, form, is_new=is_new)


def _put(
    request: HttpRequest, game: Game, draft: Draft, op: Op, form: DraftForm
) -> HttpResponse:
    """Take the filled-in sheet into the draft."""
    is_new = op.name == "put_new"
    index = _index(op, len(draft.rows) + is_new)
    sheet_form = CorrectedSheetForm(
        request.POST, game=game, rows=draft.rows, index=index, seated=seating(game)
    )
    if not sheet_form.is_valid():
        return _sheet_page(
            request, game, draft, sheet_form, form, is_new=is_new, status=422
        )
    put = revisions.inserted if is_new else revisions.replaced
    rows = put(draft.rows, index, sheet_form.sheet.to_json())
    return _page(request, game, draft.with_rows(rows), form=form)


def _changed(game: Game, draft: Draft, op: Op) -> tuple[Row, ...]:
    """Return the draft's rows after what a single button does."""
    rows = draft.rows
    if op.name == "restore":
        entry = get_object_or_404(game.deal_entries, pk=op.number)
        return restored_draft(game, rows, entry)
    if op.name == "show":
        return rows
    index = _index(op, len(rows))
    if op.name == "remove":
        return revisions.removed(rows, index)
    if op.name == "cut":
        return revisions.removed(rows, index, len(rows) - index)
    sheet = replace(_sheet(game, rows[index]), club_ace=None)
    return revisions.replaced(rows, index, sheet.to_json())


def _index(op: Op, length: int) -> int:
    if op.number >= length:
        raise Http404
    return op.number


def _sheet(game: Game, row: Row) -> DealSheet:
    try:
        return DealSheet.from_json(row.facts, game.cup.rules)
    except Refused as refused:
        raise Http404 from refused


def _page(
    request: HttpRequest,
    game: Game,
    draft: Draft,
    *,
    form: DraftForm | None = None,
    status: int = 200,
    alert: str = "",
) -> HttpResponse:
    return page(
        request,
        "sheets/corrections.html",
        title=_("Peli %(number)d: jakojen korjaus") % {"number": game.number},
        here="games",
        form=form or DraftForm(),
        alert=alert,
        status=status,
        **corrections_page(game, draft, course_of(game)),
    )


def _sheet_page(
    request: HttpRequest,
    game: Game,
    draft: Draft,
    sheet_form: CorrectedSheetForm,
    form: DraftForm,
    *,
    is_new: bool,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "cup": game.cup,
        "game": game,
        "names": sheet_form.names,
        "draft": draft,
        "form": sheet_form,
        "reason": form.cleaned_data["reason"],
        "is_new": is_new,
        "index": sheet_form.position - 1,
    }
    return render(request, "sheets/corrected_sheet.html", context, status=status)
