from __future__ import annotations

import re
from datetime import timedelta

import pytest
from crispy_forms.utils import render_crispy_form
from django.http import QueryDict
from django.utils import timezone

from komppa.sheets.forms import FOUL_ROWS, DealSheetForm, SeatsForm
from komppa.sheets.queries import course_of, seating
from scoring.sheet import DealSheet, Foul, Suits
from scoring.sides import Pair, Seat, Side
from scoring.suits import Suit
from tests.factories import SIX_FOR_A, record, sheet
from tests.sheets.filling import cleaned, filled, first_game, only
from tests.sheets.posts import PLAIN, post

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    return first_game()


# From taps to facts.


def test_four_taps_make_a_whole_sheet(game):
    form = filled(game)

    assert form.is_valid()
    assert form.sheet == DealSheet(
        last_trick=Side.A,
        mattis=Pair(5, 3),
        trump=Side.A,
        suits=Suits(Suit.H, Pair((), ())),
    )


def test_suits_make_the_trump_and_the_small_trumps(game):
    form = filled(game, suit_C="B", suit_S="A", suit_D="B")

    assert form.is_valid()
    assert form.sheet.trump is Side.A
    assert form.sheet.small_trumps == Pair(1, 2)
    assert form.sheet.suits == Suits(Suit.H, Pair((Suit.S,), (Suit.C, Suit.D)))


def test_a_single_suit_is_the_trump_without_being_named_so(game):
    form = filled(game, trump="")

    assert form.sheet.suits == Suits(Suit.H, Pair((), ()))
    assert form.sheet.trump is Side.A


def test_no_suit_is_a_deal_without_trump(game):
    form = only(game, last_trick="B", mattis="0")

    assert form.is_valid()
    assert (form.sheet.trump, form.sheet.suits) == (None, None)
    assert form.sheet.mattis == Pair(0, 8)


@pytest.mark.parametrize(
    ("typed", "pips"),
    [
        ({"pips_a": "20"}, Pair(20, 16)),
        ({"pips_b": "20"}, Pair(16, 20)),
        ({"pips_a": "20", "pips_b": "16"}, Pair(20, 16)),
        ({"pips_a": "0"}, Pair(0, 36)),
    ],
)
def test_either_team_may_give_its_pips(game, typed, pips):
    form = filled(game, mattis="4", **typed)

    assert form.is_valid()
    assert form.sheet.pips == pips


def test_aces_are_read_where_the_pips_are_level(game):
    form = filled(game, mattis="4", pips_a="18", aces="3")

    assert form.is_valid()
    assert form.sheet.aces == Pair(3, 1)


def test_what_is_not_asked_is_not_recorded(game):
    form = filled(game, mattis="5", pips_a="20", aces="3")

    assert form.is_valid()
    assert (form.sheet.pips, form.sheet.aces) == (None, None)


def test_card_points_stand_in_place_of_mattis_where_the_rules_say_so():
    form = filled(first_game(ruleset="wikipedia-12"), card_points_b="50")

    assert form.is_valid()
    assert form.sheet.card_points == Pair(70, 50)
    assert form.sheet.mattis is None
    assert {"mattis", "pips_a", "pips_b", "aces"}.isdisjoint(form.fields)


@pytest.mark.parametrize(
    ("ruleset", "catch"),
    [
        ("kemistikilta-2011", {"mattis": Pair(8, 0)}),
        ("wikipedia-12", {"card_points": Pair(120, 0)}),
    ],
)
def test_no_tricks_says_what_follows_from_it(ruleset, catch):
    form = only(first_game(ruleset=ruleset), no_tricks="B")

    assert form.is_valid()
    assert form.sheet == DealSheet(last_trick=Side.A, no_tricks=Side.B, **catch)


def test_fouls_keep_their_order_and_empty_rows_are_skipped(game):
    form = filled(
        game, foul_1="B", foul_1_corrected="on", foul_3="A", foul_6="B", foul_4=""
    )

    assert form.is_valid()
    assert form.sheet.fouls == (
        Foul(Side.B, corrected=True),
        Foul(Side.A),
        Foul(Side.B),
    )


def test_an_abandoned_deal_keeps_the_fouls_alone(game):
    fouls = {f"foul_{row}": "B" for row in (1, 2, 3)}
    form = filled(game, abandoned="on", club_ace="A2", **fouls)

    assert form.is_valid()
    assert form.sheet == DealSheet(
        fouls=(Foul(Side.B),) * 3, abandoned=True, club_ace=Seat.A2
    )


def test_a_query_string_is_read_like_a_dictionary(game):
    data = QueryDict(mutable=True)
    data.update(post(game))

    assert cleaned(game, data).sheet == filled(game).sheet


# Asking once more.


def test_the_same_facts_again_are_doubted_while_they_are_fresh(game):
    record(game, filled(game).sheet)

    form = filled(game)

    assert form.open_doubts == ["same_again"]
    assert filled(game, mattis="6").open_doubts == []
    assert filled(game, confirmed="same_again").open_doubts == []
    assert filled(game, confirmed="every_suit").open_doubts == ["same_again"]


def test_the_same_facts_are_not_doubted_later(game):
    entry = record(game, filled(game).sheet).entry
    entry.entered_at = timezone.now() - timedelta(minutes=3)
    entry.save(update_fields=["entered_at"])

    assert filled(game).open_doubts == []


@pytest.mark.parametrize(
    ("typed", "doubts", "sentence"),
    [
        (
            {f"suit_{suit}": "A" for suit in Suit},
            ["every_suit"],
            "Kaikki neljä maata on merkitty valtiksi tai pikkuvaltiksi.",
        ),
        (
            {"mattis": "8"},
            ["every_matti"],
            "Karhut sai kaikki kahdeksan mattia. Jos Ilvekset jäi kokonaan ilman "
            "tikkejä, merkitse se kohtaan ”Ei yhtään tikkiä”.",
        ),
        (
            {"mattis": "0"},
            ["every_matti"],
            "Ilvekset sai kaikki kahdeksan mattia. Jos Karhut jäi kokonaan ilman "
            "tikkejä, merkitse se kohtaan ”Ei yhtään tikkiä”.",
        ),
        (
            {f"foul_{row}": side for row, side in enumerate("AABB", start=1)},
            ["many_fouls"],
            "Samassa jaossa on 4 pelivirhettä.",
        ),
    ],
    ids=["every_suit", "every_matti_a", "every_matti_b", "many_fouls"],
)
def test_what_is_rare_is_asked_once_more(game, typed, doubts, sentence):
    form = filled(game, **typed)

    assert form.open_doubts == doubts
    assert form.doubt_sentences == [sentence]


def test_no_tricks_needs_no_second_question(game):
    assert only(game, no_tricks="B").open_doubts == []


# How it looks.


def test_every_field_of_the_form_is_on_the_page(game):
    form = DealSheetForm(game=game, course=course_of(game))

    names = re.findall(r'name="(\w+)"', render_crispy_form(form))

    assert set(names) == set(form.fields)


def test_the_club_ace_is_asked_on_a_sets_first_deal_only(game):
    asked = []
    for _ in range(3):
        form = DealSheetForm(game=game, course=course_of(game))
        asked.append(len(re.findall(r'name="club_ace"', render_crispy_form(form))))
        record(game, sheet(**SIX_FOR_A))

    assert asked == [5, 0, 5]


def test_names_are_shown_as_text(game):
    game.team_a.name = "<b>&\"'"

    html = render_crispy_form(DealSheetForm(game=game, course=course_of(game)))

    assert "<b>&" not in html
    assert "&lt;b&gt;&amp;&quot;&#x27;" in html


def test_two_fresh_forms_have_different_keys(game):
    keys = {
        DealSheetForm(game=game, course=course_of(game)).initial["key"]
        for _ in range(2)
    }

    assert len(keys) == 2


def test_there_are_rows_for_six_fouls(game):
    form = filled(game, **{f"foul_{row}": "AB"[row % 2] for row in range(1, 5)})

    assert FOUL_ROWS == 6
    assert len(form.sheet.fouls) == 4


# Who sits where.


def test_seats_swap_within_a_team(game):
    seated = seating(game)
    form = SeatsForm({"first_a": seated[Seat.A2].pk}, seated=seated)

    assert form.is_valid()
    assert form.seats == {
        "A1": seated[Seat.A2],
        "B1": seated[Seat.B1],
        "A2": seated[Seat.A1],
        "B2": seated[Seat.B2],
    }


def test_a_seat_already_taken_stays_as_it_is(game):
    seated = seating(game)
    form = SeatsForm({"first_a": seated[Seat.A1].pk}, seated=seated)

    assert form.is_valid()
    assert form.seats == {seat.value: player for seat, player in seated.items()}


@pytest.mark.parametrize("value", ["0", "x", "\x00", "9" * 40])
def test_nobody_else_can_be_seated(game, value):
    assert not SeatsForm({"first_a": value}, seated=seating(game)).is_valid()


def test_a_player_of_the_other_team_cannot_be_seated(game):
    seated = seating(game)

    form = SeatsForm({"first_a": seated[Seat.B2].pk}, seated=seated)

    assert list(form.errors) == ["first_a"]


def test_the_plain_deal_of_these_tests_is_valid(game):
    assert filled(game).is_valid()
    assert set(PLAIN) < set(DealSheetForm(game=game, course=course_of(game)).fields)
