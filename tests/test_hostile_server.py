"""The real server, and what no browser would send to it."""

from __future__ import annotations

import re
import socket
from contextlib import suppress

import pytest

from tests.addresses import PLACE, routes
from tests.factories import drawn_cup
from tests.streaming import SOON

MEGABYTE = 1024 * 1024
TOO_LARGE = "Lähetys on liian suuri. / This is too large.\n"
PATHS = [
    *("/static/komppa/live.js", "/nosuch/"),
    *("/" + PLACE.sub("1", route) for route in routes() if "(" not in route),
]

LINES = {
    "nul_in_path": b"GET /a\0b/ HTTP/1.1",
    "no_utf_8_in_path": b"GET /\xff\xfe/ HTTP/1.1",
    "letters_in_path": "GET /jäähalli/ HTTP/1.1".encode(),
    "quoted_nul_in_path": b"GET /a%00b/ HTTP/1.1",
    "quoted_no_utf_8_in_path": b"GET /%FF%FE/ HTTP/1.1",
    "quoted_surrogate_in_path": b"GET /%ED%A0%80/ HTTP/1.1",
    "broken_quoting": b"GET /%/%z1/%0/ HTTP/1.1",
    "nul_in_query": b"GET /?a=\0 HTTP/1.1",
    "no_utf_8_in_query": b"GET /?a=\xff HTTP/1.1",
    "quoted_no_utf_8_in_query": b"GET /?%FF=%FE&next=%00 HTTP/1.1",
    "long_path": b"GET /" + b"x" * 60_000 + b" HTTP/1.1",
    "endless_path": b"GET /" + b"x" * 100_000 + b" HTTP/1.1",
    "whole_address": b"GET http://evil.example/ HTTP/1.1",
    "whole_address_without_path": b"GET http://evil.example HTTP/1.1",
    "no_path": b"GET  HTTP/1.1",
    "a_star": b"OPTIONS * HTTP/1.1",
    "another_s_address": b"CONNECT evil.example:443 HTTP/1.1",
    "odd_method": b"BREW / HTTP/1.1",
    "known_odd_method": b"PROPFIND / HTTP/1.1",
    "small_method": b"get / HTTP/1.1",
    "old_version": b"GET / HTTP/0.9",
    "version_to_come": b"GET / HTTP/3.0",
    "no_version": b"GET /",
    "encrypted": bytes.fromhex("16030100c6010000c20303") + b"\xa5" * 180,
    "noise": bytes(range(256)),
    "stream_with_nul": b"GET /events/%00/?parts=groups HTTP/1.1",
    "stream_of_noise": b"GET /events/x/?parts=%FF&since=9&lang=%00 HTTP/1.1",
    "stream_since_ever": b"GET /events/x/?since=" + b"9" * 5000 + b" HTTP/1.1",
    "static_with_nul": b"GET /static/%00%FF HTTP/1.1",
    "static_above": b"GET /static/../../../etc/passwd HTTP/1.1",
}
CHUNKED = (
    b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
HEADERS = {
    "nul": b"X-A: a\0b",
    "no_utf_8": b"X-A: \xff\xfe\r\nUser-Agent: \xff",
    "name_of_noise": b"\xff\xfe: a",
    "name_of_blanks": b"X A : a",
    "no_colon": b"nonsense",
    "folded": b"X-A: a\r\n b",
    "long": b"X-A: " + b"x" * 100_000,
    "many": b"\r\n".join(b"X-%d: a" % number for number in range(4000)),
    "no_host_of_ours": b"Host: evil.example",
    "host_of_noise": b"Host: \xff\xfe[::1",
    "cookies_of_noise": b"Cookie: sessionid=\xff\xfe; csrftoken=\0; =;;; a",
    "cookies_of_nonsense": (
        b"Cookie: sessionid=" + b"9" * 5000 + b'; messages="x"; komppa_language=%00'
    ),
    "accept_of_noise": b"Accept: \xff\r\nAccept-Language: \xff;q=9e999",
    "encoding_of_noise": b"Accept-Encoding: \xff;q=-1, gzip;q=x",
    "dates_of_noise": b"If-Modified-Since: \xff\r\nIf-None-Match: \xff",
    "range_of_nonsense": b"Range: bytes=-9-,99999999999999999999-",
    "type_of_noise": b"Content-Type: \xff\xfe; charset=\xff; boundary=\xff",
    "type_of_another_charset": b"Content-Type: text/plain; charset=utf-16",
    "negative_length": b"Content-Length: -1",
    "length_in_words": b"Content-Length: nine",
    "length_of_30_digits": b"Content-Length: " + b"9" * 30,
    "length_of_5000_digits": b"Content-Length: " + b"9" * 5000,
    "two_lengths": b"Content-Length: 1\r\nContent-Length: 2",
    "length_and_chunks": b"Content-Length: 9\r\nTransfer-Encoding: chunked",
    "packed_in_transfer": b"Transfer-Encoding: gzip",
    "proxies_of_noise": b"X-Forwarded-For: \xff\r\nX-Forwarded-Proto: \xff",
    "htmx_of_noise": b"HX-Request: true\r\nHX-Current-URL: http://[\xff",
    "upgrade": b"Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: x",
    "websocket": b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x",
    "resumed_stream": b"Last-Event-ID: " + b"9" * 5000,
}


def say(site, *pieces):
    """Send the bytes as they are; return the status and the answer's text."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=SOON) as client:
        heard = b""
        # Whoever has heard enough may hang up before all of it is sent.
        with suppress(ConnectionError):
            for piece in pieces:
                client.sendall(piece)
        with suppress(TimeoutError, ConnectionError):
            while b"\nretry: " not in heard and (piece := client.recv(65536)):
                heard += piece
    head, _, body = heard.partition(b"\r\n\r\n")
    match = re.match(rb"HTTP/1\.1 ([0-9]{3}) ", head)
    return (int(match[1]) if match else None), body.decode()


def unclear(answers):
    """Return what was not answered with words and a status below 500."""
    return {
        kind: (status, text)
        for kind, (status, text) in answers.items()
        if status is None or not 200 <= status < 500 or not text.strip()
    }


def test_body_announced_too_large_is_refused_everywhere(site):
    length = {"Content-Length": str(MEGABYTE + 1)}

    answers = {path: site.ask(path, "POST", None, length) for path in PATHS}

    assert {
        path: (answer.status, answer.text, answer.headers["Content-Type"])
        for path, answer in answers.items()
    } == dict.fromkeys(PATHS, (413, TOO_LARGE, "text/plain; charset=utf-8"))


@pytest.mark.parametrize("in_chunks", [False, True])
def test_body_that_is_too_large_is_refused(site, in_chunks):
    whole = b"a=" + b"x" * MEGABYTE

    answers = [
        site.ask(path, "POST", iter([whole[:9], whole[9:]]) if in_chunks else whole)
        for path in ("/login/", "/sheet/demo/games/1/", "/nosuch/")
    ]

    assert {(answer.status, answer.text) for answer in answers} == {(413, TOO_LARGE)}


def test_body_of_endless_chunks_is_refused(site):
    chunk = b"40000\r\n" + b"x" * 0x40000 + b"\r\n"

    assert say(site, CHUNKED, *[chunk] * 6) == (413, TOO_LARGE)


@pytest.mark.parametrize("chunk", [b"zz\r\n", b"-1\r\nx\r\n", b"f" * 40 + b"\r\n"])
def test_chunks_of_nonsense_are_refused(site, chunk):
    status, text = say(site, CHUNKED, chunk)

    assert status == 400
    assert text.strip()


@pytest.mark.parametrize(
    ("method", "path"),
    [("PUT", "/"), ("DELETE", "/nosuch/"), ("GET", "/logout/")],
)
def test_method_that_the_page_does_not_know_is_refused_on_a_page(site, method, path):
    answer = site.ask(path, method)

    assert answer.status == 405
    assert "<h1>Sivua ei voi avata näin</h1>" in answer.text
    assert answer.text.endswith("</html>\n")


def test_request_lines_of_any_kind_are_answered(site):
    rest = b"\r\nHost: localhost\r\nConnection: close\r\n\r\n"

    answers = {kind: say(site, line + rest) for kind, line in LINES.items()}

    assert unclear(answers) == {}


@pytest.mark.parametrize(
    "start",
    [b"GET /played/", b"POST /login/", b"GET /events/played/?parts=groups&since=1"],
    ids=["page", "form", "stream"],
)
def test_headers_of_any_kind_are_answered(site, start):
    drawn_cup(slug="played")
    host = {kind: b"" for kind in HEADERS if "host" in kind}

    answers = {
        kind: say(
            site,
            start + b" HTTP/1.1\r\n" + header + b"\r\n",
            host.get(kind, b"Host: localhost\r\n") + b"Connection: close\r\n\r\n",
        )
        for kind, header in HEADERS.items()
    }

    assert unclear(answers) == {}


@pytest.mark.parametrize("host", [b"Host: a\r\nHost: b", b"Host:", b"Host: a b"])
def test_request_without_one_host_is_refused(site, host):
    request = b"GET / HTTP/1.1\r\n" + host + b"\r\nConnection: close\r\n\r\n"

    status, text = say(site, request)

    assert status == 400
    assert text.strip()
