"""The bracket in a browser: drawn true, panned on a phone, seen whole on the wall."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from komppa.cup.models import Team
from komppa.cup.qualifying import bracket_games
from tests.cup.brackets import cup_with_bracket, decide, team_at
from tests.e2e.steps import PHONE
from tests.factories import play_out, record

pytestmark = pytest.mark.browser

SIXTEEN = {"teams": 16, "groups": 4, "qualifiers_per_group": 4}
CENTRES = """() => [...document.querySelectorAll(".bracket-column")].map((column) =>
  [...column.querySelectorAll(".bracket-place")].map((place) => {
    const game = place.querySelector(".bracket-game");
    if (!game) return null;
    const { top, bottom } = game.getBoundingClientRect();
    return (top + bottom) / 2;
  }))"""
FURTHEST = """() => {
  const boxes = [...document.querySelectorAll(".bracket-game")].map((game) =>
    game.getBoundingClientRect());
  return [
    Math.max(...boxes.map((box) => box.right)),
    Math.max(...boxes.map((box) => box.bottom)),
  ];
}"""


def games(cup):
    return list(bracket_games(cup).order_by("number"))


def win_all(cup):
    while waiting := [game for game in games(cup) if not game.is_finished]:
        decide(waiting[0])


def address(site, cup):
    return f"{site.url}/{cup.slug}/bracket/"


def give_long_names(cup):
    for number, team in enumerate(Team.objects.filter(cup=cup)):
        name = f"{number:02}" + "W" * 38
        Team.objects.filter(pk=team.pk).update(name=name, name_key=name.casefold())


@pytest.mark.parametrize(
    "facts",
    [
        {"teams": 8, "groups": 2},
        {"teams": 14, "groups": 7, "qualifiers_per_group": 1},
        {"teams": 16, "groups": 4, "qualifiers_per_group": 3},
        SIXTEEN,
    ],
    ids=["4 teams", "7 teams", "12 teams", "16 teams"],
)
@pytest.mark.parametrize("width", [360, 1920])
def test_every_game_stands_in_the_middle_of_those_it_comes_from(
    site, page, facts, width
):
    cup = cup_with_bracket(**facts)
    page.set_viewport_size({"width": width, "height": 1080})
    page.goto(address(site, cup))

    columns = page.evaluate(CENTRES)

    for before, after in pairwise(columns):
        step = len(before) // len(after)
        for index, centre in enumerate(after):
            feeders = before[index * step : (index + 1) * step]
            if None not in feeders:
                assert centre == pytest.approx(sum(feeders) / step, abs=1)


def test_connecting_lines_meet_the_games(site, page):
    """The line of each game ends where the line to the next begins."""
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(address(site, cup_with_bracket(teams=8, groups=2)))

    line = page.evaluate(
        """() => {
          const style = (selector, pseudo) =>
            getComputedStyle(document.querySelector(selector), pseudo);
          const first = style(".bracket-column:first-child .has-game", "::after");
          const last = style(".bracket-final", "::before");
          return [first.borderTopWidth, first.borderRightWidth, last.borderTopWidth];
        }"""
    )

    assert line == ["2px", "2px", "2px"]


@pytest.mark.parametrize("is_over", [False, True])
def test_sixteen_teams_are_seen_on_a_projector_without_scrolling(site, page, is_over):
    cup = cup_with_bracket(**SIXTEEN)
    give_long_names(cup)
    if is_over:
        win_all(cup)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(address(site, cup))

    right, bottom = page.evaluate(FURTHEST)

    assert (right <= 1920, bottom <= 1080) == (True, True), (right, bottom)


def test_long_names_are_cut_and_push_nothing_away(site, page):
    cup = cup_with_bracket(teams=8, groups=2)
    widths = []
    for _names in ("short", "long"):
        page.goto(address(site, cup))
        boxes = page.locator(".bracket-game").all()
        widths.append([box.bounding_box() for box in boxes])
        give_long_names(cup)

    assert widths[0] == widths[1]


@pytest.fixture
def phone(new_context):
    return new_context(**PHONE | {"viewport": {"width": 360, "height": 740}}).new_page()


def heading_in_sight(phone, name):
    box = phone.get_by_role("heading", name=name, exact=True).bounding_box()
    return 0 <= box["x"] < 360


def test_phone_opens_the_bracket_where_play_is(site, phone):
    cup = cup_with_bracket(**SIXTEEN)
    for game in games(cup)[:8]:
        decide(game)

    phone.goto(address(site, cup))

    expect(phone.locator("[data-here] h2")).to_be_in_viewport()
    seen = {
        name: heading_in_sight(phone, name)
        for name in ("Neljännesvälierät", "Puolivälierät", "Finaali")
    }
    assert seen == {
        "Neljännesvälierät": False,
        "Puolivälierät": True,
        "Finaali": False,
    }
    assert phone.evaluate("document.documentElement.scrollWidth") == 360


def test_bracket_is_panned_from_the_keyboard(site, phone):
    phone.goto(address(site, cup_with_bracket(**SIXTEEN)))
    pan = phone.get_by_role("region", name="Jatkopelien kaavio")
    pan.focus()

    positions = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        before = pan.evaluate("pan => pan.scrollLeft")
        phone.keyboard.press(key)
        phone.wait_for_function(
            "([pan, before]) => pan.scrollLeft !== before",
            arg=[pan.element_handle(), before],
        )
        phone.wait_for_timeout(300)
        positions.append(pan.evaluate("pan => pan.scrollLeft"))

    first, second, third = positions
    assert 0 < first < second > third


def test_every_game_is_reached_with_the_tabulator(site, phone):
    cup = cup_with_bracket(teams=8, groups=2)
    phone.goto(address(site, cup))
    phone.get_by_role("region", name="Jatkopelien kaavio").focus()

    reached = []
    for _game in range(4):
        phone.keyboard.press("Tab")
        focused = phone.locator(":focus")
        expect(focused).to_be_in_viewport()
        reached.append(focused.inner_text())

    assert reached == ["P13", "P14", "P16", "P15"]


def test_bracket_moves_by_itself_and_stays_where_it_was_panned(site, phone):
    cup = cup_with_bracket(teams=8, groups=2)
    first, second = games(cup)[:2]
    phone.goto(address(site, cup))
    pan = phone.get_by_role("region", name="Jatkopelien kaavio")
    pan.evaluate("pan => { pan.scrollLeft = 60; }")

    record(first)
    card = pan.locator(".bracket-game", has_text="P13").first
    expect(card).to_contain_text(re.compile(r"Erät\s*0\s*Pisteet\s*2"))
    play_out(second)

    final = pan.locator(".bracket-final")
    expect(final).to_contain_text(team_at(cup, "B1").name)
    assert pan.evaluate("pan => pan.scrollLeft") == 60


def test_champion_appears_on_an_open_page(site, phone):
    cup = cup_with_bracket(teams=3, groups=1)
    phone.goto(f"{site.url}/{cup.slug}/")
    expect(phone.get_by_text("Mestari")).to_have_count(0)

    decide(games(cup)[0], "B")

    champion = phone.get_by_role("region", name=team_at(cup, "A2").name)
    expect(champion).to_be_visible()
    expect(champion).to_contain_text(team_at(cup, "A1").name)


@pytest.mark.parametrize(
    ("motion", "names"),
    [("no-preference", {"deal-ace"}), ("reduce", set())],
)
def test_aces_are_dealt_only_where_motion_is_wanted(site, browser, motion, names):
    cup = cup_with_bracket(teams=3, groups=1)
    win_all(cup)
    context = browser.new_context(reduced_motion=motion)
    page = context.new_page()
    page.goto(address(site, cup))

    moving = page.evaluate(
        "document.querySelector('.champion').getAnimations({ subtree: true })"
        ".map((animation) => animation.animationName)"
    )

    context.close()
    assert set(moving) == names


def test_nothing_of_the_bracket_is_refused_by_the_browser(site, new_device):
    cup = cup_with_bracket(teams=8, groups=2)
    win_all(cup)
    page = new_device().new_page()

    for path in ("", "bracket/", "games/", "games/16/"):
        page.goto(f"{site.url}/{cup.slug}/{path}")

    expect(page.get_by_text("Finaali")).to_be_visible()
