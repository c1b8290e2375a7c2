"""Who is at work on the data folder: servers together, or one that restores, alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.utils.translation import gettext as _

from komppa.datafolder import usable
from komppa.errors import Refusal

LOCK = "in_use.lock"


@contextmanager
def serving(folder: Path) -> Iterator[None]:
    """Hold the folder together with any other server. Raises Refusal."""
    text = _("Varmuuskopiota palautetaan juuri nyt: käynnistä, kun se on valmis.")
    with _held(folder, alone=False, refused=text):
        yield


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder without any server. Raises Refusal."""
    text = _("Komppa on käynnissä: pysäytä se ensin (Ctrl+C).")
    with _held(folder, alone=True, refused=text):
        yield


@contextmanager
def _held(folder: Path, *, alone: bool, refused: str) -> Iterator[None]:
    with usable(folder):
        file = (folder / LOCK).open("a")
    # The system lets go of the lock when the process ends, however it ends.
    with file:
        if not _lock(file, alone=alone):
            raise Refusal(refused, code="in_use")
        yield


def _lock(file: IO[str], *, alone: bool) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows has no such lock
        return True
    kind = fcntl.LOCK_EX if alone else fcntl.LOCK_SH
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # nor have some network disks
        return True
    return True
