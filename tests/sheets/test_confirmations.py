from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from komppa.announce import listen
from komppa.cup.choices import Outcome, Visibility
from komppa.cup.models import Cup, Game, Team
from komppa.cup.queries import results_to_confirm
from komppa.errors import Refusal
from komppa.sheets.confirmations import confirm_result
from komppa.sheets.models import Confirmation, DealEntry, TableKey
from komppa.sheets.queries import confirmed_sides, course_of
from komppa.sheets.services import append_entry, record_deal, take_back_deal
from scoring.sheet import DealSheet, Foul
from scoring.sides import Side
from tests.factories import (
    SIX_FOR_A,
    OrganiserFactory,
    ScorekeeperFactory,
    agree,
    drawn_cup,
    end,
    play_out,
    record,
    sheet,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    return play_out(drawn_cup().games.order_by("number").first())


def confirm(game: Game, side: str = "A", *, by=None, **changes) -> Confirmation:
    newest = game.deal_entries.latest("pk")
    seen = {"number": newest.number, "version": newest.version, **changes}
    return confirm_result(game=game, side=Side(side), by=by, **seen)


def take_back(game: Game, by=None):
    last = course_of(game).last.entry
    seen = {"number": last.number, "version": last.version}
    return take_back_deal(game=game, key=uuid4(), by=by, **seen)


def revision(game: Game) -> int:
    return Cup.objects.get(pk=game.cup_id).revision


# Agreeing.


def test_a_confirmation_is_kept_with_the_team_the_deals_and_who_wrote_it(game):
    user = ScorekeeperFactory()

    confirm(game, "B", by=user)

    kept = Confirmation.objects.get()
    assert (kept.game, kept.team, kept.confirmed_by) == (game, game.team_b, user)
    assert (kept.number, kept.version) == (4, 1)
    assert kept.table_key is None
    assert confirmed_sides(game) == {Side.B: kept}


def test_a_table_s_own_device_confirms_without_a_person(game):
    key = TableKey.objects.create(playing_table=game.playing_table, key_hash="x")
    newest = game.deal_entries.latest("pk")

    confirm_result(
        game=game,
        side=Side.A,
        number=newest.number,
        version=newest.version,
        by=None,
        table_key=key,
    )

    kept = Confirmation.objects.get()
    assert (kept.confirmed_by, kept.table_key) == (None, key)
    with pytest.raises(IntegrityError), transaction.atomic():
        Confirmation.objects.update(confirmed_by=ScorekeeperFactory())


def test_both_teams_confirm_each_for_itself(game):
    assert confirmed_sides(game) == {}

    confirm(game, "A")
    assert set(confirmed_sides(game)) == {Side.A}

    confirm(game, "B")
    assert set(confirmed_sides(game)) == {Side.A, Side.B}


def test_confirming_again_changes_nothing(game):
    first = confirm(game, "A", by=ScorekeeperFactory())
    before = revision(game)

    second = confirm(game, "A", by=ScorekeeperFactory())

    assert second == first
    assert Confirmation.objects.get().confirmed_by == first.confirmed_by
    assert revision(game) == before


def test_each_confirmation_is_one_revision_and_is_announced(
    game, django_capture_on_commit_callbacks
):
    heard = []
    stop = listen(lambda cup_id, at: heard.append((cup_id, at)))
    before = revision(game)

    with django_capture_on_commit_callbacks(execute=True):
        confirm(game, "A")
        confirm(game, "A")
        confirm(game, "B")
    stop()

    assert heard == [(game.cup_id, before + 1), (game.cup_id, before + 2)]


def test_a_game_lost_by_fouls_is_confirmed_like_any_other():
    game = drawn_cup().games.first()
    record(game, sheet(fouls=(Foul(Side.A), Foul(Side.A))))
    record(game, DealSheet(fouls=(Foul(Side.A),), abandoned=True))

    agree(game)

    assert set(confirmed_sides(game)) == {Side.A, Side.B}


# Refused.


def refused(game: Game, **changes) -> str:
    before = (Confirmation.objects.count(), revision(game))
    with pytest.raises(Refusal) as refusal:
        confirm(game, **changes)
    assert (Confirmation.objects.count(), revision(game)) == before
    return refusal.value.code


def test_a_game_in_play_has_nothing_to_confirm():
    game = drawn_cup().games.first()
    record(game)

    assert refused(game) == "not_won"


def test_a_game_without_a_deal_has_nothing_to_confirm():
    game = drawn_cup().games.first()

    with pytest.raises(Refusal) as refusal:
        confirm_result(game=game, side=Side.A, number=1, version=1, by=None)

    assert refusal.value.code == "result_changed"
    assert Confirmation.objects.count() == 0


@pytest.mark.parametrize("outcome", [o for o in Outcome if o], ids=str)
def test_a_result_that_is_not_of_play_is_not_confirmed(game, outcome):
    end(game, outcome)

    assert refused(game) == "not_won"


def test_a_game_annulled_by_a_withdrawal_is_not_confirmed(game):
    Team.objects.filter(pk=game.team_b_id).update(withdrawn=True)

    assert refused(game) == "not_won"


def test_an_archived_cup_takes_no_confirmations(game):
    Cup.objects.update(visibility=Visibility.ARCHIVED)

    assert refused(game) == "archived"


@pytest.mark.parametrize(
    "seen", [{"number": 3}, {"number": 5}, {"version": 2}], ids=str
)
def test_a_result_that_the_writer_did_not_see_is_not_confirmed(game, seen):
    assert refused(game, **seen) == "result_changed"


def test_a_game_that_is_gone_is_not_confirmed(game):
    gone = Game(pk=game.pk + 1000, cup=game.cup)

    with pytest.raises(Refusal) as refusal:
        confirm_result(game=gone, side=Side.A, number=4, version=1, by=None)

    assert refusal.value.code == "game_gone"


# Lapsing.


def test_taking_back_lapses_what_one_team_confirmed_also_after_the_same_deal_again(
    game,
):
    confirm(game, "A")

    take_back(game)
    assert confirmed_sides(game) == {}

    record(game, sheet(**SIX_FOR_A))
    game.refresh_from_db()
    assert (game.winner, confirmed_sides(game)) == ("A", {})
    assert refused(game, version=1) == "result_changed"

    agree(game)
    assert set(confirmed_sides(game)) == {Side.A, Side.B}


def test_a_new_version_of_an_early_deal_lapses_both_confirmations(game):
    agree(game)
    first = game.deal_entries.get(number=1)

    append_entry(game, 1, sheet=first.sheet, key=uuid4(), by=None, table_key=None)

    assert confirmed_sides(game) == {}
    confirm(game, "B")
    assert set(confirmed_sides(game)) == {Side.B}
    kept = Confirmation.objects.latest("pk")
    assert (kept.number, kept.version) == (1, 2)


def test_a_confirmation_counts_for_the_team_and_not_for_its_side_of_the_game(game):
    confirm(game, "A")
    Game.objects.filter(pk=game.pk).update(team_a=game.team_b_id, team_b=game.team_a_id)
    game.refresh_from_db()

    assert set(confirmed_sides(game)) == {Side.B}


def test_other_games_confirmations_are_their_own(game):
    other = play_out(game.cup.games.exclude(pk=game.pk).first())

    agree(other)

    assert confirmed_sides(game) == {}


# What both have confirmed.


def test_a_scorekeeper_takes_nothing_back_once_both_have_confirmed(game):
    agree(game)
    before = revision(game)

    for by in (None, ScorekeeperFactory()):
        with pytest.raises(Refusal) as refusal:
            take_back(game, by=by)
        assert refusal.value.code == "confirmed"
        assert refusal.value.message == (
            "Molemmat joukkueet ovat vahvistaneet tuloksen; "
            "vain järjestäjä korjaa sitä."
        )

    assert (DealEntry.objects.count(), revision(game)) == (4, before)


def test_a_scorekeeper_takes_back_what_one_team_has_confirmed(game):
    confirm(game, "B")

    take_back(game, by=ScorekeeperFactory())

    game.refresh_from_db()
    assert (game.winner, confirmed_sides(game)) == ("", {})


def test_an_organiser_takes_back_what_both_have_confirmed(game):
    agree(game)

    take_back(game, by=OrganiserFactory())

    game.refresh_from_db()
    assert (game.winner, confirmed_sides(game)) == ("", {})


def test_a_take_back_that_was_done_before_is_answered_after_the_confirmations(game):
    last, key = course_of(game).last.entry, uuid4()
    seen = {"game": game, "number": last.number, "version": 1, "key": key, "by": None}
    take_back_deal(**seen)
    record(game, sheet(**SIX_FOR_A))
    agree(game)

    assert take_back_deal(**seen).is_repeat
    assert set(confirmed_sides(game)) == {Side.A, Side.B}


def test_a_confirmed_game_takes_no_more_deals(game):
    agree(game)

    with pytest.raises(Refusal):
        record_deal(game=game, number=5, sheet=sheet(), key=uuid4(), by=None)

    assert set(confirmed_sides(game)) == {Side.A, Side.B}


# Which games wait.


def test_the_games_that_wait_are_those_won_and_not_confirmed_by_both():
    cup = drawn_cup(teams=4)
    games = list(cup.games.order_by("number"))
    for game in games[:5]:
        play_out(game)
    agree(games[0])
    confirm(games[1], "A")
    agree(games[2])
    take_back(games[2], by=OrganiserFactory())
    record(games[2], sheet(**SIX_FOR_A))
    agree(games[3])
    end(games[4], Outcome.ANNULLED)
    record(games[5])
    play_out(drawn_cup(teams=2).games.get())

    assert results_to_confirm(cup) == [2, 3]


def test_the_result_of_a_team_that_has_left_waits_for_nobody():
    cup = drawn_cup(teams=3, withdrawn_games="walkover")
    first, *_rest = cup.games.order_by("number")
    play_out(first)
    assert results_to_confirm(cup) == [1]

    Team.objects.filter(pk=first.team_a_id).update(withdrawn=True)

    assert results_to_confirm(cup) == []


@pytest.mark.parametrize("games", [1, 6])
def test_the_games_that_wait_take_one_query(games, django_assert_num_queries):
    cup = drawn_cup(teams=4)
    for game in cup.games.order_by("number")[:games]:
        play_out(game)
        confirm(game, "B")

    with django_assert_num_queries(1):
        assert len(results_to_confirm(cup)) == games
