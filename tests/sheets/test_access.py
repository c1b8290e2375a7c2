from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from komppa.cup.models import Cup
from komppa.sheets.models import Confirmation, DealEntry
from tests.factories import drawn_cup, play_out, record
from tests.sheets.posts import address, back, post

pytestmark = pytest.mark.django_db

GAME_PAGES = ["sheet", "preview", "take_back", "confirm", "seats"]
WRITES = ["sheet", "take_back", "confirm", "seats"]


@pytest.fixture
def game(request):
    """A game in play; where its result is to be confirmed, one that has been won."""
    game = drawn_cup().games.first()
    test = getattr(request.node, "callspec", None)
    if test and test.params.get("where") == "confirm":
        return play_out(game)
    record(game)
    return game


def sent(game, page):
    """Return what would be a good POST to a page of the game."""
    return {
        "sheet": post(game, mattis="6"),
        "preview": post(game),
        "take_back": back(game),
        "confirm": {"side": "A", "number": game.deal_count, "version": 1},
        "seats": {"first_a": game.team_a.players.last().pk},
    }[page]


def facts():
    """Return everything a sheet could change."""
    return (
        list(DealEntry.objects.order_by("pk").values_list("game", "number", "version")),
        list(Confirmation.objects.values_list("game", "team")),
        list(Cup.objects.order_by("pk").values_list("pk", "revision")),
    )


def pages(game):
    return [
        reverse("sheets:index"),
        reverse("sheets:cup", args=[game.cup.slug]),
        address(game),
    ]


def test_a_stranger_is_sent_to_sign_in_and_back(client, game):
    for page in pages(game):
        answer = client.get(page)

        assert (answer.status_code, answer.url) == (302, f"/login/?next={page}")


@pytest.mark.parametrize("where", GAME_PAGES)
def test_a_stranger_writes_nothing(client, game, where):
    before = facts()

    answer = client.post(address(game, where), sent(game, where))

    assert answer.status_code == 302
    assert answer.url.startswith("/login/?next=/sheet/")
    assert facts() == before


def test_somebody_without_a_role_sees_nothing(stranger_client, game):
    assert [stranger_client.get(page).status_code for page in pages(game)] == [403] * 3


@pytest.mark.parametrize("where", GAME_PAGES)
def test_somebody_without_a_role_writes_nothing(stranger_client, game, where):
    before = facts()

    answer = stranger_client.post(address(game, where), sent(game, where))

    assert answer.status_code == 403
    assert facts() == before


def test_a_scorekeeper_who_was_let_go_sees_nothing(
    scorekeeper_client, scorekeeper, game
):
    scorekeeper.is_active = False
    scorekeeper.save()

    assert scorekeeper_client.get(address(game)).status_code == 302


@pytest.mark.parametrize("who", ["scorekeeper_client", "organiser_client"])
@pytest.mark.parametrize("where", GAME_PAGES)
def test_who_has_a_role_may_do_it_all(request, who, game, where):
    client = request.getfixturevalue(who)

    assert [client.get(address).status_code for address in pages(game)] == [200] * 3
    assert client.post(address(game, where), sent(game, where)).status_code in (
        200,
        303,
        409,
    )


@pytest.mark.parametrize("where", GAME_PAGES)
def test_a_draft_cup_is_the_organisers_alone(
    scorekeeper_client, organiser_client, game, where
):
    Cup.objects.update(visibility="draft")
    before = facts()

    refused = scorekeeper_client.post(address(game, where), sent(game, where))

    assert refused.status_code == 404
    assert facts() == before
    assert organiser_client.get(address(game)).status_code == 200


def test_a_draft_cup_is_not_listed_to_scorekeepers(
    scorekeeper_client, organiser_client, game
):
    Cup.objects.update(visibility="draft", name="Salainen cup")

    listed = [
        "Salainen cup" in client.get(reverse("sheets:index")).content.decode()
        for client in (scorekeeper_client, organiser_client)
    ]

    assert listed == [False, True]


@pytest.mark.parametrize("where", GAME_PAGES)
def test_a_game_of_another_cup_is_not_found(scorekeeper_client, game, where):
    other = drawn_cup(teams=2)
    beyond = other.games.count() + 1
    theirs = game.cup.games.get(number=beyond)
    before = facts()

    path = reverse(f"sheets:{where}", args=[other.slug, theirs.number])
    answer = scorekeeper_client.post(path, sent(game, where))

    assert answer.status_code == 404
    assert facts() == before


@pytest.mark.parametrize("where", WRITES)
def test_a_post_meant_for_another_cups_game_changes_nothing_there(
    scorekeeper_client, game, where
):
    other = drawn_cup().games.first()
    data = sent(game, where)
    before = DealEntry.objects.filter(game=game).count(), list(game.seats.values())

    scorekeeper_client.post(address(other, where), data)

    after = DealEntry.objects.filter(game=game).count(), list(game.seats.values())
    assert after == before


@pytest.mark.parametrize("number", [0, 999, 10**30, "9" * 5000, "x", "-1"])
@pytest.mark.parametrize("where", GAME_PAGES)
def test_a_number_of_no_game_is_not_found(scorekeeper_client, game, where, number):
    suffix = {
        "sheet": "",
        "preview": "preview/",
        "take_back": "back/",
        "confirm": "confirm/",
        "seats": "seats/",
    }
    path = f"/sheet/{game.cup.slug}/games/{number}/{suffix[where]}"

    assert scorekeeper_client.post(path, sent(game, where)).status_code == 404
    assert scorekeeper_client.get(path).status_code in (404, 405)


@pytest.mark.parametrize("slug", ["no-such-cup", "NO", "-", "a" * 300])
def test_a_cup_that_does_not_exist_is_not_found(scorekeeper_client, game, slug):
    assert scorekeeper_client.get(f"/sheet/{slug}/").status_code == 404
    assert scorekeeper_client.get(f"/sheet/{slug}/games/1/").status_code == 404


@pytest.mark.parametrize("where", WRITES)
def test_writes_need_the_token_of_the_form(scorekeeper, game, where, client):
    client.handler.enforce_csrf_checks = True
    client.force_login(scorekeeper)
    before = facts()

    answer = client.post(address(game, where), sent(game, where))

    assert answer.status_code == 403
    assert facts() == before


@pytest.mark.parametrize("where", ["preview", "take_back", "confirm", "seats"])
def test_looking_changes_nothing(scorekeeper_client, game, where):
    before = facts()

    answer = scorekeeper_client.get(address(game, where), sent(game, where))

    assert answer.status_code in (303, 405)
    assert facts() == before


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
@pytest.mark.parametrize("where", GAME_PAGES)
def test_other_methods_are_refused(scorekeeper_client, game, where, method):
    answer = getattr(scorekeeper_client, method)(address(game, where))

    assert answer.status_code == 405


def test_a_key_of_another_game_is_no_key_here(scorekeeper_client, game):
    other = game.cup.games.last()
    key = str(uuid4())
    scorekeeper_client.post(address(game), post(game, key=key, mattis="6"))

    answer = scorekeeper_client.post(address(other), post(other, key=key, mattis="6"))

    assert answer.status_code == 303
    assert other.deal_entries.count() == 1
