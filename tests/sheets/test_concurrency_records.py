"""Records attached and taken back at the same moment: one of them is first, and counts.

With real threads, as in ``test_concurrency``; on SQLite and once more on PostgreSQL.
"""

from __future__ import annotations

from uuid import uuid4

import pytest

from komppa.cup.models import Cup, OrganiserLog
from komppa.errors import Refusal
from komppa.sheets.corrections import correct_deals, standing_rows
from komppa.sheets.models import DealRecord
from komppa.sheets.queries import course_of, standing_records
from komppa.sheets.records import attach_record, take_back_record
from komppa.sheets.revisions import inserted, replaced
from komppa.sheets.services import take_back_deal
from tests.factories import drawn_cup, record, sheet
from tests.sheets.recorded import REASON, attach, cut, document, sheet_of
from tests.sheets.test_concurrency import at_once

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game():
    made = drawn_cup().games.select_related("team_a", "team_b").first()
    record(made, sheet_of(document(), club_ace=None))
    return made


def told(act) -> str:
    try:
        act()
    except Refusal as refusal:
        return refusal.code
    return "done"


def attaching(game, document, seen=None):
    facts = {"number": 1, "version": 1, "seen": seen, "by": None, "reason": REASON}
    return lambda: told(lambda: attach_record(game=game, document=document, **facts))


def taking_back(made):
    return lambda: told(lambda: take_back_record(record=made, by=None, reason=REASON))


def acts():
    return sorted(
        OrganiserLog.objects.filter(act__contains="record").values_list(
            "act", flat=True
        )
    )


def test_of_two_records_attached_at_once_the_first_counts(game):
    before = Cup.objects.get(pk=game.cup_id).revision
    documents = [document(), cut(9)]

    answers = at_once([attaching(game, each) for each in documents])

    assert sorted(answers) == ["done", "record_conflict"]
    first = documents[answers.index("done")]
    assert DealRecord.objects.get().document["events"] == first["events"]
    assert Cup.objects.get(pk=game.cup_id).revision == before + 1
    assert acts() == ["attach_record"]


def test_one_record_sent_twice_at_once_is_attached_once(game):
    answers = at_once([attaching(game, document())] * 2)

    assert answers == ["done", "done"]
    assert DealRecord.objects.count() == 1
    assert acts() == ["attach_record"]


def test_a_record_replaced_and_taken_back_at_once_is_one_of_the_two(game):
    made = attach(game)

    answers = at_once([attaching(game, cut(9), made.pk), taking_back(made)])

    assert sorted(answers) == ["done", "record_conflict"]
    standing = standing_records(game)
    expected = [cut(9)["events"]] if answers[0] == "done" else []
    assert [r.document["events"] for r in standing.values()] == expected


def test_a_record_taken_back_twice_at_once_is_so_once(game):
    made = attach(game)

    answers = at_once([taking_back(made)] * 2)

    assert sorted(answers) == ["done", "record_conflict"]
    assert acts() == ["attach_record", "take_back_record"]


def test_a_record_attached_as_its_deal_is_taken_back_stands_nowhere(game):
    def take_back():
        seen = {"number": 1, "version": 1}
        take_back_deal(game=game, key=uuid4(), by=None, **seen)

    answers = at_once([attaching(game, document()), lambda: told(take_back)])

    assert answers[1] == "done"
    assert answers[0] in ("done", "sheet_changed")
    assert standing_records(game) == {}
    suspended = ["attach_record", "suspend_record"]
    assert acts() == (suspended if answers[0] == "done" else [])


def test_a_record_put_out_of_use_as_its_deal_moves_stands_by_no_other(game):
    made = attach(game, document(set_opening=False))
    course = course_of(game)

    def move():
        correct_deals(
            game=game,
            draft=inserted(standing_rows(course), 0, sheet().to_json()),
            seen=course.entry_count,
            key=uuid4(),
            by=None,
            reason=REASON,
        )

    answers = at_once([taking_back(made), lambda: told(move)])

    assert answers[1] == "done"
    assert answers[0] in ("done", "record_moved")
    standing = [] if answers[0] == "done" else [2]
    assert list(standing_records(game)) == standing


def test_one_suspended_record_attached_to_two_deals_at_once_continues_once(game):
    for _ in range(2):
        record(game)
    made = attach(game, cut(3) | {"set_opening": False}, 3)
    take_back_deal(game=game, number=3, version=1, key=uuid4(), by=None)
    facts = {"version": 1, "seen": None, "by": None, "reason": REASON}

    def attaching_to(number):
        again = {"game": game, "number": number, "document": made.document}
        return lambda: told(lambda: attach_record(**again, **facts))

    answers = at_once([attaching_to(1), attaching_to(2)])

    assert answers == ["done", "done"]
    assert sorted(standing_records(game)) == [1, 2]
    assert DealRecord.objects.filter(continues=made).count() == 1


def test_a_record_attached_as_its_deal_is_corrected_was_seen_beside_the_old_sheet(game):
    course = course_of(game)

    def correct():
        correct_deals(
            game=game,
            draft=replaced(standing_rows(course), 0, sheet().to_json()),
            seen=course.entry_count,
            key=uuid4(),
            by=None,
            reason=REASON,
        )

    answers = at_once([attaching(game, document()), lambda: told(correct)])

    assert answers[1] == "done"
    assert answers[0] in ("done", "sheet_changed")
    found = [(r.number, r.version) for r in DealRecord.objects.all()]
    assert found == ([(1, 1)] if answers[0] == "done" else [])
