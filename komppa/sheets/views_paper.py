"""Score sheets to print, for a table without a tablet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from komppa.cup.access import cup_or_404, scorekeeper_only
from komppa.cup.queries import games_of
from komppa.sheets.access import game_of_sheet
from komppa.sheets.paper import ROWS, PaperSheet, empty_sheet, paper_sheets, questions


@never_cache
@require_safe
@scorekeeper_only
def open_games(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a sheet for every game that is not over."""
    cup = cup_or_404(request, slug)
    games = games_of(cup).filter(is_finished=False)
    return _papers(request, slug, paper_sheets(cup, games))


@never_cache
@require_safe
@scorekeeper_only
def empty(request: HttpRequest, slug: str) -> HttpResponse:
    return _papers(request, slug, [empty_sheet(cup_or_404(request, slug))])


@never_cache
@require_safe
@scorekeeper_only
def one_game(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    game = game_of_sheet(request, slug, number)
    return _papers(request, slug, paper_sheets(game.cup, [game]))


def _papers(request: HttpRequest, slug: str, papers: list[PaperSheet]) -> HttpResponse:
    cup = cup_or_404(request, slug)
    context = {
        "cup": cup,
        "papers": papers,
        "questions": questions(cup.rules),
        "rows": range(1, ROWS + 1),
        "seats": cup.rules.seats,
    }
    return render(request, "sheets/paper.html", context)
