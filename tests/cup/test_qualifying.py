from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import timezone

from komppa.cup import services
from komppa.cup.choices import Outcome
from komppa.cup.knockout import NOBODY, UNKNOWN
from komppa.cup.models import Game
from komppa.cup.qualifying import (
    bracket_games,
    champion_of,
    final_of,
    has_begun,
    knockout_of,
    next_best,
)
from komppa.cup.queries import group_standings
from komppa.cup.services_bracket import draw_lot_across
from komppa.cup.services_changes import cancel_withdrawal, withdraw_team
from komppa.cup.services_conflicts import annul_game
from komppa.sheets.services import take_back_deal
from tests.cup.brackets import (
    cup_with_bracket,
    decide,
    game_of,
    places,
    played_groups,
    team_at,
)
from tests.factories import agree, drawn_cup, end, play_out, record

pytestmark = pytest.mark.django_db


def slots(cup):
    """Return what each bracket game's sources say now: ”A1-B2”, ”A1-?”, ”A1-0”."""
    named = {**places(cup), UNKNOWN: "?", NOBODY: "0"}
    games = list(bracket_games(cup).order_by("number"))
    states = knockout_of(cup, games)
    return [
        "-".join(
            named[slot if slot.team is None else slot.team]
            for slot in (states[game.pk].slots.a, states[game.pk].slots.b)
        )
        for game in games
    ]


def ids(*teams):
    return [team.pk for team in teams]


def tie(cup, group="A"):
    """Let the first three of a group beat each other in a circle."""
    decide(game_of(cup, f"{group}1", f"{group}3"), team_at(cup, f"{group}3"))


def first_three(cup, group):
    return [team_at(cup, f"{group}{position}") for position in (1, 2, 3)]


# Ranks of the groups.


def test_a_rank_is_the_team_that_its_group_has_settled_there():
    cup = cup_with_bracket(teams=6, groups=2)

    assert slots(cup) == ["A1-B2", "B1-A2", "?-?", "?-?"]


def test_a_cup_without_a_bracket_has_no_state():
    assert knockout_of(played_groups(teams=6)) == {}


def test_a_shared_rank_is_open_until_the_lot():
    cup = cup_with_bracket(teams=6, groups=2)
    tie(cup)
    assert slots(cup)[:2] == ["?-B2", "B1-?"]

    group = cup.groups.get(name="A")
    lot = services.draw_lot(group=group, team_ids=ids(*first_three(cup, "A")), by=None)

    first, second, _third = (places(cup)[pk] for pk in lot.order)
    assert slots(cup)[:2] == [f"{first}-B2", f"B1-{second}"]


def test_a_rank_is_open_again_once_its_lot_is_taken_back():
    cup = cup_with_bracket(teams=6, groups=2)
    tie(cup)
    group = cup.groups.get(name="A")
    lot = services.draw_lot(group=group, team_ids=ids(*first_three(cup, "A")), by=None)

    lot.taken_back_at = timezone.now()
    lot.save()

    assert slots(cup)[:2] == ["?-B2", "B1-?"]


def test_a_group_with_a_game_to_play_settles_nothing():
    cup = cup_with_bracket(teams=6, groups=2)

    end(game_of(cup, "A2", "A3"), Outcome.PLAYED)

    # Also where no result could take the first place from the team that has it.
    assert slots(cup)[:2] == ["?-B2", "B1-?"]


def test_a_withdrawal_shifts_the_ranks_below_and_back():
    cup = cup_with_bracket(teams=8, groups=2)
    gone = team_at(cup, "A1")

    withdraw_team(team=gone, by=None, reason="Lähti kotiin")
    assert slots(cup)[:2] == ["A2-B2", "B1-A3"]

    cancel_withdrawal(team=gone, by=None, reason="Tuli takaisin")
    assert slots(cup)[:2] == ["A1-B2", "B1-A2"]


def test_a_withdrawn_team_that_keeps_its_games_keeps_its_rank_and_loses_on():
    cup = cup_with_bracket(teams=6, groups=2, withdrawn_games="walkover")

    withdraw_team(team=team_at(cup, "A1"), by=None, reason="Lähti kotiin")

    assert slots(cup) == ["A1-B2", "B1-A2", "0-?", "B2-?"]


def test_a_rank_that_no_team_is_left_for_is_empty():
    cup = cup_with_bracket(teams=6, groups=2)

    for place in ("A1", "A2"):
        withdraw_team(team=team_at(cup, place), by=None, reason="Lähti kotiin")

    assert slots(cup) == ["A3-B2", "B1-0", "?-0", "?-B1"]


def test_a_group_that_all_have_left_sends_nobody():
    cup = cup_with_bracket(teams=4, groups=2)

    for place in ("A1", "A2"):
        withdraw_team(team=team_at(cup, place), by=None, reason="Lähti kotiin")

    assert slots(cup) == ["0-B2", "B1-0", "0-0", "B2-B1"]


def test_a_group_still_open_leaves_its_last_ranks_open_too():
    cup = cup_with_bracket(teams=8, groups=2, qualifiers_per_group=3)
    for place in ("A1", "A2"):
        withdraw_team(team=team_at(cup, place), by=None, reason="Lähti kotiin")
    assert "0" in "-".join(slots(cup)).split("-")

    end(game_of(cup, "A3", "A4"), Outcome.PLAYED)

    assert set("-".join(slots(cup)).split("-")) == {"B1", "B2", "B3", "?"}


# The best of the next place.


def compared(cup):
    return next_best(cup, group_standings(cup))


def order_of(cup):
    named = places(cup)
    return [[named[pk] for pk in level] for level in compared(cup).ranking.order]


def test_nobody_is_compared_where_nobody_goes_on_by_it():
    assert compared(played_groups(teams=6)) is None


def test_those_next_in_line_are_compared_per_game():
    # A2 has won two of three games, B2 and C2 one of two.
    cup = played_groups(teams=10, groups=3, qualifiers_per_group=1, best_next=2)
    found = compared(cup)

    assert (found.rank, found.places, found.is_complete) == (2, 2, True)
    assert order_of(cup) == [["A2"], ["B2", "C2"]]
    assert [str(standing.group) for standing, _ in found.rows] == ["A", "B", "C"]
    assert found.best(1)[1].team == team_at(cup, "A2")
    assert (found.best(2), found.best(3), found.best(4)) == (None, None, None)


def test_only_a_tie_for_a_place_that_goes_on_needs_a_lot():
    cup = played_groups(teams=10, groups=3, qualifiers_per_group=1, best_next=1)
    assert compared(cup).lots_needed == ()

    cup.best_next = 2

    tied = {team_at(cup, "B2"), team_at(cup, "C2")}
    assert [set(teams) for teams in compared(cup).lots_needed] == [tied]


def test_the_lot_over_the_groups_settles_who_goes_on_until_it_is_taken_back():
    cup = played_groups(teams=10, groups=3, qualifiers_per_group=1, best_next=2)
    tied = ids(team_at(cup, "B2"), team_at(cup, "C2"))

    lot = draw_lot_across(cup=cup, team_ids=tied, by=None)

    found = compared(cup)
    assert [found.best(number)[1].team.pk for number in (2, 3)] == lot.order
    assert [row.team.pk for _, row in found.rows][1:] == lot.order
    assert found.lots_needed == ()
    lot.taken_back_at = timezone.now()
    lot.save()
    assert compared(cup).best(2) is None


def test_a_lot_of_a_group_settles_nothing_over_the_groups():
    cup = played_groups(teams=10, groups=3, qualifiers_per_group=1, best_next=2)
    tied = ids(team_at(cup, "B2"), team_at(cup, "C2"))

    cup.lots.create(group=cup.groups.first(), order=tied, seed="1")

    assert compared(cup).best(2) is None


def test_nobody_is_the_best_until_every_group_has_settled_the_place():
    cup = played_groups(teams=9, groups=3, qualifiers_per_group=1, best_next=1)
    tie(cup, "B")

    found = compared(cup)

    assert (found.is_complete, found.best(1), found.lots_needed) == (False, None, ())
    assert {row.team for _, row in found.rows} == {
        team_at(cup, "A2"),
        team_at(cup, "C2"),
    }


def test_a_group_too_small_for_the_next_place_is_not_waited_for():
    cup = played_groups(teams=5, groups=2, qualifiers_per_group=2, best_next=2)

    found = compared(cup)

    assert (found.rank, found.is_complete) == (3, True)
    assert found.best(1)[1].team == team_at(cup, "A3")
    assert found.best(2) is None


def test_a_group_left_too_small_is_waited_for_while_it_is_open():
    cup = played_groups(teams=6, groups=2, qualifiers_per_group=2, best_next=1)
    withdraw_team(team=team_at(cup, "B3"), by=None, reason="Lähti kotiin")
    assert compared(cup).best(1)[1].team == team_at(cup, "A3")

    end(game_of(cup, "B1", "B2"), Outcome.PLAYED)

    assert (compared(cup).is_complete, compared(cup).best(1)) == (False, None)


def test_a_place_among_the_best_is_empty_when_too_few_are_left():
    cup = cup_with_bracket(teams=6, groups=2, qualifiers_per_group=1, best_next=2)
    assert sorted("-".join(slots(cup)[:2]).split("-")) == ["A1", "A2", "B1", "B2"]

    for place in ("B2", "B3"):
        withdraw_team(team=team_at(cup, place), by=None, reason="Lähti kotiin")

    assert sorted("-".join(slots(cup)[:2]).split("-")) == ["0", "A1", "A2", "B1"]


def test_a_place_among_the_best_is_open_while_the_comparison_is():
    cup = cup_with_bracket(teams=10, groups=3, qualifiers_per_group=1, best_next=1)
    assert sorted("-".join(slots(cup)[:2]).split("-")) == ["A1", "A2", "B1", "C1"]

    tie(cup, "C")

    assert sorted("-".join(slots(cup)[:2]).split("-")) == ["?", "?", "A1", "B1"]


def test_a_place_among_the_best_is_open_while_it_waits_for_the_lot():
    cup = cup_with_bracket(teams=9, groups=3, qualifiers_per_group=1, best_next=1)
    named = places(cup)
    first = named[cup.lots.get().order[0]]
    assert first in "-".join(slots(cup)).split("-")

    cup.lots.update(taken_back_at=timezone.now())

    assert sorted("-".join(slots(cup)[:2]).split("-")) == ["?", "A1", "B1", "C1"]


# The bracket's own games.


def test_the_final_is_no_bronze_game_and_its_winner_the_champion():
    cup = cup_with_bracket(teams=4, groups=2)
    for game in list(bracket_games(cup).order_by("number")):
        decide(game)
    games = list(bracket_games(cup).order_by("number"))

    final = final_of(games)

    assert (final, final.number) == (games[-1], max(game.number for game in games))
    assert champion_of(games, knockout_of(cup, games)) == team_at(cup, "A1").pk


def test_there_is_no_champion_before_the_final_is_won():
    cup = cup_with_bracket(teams=4, groups=2)
    games = list(bracket_games(cup))

    assert champion_of(games, knockout_of(cup, games)) is None
    assert (final_of([]), champion_of([], {})) == (None, None)


def test_of_a_game_played_again_only_the_new_one_is_in_the_bracket():
    cup = cup_with_bracket(teams=4, groups=2)
    first = bracket_games(cup).order_by("number").first()
    decide(first, "B")

    new = annul_game(game=first, by=None, reason="Väärä pakka", replay=True)

    games = list(bracket_games(cup).order_by("number"))
    assert (first in games, new in games) == (False, True)
    assert slots(cup) == ["B1-A2", "?-?", "?-?", "A1-B2"]
    decide(new)
    assert slots(cup) == ["B1-A2", "B2-?", "A1-?", "A1-B2"]


def begun(cup):
    return [has_begun(game) for game in bracket_games(cup).order_by("number")]


def test_a_game_has_begun_from_its_first_deal_taken_back_or_not():
    cup = cup_with_bracket(teams=4, groups=2)
    game = bracket_games(cup).order_by("number").first()
    assert begun(cup) == [False] * 4

    entry = record(game).entry
    assert begun(cup) == [True, False, False, False]
    take_back_deal(
        game=game, number=entry.number, version=entry.version, key=uuid4(), by=None
    )

    assert begun(cup) == [True, False, False, False]


def test_a_game_has_begun_by_its_outcome_only_while_that_stands():
    cup = cup_with_bracket(teams=4, groups=2)
    game = bracket_games(cup).order_by("number").first()

    end(game, Outcome.BOTH_ABSENT)
    assert begun(cup) == [True, False, False, False]

    end(game, Outcome.PLAYED)
    assert begun(cup) == [False] * 4


def test_a_game_with_many_deals_is_one_game_of_the_bracket():
    cup = cup_with_bracket(teams=4, groups=2)
    play_out(bracket_games(cup).order_by("number").first())

    assert bracket_games(cup).count() == 4


def test_a_confirmed_result_is_still_one_game():
    cup = cup_with_bracket(teams=4, groups=2)
    agree(play_out(bracket_games(cup).order_by("number").first()))

    assert len(bracket_games(cup)) == 4


def test_another_cup_s_bracket_withdrawals_and_lots_are_not_looked_at():
    cup = cup_with_bracket(teams=4, groups=2)
    other = cup_with_bracket(teams=4, groups=2)
    withdraw_team(team=team_at(other, "A1"), by=None, reason="Lähti kotiin")

    assert slots(cup) == ["A1-B2", "B1-A2", "?-?", "?-?"]
    assert set(bracket_games(cup)) == set(
        Game.objects.filter(cup=cup, bracket_round__isnull=False)
    )


@pytest.mark.parametrize(
    ("teams", "groups"), [(4, 2), (24, 8)], ids=["four_games", "sixteen_games"]
)
def test_the_state_of_a_bracket_takes_six_queries(
    teams, groups, django_assert_num_queries
):
    cup = cup_with_bracket(teams=teams, groups=groups)
    decide(bracket_games(cup).order_by("number").first())

    with django_assert_num_queries(6):
        states = knockout_of(cup)

    assert len(states) == 2 * groups


@pytest.mark.parametrize(("teams", "groups"), [(6, 2), (24, 8)])
def test_the_comparison_takes_one_query_of_its_own(
    teams, groups, django_assert_num_queries
):
    cup = drawn_cup(teams=teams, groups=groups, best_next=1)
    standings = group_standings(cup)

    with django_assert_num_queries(1):
        next_best(cup, standings)
