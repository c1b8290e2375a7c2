from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.choices import Outcome
from komppa.cup.models import Game, Group, Lot
from komppa.errors import Refusal
from tests.factories import (
    TeamFactory,
    drawn_cup,
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
    Game.objects.filter(pk=cup.games.first().pk).update(outcome=Outcome.ANNULLED)

    with pytest.raises(Refusal) as refused:
        services.draft_draw(cup=cup, group_count=1, by=None)

    assert refused.value.code == "play_started"
