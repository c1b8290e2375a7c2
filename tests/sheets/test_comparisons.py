from __future__ import annotations

import pytest
from django.utils import translation

from komppa.sheets.comparisons import Verdict, compare, derived_sheet
from komppa.sheets.queries import course_of, names_of
from scoring.deal_document import read_deal
from scoring.replay import replay
from scoring.sheet import DealSheet, Foul
from scoring.sides import ZERO, Pair, Seat, Side
from tests.factories import drawn_cup, record, sheet
from tests.sheets.recorded import cut, document, sheet_of, with_event, with_foul

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _finnish():
    with translation.override("fi"):
        yield


@pytest.fixture
def game():
    made = drawn_cup().games.select_related("team_a", "team_b").first()
    made.team_a.name, made.team_b.name = "Karhut", "Hirvet"
    return made


def compared(game, told, position=1):
    course = course_of(game)
    deal = read_deal(told, game.cup.rules)
    return compare(
        deal,
        replay(deal),
        course.deals[position - 1],
        course,
        names_of(game),
        {seat: f"Pelaaja {seat}" for seat in Seat},
    )


def told_by(comparison, verdict):
    return {
        fact.label: (fact.recorded, fact.entered)
        for fact in comparison.facts
        if fact.verdict is verdict
    }


def test_a_sheet_entered_as_the_deal_was_played_is_the_same(game):
    record(game, sheet_of(document()))

    found = compared(game, document())

    assert (found.is_same, found.differences) == (True, 0)
    assert told_by(found, Verdict.UNTOLD) == {}
    assert told_by(found, Verdict.SAME) == {
        "Jaon aloittaja": ("Pelaaja A2", "Pelaaja A2"),
        "Erän 1. jako": ("kyllä", "kyllä"),
        "Valtti": ("Hirvet", "Hirvet"),
        "Valtin maa": ("risti", "risti"),
        "Pikkuvaltit": ("1–0", "1–0"),
        "Pikkuvalttien maat": ("hertta / –", "hertta / –"),
        "Viimeinen tikki": ("Hirvet", "Hirvet"),
        "Matit": ("4–4", "4–4"),
        "Silmät": ("2–34", "2–34"),
        "Ässät": ("3–1", "3–1"),
        "Ei yhtään tikkiä": ("–", "–"),
        "Pelivirheet": ("–", "–"),
        "Keskeytynyt jako": ("ei", "ei"),
        "Jaon pisteet": ("1–4", "1–4"),
    }


def test_what_the_sheet_leaves_out_is_no_difference(game):
    left_out = {"suits": None, "aces": None}
    record(game, sheet_of(document(), **left_out))

    found = compared(game, document())

    assert found.is_same
    assert told_by(found, Verdict.UNTOLD) == {
        "Valtin maa": ("risti", ""),
        "Pikkuvalttien maat": ("hertta / –", ""),
        "Ässät": ("3–1", ""),
    }


def test_each_fact_that_is_otherwise_is_told_with_both(game):
    record(game, sheet_of(document(), trump=Side.A, last_trick=Side.A))

    found = compared(game, document())

    assert (found.is_same, found.differences) == (False, 3)
    assert told_by(found, Verdict.DIFFERENT) == {
        "Valtti": ("Hirvet", "Karhut"),
        "Viimeinen tikki": ("Hirvet", "Karhut"),
        "Jaon pisteet": ("1–4", "4–1"),
    }


def test_a_foul_that_was_not_entered_is_a_difference(game):
    told = with_foul(8)
    (foul,) = replay(read_deal(told)).fouls
    offender = "Karhut" if foul.seat.side is Side.A else "Hirvet"
    record(game, sheet_of(told, fouls=()))

    found = compared(game, told)

    different = told_by(found, Verdict.DIFFERENT)
    assert different.pop("Pelivirheet") == (offender, "–")
    assert list(different) == ["Jaon pisteet"]


def test_a_slip_put_right_at_once_is_told_as_such(game):
    told = with_foul(8, corrected=True)
    (foul,) = replay(read_deal(told)).fouls
    offender = "Karhut" if foul.seat.side is Side.A else "Hirvet"
    record(game, sheet_of(told, fouls=(Foul(foul.seat.side),)))

    different = told_by(compared(game, told), Verdict.DIFFERENT)

    assert different["Pelivirheet"] == (f"{offender} (korjattu heti)", offender)


def test_of_a_deal_that_breaks_off_only_what_is_settled_is_compared(game):
    record(game, sheet_of(document(), trump=Side.A))

    found = compared(game, cut(20))

    assert (found.is_complete, found.is_same, found.differences) == (False, False, 1)
    assert told_by(found, Verdict.DIFFERENT) == {"Valtti": ("Hirvet", "Karhut")}
    assert set(told_by(found, Verdict.SAME)) == {
        "Jaon aloittaja",
        "Erän 1. jako",
        "Valtin maa",
    }


@pytest.mark.parametrize(
    ("entered", "verdict"),
    [
        ("", Verdict.DIFFERENT),
        ("other", Verdict.DIFFERENT),
        ("own", Verdict.SAME),
        ("own own", Verdict.SAME),
        ("own other", Verdict.SAME),
        ("other own", Verdict.DIFFERENT),
    ],
)
def test_a_foul_before_the_record_breaks_off_is_there_at_least(game, entered, verdict):
    told = with_foul(8)
    (foul,) = replay(read_deal(told)).fouls
    told["events"] = told["events"][: foul.event + 1]
    own = foul.seat.side
    sides = {"own": own, "other": own.other}
    fouls = tuple(Foul(sides[word]) for word in entered.split())
    record(game, sheet(fouls=fouls))

    found = compared(game, told)

    assert not found.is_complete
    (fact,) = (fact for fact in found.facts if fact.label == "Pelivirheet")
    offender = "Karhut" if own is Side.A else "Hirvet"
    assert (fact.recorded, fact.verdict) == (f"ainakin {offender}", verdict)


def test_of_a_record_that_breaks_off_before_any_foul_nothing_is_said_of_fouls(game):
    record(game, sheet_of(document(), fouls=(Foul(Side.A),)))

    untold = told_by(compared(game, cut(20)), Verdict.UNTOLD)

    assert untold["Pelivirheet"] == ("", "Karhut")


def test_a_deal_told_as_another_of_its_set_is_a_difference(game):
    record(game, sheet(club_ace=Seat.B1))
    record(game, sheet_of(document(), club_ace=None))

    different = told_by(compared(game, document(), position=2), Verdict.DIFFERENT)

    assert different == {"Erän 1. jako": ("kyllä", "ei")}


def test_a_third_foul_ends_the_deal_in_the_record_too(game):
    told = with_foul(8)
    (foul,) = replay(read_deal(told)).fouls
    side = foul.seat.side
    for _ in range(2):
        record(game, sheet(fouls=(Foul(side),)))
    record(game, DealSheet(fouls=(Foul(side),), abandoned=True))

    found = compared(game, told, position=3)

    assert found.is_complete
    assert set(told_by(found, Verdict.SAME)) >= {"Pelivirheet", "Keskeytynyt jako"}
    assert "Matit" not in [fact.label for fact in found.facts]


def test_derived_sheet_is_cut_at_the_third_foul_and_not_before():
    end = replay(read_deal(with_foul(8)))
    side = end.fouls[0].seat.side
    cut_at = {
        count: derived_sheet(end, ZERO.replace(side, count)) for count in (0, 1, 2)
    }

    assert cut_at[0] == cut_at[1] == end.sheet()
    assert cut_at[2] == DealSheet(fouls=(Foul(side),), abandoned=True)


def test_derived_sheet_does_not_count_a_corrected_slip_that_is_free():
    end = replay(read_deal(with_foul(8, corrected=True)))

    assert derived_sheet(end, Pair(2, 2)) == end.sheet()


def test_a_void_question_is_no_difference(game):
    record(game, sheet_of(document()))

    assert compared(game, with_event(0, {"declare": "H"})).is_same
