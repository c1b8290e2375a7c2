"""The same act on the bracket twice at the same moment: one effect, and a refusal."""

from __future__ import annotations

import pytest

from komppa.cup.bracket_offers import offer_of
from komppa.cup.models import Game, Lot
from komppa.cup.qualifying import bracket_games
from komppa.cup.services_bracket import (
    draw_lot_across,
    make_bracket,
    remove_bracket,
)
from komppa.cup.services_conflicts import (
    annul_and_replay,
    annul_game,
    cancel_annulment,
    confirm_conflict,
)
from komppa.errors import Refusal
from tests.cup.brackets import (
    conflicts,
    cup_with_bracket,
    decide,
    game_of,
    pairs,
    played_groups,
    team_at,
)
from tests.cup.test_admin_races import at_once, once_and_refused
from tests.factories import play_out, record

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]

WHY = {"by": None, "reason": "Tulos korjattiin"}


@pytest.fixture
def in_conflict():
    cup = cup_with_bracket(teams=8, groups=2)
    decide(cup.games.get(number=13))
    decide(game_of(cup, "A1", "A2"), team_at(cup, "A2"))
    return cup


def test_making_the_bracket_at_once_makes_it_once():
    cup = played_groups(teams=8, groups=2)
    stamp = offer_of(cup).stamp

    came_to = at_once(
        lambda: make_bracket(cup=cup, table_count=2, by=None, stamp=stamp)
    )

    assert came_to == once_and_refused("bracket_exists")
    numbers = cup.games.order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, 17))


def test_removing_the_bracket_at_once_removes_it_once():
    cup = cup_with_bracket(teams=8, groups=2)

    came_to = at_once(lambda: remove_bracket(cup=cup, **WHY))

    assert came_to == once_and_refused("no_bracket")
    assert cup.games.count() == 12


def test_removing_the_bracket_and_beginning_it_at_once_does_one_of_them():
    cup = cup_with_bracket(teams=8, groups=2)
    first = cup.games.get(number=13)
    acts = iter(
        [lambda: remove_bracket(cup=cup, **WHY), lambda: decide_if_there(first)] * 2
    )

    came_to = at_once(lambda: next(acts)())

    if bracket_games(cup).exists():
        # The other two decided or removed after that, in vain.
        assert sorted(came_to) == sorted(
            ["done", "bracket_begun", "bracket_begun", "nothing_changed"]
        )
    else:
        assert sorted(came_to) == sorted(["done", "no_bracket", "gone", "gone"])


def decide_if_there(game):
    try:
        decide(game)
    except Game.DoesNotExist as gone:
        raise Refusal("gone", code="gone") from gone
    except Refusal as refusal:
        code = "gone" if refusal.code == "game_gone" else refusal.code
        # Whoever read the first one's outcome wants the same once more.
        code = "nothing_changed" if code == "outcome_changed" else code
        raise Refusal(refusal.message, code=code) from refusal


def test_drawing_the_lot_between_groups_at_once_draws_it_once():
    cup = played_groups(teams=6, groups=2, best_next=1)
    ids = [team_at(cup, "A3").pk, team_at(cup, "B3").pk]

    came_to = at_once(lambda: draw_lot_across(cup=cup, team_ids=ids, by=None))

    assert came_to == once_and_refused("no_such_tie")
    assert Lot.objects.count() == 1


@pytest.mark.parametrize(
    "annul",
    [annul_and_replay, lambda **facts: annul_game(replay=True, **facts)],
    ids=["in_conflict", "at_will"],
)
def test_annulling_one_game_at_once_makes_one_replay(in_conflict, annul):
    game = in_conflict.games.get(number=13)

    came_to = at_once(lambda: annul(game=game, **WHY))

    assert came_to == once_and_refused("already_annulled")
    assert in_conflict.games.filter(replays__isnull=False).count() == 1


def test_confirming_one_game_at_once_confirms_it_once(in_conflict):
    game = in_conflict.games.get(number=13)

    came_to = at_once(lambda: confirm_conflict(game=game, **WHY))

    assert came_to == once_and_refused("no_conflict")
    assert pairs(in_conflict)[:2] == ["A1-B2", "B1-A2"]
    assert in_conflict.log.filter(act="confirm_conflict").count() == 1


def test_annulling_and_confirming_at_once_does_one_of_them(in_conflict):
    game = in_conflict.games.get(number=13)
    acts = iter([annul_and_replay, confirm_conflict] * 2)

    came_to = at_once(lambda: next(acts)(game=game, **WHY))

    assert came_to.count("done") == 1
    assert set(came_to) <= {"done", "already_annulled", "no_conflict"}
    assert conflicts(in_conflict) == []


def test_taking_an_annulment_back_at_once_does_it_once(in_conflict):
    game = in_conflict.games.get(number=13)
    annul_game(game=game, replay=True, **WHY)

    came_to = at_once(lambda: cancel_annulment(game=game, **WHY))

    assert came_to == once_and_refused("not_annulled")
    assert in_conflict.games.count() == 16


def test_two_semi_finals_won_at_once_both_move_on():
    cup = cup_with_bracket(teams=8, groups=2)
    games = iter(list(cup.games.filter(number__in=[13, 14])) + [None] * 2)

    def finish():
        game = next(games)
        if game is None:
            raise Refusal("idle", code="idle")
        play_out(game)

    came_to = at_once(finish)

    assert came_to == ["done", "done", "idle", "idle"]
    assert pairs(cup) == ["A1-B2", "B1-A2", "B2-A2", "A1-B1"]


def test_a_deal_and_an_annulment_at_once_leave_the_deal_on_record(in_conflict):
    game = in_conflict.games.get(number=14)
    record(game)
    acts = iter(
        [
            lambda: record(game),
            lambda: annul_game(game=game, replay=True, **WHY),
            lambda: record(game),
            lambda: record(game),
        ]
    )

    at_once(lambda: next(acts)())

    game.refresh_from_db()
    assert game.outcome == "annulled"
    assert game.deal_entries.count() == game.deal_count
    assert in_conflict.games.filter(replays=game).count() == 1
