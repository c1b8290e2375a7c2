"""What holds of every game whatever its deals."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from scoring.documents import parse
from scoring.game import Reason, advance, examine, fold, start
from scoring.game_document import answer
from scoring.points import deal_parts, deal_points
from scoring.rulesets import Comparison, ruleset
from scoring.sheet import DealSheet, Foul, Reading
from scoring.sides import Pair, Seat, Side
from scoring.validity import FACTS_COMPARED
from tests.scoring.strategies import any_sheets, games, played_sheets, rulesets

# One seat further round the table: A sits where B sat, and the order stays.
NEXT_SEAT = {Seat.A1: Seat.B1, Seat.B1: Seat.A2, Seat.A2: Seat.B2, Seat.B2: Seat.A1}
NEXT_OF_TWO = {Seat.A1: Seat.B1, Seat.B1: Seat.A1}


@given(st.data())
def test_deal_gives_both_teams_seven_points_at_most(data):
    rules = data.draw(rulesets())
    sheet = data.draw(played_sheets(rules))

    points = deal_points(deal_parts(sheet, rules))

    assert min(points.a, points.b) >= 0
    assert points.a + points.b <= 7


@given(games())
def test_score_stays_from_nil_to_the_target(game):
    sheets, rules, sets_to_win = game

    state = fold(sheets, rules, sets_to_win)

    for result in state.deals:
        assert min(result.score.a, result.score.b) >= 0
        assert max(result.score.a, result.score.b) <= rules.target
    running = {state.points.a, state.points.b}
    assert (rules.target in running) <= (running == {rules.target})


@given(games())
def test_game_is_over_exactly_by_sets_or_by_the_third_foul(game):
    sheets, rules, sets_to_win = game

    state = fold(sheets, rules, sets_to_win)

    by_sets = [side for side in Side if state.sets[side] == sets_to_win]
    by_fouls = [side.other for side in Side if state.fouls[side] == 3]
    assert by_sets + by_fouls == ([state.winner] if state.winner else [])
    assert state.reason is (
        Reason.SETS if by_sets else Reason.FOULS if by_fouls else None
    )


@given(games(), st.data())
def test_deals_never_depend_on_later_ones(game, data):
    sheets, rules, sets_to_win = game
    length = data.draw(st.integers(0, len(sheets)))

    whole = fold(sheets, rules, sets_to_win)
    prefix = fold(sheets[:length], rules, sets_to_win)

    assert prefix.deals == whole.deals[:length]


@given(games())
def test_fold_is_one_deal_after_another(game):
    sheets, rules, sets_to_win = game
    state = start(rules, sets_to_win)
    for sheet in sheets:
        state = advance(state, sheet)

    assert state == fold(sheets, rules, sets_to_win)


@given(games())
def test_teams_that_change_places_change_everything_with_them(game):
    sheets, rules, sets_to_win = game
    seats = NEXT_SEAT if len(rules.seats) == 4 else NEXT_OF_TWO

    state = fold(sheets, rules, sets_to_win)
    mirrored = fold([turned(sheet, seats) for sheet in sheets], rules, sets_to_win)

    assert mirrored == replace(
        state,
        winner=other(state.winner),
        sets=state.sets.swapped,
        fouls=state.fouls.swapped,
        points=state.points.swapped,
        next_dealer=seats.get(state.next_dealer),
        next_leader=seats.get(state.next_leader),
        deals=tuple(turned_result(result, seats) for result in state.deals),
    )


@given(games())
def test_sheet_survives_its_text_form(game):
    sheets, rules, _ = game

    for sheet in sheets:
        text = json.dumps(sheet.to_json())

        assert DealSheet.from_json(parse(text), rules) == sheet


@given(any_sheets())
def test_sheet_of_any_figures_survives_its_text_form(sheet):
    for rules in (ruleset(), ruleset("wikipedia-12")):
        foreign = foreign_facts(rules)

        text = json.dumps(replace(sheet, **foreign).to_json())

        assert DealSheet.from_json(parse(text), rules) == replace(sheet, **foreign)


@given(games())
def test_document_is_answered_as_fold_does(game):
    sheets, rules, sets_to_win = game
    document = {
        "ruleset": rules.key,
        "sets_to_win": sets_to_win,
        "switches": {
            "laistokierros_no_tricks": rules.laistokierros_no_tricks.value,
            "both_on_target": rules.both_on_target.value,
            "corrected_foul": rules.corrected_foul.value,
        },
        "deals": [sheet.to_json() for sheet in sheets],
    }

    state, refused = answer(parse(json.dumps(document)))

    assert (state, refused) == (fold(sheets, rules, sets_to_win).to_json(), False)


@given(st.lists(any_sheets(), max_size=3), rulesets())
def test_sheets_of_any_figures_are_all_checked(sheets, rules):
    alone = [
        problem
        for index, sheet in enumerate(sheets)
        for problem in sheet.problems(rules, path=f"deals/{index}")
    ]

    state, problems = examine(map(Reading, sheets), rules, 1)

    assert [problem for problem in problems if problem in alone] == alone
    assert all(problem.message.isprintable() for problem in problems)
    assert (len(state.deals) == len(sheets)) is (problems == [])


def foreign_facts(rules):
    """The figures that a ruleset does not compare, each with None."""
    kinds = set(Comparison) - {rules.comparison}
    return {key: None for kind in kinds for key in FACTS_COMPARED[kind]}


def other(side):
    return None if side is None else side.other


def turned(sheet, seats):
    def swapped(pair):
        return None if pair is None else pair.swapped

    suits = sheet.suits
    return replace(
        sheet,
        last_trick=other(sheet.last_trick),
        mattis=swapped(sheet.mattis),
        pips=swapped(sheet.pips),
        aces=swapped(sheet.aces),
        card_points=swapped(sheet.card_points),
        trump=other(sheet.trump),
        small_trumps=sheet.small_trumps.swapped,
        suits=suits and replace(suits, small=suits.small.swapped),
        no_tricks=other(sheet.no_tricks),
        fouls=tuple(Foul(foul.side.other, foul.corrected) for foul in sheet.fouls),
        club_ace=seats.get(sheet.club_ace),
    )


def turned_result(result, seats):
    effects = [replace(effect, side=other(effect.side)) for effect in result.effects]
    order = list(dict.fromkeys(effect.code for effect in effects))
    effects.sort(key=lambda effect: (order.index(effect.code), effect.side or ""))
    return replace(
        result,
        dealer=seats.get(result.dealer),
        leader=seats.get(result.leader),
        points=result.points.swapped,
        score=result.score.swapped,
        parts=Pair(result.parts.b, result.parts.a),
        effects=tuple(effects),
    )
