"""What a page says, and what of it is Finnish."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import django
from babel.messages.pofile import read_po
from django.utils import translation

from komppa.words_of_cards import card_name
from scoring.cards import PACK
from tests.catalog import forms, messages
from tests.serving import ROOT

SPOKEN_ATTRIBUTES = re.compile(r"alt|aria-label|placeholder|title|data-(label|text-.*)")
LETTER = r"[^\W\d_]"


class Page(HTMLParser):
    """What a page says: its texts, and the attributes that are read or shown."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.headings: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style", "code", "h1"):
            self._open.append(tag)
        given = dict(attrs)
        for name, value in attrs:
            if (
                SPOKEN_ATTRIBUTES.fullmatch(name)
                or (name == "value" and given.get("type") == "submit")
                # The words of the sheet's scripts.
                or ("data-sheet-words" in given and not name.endswith("-url"))
            ):
                self._say(value or "")

    def handle_endtag(self, tag):
        if tag in self._open:
            self._open.remove(tag)

    def handle_data(self, data):
        if not {"script", "style", "code"} & set(self._open):
            self._say(data)
        if "h1" in self._open:
            self.headings.append(data.strip())

    def _say(self, text: str) -> None:
        if text.strip():
            self.texts.append(" ".join(text.split()))

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


def finnish_in(text: str, language: str) -> set[str]:
    """Return what of Finnish is found in a page of that language."""
    found = {
        finnish
        for finnish, pattern in finnish_patterns(language)
        if pattern.search(text)
    }
    own = own_words_with_dots(language)
    return found | {word for word in words_with_dots(text) if word.lower() not in own}


@cache
def finnish_patterns(language: str) -> list[tuple[str, re.Pattern[str]]]:
    patterns = []
    for message in messages(ROOT, language):
        for finnish, translated in forms(message):
            literal = re.sub(r"%\(\w+\)[sd]|{\w+}", "\0", finnish)
            if finnish == translated or len(re.findall(LETTER, literal)) < 4:
                continue
            parts = re.sub(r"^\W+|\W+$", "", literal).split("\0")
            pattern = "[^\n]+?".join(re.escape(part) for part in parts)
            patterns.append((finnish, re.compile(rf"(?<!\w){pattern}(?!\w)")))
    return patterns


def words_with_dots(text: str) -> set[str]:
    return set(re.findall(r"\w*[äöÄÖ]\w*", text))


@cache
def own_words_with_dots(language: str) -> frozenset[str]:
    """Return the words, ours and Django's, that the language itself so writes."""
    said = [said for m in messages(ROOT, language) for _finnish, said in forms(m)]
    with translation.override(language):
        # A suit and a rank, each a message, may make one word.
        said += map(card_name, PACK)
    for path in Path(django.__file__).parent.rglob(f"{language}/LC_MESSAGES/django.po"):
        with path.open("rb") as file:
            said += [said for m in read_po(file) if m.id for _english, said in forms(m)]
    return frozenset(words_with_dots("\n".join(said).lower()))
