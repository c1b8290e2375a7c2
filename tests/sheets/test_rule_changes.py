from __future__ import annotations

from dataclasses import replace

import pytest
from django.core.exceptions import ValidationError

from komppa.cup.choices import Outcome, Visibility
from komppa.cup.models import Cup, Game, OrganiserLog
from komppa.cup.queries import group_standings
from komppa.cup.services import RULE_FIELDS, ruleset_values
from komppa.cup.services_changes import withdraw_team
from komppa.cup.services_conflicts import annul_game
from komppa.errors import Refusal
from komppa.sheets.queries import confirmed_sides, course_of
from komppa.sheets.rule_changes import (
    RulesRefused,
    change_rules,
    dropped_aces,
    rules_stamp,
)
from scoring.problems import Code
from scoring.sheet import DealSheet, Foul
from scoring.sides import Pair, Seat, Side
from tests.cup.brackets import conflicts, cup_with_bracket, decide, made_bracket
from tests.cup.evenings import half_played, table, team
from tests.factories import (
    SIX_FOR_A,
    UserFactory,
    agree,
    cup_of,
    drawn_cup,
    end,
    play_out,
    record,
    sheet,
)
from tests.sheets.deals import THREE_EACH, fouling, giving
from tests.sheets.test_check_derived import SOUND, check

pytestmark = pytest.mark.django_db

REASON = "valittiin väärät säännöt"
CORRECTED = replace(giving(Side.B, 1), fouls=(Foul(Side.A, corrected=True),))


def change(cup, **values):
    made = change_rules(cup=cup, values=values, reason=REASON, by=None)
    assert check() == [SOUND]
    return made


def refused(cup, **values) -> Refusal:
    before = everything(cup)
    with pytest.raises(Refusal) as found:
        change_rules(cup=cup, values=values, reason=REASON, by=None)
    assert everything(cup) == before
    return found.value


def everything(cup):
    return [
        list(Cup.objects.order_by("pk").values()),
        list(Game.objects.order_by("pk").values()),
        OrganiserLog.objects.count(),
    ]


def first(cup) -> Game:
    return cup.games.order_by("number").first()


def stands(game):
    game.refresh_from_db()
    return game.sets, game.points, game.winner


def reach_laistokierros(game, *last):
    for played in [THREE_EACH] * 4:
        record(game, played)
    for played in last:
        record(game, played)


def codes(refusal: RulesRefused) -> dict[int, dict[int, list[Code]]]:
    return {
        unsound.game.number: {
            position: [problem.code for problem in problems]
            for position, problems in unsound.problems.items()
        }
        for unsound in refusal.games
    }


def test_without_laistokierros_a_set_won_by_it_is_not_won():
    game = first(drawn_cup())
    reach_laistokierros(game, giving(Side.A, 1))
    assert stands(game) == (Pair(0, 1), Pair(0, 0), "")

    change(game.cup, both_on_target="drop")

    assert stands(game) == (Pair(0, 0), Pair(8, 7), "")


def test_with_laistokierros_both_stay_on_twelve_and_wait_for_it():
    game = first(drawn_cup(ruleset="kotipeli"))
    reach_laistokierros(game)
    assert stands(game) == (Pair(0, 0), Pair(7, 7), "")

    change(game.cup, ruleset="kemistikilta-2011")

    assert stands(game) == (Pair(0, 0), Pair(12, 12), "")
    assert game.laistokierros is True


def test_a_team_without_tricks_in_laistokierros_goes_to_porvoo():
    game = first(drawn_cup())
    no_tricks = DealSheet(last_trick=Side.B, mattis=Pair(0, 8), no_tricks=Side.A)
    reach_laistokierros(game, no_tricks)
    assert stands(game) == (Pair(1, 0), Pair(0, 0), "")

    change(game.cup, laistokierros_no_tricks="porvoo")

    assert stands(game) == (Pair(0, 0), Pair(0, 7), "")


def test_a_higher_target_takes_back_a_set():
    game = first(drawn_cup(ruleset="wikipedia-10"))
    facts = {"last_trick": Side.A, "card_points": Pair(70, 50), "trump": Side.A}
    record(game, DealSheet(**facts, small_trumps=Pair(2, 0)))
    record(game, DealSheet(**facts))
    assert stands(game) == (Pair(1, 0), Pair(0, 0), "")

    cup = change(game.cup, ruleset="wikipedia-12")

    assert stands(game) == (Pair(0, 0), Pair(10, 0), "")
    assert cup.target == 12


def test_a_note_of_the_club_ace_goes_from_a_deal_that_no_longer_opens_a_set():
    user = UserFactory()
    cup = drawn_cup()
    game = first(cup)
    reach_laistokierros(game, giving(Side.A, 1))
    record(game, replace(giving(Side.A, 1), club_ace=Seat.B1))
    record(game, giving(Side.A, 1))
    values = {"both_on_target": "drop"}
    assert dropped_aces(cup, values) == ["P1 (jako 6)"]

    change_rules(cup=cup, values=values, reason=REASON, by=user)

    assert stands(game) == (Pair(0, 0), Pair(10, 7), "")
    aces = game.deal_entries.filter(number=6).order_by("version")
    assert [(e.sheet.get("club_ace"), e.reason, e.entered_by) for e in aces] == [
        ("B1", "", None),
        (None, REASON, user),
    ]
    assert game.deal_entries.count() == 8
    assert cup.log.get(act="change_rules").new["aces"] == ["P1: 6"]
    assert check() == [SOUND]


def test_notes_of_the_club_ace_stay_where_sets_begin_as_before():
    cup = drawn_cup()
    game = first(cup)
    record(game, replace(sheet(), club_ace=Seat.A2))

    assert dropped_aces(cup, {"corrected_foul": "counts"}) == []
    change(cup, corrected_foul="counts")

    assert course_of(game).deals[0].sheet.club_ace is Seat.A2
    assert "aces" not in cup.log.get(act="change_rules").new


def test_corrected_fouls_begin_to_count():
    game = first(drawn_cup())
    record(game)
    record(game, CORRECTED)
    record(game, CORRECTED)

    change(game.cup, corrected_foul="counts")

    assert stands(game) == (Pair(0, 0), Pair(2, 2), "")
    assert game.fouls == Pair(2, 0)


def test_corrected_fouls_begin_to_lead_to_porvoo():
    game = first(drawn_cup())
    record(game)
    record(game, CORRECTED)

    change(game.cup, corrected_foul="foul")

    assert stands(game) == (Pair(0, 0), Pair(0, 1), "")


def test_a_third_foul_that_ended_nothing_refuses_the_rules_until_it_is_taken_back():
    game = first(drawn_cup())
    for played in (CORRECTED, CORRECTED, sheet(), CORRECTED, sheet()):
        record(game, played)

    refusal = refused(game.cup, corrected_foul="counts")

    assert codes(refusal) == {1: {4: [Code.THIRD_FOUL_NOT_ABANDONED]}}
    assert refusal.message == (
        "Osa kirjatuista jaoista ei kävisi näillä säännöillä: P1 (jako 4)."
    )


def test_a_game_lost_by_fouls_that_would_not_count_refuses_the_rules():
    cup = drawn_cup(corrected_foul="counts")
    game = first(cup)
    record(game, CORRECTED)
    record(game, CORRECTED)
    last = DealSheet(fouls=(Foul(Side.A, corrected=True),), abandoned=True)
    record(game, last)

    refusal = refused(cup, corrected_foul="free")

    assert codes(refusal) == {1: {3: [Code.ABANDONED_WITHOUT_THIRD_FOUL]}}


def test_sheets_without_what_the_rules_compare_are_named_all_at_once():
    cup = drawn_cup()
    one, _other, third = cup.games.order_by("number")[:3]
    for _ in range(3):
        record(one)
    record(third)
    end(third, Outcome.ANNULLED)

    refusal = refused(cup, ruleset="wikipedia-12")

    lacking = [Code.UNKNOWN_KEY, Code.MISSING]
    assert codes(refusal) == {
        one.number: dict.fromkeys((1, 2, 3), lacking),
        third.number: {1: lacking},
    }
    assert refusal.message == (
        "Osa kirjatuista jaoista ei kävisi näillä säännöillä: P1 (jaot 1–3), "
        "P3 (jako 1)."
    )


def test_fewer_sets_to_win_are_refused_where_deals_come_after_the_end():
    cup = drawn_cup()
    play_out(first(cup))

    refusal = refused(cup, sets_to_win=1)

    assert codes(refusal) == {1: {3: [Code.AFTER_THE_END], 4: [Code.AFTER_THE_END]}}


def test_fewer_sets_to_win_end_a_game_in_play():
    cup = drawn_cup()
    game = first(cup)
    record(game, sheet(**SIX_FOR_A))
    record(game, sheet(**SIX_FOR_A))

    change(cup, sets_to_win=1)

    assert stands(game) == (Pair(1, 0), Pair(0, 0), "A")
    assert game.is_finished
    assert set(cup.games.values_list("sets_to_win", flat=True)) == {1}


def test_more_sets_to_win_open_a_game_again_and_nobody_has_agreed_to_that():
    user = UserFactory()
    cup = drawn_cup()
    game = play_out(first(cup))
    agree(game)
    entries = game.deal_entries.count()

    change_rules(cup=cup, values={"sets_to_win": 3}, reason=REASON, by=user)

    assert stands(game) == (Pair(2, 0), Pair(0, 0), "")
    assert not game.is_finished
    assert confirmed_sides(game) == {}
    newest = game.deal_entries.latest("pk")
    assert (newest.version, newest.reason, newest.entered_by) == (2, REASON, user)
    assert game.deal_entries.count() == entries + 1
    assert check() == [SOUND]


def test_a_result_that_stays_stays_agreed_to():
    cup = drawn_cup()
    game = play_out(first(cup))
    agree(game)

    change(cup, both_on_target="drop")

    assert set(confirmed_sides(game)) == {Side.A, Side.B}


def test_sets_to_win_reach_every_game_but_the_final_which_has_its_own():
    cup = cup_with_bracket()
    final = cup.games.get(bracket_round=2, bracket_position=0)
    semi = cup.games.get(bracket_round=1, bracket_position=0)
    decide(semi)
    decide(cup.games.get(bracket_round=1, bracket_position=1))
    final.refresh_from_db()
    record(final)
    again = annul_game(game=final, by=None, reason="Sekaannus", replay=True)

    change(cup, sets_to_win=1, final_sets_to_win=5)

    finals = {final.pk, again.pk}
    sets = dict(cup.games.values_list("pk", "sets_to_win"))
    assert {pk: n for pk, n in sets.items() if n != 1} == dict.fromkeys(finals, 5)
    (row, *_), *_ = [standing.rows for standing in group_standings(cup)]
    assert (row.sets_won, row.won) == (3, 3)


def test_the_final_alone_follows_its_own_number_of_sets():
    cup = cup_with_bracket()

    change(cup, final_sets_to_win=2)

    assert set(cup.games.values_list("sets_to_win", flat=True)) == {2}


def test_sets_lacking_in_a_game_lost_by_fouls_are_given_to_the_winner():
    cup = half_played()
    game = cup.games.filter(is_finished=False).order_by("number").first()
    for played in fouling(course_of(game).state, Side.A):
        record(game, played)
    winner = game.team_b.pk

    def sets():
        (standing,) = group_standings(cup)
        return next(row.sets_won for row in standing.rows if row.team.pk == winner)

    before = sets()
    cup = change(cup, foul_loss_sets="full")

    assert sets() == before + 2


def test_games_of_a_withdrawn_team_count_again_and_the_ranks_move():
    cup = half_played()
    withdraw_team(team=team(cup, 3), by=None, reason="Sairastui")
    assert table(cup) == ["1. 1 2-0 4-1", "2. 4 0-1 1-2", "3. 2 0-1 0-2"]

    change(cup, withdrawn_games="walkover")

    assert table(cup) == [
        "1. 1 2-1 4-3",
        "2. 4 1-1 3-2",
        "3. 3 1-2 3-4",
        "4. 2 1-1 2-3",
    ]


def test_a_group_opened_again_brings_the_final_into_conflict():
    cup = drawn_cup(teams=4, groups=2, qualifiers_per_group=1, sets_to_win=1)
    one, other = cup.games.order_by("number")
    reach_laistokierros(one, giving(Side.A, 1))
    play_out(other)
    (final,) = made_bracket(cup)
    record(Game.objects.get(pk=final.pk))

    change(cup, both_on_target="drop")

    assert conflicts(cup) == [final.number]
    assert stands(one) == (Pair(0, 0), Pair(8, 7), "")


def test_a_rule_of_play_alone_moves_nothing():
    cup = half_played()
    before = table(cup)

    cup = change(cup, whole_questions_after_trump=False)

    assert (table(cup), cup.whole_questions_after_trump) == (before, False)


def test_another_ruleset_brings_its_columns_save_for_those_given_too():
    cup = drawn_cup()
    record(first(cup))

    change(cup, ruleset="kotipeli", corrected_foul="counts")

    cup.refresh_from_db()
    expected = {**ruleset_values("kotipeli"), "corrected_foul": "counts"}
    assert {name: getattr(cup, name) for name in expected} == expected
    line = cup.log.get(act="change_rules")
    assert (line.reason, line.target) == (REASON, cup.name)
    assert line.old == {
        "ruleset": "kemistikilta-2011",
        "both_on_target": "laistokierros",
        "corrected_foul": "free",
    }
    assert line.new == {
        "ruleset": "kotipeli",
        "both_on_target": "drop",
        "corrected_foul": "counts",
    }


def test_one_revision_is_added_for_everything():
    cup = drawn_cup()
    play_out(first(cup))
    before = Cup.objects.get(pk=cup.pk).revision

    assert change(cup, sets_to_win=3).revision == before + 1


def test_the_same_rules_again_change_nothing():
    cup = drawn_cup()
    record(first(cup))
    same = {name: getattr(cup, name) for name in RULE_FIELDS}

    refusal = refused(cup, **same)

    assert (refusal.code, refusal.message) == (
        "nothing_changed",
        "Säännöt ovat jo nämä.",
    )


def test_rules_changed_by_another_since_they_were_seen_are_left_alone():
    cup = drawn_cup()
    record(first(cup))
    seen = rules_stamp(cup)
    change(cup, corrected_foul="counts")

    with pytest.raises(Refusal) as found:
        change_rules(
            cup=cup, values={"sets_to_win": 3}, seen=seen, reason=REASON, by=None
        )

    assert found.value.code == "rules_changed"
    cup.refresh_from_db()
    assert (cup.corrected_foul, cup.sets_to_win) == ("counts", 2)


def test_players_in_a_team_stay_while_there_are_teams():
    cup = drawn_cup()
    record(first(cup))

    assert refused(cup, ruleset="avomarjapussi").code == "teams_exist"


def test_an_archived_cup_keeps_its_rules():
    cup = drawn_cup()
    record(first(cup))
    Cup.objects.filter(pk=cup.pk).update(visibility=Visibility.ARCHIVED)

    assert refused(cup, sets_to_win=3).code == "archived"


@pytest.mark.parametrize(
    ("reason", "code"), [(" ", "reason_missing"), ("x" * 301, "reason_too_long")]
)
def test_a_reason_is_needed(reason, code):
    cup = drawn_cup()
    record(first(cup))

    with pytest.raises(Refusal) as found:
        change_rules(cup=cup, values={"sets_to_win": 3}, reason=reason, by=None)

    assert found.value.code == code


def test_what_is_no_rule_or_no_value_of_one_is_a_mistake_of_ours():
    cup = cup_of(4)

    with pytest.raises(ValueError, match="slug"):
        change_rules(cup=cup, values={"slug": "x"}, reason=REASON, by=None)
    with pytest.raises(ValidationError):
        change_rules(cup=cup, values={"sets_to_win": 10}, reason=REASON, by=None)

    assert Cup.objects.get(pk=cup.pk).sets_to_win == 2


def test_another_cup_is_not_touched():
    cup, other = drawn_cup(), drawn_cup()
    for each in (cup, other):
        reach_laistokierros(first(each), giving(Side.A, 1))
    before = list(other.games.values())

    change(cup, both_on_target="drop")

    assert list(other.games.values()) == before
