"""The referee: which cards were legal, and by which rule."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from komppa.cup.access import cup_or_404
from komppa.live.desks import desk_of
from komppa.live.referee import Limits, read


@require_safe
def referee(request: HttpRequest, slug: str) -> HttpResponse:
    cup = cup_or_404(request, slug)
    limits = Limits.of(cup.rules)
    position, problems = read(request.GET, limits)
    context = {
        "cup": cup,
        "here": "rules",
        "desk": desk_of(position, problems, limits),
    }
    return render(
        request, "live/referee.html", context, status=400 if problems else 200
    )
