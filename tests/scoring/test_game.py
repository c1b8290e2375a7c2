"""R5-R7: from points to set scores, sets and the winner of a game."""

from __future__ import annotations

import pytest

from scoring.game import EffectCode, Reason, advance, fold, start
from scoring.problems import Code, Refused
from scoring.rulesets import ruleset
from scoring.sheet import DealSheet
from scoring.sides import ZERO, Pair
from tests.scoring.sheets import (
    A,
    B,
    abandoned,
    by,
    corrected,
    giving,
    played,
    without_tricks,
)

CUP = ruleset()
Did = EffectCode

BOTH_ON_TWELVE = (giving(6, 1), giving(1, 6), giving(4, 1), giving(1, 4))
SET_TO_A = (giving(7, 0), giving(5, 0))
SET_TO_B = (giving(0, 7), giving(0, 5))


def game(*sheets, rules=CUP, sets_to_win=2):
    return fold(sheets, rules, sets_to_win)


def effects(result):
    return [(effect.code, effect.side, effect.rule) for effect in result.effects]


def last(*sheets, **how):
    return game(*sheets, **how).deals[-1]


def test_start_is_level_and_open():
    state = start(CUP, 2)

    assert (state.winner, state.reason, state.sets, state.fouls, state.points) == (
        None,
        None,
        ZERO,
        ZERO,
        ZERO,
    )
    assert (state.set_number, state.laistokierros, state.opens_set) == (1, False, True)
    assert state.deals == ()


@pytest.mark.parametrize("sets_to_win", [-1, 0, 10])
def test_start_refuses_an_impossible_number_of_sets(sets_to_win):
    with pytest.raises(ValueError, match=f"not {sets_to_win}"):
        start(CUP, sets_to_win)


def test_r5_1_exactly_twelve_wins_the_set():
    state = game(*SET_TO_A)

    assert state.deals[-1].score == Pair(12, 0)
    assert effects(state.deals[-1]) == [(Did.SET_WON, A, "R5.1")]
    assert (state.sets, state.points, state.set_number) == (Pair(1, 0), ZERO, 2)


def test_r5_1_eleven_wins_nothing():
    state = game(giving(7, 0), giving(4, 0))

    assert (state.points, state.sets, effects(state.deals[-1])) == (
        Pair(11, 0),
        ZERO,
        [],
    )


def test_r5_1_in_wikipedia_10_ten_wins_and_over_it_drops_to_seven():
    rules = ruleset("wikipedia-10")
    seven = DealSheet(
        last_trick=A, trump=A, small_trumps=Pair(3, 0), card_points=Pair(120, 0)
    )
    three = DealSheet(last_trick=A, trump=A, card_points=Pair(60, 60))

    won = last(seven, three, rules=rules)
    over = last(seven, seven, rules=rules)

    assert (won.score, effects(won)) == (Pair(10, 0), [(Did.SET_WON, A, "R5.1")])
    assert (over.score, effects(over)) == (Pair(7, 0), [(Did.OVER_TARGET, A, "R5.2")])


@pytest.mark.parametrize("points", [6, 7])
def test_r5_2_over_twelve_drops_to_seven(points):
    result = last(giving(7, 0), giving(points, 0))

    assert result.score == Pair(7, 0)
    assert result.points == Pair(points, 0)
    assert effects(result) == [(Did.OVER_TARGET, A, "R5.2")]


def test_r5_2_both_may_drop():
    result = last(giving(4, 3), giving(4, 3), giving(2, 5), giving(4, 3))

    assert result.score == Pair(7, 7)
    assert effects(result) == [
        (Did.OVER_TARGET, A, "R5.2"),
        (Did.OVER_TARGET, B, "R5.2"),
    ]


def test_r5_3_no_tricks_goes_to_zero():
    result = last(giving(3, 4), without_tricks(A))

    assert result.score == Pair(0, 6)
    assert effects(result) == [(Did.PORVOO_NO_TRICKS, A, "R5.3")]


def test_r5_4_foul_goes_to_zero_and_the_other_scores_as_usual():
    result = last(giving(3, 4), giving(2, 5, fouls=by(A)))

    assert (result.points, result.score) == (Pair(0, 5), Pair(0, 9))
    assert effects(result) == [(Did.PORVOO_FOUL, A, "R5.4")]


def test_r5_4_both_may_go_to_porvoo():
    result = last(giving(3, 4), giving(2, 5, fouls=by(B, A)))

    assert (result.points, result.score) == (ZERO, ZERO)
    assert effects(result) == [
        (Did.PORVOO_FOUL, A, "R5.4"),
        (Did.PORVOO_FOUL, B, "R5.4"),
    ]


def test_r5_4_foul_is_the_only_reason_told_where_both_hold():
    sheet = played(last=B, mattis=(0, 8), no_tricks=A, fouls=by(A))

    result = last(giving(3, 4), sheet)

    assert (result.score, effects(result)) == (
        Pair(0, 6),
        [(Did.PORVOO_FOUL, A, "R5.4")],
    )


def test_r5_4_no_tricks_and_the_foul_of_the_other_are_both_told():
    sheet = played(last=A, mattis=(8, 0), no_tricks=B, fouls=by(A))

    result = last(giving(3, 4), sheet)

    assert (result.score, effects(result)) == (
        ZERO,
        [(Did.PORVOO_NO_TRICKS, B, "R5.3"), (Did.PORVOO_FOUL, A, "R5.4")],
    )


def test_r5_5_porvoo_comes_before_points_and_target():
    result = last(giving(7, 0), giving(0, 7), giving(6, 1, fouls=by(A)))

    assert (result.score, effects(result)) == (
        Pair(0, 8),
        [(Did.PORVOO_FOUL, A, "R5.4")],
    )


def test_r5_5_over_target_comes_before_the_win_of_the_other():
    result = last(giving(6, 1), giving(4, 3), giving(0, 7), giving(3, 1))

    assert (result.score, effects(result)) == (
        Pair(7, 12),
        [(Did.OVER_TARGET, A, "R5.2"), (Did.SET_WON, B, "R5.1")],
    )


def test_r5_6_set_starts_from_nil_and_fouls_carry_over():
    state = game(giving(7, 0, fouls=by(B)), giving(5, 0), giving(1, 3, fouls=by(A)))

    assert (state.points, state.fouls) == (Pair(0, 3), Pair(1, 1))
    assert [result.set_number for result in state.deals] == [1, 1, 2]


@pytest.mark.parametrize("sets_to_win", [1, 2, 3, 9])
def test_r5_7_agreed_number_of_sets_wins_the_game(sets_to_win):
    sets = [SET_TO_A, SET_TO_B] * (sets_to_win - 1) + [SET_TO_A]
    state = game(*[sheet for deals in sets for sheet in deals], sets_to_win=sets_to_win)

    assert (state.winner, state.reason) == (A, Reason.SETS)
    assert state.sets == Pair(sets_to_win, sets_to_win - 1)
    assert (state.points, state.set_number) == (ZERO, 2 * sets_to_win - 1)
    assert (state.opens_set, state.next_dealer, state.next_leader) == (
        False,
        None,
        None,
    )
    assert effects(state.deals[-1]) == [
        (Did.SET_WON, A, "R5.1"),
        (Did.GAME_WON, A, "R5.7"),
    ]


def test_r6_1_both_on_twelve_calls_a_laistokierros():
    state = game(*BOTH_ON_TWELVE)

    assert (state.points, state.laistokierros, state.sets) == (Pair(12, 12), True, ZERO)
    assert (state.deals[-1].laistokierros, effects(state.deals[-1])) == (
        False,
        [(Did.LAISTOKIERROS_CALLED, None, "R6.1")],
    )


def test_r6_2_who_gets_no_point_stays_and_wins():
    state = game(*BOTH_ON_TWELVE, giving(0, 4))

    assert (state.deals[-1].laistokierros, state.deals[-1].points) == (True, Pair(0, 4))
    assert state.deals[-1].score == Pair(12, 7)
    assert effects(state.deals[-1]) == [
        (Did.LAISTOKIERROS_SCORED, B, "R6.2"),
        (Did.LAISTOKIERROS_SAVED, A, "R6.2"),
        (Did.SET_WON, A, "R6.2"),
    ]
    assert (state.sets, state.points, state.laistokierros) == (Pair(1, 0), ZERO, False)


def test_r6_2_laistokierros_may_win_the_game():
    result = last(*SET_TO_A, *BOTH_ON_TWELVE, giving(0, 4))

    assert effects(result)[-2:] == [(Did.SET_WON, A, "R6.2"), (Did.GAME_WON, A, "R5.7")]


def test_r6_3_both_got_points_and_the_set_goes_on():
    state = game(*BOTH_ON_TWELVE, giving(1, 1))

    assert (state.points, state.laistokierros, state.set_number) == (
        Pair(7, 7),
        False,
        1,
    )
    assert effects(state.deals[-1]) == [
        (Did.LAISTOKIERROS_SCORED, A, "R6.2"),
        (Did.LAISTOKIERROS_SCORED, B, "R6.2"),
    ]
    assert last(*BOTH_ON_TWELVE, giving(1, 1), giving(2, 0)).score == Pair(9, 7)


@pytest.mark.parametrize(
    ("sheet", "score", "sets", "expected"),
    [
        (
            giving(3, 0, fouls=by(A)),
            Pair(0, 12),
            Pair(0, 1),
            [
                (Did.PORVOO_FOUL, A, "R6.4"),
                (Did.LAISTOKIERROS_SAVED, B, "R6.2"),
                (Did.SET_WON, B, "R6.2"),
            ],
        ),
        (
            giving(3, 1, fouls=by(A)),
            Pair(0, 7),
            ZERO,
            [(Did.PORVOO_FOUL, A, "R6.4"), (Did.LAISTOKIERROS_SCORED, B, "R6.2")],
        ),
        (
            giving(3, 1, fouls=by(B, A)),
            ZERO,
            ZERO,
            [(Did.PORVOO_FOUL, A, "R6.4"), (Did.PORVOO_FOUL, B, "R6.4")],
        ),
    ],
    ids=["other_got_none", "other_scored", "both_fouled"],
)
def test_r6_4_foul_in_a_laistokierros(sheet, score, sets, expected):
    state = game(*BOTH_ON_TWELVE, sheet)

    assert (state.deals[-1].score, effects(state.deals[-1])) == (score, expected)
    assert (state.sets, state.laistokierros) == (sets, False)


def test_r6_5_no_tricks_in_a_laistokierros_stays():
    result = last(*BOTH_ON_TWELVE, without_tricks(A))

    assert (result.score, effects(result)) == (
        Pair(12, 7),
        [
            (Did.LAISTOKIERROS_SCORED, B, "R6.2"),
            (Did.LAISTOKIERROS_SAVED, A, "R6.5"),
            (Did.SET_WON, A, "R6.2"),
        ],
    )


def test_r6_5_no_tricks_in_a_laistokierros_is_porvoo_by_switch():
    rules = ruleset(laistokierros_no_tricks="porvoo")

    result = last(*BOTH_ON_TWELVE, without_tricks(A), rules=rules)

    assert (result.score, effects(result)) == (
        Pair(0, 7),
        [
            (Did.PORVOO_NO_TRICKS, A, "R6.5"),
            (Did.LAISTOKIERROS_SCORED, B, "R6.2"),
        ],
    )


@pytest.mark.parametrize("switch", ["stays", "porvoo"])
def test_r6_5_foul_without_tricks_is_a_foul_under_both(switch):
    rules = ruleset(laistokierros_no_tricks=switch)
    sheet = played(last=B, mattis=(0, 8), no_tricks=A, fouls=by(A))

    result = last(*BOTH_ON_TWELVE, sheet, rules=rules)

    assert (result.score, effects(result)) == (
        Pair(0, 7),
        [(Did.PORVOO_FOUL, A, "R6.4"), (Did.LAISTOKIERROS_SCORED, B, "R6.2")],
    )


@pytest.mark.parametrize(
    ("switch", "score", "expected"),
    [
        (
            "stays",
            Pair(12, 0),
            [
                (Did.PORVOO_FOUL, B, "R6.4"),
                (Did.LAISTOKIERROS_SAVED, A, "R6.5"),
                (Did.SET_WON, A, "R6.2"),
            ],
        ),
        (
            "porvoo",
            ZERO,
            [(Did.PORVOO_NO_TRICKS, A, "R6.5"), (Did.PORVOO_FOUL, B, "R6.4")],
        ),
    ],
)
def test_r6_5_no_tricks_while_the_other_fouls(switch, score, expected):
    rules = ruleset(laistokierros_no_tricks=switch)
    sheet = played(last=B, mattis=(0, 8), no_tricks=A, fouls=by(B))

    result = last(*BOTH_ON_TWELVE, sheet, rules=rules)

    assert (result.score, effects(result)) == (score, expected)


@pytest.mark.parametrize(
    "rules",
    [ruleset("kotipeli"), ruleset(both_on_target="drop")],
    ids=["kotipeli", "switch"],
)
def test_r6_6_both_on_twelve_drop_by_switch(rules):
    state = game(*BOTH_ON_TWELVE, rules=rules)

    assert (state.points, state.laistokierros) == (Pair(7, 7), False)
    assert (state.deals[-1].score, effects(state.deals[-1])) == (
        Pair(7, 7),
        [(Did.BOTH_DROPPED, None, "R6.6")],
    )


def test_r7_1_third_foul_loses_the_game_whatever_the_score():
    state = game(
        *SET_TO_A,
        giving(4, 1, fouls=by(A)),
        giving(7, 0, fouls=by(B)),
        abandoned(A, A),
    )

    assert (state.winner, state.reason, state.fouls) == (B, Reason.FOULS, Pair(3, 1))
    assert (state.sets, state.points, state.set_number) == (Pair(1, 0), Pair(7, 0), 2)
    assert (state.deals[-1].points, state.deals[-1].score) == (ZERO, Pair(7, 0))
    assert effects(state.deals[-1]) == [
        (Did.LOST_BY_FOULS, A, "R7.1"),
        (Did.GAME_WON, B, "R7.1"),
    ]


def test_r7_1_laistokierros_may_be_abandoned():
    state = game(*BOTH_ON_TWELVE, abandoned(B, B, B))

    assert (state.deals[-1].laistokierros, state.laistokierros) == (True, False)
    assert (state.deals[-1].score, state.points) == (Pair(12, 12), Pair(12, 12))
    assert state.winner is A


def test_r7_2_first_to_three_loses_whatever_the_other_has():
    state = game(giving(1, 1, fouls=by(A, B, A, B)), abandoned(corrected(A), B))

    assert (state.winner, state.fouls) == (A, Pair(2, 3))


@pytest.mark.parametrize(
    ("switch", "points", "fouls", "expected"),
    [
        ("free", Pair(5, 4), ZERO, []),
        ("counts", Pair(5, 4), Pair(1, 0), []),
        ("foul", Pair(0, 4), Pair(1, 0), [(Did.PORVOO_FOUL, A, "R5.4")]),
    ],
)
def test_r7_3_corrected_foul_costs_what_the_switch_says(
    switch, points, fouls, expected
):
    rules = ruleset(corrected_foul=switch)

    state = game(giving(3, 3), giving(2, 1, fouls=by(corrected(A))), rules=rules)

    assert (state.points, state.fouls) == (points, fouls)
    assert effects(state.deals[-1]) == expected


def test_r7_3_corrected_foul_that_counts_may_be_the_third():
    rules = ruleset(corrected_foul="counts")

    state = game(
        giving(1, 1, fouls=by(corrected(A), A)),
        abandoned(corrected(A)),
        rules=rules,
    )

    assert (state.winner, state.reason, state.fouls) == (B, Reason.FOULS, Pair(3, 0))


def test_r10_5_no_sheet_after_the_game_has_been_won():
    won = game(*SET_TO_A, sets_to_win=1)

    with pytest.raises(Refused) as refused:
        advance(won, played(mattis=(5, 4)))

    assert [(p.code, p.rule, p.path) for p in refused.value.problems] == [
        (Code.AFTER_THE_END, "R10.5", ""),
        (Code.MATTIS_SUM, "R10.1", "mattis"),
    ]


def test_advance_checks_the_sheet_against_the_state():
    state = game(giving(1, 1, fouls=by(B, B)))

    with pytest.raises(Refused) as refused:
        advance(state, giving(1, 1, fouls=by(B)))

    assert [(p.code, p.path) for p in refused.value.problems] == [
        (Code.THIRD_FOUL_NOT_ABANDONED, "abandoned")
    ]


def test_advance_leaves_the_state_as_it_was():
    state = game(giving(3, 4))

    after = advance(state, giving(2, 5))

    assert state == game(giving(3, 4))
    assert after == game(giving(3, 4), giving(2, 5))


def test_fold_reports_every_sheet_and_stops_the_state_at_the_first_unsound_one():
    with pytest.raises(Refused) as refused:
        game(
            giving(1, 1, fouls=by(A, A)),
            played(mattis=(5, 4)),
            giving(1, 1, fouls=by(A)),
            played(mattis=(4, 4)),
        )

    assert [(p.code, p.path) for p in refused.value.problems] == [
        (Code.MATTIS_SUM, "deals/1/mattis"),
        (Code.PIPS_NEEDED, "deals/3/pips"),
    ]


def test_fold_reports_every_sheet_after_the_end():
    with pytest.raises(Refused) as refused:
        game(*SET_TO_A, giving(1, 1), giving(1, 1), sets_to_win=1)

    assert [(p.code, p.path) for p in refused.value.problems] == [
        (Code.AFTER_THE_END, "deals/2"),
        (Code.AFTER_THE_END, "deals/3"),
    ]


def test_effects_are_listed_in_the_order_of_their_codes():
    assert [code.value for code in EffectCode] == [
        "porvoo_no_tricks",
        "porvoo_foul",
        "over_target",
        "laistokierros_scored",
        "laistokierros_saved",
        "laistokierros_called",
        "both_dropped",
        "set_won",
        "lost_by_fouls",
        "game_won",
    ]
