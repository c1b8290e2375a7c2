from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.choices import Outcome
from komppa.cup.models import Cup, Group, Lot
from komppa.cup.queries import group_standings
from komppa.cup.services_lots import record_lot, restore_lot, take_back_lot
from komppa.errors import Refusal
from tests.factories import (
    TeamFactory,
    drawn_cup,
    end,
    tied_group,
)

pytestmark = pytest.mark.django_db


def test_draw_lot_settles_the_tie_and_can_be_found_again(organiser):
    group = tied_group()
    ids = [m.team_id for m in group.memberships.all()]

    lot = services.draw_lot(group=group, team_ids=ids, by=organiser)

    assert sorted(lot.order) == sorted(ids)
    assert len(bytes.fromhex(lot.seed)) == 16
    assert lot.drawn_by == organiser
    line = group.cup.log.first()
    names = {team.pk: team.name for team in group.cup.teams.all()}
    assert (line.act, line.target) == ("draw_lot", "A")
    assert line.new == {"order": [names[pk] for pk in lot.order], "seed": lot.seed}


def test_draw_lot_is_refused_a_second_time_even_with_an_old_copy_of_the_group():
    group = Group.objects.prefetch_related("lots").get(pk=tied_group().pk)
    ids = [m.team_id for m in group.memberships.all()]
    services.draw_lot(group=group, team_ids=ids, by=None)

    with pytest.raises(Refusal) as refused:
        services.draw_lot(group=group, team_ids=ids, by=None)

    assert refused.value.code == "no_such_tie"
    assert Lot.objects.count() == 1


def test_draw_lot_is_refused_for_anything_but_the_whole_tied_set():
    group = tied_group()
    ids = [m.team_id for m in group.memberships.all()]
    stranger = TeamFactory(cup=group.cup).pk
    for wrong in (ids[:2], [*ids, stranger], [*ids, ids[0]], []):
        with pytest.raises(Refusal) as refused:
            services.draw_lot(group=group, team_ids=wrong, by=None)

        assert refused.value.code == "no_such_tie"
    assert Lot.objects.count() == 0


def test_draw_lot_is_refused_in_an_unfinished_group():
    cup = drawn_cup(teams=3)
    group = cup.groups.get()

    with pytest.raises(Refusal) as refused:
        services.draw_lot(
            group=group,
            team_ids=[m.team_id for m in group.memberships.all()],
            by=None,
        )

    assert refused.value.code == "no_such_tie"


def test_a_lot_alone_keeps_the_groups_from_being_drawn_again():
    group = tied_group()
    cup = group.cup
    ids = [m.team_id for m in group.memberships.all()]
    services.draw_lot(group=group, team_ids=ids, by=None)
    for game in cup.games.all():
        game.deal_entries.all().delete()

    with pytest.raises(Refusal) as refused:
        services.draft_draw(cup=cup, group_count=1, by=None)

    assert refused.value.code == "play_started"


def test_an_outcome_without_play_keeps_the_groups_from_being_drawn_again():
    cup = drawn_cup(teams=3)
    end(cup.games.first(), Outcome.ANNULLED)

    with pytest.raises(Refusal) as refused:
        services.draft_draw(cup=cup, group_count=1, by=None)

    assert refused.value.code == "play_started"


# A lot that was wrong.


@pytest.fixture
def drawn():
    group = tied_group()
    return services.draw_lot(group=group, team_ids=members(group), by=None)


def members(group):
    return [m.team_id for m in group.memberships.all()]


def order_of(group):
    """Return the standings by team, and whether any place is still shared."""
    standing = group_standings(group.cup, [Group.objects.get(pk=group.pk)])[0]
    return [row.team.pk for row in standing.rows], bool(standing.lots_needed)


def test_a_lot_taken_back_settles_nothing_and_stays_on_record(drawn, organiser):
    take_back_lot(lot=drawn, by=organiser, reason="väärä lohko")

    drawn.refresh_from_db()
    assert drawn.taken_back_at is not None
    assert order_of(drawn.group)[1] is True
    line = drawn.cup.log.first()
    assert (line.act, line.by, line.target, line.reason) == (
        "take_back_lot",
        organiser,
        "A",
        "väärä lohko",
    )


def test_a_lot_brought_back_settles_its_tie_again(drawn):
    take_back_lot(lot=drawn, by=None, reason="väärä lohko")

    restore_lot(lot=drawn, by=None, reason="sittenkin oikea")

    assert order_of(drawn.group) == (drawn.order, False)


def test_a_lot_brought_back_takes_the_place_of_a_later_one(drawn):
    take_back_lot(lot=drawn, by=None, reason="väärä")
    later = services.draw_lot(group=drawn.group, team_ids=drawn.order, by=None)

    restore_lot(lot=drawn, by=None, reason="sittenkin oikea")

    later.refresh_from_db()
    assert later.taken_back_at is not None
    assert order_of(drawn.group) == (drawn.order, False)


def test_a_lot_drawn_on_paper_settles_the_tie_in_the_order_given():
    group = tied_group()
    order = members(group)[::-1]

    lot = record_lot(
        cup=group.cup, group=group, order=order, by=None, reason="vedettiin hatusta"
    )

    assert (lot.seed, order_of(group)) == ("", (order, False))
    assert group.cup.log.first().new.keys() == {"order"}


def test_a_wrong_lot_is_replaced_in_one_call(drawn):
    before = Cup.objects.get(pk=drawn.cup_id).revision
    order = drawn.order[::-1]

    record_lot(
        cup=drawn.cup,
        group=drawn.group,
        order=order,
        by=None,
        reason="luettiin väärinpäin",
        replaces=drawn,
    )

    assert order_of(drawn.group) == (order, False)
    assert Cup.objects.get(pk=drawn.cup_id).revision == before + 1
    assert Lot.objects.filter(taken_back_at=None).count() == 1


def test_a_replacement_that_is_refused_leaves_the_old_lot(drawn):
    with pytest.raises(Refusal) as refused:
        record_lot(
            cup=drawn.cup,
            group=drawn.group,
            order=drawn.order[:2],
            by=None,
            reason="väärin",
            replaces=drawn,
        )

    assert refused.value.code == "no_such_tie"
    assert order_of(drawn.group) == (drawn.order, False)


@pytest.mark.parametrize("act", [take_back_lot, restore_lot])
def test_an_act_that_somebody_did_already_is_refused(drawn, act):
    if act is take_back_lot:
        take_back_lot(lot=drawn, by=None, reason="väärä")

    with pytest.raises(Refusal) as refused:
        act(lot=drawn, by=None, reason="väärä")

    assert refused.value.code == "lot_changed"


@pytest.mark.parametrize("act", [take_back_lot, restore_lot])
def test_a_change_of_a_lot_wants_its_reason(drawn, act):
    with pytest.raises(Refusal) as refused:
        act(lot=drawn, by=None, reason=" ")

    assert refused.value.code == "reason_missing"
