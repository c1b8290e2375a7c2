"""R9: the order of a group. Ties have their own tests in test_standings_ties."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.sides import Side
from scoring.standings import Criterion, Figures, GameResult, Lot, Row, standings
from tests.scoring.crosstables import group, lot, order

VECTORS = Path(__file__).parent.parent / "vectors" / "standings.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]


# R9.1 to R9.3


def test_r9_1_more_games_won_is_ahead():
    #     A    B    C
    # A   .   2-0  2-1
    # B  0-2   .   2-0
    # C  1-2  0-2   .
    result = group("C B A", "A 2-0 B, A 2-1 C, B 2-0 C")

    assert order(result) == "1 A, 2 B won, 3 C won"


def test_r9_1_games_won_count_before_sets():
    # A won both games by fouls, without a set.
    #     A     B     C
    # A   .   0*-1  0*-1
    # B  1-0    .    2-0
    # C  1-0   0-2    .
    result = group("B C A", "A 0*-1 B, A 0*-1 C, B 2-0 C")

    assert order(result) == "1 A, 2 B won, 3 C won"
    assert [row.sets_won for row in result.rows] == [0, 3, 1]


def test_r9_2_more_sets_won_is_ahead_when_games_are_level():
    #     A    B    C
    # A   .   2-0  1-2     won 1, sets 3-2
    # B  0-2   .   2-1     won 1, sets 2-3
    # C  2-1  1-2   .      won 1, sets 3-3
    result = group("A B C", "A 2-0 B, B 2-1 C, C 2-1 A")

    assert order(result) == "1 A, 2 C sets_lost, 3 B sets_won"


def test_r9_2_sets_won_count_before_sets_lost():
    # Won 1 each: A with sets 3-3, B 2-0, D 2-1.
    result = group("D B A C", "A 2-1 C, D 2-1 A, B 2-0 C")

    assert order(result) == "1 A, 2 B sets_won, 3 D sets_lost, 4 C won"


def test_r9_3_fewer_sets_lost_is_ahead_when_games_and_sets_won_are_level():
    result = group("A B C D", "A 2-1 C, B 2-0 D")

    assert order(result) == "1 B, 2 A sets_lost, 3 C won, 4 D sets_won"


# R9.6


def test_r9_6_level_teams_share_a_rank_and_the_next_rank_is_left_out():
    #     A    B    C    D
    # A   .   2-0  2-0  2-0
    # B        .    -   2-0
    # C             .   2-0
    games = "A 2-0 B, A 2-0 C, A 2-0 D, B 2-0 D, C 2-0 D"

    result = group("D C B A", games)

    assert order(result) == "1 A, 2 C won, 2 B, 4 D won"
    assert [row.tied_with for row in result.rows] == [(), ("B",), ("C",), ()]


def test_r9_6_level_teams_stand_and_are_named_in_the_order_of_the_teams():
    result = group("C A B", "")

    assert order(result) == "1 C, 1 A, 1 B"
    assert [row.tied_with for row in result.rows] == [
        ("A", "B"),
        ("C", "B"),
        ("C", "A"),
    ]


# R9.7


def test_r9_7_plain_figures_tell_their_two_values():
    rows = group("A B C", "A 2-0 B, B 2-1 C, C 2-1 A").rows

    assert rows[0].separation is None
    assert [
        (row.separation.figure, row.separation.values, row.separation.among)
        for row in rows[1:]
    ] == [
        (Criterion.SETS_LOST, (2, 3), ("A", "C")),
        (Criterion.SETS_WON, (3, 2), ("A", "B", "C")),
    ]


def test_r9_7_first_row_of_a_shared_rank_tells_what_separated_the_rank():
    result = group("A B C", "A 2-0 B, A 2-0 C")

    assert [row.decided_by for row in result.rows] == [None, Criterion.WON, None]


def test_every_criterion_names_its_rule():
    assert {criterion.value: criterion.rule for criterion in Criterion} == {
        "won": "R9.1",
        "sets_won": "R9.2",
        "sets_lost": "R9.3",
        "withdrawn": "R9.10",
        "mutual_games": "R9.4",
        "lot": "R9.5",
    }


@pytest.mark.parametrize("criterion", [Criterion.LOT, Criterion.MUTUAL_GAMES])
def test_figures_have_no_value_for_what_is_no_figure(criterion):
    with pytest.raises(KeyError):
        Figures().value(criterion)


# R9.8, R9.10, R9.11


def test_r9_8_winner_may_have_fewer_sets():
    result = group("A B", "A 1-0* B")

    assert order(result) == "1 B, 2 A won"
    assert [(row.sets_won, row.sets_lost) for row in result.rows] == [(0, 1), (1, 0)]


def test_r9_10_withdrawn_team_stands_behind_those_of_equal_figures():
    # A won the mutual game, yet withdrew. D has fewer sets and stays behind.
    #     A    B    C    D
    # A   .   2-1  2-0  1-2
    # B  1-2   .   2-1  2-0
    # C  0-2  1-2   .   2-0
    # D  2-1  0-2  0-2   .
    games = "A 2-1 B, A 2-0 C, D 2-1 A, B 2-1 C, B 2-0 D, C 2-0 D"

    result = group("A B C D", games, withdrawn={"A"})

    assert order(result) == "1 B, 2 A withdrawn, 3 C won, 4 D sets_won"
    assert result.rows[1].separation.values is None


def test_r9_10_two_withdrawn_teams_of_equal_figures_are_ordered_by_their_game():
    #     A    B    C
    # A   .   2-0  0-2
    # B  0-2   .   2-0
    # C  2-0  0-2   .
    games = "A 2-0 B, B 2-0 C, C 2-0 A"

    result = group("A B C", games, withdrawn={"A", "B"})

    assert order(result) == "1 C, 2 A withdrawn, 3 B mutual_games"


def test_r9_11_game_lost_by_both_is_played_and_lost_and_nobodys_win():
    result = group("A B", "A 0-0 B")

    row_a, row_b = result.rows
    assert row_a == Row("A", 1, 1, 0, 1, 0, 0, None, ("B",))
    assert row_b == Row("B", 1, 1, 0, 1, 0, 0, None, ("A",))
    assert result.lots_needed == (("A", "B"),)


# Groups at the edge


def test_team_without_games_stands_among_the_others_by_its_figures():
    result = group("A B C", "B 2-0 A")

    assert order(result) == "1 B, 2 C won, 3 A sets_lost"
    assert [(row.played, row.won, row.lost) for row in result.rows] == [
        (1, 1, 0),
        (0, 0, 0),
        (1, 0, 1),
    ]


def test_group_without_games_is_level_and_needs_no_lot_yet():
    result = group("A B", "")

    assert order(result) == "1 A, 1 B"
    assert result.lots_needed == ()


def test_single_team_is_first_and_its_group_complete():
    result = group("A", "", lot("A"))

    assert result.rows == (Row("A", 1, 0, 0, 0, 0, 0, None, ()),)
    assert result.lots_needed == ()


def test_group_without_teams_has_no_rows():
    result = group("", "")

    assert (result.rows, result.lots_needed) == ((), ())


def test_group_is_complete_by_default_when_every_pair_has_met():
    assert group("A B", "A 0-0 B").lots_needed == (("A", "B"),)
    assert group("A B C", "A 0-0 B, B 0-0 C").lots_needed == ()
    assert group("A B C", "A 0-0 B, B 0-0 C, C 0-0 A").lots_needed == (("A", "B", "C"),)


def test_teams_may_be_numbers():
    result = standings([7, 8], [GameResult(8, 7, 2, 0, Side.A)])

    assert [(row.rank, row.team) for row in result.rows] == [(1, 8), (2, 7)]


@pytest.mark.parametrize(
    ("teams", "games", "message"),
    [
        ("A B A", "", "a team twice"),
        ("A B", "A 2-0 C", "not a game between two teams of the group"),
        ("A B", "C 2-0 A", "not a game between two teams of the group"),
        ("A B", "A 2-0 A", "not a game between two teams of the group"),
    ],
    ids=["team_twice", "unknown_b", "unknown_a", "against_itself"],
)
def test_group_that_cannot_be_is_an_error(teams, games, message):
    with pytest.raises(ValueError, match=message):
        group(teams, games)


# Known groups


def vector_games(case):
    return [
        GameResult(
            entry["a"],
            entry["b"],
            entry["sets"]["a"],
            entry["sets"]["b"],
            {"a": Side.A, "b": Side.B, None: None}[entry["winner"]],
        )
        for entry in case["in"]["games"]
    ]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_vector_gives_its_ranks_table_and_ties(case):
    drawn = Lot(tuple(case["in"]["lots"]), settles_parts=True)

    rows = standings(case["in"]["teams"], vector_games(case), [drawn]).rows

    assert {row.team: row.rank for row in rows} == case["ranks"]
    assert {
        row.team: {
            "won": row.won,
            "sets_won": row.sets_won,
            "sets_lost": row.sets_lost,
        }
        for row in rows
    } == case["table"]
    first = {row.rank: [row.team, *row.tied_with] for row in reversed(rows)}
    assert [tied for _, tied in sorted(first.items()) if len(tied) > 1] == (
        case["tied_groups"]
    )
