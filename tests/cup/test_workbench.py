from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.choices import DrawStatus, Outcome
from komppa.cup.queries import group_standings
from komppa.cup.workbench import (
    counts_of,
    cups_overview,
    draw_records,
    latest_log,
    lot_records,
    steps,
    tasks,
    ties_of,
)
from tests.factories import (
    CupFactory,
    ScorekeeperFactory,
    TeamFactory,
    agree,
    drawn_cup,
    end,
    play_out,
    record,
    tied_group,
)

pytestmark = pytest.mark.django_db


def buttons(cup):
    return [task.button for task in tasks(cup, counts_of(cup), ties_of(cup))]


def states(cup):
    return [step.state for step in steps(cup, counts_of(cup))]


def done(cup):
    return [step.is_done for step in steps(cup, counts_of(cup))]


def test_a_new_cup_waits_for_its_teams():
    cup = CupFactory()

    assert states(cup) == [
        "Ei vielä joukkueita",
        "Ei vielä arvottu",
        "Ei vielä pelejä",
        "Ei vielä kirjaajia; järjestäjä voi kirjata itsekin",
    ]
    assert done(cup) == [False] * 4
    assert buttons(cup) == ["Kirjoita joukkueet"]


def test_a_cup_goes_from_teams_to_draw_to_games():
    cup = CupFactory()
    TeamFactory.create_batch(4, cup=cup)
    assert buttons(cup) == ["Arvo lohkot"]

    draw = services.draft_draw(cup=cup, group_count=2, by=None)
    assert buttons(cup) == ["Katso arvontaa"]
    assert states(cup)[1] == "Arvonta odottaa vahvistusta"

    services.confirm_draw(draw=draw, by=None)
    assert buttons(cup) == ["Tee pelit"]
    assert states(cup)[1] == "2 lohkoa"

    services.make_group_games(cup=cup, table_count=1, by=None)
    assert buttons(cup) == ["Tee tunnukset"]
    assert done(cup) == [True, True, True, False]

    keeper = ScorekeeperFactory(is_active=False)
    assert buttons(cup) == ["Tee tunnukset"]
    keeper.is_active = True
    keeper.save()
    assert buttons(cup) == []


def test_a_cup_played_out_waits_for_no_scorekeeper():
    cup = drawn_cup(teams=2)
    agree(play_out(cup.games.get()))

    assert buttons(cup) == []


def test_states_count_games_and_missing_names():
    cup = drawn_cup(teams=4)
    services.update_team(team=cup.teams.first(), name="X", players=["Aino"], by=None)
    first, second, *_rest = cup.games.all()
    play_out(first)
    record(second)
    ScorekeeperFactory()
    ScorekeeperFactory(is_active=False)

    assert states(cup) == [
        "4 joukkuetta; 1 pelaajan nimi puuttuu",
        "1 lohko",
        "6 peliä: 1 pelattu, 1 käynnissä, 4 pelaamatta",
        "1 kirjaajan tunnus",
    ]


def test_a_team_added_after_the_draw_is_pointed_out():
    cup = drawn_cup(teams=3)
    services.add_team(cup=cup, name="Late", by=None)

    assert buttons(cup) == ["Arvo uudelleen"]
    assert done(cup)[1] is False


def test_a_tie_asks_for_the_lot_by_name():
    group = tied_group()
    cup = group.cup
    for game in cup.games.all():
        agree(game)

    (task,) = tasks(cup, counts_of(cup), ties_of(cup))

    a, b, c = sorted(team.name for team in cup.teams.all())
    assert task.button == "Vedä arpa"
    assert task.text.startswith("Tasatilanne lohkossa A: ")
    assert all(name in task.text for name in (a, b, c))


def test_results_that_the_teams_have_not_confirmed_are_one_task():
    ScorekeeperFactory()
    cup = drawn_cup(teams=4, slug="cup")
    first, second, third, *_rest = cup.games.order_by("number")
    assert buttons(cup) == []

    for game in (first, second, third):
        play_out(game)
    agree(second)
    (task,) = tasks(cup, counts_of(cup), ties_of(cup))

    assert task.text == (
        "2 tulosta odottaa joukkueiden vahvistusta: "
        '<a href="/sheet/cup/games/1/">P1</a>, <a href="/sheet/cup/games/3/">P3</a>'
    )
    assert (task.button, task.url) == ("Jakopöytäkirjat", "/sheet/cup/")


def test_many_results_that_wait_are_not_all_named():
    ScorekeeperFactory()
    cup = drawn_cup(teams=6)
    for game in cup.games.order_by("number")[:13]:
        play_out(game)

    (task,) = tasks(cup, counts_of(cup), ties_of(cup))

    assert task.text.count("<a ") == 12
    assert task.text.endswith(">P12</a> …")


def test_an_archived_cup_waits_for_no_confirmation():
    ScorekeeperFactory()
    cup = drawn_cup(teams=2)
    play_out(cup.games.get())
    cup.visibility = "archived"

    assert buttons(cup) == []


@pytest.mark.parametrize("played", [1, 3])
def test_results_that_wait_take_the_same_queries(played, django_assert_num_queries):
    cup = drawn_cup(teams=4)
    for game in cup.games.order_by("number")[:played]:
        play_out(game)

    with django_assert_num_queries(7):
        counts = counts_of(cup)
        tasks(cup, counts, [])

    assert len(counts.to_confirm) == played


def test_a_cup_kept_as_a_draft_is_pointed_out():
    assert buttons(CupFactory(visibility="draft")) == [
        "Kirjoita joukkueet",
        "Muuta näkyvyyttä",
    ]


def test_other_cups_count_for_nothing():
    cup = CupFactory()
    play_out(drawn_cup(teams=3).games.first())

    counts = counts_of(cup)
    assert (counts.teams, counts.games, counts.groups, counts.outside) == (0, 0, 0, 0)


@pytest.mark.parametrize("teams", [3, 12])
def test_the_workbench_takes_the_same_queries_for_any_cup(
    teams, django_assert_num_queries
):
    ScorekeeperFactory()
    cup = drawn_cup(teams=teams, groups=teams // 3)

    with django_assert_num_queries(12):
        counts = counts_of(cup)
        assert len(steps(cup, counts)) == 4
        assert tasks(cup, counts, ties_of(cup)) == []
        list(latest_log(cup, count=8))


@pytest.mark.parametrize("cups", [1, 3])
def test_cups_overview_takes_one_query(cups, django_assert_num_queries):
    for _number in range(cups):
        play_out(drawn_cup(teams=3).games.first())

    with django_assert_num_queries(1):
        rows = cups_overview()

    assert [row.state for row in rows] == ["3 joukkuetta, 1/3 peliä pelattu"] * cups


def test_cups_overview_puts_archived_cups_last():
    old = CupFactory(date="2025-11-29", visibility="archived")
    new = CupFactory(date="2024-11-30")

    assert [row.cup for row in cups_overview()] == [new, old]


def test_draw_records_tell_names_and_who_settled_each(organiser):
    cup = CupFactory()
    names = {team.pk: team.name for team in TeamFactory.create_batch(4, cup=cup)}
    first = services.draft_draw(cup=cup, group_count=2, by=None)
    services.discard_draw(draw=first, by=organiser)
    second = services.draft_draw(cup=cup, group_count=2, by=organiser)
    services.confirm_draw(draw=second, by=None)
    third = services.draft_draw(cup=cup, group_count=1, by=None)
    services.confirm_draw(draw=third, by=organiser)

    records = draw_records(cup)

    assert [(r.draw.pk, r.draw.status, r.settled_by) for r in records] == [
        (third.pk, DrawStatus.CONFIRMED, organiser.username),
        (second.pk, DrawStatus.REPLACED, organiser.username),
        (first.pk, DrawStatus.DISCARDED, organiser.username),
    ]
    assert records[2].groups == (
        ("A", tuple(names[pk] for pk in first.result[0])),
        ("B", tuple(names[pk] for pk in first.result[1])),
    )


def test_draw_records_of_a_removed_team_say_that_it_is_gone():
    cup = CupFactory()
    gone, *_rest = TeamFactory.create_batch(2, cup=cup)
    services.draft_draw(cup=cup, group_count=1, by=None)
    services.remove_team(team=gone, by=None)

    (record_of_draw,) = draw_records(cup)

    assert "(poistettu joukkue)" in record_of_draw.groups[0][1]


@pytest.mark.parametrize("draws", [1, 4])
def test_draw_records_take_three_queries(draws, django_assert_num_queries):
    cup = CupFactory()
    TeamFactory.create_batch(4, cup=cup)
    for _time in range(draws):
        draw = services.draft_draw(cup=cup, group_count=1, by=None)
        services.discard_draw(draw=draw, by=None)

    with django_assert_num_queries(3):
        assert len(draw_records(cup)) == draws


def test_lot_records_tell_which_lot_settles_a_tie():
    group = tied_group()
    cup = group.cup
    ids = [m.team_id for m in group.memberships.all()]
    lot = services.draw_lot(group=group, team_ids=ids, by=None)
    names = dict(cup.teams.values_list("pk", "name"))

    (used,) = lot_records(cup, group_standings(cup))
    end(cup.games.first(), Outcome.BOTH_ABSENT)
    (unused,) = lot_records(cup, group_standings(cup))

    assert used.names == tuple(names[pk] for pk in lot.order)
    assert (used.is_used, unused.is_used) == (True, False)


@pytest.mark.parametrize("lines", [1, 9])
def test_latest_log_takes_one_query(lines, organiser, django_assert_num_queries):
    cup = CupFactory()
    for number in range(lines):
        services.add_team(cup=cup, name=f"Team {number}", by=organiser)

    with django_assert_num_queries(1):
        shown = [(row.act, row.line.by.username) for row in latest_log(cup, count=20)]

    assert shown == [("Joukkue lisätty", organiser.username)] * lines


def test_a_team_in_play_at_two_tables_at_once_is_told():
    cup = drawn_cup(teams=3, tables=1)
    ScorekeeperFactory()
    first, second = cup.games.order_by("number")[:2]
    (both,) = {first.team_a, first.team_b} & {second.team_a, second.team_b}
    record(first)
    before = buttons(cup)
    record(second)

    found = tasks(cup, counts_of(cup), ties_of(cup))

    assert before == []
    assert [(task.text, task.url) for task in found] == [
        (
            f"{both} pelaa kahta peliä yhtä aikaa: P1 ja P2.",
            f"/admin/cup/cup/{cup.pk}/games/2/",
        )
    ]


def test_a_team_left_outside_is_drawn_anew_or_once_play_has_begun_added():
    cup = drawn_cup(teams=4)
    ScorekeeperFactory()
    TeamFactory(cup=cup)
    before = buttons(cup)
    record(cup.games.first())

    (task,) = tasks(cup, counts_of(cup), ties_of(cup))

    assert before == ["Arvo uudelleen"]
    late = f"/admin/cup/cup/{cup.pk}/teams/late/"
    assert (task.button, task.url) == ("Lisää lohkoon", late)
