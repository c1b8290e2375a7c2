"""What a scorekeeper may fetch: games through their cup, never by themselves."""

from __future__ import annotations

from django.db.models import Count, F, Q, QuerySet
from django.http import HttpRequest

from komppa.cup.access import cup_or_404, game_or_404, visitor
from komppa.cup.choices import Visibility
from komppa.cup.models import Cup, Game
from komppa.cup.queries import visible_cups

_KNOWN = Q(games__team_a__isnull=False, games__team_b__isnull=False)
_OPEN = Q(games__is_finished=False)


def cups_with_sheets(request: HttpRequest) -> QuerySet[Cup]:
    """Return the cups whose deals this visitor may enter, most to enter first."""
    return (
        visible_cups(visitor(request))
        .exclude(visibility=Visibility.ARCHIVED)
        .annotate(
            open_games=Count("games", filter=_KNOWN & _OPEN),
            games_in_play=Count("games", filter=_OPEN & Q(games__deal_count__gt=0)),
        )
        .filter(open_games__gt=0)
        .order_by("is_demo", F("games_in_play").desc(), "-date", "-pk")
    )


def game_of_sheet(request: HttpRequest, slug: str, number: int) -> Game:
    return game_or_404(cup_or_404(request, slug), number)
