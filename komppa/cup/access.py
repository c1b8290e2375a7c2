"""Who may fetch what: every object of a cup is fetched through these."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from komppa.cup.models import Cup, Game
from komppa.cup.queries import games_of, visible_cups

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

SCOREKEEPERS = "scorekeepers"
"""The name of the auth group whose members may enter deals."""


def visitor(request: HttpRequest) -> User | None:
    """Return the signed-in user, None for a stranger."""
    user = request.user
    return user if isinstance(user, User) and user.is_active else None


def is_organiser(user: User | None) -> bool:
    return user is not None and user.is_active and user.is_staff


def is_scorekeeper(user: User | None) -> bool:
    """Return whether the user may enter deals; an organiser always may."""
    if user is None or not user.is_active:
        return False
    return user.is_staff or user.groups.filter(name=SCOREKEEPERS).exists()


def cup_or_404(request: HttpRequest, slug: str) -> Cup:
    return get_object_or_404(visible_cups(visitor(request)), slug=slug)


def game_or_404(cup: Cup, number: int) -> Game:
    game = get_object_or_404(games_of(cup), number=number)
    game.cup = cup
    return game


def _only(allowed: Callable[[User | None], bool]) -> Callable[[View[P]], View[P]]:
    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        def guarded(
            request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponse:
            user = visitor(request)
            if user is None:
                return redirect_to_login(request.get_full_path())
            if not allowed(user):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return guarded

    return decorate


organiser_only: Callable[[View[Any]], View[Any]] = _only(is_organiser)
scorekeeper_only: Callable[[View[Any]], View[Any]] = _only(is_scorekeeper)
