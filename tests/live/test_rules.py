from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from komppa.cup.choices import Outcome, Visibility
from komppa.live.views_rules import agreed_of
from komppa.rulebook import SIZES, Agreed
from scoring.rulesets import RULESETS
from scoring.sheet import DealSheet, Foul
from scoring.sides import Side
from tests.factories import (
    SIX_FOR_A,
    CupFactory,
    TeamFactory,
    drawn_cup,
    end,
    play_out,
    record,
    sheet,
    tied_group,
)
from tests.sheets.posts import address, blank, post, rename
from tests.spoken import Page

pytestmark = pytest.mark.django_db

NUMBERS = [f"{c}.{n}" for c, size in SIZES.items() for n in range(1, size + 1)]
WICKED = "R5.2 <b>&\"'</b>"


def get(client: Client, cup) -> str:
    response = client.get(f"/{cup.slug}/rules/")
    assert response.status_code == 200
    return response.content.decode()


def rule_in(html: str, number: str) -> str:
    """Return what a rule says on the page, in words."""
    start = html.index(f'<li id="{number}"')
    end = re.compile("<li id=|</section>").search(html, start + 1).start()
    bare = re.sub(r"<[^>]+>", " ", html[start:end])
    return " ".join(bare.split())


def links_in(html: str) -> list[str]:
    return re.findall(r'<a class="rule"[^>]* href="([^"]+)"', html)


# The page.


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.parametrize("key", RULESETS)
def test_each_rule_has_its_anchor_in_each_ruleset_and_language(client, key, language):
    client.cookies["komppa_language"] = language

    html = get(client, CupFactory(ruleset=key))

    assert re.findall(r'<li id="(R[\d.]+)"', html) == NUMBERS
    assert re.findall(r'<section [^>]*id="(R\d+)"', html) == list(SIZES)
    assert re.findall(r'<a href="#(R\d+)"', html) == list(SIZES)


def test_each_link_within_the_page_leads_somewhere(client):
    html = get(client, CupFactory(slug="x"))

    ids = set(re.findall(r'\sid="([^"]+)"', html))
    own = {link.removeprefix("/x/rules/#") for link in links_in(html)}
    assert own | set(re.findall(r'href="#([^"]+)"', html)) <= ids
    assert len(own) > 20


@pytest.mark.parametrize(
    ("chosen", "number", "said"),
    [
        (
            {"both_on_target": "drop"},
            "R6.6",
            "Tässä turnauksessa Kun molemmilla on tasan 12, molemmat putoavat 7 "
            "pisteeseen. Laistokierrosta ei pelata.",
        ),
        (
            {"both_on_target": "drop"},
            "R6.2",
            "R6.2 Ei tässä turnauksessa Laistokierrosta ei pelata ( R6.6 ).",
        ),
        (
            {"laistokierros_no_tricks": "porvoo"},
            "R6.5",
            "Tässä turnauksessa Laistokierroksella ilman tikkiä jäänyt joukkue menee "
            "Porvooseen, 0 pisteeseen ( R5.3 ).",
        ),
        (
            {"corrected_foul": "counts"},
            "R7.3",
            "Tässä turnauksessa Heti korjatusta virheestä ei mennä Porvooseen, mutta "
            "se lasketaan kolmeen.",
        ),
        (
            {"foul_loss_sets": "full"},
            "R9.8",
            "Tässä turnauksessa Kun peli päättyy kolmanteen virheeseen, voittaja saa "
            "puuttuvat eränsä.",
        ),
        (
            {"withdrawn_games": "walkover"},
            "R9.10",
            "Tässä turnauksessa Vetäytyneen joukkueen pelatut pelit jäävät voimaan, ja "
            "pelaamattomat ovat luovutuksia. Joukkue pitää sijansa, mutta jää niiden "
            "taakse, joilla on samat luvut.",
        ),
        (
            {"sets_to_win": 1, "final_sets_to_win": 5},
            "R5.7",
            "Tässä turnauksessa Erävoittoja pelin voittoon: 1, finaalissa 5.",
        ),
        (
            {"ruleset": "wikipedia-10"},
            "R5.2",
            "R5.2 Joukkue, joka menee yli 10 pisteen, putoaa 7 pisteeseen, meni se yli "
            "kuinka paljon tahansa.",
        ),
        (
            {"ruleset": "avomarjapussi"},
            "R3.4",
            "R3.4 Ei tässä turnauksessa Mikään ei pala, koska kysymyksiä ei ole ( "
            "R3.2 ).",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
def test_the_page_tells_what_this_cup_has_chosen(client, chosen, number, said):
    assert rule_in(get(client, CupFactory(**chosen)), number).endswith(said)


def test_who_goes_on_is_told_with_the_order(client):
    cup = CupFactory(qualifiers_per_group=1, best_next=3, bronze_game=False)

    assert (
        get(client, cup).count(
            '<p class="rule-chosen"><strong>Tässä turnauksessa</strong> Jokaisesta '
            "lohkosta pääsee jatkoon paras. Lisäksi pääsee 3 parasta seuraavaksi "
            "sijoittuneista.</p>"
        )
        == 1
    )


def test_the_page_marks_the_ruleset_of_the_cup(client):
    html = get(client, CupFactory(ruleset="kotipeli"))

    chosen = re.findall(r'<div class="is-chosen"><dt>([^<]+) <', html)
    assert chosen == ["Kotipeli"]
    assert re.findall(r'<h2 id="summary-title">([^<]+)</h2>', html) == ["Kotipeli"]


def test_the_list_of_rulesets_tells_where_the_cup_departs_from_its_own(client):
    changed, usual = (
        get(client, CupFactory(slug=slug, ruleset="kotipeli", both_on_target=way))
        for slug, way in (("x", "laistokierros"), ("y", "drop"))
    )

    told = re.findall(r'<dd>[^<]*<p class="rule-chosen">(.*?)</p></dd>', changed)
    assert told == [
        'Tästä poiketaan tässä turnauksessa: katso <a class="rule" '
        'href="/x/rules/#R6.6">R6.6</a>.'
    ]
    own = changed[: changed.index(told[0])].rpartition("<dt>")[2]
    assert own.startswith("Kotipeli ")
    assert "Tästä poiketaan" not in usual


def test_a_ruleset_that_is_known_no_more_is_told_by_its_columns(client):
    cup = CupFactory(ruleset="wikipedia-10")
    cup.ruleset = "of-old"
    cup.save()

    html = get(client, cup)

    assert '<h2 id="summary-title">of-old</h2>' in html
    assert "tasan 10 pistettä" in rule_in(html, "R5.1")


def test_what_the_cup_has_agreed_is_read_from_its_columns():
    usual = agreed_of(CupFactory())
    other = agreed_of(
        CupFactory(
            sets_to_win=4,
            final_sets_to_win=5,
            foul_loss_sets="full",
            withdrawn_games="walkover",
            qualifiers_per_group=3,
            best_next=1,
            bronze_game=False,
        )
    )

    assert (usual, other) == (Agreed(), Agreed(4, 5, True, True, 3, 1, False))


@pytest.mark.parametrize("teams", [1, 8])
def test_the_page_takes_one_query_whatever_the_cup_holds(
    client, teams, django_assert_num_queries
):
    cup = CupFactory(slug="x")
    TeamFactory.create_batch(teams, cup=cup)

    with django_assert_num_queries(1):
        client.get("/x/rules/")


def test_the_page_is_nobodys_own(client):
    response = client.get(f"/{CupFactory().slug}/rules/")

    assert dict(response.cookies) == {}
    assert "csrfmiddlewaretoken" not in response.content.decode()
    assert "Cache-Control" not in response.headers


def test_the_page_has_nothing_that_its_policy_forbids(client):
    html = get(client, CupFactory(name=WICKED))

    assert re.findall(r"\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)", html) == []
    assert Page(html).headings == ["Säännöt"]
    assert "<b>&" not in html


@pytest.mark.parametrize("who", ["client", "stranger_client", "scorekeeper_client"])
def test_the_rules_of_a_draft_are_for_organisers_alone(request, who, organiser_client):
    cup = CupFactory(visibility=Visibility.DRAFT)
    path = f"/{cup.slug}/rules/"

    statuses = [
        visitor.get(path).status_code
        for visitor in (request.getfixturevalue(who), organiser_client)
    ]

    assert statuses == [404, 200]


def test_the_page_takes_nothing_and_there_is_none_for_another_cup(organiser_client):
    cup = CupFactory()

    taken = organiser_client.post(f"/{cup.slug}/rules/", {"target": "1"})

    cup.refresh_from_db()
    assert (taken.status_code, cup.target) == (405, 12)
    assert organiser_client.get("/none/rules/").status_code == 404


# The links from elsewhere.


@pytest.fixture
def game():
    game = drawn_cup(slug="x").games.select_related("team_a", "team_b").first()
    rename(game, WICKED, "Ilvekset")
    return game


def test_a_game_links_the_rules_of_its_points(client, game):
    record(game, sheet(**SIX_FOR_A))
    record(game, sheet(no_tricks=Side.B, mattis=(8, 0)))

    html = client.get("/x/games/1/").content.decode()

    assert links_in(html) == [
        f"/x/rules/#{number}" for number in ("R4.1", "R4.2", "R5.3", "R4.1", "R4.2")
    ]
    ids = re.findall(r'<a class="rule" id="([^"]+)"', html)
    assert len(set(ids)) == 5
    assert "R5.2 &lt;b&gt;&amp;&quot;&#x27;&lt;/b&gt;" in html


@pytest.mark.parametrize(
    ("outcome", "rule"),
    [
        (Outcome.WALKOVER_A, "R9.9"),
        (Outcome.ANNULLED, "R9.9"),
        (Outcome.BOTH_ABSENT, "R9.11"),
    ],
)
def test_a_game_that_was_not_played_links_the_rule_of_its_end(
    client, game, outcome, rule
):
    end(game, outcome)

    html = client.get("/x/games/1/").content.decode()

    assert links_in(html) == [f"/x/rules/#{rule}"]


def test_a_game_lost_by_fouls_links_the_rule_of_its_end(client, game):
    record(game, DealSheet(fouls=(Foul(Side.A),) * 3, abandoned=True))

    html = client.get("/x/games/1/").content.decode()

    outcome = html[html.index('class="game-outcome"') :]
    assert links_in(outcome[: outcome.index("</p>")]) == ["/x/rules/#R7.1"]


def test_a_game_won_by_its_sets_links_no_rule_of_its_end(client, game):
    play_out(game)

    html = client.get("/x/games/1/").content.decode()

    outcome = html[html.index('class="game-outcome"') :]
    assert links_in(outcome[: outcome.index("</p>")]) == []


def test_a_group_links_the_rules_of_its_order(client):
    cup = tied_group().cup

    html = client.get(reverse("live:groups", args=[cup.slug])).content.decode()

    assert links_in(html) == [f"/{cup.slug}/rules/#R9.5"]


def test_a_bracket_that_waits_for_a_lot_links_the_rule(client):
    cup = tied_group().cup

    html = client.get(reverse("live:bracket", args=[cup.slug])).content.decode()

    assert links_in(html) == [f"/{cup.slug}/rules/#R9.5"]


def test_the_sheets_answer_links_rules_to_a_new_tab(scorekeeper_client, game):
    record(game, sheet(**SIX_FOR_A))

    said = [
        scorekeeper_client.post(address(game, "preview"), blank(game, **typed))
        for typed in ({"no_tricks": "A"}, {"mattis": "5", "no_tricks": "A"})
    ]

    aside = ' target="_blank" rel="noopener" href="/x/rules/#'
    assert [
        re.findall(rf"{aside}([\w.]+)", answer.content.decode()) for answer in said
    ] == [
        ["R5.3"],
        ["R10.3"],
    ]
    assert "R5.2 &lt;b&gt;" in said[0].content.decode()


def test_a_refused_sheet_links_the_rules_that_it_breaks(scorekeeper_client, game):
    record(game, sheet(fouls=(Foul(Side.A), Foul(Side.A))))

    refused = scorekeeper_client.post(
        address(game), post(game, mattis="4", pips_a="1", foul_1="A")
    )

    html = refused.content.decode()
    problems = html[
        html.index('id="problems"') : html.index("</ul>", html.index('id="problems"'))
    ]
    assert refused.status_code == 422
    assert sorted(links_in(problems)) == ["/x/rules/#R10.1", "/x/rules/#R10.4"]
    assert problems.count('target="_blank" rel="noopener"') == 2


def test_the_organisers_pages_link_the_rules_of_the_cup(organiser_client):
    cup = tied_group().cup
    game = cup.games.first()
    base = f"/admin/cup/cup/{cup.pk}"

    found = {
        page: set(links_in(organiser_client.get(f"{base}/{page}").content.decode()))
        for page in ("lots/", f"games/{game.number}/outcome/", "bracket/")
    }

    at = f"/{cup.slug}/rules/#"
    assert found == {
        "lots/": {f"{at}R9.{n}" for n in (1, 4, 5)},
        f"games/{game.number}/outcome/": {f"{at}R9.9", f"{at}R9.11"},
        "bracket/": {f"{at}R9.5"},
    }


def test_the_settings_link_rules_once_there_is_a_cup(organiser_client):
    cup = CupFactory()

    pages = [
        organiser_client.get(f"/admin/cup/cup/{page}").content.decode()
        for page in ("add/", f"{cup.pk}/change/")
    ]

    assert links_in(pages[0]) == []
    assert set(links_in(pages[1])) == {
        f"/{cup.slug}/rules/#R{number}"
        for number in ("5.3", "5.7", "6.2", "6.5", "6.6", "7.1", "7.3", "9.8", "9.10")
    }


def test_settings_whose_rules_are_fixed_link_them_still(organiser_client):
    cup = drawn_cup()
    record(cup.games.first())

    answer = organiser_client.get(f"/admin/cup/cup/{cup.pk}/change/")

    html = answer.content.decode()
    assert links_in(html) == [
        f"/{cup.slug}/rules/#R{number}" for number in ("5.7", "5.7", "9.8", "9.10")
    ]
    assert html.count('target="_blank" rel="noopener" href="/') >= 4


def test_annulling_a_game_links_its_rule(organiser_client):
    cup = drawn_cup()

    answer = organiser_client.get(f"/admin/cup/cup/{cup.pk}/games/1/annul/")

    html = answer.content.decode()

    assert links_in(html) == [f"/{cup.slug}/rules/#R9.9"]
