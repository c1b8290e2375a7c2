"""A bracket of any size, played and corrected: what moves by itself."""

from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.choices import Outcome, Phase
from komppa.cup.models import Game
from komppa.cup.qualifying import bracket_games, champion_of, knockout_of
from komppa.cup.services_changes import cancel_withdrawal, withdraw_team
from komppa.cup.services_games import set_outcome
from tests.cup.brackets import (
    cup_with_bracket,
    decide,
    game_of,
    made_bracket,
    pairs,
    places,
    played_groups,
    team_at,
)
from tests.factories import play_out

pytestmark = pytest.mark.django_db


def games_of_bracket(cup):
    return list(bracket_games(cup).order_by("number"))


def champion(cup):
    games = games_of_bracket(cup)
    pk = champion_of(games, knockout_of(cup, games))
    return cup.teams.get(pk=pk) if pk else None


SIZES = {
    2: (
        {"teams": 3, "groups": 1},
        ["A1-A2"],
        [(1, 0, 1)],
    ),
    3: (
        {"teams": 7, "groups": 3, "qualifiers_per_group": 1},
        ["B1-C1", "A1-?"],
        [(1, 1, 1), (2, 0, 1)],
    ),
    5: (
        {"teams": 12, "groups": 5, "qualifiers_per_group": 1},
        ["D1-E1", "A1-?", "B1-C1", "?-?", "?-?"],
        [(1, 1, 1), (2, 0, 1), (2, 1, 2), (3, 1, 2), (3, 0, 1)],
    ),
    6: (
        {"teams": 8, "groups": 3},
        ["C2-B2", "C1-A2", "A1-?", "B1-?", "?-?", "?-?"],
        [(1, 1, 1), (1, 3, 2), (2, 0, 1), (2, 1, 2), (3, 1, 2), (3, 0, 1)],
    ),
    7: (
        {"teams": 10, "groups": 3, "best_next": 1},
        ["C2-B2", "B1-A3", "C1-A2", "A1-?", "?-?", "?-?", "?-?"],
        [
            *[(1, 1, 1), (1, 2, 2), (1, 3, 1)],
            *[(2, 0, 1), (2, 1, 2), (3, 1, 2), (3, 0, 1)],
        ],
    ),
}


@pytest.mark.parametrize("size", SIZES)
def test_s_a_bracket_of_any_size_gives_byes_to_the_best_over_both_halves(size):
    groups, first, rounds_positions_tables = SIZES[size]
    cup = played_groups(**groups)

    games = made_bracket(cup)

    assert pairs(cup) == first
    assert [
        (g.bracket_round, g.bracket_position, g.playing_table.number) for g in games
    ] == rounds_positions_tables
    cup.refresh_from_db()
    assert cup.phase == Phase.BRACKET


@pytest.mark.parametrize(
    ("groups", "teams", "byes"),
    [
        ({"teams": 17, "groups": 5, "best_next": 1}, 11, 5),
        ({"teams": 17, "groups": 5, "best_next": 2}, 12, 4),
        (
            {
                "teams": 17,
                "groups": 5,
                "qualifiers_per_group": 3,
                "best_next": 1,
                "bronze_game": False,
            },
            16,
            0,
        ),
    ],
    ids=["11", "12", "16"],
)
def test_s_a_large_bracket_is_played_to_its_champion(groups, teams, byes):
    cup = played_groups(**groups)

    games = made_bracket(cup, table_count=4)

    assert len(games) == teams - 1 + cup.bronze_game
    first = [pair for pair in pairs(cup) if "?" not in pair]
    waiting = [pair for pair in pairs(cup) if pair.count("?") == 1]
    in_first = {team for pair in first for team in pair.split("-")}
    assert len(in_first) + len(waiting) == teams
    assert {pair.split("-")[0][1] for pair in waiting} <= {"1"}
    assert sum(g.bracket_round == 1 for g in games) == (teams - byes) // 2
    for game in games:
        decide(game)
    cup.refresh_from_db()
    assert cup.phase == Phase.FINISHED
    assert champion(cup) == Game.objects.get(pk=games[-1].pk).team_a


def test_v_final_and_bronze_come_from_the_semi_finals_and_run_at_the_same_time():
    cup = cup_with_bracket(teams=8, groups=2, sets_to_win=1, final_sets_to_win=2)
    one, other, bronze, final = games_of_bracket(cup)

    decide(one)
    decide(other, "B")

    assert pairs(cup)[2:] == ["B2-B1", "A1-A2"]
    tables = [g.playing_table.number for g in (bronze, final)]
    assert tables == [2, 1]
    assert bronze.schedule_round == final.schedule_round
    assert [g.sets_to_win for g in (one, other, bronze, final)] == [1, 1, 1, 2]


def test_the_winner_moves_on_by_itself_after_the_last_deal():
    cup = cup_with_bracket(teams=8, groups=2)
    one, other, _bronze, _final = games_of_bracket(cup)

    play_out(one, "B", loser_sets=1)
    assert pairs(cup)[2:] == ["A1-?", "B2-?"]

    play_out(other)
    assert pairs(cup)[2:] == ["A1-A2", "B2-B1"]
    final = play_out(games_of_bracket(cup)[-1], "B", loser_sets=2)
    assert (final.sets, champion(cup)) == (final.sets, team_at(cup, "B1"))
    assert final.sets_b == 3
    cup.refresh_from_db()
    assert cup.phase == Phase.BRACKET
    play_out(games_of_bracket(cup)[2])
    cup.refresh_from_db()
    assert cup.phase == Phase.FINISHED


def test_t_a_bye_moves_the_team_on_at_once_and_an_open_slot_is_no_bye():
    cup = cup_with_bracket(teams=7, groups=3, qualifiers_per_group=1)

    first, final = games_of_bracket(cup)

    assert pairs(cup) == ["B1-C1", "A1-?"]
    assert (final.is_finished, final.winner) == (False, "")
    decide(first)
    assert pairs(cup) == ["B1-C1", "A1-B1"]


def test_u_both_absent_are_out_and_the_next_opponent_goes_on():
    cup = cup_with_bracket(teams=7, groups=3, qualifiers_per_group=1)
    first, _final = games_of_bracket(cup)

    set_outcome(
        game=first,
        outcome=Outcome.BOTH_ABSENT,
        by=None,
        reason="Kumpikaan ei saapunut",
        seen=Outcome.PLAYED,
    )

    assert pairs(cup) == ["B1-C1", "A1-?"]
    assert games_of_bracket(cup)[1].is_finished is True
    assert champion(cup) == team_at(cup, "A1")
    cup.refresh_from_db()
    assert cup.phase == Phase.FINISHED


def test_k_a_group_result_corrected_after_the_bracket_was_made_moves_its_teams():
    cup = cup_with_bracket(teams=8, groups=2)
    before = list(cup.games.values_list("pk", "number", "order", "playing_table"))

    decide(game_of(cup, "A1", "A2"), team_at(cup, "A2"))

    assert pairs(cup) == ["A2-B2", "B1-A1", "?-?", "?-?"]
    after = list(cup.games.values_list("pk", "number", "order", "playing_table"))
    assert after == before


def test_k_a_correction_moves_the_best_of_the_next_place_to_another_group():
    cup = cup_with_bracket(teams=10, groups=3, best_next=1)
    assert "B1-A3" in pairs(cup)

    # Now all three of group B have won one game of two, and A3 one of three.
    decide(game_of(cup, "B1", "B3"), team_at(cup, "B3"))
    assert pairs(cup)[:4] == ["C2-?", "?-?", "C1-A2", "A1-?"]
    group = cup.groups.get(name="B")
    ids = [m.team_id for m in group.memberships.all()]
    lot = services.draw_lot(group=group, team_ids=ids, by=None)

    first, second, third = (places(cup)[pk] for pk in lot.order)
    assert pairs(cup)[:4] == [f"C2-{second}", f"{first}-{third}", "C1-A2", "A1-?"]


def test_i_what_follows_an_earlier_result_follows_its_correction():
    cup = cup_with_bracket(teams=8, groups=2)
    one, _other, _bronze, _final = games_of_bracket(cup)
    decide(one)
    assert pairs(cup)[2:] == ["B2-?", "A1-?"]

    decide(one, "B")

    assert pairs(cup)[2:] == ["A1-?", "B2-?"]


def test_l_a_disqualification_taken_back_is_as_if_it_had_never_been():
    cup = cup_with_bracket(teams=8, groups=2)
    decide(games_of_bracket(cup)[0])
    before = (pairs(cup), [g.is_finished for g in games_of_bracket(cup)])
    team = team_at(cup, "B1")

    withdraw_team(team=team, by=None, reason="Suljettiin kilpailusta")
    assert (pairs(cup), before[1]) != before
    cancel_withdrawal(team=team, by=None, reason="Päätös kumottiin")

    assert (pairs(cup), [g.is_finished for g in games_of_bracket(cup)]) == before
