from __future__ import annotations

import pytest

from komppa.cup.bracket import Stage, group_qualifiers, plan_bracket, stage_of
from komppa.cup.plans import (
    bracket_tables,
    games_plan,
    group_options,
    playing_order,
    usual_group_count,
)


def test_group_options_tell_sizes_and_games():
    options = {option.count: option for option in group_options(14)}

    assert list(options) == [1, 2, 3, 4, 5, 6, 7]
    assert options[4].sizes == (4, 4, 3, 3)
    assert options[4].games == 6 + 6 + 3 + 3


@pytest.mark.parametrize(("teams", "most"), [(0, 0), (1, 0), (2, 1), (3, 1), (60, 26)])
def test_group_options_end_where_groups_would_be_too_small_or_too_many(teams, most):
    assert len(group_options(teams)) == most


@pytest.mark.parametrize(
    ("teams", "groups"),
    [(2, 1), (5, 1), (6, 2), (8, 2), (14, 4), (16, 4), (24, 6), (104, 26), (200, 26)],
)
def test_usual_group_count_makes_groups_of_about_four(teams, groups):
    assert usual_group_count(teams) == groups


@pytest.mark.parametrize("teams", range(2, 105))
def test_usual_group_count_can_be_drawn_and_has_groups_of_two_to_five(teams):
    options = {option.count: option for option in group_options(teams)}

    assert set(options[usual_group_count(teams)].sizes) <= {2, 3, 4, 5}


def test_games_plan_of_four_groups_of_four():
    plan = games_plan([4, 4, 4, 4])

    assert (plan.games, plan.schedule_rounds) == (24, 3)
    assert [option.count for option in plan.options] == list(range(1, 9))
    assert (plan.options[0].waves, plan.options[-1].waves) == (24, 3)


def test_games_plan_needs_no_more_waves_on_more_tables():
    waves = [option.waves for option in games_plan([5, 4, 3]).options]

    assert waves == sorted(waves, reverse=True)


def test_games_plan_without_groups_has_nothing_to_play():
    plan = games_plan([])

    assert (plan.games, plan.schedule_rounds, len(plan.options)) == (0, 0, 1)


@pytest.mark.parametrize(
    ("groups", "per_group", "waves"),
    [
        (2, 1, [1]),
        (1, 4, [4, 2]),
        (3, 2, [6, 3]),
        (4, 2, [8, 4, 4, 3]),
        (8, 2, [16, 8, 7, 5, 5, 5, 5, 4]),
    ],
)
def test_bracket_tables_tell_how_many_games_follow_one_another(
    groups, per_group, waves
):
    bracket = plan_bracket(group_qualifiers(groups, per_group), bronze=True)

    options = bracket_tables(bracket)

    assert [option.count for option in options] == list(range(1, len(waves) + 1))
    assert [option.waves for option in options] == waves


def test_the_final_is_given_its_table_before_the_bronze_game():
    bracket = plan_bracket(group_qualifiers(4, 2), bronze=True)

    order = playing_order(bracket)

    assert [[game.stage for game in games] for games in order] == [
        [Stage.QUARTER_FINAL] * 4,
        [Stage.SEMI_FINAL] * 2,
        [Stage.FINAL, Stage.BRONZE],
    ]


def test_a_place_in_the_bracket_tells_the_stage():
    bracket = plan_bracket(group_qualifiers(16, 4), bronze=True)

    for game in bracket.games:
        assert stage_of(game.bracket_round, game.position, 6) is game.stage
