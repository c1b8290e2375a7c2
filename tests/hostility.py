"""What the hostile send, and one who asks on their behalf."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from urllib.parse import quote, urlencode, urlsplit

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client, override_settings
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.addresses import MOST_OF_A_KIND, Form, Map, explore
from tests.hall import Hall, fill_hall

ROLES = ["anonymous", "stranger", "scorekeeper", "organiser"]
URLENCODED = "application/x-www-form-urlencoded"

UNLINKED = {
    "admin/login/": "/admin/login/",
    "admin/password_change/done/": "/admin/password_change/done/",
    "admin/autocomplete/": "/admin/autocomplete/",
    "admin/r/<path:content_type_id>/<path:object_id>/": "/admin/r/1/1/",
    "admin/cup/cup/": "/admin/cup/cup/",
    "admin/cup/cup/<path:object_id>/delete/": "/admin/cup/cup/1/delete/",
    "admin/cup/team/add/": "/admin/cup/team/add/",
    "admin/^(?P<app_label>cup|auth|sheets)/$": "/admin/cup/",
    "admin/(?P<url>.*)$": "/admin/nosuch/",
    "healthz": "/healthz",
    "sheet/<slug:slug>/games/<int:number>/corrections/preview/": (
        "/sheet/played/games/2/corrections/preview/"
    ),
}
"""Where no link leads: most of it is there because Django's admin has it."""

MARK = "<b data-hostile>"
VALUES = {
    "mark": MARK,
    "nul": "a\0b",
    "no_utf_8": b"\xff\xfe",
    "digits_30": "9" * 30,
    "digits_5000": "9" * 5000,
    "negative": "-1",
    "unicode_digits": "٣²",
    "empty": "",
    "long": "å" * 50_000,
}
WORST = ["nul", "no_utf_8", "digits_5000", "unicode_digits"]

ARGUMENTS = {
    "nothing": "999999",
    "digits_30": "9" * 30,
    "digits_5000": "9" * 5000,
    "negative": "-1",
    "unicode_digits": "%D9%A3",
    "nul": "%00",
    "no_utf_8": "%FF%FE",
    "long": "x" * 100_000,
    "mark": quote(MARK),
}
"""What stands in the place of an argument, as it is written in an address."""

BODIES = {
    "json": (json.dumps({"name": ["x"], "number": 1}), "application/json"),
    "bytes": (bytes(range(256)), "application/octet-stream"),
    "bytes_as_form": (bytes(range(256)), URLENCODED),
    "type_of_nothing": ("name=x", ""),
    "type_of_nonsense": ("name=x", "/;;=;charset"),
    "multipart_without_boundary": ("--x\r\n", "multipart/form-data"),
    "multipart_cut_off": (
        encode_multipart(BOUNDARY, {"name": "x" * 100})[:-60],
        MULTIPART_CONTENT,
    ),
    "multipart_of_noise": (b"--BoUnDaRyStRiNg\r\n\0\xff\r\n" * 9, MULTIPART_CONTENT),
    "too_large": ("name=" + "x" * 1024 * 1024, URLENCODED),
}

_LONGEST_BODY = 900_000


@dataclass(frozen=True, slots=True)
class Upload:
    """A file where text is expected."""

    content: bytes
    name: str = f"{MARK}\0.csv"

    def read(self) -> bytes:
        return self.content


@dataclass(frozen=True, slots=True)
class Tour:
    """A hall full of cups, the map of its pages, and everybody's way in."""

    hall: Hall
    map: Map
    sessions: Mapping[str, str]

    def addresses(self, route: str) -> list[str]:
        """Return addresses of the route with something at them."""
        if found := self.map.pages.get(route):
            return found
        if route not in UNLINKED:
            pytest.skip(f"no link leads to {route}, which is told by another test")
        return [UNLINKED[route]]

    def forms(self, route: str) -> list[Form]:
        """Return two forms, not alike, that are posted here and have any field."""
        forms = self.map.forms.get(route, [])
        by_shape = {form.shape: form for form in forms if form.names}
        return list(by_shape.values())[:2]

    def ask(
        self,
        role: str,
        method: str,
        address: str,
        body: bytes | str = b"",
        content_type: str = URLENCODED,
        *,
        kept: bool = False,
    ):
        """Ask once for somebody; what that writes is kept only if wanted."""
        client = Client()
        if role in self.sessions:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[role]
        with nullcontext() if kept else _undone():
            answer = client.generic(method, address, body, content_type)
        _assert_clear(answer, f"{method} {address[:200]} by {role}: {body[:300]!r}")
        return answer


@contextmanager
def guided_tour(most: int = MOST_OF_A_KIND) -> Iterator[Tour]:
    """Fill the hall and walk through it as the organiser; leave nothing behind.

    So many pages of a kind are looked at.
    """
    quick = {"PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"]}
    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    storages = {**settings.STORAGES, "staticfiles": {"BACKEND": plain}}
    with override_settings(STORAGES=storages, **quick), _undone():
        hall = fill_hall()
        clients = {role: Client() for role in ROLES[1:]}
        for role, client in clients.items():
            client.force_login(getattr(hall, role))
        found = explore(clients["organiser"], *hall.doors, most=most)
        sessions = {
            role: client.cookies[settings.SESSION_COOKIE_NAME].value
            for role, client in clients.items()
        }
        yield Tour(hall, found, sessions)


def encoded(pairs) -> str:
    """Return a query or body as it goes over the wire, any bytes in it."""
    return urlencode(pairs, quote_via=quote)


def filled(form: Form, names, value: str | bytes) -> str:
    """Return the form as it is sent with this value in the named fields.

    Cut short where all together would be too large to be looked at.
    """
    most = _LONGEST_BODY // 6 // max(len(names), 1)
    kept = [pair for pair in form.values if pair[0] not in names]
    return encoded([*kept, *((name, value[:most]) for name in names)])


@contextmanager
def _undone() -> Iterator[None]:
    """Whatever is written inside is gone afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _assert_clear(answer, what: str) -> None:
    """A status below 500, something to read, nothing of ours and nothing of theirs."""
    assert answer.status_code < 500, what
    if "Location" in answer.headers:
        target = urlsplit(answer.headers["Location"])
        assert (target.scheme, target.netloc) == ("", ""), what
        return
    if answer.request["REQUEST_METHOD"] == "HEAD":
        return
    text = answer.content.decode()
    length = answer.headers.get("Content-Length", len(answer.content))
    assert int(length) == len(answer.content), what
    assert text.strip(), f"{what}: {answer.status_code} without a word"
    assert "Traceback" not in text, what
    if answer.headers["Content-Type"].startswith("text/html"):
        assert MARK not in text, f"{what}: what was sent comes back as markup"
