from __future__ import annotations

import ipaddress
import socket

import pytest

from komppa import network


def test_lan_addresses_are_ipv4_addresses_outside_loopback():
    found = [ipaddress.IPv4Address(address) for address in network.lan_addresses()]

    assert [address for address in found if address.is_loopback] == []
    assert len(set(found)) == len(found)


def test_machine_hosts_are_the_loopback_the_name_and_the_addresses(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "Kannettava")
    monkeypatch.setattr(network, "lan_addresses", lambda: ["192.168.1.5", "10.0.0.2"])

    assert network.machine_hosts() == [
        "localhost",
        "127.0.0.1",
        "[::1]",
        "kannettava",
        "kannettava.local",
        "192.168.1.5",
        "10.0.0.2",
    ]


@pytest.fixture
def _unplugged(monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError("network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.usefixtures("_unplugged")
def test_a_machine_without_network_has_only_its_own_names():
    assert network.lan_addresses() == []
    assert "127.0.0.1" in network.machine_hosts()


@pytest.fixture
def _at_home(monkeypatch):
    monkeypatch.delenv("HOST", raising=False)
    monkeypatch.setattr(network, "lan_addresses", lambda: ["192.168.1.5", "10.0.0.2"])


@pytest.mark.usefixtures("_at_home")
@pytest.mark.parametrize(
    ("public_url", "host", "url", "is_sure"),
    [
        ("https://cup.example.org", "127.0.0.1:8000", "https://cup.example.org", True),
        ("", "192.168.1.7:8000", "http://192.168.1.7:8000", True),
        ("", "kannettava.local", "http://kannettava.local", True),
        ("", "127.0.0.1:8000", "http://192.168.1.5:8000", False),
        ("", "localhost", "http://192.168.1.5", False),
        ("", "[::1]:8080", "http://192.168.1.5:8080", False),
    ],
)
def test_reach_is_an_address_that_others_can_use(public_url, host, url, is_sure):
    found = network.reach(public_url=public_url, scheme="http", host=host)

    assert (found.url, found.is_sure, found.is_loopback) == (url, is_sure, False)


@pytest.mark.usefixtures("_at_home")
def test_reach_is_sure_where_the_server_was_started_for_the_hall(monkeypatch):
    monkeypatch.setenv("HOST", "0.0.0.0")

    found = network.reach(public_url="", scheme="http", host="127.0.0.1:8000")

    assert found == network.Reach("http://192.168.1.5:8000", is_sure=True)


@pytest.mark.usefixtures("_unplugged")
def test_reach_without_network_is_the_machine_itself():
    found = network.reach(public_url="", scheme="http", host="127.0.0.1:8000")

    assert (found.url, found.is_sure, found.is_loopback) == (
        "http://127.0.0.1:8000",
        False,
        True,
    )
