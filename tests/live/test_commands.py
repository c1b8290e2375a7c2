"""Commands of the console, each in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
import urllib.request
from http.client import HTTPConnection

import pytest
from django.contrib.auth.models import User

from komppa.live.management.commands import start
from komppa.network import lan_addresses
from tests.factories import CupFactory, ScorekeeperFactory
from tests.serving import ROOT, Visitor, free_port, manage, serving

PASSWORD = re.compile(r"salasana / password:? +(\S+)")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """The data folder of one installation, not made yet."""
    return tmp_path_factory.mktemp("machine") / "data"


@pytest.fixture(scope="module")
def first(data):
    """The first start ever, open to the hall."""
    with serving(data, host="0.0.0.0") as site:
        yield site


def test_first_start_tells_where_it_is_and_the_password_once(first):
    output = first.output
    lines = [line.strip() for line in output.splitlines()]

    assert f"tällä koneella / here      {first.url}/" in lines
    assert f"järjestäjä / organiser     {first.url}/admin/" in lines
    assert "tunnus / user name       isanta" in lines
    assert len(PASSWORD.findall(output)) == 1
    assert lines[-1] == "Lopeta / Stop: Ctrl+C"


def test_first_start_shows_the_hall_its_address_and_a_code(first):
    halls = [f"http://{address}:{first.port}/" for address in lan_addresses()]
    shown = re.findall(r"salissa / in the hall +(\S+)", first.output)

    assert shown == halls
    assert ("█▄▄▄█" in first.output) == bool(halls)


def test_first_start_makes_the_demo_cup(first):
    status, page = Visitor(first.url).get("/demo/")

    assert status == 200
    assert "Demo: Komppa-cup" in page


def test_first_start_keeps_its_folder_private(first):
    modes = {
        path.name: oct(path.stat().st_mode & 0o777)
        for path in [
            first.data,
            *first.data.glob("komppa.sqlite3"),
            *first.data.glob("secret_key"),
        ]
    }

    assert modes == {
        "data": "0o700",
        "komppa.sqlite3": "0o600",
        "secret_key": "0o600",
    }


@pytest.mark.parametrize("where", ["loopback", "hall"])
def test_the_password_opens_the_admin_over_plain_http(first, where):
    addresses = ["127.0.0.1"] if where == "loopback" else lan_addresses()
    if not addresses:
        pytest.skip("this machine has no address but its loopback")
    visitor = Visitor(f"http://{addresses[0]}:{first.port}")
    (password,) = PASSWORD.findall(first.output)

    visitor.post("/login/", username="isanta", password=password)
    status, page = visitor.get("/admin/")

    assert (status, 'name="password"' in page) == (200, False)
    assert {cookie.name: cookie.secure for cookie in visitor.cookies} == {
        "csrftoken": False,
        "sessionid": False,
    }


def test_styles_are_served_collected_with_a_name_that_never_changes(first):
    _status, page = Visitor(first.url).get("/")
    sheet = re.search(r'href="(/static/komppa/[^"]+\.[0-9a-f]{12}\.css)"', page)[1]

    with urllib.request.urlopen(first.url + sheet) as answer:
        caching = answer.headers["Cache-Control"]

    assert caching == "max-age=315360000, public, immutable"


def test_a_page_that_is_not_there_shows_no_traceback(first):
    status, page = Visitor(first.url).get("/nosuch/")

    assert status == 404
    assert "Traceback" not in page
    assert "DEBUG" not in page


def test_headers_that_never_end_are_cut_off(first):
    with socket.create_connection(("127.0.0.1", first.port), timeout=10) as phone:
        phone.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ")
        answer = b""
        try:
            for _part in range(100):
                phone.sendall(b"x" * 4096)
            answer = phone.recv(100)
        except ConnectionError:
            answer = answer or phone.recv(100)

    assert answer.startswith(b"HTTP/1.1 400 ")


def test_a_second_start_on_the_same_port_is_refused(first, tmp_path):
    answer = manage("start", "--port", str(first.port), data=tmp_path)

    assert answer.returncode == 1
    assert answer.stderr == (
        f"CommandError: Portti {first.port} on jo käytössä: onko Komppa jo "
        f"käynnissä? Toinen portti: make run PORT={first.port + 1}\n"
    )
    assert not (tmp_path / "komppa.sqlite3").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--port", "http"], "PORT on luku väliltä 1–65535, ei ”http”."),
        (["--port", "65536"], "PORT on luku väliltä 1–65535, ei ”65536”."),
        (["--host", "203.0.113.7"], "Osoitetta ”203.0.113.7” ei ole tällä koneella"),
        (["--host", "ei.invalid"], "Osoitetta ”ei.invalid” ei ole tällä koneella"),
    ],
)
def test_an_address_that_cannot_be_is_refused(tmp_path, arguments, sentence):
    answer = manage("start", *arguments, data=tmp_path)

    assert answer.returncode == 1
    assert answer.stderr.startswith(f"CommandError: {sentence}")
    assert len(answer.stderr.splitlines()) == 1


@pytest.mark.parametrize("more", [{}, {"SECRET_KEY": "k" * 50}])
def test_a_start_into_what_is_no_folder_is_refused_in_a_line(tmp_path, more):
    data = tmp_path / "data"
    data.write_text("")

    answer = manage("start", "--port", str(free_port()), data=data, **more)

    assert (answer.returncode, answer.stdout, answer.stderr) == (
        1,
        "",
        f"KOMPPA_DATA must be a folder that Komppa can write to: {data} "
        "(File exists)\n",
    )


def test_a_start_with_a_database_it_cannot_make_is_refused_in_a_line(tmp_path):
    (tmp_path / "komppa.sqlite3").symlink_to("/proc/nosuch/komppa.sqlite3")

    answer = manage("start", "--port", str(free_port()), data=tmp_path)

    assert answer.returncode == 1
    assert answer.stderr == (
        f"KOMPPA_DATA must be a folder that Komppa can write to: {tmp_path} "
        "(No such file or directory)\n"
    )


@pytest.mark.django_db
def test_the_first_organiser_takes_a_name_that_is_free():
    CupFactory()
    for name in ("isanta", "isanta-2"):
        ScorekeeperFactory(username=name)

    account = start.Command()._first_run()

    organisers = User.objects.filter(is_staff=True)
    assert account.user.username == "isanta-3"
    assert [user.username for user in organisers] == ["isanta-3"]


def test_a_second_start_keeps_everything_and_prints_no_password(first):
    with serving(first.data) as second:
        output = second.output
        status, page = Visitor(second.url).get("/demo/")

    assert PASSWORD.findall(output) == []
    assert "manage.py organiser isanta\n" in output
    assert "esittelyturnaus" not in output
    assert (status, "Demo: Komppa-cup" in page) == (200, True)


def test_organiser_prints_a_password_that_opens_the_admin(first):
    answer = manage("organiser", "emanta", data=first.data)
    (password,) = PASSWORD.findall(answer.stdout)
    visitor = Visitor(first.url)

    visitor.post("/login/", username="emanta", password=password)

    assert answer.returncode == 0
    assert "sessionid" in {cookie.name for cookie in visitor.cookies}


def test_behind_a_proxy_everything_is_https(first):
    with serving(first.data, PUBLIC_URL="https://cup.example.org") as site:
        plain = ask(site, "/", Host="cup.example.org")
        forwarded = ask(
            site, "/login/", Host="cup.example.org", **{"X-Forwarded-Proto": "https"}
        )
        output = site.output

    assert plain.status == 301
    assert plain.headers["Location"] == "https://cup.example.org/"
    assert forwarded.status == 200
    assert "; Secure" in forwarded.headers["Set-Cookie"]
    assert forwarded.headers["Strict-Transport-Security"] == "max-age=2592000"
    assert forwarded.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "  osoite / address           https://cup.example.org/\n" in output
    assert "http://" not in output


def test_a_terminal_without_our_letters_does_not_end_it(first):
    with serving(first.data, host="0.0.0.0", PYTHONIOENCODING="ascii") as site:
        assert "Komppa on k?ynniss?. / Komppa is running." in site.output


def test_an_unknown_host_name_is_refused(first):
    assert ask(first, "/", Host="evil.example.org").status == 400


def test_ctrl_c_stops_it_at_once_also_with_a_stream_open(first):
    with serving(first.data) as site:
        stream = HTTPConnection("127.0.0.1", site.port, timeout=10)
        stream.request("GET", "/events/demo/?parts=groups")
        assert stream.getresponse().status == 200

        site.process.send_signal(signal.SIGINT)

        assert site.process.wait(timeout=5) == 0
        assert "Traceback" not in site.output


def test_developers_get_a_reload_when_the_code_changes(first):
    with serving(first.data, KOMPPA_DEBUG="1") as site:
        before = ask(site, "/healthz").status
        source = ROOT / "komppa" / "errors.py"
        os.utime(source)
        deadline = time.monotonic() + 20
        while "Reloading" not in site.output and time.monotonic() < deadline:
            time.sleep(0.1)

    assert before == 200
    assert "StatReload detected changes in 'komppa/errors.py'" in site.output


def ask(site, path, **headers):
    """Ask one page as it is, without following where it leads."""
    connection = HTTPConnection("127.0.0.1", site.port, timeout=20)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer
