from __future__ import annotations

import pytest

from komppa.cup.queues import clashes_of, queues_of
from komppa.cup.services_games import move_game
from tests.factories import drawn_cup, play_out, record

pytestmark = pytest.mark.django_db


def told(cup):
    return {q.number: [game.number for game in q.games] for q in queues_of(cup)}


def clashes(cup, team):
    return [
        (*(str(game) for game in clash.games), clash.is_in_play)
        for clash in clashes_of(queues_of(cup))
        if clash.team == team
    ]


def move(cup, number, table_number, **rest):
    game = cup.games.get(number=number)
    facts = {"by": None, "reason": "Pöytä rikki", **rest}
    move_game(game=game, table_number=table_number, **facts)


def with_a_common_team(cup):
    """Return the first game and a later one that shares a team with it."""
    first = cup.games.select_related("team_a").get(number=1)
    team = first.team_a
    later = next(
        game
        for game in cup.games.filter(number__gt=1).order_by("number")
        if team in (game.team_a, game.team_b)
    )
    return team, first, later


def test_queues_are_told_by_table_the_game_in_play_first():
    cup = drawn_cup(teams=4, tables=2)
    by_order = told(cup)
    second = by_order[1][1]
    record(cup.games.get(number=second))
    play_out(cup.games.get(number=by_order[2][0]))
    move(cup, by_order[2][1], 9)

    first, *later = [n for n in by_order[1] if n != second]
    assert told(cup) == {
        1: [second, first, *later],
        2: by_order[2][2:],
        9: [by_order[2][1]],
    }


def test_a_team_that_two_tables_would_begin_with_clashes():
    cup = drawn_cup(teams=4, tables=2)
    team, first, later = with_a_common_team(cup)
    before = clashes(cup, team)

    move(cup, later.number, 7)

    assert before == []
    assert clashes(cup, team) == [(str(first), str(later), False)]


def test_a_team_in_play_at_two_tables_clashes_in_play():
    cup = drawn_cup(teams=4, tables=2)
    team, first, later = with_a_common_team(cup)
    move(cup, later.number, 7)
    record(first)

    record(later)

    assert clashes(cup, team) == [(str(first), str(later), True)]


def test_a_team_whose_next_game_waits_behind_one_in_play_does_not_clash():
    cup = drawn_cup(teams=4, tables=2)
    team, first, later = with_a_common_team(cup)
    move(cup, later.number, 7)

    move(cup, later.number, first.playing_table.number)

    assert clashes(cup, team) == []


@pytest.mark.parametrize(("teams", "tables"), [(3, 1), (8, 5)])
def test_queues_take_the_same_queries(django_assert_num_queries, teams, tables):
    cup = drawn_cup(teams=teams, tables=tables)

    with django_assert_num_queries(2):
        clashes_of(queues_of(cup))
