"""A backup every ten minutes while the server runs, where BACKUP_DIR names a folder.

The first at the start and the last at the end. One that fails is told, in the log and
on the organiser's pages, and stops nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from komppa import backups
from komppa.dumps import refusal
from komppa.errors import Refusal

EVERY_SECONDS = 600.0
LAST_ONE_SECONDS = 30.0

logger = logging.getLogger(__name__)


@contextmanager
def backups_by_themselves() -> Iterator[None]:
    """Make backups in a thread of their own, as long as this is held."""
    folder: Path | None = settings.BACKUP_DIR
    if folder is None:
        yield
        return
    ending = Event()
    # Not waited for if it hangs on a stick: the evening must be able to end.
    worker = Thread(target=_keep, args=(folder, ending), name="backups", daemon=True)
    worker.start()
    try:
        yield
    finally:
        ending.set()
        worker.join(LAST_ONE_SECONDS)


def _keep(folder: Path, ending: Event) -> None:
    back_up(folder)
    while not ending.wait(EVERY_SECONDS):
        back_up(folder)
    back_up(folder)


def back_up(folder: Path) -> None:
    """Make one backup if anything has changed; tell how it went."""
    before = backups.status()
    now = timezone.now()
    try:
        newest = backups.make_if_changed(folder)
    except Refusal as reason:
        logger.error("No backup: %s", reason.message)
        failure = reason.message
    except Exception:
        logger.exception("No backup")
        failure = refusal("fault", _("Palvelimen loki kertoo syyn.")).message
    else:
        if newest != before.newest:
            logger.info("Backup: %s", newest)
        backups.tell(backups.Status(tried_at=now, good_at=now, newest=newest))
        return
    backups.tell(replace(before, tried_at=now, failure=failure))
