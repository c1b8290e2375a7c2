from __future__ import annotations

from datetime import date

import pytest
from django.core.exceptions import ValidationError

from komppa.announce import listen
from komppa.cup import services
from komppa.cup.models import (
    Cup,
    OrganiserLog,
)
from komppa.errors import Refusal
from tests.factories import (
    CupFactory,
    cup_of,
    drawn_cup,
    record,
)

pytestmark = pytest.mark.django_db


def make_cup(**values):
    facts = {
        "ruleset": "kemistikilta-2011",
        "name": "Komppa-cup 2026",
        "slug": "komppa-cup-2026",
        "date": date(2026, 11, 28),
    }
    return services.create_cup(by=None, **{**facts, **values})


def test_create_cup_stores_every_switch_of_the_ruleset():
    cup = make_cup(ruleset="wikipedia-10")

    stored = Cup.objects.get(pk=cup.pk)
    expected = {
        "ruleset": "wikipedia-10",
        "target": 10,
        "drop_to": 7,
        "comparison": "card_points",
        "whole_questions_after_trump": False,
        "laistokierros_no_tricks": "stays",
        "both_on_target": "laistokierros",
        "corrected_foul": "free",
        "players_per_team": 2,
    }
    assert {name: getattr(stored, name) for name in expected} == expected


def test_create_cup_lets_a_switch_depart_from_the_ruleset():
    cup = make_cup(ruleset="kotipeli", both_on_target="laistokierros")

    assert (cup.ruleset, cup.both_on_target) == ("kotipeli", "laistokierros")


def test_create_cup_writes_a_log_line_and_announces_the_first_revision(
    organiser, django_capture_on_commit_callbacks
):
    heard = []
    stop = listen(lambda *facts: heard.append(facts))
    with django_capture_on_commit_callbacks(execute=True):
        cup = services.create_cup(
            by=organiser,
            ruleset="kotipeli",
            name="Cup",
            slug="cup",
            date=date(2026, 11, 28),
        )
        assert heard == []
    stop()

    assert heard == [(cup.pk, 0)]
    line = OrganiserLog.objects.get()
    assert (line.cup, line.by, line.act, line.target) == (
        cup,
        organiser,
        "create_cup",
        "Cup",
    )
    assert line.new == {
        "ruleset": "kotipeli",
        "name": "Cup",
        "slug": "cup",
        "date": "2026-11-28",
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("slug", "admin"),
        ("slug", "Ä"),
        ("name", ""),
        ("time_zone", "Europe/Smökki"),
        ("sets_to_win", 0),
        ("final_sets_to_win", 10),
        ("corrected_foul", "sometimes"),
    ],
)
def test_create_cup_refuses_a_value_that_cannot_be(field, value):
    with pytest.raises(ValidationError) as refused:
        make_cup(**{field: value})

    assert set(refused.value.message_dict) == {field}
    assert Cup.objects.count() == 0


def test_create_cup_refuses_a_slug_taken_at_the_last_moment(monkeypatch):
    make_cup()
    monkeypatch.setattr(Cup, "full_clean", lambda cup: None)

    with pytest.raises(Refusal) as refused:
        make_cup()

    assert refused.value.code == "slug_taken"


def test_update_cup_logs_only_what_changed(organiser):
    cup = CupFactory(name="Old", place="Smökki")

    services.update_cup(
        cup=cup, by=organiser, values={"name": "New", "place": "Smökki"}
    )

    line = cup.log.get()
    assert (line.act, line.old, line.new) == (
        "update_cup",
        {"name": "Old"},
        {"name": "New"},
    )


def test_update_cup_without_a_change_writes_no_log_line():
    cup = CupFactory(name="Same")

    services.update_cup(cup=cup, by=None, values={"name": "Same"})

    assert cup.log.count() == 0


def test_update_cup_changes_the_sets_of_games_already_made():
    cup = drawn_cup(teams=3)

    services.update_cup(cup=cup, by=None, values={"sets_to_win": 3})

    assert set(cup.games.values_list("sets_to_win", flat=True)) == {3}


@pytest.mark.parametrize("field", services.RULE_FIELDS)
def test_update_cup_refuses_to_change_a_rule_once_a_deal_is_recorded(field):
    cup = drawn_cup(teams=3)
    record(cup.games.first())
    other = {
        "ruleset": "kotipeli",
        "comparison": "card_points",
        "whole_questions_after_trump": False,
        "laistokierros_no_tricks": "porvoo",
        "both_on_target": "drop",
        "corrected_foul": "counts",
        "foul_loss_sets": "full",
        "withdrawn_games": "walkover",
    }.get(field, 1)

    with pytest.raises(Refusal) as refused:
        services.update_cup(cup=cup, by=None, values={field: other})

    assert refused.value.code == "rules_fixed"
    kept = getattr(cup, field)
    cup.refresh_from_db()
    assert getattr(cup, field) == kept


def test_update_cup_allows_name_and_qualifiers_after_the_first_deal():
    cup = drawn_cup(teams=3)
    record(cup.games.first())

    services.update_cup(
        cup=cup, by=None, values={"name": "New", "qualifiers_per_group": 1}
    )

    cup.refresh_from_db()
    assert (cup.name, cup.qualifiers_per_group) == ("New", 1)


def test_update_cup_refuses_another_number_of_players_once_there_are_teams():
    cup = cup_of(1)

    with pytest.raises(Refusal) as refused:
        services.update_cup(
            cup=cup, by=None, values=services.ruleset_values("avomarjapussi")
        )

    assert refused.value.code == "teams_exist"
