"""The public pages in a browser: nothing sticks out, nothing is refused."""

from __future__ import annotations

import pytest

from komppa.cup import services
from tests.e2e.looking import sticking_out_of
from tests.factories import CupFactory, TeamFactory, play_out, record

pytestmark = pytest.mark.browser

WIDTHS = [360, 820, 1920]
CUP_PAGES = ["groups", "games", "bracket", "rules", "rules/referee"]
PATHS = ["/", "/long/", *(f"/long/{page}/" for page in CUP_PAGES)]


@pytest.fixture
def cup(site):
    """Names of 40 letters without a space, a game won, one in play."""
    cup = CupFactory(slug="long", name="N" * 40, place="P" * 40)
    for letter in "ABCDEF":
        TeamFactory(cup=cup, name=letter * 40)
    draw = services.draft_draw(cup=cup, group_count=2, by=None)
    services.confirm_draw(draw=draw, by=None)
    games = services.make_group_games(cup=cup, table_count=2, by=None)
    play_out(games[0], loser_sets=1)
    record(games[1])
    return cup


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.usefixtures("cup")
def test_pages_fit_their_screen_whatever_the_names(site, page, width):
    page.set_viewport_size({"width": width, "height": 800})

    sticking_out = {}
    for path in [*PATHS, "/long/games/1/", "/long/games/2/", "/long/games/3/"]:
        page.goto(site.url + path)
        sticking_out[path] = sticking_out_of(page)

    assert {path: over for path, over in sticking_out.items() if over > 0} == {}


@pytest.mark.usefixtures("cup")
def test_pages_bring_nothing_that_the_browser_refuses(site, page):
    complaints = []
    page.on("console", lambda message: complaints.append((message.type, message.text)))
    page.on("pageerror", lambda error: complaints.append(("error", str(error))))

    for path in [*PATHS, "/long/games/1/", "/login/"]:
        page.goto(site.url + path)
        page.wait_for_load_state("load")

    assert [said for kind, said in complaints if kind in ("error", "warning")] == []


@pytest.mark.usefixtures("cup")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_look_the_same_with_and_without_javascript(site, browser, scheme):
    grounds = []
    for enabled in (True, False):
        context = browser.new_context(java_script_enabled=enabled, color_scheme=scheme)
        page = context.new_page()
        page.goto(f"{site.url}/long/")
        paper = page.locator(".paper").first
        grounds.append(paper.evaluate("e => getComputedStyle(e).backgroundColor"))
        context.close()

    assert grounds[0] == grounds[1]
    assert (
        grounds[0] == {"light": "rgb(255, 253, 247)", "dark": "rgb(24, 39, 31)"}[scheme]
    )
