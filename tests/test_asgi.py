"""The door: what reaches Django, and how, whatever the network does to it."""

from __future__ import annotations

import asyncio
import json
import resource
import signal
import socket
import time
from threading import Thread

import pytest

from komppa import asgi
from komppa.live.hub import Hub
from tests.factories import CupFactory
from tests.site import serving_test_database
from tests.streaming import SOON, in_loop, listening

STALLED = (
    "POST /test/echo/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nab"
)


def echo(probe_site, path="/test/echo/", *args, **kwargs):
    return json.loads(probe_site.ask(path, *args, **kwargs).body)


def ask_router(wsgi, *messages, method="POST", headers=()):
    """Send one request to a router of the test's own; return what it sends."""
    sent = []

    async def story():
        coming = iter(messages)

        async def receive():
            message = next(coming, None)
            if message is None:
                await asyncio.Event().wait()
            return message

        async def send(message):
            sent.append(message)

        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": "/x/",
            "query_string": b"",
            "headers": list(headers),
        }
        await asgi.Router(wsgi, Hub())(scope, receive, send)

    in_loop(story())
    return sent


def piece(body, more=True):
    return {"type": "http.request", "body": body, "more_body": more}


def unreachable(environ, start_response):
    raise AssertionError("Django was asked")


def test_body_that_comes_in_pieces_reaches_django_whole():
    def wsgi(environ, start_response):
        start_response("200 OK", [])
        length = int(environ["CONTENT_LENGTH"])
        return [environ["wsgi.input"].read(length), str(length).encode()]

    sent = ask_router(wsgi, piece(b"ab"), piece(b""), piece(b"cd", more=False))

    assert [message.get("body") for message in sent[1:]] == [b"abcd", b"4", b""]


def test_body_that_is_announced_too_large_is_refused_unread():
    headers = [(b"content-length", str(1024 * 1024 + 1).encode())]

    start, body = ask_router(unreachable, headers=headers)

    assert start["status"] == 413
    assert body["body"].decode() == "Lähetys on liian suuri. / This is too large.\n"


def test_body_that_grows_too_large_is_refused():
    half = b"x" * (1024 * 512 + 1)

    start, _ = ask_router(unreachable, piece(half), piece(half))

    assert start["status"] == 413


def test_body_that_does_not_come_in_time_is_refused(monkeypatch):
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.05)

    start, _ = ask_router(unreachable, piece(b"ab"))

    assert start["status"] == 408
    assert (b"connection", b"close") in start["headers"]


@pytest.mark.parametrize(
    "content_type",
    [
        b"application/x-www-form-urlencoded; charset=iso-8859-1",
        b"multipart/form-data; boundary=x; charset=utf-16",
        b"application/x-www-form-urlencoded; charset=nosuch",
        b"text/plain; charset=hex",
        b"text/plain; charset*=nosuch''utf-8",
    ],
    ids=["form", "multipart", "unknown", "no_text", "encoded_unknown"],
)
def test_body_in_another_charset_is_refused_unread(content_type):
    start, body = ask_router(unreachable, headers=[(b"content-type", content_type)])

    assert start["status"] == 415
    assert body["body"].decode() == (
        "Merkistön pitää olla UTF-8. / The charset must be UTF-8.\n"
    )


@pytest.mark.parametrize(
    "content_type",
    [
        "application/x-www-form-urlencoded",
        "application/x-www-form-urlencoded; charset=UTF-8",
        'text/plain; charset="utf-8"',
    ],
)
def test_body_in_utf_8_reaches_django(probe_site, content_type):
    headers = {"Content-Type": content_type}

    assert echo(probe_site, "/test/echo/", "POST", b"a=1", headers)["length"] == 3


def test_client_that_leaves_in_mid_body_is_dropped():
    assert ask_router(unreachable, piece(b"ab"), {"type": "http.disconnect"}) == []


def test_wsgi_that_fails_by_itself_is_answered_and_logged(caplog):
    def wsgi(environ, start_response):
        start_response("200 OK", [])
        raise ZeroDivisionError

    start, body = ask_router(wsgi, piece(b"", more=False))

    assert start["status"] == 500
    assert body["body"].decode() == "Palvelimessa tapahtui virhe.\n"
    assert "No answer to POST /x/" in caplog.text


def test_websocket_is_closed():
    sent = []

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    in_loop(asgi.Router(unreachable, Hub())({"type": "websocket"}, receive, send))

    assert sent == [{"type": "websocket.close", "code": 1000}]


def test_hub_that_does_not_start_stops_the_server(monkeypatch, caplog):
    sent = []

    async def receive():
        return {"type": "lifespan.startup"}

    async def send(message):
        sent.append(message)

    async def start():
        raise OSError("no threads")

    router = asgi.Router(unreachable, Hub())
    monkeypatch.setattr(router.hub, "start", start)
    in_loop(router({"type": "lifespan"}, receive, send))

    assert sent == [{"type": "lifespan.startup.failed", "message": "no threads"}]


@pytest.mark.parametrize(
    ("limits", "raised", "room"),
    [
        ((1024, 20_000), (5256, 20_000), 5000),
        ((1024, 1024), (1024, 1024), 768),
        ((1024, resource.RLIM_INFINITY), (5256, resource.RLIM_INFINITY), 5000),
        ((9000, 20_000), None, 8744),
        ((resource.RLIM_INFINITY,) * 2, None, 5000),
    ],
    ids=["raised", "narrow", "endless_hard", "wide", "endless"],
)
def test_as_many_files_are_allowed_as_streams_need(monkeypatch, limits, raised, room):
    set_to = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda kind, new: set_to.append(new))

    assert asgi._room_for_streams() == room
    assert set_to == ([raised] if raised else [])


def test_django_sees_who_asks_and_by_what_name(probe_site):
    seen = echo(probe_site, headers={"Host": f"localhost:{probe_site.port}"})

    assert seen["meta"]["REMOTE_ADDR"] == "127.0.0.1"
    assert seen["host"] == f"localhost:{probe_site.port}"
    assert seen["scheme"] == "http"
    assert seen["thread"].startswith("WSGI")


def test_header_written_with_underscores_is_not_taken_for_another(probe_site):
    seen = echo(probe_site, headers={"X_Forwarded_Proto": "https", "X-Real": "1"})

    assert "HTTP_X_FORWARDED_PROTO" not in seen["meta"]
    assert seen["meta"]["HTTP_X_REAL"] == "1"


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("/test/echo/?n=%C3%A4", {"path": "/test/echo/", "query": {"n": "ä"}}),
        ("/test/%65cho/", {"path": "/test/echo/", "query": {}}),
        (
            "/test/echo/?a=1&b=%2F%26",
            {"path": "/test/echo/", "query": {"a": "1", "b": "/&"}},
        ),
    ],
    ids=["encoded_query", "encoded_path", "encoded_signs"],
)
def test_address_is_decoded_once(probe_site, path, seen):
    answer = echo(probe_site, path)

    assert {key: answer[key] for key in seen} == seen


def test_query_with_raw_letters_is_refused(probe_site):
    async def story():
        reader, writer = await asyncio.open_connection("127.0.0.1", probe_site.port)
        writer.write("GET /test/echo/?n=ä HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        answer = await asyncio.wait_for(reader.read(), SOON)
        writer.close()
        return answer

    assert in_loop(story()).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "path", ["//", "//test/echo/", "/%2e%2e/etc/passwd", "/static/%2e%2e/%00", "/%ff/"]
)
def test_odd_address_is_not_found(probe_site, path):
    before = len(probe_site.output)

    assert probe_site.ask(path).status == 404
    assert "Traceback" not in probe_site.output[before:]


def test_post_sent_in_chunks_reaches_django(probe_site):
    body = iter([b"ab", b"cde"])

    assert echo(probe_site, "/test/echo/", "POST", body)["length"] == 5


def test_head_is_answered_without_a_body(probe_site):
    answer = probe_site.ask("/", "HEAD")

    assert (answer.status, answer.body) == (200, b"")


def test_failing_page_gives_djangos_500_and_a_line_in_the_log(probe_site):
    before = len(probe_site.output)

    answer = probe_site.ask("/test/crash/")

    assert answer.status == 500
    assert answer.headers["Content-Type"].startswith("text/html")
    assert "Traceback" not in answer.text
    assert "ZeroDivisionError" not in answer.text
    assert "Internal Server Error: /test/crash/" in probe_site.output[before:]


def test_large_answer_comes_whole(probe_site):
    answer = probe_site.ask("/test/large/5000000/")

    assert answer.body == b"x" * 5_000_000


def test_static_files_are_served(site):
    plain = site.ask("/static/komppa/live.js")
    packed = site.ask(
        "/static/bootstrap/css/bootstrap.min.css", headers={"Accept-Encoding": "gzip"}
    )

    assert plain.status == 200
    assert plain.headers["Content-Type"].startswith("text/javascript")
    assert b"EventSource" in plain.body
    assert packed.headers["Content-Encoding"] == "gzip"


def test_static_files_carry_the_headers_of_pages(site):
    names = [
        "Content-Security-Policy",
        "X-Frame-Options",
        "X-Content-Type-Options",
        "Referrer-Policy",
    ]
    page = site.ask("/")
    static = site.ask("/static/komppa/live.js")

    assert [static.headers[name] for name in names] == [
        page.headers[name] for name in names
    ]
    assert static.headers["X-Frame-Options"] == "DENY"
    assert static.headers["Content-Security-Policy"] is not None


def test_client_that_leaves_before_its_answer_leaves_no_trace(probe_site):
    before = len(probe_site.output)
    with socket.create_connection(("127.0.0.1", probe_site.port)) as impatient:
        impatient.sendall(b"GET /test/slow/300/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    time.sleep(0.6)

    assert probe_site.ask("/healthz").status == 200
    assert "Traceback" not in probe_site.output[before:]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_server_stops_at_once_with_streams_open(site_folder, transactional_db, number):
    CupFactory(slug="demo")

    async def story(server):
        path = "/events/demo/?parts=groups&since=0"
        async with listening(server.port, path) as stream:
            await stream.event()
            began = time.monotonic()
            server.process.send_signal(number)
            while await stream.event() is not None:
                pass
            await asyncio.to_thread(server.process.wait, SOON)
            return time.monotonic() - began

    with serving_test_database(site_folder) as server:
        assert in_loop(story(server)) < 1.9
        assert "Traceback" not in server.output


def test_server_that_is_stopped_drops_a_stalled_request_quietly(
    site_folder, transactional_db
):
    with serving_test_database(site_folder) as server:
        with socket.create_connection(("127.0.0.1", server.port)) as stalled:
            stalled.sendall(STALLED.encode())
            time.sleep(0.3)
            server.process.send_signal(signal.SIGINT)
            stalled.settimeout(SOON)
            answer = stalled.recv(100)
        server.process.wait(SOON)

        assert answer.startswith(b"HTTP/1.1 503 ")
        assert "Traceback" not in server.output


def test_server_that_is_stopped_answers_what_it_is_working_on(
    site_folder, transactional_db
):
    answers = []
    application = "tests.probing:application"
    with serving_test_database(site_folder, application) as server:
        asking = Thread(target=lambda: answers.append(server.ask("/test/slow/600/")))
        asking.start()
        time.sleep(0.3)
        server.process.terminate()
        asking.join()
        server.process.wait(SOON)

    assert [answer.text for answer in answers] == ["done"]
