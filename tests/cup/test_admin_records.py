from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.choices import Outcome
from tests.factories import (
    CupFactory,
    TeamFactory,
    drawn_cup,
    end,
    play_out,
    record,
)

pytestmark = pytest.mark.django_db

GAMES = "/admin/cup/game/"
LOG = "/admin/cup/organiserlog/"


def page_of(client, address):
    return client.get(address).content.decode()


def test_the_list_of_games_tells_teams_table_and_state(organiser_client):
    cup = drawn_cup(teams=3, slug="komppa")
    first = play_out(cup.games.first())

    page = page_of(organiser_client, GAMES)

    assert f"{first.team_a} – {first.team_b}" in page
    assert "Päättyi 2–0" in page
    assert page.count("Pelaamatta</td>") == 2
    assert 'href="/sheet/komppa/games/1/"' in page
    assert 'href="/komppa/games/1/"' in page


@pytest.mark.parametrize(
    ("state", "numbers"), [("unplayed", [3]), ("in_play", [2]), ("finished", [1])]
)
def test_the_list_of_games_narrows_to_a_state(organiser_client, state, numbers):
    cup = drawn_cup(teams=3)
    first, second, _third = cup.games.all()
    play_out(first)
    record(second)

    answer = organiser_client.get(f"{GAMES}?state={state}")

    shown = [game.number for game in answer.context["cl"].result_list]
    assert shown == numbers


def test_a_game_that_ended_without_play_is_among_the_finished(organiser_client):
    cup = drawn_cup(teams=3)
    end(cup.games.first(), Outcome.ANNULLED)

    answer = organiser_client.get(f"{GAMES}?state=finished")

    assert [game.number for game in answer.context["cl"].result_list] == [1]


@pytest.mark.parametrize("teams", [3, 7])
def test_the_list_of_games_takes_the_same_queries_for_any_number(
    organiser_client, teams, django_assert_num_queries
):
    drawn_cup(teams=teams)

    with django_assert_num_queries(6):
        page_of(organiser_client, GAMES)


@pytest.mark.parametrize("address", [f"{GAMES}{{}}/change/", f"{GAMES}add/"])
def test_a_game_has_no_form(organiser_client, address):
    game = drawn_cup(teams=3).games.first()

    assert organiser_client.get(address.format(game.pk)).status_code == 404


def test_the_log_tells_acts_and_changes_in_words(organiser_client, organiser):
    cup = CupFactory(name="Komppa", place="Vanha")
    services.update_cup(
        cup=cup,
        by=organiser,
        values={"place": "Uusi", "both_on_target": "drop"},
    )

    page = page_of(organiser_client, LOG)

    assert "Turnauksen tietoja muutettu" in page
    assert "paikka: Vanha → <b>Uusi</b>" in page
    assert "molemmat tasan 12:ssa: pelataan laistokierros → " in page
    assert organiser.username in page


def test_the_log_shows_markup_in_names_as_it_was_typed(organiser_client):
    services.add_team(cup=CupFactory(), name="<b>x", players=["<i>"], by=None)

    page = page_of(organiser_client, LOG)

    assert ("<b>x" in page, "<i>" in page) == (False, False)
    assert "&lt;b&gt;x" in page


def test_the_log_narrows_to_an_act_and_to_a_cup(organiser_client):
    cup, other = CupFactory(), CupFactory()
    services.add_team(cup=cup, name="A", by=None)
    services.update_cup(cup=cup, by=None, values={"place": "x"})
    services.add_team(cup=other, name="B", by=None)

    answer = organiser_client.get(f"{LOG}?act=add_team&cup__id__exact={cup.pk}")

    assert [line.target for line in answer.context["cl"].result_list] == ["A"]
    assert answer.context["cup"] == cup


@pytest.mark.parametrize("number", ["", "x", "0", "9" * 30, "²"])
def test_a_list_narrowed_to_no_cup_is_no_fault(organiser_client, number):
    answer = organiser_client.get(f"{LOG}?cup__id__exact={number}", follow=True)

    assert answer.status_code == 200


@pytest.mark.parametrize("lines", [1, 9])
def test_the_log_takes_the_same_queries_for_any_number_of_lines(
    organiser_client, lines, django_assert_num_queries
):
    cup = CupFactory()
    team = TeamFactory(cup=cup)
    for number in range(lines):
        services.update_team(team=team, name=f"Team {number}", by=None)

    with django_assert_num_queries(6):
        page_of(organiser_client, LOG)


def test_a_line_of_the_log_can_be_neither_changed_nor_removed(organiser_client):
    cup = drawn_cup(teams=3)
    line = cup.log.first()
    before = cup.log.count()

    for act in ("change", "delete"):
        assert organiser_client.post(f"{LOG}{line.pk}/{act}/").status_code == 404
    organiser_client.post(
        LOG, {"action": "delete_selected", "_selected_action": [line.pk]}
    )

    assert cup.log.count() == before
