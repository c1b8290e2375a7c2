"""Carries every change of a cup to the pages that look at it.

One hub a process, living on the event loop. Only rendering happens elsewhere, in one
worker thread (``fragments``), so a cup's part is rendered once per language that has
listeners, however many they are.

It hears of changes in its own process from ``announce``; for those of other processes
(a management command) it looks at the revisions in the database every two seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import connections

from komppa import announce
from komppa.live import fragments
from komppa.live.channel import Channel, Client, encode
from komppa.live.fragments import Key

P = ParamSpec("P")
R = TypeVar("R")

GATHER_SECONDS = 0.1
"""Saves within this time are taken together."""
WATCH_SECONDS = 2.0
MAX_CLIENTS = 5000

logger = logging.getLogger(__name__)


class NoSuchCup(LookupError):
    """There is no cup at that address, or none that visitors may see."""


class HubFull(Exception):
    """No more clients are taken: there are too many, or the server is stopping."""


class Hub:
    def __init__(self) -> None:
        self.limit = MAX_CLIENTS
        self.client_count = 0
        self.is_open = False
        self._channels: dict[Key, Channel] = {}
        self._slugs: dict[str, Channel] = {}
        self._publishers: dict[Key, asyncio.Task[None]] = {}

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="hub")
        self._opening = asyncio.Lock()
        self._stop_listening = announce.listen(self._hear)
        self._watcher = asyncio.create_task(self._watch())
        self.is_open = True

    def end_streams(self) -> None:
        """End every stream and take no more; may be called before ``stop``."""
        self.is_open = False
        for channel in self._channels.values():
            for client in channel.clients():
                client.end()

    async def stop(self) -> None:
        self.end_streams()
        self._stop_listening()
        tasks = [self._watcher, *self._publishers.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._executor.submit(connections.close_all)
        self._executor.shutdown(wait=False)

    async def join(
        self, slug: str, language: str, names: tuple[str, ...], since: int | None
    ) -> Client:
        """Add a client for the cup, or for the front page if ``slug`` is empty.

        Raises NoSuchCup or HubFull. The caller must ``leave`` in the end.
        """
        channel = self._slugs.get(slug) or await self._open(slug)
        if not self.is_open or self.client_count >= self.limit:
            self._drop_if_empty(channel)
            raise HubFull
        self.client_count += 1
        return channel.join((language, names), since)

    def leave(self, client: Client) -> None:
        client.channel.leave(client)
        self.client_count -= 1
        self._drop_if_empty(client.channel)

    async def _open(self, slug: str) -> Channel:
        if not self.is_open:
            raise HubFull
        # One at a time: of a hall of phones that wake at once, one asks the database.
        async with self._opening:
            channel = self._slugs.get(slug)
            if channel is None:
                found = await self._work(fragments.find, slug)
                if found is None:
                    raise NoSuchCup(slug)
                key, revision = found
                channel = self._channels.get(key) or self._add(Channel(key, revision))
                channel.slugs.add(slug)
                self._slugs[slug] = channel
        return channel

    def _add(self, channel: Channel) -> Channel:
        self._channels[channel.key] = channel
        self._publishers[channel.key] = asyncio.create_task(self._publish(channel))
        return channel

    def _drop_if_empty(self, channel: Channel) -> None:
        if not channel.topics and self._channels.get(channel.key) is channel:
            del self._channels[channel.key]
            self._publishers.pop(channel.key).cancel()
            self._forget_slugs(channel, set(channel.slugs))

    def _forget_slugs(self, channel: Channel, slugs: set[str]) -> None:
        for slug in slugs:
            channel.slugs.discard(slug)
            del self._slugs[slug]

    def _hear(self, cup_id: int, revision: int) -> None:
        """Called in the thread that wrote: only passes the word on to the loop."""
        self._loop.call_soon_threadsafe(self._changed, cup_id)

    def _changed(self, cup_id: int) -> None:
        for key in (cup_id, None):
            channel = self._channels.get(key)
            if channel is not None and not channel.is_gathering:
                channel.is_gathering = True
                self._loop.call_later(GATHER_SECONDS, self._gathered, channel)

    def _gathered(self, channel: Channel) -> None:
        channel.is_gathering = False
        channel.ask_for_turn()

    async def _watch(self) -> None:
        """Notice what other processes wrote, and retry what failed."""
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            channels = list(self._channels.values())
            if not channels:
                continue
            try:
                current = await self._work(
                    fragments.revisions, [channel.key for channel in channels]
                )
            except Exception:
                self._trouble(channels)
                continue
            now = self._loop.time()
            for channel in channels:
                is_behind = current.get(channel.key) != channel.revision
                if is_behind or channel.is_troubled or channel.has_retries(now):
                    channel.ask_for_turn()

    async def _publish(self, channel: Channel) -> None:
        """Give the channel a turn whenever one is asked for."""
        while True:
            await channel.is_due.wait()
            channel.is_due.clear()
            wanted, known = channel.needing(self._loop.time())
            try:
                made = await self._work(fragments.render, channel.key, wanted, known)
            except Exception:
                self._trouble([channel])
                continue
            if made is None:
                self._dismiss(channel)
                continue
            channel.is_troubled = False
            self._forget_slugs(channel, channel.slugs - {made.slug})
            channel.take(made, self._loop.time())
            channel.deliver()

    def _trouble(self, channels: list[Channel]) -> None:
        """Say so once; the watch tries again, and heartbeats claim nothing."""
        if not all(channel.is_troubled for channel in channels):
            logger.exception("Live updates cannot read the database")
        for channel in channels:
            channel.is_troubled = True

    def _dismiss(self, channel: Channel) -> None:
        """Tell everybody that the cup can be seen no more."""
        self._forget_slugs(channel, set(channel.slugs))
        for client in list(channel.clients()):
            client.push(encode("gone", part=None))
            client.end()

    async def _work(
        self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        return await self._loop.run_in_executor(
            self._executor, lambda: function(*args, **kwargs)
        )
