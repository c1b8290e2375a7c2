"""The table's own pages: what is entered at the table goes through these."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import LoginView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from komppa.cup.access import cup_or_404, is_scorekeeper, scorekeeper_only, visitor
from komppa.cup.models import Game
from komppa.cup.services import seat_players
from komppa.errors import Refusal
from komppa.sheets import contexts
from komppa.sheets.access import cups_with_sheets, game_of_sheet
from komppa.sheets.confirmations import confirm_result
from komppa.sheets.forms import DealSheetForm, SeatsForm, TakeBackForm
from komppa.sheets.forms_result import ConfirmForm
from komppa.sheets.forms_sign_in import SignInForm
from komppa.sheets.queries import course_of, seating
from komppa.sheets.services import (
    DealConflict,
    SheetRefused,
    record_deal,
    take_back_deal,
)


class SignInView(LoginView):
    """The site's own way in; the admin has another."""

    authentication_form = SignInForm

    def get_default_redirect_url(self) -> str:
        """Send to the sheets whoever may enter them, others to the front."""
        user = visitor(self.request)
        return resolve_url("sheets:index" if is_scorekeeper(user) else "live:front")


@never_cache
@require_safe
@scorekeeper_only
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "sheets/index.html", {"cups": cups_with_sheets(request)})


@never_cache
@require_safe
@scorekeeper_only
def cup(request: HttpRequest, slug: str) -> HttpResponse:
    cup = cup_or_404(request, slug)
    context = {"cup": cup, "tables": contexts.tables_of(cup)}
    return render(request, "sheets/cup.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@scorekeeper_only
def sheet(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the sheet of the game's next deal; a POST records it."""
    game = game_of_sheet(request, slug, number)
    form = _form(game, request.POST if request.method == "POST" else None)
    return _record(request, form) if form.is_bound else _page(request, form)


@never_cache
@require_POST
@scorekeeper_only
def preview(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Answer what a half-filled form would give. Writes nothing."""
    form = _form(game_of_sheet(request, slug, number), request.POST)
    form.full_clean()
    context = {"answer": contexts.answer_of(form), "form": form}
    return render(request, "sheets/_answer.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
@scorekeeper_only
def take_back(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    game = game_of_sheet(request, slug, number)
    if request.method == "GET":  # signing in again on the way leads here
        return _see(game)
    form = TakeBackForm(request.POST)
    if not form.is_valid():
        return _page(request, _form(game), status=422, alert=_broken())
    try:
        take_back_deal(game=game, by=visitor(request), **form.cleaned_data)
    except Refusal as refusal:
        return _refused(request, _form(game), refusal)
    messages.success(request, _("Viimeisin jako on peruttu."))
    return _see(game)


@never_cache
@require_http_methods(["GET", "POST"])
@scorekeeper_only
def confirm(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Write that a team agrees to the result of a game that has been won."""
    game = game_of_sheet(request, slug, number)
    if request.method == "GET":
        return _see(game)
    form = ConfirmForm(request.POST)
    if not form.is_valid():
        return _page(request, _form(game), status=422, alert=_broken())
    try:
        confirm_result(game=game, by=visitor(request), **form.cleaned_data)
    except Refusal as refusal:
        return _refused(request, _form(game), refusal)
    return _see(game)


@never_cache
@require_http_methods(["GET", "POST"])
@scorekeeper_only
def seats(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Say who sits where, as long as nothing has been played."""
    game = game_of_sheet(request, slug, number)
    if request.method == "GET":
        return _see(game)
    form = SeatsForm(request.POST, seated=seating(game))
    if not form.is_valid():
        return _page(request, _form(game), status=422, alert=_broken())
    try:
        seat_players(game=game, seats=form.seats, by=visitor(request))
    except Refusal as refusal:
        return _refused(request, _form(game), refusal)
    return _see(game)


def _form(game: Game, data: Any = None) -> DealSheetForm:
    return DealSheetForm(data, game=game, course=course_of(game), seated=seating(game))


def _record(request: HttpRequest, form: DealSheetForm) -> HttpResponse:
    if not form.is_valid():
        return _invalid(request, form)
    if form.open_doubts and not form.is_stale:
        return _page(request, form, status=422, asks_again=True)
    try:
        recorded = record_deal(
            game=form.game,
            number=form.cleaned_data["number"],
            sheet=form.sheet,
            key=form.cleaned_data["key"],
            by=visitor(request),
            seen_teams=form.seen_teams,
        )
    except SheetRefused as refused:
        form.add_problems(refused.problems)
        return _invalid(request, form)
    except Refusal as refusal:
        return _refused(request, form, refusal)
    messages.success(request, contexts.recorded_message(form.game, recorded.entry))
    return _see(form.game)


def _invalid(request: HttpRequest, form: DealSheetForm) -> HttpResponse:
    """Give the form back with every problem at its field."""
    if form.is_unsound:
        alert = _broken()
        return _page(request, form.again(form.course), status=422, alert=alert)
    if form.is_stale or form.course.state.winner:
        return _refused(request, form, _too_late(form))
    if form.is_seated_anew:
        form = form.again(form.course)
    return _page(request, form, status=422)


def _refused(
    request: HttpRequest, form: DealSheetForm, refusal: Refusal
) -> HttpResponse:
    """Say why nothing was written, beside the game as it now stands."""
    if refusal.code == "game_gone":
        raise Http404(refusal.message)
    now = course_of(form.game)
    conflict = contexts.conflict_of(form, now)
    form = form.again(now) if form.is_bound else _form(form.game)
    return _page(request, form, status=409, alert=refusal.message, conflict=conflict)


def _page(
    request: HttpRequest, form: DealSheetForm, *, status: int = 200, **extra: Any
) -> HttpResponse:
    context = {**contexts.sheet_page(form, visitor(request)), **extra}
    return render(request, "sheets/sheet.html", context, status=status)


def _see(game: Game) -> HttpResponse:
    address = reverse("sheets:sheet", args=[game.cup.slug, game.number])
    return HttpResponseRedirect(address, status=303)


def _too_late(form: DealSheetForm) -> Refusal:
    if form.course.state.winner:
        message = _("Peli on jo päättynyt, joten jakoa ei kirjattu.")
        return Refusal(message, code="game_over")
    message = _("Tämä jako on jo kirjattu. Omat merkintäsi ovat alla tallessa.")
    return DealConflict(message, None)


def _broken() -> str:
    return _(
        "Lomakkeesta puuttui osa, joka ei näy ruudulla. "
        "Tarkista merkinnät ja tallenna uudelleen."
    )
