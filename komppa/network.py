"""The names and addresses by which this machine can be reached."""

from __future__ import annotations

import socket


def lan_addresses() -> list[str]:
    """Return this machine's own IPv4 addresses other than loopback, best first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket sends nothing: it only asks the routing
            # table which of our addresses would be used.
            probe.connect(("192.0.2.1", 9))
            found.append(str(probe.getsockname()[0]))
        except OSError:
            pass
    try:
        infos = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        infos = []
    found += [str(info[4][0]) for info in infos]
    outside = [address for address in found if not address.startswith("127.")]
    return list(dict.fromkeys(outside))


def machine_hosts() -> list[str]:
    """Return every host name and address that a browser may use for this machine."""
    name = socket.gethostname().lower()
    names = ["localhost", "127.0.0.1", "[::1]", name, f"{name}.local"]
    return list(dict.fromkeys([*names, *lan_addresses()]))
