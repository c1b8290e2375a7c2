from __future__ import annotations

import pytest

from komppa.cup.bracket import LoserOf, WinnerOf
from komppa.cup.knockout import NOBODY, UNKNOWN, GameFacts, Occupant, resolve
from scoring.sides import Pair, Side

A, B = Side.A, Side.B
NO_ONE = Pair(None, None)


def team(number):
    return Occupant(number)


def open_game(game, a, b):
    return GameFacts(game, Pair(a, b), NO_ONE, False, False, None)


def begun(game, a, b, teams):
    """Return a game in play by these teams."""
    return GameFacts(game, Pair(a, b), Pair(*teams), True, False, None)


def over(game, a, b, teams, winner):
    return GameFacts(game, Pair(a, b), Pair(*teams), True, True, winner)


def goes_on(state):
    return state.winner, state.loser


# One game.


@pytest.mark.parametrize(
    ("a", "b", "is_over", "winner", "loser"),
    [
        (team(1), team(2), False, UNKNOWN, UNKNOWN),
        (team(1), UNKNOWN, False, UNKNOWN, UNKNOWN),
        (UNKNOWN, team(2), False, UNKNOWN, UNKNOWN),
        (UNKNOWN, UNKNOWN, False, UNKNOWN, UNKNOWN),
        (NOBODY, UNKNOWN, False, UNKNOWN, UNKNOWN),
        (team(1), NOBODY, True, team(1), NOBODY),
        (NOBODY, team(2), True, team(2), NOBODY),
        (NOBODY, NOBODY, True, NOBODY, NOBODY),
    ],
    ids=[
        "both_known",
        "b_open",
        "a_open",
        "both_open",
        "a_empty_b_open",
        "b_empty",
        "a_empty",
        "both_empty",
    ],
)
def test_an_empty_slot_lets_the_opponent_go_on_and_an_open_one_waits(
    a, b, is_over, winner, loser
):
    state = resolve([open_game(1, a, b)])[1]

    assert (state.is_over, state.winner, state.loser) == (is_over, winner, loser)
    assert state.slots == Pair(a, b)
    assert state.teams == Pair(a.team, b.team)
    assert state.conflicts == ()


@pytest.mark.parametrize(
    ("winner", "expected"),
    [
        (A, (team(1), team(2))),
        (B, (team(2), team(1))),
        (None, (NOBODY, NOBODY)),
    ],
    ids=["a_won", "b_won", "both_absent"],
)
def test_a_game_that_is_over_names_who_goes_on_and_who_is_out(winner, expected):
    state = resolve([over(1, team(1), team(2), (1, 2), winner)])[1]

    assert (state.is_over, goes_on(state)) == (True, expected)


def test_a_game_in_play_names_nobody():
    state = resolve([begun(1, team(1), team(2), (1, 2))])[1]

    assert (state.is_over, goes_on(state)) == (False, (UNKNOWN, UNKNOWN))


@pytest.mark.parametrize(
    ("gone", "is_over", "winner"),
    [
        ({1}, True, team(2)),
        ({2}, True, team(1)),
        ({1, 2}, True, NOBODY),
        ({3}, False, UNKNOWN),
    ],
    ids=["a", "b", "both", "another"],
)
@pytest.mark.parametrize("make", [open_game, begun])
def test_a_withdrawn_team_loses_the_game_it_has_not_finished(
    gone, is_over, winner, make
):
    teams = ((1, 2),) if make is begun else ()

    state = resolve([make(1, team(1), team(2), *teams)], gone)[1]

    assert (state.is_over, state.winner) == (is_over, winner)
    # Whoever withdrew does not come to the bronze game.
    assert state.loser == (NOBODY if is_over else UNKNOWN)


@pytest.mark.parametrize("gone", [{1}, {2}, {1, 2}], ids=str)
def test_a_withdrawal_changes_no_game_that_is_over(gone):
    state = resolve([over(1, team(1), team(2), (1, 2), A)], gone)[1]

    assert goes_on(state) == (team(1), team(2))


def test_a_withdrawn_team_without_opponent_leaves_nobody():
    state = resolve([open_game(1, team(1), NOBODY)], {1})[1]

    assert (state.is_over, goes_on(state)) == (True, (NOBODY, NOBODY))


def test_a_withdrawn_team_waits_for_its_opponent_like_any_other():
    state = resolve([open_game(1, team(1), UNKNOWN)], {1})[1]

    assert (state.is_over, goes_on(state)) == (False, (UNKNOWN, UNKNOWN))


def test_a_game_begun_without_an_opponent_is_in_conflict_once_one_may_come():
    state = resolve([over(1, team(1), UNKNOWN, (1, None), A)])[1]

    assert state.conflicts == (B,)


# From game to game: 1 and 2 are the semi-finals, 3 the bronze game, 4 the final.


def four(first, second, *, bronze=None, final=None):
    games = [
        first,
        second,
        bronze or open_game(3, LoserOf(1), LoserOf(2)),
        final or open_game(4, WinnerOf(1), WinnerOf(2)),
    ]
    return resolve(games)


def first_won(winner, teams=(1, 4)):
    return over(1, team(1), team(4), teams, winner)


def second_won(winner, teams=(2, 3)):
    return over(2, team(2), team(3), teams, winner)


SECOND_OPEN = open_game(2, team(2), team(3))


def test_winner_and_loser_move_on_and_wait():
    states = four(first_won(B), SECOND_OPEN)

    assert states[4].slots == Pair(team(4), UNKNOWN)
    assert states[3].slots == Pair(team(1), UNKNOWN)
    assert states[4].teams == Pair(4, None)
    assert not states[4].is_over


def test_a_team_with_a_bye_stands_in_its_second_game_at_once():
    games = [
        open_game(1, team(2), team(3)),
        open_game(2, team(1), WinnerOf(1)),
    ]

    assert resolve(games)[2].teams == Pair(1, None)


def test_both_absent_are_out_and_the_next_opponent_goes_on_at_once():
    states = four(first_won(None), second_won(A))

    assert states[4].slots == Pair(NOBODY, team(2))
    assert (states[4].is_over, states[4].winner) == (True, team(2))
    assert (states[3].is_over, states[3].winner) == (True, team(3))
    assert states[4].loser == NOBODY


def test_after_both_were_absent_the_next_game_waits_for_its_other_side():
    states = four(first_won(None), SECOND_OPEN)

    assert not states[4].is_over
    assert states[4].slots == Pair(NOBODY, UNKNOWN)


def test_a_bracket_that_nobody_is_left_in_has_no_champion_and_is_over():
    states = four(first_won(None), second_won(None))

    assert [states[game].is_over for game in (3, 4)] == [True, True]
    assert goes_on(states[4]) == (NOBODY, NOBODY)


def test_a_loser_by_withdrawal_leaves_the_bronze_game_to_the_other():
    semi_final = open_game(1, team(1), team(4))
    games = [
        semi_final,
        second_won(A),
        open_game(3, LoserOf(1), LoserOf(2)),
        open_game(4, WinnerOf(1), WinnerOf(2)),
    ]

    states = resolve(games, {4})

    assert states[3].slots == Pair(NOBODY, team(3))
    assert states[3].winner == team(3)
    assert states[4].teams == Pair(1, 2)


def test_the_order_in_which_games_are_given_does_not_matter():
    games = [
        open_game(4, WinnerOf(1), WinnerOf(2)),
        open_game(3, LoserOf(1), LoserOf(2)),
        second_won(B),
        first_won(A),
    ]

    assert resolve(games) == four(first_won(A), second_won(B))


# Conflicts.


@pytest.mark.parametrize(
    ("slots", "conflicts"),
    [
        ((team(1), team(2)), ()),
        ((team(9), team(2)), (A,)),
        ((team(1), team(9)), (B,)),
        ((team(2), team(1)), (A, B)),
        ((UNKNOWN, team(2)), (A,)),
        ((UNKNOWN, UNKNOWN), (A, B)),
        ((team(1), NOBODY), (B,)),
    ],
    ids=[
        "as_played",
        "another_a",
        "another_b",
        "sides_changed",
        "a_open_again",
        "both_open_again",
        "b_out",
    ],
)
@pytest.mark.parametrize("make", [begun, over])
def test_who_played_is_a_fact_and_another_source_a_conflict(slots, conflicts, make):
    won = (A,) if make is over else ()

    state = resolve([make(1, *slots, (1, 2), *won)])[1]

    assert (state.conflicts, state.in_conflict) == (conflicts, bool(conflicts))
    assert state.teams == Pair(1, 2)
    assert state.is_over is (make is over)
    settled = not conflicts and make is over
    expected = (team(1), team(2)) if settled else (UNKNOWN, UNKNOWN)
    assert goes_on(state) == expected


def test_a_corrected_semi_final_takes_the_final_with_it_that_has_begun():
    """The winner is another one by now: the final has been played by the loser."""
    final = over(4, WinnerOf(1), WinnerOf(2), (1, 2), A)

    states = four(first_won(B), second_won(A), final=final)

    assert states[4].conflicts == (A,)
    assert states[4].slots == Pair(team(4), team(2))
    assert states[4].is_over
    assert goes_on(states[4]) == (UNKNOWN, UNKNOWN)


def test_a_final_not_begun_follows_the_corrected_semi_final():
    states = four(first_won(B), second_won(A))

    assert states[4].teams == Pair(4, 2)
    assert not states[4].in_conflict


def test_a_game_in_conflict_settles_nothing_onward():
    semi_final = over(1, team(9), team(4), (1, 4), A)

    states = four(semi_final, second_won(A))

    assert states[1].conflicts == (A,)
    assert states[4].slots == Pair(UNKNOWN, team(2))
    assert states[3].slots == Pair(UNKNOWN, team(3))
    assert not states[4].is_over


def test_a_conflict_reaches_every_later_game_that_has_begun():
    semi_final = over(1, team(9), team(4), (1, 4), A)
    final = begun(4, WinnerOf(1), WinnerOf(2), (1, 2))
    bronze = over(3, LoserOf(1), LoserOf(2), (4, 3), B)

    states = four(semi_final, second_won(A), bronze=bronze, final=final)

    assert [states[game].conflicts for game in (1, 2, 3, 4)] == [(A,), (), (A,), (A,)]


def test_a_confirmed_team_ends_the_conflict_and_those_after_it():
    confirmed = over(1, team(1), team(4), (1, 4), A)
    final = over(4, WinnerOf(1), WinnerOf(2), (1, 2), A)

    states = four(confirmed, second_won(A), final=final)

    assert not any(state.in_conflict for state in states.values())
    assert states[4].winner == team(1)


def test_a_withdrawal_in_a_game_in_conflict_settles_nothing_onward():
    semi_final = begun(1, team(9), team(4), (1, 4))

    state = resolve([semi_final], {4})[1]

    assert state.is_over
    assert goes_on(state) == (UNKNOWN, UNKNOWN)


def test_nobody_meets_himself():
    games = [
        over(1, team(1), team(4), (1, 4), A),
        over(2, team(1), team(3), (1, 3), A),
        open_game(3, WinnerOf(1), WinnerOf(2)),
        open_game(4, WinnerOf(3), team(5)),
    ]

    states = resolve(games)

    assert states[3].teams == NO_ONE
    assert (states[3].is_over, states[3].winner) == (False, UNKNOWN)
    assert states[4].teams == Pair(None, 5)
