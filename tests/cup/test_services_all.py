from __future__ import annotations

import pytest
from django.db import IntegrityError

from komppa.announce import listen
from komppa.cup import services
from komppa.cup.queries import games_stamp
from komppa.errors import Refusal
from tests.factories import (
    CupFactory,
    TeamFactory,
    cup_of,
    drawn_cup,
    record,
    tied_group,
)

pytestmark = pytest.mark.django_db


def acts_of(cup):
    return list(cup.log.order_by("pk").values_list("act", flat=True))


def with_draft(cup):
    return services.draft_draw(cup=cup, group_count=1, by=None)


WRITES = {
    "update_cup": lambda cup: services.update_cup(
        cup=cup, by=None, values={"name": "New"}
    ),
    "add_team": lambda cup: services.add_team(cup=cup, name="New", by=None),
    "update_team": lambda cup: services.update_team(
        team=cup.teams.first(), name="New", by=None
    ),
    "remove_team": lambda cup: services.remove_team(team=TeamFactory(cup=cup), by=None),
    "save_teams": lambda cup: services.save_teams(
        cup=cup,
        rows=[services.TeamRow(1, "New"), services.TeamRow(2, "Newer")],
        by=None,
    ),
    "draft_draw": with_draft,
    "confirm_draw": lambda cup: services.confirm_draw(
        draw=cup.draws.get(status="draft"), by=None
    ),
    "discard_draw": lambda cup: services.discard_draw(
        draw=cup.draws.get(status="draft"), by=None
    ),
    "cancel_draw": lambda cup: services.cancel_draw(
        draw=cup.draws.get(status="confirmed"), by=None
    ),
    "make_group_games": lambda cup: services.make_group_games(
        cup=cup, table_count=1, by=None, replaces=games_stamp(cup)
    ),
    "draw_lot": lambda cup: services.draw_lot(
        group=cup.groups.get(),
        team_ids=[team.pk for team in cup.teams.all()],
        by=None,
    ),
}


def cup_ready_for(act):
    if act == "draw_lot":
        return tied_group().cup
    cup = drawn_cup(teams=3)
    if act in ("confirm_draw", "discard_draw"):
        with_draft(cup)
    return cup


@pytest.mark.parametrize("act", WRITES)
def test_every_write_adds_one_to_the_revision_and_announces_it_after_the_commit(
    act, django_capture_on_commit_callbacks
):
    cup = cup_ready_for(act)
    cup.refresh_from_db()
    heard = []
    stop = listen(lambda *facts: heard.append(facts))

    with django_capture_on_commit_callbacks(execute=True):
        WRITES[act](cup)
        assert heard == []
    stop()

    before = cup.revision
    cup.refresh_from_db()
    assert cup.revision == before + 1
    assert heard == [(cup.pk, cup.revision)]


@pytest.mark.parametrize("act", [act for act in WRITES if act != "save_teams"])
def test_every_write_leaves_a_log_line_of_its_own_name(act):
    cup = cup_ready_for(act)

    WRITES[act](cup)

    assert acts_of(cup)[-1] == act


@pytest.mark.parametrize(
    "act",
    ["draft_draw", "confirm_draw", "cancel_draw", "make_group_games", "add_team"],
)
def test_a_refused_write_changes_nothing_and_announces_nothing(
    act, django_capture_on_commit_callbacks
):
    cup = cup_ready_for(act)
    record(cup.games.first())
    cup.refresh_from_db()
    log = acts_of(cup)
    heard = []
    stop = listen(lambda *facts: heard.append(facts))

    with (
        django_capture_on_commit_callbacks(execute=True),
        pytest.raises(Refusal),
    ):
        WRITES[act](cup)
    stop()

    before = cup.revision
    cup.refresh_from_db()
    assert (cup.revision, acts_of(cup), heard) == (before, log, [])


@pytest.mark.django_db(transaction=True)
def test_a_failed_announcement_does_not_fail_the_save():
    cup = CupFactory(name="Old")

    def fail(cup_id, revision):
        raise RuntimeError("nobody is listening")

    stop = listen(fail)
    services.update_cup(cup=cup, by=None, values={"name": "New"})
    stop()

    cup.refresh_from_db()
    assert (cup.name, cup.revision) == ("New", 1)


def test_a_write_that_fails_half_way_leaves_nothing(monkeypatch):
    cup = cup_of(4)
    draw = services.draft_draw(cup=cup, group_count=2, by=None)

    def fail(*args, **kwargs):
        raise IntegrityError

    monkeypatch.setattr(services, "_settle", fail)
    with pytest.raises(IntegrityError):
        services.confirm_draw(draw=draw, by=None)

    assert (cup.groups.count(), acts_of(cup)) == (0, ["draft_draw"])
