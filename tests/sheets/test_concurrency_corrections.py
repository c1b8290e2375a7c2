"""Corrections at the same moment as other writes: one of them is first, and counts.

With real threads, as in ``test_concurrency``; on SQLite and once more on PostgreSQL.
"""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client

from komppa.cup.models import Cup, OrganiserLog
from komppa.errors import Refusal
from komppa.sheets.corrections import correct_deals, standing_rows
from komppa.sheets.queries import course_of
from komppa.sheets.revisions import Row, inserted, removed, replaced
from komppa.sheets.services import record_deal, take_back_deal
from scoring.sheet import DealSheet
from tests.cup.brackets import conflicts, decide, game_of, made_bracket, pairs, team_at
from tests.factories import OrganiserFactory, drawn_cup, play_out, record, sheet
from tests.sheets.deals import mirrored
from tests.sheets.test_check_derived import SOUND, check
from tests.sheets.test_concurrency import (
    assert_figures_are_those_of_the_deals,
    at_once,
    entries,
)
from tests.sheets.test_views_corrections import REASON, Desk

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]

FOR_B = sheet((3, 5), "B")


@pytest.fixture
def game():
    made = drawn_cup().games.select_related("team_a", "team_b").first()
    record(made)
    record(made)
    return made


def desk_of_another(game) -> Desk:
    client = Client()
    client.force_login(OrganiserFactory())
    return Desk(client, game)


def saving(desk: Desk):
    sent = {**desk.hidden, "op": "save:0", "reason": REASON}
    return lambda: desk.client.post(desk.url, sent)


def correcting(game, draft):
    """Return the act that corrects the game as it stands now; it tells its refusal."""
    seen = course_of(game).entry_count

    def act():
        wanted = {"draft": draft, "seen": seen, "key": uuid4(), "reason": REASON}
        return told(lambda: correct_deals(game=game, by=None, **wanted))

    return act


def recording(game, number):
    wanted = {"number": number, "sheet": sheet((6, 2)), "key": uuid4()}
    return lambda: told(lambda: record_deal(game=game, by=None, **wanted))


def told(act) -> str:
    try:
        act()
    except Refusal as refusal:
        return refusal.code
    return "done"


def rows(game):
    return standing_rows(course_of(game))


def mattis(game) -> list[int]:
    return [deal.sheet.mattis.a for deal in course_of(game).deals]


def test_of_two_organisers_correcting_one_game_the_first_counts(game):
    before = Cup.objects.get(pk=game.cup_id).revision
    desks = [desk_of_another(game).correct(0), desk_of_another(game).correct(1)]

    answers = at_once([saving(desk) for desk in desks])

    assert sorted(answer.status_code for answer in answers) == [303, 409]
    first = 0 if answers[0].status_code == 303 else 1
    corrected = [(1, 2, True)] if first == 0 else [(2, 2, True)]
    assert entries(game) == sorted([(1, 1, True), (2, 1, True), *corrected])
    assert Cup.objects.get(pk=game.cup_id).revision == before + 1
    assert OrganiserLog.objects.filter(act="correct_deals").count() == 1
    late = answers[1 - first].content.decode()
    assert "Pelin jakoja on sillä välin kirjattu tai korjattu." in late
    assert f'value="{REASON}"' in late
    assert_figures_are_those_of_the_deals(game)


def test_one_correction_sent_twice_at_once_is_made_once(game):
    desk = desk_of_another(game).press("insert:1")
    desk.press("put_new:1", number="2", last_trick="B", mattis="3")

    answers = at_once([saving(desk)] * 2)

    assert [answer.status_code for answer in answers] == [303, 303]
    assert mattis(game) == [5, 3, 5]
    assert entries(game) == [(1, 1, True), (2, 1, True), (2, 2, True), (3, 1, True)]
    assert OrganiserLog.objects.filter(act="correct_deals").count() == 1
    assert_figures_are_those_of_the_deals(game)


def test_a_deal_put_in_and_a_tablet_s_next_deal_at_once_never_both_count(game):
    answers = at_once(
        [
            correcting(game, inserted(rows(game), 1, FOR_B.to_json())),
            recording(game, 3),
        ]
    )

    expected = {
        ("done", "deal_conflict"): [5, 3, 5],
        ("correction_conflict", "done"): [5, 5, 6],
    }
    assert mattis(game) == expected[tuple(answers)]
    assert_figures_are_those_of_the_deals(game)


def test_a_deal_corrected_and_a_tablet_s_next_deal_at_once_lose_neither_unseen(game):
    answers = at_once(
        [
            correcting(game, replaced(rows(game), 0, FOR_B.to_json())),
            recording(game, 3),
        ]
    )

    # The tablet's deal is the third either way; the organiser hears if it came first.
    expected = {
        ("done", "done"): [3, 5, 6],
        ("correction_conflict", "done"): [5, 5, 6],
    }
    assert mattis(game) == expected[tuple(answers)]
    assert_figures_are_those_of_the_deals(game)


def test_a_deal_taken_out_and_the_last_taken_back_at_once_undo_one_of_them(game):
    last = course_of(game).last.entry
    seen = {"number": last.number, "version": last.version, "key": uuid4()}

    answers = at_once(
        [
            correcting(game, removed(rows(game), 1)),
            lambda: told(lambda: take_back_deal(game=game, by=None, **seen)),
        ]
    )

    assert sorted(answers) in (
        ["correction_conflict", "done"],
        ["deal_conflict", "done"],
    )
    assert entries(game) == [(1, 1, True), (2, 1, True), (2, 2, False)]
    assert_figures_are_those_of_the_deals(game)


def test_a_group_game_corrected_as_its_bracket_game_begins_leaves_one_of_two_orders():
    cup = drawn_cup(teams=4, groups=2, qualifiers_per_group=1, sets_to_win=1)
    decide(game_of(cup, "B1", "B2"), team_at(cup, "B1"))
    group_game = game_of(cup, "A1", "A2")
    side_of_first = "A" if group_game.team_a == team_at(cup, "A1") else "B"
    play_out(group_game, side_of_first)
    (final,) = made_bracket(cup)
    assert pairs(cup) == ["A1-B1"]
    sheets = [DealSheet.from_json(row.facts, cup.rules) for row in rows(group_game)]
    other_way_round = tuple(
        Row(number, mirrored(played).to_json())
        for number, played in enumerate(sheets, start=1)
    )

    answers = at_once([correcting(group_game, other_way_round), recording(final, 1)])

    # Who played is a fact: the final is theirs, or in conflict with the new winner.
    assert answers == ["done", "done"]
    assert (pairs(cup), conflicts(cup)) in (
        (["A1-B1"], [final.number]),
        (["A2-B1"], []),
    )
    assert check() == [SOUND]
