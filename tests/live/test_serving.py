from __future__ import annotations

import asyncio
import errno
import os
import time

import pytest
import uvicorn
from uvicorn.server import ServerState

from komppa.live import serving
from komppa.live.serving import (
    BoundedProtocol,
    allow_host,
    hall_addresses,
    listen,
    own_address,
)
from tests.streaming import SOON, in_loop


@pytest.fixture(autouse=True)
def _at_home(monkeypatch):
    monkeypatch.setattr(serving, "lan_addresses", lambda: ["10.0.0.2", "192.168.1.5"])


@pytest.mark.parametrize(
    ("host", "port", "own", "hall"),
    [
        ("127.0.0.1", 8000, "http://127.0.0.1:8000/", []),
        ("localhost", 80, "http://localhost/", []),
        ("::1", 8000, "http://[::1]:8000/", []),
        (
            "0.0.0.0",
            8000,
            "http://127.0.0.1:8000/",
            ["http://10.0.0.2:8000/", "http://192.168.1.5:8000/"],
        ),
        (
            "::",
            80,
            "http://127.0.0.1/",
            ["http://10.0.0.2/", "http://192.168.1.5/"],
        ),
        ("10.0.0.9", 8000, "http://10.0.0.9:8000/", ["http://10.0.0.9:8000/"]),
    ],
)
def test_addresses_are_those_a_browser_can_open(host, port, own, hall):
    assert own_address(host, port) == own
    assert hall_addresses(host, port) == hall


@pytest.mark.parametrize(
    ("host", "added"),
    [
        ("0.0.0.0", []),
        ("localhost", []),
        ("10.0.0.9", ["10.0.0.9"]),
        ("fd00::1", ["[fd00::1]"]),
    ],
)
def test_allow_host_adds_what_is_not_yet_allowed(settings, monkeypatch, host, added):
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    monkeypatch.setenv("ALLOWED_HOSTS", "komppa.lan")

    allow_host(host)

    assert ["localhost", "127.0.0.1", *added] == settings.ALLOWED_HOSTS
    assert os.environ["ALLOWED_HOSTS"] == ",".join(["komppa.lan", *added])


def test_listen_takes_the_port_at_once():
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]

        with pytest.raises(OSError) as refused:  # noqa: PT011
            listen("127.0.0.1", port)

    assert refused.value.errno == errno.EADDRINUSE


async def hello(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


def heard_by(*pieces, pause=0.0):
    """Return what a client hears that sends this to a server of the test's own."""

    async def story():
        config = uvicorn.Config(hello, log_config=None, lifespan="off")
        config.load()
        state = ServerState()
        server = await asyncio.get_running_loop().create_server(
            lambda: BoundedProtocol(config, state, {}), "127.0.0.1", 0
        )
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        for piece in pieces:
            await asyncio.sleep(pause)
            writer.write(piece)
        heard = await asyncio.wait_for(reader.read(), SOON)
        writer.close()
        server.close()
        return heard

    return in_loop(story())


@pytest.mark.parametrize("pieces", [(b"GET / HTTP/1.1\r\n",), (b"\r\n",)])
def test_head_that_never_ends_is_not_waited_for(monkeypatch, pieces):
    monkeypatch.setattr(serving, "HEAD_SECONDS", 0.1)
    began = time.monotonic()

    heard = heard_by(*pieces)

    assert heard.startswith(b"HTTP/1.1 400 ")
    assert heard.endswith(b"\r\n\r\nThe headers came too late.")
    assert time.monotonic() - began >= 0.1


def test_connection_that_nothing_is_asked_on_is_closed_without_a_word(monkeypatch):
    monkeypatch.setattr(serving, "HEAD_SECONDS", 0.1)
    began = time.monotonic()

    assert heard_by() == b""
    assert time.monotonic() - began >= 0.1


def test_head_that_is_slow_but_ends_in_time_is_answered(monkeypatch):
    monkeypatch.setattr(serving, "HEAD_SECONDS", 3)

    heard = heard_by(
        b"GET / HTTP/1.1\r\n", b"Host: a\r\n", b"Connection: close\r\n\r\n", pause=0.05
    )

    assert heard.startswith(b"HTTP/1.1 200 ")
    assert b"hello" in heard


def test_head_that_goes_on_and_on_is_refused():
    heard = heard_by(b"GET / HTTP/1.1\r\n", b"X-A: a\r\n" * 9000)

    assert heard.endswith(b"\r\n\r\nThe headers are too long.")
