"""Codes that a phone's camera reads."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString


def qr_svg(text: str) -> SafeString:
    """Return the code as inline SVG, black on white also on a dark page."""
    drawn = segno.make(text, micro=False).svg_inline(
        dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None
    )
    # Modules and colours alone: nothing of the text stands in the drawing.
    return SafeString(drawn)
