"""The organiser's pages for those who do not see them."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.looking import DESKTOP, PHONE, paths_for, violations

pytestmark = pytest.mark.browser


def save(page):
    page.get_by_role("button", name="Tallenna").first.click()


def type_wrong_teams(page):
    page.get_by_label("Rivi 6: Joukkue").fill("Sama")
    page.get_by_label("Rivi 7: Joukkue").fill("sama")
    page.get_by_label("Rivi 7: Kori").fill("99")
    save(page)
    expect(page.locator(".errorlist")).to_have_count(3)


STATES = {
    "wrong_teams": ("/admin/cup/cup/{ready}/teams/", type_wrong_teams),
    "empty_cup": ("/admin/cup/cup/add/", save),
}
"""What is typed on a page, and what is then found on it."""


def test_the_organiser_s_pages_have_nothing_that_axe_finds_wrong(visit, hall):
    looks = [("light", PHONE), ("dark", DESKTOP)]
    paths = paths_for(hall.organiser, *hall.doors, most=1)

    found = {
        path: violations(visit(path, "organiser"), looks)
        for path in paths
        if path.startswith("/admin/")
    }

    assert len(found) > 20
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("state", STATES)
def test_a_page_with_mistakes_has_nothing_that_axe_finds_wrong(visit, hall, state):
    path, do = STATES[state]
    page = visit(path.format(ready=hall.ready.pk), "organiser")

    do(page)

    assert violations(page) == []


def test_the_first_wrong_row_of_teams_has_the_focus_and_tells_why(visit, hall):
    page = visit(f"/admin/cup/cup/{hall.ready.pk}/teams/", "organiser")

    type_wrong_teams(page)

    first = page.get_by_label("Rivi 6: Joukkue")
    pot = page.get_by_label("Rivi 7: Kori")
    expect(first).to_be_focused()
    expect(first).to_have_attribute("aria-invalid", "true")
    expect(first).to_have_accessible_description("Sama nimi on myös rivillä 7.")
    expect(pot).to_have_accessible_description("Luku 1–26.")
    expect(page.get_by_role("alert")).to_contain_text("Mitään ei vielä tallennettu")
