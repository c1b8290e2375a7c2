"""A game ended without play (R9.9, R9.11), and moved from table to table."""

from __future__ import annotations

import pytest

from komppa.cup.choices import Outcome, Visibility, WithdrawnGamesChoice
from komppa.cup.models import Game, OrganiserLog
from komppa.cup.services_changes import withdraw_team
from komppa.cup.services_games import RECORDED, move_game, set_outcome
from komppa.errors import Refusal
from komppa.sheets.models import DealEntry
from tests.cup.brackets import cup_with_bracket
from tests.cup.evenings import beats, game_of, standing, table, team
from tests.factories import drawn_cup, end, play_out, record

pytestmark = pytest.mark.django_db


def walkover(game, outcome=Outcome.WALKOVER_A, seen=Outcome.PLAYED, by=None):
    set_outcome(game=game, outcome=outcome, by=by, reason="Ei saapunut", seen=seen)


def move(game, table_number, **rest):
    facts = {"by": None, "reason": "Pöytä rikki", **rest}
    move_game(game=game, table_number=table_number, **facts)


def queue(cup, table_number):
    games = cup.games.filter(playing_table__number=table_number, is_finished=False)
    return list(games.order_by("order", "number").values_list("number", flat=True))


@pytest.mark.parametrize(
    ("outcome", "rows"),
    [
        (Outcome.WALKOVER_A, {"winner": (1, 0, 2, 0), "loser": (0, 1, 0, 2)}),
        (Outcome.BOTH_ABSENT, {"winner": (0, 1, 0, 0), "loser": (0, 1, 0, 0)}),
    ],
    ids=["walkover", "both_absent"],
)
def test_an_outcome_counts_in_the_standings(outcome, rows):
    cup = drawn_cup(teams=3)
    game = cup.games.first()

    walkover(game, outcome)

    found = {
        row.team.pk: (row.won, row.lost, row.sets_won, row.sets_lost)
        for row in standing(cup).rows
    }
    assert found[game.team_a_id] == rows["winner"]
    assert found[game.team_b_id] == rows["loser"]


@pytest.mark.parametrize("outcome", RECORDED[1:])
def test_an_outcome_ends_the_game_and_withdrawing_it_opens_it_again(outcome):
    game = drawn_cup(teams=3).games.first()

    walkover(game, outcome)
    game.refresh_from_db()
    ended = game.is_finished
    walkover(game, Outcome.PLAYED, seen=outcome)

    game.refresh_from_db()
    assert (ended, game.is_finished, game.outcome) == (True, False, "")


def test_deals_stay_on_record_under_an_outcome_and_count_again_after_it():
    cup = drawn_cup(teams=4)
    game = beats(cup, 1, 2, 1)
    before = table(cup)
    entries = list(DealEntry.objects.values_list("pk", "version"))
    against = Outcome.WALKOVER_B if game.winner == "A" else Outcome.WALKOVER_A

    walkover(game, against)
    turned = table(cup)
    walkover(game, Outcome.PLAYED, seen=against)

    assert turned[0] == "1. 2 1-0 2-0"
    assert table(cup) == before
    assert list(DealEntry.objects.values_list("pk", "version")) == entries


def test_an_outcome_makes_the_teams_of_a_bracket_game_a_fact():
    cup = cup_with_bracket(teams=8, groups=2)
    semi = cup.games.get(bracket_round=1, bracket_position=0)
    teams = (semi.team_a, semi.team_b)
    walkover(semi)

    withdraw_team(team=semi.team_b, by=None, reason="Lähti")

    semi.refresh_from_db()
    final = cup.games.get(bracket_round=2, bracket_position=0)
    assert (semi.team_a, semi.team_b) == teams
    # The second of the group has risen into the place, so who played is in question.
    assert final.team_a is None


def test_a_withdrawn_outcome_of_an_unplayed_bracket_game_leaves_the_teams_open():
    cup = cup_with_bracket(teams=8, groups=2)
    semi = cup.games.get(bracket_round=1, bracket_position=0)
    final = cup.games.get(bracket_round=2, bracket_position=0)
    walkover(semi)
    final.refresh_from_db()
    went_on = final.team_a

    walkover(semi, Outcome.PLAYED, seen=Outcome.WALKOVER_A)

    final.refresh_from_db()
    assert (went_on, final.team_a) == (semi.team_a, None)


def test_an_outcome_is_on_record_with_the_winner_s_name(organiser):
    game = drawn_cup(teams=3).games.first()

    walkover(game, by=organiser)

    line = game.log.get()
    assert (line.act, line.target, line.by) == ("set_outcome", "P1", organiser)
    assert line.old == {"outcome": "", "winner": None}
    assert line.new == {"outcome": "walkover_a", "winner": game.team_a.name}
    assert line.reason == "Ei saapunut"


@pytest.mark.parametrize("stands", [Outcome.WALKOVER_B, Outcome.PLAYED])
def test_an_outcome_decided_on_an_old_page_is_refused_with_what_stands(stands):
    game = drawn_cup(teams=3).games.first()
    seen = Outcome.BOTH_ABSENT
    if stands is not Outcome.PLAYED:
        end(game, stands)

    with pytest.raises(Refusal) as refused:
        walkover(game, Outcome.WALKOVER_A, seen=seen)

    game.refresh_from_db()
    assert (refused.value.code, game.outcome) == ("outcome_changed", stands)
    told = "luovutus, B voittaa" if stands else "merkintä on sillä välin poistettu"
    assert refused.value.message.count(told) == 1


def test_the_outcome_that_stands_is_not_recorded_twice():
    game = drawn_cup(teams=3).games.first()
    walkover(game)

    with pytest.raises(Refusal) as refused:
        walkover(game, seen=Outcome.WALKOVER_A)

    assert (refused.value.code, game.log.count()) == ("nothing_changed", 1)


def test_an_outcome_needs_two_known_teams():
    cup = cup_with_bracket(teams=8, groups=2)
    final = cup.games.get(bracket_round=2, bracket_position=0)

    with pytest.raises(Refusal) as refused:
        walkover(final)

    assert refused.value.code == "teams_unknown"


@pytest.mark.parametrize("switch", WithdrawnGamesChoice.values)
def test_a_game_of_a_team_that_left_gets_no_other_outcome(switch):
    cup = drawn_cup(teams=3, withdrawn_games=switch)
    withdraw_team(team=team(cup, 1), by=None, reason="Lähti")

    with pytest.raises(Refusal) as refused:
        walkover(game_of(cup, 1, 2))

    assert refused.value.code == "team_withdrawn"


def test_an_annulled_game_gets_an_outcome_only_after_the_annulment_is_cancelled():
    game = drawn_cup(teams=3).games.first()
    end(game, Outcome.ANNULLED)

    with pytest.raises(Refusal) as refused:
        walkover(game, seen=Outcome.ANNULLED)

    assert refused.value.code == "annulled"


def test_a_game_made_anew_meanwhile_gets_no_outcome():
    cup = drawn_cup(teams=3)
    gone = cup.games.first()
    Game.objects.filter(pk=gone.pk).delete()

    for act in (walkover, lambda game: move(game, 2)):
        with pytest.raises(Refusal) as refused:
            act(gone)
        assert refused.value.code == "game_gone"


@pytest.mark.parametrize("act", [walkover, lambda game: move(game, 2)])
def test_an_archived_cup_is_changed_no_more(act):
    cup = drawn_cup(teams=3, visibility=Visibility.ARCHIVED)
    before = list(Game.objects.order_by("pk").values())

    with pytest.raises(Refusal) as refused:
        act(cup.games.first())

    assert refused.value.code == "archived"
    assert list(Game.objects.order_by("pk").values()) == before


@pytest.mark.parametrize("reason", ["", " \t"])
def test_nothing_is_done_without_a_reason(reason):
    game = drawn_cup(teams=3).games.first()

    with pytest.raises(Refusal) as outcome:
        set_outcome(
            game=game,
            outcome=Outcome.BOTH_ABSENT,
            by=None,
            reason=reason,
            seen=Outcome.PLAYED,
        )
    with pytest.raises(Refusal) as moved:
        move(game, 2, reason=reason)

    codes = (outcome.value.code, moved.value.code)
    assert codes == ("reason_missing", "reason_missing")
    assert OrganiserLog.objects.filter(game=game).count() == 0


def test_a_moved_game_keeps_its_place_in_the_order_of_games():
    cup = drawn_cup(teams=6, groups=1, tables=3)
    closed = queue(cup, 1)
    staying = sorted(queue(cup, 2) + closed)

    for number in reversed(closed):
        move(cup.games.get(number=number), 2)

    assert (queue(cup, 1), queue(cup, 2)) == ([], staying)


def test_a_game_can_be_moved_to_the_head_of_a_queue():
    cup = drawn_cup(teams=6, groups=1, tables=2)
    before = queue(cup, 1)
    last = queue(cup, 2)[-1]

    move(cup.games.get(number=last), 1, is_next=True)

    assert queue(cup, 1) == [last, *before]
    orders = list(cup.games.values_list("order", flat=True))
    assert len(set(orders)) == len(orders)


def test_the_head_of_a_queue_is_behind_the_game_in_play():
    cup = drawn_cup(teams=6, groups=1, tables=2)
    first, *waiting = queue(cup, 1)
    record(cup.games.get(number=first))
    last = queue(cup, 2)[-1]

    move(cup.games.get(number=last), 1, is_next=True)

    assert queue(cup, 1) == [first, last, *waiting]


def test_a_game_can_be_moved_to_a_table_that_is_new():
    cup = drawn_cup(teams=4, tables=2)
    game = cup.games.first()

    move(game, 7)

    assert queue(cup, 7) == [game.number]
    numbers = cup.playing_tables.values_list("number", flat=True)
    assert list(numbers) == [1, 2, 7]


def test_a_game_in_play_can_be_moved_with_its_deals():
    cup = drawn_cup(teams=4, tables=2)
    game = cup.games.first()
    record(game)

    move(game, 2)

    game.refresh_from_db()
    assert (game.playing_table.number, game.deal_count) == (2, 1)


def test_a_move_is_on_record(organiser):
    cup = drawn_cup(teams=4, tables=2)
    game = cup.games.first()

    move(game, 5, by=organiser, is_next=True)

    line = game.log.get()
    assert (line.act, line.target, line.by) == ("move_game", "P1", organiser)
    assert (line.old, line.new) == ({"table": 1}, {"table": 5, "next": True})


@pytest.mark.parametrize("table_number", [0, -3, 100])
def test_a_game_is_not_moved_to_such_a_table(table_number):
    cup = drawn_cup(teams=4, tables=2)

    with pytest.raises(Refusal) as refused:
        move(cup.games.first(), table_number)

    assert (refused.value.code, cup.playing_tables.count()) == ("table_number", 2)


def test_a_finished_game_and_one_that_is_there_already_are_not_moved():
    cup = drawn_cup(teams=4, tables=2)
    finished = play_out(cup.games.get(number=1))

    with pytest.raises(Refusal) as over:
        move(finished, 2)
    with pytest.raises(Refusal) as there:
        move(cup.games.get(number=2), cup.games.get(number=2).playing_table.number)

    assert (over.value.code, there.value.code) == ("game_over", "nothing_changed")
