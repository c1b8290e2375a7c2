from __future__ import annotations

import pytest

from komppa.cup.choices import Outcome
from komppa.cup.models import Game, Group
from komppa.cup.qualifying import bracket_games
from komppa.cup.services_changes import withdraw_team
from komppa.live.boards import State, board_of, boards_of, names_of
from scoring.sheet import DealSheet, Foul
from scoring.sides import Pair, Side
from tests.cup.brackets import cup_with_bracket
from tests.factories import drawn_cup, end, play_out, record, sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    return drawn_cup(teams=4)


@pytest.fixture
def game(cup):
    return cup.games.order_by("number").first()


def ended(game, outcome):
    return board_of(end(game, outcome), game.cup)


def test_game_waits_until_its_first_deal(game):
    board = board_of(game, game.cup)

    assert (board.state, board.outcome, board.note) == (State.WAITING, "", "")


def test_game_is_in_play_after_its_first_deal(game):
    record(game)
    game.refresh_from_db()

    board = board_of(game, game.cup)
    assert (board.state, board.a.points, board.b.points) == (State.IN_PLAY, 2, 0)
    assert (board.a.has_won, board.b.has_lost) == (False, False)


def test_finished_game_marks_the_winner_and_his_sets(game):
    board = board_of(play_out(game, "B", loser_sets=1), game.cup)

    assert (board.a.sets, board.b.sets) == (1, 2)
    assert (board.a.has_lost, board.b.has_won) == (True, True)
    assert board.a.set_marks == (True, False)
    assert board.outcome == f"{game.team_b.name} voitti pelin."


def test_third_foul_is_what_ended_the_game(game):
    for _ in range(2):
        record(game, sheet(fouls=(Foul(Side.A),)))
    record(game, DealSheet(fouls=(Foul(Side.A),), abandoned=True))
    game.refresh_from_db()

    board = board_of(game, game.cup)
    assert board.note == "kolmas pelivirhe"
    assert board.outcome == (
        f"{game.team_b.name} voitti pelin, kun vastustaja teki kolmannen pelivirheensä."
    )
    assert board.a.foul_marks == (True, True, True)
    assert (board.a.sets, board.b.sets) == (0, 0)


def test_walkover_gives_its_winner_the_full_sets(game):
    board = ended(game, Outcome.WALKOVER_B)

    assert board.state is State.FINISHED
    assert (board.a.sets, board.b.sets, board.note) == (0, 2, "luovutus")
    assert board.outcome == f"{game.team_b.name} voitti pelin luovutuksella."


def test_game_of_two_absent_teams_is_lost_by_both(game):
    board = ended(game, Outcome.BOTH_ABSENT)

    assert (board.a.has_lost, board.b.has_lost) == (True, True)
    assert board.counts
    assert board.outcome == "Kumpikin joukkue oli poissa: peli on hävitty molemmille."


def test_annulled_game_counts_for_nobody(game):
    board = ended(play_out(game), Outcome.ANNULLED)

    assert not board.counts
    assert (board.a.has_won, board.b.has_lost) == (False, False)
    assert board.outcome == "Peli on mitätöity, eikä sitä lasketa kummallekaan."


def test_unknown_team_is_called_by_where_it_comes_from(cup, game):
    group = Group(name="C")
    from_group = Game(source_group_a=group, source_rank_a=2, winner_of_b=game)
    from_game = Game(loser_of_a=game, source_group_b=group, source_rank_b=1)

    best = Game(source_best_a=1, source_best_b=2)

    assert names_of(from_group, cup) == Pair("C2", "Voittaja P1")
    assert names_of(from_game, cup) == Pair("Häviäjä P1", "C1")
    assert names_of(best, cup) == Pair("3. sijan paras", "3. sijan 2. paras")


@pytest.mark.parametrize(
    ("switch", "counts", "outcome"),
    [
        (
            "annul",
            False,
            "Joukkue on vetäytynyt turnauksesta: peli on mitätöity, eikä sitä "
            "lasketa kummallekaan.",
        ),
        ("walkover", True, "{} voitti pelin: vastustaja on vetäytynyt."),
    ],
)
def test_game_of_a_withdrawn_team_tells_what_became_of_it(switch, counts, outcome):
    cup = drawn_cup(teams=3, withdrawn_games=switch)
    game = cup.games.first()
    withdraw_team(team=game.team_a, by=None, reason="Lähti kotiin")
    game = cup.games.get(pk=game.pk)

    board = board_of(game, cup)

    assert (board.state, board.note) == (State.FINISHED, "vetäytyminen")
    assert (board.counts, board.b.has_won) == (counts, counts)
    assert board.outcome == outcome.format(game.team_b.name)


def test_games_of_a_group_are_listed_by_their_schedule_round(cup):
    board = boards_of(cup.games.order_by("number"), cup)[-1]

    assert (board.stage, board.heading) == ("", "3. pelikierros")


def test_games_of_the_bracket_are_listed_by_their_stage():
    cup = cup_with_bracket(teams=12, groups=5, qualifiers_per_group=1)

    boards = boards_of(bracket_games(cup).order_by("number"), cup)

    assert [(board.stage, board.heading) for board in boards] == [
        ("Puolivälierä", "Puolivälierät"),
        ("Välierä", "Välierät"),
        ("Välierä", "Välierät"),
        ("Pronssipeli", "Pronssipeli"),
        ("Finaali", "Finaali"),
    ]
