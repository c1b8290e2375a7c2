"""What the organiser is told of backups that are made by themselves."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.urls import reverse

from komppa import backups
from tests.factories import CupFactory
from tests.sheets.posts import text

pytestmark = pytest.mark.django_db

GOOD_AT = datetime(2026, 11, 28, 17, 30, tzinfo=UTC)
TRIED_AT = datetime(2026, 11, 28, 17, 40, tzinfo=UTC)
NEWEST = Path("/media/stick/komppa-20261128-193000.sqlite3.gz")
FAILED = (
    "Varmuuskopiota ei saatu tehtyä kello 19.40. Kansiota ei ole. "
    "Viimeisin onnistui kello 19.30. Turnaus jatkuu: kaikki on tallessa tällä "
    "koneella, ja kopiota yritetään kymmenen minuutin välein."
)


@pytest.fixture
def told(monkeypatch):
    def tell(**facts):
        monkeypatch.setattr(backups, "_status", backups.Status(**facts))

    return tell


@pytest.fixture
def pages():
    return [
        reverse("admin:index"),
        reverse("admin:cup_workbench", args=[CupFactory().pk]),
    ]


def test_every_page_of_the_organiser_says_that_backups_have_ceased(
    organiser_client, pages, told
):
    told(tried_at=TRIED_AT, good_at=GOOD_AT, newest=NEWEST, failure="Kansiota ei ole.")

    for page in pages:
        assert text(organiser_client.get(page)).count(FAILED) == 1


def test_a_failure_from_the_start_names_no_good_one(organiser_client, pages, told):
    told(tried_at=TRIED_AT, failure="Kansiota ei ole.")

    page = text(organiser_client.get(pages[0]))

    assert "kello 19.40. Kansiota ei ole. Turnaus jatkuu" in page


def test_the_front_page_names_the_newest_backup(organiser_client, pages, told):
    told(tried_at=GOOD_AT, good_at=GOOD_AT, newest=NEWEST)

    front, workbench = (text(organiser_client.get(page)) for page in pages)

    sentence = f"Kello 19.30 kaikki oli kopiossa {NEWEST.name}."
    assert (front.count(sentence), workbench.count(sentence)) == (1, 0)


def test_nothing_is_said_where_no_backups_are_made(organiser_client, pages, told):
    told()

    for page in pages:
        assert "kopio" not in text(organiser_client.get(page))
