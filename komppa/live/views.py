"""The public pages: who may look, and which part fills the page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from komppa.cup.access import cup_or_404, game_or_404, is_organiser, visitor
from komppa.cup.choices import Visibility
from komppa.cup.models import Cup
from komppa.live.draws import told_draw
from komppa.live.replays import replay_asked_for
from komppa.live.revision import front_revision


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    drafts = (
        Cup.objects.filter(visibility=Visibility.DRAFT)
        if is_organiser(visitor(request))
        else Cup.objects.none()
    )
    context = {"drafts": drafts, "revision": front_revision()}
    return render(request, "live/front.html", context)


@require_safe
def cup(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, slug, "cup")


@require_safe
def groups(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, slug, "groups")


@require_safe
def games(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, slug, "games")


@require_safe
def game(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One game; the replay that the address asks for stands still above what moves."""
    cup = cup_or_404(request, slug)
    game = game_or_404(cup, number)
    replay = replay_asked_for(game, cup, request.GET)
    context = {"cup": cup, "game": game, "here": "games", "replay": replay}
    return render(request, "live/game.html", context)


@require_safe
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    return _page(request, slug, "bracket")


@require_safe
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """What anybody needs to redo the draw; it stands still, so nothing updates it."""
    cup = cup_or_404(request, slug)
    told = told_draw(cup)
    if told is None:
        raise Http404
    return render(request, "live/draw.html", {"cup": cup, "here": "", "told": told})


def _page(request: HttpRequest, slug: str, here: str) -> HttpResponse:
    context = {"cup": cup_or_404(request, slug), "here": here}
    return render(request, f"live/{here}.html", context)
