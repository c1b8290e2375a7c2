"""A team's page after the draw: renamed, players replaced, withdrawn, added late."""

from __future__ import annotations

import pytest

from komppa.cup.choices import WithdrawnGamesChoice
from komppa.cup.models import Game, OrganiserLog, Player, Team
from komppa.cup.services_changes import add_team_to_group, withdraw_team
from komppa.cup.services_teams import add_team
from tests.cup.brackets import cup_with_bracket
from tests.cup.evenings import game_of, half_played, standing, team
from tests.factories import cup_of, drawn_cup, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    return half_played()


def url_of(of, page=""):
    return f"/admin/cup/cup/{of.cup_id}/teams/{of.pk}/{page}"


def late_url(cup):
    return f"/admin/cup/cup/{cup.pk}/teams/late/"


def said(answer):
    return [str(message) for message in answer.context["messages"]]


def text_of(answer):
    return " ".join(answer.content.decode().split())


def confirm(client, address, sent):
    shown = client.post(address, sent)
    assert shown.status_code == 200
    stamp = shown.context["moves"].stamp
    return client.post(address, {**sent, "seen_moves": stamp}, follow=True)


def everything():
    return [
        list(model.objects.order_by("pk").values())
        for model in (Team, Game, OrganiserLog)
    ] + [list(Player.everyone.order_by("pk").values())]


def test_the_page_of_all_teams_leads_to_each(organiser_client, cup):
    page = text_of(organiser_client.get(f"/admin/cup/cup/{cup.pk}/teams/"))

    assert [f'href="{url_of(t)}"' in page for t in cup.teams.all()] == [True] * 4
    assert f'href="{late_url(cup)}"' in page


def test_before_the_draw_nobody_is_added_to_a_group(organiser_client):
    cup = cup_of(3)

    page = text_of(organiser_client.get(f"/admin/cup/cup/{cup.pk}/teams/"))
    late = text_of(organiser_client.get(late_url(cup)))

    assert late_url(cup) not in page
    assert "Lohkoja ei ole vielä arvottu" in late
    assert 'name="name"' not in late


def test_a_garbled_row_of_the_teams_page_leads_nowhere(organiser_client, cup):
    sent = {
        "teams-TOTAL_FORMS": "1",
        "teams-INITIAL_FORMS": "0",
        "teams-0-team_id": "x",
        "teams-0-name": "Ässät",
        "more": "1",
    }

    answer = organiser_client.post(f"/admin/cup/cup/{cup.pk}/teams/", sent)

    assert answer.status_code == 200
    assert ">Muuta</a>" not in text_of(answer)


def test_the_page_of_a_team_tells_its_group_players_and_games(organiser_client, cup):
    answer = organiser_client.get(url_of(team(cup, 3)))

    page = text_of(answer)
    for part in ("Lohko A", f"1. {team(cup, 3)} P1", f"2. {team(cup, 3)} P2"):
        assert part in page
    assert {game for game, _teams, _state in answer.context["games"]} == {
        game_of(cup, 3, other) for other in (1, 2, 4)
    }
    assert sorted(state for *_rest, state in answer.context["games"]) == sorted(
        [f"{team(cup, 3)} voitti 2–0", f"{team(cup, 2)} voitti 2–1", "Pelaamatta"]
    )


def test_a_team_is_renamed(organiser_client, organiser, cup):
    renamed = team(cup, 1)
    sent = {"name": " Ässät ", "reason": "Toive"}

    answer = organiser_client.post(url_of(renamed, "rename/"), sent, follow=True)

    assert said(answer) == ["Joukkueen nimi on muutettu."]
    assert team(cup, 1).name == "Ässät"
    assert cup.log.first().by == organiser


@pytest.mark.parametrize(
    ("sent", "field", "error"),
    [
        ({"name": "", "reason": "x"}, "name", "Anna joukkueelle nimi."),
        ({"name": "Uusi", "reason": ""}, "reason", "Kirjoita muutoksen syy."),
        ({"name": "Kaksoset", "reason": "x"}, "name", None),
    ],
    ids=["nameless", "no_reason", "taken"],
)
def test_a_name_that_is_refused_comes_back_with_its_reason(
    organiser_client, cup, sent, field, error
):
    add_late(cup, "Kaksoset")
    before = everything()

    answer = organiser_client.post(url_of(team(cup, 1), "rename/"), sent)

    taken = "Turnauksessa on jo joukkue nimeltä Kaksoset."
    assert answer.status_code == 422
    form = answer.context["rename"]
    assert form.errors[field] == [error or taken]
    assert (form["name"].value(), form["reason"].value()) == (
        sent["name"],
        sent["reason"],
    )
    assert everything() == before


def add_late(cup, name):
    return add_team_to_group(group=cup.groups.get(), name=name, by=None, reason="x")


def replace(client, player, **sent):
    sent = {"name": "Varamies", "reason": "Sairastui", **sent}
    address = url_of(player.team, f"players/{player.pk}/")
    return client.post(address, sent, follow=True)


def test_a_player_is_replaced(organiser_client, cup):
    player = team(cup, 1).players.get(position=2)

    answer = replace(organiser_client, player)

    assert said(answer) == ["Pelaaja on vaihdettu."]
    assert [p.name for p in team(cup, 1).players.all()][1] == "Varamies"
    assert list(answer.context["gone"]) == [player]


def test_a_game_in_play_keeps_its_player_and_says_so(organiser_client, cup):
    in_play = game_of(cup, 2, 4)
    record(in_play)

    answer = replace(organiser_client, team(cup, 2).players.get(position=1))

    assert said(answer) == [
        f"Pelaaja on vaihdettu. {in_play} pelataan loppuun entisillä pelaajilla."
    ]


def test_a_player_replaced_by_another_meanwhile_is_not_replaced_twice(
    organiser_client, cup
):
    player = team(cup, 1).players.get(position=1)
    replace(organiser_client, player)
    before = everything()

    answer = replace(organiser_client, player, name="Toinen")

    # The field is the new player's by now; what was typed is in it.
    form = answer.context["players"][0][1]
    assert answer.status_code == 409
    assert form.non_field_errors() == [
        "Tämä pelaaja on jo vaihdettu. Tarkista joukkueen pelaajat."
    ]
    assert form["name"].value() == "Toinen"
    assert everything() == before


def test_a_player_of_another_team_is_not_found(organiser_client, cup):
    player = team(cup, 2).players.first()
    before = everything()

    answer = organiser_client.post(
        url_of(team(cup, 1), f"players/{player.pk}/"), {"name": "x", "reason": "x"}
    )

    assert answer.status_code == 404
    assert everything() == before


def test_a_withdrawal_is_told_in_words_and_in_rows_before_it_is_done(
    organiser_client, cup
):
    answer = organiser_client.get(url_of(team(cup, 3), "withdraw/"))

    played = sorted(str(game_of(cup, 3, other)) for other in (1, 2))
    assert answer.context["sentences"] == [
        "Joukkue siirtyy sarjataulukon alle ilman sijaa.",
        "Sen pelatut ja kesken olevat lohkopelit mitätöidään: "
        f"{played[0]} ja {played[1]}.",
        f"Sen pelaamattomia lohkopelejä ei pelata: {game_of(cup, 3, 4)}.",
        "Kirjatut jaot jäävät talteen, ja vetäytymisen peruminen palauttaa kaiken.",
    ]
    assert len(answer.context["moves"].games) == 3
    assert team(cup, 3).withdrawn is False


def test_a_withdrawal_by_walkover_is_told_in_words(organiser_client):
    cup = half_played(withdrawn_games=WithdrawnGamesChoice.WALKOVER)

    answer = organiser_client.get(url_of(team(cup, 3), "withdraw/"))

    played = sorted(str(game_of(cup, 3, other)) for other in (1, 2))
    assert answer.context["sentences"][:3] == [
        "Joukkue pitää sijansa sarjataulukossa, mutta jää muuten yhtä hyvien "
        "joukkueiden taakse.",
        f"Sen päättyneet lohkopelit jäävät voimaan: {played[0]} ja {played[1]}.",
        "Kesken tai pelaamatta olevat lohkopelit ovat luovutuksia, ja vastustaja "
        f"voittaa ne: {game_of(cup, 3, 4)}.",
    ]


def test_a_withdrawal_tells_of_the_bracket_games_it_gives_away(organiser_client):
    cup = cup_with_bracket(teams=8, groups=2)
    semi = cup.games.get(bracket_round=1, bracket_position=0)

    answer = organiser_client.get(url_of(semi.team_a, "withdraw/"))

    assert (
        f"Kesken tai pelaamatta olevat jatkopelit voittaa vastustaja: {semi}."
        in answer.context["sentences"]
    )


def test_a_team_withdraws_and_comes_back(organiser_client, cup):
    leaver = team(cup, 3)

    gone = confirm(organiser_client, url_of(leaver, "withdraw/"), {"reason": "Flunssa"})
    below = standing(cup).withdrawn
    back = confirm(organiser_client, url_of(leaver, "return/"), {"reason": "Toipui"})

    assert said(gone) == [f"{leaver} on merkitty vetäytyneeksi."]
    assert below == (leaver,)
    assert said(back) == [f"{leaver} on taas mukana."]
    assert standing(cup).withdrawn == ()


def test_a_withdrawal_can_be_done_at_once_where_it_was_shown(organiser_client, cup):
    address = url_of(team(cup, 3), "withdraw/")
    stamp = organiser_client.get(address).context["moves"].stamp

    answer = organiser_client.post(address, {"reason": "x", "seen_moves": stamp})

    assert (answer.status_code, team(cup, 3).withdrawn) == (302, True)


def test_a_withdrawal_overtaken_by_a_result_is_shown_once_more(organiser_client, cup):
    address = url_of(team(cup, 3), "withdraw/")
    stamp = organiser_client.get(address).context["moves"].stamp
    record(game_of(cup, 3, 4))

    answer = organiser_client.post(address, {"reason": "x", "seen_moves": stamp})

    assert (answer.status_code, team(cup, 3).withdrawn) == (409, False)
    assert "Mitään ei vielä tallennettu" in text_of(answer)


def test_a_withdrawal_without_a_reason_is_refused_at_its_field(organiser_client, cup):
    answer = organiser_client.post(url_of(team(cup, 3), "withdraw/"), {"reason": " "})

    assert answer.status_code == 422
    assert answer.context["form"].errors["reason"] == ["Kirjoita muutoksen syy."]
    assert team(cup, 3).withdrawn is False


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_team_that_left_already_is_led_back_to_its_page(
    organiser_client, cup, method
):
    leaver = team(cup, 3)
    withdraw_team(team=leaver, by=None, reason="Lähti")

    answer = getattr(organiser_client, method)(
        url_of(leaver, "withdraw/"), {"reason": "x"}, follow=True
    )

    assert answer.redirect_chain == [(url_of(leaver), 302)]
    assert said(answer) == [f"{leaver} on jo vetäytynyt."]
    assert "Peru vetäytyminen" in text_of(answer)


def late_sent(cup, **rest):
    return {
        "group": cup.groups.get().pk,
        "name": "Myöhäiset",
        "player_1": "Aino",
        "player_2": "Eino",
        "reason": "Juna myöhässä",
        **rest,
    }


def test_a_late_team_is_added_after_its_games_have_been_seen(organiser_client, cup):
    shown = organiser_client.post(late_url(cup), late_sent(cup))
    before = cup.teams.count()

    answer = confirm(organiser_client, late_url(cup), late_sent(cup))

    assert [g.number for g in shown.context["moves"].games] == [7, 8, 9, 10]
    assert before == 4
    assert said(answer) == ["Joukkue on lisätty lohkoon."]
    late = cup.teams.get(name="Myöhäiset")
    assert [p.name for p in late.players.all()] == ["Aino", "Eino"]
    assert cup.games.count() == 10


def test_a_team_left_outside_is_chosen_from_a_list(organiser_client):
    cup = drawn_cup(teams=4)
    outside = add_team(cup=cup, name="Unohtuneet", by=None)
    record(cup.games.first())

    answer = confirm(
        organiser_client, late_url(cup), late_sent(cup, team=outside.pk, name="")
    )

    assert said(answer) == ["Joukkue on lisätty lohkoon."]
    assert outside.membership.group == cup.groups.get()
    assert cup.teams.count() == 5


@pytest.mark.parametrize(
    ("wrong", "field", "error"),
    [
        ({"name": ""}, "name", "Anna joukkueelle nimi."),
        ({"name": "x" * 81}, "name", "Nimessä voi olla enintään 80 merkkiä."),
        ({"group": ""}, "group", "Valitse lohko."),
        ({"group": 10**30}, "group", "Valitse lohko."),
        ({"reason": ""}, "reason", "Kirjoita muutoksen syy."),
    ],
    ids=["nameless", "long", "no_group", "no_such_group", "no_reason"],
)
def test_a_late_team_that_cannot_be_says_why_at_its_field(
    organiser_client, cup, wrong, field, error
):
    before = everything()

    answer = organiser_client.post(late_url(cup), late_sent(cup, **wrong))

    assert answer.status_code == 422
    assert answer.context["form"].errors[field] == [error]
    assert answer.context["form"]["player_1"].value() == "Aino"
    assert everything() == before


def test_a_late_team_joins_no_group_or_team_of_another_cup(organiser_client, cup):
    other = drawn_cup(teams=4)
    outside = add_team(cup=other, name="Unohtuneet", by=None)
    add_team_outside = late_sent(cup, team=outside.pk)
    before = everything()

    answers = [
        organiser_client.post(late_url(cup), late_sent(other)),
        organiser_client.post(late_url(other), {**add_team_outside, "team": 10**30}),
    ]

    assert [answer.status_code for answer in answers] == [422, 422]
    assert everything() == before


def test_no_late_team_once_there_is_a_bracket(organiser_client):
    cup = cup_with_bracket(teams=8, groups=2)

    page = text_of(organiser_client.get(late_url(cup)))

    assert "Jatkopelit on jo tehty" in page
    assert 'name="name"' not in page


@pytest.mark.parametrize(
    ("method", "page"),
    [
        ("get", ""),
        ("get", "withdraw/"),
        ("get", "return/"),
        ("post", "withdraw/"),
        ("post", "return/"),
        ("post", "rename/"),
    ],
)
def test_a_team_of_another_cup_is_not_found(organiser_client, cup, method, page):
    stranger = drawn_cup(teams=3).teams.first()
    before = everything()

    for pk in (stranger.pk, 0, 10**30):
        address = f"/admin/cup/cup/{cup.pk}/teams/{pk}/{page}"
        answer = getattr(organiser_client, method)(
            address, {"name": "Uusi", "reason": "x"}
        )
        assert answer.status_code == 404

    assert everything() == before


@pytest.mark.parametrize("teams", [3, 6])
def test_the_page_of_a_team_takes_the_same_queries(
    organiser_client, django_assert_num_queries, teams
):
    of = drawn_cup(teams=teams).teams.first()

    with django_assert_num_queries(7):
        organiser_client.get(url_of(of))
