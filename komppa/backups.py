"""Backups: made by the database itself, opened and checked before they get a name.

A backup holds the database and nothing else. A restored installation makes its own
secret key, so everybody signs in again with the password he has, and collects its
own files when it starts.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from tempfile import mkstemp

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from komppa import occupied
from komppa.dumps import (
    Contents,
    PostgresStore,
    SqliteStore,
    kind_of,
    refusal,
    settle,
    this_store,
    told_as_refusals,
)
from komppa.errors import Refusal

KEPT = 50
_NAME = re.compile(r"komppa-(\d{8}-\d{6})(?:-(\d+))?(\.sqlite3\.gz|\.dump)")
_PART = ".komppa-{}.part"
HOUR = 3600


@dataclass(frozen=True, slots=True)
class Backup:
    path: Path
    size: int
    contents: Contents


@dataclass(frozen=True, slots=True)
class Status:
    """How the backups that are made by themselves go, for the organiser to see."""

    tried_at: datetime | None = None
    good_at: datetime | None = None
    """When everything was last known to be in a backup, this server running."""
    newest: Path | None = None
    failure: str = ""


_status = Status()


def status() -> Status:
    return _status


def tell(told: Status) -> None:
    global _status
    _status = told


def make(place: Path) -> Backup:
    """Make a backup: a dated file in a folder, or a file that is not there yet.

    Raises Refusal.
    """
    store = this_store()
    store.require_tools()
    if not place.is_dir():
        _require_new_file(place, store.suffix)
    folder = place if place.is_dir() else place.parent
    with _checked_copy(folder) as (part, contents):
        target = _dated(folder, store.suffix) if place.is_dir() else place
        return _given_its_name(part, target, contents)


def make_if_changed(folder: Path) -> Path:
    """Return the folder's newest backup, made now unless it holds the same already.

    Of what Komppa itself has named there, the newest fifty are kept. Raises Refusal.
    """
    require_folder(folder)
    with _checked_copy(folder) as (part, contents):
        last = newest(folder)
        if last and _digest(last) == contents.digest:
            return last
        target = _dated(folder, this_store().suffix)
        made = _given_its_name(part, target, contents).path
    _prune(folder, spared=made)
    return made


def require_folder(folder: Path) -> None:
    """Raise Refusal unless backups can be made there."""
    if not folder.is_dir():
        raise _no_folder(folder)
    this_store().require_tools()
    with _part_file(folder):
        pass


def newest(folder: Path) -> Path | None:
    """Return the newest backup in the folder that is of this kind of database."""
    return max(_named(folder), key=_age_key, default=None)


def restore(place: Path) -> Backup:
    """Put a backup, or a folder's newest, where there are no cups and no users.

    One made by an older Komppa is then brought up to date. Raises Refusal.
    """
    path = _backup_at(place)
    store = this_store()
    _require_kind(path, store.suffix)
    with told_as_refusals():
        contents = store.inspect(path)
    _require_known(path, contents)
    with occupied.alone(settings.DATA_DIR):
        if store.is_taken():
            raise _taken()
        connection.close()
        with told_as_refusals():
            store.load(path)
        call_command("migrate", verbosity=0, interactive=False)
    return Backup(path, path.stat().st_size, contents)


@contextmanager
def _checked_copy(folder: Path) -> Iterator[tuple[Path, Contents]]:
    """Give a copy of the database that has been read back and found sound."""
    store = this_store()
    with _part_file(folder) as part, told_as_refusals():
        store.dump(part)
        settle(part)
        yield part, store.inspect(part)


@contextmanager
def _part_file(folder: Path) -> Iterator[Path]:
    """Give a file of our own in the folder, gone in the end unless it was renamed."""
    before, after = _PART.split("{}")
    try:
        handle, name = mkstemp(prefix=before, suffix=after, dir=folder)
    except OSError as error:
        text = _("Kansioon {folder} ei voi kirjoittaa ({reason}).")
        reason = error.strerror or error
        raise refusal("folder_closed", text, folder=folder, reason=reason) from error
    os.close(handle)
    try:
        yield Path(name)
    finally:
        with suppress(OSError):
            Path(name).unlink(missing_ok=True)


def _given_its_name(part: Path, target: Path, contents: Contents) -> Backup:
    size = part.stat().st_size
    part.replace(target)
    # The name too has to reach the disk before a memory stick is pulled out.
    with suppress(OSError):
        handle = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    return Backup(target, size, contents)


def _dated(folder: Path, suffix: str) -> Path:
    """Return a name of now that is free; without colons, which sticks do not take."""
    now = f"{timezone.localtime():%Y%m%d-%H%M%S}"
    endings = chain([""], (f"-{number}" for number in count(2)))
    paths = (folder / f"komppa-{now}{ending}{suffix}" for ending in endings)
    return next(path for path in paths if not path.exists())


def _named(folder: Path) -> list[Path]:
    """Return the files there that Komppa has named, of this kind of database."""
    suffix = this_store().suffix
    return [
        path
        for path in folder.iterdir()
        if (found := _NAME.fullmatch(path.name)) and found[3] == suffix
    ]


def _age_key(path: Path) -> tuple[str, int]:
    found = _NAME.fullmatch(path.name)
    assert found  # noqa: S101 - only what was named by us is asked for its age
    return found[1], int(found[2] or 1)


def _digest(path: Path) -> str | None:
    try:
        return this_store().inspect(path).digest
    except Refusal:
        return None


def _prune(folder: Path, *, spared: Path) -> None:
    """Remove the oldest of ours, and what a killed server left half made.

    The one just made stays even where a wrong clock has named it the oldest.
    """
    ours = sorted(_named(folder), key=_age_key)
    surplus = [path for path in ours[:-KEPT] if path != spared]
    killed = time.time() - HOUR
    for path in folder.glob(_PART.format("*")):
        if path.stat().st_mtime < killed:
            surplus.append(path)
    for path in surplus:
        with suppress(OSError):
            path.unlink()


def _backup_at(place: Path) -> Path:
    if place.is_file():
        return place
    if not place.is_dir():
        raise refusal("no_file", _("Tiedostoa {path} ei ole."), path=place)
    path = newest(place)
    if path is None:
        text = _("Kansiossa {folder} ei ole varmuuskopioita.")
        raise refusal("no_backups", text, folder=place)
    return path


def _require_new_file(path: Path, suffix: str) -> None:
    if path.exists():
        text = _("{path} on jo olemassa: anna toinen nimi tai kansio.")
        raise refusal("file_exists", text, path=path)
    # The name of a stick that is not in must not become the name of a file.
    if not path.name.endswith(suffix):
        text = _(
            "Kansiota {folder} ei ole: onko muistitikku paikallaan? "
            "Tiedoston nimen lopussa olisi {suffix}."
        )
        raise refusal("no_folder", text, folder=path, suffix=suffix)
    if not path.parent.is_dir():
        raise _no_folder(path.parent)


def _no_folder(folder: Path) -> Refusal:
    text = _("Kansiota {folder} ei ole: onko muistitikku paikallaan?")
    return refusal("no_folder", text, folder=folder)


def _require_kind(path: Path, suffix: str) -> None:
    """Raise Refusal if the backup is of the other kind of database."""
    with told_as_refusals():
        kind = kind_of(path)
    names = {SqliteStore.suffix: "SQLite", PostgresStore.suffix: "PostgreSQL"}
    if kind != suffix:
        text = _(
            "{path} on varmuuskopio {other}-tietokannasta, mutta tämän Kompan "
            "tietokanta on {own}: DATABASE_URL ratkaisee, kumpi se on."
        )
        raise refusal(
            "other_database", text, path=path, other=names[kind], own=names[suffix]
        )


def _require_known(path: Path, contents: Contents) -> None:
    """Raise Refusal if the backup comes from a Komppa newer than this one."""
    known = set(MigrationLoader(None).disk_migrations)
    labels = {app.label for app in apps.get_app_configs() if _is_ours(app.name)}
    if any(
        app in labels and (app, name) not in known for app, name in contents.migrations
    ):
        text = _("{path} on uudemman Kompan tekemä: päivitä Komppa ensin.")
        raise refusal("backup_newer", text, path=path)


def _is_ours(name: str) -> bool:
    return name.startswith("komppa.")


def _taken() -> Refusal:
    if isinstance(this_store(), PostgresStore):
        text = _(
            "Tietokannassa on jo turnauksia tai käyttäjiä, eikä niiden päälle "
            "palauteta: tee tyhjä tietokanta ja anna se DATABASE_URL-muuttujassa."
        )
        return refusal("taken", text)
    text = _(
        "Täällä on jo turnauksia tai käyttäjiä, eikä niiden päälle palauteta: "
        "siirrä kansio {folder} ensin toiseen paikkaan."
    )
    return refusal("taken", text, folder=settings.DATA_DIR)
