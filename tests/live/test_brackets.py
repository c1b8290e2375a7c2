from __future__ import annotations

import pytest

from komppa.cup.bracket_offers import offer_of
from komppa.cup.choices import Outcome
from komppa.cup.queries import group_standings
from komppa.cup.services_bracket import draw_lot_across
from tests.cup.brackets import made_bracket, play_groups, played_groups
from tests.factories import CupFactory, drawn_cup, play_out
from tests.live.drawings import drawing, teams

pytestmark = pytest.mark.django_db


def sources(column):
    return [
        place.game and (place.game.a.source, place.game.b.source)
        for place in column.places
    ]


def finish_group(cup, name, outcome=Outcome.WALKOVER_A):
    cup.games.filter(group__name=name).update(outcome=outcome)


def test_slots_are_named_by_group_and_rank_until_the_groups_are_played():
    drawn = drawing(drawn_cup(teams=8, groups=2))

    assert [column.title for column in drawn.columns] == ["Välierät", "Finaali"]
    assert [sources(column) for column in drawn.columns] == [
        [("A1", "B2"), ("B1", "A2")],
        [("Voittaja V1", "Voittaja V2")],
    ]
    assert (drawn.bronze.a.source, drawn.bronze.b.source) == (
        "Häviäjä V1",
        "Häviäjä V2",
    )
    assert {s.team for c in drawn.columns for p in c.places for s in (p.game.a,)} == {
        ""
    }


def test_slot_takes_the_team_when_its_group_is_played():
    cup = drawn_cup(teams=6, groups=2)
    games = list(cup.games.filter(group__name="A").order_by("number"))
    best = games[0].team_a
    for game in games:
        play_out(game, "A" if best.pk in (game.team_a_id, 0) else "B")
    first = group_standings(cup)[0].rows[0]

    drawn = drawing(cup)

    game = drawn.columns[0].places[0].game
    assert (game.a.source, game.a.team) == ("A1", first.team.name)
    assert (game.b.source, game.b.team) == ("B2", "")


def test_tie_leaves_the_slot_open_and_says_so():
    cup = drawn_cup(teams=8, groups=2)
    finish_group(cup, "A", Outcome.BOTH_ABSENT)

    drawn = drawing(cup)

    slot = drawn.columns[0].places[0].game.a
    assert (slot.source, slot.team, slot.waits_for_lot) == ("A1", "", True)
    names = [row.team.name for row in group_standings(cup)[0].rows]
    assert drawn.open_ties == (
        f"Lohko A: {', '.join(names[:3])} ja {names[3]} ovat tasan jatkopaikasta.",
    )


def test_tie_among_those_who_go_on_is_about_their_order():
    cup = drawn_cup(teams=4, groups=2, qualifiers_per_group=2)
    finish_group(cup, "B", Outcome.BOTH_ABSENT)

    names = [row.team.name for row in group_standings(cup)[1].rows]
    assert drawing(cup).open_ties == (
        f"Lohko B: {names[0]} ja {names[1]} ovat tasan sijoituksesta.",
    )


def test_tie_below_the_line_leaves_nothing_open():
    cup = drawn_cup(teams=4, groups=1, qualifiers_per_group=2)
    rows = [m.team_id for m in cup.groups.get().memberships.order_by("position")]
    for game in cup.games.all():
        pair = (game.team_a_id, game.team_b_id)
        if set(pair) == set(rows[2:]):
            game.outcome = Outcome.BOTH_ABSENT
            game.save()
        else:
            best = min(pair, key=rows.index)
            play_out(game, "A" if best == game.team_a_id else "B")

    assert drawing(cup).open_ties == ()


def test_lone_game_of_a_bye_stands_level_with_the_next():
    drawn = drawing(drawn_cup(teams=9, groups=3, qualifiers_per_group=1))

    assert drawn.columns[0].is_straight
    assert sources(drawn.columns[0]) == [("B1", "C1")]
    assert sources(drawn.columns[1]) == [("A1", "Voittaja V1")]
    assert [place.has_feeder for place in drawn.columns[1].places] == [True]


def test_byes_leave_places_without_a_game_where_two_games_meet_next():
    drawn = drawing(drawn_cup(teams=14, groups=7, qualifiers_per_group=1))

    assert not drawn.columns[0].is_straight
    assert [place.game is None for place in drawn.columns[0].places] == [
        True,
        False,
        False,
        False,
    ]


def test_small_group_sends_no_more_than_it_has():
    cup = drawn_cup(teams=5, groups=2, qualifiers_per_group=3)

    slots = {
        slot.source
        for column in drawing(cup).columns
        for place in column.places
        if place.game
        for slot in (place.game.a, place.game.b)
        if len(slot.source) == 2
    }
    assert slots == {"A1", "A2", "A3", "B1", "B2"}


def test_one_qualifier_makes_no_bracket():
    assert drawing(drawn_cup(teams=4, groups=1, qualifiers_per_group=1)) is None


def test_no_groups_make_no_bracket():
    assert drawing(CupFactory()) is None


def test_best_of_the_next_place_are_called_so_until_the_groups_are_played():
    drawn = drawing(drawn_cup(teams=9, groups=3, qualifiers_per_group=1, best_next=2))

    assert [sources(column) for column in drawn.columns] == [
        [("2. sijan paras", "2. sijan 2. paras"), None],
        [("A1", "Voittaja PV1"), ("B1", "C1")],
        [("Voittaja V1", "Voittaja V2")],
    ]


def test_only_groups_that_have_the_next_place_can_send_a_best_of_it():
    cup = drawn_cup(teams=5, groups=2, qualifiers_per_group=2, best_next=2)

    (first, *_rest) = drawing(cup).columns

    assert sources(first) == [("B2", "3. sijan paras"), None]


def test_best_of_the_next_place_takes_the_name_of_its_group_when_settled():
    cup = played_groups(teams=9, groups=3, qualifiers_per_group=1, best_next=1)
    tied = [row.team for row in (s.rows[1] for s in group_standings(cup))]

    waiting = [s for s in all_slots(drawing(cup)) if s.waits_for_lot]
    lot = draw_lot_across(cup=cup, team_ids=[team.pk for team in tied], by=None)
    best = next(team for team in tied if team.pk == lot.order[0])
    settled = [slot for slot in all_slots(drawing(cup)) if slot.team == best.name]

    assert [slot.source for slot in waiting] == ["2. sijan paras"]
    assert [slot.source[1:] for slot in settled] == ["2"]


def all_slots(drawn):
    return [
        slot for column in drawn.columns for game in column.games for slot in game.sides
    ]


def test_level_teams_of_different_groups_are_told():
    cup = played_groups(teams=8, groups=2, qualifiers_per_group=1, best_next=1)

    (told,) = drawing(cup).open_ties

    assert told.startswith("Lohkojen 2. sijan vertailu: ")


@pytest.mark.parametrize(
    "facts",
    [
        {"teams": 8, "groups": 2},
        {"teams": 9, "groups": 3},
        {"teams": 14, "groups": 4, "qualifiers_per_group": 2, "best_next": 3},
        {"teams": 14, "groups": 7, "qualifiers_per_group": 1},
    ],
    ids=["4 teams", "6 teams", "11 teams", "7 teams"],
)
def test_plan_of_played_groups_is_the_bracket_that_is_made(facts):
    cup = drawn_cup(**facts)
    play_groups(cup)
    made_lots(cup)
    planned = drawing(cup)

    made_bracket(cup)

    made = drawing(cup)
    assert (planned.is_made, made.is_made) == (False, True)
    assert teams(planned) == teams(made)
    assert [[p.has_feeder for p in c.places] for c in planned.columns] == [
        [p.has_feeder for p in c.places] for c in made.columns
    ]


def made_lots(cup):
    """Draw the lots that the best of the next place need."""
    while tied := offer_of(cup).ties_across:
        draw_lot_across(cup=cup, team_ids=[team.pk for team in tied[0]], by=None)
