"""From a rule's number on any page to the rule, and on paper."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.steps import PHONE, Sheet
from tests.factories import CupFactory, drawn_cup, play_out

pytestmark = pytest.mark.browser

DESKTOP = {"viewport": {"width": 1280, "height": 700}}
NEVER_COVERED = """(rule) => {
  const { left, top } = rule.getBoundingClientRect();
  return rule.contains(document.elementFromPoint(left + 20, top + 8));
}"""


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_number_of_a_rule_leads_to_it_in_full_sight(site, new_device, screen):
    cup = drawn_cup(teams=2, slug="x")
    play_out(cup.games.get())
    page = new_device(**screen).new_page()
    page.goto(f"{site.url}/x/games/1/")

    page.get_by_role("link", name="R5.1").first.click()

    expect(page).to_have_url(f"{site.url}/x/rules/#R5.1")
    rule = page.locator("li:target")
    expect(rule).to_contain_text("Erän voittaa joukkue, jolla on jaon jälkeen tasan 12")
    expect(rule).to_be_in_viewport(ratio=1)
    assert rule.evaluate(NEVER_COVERED)


def test_the_contents_lead_to_their_chapters(site, new_device):
    CupFactory(slug="x")
    page = new_device(**PHONE).new_page()
    page.goto(f"{site.url}/x/rules/")

    page.get_by_role("navigation", name="Sisällys").get_by_role("link").nth(8).tap()

    expect(
        page.get_by_role("heading", name="R9 Järjestys lohkossa")
    ).to_be_in_viewport()


def test_a_rule_opens_beside_a_sheet_that_keeps_what_was_typed(
    site, new_device, scorekeeper
):
    drawn_cup(teams=2, slug="x")
    context = new_device(**PHONE)
    context.add_cookies([site.session_cookie(scorekeeper)])
    phone = context.new_page()
    phone.goto(f"{site.url}/sheet/x/games/1/")
    sheet = Sheet.on(phone)
    sheet.tap("Ei yhtään tikkiä", sheet.names["A"])

    with context.expect_page() as opened:
        sheet.answer.get_by_role("link", name="R5.3").tap()

    expect(opened.value).to_have_url(f"{site.url}/x/rules/#R5.3")
    choice = phone.get_by_role("group", name=re.compile("^Ei yhtään tikkiä"))
    expect(choice.get_by_role("radio", name=sheet.names["A"])).to_be_checked()
