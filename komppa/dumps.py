"""How each database copies itself, and what such a copy is found to hold."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol, cast

from django.db import connection, transaction
from django.db.backends.postgresql.client import DatabaseClient
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from komppa.errors import Refusal

MIGRATIONS, CUPS = "django_migrations", "cup_cup"
USERS, DEALS = "auth_user", "sheets_dealentry"
OURS = frozenset({MIGRATIONS, CUPS, USERS, DEALS})
# Where Debian keeps the tools of its versions of PostgreSQL.
TOOLS = Path("/usr/lib/postgresql")
LONGEST_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Contents:
    """What was found in a backup when it was opened."""

    migrations: frozenset[tuple[str, str]]
    """The app and the name of each."""
    cups: int
    users: int
    deals: int
    digest: str
    """Alike for two backups that hold the same."""


class ToolError(Exception):
    """What one of PostgreSQL's own tools said when it did not succeed."""


class Store(Protocol):
    """The database of this installation, as something to copy."""

    suffix: str

    def require_tools(self) -> None:
        """Raise Refusal where something that copying needs is missing."""

    def dump(self, target: Path) -> None:
        """Write a consistent and compressed copy, others writing meanwhile."""

    def inspect(self, path: Path) -> Contents:
        """Read a copy from end to end. Raises Refusal if it will not do."""

    def is_taken(self) -> bool:
        """Return whether there are cups or users, which a copy would overwrite."""

    def load(self, path: Path) -> None:
        """Put a copy in the place of a database that is not taken."""


def this_store() -> Store:
    if connection.vendor == "postgresql":
        return PostgresStore(connection.settings_dict)
    return SqliteStore(Path(connection.settings_dict["NAME"]).resolve())


def kind_of(path: Path) -> str:
    """Return the suffix that a backup should have by its first bytes."""
    with path.open("rb") as file:
        start = file.read(5)
    if start == b"PGDMP":
        return PostgresStore.suffix
    if start[:2] == b"\x1f\x8b":
        return SqliteStore.suffix
    raise _foreign(path)


def refusal(code: str, text: Any, **facts: object) -> Refusal:
    """Return a refusal that is put into words only when it is read.

    One that a thread of the server meets is shown later, in the reader's language.
    """
    return Refusal(cast(str, format_lazy(text, **facts)), code=code)


def _broken(path: Path, reason: object) -> Refusal:
    text = _("{path} on rikki tai vajaa ({reason}).")
    return refusal("backup_broken", text, path=path, reason=reason)


def _foreign(path: Path) -> Refusal:
    text = _("{path} ei ole Kompan varmuuskopio.")
    return refusal("backup_foreign", text, path=path)


class SqliteStore:
    suffix = ".sqlite3.gz"

    def __init__(self, path: Path) -> None:
        self.path = path

    def require_tools(self) -> None:
        """Python itself brings them."""

    def dump(self, target: Path) -> None:
        with TemporaryDirectory(prefix="komppa-") as folder:
            copy = Path(folder, "copy.sqlite3")
            source = sqlite3.connect(f"{self.path.as_uri()}?mode=rw", uri=True)
            with closing(source), closing(sqlite3.connect(copy)) as into:
                source.backup(into)
                # One file, that can be opened where nothing may be written beside it.
                into.execute("PRAGMA journal_mode=DELETE")
            with copy.open("rb") as plain, gzip.open(target, "wb", 6) as packed:
                shutil.copyfileobj(plain, packed)

    def inspect(self, path: Path) -> Contents:
        try:
            with TemporaryDirectory(prefix="komppa-") as folder:
                copy = Path(folder, "copy.sqlite3")
                digest = _unpack(path, copy)
                with closing(sqlite3.connect(copy)) as opened:
                    return _contents_of(opened, path, digest)
        except (gzip.BadGzipFile, EOFError, zlib.error, sqlite3.DatabaseError) as error:
            raise _broken(path, error) from error

    def is_taken(self) -> bool:
        if not self.path.exists():
            return False
        opened = sqlite3.connect(f"{self.path.as_uri()}?mode=rw", uri=True)
        try:
            with closing(opened):
                return any(_count(opened, name) for name in _tables(opened))
        except sqlite3.DatabaseError:
            # No database, or a spoilt one: nothing that may be thrown away.
            return True

    def load(self, path: Path) -> None:
        fresh = self.path.with_name(f"{self.path.name}.restored")
        fresh.unlink(missing_ok=True)
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        _unpack(path, fresh)
        settle(fresh)
        # What a killed server had left would be taken for the new database's own.
        for ending in ("-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
        fresh.replace(self.path)


def settle(path: Path) -> None:
    """Bring a file to its disk, so that a read comes from there and not from memory."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(handle)


def _unpack(path: Path, target: Path) -> str:
    """Unpack a compressed copy; return its digest."""
    with gzip.open(path, "rb") as packed, target.open("wb") as plain:
        shutil.copyfileobj(packed, plain)
    with target.open("rb") as plain:
        return hashlib.file_digest(plain, "sha256").hexdigest()


def _contents_of(opened: sqlite3.Connection, path: Path, digest: str) -> Contents:
    (found,) = opened.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        raise _broken(path, found)
    if not _tables(opened) >= OURS - {MIGRATIONS}:
        raise _foreign(path)
    rows = opened.execute(f"SELECT app, name FROM {MIGRATIONS}")  # noqa: S608
    return Contents(
        migrations=frozenset((app, name) for app, name in rows),
        cups=_count(opened, CUPS),
        users=_count(opened, USERS),
        deals=_count(opened, DEALS),
        digest=digest,
    )


def _tables(opened: sqlite3.Connection) -> set[str]:
    """Return the names of those of our tables that hold what people have done."""
    rows = opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name for (name,) in rows} & (OURS - {MIGRATIONS})


def _count(opened: sqlite3.Connection, table: str) -> int:
    (count,) = opened.execute(f"SELECT COUNT(*) FROM {table}").fetchone()  # noqa: S608
    return int(count)


class PostgresStore:
    suffix = ".dump"

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings

    def require_tools(self) -> None:
        for name in ("pg_dump", "pg_restore"):
            _tool(name)

    def dump(self, target: Path) -> None:
        self._run(
            "pg_dump",
            *("--format=custom", "--no-password", "--lock-wait-timeout=20s"),
            f"--file={target}",
        )

    def inspect(self, path: Path) -> Contents:
        try:
            text = self._run("pg_restore", "--file=-", str(path))
        except ToolError as error:
            raise _broken(path, error) from error
        tables = dict(_copied_rows(text))
        if not tables.keys() >= OURS:
            raise _foreign(path)
        return Contents(
            migrations=frozenset(_migrations(tables[MIGRATIONS])),
            cups=len(tables[CUPS].rows),
            users=len(tables[USERS].rows),
            deals=len(tables[DEALS].rows),
            digest=_digest_of_sql(text),
        )

    def is_taken(self) -> bool:
        present = set(connection.introspection.table_names()) & {CUPS, USERS, DEALS}
        with connection.cursor() as cursor:
            for table in present:
                cursor.execute(f"SELECT COUNT(*) FROM {table}")  # noqa: S608
                if cursor.fetchone()[0]:
                    return True
        return False

    def load(self, path: Path) -> None:
        self._drop_empty_tables()
        self._run(
            "pg_restore",
            *("--exit-on-error", "--single-transaction", "--no-password"),
            *("--no-owner", "--no-privileges", f"--dbname={self.settings['NAME']}"),
            str(path),
        )

    def _drop_empty_tables(self) -> None:
        """Drop what a migration has made there; a newer one's would be in the way."""
        ours = set(connection.introspection.django_table_names(only_existing=True))
        ours |= {MIGRATIONS} & set(connection.introspection.table_names())
        with transaction.atomic(), connection.cursor() as cursor:
            for table in sorted(ours):
                cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)} CASCADE")

    def _run(self, tool: str, *arguments: str) -> bytes:
        """Run one of PostgreSQL's own tools on this database; return what it prints."""
        try:
            answer = subprocess.run(  # noqa: S603
                [_tool(tool), *arguments],
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=LONGEST_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ToolError(error) from error
        if answer.returncode:
            said = answer.stderr.decode(errors="replace").strip()
            raise ToolError(" ".join(said.split()) or f"{tool}: {answer.returncode}")
        return answer.stdout

    def _environment(self) -> dict[str, str]:
        """Return the environment that tells PostgreSQL's tools where to go."""
        place = {
            "PGHOST": self.settings["HOST"],
            "PGPORT": self.settings["PORT"],
            "PGUSER": self.settings["USER"],
            "PGDATABASE": self.settings["NAME"],
        }
        told = {name: str(value) for name, value in place.items() if value}
        # A password among the arguments could be read by every user of the machine.
        _arguments, secrets = DatabaseClient.settings_to_cmd_args_env(
            dict(self.settings), []
        )
        return {**os.environ, **told, **(secrets or {})}


def _tool(name: str) -> str:
    """Return the path of one of PostgreSQL's tools, the newest there is."""
    found = shutil.which(name) or max(
        TOOLS.glob(f"*/bin/{name}"), key=_version_of, default=None
    )
    if found is None:
        text = _(
            "Ohjelmaa {tool} ei löydy: asenna PostgreSQLin työkalut "
            "(Debianissa apt install postgresql-client)."
        )
        raise refusal("tool_missing", text, tool=name)
    return str(found)


def _version_of(tool: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", tool.parent.parent.name)]


@dataclass(frozen=True, slots=True)
class _Copied:
    columns: list[str]
    rows: list[str]


_COPY = re.compile(r'COPY (?:\w+\.)?"?(\w+)"? \((.*)\) FROM stdin;')


def _copied_rows(sql: bytes) -> Iterator[tuple[str, _Copied]]:
    """Yield the rows that a dump's text copies into each table."""
    lines = iter(sql.decode().split("\n"))
    for line in lines:
        if head := _COPY.fullmatch(line):
            rows = []
            for row in lines:
                if row == "\\.":
                    break
                rows.append(row)
            yield head[1], _Copied(head[2].replace('"', "").split(", "), rows)


def _migrations(copied: _Copied) -> Iterator[tuple[str, str]]:
    app, name = copied.columns.index("app"), copied.columns.index("name")
    for row in copied.rows:
        values = row.split("\t")
        yield values[app], values[name]


def _digest_of_sql(sql: bytes) -> str:
    """Return a digest of a dump's text without what differs from dump to dump."""
    kept = hashlib.sha256()
    for line in sql.split(b"\n"):
        if not line.startswith((b"--", b"\\restrict", b"\\unrestrict")):
            kept.update(line + b"\n")
    return kept.hexdigest()


@contextmanager
def told_as_refusals() -> Iterator[None]:
    """Turn what a full disk or a pulled memory stick raises into a sentence."""
    try:
        yield
    except (OSError, sqlite3.Error, ToolError) as error:
        text = _("Kopiointi ei onnistunut ({reason}).")
        reason = getattr(error, "strerror", None) or error
        raise refusal("backup_failed", text, reason=reason) from error
