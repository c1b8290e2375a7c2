"""Each device speaks the language chosen on it, also in what arrives later."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.steps import PHONE
from tests.factories import drawn_cup, record

pytestmark = pytest.mark.browser

IN_PLAY = {"fi": "Nyt pöydissä", "sv": "Nu vid borden", "en": "At the tables now"}
LINKS = {"fi": "Suomi", "sv": "Svenska", "en": "English"}
COUNTED = {"fi": "1 jako pelattu", "sv": "1 giv spelad", "en": "1 deal played"}


def test_a_change_reaches_each_device_in_its_own_language(site, new_device):
    cup = drawn_cup()
    pages = {code: new_device().new_page() for code in LINKS}
    for code, page in pages.items():
        page.goto(f"{site.url}/{cup.slug}/")
        page.get_by_role("link", name=LINKS[code]).click()
        expect(page.locator("html")).to_have_attribute("lang", code)

    record(cup.games.get(number=1))

    for code, page in pages.items():
        expect(page.get_by_role("heading", name=IN_PLAY[code])).to_be_visible()
        expect(page.get_by_text(COUNTED[code])).to_be_visible()


def test_a_phone_stays_swedish_through_signing_in_and_out(
    site, new_device, scorekeeper
):
    scorekeeper.set_password("oikea hevonen")
    scorekeeper.save()
    game = drawn_cup().games.get(number=1)
    device = new_device(**PHONE)
    phone = device.new_page()
    phone.goto(site.url)
    phone.get_by_role("link", name="Svenska").tap()

    phone.get_by_role("link", name="Logga in").tap()
    phone.get_by_label("Användarnamn").fill(scorekeeper.username)
    phone.get_by_label("Lösenord").fill("oikea hevonen")
    phone.get_by_role("button", name="Logga in", exact=True).tap()
    expect(phone.get_by_role("heading", name="Turneringar")).to_be_visible()

    phone.goto(f"{site.url}/sheet/{game.cup.slug}/games/1/")
    expect(phone.get_by_role("button", name="Spara giv 1")).to_be_visible()
    tapped = phone.get_by_role("radio", name=re.compile("^hjärter, ", re.I)).first
    tapped.tap()
    expect(phone.get_by_role("status", name="Vad given ger")).to_contain_text(
        "Saknas ännu"
    )

    phone.goto(site.url)
    phone.locator(".account > summary").tap()
    phone.get_by_role("button", name="Logga ut").tap()
    expect(phone.get_by_role("link", name="Logga in")).to_be_visible()
    phone.close()
    again = device.new_page()
    again.goto(site.url)
    expect(again.get_by_role("heading", name="Turneringar")).to_be_visible()


@pytest.mark.parametrize("language", LINKS)
@pytest.mark.parametrize("width", [320, 360, 480, 820])
def test_the_choice_of_language_leaves_the_head_of_the_page_whole(
    site, new_device, language, width, scorekeeper
):
    device = new_device(viewport={"width": width, "height": 800})
    page = device.new_page()
    page.goto(f"{site.url}/language/{language}/")

    heads = []
    for cookies in ([], [site.session_cookie(scorekeeper)]):
        device.add_cookies(cookies)
        page.goto(site.url)
        heads.append(
            page.locator(".site-header-row").evaluate(
                "e => [e.scrollWidth - e.clientWidth, e.getBoundingClientRect().height]"
            )
        )

    assert heads == [[0, 56], [0, 56]]
