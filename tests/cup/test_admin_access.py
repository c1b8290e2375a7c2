"""Who gets in: every address of the organiser, tried by everybody else."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from komppa.cup import services
from komppa.cup.choices import DrawStatus
from komppa.cup.models import Cup, Draw, Lot, OrganiserLog, Team
from tests.factories import (
    CupFactory,
    ScorekeeperFactory,
    TeamFactory,
    drawn_cup,
    tied_group,
)
from tests.factories.remembered import remembered

pytestmark = pytest.mark.django_db

CUP_PAGES = [
    "cup_workbench",
    "cup_teams",
    "cup_team_list",
    "cup_draw",
    "cup_games",
    "cup_bracket",
    "remove_bracket",
    "cup_lots",
    "late_team",
]
TEAM_PAGES = ["cup_team", "withdraw_team", "cancel_withdrawal"]
TEAM_ACTS = ["rename_team", "replace_player"]
GAME_PAGES = [
    "cup_game",
    "game_outcome",
    "move_game",
    "annul_game",
    "cancel_annulment",
    "game_conflict",
    "name_team",
]
LOT_PAGES = ["record_lot", "take_back_lot", "restore_lot"]
DRAW_ACTS = ["confirm_draw", "discard_draw", "cancel_draw"]
PEOPLE_ACTS = ["new_password", "deactivate", "activate"]
TELLING = ["new_password", "make_scorekeepers", "new_passwords"]
"""Acts whose answer tells passwords, and whose address by itself leads back."""
ASKING = ["cancel_draw"]
"""Acts whose page asks once more before it is done."""
POST_ONLY = [
    *(name for name in DRAW_ACTS if name not in ASKING),
    "draw_lot",
    "draw_bracket_lot",
    *TEAM_ACTS,
    "deactivate_many",
    "deactivate",
    "activate",
]
PLAIN_PAGES = [
    "index",
    "password_change",
    "password_change_done",
    "jsi18n",
    "autocomplete",
    "cup_cup_changelist",
    "cup_cup_add",
    "cup_team_changelist",
    "cup_team_add",
    "cup_game_changelist",
    "cup_organiserlog_changelist",
    "sheets_dealentry_changelist",
    "auth_user_changelist",
]
OWN_ARGUMENTS = ["app_list", "view_on_site"]
ROW_PAGES = [
    "cup_cup_change",
    "cup_cup_delete",
    "cup_team_change",
    "cup_team_delete",
]
WRITING_PAGES = [
    "cup_teams",
    "cup_team_list",
    "cup_draw",
    "cup_games",
    "cup_bracket",
    "remove_bracket",
    "late_team",
    *ROW_PAGES,
]
EVERYTHING = [
    *CUP_PAGES,
    *TEAM_PAGES,
    *GAME_PAGES,
    *LOT_PAGES,
    *ASKING,
    *POST_ONLY,
    *TELLING,
    *PLAIN_PAGES,
    *OWN_ARGUMENTS,
    *ROW_PAGES,
]


def address_of(name, cup):
    """Return the address of a page of this cup, with a draft to confirm."""
    if name in CUP_PAGES or name in ("draw_lot", "draw_bracket_lot"):
        arguments = [cup.pk]
    elif name in (*TEAM_PAGES, *TEAM_ACTS):
        team = cup.teams.first()
        player = [team.players.first().pk] if name == "replace_player" else []
        arguments = [cup.pk, team.pk, *player]
    elif name in GAME_PAGES:
        arguments = [cup.pk, 1, *(["a"] if name == "name_team" else [])]
    elif name == "record_lot":
        query = f"?lot={cup.lots.get().pk}"
        return reverse(f"admin:{name}", args=[cup.pk]) + query
    elif name in LOT_PAGES:
        arguments = [cup.pk, cup.lots.get().pk]
    elif name in DRAW_ACTS:
        arguments = [cup.pk, cup.draws.first().pk]
    elif name in PEOPLE_ACTS:
        arguments = [User.objects.get(username="kirjaaja").pk]
    elif name.startswith("cup_cup_") and name in ROW_PAGES:
        arguments = [cup.pk]
    elif name in ROW_PAGES:
        arguments = [cup.teams.first().pk]
    else:
        arguments = {"app_list": ["cup"], "view_on_site": [1, 1]}.get(name, [])
    return reverse(f"admin:{name}", args=arguments)


@pytest.fixture
@remembered
def cup():
    ScorekeeperFactory(username="kirjaaja")
    made = CupFactory()
    TeamFactory.create_batch(4, cup=made)
    made.lots.create(order=[team.pk for team in made.teams.all()[:2]])
    services.draft_draw(cup=made, group_count=2, by=None)
    return made


def everything_stored():
    return [
        list(model.objects.order_by("pk").values())
        for model in (Cup, Team, Draw, Lot, OrganiserLog)
    ] + [list(User.objects.order_by("pk").values("pk", "password", "is_active"))]


def test_every_address_of_the_admin_is_tried_here():
    names = {
        pattern.name
        for resolver in [*admin.site.get_urls()]
        for pattern in getattr(resolver, "url_patterns", [resolver])
    }

    assert names - {None, "login", "logout"} == set(EVERYTHING)


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("name", EVERYTHING)
def test_an_anonymous_visitor_is_sent_to_sign_in(cup, name, method):
    address, before = address_of(name, cup), everything_stored()

    answer = getattr(Client(), method)(address)

    assert answer.status_code == 302
    assert answer.url.startswith("/admin/login/?next=")
    assert everything_stored() == before


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("name", EVERYTHING)
@pytest.mark.parametrize("role", ["scorekeeper_client", "stranger_client"])
def test_a_signed_in_person_who_is_no_organiser_is_turned_away(
    cup, name, method, role, request
):
    client = request.getfixturevalue(role)
    address, before = address_of(name, cup), everything_stored()

    answer = getattr(client, method)(address)

    assert answer.status_code == 403
    assert everything_stored() == before


def test_an_organiser_put_out_of_use_is_sent_to_sign_in(organiser_client, organiser):
    organiser.is_active = False
    organiser.save()

    assert organiser_client.get("/admin/").status_code == 302


@pytest.mark.parametrize("name", POST_ONLY)
def test_what_changes_something_is_not_done_by_a_link(cup, organiser_client, name):
    address, before = address_of(name, cup), everything_stored()

    answer = organiser_client.get(address)

    assert answer.status_code == 405
    assert everything_stored() == before


@pytest.mark.parametrize("name", TELLING)
def test_the_address_of_passwords_told_once_leads_back_to_the_people(
    cup, organiser_client, name
):
    address, before = address_of(name, cup), everything_stored()

    answer = organiser_client.get(address)

    assert (answer.status_code, answer.url) == (302, "/admin/auth/user/")
    assert everything_stored() == before


@pytest.mark.parametrize(
    "name",
    [
        *WRITING_PAGES,
        "cup_cup_add",
        "auth_user_changelist",
        *ASKING,
        *POST_ONLY,
        *TELLING,
    ],
)
def test_a_post_without_the_token_is_refused(cup, organiser, name):
    client = Client(enforce_csrf_checks=True)
    client.force_login(organiser)
    address, before = address_of(name, cup), everything_stored()

    answer = client.post(address, {"group_count": "1", "name": "x", "post": "yes"})

    assert answer.status_code == 403
    assert everything_stored() == before


@pytest.mark.parametrize("name", DRAW_ACTS)
def test_a_draw_of_another_cup_is_not_found(cup, organiser_client, name):
    other = drawn_cup(teams=4)
    services.draft_draw(cup=other, group_count=2, by=None)
    before = everything_stored()

    for draw in other.draws.all():
        address = reverse(f"admin:{name}", args=[cup.pk, draw.pk])
        assert organiser_client.post(address).status_code == 404
        assert organiser_client.get(address).status_code in (404, 405)

    assert everything_stored() == before


def test_the_lot_of_another_cup_s_group_is_not_found(cup, organiser_client):
    group = tied_group()
    ids = [m.team_id for m in group.memberships.all()]

    answer = organiser_client.post(
        reverse("admin:draw_lot", args=[cup.pk]), {"group": group.pk, "team": ids}
    )

    assert (answer.status_code, Lot.objects.filter(group=group).count()) == (404, 0)


@pytest.mark.parametrize(
    ("method", "name"),
    [("get", name) for name in [*CUP_PAGES, *ROW_PAGES]]
    + [("post", name) for name in [*WRITING_PAGES, "draw_lot", *DRAW_ACTS]],
)
@pytest.mark.parametrize("number", [0, 999999, 10**30])
def test_a_cup_or_team_that_is_not_there_is_not_found(
    cup, organiser_client, method, name, number
):
    arguments = [number, cup.draws.first().pk] if name in DRAW_ACTS else [number]
    address = reverse(f"admin:{name}", args=arguments)

    assert getattr(organiser_client, method)(address).status_code == 404


def test_an_organiser_sees_every_page_that_can_be_looked_at(cup, organiser_client):
    pages = [*CUP_PAGES, *PLAIN_PAGES, "cup_cup_change", "cup_team_change"]
    pages += ["cup_team_delete"]
    statuses = {
        name: organiser_client.get(address_of(name, cup)).status_code for name in pages
    }

    elsewhere = {"cup_cup_changelist": 302, "cup_team_add": 403, "autocomplete": 403}
    assert statuses == {**dict.fromkeys(pages, 200), **elsewhere}


@pytest.mark.parametrize(
    ("asked", "sent"),
    [
        ("", "/admin/"),
        ("?next=/admin/cup/cup/add/", "/admin/cup/cup/add/"),
        ("?next=https://evil.example/", "/admin/"),
        ("?next=//evil.example/", "/admin/"),
        ("?next=javascript:alert(1)", "/admin/"),
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_the_admin_signs_in_on_the_page_of_the_whole_site(
    organiser_client, asked, sent, method
):
    anonymous = getattr(Client(), method)(f"/admin/login/{asked}")
    inside = getattr(organiser_client, method)(f"/admin/login/{asked}")

    quoted = sent.replace("/", "%2F")
    assert anonymous.url == f"/login/?next={quoted}"
    assert inside.url == sent


def test_an_organiser_comes_through_the_site_s_sign_in_to_where_he_wanted(organiser):
    organiser.set_password("salasana-9x")
    organiser.save()
    client = Client()
    first = client.get("/admin/cup/cup/add/", follow=True)
    address = first.redirect_chain[-1][0]

    answer = client.post(
        address, {"username": organiser.username, "password": "salasana-9x"}
    )

    assert answer.url == "/admin/cup/cup/add/"
    assert client.get(answer.url).status_code == 200


def test_a_scorekeeper_who_asks_for_the_admin_is_told_and_not_sent_in_circles(
    scorekeeper_client,
):
    assert scorekeeper_client.get("/admin/", follow=True).status_code == 403


def test_a_draft_tells_nothing_to_the_public(cup):
    seed = cup.draws.get(status=DrawStatus.DRAFT).seed

    for address in ("", "groups/", "games/", "bracket/"):
        page = Client().get(f"/{cup.slug}/{address}")
        text = page.content.decode()
        assert page.status_code == 200
        assert seed not in text
        assert "Lohko A" not in text


def test_admin_pages_are_kept_in_no_cache_and_carry_the_policy(organiser_client):
    answer = organiser_client.get("/admin/")

    assert "no-store" in answer.headers["Cache-Control"]
    policy = answer.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "style-src 'self'" in policy
    assert "unsafe" not in policy
