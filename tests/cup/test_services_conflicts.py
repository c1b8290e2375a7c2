"""A group of four sends its first two; P13 is A1–B2, P14 B1–A2, P15 bronze, P16 final.

Most tests begin with P13 played, and then correct the game of A1 and A2.
"""

from __future__ import annotations

import pytest

from komppa.cup.choices import Outcome, Phase
from komppa.cup.models import Game
from komppa.cup.qualifying import knockout_of
from komppa.cup.services_conflicts import (
    annul_and_replay,
    annul_game,
    cancel_annulment,
    confirm_conflict,
    name_team,
)
from komppa.cup.services_games import set_outcome
from komppa.errors import Refusal
from komppa.sheets.services import remove_demo_cup
from scoring.sides import Side
from tests.cup.brackets import (
    conflicts,
    cup_with_bracket,
    decide,
    game_of,
    pairs,
    played_groups,
    put_first,
    team_at,
)
from tests.factories import play_out, record

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


def test_who_played_is_a_fact_and_a_correction_brings_the_game_into_conflict(cup):
    play_out(game(cup, 13))
    assert pairs(cup) == ["A1-B2", "B1-A2", "B2-?", "A1-?"]

    put_first(cup, "A2", "A1")

    assert conflicts(cup) == [13]
    assert pairs(cup) == ["A1-B2", "B1-A1", "?-?", "?-?"]
    assert game(cup, 13).deal_count == 4
    cup.refresh_from_db()
    assert cup.phase == Phase.BRACKET


def test_a_conflict_is_gone_when_the_correction_is_taken_back(in_conflict):
    put_first(in_conflict, "A1", "A2")

    assert conflicts(in_conflict) == []
    assert pairs(in_conflict) == ["A1-B2", "B1-A2", "B2-?", "A1-?"]


# Annulled, and played again by those who belong there.


def test_a_game_in_conflict_is_played_again_by_the_right_teams(in_conflict):
    old = game(in_conflict, 13)

    new = annul_and_replay(game=old, **WHY)

    assert pairs(in_conflict) == ["B1-A1", "?-?", "?-?", "A2-B2"]
    assert conflicts(in_conflict) == []
    new.refresh_from_db()
    old.refresh_from_db()
    assert (old.outcome, old.deal_count, old.team_a) == (
        Outcome.ANNULLED,
        4,
        team_at(in_conflict, "A1"),
    )
    kept = ("sets_to_win", "order", "schedule_round", "playing_table")
    placed = ("bracket_round", "bracket_position", "source_group_a", "source_rank_b")
    for name in (*kept, *placed):
        assert getattr(new, name) == getattr(old, name)
    assert (new.number, new.replays, new.deal_count) == (17, old, 0)
    assert game(in_conflict, 16).winner_of_a == new
    assert game(in_conflict, 15).loser_of_a == new
    line = in_conflict.log.first()
    assert (line.act, line.game, line.reason) == ("annul_game", old, "Tulos korjattiin")
    assert line.new == {"outcome": "annulled", "winner": None, "replay": "P17"}


def test_after_the_replay_the_bracket_goes_on_to_its_champion(in_conflict):
    new = annul_and_replay(game=game(in_conflict, 13), **WHY)
    play_out(new)
    play_out(game(in_conflict, 14))
    play_out(game(in_conflict, 15))
    play_out(game(in_conflict, 16))

    assert pairs(in_conflict) == ["B1-A1", "B2-A1", "A2-B1", "A2-B2"]
    in_conflict.refresh_from_db()
    assert in_conflict.phase == Phase.FINISHED


def test_a_replay_can_be_annulled_in_its_turn(in_conflict):
    first = annul_and_replay(game=game(in_conflict, 13), **WHY)
    play_out(first)

    second = annul_game(game=first, replay=True, **WHY)

    assert (second.number, second.replays) == (18, first)
    assert pairs(in_conflict) == ["B1-A1", "?-?", "?-?", "A2-B2"]
    assert game(in_conflict, 16).winner_of_a == second


def test_a_game_that_is_no_longer_in_conflict_is_not_annulled(in_conflict):
    put_first(in_conflict, "A1", "A2")

    for act in (annul_and_replay, confirm_conflict):
        refusal = refusal_of(act, game=game(in_conflict, 13))
        assert refusal.code == "no_conflict"
    assert game(in_conflict, 13).outcome == Outcome.PLAYED


def test_a_game_is_annulled_once(in_conflict):
    annul_and_replay(game=game(in_conflict, 13), **WHY)

    for act, more in ((annul_and_replay, {}), (annul_game, {"replay": True})):
        refusal = refusal_of(act, game=game(in_conflict, 13), **more)
        assert refusal.code == "already_annulled"
    assert in_conflict.games.filter(replays__isnull=False).count() == 1


def test_a_bracket_game_is_not_annulled_without_being_played_again(cup):
    decide(game(cup, 13))

    refusal = refusal_of(annul_game, game=game(cup, 13), replay=False)

    assert refusal.code == "bracket_needs_replay"


def test_a_bracket_game_annulled_for_another_reason_opens_what_follows(cup):
    decide(game(cup, 13))
    decide(game(cup, 14))
    record(game(cup, 16))

    annul_game(game=game(cup, 13), replay=True, **WHY)

    assert conflicts(cup) == [16]
    refusal = refusal_of(confirm_conflict, game=game(cup, 16))
    assert refusal.code == "source_open"
    decide(game(cup, 17))
    assert conflicts(cup) == []


# Confirmed as it was played.


def test_a_confirmed_game_counts_and_the_others_change_places(in_conflict):
    confirm_conflict(game=game(in_conflict, 13), **WHY)

    # A2 has won the group, and plays where A1 would by now.
    assert pairs(in_conflict) == ["A1-B2", "B1-A2", "B2-?", "A1-?"]
    assert conflicts(in_conflict) == []
    fresh = game(in_conflict, 13)
    assert (fresh.source_team_a, fresh.source_group_a, fresh.source_rank_a) == (
        team_at(in_conflict, "A1"),
        None,
        None,
    )
    names = [team_at(in_conflict, place).name for place in ("A1", "A2")]
    line = in_conflict.log.first()
    assert (line.act, line.game) == ("confirm_conflict", fresh)
    assert line.old == {"team_a": "A1", "P14": names[0]}
    assert line.new == {"team_a": names[0], "P14": names[1]}


def test_a_confirmed_game_is_not_moved_by_later_corrections(in_conflict):
    confirm_conflict(game=game(in_conflict, 13), **WHY)
    put_first(in_conflict, "A1", "A2")
    put_first(in_conflict, "A3", "A1")

    assert conflicts(in_conflict) == []
    assert pairs(in_conflict)[0] == "A1-B2"


def test_a_final_confirmed_gives_the_bronze_game_to_the_other(cup):
    for number in (13, 14):
        decide(game(cup, number))
    record(game(cup, 16))
    decide(game(cup, 13), "B")
    assert pairs(cup) == ["A1-B2", "B1-A2", "A1-A2", "A1-B1"]
    assert conflicts(cup) == [16]

    confirm_conflict(game=game(cup, 16), **WHY)

    assert pairs(cup) == ["A1-B2", "B1-A2", "B2-A2", "A1-B1"]
    assert conflicts(cup) == []


def test_a_bronze_game_confirmed_gives_the_final_to_the_other(cup):
    for number in (13, 14):
        decide(game(cup, number))
    record(game(cup, 15))
    decide(game(cup, 13), "B")
    assert conflicts(cup) == [15]

    confirm_conflict(game=game(cup, 15), **WHY)

    assert pairs(cup)[2:] == ["B2-A2", "A1-B1"]


def test_those_who_changed_places_within_one_game_leave_theirs_to_the_third():
    cup = cup_with_bracket(teams=4, groups=1, qualifiers_per_group=4)
    assert pairs(cup)[:2] == ["A1-A4", "A2-A3"]
    decide(game(cup, 7))
    for winner, loser in (("A4", "A1"), ("A4", "A2"), ("A4", "A3"), ("A3", "A2")):
        put_first(cup, winner, loser)
    # The order is A4 A1 A3 A2 by now.
    assert pairs(cup)[:2] == ["A1-A4", "A1-A3"]

    confirm_conflict(game=game(cup, 7), **WHY)

    assert pairs(cup)[:2] == ["A1-A4", "A2-A3"]
    assert conflicts(cup) == []


def test_a_confirmed_team_takes_the_place_of_one_that_goes_on_no_more(cup):
    decide(game(cup, 13))
    for winner in ("A2", "A3"):
        put_first(cup, winner, "A1")
    # A2, A3, A1: whoever played goes on, and A2 has won the group in vain.
    assert pairs(cup)[:2] == ["A1-B2", "B1-A3"]

    confirm_conflict(game=game(cup, 13), **WHY)

    assert pairs(cup) == ["A1-B2", "B1-A3", "B2-?", "A1-?"]


def test_nobody_is_confirmed_into_a_second_place_that_he_has_played_in(cup):
    decide(game(cup, 13))
    put_first(cup, "A2", "A1")
    decide(game(cup, 14), "B")
    # A1 has played and won P14 as the second; P13 is his again by a correction.
    put_first(cup, "A1", "A2")
    assert conflicts(cup) == [14]
    assert pairs(cup)[:2] == ["A1-B2", "B1-A1"]

    refusal = refusal_of(confirm_conflict, game=game(cup, 14))

    assert refusal.code == "two_places"
    assert refusal.message.startswith(f"{team_at(cup, 'A1')} olisi jatkopeleissä")
    assert game(cup, 14).source_team_b is None


def test_a_game_is_not_confirmed_while_it_is_open_who_belongs_there(in_conflict):
    tie = game_of(in_conflict, "A3", "A1")
    decide(tie, team_at(in_conflict, "A3"))
    annul_game(game=tie, replay=True, **WHY)

    refusal = refusal_of(confirm_conflict, game=game(in_conflict, 13))

    assert refusal.code == "source_open"


def test_a_game_that_leads_nowhere_any_more_is_not_played_again(cup):
    for number in (13, 14):
        decide(game(cup, number))
    record(game(cup, 16))
    decide(game(cup, 13), "B")
    confirm_conflict(game=game(cup, 16), **WHY)

    refusal = refusal_of(annul_game, game=game(cup, 13), replay=True)

    assert refusal.code == "leads_nowhere"


# What holds for all of them.

ACTS = {
    "annul_game": lambda game, **why: annul_game(game=game, replay=True, **why),
    "annul_and_replay": lambda game, **why: annul_and_replay(game=game, **why),
    "confirm_conflict": lambda game, **why: confirm_conflict(game=game, **why),
    "cancel_annulment": lambda game, **why: cancel_annulment(game=game, **why),
    "name_team": lambda game, **why: name_team(
        game=game, side=Side.A, team=game.team_a, **why
    ),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize(
    ("reason", "code"), [(" ", "reason_missing"), ("x" * 301, "reason_too_long")]
)
def test_everything_wants_a_reason_that_fits(in_conflict, act, reason, code):
    refusal = refusal_of(ACTS[act], game=game(in_conflict, 13), reason=reason)

    assert refusal.code == code
    assert conflicts(in_conflict) == [13]


@pytest.mark.parametrize("act", ACTS)
def test_an_archived_cup_stays_as_it_is(in_conflict, act):
    type(in_conflict).objects.update(visibility="archived")

    assert refusal_of(ACTS[act], game=game(in_conflict, 13)).code == "archived"


@pytest.mark.parametrize("act", ACTS)
def test_a_game_that_is_gone_is_said_to_be_gone(in_conflict, act):
    gone = game(in_conflict, 13)
    gone.pk = 999_999

    assert refusal_of(ACTS[act], game=gone).code == "game_gone"


def test_a_game_both_of_whose_teams_were_absent_is_in_conflict_as_any_other(cup):
    set_outcome(
        game=game(cup, 13), outcome=Outcome.BOTH_ABSENT, seen=Outcome.PLAYED, **WHY
    )
    put_first(cup, "A2", "A1")

    assert conflicts(cup) == [13]
    new = annul_and_replay(game=game(cup, 13), **WHY)
    assert {new.pk} == set(
        Game.objects.filter(replays__isnull=False).values_list("pk", flat=True)
    )
    assert pairs(cup)[3] == "A2-B2"


def test_a_demo_cup_with_a_game_played_again_can_be_removed(in_conflict):
    annul_and_replay(game=game(in_conflict, 13), **WHY)
    type(in_conflict).objects.filter(pk=in_conflict.pk).update(is_demo=True)

    remove_demo_cup(cup=in_conflict, by=None)

    assert Game.objects.count() == 0


def test_states_without_a_bracket_are_none():
    assert knockout_of(played_groups(teams=4, groups=2)) == {}
