"""The colours: the two dark blocks are one, and every text can be read."""

from __future__ import annotations

import re

import pytest
from django.conf import settings

CSS = (settings.BASE_DIR / "static/komppa/tokens.css").read_text()
# Text on its ground, as the style sheets use them.
READ_TOGETHER = [
    ("on-felt", "felt"),
    ("on-felt-muted", "felt"),
    ("on-felt", "felt-deep"),
    ("on-felt-muted", "felt-deep"),
    ("ink", "paper"),
    ("ink", "paper-sunk"),
    ("ink-muted", "paper"),
    ("ink-muted", "paper-sunk"),
    ("suit-red", "paper"),
    ("good", "paper"),
    ("good", "good-soft"),
    ("bad", "paper"),
    ("bad", "bad-soft"),
    ("alert", "alert-soft"),
    ("action", "paper"),
    ("action-strong", "paper"),
    ("on-action", "action"),
    ("on-gold", "gold"),
]
SEEN_TOGETHER = [
    ("focus", "paper"),
    ("focus-felt", "felt"),
    ("focus-felt", "felt-deep"),
    ("field-line", "paper"),
    ("gold", "felt"),
]


def block(selector: str) -> dict[str, str]:
    body = CSS.split(selector, 1)[1].split("{", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([\w-]+): ([^;]+);", body))


LIGHT = block(":root,")
DARK = block('\n[data-bs-theme="dark"] {'.replace(" {", ""))
THEMES = {"light": LIGHT, "dark": DARK}


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def test_dark_colours_are_the_same_without_javascript():
    assert block(":root:not([data-bs-theme])") == DARK


def test_both_themes_name_the_same_colours():
    assert LIGHT.keys() == DARK.keys()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "ground"), READ_TOGETHER)
def test_text_stands_out_from_its_ground(theme, text, ground):
    assert contrast(THEMES[theme][text], THEMES[theme][ground]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("mark", "ground"), SEEN_TOGETHER)
def test_mark_stands_out_from_its_ground(theme, mark, ground):
    assert contrast(THEMES[theme][mark], THEMES[theme][ground]) >= 3
