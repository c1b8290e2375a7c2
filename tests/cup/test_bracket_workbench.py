from __future__ import annotations

import pytest

from komppa.cup.bracket_workbench import (
    board_of,
    bracket_now,
    bracket_step,
    bracket_tasks,
    byes_told,
    planned_stages,
    progress_of,
)
from komppa.cup.services_conflicts import annul_and_replay, confirm_conflict
from scoring.sides import Side
from tests.cup.brackets import (
    cup_with_bracket,
    decide,
    played_groups,
    put_first,
    team_at,
)
from tests.factories import CupFactory, drawn_cup, record

pytestmark = pytest.mark.django_db

WHY = {"by": None, "reason": "Tulos korjattiin"}


def told_tasks(cup):
    return [(task.text, task.button) for task in bracket_tasks(cup, bracket_now(cup))]


def game(cup, number):
    return cup.games.get(number=number)


def rows_of(board):
    return [row for _title, rows in board.stages for row in rows]


def test_what_each_group_lacks_is_said_in_words():
    cup = drawn_cup(teams=7, groups=2)
    a, b = cup.groups.all()
    for each in list(a.games.order_by("number"))[:4]:
        decide(each)
    for each in b.games.all():
        decide(each)

    progress = progress_of(bracket_now(cup))

    last = [f"P{number}" for number in a.games.values_list("number", flat=True)][-2:]
    assert [(p.name, p.sentence, p.is_complete) for p in progress] == [
        ("A", f"Kesken on 2 peliä: {last[0]} ja {last[1]}.", False),
        ("B", "Kaikki pelit on pelattu.", True),
    ]


def test_a_group_whose_games_are_not_made_says_so():
    cup = drawn_cup(teams=3)
    cup.games.all().delete()

    (progress,) = progress_of(bracket_now(cup))

    assert progress.sentence == "Lohkon pelejä ei ole vielä tehty."


def test_the_planned_games_are_told_by_the_numbers_they_will_have():
    cup = played_groups(teams=7, groups=3, qualifiers_per_group=1)
    a, b, c = (team_at(cup, place).name for place in ("A1", "B1", "C1"))
    offer = bracket_now(cup)

    stages = planned_stages(cup, offer)

    told = [
        (title, [(planned.number, planned.a, planned.b) for planned in games])
        for title, games in stages
    ]
    assert told == [
        ("Välierät", [(6, f"B1 {b}", f"C1 {c}")]),
        ("Finaali", [(7, f"A1 {a}", "Voittaja P6")]),
    ]
    assert byes_told(offer) == f"A1 {a}"


def test_the_board_tells_who_stands_where_and_what_is_still_to_come():
    cup = cup_with_bracket(teams=8, groups=2)
    decide(game(cup, 13))

    board = board_of(cup)

    names = {place: team_at(cup, place).name for place in ("A1", "B2", "B1", "A2")}
    assert [title for title, _rows in board.stages] == [
        "Välierät",
        "Pronssipeli",
        "Finaali",
    ]
    shown = [(r.a.team or r.a.source, r.b.team or r.b.source) for r in rows_of(board)]
    assert shown == [
        (names["A1"], names["B2"]),
        (names["B1"], names["A2"]),
        (names["B2"], "Häviäjä P14"),
        (names["A1"], "Voittaja P14"),
    ]
    assert rows_of(board)[0].state == f"{names['A1']} voitti luovutuksella 2–0"
    assert (board.finished, board.games, board.champion) == (1, 4, "")
    assert board.has_begun is True


def test_a_bracket_that_nobody_has_begun_is_known_as_such():
    assert board_of(cup_with_bracket()).has_begun is False


@pytest.mark.parametrize("size", [4, 8])
def test_the_board_takes_the_same_queries_for_any_bracket(
    size, django_assert_num_queries
):
    cup = cup_with_bracket(teams=2 * size, groups=size // 2)

    with django_assert_num_queries(8):
        assert board_of(cup).games == size


# What waits for the organiser.


def test_without_groups_nothing_of_the_bracket_waits():
    cup = CupFactory()
    step = bracket_step(cup, bracket_now(cup))

    assert told_tasks(cup) == []
    assert (step.title, step.state, step.is_done) == (
        "Jatkopelit",
        "Tehdään, kun lohkot on pelattu",
        False,
    )


def test_finished_groups_wait_for_the_bracket():
    cup = played_groups()

    assert told_tasks(cup) == [
        ("Lohkot ovat valmiit. Tee jatkopelit.", "Tee jatkopelit")
    ]
    assert bracket_step(cup, bracket_now(cup)).state == "Lohkot ovat valmiit"


def test_an_archived_cup_waits_for_no_bracket():
    assert told_tasks(played_groups(visibility="archived")) == []


def test_a_tie_between_groups_waits_for_its_lot():
    cup = played_groups(teams=6, groups=2, best_next=1)
    a, b = team_at(cup, "A3"), team_at(cup, "B3")

    assert told_tasks(cup) == [
        (f"Lohkojen 3. sijan vertailu: {a} ja {b} ovat tasan.", "Vedä arpa")
    ]


def test_a_game_in_conflict_waits_with_its_reason():
    cup = cup_with_bracket(teams=8, groups=2)
    decide(game(cup, 13))
    put_first(cup, "A2", "A1")
    a1, a2 = team_at(cup, "A1"), team_at(cup, "A2")

    assert told_tasks(cup) == [
        (
            f"Peli P13 on ristiriidassa: {a1} pelasi, mutta A1 on nyt {a2}.",
            "Ratkaise ristiriita",
        )
    ]
    assert [r.in_conflict for r in rows_of(board_of(cup))] == [True, *[False] * 3]
    (task,) = bracket_tasks(cup, bracket_now(cup))
    assert task.url == f"/admin/cup/cup/{cup.pk}/games/13/conflict/"


def test_a_conflict_says_where_it_is_open_who_belongs_there():
    cup = cup_with_bracket(teams=8, groups=2)
    for number in (13, 14):
        decide(game(cup, number))
    record(game(cup, 16))
    put_first(cup, "A2", "A1")

    (semi, other, final) = board_of(cup).conflicts

    a1, b1 = team_at(cup, "A1"), team_at(cup, "B1")
    assert [c.game.number for c in (semi, other, final)] == [13, 14, 16]
    assert final.sentences == (
        f"{a1} pelasi, mutta Voittaja P13 ei ole enää selvillä.",
        f"{b1} pelasi, mutta Voittaja P14 ei ole enää selvillä.",
    )


def test_a_place_whose_team_plays_elsewhere_waits_for_a_name():
    cup = cup_with_bracket(teams=8, groups=2)
    decide(game(cup, 13))
    for winner in ("A2", "A3"):
        put_first(cup, winner, "A1")
    confirm_conflict(game=game(cup, 13), **WHY)
    put_first(cup, "A1", "A3")

    (task,) = bracket_tasks(cup, bracket_now(cup))

    assert (task.text, task.button) == (
        f"Pelistä P14 puuttuu joukkue: A2 on {team_at(cup, 'A1')}, jonka paikka on "
        "vahvistettu toiseen peliin.",
        "Valitse joukkue",
    )
    assert task.url == f"/admin/cup/cup/{cup.pk}/games/14/team/b/"
    places = {
        (row.game.number, place.side)
        for row in rows_of(board_of(cup))
        for place in (row.a, row.b)
        if place.can_be_named
    }
    assert places == {(14, Side.B)}


def test_an_annulled_game_stays_on_the_board_until_its_replay_has_begun():
    cup = cup_with_bracket(teams=8, groups=2)
    decide(game(cup, 13))
    put_first(cup, "A2", "A1")
    new = annul_and_replay(game=game(cup, 13), **WHY)

    (annulled,) = board_of(cup).annulled
    assert (annulled.game, annulled.replay, annulled.can_cancel) == (
        game(cup, 13),
        new,
        True,
    )

    # Though nobody has played the new one, the bracket has begun.
    assert board_of(cup).has_begun is True
    record(new)
    (annulled,) = board_of(cup).annulled
    assert annulled.can_cancel is False


def test_the_champion_is_named_once_the_final_is_won():
    cup = cup_with_bracket(teams=8, groups=2)
    for number in (13, 14, 16):
        assert bracket_step(cup, bracket_now(cup)).is_done is False
        decide(game(cup, number), "B")

    step = bracket_step(cup, bracket_now(cup))

    champion = team_at(cup, "A2")
    assert board_of(cup).champion == champion.name
    assert (step.state, step.is_done) == (f"Mestari: {champion}", True)
