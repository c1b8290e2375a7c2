"""Scorekeepers' accounts in a browser: made, printed, used and put out of use."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from komppa.cup.models import OrganiserLog
from tests.e2e.looking import sticking_out_of
from tests.e2e.steps import PHONE, sign_in
from tests.factories import drawn_cup

pytestmark = pytest.mark.browser

# Passwords are hashed slowly, on a machine that does much else all the slower.
PATIENCE = 90_000


@pytest.fixture
def desk(site, new_device, organiser):
    device = new_device(viewport={"width": 820, "height": 1080})
    device.add_cookies([site.session_cookie(organiser)])
    device.set_default_timeout(PATIENCE)
    return device.new_page()


def slip_of(page, name: str) -> tuple[str, str]:
    """Return the user name and the password that a slip tells."""
    slip = page.get_by_role("region", name=name, exact=True)
    told = [slip.get_by_role("definition").nth(n).inner_text() for n in (0, 1)]
    return told[0], told[1]


def test_accounts_made_together_are_printed_used_and_put_out_of_use_together(
    site, desk, new_device
):
    cup = drawn_cup()
    desk.goto(f"{site.url}/admin/cup/cup/{cup.pk}/")
    desk.get_by_role("link", name="Tee tunnukset").click()
    desk.get_by_label("Montako tunnusta").fill("11")
    desk.get_by_role("button", name="Tee tunnukset").click()
    expect(desk.get_by_text("11 tunnusta – salasanat näkyvät")).to_be_visible()
    username, password = slip_of(desk, "Pöytä 11")

    # Ten on the first page of paper, one on the second, and nothing else.
    paper = desk.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b", paper)) == 2
    desk.emulate_media(media="print")
    expect(desk.get_by_role("banner")).to_be_hidden()
    expect(desk.get_by_role("navigation", name=cup.name)).to_be_hidden()
    expect(desk.get_by_role("button", name="Tulosta liuskat")).to_be_hidden()
    expect(desk.get_by_role("region", name="Pöytä 11", exact=True)).to_be_visible()
    desk.emulate_media(media="screen")

    phone = new_device(**PHONE).new_page()
    phone.goto(f"{site.url}/login/")
    sign_in(phone, username, password)
    expect(phone.get_by_role("link", name=cup.name)).to_be_visible()

    desk.get_by_role("link", name="Valmis: takaisin kirjaajiin").click()
    expect(desk.get_by_text(password)).to_have_count(0)
    desk.get_by_label("Valitse kaikki").check()
    desk.get_by_label("Valitse Pöytä 3", exact=True).uncheck()
    expect(desk.get_by_label("Valitse kaikki")).not_to_be_checked()
    desk.get_by_role("button", name="Poista käytöstä kaikki valitut").click()
    expect(desk.get_by_text("10 tunnusta on poistettu käytöstä.")).to_be_visible()
    expect(desk.get_by_label("Valitse Pöytä 3", exact=True)).to_be_visible()
    phone.reload()
    expect(phone.get_by_label("Käyttäjätunnus")).to_be_visible()
    assert OrganiserLog.objects.filter(act="deactivate_scorekeeper").count() == 10


def test_a_second_tap_does_not_take_the_passwords_away(site, desk):
    desk.goto(f"{site.url}/admin/auth/user/")
    desk.get_by_label("Montako tunnusta").fill("8")

    # The answer takes a while, passwords being hashed slowly; the driver would wait.
    desk.get_by_role("button", name="Tee tunnukset").evaluate(
        "button => { button.click(); setTimeout(() => button.click(), 200); }"
    )

    told = desk.get_by_text("8 tunnusta – salasanat näkyvät")
    expect(told).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize("width", [360, 820, 1920])
def test_slips_fit_the_screen_whatever_the_names(site, desk, width):
    desk.set_viewport_size({"width": width, "height": 800})
    desk.goto(f"{site.url}/admin/auth/user/")
    desk.get_by_label("Montako tunnusta").fill("2")
    desk.get_by_label("Nimen alku").fill("W" * 50)
    desk.get_by_role("button", name="Tee tunnukset").click()
    expect(desk.get_by_text("2 tunnusta – salasanat näkyvät")).to_be_visible()

    over = sticking_out_of(desk)

    assert over <= 0
