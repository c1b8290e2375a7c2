"""What a tablet sends, and what it gets to see."""

from __future__ import annotations

import html
import re
from typing import Any
from uuid import uuid4

from django.urls import reverse

from komppa.cup.models import Game
from komppa.sheets.queries import course_of

PLAIN = {"suit_H": "A", "trump": "H", "last_trick": "A", "mattis": "5"}
"""Four taps: the trump by A in hearts, the last trick, five mattis."""


def address(game: Game, page: str = "sheet", number: int | None = None) -> str:
    return reverse(f"sheets:{page}", args=[game.cup.slug, number or game.number])


def post(game: Game, **typed: Any) -> dict[str, Any]:
    """Return a plain deal as the game's next one, what is typed in its place."""
    hidden = {"number": course_of(game).next_number, "key": str(uuid4())}
    return {**hidden, **PLAIN, **typed}


def blank(game: Game, **typed: Any) -> dict[str, Any]:
    """Return an empty form and only what is typed."""
    return {name: v for name, v in post(game).items() if name not in PLAIN} | typed


def back(game: Game, **changes: Any) -> dict[str, Any]:
    """Return what takes the game's last deal back."""
    entry = course_of(game).last.entry
    sent = {"number": entry.number, "version": entry.version, "key": str(uuid4())}
    return {**sent, **changes}


def text(answer) -> str:
    """Return what an answer says, without its tags."""
    body = answer if isinstance(answer, str) else answer.content.decode()
    bare = re.sub(r"<[^>]+>", " ", body)
    return " ".join(html.unescape(bare).split())


def hidden(answer, name: str, form: str = "deal-form") -> str:
    body = answer.content.decode()
    body = body[body.index(f'id="{form}"') :]
    return re.search(rf'name="{name}" value="([^"]*)"', body).group(1)


def ticked(answer) -> dict[str, str]:
    """Return what is chosen or typed in the form of an answer."""
    found = {}
    for tag in re.findall(r"<input [^>]*>", answer.content.decode()):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        kind, name = attributes.get("type"), attributes.get("name", "")
        if kind in ("radio", "checkbox") and re.search(r"\schecked\b", tag):
            found[name] = attributes.get("value", "on")
        if kind == "number" and attributes.get("value"):
            found[name] = attributes["value"]
    return {name: value for name, value in found.items() if value}


def rename(game: Game, a: str, b: str) -> None:
    for team, name in ((game.team_a, a), (game.team_b, b)):
        team.name = name
        team.save(update_fields=["name"])
