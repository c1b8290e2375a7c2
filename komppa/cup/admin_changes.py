"""What the pages of changes after the draw have in common: shown first, then saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from komppa.cup.forms_changes import ChangeForm
from komppa.cup.models import Cup
from komppa.cup.seen_moves import act_if_seen
from komppa.errors import Refusal

STALE = (
    "lot_changed",
    "outcome_changed",
    "rules_changed",
    "already_withdrawn",
    "not_withdrawn",
    "player_gone",
)
"""Refusals of what somebody else has done in the meantime."""


def save_or_show(
    request: HttpRequest,
    form: ChangeForm,
    *,
    cup: Cup,
    act: Callable[[], object],
    show: Callable[..., HttpResponse],
    done: str,
    back: Sequence[Any],
) -> HttpResponse:
    """Do what the form says if its moves have been seen; otherwise show them."""
    # A button that only shows sends ``look``.
    seen = "" if "look" in request.POST else form.cleaned_data["seen_moves"]
    try:
        moves = act_if_seen(cup, act, seen=seen)
    except Refusal as refusal:
        return refused(form, refusal, show=show)
    if moves is not None:
        status = 409 if seen else 200
        return show(form=form, moves=moves, is_stale=bool(seen), status=status)
    messages.success(request, done)
    return redirect(*back)


def save(
    request: HttpRequest,
    form: ChangeForm,
    *,
    act: Callable[[], object],
    show: Callable[..., HttpResponse],
    done: str,
    back: Sequence[Any],
) -> HttpResponse:
    """Do what the form says, where it moves nothing that had to be seen first."""
    try:
        act()
    except Refusal as refusal:
        return refused(form, refusal, show=show)
    messages.success(request, done)
    return redirect(*back)


def refused(
    form: ChangeForm, refusal: Refusal, *, show: Callable[..., HttpResponse]
) -> HttpResponse:
    form.refuse(refusal)
    return show(form=form, status=409 if refusal.code in STALE else 422)
