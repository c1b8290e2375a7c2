from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils import timezone

from komppa.cup import services
from komppa.cup.choices import Outcome, Visibility
from komppa.cup.queries import (
    games_of,
    games_stamp,
    group_standings,
    has_results,
    visible_cups,
)
from komppa.cup.services_changes import cancel_withdrawal, withdraw_team
from komppa.cup.services_conflicts import cancel_annulment
from komppa.sheets.services import take_back_deal
from scoring.sheet import DealSheet, Foul
from scoring.sides import Pair, Side
from scoring.standings import Criterion
from tests.factories import CupFactory, drawn_cup, end, play_out, record

pytestmark = pytest.mark.django_db


def order_of(group):
    return [m.team_id for m in group.memberships.order_by("position")]


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

    between = cup.games.get(team_a__in=order[:2], team_b__in=order[:2])
    end(between, Outcome.ANNULLED)

    (standing,) = group_standings(cup)
    assert [row.decided_by for row in standing.rows] != [None] + [Criterion.LOT] * 2


def test_group_standings_with_outcomes_other_than_play():
    cup = drawn_cup(teams=4)
    games = list(cup.games.all())
    for game in games[:3]:
        end(game, Outcome.ANNULLED)
    end(games[3], Outcome.BOTH_ABSENT)
    end(games[4], Outcome.WALKOVER_B)
    end(games[5], Outcome.ANNULLED)

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


def withdraw(team):
    withdraw_team(team=team, by=None, reason="Lähti kotiin")


def test_group_standings_list_a_withdrawn_team_below_without_its_games():
    cup = drawn_cup(teams=4)
    play_in_order(cup)
    first, second, third, fourth = order_of(cup.groups.get())

    withdraw(cup.teams.get(pk=second))

    (standing,) = group_standings(cup)
    assert table_of(standing) == [
        (first, 1, 2, 4, 0),
        (third, 2, 1, 2, 2),
        (fourth, 3, 0, 0, 4),
    ]
    assert [team.pk for team in standing.withdrawn] == [second]
    assert standing.is_complete is True


def test_group_standings_of_the_other_switch_keep_what_was_played():
    cup = drawn_cup(teams=3, withdrawn_games="walkover")
    first, second, third = order_of(cup.groups.get())
    for game in cup.games.all():
        if {game.team_a_id, game.team_b_id} == {first, second}:
            play_out(game, "A" if game.team_a_id == first else "B", loser_sets=1)

    withdraw(cup.teams.get(pk=first))

    (standing,) = group_standings(cup)
    # The game with the third is a walkover; that of the others is still to come.
    assert table_of(standing) == [
        (third, 1, 1, 2, 0),
        (first, 2, 1, 2, 3),
        (second, 3, 0, 1, 2),
    ]
    assert (standing.is_complete, standing.withdrawn) == (False, ())


def test_group_standings_after_the_withdrawal_is_cancelled_are_as_before():
    cup = drawn_cup(teams=4)
    play_in_order(cup, loser_sets=1)
    gone = cup.teams.get(pk=order_of(cup.groups.get())[1])
    before = [table_of(standing) for standing in group_standings(cup)]

    withdraw(gone)
    cancel_withdrawal(team=gone, by=None, reason="Tuli takaisin")

    assert [table_of(standing) for standing in group_standings(cup)] == before


def test_group_standings_of_a_group_all_have_left_are_empty_and_complete():
    cup = drawn_cup(teams=2)
    for team in cup.teams.all():
        withdraw(team)

    (standing,) = group_standings(cup)

    assert (standing.rows, standing.is_complete) == ((), True)
    assert set(standing.withdrawn) == set(cup.teams.all())


def test_group_standings_need_a_new_lot_when_one_of_the_tied_withdraws():
    cup = drawn_cup(teams=4)
    order = order_of(cup.groups.get())
    for game in cup.games.all():
        end(game, Outcome.BOTH_ABSENT)
    services.draw_lot(group=cup.groups.get(), team_ids=order, by=None)

    withdraw(cup.teams.get(pk=order[0]))

    (standing,) = group_standings(cup)
    assert [{team.pk for team in tied} for tied in standing.lots_needed] == [
        set(order[1:])
    ]
    assert standing.lots_in_use == set()


def test_group_standings_do_without_a_lot_that_was_taken_back():
    cup = drawn_cup(teams=3)
    order = play_in_a_circle(cup)
    group = cup.groups.get()
    first = services.draw_lot(group=group, team_ids=order, by=None)
    first.taken_back_at = timezone.now()
    first.save()

    (tied,) = group_standings(cup)
    assert [row.rank for row in tied.rows] == [1, 1, 1]
    assert tied.lots_in_use == set()
    second = services.draw_lot(group=group, team_ids=order, by=None)

    (settled,) = group_standings(cup)
    assert [row.team.pk for row in settled.rows] == second.order
    assert settled.lots_in_use == {second.pk}


def test_a_rank_is_settled_only_in_a_finished_group_and_by_one_team():
    cup = drawn_cup(teams=4)
    first, second, third, fourth = order_of(cup.groups.get())
    play_in_order(cup)
    (standing,) = group_standings(cup)
    ranks = [standing.row_at(rank).team.pk for rank in (1, 2, 3, 4)]
    assert ranks == [first, second, third, fourth]
    assert (standing.row_at(5), standing.row_at(0)) == (None, None)

    # Nobody has won a game against those two, who are level now.
    for game in cup.games.filter(Q(team_a=third) | Q(team_b=third)):
        if fourth in (game.team_a_id, game.team_b_id):
            end(game, Outcome.ANNULLED)
    (tied,) = group_standings(cup)
    assert [tied.row_at(rank) for rank in (3, 4)] == [None, None]
    assert tied.row_at(2).team.pk == second

    annulled = cup.games.get(outcome=Outcome.ANNULLED)
    cancel_annulment(game=annulled, by=None, reason="Sekaannus selvisi")
    take_back_last_deal(annulled)
    (opened,) = group_standings(cup)
    assert [opened.row_at(rank) for rank in (1, 2, 3, 4)] == [None] * 4


def take_back_last_deal(game):
    last = game.deal_entries.latest("pk")
    seen = {"number": last.number, "version": last.version}
    take_back_deal(game=game, key=uuid4(), by=None, **seen)


def test_only_a_tie_that_touches_the_first_ranks_is_asked_for_before_them():
    cup = drawn_cup(teams=4)
    first, *others = order_of(cup.groups.get())
    for game in cup.games.all():
        if first in (game.team_a_id, game.team_b_id):
            play_out(game, "A" if game.team_a_id == first else "B")
        else:
            end(game, Outcome.BOTH_ABSENT)

    (standing,) = group_standings(cup)

    asked = [
        [{t.pk for t in tied} for tied in standing.ties_until(n)] for n in range(5)
    ]
    assert asked == [[], [], [set(others)], [set(others)], [set(others)]]


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
