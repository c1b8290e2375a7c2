"""The hall's own network: plain http, and an address instead of a name.

There the browser grants less than on the machine itself, where it takes even http for
secure: no Secure cookies, no service worker, not all of its own cryptography.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests import machine
from tests.e2e.steps import PHONE, SEEN, Sheet, open_sheets
from tests.serving import serving

pytestmark = pytest.mark.browser

PASSWORD = re.compile(r"salasana / password +(\S+)")
SAVED = "Jako 1 tallennettu. {A} 0 + 4 = 4, {B} 0 + 0 = 0."
HALL = re.compile(r"salissa / in the hall +(\S+)")


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """Komppa as it is started for the evening, open to the hall."""
    with serving(
        tmp_path_factory.mktemp("evening") / "data", host="0.0.0.0"
    ) as started:
        yield started


@pytest.fixture
def hall(evening):
    """The address that the start told for everybody else's browser."""
    told = HALL.search(evening.output)
    if not told:
        machine.lacking("network", "this machine has no address but its loopback")
    return told[1]


@pytest.fixture
def anywhere(evening):
    """The same, or the machine's own browser's where there is no network."""
    told = HALL.search(evening.output)
    return told[1] if told else f"{evening.url}/"


def open_waiting_game(phone: Page, address: str, evening) -> Sheet:
    """Sign in as the first organiser and open a game of the demo not begun."""
    open_sheets(phone, address, "isanta", PASSWORD.search(evening.output)[1])
    phone.get_by_role("link", name="Demo").tap()
    phone.get_by_role("link", name=re.compile("(seuraava|odottaa)$")).first.tap()
    return Sheet.on(phone)


def tap_plain_deal(sheet: Sheet) -> None:
    sheet.tap_suit("hertta", "A")
    sheet.tap_last_trick("A")
    sheet.tap_mattis("5–3")


def test_a_phone_in_the_hall_signs_in_and_saves_a_deal(evening, hall, new_device):
    phone, spectator = new_device(**PHONE).new_page(), new_device().new_page()
    sheet = open_waiting_game(phone, hall, evening)
    spectator.goto(phone.url.replace("/sheet/", "/"))
    expect(spectator.locator("body")).to_have_attribute("data-live", "live")

    tap_plain_deal(sheet)
    expect(sheet.answer).to_contain_text("0 + 4 = 4")
    sheet.save()

    expect(phone.get_by_text(SAVED.format(**sheet.names), exact=True)).to_be_visible()
    expect(sheet.points).to_have_text(["Pisteet erässä 4", "Pisteet erässä 0"])
    told = spectator.get_by_role("listitem").filter(has_text="Jako 1")
    expect(told).to_contain_text("0 + 4 = 4")
    assert phone.evaluate("window.isSecureContext") is False
    assert {cookie["name"]: cookie["secure"] for cookie in phone.context.cookies()} == {
        "csrftoken": False,
        "sessionid": False,
    }


def share_a_position(phone: Page, hall: str) -> str:
    """Ask the referee of the demo something, share it, and return its address."""
    phone.goto(f"{hall}demo/rules/referee/")
    share = phone.get_by_role("button", name="Jaa tilanne")
    expect(share).to_be_hidden()
    phone.get_by_role("link", name="patakymppi", exact=True).tap()
    share.tap()
    return f"{hall}demo/rules/referee/?hand=S10"


def test_a_phone_in_the_hall_copies_the_address_of_a_position(hall, new_device):
    phone = new_device(**PHONE).new_page()

    address = share_a_position(phone, hall)

    expect(phone.get_by_role("button", name="Linkki kopioitu")).to_be_focused()
    expect(phone.get_by_role("textbox", name="Tilanteen osoite")).to_be_hidden()
    assert phone.evaluate("[navigator.share, navigator.clipboard]") == [None, None]
    phone.goto(f"{hall}login/")
    name = phone.locator("[name=username]")
    name.press("Control+V")
    expect(name).to_have_value(address)


def test_an_address_that_cannot_be_copied_is_shown_to_be_copied(hall, new_device):
    phone = new_device(**PHONE).new_page()
    phone.add_init_script("document.execCommand = () => false;")

    address = share_a_position(phone, hall)

    field = phone.get_by_role("textbox", name="Tilanteen osoite")
    expect(field).to_have_value(address)
    assert field.evaluate(SEEN)
    assert phone.evaluate("String(getSelection())") == address
    expect(phone.get_by_role("button", name="Jaa tilanne")).to_be_visible()
    phone.get_by_role("link", name="pataseitsemän", exact=True).tap()
    expect(field).to_be_hidden()


def test_a_deal_is_saved_and_taken_back_without_javascript(
    evening, anywhere, new_device
):
    phone = new_device(**PHONE, java_script_enabled=False).new_page()
    sheet = open_waiting_game(phone, anywhere, evening)

    tap_plain_deal(sheet)
    sheet.save()
    expect(phone.get_by_text(SAVED.format(**sheet.names), exact=True)).to_be_visible()
    expect(sheet.save_button).to_have_text("Tallenna jako 2")
    expect(sheet.points).to_have_text(["Pisteet erässä 4", "Pisteet erässä 0"])

    sheet.take_back(1)
    expect(phone.get_by_text("Viimeisin jako on peruttu.")).to_be_visible()
    expect(sheet.save_button).to_have_text("Tallenna jako 1")
    expect(sheet.points).to_have_text(["Pisteet erässä 0", "Pisteet erässä 0"])
