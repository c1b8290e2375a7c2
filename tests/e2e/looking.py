"""What a page is like for those who do not see it, or have no mouse."""

from __future__ import annotations

from collections.abc import Iterable

from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from playwright.sync_api import Page

from tests.addresses import explore

Size = tuple[int, int]
PHONE, DESKTOP = (390, 844), (1280, 900)
LOOKS = [("light", PHONE), ("dark", DESKTOP)]
OTHER_LOOKS = [("light", DESKTOP), ("dark", PHONE)]
"""What differs here from the two above is the contrast of colours."""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RULES = {"type": "tag", "values": TAGS}
CONTRAST = {"type": "rule", "values": ["color-contrast"]}

AXE = Axe().axe_script
RUN = """async (runOnly) => {
  const options = {resultTypes: ["violations"], runOnly};
  const {violations} = await axe.run(options);
  return violations.flatMap(({id, nodes}) =>
    nodes.map(({target, html, failureSummary}) =>
      [id, target[0], html, failureSummary]));
}"""
# Colours that change by and by are judged when they have changed.
SETTLE = "document.getAnimations().forEach((moving) => moving.cancel())"
LEADING_NOWHERE = """() => {
  const names = ["aria-describedby", "aria-labelledby", "aria-controls", "for"];
  return names.flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)].flatMap((element) =>
      element.getAttribute(name).split(/\\s+/)
        .filter((id) => id && !document.getElementById(id))
        .map((id) => `${name}=${id}`)));
}"""
FOCUS = """() => {
  const element = document.activeElement;
  // A radio button is drawn by its label.
  const drawn = [element, ...(element.labels ?? [])];
  const isOutlined = drawn.some((each) => {
    const {outlineStyle, outlineWidth} = getComputedStyle(each);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
  const isSeen = drawn.some((each) => {
    const {left, top, width, height} = each.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const above = width > 1 && document.elementFromPoint(x, y);
    return above && drawn.some((mine) => mine.contains(above) || above.contains(mine));
  });
  const name = element.labels?.[0] ?? element;
  return {
    text: name.textContent.trim().replace(/\\s+/g, " ").slice(0, 80),
    kind: element.type || element.localName,
    href: element.getAttribute("href") ?? "",
    // What the skip link leads to is the whole page, as is what comes after its end.
    isVisible: (isOutlined && isSeen) || element.matches("body, #content"),
  };
}"""


def paths_for(user: User | None, *starts: str, most: int) -> list[str]:
    """Return the pages that links lead this user to, so many of a kind."""
    client = Client()
    if user:
        client.force_login(user)
    return [
        path
        for route, of_route in explore(client, *starts, most=3).pages.items()
        for path in of_route[:most]
        if not route.startswith("language/") and _is_page(client.get(path))
    ]


def _is_page(answer: HttpResponse) -> bool:
    kind = answer.headers.get("Content-Type", "")
    return answer.status_code == 200 and kind.startswith("text/html")


def violations(page: Page, looks: Iterable[tuple[str, Size]] = ()) -> list[str]:
    """Return what axe finds wrong in these colour schemes and sizes, or in all."""
    page.evaluate(AXE)
    found = page.evaluate(LEADING_NOWHERE)
    asked = [(look, RULES) for look in looks or LOOKS]
    if not looks:
        asked += [(look, CONTRAST) for look in OTHER_LOOKS]
    for (scheme, (width, height)), rules in asked:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLE)
        for told in page.evaluate(RUN, rules):
            found.append(f"{scheme}, {width} px: {': '.join(told)}")
    return found


def press(page: Page, *keys: str) -> dict[str, str]:
    """Press the keys, and return where the focus then is, which must be seen."""
    for key in keys:
        page.keyboard.press(key)
        focus = page.evaluate(FOCUS)
        assert focus["isVisible"], (key, focus)
    return focus


def tab_to(page: Page, text: str, *, key: str = "Tab", most: int = 80) -> None:
    """Press the key until what has the focus says the text, or leads to it."""
    passed = []
    for _ in range(most):
        focus = press(page, key)
        if text in (focus["text"], focus["href"]):
            return
        passed.append(focus["text"] or focus["href"])
        if focus["kind"] == "body":
            break
    raise AssertionError(f"{text!r} is not among {passed}")


def sticking_out_of(page: Page) -> int:
    """Return by how many pixels a page is wider than its screen, 0 if it fits.

    A browser with windows may lay a new page out once in the window's own width.
    """
    over = 0
    for _look in range(20):
        over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        if over <= 0:
            return 0
        page.wait_for_timeout(50)
    return over
