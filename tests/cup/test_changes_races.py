"""Two organisers at once, or one beside a table that saves: one order, nothing lost."""

from __future__ import annotations

from uuid import uuid4

import pytest

from komppa.cup.choices import Outcome
from komppa.cup.models import Game, Player
from komppa.cup.services_changes import (
    add_team_to_group,
    rename_team,
    replace_player,
    withdraw_team,
)
from komppa.cup.services_games import set_outcome
from komppa.errors import Refusal
from komppa.sheets.queries import course_of
from komppa.sheets.services import derived_figures, record_deal
from tests.cup.test_admin_races import at_once, once_and_refused
from tests.factories import drawn_cup, record, sheet
from tests.sheets.test_concurrency import at_once as together

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


def tried(act):
    """Return what the act comes to: the code of its refusal, or ”done”."""
    try:
        act()
    except Refusal as refusal:
        return refusal.code
    return "done"


def test_two_organisers_setting_different_outcomes_at_once_set_one():
    cup = drawn_cup(teams=3)
    game = cup.games.first()
    outcomes = [Outcome.WALKOVER_A, Outcome.WALKOVER_B, Outcome.BOTH_ABSENT]

    def end(outcome):
        return lambda: tried(
            lambda: set_outcome(
                game=game,
                outcome=outcome,
                by=None,
                reason="Poissa",
                seen=Outcome.PLAYED,
            )
        )

    came_to = together([end(outcome) for outcome in outcomes])

    assert sorted(came_to) == ["done", "outcome_changed", "outcome_changed"]
    game.refresh_from_db()
    assert game.outcome == outcomes[came_to.index("done")]
    assert game.log.count() == 1


def test_a_team_withdrawn_at_once_leaves_once():
    cup = drawn_cup(teams=3)
    leaver = cup.teams.first()

    came_to = at_once(lambda: withdraw_team(team=leaver, by=None, reason="Lähti"))

    assert came_to == once_and_refused("already_withdrawn")
    assert cup.log.filter(act="withdraw_team").count() == 1


@pytest.mark.parametrize("attempt", range(3))
def test_a_deal_saved_beside_a_withdrawal_is_kept_or_refused(attempt):
    cup = drawn_cup(teams=3)
    game = cup.games.select_related("team_a").first()
    record(game)

    def save():
        record_deal(game=game, number=2, sheet=sheet(), key=uuid4(), by=None)

    saved, left = together(
        [
            lambda: tried(save),
            lambda: tried(
                lambda: withdraw_team(team=game.team_a, by=None, reason="Lähti")
            ),
        ]
    )

    assert (left, saved in ("done", "team_withdrawn")) == ("done", True)
    game = Game.objects.select_related("cup", "team_a", "team_b").get(pk=game.pk)
    assert (game.is_finished, game.team_a.withdrawn) == (True, True)
    assert game.deal_count == (2 if saved == "done" else 1)
    course = course_of(game)
    figures = derived_figures(course)
    assert {name: getattr(game, name) for name in figures} == figures


def test_one_late_team_sent_at_once_is_added_once():
    cup = drawn_cup(teams=3)
    group = cup.groups.get()

    came_to = at_once(
        lambda: add_team_to_group(group=group, name="Uusi", by=None, reason="Myöhässä")
    )

    assert came_to == once_and_refused("rows_refused")
    numbers = list(cup.games.order_by("number").values_list("number", flat=True))
    assert numbers == [1, 2, 3, 4, 5, 6]


def test_two_late_teams_at_once_meet_each_other_once():
    cup = drawn_cup(teams=3)
    group = cup.groups.get()

    def add(name):
        return lambda: add_team_to_group(
            group=group, name=name, by=None, reason="Myöhässä"
        )

    together([add("Uusi"), add("Toinen")])

    games = cup.games.values_list("team_a", "team_b")
    assert len({frozenset(pair) for pair in games}) == len(games) == 10
    numbers = list(cup.games.order_by("number").values_list("number", flat=True))
    assert numbers == list(range(1, 11))


def test_a_player_replaced_at_once_is_replaced_once():
    cup = drawn_cup(teams=3)
    player = cup.teams.first().players.first()

    came_to = at_once(
        lambda: replace_player(
            player=player, name="Varamies", by=None, reason="Sairastui"
        )
    )

    assert came_to == once_and_refused("player_gone")
    assert Player.everyone.filter(team=player.team, position=1).count() == 2


def test_two_teams_taking_one_name_at_once_get_it_once():
    cup = drawn_cup(teams=3)

    def rename(team):
        return lambda: tried(
            lambda: rename_team(team=team, name="Ässät", by=None, reason="Toive")
        )

    came_to = together([rename(team) for team in cup.teams.all()])

    assert sorted(came_to) == ["done", "name_taken", "name_taken"]
    assert cup.teams.filter(name="Ässät").count() == 1
