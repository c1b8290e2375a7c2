"""An evening's changes in a browser: a team leaves and comes back, a game moves."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.cup.evenings import game_of, half_played, team

pytestmark = pytest.mark.browser


@pytest.fixture
def admin_page(site, page, organiser):
    page.context.add_cookies([site.session_cookie(organiser)])
    page.set_viewport_size({"width": 390, "height": 800})
    return page


@pytest.fixture
def cup(site):
    return half_played()


def places(screen):
    """Return the standings on a public screen: each row's rank and team."""
    rows = screen.get_by_role("table").first.locator("tbody tr")
    return [
        (row.locator("td").first.inner_text(), row.locator(".team-name").inner_text())
        for row in rows.all()
    ]


def test_a_team_withdraws_and_comes_back_and_the_screens_follow(
    site, admin_page, browser, cup
):
    leaver = team(cup, 3).name
    screen = browser.new_page()
    screen.goto(f"{site.url}/{cup.slug}/groups/")
    before = places(screen)

    admin_page.goto(f"{site.url}/admin/cup/cup/{cup.pk}/teams/")
    admin_page.get_by_role("link", name=f"Muuta: {leaver}", exact=True).click()
    admin_page.get_by_role("link", name="Joukkue vetäytyy").click()
    expect(
        admin_page.get_by_text("Joukkue siirtyy sarjataulukon alle ilman sijaa.")
    ).to_be_visible()
    expect(admin_page.get_by_text("Mitätöity, joukkue on vetäytynyt")).to_have_count(3)
    admin_page.get_by_role("button", name="Merkitse vetäytyneeksi").click()
    expect(admin_page.get_by_text("Kirjoita muutoksen syy.")).to_be_visible()
    admin_page.get_by_label("Syy").fill("Sairastui")
    admin_page.get_by_label("Syy").press("Enter")
    expect(
        admin_page.get_by_text(f"{leaver} on merkitty vetäytyneeksi.")
    ).to_be_visible()

    below = screen.locator(".withdrawn li")
    expect(below).to_contain_text(leaver)
    expect(below).to_contain_text("Pelejä ei lasketa")
    assert [name for _rank, name in places(screen)] == [
        team(cup, number).name for number in (1, 4, 2)
    ]

    admin_page.get_by_role("link", name="Peru vetäytyminen").click()
    admin_page.get_by_label("Syy").fill("Toipui")
    admin_page.get_by_role("button", name="Peru vetäytyminen").click()
    expect(admin_page.get_by_text(f"{leaver} on taas mukana.")).to_be_visible()

    expect(below).to_have_count(0)
    assert places(screen) == before
    screen.close()


def test_a_walkover_is_looked_at_saved_and_restored(site, admin_page, cup):
    game = game_of(cup, 2, 4)
    winner, loser = game.team_a.name, game.team_b.name

    def end(choice, reason):
        admin_page.get_by_role("link", name="Luovutus tai poissaolo").click()
        admin_page.get_by_text(choice).click()
        admin_page.get_by_label("Syy").fill(reason)
        save(reason)

    def save(reason):
        admin_page.get_by_label("Syy").fill(reason)
        admin_page.get_by_role("button", name="Katso, mitä muuttuu").click()
        expect(admin_page.get_by_role("heading", name="Mitä muuttuu")).to_be_visible()
        admin_page.get_by_role("button", name="Tallenna tulos").click()
        expect(admin_page.get_by_text("Pelin tulos on merkitty.")).to_be_visible()

    admin_page.goto(f"{site.url}/admin/cup/cup/{cup.pk}/games/{game.number}/")
    end(f"Luovutus: {winner} voittaa", "Ei saapunut")
    end(f"Luovutus: {loser} voittaa", "Meni väärinpäin")
    name = f"Palauta: Luovutus: {winner} voittaa"
    admin_page.get_by_role("link", name=name).click()
    save("Olikin ensin oikein")

    expect(admin_page.get_by_text(f"{winner} voitti luovutuksella 2–0")).to_be_visible()
    game.refresh_from_db()
    assert (game.outcome, game.log.count()) == ("walkover_a", 3)


def test_a_game_is_moved_by_keyboard(site, admin_page, cup):
    game = game_of(cup, 2, 4)
    admin_page.goto(f"{site.url}/admin/cup/cup/{cup.pk}/games/{game.number}/")
    admin_page.get_by_role("link", name="Siirrä toiseen pöytään").press("Enter")

    admin_page.get_by_label("Pöytä", exact=True).focus()
    admin_page.keyboard.type("7")
    admin_page.keyboard.press("Tab")
    admin_page.keyboard.press("Tab")
    admin_page.keyboard.type("Pöytä rikki")
    admin_page.keyboard.press("Enter")
    anyway = admin_page.get_by_role("button", name="Siirrä silti")
    expect(anyway).to_be_visible()
    anyway.press("Enter")

    expect(admin_page.get_by_text("Peli on siirretty pöytään 7.")).to_be_visible()
    game.refresh_from_db()
    assert game.playing_table.number == 7
