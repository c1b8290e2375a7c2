"""Answers that Django never sees."""

from __future__ import annotations

import pytest

from komppa.plain import security_headers


@pytest.mark.parametrize(
    ("seconds", "header"), [(0, None), (3600, b"max-age=3600")], ids=["http", "https"]
)
def test_browsers_are_held_to_https_only_where_the_site_is(settings, seconds, header):
    settings.SECURE_HSTS_SECONDS = seconds

    assert dict(security_headers()).get(b"strict-transport-security") == header


def test_answers_carry_what_djangos_pages_carry(client, db):
    page = client.get("/healthz")

    shared = ("x-content-type-options", "x-frame-options", "referrer-policy")
    plain = {name.decode(): value.decode() for name, value in security_headers()}
    assert {name: plain[name] for name in shared} == {
        name: page.headers[name] for name in shared
    }
