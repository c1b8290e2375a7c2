"""What every write to a cup has in common.

Lock order, everywhere: the cup row first, then games by id. ``changing`` takes the
cup's lock, lets everything follow that does, and after the commit tells the listeners.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from komppa.announce import announce
from komppa.cup.models import Cup, Game, OrganiserLog
from komppa.cup.settling import settle
from komppa.errors import Refusal

LONGEST_REASON = 300


@contextmanager
def changing(cup: Cup) -> Iterator[Cup]:
    """Run one write on the locked cup; afterwards revision + 1, and announce it."""
    with transaction.atomic():
        locked = Cup.objects.select_for_update().get(pk=cup.pk)
        yield locked
        settle(locked)
        locked.revision += 1
        locked.save(update_fields=["revision", "phase"])
        announce_later(locked)


def announce_later(cup: Cup) -> None:
    """Tell the listeners once the transaction has been committed."""
    cup_id, revision = cup.pk, cup.revision
    # No partial: where a robust hook fails, Django asks for its __qualname__.
    transaction.on_commit(lambda: announce(cup_id, revision), robust=True)


def needed_reason(reason: str) -> str:
    """Return the reason tidied; refuse an empty one, or one that has no room."""
    reason = " ".join(reason.split())
    if not reason:
        raise Refusal(_("Kirjoita muutoksen syy."), code="reason_missing")
    if len(reason) > LONGEST_REASON:
        raise Refusal(
            _("Syyssä voi olla enintään %(count)d merkkiä.")
            % {"count": LONGEST_REASON},
            code="reason_too_long",
        )
    return reason


def write_log(
    *,
    cup: Cup | None,
    by: User | None,
    act: str,
    target: str,
    old: Any = None,
    new: Any = None,
    reason: str = "",
    game: Game | None = None,
) -> None:
    OrganiserLog.objects.create(
        cup=cup,
        by=by,
        act=act,
        target=target,
        old=old,
        new=new,
        reason=reason,
        game=game,
    )
