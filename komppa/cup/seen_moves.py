"""Nobody saves what he has not seen: a change is made once its moves were shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction

from komppa.cup.models import Cup
from komppa.cup.previews import preview
from komppa.cup.words_of_moves import ToldMoves, told_moves

T = TypeVar("T")


def act_if_seen(
    cup: Cup, act: Callable[[], object], *, seen: str | None
) -> ToldMoves | None:
    """Act if its moves are still those whose stamp is ``seen``.

    Otherwise nothing is written, and the moves are returned to be shown. Raises as
    the act does.
    """
    with transaction.atomic():
        moves = told_moves(preview(cup, act))
        if moves.stamp != seen:
            return moves
        act()
    return None


def looked_ahead(act: Callable[[], object], look: Callable[[], T]) -> T:
    """Return what there would be to see after the act; nothing of it stays."""
    with transaction.atomic():
        act()
        found = look()
        transaction.set_rollback(True)
    return found
