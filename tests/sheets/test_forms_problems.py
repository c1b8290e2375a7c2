from __future__ import annotations

import pytest
from crispy_forms.utils import render_crispy_form

from komppa.sheets.forms import DealSheetForm
from komppa.sheets.queries import course_of
from scoring.problems import Code, Problem
from scoring.sheet import Foul
from scoring.sides import Side
from scoring.suits import Suit
from tests.factories import record, sheet
from tests.sheets.filling import filled, first_game, only, sentences

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    return first_game()


# Every problem at its field.

DONE = {"last_trick": "A", "mattis": "5"}
NO_TRICKS_A = {"no_tricks": "A"}


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        (
            {"last_trick": "A"},
            {"mattis": ["Merkitse matit."]},
        ),
        (
            {"mattis": "5"},
            {"last_trick": ["Merkitse, kumpi sai viimeisen tikin."]},
        ),
        (
            {},
            {
                "mattis": ["Merkitse matit."],
                "last_trick": ["Merkitse, kumpi sai viimeisen tikin."],
            },
        ),
        (
            {**DONE, "mattis": "4"},
            {"pips_a": ["Matit menivät tasan 4–4, joten tarvitaan silmät."]},
        ),
        (
            {**DONE, "mattis": "4", "pips_b": "18"},
            {"aces": ["Silmät menivät tasan 18–18, joten tarvitaan ässät."]},
        ),
        (
            {**DONE, "mattis": "4", "pips_a": "20", "pips_b": "20"},
            {"pips_a": ["Silmiä on yhteensä 40, pitäisi olla 36."]},
        ),
        (
            {**DONE, "mattis": "4", "pips_b": "1"},
            {
                "pips_a": [
                    "Silmiä ei voi olla 35: millään korteilla ei tule sitä määrää."
                ]
            },
        ),
        (
            {**DONE, "suit_H": "A", "suit_S": "B"},
            {"trump": ["Pikkuvaltteja on 2, mutta valtti puuttuu."]},
        ),
        (
            {**DONE, **{f"suit_{suit}": "B" for suit in Suit}},
            {
                "trump": [
                    "Pikkuvaltteja on 4, mutta valtti puuttuu.",
                    "Pikkuvaltteja on 4, mutta niitä voi olla enintään 3.",
                ]
            },
        ),
        (
            {**DONE, "trump": "H"},
            {
                "trump": [
                    "Valtin maaksi on merkitty hertta, mutta valtin tekijä puuttuu."
                ]
            },
        ),
        (
            {**NO_TRICKS_A, "mattis": "1"},
            {"mattis": ["Karhut ei saanut tikkejä, joten sillä ei voi olla matteja."]},
        ),
        (
            {**NO_TRICKS_A, "last_trick": "A"},
            {
                "last_trick": [
                    "Karhut ei saanut tikkejä, joten viimeinenkään ei voi olla sen."
                ]
            },
        ),
        (
            {**NO_TRICKS_A, "suit_H": "A"},
            {"trump": ["Karhut ei saanut tikkejä, joten se ei voinut tehdä valttia."]},
        ),
        (
            {**NO_TRICKS_A, "suit_H": "B", "trump": "H", "suit_S": "A"},
            {
                "trump": [
                    "Karhut ei saanut tikkejä, joten se ei voinut tehdä pikkuvalttia."
                ]
            },
        ),
        (
            {**NO_TRICKS_A, "mattis": "4", "pips_a": "10"},
            {
                "mattis": [
                    "Karhut ei saanut tikkejä, joten sillä ei voi olla matteja."
                ],
                "pips_a": ["Karhut ei saanut tikkejä, joten sillä ei voi olla silmiä."],
            },
        ),
        (
            {**NO_TRICKS_A, "mattis": "4", "pips_a": "18", "aces": "2"},
            {
                "mattis": [
                    "Karhut ei saanut tikkejä, joten sillä ei voi olla matteja."
                ],
                "pips_a": ["Karhut ei saanut tikkejä, joten sillä ei voi olla silmiä."],
                "aces": ["Karhut ei saanut tikkejä, joten sillä ei voi olla ässiä."],
            },
        ),
        (
            {"foul_2": "A", "abandoned": "on"},
            {
                "abandoned": [
                    "Jako on merkitty keskeytyneeksi, mutta kummallakaan joukkueella "
                    "ei ole kolmatta pelivirhettä."
                ]
            },
        ),
        (
            {**DONE, "foul_1": "A", "foul_3": "A", "foul_4": "A"},
            {
                "abandoned": [
                    "Karhut teki kolmannen pelivirheensä, joten jako on merkittävä "
                    "keskeytyneeksi."
                ]
            },
        ),
        (
            {
                "foul_1": "A",
                "foul_2": "A",
                "foul_4": "A",
                "foul_6": "B",
                "abandoned": "on",
            },
            {
                "foul_6": [
                    "Peli päättyi, kun Karhut teki kolmannen pelivirheensä; sen "
                    "jälkeen ei voi olla virheitä."
                ]
            },
        ),
    ],
    ids=[
        "missing mattis",
        "last_trick_missing",
        "all at once",
        "pips_needed",
        "aces_needed",
        "pips_sum",
        "pips_impossible",
        "small_trumps_without_trump",
        "small_trumps_over_three",
        "suits_disagree",
        "no_tricks_but_mattis",
        "no_tricks_but_last_trick",
        "no_tricks_but_trump",
        "no_tricks_but_small_trumps",
        "no_tricks_but_pips",
        "no_tricks_but_aces",
        "abandoned_without_third_foul",
        "third_foul_not_abandoned",
        "foul_after_third",
    ],
)
def test_each_problem_is_told_at_its_field(game, typed, errors):
    assert sentences(only(game, **typed)) == errors


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({}, {"card_points_a": ["Merkitse korttipisteet."]}),
        (
            {"card_points_a": "60", "card_points_b": "61"},
            {"card_points_a": ["Korttipisteitä on yhteensä 121, pitäisi olla 120."]},
        ),
        (
            {"card_points_a": "1"},
            {
                "card_points_a": [
                    "Korttipisteitä ei voi olla 1: millään korteilla ei tule sitä "
                    "määrää."
                ]
            },
        ),
        (
            {"no_tricks": "B", "card_points_b": "4"},
            {
                "card_points_b": [
                    "Ilvekset ei saanut tikkejä, joten sillä ei voi olla "
                    "korttipisteitä."
                ]
            },
        ),
    ],
    ids=["missing", "sum", "impossible", "no_tricks_but_card_points"],
)
def test_problems_of_card_points_are_told_at_their_fields(typed, errors):
    game = first_game(ruleset="wikipedia-12")

    assert sentences(only(game, last_trick="A", **typed)) == errors


def test_the_club_ace_is_refused_where_no_set_opens(game):
    record(game)

    form = filled(game, club_ace="A1")

    assert sentences(form) == {
        "club_ace": ["Ristiässän haltija merkitään vain erän ensimmäisessä jaossa."]
    }
    assert 'id="error-club_ace"' in render_crispy_form(form)


@pytest.mark.parametrize(
    ("code", "path", "field"),
    [
        (Code.MATTIS_SUM, "mattis", "mattis"),
        (Code.ACES_SUM, "aces", "aces"),
        (Code.ACES_OVER_MATTIS, "aces/B", "aces"),
        (Code.TENS_OVER_FOUR, "aces/A", "aces"),
        (Code.OUT_OF_RANGE, "small_trumps/B", "trump"),
        (Code.SUIT_TWICE, "suits/small/A/1", "trump"),
        (Code.ABANDONED_WITH_FACTS, "last_trick", "last_trick"),
        (Code.UNKNOWN_KEY, "card_points", "__all__"),
        (Code.AFTER_THE_END, "", "__all__"),
    ],
)
def test_problems_that_taps_cannot_make_have_a_place_too(game, code, path, field):
    form = filled(game)
    figures = {"a": 4, "b": 5, "needed": 8, "team": "A", "suit": "H"}

    form.add_problems([Problem(code, path, tuple(figures.items()))])

    assert list(form.errors) == [field]


def test_a_third_foul_counts_those_of_the_deals_before(game):
    record(game, sheet(fouls=(Foul(Side.B), Foul(Side.B))))

    form = only(game, foul_1="B", abandoned="on")

    assert form.is_valid()


@pytest.mark.parametrize(
    ("switch", "valid"), [("free", False), ("counts", True), ("foul", True)]
)
def test_corrected_fouls_count_as_the_cup_says(switch, valid):
    game = first_game(corrected_foul=switch)
    fouls = {f"foul_{row}": "B" for row in (1, 2, 3)}
    corrected = {f"foul_{row}_corrected": "on" for row in (1, 2, 3)}

    form = only(game, abandoned="on", **fouls, **corrected)

    assert form.is_valid() is valid


@pytest.mark.parametrize(
    ("switch", "words"),
    [
        ("free", "Heti korjatusta virheestä ei mennä Porvooseen, eikä sitä lasketa."),
        (
            "counts",
            "Heti korjatusta virheestä ei mennä Porvooseen, mutta se lasketaan "
            "kolmeen.",
        ),
        ("foul", "Heti korjattu virhe on kuin muutkin virheet."),
    ],
)
def test_the_form_says_what_a_corrected_foul_costs(switch, words):
    game = first_game(corrected_foul=switch)

    assert (
        DealSheetForm(game=game, course=course_of(game)).corrected_foul_words == words
    )


# What nobody taps.


@pytest.mark.parametrize(
    "broken",
    [
        {"number": "1" * 31},
        {"number": "9" * 5000},
        {"number": "0"},
        {"number": "-1"},
        {"number": "1.5"},
        {"number": "1\x00"},
        {"number": ""},
        {"number": ["1", "x"]},
        {"key": "not-a-uuid"},
        {"key": "\x00"},
        {"key": ""},
        {"key": ["", ""]},
    ],
    ids=str,
)
def test_broken_hidden_fields_are_refused_and_nothing_else_is_lost(game, broken):
    form = filled(game, **broken)

    assert form.is_unsound
    assert list(form.errors) == list(broken)

    again = form.again(form.course)

    assert again.is_valid()
    assert again.sheet == filled(game).sheet


@pytest.mark.parametrize("value", ["X", "\x00", "A\x00", "[]", "9" * 5000, "١"])
@pytest.mark.parametrize(
    "field",
    ["suit_H", "trump", "last_trick", "mattis", "no_tricks", "club_ace", "foul_1"],
)
def test_a_choice_that_does_not_exist_is_refused_at_its_field(game, field, value):
    form = filled(game, **{field: value})

    assert not form.is_valid()
    assert list(form.errors) == [field]
    assert form.unreadable == list(form.errors[field])


@pytest.mark.parametrize(
    "value", ["37", "-1", "20.5", "kaksi", "\x00", "1e9", "9" * 99]
)
def test_pips_that_are_no_such_number_are_refused_at_their_field(game, value):
    form = filled(game, mattis="4", pips_a=value)

    assert list(form.errors) == ["pips_a"]
    assert len(form.errors["pips_a"]) == 1


def test_a_form_for_another_deal_is_not_judged_by_this_one(game):
    record(game)

    form = filled(game, number=1, club_ace="A1")

    assert form.is_stale
    assert form.errors == {}


@pytest.mark.parametrize(
    ("sides", "after_third"),
    [
        ("AAAB", ["foul_4"]),
        ("AAABB", ["foul_4", "foul_5"]),
        ("AAABBB", ["foul_4", "foul_5", "foul_6"]),
        ("ABABAB", ["foul_6"]),
    ],
)
def test_each_foul_after_a_third_is_shown_at_its_own_row(sides, after_third):
    rows = {f"foul_{row}": side for row, side in enumerate(sides, start=1)}

    form = only(first_game(), abandoned="on", **rows)

    assert list(form.errors) == after_third


def test_fouls_after_a_third_survive_the_way_back_from_a_conflict():
    game = first_game()
    rows = {"foul_1": "A", "foul_2": "A", "foul_3": "A", "foul_4": "B", "foul_5": "B"}
    form = only(game, **rows)

    again = form.again(course_of(game))

    assert {name: again.data[name] for name in rows} == rows
    assert {"foul_4", "foul_5"} <= set(again.errors)
