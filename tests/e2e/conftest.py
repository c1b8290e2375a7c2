"""Devices: browsers of their own, whose every complaint fails the test."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

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
