"""The same act twice at the same moment: one effect, and a clear refusal."""

from __future__ import annotations

import threading

import pytest
from django.contrib.auth.models import User
from django.db import connections

from komppa.cup import services, services_people
from komppa.cup.choices import DrawStatus
from komppa.cup.models import Game, Group, Lot, OrganiserLog
from komppa.cup.queries import games_stamp
from komppa.errors import Refusal
from tests.factories import (
    CupFactory,
    ScorekeeperFactory,
    cup_of,
    drawn_cup,
    tied_group,
)

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]

AT_ONCE = 4


def at_once(act):
    """Run an act in threads that start together; return what each came to."""
    barrier = threading.Barrier(AT_ONCE)
    came_to = []

    def run():
        try:
            barrier.wait()
            act()
            came_to.append("done")
        except Refusal as refusal:
            came_to.append(refusal.code)
        except Exception as error:
            came_to.append(repr(error))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _number in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(came_to)


def once_and_refused(code):
    return sorted(["done", *[code] * (AT_ONCE - 1)])


def test_drafting_a_draw_at_once_makes_one_draft():
    cup = cup_of(6)

    came_to = at_once(lambda: services.draft_draw(cup=cup, group_count=2, by=None))

    assert came_to == once_and_refused("draft_waits")
    assert cup.draws.count() == 1


def test_confirming_one_draft_at_once_makes_the_groups_once():
    cup = cup_of(6)
    draw = services.draft_draw(cup=cup, group_count=2, by=None)

    came_to = at_once(lambda: services.confirm_draw(draw=draw, by=None))

    assert came_to == once_and_refused("draw_settled")
    assert [group.name for group in Group.objects.all()] == ["A", "B"]
    cup.refresh_from_db()
    assert cup.revision == 2


def test_confirming_and_discarding_at_once_does_one_of_them():
    cup = cup_of(6)
    draw = services.draft_draw(cup=cup, group_count=2, by=None)
    acts = iter([services.confirm_draw, services.discard_draw] * AT_ONCE)

    came_to = at_once(lambda: next(acts)(draw=draw, by=None))

    assert came_to == once_and_refused("draw_settled")
    draw.refresh_from_db()
    confirmed = draw.status == DrawStatus.CONFIRMED
    assert cup.groups.count() == (2 if confirmed else 0)


def test_making_games_at_once_makes_them_once():
    cup = cup_of(6)
    services.confirm_draw(
        draw=services.draft_draw(cup=cup, group_count=2, by=None), by=None
    )

    came_to = at_once(
        lambda: services.make_group_games(cup=cup, table_count=2, by=None)
    )

    assert came_to == once_and_refused("games_exist")
    numbers = list(Game.objects.order_by("number").values_list("number", flat=True))
    assert numbers == [1, 2, 3, 4, 5, 6]


def test_making_games_anew_at_once_makes_them_anew_once():
    cup = drawn_cup(teams=4)
    seen = games_stamp(cup)

    came_to = at_once(
        lambda: services.make_group_games(
            cup=cup, table_count=1, by=None, replaces=seen
        )
    )

    assert came_to == once_and_refused("games_exist")
    assert cup.games.count() == 6


def test_drawing_one_lot_at_once_draws_it_once():
    group = tied_group()
    ids = [m.team_id for m in group.memberships.all()]

    came_to = at_once(lambda: services.draw_lot(group=group, team_ids=ids, by=None))

    assert came_to == once_and_refused("no_such_tie")
    assert Lot.objects.count() == 1


def test_adding_one_team_at_once_adds_it_once():
    cup = CupFactory()

    came_to = at_once(lambda: services.add_team(cup=cup, name="Ässät", by=None))

    assert came_to == once_and_refused("name_taken")
    assert cup.teams.count() == 1


def test_making_one_account_at_once_makes_it_once():
    came_to = at_once(
        lambda: services_people.create_scorekeeper(name="Pöytä 1", by=None)
    )

    assert came_to == once_and_refused("name_taken")


def test_making_many_accounts_at_once_makes_them_once():
    came_to = at_once(
        lambda: services_people.create_scorekeepers(
            count=3, prefix="Pöytä", after=None, by=None
        )
    )

    assert came_to == once_and_refused("accounts_made")
    names = User.objects.order_by("pk").values_list("username", flat=True)
    assert list(names) == ["poyta-1", "poyta-2", "poyta-3"]
    assert OrganiserLog.objects.count() == 3


def test_putting_the_same_accounts_out_of_use_at_once_is_logged_once():
    users = ScorekeeperFactory.create_batch(3)

    came_to = at_once(lambda: services_people.deactivate_all(users=users, by=None))

    assert came_to == ["done"] * AT_ONCE
    assert not User.objects.filter(is_active=True).exists()
    targets = OrganiserLog.objects.order_by("pk").values_list("target", flat=True)
    assert list(targets) == [user.username for user in users]


def test_different_writes_at_once_are_all_done_and_counted():
    cup = CupFactory()
    names = iter("ABCD")

    came_to = at_once(lambda: services.add_team(cup=cup, name=next(names), by=None))

    cup.refresh_from_db()
    assert came_to == ["done"] * AT_ONCE
    assert (cup.teams.count(), cup.revision, cup.log.count()) == (4, 4, 4)
