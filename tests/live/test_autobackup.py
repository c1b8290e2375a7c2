"""Backups that are made by themselves while the server runs."""

from __future__ import annotations

import logging
import threading
import time

import pytest

from komppa import backups, dumps
from komppa.cup.models import Cup
from komppa.live import autobackup
from komppa.live.autobackup import back_up, backups_by_themselves
from tests.factories import CupFactory

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _nothing_tried_yet(monkeypatch):
    monkeypatch.setattr(backups, "_status", backups.Status())


@pytest.fixture
def stick(tmp_path, settings):
    settings.BACKUP_DIR = tmp_path / "stick"
    settings.BACKUP_DIR.mkdir()
    return settings.BACKUP_DIR


def wait_for(condition) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def cups_in(folder) -> list[int]:
    """Return how many cups each backup holds, the oldest first."""
    store = dumps.this_store()
    paths = sorted(backups._named(folder), key=backups._age_key)
    return [store.inspect(path).cups for path in paths]


def test_a_backup_is_made_at_the_start_and_at_the_end(stick):
    with backups_by_themselves():
        wait_for(lambda: backups.status().good_at)
        CupFactory()

    assert cups_in(stick) == [0, 1]
    assert "backups" not in {thread.name for thread in threading.enumerate()}


def test_a_backup_is_made_again_and_again_as_things_change(stick, monkeypatch):
    monkeypatch.setattr(autobackup, "EVERY_SECONDS", 0.05)

    with backups_by_themselves():
        for cups in (0, 1, 2):
            wait_for(lambda cups=cups: cups_in(stick)[-1:] == [cups])
            CupFactory()

    # PostgreSQL's counter of a new row moves already before the row is committed.
    assert list(dict.fromkeys(cups_in(stick))) == [0, 1, 2, 3]


def test_no_backup_is_made_where_no_folder_is_named(settings):
    settings.BACKUP_DIR = None

    with backups_by_themselves():
        names = {thread.name for thread in threading.enumerate()}

    assert "backups" not in names
    assert backups.status() == backups.Status()


def test_a_stick_pulled_out_is_told_and_mended_by_putting_it_back(stick, caplog):
    caplog.set_level(logging.INFO, "komppa")
    back_up(stick)
    first = backups.status()
    away = stick.rename(stick.with_name("away"))
    Cup.objects.update(place="Otaniemi")
    back_up(stick)
    failed = backups.status()
    away.rename(stick)
    back_up(stick)
    mended = backups.status()

    sentence = f"Kansiota {stick} ei ole: onko muistitikku paikallaan?"
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [
        ("INFO", f"Backup: {first.newest}"),
        ("ERROR", f"No backup: {sentence}"),
    ]
    assert (str(failed.failure), failed.good_at) == (sentence, first.good_at)
    assert failed.tried_at > first.tried_at
    assert (mended.failure, mended.newest) == ("", first.newest)
    assert mended.good_at > failed.tried_at


def test_a_fault_of_ours_is_told_and_stops_nothing(stick, monkeypatch, caplog):
    def fail(_folder):
        raise ZeroDivisionError

    monkeypatch.setattr(backups, "make_if_changed", fail)

    with backups_by_themselves():
        wait_for(lambda: backups.status().failure)

    assert str(backups.status().failure) == "Palvelimen loki kertoo syyn."
    assert [record.exc_info[0] for record in caplog.records] == [ZeroDivisionError] * 2
