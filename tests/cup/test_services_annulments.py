"""A game annulled, in a group or the bracket, and its annulment taken back."""

from __future__ import annotations

import pytest

from komppa.cup.choices import Outcome
from komppa.cup.queries import group_standings
from komppa.cup.services_conflicts import (
    annul_and_replay,
    annul_game,
    cancel_annulment,
)
from komppa.errors import Refusal
from tests.cup.brackets import (
    conflicts,
    cup_with_bracket,
    decide,
    game_of,
    pairs,
    put_first,
    team_at,
)
from tests.factories import drawn_cup, play_out, record, tied_group

pytestmark = pytest.mark.django_db

WHY = {"by": None, "reason": "Tulos korjattiin"}


def refusal_of(act, **facts):
    with pytest.raises(Refusal) as refused:
        act(**{**WHY, **facts})
    return refused.value


def game(cup, number):
    return cup.games.get(number=number)


@pytest.fixture
def cup():
    return cup_with_bracket(teams=8, groups=2)


@pytest.fixture
def in_conflict(cup):
    """P13 has been won by A1, who turns out to have been second in the group."""
    play_out(game(cup, 13))
    put_first(cup, "A2", "A1")
    return cup


def test_an_annulment_taken_back_brings_all_back(in_conflict):
    before = pairs(in_conflict)
    annul_and_replay(game=game(in_conflict, 13), **WHY)

    cancel_annulment(game=game(in_conflict, 13), **WHY)

    assert (pairs(in_conflict), conflicts(in_conflict)) == (before, [13])
    assert not in_conflict.games.filter(number=17).exists()
    assert game(in_conflict, 16).winner_of_a == game(in_conflict, 13)
    line = in_conflict.log.first()
    assert (line.act, line.old["replay"]) == ("cancel_annulment", "P17")


def test_an_annulment_stands_once_the_new_game_has_begun(in_conflict):
    new = annul_and_replay(game=game(in_conflict, 13), **WHY)
    record(new)

    refusal = refusal_of(cancel_annulment, game=game(in_conflict, 13))

    assert refusal.code == "replay_begun"
    assert game(in_conflict, 13).outcome == Outcome.ANNULLED


def test_a_walkover_that_was_annulled_is_a_walkover_again(cup):
    decide(game(cup, 13), "B")
    annul_game(game=game(cup, 13), replay=True, **WHY)
    assert game(cup, 13).outcome == Outcome.ANNULLED

    cancel_annulment(game=game(cup, 13), **WHY)

    assert game(cup, 13).outcome == Outcome.WALKOVER_B
    assert pairs(cup)[2:] == ["A1-?", "B2-?"]


def test_what_was_not_annulled_is_not_taken_back(cup):
    refusal = refusal_of(cancel_annulment, game=game(cup, 13))

    assert refusal.code == "not_annulled"


# Games of the groups.


def test_a_group_game_annulled_is_played_again_by_the_same_two():
    cup = drawn_cup(teams=3)
    old = play_out(cup.games.first())

    new = annul_game(game=old, replay=True, **WHY)

    assert (new.number, new.order, new.replays) == (4, old.order, old)
    assert (new.team_a, new.team_b, new.group) == (old.team_a, old.team_b, old.group)
    (standing,) = group_standings(cup)
    assert [(row.played, row.won) for row in standing.rows] == [(0, 0)] * 3
    play_out(new, "B")
    (standing,) = group_standings(cup)
    assert standing.rows[0].team == old.team_b


def test_a_group_game_annulled_and_left_out_is_missing():
    group = tied_group()
    (standing,) = group_standings(group.cup)
    assert standing.is_complete

    annul_game(game=group.games.first(), replay=False, **WHY)

    (standing,) = group_standings(group.cup)
    assert (standing.is_complete, len(standing.lots_needed)) == (True, 0)
    assert sum(row.played for row in standing.rows) == 4
    assert group.cup.games.count() == 3


def test_a_group_game_annulled_after_the_bracket_was_made_opens_its_places(cup):
    decide(game(cup, 13))

    new = annul_game(game=game_of(cup, "A1", "A2"), replay=True, **WHY)

    assert new.number == 17
    assert conflicts(cup) == [13]
    assert pairs(cup)[1] == "B1-?"
    decide(new, team_at(cup, "A1"))
    assert conflicts(cup) == []
    assert pairs(cup) == ["A1-B2", "B1-A2", "B2-?", "A1-?"]


def test_an_annulled_group_game_counts_again_when_that_is_taken_back():
    cup = drawn_cup(teams=3)
    old = play_out(cup.games.first())
    annul_game(game=old, replay=True, **WHY)

    cancel_annulment(game=old, **WHY)

    (standing,) = group_standings(cup)
    assert standing.rows[0].team == old.team_a
    assert cup.games.count() == 3


def test_a_game_that_nobody_has_begun_has_nothing_to_be_played_again():
    refusal = refusal_of(annul_game, game=drawn_cup(teams=3).games.first(), replay=True)

    assert refusal.code == "not_begun"


def test_a_game_that_will_not_be_played_is_annulled_without_having_begun():
    cup = drawn_cup(teams=3)

    annul_game(game=cup.games.first(), replay=False, **WHY)

    assert cup.games.filter(is_finished=True).count() == 1
