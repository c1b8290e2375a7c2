"""The demonstration cup that everybody sees first: made once, and only looked at."""

from __future__ import annotations

from collections import Counter

import pytest
from django.utils import timezone

from komppa.cup.choices import DrawStatus, Phase, Visibility
from komppa.cup.models import OrganiserLog, Player
from komppa.cup.queries import group_standings
from komppa.sheets.breaches import deal_of_record
from komppa.sheets.contexts_records import Teller
from komppa.sheets.demo import FIXTURE, replay
from komppa.sheets.demo_facts import DEALS, read_facts
from komppa.sheets.models import DealRecord
from komppa.sheets.queries import course_of
from komppa.sheets.services import derived_figures, remove_demo_cup
from scoring.standings import Criterion

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def shown(django_db_setup, django_db_blocker):
    """The demonstration cup, made once and only looked at."""
    with django_db_blocker.unblock():
        cup = replay(read_facts(FIXTURE), slug="shown")
        yield cup
        remove_demo_cup(cup=cup, by=None)
        OrganiserLog.objects.all().delete()


def test_demo_is_a_public_cup_of_today_that_is_marked(shown):
    assert (shown.name, shown.is_demo, shown.visibility, shown.phase) == (
        "Demo: Komppa-cup",
        True,
        Visibility.PUBLIC,
        Phase.GROUPS,
    )
    assert shown.date == timezone.localdate()
    assert (shown.teams.count(), shown.groups.count(), shown.games.count()) == (
        16,
        4,
        24,
    )
    assert Player.objects.filter(team__cup=shown).exclude(name="").count() == 32
    assert shown.draws.get().status == DrawStatus.CONFIRMED


def test_demo_has_games_played_in_play_and_to_come(shown):
    states = Counter(
        "played" if game.is_finished else "in_play" if game.is_in_play else "to_come"
        for game in shown.games.all()
    )

    assert states == {"played": 18, "in_play": 4, "to_come": 2}
    for game in shown.games.all():
        if game.is_finished:
            assert game.deal_count in DEALS


def test_demo_games_in_play_are_at_different_points(shown):
    running = [game for game in shown.games.all() if game.is_in_play]

    assert len({game.playing_table_id for game in running}) == 4
    assert len({(game.sets, game.points) for game in running}) == 4
    assert [game.laistokierros for game in running].count(True) == 1
    assert max(max(game.fouls.a, game.fouls.b) for game in running) == 2


def test_demo_has_one_tie_that_waits_for_a_lot_and_one_settled_by_its_game(shown):
    standings = group_standings(shown)
    needed = [tied for standing in standings for tied in standing.lots_needed]
    settled = [
        row.decided_by
        for standing in standings
        if standing.is_complete
        for row in standing.rows
    ]

    assert [standing.is_complete for standing in standings] == [
        False,
        True,
        True,
        False,
    ]
    assert [len(tied) for tied in needed] == [3]
    assert settled.count(Criterion.MUTUAL_GAMES) == 1


def test_demo_shows_what_can_happen_in_a_game(shown):
    effects = {
        effect.code.value
        for game in shown.games.all()
        for deal in course_of(game).deals
        for effect in deal.result.effects
    }

    assert effects == {
        "porvoo_no_tricks",
        "porvoo_foul",
        "over_target",
        "laistokierros_called",
        "laistokierros_scored",
        "laistokierros_saved",
        "set_won",
        "game_won",
        "lost_by_fouls",
    }


def test_demo_figures_are_those_of_its_deals(shown):
    for game in shown.games.all():
        figures = derived_figures(course_of(game))
        assert figures == {name: getattr(game, name) for name in figures}


def test_demo_has_a_disputed_deal_whose_record_and_sheet_agree(shown):
    (record,) = DealRecord.objects.filter(game__cup=shown)
    teller = Teller.of(record.game)
    played = teller.played(record.number)

    told = teller.told(deal_of_record(record, shown.rules), played)

    assert [breach.rule for breach in told.breaches] == ["R2.2"]
    assert (told.is_finished, told.comparison.is_same) == (True, True)
