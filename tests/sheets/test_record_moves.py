"""A record goes where its deal goes, and stands beside no other (design: a deal is
known by its number until a correction moves it or somebody takes it back)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from komppa.errors import Refusal
from komppa.sheets.corrections import correct_deals, restored_draft, standing_rows
from komppa.sheets.models import DealRecord
from komppa.sheets.queries import course_of, standing_records
from komppa.sheets.records import RecordConflict, take_back_record
from komppa.sheets.revisions import inserted, removed, replaced
from komppa.sheets.services import remove_demo_cup, take_back_deal
from komppa.sheets.transfer import document_of, import_cup, text_of
from tests.factories import OrganiserFactory, drawn_cup, record, sheet
from tests.sheets.recorded import REASON, attach, cut, document, sheet_of

pytestmark = pytest.mark.django_db

LATER = document(set_opening=False)
WHY = "unohtunut jako"


@pytest.fixture
def game():
    """A game of three deals, the second one in dispute."""
    made = drawn_cup().games.select_related("team_a", "team_b").first()
    record(made)
    record(made, sheet_of(LATER))
    record(made, sheet((3, 5), "B"))
    return made


def correct(game, change, **facts):
    course = course_of(game)
    return correct_deals(
        game=game,
        draft=change(standing_rows(course)),
        **{
            "seen": course.entry_count,
            "key": uuid4(),
            "by": None,
            "reason": WHY,
            **facts,
        },
    )


def take_back_last(game, **facts):
    entry = course_of(game).last.entry
    seen = {"number": entry.number, "version": entry.version}
    take_back_deal(game=game, key=uuid4(), **{"by": None, **seen, **facts})


def put_in(index):
    return lambda rows: inserted(rows, index, sheet((6, 2)).to_json())


def in_force(game):
    """Return by the number that people see whose record stands there."""
    records = standing_records(game)
    return {
        deal.position: records[deal.entry.number].document["events"]
        for deal in course_of(game).deals
        if deal.entry.number in records
    }


def suspended(game):
    loose = game.deal_records.filter(
        taken_back_at__isnull=True, left_at__isnull=False, continued_by__isnull=True
    )
    return list(loose)


def log(game):
    lines = game.log.filter(act__contains="record").order_by("pk")
    return [(line.act, line.old, line.new, line.reason) for line in lines]


@pytest.mark.parametrize(
    ("change", "position"),
    [
        (put_in(0), 3),
        (put_in(1), 3),
        (put_in(2), 2),
        (put_in(3), 2),
        (lambda rows: removed(rows, 0), 1),
        (lambda rows: removed(rows, 2), 2),
        (lambda rows: removed(put_in(1)(rows), 0), 2),
        (lambda rows: put_in(0)(put_in(1)(rows)), 4),
        (lambda rows: replaced(rows, 1, sheet().to_json()), 2),
        (lambda rows: replaced(put_in(0)(rows), 2, sheet().to_json()), 3),
        # Put in with the very facts of the deal that it pushes on.
        (lambda rows: inserted(rows, 1, rows[1].facts), 3),
    ],
    ids=[
        "put in first",
        "put in before",
        "put in after",
        "put in last",
        "earlier removed",
        "later removed",
        "removed and put in",
        "two put in",
        "corrected",
        "corrected and moved",
        "its double put in",
    ],
)
def test_a_record_goes_with_its_deal_to_wherever_a_correction_takes_it(
    game, change, position
):
    attach(game, LATER, 2)

    correct(game, change)

    assert in_force(game) == {position: LATER["events"]}
    assert suspended(game) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: removed(rows, 1),
        lambda rows: put_in(1)(removed(rows, 1)),
        lambda rows: inserted(removed(rows, 1), 2, sheet().to_json()),
        lambda rows: (),
    ],
    ids=["removed", "another in its place", "another after it", "all removed"],
)
def test_a_record_whose_deal_a_correction_removes_stands_beside_no_other(game, change):
    made = attach(game, LATER, 2)

    correct(game, change)

    assert in_force(game) == {}
    assert suspended(game) == [made]


def test_records_of_neighbours_move_on_together_each_with_its_own_deal(game):
    told = [cut(3), {**cut(6), "set_opening": False}, {**cut(9), "set_opening": False}]
    for number, each in enumerate(told, start=1):
        attach(game, each, number)

    correct(game, put_in(0))

    events = [each["events"] for each in told]
    assert in_force(game) == dict(enumerate(events, start=2))


def test_a_moved_record_is_the_one_that_was_attached_by_whom_and_why(game):
    organiser = OrganiserFactory()
    made = attach(game, LATER, 2)
    DealRecord.objects.filter(pk=made.pk).update(added_by=organiser)
    before = DealRecord.objects.values().get(pk=made.pk)

    correct(game, put_in(1))

    (moved,) = standing_records(game).values()
    own = ("game", "document", "added_at", "added_by", "reason")
    made.refresh_from_db()
    assert [getattr(moved, name) for name in own] == [
        getattr(made, name) for name in own
    ]
    assert (moved.continues, moved.number, moved.version) == (made, 3, 2)
    after = DealRecord.objects.values().get(pk=made.pk)
    assert {k for k in after if after[k] != before[k]} == {"left_at"}
    assert log(game)[1:] == [("move_record", {"deal": 2}, {"deal": 3}, WHY)]


def test_those_that_another_replaced_go_along_and_stay_out_of_force(game):
    attach(game, cut(3), 2)
    attach(game, LATER, 2)

    correct(game, put_in(0))

    assert in_force(game) == {3: LATER["events"]}
    at_three = game.deal_records.filter(number=3, left_at__isnull=True)
    assert [r.document["events"] for r in at_three if r.taken_back_at] == [
        cut(3)["events"]
    ]


def test_the_same_correction_sent_again_moves_nothing_twice(game):
    attach(game, LATER, 2)
    sent = {"key": uuid4(), "seen": course_of(game).entry_count}
    draft = put_in(0)(standing_rows(course_of(game)))

    for _ in range(2):
        correct(game, lambda _rows: draft, **sent)

    assert in_force(game) == {3: LATER["events"]}
    assert DealRecord.objects.count() == 2


@pytest.mark.parametrize("reason", ["", "Väärä jako"])
def test_a_deal_taken_back_suspends_its_record_and_the_next_does_not_inherit_it(
    game, reason
):
    made = attach(game, {**cut(3), "set_opening": False}, 3)

    take_back_last(game, reason=reason)

    assert standing_records(game) == {}
    assert suspended(game) == [made]
    assert log(game)[1:] == [("suspend_record", {"deal": 3}, None, reason)]

    record(game)

    assert course_of(game).last.entry.number == 3
    assert in_force(game) == {}


def test_who_took_the_deal_back_stands_in_the_log(game):
    organiser = OrganiserFactory()
    attach(game, {**cut(3), "set_opening": False}, 3)

    take_back_last(game, by=organiser)

    assert game.log.get(act="suspend_record").by == organiser


def test_a_suspended_record_is_attached_again_to_the_deal_that_it_is_of(game):
    made = attach(game, LATER, 2)
    correct(game, lambda rows: removed(rows, 1))
    number = course_of(game).deals[1].entry.number

    again = attach(game, made.document, number)

    assert (again.continues, again.number) == (made, number)
    assert suspended(game) == []
    assert in_force(game) == {2: LATER["events"]}


def test_another_document_leaves_the_suspended_record_where_it_is(game):
    made = attach(game, LATER, 2)
    correct(game, lambda rows: removed(rows, 1))

    again = attach(game, cut(3), 1)

    assert again.continues is None
    assert suspended(game) == [made]


def test_a_suspended_record_can_be_put_out_of_use_once(game):
    made = attach(game, LATER, 2)
    correct(game, lambda rows: removed(rows, 1))

    take_back_record(record=made, by=None, reason=REASON)

    assert suspended(game) == []
    with pytest.raises(RecordConflict):
        take_back_record(record=made, by=None, reason=REASON)
    assert [line[0] for line in log(game)].count("take_back_record") == 1


def test_a_record_that_has_moved_is_not_put_out_of_use_under_its_old_number(game):
    made = attach(game, LATER, 2)
    correct(game, put_in(0))

    with pytest.raises(RecordConflict):
        take_back_record(record=made, by=None, reason=REASON)

    assert in_force(game) == {3: LATER["events"]}


def entry_of(game, number, version):
    return game.deal_entries.get(number=number, version=version)


def restore(game, number, version):
    entry = entry_of(game, number, version)
    correct(game, lambda rows: restored_draft(game, rows, entry))


def test_a_sheet_of_old_restored_in_its_own_deal_leaves_the_record_there(game):
    attach(game, LATER, 2)
    correct(game, lambda rows: replaced(rows, 1, sheet().to_json()))

    restore(game, 2, 1)

    assert in_force(game) == {2: LATER["events"]}


def test_a_sheet_of_another_deal_restored_in_its_place_suspends_the_record(game):
    take_back_last(game)
    record(game)
    made = attach(game, {**cut(3), "set_opening": False}, 3)

    restore(game, 3, 1)

    assert course_of(game).last.entry.sheet["last_trick"] == "B"
    assert in_force(game) == {}
    assert suspended(game) == [made]


def test_a_sheet_of_the_deal_that_was_moved_away_suspends_the_record(game):
    attach(game, LATER, 2)
    correct(game, put_in(0))

    restore(game, 3, 1)

    assert in_force(game) == {}


def test_a_draft_in_which_nothing_else_changed_moves_no_record(game):
    attach(game, LATER, 2)

    with pytest.raises(Refusal) as refused:
        correct(game, lambda rows: rows)

    assert refused.value.code == "nothing_changed"
    assert in_force(game) == {2: LATER["events"]}


def test_moved_and_suspended_records_travel_with_their_cup(game):
    attach(game, LATER, 2)
    attach(game, {**cut(3), "set_opening": False}, 3)
    correct(game, put_in(0))
    take_back_last(game)

    arrived = import_cup(text=text_of(document_of(game.cup)), by=None)

    there = arrived.games.select_related("cup").get(number=game.number)
    assert in_force(there) == in_force(game) == {3: LATER["events"]}
    (loose,) = suspended(there)
    assert loose.document["events"] == cut(3)["events"]
    assert loose.continues.continued_by == loose
    assert loose.continues.game == there
    assert [[f"{r}", r.left_at is None] for r in there.deal_records.all()] == [
        [f"{r}", r.left_at is None] for r in game.deal_records.all()
    ]


def test_a_demo_cup_goes_with_records_that_have_moved():
    cup = drawn_cup(is_demo=True)
    made = cup.games.select_related("team_a", "team_b").first()
    record(made, sheet_of(LATER))
    attach(made, LATER)
    correct(made, lambda rows: inserted(rows, 0, sheet().to_json()))

    remove_demo_cup(cup=cup, by=None)

    assert DealRecord.objects.count() == 0
