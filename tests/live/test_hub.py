"""Who is sent what, with a hub of the test's own and no server."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager

import pytest
from django.db import OperationalError
from django.db.models import F

from komppa import parts
from komppa.cup.choices import Visibility
from komppa.cup.models import Cup
from komppa.live import channel, fragments, hub
from komppa.live.hub import Hub, HubFull, NoSuchCup
from komppa.live.revision import front_revision
from tests import probing
from tests.factories import CupFactory
from tests.probing import move
from tests.streaming import Event, in_database, in_loop, parse

pytestmark = pytest.mark.usefixtures("probe_parts")


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(hub, "WATCH_SECONDS", 0.15)


@asynccontextmanager
async def running():
    made = Hub()
    await made.start()
    try:
        yield made
    finally:
        await made.stop()


class Page:
    """A client of the hub, read as a browser would."""

    def __init__(self, client):
        self.client = client
        self.events: list[Event] = []

    async def batch(self, within=3.0):
        """Return the events up to and with the next that closes a revision."""
        async with asyncio.timeout(within):
            while all(event.kind != "revision" for event in self.events):
                await self.read()
        kinds = [event.kind for event in self.events]
        end = kinds.index("revision") + 1
        taken, self.events = self.events[:end], self.events[end:]
        return taken

    async def read(self):
        chunk = await self.client.next_chunk()
        assert chunk is not None
        blocks = chunk.decode().split("\n\n")
        self.events += [event for block in blocks if (event := parse(block))]


async def opened(made, *names, since=5, language="fi", slug="demo"):
    return Page(await made.join(slug, language, tuple(sorted(names)), since))


def revision(number):
    return Event("revision", {"revision": number}, str(number))


def refresh(number):
    return Event("refresh", {"revision": number})


def gone(part):
    return Event("gone", {"part": part})


def told(events):
    """Return the batch without its HTML."""
    return [
        (event.data["part"], event.data["revision"]) if event.kind == "part" else event
        for event in events
    ]


def test_page_that_is_current_is_told_so_and_nothing_is_rendered(cup):
    async def story():
        async with running() as made:
            page = await opened(made, "place")
            return await page.batch()

    assert in_loop(story()) == [revision(5)]
    assert probing.rendered == []


def test_page_that_is_behind_gets_every_part_once(cup):
    async def story():
        async with running() as made:
            page = await opened(made, "place", "name", since=4)
            return await page.batch()

    assert told(in_loop(story())) == [
        refresh(5),
        ("name", 5),
        ("place", 5),
        revision(5),
    ]


def test_page_without_a_revision_gets_every_part(cup):
    async def story():
        async with running() as made:
            page = await opened(made, "place", since=None)
            return await page.batch()

    assert told(in_loop(story())) == [refresh(5), ("place", 5), revision(5)]


def test_change_reaches_everybody_in_their_language_rendered_once_each(cup):
    async def story():
        async with running() as made:
            finns = [await opened(made, "place") for _ in range(20)]
            english = [await opened(made, "place", language="en") for _ in range(20)]
            for page in finns + english:
                await page.batch()
            await in_database(move, cup, "Kumpula")
            return [await page.batch() for page in finns + english]

    batches = in_loop(story())

    assert [told(batch) for batch in batches] == [[("place", 6), revision(6)]] * 40
    assert {batch[0].html.count("Kumpula") for batch in batches} == {1}
    assert ['lang="en"' in batch[0].html for batch in batches] == (
        [False] * 20 + [True] * 20
    )
    assert probing.rendered == ["place", "place"]


def test_part_that_did_not_change_is_not_sent(cup):
    async def story():
        async with running() as made:
            page = await opened(made, "place", "name", since=None)
            await page.batch()
            await in_database(move, cup, "Kumpula")
            return await page.batch()

    assert told(in_loop(story())) == [("place", 6), revision(6)]


def test_change_that_touches_no_part_tells_the_revision(cup):
    async def story():
        async with running() as made:
            page = await opened(made, "name", since=None)
            await page.batch()
            await in_database(move, cup, "Kumpula")
            return await page.batch()

    assert in_loop(story()) == [revision(6)]


def test_saves_in_quick_succession_are_taken_together(cup, monkeypatch):
    monkeypatch.setattr(hub, "GATHER_SECONDS", 0.6)
    monkeypatch.setattr(hub, "WATCH_SECONDS", 60)

    def three():
        for place in ("Kumpula", "Viikki", "Kallio"):
            move(cup, place)

    async def story():
        async with running() as made:
            page = await opened(made, "place")
            await page.batch()
            await in_database(three)
            return await page.batch()

    events = in_loop(story())

    assert told(events) == [("place", 8), revision(8)]
    assert "Kallio" in events[0].html
    assert probing.rendered == ["place"]


def test_page_of_a_revision_that_the_hub_has_not_reached_gets_its_parts(
    cup, monkeypatch
):
    """A to B to A: the hub has compared A with A, this page shows B."""
    monkeypatch.setattr(hub, "GATHER_SECONDS", 60)
    monkeypatch.setattr(hub, "WATCH_SECONDS", 60)

    async def story():
        async with running() as made:
            await (await opened(made, "place", since=None)).batch()
            await in_database(move, cup, "Kumpula")
            late = await opened(made, "place", since=6)
            await in_database(move, cup, "Otaniemi")
            events = await late.batch()
            made._channels[cup.pk].ask_for_turn()
            while events[-1] != revision(7):
                events += await late.batch()
            return events

    shown = [event.html for event in in_loop(story()) if event.kind == "part"]

    assert "Otaniemi" in shown[-1]


def test_write_in_the_middle_of_a_rendering_reaches_those_who_were_current(
    cup, monkeypatch
):
    """It says 5 and shows what 6 shows, which is news to some."""
    writes = iter([lambda: move(cup, "Kumpula")])

    def render_part(of_cup, name):
        next(writes, lambda: None)()
        return parts.render_part(Cup.objects.get(pk=of_cup.pk), name)

    monkeypatch.setattr(fragments, "render_part", render_part)

    async def story():
        async with running() as made:
            current = await opened(made, "place")
            await current.batch()
            behind = await opened(made, "place", since=None)
            return await behind.batch(), await current.batch()

    behind, current = in_loop(story())

    assert told(behind) == [refresh(5), ("place", 5), revision(5)]
    assert "Kumpula" in behind[1].html
    assert told(current) == [("place", 6), revision(6)]


def test_topic_that_was_left_alone_is_not_compared_with_what_it_once_was(cup):
    async def story():
        async with running() as made:
            witness = await opened(made, "name", since=None)
            first = await opened(made, "place", since=None)
            await first.batch()
            made.leave(first.client)
            await witness.batch()
            await in_database(move, cup, "Kumpula")
            await witness.batch()
            second = await opened(made, "place", since=6)
            await second.batch()
            await in_database(move, cup, "Otaniemi")
            return await second.batch()

    assert told(in_loop(story())) == [("place", 7), revision(7)]


def test_client_that_falls_behind_gets_one_refresh_of_the_newest(cup, monkeypatch):
    monkeypatch.setattr(channel, "QUEUE_LENGTH", 2)

    async def story():
        async with running() as made:
            brisk = await opened(made, "place")
            await brisk.batch()
            slow = await opened(made, "place")
            for number in range(6, 12):
                await in_database(move, cup, f"place {number}")
                while (await brisk.batch())[-1] != revision(number):
                    pass
            events = await slow.batch()
            await in_database(move, cup, "after")
            return events, await slow.batch()

    events, after = in_loop(story())

    assert told(events) == [refresh(11), ("place", 11), revision(11)]
    assert "place 11" in events[1].html
    assert told(after) == [("place", 12), revision(12)]


def test_part_that_fails_is_logged_and_stops_nothing_else(cup, caplog):
    async def story():
        async with running() as made:
            both = await opened(made, "broken", "place", since=None)
            other = await opened(made, "place")
            await both.batch()
            await other.batch()
            await in_database(move, cup, "broken")
            await both.read()
            others = await other.batch()
            failed, both.events = both.events, []
            heartbeat = both.client.channel.heartbeat(both.client)
            await in_database(move, cup, "mended")
            return failed, heartbeat, others, await both.batch()

    failed, heartbeat, others, mended = in_loop(story())

    assert told(failed) == [("place", 6)]
    assert heartbeat == b":\n\n"
    assert told(others) == [("place", 6), revision(6)]
    assert told(mended) == [("broken", 7), ("place", 7), revision(7)]
    assert "Part broken of demo was not rendered" in caplog.text


def test_part_that_failed_is_tried_again_without_any_change(cup, monkeypatch):
    monkeypatch.setattr(channel, "RETRY_FAILED_SECONDS", 0.1)
    Cup.objects.update(place="broken")

    async def story():
        async with running() as made:
            page = await opened(made, "broken", since=None)
            while not page.events:
                await page.read()
            page.events.clear()
            await in_database(lambda: Cup.objects.update(place="mended"))
            return await page.batch()

    assert told(in_loop(story())) == [("broken", 5), revision(5)]


def test_database_that_fails_is_logged_once_and_asked_again(cup, caplog, monkeypatch):
    real = fragments.render
    failures = iter([True, True])

    def render(*args):
        if next(failures, False):
            raise OperationalError("gone for a moment")
        return real(*args)

    monkeypatch.setattr(fragments, "render", render)

    async def story():
        async with running() as made:
            page = await opened(made, "place", since=4)
            return await page.batch()

    with caplog.at_level(logging.ERROR):
        events = in_loop(story())

    assert told(events) == [refresh(5), ("place", 5), revision(5)]
    assert [record.message for record in caplog.records] == [
        "Live updates cannot read the database"
    ]


def test_heartbeat_names_the_revision_that_the_page_has(cup, monkeypatch):
    monkeypatch.setattr(channel, "HEARTBEAT_SECONDS", 0.05)

    async def story():
        async with running() as made:
            page = await opened(made, "place")
            await page.batch()
            return await page.batch(within=1)

    assert in_loop(story()) == [revision(5)]


def test_change_by_another_process_is_noticed(cup):
    def silently():
        Cup.objects.filter(pk=cup.pk).update(
            place="Kumpula", revision=F("revision") + 1
        )

    async def story():
        async with running() as made:
            page = await opened(made, "place")
            await page.batch()
            await in_database(silently)
            return await page.batch()

    assert told(in_loop(story())) == [("place", 6), revision(6)]


def test_database_restored_to_an_earlier_revision_refreshes_everybody(cup):
    async def story():
        async with running() as made:
            page = await opened(made, "place", "name")
            await page.batch()
            await in_database(lambda: Cup.objects.update(revision=2))
            return await page.batch()

    assert told(in_loop(story())) == [
        refresh(2),
        ("name", 2),
        ("place", 2),
        revision(2),
    ]


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize(
    "hide",
    [
        lambda cup: Cup.objects.filter(pk=cup.pk).update(visibility=Visibility.DRAFT),
        lambda cup: Cup.objects.filter(pk=cup.pk).delete(),
    ],
    ids=["made_draft", "removed"],
)
def test_cup_that_can_be_seen_no_more_ends_its_streams(cup, hide, announced):
    async def story():
        async with running() as made:
            page = await opened(made, "place")
            await page.batch()
            await in_database(hide, cup)
            if announced:
                made._hear(cup.pk, 6)
            await page.read()
            end = await page.client.next_chunk()
            with pytest.raises(NoSuchCup):
                await opened(made, "place")
            return page.events, end

    assert in_loop(story()) == ([gone(None)], None)


@pytest.mark.parametrize("slug", ["draft", "nosuch"])
def test_cup_that_visitors_may_not_see_is_not_found(cup, slug):
    CupFactory(slug="draft", visibility=Visibility.DRAFT)

    async def story():
        async with running() as made:
            await opened(made, "place", slug=slug)

    with pytest.raises(NoSuchCup):
        in_loop(story())


def test_part_that_does_not_exist_is_told_once_and_sought_at_each_change(cup):
    async def story():
        async with running() as made:
            page = await opened(made, "nosuch", "place-10", "place-2", since=None)
            first = await page.batch()
            probing.rendered.clear()
            await in_database(move, cup, "Kumpula")
            return first, await page.batch()

    first, second = in_loop(story())

    assert told(first) == [
        refresh(5),
        gone("nosuch"),
        gone("place-10"),
        ("place-2", 5),
        revision(5),
    ]
    assert told(second) == [("place-2", 6), revision(6)]
    assert probing.rendered == ["place", "place"]


def test_part_that_vanished_comes_back_on_an_open_page(cup):
    def only_elsewhere(cup, number):
        return None if cup.place == "nowhere" else {}

    async def story():
        parts.register("later", "probe/place.html", only_elsewhere)
        async with running() as made:
            page = await opened(made, "later")
            batches = [await page.batch()]
            for place in ("nowhere", "nowhere", "Kumpula"):
                await in_database(move, cup, place)
                batches.append(await page.batch())
            return batches

    assert [told(batch) for batch in in_loop(story())] == [
        [revision(5)],
        [gone("later"), revision(6)],
        [revision(7)],
        [("later", 8), revision(8)],
    ]


def test_part_that_has_come_to_be_reaches_those_who_were_told_it_was_gone(cup):
    async def story():
        async with running() as made:
            early = await opened(made, "later", since=None)
            await early.batch()
            parts.register("later", "probe/place.html", lambda cup, number: {})
            late = await opened(made, "later", since=None)
            return await early.batch(), await late.batch()

    early, late = in_loop(story())

    assert told(early) == [("later", 5), revision(5)]
    assert told(late) == [refresh(5), ("later", 5), revision(5)]


def test_old_address_of_a_renamed_cup_is_forgotten(cup):
    async def story():
        async with running() as made:
            page = await opened(made, "place")
            await page.batch()
            await in_database(
                lambda: Cup.objects.update(slug="renamed", revision=F("revision") + 1)
            )
            events = await page.batch()
            with pytest.raises(NoSuchCup):
                await opened(made, "place")
            again = await opened(made, "place", slug="renamed", since=6)
            return told(events), await again.batch(), len(made._channels)

    assert in_loop(story()) == ([("place", 6), revision(6)], [revision(6)], 1)


def test_front_page_changes_with_any_cup_and_with_a_new_one(cup):
    async def story():
        async with running() as made:
            since = await in_database(front_revision)
            page = await opened(made, "cups", slug="", since=since)
            batches = [await page.batch()]
            await in_database(move, cup, "Kumpula")
            batches.append(await page.batch())
            await in_database(lambda: CupFactory(name="New", revision=0))
            batches.append(await page.batch())
            return since, batches

    since, (first, second, third) = in_loop(story())

    assert first == [revision(since)]
    assert told(second) == [("cups", since + 1), revision(since + 1)]
    assert told(third) == [("cups", since + 2), revision(since + 2)]
    assert "New" in third[0].html


def test_hiding_a_cup_raises_the_front_revision(cup):
    from komppa.cup.services import update_cup

    before = front_revision()
    update_cup(cup=cup, by=None, values={"visibility": Visibility.DRAFT})

    assert front_revision() == before + 1


def test_hub_takes_no_more_clients_than_it_may(cup):
    async def story():
        async with running() as made:
            made.limit = 1
            first = await opened(made, "place")
            with pytest.raises(HubFull):
                await opened(made, "place")
            with pytest.raises(HubFull):
                await opened(made, "cups", slug="")
            made.leave(first.client)
            await opened(made, "place")
            return made.client_count

    assert in_loop(story()) == 1


def test_nothing_is_kept_of_a_cup_when_the_last_page_leaves(cup):
    async def story():
        async with running() as made:
            page = await opened(made, "place")
            made.leave(page.client)
            await asyncio.sleep(0)
            return made._channels, made._slugs, made._publishers, made.client_count

    assert in_loop(story()) == ({}, {}, {}, 0)


def test_many_first_pages_at_once_ask_the_database_once(cup, monkeypatch):
    asked = []
    real = fragments.find
    monkeypatch.setattr(
        fragments, "find", lambda slug: asked.append(slug) or real(slug)
    )

    async def story():
        async with running() as made:
            await asyncio.gather(*(opened(made, "place") for _ in range(50)))

    in_loop(story())

    assert asked == ["demo"]


def test_hub_that_stops_ends_its_streams_and_takes_no_more(cup):
    async def story():
        async with running() as made:
            page = await opened(made, "place")
            made.end_streams()
            ends = [await page.client.next_chunk() for _ in range(2)]
            with pytest.raises(HubFull):
                await opened(made, "place")
            return ends

    assert in_loop(story())[1] is None


def test_hub_that_has_stopped_hears_no_more(cup):
    async def story():
        async with running():
            pass
        return await in_database(move, cup, "Kumpula")

    assert in_loop(story()) == 6
