"""A list of twelve teams, pasted with a fault in it, mended and added."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.factories import CupFactory

pytestmark = pytest.mark.browser

NAMES = ["Ässät", "Kuninkaat", "Rouvat", "Sotilaat", "Kympit", "Ysit", "Kasit"]
NAMES += ["Seiskat", "Kuutoset", "Risti", "Ruutu", "Pöytä"]
TWELVE = [
    f"{name}; Åke {number}; Väinö {number}; {number % 3 + 1}"
    for number, name in enumerate(NAMES, start=1)
]


@pytest.fixture
def open_list(site, new_context, organiser):
    """Return a function that opens the page of a cup's list in a browser of its own."""

    def open_it(cup, **options):
        context = new_context(viewport={"width": 360, "height": 800}, **options)
        context.add_cookies([site.session_cookie(organiser)])
        page = context.new_page()
        page.goto(f"{site.url}/admin/cup/cup/{cup.pk}/teams/")
        page.get_by_role("link", name="Lisää joukkueet listasta").click()
        return page

    return open_it


@pytest.mark.parametrize("script", [True, False], ids=["script", "no_script"])
def test_twelve_teams_are_pasted_mended_and_added(open_list, script):
    cup = CupFactory()
    page = open_list(cup, java_script_enabled=script)
    field = page.get_by_label("Joukkueet, yksi riville")
    field.focus()
    page.keyboard.insert_text("\n".join([*TWELVE[:11], "", "ÄSSÄT"]))

    page.get_by_role("button", name="Esikatsele").click()

    expect(page.get_by_text("Korjattavaa on riveillä 1, 13.")).to_be_visible()
    twin = page.get_by_role("row").filter(has_text="Sama nimi on myös rivillä 1.")
    expect(twin).to_contain_text("ÄSSÄT")
    expect(page.get_by_role("button", name="Lisää")).to_have_count(0)
    assert cup.teams.count() == 0

    field.fill(field.input_value().replace("ÄSSÄT", TWELVE[11]))
    page.get_by_role("button", name="Esikatsele").click()
    expect(page.get_by_text("uusi joukkue", exact=True)).to_have_count(12)
    assert cup.teams.count() == 0
    page.get_by_role("button", name="Lisää 12 joukkuetta").click()

    expect(page.get_by_text("12 joukkuetta on lisätty.")).to_be_visible()
    expect(page.get_by_label("Rivi 12: Joukkue")).to_have_value("Ässät")
    assert cup.teams.filter(players__name="Väinö 12", pot=1).get().name == "Pöytä"


def test_a_file_of_finnish_excel_is_chosen_and_added(open_list):
    cup = CupFactory()
    page = open_list(cup)
    text = "Joukkue;Pelaaja 1;Pelaaja 2;Kori\r\n" + "\r\n".join(TWELVE)
    file = {"name": "joukkueet.csv", "mimeType": "text/csv"}

    page.get_by_label("Tai tiedosto").set_input_files(
        [{**file, "buffer": text.encode("cp1252")}]
    )
    page.get_by_role("button", name="Esikatsele").click()

    read = "Lista luettiin tiedostosta joukkueet.csv (Windows-1252)."
    expect(page.get_by_text(read)).to_be_visible()
    page.get_by_role("button", name="Lisää 12 joukkuetta").click()
    expect(page.get_by_text("12 joukkuetta on lisätty.")).to_be_visible()
    assert cup.teams.filter(name="Ässät", players__name="Åke 1").count() == 1
