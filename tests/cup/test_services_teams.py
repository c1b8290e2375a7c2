from __future__ import annotations

import pytest

from komppa.cup import services, services_teams
from komppa.cup.models import Team
from komppa.cup.services import RowsRefused, TeamRow
from komppa.errors import Refusal
from tests.factories import CupFactory, TeamFactory, drawn_cup, record

pytestmark = pytest.mark.django_db

LONG = "x" * 81


def facts_of(cup):
    return [services.team_facts(team) for team in cup.teams.order_by("pk")]


def codes(refused):
    return {
        line: [reason.code for reason in reasons]
        for line, reasons in refused.value.rows.items()
    }


def test_new_teams_beyond_what_fits_on_their_page_are_refused_by_line(monkeypatch):
    monkeypatch.setattr(services_teams, "MOST_TEAMS", 3)
    cup = CupFactory()
    first, second = TeamFactory.create_batch(2, cup=cup)
    new = [TeamRow(line, f"Uusi {line}") for line in (2, 3)]

    with pytest.raises(RowsRefused) as refused:
        services.save_teams(cup=cup, rows=new, by=None)
    assert codes(refused) == {3: ["too_many_teams"]}
    kept = TeamRow(1, second.name, team_id=second.pk)
    gone = TeamRow(4, first.name, team_id=first.pk, remove=True)
    services.save_teams(cup=cup, rows=[kept, *new, gone], by=None)

    assert sorted(team.name for team in cup.teams.all()) == sorted(
        [second.name, "Uusi 2", "Uusi 3"]
    )


def test_add_team_tidies_the_names_and_logs_them(organiser):
    cup = CupFactory()

    services.add_team(
        cup=cup, name="  Pata   Ässät ", players=[" Aino ", ""], pot=2, by=organiser
    )

    facts = {"name": "Pata Ässät", "pot": 2, "players": ["Aino", ""]}
    assert facts_of(cup) == [facts]
    line = cup.log.get()
    assert (line.act, line.by, line.target, line.old, line.new) == (
        "add_team",
        organiser,
        "Pata Ässät",
        None,
        facts,
    )


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"name": ""}, "name_missing"),
        ({"name": " \t"}, "name_missing"),
        ({"name": "\u200b\u200d"}, "name_missing"),
        ({"name": LONG}, "name_too_long"),
        ({"name": "pata  ÄSSÄT"}, "name_taken"),
        ({"name": "Pata A\u0308ssa\u0308t"}, "name_taken"),
        ({"name": "New", "players": ["A", "B", "C"]}, "too_many_players"),
        ({"name": "New", "players": ["A", LONG]}, "player_name_too_long"),
    ],
    ids=[
        "no_name",
        "blank_name",
        "invisible_name",
        "long_name",
        "same_letters",
        "same_when_composed",
        "three_players",
        "long_player",
    ],
)
def test_add_team_is_refused(given, code):
    cup = CupFactory()
    services.add_team(cup=cup, name="Pata Ässät", by=None)

    with pytest.raises(Refusal) as refused:
        services.add_team(cup=cup, by=None, **given)

    assert refused.value.code == code
    assert cup.teams.count() == 1


def test_add_team_takes_a_name_that_another_cup_has():
    TeamFactory(name="Same")
    cup = CupFactory()

    services.add_team(cup=cup, name="Same", by=None)

    assert cup.teams.count() == 1


def test_add_team_is_refused_once_play_has_started():
    cup = drawn_cup(teams=3)
    record(cup.games.first())

    with pytest.raises(Refusal) as refused:
        services.add_team(cup=cup, name="Late", by=None)

    assert refused.value.code == "play_started"


def test_update_team_keeps_old_and_new_in_the_log():
    team = TeamFactory(name="Old", pot=1)

    services.update_team(team=team, name="New", players=["Aino", "Väinö"], by=None)

    assert services.team_facts(Team.objects.get(pk=team.pk)) == {
        "name": "New",
        "pot": None,
        "players": ["Aino", "Väinö"],
    }
    line = team.cup.log.get()
    assert (line.act, line.old, line.new) == (
        "update_team",
        {"name": "Old", "pot": 1, "players": ["Old P1", "Old P2"]},
        {"name": "New", "pot": None, "players": ["Aino", "Väinö"]},
    )


def test_update_team_keeps_a_withdrawal_that_the_caller_has_not_seen():
    team = TeamFactory()
    Team.objects.filter(pk=team.pk).update(withdrawn=True)

    services.update_team(team=team, name="New", by=None)

    team.refresh_from_db()
    assert team.withdrawn is True


def test_update_team_may_change_only_the_case_of_its_name():
    team = TeamFactory(name="ässät", name_key="ässät")

    services.update_team(team=team, name="Ässät", by=None)

    team.refresh_from_db()
    assert team.name == "Ässät"


def test_update_team_is_allowed_after_play_has_started():
    cup = drawn_cup(teams=3)
    record(cup.games.first())
    team = cup.teams.first()

    services.update_team(team=team, name="New", by=None)

    team.refresh_from_db()
    assert team.name == "New"


def test_a_team_removed_in_the_meantime_is_refused():
    team = TeamFactory()
    old = Team.objects.get(pk=team.pk)
    services.remove_team(team=team, by=None)

    with pytest.raises(Refusal) as update_refused:
        services.update_team(team=old, name="New", by=None)
    with pytest.raises(Refusal) as removal_refused:
        services.remove_team(team=old, by=None)

    assert update_refused.value.code == removal_refused.value.code == "team_gone"


def test_remove_team_takes_its_players_along_and_logs_them():
    team = TeamFactory(name="Old")

    services.remove_team(team=team, by=None)

    assert team.cup.teams.count() == 0
    line = team.cup.log.get()
    assert (line.act, line.target, line.new) == ("remove_team", "Old", None)
    assert line.old == {"name": "Old", "pot": None, "players": ["Old P1", "Old P2"]}


@pytest.mark.parametrize("played", [False, True])
def test_remove_team_is_refused_once_it_is_drawn(played):
    cup = drawn_cup(teams=3)
    if played:
        record(cup.games.first())

    with pytest.raises(Refusal) as refused:
        services.remove_team(team=cup.teams.first(), by=None)

    assert refused.value.code == "team_drawn"
    assert cup.teams.count() == 3


def test_remove_team_works_again_once_the_draw_is_cancelled():
    cup = drawn_cup(teams=3)
    services.cancel_draw(draw=cup.draws.get(), by=None)

    services.remove_team(team=cup.teams.first(), by=None)

    assert cup.teams.count() == 2


def test_save_teams_adds_changes_and_removes_in_one_go():
    cup = CupFactory()
    kept, changed, removed = TeamFactory.create_batch(3, cup=cup)
    kept_facts = services.team_facts(kept)

    services.save_teams(
        cup=cup,
        by=None,
        rows=[
            TeamRow(1, kept.name, tuple(kept_facts["players"]), team_id=kept.pk),
            TeamRow(2, "Changed", ("Aino", "Väinö"), 1, team_id=changed.pk),
            TeamRow(3, removed.name, team_id=removed.pk, remove=True),
            TeamRow(4, "Added", ("Eino",)),
        ],
    )

    assert facts_of(cup) == [
        kept_facts,
        {"name": "Changed", "pot": 1, "players": ["Aino", "Väinö"]},
        {"name": "Added", "pot": None, "players": ["Eino", ""]},
    ]
    acts = list(cup.log.order_by("pk").values_list("act", "target"))
    assert acts == [
        ("remove_team", removed.name),
        ("update_team", "Changed"),
        ("add_team", "Added"),
    ]


def test_save_teams_lets_two_teams_swap_their_names():
    cup = CupFactory()
    one, other = TeamFactory(cup=cup, name="One"), TeamFactory(cup=cup, name="Other")

    services.save_teams(
        cup=cup,
        by=None,
        rows=[
            TeamRow(1, "Other", team_id=one.pk),
            TeamRow(2, "One", team_id=other.pk),
        ],
    )

    assert dict(cup.teams.values_list("pk", "name")) == {
        one.pk: "Other",
        other.pk: "One",
    }


def test_save_teams_gives_a_removed_team_s_name_to_a_new_one():
    old = TeamFactory(name="Same")

    services.save_teams(
        cup=old.cup,
        by=None,
        rows=[TeamRow(1, "Same", team_id=old.pk, remove=True), TeamRow(2, "Same")],
    )

    assert [team.name for team in old.cup.teams.all()] == ["Same"]
    assert not Team.objects.filter(pk=old.pk).exists()


def test_save_teams_tells_every_reason_of_every_row_and_saves_nothing():
    cup = CupFactory()
    stays = TeamFactory(cup=cup, name="Stays")

    with pytest.raises(RowsRefused) as refused:
        services.save_teams(
            cup=cup,
            by=None,
            rows=[
                TeamRow(1, "Fine"),
                TeamRow(3, "Twin"),
                TeamRow(4, ""),
                TeamRow(7, "twin", ("A", "B", LONG)),
                TeamRow(8, "stays"),
            ],
        )

    assert codes(refused) == {
        3: ["name_taken"],
        4: ["name_missing"],
        7: ["name_taken", "too_many_players", "player_name_too_long"],
        8: ["name_taken"],
    }
    assert refused.value.rows[3][0].message == "Sama nimi on myös rivillä 7."
    assert list(cup.teams.all()) == [stays]
    cup.refresh_from_db()
    assert (cup.revision, cup.log.count()) == (0, 0)


def test_save_teams_names_all_other_lines_of_a_name():
    with pytest.raises(RowsRefused) as refused:
        services.save_teams(
            cup=CupFactory(),
            by=None,
            rows=[TeamRow(line, "Same") for line in (1, 2, 3)],
        )

    assert refused.value.rows[2][0].message == "Sama nimi on myös riveillä 1, 3."


def test_save_teams_refuses_a_team_of_another_cup():
    cup, stranger = CupFactory(), TeamFactory(name="Theirs")

    with pytest.raises(RowsRefused) as refused:
        services.save_teams(
            cup=cup, by=None, rows=[TeamRow(1, "Mine", team_id=stranger.pk)]
        )

    assert codes(refused) == {1: ["team_gone"]}
    stranger.refresh_from_db()
    assert stranger.name == "Theirs"


def test_a_team_of_one_where_the_rules_say_so():
    cup = CupFactory(ruleset="avomarjapussi")

    services.add_team(cup=cup, name="Solo", players=["Aino"], by=None)
    with pytest.raises(Refusal) as refused:
        services.add_team(cup=cup, name="Duo", players=["Aino", "Väinö"], by=None)

    assert facts_of(cup) == [{"name": "Solo", "pot": None, "players": ["Aino"]}]
    assert refused.value.message == "Joukkueessa on enintään 1 pelaaja."
