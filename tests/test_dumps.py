"""SQLite's own part of backups; PostgreSQL's is tried in ``test_backups``."""

from __future__ import annotations

import gzip
import shutil
import sqlite3
from contextlib import closing

import pytest

from komppa.dumps import OURS, SqliteStore

WAL = "PRAGMA journal_mode=WAL"


def fill(path, **rows):
    """Make a database with our tables, so many rows in each."""
    with closing(sqlite3.connect(path)) as made:
        made.execute(WAL)
        for table in sorted(OURS):
            made.execute(f"CREATE TABLE {table} (app TEXT, name TEXT)")
            for number in range(rows.get(table, 0)):
                made.execute(f"INSERT INTO {table} VALUES ('cup', '{number}')")
        made.commit()
    return SqliteStore(path)


@pytest.mark.parametrize(
    ("rows", "taken"),
    [
        ({}, False),
        ({"django_migrations": 3}, False),
        ({"cup_cup": 1}, True),
        ({"auth_user": 1}, True),
        ({"sheets_dealentry": 1}, True),
    ],
)
def test_a_database_is_taken_where_people_have_done_something(tmp_path, rows, taken):
    assert fill(tmp_path / "komppa.sqlite3", **rows).is_taken() == taken


def test_a_place_without_a_database_is_not_taken_and_stays_as_it_is(tmp_path):
    path = tmp_path / "komppa.sqlite3"

    missing = SqliteStore(path).is_taken()
    left = path.exists()
    path.touch()

    assert (missing, left, SqliteStore(path).is_taken()) == (False, False, False)


def test_a_spoilt_database_is_taken(tmp_path):
    path = tmp_path / "komppa.sqlite3"
    path.write_bytes(b"rubbish" * 1000)

    assert SqliteStore(path).is_taken()


def test_a_copy_is_one_file_that_opens_where_nothing_can_be_written(tmp_path):
    packed = tmp_path / "copy.gz"
    fill(tmp_path / "komppa.sqlite3", cup_cup=2).dump(packed)
    plain = tmp_path / "plain.sqlite3"
    plain.write_bytes(gzip.decompress(packed.read_bytes()))

    with closing(sqlite3.connect(f"{plain.as_uri()}?immutable=1", uri=True)) as opened:
        assert opened.execute("SELECT COUNT(*) FROM cup_cup").fetchone() == (2,)


def test_a_copy_has_what_a_killed_server_had_only_in_its_journal(tmp_path):
    path = tmp_path / "komppa.sqlite3"
    store = fill(path)
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint=0")
        writer.execute("INSERT INTO cup_cup VALUES ('cup', 'last')")
        writer.commit()
        # As the files lie on the disk at the moment of the kill.
        killed = tmp_path / "killed"
        killed.mkdir()
        for part in tmp_path.glob("komppa.sqlite3*"):
            shutil.copy(part, killed)

    left = SqliteStore(killed / path.name)
    left.dump(tmp_path / "copy.gz")

    assert left.inspect(tmp_path / "copy.gz").cups == 1
    assert store.path == path


def test_what_a_killed_server_left_does_not_get_into_what_is_restored(tmp_path):
    store = fill(tmp_path / "komppa.sqlite3", cup_cup=2)
    store.dump(tmp_path / "copy.gz")
    place = tmp_path / "place"
    place.mkdir()
    with closing(sqlite3.connect(store.path)) as writer:
        writer.execute("PRAGMA wal_autocheckpoint=0")
        writer.execute("DELETE FROM cup_cup")
        writer.commit()
        shutil.copy(f"{store.path}-wal", place)

    restored = SqliteStore(place / store.path.name)
    restored.load(tmp_path / "copy.gz")

    assert [path.name for path in place.iterdir()] == ["komppa.sqlite3"]
    assert restored.path.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(restored.path)) as opened:
        opened.execute(WAL)
        assert opened.execute("SELECT COUNT(*) FROM cup_cup").fetchone() == (2,)
