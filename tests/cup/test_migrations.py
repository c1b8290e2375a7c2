"""An installation of an earlier release, brought up to date with what it holds."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from komppa.cup.choices import Outcome, Phase
from komppa.cup.models import Cup, Game, Lot, Player
from komppa.cup.queries import group_standings
from komppa.cup.settling import consequences
from scoring.rulesets import RULESETS
from tests.factories import settle

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]

FIRST_RELEASE = [("cup", "0001_the_facts_of_a_cup")]


def migrate(targets):
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return executor.loader.project_state(targets).apps


def newest():
    return MigrationExecutor(connection).loader.graph.leaf_nodes()


@pytest.fixture
def first_release():
    """The models as they were; whatever the test does, the newest tables after it."""
    yield migrate(FIRST_RELEASE)
    migrate(newest())


def rules_of_a_cup():
    rules = RULESETS["kemistikilta-2011"]
    return {
        "ruleset": rules.key,
        "target": rules.target,
        "drop_to": rules.drop_to,
        "comparison": rules.comparison.value,
        "whole_questions_after_trump": rules.whole_questions_after_trump,
        "laistokierros_no_tricks": rules.laistokierros_no_tricks.value,
        "both_on_target": rules.both_on_target.value,
        "corrected_foul": rules.corrected_foul.value,
        "players_per_team": rules.players_per_team,
    }


# Everybody beats one and loses to one, all alike: a tie for the lot.
GAMES = [
    (0, 1, {"winner": "A", "sets_a": 2, "ended_by": "sets"}),
    (1, 2, {"outcome": Outcome.WALKOVER_A}),
    (0, 2, {"winner": "B", "sets_b": 2, "ended_by": "sets"}),
]


def fill(old, slug, games):
    """Make a cup of one group as the first release kept it; return its lot's order."""
    cup = old.get_model("cup", "Cup").objects.create(
        name=slug,
        slug=slug,
        date=date(2026, 11, 28),
        phase=Phase.GROUPS,
        **rules_of_a_cup(),
    )
    group = cup.groups.create(name="A")
    teams = []
    for number in (1, 2, 3):
        team = cup.teams.create(name=f"T{number}", name_key=f"t{number}")
        team.players.create(position=1, name=f"T{number} P1")
        group.memberships.create(team=team, position=number)
        teams.append(team)
    for number, (a, b, columns) in enumerate(games, start=1):
        cup.games.create(
            number=number,
            order=number,
            group=group,
            sets_to_win=2,
            team_a=teams[a],
            source_team_a=teams[a],
            team_b=teams[b],
            source_team_b=teams[b],
            **columns,
        )
    order = [teams[index].pk for index in (2, 0, 1)]
    group.lots.create(order=order, seed="1f")
    return order


def test_a_cup_of_the_first_release_is_as_it_was(first_release):
    order = fill(first_release, "vanha", GAMES)
    fill(first_release, "toinen", [*GAMES[:2], (0, 2, {})])

    migrate(newest())

    old, other = Cup.objects.order_by("pk")
    assert [lot.cup for lot in Lot.objects.order_by("pk")] == [old, other]
    assert [lot.taken_back_at for lot in Lot.objects.all()] == [None, None]
    kept = {cup.slug: [g.is_finished for g in cup.games.all()] for cup in (old, other)}
    assert kept == {"vanha": [True] * 3, "toinen": [True, True, False]}
    (standing,) = group_standings(old)
    assert [row.team.pk for row in standing.rows] == order
    assert standing.lots_needed == ()
    assert Player.objects.filter(team__cup=old).count() == 3


def test_nothing_of_it_differs_from_its_facts_and_a_change_writes_nothing(
    first_release,
):
    fill(first_release, "vanha", GAMES)

    migrate(newest())

    cup = Cup.objects.get()
    before = list(Game.objects.order_by("pk").values())
    found = consequences(cup)
    assert [row.differences for row in found.rows] == [{}] * 3
    assert found.phase == cup.phase
    settle(cup)
    assert list(Game.objects.order_by("pk").values()) == before
