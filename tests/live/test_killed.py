"""The server is killed in the middle of the evening, ten people recording deals."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from tests.evening import ORGANISER, PASSWORD, SLUG, Evening
from tests.serving import Visitor

ROUNDS = 3


@pytest.fixture(scope="module")
def prepared(installations):
    """A laptop with a cup of sixty games, and who records them."""
    laptop = installations.empty()
    facts = laptop.evening("prepare")
    laptop.manage("collectstatic", "--noinput")
    return laptop, facts


@pytest.fixture
def laptop(installations, prepared):
    return installations.copy(prepared[0])


@pytest.fixture
def evening(prepared):
    return Evening(prepared[1])


def kill(site) -> None:
    site.process.kill()
    site.process.wait(timeout=20)


def back_up(laptop, place) -> float:
    """Make a backup; return the seconds that it took."""
    start = time.monotonic()
    answer = laptop.manage("backup", place)
    assert answer.returncode == 0, answer.stderr
    return time.monotonic() - start


def restored(laptop, place):
    answer = laptop.manage("restore", place)
    assert answer.returncode == 0, answer.stderr
    return laptop


def test_a_backup_gives_back_the_standings_after_the_server_was_killed(
    installations, laptop, evening, tmp_path
):
    with laptop.serving(BACKUP_DIR=str(tmp_path)) as site:
        with evening.recording(site.port):
            evening.wait_for(40)
        keys = laptop.deal_keys()
        stood = laptop.evening("report")
        seen = Visitor(site.url).get(f"/{SLUG}/groups/")
        quiet = tmp_path / f"quiet{laptop.suffix}"
        back_up(laptop, quiet)
        with evening.recording(site.port):
            evening.wait_for(10)
            acknowledged_before = set(evening.acknowledged)
            seconds = back_up(laptop, tmp_path)
            sent_by_then = set(evening.sent)
            evening.wait_for(10)
            kill(site)

    in_between = restored(installations.empty(), tmp_path).deal_keys()
    spare = restored(installations.empty(), quiet)

    assert evening.refused == []
    assert acknowledged_before <= set(in_between) <= sent_by_then
    assert spare.deal_keys() == keys
    assert spare.evening("report") == stood
    with spare.starting() as site:
        visitor = Visitor(site.url)
        assert visitor.get(f"/{SLUG}/groups/") == seen
        visitor.post("/login/", username=ORGANISER, password=PASSWORD)
        assert "sessionid" in {cookie.name for cookie in visitor.cookies}
    print(f"{len(evening.acknowledged)} acknowledged, {seconds:.2f} s of backup")


def test_a_killed_server_keeps_every_acknowledged_deal_once(laptop, evening):
    for _round in range(ROUNDS):
        with laptop.serving() as site, evening.recording(site.port):
            evening.wait_for(25)
            kill(site)

        acknowledged = set(evening.acknowledged)
        kept = Counter(laptop.deal_keys())
        unsure = set(evening.sent) - acknowledged
        assert acknowledged <= set(kept) <= acknowledged | unsure
        assert set(kept.values()) == {1}
        print(f"{len(acknowledged)} acknowledged, {len(kept)} kept")

    # Whoever got no answer sends the same once more.
    with laptop.serving() as site, evening.recording(site.port):
        evening.wait_for(10)

    assert evening.refused == []
    assert laptop.deal_keys() == sorted(set(evening.acknowledged))
    checked = laptop.manage("check_derived")
    assert checked.returncode == 0, checked.stdout
