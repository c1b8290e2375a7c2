from __future__ import annotations

import pytest

from komppa.cup.choices import Outcome, Visibility
from komppa.cup.models import Cup, Game, Player
from komppa.cup.qualifying import bracket_games
from komppa.cup.services_conflicts import annul_game
from komppa.live.podiums import champions_of
from tests.cup.brackets import cup_with_bracket, decide, team_at
from tests.factories import CupFactory, end
from tests.live.drawings import drawing

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    """Both semi-finals are won: A1 and B1 are in the final, B2 and A2 for bronze."""
    made = cup_with_bracket(teams=8, groups=2)
    for game in games(made)[:2]:
        decide(game)
    return made


def games(cup):
    return list(bracket_games(cup).order_by("number"))


def bronze(cup):
    return games(cup)[2]


def final(cup):
    return games(cup)[3]


def play_on(cup):
    """Let every game of the bracket be won by its side A."""
    while waiting := [g for g in games(cup) if not g.is_finished]:
        decide(waiting[0])


def first_three(cup):
    podium = drawing(Cup.objects.get(pk=cup.pk)).podium
    return podium and [
        podium.champion.team,
        podium.second,
        podium.third,
    ]


def places(cup, *names):
    return [name and team_at(cup, name) for name in names]


def test_nobody_stands_there_before_the_final(cup):
    decide(bronze(cup))

    assert first_three(cup) is None


def test_champion_is_told_before_the_bronze_game_is_over(cup):
    decide(final(cup))

    assert first_three(cup) == places(cup, "A1", "B1", None)


def test_winner_of_the_bronze_game_is_third(cup):
    decide(bronze(cup), "B")
    decide(final(cup), "B")

    assert first_three(cup) == places(cup, "B1", "A1", "A2")


def test_without_a_bronze_game_nobody_is_third():
    cup = cup_with_bracket(teams=8, groups=2, bronze_game=False)
    play_on(cup)

    assert first_three(cup)[2] is None


def test_final_that_nobody_came_to_makes_no_champion(cup):
    end(final(cup), Outcome.BOTH_ABSENT)

    assert first_three(cup) is None


def test_annulled_final_takes_the_champion_back(cup):
    decide(final(cup))
    annul_game(
        game=Game.objects.get(pk=final(cup).pk), by=None, reason="x", replay=True
    )

    assert first_three(cup) is None


def test_champions_players_are_those_who_play_now(cup):
    first, second = team_at(cup, "A1").players.all()
    Player.objects.filter(pk=first.pk).update(name="Aino")
    Player.objects.filter(pk=second.pk).update(name="Eero")
    decide(final(cup))

    assert drawing(cup).podium.champion.players == "Aino ja Eero"


def test_champion_whose_players_names_are_gone_has_none(cup):
    team_at(cup, "A1").players.update(name="")
    decide(final(cup))

    assert drawing(cup).podium.champion.players == ""


def champions():
    cups = Cup.objects.all()
    return {pk: champion.team for pk, champion in champions_of(cups).items()}


def test_every_cup_that_is_over_has_its_champion(cup):
    CupFactory()
    other = cup_with_bracket(teams=3, groups=1)
    decide(games(other)[0], "B")
    Cup.objects.filter(pk=other.pk).update(visibility=Visibility.ARCHIVED)

    assert champions() == {other.pk: team_at(other, "A2")}
    play_on(cup)
    assert champions() == {other.pk: team_at(other, "A2"), cup.pk: team_at(cup, "A1")}


def test_champion_of_a_replayed_final_is_who_won_the_replay(cup):
    decide(bronze(cup))
    decide(final(cup))
    replay = annul_game(
        game=Game.objects.get(pk=final(cup).pk), by=None, reason="x", replay=True
    )
    decide(replay, "B")

    assert champions() == {cup.pk: team_at(cup, "B1")}


def test_champions_of_many_cups_take_no_more_queries(django_assert_num_queries):
    for _cup in range(3):
        play_on(cup_with_bracket(teams=3, groups=1))
    cups = list(Cup.objects.all())

    with django_assert_num_queries(3):
        assert len(champions_of(cups[:1])) == 1
    with django_assert_num_queries(3):
        assert len(champions_of(cups)) == 3
