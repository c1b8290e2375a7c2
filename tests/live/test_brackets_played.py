from __future__ import annotations

import pytest

from komppa.cup.choices import Outcome, WithdrawnGamesChoice
from komppa.cup.models import Game
from komppa.cup.services_changes import withdraw_team
from komppa.cup.services_conflicts import annul_and_replay, confirm_conflict
from komppa.cup.services_games import set_outcome
from komppa.live.boards import State
from tests.cup.brackets import (
    WALKOVERS,
    cup_with_bracket,
    decide,
    game_of,
    team_at,
)
from tests.factories import drawn_cup, end, play_out, record
from tests.live.drawings import drawing, game_in, teams

pytestmark = pytest.mark.django_db

# Eight teams in two groups of four make twelve games, so the bracket begins at P13.
SEMI_FINALS, BRONZE, FINAL = ("P13", "P14"), "P15", "P16"


@pytest.fixture
def cup():
    return cup_with_bracket(teams=8, groups=2)


def numbered(cup, label):
    return Game.objects.get(cup=cup, number=int(label[1:]))


def told(side):
    return side.source, side.team


def correct(cup, one, other, winner):
    """Let the group game of two places have another winner than it had."""
    game = game_of(cup, one, other)
    is_a = game.team_a == team_at(cup, winner)
    set_outcome(
        game=game,
        outcome=WALKOVERS["A" if is_a else "B"],
        by=None,
        reason="Kirjattu väärin",
        seen=Outcome(game.outcome),
    )


def test_games_have_their_numbers_and_say_where_teams_come_from(cup):
    drawn = drawing(cup)

    assert [[g.label for g in column.games] for column in drawn.columns] == [
        ["P13", "P14"],
        ["P16"],
    ]
    assert drawn.bronze.label == BRONZE
    names = {place: team_at(cup, place).name for place in ("A1", "B2")}
    first = game_in(drawn, "P13")
    assert [told(side) for side in first.sides] == [
        ("A1", names["A1"]),
        ("B2", names["B2"]),
    ]
    assert [told(side) for side in game_in(drawn, FINAL).sides] == [
        ("Voittaja P13", ""),
        ("Voittaja P14", ""),
    ]
    assert [told(side) for side in drawn.bronze.sides] == [
        ("Häviäjä P13", ""),
        ("Häviäjä P14", ""),
    ]


def test_game_that_nobody_has_begun_shows_no_figures(cup):
    sides = game_in(drawing(cup), "P13").sides

    assert [(side.sets, side.points) for side in sides] == [(None, None)] * 2


def test_game_in_play_shows_sets_and_the_running_score(cup):
    record(numbered(cup, "P13"))

    game = game_in(drawing(cup), "P13")

    assert game.state is State.IN_PLAY
    assert [(side.sets, side.points) for side in game.sides] == [(0, 2), (0, 0)]


def test_winner_is_marked_and_goes_on_to_the_next_column(cup):
    play_out(numbered(cup, "P13"), "B", loser_sets=1)

    drawn = drawing(cup)

    a, b = game_in(drawn, "P13").sides
    assert [(side.sets, side.points) for side in (a, b)] == [(1, None), (2, None)]
    assert (a.has_won, a.has_lost, b.has_won, b.has_lost) == (False, True, True, False)
    assert game_in(drawn, FINAL).a.team == b.team
    assert drawn.bronze.a.team == a.team


def test_team_with_a_bye_stands_in_the_second_column():
    cup = cup_with_bracket(teams=9, groups=3, qualifiers_per_group=1)

    drawn = drawing(cup)

    a1, b1, c1 = (team_at(cup, place).name for place in ("A1", "B1", "C1"))
    assert teams(drawn) == [[(b1, c1)], [(a1, "")]]
    assert [place.has_feeder for place in drawn.columns[1].places] == [True]


@pytest.mark.parametrize(
    ("facts", "heights"),
    [
        ({"teams": 3, "groups": 1}, [1]),
        ({"teams": 7, "groups": 3, "qualifiers_per_group": 1}, [1, 1]),
        ({"teams": 12, "groups": 5, "qualifiers_per_group": 1}, [2, 2, 1]),
        ({"teams": 9, "groups": 3}, [2, 2, 1]),
        ({"teams": 14, "groups": 7, "qualifiers_per_group": 1}, [4, 2, 1]),
        ({"teams": 12, "groups": 4, "best_next": 3}, [4, 4, 2, 1]),
        ({"teams": 16, "groups": 4, "qualifiers_per_group": 3}, [4, 4, 2, 1]),
    ],
    ids=["2", "3", "5", "6", "7", "11", "12"],
)
def test_byes_make_the_drawing_no_higher(facts, heights):
    drawn = drawing(cup_with_bracket(**facts))

    assert [len(column.places) for column in drawn.columns] == heights
    assert drawn.height == max(heights)


def test_walkover_is_told_beside_the_game(cup):
    decide(numbered(cup, "P13"))

    game = game_in(drawing(cup), "P13")

    assert (game.note, game.a.sets, game.b.sets) == ("luovutus", 2, 0)


def test_withdrawn_team_loses_and_that_is_told():
    cup = cup_with_bracket(
        teams=8, groups=2, withdrawn_games=WithdrawnGamesChoice.WALKOVER
    )
    withdraw_team(team=team_at(cup, "A1"), by=None, reason="Kotiin")

    drawn = drawing(cup)

    game = game_in(drawn, "P13")
    assert (game.note, game.b.has_won) == ("vetäytyminen", True)
    assert game_in(drawn, FINAL).a.team == team_at(cup, "B2").name


def test_place_that_nobody_can_take_any_more_stays_empty(cup):
    end(numbered(cup, "P13"), Outcome.BOTH_ABSENT)

    drawn = drawing(cup)

    assert game_in(drawn, "P13").note == "kumpikin poissa"
    side = game_in(drawn, FINAL).a
    assert (side.team, side.stays_empty) == ("", True)


def test_team_without_an_opponent_goes_on_without_figures(cup):
    for label in SEMI_FINALS:
        is_first = label == "P13"
        if is_first:
            end(numbered(cup, label), Outcome.BOTH_ABSENT)
        else:
            decide(numbered(cup, label))

    final = game_in(drawing(cup), FINAL)

    assert (final.note, final.b.has_won) == ("ei vastustajaa", True)
    assert [side.sets for side in final.sides] == [None, None]


@pytest.fixture
def conflict(cup):
    """The first semi-final has been won by A1, which is A2 by a correction."""
    play_out(numbered(cup, "P13"))
    correct(cup, "A1", "A2", "A2")
    return cup


def test_game_in_conflict_is_marked_and_settles_nothing(conflict):
    drawn = drawing(conflict)

    game = game_in(drawn, "P13")
    assert game.note == "järjestäjä selvittää"
    assert [told(side) for side in game.sides] == [
        ("", team_at(conflict, "A1").name),
        ("B2", team_at(conflict, "B2").name),
    ]
    assert [(side.sets, side.has_won, side.has_lost) for side in game.sides] == [
        (2, False, False),
        (0, False, False),
    ]
    assert told(game_in(drawn, FINAL).a) == ("Voittaja P13", "")


def test_game_played_again_is_drawn_in_the_place_of_the_annulled(conflict):
    annul_and_replay(game=numbered(conflict, "P13"), by=None, reason="Väärä pari")

    drawn = drawing(conflict)

    labels = [[g.label for g in column.games] for column in drawn.columns]
    assert labels == [["P17", "P14"], ["P16"]]
    assert game_in(drawn, "P17").a.team == team_at(conflict, "A2").name
    assert [side.source for side in game_in(drawn, FINAL).sides] == [
        "Voittaja P17",
        "Voittaja P14",
    ]


def test_team_named_for_good_needs_no_source(conflict):
    confirm_conflict(game=numbered(conflict, "P13"), by=None, reason="Sovittiin")

    game = game_in(drawing(conflict), "P13")

    assert told(game.a) == ("", team_at(conflict, "A1").name)
    assert (game.note, game.a.has_won) == ("", True)


def test_place_whose_team_plays_elsewhere_waits_for_the_organiser(cup):
    play_out(numbered(cup, "P13"))
    correct(cup, "A1", "A2", "A2")
    correct(cup, "A1", "A3", "A3")
    confirm_conflict(game=numbered(cup, "P13"), by=None, reason="Sovittiin")
    # Who was confirmed in the first game is now the second of the group.
    correct(cup, "A1", "A3", "A1")

    drawn = drawing(cup)

    assert [game_in(drawn, label).note for label in SEMI_FINALS] == [
        "",
        "järjestäjä selvittää",
    ]
    assert told(game_in(drawn, "P14").b) == ("A2", "")


def test_tie_made_by_a_correction_leaves_the_place_open(cup):
    correct(cup, "A1", "A3", "A3")

    drawn = drawing(cup)

    side = game_in(drawn, "P13").a
    assert (told(side), side.waits_for_lot) == (("A1", ""), True)
    names = [team_at(cup, place).name for place in ("A1", "A2", "A3")]
    (sentence,) = drawn.open_ties
    assert all(name in sentence for name in names)


def test_play_is_where_a_game_goes_on(cup):
    assert drawing(cup).here.title == "Välierät"
    record(numbered(cup, "P13"))
    assert drawing(cup).here.title == "Välierät"


def test_play_is_in_the_first_column_with_an_open_game(cup):
    for label in SEMI_FINALS:
        decide(numbered(cup, label))

    assert drawing(cup).here.title == "Finaali"


def test_play_is_in_a_later_column_while_a_game_goes_on_there():
    cup = cup_with_bracket(teams=12, groups=5, qualifiers_per_group=1)
    (later,) = cup.games.filter(bracket_round=2, bracket_position=1)
    record(later)

    assert drawing(cup).here.title == "Välierät"


def test_bracket_played_out_is_seen_from_its_final(cup):
    for label in (*SEMI_FINALS, BRONZE, FINAL):
        decide(numbered(cup, label))

    assert drawing(cup).here.title == "Finaali"


def test_bronze_game_that_nobody_wanted_is_not_drawn():
    assert (
        drawing(cup_with_bracket(teams=8, groups=2, bronze_game=False)).bronze is None
    )


def test_cup_without_a_bracket_is_drawn_from_its_plan():
    drawn = drawing(drawn_cup(teams=8, groups=2))

    assert (drawn.is_made, drawn.podium) == (False, None)
    assert [g.game for column in drawn.columns for g in column.games] == [None] * 3
