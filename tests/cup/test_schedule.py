from __future__ import annotations

from collections import Counter
from itertools import combinations, groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from komppa.cup.schedule import assign_tables, group_games, place_games


def groups_of(*sizes):
    """Return groups of teams called A1, A2, ... B1, B2, ..."""
    return [
        [f"{letter}{number}" for number in range(1, size + 1)]
        for letter, size in zip("ABCDEF", sizes, strict=False)
    ]


def texts(games):
    return [f"{game.schedule_round}: {game.a}-{game.b}" for game in games]


def waves(games, table_count):
    """Return for each wave its games' texts in the order of the tables."""
    turns = place_games(games, table_count)
    found = [[] for _ in range(1 + max(turn.wave for turn in turns))]
    for game, turn in sorted(zip(games, turns, strict=True), key=lambda x: x[1].table):
        found[turn.wave].append(f"{game.a}-{game.b}")
    return found


cups = st.lists(st.integers(2, 10), min_size=1, max_size=6).map(
    lambda sizes: groups_of(*sizes)
)
table_counts = st.integers(1, 12)


@pytest.mark.parametrize(
    ("size", "plan"),
    [
        (2, ["1: A1-A2"]),
        (3, ["1: A2-A3", "2: A3-A1", "3: A1-A2"]),
        (
            4,
            ["1: A1-A4", "1: A2-A3", "2: A4-A2", "2: A3-A1", "3: A3-A4", "3: A1-A2"],
        ),
        (1, []),
    ],
)
def test_group_plays_its_schedule_rounds_in_order(size, plan):
    assert texts(group_games(groups_of(size))) == plan


def test_games_are_called_from_the_groups_in_turn():
    assert texts(group_games(groups_of(4, 3, 2))) == [
        *["1: A1-A4", "1: B2-B3", "1: C1-C2", "1: A2-A3"],
        *["2: A4-A2", "2: B3-B1", "2: A3-A1"],
        *["3: A3-A4", "3: B1-B2", "3: A1-A2"],
    ]


@given(cups)
def test_everyone_in_a_group_meets_once(groups):
    games = group_games(groups)

    assert Counter(frozenset((game.a, game.b)) for game in games) == Counter(
        frozenset(pair) for group in groups for pair in combinations(group, 2)
    )
    assert all({game.a, game.b} <= set(groups[game.group_index]) for game in games)


@given(cups)
def test_no_team_is_twice_in_a_schedule_round(groups):
    seen = Counter(
        (game.schedule_round, team)
        for game in group_games(groups)
        for team in (game.a, game.b)
    )

    assert set(seen.values()) == {1}


@given(cups)
def test_group_needs_no_more_schedule_rounds_than_it_must(groups):
    # The last game of each group stays in the dict.
    last = {game.group_index: game.schedule_round for game in group_games(groups)}

    assert last == {
        index: len(group) - 1 if len(group) % 2 == 0 else len(group)
        for index, group in enumerate(groups)
    }


@given(cups)
def test_sides_are_balanced_within_one(groups):
    games = group_games(groups)
    as_a = Counter(game.a for game in games)
    as_b = Counter(game.b for game in games)

    for group in groups:
        assert max(abs(as_a[team] - as_b[team]) for team in group) <= 1


@pytest.mark.parametrize("size", range(2, 11))
def test_no_team_is_on_one_side_three_times_in_a_row(size):
    games = group_games(groups_of(size))

    for team in groups_of(size)[0]:
        sides = [game.a == team for game in games if team in (game.a, game.b)]
        assert max(len(list(run)) for _, run in groupby(sides)) <= 2


@given(cups)
def test_schedule_rounds_come_in_order_and_first_games_from_all_groups(groups):
    games = group_games(groups)

    rounds = [game.schedule_round for game in games]
    assert rounds == sorted(rounds)
    assert [game.group_index for game in games[: len(groups)]] == list(
        range(len(groups))
    )


@pytest.mark.parametrize(
    "groups", [[["x", "y"], ["z", "x"]], [["x", "y", "x"]]], ids=["across", "within"]
)
def test_team_in_two_places_is_refused(groups):
    with pytest.raises(ValueError, match=r"in the groups twice: \['x'\]"):
        group_games(groups)


def test_tables_take_turns_when_they_are_few():
    games = group_games(groups_of(4, 4, 4, 4))

    assert assign_tables(games, 3) == (0, 1, 2) * 8


def test_wave_joins_two_schedule_rounds_rather_than_leave_tables_empty():
    # Eight games a schedule round on six tables. After the first six, the last two
    # of round 1 go on with those of round 2 whose teams have played: groups A and B.
    assert waves(group_games(groups_of(4, 4, 4, 4)), 6) == [
        ["A1-A4", "B1-B4", "C1-C4", "D1-D4", "A2-A3", "B2-B3"],
        ["C2-C3", "D2-D3", "A4-A2", "B4-B2", "A3-A1", "B3-B1"],
        ["C4-C2", "D4-D2", "C3-C1", "D3-D1", "A3-A4", "B3-B4"],
        ["C3-C4", "D3-D4", "A1-A2", "B1-B2", "C1-C2", "D1-D2"],
    ]


def test_tables_that_cannot_be_used_stay_free():
    games = group_games(groups_of(5))

    assert assign_tables(games, 4) == (0, 1) * 5


@given(cups, table_counts)
def test_nobody_plays_two_games_at_once(groups, table_count):
    games = group_games(groups)
    turns = place_games(games, table_count)

    at_tables = Counter((turn.wave, turn.table) for turn in turns)
    of_teams = Counter(
        (turn.wave, team)
        for game, turn in zip(games, turns, strict=True)
        for team in (game.a, game.b)
    )
    assert set(at_tables.values()) == {1}
    assert set(of_teams.values()) == {1}
    assert {turn.table for turn in turns} <= set(range(table_count))


@given(cups, table_counts)
def test_table_and_team_play_in_the_order_of_the_games(groups, table_count):
    games = group_games(groups)
    played = {}
    for game, turn in zip(games, place_games(games, table_count), strict=True):
        for who in (turn.table, game.a, game.b):
            played.setdefault(who, []).append(turn.wave)

    assert all(
        one < other for waves_of in played.values() for one, other in pairwise(waves_of)
    )


@pytest.mark.parametrize("group_count", range(1, 7))
@pytest.mark.parametrize("size", range(2, 11))
def test_evening_is_as_short_as_the_tables_allow(group_count, size):
    games = group_games(groups_of(*[size] * group_count))

    for table_count in range(1, 13):
        turns = place_games(games, table_count)
        by_tables = -(-len(games) // table_count)
        by_teams = size - 1 if size % 2 == 0 else size
        assert 1 + max(turn.wave for turn in turns) == max(by_tables, by_teams)


@pytest.mark.parametrize("table_count", [0, -1])
def test_games_without_a_table_are_refused(table_count):
    with pytest.raises(ValueError, match=f"no games on {table_count} tables"):
        assign_tables(group_games(groups_of(4)), table_count)
