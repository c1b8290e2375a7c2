"""What the public pages show of the bracket and its end."""

from __future__ import annotations

import re

import pytest

from komppa.cup.choices import Phase
from komppa.cup.services_conflicts import annul_game
from komppa.live import contexts
from komppa.parts import render_part
from tests.cup.brackets import cup_with_bracket, decide, game_of, team_at
from tests.factories import CupFactory, play_out, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    """Games P1 to P12 are the groups', P13 and P14 the semi-finals, P16 the final."""
    return cup_with_bracket(teams=8, groups=2)


def test_game_of_the_bracket_tells_where_its_teams_go_on(cup):
    ways = contexts.game(cup, 13)["ways"]

    assert [(way.to.number, way.is_losers) for way in ways] == [(16, False), (15, True)]
    html = render_part(cup, "game-13")
    assert re.findall(r"(Voittaja|Häviäjä) jatkaa peliin <a[^>]*>(P\d+)", html) == [
        ("Voittaja", "P16"),
        ("Häviäjä", "P15"),
    ]


@pytest.mark.parametrize("number", [1, 15, 16])
def test_game_that_leads_nowhere_tells_of_no_way_on(cup, number):
    assert contexts.game(cup, number)["ways"] == []
    assert "jatkaa peliin" not in render_part(cup, f"game-{number}")


def test_game_of_the_bracket_is_called_by_its_stage(cup):
    stages = [contexts.game(cup, n)["board"].stage for n in (1, 13, 15, 16)]

    assert stages == ["", "Välierä", "Pronssipeli", "Finaali"]


def test_annulled_game_and_its_replay_lead_to_each_other(cup):
    played = play_out(cup.games.get(number=13))
    annul_game(game=played, by=None, reason="Sekaannus", replay=True)

    old, new = (render_part(cup, f"game-{n}") for n in (13, 17))

    assert re.findall(r"Peli pelataan uudelleen: <a[^>]*>(P\d+)", old) == ["P17"]
    assert re.findall(r"mitätöidyn tilalla: <a[^>]*>(P\d+)", new) == ["P13"]
    assert "jatkaa peliin" not in old
    assert "Voittaja jatkaa peliin" in new


def test_game_in_conflict_says_that_the_organiser_looks_into_it(cup):
    decide(cup.games.get(number=13))
    assert not contexts.game(cup, 13)["in_conflict"]

    decide(game_of(cup, "A1", "A2"), team_at(cup, "A2"))

    assert contexts.game(cup, 13)["in_conflict"]
    assert "Järjestäjä selvittää" in render_part(cup, "game-13")


def test_cup_shows_the_bracket_where_play_is(cup):
    assert "Jatkopelit: välierät" in render_part(cup, "cup")
    for number in (13, 14):
        decide(cup.games.get(number=number))

    html = render_part(cup, "cup")

    titles = re.findall(r"<h3>(Finaali|Pronssipeli)</h3>", html)
    assert titles == ["Finaali", "Pronssipeli"]
    assert "Jatkopelit: " not in html


def test_cup_calls_the_next_games_by_their_stage(cup):
    html = render_part(cup, "cup")

    assert re.findall(r'<span class="next-stage muted">(\w+)</span>', html) == [
        "Välierä",
        "Välierä",
    ]


@pytest.mark.parametrize("part", ["cup", "bracket"])
def test_champion_is_celebrated_once_the_final_is_won(cup, part):
    for number in (13, 14, 15):
        decide(cup.games.get(number=number))
    assert "Mestari" not in render_part(cup, part)
    decide(cup.games.get(number=16), "B")
    cup.refresh_from_db()

    html = render_part(cup, part)

    names = {place: team_at(cup, place).name for place in ("A1", "B1", "B2")}
    assert f"Mestari: {names['B1']}" in html
    assert re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", html)[:2] == [
        ("2. sija", names["A1"]),
        ("3. sija", names["B2"]),
    ]
    assert f"{names['B1']} P1 ja {names['B1']} P2" in html


def test_cup_that_is_over_keeps_its_standings_and_bracket(cup):
    for number in (13, 14, 15, 16):
        decide(cup.games.get(number=number))
    cup.refresh_from_db()

    html = render_part(cup, "cup")

    assert html.count('class="table standings"') == 2
    assert html.count('class="bracket-game"') == 2
    assert render_part(cup, "bracket").count('class="bracket-game"') == 4


def test_front_names_the_champions_of_cups_that_are_over(cup):
    for number in (13, 14, 15, 16):
        decide(cup.games.get(number=number))
    CupFactory(name="Kesken jäänyt", phase=Phase.FINISHED)

    shown = contexts.front(None, None)["finished"]

    champions = {c.name: c.champion and c.champion.team for c in shown}
    assert champions == {
        cup.name: team_at(cup, "A1"),
        "Kesken jäänyt": None,
    }
    html = render_part(None, "front")
    assert html.count("Mestari: ") == 1
    assert f"<b>{team_at(cup, 'A1').name}</b>" in html


def test_games_to_print_are_all_in_the_order_of_play(cup):
    decide(cup.games.get(number=13))
    record(cup.games.get(number=14))

    html = render_part(cup, "games")

    table = html[html.index('class="plan') :]
    assert re.findall(r'<th scope="row">P(\d+)</th>', table) == [
        str(number) for number in range(1, 17)
    ]
    assert rows_of(table)[11:] == [
        ["P12", "3", "B", "2", *pair_and_result(cup, 12, "2–0 luovutus")],
        ["P13", "Välierä", "1", *pair_and_result(cup, 13, "2–0 luovutus")],
        ["P14", "Välierä", "2", *pair_and_result(cup, 14, "0–0 käynnissä")],
        [
            "P15",
            "Pronssipeli",
            "2",
            f"{team_at(cup, 'B2').name} – Häviäjä P14",
            "",
        ],
        [
            "P16",
            "Finaali",
            "1",
            f"{team_at(cup, 'A1').name} – Voittaja P14",
            "",
        ],
    ]


def rows_of(table):
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)[1:]
    return [
        [
            " ".join(re.sub(r"<[^>]+>", "", cell).split())
            for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)
        ]
        for row in rows
    ]


def pair_and_result(cup, number, result):
    game = cup.games.get(number=number)
    return [f"{game.team_a} – {game.team_b}", result]
