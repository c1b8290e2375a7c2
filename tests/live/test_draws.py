"""The public page from which anybody can redo the draw."""

from __future__ import annotations

import html
import re
import subprocess
import sys

import pytest

from komppa.cup import services
from komppa.cup.choices import Visibility
from tests.factories import CupFactory, TeamFactory, cup_of, drawn_cup
from tests.serving import ROOT

pytestmark = pytest.mark.django_db


def test_page_s_program_prints_the_groups_of_the_draw(client):
    cup = CupFactory(slug="x")
    for number in range(14):
        TeamFactory(cup=cup, pot=number % 4 or None)
    draw = services.draft_draw(cup=cup, group_count=4, by=None)
    services.confirm_draw(draw=draw, by=None)

    page = client.get("/x/draw/").content.decode()

    program = html.unescape(re.search("<pre[^>]*><code>(.*?)</code>", page, re.S)[1])
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert ran.stdout == f"{tuple(tuple(group) for group in draw.result)}\n"


def test_page_tells_the_teams_in_the_order_drawn_with_their_pots(client):
    cup = CupFactory(slug="x")
    second = TeamFactory(cup=cup, name="Örkit", pot=2)
    first = TeamFactory(cup=cup, name="<Aatu>")
    draw = services.draft_draw(cup=cup, group_count=1, by=None, seed="c0ffee")
    services.confirm_draw(draw=draw, by=None)

    answer = client.get("/x/draw/")

    told = answer.context["told"]
    assert [(team.number, team.name, team.pot) for team in told.teams] == [
        (second.pk, "Örkit", 2),
        (first.pk, "<Aatu>", None),
    ]
    page = answer.content.decode()
    assert re.findall("<code>(c0ffee|fisher-yates-pots-1)</code>", page) == [
        "c0ffee",
        "fisher-yates-pots-1",
    ]
    assert f"Arvonta {draw.pk} vahvistettiin" in page
    assert "<Aatu>" not in page
    assert re.findall(r"\sstyle=|\son\w+=|csrfmiddlewaretoken", page) == []
    assert dict(answer.cookies) == {}


def test_page_without_pots_speaks_of_none(client):
    drawn_cup(slug="x")

    assert "Kori" not in client.get("/x/draw/").content.decode()


def test_the_cup_s_page_leads_to_it_once_there_is_one(client):
    cup = cup_of(4, slug="x")
    link = 'href="/x/draw/"'
    before = link in client.get("/x/").content.decode()
    draw = services.draft_draw(cup=cup, group_count=2, by=None)
    services.confirm_draw(draw=draw, by=None)

    assert (before, link in client.get("/x/").content.decode()) == (False, True)


@pytest.mark.parametrize("fate", ["draft", "discarded", "cancelled", "none"])
def test_there_is_no_page_without_a_confirmed_draw(client, organiser_client, fate):
    cup = cup_of(4, slug="x")
    if fate != "none":
        draw = services.draft_draw(cup=cup, group_count=2, by=None)
    if fate == "discarded":
        services.discard_draw(draw=draw, by=None)
    if fate == "cancelled":
        services.confirm_draw(draw=draw, by=None)
        services.cancel_draw(draw=draw, by=None)

    statuses = [who.get("/x/draw/").status_code for who in (client, organiser_client)]

    assert statuses == [404, 404]


def test_page_tells_nothing_of_other_draws(client):
    cup = cup_of(4, slug="x")
    seeds = {"d15c": services.discard_draw, "5e771ed": services.confirm_draw}
    for seed, settle in seeds.items():
        draw = services.draft_draw(cup=cup, group_count=2, by=None, seed=seed)
        settle(draw=draw, by=None)
    services.draft_draw(cup=cup, group_count=2, by=None, seed="d4af7")

    page = client.get("/x/draw/").content.decode()

    assert [seed in page for seed in ("5e771ed", "d15c", "d4af7")] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize("who", ["client", "stranger_client", "scorekeeper_client"])
def test_draw_of_a_draft_cup_is_not_there_for_anybody_but_organisers(
    request, who, organiser_client
):
    drawn_cup(slug="x", visibility=Visibility.DRAFT)

    answers = [request.getfixturevalue(who), organiser_client]

    assert [one.get("/x/draw/").status_code for one in answers] == [404, 200]


def test_a_team_removed_since_keeps_its_place(client):
    cup = drawn_cup(teams=3, slug="x")
    draw = cup.draws.get()
    draw.input["team_ids"][0] = 999999
    draw.result = [[999999, *draw.input["team_ids"][1:]]]
    draw.save()

    told = client.get("/x/draw/").context["told"]

    assert told.teams[0].name == "(poistettu joukkue)"
    assert told.groups[0][1][0] == "(poistettu joukkue)"


@pytest.mark.parametrize("teams", [2, 20])
def test_page_takes_the_same_queries_for_any_number_of_teams(
    client, teams, django_assert_num_queries
):
    drawn_cup(teams=teams, slug="x")

    with django_assert_num_queries(3):
        client.get("/x/draw/")
