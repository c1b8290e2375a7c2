"""Devices: browsers of their own, whose every complaint fails the test."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from playwright.sync_api import expect

from tests.hall import fill_hall

# A machine that does much else at the same time is no fault of the pages.
expect.set_options(timeout=20_000)


@pytest.fixture
def new_device(new_context):
    """Return a function that makes a browser context.

    Neither an error nor a refusal by the content security policy passes unseen.
    """
    complaints = []

    def heard(message):
        if message.type in ("error", "warning"):
            complaints.append((message.page.url, message.text))

    def make(**options):
        context = new_context(**options)
        context.set_default_timeout(20_000)
        context.on("console", heard)
        context.on("weberror", lambda failed: complaints.append(str(failed.error)))
        return context

    yield make
    assert complaints == []


@pytest.fixture(scope="module")
def hall(_site_server, django_db_blocker):
    """Cups in every state, which all pages have something of to show.

    A module's tests share them, and write only to what they look at alone.
    """
    with django_db_blocker.unblock():
        try:
            yield fill_hall()
        finally:
            call_command("flush", interactive=False, verbosity=0)


@pytest.fixture
def visit(shared_site, page, hall):
    """Return a function that opens an address as somebody, or as a stranger."""

    def open_page(path, role=None):
        page.context.clear_cookies()
        if role:
            page.context.add_cookies([shared_site.session_cookie(getattr(hall, role))])
        page.goto(shared_site.url + path)
        return page

    return open_page
