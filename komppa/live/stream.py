"""The event stream: ``/events/<cup>/`` and, for the front page, ``/events/``.

    GET /events/<cup>/?lang=fi&since=<revision>&parts=groups,game-12

Plain ASGI, without a Django request and without a thread a client. ``since`` is the
revision of the page that is shown; a browser that resumes by itself names a later one
in Last-Event-ID. The events, each with JSON data on one line:

``revision``  {"revision": 12}, its id too: all that there was at 12 has been sent.
              Comes first if ``since`` is current, then after every change, whether or
              not it touched the asked parts, and as a heartbeat.
``part``      {"part": "groups", "revision": 12, "html": "..."}: what to show now.
``refresh``   {"revision": 12}: every part follows, and replaces what is shown even if
              that claims a later revision. Sent if ``since`` is not current, or if
              the client fell behind.
``gone``      {"part": "game-12"}: there is no such part (any more); with null the cup
              itself can be seen no more, and the stream ends.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
from dataclasses import dataclass
from urllib.parse import parse_qs

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from komppa.live.hub import Hub, HubFull, NoSuchCup
from komppa.middleware import chosen_language
from komppa.plain import Message, Receive, Scope, Send, answer, security_headers

MAX_PARTS = 8
RETRY_MILLISECONDS = (2000, 5000)
"""Drawn anew for each client, so that a hall does not come back in one instant."""

CLOSING_SECONDS = 1.0

_PATH = re.compile(r"/events/(?:([-a-zA-Z0-9_]{1,60})/)?")
_PART = re.compile(r"[a-z][a-z_]{0,30}(-[1-9][0-9]{0,5})?")
_REVISION = re.compile(r"[0-9]{1,18}")


logger = logging.getLogger(__name__)


class BadRequest(ValueError):
    """The question cannot be understood; says why, in Finnish."""


class ConnectionClosed(Exception):
    """The connection closed before the server told us that it has."""


@dataclass(frozen=True, slots=True)
class Question:
    """What one client wants to be told."""

    language: str
    names: tuple[str, ...]
    since: int | None


class EventStream:
    """The ASGI application of the event streams."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = _PATH.fullmatch(scope["path"])
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if scope["method"] != "GET":
            allow = [(b"allow", b"GET")]
            return await answer(send, 405, "Tapahtumavirtaa vain luetaan.", allow)
        if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
            return await answer(send, 400, "Tuntematon palvelimen nimi.")
        if not _is_own_origin(headers.get(b"origin"), host):
            return await answer(send, 403, "Virtaa voi lukea vain omilta sivuilta.")
        if path is None:
            return await answer(send, 404, "Tällaista tapahtumavirtaa ei ole.")
        try:
            question = understand(
                scope["query_string"], headers.get(b"last-event-id", "")
            )
        except BadRequest as reason:
            return await answer(send, 400, str(reason))
        return await self._serve(path[1] or "", question, receive, send)

    async def _serve(
        self, slug: str, question: Question, receive: Receive, send: Send
    ) -> None:
        try:
            client = await self.hub.join(
                slug, question.language, question.names, question.since
            )
        except NoSuchCup:
            return await answer(send, 404, "Tällaista turnausta ei ole.")
        except HubFull:
            later = [(b"retry-after", b"20")]
            return await answer(send, 503, "Virtoja on auki liikaa.", later)
        except Exception:
            logger.exception(
                "The stream of %s was not opened", slug or "the front page"
            )
            return await answer(send, 503, "Palvelimessa on häiriö.")
        leaving = asyncio.create_task(_disconnected(receive))
        leaving.add_done_callback(lambda task: client.end())
        try:
            await _start(send)
            while (chunk := await client.next_chunk()) is not None:
                await _pass(send, _body(chunk))
            await _pass(send, _body(b"", more=False))
        except ConnectionClosed:
            # The server calls a stream that ends before it knows of this a failure.
            await asyncio.wait([leaving], timeout=CLOSING_SECONDS)
        finally:
            leaving.cancel()
            self.hub.leave(client)
        return None


def understand(query: bytes, last_event_id: str = "") -> Question:
    """Read the query string. Raises BadRequest."""
    try:
        fields = parse_qs(
            query.decode("ascii"), errors="strict", max_num_fields=10, separator="&"
        )
    except ValueError:
        raise BadRequest("Kyselyä ei voi lukea.") from None
    if any(len(values) > 1 for values in fields.values()):
        raise BadRequest("Sama kenttä on annettu kahdesti.")
    plain = {name: values[0] for name, values in fields.items()}
    names = tuple(sorted(set(plain.get("parts", "").split(","))))
    if len(names) > MAX_PARTS:
        raise BadRequest("Osia pyydettiin liikaa.")
    if not all(_PART.fullmatch(name) for name in names):
        raise BadRequest("Osien nimiä ei voi lukea.")
    since = plain.get("since", "")
    if since and not _REVISION.fullmatch(since):
        raise BadRequest("Versionumeroa ei voi lukea.")
    # A browser that resumes repeats the address as it was, with the ``since`` of old.
    if _REVISION.fullmatch(last_event_id):
        since = last_event_id
    return Question(
        chosen_language(plain.get("lang")), names, int(since) if since else None
    )


def _is_own_origin(origin: str | None, host: str) -> bool:
    if origin is None or origin in getattr(settings, "CSRF_TRUSTED_ORIGINS", ()):
        return True
    scheme, _, netloc = origin.partition("://")
    return scheme in ("http", "https") and netloc.lower() == host.lower()


async def _disconnected(receive: Receive) -> None:
    """Return when the client has gone, or sends what nobody asked for."""
    while True:
        message = await receive()
        if message["type"] != "http.request" or message.get("body"):
            return


async def _start(send: Send) -> None:
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store, no-transform"),
        (b"x-accel-buffering", b"no"),
        *security_headers(),
    ]
    start = {"type": "http.response.start", "status": 200, "headers": headers}
    await _pass(send, start)
    retry = random.randint(*RETRY_MILLISECONDS)
    await _pass(send, _body(f"retry: {retry}\n\n".encode()))


async def _pass(send: Send, message: Message) -> None:
    """Send the message. Raises ConnectionClosed."""
    try:
        await send(message)
    except (OSError, RuntimeError) as reason:
        raise ConnectionClosed from reason


def _body(chunk: bytes, *, more: bool = True) -> Message:
    return {"type": "http.response.body", "body": chunk, "more_body": more}
