"""The parts of pages that change by themselves while somebody looks at them.

A part has a name (``groups``, ``game-12``) and is rendered without any request, user
or token, so that the page that is opened and the update that is sent later come from
the same lines. Apps register theirs when Django starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.template.loader import render_to_string
from django.utils import timezone

if TYPE_CHECKING:
    from komppa.cup.models import Cup

Context = dict[str, Any]


class NoSuchPart(LookupError):
    """The cup has no part of that name."""


@dataclass(frozen=True, slots=True)
class Part:
    template: str
    context: Callable[[Cup | None, int | None], Context | None]
    """Given the cup (None on the front page) and the number in the name, if any."""


_parts: dict[str, Part] = {}


def register(
    kind: str,
    template: str,
    context: Callable[[Cup | None, int | None], Context | None],
) -> None:
    """Make parts named ``kind`` or ``kind-N`` known; a None context is a 404."""
    _parts[kind] = Part(template, context)


def render_part(cup: Cup | None, name: str) -> str:
    """Return the part's HTML in the active language. Raises NoSuchPart."""
    kind, dash, tail = name.partition("-")
    part = _parts.get(kind)
    if part is None or (dash and not (tail.isascii() and tail.isdigit())):
        raise NoSuchPart(name)
    if len(tail) > 6:
        raise NoSuchPart(name)
    with timezone.override(ZoneInfo(cup.time_zone) if cup else None):
        context = part.context(cup, int(tail) if tail else None)
        if context is None:
            raise NoSuchPart(name)
        return render_to_string(part.template, {"cup": cup, **context})
