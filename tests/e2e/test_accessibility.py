"""The pages for those who do not see them, or have no mouse.

Pages are found by following links; what one only comes to by doing something is a
line in a table.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from komppa.sheets.queries import course_of
from scoring.sheet import DealSheet, Foul, Suits
from scoring.sides import Pair, Side
from scoring.suits import Suit
from tests.e2e.looking import paths_for, press, tab_to, violations
from tests.e2e.steps import choose
from tests.factories import record

pytestmark = pytest.mark.browser

SAVE = re.compile("^Tallenna")


def save(page, hall):
    page.get_by_role("button", name=SAVE).click()


def fill(page, hall, mattis="5–3"):
    for question, choice in (("Viimeinen tikki", 0), ("Matit", mattis)):
        group = page.get_by_role("group", name=re.compile(f"^{question}"))
        radios = group.get_by_role("radio")
        if isinstance(choice, str):
            radios = group.get_by_role("radio", name=choice, exact=True)
        choose(radios.first)


def fill_impossibly(page, hall):
    fill(page, hall, mattis="4–4")
    page.get_by_role("spinbutton").first.fill("1")
    tricks = page.get_by_role("group", name=re.compile("^Ei yhtään tikkiä"))
    team = str(hall.played.games.get(number=2).team_a)
    choose(tricks.get_by_role("radio", name=team))
    save(page, hall)
    expect(page.locator("#problems")).to_be_visible()


def fill_oddly(page, hall):
    fill(page, hall, mattis="8–0")
    save(page, hall)
    expect(page.locator("#doubts")).to_be_visible()


def come_too_late(page, hall):
    fill(page, hall)
    record(hall.played.games.get(number=2))
    save(page, hall)
    expect(page.locator(".sheet-conflict")).to_be_visible()


def save_a_deal(page, hall):
    fill(page, hall)
    save(page, hall)
    expect(page.get_by_text(re.compile(r"Jako \d tallennettu"))).to_be_visible()


SHEETS = {
    "saved": ("/sheet/played/games/2/", save_a_deal),
    "empty": ("/sheet/played/games/2/", save),
    "impossible": ("/sheet/played/games/2/", fill_impossibly),
    "odd": ("/sheet/played/games/2/", fill_oddly),
    "late": ("/sheet/played/games/2/", come_too_late),
}


# What axe says.


def test_public_pages_have_nothing_that_axe_finds_wrong(visit):
    paths = {*paths_for(None, "/played/", most=2), "/played/games/1/"}

    found = {path: violations(visit(path)) for path in sorted(paths)}

    assert {"/", "/played/groups/", "/played/games/2/"} <= found.keys()
    assert "/login/?next=/played/" in found
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_pages_of_the_table_have_nothing_that_axe_finds_wrong(visit, hall):
    linked = paths_for(hall.scorekeeper, "/sheet/played/", most=1)
    paths = {path for path in linked if path.startswith("/sheet/")}
    paths |= {f"/sheet/played/games/{number}/" for number in range(1, 5)}

    found = {path: violations(visit(path, "scorekeeper")) for path in sorted(paths)}

    assert {"/sheet/", "/sheet/played/"} <= found.keys()
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("state", SHEETS)
def test_a_sheet_in_use_has_nothing_that_axe_finds_wrong(visit, hall, state):
    path, do = SHEETS[state]
    page = visit(path, "scorekeeper")

    do(page, hall)

    assert violations(page) == []


@pytest.mark.parametrize(
    ("path", "role", "heading"),
    [
        ("/nosuch/", None, "Sivua ei löydy"),
        ("/admin/", "scorekeeper", "Sinulla ei ole pääsyä tälle sivulle"),
        ("/logout/", None, "Sivua ei voi avata näin"),
    ],
)
def test_error_pages_have_nothing_that_axe_finds_wrong(visit, path, role, heading):
    page = visit(path, role)

    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    assert violations(page) == []


# By keyboard.


def test_a_deal_is_entered_and_saved_by_keyboard_alone(visit, hall):
    game = hall.played.games.get(number=4)
    page = visit("/sheet/played/games/4/", "scorekeeper")

    press(page, "Tab", "Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    tab_to(page, f"ruutu, {game.team_a}")
    press(page, "Space", "Space")
    tab_to(page, f"hertta, {game.team_a}")
    press(page, "Space")
    tab_to(page, f"pata, {game.team_a}")
    press(page, "ArrowDown")
    expect(page.get_by_role("radio", name=f"pata, {game.team_b}")).to_be_checked()
    tab_to(page, str(game.team_a))
    press(page, "Space")
    tab_to(page, "0–8")
    press(page, *["ArrowRight"] * 4)
    expect(page.get_by_role("radio", name="4–4", exact=True)).to_be_checked()
    tab_to(page, str(game.team_a))
    page.keyboard.type("20")
    expect(page.get_by_role("status", name="Mitä jako antaa")).to_contain_text("+4")
    tab_to(page, f"+ {game.team_b}")
    press(page, "Enter")
    tab_to(page, "korjattu heti")
    press(page, "Space")
    tab_to(page, "Tallenna jako 1")
    page.keyboard.press("Enter")

    expect(page.get_by_text(re.compile("Jako 1 tallennettu"))).to_be_visible()
    (deal,) = course_of(game).deals
    assert deal.sheet == DealSheet(
        last_trick=Side.A,
        mattis=Pair(4, 4),
        pips=Pair(20, 16),
        trump=Side.A,
        small_trumps=Pair(0, 1),
        suits=Suits(Suit.H, Pair((), (Suit.S,))),
        fouls=(Foul(Side.B, corrected=True),),
    )


def test_the_groups_are_opened_by_keyboard_past_what_is_on_every_page(visit):
    page = visit("/")

    assert press(page, "Tab")["text"] == "Siirry sisältöön"
    press(page, "Enter")
    assert page.evaluate("document.activeElement.id") == "content"
    tab_to(page, "/played/")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Pöytäcup", level=1)).to_be_visible()
    tab_to(page, "/played/groups/")
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("/played/groups/$"))
    assert press(page, "Tab")["text"] == "Siirry sisältöön"


# Errors at their fields.


def test_each_problem_of_a_sheet_leads_to_its_field(visit, hall):
    page = visit("/sheet/played/games/2/", "scorekeeper")

    fill_impossibly(page, hall)

    problems = page.locator("#problems")
    expect(problems).to_be_focused()
    told = problems.get_by_role("link")
    field = page.get_by_role("spinbutton").first
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile("Silmiä ei voi olla 1:"))
    assert problems.locator("a[href^='#']").count() >= 2
    for link in told.all():
        page.keyboard.press("Tab")
        expect(link).to_be_focused()
        to = link.get_attribute("href")
        if not to.startswith("#"):
            # The rule itself, on a page of its own.
            continue
        target = page.locator(to)
        where = target.locator(
            "xpath=ancestor-or-self::*[@role='group' or self::fieldset]"
        )
        expect(where.last).to_have_accessible_description(
            re.compile(re.escape(link.inner_text()))
        )


def test_what_is_wrong_with_a_sign_in_is_told_and_the_field_has_the_focus(visit):
    page = visit("/login/")

    page.get_by_label("Käyttäjätunnus").fill("nobody")
    page.get_by_label("Salasana").fill("wrong")
    page.keyboard.press("Enter")

    alert = page.get_by_role("alert")
    expect(alert).to_have_text("Tunnus tai salasana on väärin.")
    expect(page.get_by_label("Käyttäjätunnus")).to_be_focused()
    assert violations(page) == []
