"""The real server in a process of its own, on the test's own database.

Django's ``live_server`` is WSGI and hangs on an event stream, so every test in a
browser stands on the fixture ``site`` instead::

    @pytest.mark.browser
    def test_standings_move_by_themselves(site, page):
        cup = drawn_cup()                                # factories and services
        page.goto(f"{site.url}/{cup.slug}/groups/")
        record(cup.games.first())                        # seen within two seconds
        expect(page.get_by_text(...)).to_be_visible()

    def test_a_page_for_organisers(site, page, organiser):
        page.context.add_cookies([site.session_cookie(organiser)])

It is ``komppa.asgi`` under the uvicorn of ``manage.py start``, DEBUG off, static
files collected, started once a run. Test and server share one database file, which is
emptied after each test: ``site`` makes the test transactional. What the test writes
is another process's writing to the server, and is noticed by the hub's watch.
Passwords made in a test that uses ``site`` are good for signing in by the form.
A test during which the server logs a traceback fails.
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.db import connection
from django.test import Client

from komppa.live import serving
from tests.serving import OURS, ROOT

PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass(frozen=True, slots=True)
class Site:
    port: int
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def output(self) -> str:
        """What the server has logged so far."""
        return self.log.read_text(encoding="utf-8")

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Ask once, on a connection of its own; follow nothing."""
        asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            asking.request(method, path, body, dict(headers or {}))
            response = asking.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            asking.close()

    def session_cookie(self, user) -> dict[str, str]:
        """Sign the user in; the cookie is for a browser context's ``add_cookies``."""
        client = Client()
        client.force_login(user)
        name = settings.SESSION_COOKIE_NAME
        return {"name": name, "value": client.cookies[name].value, "url": self.url}


@contextmanager
def serving_test_database(
    folder: Path, application: str = serving.APPLICATION, **environment: str
) -> Iterator[Site]:
    """Serve the application on pytest's test database, which must exist."""
    with serving_application(
        folder, _environment(folder, environment), application
    ) as site:
        yield site


@contextmanager
def serving_application(
    folder: Path,
    environment: Mapping[str, str],
    application: str = serving.APPLICATION,
) -> Iterator[Site]:
    """Serve on what the environment names, its database and files being there."""
    bound = serving.listen("127.0.0.1", 0)
    log = folder / f"server-{bound.getsockname()[1]}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.served", str(bound.fileno()), application],
            cwd=ROOT,
            env=dict(environment),
            pass_fds=[bound.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    site = Site(bound.getsockname()[1], log, process)
    bound.close()
    try:
        _wait_until_it_answers(site)
        yield site
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def collect_static_files(folder: Path) -> None:
    manage(folder, "collectstatic", "--noinput", "--verbosity=0")


def manage(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of ``manage.py`` on the test database."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=_environment(folder, {}),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )


def _environment(folder: Path, more: Mapping[str, str]) -> dict[str, str]:
    # Without the leave to run unsafely, the server fails if it asks the database on
    # its event loop.
    left_out = {*OURS, "DJANGO_ALLOW_ASYNC_UNSAFE"}
    clean = {name: value for name, value in os.environ.items() if name not in left_out}
    return {
        **clean,
        **_database(folder),
        "KOMPPA_DATA": str(folder),
        "SECRET_KEY": settings.SECRET_KEY,
        **more,
    }


def _database(folder: Path) -> dict[str, str]:
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        link = folder / "komppa.sqlite3"
        if not link.is_symlink():
            link.symlink_to(database["NAME"])
        return {}
    user, password = quote(database["USER"], ""), quote(database["PASSWORD"], "")
    place = f"{database['HOST']}:{database['PORT'] or 5432}/{database['NAME']}"
    return {"DATABASE_URL": f"postgres://{user}:{password}@{place}"}


def _wait_until_it_answers(site: Site) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and site.process.poll() is None:
        try:
            if site.ask("/healthz").status == 200:
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"the server does not answer; it said:\n{site.output}")
