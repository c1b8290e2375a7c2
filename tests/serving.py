"""The real thing in a process of its own, as ``make run`` starts it."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from http.cookiejar import CookieJar
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A fresh machine has none of these; the developer's own must not reach the tests.
OURS = (
    *("KOMPPA_DATA", "KOMPPA_DEBUG", "DATABASE_URL", "SECRET_KEY", "PUBLIC_URL"),
    *("ALLOWED_HOSTS", "BACKUP_DIR", "HOST", "PORT"),
)
PATIENCE = 90.0


@dataclass(frozen=True, slots=True)
class Site:
    host: str
    port: int
    data: Path
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def output(self) -> str:
        """What it has said so far."""
        return self.log.read_text(encoding="utf-8")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(data: Path, **more: str) -> dict[str, str]:
    """Return a fresh machine's environment with this data folder."""
    clean = {name: value for name, value in os.environ.items() if name not in OURS}
    return {**clean, "KOMPPA_DATA": str(data), **more}


def manage(
    *arguments: str, data: Path, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run one command of ``manage.py`` to its end."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env=environment(data, **more),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


@contextmanager
def serving(data: Path, host: str = "127.0.0.1", **more: str) -> Iterator[Site]:
    """Start Komppa, wait until it answers, and stop it in the end."""
    port = free_port()
    log = data.parent / f"start-{time.time_ns()}.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "start"],
            cwd=ROOT,
            env=environment(data, HOST=host, PORT=str(port), **more),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    site = Site(host, port, data, log, process)
    try:
        _wait_until_it_answers(site)
        yield site
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_until_it_answers(site: Site) -> None:
    deadline = time.monotonic() + PATIENCE
    while site.process.poll() is None and time.monotonic() < deadline:
        # Not urllib, which would follow a redirect to https.
        connection = HTTPConnection("127.0.0.1", site.port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            connection.getresponse()
        except (OSError, HTTPException):
            time.sleep(0.1)
        else:
            return
        finally:
            connection.close()
    raise AssertionError(f"it does not answer; it said:\n{site.output}")


class Visitor:
    """A browser without a screen: keeps cookies and follows forms."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPCookieProcessor(self.cookies),
        )

    def get(self, path: str) -> tuple[int, str]:
        return self._answer(urllib.request.Request(self.base + path))

    def post(self, path: str, **fields: str) -> tuple[int, str]:
        """Send the form of a page, with the token that the page gave."""
        _status, page = self.get(path)
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        assert token, f"no form on {path}"
        fields["csrfmiddlewaretoken"] = token[1]
        data = urllib.parse.urlencode(fields).encode()
        return self._answer(urllib.request.Request(self.base + path, data))

    def _answer(self, request: urllib.request.Request) -> tuple[int, str]:
        try:
            with self._opener.open(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
