"""A deal of a group put right after the bracket was made, on the organiser's phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from komppa.cup.models import Game, Team, name_key
from komppa.sheets.queries import course_of
from scoring.sides import Side
from tests.cup.brackets import decide, game_of, pairs, team_at
from tests.e2e.looking import sticking_out_of
from tests.e2e.steps import choose
from tests.factories import drawn_cup, record
from tests.sheets.deals import giving
from tests.sheets.posts import address

pytestmark = pytest.mark.browser

PHONE = {
    "viewport": {"width": 360, "height": 800},
    "has_touch": True,
    "is_mobile": True,
}
REASON = "Viimeinen jako oli merkitty väärälle joukkueelle"


@pytest.fixture
def game(site) -> Game:
    """Return a group game that A1 has won by its third deal, all groups played."""
    cup = drawn_cup(teams=4, groups=2, tables=1, sets_to_win=1, qualifiers_per_group=1)
    for place, name in (("A1", "Karhut"), ("A2", "Ilvekset"), ("B1", "Hirvet")):
        team = team_at(cup, place)
        Team.objects.filter(pk=team.pk).update(name=name, name_key=name_key(name))
    decide(game_of(cup, "B1", "B2"), team_at(cup, "B1"))
    played = game_of(cup, "A1", "A2")
    winner = Side.A if played.team_a == team_at(cup, "A1") else Side.B
    for side in (winner, winner.other, winner):
        record(played, giving(side, 6))
    return played


@pytest.fixture
def phone(site, new_device, organiser):
    """Return a function that opens the organiser's phone, with or without scripts."""

    def open_it(**options) -> Page:
        context = new_device(**PHONE, **options)
        context.add_cookies([site.session_cookie(organiser)])
        return context.new_page()

    return open_it


def fits(page: Page) -> None:
    over = sticking_out_of(page)
    assert over <= 0, page.url


def make_bracket(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_text("1 pöytä", exact=True).tap()
    page.get_by_role("button", name="Tee jatkopelit").tap()
    expect(page.get_by_text("Jatkopelit on tehty.")).to_be_visible()


def give_the_deal_to(page: Page, team: str, *, has_script: bool) -> None:
    """Fill the sheet in anew: a trump, two small trumps, last trick and mattis."""
    for suit in ("hertta", "risti", "ruutu"):
        choose(page.get_by_role("radio", name=f"{suit}, {team}", exact=True))
    group = page.get_by_role("group", name="Viimeinen tikki")
    choose(group.get_by_role("radio", name=team, exact=True))
    mattis = page.get_by_role("group", name=re.compile("^Matit"))
    is_a = mattis.get_by_role("radio", name="3–5", exact=True)
    is_b = mattis.get_by_role("radio", name="5–3", exact=True)
    choose(is_a if is_b.is_checked() else is_b)
    if has_script:
        answer = page.get_by_role("status", name="Mitä jako antaa")
        expect(answer).to_contain_text("6 + 6 = 12")
        expect(answer).to_contain_text(f"{team} voitti pelin")


def row_of(review: Locator, game: Game) -> Locator:
    return review.get_by_role("row").filter(has_text=f"P{game.number}")


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no_script"])
def test_a_deal_is_corrected_under_a_bracket_and_restored(
    site, phone, game, has_script
):
    cup, bracket = game.cup, f"{site.url}/admin/cup/cup/{game.cup_id}/bracket/"
    page = phone(java_script_enabled=has_script)
    make_bracket(page, bracket)
    assert pairs(cup) == ["A1-B1"]

    page.goto(f"{site.url}/admin/cup/cup/{cup.pk}/games/{game.number}/")
    page.get_by_role("link", name="Korjaa jakoja").tap()
    deals = page.get_by_role("region", name="Jaot").get_by_role("listitem")
    expect(deals).to_have_count(3)
    fits(page)
    deals.nth(2).get_by_role("button", name="Korjaa", exact=True).tap()
    expect(page.get_by_role("heading", name="Korjaa jakoa 3")).to_be_visible()
    fits(page)
    give_the_deal_to(page, "Ilvekset", has_script=has_script)
    page.get_by_role("button", name="Katso, mitä muuttuu").tap()

    # Nothing is saved yet, and all that would follow is told.
    review = page.get_by_role("region", name="Mitä muuttuu")
    of_game = row_of(review, game)
    expect(of_game).to_contain_text("Karhut voitti 1–0")
    expect(of_game).to_contain_text("Ilvekset voitti 1–0")
    of_team = page.get_by_role("rowheader", name="Karhut", exact=True)
    row = review.get_by_role("row").filter(has=of_team)
    expect(row.get_by_role("cell").nth(1)).to_have_text("1. → 2.")
    slot = review.get_by_role("row").filter(has_text="Joukkue A")
    expect(slot.get_by_role("cell")).to_have_text(["Joukkue A", "Karhut", "Ilvekset"])
    fits(page)
    assert (pairs(cup), course_of(game).entry_count) == (["A1-B1"], 3)

    page.get_by_label("Syy").fill(REASON)
    page.get_by_role("button", name="Tallenna korjaus").tap()
    expect(page.get_by_text("Korjaus on tallennettu.")).to_be_visible()
    assert (pairs(cup), course_of(game).entry_count) == (["A2-B1"], 4)
    page.goto(f"{site.url}/{cup.slug}/bracket/")
    expect(page.get_by_text("Ilvekset").first).to_be_visible()
    expect(page.get_by_text("Karhut")).to_have_count(0)

    # The old version is still there, and comes back.
    page.goto(site.url + address(game, "corrections"))
    versions = page.get_by_role("region", name="Kaikki versiot")
    rows = versions.get_by_role("row").filter(has_text="viimeinen tikki")
    of_third = rows.filter(has_text=REASON)
    expect(of_third).to_contain_text("voimassa")
    expect(of_third).to_contain_text("viimeinen tikki: Ilvekset")
    fits(page)
    versions.get_by_role("button", name="Palauta tämä").tap()
    review = page.get_by_role("region", name="Mitä muuttuu")
    expect(row_of(review, game)).to_contain_text("Karhut voitti 1–0")
    page.get_by_label("Syy").fill("Sittenkin oikein")
    page.get_by_role("button", name="Tallenna korjaus").tap()
    expect(page.get_by_text("Korjaus on tallennettu.")).to_be_visible()
    assert (pairs(cup), course_of(game).entry_count) == (["A1-B1"], 5)
    game.refresh_from_db()
    assert sorted((game.sets_a, game.sets_b)) == [0, 1]
    assert game.winning_team == team_at(cup, "A1")


def test_a_correction_that_takes_the_place_of_one_who_played_is_told_first(
    site, phone, game
):
    page = phone()
    make_bracket(page, f"{site.url}/admin/cup/cup/{game.cup_id}/bracket/")
    final = Game.objects.get(cup=game.cup_id, bracket_round=1)
    record(final, giving(Side.A, 6))

    page.goto(site.url + address(game, "corrections"))
    deals = page.get_by_role("region", name="Jaot").get_by_role("listitem")
    deals.nth(2).get_by_role("button", name="Korjaa", exact=True).tap()
    give_the_deal_to(page, "Ilvekset", has_script=True)
    page.get_by_role("button", name="Katso, mitä muuttuu").tap()

    review = page.get_by_role("region", name="Mitä muuttuu")
    told = f"P{final.number} (Karhut – Hirvet) joutuu ristiriitaan"
    expect(review.get_by_text(told)).to_be_visible()
    page.get_by_label("Syy").fill(REASON)
    page.get_by_role("button", name="Tallenna korjaus").tap()

    expect(page.get_by_text("Korjaus on tallennettu.")).to_be_visible()
    # Who played is a fact; the organiser is told that it is not as it should be.
    assert pairs(game.cup) == ["A1-B1"]
    page.goto(f"{site.url}/admin/cup/cup/{game.cup_id}/")
    waiting = page.get_by_role("listitem").filter(
        has_text="Karhut pelasi, mutta A1 on nyt Ilvekset."
    )
    expect(waiting.get_by_role("link", name="Ratkaise ristiriita")).to_be_visible()
