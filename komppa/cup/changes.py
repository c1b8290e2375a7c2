"""What every write to a cup has in common.

Lock order, everywhere: the cup row first, then games by id. ``changing`` takes the
cup's lock, and after the commit tells the listeners.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from komppa.announce import announce
from komppa.cup.models import Cup, OrganiserLog


@contextmanager
def changing(cup: Cup) -> Iterator[Cup]:
    """Run one write on the locked cup; afterwards revision + 1, and announce it."""
    with transaction.atomic():
        locked = Cup.objects.select_for_update().get(pk=cup.pk)
        yield locked
        locked.revision += 1
        locked.save(update_fields=["revision"])
        announce_later(locked)


def announce_later(cup: Cup) -> None:
    """Tell the listeners once the transaction has been committed."""
    cup_id, revision = cup.pk, cup.revision
    # No partial: where a robust hook fails, Django asks for its __qualname__.
    transaction.on_commit(lambda: announce(cup_id, revision), robust=True)


def write_log(
    *,
    cup: Cup | None,
    by: User | None,
    act: str,
    target: str,
    old: Any = None,
    new: Any = None,
    reason: str = "",
) -> None:
    OrganiserLog.objects.create(
        cup=cup, by=by, act=act, target=target, old=old, new=new, reason=reason
    )
