"""What this machine offers to tests, and what happens where it does not.

``KOMPPA_REQUIRE=browser,postgres,gettext,network`` makes their absence a failure.
"""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

# The same browser without windows, which cost a third of the time, comes first.
CHROMIUMS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def lacking(what: str, reason: str) -> NoReturn:
    """Skip the test, or fail it where ``what`` is required."""
    if what in os.environ.get("KOMPPA_REQUIRE", "").split(","):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@cache
def chromium() -> str | None:
    """Return the path of a Chromium or Chrome, if there is one."""
    chosen = os.environ.get("KOMPPA_CHROMIUM")
    if chosen:
        return shutil.which(chosen)
    found = (shutil.which(name) for name in CHROMIUMS)
    mac = MAC_CHROME if Path(MAC_CHROME).exists() else None
    return next((path for path in found if path), mac)


def require_browser() -> None:
    if chromium() is None:
        lacking("browser", "no Chromium here: install it or set KOMPPA_CHROMIUM")


def postgres_url() -> str:
    """Return the address of a PostgreSQL server where test databases may be made."""
    url = os.environ.get("KOMPPA_TEST_POSTGRES", "")
    if not url:
        lacking("postgres", "KOMPPA_TEST_POSTGRES=postgres://... is not set")
    import psycopg

    try:
        psycopg.connect(url, connect_timeout=5).close()
    except psycopg.OperationalError as error:
        lacking("postgres", f"KOMPPA_TEST_POSTGRES does not answer: {error}")
    return url
