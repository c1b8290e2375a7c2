from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from komppa import parts
from komppa.cup import services
from komppa.cup.choices import Outcome, Visibility
from komppa.cup.qualifying import bracket_games
from komppa.parts import render_part
from tests.cup.brackets import cup_with_bracket, decide, team_at
from tests.factories import CupFactory, TeamFactory, drawn_cup, end, play_out, record

PAGES = ["cup", "groups", "games", "game", "bracket"]
WICKED = "<b>&\"'</b>" + "x" * 40

pytestmark = pytest.mark.django_db


def address(where: str, cup, number: int = 1) -> str:
    if where == "front":
        return reverse("live:front")
    numbers = [number] if where == "game" else []
    return reverse(f"live:{where}", args=[cup.slug, *numbers])


def get(client, where, cup=None) -> str:
    response = client.get(address(where, cup))
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def busy_cup():
    """One game won, one in play, the rest to come."""
    cup = drawn_cup(teams=6, groups=2, slug="busy", place="Smökki")
    games = list(cup.games.order_by("number"))
    play_out(games[0], loser_sets=1)
    record(games[1])
    return cup


@pytest.mark.parametrize("where", ["front", *PAGES])
def test_page_shows_the_part_as_its_update_would_be(client, busy_cup, where):
    name = "game-1" if where == "game" else where

    html = get(client, where, busy_cup)

    with translation.override("fi"):
        part = render_part(None if where == "front" else busy_cup, name)
    assert html.count(f'<div data-part="{name}">{part}</div>') == 1


@pytest.mark.parametrize("where", ["front", *PAGES])
def test_page_of_a_visitor_is_nobodys_own(client, busy_cup, where):
    response = client.get(address(where, busy_cup))

    assert dict(response.cookies) == {}
    assert "csrfmiddlewaretoken" not in response.content.decode()
    assert "Cache-Control" not in response.headers


@pytest.mark.parametrize("where", ["front", *PAGES])
def test_page_of_who_has_signed_in_is_kept_by_no_cache(
    scorekeeper_client, busy_cup, where
):
    response = scorekeeper_client.get(address(where, busy_cup))

    assert response.headers["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("where", ["front", *PAGES])
def test_page_has_nothing_that_its_policy_forbids(client, busy_cup, where):
    html = get(client, where, busy_cup)

    assert re.findall(r"\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)", html) == []


@pytest.mark.parametrize("where", ["front", *PAGES])
def test_page_has_one_main_heading(client, busy_cup, where):
    assert get(client, where, busy_cup).count("<h1") == 1


@pytest.mark.parametrize("where", PAGES)
def test_page_says_where_its_updates_come_from(client, busy_cup, where):
    busy_cup.refresh_from_db()
    body = re.search("<body[^>]*>", get(client, where, busy_cup)).group()

    assert body == (
        '<body class="has-cup-nav" data-live data-events="/events/busy/" '
        f'data-revision="{busy_cup.revision}" data-language="fi">'
    )


def test_front_says_where_its_updates_come_from(client, busy_cup):
    body = re.search("<body[^>]*>", get(client, "front")).group()

    assert 'data-events="/events/"' in body
    assert 'data-revision="' in body


@pytest.mark.parametrize("where", PAGES)
@pytest.mark.parametrize("who", ["client", "stranger_client", "scorekeeper_client"])
def test_draft_is_not_there_for_anybody_but_organisers(request, who, where):
    cup = drawn_cup(visibility=Visibility.DRAFT)

    response = request.getfixturevalue(who).get(address(where, cup))

    assert response.status_code == 404


@pytest.mark.parametrize("where", PAGES)
def test_draft_is_shown_to_organisers_without_updates(organiser_client, where):
    cup = drawn_cup(visibility=Visibility.DRAFT)

    html = get(organiser_client, where, cup)

    assert "Luonnos" in html
    assert "data-events" not in html


def test_front_lists_drafts_to_organisers_only(client, organiser_client):
    CupFactory(name="Salainen", visibility=Visibility.DRAFT)
    CupFactory(name="Julkinen")

    assert ["Salainen" in get(who, "front") for who in (client, organiser_client)] == [
        False,
        True,
    ]


def test_game_of_another_cup_is_not_found(client):
    small = drawn_cup(teams=2)
    drawn_cup(teams=4)

    response = client.get(address("game", small, number=2))

    assert response.status_code == 404


@pytest.mark.parametrize("where", ["front", *PAGES])
def test_page_takes_no_posts(client, busy_cup, where):
    assert client.post(address(where, busy_cup)).status_code == 405


@pytest.mark.parametrize("where", PAGES)
def test_names_are_words_and_never_markup(client, where):
    cup = CupFactory(name=WICKED)
    for letter in "ab":
        TeamFactory(cup=cup, name=f"{letter}{WICKED}")
    draw = services.draft_draw(cup=cup, group_count=1, by=None)
    services.confirm_draw(draw=draw, by=None)
    game = services.make_group_games(cup=cup, table_count=1, by=None)[0]
    if where == "game":
        record(game)
    elif where == "bracket":
        play_out(game)

    html = get(client, where, cup)

    assert "<b>" not in html
    assert f"a{escape(WICKED)}" in html


@pytest.mark.parametrize("where", ["groups", "games", "bracket", "cup"])
def test_page_of_many_rows_asks_no_more_than_one_of_few(client, where):
    few = drawn_cup(teams=4, groups=2)
    many = drawn_cup(teams=24, groups=6, tables=8)
    for cup in (few, many):
        for game in cup.games.order_by("number")[: cup.games.count() // 2]:
            end(game, Outcome.WALKOVER_A)

    assert queries_of(client, where, few) == queries_of(client, where, many)


def test_game_of_many_deals_asks_no_more_than_one_of_few(client):
    cup = drawn_cup(teams=4)
    in_play, longer, won, dearly_won = cup.games.order_by("number")[:4]
    record(in_play)
    for _time in range(5):
        record(longer)
    play_out(won)
    play_out(dearly_won, loser_sets=1)

    counted = [
        len(queries(client, address("game", cup, number=game.number)))
        for game in (in_play, longer, won, dearly_won)
    ]

    assert (counted[0], counted[2]) == (counted[1], counted[3])


def test_front_of_many_cups_asks_no_more_than_of_one(client):
    CupFactory()
    one = queries_of(client, "front", None)
    CupFactory.create_batch(30)

    assert queries_of(client, "front", None) == one


def queries(client, path):
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return captured.captured_queries


@pytest.mark.parametrize("where", ["front", "games", "bracket", "cup"])
def test_page_of_a_large_bracket_asks_no_more_than_of_a_small_one(client, where):
    facts = {"groups": 4, "best_next": 2}
    few = cup_with_bracket(teams=12, qualifiers_per_group=1, **facts)
    asked = [queries_of(client, where, few)]
    many = cup_with_bracket(teams=16, qualifiers_per_group=3, **facts)
    for cup in (few, many):
        decide(bracket_games(cup).order_by("number")[0])

    asked += [queries_of(client, where, cup) for cup in (few, many)]

    assert len(set(asked)) == 1


@pytest.mark.parametrize("where", ["front", "cup", "games", "game", "bracket"])
def test_page_of_a_cup_that_is_over_is_its_part_and_as_free_of_markup(client, where):
    cup = cup_with_bracket(teams=3, groups=1, slug="over")
    name = f"a{WICKED}"
    cup.teams.filter(pk=team_at(cup, "A1").pk).update(name=name)
    final = bracket_games(cup).get()
    decide(final)
    cup.refresh_from_db()
    part = f"game-{final.number}" if where == "game" else where

    html = client.get(address(where, cup, final.number)).content.decode()

    with translation.override("fi"):
        alone = render_part(None if where == "front" else cup, part)
    assert html.count(f'<div data-part="{part}">{alone}</div>') == 1
    assert "<b>&" not in html
    assert escape(name) in html
    assert re.findall(r"\sstyle=|\son\w+=|<style|<script(?![^>]*\ssrc=)", html) == []


def queries_of(client, where, cup):
    return len(queries(client, address(where, cup)))


@pytest.mark.parametrize("where", PAGES)
def test_draft_of_a_new_draw_changes_nothing_on_the_page(client, where):
    cup = drawn_cup(teams=6, groups=2)
    before = get(client, where, cup)

    services.draft_draw(cup=cup, group_count=3, by=None, seed="5ec1e7")

    after = get(client, where, cup)
    assert without_revision(after) == without_revision(before)


def test_draft_of_the_first_draw_changes_nothing_on_the_page(client):
    cup = CupFactory()
    TeamFactory.create_batch(6, cup=cup)
    before = get(client, "cup", cup)

    services.draft_draw(cup=cup, group_count=3, by=None, seed="5ec1e7")

    assert without_revision(get(client, "cup", cup)) == without_revision(before)


def without_revision(html: str) -> str:
    return re.sub(r'data-revision="\d+"', "", html)


def test_page_speaks_the_language_that_was_chosen(client, busy_cup):
    client.cookies["komppa_language"] = "en"

    assert '<html lang="en">' in get(client, "cup", busy_cup)


def test_language_links_lead_back_to_the_page(client, busy_cup):
    assert 'href="/language/en/?next=/busy/groups/"' in get(client, "groups", busy_cup)


def test_signing_out_is_offered_to_those_signed_in(stranger_client, busy_cup):
    html = get(stranger_client, "cup", busy_cup)

    assert 'action="/logout/"' in html
    assert "csrfmiddlewaretoken" in html


def test_every_address_of_a_cup_is_linked_from_its_page(client, busy_cup):
    html = get(client, "cup", busy_cup)

    missing = [p for p in PAGES if f'href="{address(p, busy_cup)}"' not in html]
    assert missing == []


@pytest.mark.parametrize("where", ["game", "groups"])
def test_a_page_is_not_found_whose_part_goes_while_it_is_made(
    client, monkeypatch, where
):
    cup = drawn_cup()
    found = parts._parts[where]
    gone = replace(found, context=lambda _cup, _number: None)
    monkeypatch.setitem(parts._parts, where, gone)

    answer = client.get(address(where, cup))

    assert answer.status_code == 404
    assert "Sivua ei löydy" in answer.content.decode()
