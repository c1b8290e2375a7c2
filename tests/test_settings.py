"""Settings as a process reads them from its environment."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from csp.utils import build_policy

from tests.serving import ROOT, environment

PRINT = """
import json, sys
from django.conf import settings
names = sys.argv[1:]
print(json.dumps({name: getattr(settings, name) for name in names}, default=str))
"""


def run_settings(data, *names, **env):
    return subprocess.run(
        [sys.executable, "-c", PRINT, *names],
        cwd=ROOT,
        env=environment(data, DJANGO_SETTINGS_MODULE="komppa.settings", **env),
        capture_output=True,
        text=True,
        check=False,
    )


def read_settings(data, *names, **env):
    answer = run_settings(data, *names, **env)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


HTTPS_SWITCHES = (
    "SESSION_COOKIE_SECURE",
    "CSRF_COOKIE_SECURE",
    "SECURE_SSL_REDIRECT",
)


@pytest.mark.parametrize(
    "url", ["cup.example.org", "ftp://cup.example.org", "https://", "//cup"]
)
def test_a_public_url_that_is_none_stops_the_start(tmp_path, url):
    answer = run_settings(tmp_path, "DEBUG", PUBLIC_URL=url)

    assert answer.returncode == 1
    last = answer.stderr.splitlines()[-1]
    assert last.endswith(f"PUBLIC_URL is not an http(s) address: {url.rstrip('/')!r}")


def test_https_is_demanded_where_the_public_url_is_https(tmp_path):
    found = read_settings(
        tmp_path,
        *HTTPS_SWITCHES,
        "SECURE_HSTS_SECONDS",
        "CSRF_TRUSTED_ORIGINS",
        "SECURE_PROXY_SSL_HEADER",
        PUBLIC_URL="https://cup.example.org/",
    )

    assert found == {
        **dict.fromkeys(HTTPS_SWITCHES, True),
        "SECURE_HSTS_SECONDS": 2592000,
        "CSRF_TRUSTED_ORIGINS": ["https://cup.example.org"],
        "SECURE_PROXY_SSL_HEADER": ["HTTP_X_FORWARDED_PROTO", "https"],
    }


@pytest.mark.parametrize("url", ["", "http://cup.example.org"])
def test_plain_http_works_without_a_public_https_url(tmp_path, url):
    found = read_settings(
        tmp_path,
        *HTTPS_SWITCHES,
        "SECURE_HSTS_SECONDS",
        "SECURE_PROXY_SSL_HEADER",
        PUBLIC_URL=url,
    )

    assert found == {
        **dict.fromkeys(HTTPS_SWITCHES, False),
        "SECURE_HSTS_SECONDS": 0,
        "SECURE_PROXY_SSL_HEADER": None,
    }


def test_debug_is_off_unless_asked_for(tmp_path):
    assert read_settings(tmp_path, "DEBUG") == {"DEBUG": False}
    for word, meant in (("1", True), ("True", True), ("0", False), ("", False)):
        assert read_settings(tmp_path, "DEBUG", KOMPPA_DEBUG=word) == {"DEBUG": meant}


def test_a_debug_that_is_neither_stops_the_start(tmp_path):
    answer = run_settings(tmp_path, "DEBUG", KOMPPA_DEBUG="maybe")

    assert answer.returncode == 1
    last = answer.stderr.splitlines()[-1]
    assert last.endswith("KOMPPA_DEBUG is 1 or 0, not 'maybe'")


def test_allowed_hosts_are_this_machine_the_public_name_and_those_given(tmp_path):
    own = read_settings(tmp_path, "ALLOWED_HOSTS")["ALLOWED_HOSTS"]
    more = read_settings(
        tmp_path,
        "ALLOWED_HOSTS",
        ALLOWED_HOSTS="komppa.lan,10.9.8.7",
        PUBLIC_URL="https://cup.example.org",
    )["ALLOWED_HOSTS"]

    assert {"localhost", "127.0.0.1", "[::1]"} <= set(own)
    assert "*" not in own
    assert more == [*own, "komppa.lan", "10.9.8.7", "cup.example.org"]


def test_the_secret_key_is_made_once_and_the_environment_goes_before_it(tmp_path):
    first = read_settings(tmp_path, "SECRET_KEY")
    second = read_settings(tmp_path, "SECRET_KEY")
    given = read_settings(tmp_path, "SECRET_KEY", SECRET_KEY="g" * 40)

    assert first == second
    assert first["SECRET_KEY"] == (tmp_path / "secret_key").read_text()
    assert given == {"SECRET_KEY": "g" * 40}


def test_the_database_is_sqlite_in_the_data_folder_unless_given(tmp_path):
    own = read_settings(tmp_path, "DATABASES")["DATABASES"]["default"]
    given = read_settings(
        tmp_path, "DATABASES", DATABASE_URL="postgres://komppa:pw@db:5433/cup"
    )["DATABASES"]["default"]

    assert own["NAME"] == str(tmp_path / "komppa.sqlite3")
    assert own["OPTIONS"] == {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
    assert (given["ENGINE"], given["HOST"], given["PORT"], given["NAME"]) == (
        "django.db.backends.postgresql",
        "db",
        5433,
        "cup",
    )


def test_backups_by_themselves_need_a_folder_to_be_named(tmp_path):
    stick = str(tmp_path / "stick")

    assert read_settings(tmp_path, "BACKUP_DIR") == {"BACKUP_DIR": None}
    assert read_settings(tmp_path, "BACKUP_DIR", BACKUP_DIR=f"{stick}/") == {
        "BACKUP_DIR": stick
    }


def test_the_redirect_to_https_carries_the_headers_of_pages(client, settings):
    settings.SECURE_SSL_REDIRECT = True

    answer = client.get("/")

    assert answer.status_code == 301
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Content-Security-Policy"] == build_policy()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "asked",
    [
        {"HTTP_HOST": "elsewhere.example"},
        {"data": "&".join("a" * 1001), "content_type": "text/plain"},
        {
            "data": "&".join("a" * 1001),
            "content_type": "application/x-www-form-urlencoded",
        },
        {"data": "--x", "content_type": "multipart/form-data"},
    ],
    ids=["wrong_host", "no_form", "too_many_fields", "broken_multipart"],
)
def test_what_is_the_visitor_s_fault_is_one_line_in_the_log(client, caplog, asked):
    answer = client.post("/login/", **asked)

    assert answer.status_code < 500
    assert [line.exc_info for line in caplog.records if line.exc_info] == []


def test_what_is_our_fault_keeps_its_traceback_in_the_log(client, caplog, monkeypatch):
    client.raise_request_exception = False
    monkeypatch.setattr("komppa.views.Cup", None)

    assert client.get("/healthz").status_code == 500
    (line,) = caplog.records
    assert line.exc_info[0] is AttributeError
