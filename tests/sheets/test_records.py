from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from komppa.announce import listen
from komppa.cup.choices import Visibility
from komppa.cup.models import Cup, Game
from komppa.errors import Refusal
from komppa.sheets.breaches import deal_of_record
from komppa.sheets.corrections import correct_deals, standing_rows
from komppa.sheets.models import DealRecord
from komppa.sheets.queries import course_of, standing_records
from komppa.sheets.records import (
    MOST_EVENTS,
    RecordConflict,
    RecordRefused,
    attach_record,
    take_back_record,
)
from komppa.sheets.revisions import replaced
from komppa.sheets.rule_changes import change_rules
from komppa.sheets.services import remove_demo_cup, take_back_deal
from tests.factories import OrganiserFactory, drawn_cup, record, sheet
from tests.sheets.recorded import (
    REASON,
    attach,
    cut,
    document,
    sheet_of,
    with_event,
    with_foul,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    made = drawn_cup().games.select_related("team_a", "team_b").first()
    record(made, sheet_of(document()))
    return made


def attaching(game, **changes):
    facts = {
        "game": game,
        "number": 1,
        "version": 1,
        "document": document(),
        "seen": None,
        "by": None,
        "reason": REASON,
    }
    return attach_record(**{**facts, **changes})


def refusal_of(act) -> str:
    with pytest.raises(Refusal) as refused:
        act()
    return refused.value.code


def stored(game):
    records = DealRecord.objects.filter(game=game).order_by("pk")
    return [(r.number, r.version, r.taken_back_at is None) for r in records]


def log(game):
    lines = game.log.order_by("pk").values_list("act", "new", "reason")
    return [line for line in lines if "record" in line[0]]


def test_a_record_is_kept_as_it_was_told_with_who_and_why(game):
    organiser = OrganiserFactory()

    made = attaching(game, by=organiser).record

    assert made.document == document(ruleset="kemistikilta-2011")
    assert (made.added_by, made.reason) == (organiser, REASON)
    assert standing_records(game) == {1: made}
    assert log(game) == [("attach_record", {"deal": 1}, REASON)]


@pytest.mark.parametrize(
    "told",
    [cut(7), cut(0), with_foul(8), with_event(0, {"declare": "H"})],
    ids=["unfinished", "not begun", "foul", "void"],
)
def test_a_record_may_break_off_and_tell_of_what_was_wrong(game, told):
    assert attaching(game, document=told).record.document["events"] == told["events"]


def test_a_record_changes_no_figure_of_its_game(game):
    game.refresh_from_db()
    before = {name: getattr(game, name) for name in ("points_a", "points_b", "fouls_a")}

    attaching(game, document=with_foul(8))

    game.refresh_from_db()
    assert {name: getattr(game, name) for name in before} == before


@pytest.mark.parametrize("act", ["attach", "take_back"])
def test_every_write_adds_one_to_the_revision_and_is_announced(
    game, act, django_capture_on_commit_callbacks
):
    made = attach(game) if act == "take_back" else None
    before = Cup.objects.get(pk=game.cup_id).revision
    heard = []
    stop = listen(lambda *facts: heard.append(facts))

    with django_capture_on_commit_callbacks(execute=True):
        if made:
            take_back_record(record=made, by=None, reason=REASON)
        else:
            attaching(game)
    stop()

    assert Cup.objects.get(pk=game.cup_id).revision == before + 1
    assert heard == [(game.cup_id, before + 1)]


def test_another_record_takes_the_place_of_the_one_that_was_seen(game):
    first = attach(game)

    second = attaching(game, document=cut(7), seen=first.pk).record

    assert stored(game) == [(1, 1, False), (1, 1, True)]
    assert standing_records(game) == {1: second}


def test_a_record_in_the_place_of_one_that_was_not_seen_is_refused(game):
    attach(game)

    with pytest.raises(RecordConflict):
        attaching(game, document=cut(7))

    assert stored(game) == [(1, 1, True)]


def test_the_same_record_sent_again_is_attached_once(game):
    first = attaching(game)

    again = attaching(game)

    assert (first.is_repeat, again.is_repeat) == (False, True)
    assert again.record == first.record
    assert stored(game) == [(1, 1, True)]


def test_the_record_in_force_attached_once_more_is_refused(game):
    first = attach(game)

    assert refusal_of(lambda: attaching(game, seen=first.pk)) == "nothing_changed"
    assert stored(game) == [(1, 1, True)]


@pytest.mark.parametrize("version", [2, 7])
def test_a_record_beside_another_version_than_was_seen_is_refused(game, version):
    assert refusal_of(lambda: attaching(game, version=version)) == "sheet_changed"


def test_a_deal_that_was_taken_back_gets_no_record(game):
    seen = {"number": 1, "version": 1}
    take_back_deal(game=game, key=uuid4(), by=None, **seen)

    assert refusal_of(lambda: attaching(game, version=2)) == "sheet_changed"


def test_a_deal_that_was_never_played_gets_no_record(game):
    assert refusal_of(lambda: attaching(game, number=9)) == "sheet_changed"


def test_the_record_stays_with_its_deal_whatever_versions_the_sheet_gets(game):
    made = attach(game)
    course = course_of(game)

    correct_deals(
        game=game,
        draft=replaced(standing_rows(course), 0, sheet().to_json()),
        seen=course.entry_count,
        key=uuid4(),
        by=None,
        reason=REASON,
    )

    assert course_of(game).deals[0].entry.version == 2
    assert standing_records(game) == {1: made}


@pytest.mark.parametrize(
    ("reason", "code"), [("  ", "reason_missing"), ("x" * 301, "reason_too_long")]
)
def test_both_writes_want_a_reason(game, reason, code):
    assert refusal_of(lambda: attaching(game, reason=reason)) == code
    made = attach(game)

    assert (
        refusal_of(lambda: take_back_record(record=made, by=None, reason=reason))
        == code
    )
    assert stored(game) == [(1, 1, True)]


def test_an_archived_cup_is_left_as_it_is(game):
    made = attach(game)
    Cup.objects.filter(pk=game.cup_id).update(visibility=Visibility.ARCHIVED)

    assert refusal_of(lambda: attaching(game, seen=made.pk)) == "archived"
    assert (
        refusal_of(lambda: take_back_record(record=made, by=None, reason=REASON))
        == "archived"
    )
    assert stored(game) == [(1, 1, True)]


def test_a_record_is_taken_back_once_and_can_be_attached_again(game):
    made = attach(game)
    organiser = OrganiserFactory()

    take_back_record(record=made, by=organiser, reason="Väärä jako")

    assert standing_records(game) == {}
    made.refresh_from_db()
    assert made.taken_back_by == organiser
    assert log(game)[-1] == ("take_back_record", {"deal": 1}, "Väärä jako")
    with pytest.raises(RecordConflict):
        take_back_record(record=made, by=organiser, reason=REASON)
    attach(game, made.document)
    assert stored(game) == [(1, 1, False), (1, 1, True)]


def test_a_document_of_a_game_for_another_number_of_players_is_refused(game):
    told = {"ruleset": "avomarjapussi"}

    assert refusal_of(lambda: attaching(game, document=told)) == "other_ruleset"


@pytest.mark.parametrize("named", ["kemistikilta-2011", "kotipeli", "wikipedia-12"])
def test_a_document_of_other_rules_is_read_by_the_cup_s(game, named):
    made = attaching(game, document=document(ruleset=named)).record

    assert made.document == document(ruleset="kemistikilta-2011")


@pytest.mark.parametrize("standing", [True, False], ids=["in force", "taken back"])
def test_a_record_outlives_a_change_of_the_cup_s_rules(game, standing):
    made = attach(game)
    if not standing:
        take_back_record(record=made, by=None, reason=REASON)
    values = {"ruleset": "kotipeli", "corrected_foul": "counts"}
    change_rules(cup=game.cup, values=values, reason=REASON, by=None)
    game = Game.objects.get(pk=game.pk)

    assert deal_of_record(made, game.cup.rules).rules == game.cup.rules
    if standing:
        seen = {"seen": made.pk}
        again = refusal_of(lambda: attaching(game, document=made.document, **seen))
        assert again == "nothing_changed"
    else:
        attach(game, made.document)
        assert stored(game) == [(1, 1, False), (1, 1, True)]


def test_what_a_document_says_of_its_switches_gives_way_to_the_cup_s():
    cup = drawn_cup(corrected_foul="counts")
    game = cup.games.first()
    record(game, sheet_of(document()))

    made = attaching(game, document=document(switches={"corrected_foul": "foul"}))

    assert made.record.document["switches"] == {"corrected_foul": "counts"}


@pytest.mark.parametrize(
    ("told", "problems"),
    [
        ([], [("malformed", "")]),
        (document(ruleset="pasianssi"), [("out_of_range", "ruleset")]),
        (document(leader="A1"), [("opener_without_club_ace", "leader")]),
        (
            document(leader="C9", events=[{"play": "CX"}, {"declare": "X"}]),
            [
                ("not_a_card", "events/0/play"),
                ("not_a_suit", "events/1/declare"),
                ("not_a_seat", "leader"),
            ],
        ),
        (with_event(0, {"play": "C6"}), [("card_not_there", "events/0/play")]),
        (
            with_event(0, {"play": "CA", "corrected": "D6"}),
            [("corrected_legal_card", "events/0/play")],
        ),
        (
            document(events=[*document()["events"], {"declare": "H"}]),
            [("after_the_deal", "events/43")],
        ),
    ],
    ids=lambda value: None,
)
def test_a_document_is_refused_with_all_its_problems_and_their_places(
    game, told, problems
):
    with pytest.raises(RecordRefused) as refused:
        attaching(game, document=told)

    assert [(p.code, p.path) for p in refused.value.problems] == problems
    assert stored(game) == []


def test_a_document_longer_than_any_deal_is_refused(game):
    told = document(events=[{"declare": "H"}] * (MOST_EVENTS + 1))

    assert refusal_of(lambda: attaching(game, document=told)) == "too_many_events"


def test_the_database_keeps_one_record_of_a_deal_in_force(game):
    made = attach(game)
    again = {"game": game, "number": 1, "version": 1, "document": {}, "reason": "x"}

    with pytest.raises(IntegrityError), transaction.atomic():
        DealRecord.objects.create(**again)

    DealRecord.objects.create(**again, taken_back_at=made.added_at)
    assert stored(game) == [(1, 1, True), (1, 1, False)]


def test_a_demo_cup_goes_with_its_records():
    cup = drawn_cup(is_demo=True)
    record(cup.games.first(), sheet_of(document()))
    attach(cup.games.first())

    remove_demo_cup(cup=cup, by=None)

    assert DealRecord.objects.count() == 0
