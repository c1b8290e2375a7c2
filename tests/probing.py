"""Parts and pages for trying the stream, and the site with them on board.

``place`` shows the cup's place, ``place-N`` for N up to 9 that and N; ``name`` only
the cup's name; ``broken`` fails while the place is "broken"; ``cups`` is the front
page's; ``rows`` has one of each thing that the page's script takes care of.

As ``tests.probing:application`` this is a server for ``tests.site``.
"""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path

from django.conf import settings
from django.http import HttpResponse, JsonResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

TEMPLATES = Path(__file__).parent / "templates"
rendered: list[str] = []
"""The names of the parts rendered in this process, in order."""


def register_parts():
    from komppa.cup.queries import visible_cups
    from komppa.parts import register

    def place(cup, number):
        rendered.append("place")
        return None if cup is None or (number or 1) > 9 else {"number": number}

    def name(cup, number):
        rendered.append("name")
        return None if cup is None or number else {"cup": {"place": cup.name}}

    def broken(cup, number):
        rendered.append("broken")
        if cup.place == "broken":
            raise ZeroDivisionError
        return {}

    def rows(cup, number):
        # A place like "3 x" makes three rows, the last of which says x.
        count, _, last = cup.place.partition(" ")
        return {"rows": range(int(count)), "last": last}

    def cups(cup, number):
        return None if cup else {"cups": visible_cups()}

    register("place", "probe/place.html", place)
    register("name", "probe/place.html", name)
    register("broken", "probe/place.html", broken)
    register("rows", "probe/rows.html", rows)
    register("cups", "probe/cups.html", cups)


def move(cup, place):
    """Change the cup by the way that every service goes."""
    from komppa.cup.changes import changing

    with changing(cup) as locked:
        locked.place = place
        locked.save(update_fields=["place"])
        return locked.revision + 1


# These two stand only in the tests' own server, and are asked without a page before.
@csrf_exempt
def move_here(request, slug, place):
    from komppa.cup.models import Cup

    return HttpResponse(move(Cup.objects.get(slug=slug), place))


@csrf_exempt
def echo(request):
    meta = {key: value for key, value in request.META.items() if type(value) is str}
    about = {
        "meta": meta,
        "path": request.path,
        "query": request.GET.dict(),
        "length": len(request.body),
        "host": request.get_host(),
        "scheme": request.scheme,
        "thread": threading.current_thread().name,
    }
    return JsonResponse(about)


def crash(request):
    raise ZeroDivisionError


def large(request, size):
    return HttpResponse(b"x" * size, content_type="text/plain")


def slow(request, milliseconds):
    time.sleep(milliseconds / 1000)
    return HttpResponse("done")


PAGE = """<!doctype html><html lang="fi"><head><title>{slug}</title>
<script src="/static/komppa/live.js" defer></script></head>
<body data-live data-events="/events/{slug}/" data-revision="{revision}"
 data-language="fi"><input id="elsewhere">{parts}
<p data-live-status data-text-stale="katkesi" data-text-live="palasi"
 data-text-gone="poistui"></p></body></html>"""


def page(request, slug):
    """A page as bare as they get, with the asked parts, or as they were at ``old``."""
    from komppa.cup.models import Cup
    from komppa.parts import render_part

    cup = Cup.objects.get(slug=slug)
    names = request.GET.get("parts", "place").split(",")
    revision = int(request.GET.get("old", cup.revision))
    parts = [
        f'<div id="{name}-part" data-part="{name}">{html}</div>'
        for name in names
        for html in ["old" if "old" in request.GET else render_part(cup, name)]
    ]
    return HttpResponse(PAGE.format(slug=slug, revision=revision, parts="".join(parts)))


urlpatterns = [
    path("test/move/<slug:slug>/<str:place>/", move_here),
    path("test/echo/", echo),
    path("test/crash/", crash),
    path("test/large/<int:size>/", large),
    path("test/slow/<int:milliseconds>/", slow),
    path("test/page/<slug:slug>/", page),
    path("", include("komppa.urls")),
]


def _application():
    settings.TEMPLATES[0]["DIRS"].append(TEMPLATES)
    settings.ROOT_URLCONF = __name__
    from komppa import asgi
    from komppa.live import channel, hub

    register_parts()
    for name, value in json.loads(os.environ.get("KOMPPA_TEST_CLOCK", "{}")).items():
        setattr(hub if hasattr(hub, name) else channel, name, value)
    return asgi.application


def __getattr__(name):
    # Made when the server asks for it: tests import this module for its parts.
    if name == "application":
        return _application()
    raise AttributeError(name)
