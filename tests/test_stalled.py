"""Clients that stop in the middle: nobody else waits for them."""

from __future__ import annotations

import socket
import statistics
import time
from contextlib import ExitStack, contextmanager

import pytest

from tests.factories import drawn_cup, play_out, record

CLIENTS = 20
LOADS = 20
LONGEST = 0.3
ROUNDS = 5
"""Something else on the machine may take a moment; stalled clients take every round."""

HOST = b"Host: 127.0.0.1\r\n"
FORM = HOST + b"Content-Type: application/x-www-form-urlencoded\r\n"
COOKIE = b"Cookie: csrftoken=" + b"x" * 32 + b"\r\n"
LARGE = b"GET /test/large/5000000/ HTTP/1.1\r\n" + HOST + b"\r\n"
STREAM = (
    b"GET /events/cup/?parts=cup,groups,games&since=0 HTTP/1.1\r\n" + HOST + b"\r\n"
)
# With the cookie, Django reads the form before it asks who has sent it.
SHEET = b"POST /sheet/cup/games/2/ HTTP/1.1\r\n" + FORM + COOKIE
STALLED = {
    "half_headers": b"GET /cup/ HTTP/1.1\r\n" + HOST + b"Cookie: a",
    "half_body": SHEET + b"Content-Length: 1000\r\n\r\nnumber=1",
    "half_chunk": SHEET + b"Transfer-Encoding: chunked\r\n\r\n64\r\nab",
    "unread_answer": LARGE,
    "unread_stream": STREAM,
    "nothing_sent": b"",
}


@pytest.fixture
def cup(probe_site):
    """Twelve teams, a game played and one in play."""
    cup = drawn_cup(teams=12, groups=3, tables=4, slug="cup")
    games = cup.games.all()
    play_out(games[0])
    record(games[1])
    return cup


@contextmanager
def stalled(site, *kinds):
    with ExitStack() as stack:
        for kind in kinds * CLIENTS:
            client = stack.enter_context(socket.socket())
            # With a larger one the system reads the answer in the client's stead.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", site.port))
            client.sendall(STALLED[kind])
        time.sleep(0.5)
        yield


def load_times(site, path="/cup/"):
    """Return how long each of so many loads of the page took, in seconds."""
    times = []
    for _ in range(LOADS):
        began = time.perf_counter()
        assert site.ask(path).status == 200
        times.append(time.perf_counter() - began)
    return times


def told(times):
    median, worst = statistics.median(times), max(times)
    return f"median {1000 * median:.0f} ms, worst {1000 * worst:.0f} ms"


@pytest.mark.parametrize(
    "kinds",
    [*((kind,) for kind in STALLED), tuple(STALLED)],
    ids=[*STALLED, "all_of_them"],
)
@pytest.mark.usefixtures("cup")
def test_stalled_clients_hold_up_nobody_s_page(probe_site, kinds):
    before = load_times(probe_site)
    # A machine too busy for that with nobody stalled is held to twice what it takes.
    longest = max(LONGEST, 2 * max(before))

    with stalled(probe_site, *kinds):
        rounds = [load_times(probe_site)]
        while max(rounds[-1]) >= longest and len(rounds) < ROUNDS:
            rounds.append(load_times(probe_site))

    figures = f"{told(before)}; with them {', '.join(map(told, rounds))}"
    print(figures)
    assert min(max(times) for times in rounds) < longest, figures
