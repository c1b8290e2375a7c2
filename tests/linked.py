"""Whether a page tells what is wrong where somebody who does not see it hears of it."""

from __future__ import annotations

from html.parser import HTMLParser

ERRORS = {"errorlist", "errornote", "field-error", "invalid-feedback", "alert-danger"}
HEADINGS = ("Korjaa alla oleva virhe.", "Korjaa alla olevat virheet.")
"""Django's own, above errors that are each at their field."""

READ = {"list-preview"}
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "use"}


def unheard_errors(html: str) -> list[str]:
    """Return the errors on the page that no field refers to and no alert says.

    An error is heard if it, or what it stands in, is an alert or describes a field,
    or if it stands in a table of what was sent, of which an alert names the lines. A
    reference to what is not there counts as an error too.
    """
    page = _Page()
    page.feed(html)
    unheard = [
        text.strip()
        for ids, is_alert, text in page.errors
        if not is_alert and page.described.isdisjoint(ids)
        if text.strip() and not text.strip().startswith(HEADINGS)
    ]
    return unheard + [f"#{missing}" for missing in page.described - page.ids]


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.described: set[str] = set()
        """What fields say of themselves."""
        self.errors: list[tuple[set[str], bool, str]] = []
        self._open: list[tuple[str, str, bool, bool]] = []

    def handle_starttag(self, tag, attrs):
        given = {name: value or "" for name, value in attrs}
        self.ids.add(given.get("id", ""))
        self.described.update(given.get("aria-describedby", "").split())
        if tag not in VOID:
            classes = set(given.get("class", "").split())
            is_alert = given.get("role") in ("alert", "status") or bool(READ & classes)
            is_error = bool(ERRORS & classes)
            self._open.append((tag, given.get("id", ""), is_alert, is_error))

    def handle_endtag(self, tag):
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if any(is_error for _tag, _id, _is_alert, is_error in self._open):
            ids = {identity for _tag, identity, _is_alert, _is_error in self._open}
            is_alert = any(is_alert for _t, _id, is_alert, _is_error in self._open)
            self.errors.append((ids - {""}, is_alert, data))
