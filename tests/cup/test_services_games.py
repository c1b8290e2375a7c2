from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.choices import Phase
from komppa.cup.models import GameSeat, PlayingTable
from komppa.cup.queries import games_stamp
from komppa.errors import Refusal
from tests.factories import (
    cup_of,
    drawn_cup,
    record,
)

pytestmark = pytest.mark.django_db


def after_a_deal():
    cup = drawn_cup(teams=3)
    record(cup.games.first())
    return cup


def test_make_group_games_gives_everyone_everyone_once():
    cup = drawn_cup(teams=8, groups=2, tables=3)

    for group in cup.groups.all():
        teams = {m.team_id for m in group.memberships.all()}
        pairs = [frozenset((g.team_a_id, g.team_b_id)) for g in group.games.all()]
        assert len(set(pairs)) == len(pairs) == 6
        assert frozenset().union(*pairs) == teams
    games = list(cup.games.order_by("number"))
    assert [game.number for game in games] == list(range(1, 13))
    assert [game.order for game in games] == list(range(1, 13))
    assert {game.playing_table.number for game in games} == {1, 2, 3}
    assert all(g.source_team_a_id == g.team_a_id for g in games)
    assert cup.phase == Phase.GROUPS


def test_make_group_games_plays_no_team_twice_in_a_schedule_round():
    cup = drawn_cup(teams=7, groups=1)

    for schedule_round in range(1, 8):
        games = cup.games.filter(schedule_round=schedule_round)
        teams = [pk for g in games for pk in (g.team_a_id, g.team_b_id)]
        assert len(teams) == len(set(teams)) == 6


def test_make_group_games_uses_the_sets_of_the_cup():
    cup = drawn_cup(teams=3, sets_to_win=1)

    assert set(cup.games.values_list("sets_to_win", flat=True)) == {1}


def test_make_group_games_is_refused_without_groups():
    with pytest.raises(Refusal) as refused:
        services.make_group_games(cup=cup_of(4), table_count=2, by=None)

    assert refused.value.code == "no_groups"


@pytest.mark.parametrize("tables", [0, -1, 100])
def test_make_group_games_is_refused_with_so_many_tables(tables):
    cup = cup_of(4)
    services.confirm_draw(
        draw=services.draft_draw(cup=cup, group_count=1, by=None), by=None
    )

    with pytest.raises(Refusal) as refused:
        services.make_group_games(cup=cup, table_count=tables, by=None)

    assert refused.value.code == "table_count"
    assert cup.games.count() == 0


def test_make_group_games_is_refused_where_there_are_games_unseen():
    cup = drawn_cup(teams=3)
    seen = games_stamp(cup)
    services.make_group_games(cup=cup, table_count=1, by=None, replaces=seen)

    for replaces in (None, seen):
        with pytest.raises(Refusal) as refused:
            services.make_group_games(
                cup=cup, table_count=1, by=None, replaces=replaces
            )

        assert refused.value.code == "games_exist"


def test_make_group_games_anew_changes_the_tables_and_keeps_their_rows():
    cup = drawn_cup(teams=4, tables=2)
    first = cup.playing_tables.get(number=1)

    services.make_group_games(
        cup=cup, table_count=1, by=None, replaces=games_stamp(cup)
    )

    assert list(cup.playing_tables.all()) == [first]
    assert set(cup.games.values_list("playing_table", flat=True)) == {first.pk}
    assert cup.games.count() == 6


def test_make_group_games_anew_keeps_a_table_that_has_a_key():
    cup = drawn_cup(teams=4, tables=2)
    second = cup.playing_tables.get(number=2)
    second.table_keys.create(key_hash="hash")

    services.make_group_games(
        cup=cup, table_count=1, by=None, replaces=games_stamp(cup)
    )

    assert list(PlayingTable.objects.filter(cup=cup, number=2)) == [second]


def test_make_group_games_is_refused_once_a_deal_is_recorded():
    cup = after_a_deal()

    with pytest.raises(Refusal) as refused:
        services.make_group_games(
            cup=cup, table_count=1, by=None, replaces=games_stamp(cup)
        )

    assert refused.value.code == "play_started"
    assert cup.games.count() == 3


def test_seat_players_says_who_sits_where():
    cup = drawn_cup(teams=3)
    game = cup.games.first()
    a, b = (list(team.players.all()) for team in (game.team_a, game.team_b))
    seats = {"A1": a[1], "B1": b[0], "A2": a[0], "B2": b[1]}

    services.seat_players(game=game, seats=seats, by=None)

    stored = {s.seat: s.player for s in GameSeat.objects.filter(game=game)}
    assert stored == seats


def test_seat_players_is_refused_for_players_of_another_team():
    cup = drawn_cup(teams=3)
    game = cup.games.first()
    a, b = (list(team.players.all()) for team in (game.team_a, game.team_b))
    stranger = cup.teams.exclude(pk__in=[game.team_a_id, game.team_b_id]).get()
    for wrong in (
        {"A1": stranger.players.first(), "B1": b[0], "A2": a[0], "B2": b[1]},
        {"A1": b[0], "B1": a[0], "A2": b[1], "B2": a[1]},
    ):
        with pytest.raises(Refusal) as refused:
            services.seat_players(game=game, seats=wrong, by=None)

        assert refused.value.code == "not_theirs"
    assert GameSeat.objects.filter(game=game).count() == 0


def test_seats_of_a_game_that_is_gone_are_refused():
    game = drawn_cup().games.first()
    seats = {"A1": game.team_a.players.first(), "B1": game.team_b.players.first()}
    services.make_group_games(
        cup=game.cup, table_count=1, by=None, replaces=games_stamp(game.cup)
    )

    with pytest.raises(Refusal) as refusal:
        services.seat_players(game=game, seats=seats, by=None)

    assert refusal.value.code == "game_gone"
