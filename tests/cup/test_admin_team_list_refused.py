from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.services_teams import MOST_TEAMS
from tests.cup.team_list_posts import (
    TWO,
    TWO_FACTS,
    facts_of,
    file_of,
    look_and_add,
    offers_to_save,
    preview,
    problems_of,
    typed_again,
    url_of,
)
from tests.factories import CupFactory, TeamFactory, drawn_cup, record

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("posted", "field", "error"),
    [
        ({}, "text", "Liitä lista tähän tai valitse tiedosto."),
        ({"text": " \n \n"}, "text", "Liitä lista tähän tai valitse tiedosto."),
        ({"text": ";;\n"}, "text", "Listassa ei ole yhtään joukkuetta."),
        ({"text": "Joukkue;Kori"}, "text", "Listassa ei ole yhtään joukkuetta."),
        ({"file": file_of(b"")}, "file", "Tiedostossa ei ole yhtään joukkuetta."),
        (
            {"text": "Ässät", "file": file_of(b"PK\x03\x04" + bytes(99))},
            "file",
            "Tiedosto ei ole tekstiä. Jos se on laskentataulukko, tallenna se "
            "CSV-muodossa, tai kopioi sen solut ja liitä ne listaan.",
        ),
    ],
    ids=["nothing", "blank", "delimiters", "headings", "empty_file", "workbook"],
)
def test_a_list_without_teams_is_refused_at_its_field(
    organiser_client, posted, field, error
):
    cup = CupFactory()

    answer = organiser_client.post(url_of(cup), {**posted, "preview": "1"})

    assert answer.status_code == 422
    assert dict(answer.context["form"].errors) == {field: [error]}
    assert error in answer.content.decode()
    assert typed_again(answer) in (posted.get("text"), None)


def test_a_layout_that_is_none_is_refused_at_its_field(organiser_client):
    answer = preview(organiser_client, CupFactory(), TWO, layout="x")

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["layout"]
    assert typed_again(answer) == TWO


FAULTY = """Ässät; Åke; Väinö; 1

ässät; Eino; Helmi
"Kympit; Kaisa; Kalle
Ysit; Anna; Pekka; neljäs
Kasit; Aili; Olli; 2; puh. 040
; Maija; Matti
stays; Uusi; Uusi
Kuninkaat"""


@pytest.mark.parametrize("button", ["preview", "save"])
def test_every_problem_stands_at_its_line_with_what_to_do(organiser_client, button):
    cup = CupFactory()
    TeamFactory(cup=cup, name="Stays")

    answer = organiser_client.post(url_of(cup), {"text": FAULTY, button: "1"})

    assert answer.status_code == 422
    assert problems_of(answer) == {
        1: ["Sama nimi on myös rivillä 3. Poista rivi tai vaihda nimi."],
        3: ["Sama nimi on myös rivillä 1. Poista rivi tai vaihda nimi."],
        4: [
            "Lainausmerkki jää auki. Poista se ja kirjoita joukkueen kaikki tiedot "
            "samalle riville."
        ],
        5: ["”neljäs” ei kelpaa koriksi. Kirjoita luku 1–26 tai jätä kori pois."],
        6: [
            "Rivillä on ylimääräistä: ”puh. 040”. Poista se, tai valitse alta toinen "
            "erotin."
        ],
        7: ["Anna joukkueelle nimi."],
        8: ["Turnauksessa on jo joukkue nimeltä stays. Poista rivi tai vaihda nimi."],
    }
    page = answer.content.decode()
    assert "Korjattavaa on riveillä 1, 3, 4, 5, 6, 7, 8." in page
    assert all(text in page for [text] in problems_of(answer).values())
    assert not offers_to_save(answer)
    assert typed_again(answer) == FAULTY
    assert [team.name for team in cup.teams.all()] == ["Stays"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("x" * 81, "Nimessä voi olla enintään 80 merkkiä. Lyhennä nimeä."),
        (
            f"Ässät;{'x' * 81}",
            "Pelaajan nimessä voi olla enintään 80 merkkiä. Lyhennä nimeä.",
        ),
        (
            "Ässät – A, B\nRouvat – C, D, E",
            "Joukkueessa on enintään 2 pelaajaa. Poista ylimääräiset nimet.",
        ),
        ("Äs\0sät", "Merkkiä � ei voitu lukea. Kirjoita sen tilalle oikea."),
        (
            "x" * 2001,
            "Rivi on liian pitkä. Jätä riville vain yhden joukkueen tiedot.",
        ),
    ],
    ids=["name", "player", "players", "nul", "line"],
)
def test_a_line_that_cannot_be_saved_says_so_before_it_is(
    organiser_client, line, problem
):
    answer = preview(organiser_client, CupFactory(), line)

    assert answer.status_code == 422
    assert list(problems_of(answer).values()) == [[problem]]


def test_a_team_that_is_there_already_just_as_it_is_listed_stays(organiser_client):
    cup = CupFactory()
    services.add_team(cup=cup, name="Ässät", players=["Åke", "Väinö"], pot=1, by=None)
    cup.refresh_from_db()

    looked = preview(organiser_client, cup, TWO)
    look_and_add(organiser_client, cup, TWO)

    assert [row.is_known for row in looked.context["preview"].rows] == [True, False]
    assert ">Lisää 1 joukkue</button>" in looked.content.decode()
    assert facts_of(cup) == TWO_FACTS
    assert cup.log.count() == 2


@pytest.mark.parametrize(
    "line",
    [
        "Ässät; Åke; Väinö; 2",
        "Ässät; Åke; Veikko; 1",
        "Ässät; Åke; ; 1",
        "ässät; Åke; Väinö; 1",
        "Ässät",
    ],
)
def test_a_team_that_is_there_in_any_other_way_is_refused(organiser_client, line):
    cup = CupFactory()
    services.add_team(cup=cup, name="Ässät", players=["Åke", "Väinö"], pot=1, by=None)

    answer = preview(organiser_client, cup, line)

    name = line.split(";")[0]
    assert problems_of(answer) == {
        1: [f"Turnauksessa on jo joukkue nimeltä {name}. Poista rivi tai vaihda nimi."]
    }


def test_the_same_known_team_twice_is_refused_at_its_second_line(organiser_client):
    cup = CupFactory()
    services.add_team(cup=cup, name="Rouvat", players=["Eino", "Helmi"], by=None)

    answer = preview(organiser_client, cup, f"{TWO}\nRouvat; Eino; Helmi")

    assert list(problems_of(answer)) == [3]


def test_once_play_has_started_it_is_said_once_and_nothing_is_offered(
    organiser_client,
):
    cup = drawn_cup(teams=3)
    record(cup.games.first())

    answer = preview(organiser_client, cup, TWO)

    assert answer.status_code == 422
    assert answer.context["preview"].general == (
        "Pelit ovat alkaneet; uutta joukkuetta ei voi enää lisätä.",
    )
    assert not offers_to_save(answer)


def test_a_cup_takes_as_many_teams_as_fit_on_the_page_of_teams(organiser_client):
    cup = CupFactory()
    lines = [f"J{n}" for n in range(MOST_TEAMS + 5)]

    over = preview(organiser_client, cup, "\n".join(lines))
    look_and_add(organiser_client, cup, "\n".join(lines[:MOST_TEAMS]))

    assert problems_of(over) == {
        191: [
            "Turnaukseen mahtuu enintään 190 joukkuetta. Poista listasta rivit tästä "
            "riviin 195 asti."
        ]
    }
    assert cup.teams.count() == MOST_TEAMS
    more = preview(organiser_client, cup, "Myöhässä")
    assert problems_of(more) == {
        1: ["Turnaukseen mahtuu enintään 190 joukkuetta. Poista rivi."]
    }
    rows = organiser_client.get(f"/admin/cup/cup/{cup.pk}/teams/").context["rows"]
    assert len(rows.forms) == MOST_TEAMS


def test_five_thousand_lines_and_a_million_signs_are_answered(organiser_client):
    cup = CupFactory()

    many = preview(organiser_client, cup, "Ässät;Aino;Väinö\n" * 5000)
    long = preview(organiser_client, cup, file=file_of(b"\x00a;\xff" * 250_000))
    wide = preview(organiser_client, cup, "ä" * 400_000)

    assert [many.status_code, long.status_code, wide.status_code] == [422] * 3
    assert list(problems_of(many)) == list(range(1, 192))
    assert list(long.context["form"].errors or problems_of(long)) != []
    assert list(problems_of(wide)) == [1]


def test_markup_is_shown_as_it_was_typed(organiser_client):
    cup = CupFactory()
    name = """<b>&"'</b>"""
    file = file_of(name.encode(), name="<i>.csv")

    page = preview(organiser_client, cup, "</textarea>", file=file).content.decode()

    assert "&lt;b&gt;&amp;&quot;&#x27;&lt;/b&gt;" in page
    assert "<b>&" not in page
    assert "<i>.csv" not in page
    assert "<pre>&lt;/textarea&gt;</pre>" in page
