from __future__ import annotations

import pytest

from komppa.cup.choices import Outcome
from komppa.cup.models import Game, Team
from komppa.cup.verdicts import How, Verdict, counted_result, verdict_of
from scoring.sides import Pair, Side
from scoring.standings import GameResult
from tests.factories import CupFactory

LEVEL = Pair(0, 0)


def a_game(*, gone="", missing="", group=1, **columns):
    """Return a game of teams 1 and 2 that stands 1-1; the sides of ``gone`` left."""
    a, b = (
        None
        if side in missing
        else Team(pk=number, name=f"Team {number}", withdrawn=side in gone)
        for side, number in (("A", 1), ("B", 2))
    )
    figures = {"sets_to_win": 2, "sets_a": 1, "sets_b": 1, "group_id": group}
    return Game(**{"team_a": a, "team_b": b, **figures, **columns})


def in_the_bracket(**columns):
    return a_game(group=None, **columns)


def a_cup(**switches):
    return CupFactory.build(**switches)


ENDS = {
    "open": ({}, None),
    "won": (
        {"winner": "A", "sets_a": 2, "ended_by": "sets"},
        Verdict(How.PLAYED, Side.A, Pair(2, 1)),
    ),
    "lost": (
        {"winner": "B", "sets_b": 2, "ended_by": "sets"},
        Verdict(How.PLAYED, Side.B, Pair(1, 2)),
    ),
    "third_foul_with_the_sets_as_they_stood": (
        {"winner": "B", "ended_by": "fouls"},
        Verdict(How.FOULS, Side.B, Pair(1, 1)),
    ),
    "walkover_a": (
        {"outcome": Outcome.WALKOVER_A},
        Verdict(How.WALKOVER, Side.A, Pair(2, 0)),
    ),
    "walkover_b": (
        {"outcome": Outcome.WALKOVER_B},
        Verdict(How.WALKOVER, Side.B, Pair(0, 2)),
    ),
    "walkover_of_a_game_to_three_sets": (
        {"outcome": Outcome.WALKOVER_B, "sets_to_win": 3},
        Verdict(How.WALKOVER, Side.B, Pair(0, 3)),
    ),
    "walkover_after_it_was_won_by_play": (
        {"outcome": Outcome.WALKOVER_B, "winner": "A", "sets_a": 2},
        Verdict(How.WALKOVER, Side.B, Pair(0, 2)),
    ),
    "both_absent": (
        {"outcome": Outcome.BOTH_ABSENT},
        Verdict(How.BOTH_ABSENT, None, LEVEL),
    ),
    "annulled": ({"outcome": Outcome.ANNULLED}, Verdict(How.ANNULLED, None, LEVEL)),
    "annulled_after_it_was_won": (
        {"outcome": Outcome.ANNULLED, "winner": "A", "sets_a": 2},
        Verdict(How.ANNULLED, None, LEVEL),
    ),
}


@pytest.mark.parametrize("make", [a_game, in_the_bracket], ids=["group", "bracket"])
@pytest.mark.parametrize(("columns", "expected"), ENDS.values(), ids=ENDS)
def test_a_game_ends_by_play_or_by_its_outcome(columns, expected, make):
    assert verdict_of(make(**columns), a_cup()) == expected


def test_the_third_foul_gives_the_winner_full_sets_where_the_cup_says_so():
    cup = a_cup(foul_loss_sets="full")
    by_fouls = a_game(winner="A", ended_by="fouls", sets_a=0)
    by_sets = a_game(winner="A", ended_by="sets", sets_a=2)

    assert verdict_of(by_fouls, cup) == Verdict(How.FOULS, Side.A, Pair(2, 1))
    assert verdict_of(by_sets, cup) == Verdict(How.PLAYED, Side.A, Pair(2, 1))


WON = {"winner": "A", "sets_a": 2, "ended_by": "sets"}


@pytest.mark.parametrize("gone", ["A", "B", "AB"])
@pytest.mark.parametrize(("columns", "_expected"), ENDS.values(), ids=ENDS)
def test_a_withdrawal_annuls_every_game_of_the_group(columns, _expected, gone):
    found = verdict_of(a_game(gone=gone, **columns), a_cup(withdrawn_games="annul"))

    assert found == Verdict(How.WITHDRAWN, None, LEVEL)


STANDING = [name for name in ENDS if name != "open"]


@pytest.mark.parametrize("gone", ["A", "B", "AB"])
@pytest.mark.parametrize("name", STANDING)
@pytest.mark.parametrize(
    ("make", "switch"),
    [
        (a_game, "walkover"),
        (in_the_bracket, "annul"),
        (in_the_bracket, "walkover"),
    ],
    ids=["group", "bracket", "bracket_of_walkovers"],
)
def test_what_ended_before_a_withdrawal_stands(make, switch, name, gone):
    columns, expected = ENDS[name]

    found = verdict_of(make(gone=gone, **columns), a_cup(withdrawn_games=switch))

    assert found == expected


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        ("A", Verdict(How.OPPONENT_WITHDREW, Side.B, Pair(0, 2))),
        ("B", Verdict(How.OPPONENT_WITHDREW, Side.A, Pair(2, 0))),
        ("AB", Verdict(How.BOTH_WITHDREW, None, LEVEL)),
    ],
)
@pytest.mark.parametrize(
    ("make", "switch"),
    [
        (a_game, "walkover"),
        (in_the_bracket, "annul"),
        (in_the_bracket, "walkover"),
    ],
    ids=["group", "bracket", "bracket_of_walkovers"],
)
def test_an_open_game_goes_to_whoever_stays(make, switch, gone, expected):
    assert verdict_of(make(gone=gone), a_cup(withdrawn_games=switch)) == expected


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"missing": "A"}, Verdict(How.NO_OPPONENT, Side.B, Pair(0, 2))),
        ({"missing": "B"}, Verdict(How.NO_OPPONENT, Side.A, Pair(2, 0))),
        ({"missing": "AB"}, Verdict(How.NOBODY, None, LEVEL)),
        ({"missing": "A", "gone": "B"}, Verdict(How.NOBODY, None, LEVEL)),
        ({"missing": "B", "gone": "A"}, Verdict(How.NOBODY, None, LEVEL)),
    ],
    ids=["without_a", "without_b", "empty", "a_missing_b_gone", "b_missing_a_gone"],
)
def test_a_bracket_game_short_of_a_team_is_open_until_it_is_settled(columns, expected):
    waiting = in_the_bracket(is_finished=False, **columns)
    settled = in_the_bracket(is_finished=True, **columns)

    assert verdict_of(waiting, a_cup()) is None
    assert verdict_of(settled, a_cup()) == expected


def test_a_game_of_two_present_teams_is_open_whatever_was_kept_of_it():
    stale = in_the_bracket(is_finished=True)

    assert verdict_of(stale, a_cup()) is None


@pytest.mark.parametrize(
    ("how", "counts", "by_play"),
    [
        (How.PLAYED, True, True),
        (How.FOULS, True, True),
        (How.WALKOVER, True, False),
        (How.OPPONENT_WITHDREW, True, False),
        (How.NO_OPPONENT, True, False),
        (How.BOTH_ABSENT, True, False),
        (How.BOTH_WITHDREW, True, False),
        (How.NOBODY, False, False),
        (How.ANNULLED, False, False),
        (How.WITHDRAWN, False, False),
    ],
)
def test_a_verdict_tells_whether_it_counts_and_was_played_for(how, counts, by_play):
    verdict = Verdict(how, None, LEVEL)

    assert (verdict.counts, verdict.is_by_play) == (counts, by_play)


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (a_game(), None),
        (a_game(**WON), GameResult(1, 2, 2, 1, Side.A)),
        (a_game(winner="B", ended_by="fouls"), GameResult(1, 2, 1, 1, Side.B)),
        (a_game(outcome=Outcome.WALKOVER_A), GameResult(1, 2, 2, 0, Side.A)),
        (a_game(outcome=Outcome.WALKOVER_B), GameResult(1, 2, 0, 2, Side.B)),
        (a_game(outcome=Outcome.BOTH_ABSENT), GameResult(1, 2, 0, 0, None)),
        (a_game(outcome=Outcome.ANNULLED, winner="A"), None),
        (a_game(gone="A", **WON), None),
        (a_game(missing="B", winner="A"), None),
        (in_the_bracket(missing="B", is_finished=True), None),
    ],
    ids=[
        "open",
        "won",
        "third_foul",
        "walkover_a",
        "walkover_b",
        "both_absent",
        "annulled",
        "withdrawn",
        "team_unknown",
        "no_opponent",
    ],
)
def test_the_standings_get_the_result_of_two_teams_or_nothing(game, expected):
    assert counted_result(game, a_cup()) == expected


@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        ("A", GameResult(1, 2, 0, 2, Side.B)),
        ("B", GameResult(1, 2, 2, 0, Side.A)),
        ("AB", GameResult(1, 2, 0, 0, None)),
    ],
)
def test_the_standings_get_a_walkover_from_whoever_withdrew(gone, expected):
    cup = a_cup(withdrawn_games="walkover")

    assert counted_result(a_game(gone=gone), cup) == expected
