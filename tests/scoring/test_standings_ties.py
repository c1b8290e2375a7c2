"""R9.4 and R9.5: level teams, their mutual games and the lot."""

from __future__ import annotations

import pytest

from scoring.sides import Side
from scoring.standings import Criterion, Figures, GameResult, Separation, standings
from tests.scoring.crosstables import group, lot, order

# R9.4


def test_r9_4_of_two_level_teams_the_winner_of_their_game_is_ahead():
    #     A    B    C    D
    # A   .   2-1  2-0  1-2    won 2, sets 5-3
    # B  1-2   .   2-1  2-0    won 2, sets 5-3
    # C  0-2  1-2   .   2-0    won 1, sets 3-4
    # D  2-1  0-2  0-2   .     won 1, sets 2-5
    games = "A 2-1 B, A 2-0 C, D 2-1 A, B 2-1 C, B 2-0 D, C 2-0 D"

    result = group("B A C D", games)

    assert order(result) == "1 A, 2 B mutual_games, 3 C won, 4 D sets_won"
    assert result.rows[1].separation == Separation(
        Criterion.MUTUAL_GAMES,
        Criterion.WON,
        among=("B", "A"),
        above=Figures(played=1, won=1, sets_won=2, sets_lost=1),
        own=Figures(played=1, won=0, sets_won=1, sets_lost=2),
    )


THREE_LEVEL = (
    "A 2-0 B, B 2-1 C, C 2-1 A, "
    "A 2-1 D, B 2-0 D, C 2-0 D, "
    "E 2-0 A, E 2-1 B, E 2-0 C, E 2-0 D"
)
"""
     A    B    C    D    E
A    .   2-0  1-2  2-1  0-2    won 2, sets 5-5
B   0-2   .   2-1  2-0  1-2    won 2, sets 5-5
C   2-1  1-2   .   2-0  0-2    won 2, sets 5-5

Among the three: won 1 each; sets won A 3, B 2, C 3; sets lost A 2, B 3, C 3.
"""


def test_r9_4_starts_again_for_each_part_after_a_figure_has_separated():
    # Sets won put B last. A has lost fewer sets of the three's games than C,
    # but the two start again, and C has won their own game.
    result = group("A B C D E", THREE_LEVEL)

    assert order(result) == "1 E, 2 C won, 3 A mutual_games, 4 B mutual_games, 5 D won"


def test_r9_7_row_tells_the_mutual_figure_that_separated_it():
    rows = group("A B C D E", THREE_LEVEL).rows

    assert rows[2].separation == Separation(
        Criterion.MUTUAL_GAMES,
        Criterion.WON,
        among=("A", "C"),
        above=Figures(played=1, won=1, sets_won=2, sets_lost=1),
        own=Figures(played=1, won=0, sets_won=1, sets_lost=2),
    )
    assert rows[3].separation == Separation(
        Criterion.MUTUAL_GAMES,
        Criterion.SETS_WON,
        among=("A", "B", "C"),
        above=Figures(played=2, won=1, sets_won=3, sets_lost=2),
        own=Figures(played=2, won=1, sets_won=2, sets_lost=3),
    )
    assert [rows[2].separation.values, rows[3].separation.values] == [(1, 0), (3, 2)]


def test_r9_4_both_parts_of_a_tied_set_start_again():
    #     A    B    C    D    E    F
    # A   .   2-0  2-0  0-2  0-2  2-0    won 3, sets 6-4; among A to D won 2
    # B  0-2   .   2-0  2-0  0-2  2-0    the same, and lost to A
    # C  0-2  0-2   .   2-0  2-0  2-0    won 3, sets 6-4; among A to D won 1
    # D  2-0  0-2  0-2   .   2-0  2-0    the same, and lost to C
    # E  2-0  2-0  0-2  0-2   .   0-2    won 2
    games = (
        "A 2-0 B, A 2-0 C, D 2-0 A, B 2-0 C, B 2-0 D, C 2-0 D,"
        "E 2-0 A, E 2-0 B, C 2-0 E, D 2-0 E,"
        "A 2-0 F, B 2-0 F, C 2-0 F, D 2-0 F, F 2-0 E"
    )

    result = group("D C B A F E", games)

    assert order(result) == (
        "1 A, 2 B mutual_games, 3 C mutual_games, 4 D mutual_games, 5 E won, 6 F won"
    )
    assert [row.separation.among for row in result.rows[1:4]] == [
        ("B", "A"),
        ("D", "C", "B", "A"),
        ("D", "C"),
    ]


def test_r9_4_fewer_sets_lost_is_the_third_figure_of_the_mutual_games():
    #     A    B    C    D
    # A   .   2-0  1-2  0-2     won 1, sets 3-4; among the three 3-2
    # B  0-2   .   3-1  0-1*    won 1, sets 3-4; among the three 3-3
    # C  2-1  1-3   .   0-0*    won 1, sets 3-4; among the three 3-4
    games = "A 2-0 B, B 3-1 C, C 2-1 A, D 2-0 A, D 1-0 B, D 0*-0 C"

    result = group("C B A D", games)

    assert order(result) == "1 D, 2 A won, 3 B mutual_games, 4 C mutual_games"
    assert [
        (row.separation.figure, row.separation.values) for row in result.rows[2:]
    ] == [(Criterion.SETS_LOST, (2, 3)), (Criterion.SETS_LOST, (3, 4))]


def test_r9_4_pair_that_met_twice_counts_both_games():
    # A and B won one of their games each, A with sets 3-2 over the two.
    #     A          B         C
    # A   .       2-0, 1-2    0-2
    # B            .          1-1*
    # won 1, sets 3-4 both
    games = "A 2-0 B, B 2-1 A, C 2-0 A, B 1-1* C"

    result = group("B A C", games)

    assert order(result) == "1 C, 2 A won, 3 B mutual_games"
    assert result.rows[2].separation == Separation(
        Criterion.MUTUAL_GAMES,
        Criterion.SETS_WON,
        among=("B", "A"),
        above=Figures(played=2, won=1, sets_won=3, sets_lost=2),
        own=Figures(played=2, won=1, sets_won=2, sets_lost=3),
    )


def test_r9_4_is_skipped_for_the_whole_tied_set_when_one_pair_has_not_met():
    #     A    B    C       D
    # A   .   2-0   -      0-2        won 1, sets 2-2
    # B  0-2   .    -      2-0        won 1, sets 2-2
    # C   -    -    .    2-0, 0-2     won 1, sets 2-2
    # D  2-0  0-2  0-2, 2-0  .        won 2
    games = "A 2-0 B, D 2-0 A, B 2-0 D, C 2-0 D, D 2-0 C"

    result = group("C B A D", games, complete=True)

    assert order(result) == "1 D, 2 C won, 2 B, 2 A"
    assert result.lots_needed == (("C", "B", "A"),)


def test_r9_4_does_not_look_at_games_with_teams_that_are_not_level():
    # A and B are level and have not met; C, level with neither, lost to both.
    result = group("A B C", "A 2-0 C, B 2-0 C", complete=True)

    assert order(result) == "1 A, 1 B, 3 C won"


def test_r9_4_three_in_a_circle_stay_level():
    result = group("A B C", "A 2-0 B, B 2-0 C, C 2-0 A")

    assert order(result) == "1 A, 1 B, 1 C"
    assert result.lots_needed == (("A", "B", "C"),)


CIRCLE_LEFT = (
    "A 2-0 B, B 2-0 C, C 2-0 A, D 2-0 A, D 2-0 B, D 2-0 C,"
    "A 2-0 E, B 2-0 E, C 2-0 E, E 2-0 D,"
    "A 2-0 F, B 2-0 F, C 2-0 F, F 2-0 D, E 2-0 F"
)
"""
     A    B    C    D    E    F
A    .   2-0  0-2  0-2  2-0  2-0    won 3, sets 6-4
B   0-2   .   2-0  0-2  2-0  2-0    won 3, sets 6-4
C   2-0  0-2   .   0-2  2-0  2-0    won 3, sets 6-4
D   2-0  2-0  2-0   .   0-2  0-2    won 3, sets 6-4
E   0-2  0-2  0-2  2-0   .   2-0    won 2
"""


def test_r9_4_circle_left_over_by_a_figure_stays_level():
    result = group("A B C D E F", CIRCLE_LEFT)

    assert order(result) == "1 D, 2 A mutual_games, 2 B, 2 C, 5 E won, 6 F won"
    assert result.lots_needed == (("A", "B", "C"),)


# R9.5


def test_r9_5_lot_settles_the_set_it_was_drawn_for():
    games = "A 2-0 B, B 2-0 C, C 2-0 A"

    result = group("A B C", games, lot("C A B"))

    assert order(result) == "1 C, 2 A lot, 3 B lot"
    assert result.lots_needed == ()
    assert result.rows[1].separation == Separation(
        Criterion.LOT,
        None,
        among=("A", "B", "C"),
        above=Figures(2, 1, 2, 2),
        own=Figures(2, 1, 2, 2),
    )
    assert result.rows[1].separation.values is None


TWO_LEVEL = "A 2-0 C, B 2-0 C"
"""A and B level and not met, C behind."""


@pytest.mark.parametrize(
    "lots",
    [
        [lot("B A C")],
        [lot("B")],
        [lot("B C")],
        [lot("B X")],
        [lot("B"), lot("A")],
        [lot("B C", settles_parts=True)],
        [],
    ],
    ids=[
        *("of_more_teams", "of_fewer", "of_others", "of_strangers"),
        *("of_each_alone", "order_without_one_of_them", "none"),
    ],
)
def test_r9_5_lot_of_another_set_settles_nothing(lots):
    result = group("A B C", TWO_LEVEL, *lots, complete=True)

    assert order(result) == "1 A, 1 B, 3 C won"
    assert result.lots_needed == (("A", "B"),)


def test_r9_5_lot_settles_exactly_what_the_mutual_games_leave():
    of_four = group("A B C D E F", CIRCLE_LEFT, lot("B D A C"))
    of_three = group("A B C D E F", CIRCLE_LEFT, lot("B A C"))

    assert order(of_four) == "1 D, 2 A mutual_games, 2 B, 2 C, 5 E won, 6 F won"
    assert order(of_three) == (
        "1 D, 2 B mutual_games, 3 A lot, 4 C lot, 5 E won, 6 F won"
    )


def test_r9_5_order_drawn_over_all_settles_each_set_that_it_names():
    # A and B are level, and so are D and E.
    games = "A 2-0 D, B 2-0 E, C 1-0 F"

    result = group(
        "A B C D E F",
        games,
        lot("E C B A D", settles_parts=True),
        complete=True,
    )

    assert order(result) == (
        "1 B, 2 A lot, 3 C sets_won, 4 F won, 5 E sets_lost, 6 D lot"
    )


def test_r9_5_several_lots_each_settle_their_own_set():
    # A and B are level, and so are C and D.
    games = "A 2-0 C, B 2-0 D"

    result = group("A B C D", games, lot("D C"), lot("B A"), complete=True)

    assert order(result) == "1 B, 2 A lot, 3 D won, 4 C lot"


def test_r9_5_of_two_lots_for_the_same_set_the_first_stands():
    lots = [lot("B A"), lot("A B")]

    result = group("A B C", TWO_LEVEL, *lots, complete=True)

    assert order(result) == "1 B, 2 A lot, 3 C won"


def test_r9_5_lot_is_ignored_while_games_are_missing():
    result = group("A B C", TWO_LEVEL, lot("B A"))

    assert order(result) == "1 A, 1 B, 3 C won"
    assert result.lots_needed == ()


def test_r9_5_group_said_to_be_incomplete_draws_no_lots_though_all_have_met():
    games = "A 2-0 B, B 2-0 C, C 2-0 A"

    result = group("A B C", games, lot("C A B"), complete=False)

    assert order(result) == "1 A, 1 B, 1 C"
    assert result.lots_needed == ()


def test_r9_5_lot_is_unused_while_a_correction_removes_the_tie():
    drawn = lot("C A B")

    tied = group("A B C", "A 2-0 B, B 2-0 C, C 2-0 A", drawn)
    corrected = group("A B C", "A 2-0 B, B 2-0 C, C 2-1 A", drawn)

    assert order(tied) == "1 C, 2 A lot, 3 B lot"
    assert order(corrected) == "1 A, 2 B sets_won, 3 C sets_lost"


def test_r9_5_lot_with_a_team_twice_cannot_be_made():
    with pytest.raises(ValueError, match="a team twice in a lot"):
        lot("A B A")


# Large groups


def ladder(size):
    """Return a tied set that comes apart one team at a time, and an outsider.

    Each team took a set from every later one, and each later one but the next
    took one back: so among those not yet placed the first is one set ahead and
    the rest are level. The outsider makes the totals level, and only it wins games.
    """
    results = []
    sets_won, sets_lost = [0] * size, [0] * size
    for a in range(size):
        for b in range(a + 1, size):
            to_a, to_b = 1, int(b > a + 1)
            results.append(GameResult(a, b, to_a, to_b, None))
            for team, got, gave in ((a, to_a, to_b), (b, to_b, to_a)):
                sets_won[team] += got
                sets_lost[team] += gave
    for team in range(size):
        got = max(sets_won) - sets_won[team]
        gave = max(sets_lost) - sets_lost[team]
        results.append(GameResult(team, size, got, gave, Side.B))
    return results


def test_tied_set_of_sixty_comes_apart_one_team_at_a_time():
    result = standings(range(61), ladder(60))

    assert [row.team for row in result.rows] == [60, *range(60)]
    below = result.rows[2:]
    assert [len(row.separation.among) for row in below] == list(range(60, 1, -1))
    assert {row.decided_by for row in below} == {Criterion.MUTUAL_GAMES}
