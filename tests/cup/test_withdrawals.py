"""R9.10: a team leaves, under both switches, and comes back as if it never had."""

from __future__ import annotations

import pytest

from komppa.cup.choices import Outcome, WithdrawnGamesChoice
from komppa.cup.models import Cup, Game, OrganiserLog
from komppa.cup.previews import picture_of
from komppa.cup.services_changes import cancel_withdrawal, withdraw_team
from komppa.errors import Refusal
from scoring.standings import Criterion
from tests.cup.brackets import cup_with_bracket, decide, team_at
from tests.cup.evenings import beats, ends, game_of, half_played, standing, table, team
from tests.factories import drawn_cup, end, play_out, record

pytestmark = pytest.mark.django_db

ANNUL = {"withdrawn_games": WithdrawnGamesChoice.ANNUL}
WALKOVER = {"withdrawn_games": WithdrawnGamesChoice.WALKOVER}
BOTH = pytest.mark.parametrize("switch", [ANNUL, WALKOVER], ids=["annul", "walkover"])


def leave(cup: Cup, number: int) -> None:
    withdraw_team(team=team(cup, number), by=None, reason="Sairastui")


def come_back(cup: Cup, number: int) -> None:
    cancel_withdrawal(team=team(cup, number), by=None, reason="Toipui")


def test_a_group_before_anybody_leaves():
    cup = half_played()

    assert table(cup) == [
        "1. 1 2-1 4-3",
        "2. 3 1-1 3-2",
        "3. 2 1-1 2-3",
        "4. 4 0-1 1-2",
    ]


def test_annulled_games_count_for_nobody_and_the_team_has_no_rank():
    cup = half_played(**ANNUL)

    leave(cup, 3)

    #     1    2    4
    # 1   ·   2-0  2-1
    # 2  0-2   ·    –
    # 4  1-2   –    ·
    assert table(cup) == ["1. 1 2-0 4-1", "2. 4 0-1 1-2", "3. 2 0-1 0-2"]
    assert standing(cup).withdrawn == (team(cup, 3),)
    assert ends(cup, 3) == dict.fromkeys((1, 2, 4), "withdrawn")


def test_walkovers_leave_what_was_played_and_give_the_rest_to_the_opponents():
    cup = half_played(**WALKOVER)

    leave(cup, 3)

    #     1    2    3    4
    # 1   ·   2-0  0-2  2-1
    # 2  0-2   ·   2-1   –
    # 3  2-0  1-2   ·   0-2
    # 4  1-2   –   2-0   ·
    assert table(cup) == [
        "1. 1 2-1 4-3",
        "2. 4 1-1 3-2",
        "3. 3 1-2 3-4",
        "4. 2 1-1 2-3",
    ]
    assert standing(cup).withdrawn == ()
    assert ends(cup, 3) == {1: "played", 2: "played", 4: "opponent_withdrew"}


def test_walkovers_put_the_team_behind_those_with_equal_figures():
    cup = drawn_cup(teams=3, **WALKOVER)
    beats(cup, 1, 2)
    beats(cup, 2, 3)
    beats(cup, 3, 1)

    leave(cup, 1)

    assert [row.team for row in standing(cup).rows][-1] == team(cup, 1)
    last = standing(cup).rows[-1]
    assert (last.rank, last.decided_by) == (3, Criterion.WITHDRAWN)


@BOTH
def test_every_opponent_is_treated_alike(switch):
    cup = drawn_cup(teams=4, **switch)

    leave(cup, 2)

    rows = [row for row in standing(cup).rows if not row.team.withdrawn]
    figures = {(row.won, row.lost, row.sets_won, row.sets_lost) for row in rows}
    assert len(rows) == 3
    assert len(figures) == 1


@BOTH
def test_a_game_in_play_is_ended_and_goes_on_after_the_return(switch):
    cup = drawn_cup(teams=3, **switch)
    game = cup.games.first()
    record(game)
    before = list(game.deal_entries.values_list("number", "version", "sheet"))

    withdraw_team(team=game.team_a, by=None, reason="Lähti")
    game.refresh_from_db()
    ended = (game.is_finished, game.deal_count)
    cancel_withdrawal(team=game.team_a, by=None, reason="Palasi")
    record(game)

    game.refresh_from_db()
    assert ended == (True, 1)
    assert (game.is_finished, game.deal_count) == (False, 2)
    assert list(game.deal_entries.values_list("number", "version", "sheet"))[:1] == (
        before
    )


@BOTH
def test_the_last_open_games_end_the_group_when_their_team_leaves(switch):
    cup = drawn_cup(teams=3, **switch)
    beats(cup, 1, 2)

    leave(cup, 3)

    assert standing(cup).is_complete is True


@BOTH
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_cancelling_restores_everything(switch, number):
    cup = half_played(**switch)
    end(game_of(cup, 2, 4), Outcome.WALKOVER_A)
    before = picture_of(cup)
    rows = list(Game.objects.order_by("pk").values())

    leave(cup, number)
    assert team(cup, number).withdrawn is True
    come_back(cup, number)

    assert picture_of(Cup.objects.get(pk=cup.pk)) == before
    assert list(Game.objects.order_by("pk").values()) == rows


@BOTH
def test_a_withdrawal_and_its_cancelling_are_on_record(switch, organiser):
    cup = half_played(**switch)

    withdraw_team(team=team(cup, 3), by=organiser, reason="  Sairastui\n")
    cancel_withdrawal(team=team(cup, 3), by=organiser, reason="Toipui")

    lines = cup.log.order_by("pk").values_list("act", "target", "by", "reason")
    name = team(cup, 3).name
    assert list(lines)[-2:] == [
        ("withdraw_team", name, organiser.pk, "Sairastui"),
        ("cancel_withdrawal", name, organiser.pk, "Toipui"),
    ]


def test_the_opponent_in_the_bracket_goes_on_and_waits_again_after_the_return():
    cup = cup_with_bracket(teams=8, groups=2, **WALKOVER)
    semi = cup.games.get(bracket_round=1, bracket_position=0)
    final = cup.games.get(bracket_round=2, bracket_position=0)
    leaver, opponent = semi.team_a, semi.team_b

    withdraw_team(team=leaver, by=None, reason="Lähti")
    semi.refresh_from_db()
    final.refresh_from_db()
    after = (semi.is_finished, final.team_a)
    cancel_withdrawal(team=leaver, by=None, reason="Palasi")

    semi.refresh_from_db()
    final.refresh_from_db()
    assert after == (True, opponent)
    assert (semi.is_finished, final.team_a) == (False, None)
    assert (semi.team_a, semi.team_b) == (leaver, opponent)


def test_a_team_that_leaves_after_it_has_begun_its_semi_final_loses_it():
    cup = cup_with_bracket(teams=8, groups=2, **WALKOVER)
    semi = cup.games.get(bracket_round=1, bracket_position=0)
    final = cup.games.get(bracket_round=2, bracket_position=0)
    record(semi)

    withdraw_team(team=semi.team_a, by=None, reason="Lähti")

    semi.refresh_from_db()
    final.refresh_from_db()
    assert (semi.is_finished, final.team_a) == (True, semi.team_b)


def test_what_a_team_won_in_the_bracket_before_it_left_stays_won():
    cup = cup_with_bracket(teams=8, groups=2, **WALKOVER)
    semi = cup.games.get(bracket_round=1, bracket_position=0)
    decide(semi, "A")

    withdraw_team(team=semi.team_a, by=None, reason="Lähti")

    cup.refresh_from_db()
    picture = picture_of(cup)
    assert picture.games[semi.number].winner_name == semi.team_a.name
    assert picture.champion == ""


@pytest.mark.parametrize(
    ("act", "code"),
    [(withdraw_team, "already_withdrawn"), (cancel_withdrawal, "not_withdrawn")],
)
def test_leaving_or_coming_back_twice_is_refused(act, code):
    cup = drawn_cup(teams=3)
    leaver = team(cup, 1)
    if act is withdraw_team:
        withdraw_team(team=leaver, by=None, reason="Lähti")
    lines = OrganiserLog.objects.count()

    with pytest.raises(Refusal) as refused:
        act(team=leaver, by=None, reason="Uudestaan")

    assert (refused.value.code, OrganiserLog.objects.count()) == (code, lines)


@pytest.mark.parametrize("act", [withdraw_team, cancel_withdrawal])
@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("", "reason_missing"),
        ("  \n", "reason_missing"),
        ("x" * 301, "reason_too_long"),
    ],
    ids=["empty", "blank", "too_long"],
)
def test_neither_is_done_without_a_fit_reason(act, reason, code):
    cup = drawn_cup(teams=3)
    leaver = team(cup, 1)
    if act is cancel_withdrawal:
        withdraw_team(team=leaver, by=None, reason="Lähti")
        leaver.refresh_from_db()
    was = leaver.withdrawn

    with pytest.raises(Refusal) as refused:
        act(team=leaver, by=None, reason=reason)

    leaver.refresh_from_db()
    assert (refused.value.code, leaver.withdrawn) == (code, was)


def test_two_teams_may_leave_and_one_come_back():
    cup = half_played(**WALKOVER)

    leave(cup, 3)
    leave(cup, 4)
    both_gone = ends(cup, 3)[4]
    come_back(cup, 3)

    assert both_gone == "both_withdrew"
    assert ends(cup, 3) == {1: "played", 2: "played", 4: "opponent_withdrew"}


def test_a_team_that_left_does_not_change_another_s_played_game():
    cup = half_played(**ANNUL)
    before = ends(cup, 1)[2]

    leave(cup, 3)

    assert (before, ends(cup, 1)[2]) == ("played", "played")
    assert play_out(game_of(cup, 2, 4)).is_finished is True


def test_the_team_of_another_place_takes_the_slot_of_a_group_winner_who_leaves():
    cup = cup_with_bracket(teams=8, groups=2, **ANNUL)
    first, second = team_at(cup, "A1"), team_at(cup, "A2")

    withdraw_team(team=first, by=None, reason="Lähti")

    teams = {
        pk
        for pair in cup.games.filter(bracket_round=1).values_list("team_a", "team_b")
        for pk in pair
    }
    assert first.pk not in teams
    assert second.pk in teams
