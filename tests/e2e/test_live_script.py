"""live.js alone, on a page as bare as they get."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from komppa.cup.choices import Visibility
from komppa.cup.models import Cup
from tests.factories import CupFactory
from tests.probing import move

pytestmark = pytest.mark.browser

COUNT_STREAMS = """
window.opened = [];
window.EventSource = class extends EventSource {
  constructor(address) { super(address); opened.push(this); }
};
"""
HIDE = """hidden => {
  Object.defineProperty(document, "hidden", {get: () => hidden, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def cup(transactional_db):
    return CupFactory(slug="demo", place="30 alku", revision=5)


@pytest.fixture
def visit(probe_site, page):
    """Return a function that opens the probe page."""
    page.add_init_script(COUNT_STREAMS)

    def open_page(query=""):
        page.goto(f"{probe_site.url}/test/page/demo/?{query}")
        return page

    return open_page


def state(page):
    return page.locator("body").get_attribute("data-live")


def expect_state(page, name):
    expect(page.locator("body")).to_have_attribute("data-live", name)


def text_of(page, part="place"):
    return page.locator(f"[data-part={part}]")


def streams(page):
    """Return the questions of the streams that were opened, and how many are open."""
    asked = page.evaluate("opened.map(source => new URL(source.url).search)")
    return asked, page.evaluate("opened.filter(s => s.readyState !== 2).length")


def wait_until(page, expression):
    """Playwright's own waiting for a function evaluates text, which the CSP forbids."""
    for _ in range(100):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {expression}")


def test_page_changes_by_itself(visit, cup):
    page = visit()
    expect_state(page, "live")

    move(cup, "31 Kumpula")

    expect(text_of(page)).to_contain_text("31 Kumpula")
    assert streams(page) == (["?lang=fi&since=5&parts=place"], 1)
    assert page.locator("[data-live-status]").text_content() == ""


def test_page_that_was_old_when_it_came_is_refreshed(visit, cup):
    page = visit("old=3")

    expect(text_of(page)).to_contain_text("30 alku")


def test_fragment_older_than_what_is_shown_is_dropped(visit, cup):
    page = visit()
    expect_state(page, "live")
    part = '{"part":"place","revision":%d,"html":"%s"}'
    say = "data => opened[0].dispatchEvent(new MessageEvent('part', {data}))"

    page.evaluate(say, part % (9, "nine"))
    page.evaluate(say, part % (8, "eight"))

    assert text_of(page).text_content() == "nine"


def test_database_put_back_is_shown_though_its_revision_is_lower(visit, cup):
    page = visit()
    expect_state(page, "live")

    Cup.objects.update(revision=2, place="1 ennen")

    expect(text_of(page)).to_contain_text("1 ennen")


def test_what_changed_is_marked_for_a_while(visit, cup):
    page = visit("parts=rows")
    expect_state(page, "live")

    move(cup, "30 loppu")

    expect(page.locator(".is-updated")).to_have_count(2)
    assert page.locator(".is-updated").evaluate_all(
        "marked => marked.map(element => element.dataset.key)"
    ) == ["place", "row-1"]
    expect(page.locator(".is-updated")).to_have_count(0)


def test_swap_keeps_focus_open_details_and_scroll(visit, cup):
    page = visit("parts=rows")
    expect_state(page, "live")
    page.evaluate(
        """() => {
          more.open = true; less.open = false; field.focus();
          field.setSelectionRange(1, 3);
        }"""
    )

    move(cup, "30 loppu")
    expect(text_of(page, "rows")).to_contain_text("loppu")

    assert page.evaluate(
        """() => [more.open, less.open, document.activeElement.id,
          field.selectionStart, field.selectionEnd]"""
    ) == [True, False, "field", 1, 3]


def test_reader_stays_where_he_is_though_rows_come_above(visit, cup):
    page = visit("parts=rows")
    page.set_viewport_size({"width": 390, "height": 300})
    expect_state(page, "live")
    button = page.locator("#button-2")
    button.scroll_into_view_if_needed()
    before = button.bounding_box()["y"]

    move(cup, "60 loppu")
    expect(page.locator("li")).to_have_count(60)
    page.wait_for_timeout(200)

    assert button.bounding_box()["y"] == pytest.approx(before, abs=2)


def test_sideways_scroll_of_a_box_is_kept(visit, cup):
    page = visit("parts=rows")
    expect_state(page, "live")
    narrow = """() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("#box { width: 50px; overflow: auto } #box p { width: 900px }");
      document.adoptedStyleSheets = [sheet];
      box.scrollLeft = 200;
    }"""
    page.evaluate(narrow)

    move(cup, "30 loppu")
    expect(text_of(page, "rows")).to_contain_text("loppu")

    assert page.evaluate("box.scrollLeft") == 200


def test_only_what_is_to_be_announced_is_read_aloud(visit, cup):
    page = visit("parts=rows")
    expect_state(page, "live")
    voice = page.locator("body > [aria-live=polite]")
    assert voice.text_content() == ""

    move(cup, "30 loppu")

    expect(voice).to_have_text("loppu")


def test_swapped_part_tells_the_page(visit, cup):
    page = visit("parts=rows")
    page.evaluate(
        """() => {
          window.told = [];
          window.htmx = {process: element => told.push(["htmx", element.dataset.part])};
          document.addEventListener("komppa:swapped", event =>
            told.push([event.target.dataset.part, event.detail.revision]));
        }"""
    )
    expect_state(page, "live")

    move(cup, "30 loppu")
    expect(text_of(page, "rows")).to_contain_text("loppu")

    told = page.evaluate("told")
    assert ["rows", 6] in told
    assert ["htmx", "rows"] in told


def test_part_that_appears_is_asked_for(visit, cup):
    page = visit()
    expect_state(page, "live")
    page.evaluate(
        """() => {
          place.closest("[data-part]").insertAdjacentHTML(
            "afterend", '<div data-part="name"></div>');
          document.body.dispatchEvent(new Event("htmx:afterSettle"));
        }"""
    )

    move(cup, "31 Kumpula")

    expect(text_of(page, "name")).to_contain_text(cup.name)
    asked, still_open = streams(page)
    assert asked[-1].endswith("parts=name%2Cplace")
    assert still_open == 1


def test_hidden_page_listens_to_nothing_and_catches_up_when_seen(visit, cup):
    page = visit()
    expect_state(page, "live")

    page.evaluate(HIDE, True)
    assert streams(page)[1] == 0
    move(cup, "31 Kumpula")
    page.evaluate(HIDE, False)

    expect(text_of(page)).to_contain_text("31 Kumpula")
    assert streams(page)[0][-1] == "?lang=fi&since=5&parts=place"


def test_page_that_wakes_after_long_is_stale_until_it_has_caught_up(visit, cup):
    page = visit()
    expect_state(page, "live")
    page.clock.install()
    page.evaluate(
        """() => {
          window.states = [];
          new MutationObserver(() => states.push(document.body.dataset.live)).observe(
            document.body, {attributeFilter: ["data-live"]});
        }"""
    )

    page.evaluate(HIDE, True)
    page.clock.fast_forward(60_000)
    page.evaluate(HIDE, False)

    wait_until(page, "states.length === 2")
    assert page.evaluate("states") == ["stale", "live"]


def test_page_kept_by_the_browser_catches_up_when_it_is_returned_to(visit, cup):
    page = visit()
    expect_state(page, "live")

    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
    assert streams(page)[1] == 0
    page.evaluate(
        "dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"
    )

    wait_until(page, "opened.at(-1).readyState === 1")
    assert streams(page)[1] == 1


def test_lost_connection_is_told_and_made_anew(visit, cup, probe_site):
    page = visit()
    expect_state(page, "live")
    page.clock.install()
    page.route("**/events/**", lambda route: route.fulfill(status=503))
    page.route("**/test/page/**", lambda route: route.abort())
    page.evaluate("opened[0].close(); opened[0].dispatchEvent(new Event('error'))")

    page.clock.run_for(12_000)
    expect_state(page, "stale")
    status = page.locator("[data-live-status]")
    expect(status).to_have_text("katkesi")
    move(cup, "31 Kumpula")
    page.unroute("**/events/**")
    page.clock.run_for(40_000)

    expect(text_of(page)).to_contain_text("31 Kumpula")
    expect_state(page, "live")
    expect(status).to_have_text("palasi")
    page.clock.run_for(5_000)
    expect(status).to_have_text("")


def test_stream_that_has_gone_silent_is_made_anew(visit, cup):
    page = visit()
    expect_state(page, "live")
    page.clock.install()
    page.evaluate(
        """() => {
          const silent = opened[0];
          silent.addEventListener = () => {};
          Object.defineProperty(silent, "readyState", {get: () => 1});
          EventSource.prototype.close.call(silent);
        }"""
    )

    page.clock.run_for(45_000)

    wait_until(page, "opened.length === 2 && opened[1].readyState === 1")
    expect_state(page, "live")


def test_page_without_a_stream_is_fetched_now_and_then(visit, cup):
    page = visit()
    page.route("**/events/**", lambda route: route.fulfill(status=503))
    page.clock.install()
    page.reload()
    expect(text_of(page)).to_contain_text("30 alku")
    fetched = []
    page.on("request", lambda request: fetched.append(request.url))
    move(cup, "31 Kumpula")

    page.clock.run_for(12_000)
    expect(text_of(page)).to_contain_text("31 Kumpula")
    expect_state(page, "live")
    fetched.clear()
    page.clock.run_for(60_000)

    pages = [url for url in fetched if "/test/page/" in url]
    assert len(pages) in (1, 2)


def test_page_that_cannot_be_had_at_all_says_so(visit, cup):
    page = visit()
    expect_state(page, "live")
    page.clock.install()
    page.context.set_offline(True)

    expect_state(page, "stale")
    page.clock.run_for(60_000)
    expect_state(page, "stale")
    page.context.set_offline(False)
    move(cup, "31 Kumpula")
    page.clock.run_for(2_000)

    expect(text_of(page)).to_contain_text("31 Kumpula")
    expect_state(page, "live")


def test_cup_made_a_draft_says_goodbye(visit, cup):
    page = visit()
    expect_state(page, "live")

    Cup.objects.update(visibility=Visibility.DRAFT)

    expect_state(page, "gone")
    expect(page.locator("[data-live-status]")).to_have_text("poistui")
    assert streams(page)[1] == 0


def test_part_that_is_gone_says_so_while_the_others_go_on(visit, cup):
    page = visit()
    page.evaluate(
        """() => place.closest("[data-part]").insertAdjacentHTML(
          "afterend", '<div data-part="place-10">old</div>')"""
    )
    page.evaluate("document.body.dispatchEvent(new Event('htmx:afterSettle'))")

    move(cup, "31 Kumpula")

    expect(text_of(page)).to_contain_text("31 Kumpula")
    expect_state(page, "gone")
    assert streams(page)[1] == 1
