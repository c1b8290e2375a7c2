"""Listening to event streams in tests."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import asynccontextmanager
from dataclasses import dataclass

from django.db import connections

SOON = 5.0


@dataclass(frozen=True, slots=True)
class Event:
    kind: str
    data: dict
    id: str | None = None

    @property
    def html(self):
        return self.data["html"]


def in_loop(coroutine):
    """Run it on an event loop of its own.

    In a thread of its own too, since the browser tests leave a loop in the main one.
    """
    outcome = {}

    def run():
        try:
            outcome["value"] = asyncio.run(coroutine)
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]


async def in_database(function, *args):
    """Run it in a thread that leaves no connection behind."""

    def work():
        try:
            return function(*args)
        finally:
            connections.close_all()

    return await asyncio.to_thread(work)


def parse(block: str) -> Event | None:
    """Read one event of a stream, None for a comment or a ``retry``."""
    fields = dict(
        line.split(": ", 1) for line in block.splitlines() if not line.startswith(":")
    )
    if "data" not in fields:
        return None
    return Event(fields["event"], json.loads(fields["data"]), fields.get("id"))


class Stream:
    """One client's side of a stream."""

    def __init__(self, reader, writer, head):
        self.reader = reader
        self.writer = writer
        self.head = head
        self.buffer = b""

    @property
    def status(self) -> int:
        return int(self.head.split()[1])

    async def block(self) -> str | None:
        """Return the next block as it came, None at the end."""
        while b"\n\n" not in self.buffer:
            size = await self.reader.readline()
            if not size.strip() or int(size, 16) == 0:
                return None
            self.buffer += await self.reader.readexactly(int(size, 16))
            await self.reader.readexactly(2)
        block, _, self.buffer = self.buffer.partition(b"\n\n")
        return block.decode()

    async def event(self, within: float = SOON) -> Event | None:
        """Return the next event, skipping comments; None at the end."""
        async with asyncio.timeout(within):
            while (block := await self.block()) is not None:
                if (event := parse(block)) is not None:
                    return event
        return None

    async def batch(self, within: float = SOON) -> list[Event]:
        """Return the events up to and with the next that closes a revision."""
        events = []
        while not events or events[-1].kind != "revision":
            event = await self.event(within)
            if event is None:
                raise EOFError
            events.append(event)
        return events


@asynccontextmanager
async def listening(port, path, **headers):
    """Open a stream by hand; the context leaves without a good-bye."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    try:
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), SOON)
        yield Stream(reader, writer, head.decode())
    finally:
        writer.close()
