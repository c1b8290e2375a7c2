"""The one folder that holds what this installation must keep."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def secret_key(folder: Path) -> str:
    """Return the installation's secret key, making it once, readable by its owner."""
    with usable(folder):
        return _secret_key(folder / "secret_key")


@contextmanager
def usable(folder: Path) -> Iterator[None]:
    """Make the folder where it is missing; say so if it is not one to write to."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise ImproperlyConfigured(
            f"KOMPPA_DATA must be a folder that Komppa can write to: {folder} "
            f"({error.strerror or error})"
        ) from error


def _secret_key(path: Path) -> str:
    try:
        # O_EXCL: of two processes starting at once, one makes the key.
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        pass
    else:
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(48))
    key = _read(path)
    if len(key) < 32:
        raise ImproperlyConfigured(f"{path} holds no key: remove it and start again")
    return key


def _read(path: Path) -> str:
    """Return what the file holds, waiting a little for whoever is just writing it."""
    for _attempt in range(50):
        if key := path.read_text().strip():
            return key
        time.sleep(0.02)
    return ""
