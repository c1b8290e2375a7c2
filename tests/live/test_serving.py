from __future__ import annotations

import errno
import os

import pytest

from komppa.live import serving
from komppa.live.serving import allow_host, hall_addresses, listen, own_address


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
