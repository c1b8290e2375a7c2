from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from komppa.cup.choices import Outcome, Visibility
from komppa.cup.models import Player
from komppa.cup.queries import games_of
from komppa.cup.services import seat_players
from komppa.cup.services_changes import replace_player
from komppa.sheets.forms import HIDDEN, DealSheetForm
from komppa.sheets.paper import ROWS, paper_sheets, questions
from komppa.sheets.queries import course_of
from scoring.rulesets import RULESETS
from scoring.sides import Seat
from tests.cup.brackets import cup_with_bracket
from tests.factories import drawn_cup, end, record

pytestmark = pytest.mark.django_db

PAGES = ["paper", "paper_empty", "paper_game"]
# What the screen asks by several fields, and the paper in one column.
ONE_QUESTION = {
    r"suit_\w": "trump",
    r"pips_\w": "pips",
    r"card_points_\w": "card_points",
    r"foul_\d+(_corrected)?": "fouls",
}


def address(page, cup, number=1):
    numbers = [number] if page == "paper_game" else []
    return reverse(f"sheets:{page}", args=[cup.slug, *numbers])


def told(cup, **which):
    return paper_sheets(cup, games_of(cup).filter(**which))


def fields_on_screen(game):
    """Return the questions of the screen in their order, each once."""
    layout = DealSheetForm(game=game, course=course_of(game)).helper.layout
    names = [pointer.name for pointer in layout.get_field_names()]
    asked = [_question(name) for name in names if name not in HIDDEN]
    return list(dict.fromkeys(asked))


def _question(name):
    found = [q for pattern, q in ONE_QUESTION.items() if re.fullmatch(pattern, name)]
    return found[0] if found else name


@pytest.mark.parametrize("ruleset", RULESETS)
def test_paper_asks_what_the_screen_asks_in_the_same_order(ruleset):
    game = drawn_cup(teams=2, ruleset=ruleset).games.get()

    assert [q.field for q in questions(game.cup.rules)] == fields_on_screen(game)


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("kemistikilta-2011", ["A1", "B1", "A2", "B2"]), ("avomarjapussi", ["A1", "B1"])],
)
def test_paper_has_a_column_for_each_question_and_a_line_for_each_deal(
    scorekeeper_client, ruleset, seats
):
    cup = drawn_cup(teams=2, ruleset=ruleset)

    html = scorekeeper_client.get(address("paper_game", cup)).content.decode()

    columns = re.findall(r'<th scope="col"[^>]*data-field="(\w+)"', html)
    assert columns == [q.field for q in questions(cup.rules)]
    lines = re.findall(r'<tr>\s*<th scope="row">(\d+)</th>(.*?)</tr>', html, re.DOTALL)
    assert [number for number, _cells in lines] == [
        str(number) for number in range(1, ROWS + 1)
    ]
    for _number, cells in lines:
        assert cells.count("<td") == len(columns) + 2
        assert re.findall(r"<span>([AB]\d)</span>", cells) == seats


def test_game_is_told_with_its_teams_and_who_sits_where():
    game = drawn_cup(teams=2).games.get()

    (paper,) = told(game.cup)

    a, b = game.team_a.name, game.team_b.name
    assert (paper.game, paper.stage) == (game, "Lohko A")
    assert [(side.team, side.source) for side in paper.sides] == [(a, ""), (b, "")]
    assert [side.seats for side in paper.sides] == [
        ((Seat.A1, f"{a} P1"), (Seat.A2, f"{a} P2")),
        ((Seat.B1, f"{b} P1"), (Seat.B2, f"{b} P2")),
    ]


def test_seats_are_those_taken_at_the_table():
    game = drawn_cup(teams=2).games.get()
    a1, a2 = game.team_a.players.all()
    b1, b2 = game.team_b.players.all()
    seat_players(game=game, seats={"A1": a2, "B1": b1, "A2": a1, "B2": b2}, by=None)

    (paper,) = told(game.cup)

    assert paper.sides[0].seats == ((Seat.A1, a2.name), (Seat.A2, a1.name))


def test_who_has_been_replaced_sits_no_more():
    game = drawn_cup(teams=2).games.get()
    old = game.team_a.players.first()
    replace_player(player=old, name="Uusi Pelaaja", by=None, reason="Flunssa")

    (paper,) = told(game.cup)

    assert paper.sides[0].seats[0] == (Seat.A1, "Uusi Pelaaja")


def test_player_without_a_name_leaves_a_line_to_write_on():
    game = drawn_cup(teams=2).games.get()
    Player.objects.update(name="")

    (paper,) = told(game.cup)

    names = [name for side in paper.sides for _seat, name in side.seats]
    assert names == [""] * 4


def test_teams_not_known_yet_are_left_blank_with_where_they_come_from():
    cup = cup_with_bracket(teams=8, groups=2)

    (final,) = told(cup, number=16)

    assert final.stage == "Finaali"
    assert [(side.team, side.source) for side in final.sides] == [
        ("", "Voittaja P13"),
        ("", "Voittaja P14"),
    ]
    assert {name for side in final.sides for _seat, name in side.seats} == {""}


def test_sheets_of_one_table_are_together_in_the_order_of_play():
    cup = drawn_cup(teams=4, tables=2)

    papers = told(cup)

    assert [p.game.playing_table.number for p in papers] == [1, 1, 1, 2, 2, 2]
    assert [p.game.number for p in papers] == [1, 3, 5, 2, 4, 6]


def numbers_on(html):
    return re.findall(
        r'<section class="paper paper-page"[^>]* aria-label="([^"]*)"', html
    )


def test_games_that_are_over_have_no_sheet(scorekeeper_client):
    cup = drawn_cup(teams=3)
    first, second, _third = cup.games.order_by("number")
    end(first, Outcome.BOTH_ABSENT)
    record(second)

    html = scorekeeper_client.get(address("paper", cup)).content.decode()

    assert numbers_on(html) == ["Peli 2", "Peli 3"]


def test_sheet_of_a_single_game_is_there_also_when_it_is_over(scorekeeper_client):
    cup = drawn_cup(teams=3)
    end(cup.games.get(number=2), Outcome.BOTH_ABSENT)

    html = scorekeeper_client.get(address("paper_game", cup, 2)).content.decode()

    assert numbers_on(html) == ["Peli 2"]


def test_empty_sheet_has_nobody_on_it(scorekeeper_client):
    cup = drawn_cup(teams=2)

    html = scorekeeper_client.get(address("paper_empty", cup)).content.decode()

    assert numbers_on(html) == ["Tyhjä pöytäkirja"]
    assert re.findall(r"<dt>(\w+)</dt><dd>(.*?)</dd>", html) == [
        (seat, "") for seat in ("A", "A1", "A2", "B", "B1", "B2")
    ]
    assert cup.games.get().team_a.name not in html


def test_cup_without_open_games_says_so(scorekeeper_client):
    cup = drawn_cup(teams=2)
    end(cup.games.get(), Outcome.WALKOVER_A)

    html = scorekeeper_client.get(address("paper", cup)).content.decode()

    assert numbers_on(html) == []
    assert "Pelaamattomia pelejä ei ole." in html


def test_names_are_words_and_never_markup(scorekeeper_client):
    cup = drawn_cup(teams=2)
    cup.teams.update(name="<b>&\"'" + "x" * 40)

    html = scorekeeper_client.get(address("paper", cup)).content.decode()

    names = re.findall(r"<dt>[AB]</dt><dd>(.*?)</dd>", html)
    assert [unescape(name) for name in names] == ["<b>&\"'" + "x" * 40] * 2
    assert "<b>&" not in html


@pytest.mark.parametrize("page", PAGES)
def test_stranger_is_sent_to_sign_in_and_back(client, page):
    path = address(page, drawn_cup(teams=2))

    response = client.get(path)

    assert (response.status_code, response.url) == (302, f"/login/?next={path}")


@pytest.mark.parametrize("page", PAGES)
def test_who_has_no_role_sees_no_sheet(stranger_client, page):
    cup = drawn_cup(teams=2)

    response = stranger_client.get(address(page, cup))

    assert response.status_code == 403
    assert cup.games.get().team_a.name not in response.content.decode()


@pytest.mark.parametrize("page", PAGES)
def test_draft_has_sheets_for_organisers_only(
    organiser_client, scorekeeper_client, page
):
    cup = drawn_cup(teams=2, visibility=Visibility.DRAFT)

    codes = [
        who.get(address(page, cup)).status_code
        for who in (organiser_client, scorekeeper_client)
    ]

    assert codes == [200, 404]


def test_game_of_another_cup_has_no_sheet_here(scorekeeper_client):
    small = drawn_cup(teams=2)
    drawn_cup(teams=4)

    response = scorekeeper_client.get(address("paper_game", small, 2))

    assert response.status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_sheets_take_no_posts_and_are_kept_by_no_cache(scorekeeper_client, page):
    path = address(page, drawn_cup(teams=2))

    assert scorekeeper_client.post(path).status_code == 405
    assert "no-store" in scorekeeper_client.get(path).headers["Cache-Control"]


def test_many_sheets_ask_no_more_than_few(scorekeeper_client):
    few, many = drawn_cup(teams=3), drawn_cup(teams=12, groups=2)
    for cup in (few, many):
        record(cup.games.order_by("number").first())
    counts = []
    for cup in (few, many):
        with CaptureQueriesContext(connection) as asked:
            scorekeeper_client.get(address("paper", cup))
        counts.append(len(asked))

    assert counts[0] == counts[1]


def test_organiser_finds_the_sheets_from_the_games(organiser_client):
    cup = drawn_cup(teams=2)

    html = organiser_client.get(reverse("admin:cup_games", args=[cup.pk]))

    assert f'href="{address("paper", cup)}"' in html.content.decode()
