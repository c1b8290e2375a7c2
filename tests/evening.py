"""A cup in the middle of its evening: what is sent to it, and what then stands there.

``python -m tests.evening prepare`` makes the cup in an installation of its own and
prints who records which games; ``report`` prints what the database holds. They are
called by ``tests.installations``; the rest is the scorekeepers, in threads.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread
from urllib.parse import urlencode
from uuid import uuid4

SLUG = "evening"
RECORDERS = 10
ORGANISER, PASSWORD = "isanta", "kuudes-tikki-jai"
TOKEN = "t" * 32
PATIENCE = 60.0


def prepare() -> dict[str, object]:
    from django.core.management import call_command
    from django.test import Client

    from tests.factories import OrganiserFactory, ScorekeeperFactory, drawn_cup

    call_command("migrate", verbosity=0, interactive=False)
    organiser = OrganiserFactory(username=ORGANISER)
    organiser.set_password(PASSWORD)
    organiser.save()
    cup = drawn_cup(teams=24, groups=4, tables=RECORDERS, slug=SLUG)
    numbers = list(cup.games.order_by("number").values_list("number", flat=True))
    sessions = []
    for _number in range(RECORDERS):
        client = Client()
        client.force_login(ScorekeeperFactory())
        sessions.append(client.cookies["sessionid"].value)
    games = [numbers[first::RECORDERS] for first in range(RECORDERS)]
    return {"sessions": sessions, "games": games}


def report() -> dict[str, object]:
    """Return what spectators see of the cup."""
    from komppa.cup.models import Cup
    from komppa.parts import render_part

    cup = Cup.objects.get(slug=SLUG)
    return {
        "revision": cup.revision,
        "groups": render_part(cup, "groups"),
        "games": render_part(cup, "games"),
    }


class Recorder:
    """A scorekeeper who sends one deal after the other, as quickly as they are taken.

    A deal whose answer never came is sent again, the same, when he begins anew.
    """

    def __init__(self, session: str, games: Sequence[int]) -> None:
        self.session = session
        self.deals = deals_of(games)
        self.pending: tuple[str, dict[str, str]] | None = None
        self.sent: list[str] = []
        self.acknowledged: list[str] = []
        self.refused: list[str] = []

    def record(self, port: int, stopping: Event) -> None:
        """Send deals until told to stop, or until the server is gone."""
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            while not stopping.is_set() and not self.refused:
                self.pending = self.pending or next(self.deals, None)
                if self.pending is None:  # the last of his games is over
                    return
                self._send(connection, *self.pending)
        except (OSError, HTTPException):
            return
        finally:
            connection.close()

    def _send(
        self, connection: HTTPConnection, address: str, fields: dict[str, str]
    ) -> None:
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={TOKEN}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.sent.append(fields["key"])
        connection.request("POST", address, urlencode(fields), headers)
        answer = connection.getresponse()
        body = answer.read().decode()
        if answer.status == 303:
            self.acknowledged.append(fields["key"])
            self.pending = None
        else:
            self.refused.append(f"{address}: {answer.status} {body}")


def deals_of(games: Sequence[int]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the deals of the games, each to its end: two of six points win a set."""
    for game in games:
        sides = "BBAAAA" if game % 3 else "BBBB"
        for number, side in enumerate(sides, start=1):
            fields = {
                **{f"suit_{suit}": side for suit in "CHS"},
                "trump": "H",
                "last_trick": side,
                "mattis": "5" if side == "A" else "3",
                "number": str(number),
                "key": str(uuid4()),
                "confirmed": "same_again",
                "csrfmiddlewaretoken": TOKEN,
            }
            yield f"/sheet/{SLUG}/games/{game}/", fields


class Evening:
    """All the recorders of a cup that was prepared."""

    def __init__(self, prepared) -> None:
        pairs = zip(prepared["sessions"], prepared["games"], strict=True)
        self.recorders = [Recorder(session, games) for session, games in pairs]

    @property
    def sent(self) -> list[str]:
        return [key for recorder in self.recorders for key in recorder.sent]

    @property
    def acknowledged(self) -> list[str]:
        return [key for recorder in self.recorders for key in recorder.acknowledged]

    @property
    def refused(self) -> list[str]:
        return [text for recorder in self.recorders for text in recorder.refused]

    @contextmanager
    def recording(self, port: int) -> Iterator[None]:
        """Let everybody record until this is left; their last answer is waited for."""
        stopping = Event()
        threads = [
            Thread(target=recorder.record, args=(port, stopping))
            for recorder in self.recorders
        ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stopping.set()
            for thread in threads:
                thread.join(PATIENCE)

    def wait_for(self, more: int) -> None:
        """Wait until so many more deals have been acknowledged."""
        wanted = len(self.acknowledged) + more
        deadline = time.monotonic() + PATIENCE
        while len(self.acknowledged) < wanted:
            assert not self.refused, self.refused[0]
            assert time.monotonic() < deadline, len(self.acknowledged)
            time.sleep(0.01)


def main(act: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "komppa.settings"
    import django
    from django.conf import settings

    uncollected = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES["staticfiles"]["BACKEND"] = uncollected
    django.setup()
    json.dump({"prepare": prepare, "report": report}[act](), sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
