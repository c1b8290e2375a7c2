from __future__ import annotations

import threading

import pytest
from django.db import connections
from django.test import Client

from komppa.cup import services
from tests.cup.team_list_posts import (
    TWO,
    TWO_FACTS,
    add,
    an_organiser,
    facts_of,
    file_of,
    look_and_add,
    preview,
    problems_of,
    texts_of,
    typed_again,
    url_of,
)
from tests.factories import CupFactory, TeamFactory

pytestmark = pytest.mark.django_db


def test_a_list_is_looked_at_and_nothing_is_saved(organiser_client):
    cup = CupFactory()

    answer = preview(organiser_client, cup, f"\n{TWO}\n")

    assert answer.status_code == 200
    assert [
        (row.row.line, row.row.name, row.players, row.row.pot)
        for row in answer.context["preview"].rows
    ] == [(2, "Ässät", ("Åke", "Väinö"), 1), (3, "Rouvat", ("Eino", "Helmi"), None)]
    page = answer.content.decode()
    assert "Lisää 2 joukkuetta" in page
    assert typed_again(answer) == f"\n{TWO}\n"
    assert (cup.teams.count(), cup.log.count()) == (0, 0)
    cup.refresh_from_db()
    assert cup.revision == 0


def test_a_confirmed_list_is_added_in_one_write_with_a_log_line_for_each_team(
    organiser_client, organiser
):
    cup = CupFactory()
    seen = preview(organiser_client, cup, TWO).context["preview"].stamp

    answer = organiser_client.post(
        url_of(cup), {"text": TWO, "save": "1", "seen": seen}, follow=True
    )

    teams = f"/admin/cup/cup/{cup.pk}/teams/"
    assert answer.redirect_chain == [(teams, 302)]
    assert texts_of(answer) == ["2 joukkuetta on lisätty."]
    assert "Seuraavaksi: arvonta" in answer.content.decode()
    assert facts_of(cup) == TWO_FACTS
    assert list(cup.log.order_by("pk").values_list("act", "target", "by")) == [
        ("add_team", "Ässät", organiser.pk),
        ("add_team", "Rouvat", organiser.pk),
    ]
    cup.refresh_from_db()
    assert cup.revision == 1


@pytest.mark.parametrize(
    ("encoding", "named"),
    [("utf-8-sig", "UTF-8"), ("cp1252", "Windows-1252"), ("utf-16", "UTF-16")],
)
def test_a_file_is_put_into_the_field_and_added_from_there(
    organiser_client, encoding, named
):
    cup = CupFactory()

    answer = preview(organiser_client, cup, file=file_of(TWO.encode(encoding)))
    text = typed_again(answer)
    add(organiser_client, cup, text, seen=answer.context["preview"].stamp)

    assert f"Lista luettiin tiedostosta lista.csv ({named})." in answer.content.decode()
    assert text == TWO
    assert facts_of(cup) == TWO_FACTS


def test_a_file_goes_before_the_text_which_is_told_and_not_lost(organiser_client):
    cup = CupFactory()

    answer = preview(organiser_client, cup, "Kympit\nYsit", file=file_of(TWO.encode()))

    page = answer.content.decode()
    assert typed_again(answer) == TWO
    assert "Tiedosto korvasi listan, joka oli kirjoitettu ruutuun." in page
    assert "<pre>Kympit\nYsit</pre>" in page


def test_a_file_chosen_at_the_last_moment_is_looked_at_first(organiser_client):
    cup = CupFactory()
    seen = preview(organiser_client, cup, "Kympit").context["preview"].stamp

    answer = add(organiser_client, cup, "Kympit", seen=seen, file=file_of(TWO.encode()))

    assert answer.status_code == 422
    assert answer.context["is_stale"]
    assert cup.teams.count() == 0


def test_a_text_changed_after_the_preview_is_looked_at_once_more(organiser_client):
    cup = CupFactory()
    seen = preview(organiser_client, cup, TWO).context["preview"].stamp

    answer = add(organiser_client, cup, f"{TWO}\nKympit", seen=seen)

    assert answer.status_code == 422
    assert "muuttuivat esikatselun jälkeen" in answer.content.decode()
    assert cup.teams.count() == 0
    again = answer.context["preview"].stamp
    assert add(organiser_client, cup, f"{TWO}\nKympit", seen=again).status_code == 302
    assert cup.teams.count() == 3


@pytest.mark.parametrize("seen", ["", "x"])
def test_nothing_is_added_that_was_not_looked_at(organiser_client, seen):
    cup = CupFactory()

    answer = add(organiser_client, cup, TWO, seen=seen)

    assert (answer.status_code, cup.teams.count()) == (422, 0)


def test_the_same_list_confirmed_twice_is_added_once(organiser_client):
    cup = CupFactory()
    seen = preview(organiser_client, cup, TWO).context["preview"].stamp

    answers = [
        organiser_client.post(
            url_of(cup), {"text": TWO, "save": "1", "seen": seen}, follow=True
        )
        for _time in range(2)
    ]

    assert [texts_of(answer) for answer in answers] == [
        ["2 joukkuetta on lisätty."],
        ["Mikään ei muuttunut: joukkueet olivat jo tallessa."],
    ]
    assert facts_of(cup) == TWO_FACTS
    cup.refresh_from_db()
    assert (cup.revision, cup.log.count()) == (1, 2)


def test_a_team_that_came_in_between_is_shown_at_its_line(
    organiser_client, monkeypatch
):
    cup = CupFactory()
    seen = preview(organiser_client, cup, TWO).context["preview"].stamp
    save = services.save_teams

    def save_after_another(**facts):
        services.add_team(cup=cup, name="ROUVAT", by=None)
        return save(**facts)

    monkeypatch.setattr(services, "save_teams", save_after_another)
    answer = add(organiser_client, cup, TWO, seen=seen)

    assert answer.status_code == 422
    assert problems_of(answer) == {
        2: ["Turnauksessa on jo joukkue nimeltä Rouvat. Poista rivi tai vaihda nimi."]
    }
    assert typed_again(answer) == TWO
    assert [team.name for team in cup.teams.all()] == ["ROUVAT"]


def test_a_listed_team_that_came_in_between_leaves_the_rest_to_be_confirmed(
    organiser_client, monkeypatch
):
    cup = CupFactory()
    seen = preview(organiser_client, cup, TWO).context["preview"].stamp
    save = services.save_teams

    def save_after_another(**facts):
        monkeypatch.setattr(services, "save_teams", save)
        services.add_team(cup=cup, name="Rouvat", players=["Eino", "Helmi"], by=None)
        return save(**facts)

    monkeypatch.setattr(services, "save_teams", save_after_another)
    answer = add(organiser_client, cup, TWO, seen=seen)

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "muuttuivat esikatselun jälkeen" in page
    assert ">Lisää 1 joukkue</button>" in page
    again = answer.context["preview"].stamp
    assert add(organiser_client, cup, TWO, seen=again).status_code == 302
    assert facts_of(cup) == [TWO_FACTS[1], TWO_FACTS[0]]


def test_what_a_save_refuses_is_shown_even_if_it_is_gone_again(
    organiser_client, monkeypatch
):
    cup = CupFactory()
    seen = preview(organiser_client, cup, TWO).context["preview"].stamp
    save = services.save_teams

    def save_beside_another(**facts):
        passing = services.add_team(cup=cup, name="Rouvat", by=None)
        try:
            return save(**facts)
        finally:
            monkeypatch.setattr(services, "save_teams", save)
            services.remove_team(team=passing, by=None)

    monkeypatch.setattr(services, "save_teams", save_beside_another)
    answer = add(organiser_client, cup, TWO, seen=seen)

    assert (answer.status_code, list(problems_of(answer))) == (422, [2])


def test_there_is_one_player_column_where_teams_have_one_player(organiser_client):
    cup = CupFactory(ruleset="avomarjapussi")

    look_and_add(organiser_client, cup, "Joukkue;Pelaaja;Kori\nÄssät;Åke;2")

    assert facts_of(cup) == [{"name": "Ässät", "pot": 2, "players": ["Åke"]}]


def test_headings_and_what_was_left_out_are_shown(organiser_client):
    cup = CupFactory()

    page = preview(
        organiser_client, cup, "Joukkue;Sähköposti\nÄssät;x@example.org"
    ).content.decode()

    assert "otsikkorivi" in page
    assert "Näitä sarakkeita ei käytetä: Sähköposti." in page
    assert "Rivien tiedot erotettiin puolipisteistä." in page


def test_a_chosen_layout_stays_chosen(organiser_client):
    cup = CupFactory()

    answer = preview(organiser_client, cup, "Kortti, kuningas", layout="names")
    seen = answer.context["preview"].stamp
    add(organiser_client, cup, "Kortti, kuningas", seen=seen, layout="names")

    assert answer.context["form"]["layout"].value() == "names"
    assert [team.name for team in cup.teams.all()] == ["Kortti, kuningas"]


def test_the_page_of_teams_leads_to_the_list(organiser_client):
    cup = CupFactory()

    page = organiser_client.get(f"/admin/cup/cup/{cup.pk}/teams/").content.decode()

    assert f'href="{url_of(cup)}"' in page


@pytest.mark.parametrize("lines", [1, 40])
def test_a_preview_takes_the_same_queries_for_any_number_of_teams(
    organiser_client, lines, django_assert_num_queries
):
    cup = CupFactory()
    TeamFactory.create_batch(lines, cup=cup)
    text = "\n".join(f"J{n}" for n in range(lines))

    with django_assert_num_queries(9):
        preview(organiser_client, cup, text)


@pytest.mark.parametrize("client", ["scorekeeper_client", "stranger_client", None])
def test_nobody_but_an_organiser_adds_a_list(client, request):
    cup = CupFactory()
    seen = preview(an_organiser(), cup, TWO).context["preview"].stamp
    someone = request.getfixturevalue(client) if client else Client()

    answer = add(someone, cup, TWO, seen=seen)

    assert answer.status_code == (403 if client else 302)
    assert cup.teams.count() == 0


def test_a_preview_seen_in_another_cup_adds_nothing_known_there(organiser_client):
    cup, other = CupFactory(), CupFactory()
    services.add_team(cup=other, name="Rouvat", players=["Eino", "Helmi"], by=None)
    seen = preview(organiser_client, other, TWO).context["preview"].stamp

    answer = add(organiser_client, cup, TWO, seen=seen)

    assert (answer.status_code, cup.teams.count()) == (422, 0)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_one_list_confirmed_at_once_by_many_is_added_once():
    cup = CupFactory()
    clients = [an_organiser() for _number in range(4)]
    seen = preview(clients[0], cup, TWO).context["preview"].stamp
    barrier = threading.Barrier(len(clients))
    statuses = []

    def confirm(client):
        try:
            barrier.wait()
            statuses.append(add(client, cup, TWO, seen=seen).status_code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=confirm, args=[client]) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    # Whoever came too late finds all of it there, and no fault in his list.
    assert statuses == [302] * 4
    assert facts_of(cup) == TWO_FACTS
    cup.refresh_from_db()
    assert (cup.revision, cup.log.count()) == (1, 2)
