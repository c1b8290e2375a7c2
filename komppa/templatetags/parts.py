from __future__ import annotations

from typing import Any

from django import template
from django.http import Http404
from django.utils.html import format_html
from django.utils.safestring import SafeString

from komppa.parts import NoSuchPart, render_part

register = template.Library()


@register.simple_tag
def live_part(cup: Any, name: str, number: int | None = None) -> SafeString:
    """Render a part in the place where its updates will be swapped in.

    Raises Http404 where what it shows has gone since the page was begun.
    """
    full_name = name if number is None else f"{name}-{number}"
    try:
        body = render_part(cup, full_name)
    except NoSuchPart as gone:
        raise Http404(full_name) from gone
    return format_html('<div data-part="{}">{}</div>', full_name, body)
