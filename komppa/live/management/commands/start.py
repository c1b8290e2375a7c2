from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from io import StringIO, TextIOWrapper
from itertools import chain, count
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser
from django.db import connection

from komppa import occupied
from komppa.backups import require_folder
from komppa.console import KomppaCommand
from komppa.cup.models import Cup
from komppa.cup.services_organisers import admit_organiser
from komppa.cup.services_people import Account
from komppa.datafolder import usable
from komppa.live.serving import (
    allow_host,
    hall_addresses,
    listen,
    own_address,
    serve,
)
from komppa.network import EVERYWHERE
from komppa.sheets.demo import FIXTURE, replay
from komppa.sheets.demo_facts import read_facts

FIRST_ORGANISER = "isanta"


class Command(KomppaCommand):
    help = "Start Komppa: bring the database up to date, then serve until Ctrl+C."
    # The database may not even exist yet.
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        environ = os.environ
        parser.add_argument("--host", default=environ.get("HOST") or "127.0.0.1")
        parser.add_argument("--port", default=environ.get("PORT") or "8000")

    def handle(self, *args: Any, host: str, port: str, **options: Any) -> None:
        # What the terminal cannot show must not end the evening before it began.
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
        number = _port(port)
        try:
            bound = listen(host, number)
        except OSError as error:
            raise CommandError(_why_not(error, host, number)) from error
        with bound, occupied.serving(settings.DATA_DIR):
            allow_host(host)
            self._prepare()
            account = self._first_run()
            for line in _greeting(host, number, account):
                self.stdout.write(line)
            self.stdout.flush()
            serve(bound)

    def _prepare(self) -> None:
        if settings.BACKUP_DIR:
            require_folder(settings.BACKUP_DIR)
        with usable(settings.DATA_DIR):
            if connection.vendor == "sqlite":
                Path(settings.DATABASES["default"]["NAME"]).touch(mode=0o600)
            if not settings.DEBUG:
                call_command("collectstatic", verbosity=0, interactive=False)
        call_command("migrate", verbosity=0, interactive=False)

    def _first_run(self) -> Account | None:
        """Make an organiser, and something to look at, where there is neither."""
        if User.objects.filter(is_staff=True).exists():
            return None
        if not Cup.objects.exists():
            self.stdout.write("Tehdään esittelyturnaus… / Making a demo cup…")
            replay(read_facts(FIXTURE))
        return admit_organiser(name=_free_name())


def _free_name() -> str:
    """Return a name for the first organiser that no scorekeeper has."""
    taken = set(
        User.objects.filter(username__startswith=FIRST_ORGANISER).values_list(
            "username", flat=True
        )
    )
    others = (f"{FIRST_ORGANISER}-{number}" for number in count(2))
    return next(name for name in chain([FIRST_ORGANISER], others) if name not in taken)


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) < 65536:
        return int(text)
    raise CommandError(f"PORT on luku väliltä 1–65535, ei ”{text}”.")


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Portti {port} on jo käytössä: onko Komppa jo käynnissä? "
            f"Toinen portti: make run PORT={port + 1}"
        )
    if error.errno == errno.EACCES:
        return f"Porttia {port} ei saa käyttää tällä tunnuksella; valitse yli 1023."
    return f"Osoitetta ”{host}” ei ole tällä koneella ({error.strerror or error})."


def _greeting(host: str, port: int, account: Account | None) -> Iterator[str]:
    """Yield what to tell at the start: where it is, and how to get in."""
    own = own_address(host, port)
    hall = hall_addresses(host, port)
    yield ""
    yield "Komppa on käynnissä. / Komppa is running."
    yield ""
    if settings.PUBLIC_URL:
        own, hall = f"{settings.PUBLIC_URL}/", []
        yield f"  osoite / address           {own}"
    else:
        yield f"  tällä koneella / here      {own}"
    for address in hall:
        yield f"  salissa / in the hall      {address}"
    if host in EVERYWHERE and not settings.PUBLIC_URL and not hall:
        yield "  Ei verkkoa: yhdistä ja käynnistä uudelleen. / No network."
    yield f"  järjestäjä / organiser     {own}admin/"
    yield from _way_in(account)
    if settings.BACKUP_DIR:
        yield f"  varmuuskopiot / backups    {settings.BACKUP_DIR}"
    yield ""
    for address in hall[:1]:
        yield from _qr_code(address)
        yield f"    {address}"
        yield ""
    yield "Lopeta / Stop: Ctrl+C"


def _way_in(account: Account | None) -> Iterator[str]:
    if account:
        yield f"    tunnus / user name       {account.user.username}"
        yield f"    salasana / password      {account.password}"
        yield "    Salasana näytetään vain tämän kerran. / It is shown only this once."
        return
    name = User.objects.filter(is_staff=True).order_by("pk")[0].username
    yield f"    tunnus / user name       {name}"
    yield f"    uusi salasana / new password: {_python()} manage.py organiser {name}"


def _qr_code(address: str) -> list[str]:
    drawn = StringIO()
    segno.make(address, micro=False).terminal(drawn, compact=True)
    lines = drawn.getvalue().splitlines()
    if sys.stdout.isatty():
        # Light on dark, whatever colours the terminal has.
        lines = [f"\x1b[97;40m{line}\x1b[0m" for line in lines]
    return lines


def _python() -> str:
    """Return how to call this very Python from where make was called."""
    path = os.path.relpath(sys.executable)
    return "python" if path.startswith("..") else path
