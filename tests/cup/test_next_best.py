from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from komppa.cup.next_best import Candidate, Ranking, rank_across


def candidate(team, won, sets_won=0, sets_lost=0, *, played=3):
    return Candidate(team, played, won, sets_won, sets_lost)


def ranked(*candidates, lots=()):
    return [set(level) for level in rank_across(candidates, lots).order]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (candidate(1, 2), candidate(2, 1)),
        (candidate(1, 2, 4), candidate(2, 2, 3)),
        (candidate(1, 2, 4, 1), candidate(2, 2, 4, 2)),
        (candidate(1, 2, 0, 9), candidate(2, 1, 9, 0)),
        (candidate(1, 1, 4, 9), candidate(2, 1, 3, 0)),
        (candidate(1, 1, played=2), candidate(2, 1, played=3)),
        (candidate(1, 2, played=3), candidate(2, 1, played=2)),
        (candidate(1, 2, 5, 0, played=4), candidate(2, 1, 2, 0, played=2)),
        (candidate(1, 1, 2, 2, played=3), candidate(2, 0, 2, 1, played=1)),
    ],
    ids=[
        "games_won",
        "sets_won",
        "sets_lost",
        "games_before_sets",
        "sets_won_before_lost",
        "one_of_two_before_one_of_three",
        "two_of_three_before_one_of_two",
        "sets_per_game",
        "a_win_before_none",
    ],
)
def test_figures_are_compared_per_game_in_the_order_of_the_rules(first, second):
    assert ranked(first, second) == [{1}, {2}]
    assert ranked(second, first) == [{1}, {2}]


def test_groups_of_unequal_size_are_level_by_the_same_figures_per_game():
    small = candidate(1, 1, 3, 2, played=2)
    large = candidate(2, 2, 6, 4, played=4)

    assert ranked(small, large) == [{1, 2}]


def test_thirds_are_compared_exactly():
    third, more = candidate(1, 1, 1, played=3), candidate(2, 333, 333, played=1000)

    assert ranked(more, third) == [{1}, {2}]


def test_a_team_without_a_game_has_nothing():
    idle = candidate(1, 0, played=0)

    assert idle.per_game == (0, 0, 0)
    assert ranked(idle, candidate(2, 0, 0, 1)) == [{1}, {2}]


LEVEL = [candidate(team, 1) for team in (1, 2, 3)]


def test_the_lot_settles_exactly_the_set_it_was_drawn_for():
    assert rank_across(LEVEL, [[3, 1, 2]]).order == ((3,), (1,), (2,))


@pytest.mark.parametrize("lot", [[1, 2], [3, 2], [4, 1, 2, 3], [1, 2, 4]], ids=str)
def test_the_lot_of_any_other_set_settles_nothing(lot):
    assert ranked(*LEVEL, candidate(4, 0), lots=[lot]) == [{1, 2, 3}, {4}]


def test_of_two_lots_for_one_set_the_first_counts():
    lots = [[1, 2], [3, 1, 2], [2, 1, 3]]

    assert rank_across(LEVEL, lots).order == ((3,), (1,), (2,))


def test_a_lot_changes_nothing_where_the_figures_decide():
    drawn = [[1, 2, 3, 4]]

    assert ranked(candidate(4, 2), *LEVEL, lots=drawn) == [{4}, {1, 2, 3}]


def test_each_level_has_a_lot_of_its_own():
    candidates = [candidate(1, 2), candidate(2, 2), candidate(3, 1), candidate(4, 1)]

    assert rank_across(candidates, [[4, 3], [2, 1]]).order == ((2,), (1,), (4,), (3,))


RANKING = Ranking(((5,), (1, 2), (3,), (4, 6, 7)))


@pytest.mark.parametrize(
    ("number", "expected"),
    [(1, 5), (2, None), (3, None), (4, 3), (5, None), (7, None), (8, None)],
)
def test_a_place_is_settled_unless_it_is_shared_or_there_is_no_such(number, expected):
    assert RANKING.best(number) == expected


@pytest.mark.parametrize(
    ("places", "ties"),
    [
        (0, ()),
        (1, ()),
        (2, ((1, 2),)),
        (3, ((1, 2),)),
        (4, ((1, 2),)),
        (5, ((1, 2), (4, 6, 7))),
        (7, ((1, 2), (4, 6, 7))),
        (9, ((1, 2), (4, 6, 7))),
    ],
)
def test_a_tie_matters_if_it_has_a_part_in_the_places(places, ties):
    assert RANKING.ties(places) == ties


def test_nobody_is_ranked_among_nobody():
    assert rank_across([]) == Ranking(())
    assert Ranking(()).best(1) is None
    assert Ranking(()).ties(3) == ()


figures = st.tuples(*[st.integers(0, 4)] * 4)
fields = st.lists(figures, max_size=8).map(
    lambda rows: [Candidate(team, *row) for team, row in enumerate(rows)]
)


def is_better(one: Candidate, other: Candidate) -> bool:
    """Compare two as a person would, one figure at a time."""
    games, others = max(one.played, 1), max(other.played, 1)
    if Fraction(one.won, games) != Fraction(other.won, others):
        return one.won * others > other.won * games
    if one.sets_won * others != other.sets_won * games:
        return one.sets_won * others > other.sets_won * games
    return one.sets_lost * others < other.sets_lost * games


@given(fields, st.randoms())
def test_the_order_is_that_of_every_pair_whatever_the_order_of_asking(rows, random):
    shuffled = random.sample(rows, len(rows))
    order = ranked(*rows)

    assert ranked(*shuffled) == order
    level_of = {team: i for i, level in enumerate(order) for team in level}
    assert sorted(level_of) == [row.team for row in rows]
    for one, other in permutations(rows, 2):
        assert is_better(one, other) is (level_of[one.team] < level_of[other.team])


@given(fields, st.randoms(), st.integers(0, 9))
def test_lots_for_every_tie_settle_every_place_within_the_levels(rows, random, places):
    before = rank_across(rows)
    lots = [random.sample(level, len(level)) for level in before.ties(places)]

    after = rank_across(rows, lots)

    assert after.ties(places) == ()
    best = [after.best(number) for number in range(1, min(places, len(rows)) + 1)]
    assert None not in best
    assert len(set(best)) == len(best)
    flat = [team for level in after.order for team in level]
    for lot in lots:
        start = flat.index(lot[0])
        assert flat[start : start + len(lot)] == lot
    assert sorted(flat) == [row.team for row in rows]
