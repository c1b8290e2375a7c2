"""A game is won at the table: both teams confirm it, each on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from komppa.cup.models import Game
from komppa.sheets.queries import confirmed_sides
from scoring.sides import Side
from tests.e2e.steps import PHONE, Sheet
from tests.factories import SIX_FOR_A, drawn_cup, record, sheet
from tests.sheets.posts import address, rename

pytestmark = pytest.mark.browser

BOTH = "Molemmat joukkueet ovat vahvistaneet tuloksen."


@pytest.fixture
def game(site):
    """A game that one more deal wins."""
    game = drawn_cup().games.select_related("team_a", "team_b").first()
    rename(game, "Karhut", "Ilvekset")
    for _deal in range(3):
        record(game, sheet(**SIX_FOR_A))
    return game


@pytest.fixture
def opened(site, new_device):
    """Return a function that opens an address on a device of its own."""

    def open_page(path: str, user=None, **options) -> Page:
        device = new_device(**options)
        if user is not None:
            device.add_cookies([site.session_cookie(user)])
        page = device.new_page()
        page.goto(site.url + path)
        return page

    return open_page


def win(page: Page) -> None:
    """Enter the last deal: six points to the Karhut."""
    last = Sheet.on(page)
    for suit in ("hertta", "pata", "risti"):
        last.tap_suit(suit, "A")
    last.tap_last_trick("A")
    last.tap_mattis("5–3")
    last.save()
    expect(page.get_by_role("heading", name="Karhut voitti pelin")).to_be_visible()


def undo(page: Page):
    return page.get_by_text("Kumoa viimeisin jako")


def test_both_teams_confirm_and_then_only_an_organiser_takes_back(
    opened, game, scorekeeper, organiser
):
    phone = opened(address(game), scorekeeper, **PHONE)
    other = opened(address(game), scorekeeper, **PHONE)
    hall = opened(f"/{game.cup.slug}/games/{game.number}/")
    following = game.cup.games.filter(playing_table=game.playing_table)[1]

    win(phone)
    expect(hall.get_by_text("Tulos odottaa joukkueiden vahvistusta.")).to_be_visible()
    expect(undo(phone).first).to_be_visible()
    phone.get_by_role("button", name="Vahvista: Karhut").tap()
    expect(phone.get_by_text("vahvistanut kello")).to_have_count(1)

    # The other phone hears of it without being touched.
    expect(other.get_by_role("button", name="Vahvista: Karhut")).to_have_count(0)
    expect(undo(other)).to_be_visible()
    other.get_by_role("button", name="Vahvista: Ilvekset").tap()
    for page in (other, phone, hall):
        expect(page.get_by_text(BOTH)).to_be_visible()
    for page in (other, phone):
        expect(undo(page)).to_have_count(0)
        link = page.get_by_role("link", name=f"Pöydän seuraava peli {following.number}")
        expect(link).to_be_visible()
    assert set(confirmed_sides(game)) == set(Side)

    desk = opened(address(game), organiser)
    undo(desk).click()
    desk.get_by_role("button", name="Kumoa jako 4").click()
    expect(desk.get_by_text("Viimeisin jako on peruttu.")).to_be_visible()
    for page in (other, phone):
        expect(Sheet.on(page).save_button).to_have_text("Tallenna jako 4")
    expect(hall.get_by_text(BOTH)).to_have_count(0)
    assert confirmed_sides(Game.objects.get(pk=game.pk)) == {}


def test_a_result_is_confirmed_without_javascript(opened, game, scorekeeper):
    record(game, sheet(**SIX_FOR_A))
    page = opened(address(game), scorekeeper, java_script_enabled=False)

    page.get_by_role("button", name="Vahvista: Ilvekset").click()
    page.get_by_role("button", name="Vahvista: Karhut").click()

    expect(page.get_by_text(BOTH)).to_be_visible()
    expect(undo(page)).to_have_count(0)


@pytest.mark.parametrize("width", [360, 820, 1920])
def test_the_page_of_a_won_game_fits_its_screen_and_its_thumbs(
    opened, game, scorekeeper, width
):
    rename(game, "W" * 40, "Å" * 40)
    record(game, sheet(**SIX_FOR_A))
    page = opened(address(game), scorekeeper, viewport={"width": width, "height": 740})

    over = page.evaluate("document.documentElement.scrollWidth") - width
    boxes = [b.bounding_box() for b in page.locator(".sheet-over .btn").all()]

    assert over <= 0
    assert len(boxes) == 4
    assert [box for box in boxes if box["height"] < 48 or box["width"] < 48] == []
