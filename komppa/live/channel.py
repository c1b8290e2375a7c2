"""The pages that look at one cup, and what each of them lacks.

A *topic* is the pages that want the same parts in the same language: they are sent
the very same bytes. Each publication is a *turn*. A fragment knows the turn at which
its HTML last changed and a client the turn it was brought up to, so what a client
lacks is every fragment of a later turn. Turns and not revisions, since a database
restored from a backup takes revisions back.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from komppa.live.fragments import Key, PartKey, Rendering

HEARTBEAT_SECONDS = 15.0
RETRY_FAILED_SECONDS = 10.0
QUEUE_LENGTH = 16
NEVER = 0
"""The turn of a client that must be sent everything."""
SILENCE = b":\n\n"

Topic = tuple[str, tuple[str, ...]]
"""A language and the names of parts."""


def encode(event: str, *, event_id: int | None = None, **data: Any) -> bytes:
    """Return one server-sent event; JSON keeps its data on one line."""
    number = "" if event_id is None else f"id: {event_id}\n"
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: {event}\n{number}data: {text}\n\n".encode()


def revision_mark(revision: int) -> bytes:
    """Return the event that says: you have all that there was at this revision.

    Only it carries an id. If the parts did, a stream cut between two of them would
    be resumed as if the second had come.
    """
    return encode("revision", event_id=revision, revision=revision)


class Client:
    """One open page: a short queue of bytes ready to be sent."""

    __slots__ = ("_ended", "_queue", "_wake", "channel", "is_lagging", "topic", "turn")

    def __init__(self, channel: Channel, topic: Topic, turn: int) -> None:
        self.channel = channel
        self.topic = topic
        self.turn = turn
        self.is_lagging = False
        self._queue: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._ended = False

    def push(self, chunk: bytes) -> None:
        """Queue the bytes; a full queue is emptied, and one full refresh follows."""
        if len(self._queue) >= QUEUE_LENGTH:
            self._queue.clear()
            self.turn = NEVER
            self.is_lagging = True
        else:
            self._queue.append(chunk)
        self._wake.set()

    def end(self) -> None:
        self._ended = True
        self._wake.set()

    async def next_chunk(self) -> bytes | None:
        """Return what to send next, now and then a heartbeat, None at the end."""
        if not self._queue and not self._ended:
            if self.is_lagging:
                self.is_lagging = False
                self.channel.ask_for_turn()
            self._wake.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await self._wake.wait()
        if self._queue:
            return self._queue.popleft()
        return None if self._ended else self.channel.heartbeat(self)


@dataclass(slots=True)
class Fragment:
    """The last known HTML of a part; None if there is no such part, or it failed."""

    html: str | None
    event: bytes
    turn: int
    revision: int
    is_settled: bool = True
    is_failed: bool = False
    retry_at: float | None = None
    """When to look again without a change; None is when it is asked for anew."""


class Channel:
    """A cup, or the front page, that somebody looks at."""

    def __init__(self, key: Key, revision: int) -> None:
        self.key = key
        self.revision = revision
        self.turn = NEVER + 1
        self.slugs: set[str] = set()
        self.topics: dict[Topic, set[Client]] = {}
        self.fragments: dict[PartKey, Fragment] = {}
        self.is_due = asyncio.Event()
        self.is_gathering = False
        self.is_troubled = False
        """Whether the database has failed us since the last turn."""

    def ask_for_turn(self) -> None:
        self.is_due.set()

    def clients(self) -> Iterator[Client]:
        for clients in self.topics.values():
            yield from clients

    def join(self, topic: Topic, since: int | None) -> Client:
        """Add a client that shows ``since``; unless that is current, ask for a turn."""
        is_current = since == self.revision
        client = Client(self, topic, self.turn if is_current else NEVER)
        self.topics.setdefault(topic, set()).add(client)
        if is_current:
            client.push(self.heartbeat(client))
            return client
        for fragment in self._fragments_of(topic):
            if fragment.html is None and not fragment.is_failed:
                fragment.retry_at = 0.0
        self.ask_for_turn()
        return client

    def leave(self, client: Client) -> None:
        clients = self.topics.get(client.topic, set())
        clients.discard(client)
        if not clients:
            self.topics.pop(client.topic, None)

    def wanted(self) -> set[PartKey]:
        return {(language, name) for language, names in self.topics for name in names}

    def has_retries(self, now: float) -> bool:
        return any(
            fragment.is_failed and (fragment.retry_at or 0.0) <= now
            for fragment in self.fragments.values()
        )

    def needing(self, now: float) -> tuple[set[PartKey], dict[PartKey, int]]:
        """Return the parts to render, and the revisions of those that will do."""
        wanted = self.wanted()
        known: dict[PartKey, int] = {}
        for part_key in list(self.fragments):
            fragment = self.fragments[part_key]
            if part_key not in wanted:
                # Left alone it would miss turns, and be compared as if it had not.
                del self.fragments[part_key]
            elif fragment.retry_at is None or fragment.retry_at > now:
                known[part_key] = fragment.revision
        return wanted, known

    def take(self, made: Rendering, now: float) -> None:
        """Take in a rendering as the next turn, if it says anything new."""
        if made.revision < self.revision:
            for client in self.clients():
                client.turn = NEVER
        has_recovered = any(
            self.fragments[part_key].html is None
            for part_key in made.html
            if part_key in self.fragments
        )
        if made.revision != self.revision or has_recovered:
            self.turn += 1
        self.revision = made.revision
        for part_key, html in made.html.items():
            old = self.fragments.get(part_key)
            # Unsettled HTML may already be what a page of that revision lacks.
            is_same = old is not None and old.is_settled and old.html == html
            name, revision = part_key[1], made.revision
            self.fragments[part_key] = Fragment(
                html,
                encode("part", part=name, revision=revision, html=html),
                old.turn if old is not None and is_same else self.turn,
                revision,
                is_settled=made.is_settled,
            )
        for part_key in made.missing:
            old = self.fragments.get(part_key)
            is_same = (
                old is not None
                and old.is_settled
                and old.html is None
                and not old.is_failed
            )
            self.fragments[part_key] = Fragment(
                None,
                encode("gone", part=part_key[1]),
                old.turn if old is not None and is_same else self.turn,
                made.revision,
                is_settled=made.is_settled,
            )
        for part_key in made.failed:
            self.fragments[part_key] = Fragment(
                None,
                b"",
                self.turn,
                made.revision,
                is_failed=True,
                retry_at=now + RETRY_FAILED_SECONDS,
            )

    def deliver(self) -> None:
        """Queue for every client what it lacks."""
        for topic, clients in self.topics.items():
            chunks: dict[int, bytes | None] = {}
            for client in clients:
                if client.turn == self.turn or client.is_lagging:
                    continue
                if client.turn not in chunks:
                    chunks[client.turn] = self._lacking(topic, client.turn)
                chunk = chunks[client.turn]
                if chunk is None:
                    self.ask_for_turn()
                else:
                    client.turn = self.turn
                    client.push(chunk)

    def heartbeat(self, client: Client) -> bytes:
        """Return the mark that the client is current, or a comment if it may not be."""
        if self.is_troubled or client.turn != self.turn or self._has_failed(client):
            return SILENCE
        return revision_mark(self.revision)

    def _has_failed(self, client: Client) -> bool:
        return any(fragment.is_failed for fragment in self._fragments_of(client.topic))

    def _fragments_of(self, topic: Topic) -> list[Fragment]:
        language, names = topic
        keys = [(language, name) for name in names]
        return [self.fragments[key] for key in keys if key in self.fragments]

    def _lacking(self, topic: Topic, turn: int) -> bytes | None:
        """Return what a client of that turn lacks, None if it is not all rendered."""
        fragments = self._fragments_of(topic)
        if len(fragments) < len(topic[1]):
            return None
        chunks = [encode("refresh", revision=self.revision)] if turn == NEVER else []
        chunks += [fragment.event for fragment in fragments if fragment.turn > turn]
        if not any(fragment.is_failed for fragment in fragments):
            chunks.append(revision_mark(self.revision))
        return b"".join(chunks)
