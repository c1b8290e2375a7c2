"""Places of the bracket whose own team plays elsewhere, and who is named for them.

P13 is A1–B2, P14 B1–A2.
"""

from __future__ import annotations

import pytest

from komppa.cup.qualifying import bracket_games, taken_places
from komppa.cup.queries import group_standings
from komppa.cup.services_conflicts import (
    confirm_conflict,
    name_team,
)
from komppa.errors import Refusal
from scoring.sides import Side
from tests.cup.brackets import (
    cup_with_bracket,
    decide,
    pairs,
    put_first,
    team_at,
)

pytestmark = pytest.mark.django_db

WHY = {"by": None, "reason": "Tulos korjattiin"}


def refusal_of(act, **facts):
    with pytest.raises(Refusal) as refused:
        act(**{**WHY, **facts})
    return refused.value


def game(cup, number):
    return cup.games.get(number=number)


@pytest.fixture
def cup():
    return cup_with_bracket(teams=8, groups=2)


def with_a_place_to_name(cup):
    """A1 is confirmed in P13, and comes second in his group after all."""
    decide(game(cup, 13))
    for winner in ("A2", "A3"):
        put_first(cup, winner, "A1")
    confirm_conflict(game=game(cup, 13), **WHY)
    put_first(cup, "A1", "A3")
    return cup


def places_taken(cup):
    games = list(bracket_games(cup))
    numbers = {g.pk: g.number for g in games}
    taken = taken_places(cup, games, group_standings(cup))
    return {
        (numbers[pk], side): cup.teams.get(pk=team)
        for (pk, side), team in taken.items()
    }


def test_nobody_plays_in_two_places_so_one_of_them_stays_open(cup):
    with_a_place_to_name(cup)

    assert pairs(cup) == ["A1-B2", "B1-?", "B2-?", "A1-?"]
    assert places_taken(cup) == {(14, Side.B): team_at(cup, "A1")}


def test_the_organiser_names_who_plays_in_an_open_place(cup):
    with_a_place_to_name(cup)
    chosen = team_at(cup, "A2")

    name_team(game=game(cup, 14), side=Side.B, team=chosen, **WHY)

    assert pairs(cup)[:2] == ["A1-B2", "B1-A2"]
    assert places_taken(cup) == {}
    line = cup.log.first()
    assert (line.act, line.old, line.new) == (
        "name_team",
        {"team_b": "A2"},
        {"team_b": chosen.name},
    )
    # And another, as long as nobody has played.
    name_team(game=game(cup, 14), side=Side.B, team=team_at(cup, "A3"), **WHY)
    assert pairs(cup)[1] == "B1-A3"


def test_a_team_that_plays_elsewhere_is_not_named(cup):
    with_a_place_to_name(cup)
    for place in ("A1", "B1"):
        refusal = refusal_of(
            name_team, game=game(cup, 14), side=Side.B, team=team_at(cup, place)
        )

        assert refusal.code == "two_places"
    assert pairs(cup)[1] == "B1-?"


def test_a_team_that_has_withdrawn_is_not_named(cup):
    with_a_place_to_name(cup)
    team = team_at(cup, "A4")
    type(team).objects.filter(pk=team.pk).update(withdrawn=True)

    refusal = refusal_of(name_team, game=game(cup, 14), side=Side.B, team=team)

    assert refusal.code == "team_withdrawn"


@pytest.mark.parametrize(("number", "side"), [(14, Side.A), (13, Side.A), (3, Side.A)])
def test_a_place_that_is_not_open_is_not_given_away(cup, number, side):
    with_a_place_to_name(cup)

    refusal = refusal_of(
        name_team, game=game(cup, number), side=side, team=team_at(cup, "A2")
    )

    assert refusal.code == "not_nameable"
