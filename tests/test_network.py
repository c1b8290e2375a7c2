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
