"""Every address of the site: the patterns of its URL conf, and what links lead to."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.test import Client
from django.urls import Resolver404, URLResolver, get_resolver, resolve

MOST_OF_A_KIND = 10
MOST_IN_A_CUP = 4
"""How many addresses of one pattern are opened at most, in all and of one cup."""

PLACE = re.compile(r"<(?:(\w+):)?(\w+)>")
"""A place for an argument in a route."""


def routes() -> list[str]:
    """Return the route of every pattern, as Django writes it."""
    return list(dict.fromkeys(_walk(get_resolver(), "")))


def _walk(resolver: URLResolver, before: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern, route)
        else:
            yield route


def route_of(address: str) -> str | None:
    """Return the route that the address takes, None if it leads nowhere."""
    try:
        return resolve(urlsplit(address).path).route
    except Resolver404:
        return None


def with_arguments(address: str, **changed: str) -> str:
    """Return the address with other arguments, which stand as they are in the URL."""
    match = resolve(urlsplit(address).path)
    values = {name: str(value) for name, value in match.kwargs.items()} | changed
    return "/" + PLACE.sub(lambda place: values[place[2]], match.route)


@dataclass(frozen=True, slots=True)
class Form:
    """What one form on a page would send, as it stands there."""

    action: str
    method: str
    values: list[tuple[str, str]] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    """The names of what nobody sees."""
    chosen: list[str] = field(default_factory=list)
    """The names of what is chosen among what is offered."""

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(name for name, _value in self.values))

    @property
    def shape(self) -> tuple[str, ...]:
        """Its fields' names without their numbers: forms of one shape are alike."""
        return tuple(sorted({kind_of(name) for name in self.names}))


def kind_of(name: str) -> str:
    return re.sub(r"[0-9]+", "#", name)


@dataclass(frozen=True, slots=True)
class Map:
    """What was found by following every link and form from the front pages."""

    pages: dict[str, list[str]]
    """The addresses of each route."""
    forms: dict[str, list[Form]]
    """The forms that are posted to each route, one of each shape and address."""
    queries: frozenset[str]
    """The names of the fields that links and forms put into addresses."""


def explore(client: Client, *starts: str, most: int = MOST_OF_A_KIND) -> Map:
    """Follow everything that the pages show to this visitor, so many of a kind."""
    pages: dict[str, list[str]] = {}
    forms: dict[str, dict[tuple[str, tuple[str, ...]], Form]] = {}
    queries: set[str] = set()
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = deque(starts)
    while waiting:
        address = waiting.popleft()
        route = route_of(address)
        whole = urlsplit(address)
        asked = frozenset(name for name, _ in parse_qsl(whole.query, True))
        queries |= asked
        if route is None or (whole.path, asked) in seen:
            continue
        known = pages.setdefault(route, [])
        alike = [other for other in known if _cup_of(other) == _cup_of(address)]
        if len(known) >= most or len(alike) >= MOST_IN_A_CUP:
            continue
        seen.add((whole.path, asked))
        known.append(address)
        answer = client.get(address)
        if "Location" in answer.headers:
            waiting.append(urljoin(address, answer.headers["Location"]))
        elif answer.headers.get("Content-Type", "").startswith("text/html"):
            found = _Reader(address)
            found.feed(answer.content.decode())
            waiting.extend(found.links)
            for form in found.forms:
                if form.method == "get":
                    queries.update(name for name, _ in form.values)
                    continue
                route = route_of(form.action) or ""
                kind = (form.action, form.shape)
                forms.setdefault(route, {}).setdefault(kind, form)
    for route, by_kind in forms.items():
        pages.setdefault(route, []).extend(form.action for form in by_kind.values())
    return Map(
        {route: list(dict.fromkeys(found)) for route, found in pages.items()},
        {route: list(by_kind.values()) for route, by_kind in forms.items()},
        frozenset(queries),
    )


def _cup_of(address: str) -> object:
    """Return what an address says first, which on most pages is the cup."""
    return next(iter(resolve(urlsplit(address).path).kwargs.values()), None)


class _Reader(HTMLParser):
    """Finds the links and forms of a page."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self.links: list[str] = []
        self.forms: list[Form] = []
        self._open: list[Form] = []
        """The form that is being read, once for each address it may be sent to."""
        self._select = ""

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        if tag in ("a", "script"):
            self._follow(given.get("href") or given.get("src"))
        elif tag == "form":
            self._open = []
            self._send_to(given.get("action", ""), given.get("method", "get"))
            self._send_to(given.get("hx-post"), "post")
        elif "hx-post" in given:
            self._send_to(given["hx-post"], "post")
        elif tag in ("input", "button", "select", "textarea"):
            self._send_to(given.get("formaction"), "post")
            self._field(tag, given.get("name"), given)
        elif tag == "option" and self._select:
            self._put(self._select, given.get("value", ""), "selected" in given)

    def handle_endtag(self, tag):
        if tag == "form":
            self._open = []
        elif tag == "select":
            self._select = ""

    def _follow(self, target):
        whole = urlsplit(urljoin(self.address, target or ""))
        if target and not whole.netloc and not whole.scheme:
            self.links.append(whole._replace(fragment="").geturl())

    def _send_to(self, action, method):
        if action is not None:
            form = Form(urljoin(self.address, action), method.lower())
            if self._open:
                form.values.extend(self._open[0].values)
            self._open.append(form)
            self.forms.append(form)

    def _field(self, tag, name, given):
        # The test client does without the token.
        if not name or name == "csrfmiddlewaretoken":
            return
        kind, value = given.get("type", ""), given.get("value", "")
        for form in self._open:
            if kind == "hidden":
                form.hidden.append(name)
            if tag == "select" or kind in ("radio", "checkbox"):
                form.chosen.append(name)
        if tag == "select":
            self._select = name
        elif kind == "radio":
            is_chosen = "checked" in given
            self._put(name, value if is_chosen else "", is_chosen)
        else:
            self._add(name, value)

    def _add(self, name, value):
        for form in self._open:
            form.values.append((name, value))

    def _put(self, name, value, again):
        """Give a field one value, its first unless there is a better one."""
        for form in self._open:
            if again:
                form.values[:] = [pair for pair in form.values if pair[0] != name]
            if name not in form.names:
                form.values.append((name, value))
