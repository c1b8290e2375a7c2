"""The organiser's half of the bracket in a browser, on any screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from komppa.cup.models import Team, name_key
from tests.cup.brackets import (
    cup_with_bracket,
    decide,
    played_groups,
    put_first,
    team_at,
)
from tests.e2e.looking import sticking_out_of

pytestmark = pytest.mark.browser


@pytest.fixture
def admin_page(site, page, organiser):
    page.context.add_cookies([site.session_cookie(organiser)])
    return page


def rename(cup, **names):
    for place, name in names.items():
        pk = team_at(cup, place).pk
        Team.objects.filter(pk=pk).update(name=name, name_key=name_key(name))


@pytest.fixture
def addresses(site):
    """Every page of it with something on it, in names of 40 letters without a space."""
    offered = played_groups(teams=10, groups=3, best_next=2)
    made = cup_with_bracket(teams=8, groups=2)
    for cup in (offered, made):
        for number, team in enumerate(cup.teams.all()):
            Team.objects.filter(pk=team.pk).update(name="WÄ" * 18 + f"{number:04d}")
    decide(made.games.get(number=13))
    put_first(made, "A2", "A1")
    begun = f"/admin/cup/cup/{made.pk}"
    return [
        f"/admin/cup/cup/{offered.pk}/bracket/",
        f"/admin/cup/cup/{cup_with_bracket().pk}/bracket/remove/",
        f"{begun}/",
        f"{begun}/bracket/",
        f"{begun}/games/13/conflict/",
        f"{begun}/games/13/annul/",
        f"{begun}/games/14/team/a/",
    ]


@pytest.mark.parametrize("width", [360, 820, 1920])
def test_every_page_of_the_bracket_fits_its_screen(site, admin_page, addresses, width):
    complaints = []
    admin_page.on("console", lambda said: complaints.append((said.type, said.text)))
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


def test_a_bracket_is_made_put_right_and_won(site, admin_page):
    cup = played_groups(teams=6, groups=2, name="Komppa-cup")
    rename(cup, A1="Kortti", A2="Sarvi", A3="Rae", B1="Hertat", B2="Padat", B3="Jätkät")
    put_first(cup, "B3", "B1")
    page = admin_page
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{site.url}/admin/cup/cup/{cup.pk}/bracket/")

    # Those of group B have beaten each other in turn.
    tie = page.get_by_role("listitem").filter(has_text="ovat tasan jatkopaikasta")
    expect(tie).to_contain_text("Lohko B: ")
    tie.get_by_role("button", name="Vedä arpa").click()
    expect(page.get_by_text("Arpa on vedetty. Järjestys on")).to_be_visible()
    pairs_shown = page.get_by_role("region", name="Jatkopelien parit, 4 joukkuetta")
    expect(pairs_shown.get_by_text("A1 Kortti – B2")).to_be_visible()
    page.get_by_text("1 pöytä", exact=True).click()
    page.get_by_role("button", name="Tee jatkopelit").click()
    expect(page.get_by_text("Jatkopelit on tehty.")).to_be_visible()

    # A1 plays; then it turns out that A2 was the first of the group.
    decide(cup.games.get(number=7))
    put_first(cup, "A2", "A1")
    page.goto(f"{site.url}/admin/cup/cup/{cup.pk}/")
    waiting = page.get_by_role("listitem").filter(
        has_text="Kortti pelasi, mutta A1 on nyt Sarvi."
    )
    waiting.get_by_role("link", name="Ratkaise ristiriita").click()
    way = page.get_by_role("region", name="Mitätöi ja pelaa uudelleen")
    way.get_by_label("Syy").fill("Lohkon tulos oli kirjattu väärin päin")
    way.get_by_role("button", name="Mitätöi ja pelaa uudelleen").click()
    expect(
        page.get_by_text("P7 on mitätöity. Sen sijaan pelataan uusi")
    ).to_be_visible()

    # It goes on to its champion.
    for number in (11, 8, 9, 10):
        decide(cup.games.get(number=number))
    page.reload()
    champion = page.get_by_role("region", name="Mestari")
    expect(champion).to_contain_text("Sarvi")
    expect(page.get_by_text("P7 (Kortti – ")).to_be_visible()
