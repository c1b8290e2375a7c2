"""A disputed deal: attached by the organiser, and gone through by keyboard."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from komppa.cup.models import Game
from scoring.deal_document import read_deal
from scoring.replay import replay
from scoring.sides import Side
from tests.e2e.looking import DESKTOP, PHONE, sticking_out_of, tab_to, violations
from tests.factories import drawn_cup, record
from tests.sheets.recorded import attach, document, sheet_of, with_foul

pytestmark = pytest.mark.browser

REASON = "Riita valtista"


@pytest.fixture
def game(site) -> Game:
    """Return a game whose first deal's trump was entered for the wrong team."""
    made = drawn_cup().games.select_related("cup", "team_a", "team_b").first()
    record(made, sheet_of(document(), trump=Side.A))
    return made


def fits(page: Page) -> None:
    over = sticking_out_of(page)
    assert over <= 0, page.url


def go_to_records(page: Page, site, game: Game) -> None:
    page.goto(f"{site.url}/admin/cup/cup/{game.cup_id}/games/{game.number}/")
    page.get_by_role("link", name="Jako kortti kortilta").click()
    page.get_by_role("link", name="Liitä tallenne").click()


@pytest.mark.parametrize("has_script", [True, False], ids=["script", "no script"])
def test_a_record_is_attached_replayed_by_keyboard_and_compared(
    site, new_device, organiser, game, has_script
):
    desk = new_device(java_script_enabled=has_script)
    desk.add_cookies([site.session_cookie(organiser)])
    page = desk.new_page()
    go_to_records(page, site, game)

    page.get_by_label("Tallenne (JSON)").fill(json.dumps(document()))
    page.get_by_role("button", name="Katso, mitä tallenne kertoo").click()
    told = page.get_by_role("region", name="Mitä tallenne kertoo")
    expect(told.get_by_role("row").filter(has_text="≠")).to_have_count(2)
    page.get_by_label("Syy").fill(REASON)
    page.get_by_role("button", name="Liitä tallenne").click()
    expect(page.get_by_text("Tallenne on liitetty jakoon.")).to_be_visible()

    visitor = new_device(java_script_enabled=True).new_page()
    visitor.goto(f"{site.url}/{game.cup.slug}/games/{game.number}/")
    tab_to(visitor, "Kortti kortilta, jako 1")
    visitor.keyboard.press("Enter")
    replayed = visitor.get_by_role("region", name="Jako 1 kortti kortilta")
    tricks = replay(read_deal(document())).tricks
    for number, trick in enumerate(tricks, start=1):
        heading = replayed.get_by_role("heading", name=f"{number}. tikki")
        expect(heading).to_be_visible()
        winner = replayed.get_by_role("listitem").filter(has_text="sai tikin")
        expect(winner).to_have_class(re.compile(rf"seat-{trick.winner}\b"))
        tab_to(visitor, "Seuraava →")
        visitor.keyboard.press("Enter")
    expect(replayed.get_by_role("heading", name="Pöytäkirja")).to_be_visible()
    of_trump = visitor.get_by_role("rowheader", name="Valtti", exact=True)
    trump = replayed.get_by_role("row").filter(has=of_trump)
    names = (str(game.team_b), str(game.team_a))
    expect(trump.get_by_role("cell")).to_have_text([*names, "≠ eri"])
    tab_to(visitor, "← Edellinen")
    visitor.keyboard.press("Enter")
    expect(replayed.get_by_role("heading", name="9. tikki")).to_be_visible()


def test_a_replay_stands_still_while_the_game_goes_on(site, new_device, game):
    attach(game, with_foul(8))
    visitor = new_device().new_page()
    visitor.goto(
        f"{site.url}/{game.cup.slug}/games/{game.number}/?deal=1&trick=3#replay"
    )
    replayed = visitor.get_by_role("region", name="Jako 1 kortti kortilta")
    before = replayed.inner_html()

    record(game)

    expect(visitor.get_by_role("heading", name="Jako 2")).to_be_visible()
    assert replayed.inner_html() == before


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_replay_fits_and_is_accessible(site, new_device, game, size):
    attach(game, with_foul(8))
    page = new_device().new_page()
    page.set_viewport_size({"width": 360, "height": 800})
    for trick in ("1", "3", "sheet"):
        page.goto(
            f"{site.url}/{game.cup.slug}/games/{game.number}/?deal=1&trick={trick}"
        )
        fits(page)
        looks = [(scheme, size) for scheme in ("light", "dark")]
        assert violations(page, looks) == []
