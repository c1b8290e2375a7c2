"""Rules in templates: ``{% rule_link "R5.2" cup %}``, ``{{ sentence|linked:cup }}``.

On a page where something is typed a rule takes a new tab: ``rule_link_aside``.
"""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.safestring import SafeString

from komppa import rule_links

register = template.Library()
register.filter("linked", rule_links.linked)


@register.filter
def linked_aside(text: object, cup: Any) -> SafeString:
    return rule_links.linked(text, cup, is_new_tab=True)


@register.simple_tag
def rule_link(number: str | None, cup: Any, *place: object) -> SafeString:
    """Link a rule; ``place`` tells it from the same rule elsewhere in a live part."""
    name = "-".join(map(str, (*place, number))) if place else ""
    return rule_links.rule_link(number, cup, name=name)


@register.simple_tag
def rule_link_aside(number: str | None, cup: Any) -> SafeString:
    return rule_links.rule_link(number, cup, is_new_tab=True)
