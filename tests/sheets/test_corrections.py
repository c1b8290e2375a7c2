from __future__ import annotations

from uuid import uuid4

import pytest

from komppa.cup.choices import Visibility
from komppa.cup.models import OrganiserLog
from komppa.errors import Refusal
from komppa.sheets.corrections import (
    CorrectionConflict,
    correct_deals,
    examine_draft,
    standing_rows,
)
from komppa.sheets.queries import course_of
from komppa.sheets.revisions import inserted, removed, replaced
from komppa.sheets.services import SheetRefused
from scoring.problems import Code
from scoring.sides import Pair, Seat, Side
from tests.factories import SIX_FOR_A, UserFactory, drawn_cup, play_out, record, sheet

pytestmark = pytest.mark.django_db

FOR_B = sheet((3, 5), "B").to_json()


@pytest.fixture
def game():
    return drawn_cup().games.first()


def correct(game, draft, **changes):
    facts = {
        "seen": course_of(game).entry_count,
        "key": uuid4(),
        "by": None,
        "reason": "väärinpäin",
    }
    return correct_deals(game=game, draft=draft, **{**facts, **changes})


def rows(game):
    return standing_rows(course_of(game))


def versions(game):
    return [
        (e.number, e.version, e.sheet and e.sheet["last_trick"])
        for e in game.deal_entries.all()
    ]


def test_a_corrected_deal_is_a_new_version_and_everything_follows(game):
    user = UserFactory()
    record(game)
    record(game)

    made = correct(game, replaced(rows(game), 0, FOR_B), by=user)

    game.refresh_from_db()
    assert versions(game) == [(1, 1, "A"), (1, 2, "B"), (2, 1, "A")]
    assert (game.points, game.deal_count) == (Pair(2, 2), 2)
    (entry,) = made.entries
    assert (entry.entered_by, entry.reason) == (user, "väärinpäin")


def test_a_forgotten_deal_in_the_middle_pushes_the_later_ones_on_in_one_call(game):
    record(game)
    record(game, sheet((4, 4), "A", pips=Pair(20, 16)))
    before = game.cup.__class__.objects.get(pk=game.cup_id).revision

    correct(game, inserted(rows(game), 1, FOR_B))

    assert versions(game) == [(1, 1, "A"), (2, 1, "A"), (2, 2, "B"), (3, 1, "A")]
    assert [d.sheet.mattis for d in course_of(game).deals] == [
        Pair(5, 3),
        Pair(3, 5),
        Pair(4, 4),
    ]
    game.cup.refresh_from_db()
    assert game.cup.revision == before + 1


def test_a_deal_in_the_middle_can_be_taken_back(game):
    for _ in range(3):
        record(game)

    correct(game, removed(rows(game), 1))

    game.refresh_from_db()
    assert [d.entry.number for d in course_of(game).deals] == [1, 3]
    assert (game.points, game.deal_count) == (Pair(4, 0), 2)


def test_the_winner_changes_with_the_deal_that_made_him_win(game):
    play_out(game, "A")

    draft = rows(game)
    correct(game, removed(draft, 0, 1))

    game.refresh_from_db()
    assert (game.winner, game.is_finished, game.deal_count) == ("", False, 3)


def test_sheets_after_the_end_are_refused_and_nothing_is_written(game):
    play_out(game, "A", loser_sets=1)
    extra = sheet((5, 3), "A", **SIX_FOR_A).to_json()
    draft = replaced(replaced(rows(game), 0, extra), 1, extra)

    with pytest.raises(SheetRefused) as refused:
        correct(game, draft)

    assert [p.code for p in refused.value.problems] == [Code.AFTER_THE_END] * 2
    assert game.deal_entries.count() == 6

    correct(game, draft[:4])
    game.refresh_from_db()
    assert (game.winner, game.sets, game.deal_count) == ("A", Pair(2, 0), 4)


def test_an_ace_no_longer_on_a_sets_first_deal_is_told_at_its_own_row(game):
    opening = {**sheet((5, 3), "A", **SIX_FOR_A).to_json(), "club_ace": "A1"}
    record(game, sheet((5, 3), "A", club_ace=Seat.A1, **SIX_FOR_A))
    record(game, sheet((5, 3), "A", **SIX_FOR_A))
    record(game, sheet((5, 3), "A", club_ace=Seat.A1, **SIX_FOR_A))

    state, problems = examine_draft(game, replaced(rows(game), 1, FOR_B))

    assert {i: [p.code for p in found] for i, found in problems.items()} == {
        2: [Code.CLUB_ACE_NOT_OPENING]
    }
    assert problems[2][0].path == "club_ace"
    assert len(state.deals) == 2
    assert rows(game)[0].facts == opening


def test_the_same_request_twice_makes_its_versions_once(game):
    record(game)
    record(game)
    draft, key = inserted(rows(game), 1, FOR_B), uuid4()
    first = correct(game, draft, key=key)

    again = correct(game, draft, key=key, seen=2)

    assert again.is_repeat
    assert set(again.entries) == set(first.entries)
    assert course_of(game).entry_count == 4


def test_a_draft_made_before_another_deal_came_is_refused(game):
    record(game)
    draft, seen = replaced(rows(game), 0, FOR_B), 1
    record(game)

    with pytest.raises(CorrectionConflict):
        correct(game, draft, seen=seen)

    assert versions(game) == [(1, 1, "A"), (2, 1, "A")]


@pytest.mark.parametrize(
    ("reason", "code"),
    [("", "reason_missing"), (" \n", "reason_missing"), ("x" * 301, "reason_too_long")],
)
def test_a_correction_without_a_fit_reason_is_refused(game, reason, code):
    record(game)

    with pytest.raises(Refusal) as refused:
        correct(game, replaced(rows(game), 0, FOR_B), reason=reason)

    assert (refused.value.code, game.deal_entries.count()) == (code, 1)


def test_a_draft_that_changes_nothing_is_refused(game):
    record(game)

    with pytest.raises(Refusal) as refused:
        correct(game, rows(game))

    assert refused.value.code == "nothing_changed"


def test_the_deals_of_an_archived_cup_are_not_corrected(game):
    record(game)
    draft = replaced(rows(game), 0, FOR_B)
    game.cup.__class__.objects.filter(pk=game.cup_id).update(
        visibility=Visibility.ARCHIVED
    )

    with pytest.raises(Refusal) as refused:
        correct(game, draft)

    assert refused.value.code == "archived"


def test_the_log_tells_old_and_new_result_and_the_reason(game):
    play_out(game, "A")
    user = UserFactory()

    correct(game, removed(rows(game), 3), by=user)

    line = OrganiserLog.objects.get(act="correct_deals")
    assert (line.by, line.reason, line.game, line.target) == (
        user,
        "väärinpäin",
        game,
        str(game),
    )
    assert line.old == {"sets": "2–0", "winner": "A"}
    assert line.new == {"sets": "1–0", "winner": None, "deals": [4]}


def test_a_first_deal_put_in_writes_who_sat_where(game):
    correct(game, inserted((), 0, FOR_B))

    game.refresh_from_db()
    assert game.seats.count() == 4
    assert game.points[Side.B] == 2
