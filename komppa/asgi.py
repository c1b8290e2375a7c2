"""The door of the site: event streams to the hub, everything else to Django.

Django runs as WSGI in a few threads. A thread is taken only once a request has come
in whole, and given back before its answer is sent, so that a phone with a bad
connection holds none. All in one process; nothing else is needed.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from types import FrameType
from typing import Any

from a2wsgi import WSGIMiddleware

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "komppa.settings")

# Django must be set up before anything of ours that has models is imported.
from komppa.wsgi import application as django_application  # isort: skip

from django.conf import settings
from django.utils.http import parse_header_parameters

from komppa.live.hub import MAX_CLIENTS, Hub
from komppa.live.stream import EventStream
from komppa.plain import Message, Receive, Scope, Send, answer

THREADS = 12
BODY_SECONDS = 10.0
SPARE_DESCRIPTORS = 256

logger = logging.getLogger(__name__)


class ClientGone(Exception):
    """The client left in the middle of its request."""


class BodyTooLarge(Exception):
    pass


class Router:
    """The ASGI application."""

    def __init__(self, wsgi: Any, hub: Hub) -> None:
        self.hub = hub
        self.stream = EventStream(hub)
        self.pages = WSGIMiddleware(wsgi, workers=THREADS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1000})
        elif scope["path"].startswith("/events/"):
            await self.stream(scope, receive, send)
        else:
            await self._page(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Start the hub with the server and stop it with the server."""
        await receive()
        try:
            self.hub.limit = min(MAX_CLIENTS, _room_for_streams())
            await self.hub.start()
            _end_streams_on_signals(self.hub)
        except Exception as reason:
            logger.exception("The hub of the live updates did not start")
            await send({"type": "lifespan.startup.failed", "message": str(reason)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.hub.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _page(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_utf_8(scope):
            text = "Merkistön pitää olla UTF-8. / The charset must be UTF-8."
            await answer(send, 415, text)
            return
        try:
            body = await _whole_body(scope, receive)
        except ClientGone:
            return
        except asyncio.CancelledError:
            # The server is stopping, and has waited long enough for the rest.
            text = "Palvelin sammuu. / The server is stopping."
            await answer(send, 503, text, [(b"connection", b"close")])
            return
        except BodyTooLarge:
            text = "Lähetys on liian suuri. / This is too large."
            await answer(send, 413, text)
            return
        except TimeoutError:
            text = "Lähetys ei tullut ajoissa perille. / This came too late."
            await answer(send, 408, text, [(b"connection", b"close")])
            return
        collected: list[Message] = []

        async def give_body() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def collect(message: Message) -> None:
            collected.append(message)

        try:
            await self.pages(_tidied(scope, len(body)), give_body, collect)  # type: ignore[arg-type]
        except Exception:
            logger.exception("No answer to %s %s", scope["method"], scope["path"])
            await answer(send, 500, "Palvelimessa tapahtui virhe.")
            return
        for message in collected:
            await send(message)


def _is_utf_8(scope: Scope) -> bool:
    """Return whether the content type names no other charset, read as Django does."""
    values = [value for name, value in scope["headers"] if name == b"content-type"]
    try:
        _kind, fields = parse_header_parameters(b",".join(values).decode("latin-1"))
    except (ValueError, LookupError):
        return False
    return fields.get("charset", "utf-8").lower() == "utf-8"


async def _whole_body(scope: Scope, receive: Receive) -> bytes:
    """Return the request's body, complete.

    Raises BodyTooLarge, TimeoutError or ClientGone.
    """
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    for name, value in scope["headers"]:
        if name == b"content-length" and int(value) > limit:
            raise BodyTooLarge
    body = bytearray()
    async with asyncio.timeout(BODY_SECONDS):
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise ClientGone
            body += message.get("body", b"")
            if len(body) > limit:
                raise BodyTooLarge
            if not message.get("more_body", False):
                return bytes(body)


def _tidied(scope: Scope, body_length: int) -> Scope:
    """Return the scope with what WSGI would misread put right."""
    headers = [
        (name, value)
        for name, value in scope["headers"]
        # In WSGI x_forwarded_for and x-forwarded-for are one and the same.
        if b"_" not in name and name not in (b"content-length", b"transfer-encoding")
    ]
    headers.append((b"content-length", str(body_length).encode()))
    return {**scope, "headers": headers}


def _room_for_streams() -> int:
    """Let the process open as many files as it may; return how many can be streams."""
    try:
        import resource
    except ImportError:  # Windows knows no such limit
        return MAX_CLIENTS
    wanted = MAX_CLIENTS + SPARE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MAX_CLIENTS if soft == resource.RLIM_INFINITY else soft - SPARE_DESCRIPTORS


def _end_streams_on_signals(hub: Hub) -> None:
    """End the streams as soon as the server is told to stop.

    It waits for its connections before it tells us, and streams end only if told.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        server_handler = signal.getsignal(number)
        if not callable(server_handler):
            continue

        def handle(
            number: int, frame: FrameType | None, after: Any = server_handler
        ) -> None:
            loop.call_soon_threadsafe(hub.end_streams)
            after(number, frame)

        signal.signal(number, handle)


application = Router(django_application, Hub())
