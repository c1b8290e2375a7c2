"""The one process that serves everything: its socket and its uvicorn."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from contextlib import suppress

import uvicorn
from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.supervisors import ChangeReload

from komppa.live.autobackup import backups_by_themselves
from komppa.network import EVERYWHERE, lan_addresses

APPLICATION = "komppa.asgi:application"
LONGEST_HEAD = 64 * 1024
HEAD_SECONDS = 20.0


class BoundedProtocol(HttpToolsProtocol):
    """Ends a request whose headers go on and on, or never come to their end.

    uvicorn itself would keep them all, and wait for the rest for ever.
    """

    _head: int | None = 0
    """Bytes of the headers so far, None once they are complete."""
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._have_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._head is not None:
            self._head += len(data)
            self._await_head()
        super().data_received(data)
        if self._head is not None and self._head > LONGEST_HEAD:
            self.send_400_response("The headers are too long.")

    def on_headers_complete(self) -> None:
        self._head = None
        self._have_head()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._head = 0
        super().on_message_complete()

    def _await_head(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _have_head(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        if self._head:
            self.send_400_response("The headers came too late.")
        else:
            # Browsers connect ahead of need, and would read words nobody has asked
            # for as the answer to what they ask next.
            self.transport.close()


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at the address. Raises OSError.

    Taken before anything else is done, so that a second start neither migrates nor
    prints addresses under which the first one answers.
    """
    family, kind, protocol, _name, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM
    )[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        # Merely bound, it would let a second start bind the same address.
        bound.listen()
    except OSError:
        bound.close()
        raise
    bound.set_inheritable(True)
    return bound


def own_address(host: str, port: int) -> str:
    """Return the address for this machine's own browser."""
    return _url("127.0.0.1" if host in EVERYWHERE else host, port)


def hall_addresses(host: str, port: int) -> list[str]:
    """Return the addresses for everybody else's, the likeliest first."""
    if host in EVERYWHERE:
        return [_url(address, port) for address in lan_addresses()]
    if host == "localhost" or host.startswith("127.") or host == "::1":
        return []
    return [_url(host, port)]


def allow_host(host: str) -> None:
    """Let browsers use an address that was asked for by name."""
    if host in EVERYWHERE or host in settings.ALLOWED_HOSTS:
        return
    name = f"[{host}]" if ":" in host else host
    settings.ALLOWED_HOSTS.append(name)
    # What developers' reloading starts reads its settings anew.
    others = os.environ.get("ALLOWED_HOSTS")
    os.environ["ALLOWED_HOSTS"] = f"{others},{name}" if others else name


def serve(bound: socket.socket) -> None:
    """Serve until told to stop."""
    config = uvicorn.Config(
        APPLICATION,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        # Only a proxy on this machine may say on whose behalf it asks.
        proxy_headers=bool(settings.PUBLIC_URL),
        forwarded_allow_ips="127.0.0.1",
        http=BoundedProtocol,
        lifespan="on",
        # Open streams never end by themselves.
        timeout_graceful_shutdown=2,
        reload=settings.DEBUG,
        reload_dirs=_sources() if settings.DEBUG else None,
    )
    server = uvicorn.Server(config)
    _end_in_order_when_told()
    with suppress(KeyboardInterrupt), backups_by_themselves():
        if config.should_reload:
            ChangeReload(config, target=server.run, sockets=[bound]).run()
        else:
            server.run(sockets=[bound])


def _end_in_order_when_told() -> None:
    """Let what is held around the server end also when it is told to terminate.

    It raises the signal once more after it has stopped, and the system's own answer
    to that one is to end the process there and then.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def _sources() -> list[str]:
    return [str(settings.BASE_DIR / name) for name in ("komppa", "scoring")]


def _url(host: str, port: int) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}/" if port == 80 else f"http://{name}:{port}/"
