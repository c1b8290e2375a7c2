from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from komppa.cup import services
from komppa.cup.choices import Outcome, Visibility
from komppa.cup.models import Game
from komppa.cup.queries import (
    counted_result,
    games_of,
    games_stamp,
    group_standings,
    has_results,
    visible_cups,
)
from scoring.sheet import DealSheet, Foul
from scoring.sides import Pair, Side
from scoring.standings import Criterion, GameResult
from tests.factories import CupFactory, drawn_cup, play_out, record

pytestmark = pytest.mark.django_db


def order_of(group):
    return [m.team_id for m in group.memberships.order_by("position")]


def end(game, **columns):
    Game.objects.filter(pk=game.pk).update(**columns)


def play_in_order(cup, *, loser_sets=0):
    """Play every game so that the team drawn earlier wins."""
    for group in cup.groups.all():
        order = order_of(group)
        for game in group.games.all():
            earlier = order.index(game.team_a_id) < order.index(game.team_b_id)
            play_out(game, "A" if earlier else "B", loser_sets)


def play_in_a_circle(cup):
    """Play the three games of the cup's only group: 1 beats 2, 2 beats 3, 3 beats 1."""
    order = order_of(cup.groups.get())
    for game in cup.games.all():
        a, b = order.index(game.team_a_id), order.index(game.team_b_id)
        play_out(game, "A" if (b - a) % 3 == 1 else "B")
    return order


def table_of(standing):
    return [(r.team.pk, r.rank, r.won, r.sets_won, r.sets_lost) for r in standing.rows]


def test_visible_cups_hide_drafts_from_all_but_organisers(
    organiser, scorekeeper, stranger
):
    public = CupFactory(visibility=Visibility.PUBLIC)
    archived = CupFactory(visibility=Visibility.ARCHIVED)
    draft = CupFactory(visibility=Visibility.DRAFT)

    for visitor in (None, stranger, scorekeeper):
        assert set(visible_cups(visitor)) == {public, archived}
    assert set(visible_cups(organiser)) == {public, archived, draft}


def test_visible_cups_takes_no_anonymous_user_for_an_organiser():
    CupFactory(visibility=Visibility.DRAFT)

    assert list(visible_cups(AnonymousUser())) == []


def test_has_results_is_false_before_play():
    assert has_results(drawn_cup(teams=3)) is False


def test_has_results_is_true_even_when_the_only_deal_was_taken_back():
    cup = drawn_cup(teams=3)
    recorded = record(cup.games.first())
    recorded.entry.game.deal_entries.update(sheet=None)

    assert has_results(cup) is True


def test_has_results_does_not_look_at_other_cups():
    cup = drawn_cup(teams=3)
    record(drawn_cup(teams=3).games.first())

    assert has_results(cup) is False


def test_games_stamp_changes_when_the_games_are_made_anew():
    cup = CupFactory()
    assert games_stamp(cup) is None
    cup = drawn_cup(teams=3)
    first = games_stamp(cup)

    services.make_group_games(cup=cup, table_count=1, by=None, replaces=first)

    assert games_stamp(cup) not in (None, first)


def a_game(**columns):
    return Game(
        **{"team_a_id": 1, "team_b_id": 2, "sets_to_win": 2, "sets_a": 1, **columns}
    )


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({}, None),
        ({"team_b_id": None, "winner": "A"}, None),
        ({"winner": "A", "sets_a": 2}, GameResult(1, 2, 2, 0, Side.A)),
        ({"winner": "B", "sets_b": 2}, GameResult(1, 2, 1, 2, Side.B)),
        ({"winner": "B", "ended_by": "fouls"}, GameResult(1, 2, 1, 0, Side.B)),
        ({"outcome": Outcome.WALKOVER_A}, GameResult(1, 2, 2, 0, Side.A)),
        ({"outcome": Outcome.WALKOVER_B}, GameResult(1, 2, 0, 2, Side.B)),
        ({"outcome": Outcome.BOTH_ABSENT}, GameResult(1, 2, 0, 0, None)),
        ({"outcome": Outcome.ANNULLED, "winner": "A"}, None),
    ],
    ids=[
        "unfinished",
        "team_unknown",
        "won",
        "lost_by_one",
        "three_fouls_as_played",
        "walkover_a",
        "walkover_b",
        "both_absent",
        "annulled",
    ],
)
def test_counted_result_of_a_game(columns, expected):
    assert counted_result(a_game(**columns), CupFactory.build()) == expected


def test_counted_result_gives_the_winner_by_fouls_full_sets_where_the_cup_says_so():
    cup = CupFactory.build(foul_loss_sets="full")
    by_fouls = a_game(winner="B", ended_by="fouls")
    by_sets = a_game(winner="A", ended_by="sets", sets_a=2, sets_b=1)

    assert counted_result(by_fouls, cup) == GameResult(1, 2, 1, 2, Side.B)
    assert counted_result(by_sets, cup) == GameResult(1, 2, 2, 1, Side.A)


def test_group_standings_before_play_shows_all_level_and_needs_no_lot():
    cup = drawn_cup(teams=4)

    (standing,) = group_standings(cup)

    assert [row.rank for row in standing.rows] == [1, 1, 1, 1]
    assert (standing.is_complete, standing.lots_needed) == (False, ())
    assert not any(row.goes_on for row in standing.rows)


def test_group_standings_counts_games_and_sets():
    cup = drawn_cup(teams=3)
    play_in_order(cup, loser_sets=1)
    first, second, third = order_of(cup.groups.get())

    (standing,) = group_standings(cup)

    assert table_of(standing) == [
        (first, 1, 2, 4, 2),
        (second, 2, 1, 3, 3),
        (third, 3, 0, 2, 4),
    ]
    assert [row.decided_by for row in standing.rows] == [None] + [Criterion.WON] * 2
    assert [row.goes_on for row in standing.rows] == [True, True, False]
    forms = [row.form for row in standing.rows]
    assert (forms[0], forms[2]) == ((True, True), (False, False))


def test_group_standings_does_not_count_a_game_in_play():
    cup = drawn_cup(teams=3)
    record(cup.games.first())

    (standing,) = group_standings(cup)

    assert {row.played for row in standing.rows} == {0}


def test_group_standings_of_a_circle_needs_the_lot_of_all_three():
    cup = drawn_cup(teams=3)
    order = play_in_a_circle(cup)

    (standing,) = group_standings(cup)

    assert [{team.pk for team in tied} for tied in standing.lots_needed] == [set(order)]
    assert all(row.is_tied and not row.goes_on for row in standing.rows)
    assert {len(row.tied_with) for row in standing.rows} == {2}


def test_group_standings_follows_the_lot():
    cup = drawn_cup(teams=3)
    order = play_in_a_circle(cup)
    group = cup.groups.get()

    lot = services.draw_lot(group=group, team_ids=order, by=None)

    (standing,) = group_standings(cup)
    assert [row.team.pk for row in standing.rows] == lot.order
    assert [row.decided_by for row in standing.rows] == [None] + [Criterion.LOT] * 2
    assert (standing.lots_needed, standing.rows[1].goes_on) == ((), True)


def test_group_standings_leaves_a_lot_unused_when_the_tie_is_gone():
    cup = drawn_cup(teams=3)
    order = play_in_a_circle(cup)
    services.draw_lot(group=cup.groups.get(), team_ids=order, by=None)

    end(cup.games.get(team_a__in=order[:2], team_b__in=order[:2]), outcome="annulled")

    (standing,) = group_standings(cup)
    assert [row.decided_by for row in standing.rows] != [None] + [Criterion.LOT] * 2


def test_group_standings_with_outcomes_other_than_play():
    cup = drawn_cup(teams=4)
    games = list(cup.games.all())
    for game in games[:3]:
        end(game, outcome=Outcome.ANNULLED)
    end(games[3], outcome=Outcome.BOTH_ABSENT)
    end(games[4], outcome=Outcome.WALKOVER_B)
    end(games[5], outcome=Outcome.ANNULLED)

    (standing,) = group_standings(cup)

    figures = {r.team.pk: (r.played, r.won, r.sets_won) for r in standing.rows}
    expected = dict.fromkeys(figures, (0, 0, 0))
    for pk in (games[3].team_a_id, games[3].team_b_id, games[4].team_a_id):
        expected[pk] = (expected[pk][0] + 1, 0, 0)
    winner = games[4].team_b_id
    expected[winner] = (expected[winner][0] + 1, 1, 2)
    assert figures == expected
    assert standing.is_complete is True


def test_group_standings_gives_full_sets_after_three_fouls():
    cup = drawn_cup(teams=3, foul_loss_sets="full")
    game = cup.games.first()
    fouls = tuple(Foul(Side.A) for _time in range(3))
    record(game, DealSheet(fouls=fouls, abandoned=True))

    (standing,) = group_standings(cup)

    winner = next(row for row in standing.rows if row.won)
    assert (winner.team, winner.sets_won) == (game.team_b, game.sets_to_win)


def test_group_standings_of_some_groups_only():
    cup = drawn_cup(teams=6, groups=2)
    group = cup.groups.get(name="B")

    (standing,) = group_standings(cup, [group])

    assert standing.group == group
    assert {row.team.pk for row in standing.rows} == set(order_of(group))


@pytest.mark.parametrize(("teams", "groups"), [(3, 1), (12, 3), (32, 8)])
def test_group_standings_takes_four_queries(teams, groups, django_assert_num_queries):
    cup = drawn_cup(teams=teams, groups=groups)

    with django_assert_num_queries(4):
        standings = group_standings(cup)
        for standing in standings:
            assert [row.team.name for row in standing.rows]
            assert [game.playing_table.number for game in standing.games]


@pytest.mark.parametrize("teams", [3, 8])
def test_games_of_takes_one_query_for_all_that_a_list_shows(
    teams, django_assert_num_queries
):
    cup = drawn_cup(teams=teams)

    with django_assert_num_queries(1):
        shown = [
            (game.group.name, game.playing_table, game.team_a.name, game.team_b.name)
            for game in games_of(cup)
        ]

    assert len(shown) == teams * (teams - 1) // 2


def test_games_of_does_not_show_another_cup():
    cup = drawn_cup(teams=3)
    drawn_cup(teams=4)

    assert {game.cup_id for game in games_of(cup)} == {cup.pk}


def test_sides_of_a_pair_are_not_confused():
    cup = drawn_cup(teams=3)
    game = cup.games.first()
    play_out(game, "B", loser_sets=1)

    assert (game.sets, game.winning_team) == (Pair(1, 2), game.team_b)
