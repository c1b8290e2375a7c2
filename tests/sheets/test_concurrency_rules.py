"""Rules that change at the same moment as something else: one of them is first.

With real threads, as in ``test_concurrency``; on SQLite and once more on PostgreSQL.
"""

from __future__ import annotations

from collections import Counter
from uuid import uuid4

import pytest

from komppa.cup.models import Cup, OrganiserLog
from komppa.sheets.rule_changes import change_rules, rules_stamp
from komppa.sheets.services import record_deal
from tests.factories import SIX_FOR_A, drawn_cup, record, sheet
from tests.sheets.test_check_derived import SOUND, check
from tests.sheets.test_concurrency import at_once
from tests.sheets.test_concurrency_corrections import told

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]

SIX = sheet(**SIX_FOR_A)


@pytest.fixture
def cup():
    made = drawn_cup()
    record(made.games.first(), SIX)
    return made


def changing_rules(cup, **values):
    seen = rules_stamp(cup)
    wanted = {"values": values, "reason": "väärin valittu", "seen": seen}
    return lambda: told(lambda: change_rules(cup=cup, by=None, **wanted))


def test_the_same_change_twice_at_once_is_made_once(cup):
    answers = at_once([changing_rules(cup, sets_to_win=1)] * 2)

    assert Counter(answers) == {"done": 1, "nothing_changed": 1}
    assert OrganiserLog.objects.filter(act="change_rules").count() == 1
    assert check() == [SOUND]


def test_of_two_changes_at_once_neither_undoes_the_other(cup):
    answers = at_once(
        [changing_rules(cup, sets_to_win=1), changing_rules(cup, sets_to_win=3)]
    )

    assert Counter(answers) == {"done": 1, "rules_changed": 1}
    cup.refresh_from_db()
    assert cup.sets_to_win == (1 if answers[0] == "done" else 3)
    assert set(cup.games.values_list("sets_to_win", flat=True)) == {cup.sets_to_win}


def test_a_deal_that_wins_the_game_and_its_new_rules_at_once_both_count(cup):
    game = cup.games.select_related("team_a", "team_b").first()
    wanted = {"number": 2, "sheet": SIX, "key": uuid4()}

    answers = at_once(
        [
            changing_rules(cup, sets_to_win=1),
            lambda: told(lambda: record_deal(game=game, by=None, **wanted)),
        ]
    )

    game.refresh_from_db()
    assert answers == ["done", "done"]
    assert (game.deal_count, game.winner, game.is_finished) == (2, "A", True)
    assert Cup.objects.get(pk=cup.pk).sets_to_win == 1
    assert check() == [SOUND]
