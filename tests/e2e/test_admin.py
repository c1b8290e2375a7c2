"""The organiser's pages in a browser: by keyboard, on any screen, in any colours."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from komppa.cup import services, services_people
from komppa.cup.models import Cup
from tests.e2e.looking import sticking_out_of
from tests.factories import CupFactory, TeamFactory, play_out, record, tied_group

pytestmark = pytest.mark.browser

LISTS = [
    "/admin/",
    "/admin/cup/cup/add/",
    "/admin/cup/team/",
    "/admin/cup/game/",
    "/admin/cup/organiserlog/",
    "/admin/sheets/dealentry/",
    "/admin/auth/user/",
    "/admin/password_change/",
]
OF_A_CUP = ["", "teams/", "teams/import/", "draw/", "games/", "lots/", "change/"]
AFTER_THE_DRAW = ["teams/late/", "games/1/", "games/2/outcome/", "games/2/move/"]


@pytest.fixture
def admin_page(site, page, organiser):
    page.context.add_cookies([site.session_cookie(organiser)])
    return page


@pytest.fixture
def addresses(site):
    """Every page with something on it, the names of 40 letters without a space."""
    played = CupFactory(name="N" * 40, place="P" * 40)
    for letter in "ABCDEF":
        TeamFactory(cup=played, name=letter * 40, pot=1)
    draw = services.draft_draw(cup=played, group_count=2, by=None)
    services.confirm_draw(draw=draw, by=None)
    games = services.make_group_games(cup=played, table_count=2, by=None)
    play_out(games[0], loser_sets=1)
    record(games[1])
    drafted = CupFactory(name="D" * 40, visibility="draft")
    for letter in "ABCDE":
        TeamFactory(cup=drafted, name=letter * 40, pot=1)
    services.draft_draw(cup=drafted, group_count=2, by=None)
    tied = tied_group().cup
    services_people.create_scorekeeper(name="S" * 40, by=None)
    # Its page names whoever won the game.
    team = games[0].team_a_id
    return [
        *LISTS,
        *(f"/admin/cup/cup/{played.pk}/{page}" for page in OF_A_CUP),
        *(f"/admin/cup/cup/{played.pk}/{page}" for page in AFTER_THE_DRAW),
        f"/admin/cup/cup/{played.pk}/teams/{team}/",
        f"/admin/cup/cup/{played.pk}/teams/{team}/withdraw/",
        f"/admin/cup/cup/{drafted.pk}/",
        f"/admin/cup/cup/{drafted.pk}/draw/",
        f"/admin/cup/cup/{drafted.pk}/games/",
        f"/admin/cup/cup/{tied.pk}/",
        f"/admin/cup/cup/{tied.pk}/lots/",
        f"/admin/cup/team/{team}/change/",
        f"/admin/cup/team/{team}/delete/",
        f"/admin/cup/organiserlog/?cup__id__exact={played.pk}",
    ]


@pytest.mark.parametrize("width", [360, 820, 1920])
def test_every_page_fits_its_screen_and_brings_nothing_that_is_refused(
    site, admin_page, addresses, width
):
    complaints = []
    admin_page.on("console", lambda said: complaints.append((said.type, said.text)))
    admin_page.on("pageerror", lambda error: complaints.append(("error", str(error))))
    admin_page.set_viewport_size({"width": width, "height": 800})

    sticking_out = {}
    for address in addresses:
        assert admin_page.goto(site.url + address).status == 200
        admin_page.wait_for_load_state("load")
        over = sticking_out_of(admin_page)
        if over > 0:
            sticking_out[address] = over

    assert sticking_out == {}
    assert [said for kind, said in complaints if kind in ("error", "warning")] == []


def test_the_theme_button_changes_the_colours_and_they_stay(site, admin_page):
    admin_page.emulate_media(color_scheme="light")
    admin_page.goto(f"{site.url}/admin/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = admin_page.evaluate(ground)

    admin_page.get_by_role("button", name="teema").click()
    dark = admin_page.evaluate(ground)
    admin_page.reload()

    assert light == "rgb(250, 248, 241)"
    assert dark == "rgb(15, 26, 21)"
    assert admin_page.evaluate(ground) == dark


def test_a_cup_goes_by_keyboard_from_nothing_to_its_games(site, admin_page):
    admin_page.set_viewport_size({"width": 390, "height": 800})
    admin_page.goto(f"{site.url}/admin/")
    admin_page.get_by_role("link", name="Uusi turnaus").click()
    expect(admin_page.get_by_label("Nimi")).to_be_focused()
    admin_page.keyboard.type("Pöytäcup 2026")
    expect(admin_page.get_by_label("Osoite")).to_have_value("poytacup-2026")
    admin_page.get_by_label("Päivä").fill("2026-11-28")
    admin_page.get_by_label("Nimi").press("Enter")
    expect(admin_page.get_by_text("Pöytäcup 2026 on luotu.")).to_be_visible()

    admin_page.get_by_role("link", name="Kirjoita joukkueet").click()
    expect(admin_page.get_by_label("Rivi 1: Joukkue")).to_be_focused()
    for number in range(1, 17):
        for text in (f"Joukkue {number}", f"Aino {number}", f"Väinö {number}"):
            admin_page.keyboard.type(text)
            admin_page.keyboard.press("Tab")
        admin_page.keyboard.press("Tab")
    admin_page.keyboard.press("Enter")
    expect(admin_page.get_by_text("16 joukkuetta on tallennettu.")).to_be_visible()

    nav = admin_page.get_by_role("navigation", name="Pöytäcup 2026")
    nav.get_by_role("link", name="Arvonta").click()
    admin_page.get_by_role("button", name="Arvo luonnos").click()
    expect(admin_page.get_by_role("heading", name="Lohko D")).to_be_visible()
    admin_page.get_by_role("button", name="Vahvista arvonta").click()
    admin_page.get_by_role("link", name="Tee pelit").click()
    admin_page.get_by_text("4 pöytää").click()
    admin_page.get_by_role("button", name="Tee pelit").click()
    expect(admin_page.get_by_role("heading", name="24 peliä")).to_be_visible()

    cup = Cup.objects.get(slug="poytacup-2026")
    assert cup.teams.filter(players__name="Väinö 16").count() == 1
    sizes = [group.memberships.count() for group in cup.groups.all()]
    assert (sizes, cup.games.count(), cup.playing_tables.count()) == ([4] * 4, 24, 4)
