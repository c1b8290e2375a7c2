"""``manage.py backup`` and ``restore`` between whole installations."""

from __future__ import annotations

import re
import signal
import time

import pytest

from komppa import occupied
from komppa.dumps import SqliteStore
from tests.installations import Installation
from tests.serving import free_port, manage

OLD = [("migrate", "sheets", "0001"), ("migrate", "auth")]


def done(answer) -> str:
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_an_older_backup_is_restored_and_brought_up_to_date(
    installations, tmp_path, monkeypatch
):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "kuudes-tikki-jai")
    old, new = installations.empty(), installations.empty()
    for arguments in OLD:
        done(old.manage(*arguments))
    user = ("--noinput", "--username", "isanta", "--email", "")
    done(old.manage("createsuperuser", *user))
    # There may be tables of today, as long as they are empty.
    done(new.manage("migrate"))

    made = done(old.manage("backup", tmp_path))
    restored = done(new.manage("restore", tmp_path))
    again = new.manage("restore", tmp_path)

    (path,) = tmp_path.iterdir()
    found = "turnauksia 0, jakoja 0, käyttäjiä 1"
    assert made.startswith(f"Varmuuskopio on tehty ja tarkistettu: {path}\n  {found}; ")
    assert restored.startswith(f"Palautettiin {path}\n  {found}\n")
    assert new.manage("migrate", "--check").returncode == 0
    assert old.manage("migrate", "--check").returncode == 1
    assert again.returncode == 1
    assert len(again.stderr.splitlines()) == 1
    assert (
        "on jo turnauksia tai käyttäjiä, eikä niiden päälle palauteta" in again.stderr
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_server_backs_up_at_its_start_and_at_an_orderly_end(tmp_path, number):
    stick = tmp_path / "stick"
    stick.mkdir()
    laptop = Installation(tmp_path / "data")
    done(laptop.manage("migrate"))
    done(laptop.manage("organiser", "isanta"))

    with laptop.starting(BACKUP_DIR=str(stick)) as site:
        deadline = time.monotonic() + 20
        while not list(stick.glob("komppa-*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        refused = laptop.manage("restore", stick)
        done(laptop.manage("organiser", "emanta"))
        site.process.send_signal(number)
        code = site.process.wait(timeout=20)

    store = SqliteStore(laptop.data / "komppa.sqlite3")
    users = [store.inspect(path).users for path in sorted(stick.iterdir())]
    assert (code, users) == (0, [1, 2])
    assert f"\n  varmuuskopiot / backups    {stick}\n" in site.output
    assert re.findall(r" INFO komppa.live.autobackup: Backup: (.*)", site.output) == [
        str(path) for path in sorted(stick.iterdir())
    ]
    assert "Traceback" not in site.output
    assert refused.stderr == (
        "CommandError: Komppa on käynnissä: pysäytä se ensin (Ctrl+C).\n"
    )


def test_a_start_without_its_stick_is_refused_before_anything_is_made(tmp_path):
    answer = manage(
        *("start", "--port", str(free_port())),
        data=tmp_path / "data",
        BACKUP_DIR=str(tmp_path / "stick"),
    )

    assert (answer.returncode, answer.stderr) == (
        1,
        f"CommandError: Kansiota {tmp_path / 'stick'} ei ole: "
        "onko muistitikku paikallaan?\n",
    )
    assert not (tmp_path / "data" / "komppa.sqlite3").exists()


def test_a_start_in_the_middle_of_a_restoration_is_refused(tmp_path):
    with occupied.alone(tmp_path):
        answer = manage("start", "--port", str(free_port()), data=tmp_path)

    assert (answer.returncode, answer.stderr) == (
        1,
        "CommandError: Varmuuskopiota palautetaan juuri nyt: käynnistä, kun se on "
        "valmis.\n",
    )
    assert not (tmp_path / "komppa.sqlite3").exists()
