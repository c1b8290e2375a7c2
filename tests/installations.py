"""Whole installations beside each other: a laptop, and the one it is restored on.

The fixture ``installations`` makes them, on SQLite and on PostgreSQL::

    def test_a_laptop_that_is_lost(installations, tmp_path):
        laptop = installations.empty()
        laptop.evening("prepare")                        # tests/evening.py
        laptop.manage("backup", str(tmp_path))
        with laptop.serving() as site: ...
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID, uuid4

from tests import serving, site
from tests.serving import PATIENCE, ROOT, environment


@dataclass(frozen=True, slots=True)
class Installation:
    data: Path
    database: dict[str, str] = field(default_factory=dict)

    @property
    def suffix(self) -> str:
        """How the names of its backups end."""
        return ".dump" if self.database else ".sqlite3.gz"

    def manage(self, *arguments: object) -> subprocess.CompletedProcess[str]:
        return serving.manage(*map(str, arguments), data=self.data, **self.database)

    def starting(self, **more: str) -> AbstractContextManager[serving.Site]:
        """Start it as ``make run`` does."""
        return serving.serving(self.data, **self.database, **more)

    def serving(self, **more: str) -> AbstractContextManager[site.Site]:
        """Serve alone, what a start prepares being there."""
        return site.serving_application(
            self.data, environment(self.data, **self.database, **more)
        )

    def deal_keys(self) -> list[str]:
        """Return the keys of all deals, as the database itself has them."""
        question = "SELECT key FROM sheets_dealentry"
        if self.database:
            import psycopg

            with psycopg.connect(self.database["DATABASE_URL"]) as asked:
                rows = asked.execute(question).fetchall()
        else:
            with closing(sqlite3.connect(self.data / "komppa.sqlite3")) as asked:
                rows = asked.execute(question).fetchall()
        return sorted(str(UUID(str(key))) for (key,) in rows)

    def evening(self, act: str) -> Any:
        """Return the answer of an act of ``tests.evening`` on this database."""
        answer = subprocess.run(
            [sys.executable, "-m", "tests.evening", act],
            cwd=ROOT,
            env=environment(self.data, **self.database),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
        assert answer.returncode == 0, answer.stderr
        return json.loads(answer.stdout)


class Installations:
    def __init__(self, folder: Path, server: str | None, databases: ExitStack) -> None:
        self._folders = (folder / str(number) / "data" for number in count(1))
        self._server = server
        self._databases = databases

    def empty(self) -> Installation:
        folder = next(self._folders)
        folder.mkdir(parents=True)
        return self._on(folder, "template1")

    def copy(self, other: Installation) -> Installation:
        """Return one like the other, which nobody may be using."""
        folder = next(self._folders)
        shutil.copytree(other.data, folder)
        url = other.database.get("DATABASE_URL", "")
        return self._on(folder, urlsplit(url).path.strip("/"))

    def _on(self, folder: Path, template: str) -> Installation:
        if self._server is None:
            return Installation(folder)
        made = postgres_database(self._server, template)
        url = self._databases.enter_context(made)
        return Installation(folder, {"DATABASE_URL": url})


@contextmanager
def postgres_database(server: str, template: str = "template1") -> Iterator[str]:
    """Make a database beside the server's own for a while; give its address."""
    import psycopg

    name = f"komppa_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE {name} TEMPLATE "{template}"')
        try:
            yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
