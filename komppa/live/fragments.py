"""What the hub asks of the database and the templates, in its one worker thread.

Nothing here knows of clients or of the event loop. A *key* is a cup's id, or None
for the front page.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import close_old_connections
from django.utils import translation

from komppa.cup.models import Cup
from komppa.cup.queries import visible_cups
from komppa.live.revision import front_revision
from komppa.parts import NoSuchPart, render_part

P = ParamSpec("P")
R = TypeVar("R")
Key = int | None
PartKey = tuple[str, str]
"""A language and the name of a part."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Rendering:
    """The parts of one cup as they were at ``revision`` or a moment later."""

    slug: str
    revision: int
    is_settled: bool = True
    """Whether nothing was written meanwhile, so no part is newer than its stamp."""
    html: dict[PartKey, str] = field(default_factory=dict)
    missing: set[PartKey] = field(default_factory=set)
    failed: set[PartKey] = field(default_factory=set)


def in_worker(function: Callable[P, R]) -> Callable[P, R]:
    """Give a thread outside any request the connection care that requests have."""

    @wraps(function)
    def careful(*args: P.args, **kwargs: P.kwargs) -> R:
        close_old_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return careful


@in_worker
def find(slug: str) -> tuple[Key, int] | None:
    """Return the key and revision of a visible cup, or of the front page for ""."""
    if not slug:
        return None, front_revision()
    return visible_cups().filter(slug=slug).values_list("pk", "revision").first()


@in_worker
def revisions(keys: Collection[Key]) -> dict[Key, int]:
    """Return the revisions in the database of those that visitors may see."""
    ids = [key for key in keys if key is not None]
    found: dict[Key, int] = dict(
        visible_cups().filter(pk__in=ids).values_list("pk", "revision")
    )
    if None in keys:
        found[None] = front_revision()
    return found


@in_worker
def render(
    key: Key, wanted: Iterable[PartKey], known: Mapping[PartKey, int]
) -> Rendering | None:
    """Render the wanted parts, but not those known at the current revision.

    None if there is no such cup any more, or none that visitors may see.
    """
    cup: Cup | None = None
    if key is not None:
        cup = visible_cups().filter(pk=key).first()
        if cup is None:
            return None
    # Read before the parts are, so that a part is never older than its stamp.
    revision = front_revision() if cup is None else cup.revision
    made = Rendering(cup.slug if cup else "", revision)
    for part_key in sorted(wanted):
        if known.get(part_key) != revision:
            _render_into(made, cup, part_key)
    made.is_settled = _revision_now(key) == revision
    return made


def _revision_now(key: Key) -> int | None:
    if key is None:
        return front_revision()
    return Cup.objects.filter(pk=key).values_list("revision", flat=True).first()


def _render_into(made: Rendering, cup: Cup | None, part_key: PartKey) -> None:
    language, name = part_key
    try:
        with translation.override(language):
            made.html[part_key] = render_part(cup, name)
    except NoSuchPart:
        made.missing.add(part_key)
    except Exception:
        made.failed.add(part_key)
        logger.exception(
            "Part %s of %s was not rendered", name, made.slug or "the front page"
        )
