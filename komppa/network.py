"""The names and addresses by which this machine can be reached."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104


@dataclass(frozen=True, slots=True)
class Reach:
    """The address of the site that another machine can use."""

    url: str
    """Without a slash at its end."""
    is_sure: bool
    """Whether the site answers there; else only if it was started for the hall."""

    @property
    def is_loopback(self) -> bool:
        """Whether this machine has no address for others at all."""
        return _is_loopback(urlsplit(self.url).hostname or "")


def lan_addresses() -> list[str]:
    """Return this machine's own IPv4 addresses other than loopback, best first."""
    routed = _routed_address()
    try:
        infos = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        infos = []
    found = [*([routed] if routed else []), *(str(info[4][0]) for info in infos)]
    return list(dict.fromkeys(a for a in found if not _is_loopback(a)))


def machine_hosts() -> list[str]:
    """Return every host name and address that a browser may use for this machine."""
    name = socket.gethostname().lower()
    names = ["localhost", "127.0.0.1", "[::1]", name, f"{name}.local"]
    return list(dict.fromkeys([*names, *lan_addresses()]))


def reach(*, public_url: str, scheme: str, host: str) -> Reach:
    """Return where others find the site that answers its organiser at ``host``."""
    if public_url:
        return Reach(public_url, is_sure=True)
    asked = urlsplit(f"//{host}")
    if not _is_loopback(asked.hostname or ""):
        return Reach(f"{scheme}://{host}", is_sure=True)
    outside = lan_addresses()
    if not outside:
        return Reach(f"{scheme}://{host}", is_sure=False)
    port = f":{asked.port}" if asked.port else ""
    # ``make run HOST=...`` hands it on; an argument of ``start`` is not seen here.
    is_sure = os.environ.get("HOST") in EVERYWHERE
    return Reach(f"{scheme}://{outside[0]}{port}", is_sure)


def _routed_address() -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing: it only asks the routing
            # table which of our addresses would be used.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


def _is_loopback(name: str) -> bool:
    return name.startswith("127.") or name in ("localhost", "::1")
