"""The organiser's pages of disputed deals, as a browser uses them."""

from __future__ import annotations

import html
import json
import re
from uuid import uuid4

from django.urls import reverse

from komppa.sheets.queries import course_of
from komppa.sheets.services import take_back_deal
from tests.sheets.posts import text
from tests.sheets.recorded import REASON


def page_of(game):
    return reverse("sheets:records", args=[game.cup.slug, game.number])


def form_of(game, number=1):
    return reverse("sheets:attach_record", args=[game.cup.slug, game.number, number])


def back_of(made):
    game = made.game
    return reverse(
        "sheets:take_back_record", args=[game.cup.slug, game.number, made.pk]
    )


class Desk:
    """The page in an organiser's browser: its hidden fields go along."""

    def __init__(self, client, address):
        self.client = client
        self.address = address
        self.answer = client.get(address)

    def send(self, **typed):
        self.answer = self.client.post(self.address, {**self.hidden, **typed})
        return self

    def look(self, told, **typed):
        typed = {"document": json.dumps(told), "look": "1", **typed}
        return self.send(**typed)

    def save(self, **typed):
        typed = {"document": self.typed, "reason": REASON, "save": "1", **typed}
        return self.send(**typed)

    @property
    def hidden(self):
        body = self.answer.content.decode()
        names = ("version", "seen", "stamp")
        found = {}
        for name in names:
            tag = re.search(rf'<input type="hidden" name="{name}"[^>]*>', body)
            value = re.search(r'value="([^"]*)"', tag[0]) if tag else None
            found[name] = value[1] if value else ""
        return found

    @property
    def typed(self):
        body = self.answer.content.decode()
        area = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", body, re.DOTALL)
        return html.unescape(area[1])

    @property
    def errors(self):
        body = self.answer.content.decode()
        lists = re.findall(r'<ul class="errorlist.*?</ul>', body, re.DOTALL)
        notes = re.findall(r'<p class="errornote.*?</p>', body, re.DOTALL)
        found = [item for each in lists for item in re.findall("<li>(.*?)</li>", each)]
        return [*(html.unescape(item) for item in found), *map(text, notes)]


def without_record(game):
    """Take back the game's last deal, from under its record."""
    entry = course_of(game).last.entry
    seen = {"number": entry.number, "version": entry.version}
    take_back_deal(game=game, key=uuid4(), by=None, **seen)
