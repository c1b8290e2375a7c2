"""What comes out of the printer: as many pages as it should, black on white."""

from __future__ import annotations

import re

import pytest

from komppa.cup.choices import Outcome
from komppa.cup.models import Team
from komppa.cup.qualifying import bracket_games
from tests.cup.brackets import cup_with_bracket, decide
from tests.e2e.looking import sticking_out_of
from tests.factories import drawn_cup, end, play_out, record

pytestmark = pytest.mark.browser

A4 = {"portrait": (595, 842), "landscape": (842, 595)}
MILLIMETRE = 96 / 25.4
PRINTED_HEIGHT = (297 - 2 * 12) * MILLIMETRE
LONG = "W" * 40


@pytest.fixture
def paper(browser):
    """A page whose screen is dark, with a printer."""
    context = browser.new_context(color_scheme="dark")
    yield context.new_page()
    context.close()


def printed(page, address):
    """Return the sizes of the pages that the address fills on paper, in points."""
    page.goto(address)
    pdf = page.pdf(prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    sizes = [(round(float(width)), round(float(height))) for width, height in boxes]
    assert len(sizes) == len(re.findall(rb"/Type /Page\b", pdf))
    return sizes


def give_long_names(cup):
    for number, team in enumerate(Team.objects.filter(cup=cup)):
        name = f"{number:02}{LONG[2:]}"
        Team.objects.filter(pk=team.pk).update(name=name, name_key=name.casefold())
        team.players.update(name=LONG)


@pytest.fixture
def twelve(site):
    """A cup of 12 teams in three groups, in the middle of its bracket."""
    cup = cup_with_bracket(
        teams=12, groups=3, tables=4, qualifiers_per_group=4, slug="twelve"
    )
    first, second = bracket_games(cup).order_by("number")[:2]
    play_out(first)
    record(second)
    return cup


@pytest.mark.parametrize(
    ("page_name", "pages", "way"),
    [("groups", 2, "portrait"), ("games", 1, "portrait"), ("bracket", 1, "landscape")],
)
@pytest.mark.usefixtures("twelve")
def test_twelve_teams_fit_their_pages(site, paper, page_name, pages, way):
    assert printed(paper, f"{site.url}/twelve/{page_name}/") == [A4[way]] * pages


@pytest.mark.parametrize(
    ("where", "width"),
    [
        *(
            (where, 210 - 2 * 12)
            for where in ("", "groups/", "games/", "games/1/", "rules/")
        ),
        ("bracket/", 297 - 2 * 9),
    ],
)
def test_long_names_stick_out_of_no_page(site, paper, twelve, where, width):
    give_long_names(twelve)
    paper.set_viewport_size({"width": int(width * MILLIMETRE), "height": 1000})
    paper.goto(f"{site.url}/twelve/{where}")
    paper.emulate_media(media="print")

    over = sticking_out_of(paper)

    assert over <= 0


@pytest.mark.usefixtures("twelve")
def test_page_of_the_cup_is_printed_upright(site, paper):
    assert set(printed(paper, f"{site.url}/twelve/")) == {A4["portrait"]}


def test_sixteen_teams_and_their_champion_fit_one_page(site, paper):
    cup = cup_with_bracket(teams=16, groups=4, qualifiers_per_group=4, slug="sixteen")
    while waiting := [g for g in bracket_games(cup) if not g.is_finished]:
        decide(next(g for g in waiting if g.team_a_id and g.team_b_id))
    give_long_names(cup)

    assert printed(paper, f"{site.url}/sixteen/bracket/") == [A4["landscape"]]


def test_plan_of_a_bracket_is_printed_on_one_page(site, paper):
    cup = drawn_cup(teams=16, groups=4, qualifiers_per_group=4, slug="sixteen")

    assert printed(paper, f"{site.url}/{cup.slug}/bracket/") == [A4["landscape"]]


@pytest.mark.usefixtures("twelve")
def test_no_group_is_torn_between_pages(site, paper):
    paper.set_viewport_size({"width": round(186 * MILLIMETRE), "height": 1000})
    paper.goto(f"{site.url}/twelve/groups/")
    paper.emulate_media(media="print")

    told = paper.locator(".group").evaluate_all(
        "groups => groups.map((group) => "
        "[group.offsetHeight, getComputedStyle(group).breakInside])"
    )

    assert [way for _height, way in told] == ["avoid"] * 3
    assert max(height for height, _way in told) < PRINTED_HEIGHT / 2


@pytest.mark.parametrize("has_script", [True, False])
@pytest.mark.parametrize(
    "where", ["", "groups/", "games/", "games/1/", "bracket/", "rules/"]
)
@pytest.mark.usefixtures("twelve")
def test_dark_screen_prints_black_on_white(site, browser, has_script, where):
    context = browser.new_context(color_scheme="dark", java_script_enabled=has_script)
    page = context.new_page()
    page.goto(f"{site.url}/twelve/{where}")
    page.emulate_media(media="print", color_scheme="dark")

    styles = page.evaluate(
        """() => {
          const of = (element) => getComputedStyle(element);
          const grounds = document.querySelectorAll("body, .paper, .bracket-game");
          return [
            [...grounds].map((element) => of(element).backgroundColor),
            of(document.querySelector("h1")).color,
            of(document.body).backgroundImage,
          ];
        }"""
    )

    context.close()
    grounds, ink, picture = styles
    assert set(grounds) <= {"rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"}
    assert (ink, picture) == ("rgb(0, 0, 0)", "none")


def test_the_rules_are_printed_upright_on_a_few_pages(site, paper):
    drawn_cup(teams=2, slug="x")

    pages = printed(paper, f"{site.url}/x/rules/")

    assert set(pages) == {A4["portrait"]}
    assert len(pages) <= 5


@pytest.mark.usefixtures("twelve")
def test_what_is_there_to_click_is_not_printed(site, paper):
    paper.goto(f"{site.url}/twelve/games/")
    paper.emulate_media(media="print")

    shown = {
        name: paper.locator(selector).first.is_visible()
        for name, selector in {
            "header": ".site-header",
            "navigation": ".cup-nav",
            "footer": ".site-footer",
            "status": "[data-live-status]",
            "cards": ".game-card",
            "lists": ".game-rows",
            "plan": ".plan",
        }.items()
    }

    assert [name for name, is_shown in shown.items() if is_shown] == ["plan"]


@pytest.mark.usefixtures("twelve")
def test_plan_on_paper_is_not_seen_on_the_screen(site, paper):
    paper.goto(f"{site.url}/twelve/games/")

    assert not paper.locator(".plan").is_visible()


def sign_in(paper, site, user):
    paper.context.add_cookies([site.session_cookie(user)])


@pytest.mark.parametrize(
    "ruleset", ["kemistikilta-2011", "wikipedia-12", "avomarjapussi"]
)
def test_score_sheets_fill_one_page_a_game_whatever_the_names(
    site, paper, scorekeeper, ruleset
):
    cup = drawn_cup(teams=4, ruleset=ruleset, slug="sheets", name=LONG)
    give_long_names(cup)
    end(cup.games.order_by("number").first(), Outcome.WALKOVER_A)
    sign_in(paper, site, scorekeeper)

    assert printed(paper, f"{site.url}/sheet/sheets/paper/") == [A4["landscape"]] * 5


def test_sheet_of_one_game_and_an_empty_one_are_a_page_each(site, paper, scorekeeper):
    drawn_cup(teams=4, slug="sheets")
    sign_in(paper, site, scorekeeper)

    for path in ("games/1/paper/", "paper/empty/"):
        sizes = printed(paper, f"{site.url}/sheet/sheets/{path}")
        assert sizes == [A4["landscape"]], path
