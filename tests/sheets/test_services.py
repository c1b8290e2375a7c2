from __future__ import annotations

from uuid import uuid4

import pytest

from komppa.announce import listen
from komppa.cup.choices import Outcome, Visibility
from komppa.cup.models import Cup, Game
from komppa.errors import Refusal
from komppa.sheets.models import DealEntry
from komppa.sheets.queries import course_of
from komppa.sheets.services import (
    DealConflict,
    SheetRefused,
    derived_figures,
    rebuild_derived,
    record_deal,
    take_back_deal,
)
from scoring.problems import Code
from scoring.sheet import DealSheet, Foul
from scoring.sides import Pair, Side
from tests.factories import (
    SIX_FOR_A,
    UserFactory,
    drawn_cup,
    end,
    play_out,
    record,
    sheet,
)

pytestmark = pytest.mark.django_db

FACTS = {"last_trick": "A", "mattis": {"A": 5, "B": 3}}


@pytest.fixture
def game():
    return drawn_cup().games.first()


def take_back(game: Game, **changes):
    last = course_of(game).last.entry
    wanted = {"number": last.number, "version": last.version, "key": uuid4()}
    return take_back_deal(game=game, by=None, **{**wanted, **changes})


def entries(game: Game) -> list[tuple[int, int, bool]]:
    return [
        (entry.number, entry.version, entry.sheet is not None)
        for entry in game.deal_entries.all()
    ]


def revision(game: Game) -> int:
    game.cup.refresh_from_db()
    return game.cup.revision


# Recording.


def test_a_recorded_deal_is_kept_with_who_and_what(game):
    user, key = UserFactory(), uuid4()

    recorded = record_deal(game=game, number=1, sheet=sheet(), key=key, by=user)

    entry = game.deal_entries.get()
    assert recorded.entry == entry
    assert not recorded.is_repeat
    assert (entry.number, entry.version, entry.key) == (1, 1, key)
    assert (entry.sheet, entry.entered_by) == (FACTS, user)


def test_the_games_figures_follow_its_deals(game):
    record(game, sheet(**SIX_FOR_A, fouls=(Foul(Side.B),)))
    record(game, sheet(**SIX_FOR_A))
    record(game, sheet(mattis=(3, 5)))

    game.refresh_from_db()

    assert game.sets == Pair(1, 0)
    assert game.points == Pair(1, 1)
    assert game.fouls == Pair(0, 1)
    assert game.deal_count == 3
    assert not game.laistokierros
    assert (game.winner, game.ended_by) == ("", "")


def test_a_laistokierros_to_come_is_written_on_the_game(game):
    three_each = sheet(trump=Side.A, small_trumps=Pair(0, 2), last_trick="B")
    for _ in range(4):
        record(game, three_each)

    game.refresh_from_db()

    assert game.points == Pair(12, 12)
    assert game.laistokierros


def test_a_won_game_is_written_as_won(game):
    won = play_out(game, winner="B", loser_sets=1)

    assert (won.winner, won.ended_by) == ("B", "sets")
    assert won.sets == Pair(1, 2)


def test_a_game_lost_by_fouls_is_written_as_such(game):
    record(game, sheet(fouls=(Foul(Side.A), Foul(Side.A))))
    record(game, DealSheet(fouls=(Foul(Side.A),), abandoned=True))

    game.refresh_from_db()

    assert (game.winner, game.ended_by) == ("B", "fouls")
    assert game.fouls == Pair(3, 0)


def test_the_first_deal_writes_who_sat_where(game):
    record(game)

    seats = {seat.seat: seat.player for seat in game.seats.all()}
    assert list(seats) == ["A1", "A2", "B1", "B2"]
    assert {s: (p.team_id, p.position) for s, p in seats.items()} == {
        "A1": (game.team_a_id, 1),
        "A2": (game.team_a_id, 2),
        "B1": (game.team_b_id, 1),
        "B2": (game.team_b_id, 2),
    }


def test_each_write_is_one_revision_and_is_announced(
    game, django_capture_on_commit_callbacks
):
    heard = []
    stop = listen(lambda cup_id, at: heard.append((cup_id, at)))
    before = revision(game)

    with django_capture_on_commit_callbacks(execute=True):
        record(game)
        record(game)
        take_back(game)
    stop()

    assert revision(game) == before + 3
    assert heard == [(game.cup_id, before + step) for step in (1, 2, 3)]


def test_a_deal_that_is_not_next_is_a_conflict(game):
    first = record(game).entry

    with pytest.raises(DealConflict) as conflict:
        record_deal(game=game, number=1, sheet=sheet((3, 5)), key=uuid4(), by=None)

    assert conflict.value.recorded == first
    assert entries(game) == [(1, 1, True)]


def test_a_deal_past_the_next_is_a_conflict_with_nothing_recorded(game):
    with pytest.raises(DealConflict) as conflict:
        record_deal(game=game, number=2, sheet=sheet(), key=uuid4(), by=None)

    assert conflict.value.recorded is None
    assert entries(game) == []


def test_a_repeated_key_answers_with_what_it_made(game):
    sent = {"game": game, "number": 1, "sheet": sheet(), "key": uuid4(), "by": None}
    first = record_deal(**sent)
    record(game)
    before = revision(game)

    again = record_deal(**sent)

    assert again.entry == first.entry
    assert again.is_repeat
    assert entries(game) == [(1, 1, True), (2, 1, True)]
    assert revision(game) == before


def test_a_repeated_key_never_records_what_was_taken_back(game):
    sent = {"game": game, "number": 1, "sheet": sheet(), "key": uuid4(), "by": None}
    record_deal(**sent)
    take_back(game)

    assert record_deal(**sent).is_repeat
    assert entries(game) == [(1, 1, True), (1, 2, False)]


@pytest.mark.parametrize("other", [{"sheet": sheet((3, 5))}, {"number": 2}])
def test_a_key_repeated_with_other_content_is_a_conflict(game, other):
    sent = {"game": game, "number": 1, "sheet": sheet(), "key": uuid4(), "by": None}
    first = record_deal(**sent)

    with pytest.raises(DealConflict) as conflict:
        record_deal(**{**sent, **other})

    assert conflict.value.recorded == first.entry
    assert entries(game) == [(1, 1, True)]


def test_the_same_key_in_another_game_is_another_deal():
    first, second = drawn_cup().games.all()[:2]
    key = uuid4()
    for game in (first, second):
        record_deal(game=game, number=1, sheet=sheet(), key=key, by=None)

    assert DealEntry.objects.filter(key=key).count() == 2


def test_a_sheet_that_cannot_be_true_is_refused_with_every_reason(game):
    with pytest.raises(SheetRefused) as refused:
        record(game, DealSheet(mattis=Pair(5, 4)))

    assert [problem.code for problem in refused.value.problems] == [
        Code.MATTIS_SUM,
        Code.LAST_TRICK_MISSING,
    ]
    assert entries(game) == []


def test_a_third_foul_must_abandon_the_deal(game):
    record(game, sheet(fouls=(Foul(Side.B), Foul(Side.B))))

    with pytest.raises(SheetRefused) as refused:
        record(game, sheet(fouls=(Foul(Side.B),)))

    assert [problem.code for problem in refused.value.problems] == [
        Code.THIRD_FOUL_NOT_ABANDONED
    ]


def test_a_won_game_takes_no_more_deals(game):
    play_out(game)
    before = entries(game)

    with pytest.raises(SheetRefused) as refused:
        record(game)

    assert [problem.code for problem in refused.value.problems] == [Code.AFTER_THE_END]
    assert entries(game) == before


@pytest.mark.parametrize(
    "outcome", [o for o in Outcome if o is not Outcome.PLAYED], ids=str
)
def test_a_game_settled_without_play_takes_no_deals(game, outcome):
    end(game, outcome)

    with pytest.raises(Refusal) as refused:
        record(game)

    assert refused.value.code == "not_by_play"
    assert entries(game) == []


def test_a_game_without_both_teams_takes_no_deals(game):
    Game.objects.filter(pk=game.pk).update(team_b=None)

    with pytest.raises(Refusal) as refused:
        record_deal(game=game, number=1, sheet=sheet(), key=uuid4(), by=None)

    assert refused.value.code == "teams_unknown"
    assert entries(game) == []


def test_a_game_that_is_gone_meanwhile_is_refused(game):
    game.cup.games.all().delete()

    with pytest.raises(Refusal) as refused:
        record_deal(game=game, number=1, sheet=sheet(), key=uuid4(), by=None)

    assert refused.value.code == "game_gone"
    assert DealEntry.objects.count() == 0


# Taking back.


def test_taking_back_adds_a_version_and_keeps_the_old(game):
    record(game)
    record(game)

    taken = take_back(game)

    assert (taken.entry.number, taken.entry.version, taken.entry.sheet) == (2, 2, None)
    assert entries(game) == [(1, 1, True), (2, 1, True), (2, 2, False)]
    assert game.deal_entries.get(number=2, version=1).sheet == FACTS


def test_taking_back_puts_the_figures_back(game):
    record(game)
    game.refresh_from_db()
    before = derived_figures(course_of(game))
    record(game, sheet(**SIX_FOR_A, fouls=(Foul(Side.B),)))

    take_back(game)

    game.refresh_from_db()
    assert {name: getattr(game, name) for name in before} == before


def test_taking_back_opens_a_won_game_again(game):
    play_out(game)

    take_back(game)

    game.refresh_from_db()
    assert (game.winner, game.ended_by) == ("", "")
    assert game.sets == Pair(1, 0)
    assert game.points == Pair(6, 0)


def test_the_number_of_a_deal_taken_back_is_used_again(game):
    record(game)
    take_back(game)

    again = record(game).entry

    assert (again.number, again.version) == (1, 3)
    assert course_of(game).next_number == 2


def test_deals_are_taken_back_one_by_one(game):
    record(game)
    record(game)
    take_back(game)
    take_back(game)

    assert entries(game) == [(1, 1, True), (1, 2, False), (2, 1, True), (2, 2, False)]
    assert course_of(game).deals == ()


@pytest.mark.parametrize("wrong", [{"number": 1}, {"version": 2}, {"number": 3}])
def test_a_deal_that_is_not_the_last_seen_is_not_taken_back(game, wrong):
    record(game)
    last = record(game).entry

    with pytest.raises(DealConflict) as conflict:
        take_back(game, **wrong)

    assert conflict.value.recorded == last
    assert entries(game) == [(1, 1, True), (2, 1, True)]


def test_a_game_without_deals_has_nothing_to_take_back(game):
    with pytest.raises(DealConflict) as conflict:
        take_back_deal(game=game, number=1, version=1, key=uuid4(), by=None)

    assert conflict.value.recorded is None


def test_a_repeated_take_back_undoes_one_deal(game):
    record(game)
    record(game)
    sent = {"number": 2, "version": 1, "key": uuid4()}
    first = take_back(game, **sent)

    again = take_back(game, **sent)

    assert again.entry == first.entry
    assert again.is_repeat
    assert len(course_of(game).deals) == 1


def test_the_key_of_a_recording_takes_nothing_back(game):
    key = record(game).entry.key

    with pytest.raises(DealConflict):
        take_back(game, key=key)

    assert entries(game) == [(1, 1, True)]


def test_the_key_of_a_take_back_records_nothing(game):
    record(game)
    key = take_back(game).entry.key

    with pytest.raises(DealConflict):
        record_deal(game=game, number=1, sheet=sheet(), key=key, by=None)

    assert entries(game) == [(1, 1, True), (1, 2, False)]


# What is derived.


def test_derived_figures_can_be_rebuilt(game):
    record(game, sheet(**SIX_FOR_A))
    Game.objects.filter(pk=game.pk).update(points_a=1, sets_b=2, deal_count=9)

    rebuild_derived(game=game)

    game.refresh_from_db()
    assert game.points == Pair(6, 0)
    assert (game.sets, game.deal_count) == (Pair(0, 0), 1)


def test_an_archived_cup_takes_no_deal_and_gives_none_back():
    cup = drawn_cup()
    game = cup.games.get(number=1)
    first = record(game).entry
    Cup.objects.filter(pk=cup.pk).update(visibility=Visibility.ARCHIVED)

    with pytest.raises(Refusal) as recording:
        record(Game.objects.get(pk=game.pk))
    with pytest.raises(Refusal) as taking_back:
        take_back_deal(game=game, number=1, version=1, key=uuid4(), by=None)

    assert (recording.value.code, taking_back.value.code) == ("archived", "archived")
    assert list(game.deal_entries.all()) == [first]


def test_a_deal_of_teams_that_no_longer_meet_is_refused(game):
    a, b = game.team_a_id, game.team_b_id

    with pytest.raises(DealConflict) as refused:
        record_deal(
            game=game,
            number=1,
            sheet=sheet(),
            key=uuid4(),
            by=None,
            seen_teams=Pair(a, b + 1000),
        )

    assert "joukkueet ovat sillä välin vaihtuneet" in refused.value.message
    assert entries(game) == []
    record_deal(
        game=game,
        number=1,
        sheet=sheet(),
        key=uuid4(),
        by=None,
        seen_teams=Pair(a, b),
    )
    assert entries(game) == [(1, 1, True)]
