"""A site with parts made for trying the stream."""

from __future__ import annotations

import copy

import pytest

from komppa import parts
from tests import probing
from tests.factories import CupFactory


@pytest.fixture
def probe_parts(settings, monkeypatch):
    """Make the parts of ``probing`` known in this process for one test."""
    monkeypatch.setattr(parts, "_parts", dict(parts._parts))
    templates = copy.deepcopy(settings.TEMPLATES)
    templates[0]["DIRS"].append(probing.TEMPLATES)
    settings.TEMPLATES = templates
    probing.register_parts()
    probing.rendered.clear()


@pytest.fixture
def cup(transactional_db):
    return CupFactory(slug="demo", place="Otaniemi", revision=5)
