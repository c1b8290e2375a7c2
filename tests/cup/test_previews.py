from __future__ import annotations

from threading import Barrier, Thread
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, connections

from komppa.announce import listen
from komppa.cup import services
from komppa.cup.choices import Outcome
from komppa.cup.models import Cup, Game
from komppa.cup.previews import (
    GamePicture,
    Moved,
    RowPicture,
    compare,
    picture_of,
    preview,
)
from komppa.cup.qualifying import bracket_games
from komppa.cup.services_changes import cancel_withdrawal, rename_team, withdraw_team
from komppa.cup.services_conflicts import annul_game, confirm_conflict
from komppa.errors import Refusal
from komppa.sheets.services import DealConflict, take_back_deal
from scoring.sides import Pair, Side
from tests.cup.brackets import cup_with_bracket, decide, game_of, played_groups, team_at
from tests.factories import drawn_cup, end, play_out, record, settle

pytestmark = pytest.mark.django_db

TOLD = {"by": None, "reason": "Väärin kirjattu"}


def everything():
    """Return every row of what we keep."""
    return {
        model.__name__: list(model._base_manager.order_by("pk").values())
        for label in ("cup", "sheets")
        for model in apps.get_app_config(label).get_models()
    }


def bracket_of(cup):
    return list(bracket_games(cup).order_by("number"))


def cup_in_its_final():
    """Return a cup whose semi-finals are decided and whose final has begun."""
    cup = cup_with_bracket(teams=8, groups=2)
    first, second, _bronze, final = bracket_of(cup)
    decide(first)
    decide(second)
    record(final)
    return cup


def take_back_last(game):
    last = game.deal_entries.latest("pk")
    return take_back_deal(
        game=game, number=last.number, version=last.version, key=uuid4(), by=None
    )


def semi_final(cup):
    return bracket_of(cup)[0]


ACTS = {
    "correct_a_group": lambda cup: decide(game_of(cup, "A1", "A2"), team_at(cup, "A2")),
    "reopen_a_group": lambda cup: end(game_of(cup, "A3", "A4"), Outcome.PLAYED),
    "withdraw": lambda cup: withdraw_team(team=team_at(cup, "B1"), **TOLD),
    "correct_a_semi_final": lambda cup: decide(semi_final(cup), "B"),
    "play_a_semi_final_again": lambda cup: annul_game(
        game=semi_final(cup), replay=True, **TOLD
    ),
    "take_back_a_deal": lambda cup: take_back_last(bracket_of(cup)[-1]),
    "win_the_final": lambda cup: decide(bracket_of(cup)[-1]),
    "rename": lambda cup: rename_team(team=team_at(cup, "A1"), name="Uusi", **TOLD),
}


@pytest.mark.database
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_a_preview_is_what_the_act_then_does(act):
    cup = cup_in_its_final()
    before = picture_of(cup)

    shown = preview(cup, lambda: act(cup))
    assert picture_of(cup) == before
    act(cup)

    assert shown == compare(before, picture_of(cup))
    assert shown


@pytest.mark.database
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_nothing_of_a_preview_stays(act, django_capture_on_commit_callbacks):
    cup = cup_in_its_final()
    before = everything()
    heard = []
    stop = listen(lambda *told: heard.append(told))

    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        preview(cup, lambda: act(cup))
    stop()

    assert everything() == before
    assert (callbacks, heard) == ([], [])


@pytest.mark.database
def test_a_preview_inside_a_change_undoes_itself_and_nothing_else():
    cup = drawn_cup(teams=3)
    first, second, _third = cup.games.all()
    heard = []

    with services.changing(cup):
        end(first, Outcome.BOTH_ABSENT)
        preview(cup, lambda: end(second, Outcome.BOTH_ABSENT))
        heard += cup.games.filter(outcome=Outcome.BOTH_ABSENT)

    assert heard == [first]
    assert list(cup.games.filter(is_finished=True)) == [first]


@pytest.mark.database
@pytest.mark.parametrize(
    ("act", "error"),
    [
        (lambda cup: decide(bracket_of(cup)[0], "A"), Refusal),
        (
            lambda cup: take_back_deal(
                game=bracket_of(cup)[-1], number=7, version=1, key=uuid4(), by=None
            ),
            DealConflict,
        ),
        (lambda cup: 1 // 0, ZeroDivisionError),
        (
            lambda cup: Game.objects.filter(cup=cup).update(number=1),
            IntegrityError,
        ),
    ],
    ids=["refused", "conflict", "our_fault", "the_database"],
)
def test_a_preview_raises_as_the_act_does_and_nothing_stays(act, error):
    cup = cup_in_its_final()
    before = everything()

    with pytest.raises(error):
        preview(cup, lambda: act(cup))

    assert everything() == before
    assert connection.needs_rollback is False


# What it shows.


def test_a_change_that_moves_nothing_has_no_moves():
    cup = drawn_cup(teams=3)

    shown = preview(cup, lambda: services.add_team(cup=cup, name="Uusi", by=None))

    assert not shown
    assert (shown.games, shown.rows, shown.slots, shown.champion) == ((), (), (), None)


def test_a_corrected_group_moves_its_game_rows_and_slots():
    cup = cup_with_bracket(teams=4, groups=2)
    game = game_of(cup, "A1", "A2")
    a1, a2 = team_at(cup, "A1").name, team_at(cup, "A2").name
    b1, b2 = team_at(cup, "B1").name, team_at(cup, "B2").name
    first, second, *_later = bracket_of(cup)

    shown = preview(cup, lambda: decide(game, team_at(cup, "A2")))

    corrected, *followed = shown.games
    assert corrected.key == game.number
    assert (corrected.old.winner_name, corrected.new.winner_name) == (a1, a2)
    assert corrected.old.sets == corrected.new.sets.swapped
    names = {moved.key: moved.new.names for moved in followed}
    assert names == {first.number: Pair(a2, b2), second.number: Pair(b1, a1)}
    assert {moved.key: (moved.old.rank, moved.new.rank) for moved in shown.rows} == {
        ("A", a1): (1, 2),
        ("A", a2): (2, 1),
    }
    assert shown.slots == (
        Moved((first.number, Side.A), a1, a2),
        Moved((second.number, Side.B), a2, a1),
    )
    assert (shown.conflicts, shown.champion) == ((), None)


def test_a_game_open_again_shows_the_running_set():
    cup = drawn_cup(teams=2)
    game = play_out(cup.games.get(), loser_sets=1)
    names = Pair(game.team_a.name, game.team_b.name)

    (moved,) = preview(cup, lambda: take_back_last(game)).games

    won = GamePicture(names, Pair(2, 1), Pair(0, 0), Side.A, "played", False)
    in_play = GamePicture(names, Pair(1, 1), Pair(6, 0), None, "", False)
    assert (moved.old, moved.new) == (won, in_play)


def test_a_game_broken_off_shows_no_running_set_any_more():
    cup = drawn_cup(teams=2)
    game = cup.games.get()
    record(game)

    (moved,) = preview(cup, lambda: end(game, Outcome.WALKOVER_B)).games

    assert (moved.old.points, moved.new.points) == (Pair(2, 0), Pair(0, 0))
    assert (moved.old.how, moved.new.how) == ("", "walkover")


def test_a_withdrawn_team_is_shown_to_leave_the_order():
    cup = played_groups(teams=3, groups=1)
    gone = team_at(cup, "A1")

    shown = preview(cup, lambda: withdraw_team(team=gone, **TOLD))

    rows = {moved.key: moved for moved in shown.rows}
    own = rows["A", gone.name]
    assert own.old == RowPicture(1, False, 2, 0, 4, 0)
    assert own.new == RowPicture(None, False, 0, 0, 0, 0)
    assert {moved.new.how for moved in shown.games} == {"withdrawn"}


def test_games_that_come_into_conflict_are_named_and_those_that_leave_it():
    cup = cup_in_its_final()
    first, _second, bronze, final = bracket_of(cup)

    shown = preview(cup, lambda: decide(first, "B"))
    assert (shown.conflicts, shown.settled_conflicts) == ((final.number,), ())
    decide(first, "B")
    elsewhere = preview(cup, lambda: decide(bronze))
    assert (elsewhere.conflicts, elsewhere.settled_conflicts) == ((), ())
    back = preview(cup, lambda: decide(first, "A"))

    assert (back.conflicts, back.settled_conflicts) == ((), (final.number,))
    confirmed = preview(cup, lambda: confirm_conflict(game=final, **TOLD))
    assert (confirmed.conflicts, confirmed.settled_conflicts) == ((), (final.number,))


def test_a_champion_won_lost_and_changed_is_shown():
    cup = cup_with_bracket(teams=4, groups=2, bronze_game=False)
    first, second, final = bracket_of(cup)
    a1, b1 = team_at(cup, "A1").name, team_at(cup, "B1").name
    decide(first)
    decide(second)

    crowned = preview(cup, lambda: decide(final))
    decide(final)
    changed = preview(cup, lambda: decide(final, "B"))
    lost = preview(cup, lambda: end(final, Outcome.PLAYED))

    assert crowned.champion == Moved("champion", "", a1)
    assert changed.champion == Moved("champion", a1, b1)
    assert lost.champion == Moved("champion", a1, "")


def test_a_game_made_by_the_act_has_no_old_and_one_taken_away_no_new():
    cup = cup_in_its_final()
    semi = semi_final(cup)

    shown = preview(cup, lambda: ACTS["play_a_semi_final_again"](cup))
    new = max(moved.key for moved in shown.games)

    made = {moved.key: moved for moved in shown.games}
    assert (made[new].old, made[semi.number].new.how) == (None, "annulled")
    assert {moved.key for moved in shown.slots if moved.old is None} == {
        (new, Side.A),
        (new, Side.B),
    }
    assert {moved.key for moved in shown.slots if moved.new is None} == {
        (semi.number, Side.A),
        (semi.number, Side.B),
    }


def test_the_caller_s_old_picture_of_the_cup_is_not_looked_at():
    cup = played_groups(teams=3, groups=1)
    withdraw_team(team=team_at(cup, "A1"), **TOLD)
    old = Cup.objects.get(pk=cup.pk)
    Cup.objects.filter(pk=cup.pk).update(withdrawn_games="walkover")

    # Under the switch that he knows of, the games of the withdrawn count for nobody.
    assert not preview(old, lambda: settle(cup))


def test_taking_back_what_was_previewed_moves_nothing_in_the_end():
    cup = cup_in_its_final()
    gone = team_at(cup, "B1")

    def there_and_back():
        withdraw_team(team=gone, **TOLD)
        cancel_withdrawal(team=gone, **TOLD)

    assert not preview(cup, there_and_back)


@pytest.mark.parametrize(
    ("teams", "groups"), [(4, 2), (24, 8)], ids=["four_games", "sixteen_games"]
)
def test_a_picture_takes_the_same_queries_for_any_cup(
    teams, groups, django_assert_num_queries
):
    cup = cup_with_bracket(teams=teams, groups=groups)

    with django_assert_num_queries(8):
        picture = picture_of(cup)

    assert len(picture.rows) == teams


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_previews_and_an_act_at_once_leave_the_act_alone():
    cup = drawn_cup(teams=3)
    games = list(cup.games.all())
    barrier = Barrier(3)
    came_to = []

    def run(act):
        try:
            barrier.wait(timeout=20)
            came_to.append(act())
        finally:
            connections.close_all()

    acts = [
        lambda: preview(cup, lambda: end(games[0], Outcome.BOTH_ABSENT)).games[0].key,
        lambda: preview(cup, lambda: end(games[1], Outcome.BOTH_ABSENT)).games[0].key,
        lambda: end(games[2], Outcome.BOTH_ABSENT).number,
    ]
    threads = [Thread(target=run, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(came_to) == [1, 2, 3]
    assert [game.number for game in cup.games.filter(is_finished=True)] == [3]
    cup.refresh_from_db()
    assert cup.revision == 4
