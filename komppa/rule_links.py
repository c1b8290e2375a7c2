"""A rule's number, wherever it is cited, as a link to that rule of the cup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString

from komppa.rulebook import is_rule

if TYPE_CHECKING:
    from komppa.cup.models import Cup

# A tag is passed over whole, so that nothing in its attributes is taken for a rule.
_PIECES = re.compile(r"(<[^>]*>|\bR[0-9]{1,2}(?:\.[0-9]{1,2})?(?!\.?\w))")


def rule_link(
    number: str | None, cup: Cup, *, is_new_tab: bool = False, name: str = ""
) -> SafeString:
    """Return the link to a rule, nothing if there is none of that number.

    ``name`` is the link's id, by which a part that changes under the reader gives
    him back the focus. On a page where something is typed the rule takes a new tab.
    """
    if not number or not is_rule(number):
        return SafeString("")
    address = reverse("live:rules", args=[cup.slug])
    return format_html(
        '<a class="rule"{}{} href="{}#{}">{}</a>',
        format_html(' id="{}"', name) if name else "",
        SafeString(' target="_blank" rel="noopener"') if is_new_tab else "",
        address,
        number,
        number,
    )


def linked(text: Any, cup: Cup, *, is_new_tab: bool = False) -> SafeString:
    """Return a sentence with each rule that it cites linked, and the rest escaped.

    For sentences of our own: a team may well be called R5.2.
    """
    pieces = _PIECES.split(conditional_escape(text))
    return format_html_join("", "{}", _linked_pieces(pieces, cup, is_new_tab))


def _linked_pieces(
    pieces: Iterable[str], cup: Cup, is_new_tab: bool
) -> Iterator[tuple[SafeString]]:
    for piece in pieces:
        link = rule_link(piece, cup, is_new_tab=is_new_tab)
        yield (link or SafeString(piece),)
