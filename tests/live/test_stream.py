"""The stream as clients meet it, most of it over a real server."""

from __future__ import annotations

import asyncio
import time

import pytest
from django.db import OperationalError

from komppa.cup.choices import Visibility
from komppa.cup.models import Cup
from komppa.live.channel import Channel
from komppa.live.stream import BadRequest, EventStream, Question, understand
from tests.factories import CupFactory
from tests.probing import move
from tests.streaming import Event, in_database, in_loop, listening

REVISION_5 = Event("revision", {"revision": 5}, "5")
PLACE = "/events/demo/?lang=fi&since=5&parts=place"


@pytest.mark.parametrize(
    ("query", "last_event_id", "question"),
    [
        (b"parts=place", "", Question("fi", ("place",), None)),
        (b"parts=b,a,b&since=0&lang=en", "", Question("en", ("a", "b"), 0)),
        (b"parts=game-12&since=7&lang=xx", "", Question("fi", ("game-12",), 7)),
        (b"parts=place&since=7", "9", Question("fi", ("place",), 9)),
        (b"parts=place&since=7", "nine", Question("fi", ("place",), 7)),
        (b"parts=place&since=", "", Question("fi", ("place",), None)),
        (b"parts=a,b,c,d,e,f,g,h", "", Question("fi", tuple("abcdefgh"), None)),
    ],
    ids=[
        "least",
        "sorted_once",
        "no_language",
        "resumed",
        "odd_id",
        "blank_since",
        "most",
    ],
)
def test_question_is_understood(query, last_event_id, question):
    assert understand(query, last_event_id) == question


@pytest.mark.parametrize(
    "query",
    [
        b"",
        b"parts=",
        b"parts=Place",
        b"parts=../x",
        b"parts=game-012",
        b"parts=game-1234567",
        b"parts=a,,b",
        b"parts=" + ",".join(f"game-{n}" for n in range(1, 10)).encode(),
        b"parts=" + b"a" * 40,
        b"parts=a&parts=b",
        b"parts=a&since=-1",
        b"parts=a&since=1e3",
        b"parts=a&since=" + b"9" * 19,
        "parts=a&since=١".encode(),
        b"parts=a&x=%ff",
        b"&".join(b"x%d=1" % n for n in range(20)),
    ],
)
def test_malformed_question_is_refused(query):
    with pytest.raises(BadRequest):
        understand(query)


def test_stream_says_what_it_is(probe_site, cup):
    async def story():
        async with listening(probe_site.port, PLACE) as stream:
            retry = await stream.block()
            return stream.status, stream.head.lower(), retry, await stream.event()

    status, head, retry, first = in_loop(story())

    assert status == 200
    assert retry.startswith("retry: ")
    assert first == REVISION_5
    for line in (
        "content-type: text/event-stream; charset=utf-8",
        "cache-control: no-store, no-transform",
        "x-accel-buffering: no",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "referrer-policy: same-origin",
    ):
        assert line in head.splitlines()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/events/nosuch/?parts=place", 404),
        ("/events/draft/?parts=place", 404),
        ("/events/DEMO/?parts=place", 404),
        ("/events/demo?parts=place", 404),
        ("/events/demo/x/?parts=place", 404),
        ("/events//?parts=cups", 404),
        ("/events/..%2fdemo/?parts=place", 404),
        ("//events/demo/?parts=place", 404),
        ("/events/%00/?parts=place", 404),
        ("/events/%ff/?parts=place", 404),
        ("/events/demo/", 400),
        ("/events/demo/?parts=place&since=x", 400),
        ("/events/demo/?parts=place&since=%ff", 400),
    ],
)
def test_what_is_not_there_is_answered_at_once(probe_site, cup, path, status):
    CupFactory(slug="draft", visibility=Visibility.DRAFT)
    before = len(probe_site.output)

    answer = probe_site.ask(path)

    assert answer.status == status
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Traceback" not in probe_site.output[before:]


def test_draft_and_nothing_are_told_apart_by_nobody(probe_site, db):
    CupFactory(slug="draft", visibility=Visibility.DRAFT)

    draft = probe_site.ask("/events/draft/?parts=place")
    nothing = probe_site.ask("/events/nosuch/?parts=place")

    assert draft.body == nothing.body


@pytest.mark.parametrize("method", ["POST", "HEAD", "PUT", "OPTIONS"])
def test_stream_is_only_for_reading(probe_site, cup, method):
    answer = probe_site.ask(PLACE, method)

    assert answer.status == 405
    assert answer.headers["Allow"] == "GET"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 400),
        ({"Host": ""}, 400),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
    ],
    ids=["foreign_host", "no_host", "foreign_origin", "null_origin", "odd_origin"],
)
def test_stream_is_only_for_our_own_pages(probe_site, cup, headers, status):
    assert probe_site.ask(PLACE, headers=headers).status == status


def test_our_own_origin_may_listen(probe_site, cup):
    async def story():
        async with listening(probe_site.port, PLACE, Origin=probe_site.url) as stream:
            return await stream.event()

    assert in_loop(story()) == REVISION_5


def test_change_by_another_process_is_received_once(probe_site, cup):
    async def story():
        async with listening(probe_site.port, PLACE) as stream:
            first = await stream.event()
            await in_database(move, cup, "Kumpula")
            events = []
            async with asyncio.timeout(5):
                while not events or events[-1].id != "6":
                    events.append(await stream.event())
            after = await stream.event()
            return first, [event for event in events if event != REVISION_5], after

    first, events, after = in_loop(story())

    assert first == REVISION_5
    assert [event.kind for event in events] == ["part", "revision"]
    assert events[0].data["revision"] == 6
    assert "Kumpula" in events[0].html
    assert events[0].id is None
    assert after == Event("revision", {"revision": 6}, "6")


def test_change_by_the_server_itself_is_received_at_once(probe_site, cup):
    async def story():
        async with listening(probe_site.port, PLACE) as stream:
            await stream.event()
            began = time.monotonic()
            await asyncio.to_thread(
                probe_site.ask, "/test/move/demo/Kumpula/", "POST", b""
            )
            while (event := await stream.event()).kind != "part":
                pass
            return event, time.monotonic() - began

    event, seconds = in_loop(story())

    assert "Kumpula" in event.html
    assert seconds < 1.5


def test_page_that_is_behind_is_refreshed_at_once(probe_site, cup):
    async def story():
        path = "/events/demo/?since=3&parts=place,name&lang=en"
        async with listening(probe_site.port, path) as stream:
            return await stream.batch()

    events = in_loop(story())

    assert [event.kind for event in events] == ["refresh", "part", "part", "revision"]
    assert 'lang="en"' in events[1].html


def test_browser_that_resumes_names_what_it_has_in_last_event_id(probe_site, cup):
    async def story():
        path = "/events/demo/?since=1&parts=place"
        async with listening(probe_site.port, path, Last_Event_ID="5") as stream:
            return await stream.event()

    assert in_loop(story()) == REVISION_5


def test_front_page_has_a_stream_of_its_own(probe_site, cup):
    async def story():
        async with listening(probe_site.port, "/events/?parts=cups") as stream:
            return await stream.batch()

    refresh, part, end = in_loop(story())

    assert (refresh.kind, part.data["part"], end.kind) == (
        "refresh",
        "cups",
        "revision",
    )
    assert cup.name in part.html


def test_cup_made_a_draft_ends_the_stream(probe_site, cup):
    async def story():
        async with listening(probe_site.port, PLACE) as stream:
            await stream.event()
            await in_database(lambda: Cup.objects.update(visibility=Visibility.DRAFT))
            events = []
            while (event := await stream.event()) is not None:
                events.append(event)
            return [event for event in events if event.kind != "revision"]

    assert in_loop(story()) == [Event("gone", {"part": None})]


def test_silence_is_broken_by_heartbeats(probe_site, cup):
    async def story():
        async with listening(probe_site.port, PLACE) as stream:
            return [await stream.event(within=2) for _ in range(3)]

    assert in_loop(story()) == [REVISION_5] * 3


def test_client_that_says_more_than_its_request_is_let_go(probe_site, cup):
    async def story():
        async with listening(
            probe_site.port, PLACE, Content_Length="5000000"
        ) as stream:
            await stream.event()
            stream.writer.write(b"x" * 1000)
            while await stream.event() is not None:
                pass
            return True

    assert in_loop(story())


def test_database_that_fails_is_answered_in_words(caplog):
    class FailingHub:
        async def join(self, *args):
            raise OperationalError("gone for a moment")

    sent = []

    async def send(message):
        sent.append(message)

    scope = {
        "method": "GET",
        "path": "/events/demo/",
        "query_string": b"parts=place",
        "headers": [(b"host", b"localhost")],
    }
    in_loop(EventStream(FailingHub())(scope, None, send))

    assert sent[0]["status"] == 503
    assert sent[1]["body"].decode() == "Palvelimessa on häiriö.\n"
    assert "The stream of demo was not opened" in caplog.text


@pytest.mark.parametrize("error", [RuntimeError, ConnectionResetError])
@pytest.mark.parametrize("sent_before", [0, 1, 2])
def test_connection_that_closes_while_it_is_sent_to_ends_the_stream(error, sent_before):
    channel = Channel(1, 5)
    left = []

    class OneClientHub:
        async def join(self, slug, language, names, since):
            return channel.join((language, names), since)

        def leave(self, client):
            left.append(client.topic)

    async def story():
        sent, closed = [], asyncio.Event()

        async def receive():
            await closed.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            if len(sent) == sent_before:
                asyncio.get_running_loop().call_soon(closed.set)
                raise error("the handler is closed")
            sent.append(message)

        scope = {
            "method": "GET",
            "path": "/events/demo/",
            "query_string": b"parts=place&since=5",
            "headers": [(b"host", b"localhost")],
        }
        await EventStream(OneClientHub())(scope, receive, send)
        # Returning before the server knows would make it complain.
        return closed.is_set()

    assert in_loop(story())
    assert left == [("fi", ("place",))]


def test_two_hundred_clients_lose_nothing(probe_site, cup):
    clients, changes = 200, 8

    async def collect(stream):
        pages = []
        while len(pages) < changes:
            event = await stream.event(within=30)
            if event.kind == "part":
                pages.append(event.data["revision"])
        return pages

    async def one(ready):
        async with listening(probe_site.port, PLACE) as stream:
            await stream.event()
            ready.release()
            return await collect(stream)

    async def story():
        ready = asyncio.Semaphore(0)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(ready)) for _ in range(clients)]
            for _ in range(clients):
                await ready.acquire()
            for number in range(changes):
                path = f"/test/move/demo/place{number}/"
                await asyncio.to_thread(probe_site.ask, path, "POST", b"")
                await asyncio.sleep(0.4)
        return [task.result() for task in tasks]

    assert in_loop(story()) == [list(range(6, 6 + changes))] * clients
