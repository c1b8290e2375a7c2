from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.choices import DrawStatus, Phase
from komppa.cup.models import Draw
from komppa.errors import Refusal
from tests.factories import (
    TeamFactory,
    cup_of,
    drawn_cup,
    record,
)

pytestmark = pytest.mark.django_db


def acts_of(cup):
    return list(cup.log.order_by("pk").values_list("act", flat=True))


def after_a_deal():
    cup = drawn_cup(teams=3)
    record(cup.games.first())
    return cup


def test_draft_draw_keeps_what_is_needed_to_redo_it(organiser):
    cup = cup_of(5)
    TeamFactory(cup=cup, withdrawn=True)
    ids = list(cup.teams.filter(withdrawn=False).values_list("pk", flat=True))

    draw = services.draft_draw(cup=cup, group_count=2, by=organiser)

    stored = Draw.objects.get(pk=draw.pk)
    assert stored.input == {
        "team_ids": sorted(ids),
        "pots": [None] * 5,
        "group_count": 2,
    }
    assert len(bytes.fromhex(stored.seed)) == 16
    assert [len(group) for group in stored.result] == [3, 2]
    assert sorted(pk for group in stored.result for pk in group) == sorted(ids)
    assert (stored.status, stored.drawn_by) == (DrawStatus.DRAFT, organiser)
    line = cup.log.get()
    assert (line.act, line.new) == ("draft_draw", {"seed": stored.seed, "groups": 2})


def test_draft_draw_takes_another_seed_every_time():
    seeds = {
        services.draft_draw(cup=cup_of(2), group_count=1, by=None).seed
        for _time in range(5)
    }

    assert len(seeds) == 5


@pytest.mark.parametrize(
    ("teams", "groups", "code"),
    [
        (3, 2, "too_few_teams"),
        (1, 1, "too_few_teams"),
        (4, 0, "group_count"),
        (60, 27, "group_count"),
    ],
)
def test_draft_draw_refuses_what_cannot_be_drawn(teams, groups, code):
    cup = cup_of(teams)

    with pytest.raises(Refusal) as refused:
        services.draft_draw(cup=cup, group_count=groups, by=None)

    assert refused.value.code == code
    assert cup.draws.count() == 0


def test_draft_draw_refuses_a_second_draft():
    cup = cup_of(4)
    services.draft_draw(cup=cup, group_count=1, by=None)

    with pytest.raises(Refusal) as refused:
        services.draft_draw(cup=cup, group_count=2, by=None)

    assert refused.value.code == "draft_waits"


def test_draft_draw_changes_neither_groups_nor_games():
    cup = drawn_cup(teams=4)
    before = list(cup.games.values_list("pk", "group"))

    services.draft_draw(cup=cup, group_count=2, by=None)

    assert list(cup.games.values_list("pk", "group")) == before


def test_draft_draw_is_refused_once_a_deal_is_recorded():
    with pytest.raises(Refusal) as refused:
        services.draft_draw(cup=after_a_deal(), group_count=1, by=None)

    assert refused.value.code == "play_started"


def test_confirm_draw_makes_the_groups_in_the_order_drawn():
    cup = cup_of(7)
    draw = services.draft_draw(cup=cup, group_count=2, by=None)

    services.confirm_draw(draw=draw, by=None)

    groups = {
        group.name: [m.team_id for m in group.memberships.all()]
        for group in cup.groups.all()
    }
    assert groups == {"A": draw.result[0], "B": draw.result[1]}
    draw.refresh_from_db()
    assert (draw.status, draw.settled_at is None) == (DrawStatus.CONFIRMED, False)
    assert acts_of(cup) == ["draft_draw", "confirm_draw"]


def test_confirm_draw_removes_earlier_groups_and_games_and_keeps_the_earlier_draw():
    cup = drawn_cup(teams=4)
    first = cup.draws.get()
    draw = services.draft_draw(cup=cup, group_count=2, by=None)

    services.confirm_draw(draw=draw, by=None)

    first.refresh_from_db()
    cup.refresh_from_db()
    assert first.status == DrawStatus.REPLACED
    assert [group.name for group in cup.groups.all()] == ["A", "B"]
    assert (cup.games.count(), cup.phase) == (0, Phase.SETUP)
    assert acts_of(cup)[-2:] == ["replace_draw", "confirm_draw"]


def test_confirm_draw_twice_is_refused():
    draw = services.draft_draw(cup=cup_of(4), group_count=1, by=None)
    services.confirm_draw(draw=draw, by=None)

    with pytest.raises(Refusal) as refused:
        services.confirm_draw(draw=draw, by=None)

    assert refused.value.code == "draw_settled"


@pytest.mark.parametrize("change", ["added", "removed", "withdrawn"])
def test_confirm_draw_is_refused_when_the_teams_have_changed(change):
    cup = cup_of(5)
    draw = services.draft_draw(cup=cup, group_count=1, by=None)
    if change == "added":
        services.add_team(cup=cup, name="Late", by=None)
    elif change == "removed":
        services.remove_team(team=cup.teams.first(), by=None)
    else:
        cup.teams.filter(pk=cup.teams.first().pk).update(withdrawn=True)

    with pytest.raises(Refusal) as refused:
        services.confirm_draw(draw=draw, by=None)

    assert refused.value.code == "teams_changed"
    assert cup.groups.count() == 0


def test_confirm_draw_is_refused_when_a_deal_was_recorded_after_the_draft():
    cup = drawn_cup(teams=3)
    draw = services.draft_draw(cup=cup, group_count=1, by=None)
    record(cup.games.first())

    with pytest.raises(Refusal) as refused:
        services.confirm_draw(draw=draw, by=None)

    assert refused.value.code == "play_started"
    assert cup.games.count() == 3


def test_discard_draw_keeps_the_draw_on_record(organiser):
    cup = cup_of(4)
    draw = services.draft_draw(cup=cup, group_count=1, by=None)

    services.discard_draw(draw=draw, by=organiser, reason="kokeilu")

    draw.refresh_from_db()
    assert draw.status == DrawStatus.DISCARDED
    line = cup.log.first()
    assert (line.act, line.by, line.reason) == ("discard_draw", organiser, "kokeilu")


def test_discard_draw_is_refused_once_it_is_confirmed():
    cup = drawn_cup(teams=3)

    with pytest.raises(Refusal) as refused:
        services.discard_draw(draw=cup.draws.get(), by=None)

    assert refused.value.code == "draw_settled"
    assert cup.groups.count() == 1


def test_cancel_draw_takes_groups_and_games_away():
    cup = drawn_cup(teams=4, groups=2)

    services.cancel_draw(draw=cup.draws.get(), by=None)

    cup.refresh_from_db()
    assert (cup.groups.count(), cup.games.count(), cup.phase) == (0, 0, Phase.SETUP)
    assert cup.draws.get().status == DrawStatus.CANCELLED
    assert cup.teams.count() == 4
    assert acts_of(cup)[-1] == "cancel_draw"


def test_cancel_draw_is_refused_once_a_deal_is_recorded():
    cup = after_a_deal()

    with pytest.raises(Refusal) as refused:
        services.cancel_draw(draw=cup.draws.get(), by=None)

    assert refused.value.code == "play_started"


def test_cancel_draw_is_refused_for_a_draft():
    draw = services.draft_draw(cup=cup_of(4), group_count=1, by=None)

    with pytest.raises(Refusal) as refused:
        services.cancel_draw(draw=draw, by=None)

    assert refused.value.code == "draw_settled"
