from __future__ import annotations

import csv

import pytest
from django.urls import reverse

from komppa.cup.models import Team
from komppa.sheets.csv_files import CSV_FILES, deals_csv, games_csv, standings_csv
from scoring.sheet import Foul
from scoring.sides import Pair, Side
from tests.factories import drawn_cup, play_out, record, sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    made = drawn_cup(teams=3)
    games = list(made.games.order_by("number"))
    play_out(games[0], "A", loser_sets=1)
    level = {"mattis": (4, 4), "pips": Pair(20, 16)}
    record(games[1], sheet(**level, fouls=(Foul(Side.B, corrected=True),)))
    return made


def rows(text):
    return list(csv.reader(text.removeprefix("\ufeff").splitlines(), delimiter=";"))


def test_standings_have_a_row_for_each_team_in_order(cup):
    game = cup.games.get(number=1)

    header, first, *others = rows(standings_csv(cup))

    assert header[:3] == ["lohko", "sija", "joukkue"]
    assert first == ["A", "1", game.team_a.name, "1", "1", "0", "2", "1", ""]
    assert len(others) == 2


def test_a_team_that_has_left_the_order_is_listed_without_a_rank(cup):
    Team.objects.filter(pk=cup.games.get(number=1).team_a_id).update(withdrawn=True)

    last = rows(standings_csv(cup))[-1]

    assert (last[1], last[-1]) == ("", "vetäytynyt")


def test_games_tell_teams_sets_and_winner(cup):
    game = cup.games.get(number=1)
    a, b = game.team_a.name, game.team_b.name

    found = rows(games_csv(cup))

    assert found[1] == ["1", "A", "1", a, b, "2", "1", a, f"{a} voitti 2–1", "6"]
    assert [row[0] for row in found[1:]] == ["1", "2", "3"]


def test_deals_tell_the_sheet_and_what_it_gave(cup):
    game = cup.games.get(number=2)

    header, *found = rows(deals_csv(cup))
    deal = dict(zip(header, found[-1], strict=True))

    assert len(found) == 7
    assert (deal["peli"], deal["jako"], deal["viimeinen tikki"]) == (
        "2",
        "1",
        game.team_a.name,
    )
    assert (deal["matit A"], deal["silmät B"], deal["ässät A"]) == ("4", "16", "")
    assert deal["pelivirheet"] == f"{game.team_b.name} (korjattu heti)"
    assert (deal["pisteet A"], deal["erän tilanne B"]) == ("2", "0")


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-2", "'-2"),
        ("+358", "'+358"),
        (" =1+1", "' =1+1"),
        ("a;b", "a;b"),
        ('Kortti "ässä"', 'Kortti "ässä"'),
        ("Äö–🂡", "Äö–🂡"),
    ],
)
def test_no_name_is_a_formula(cup, name, cell):
    team = cup.games.get(number=1).team_a
    Team.objects.filter(pk=team.pk).update(name=name)

    names = [row[2] for row in rows(standings_csv(cup))]

    assert names.count(cell) == 1


@pytest.mark.parametrize("name", CSV_FILES)
def test_a_file_is_utf_8_with_its_mark_and_semicolons(cup, organiser_client, name):
    answer = organiser_client.get(reverse("transfer:csv", args=[cup.slug, name]))

    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert len({len(row) for row in rows(answer.content.decode())}) == 1


def test_a_file_that_there_is_not_is_not_found(cup, organiser_client):
    address = reverse("transfer:csv", args=[cup.slug, "players"])

    assert organiser_client.get(address).status_code == 404
