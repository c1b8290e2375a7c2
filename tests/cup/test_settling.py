from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from komppa.cup import services
from komppa.cup.changes import changing
from komppa.cup.choices import Outcome, Phase
from komppa.cup.knockout import UNKNOWN
from komppa.cup.models import Cup, Game, GameSeat
from komppa.cup.qualifying import bracket_games, knockout_of
from komppa.cup.queries import games_of, group_standings
from komppa.cup.services_changes import cancel_withdrawal, withdraw_team
from komppa.cup.services_conflicts import (
    annul_game,
    cancel_annulment,
    confirm_conflict,
)
from komppa.cup.settling import consequences
from komppa.cup.verdicts import verdict_of
from komppa.errors import Refusal
from tests.cup.brackets import (
    conflicts,
    cup_with_bracket,
    decide,
    game_of,
    made_bracket,
    pairs,
    played_groups,
    team_at,
)
from tests.factories import (
    SIX_FOR_A,
    CupFactory,
    drawn_cup,
    end,
    play_out,
    record,
    settle,
    sheet,
)

pytestmark = pytest.mark.django_db


def bracket_of(cup):
    return list(bracket_games(cup).order_by("number"))


def finished(cup):
    """Return the numbers of the games kept as finished."""
    return sorted(cup.games.filter(is_finished=True).values_list("number", flat=True))


def phase_of(cup):
    return Cup.objects.get(pk=cup.pk).phase


def differences(cup):
    """Return what is kept otherwise than the facts have it."""
    fresh = Cup.objects.get(pk=cup.pk)
    found = consequences(fresh)
    wrong = [(str(row.game), row.differences) for row in found.rows if row.differences]
    return wrong + ([] if fresh.phase == found.phase else ["phase"])


def updates_of_games(act):
    with CaptureQueriesContext(connection) as queries:
        act()
    return [q["sql"] for q in queries if q["sql"].startswith('UPDATE "cup_game"')]


# Games that are over.


def test_a_game_is_over_from_its_last_deal():
    cup = drawn_cup(teams=3)
    game = cup.games.first()
    record(game)
    assert finished(cup) == []

    play_out(cup.games.last())

    assert finished(cup) == [3]


@pytest.mark.parametrize(
    "outcome", [o for o in Outcome if o is not Outcome.PLAYED], ids=str
)
def test_a_game_is_over_by_its_outcome(outcome):
    cup = drawn_cup(teams=3)

    end(cup.games.first(), outcome)

    assert finished(cup) == [1]


def test_a_game_is_open_again_when_its_outcome_is_taken_back():
    cup = drawn_cup(teams=3)
    end(cup.games.first(), Outcome.BOTH_ABSENT)

    end(cup.games.first(), Outcome.PLAYED)

    assert finished(cup) == []


@pytest.mark.parametrize("switch", ["annul", "walkover"])
def test_the_games_of_whoever_withdraws_are_over_until_he_is_back(switch):
    cup = drawn_cup(teams=4, withdrawn_games=switch)
    gone = team_at(cup, "A1")
    own = sorted(
        game.number for game in cup.games.all() if gone in (game.team_a, game.team_b)
    )

    withdraw_team(team=gone, by=None, reason="Lähti kotiin")
    assert finished(cup) == own

    cancel_withdrawal(team=gone, by=None, reason="Tuli takaisin")
    assert finished(cup) == []


# The phase.


def test_the_phase_follows_the_cup_from_its_draw_to_its_champion_and_back():
    cup = CupFactory()
    assert phase_of(cup) == Phase.SETUP
    cup = drawn_cup(teams=4, groups=2)
    assert phase_of(cup) == Phase.GROUPS
    for group in "AB":
        decide(game_of(cup, f"{group}1", f"{group}2"), team_at(cup, f"{group}1"))
    assert phase_of(cup) == Phase.GROUPS
    made_bracket(cup)
    assert phase_of(cup) == Phase.BRACKET

    first, second, bronze, final = bracket_of(cup)
    for game in (first, second, final):
        decide(game)
    assert phase_of(cup) == Phase.BRACKET
    decide(bronze)
    assert phase_of(cup) == Phase.FINISHED

    decide(first, "B")
    assert phase_of(cup) == Phase.BRACKET


def test_the_phase_is_that_of_the_setup_when_the_games_are_gone():
    cup = drawn_cup(teams=4)

    services.cancel_draw(draw=cup.draws.get(), by=None)

    assert phase_of(cup) == Phase.SETUP


# The bracket.


def test_a_bracket_game_short_of_its_opponent_is_over_with_both_who_could_come():
    cup = cup_with_bracket(teams=4, groups=2)
    first, second, bronze, final = bracket_of(cup)

    end(first, Outcome.BOTH_ABSENT)
    decide(second)

    assert set(finished(cup)) >= {bronze.number, final.number}
    final.refresh_from_db()
    assert (final.team_a, final.team_b) == (None, team_at(cup, "B1"))
    end(first, Outcome.PLAYED)
    assert final.number not in finished(cup)


def test_the_team_of_a_game_begun_stays_whatever_its_source_says():
    cup = cup_with_bracket(teams=8, groups=2)
    first, *_later = bracket_of(cup)
    record(first)

    decide(game_of(cup, "A1", "A2"), team_at(cup, "A2"))

    assert pairs(cup)[:2] == ["A1-B2", "B1-A1"]
    assert conflicts(cup) == [first.number]


def seat(game):
    """Let the game's players sit down before its first deal."""
    game.refresh_from_db()
    seats = {
        f"{letter}{player.position}": player
        for letter, team in (("A", game.team_a), ("B", game.team_b))
        for player in team.players.all()
    }
    services.seat_players(game=game, seats=seats, by=None)


def seats_of(game):
    return GameSeat.objects.filter(game=game).count()


def test_seats_go_with_the_team_that_was_to_sit_there():
    cup = cup_with_bracket(teams=8, groups=2)
    first, second, *_later = bracket_of(cup)
    seat(first)
    seat(second)

    # B2 and B3 change places: only one of the games has another team.
    decide(game_of(cup, "B2", "B3"), team_at(cup, "B3"))

    assert pairs(cup)[:2] == ["A1-B3", "B1-A2"]
    assert (seats_of(first), seats_of(second)) == (0, 4)


def test_seats_go_when_it_is_open_again_who_plays():
    cup = cup_with_bracket(teams=8, groups=2)
    first = bracket_of(cup)[0]
    seat(first)

    end(game_of(cup, "A3", "A4"), Outcome.PLAYED)

    assert (pairs(cup)[0], seats_of(first)) == ("?-B2", 0)


def test_seats_of_a_game_begun_stay_with_those_who_played_it():
    cup = cup_with_bracket(teams=8, groups=2)
    first = bracket_of(cup)[0]
    record(first)

    end(game_of(cup, "A3", "A4"), Outcome.PLAYED)

    assert (pairs(cup)[0], seats_of(first)) == ("A1-B2", 4)


def test_seats_stay_when_the_game_ends():
    cup = cup_with_bracket(teams=4, groups=2)
    first, second, *_later = bracket_of(cup)
    seat(second)

    play_out(first)
    end(second, Outcome.BOTH_ABSENT)

    assert (seats_of(first), seats_of(second)) == (4, 4)


# What is written, and how.


def test_asking_for_the_consequences_writes_nothing():
    cup = cup_with_bracket(teams=4, groups=2)
    Game.objects.filter(cup=cup).update(is_finished=False, team_a=None)

    with CaptureQueriesContext(connection) as queries:
        found = consequences(cup)

    assert all(query["sql"].startswith("SELECT") for query in queries)
    assert any(row.differences for row in found.rows)


def test_a_change_that_moves_no_game_writes_none():
    cup = cup_with_bracket(teams=4, groups=2)

    updates = updates_of_games(lambda: settle(cup))

    assert updates == []


def test_a_change_writes_only_the_rows_that_differ():
    cup = cup_with_bracket(teams=8, groups=2)
    first, *_later = bracket_of(cup)

    updates = updates_of_games(lambda: decide(first))

    # Its outcome; that it is over; and who comes to the final and the bronze game.
    assert len(updates) == 4


def test_whatever_is_kept_wrongly_is_written_anew_by_the_next_change():
    cup = cup_with_bracket(teams=4, groups=2)
    kept = [(g.is_finished, g.team_a_id, g.team_b_id) for g in bracket_of(cup)]
    bracket_games(cup).update(is_finished=True, team_a=None, team_b=None)
    cup.games.filter(group__isnull=False).update(is_finished=False)
    Cup.objects.filter(pk=cup.pk).update(phase=Phase.SETUP)
    assert differences(cup)

    settle(cup)

    assert differences(cup) == []
    now = [(g.is_finished, g.team_a_id, g.team_b_id) for g in bracket_of(cup)]
    assert (now, phase_of(cup)) == (kept, Phase.BRACKET)


def test_what_a_failed_change_would_have_settled_is_not_kept():
    cup = drawn_cup(teams=3)

    def fail():
        with changing(cup) as locked:
            locked.games.update(outcome=Outcome.BOTH_ABSENT)
            settle(locked)
            assert finished(cup) == [1, 2, 3]
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    assert (finished(cup), differences(cup)) == ([], [])


def test_another_cup_is_left_alone():
    cup = drawn_cup(teams=3)
    Game.objects.filter(cup=cup).update(is_finished=True)

    settle(drawn_cup(teams=3))

    assert finished(cup) == [1, 2, 3]


@pytest.mark.parametrize(
    ("teams", "groups"), [(2, 1), (8, 1), (24, 8)], ids=["one", "many", "many_groups"]
)
def test_settling_the_groups_takes_the_same_queries_for_any_cup(
    teams, groups, django_assert_num_queries
):
    cup = played_groups(teams=teams, groups=groups)

    with django_assert_num_queries(6), changing(cup):
        pass


@pytest.mark.parametrize(
    ("teams", "groups"), [(4, 2), (24, 8)], ids=["four_games", "sixteen_games"]
)
def test_settling_a_bracket_takes_the_same_queries_for_any_cup(
    teams, groups, django_assert_num_queries
):
    cup = cup_with_bracket(teams=teams, groups=groups)

    with django_assert_num_queries(11), changing(cup):
        pass


# Anything in any order.


def held(act):
    """Do it if it can be done."""
    try:
        act()
    except Refusal:
        return False
    return True


def assert_all_agree(cup):
    """The rows, the bracket and the verdicts say the same of every game."""
    assert differences(cup) == []
    fresh = Cup.objects.get(pk=cup.pk)
    states = knockout_of(fresh)
    for game in games_of(fresh):
        verdict = verdict_of(game, fresh)
        assert game.is_finished is (verdict is not None)
        if (state := states.get(game.pk)) is None:
            continue
        assert state.is_over is game.is_finished
        assert (state.teams.a, state.teams.b) == (game.team_a_id, game.team_b_id)
        if state.in_conflict:
            assert state.winner == state.loser == UNKNOWN
        elif verdict is not None:
            winner = game.teams[verdict.winner] if verdict.winner else None
            assert state.winner.team == (winner and winner.pk)


def draw_every_lot(cup):
    for standing in group_standings(cup):
        for tied in standing.lots_needed:
            ids = [team.pk for team in tied]
            services.draw_lot(group=standing.group, team_ids=ids, by=None)


def act_of(cup, dice):
    """Return something to do with the cup, as the dice fall."""
    games = list(cup.games.filter(group__isnull=dice.random() < 0.7))
    game, team = dice.choice(games), dice.choice(list(cup.teams.order_by("pk")))
    outcome = dice.choice([o for o in Outcome if o is not Outcome.ANNULLED])
    told = {"by": None, "reason": "Sattui ja tapahtui"}
    return dice.choices(
        [
            lambda: end(game, outcome),
            lambda: record(game),
            lambda: play_out(game, dice.choice("AB")),
            lambda: withdraw_team(team=team, **told),
            lambda: cancel_withdrawal(team=team, **told),
            lambda: annul_game(game=game, replay=True, **told),
            lambda: cancel_annulment(game=game, **told),
            lambda: confirm_conflict(game=game, **told),
            lambda: draw_every_lot(cup),
        ],
        weights=[9, 2, 2, 1, 3, 1, 1, 3, 4],
    )[0]


@pytest.mark.parametrize("switch", ["annul", "walkover"])
@pytest.mark.parametrize("seed", [1, 2])
def test_rows_bracket_and_verdicts_agree_whatever_happens(switch, seed):
    dice = random.Random(f"{switch} {seed}")
    cup = cup_with_bracket(teams=7, groups=2, withdrawn_games=switch)
    done = 0

    for _number in range(30):
        done += held(act_of(cup, dice))
        assert_all_agree(cup)

    # Else nothing has been tried.
    assert done >= 5


# At the same moment.


def at_once(*acts):
    """Run the acts in threads that start together, each on its own connection."""
    gate = Barrier(len(acts))

    def run(act):
        gate.wait(timeout=20)
        try:
            return held(act)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_both_winners_come_to_the_final_when_their_games_end_at_once():
    cup = cup_with_bracket(teams=4, groups=2)
    first, second, *_later = bracket_of(cup)
    six = sheet(**SIX_FOR_A)
    for game in (first, second):
        for _time in range(3):
            record(game, six)

    came_to = at_once(lambda: record(first, six), lambda: record(second, six))

    assert came_to == [True, True]
    assert pairs(cup)[2:] == ["B2-A2", "A1-B1"]
    assert differences(cup) == []


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_correction_and_the_first_deal_at_once_end_in_one_of_two_orders():
    cup = cup_with_bracket(teams=8, groups=2)
    first, *_later = bracket_of(cup)
    between, upset = game_of(cup, "A1", "A2"), team_at(cup, "A2")

    came_to = at_once(lambda: record(first), lambda: decide(between, upset))

    assert came_to == [True, True]
    # Whoever sat down first has played it; if that was before, it is in conflict.
    assert (pairs(cup)[0], conflicts(cup)) in [
        ("A1-B2", [first.number]),
        ("A2-B2", []),
    ]
    assert differences(cup) == []
    first.refresh_from_db()
    sat = {seat.player.team_id for seat in first.seats.all()}
    assert sat == {first.team_a_id, first.team_b_id}
