"""Backups of the test's own database; whole restorations: ``tests/live``."""

from __future__ import annotations

import errno
import gzip
import os
import re
import stat
import time
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext_lazy, override

from komppa import backups, dumps, occupied
from komppa.backups import make, make_if_changed, newest, restore
from komppa.cup.models import Cup
from komppa.errors import Refusal
from tests.factories import CupFactory, UserFactory, drawn_cup, record

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]

BOTH = (".sqlite3.gz", ".dump")


@pytest.fixture
def suffix():
    return dumps.this_store().suffix


@pytest.fixture
def at(monkeypatch):
    """Set the clock by which backups are named."""

    def set_clock(text):
        now = datetime.fromisoformat(text).replace(tzinfo=UTC)
        monkeypatch.setattr(backups.timezone, "localtime", lambda: now)

    return set_clock


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def refusal_of(function, *arguments):
    with pytest.raises(Refusal) as refused:
        function(*arguments)
    return str(refused.value.message)


def test_a_backup_tells_what_it_was_found_to_hold(tmp_path):
    game = drawn_cup().games.first()
    record(game)
    record(game)
    UserFactory()

    made = make(tmp_path)

    found = made.contents
    assert (found.cups, found.deals, found.users) == (1, 2, 1)
    assert found.migrations == set(MigrationRecorder(connection).applied_migrations())
    assert made.size == made.path.stat().st_size


def test_a_backup_in_a_folder_is_named_by_its_moment(tmp_path, suffix, at):
    at("2026-11-28 19:30:05")
    made = [make(tmp_path).path.name for _time in range(3)]

    assert made == [
        f"komppa-20261128-193005{suffix}",
        f"komppa-20261128-193005-2{suffix}",
        f"komppa-20261128-193005-3{suffix}",
    ]
    assert names(tmp_path) == sorted(made)


def test_a_backup_is_for_its_owner_alone(tmp_path):
    assert stat.S_IMODE(make(tmp_path).path.stat().st_mode) == 0o600


def test_a_backup_takes_the_name_it_is_given(tmp_path, suffix):
    path = tmp_path / f"before the final{suffix}"

    assert make(path).path == path
    assert names(tmp_path) == [path.name]


def test_a_backup_writes_over_nothing(tmp_path, suffix):
    path = tmp_path / f"mine{suffix}"
    path.write_text("mine")

    text = refusal_of(make, path)

    assert text == f"{path} on jo olemassa: anna toinen nimi tai kansio."
    assert path.read_text() == "mine"


def test_a_backup_onto_a_stick_that_is_not_in_makes_nothing(tmp_path, suffix):
    stick = tmp_path / "stick"

    assert refusal_of(make, stick) == (
        f"Kansiota {stick} ei ole: onko muistitikku paikallaan? "
        f"Tiedoston nimen lopussa olisi {suffix}."
    )
    for act, path in ((make, stick / f"a{suffix}"), (make_if_changed, stick)):
        assert refusal_of(act, path) == (
            f"Kansiota {stick} ei ole: onko muistitikku paikallaan?"
        )
    assert names(tmp_path) == []


def test_a_backup_into_a_closed_folder_says_why(tmp_path, monkeypatch):
    def read_only(**_arguments):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(backups, "mkstemp", read_only)

    assert refusal_of(make, tmp_path) == (
        f"Kansioon {tmp_path} ei voi kirjoittaa (Read-only file system)."
    )


def test_a_backup_on_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(path):
        assert path.stat().st_size > 0
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(backups, "settle", full)

    assert refusal_of(make, tmp_path) == (
        "Kopiointi ei onnistunut (No space left on device)."
    )
    assert names(tmp_path) == []


def test_a_backup_that_the_disk_spoils_gets_no_name(tmp_path, monkeypatch):
    def spoil(path):
        with path.open("r+b") as file:
            file.truncate(path.stat().st_size // 2)

    monkeypatch.setattr(backups, "settle", spoil)

    text = refusal_of(make, tmp_path)

    assert re.fullmatch(r".*\.part on rikki tai vajaa \(.+\)\.", text)
    assert names(tmp_path) == []


def test_the_reason_is_told_in_the_language_of_its_reader():
    met = dumps.refusal("fault", gettext_lazy("Ei vielä mitään."))

    told = []
    for language in ("fi", "en"):
        with override(language):
            told.append(str(met.message))
    assert told == ["Ei vielä mitään.", "Nothing yet."]


def test_a_backup_waits_for_no_writer_and_holds_what_was_committed(tmp_path):
    CupFactory()
    made = []

    with transaction.atomic():
        CupFactory()
        maker = Thread(target=lambda: made.append(make(tmp_path)))
        maker.start()
        maker.join(20)
        cups = [each.contents.cups for each in made]

    assert cups == [1]
    assert Cup.objects.count() == 2


def test_backups_by_themselves_are_made_when_something_has_changed(tmp_path, at):
    CupFactory()
    at("2026-11-28 19:30:00")
    first = make_if_changed(tmp_path)
    at("2026-11-28 19:40:00")
    same = make_if_changed(tmp_path)
    Cup.objects.update(place="Otaniemi")
    at("2026-11-28 19:50:00")
    second = make_if_changed(tmp_path)

    assert (same, second != first) == (first, True)
    assert names(tmp_path) == [first.name, second.name]
    assert newest(tmp_path) == second


def test_a_newest_one_that_was_spoilt_is_made_anew(tmp_path, at):
    at("2026-11-28 19:30:00")
    first = make_if_changed(tmp_path)
    first.write_bytes(first.read_bytes()[:-100])
    at("2026-11-28 19:40:00")

    second = make_if_changed(tmp_path)

    assert names(tmp_path) == [first.name, second.name]
    assert dumps.this_store().inspect(second).cups == 0


def test_the_oldest_of_what_we_have_named_are_removed(tmp_path, suffix, at):
    (other,) = {*BOTH} - {suffix}
    kept = [
        f"komppa-20251101-120000{other}",
        f"komppa-20251101{suffix}",
        f"komppa-20251101-120000{suffix}.old",
        f"my komppa-20251101-120000{suffix}",
        "accounts.ods",
        *[f"komppa-20261128-12{minute:02}00{suffix}" for minute in range(1, 48)],
        f"komppa-20261128-120000-3{suffix}",
        f"komppa-20261128-120000-10{suffix}",
    ]
    gone = [
        f"komppa-20261128-120000{suffix}",
        f"komppa-20261128-120000-2{suffix}",
        f"komppa-20251128-120000{suffix}",
    ]
    for name in (*kept, *gone):
        (tmp_path / name).write_text("")
    at("2026-11-28 19:30:00")

    made = make_if_changed(tmp_path)

    assert names(tmp_path) == sorted([*kept, made.name])
    ours = [name for name in names(tmp_path) if backups._NAME.fullmatch(name)]
    assert len(ours) == backups.KEPT + 1


def test_a_wrong_clock_removes_no_backup_that_was_just_made(tmp_path, suffix, at):
    for day in range(1, 29):
        for hour in (12, 13):
            (tmp_path / f"komppa-202611{day:02}-{hour}0000{suffix}").write_text("")
    at("2000-01-01 00:00:00")

    made = make_if_changed(tmp_path)

    assert names(tmp_path)[0] == made.name
    assert len(names(tmp_path)) == backups.KEPT + 1


def test_what_a_killed_server_left_half_made_is_removed_later(tmp_path):
    parts = [tmp_path / f".komppa-{name}.part" for name in ("old", "new")]
    for part in parts:
        part.write_text("half")
    hours_ago = time.time() - 2 * 3600
    os.utime(parts[0], (hours_ago, hours_ago))

    made = make_if_changed(tmp_path)

    assert names(tmp_path) == sorted([made.name, parts[1].name])


def test_a_backup_is_not_put_over_cups_or_users(tmp_path):
    UserFactory()
    path = make(tmp_path).path

    text = refusal_of(restore, path)

    assert text == str(backups._taken().message)
    assert text.startswith(
        ("Täällä on jo turnauksia", "Tietokannassa on jo turnauksia")
    )


def test_a_backup_is_not_put_under_a_server_at_work(tmp_path, settings):
    settings.DATA_DIR = tmp_path
    path = make(tmp_path).path

    with occupied.serving(tmp_path):
        text = refusal_of(restore, path)

    assert text == "Komppa on käynnissä: pysäytä se ensin (Ctrl+C)."


def test_a_backup_of_a_newer_komppa_is_refused(tmp_path):
    recorder = MigrationRecorder(connection)
    recorder.record_applied("cup", "9999_later")
    path = make(tmp_path).path
    recorder.record_unapplied("cup", "9999_later")

    text = refusal_of(restore, path)

    assert text == f"{path} on uudemman Kompan tekemä: päivitä Komppa ensin."


def test_a_backup_of_the_other_database_is_refused(tmp_path, suffix):
    (other,) = {*BOTH} - {suffix}
    path = tmp_path / f"komppa{other}"
    path.write_bytes(b"PGDMP..." if other == ".dump" else gzip.compress(b"SQLite"))

    text = refusal_of(restore, path)

    own, foreign = ("SQLite", "PostgreSQL")[:: 1 if other == ".dump" else -1]
    assert text == (
        f"{path} on varmuuskopio {foreign}-tietokannasta, mutta tämän Kompan "
        f"tietokanta on {own}: DATABASE_URL ratkaisee, kumpi se on."
    )


@pytest.mark.parametrize("content", [b"", b"A holiday picture"])
def test_a_file_that_is_no_backup_is_refused(tmp_path, content):
    path = tmp_path / "picture.jpg"
    path.write_bytes(content)

    assert refusal_of(restore, path) == f"{path} ei ole Kompan varmuuskopio."


@pytest.mark.parametrize("left", [0.5, 0.99])
def test_a_backup_cut_short_is_refused(tmp_path, left):
    path = make(tmp_path).path
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * left)])

    text = refusal_of(restore, path)

    assert text.startswith(f"{path} on rikki tai vajaa (")


def test_a_place_without_backups_is_refused(tmp_path):
    missing = tmp_path / "missing"

    assert refusal_of(restore, missing) == f"Tiedostoa {missing} ei ole."
    assert refusal_of(restore, tmp_path) == (
        f"Kansiossa {tmp_path} ei ole varmuuskopioita."
    )


def test_postgresql_without_its_tools_says_what_to_install(monkeypatch):
    monkeypatch.setattr(dumps.shutil, "which", lambda _name: None)
    monkeypatch.setattr(dumps, "TOOLS", Path("/nosuch"))

    text = refusal_of(dumps.PostgresStore({}).require_tools)

    assert text == (
        "Ohjelmaa pg_dump ei löydy: asenna PostgreSQLin työkalut "
        "(Debianissa apt install postgresql-client)."
    )


def test_postgresqls_newest_tools_are_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(dumps.shutil, "which", lambda _name: None)
    monkeypatch.setattr(dumps, "TOOLS", tmp_path)
    for version in ("9.6", "15", "16"):
        (tmp_path / version / "bin").mkdir(parents=True)
        (tmp_path / version / "bin" / "pg_dump").touch()

    assert dumps._tool("pg_dump") == str(tmp_path / "16" / "bin" / "pg_dump")
