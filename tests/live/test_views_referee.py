from __future__ import annotations

import html
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from komppa.cup.choices import Visibility
from tests.factories import CupFactory, drawn_cup
from tests.live.test_words_of_referee import text_of

pytestmark = pytest.mark.django_db

POSITION = "hand=S7.S10.HA&trick=SK&trump=H&n=4"


@pytest.fixture
def cup():
    return CupFactory(slug="x")


def ask(client, query="", slug="x", status=200) -> str:
    answer = client.get(f"/{slug}/rules/referee/?{query}")
    assert answer.status_code == status
    return answer.content.decode()


def said(page: str) -> str:
    """Return what the page reads aloud after each tap."""
    (told,) = re.findall('data-swap="said">(.*?)<div data-swap="asked">', page, re.S)
    return " ".join(html.unescape(text_of(told)).split())


def links(page: str, prefix: str) -> dict[str, str]:
    """Return where each link leads whose id begins so."""
    found = re.findall(rf'<a [^>]*id="{prefix}([^"]+)" href="\?([^"#]*)#referee"', page)
    return {name: html.unescape(query) for name, query in found}


def test_the_rule_is_told_in_one_sentence_and_linked(client, cup):
    page = ask(client, POSITION)

    assert "Sallittu kortti: S10" in said(page)
    assert "Ylimenopakko R2.3: S10 voittaa SK:n, ja sinulla on se" in said(page)
    assert 'href="/x/rules/#R2.3"' in page


@pytest.mark.parametrize(
    ("card", "verdict", "why"),
    [
        ("S7", "Pelivirhe: S7 ei ollut sallittu.", "Ylimenopakko R2.3: S10 voittaa"),
        ("HA", "Pelivirhe: HA ei ollut sallittu.", "Maapakko R2.1: aloitettu maa on"),
        ("S10", "Ei virhettä: S10 oli sallittu.", "Ylimenopakko R2.3: S10 voittaa"),
    ],
)
def test_a_card_is_judged_by_the_first_rule_against_it(client, cup, card, verdict, why):
    told = said(ask(client, f"{POSITION}&card={card}"))

    assert told.startswith(verdict)
    assert why in told


def test_legal_cards_are_marked_with_more_than_a_colour(client, cup):
    page = ask(client, POSITION)

    hand = re.findall(
        r'id="asked-(\w+)".*?aria-label="\w+, (sallittu|ei sallittu)"', page
    )
    assert hand == [("HA", "ei sallittu"), ("S7", "ei sallittu"), ("S10", "sallittu")]


def test_every_card_is_named_for_who_does_not_see_it(client, cup):
    page = ask(client)

    names = re.findall(r'class="playing-card[^>]*aria-label="([^"]+)"', page)
    assert len(set(names)) == len(names) == 36
    assert {"patakymppi", "herttaässä", "ristikuusi", "ruutusotilas"} <= set(names)


def test_each_card_of_the_pack_leads_to_the_position_with_it(client, cup):
    page = ask(client, "hand=S10&trick=SK&n=4&to=trick")

    leading = links(page, "card-")
    assert len(leading) == 36
    assert (leading["H8"], leading["S10"], leading["SK"]) == (
        "hand=S10&trick=SK.H8&n=4&to=trick",
        "trick=SK&n=4&to=trick",
        "hand=S10&n=4&to=trick",
    )


@pytest.mark.parametrize(
    ("query", "prefix", "offered"),
    [
        ("", "number-", "1 2 3 4 5 6 7 8 9"),
        ("trump=H", "number-", "3 4 5 6 7 8 9"),
        ("hand=S7.S8.S9.S10&trump=H&small=S", "number-", "4 5 6"),
        ("", "trump-", "none C D H S"),
        ("n=2", "trump-", "none"),
        ("n=3", "trump-", "none C D H S"),
        ("n=4", "small-", ""),
        ("n=3&trump=H", "small-", ""),
        ("n=4&trump=H", "small-", "none C D S"),
        ("n=4&trump=H&trick=S6", "small-", ""),
        ("hand=CA", "opens-", ""),
        ("hand=CA&n=1", "opens-", "0 1"),
        ("hand=CA&n=1&trick=C6", "opens-", ""),
        ("hand=DA&n=1", "opens-", ""),
        ("hand=S7.S8.S9&n=7", "card-", "S7 S8 S9"),
    ],
)
def test_only_what_can_be_is_offered(client, cup, query, prefix, offered):
    page = ask(client, query)

    assert sorted(links(page, prefix)) == sorted(offered.split())


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("hand=XX", "”XX” ei ole kortti."),
        ("hand=S10&trick=S10", "Kortti S10 on mukana kahdesti."),
        ("hand=S7.S8.S9&n=8", "Kädessä on 3 korttia, sallittuja ovat 1–2."),
        ("trick=S6.S7.S8.S9", "Tikissä on 4 korttia, sallittuja ovat 0–3."),
        ("trump=H&n=2", "Valttia ei voi olla ennen 3. tikkiä."),
        ("n=10", "10 ei kelpaa, sallittuja ovat 1–9."),
        ("n=x", "”x” ei ole kokonaisluku."),
        ("trump=Q", "”Q” ei ole maa."),
        ("small=H&trump=H", "Hertta on valtti, joten se ei ole pikkuvaltti."),
    ],
)
def test_what_cannot_be_is_told_and_can_be_mended(client, cup, query, sentence):
    page = ask(client, query, status=400)

    assert said(page) == sentence
    assert len(links(page, "card-")) > 0
    assert "asked-" not in page


def test_two_players_have_eighteen_tricks_of_two_cards(client):
    CupFactory(slug="two", ruleset="avomarjapussi")
    eleven = "hand=C6.C7.C8.C9.CJ.CQ.CK.C10.CA.D6.D7"

    page = ask(client, f"{eleven}&n=8&trick=D8", "two")

    assert list(links(page, "number-")) == [str(number) for number in range(1, 9)]
    assert len(re.findall('id="number-', page)) == 18
    full = links(ask(client, f"{eleven}&n=8&trick=D8&to=trick", "two"), "card-")
    assert len(full) == 12  # nothing but what is there can be tapped
    assert said(page).startswith("Sallitut kortit: D6 ja D7")


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("", "Napauta ensin kortit, jotka pelaajalla oli kädessä vuorollaan."),
        ("hand=SA.S10&trick=SK", "Valitse, monesko tikki on menossa."),
    ],
)
def test_the_page_says_what_it_waits_for(client, cup, query, hint):
    assert said(ask(client, query)).startswith(hint)


def test_asking_costs_the_same_whatever_is_asked(client, cup):
    asked = []
    for query in ("", POSITION, "hand=XX"):
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/x/rules/referee/?{query}")
        asked.append(len(captured))

    assert asked == [1, 1, 1]


def test_page_of_a_visitor_is_nobodys_own(client, cup):
    answer = client.get(f"/x/rules/referee/?{POSITION}")

    assert dict(answer.cookies) == {}
    assert "csrfmiddlewaretoken" not in answer.content.decode()


def test_page_has_nothing_that_its_policy_forbids(client, cup):
    page = ask(client, f"{POSITION}&card=S7")

    assert re.findall(r"\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)", page) == []


def test_page_takes_no_posts(client, cup):
    assert client.post("/x/rules/referee/").status_code == 405


@pytest.mark.parametrize("who", ["client", "stranger_client", "scorekeeper_client"])
def test_draft_has_a_referee_for_organisers_only(request, who, organiser_client):
    CupFactory(slug="draft", visibility=Visibility.DRAFT)
    address = "/draft/rules/referee/"

    statuses = [
        visitor.get(address).status_code
        for visitor in (request.getfixturevalue(who), organiser_client)
    ]

    assert statuses == [404, 200]


def test_score_sheet_leads_to_the_referee_in_a_tab_of_its_own(scorekeeper_client):
    drawn_cup(slug="x")

    page = scorekeeper_client.get("/sheet/x/games/1/").content.decode()

    fouls = page.split('id="part-fouls"')[1].split("</fieldset>")[0]
    assert 'href="/x/rules/referee/" target="_blank" rel="noopener"' in fouls
