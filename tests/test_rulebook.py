from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.conf import settings
from django.utils import translation

from komppa.rulebook import (
    SIZES,
    Agreed,
    departure_sentence,
    departures,
    is_rule,
    rulebook,
)
from scoring.cards import Card
from scoring.rulesets import RULESETS, Comparison, ruleset
from scoring.suits import Suit
from scoring.tricks import narrowings
from tests.serving import ROOT

CITED = re.compile(r"\bR\d+(?:\.\d+)?\b")
LANGUAGES = [code for code, _name in settings.LANGUAGES]
KOMPPA_CUP = RULESETS["kemistikilta-2011"]

every_language = pytest.mark.parametrize("language", LANGUAGES)
every_ruleset = pytest.mark.parametrize("key", RULESETS)


def documented() -> list[str]:
    """Return the numbers of all rules that the document knows, in order."""
    text = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    found = {tuple(map(int, pair)) for pair in re.findall(r"R(\d+)\.(\d+)", text)}
    return [f"R{chapter}.{rule}" for chapter, rule in sorted(found)]


def told(rules=KOMPPA_CUP, **agreed) -> dict[str, list[str]]:
    """Return all that the book says, by the number of the rule or chapter."""
    book: dict[str, list[str]] = {}
    for chapter in rulebook(rules, Agreed(**agreed)):
        book[chapter.number] = [chapter.title, *chapter.texts, *chapter.chosen]
        for rule in chapter.rules:
            book[rule.number] = [*rule.texts, *rule.ways, rule.chosen]
    return book


def changed(one: dict[str, list[str]], other: dict[str, list[str]]) -> list[str]:
    return [number for number in one if one[number] != other[number]]


@every_language
@every_ruleset
def test_the_book_has_exactly_the_numbers_of_the_document(key, language):
    with translation.override(language):
        chapters = rulebook(RULESETS[key], Agreed())

    numbers = [rule.number for chapter in chapters for rule in chapter.rules]
    assert numbers == documented()


@every_ruleset
def test_each_chapter_holds_its_own_rules(key):
    held = {
        chapter.number: [rule.number for rule in chapter.rules]
        for chapter in rulebook(RULESETS[key], Agreed())
    }

    assert held == {
        chapter: [f"{chapter}.{n}" for n in range(1, size + 1)]
        for chapter, size in SIZES.items()
    }


@every_language
@every_ruleset
def test_each_rule_says_something_and_leads_only_to_rules(key, language):
    with translation.override(language):
        book = told(RULESETS[key], best_next=1)

    said = {number: " ".join(texts).strip() for number, texts in book.items()}
    assert [number for number, text in said.items() if not text] == []
    cited = {number for text in said.values() for number in CITED.findall(text)}
    assert {number for number in cited if not is_rule(number)} == set()


@pytest.mark.parametrize(
    ("number", "is_there"),
    [
        ("R5.2", True),
        ("R10", True),
        ("R9.11", True),
        ("R9.12", False),
        ("R5.0", False),
        ("R5.02", False),
        ("R05.2", False),
        ("R11.1", False),
        ("R5.", False),
        ("r5.2", False),
        ("R5.²", False),
        ("", False),
    ],
)
def test_a_rule_is_known_by_its_number_alone(number, is_there):
    assert is_rule(number) is is_there


# The rulesets.


@pytest.mark.parametrize(
    ("key", "other", "numbers"),
    [
        (
            "kotipeli",
            "kemistikilta-2011",
            ["R5.3", "R6.1", "R6.2", "R6.3", "R6.4", "R6.5", "R6.6"],
        ),
        (
            "wikipedia-12",
            "kemistikilta-2011",
            ["R1.3", "R3.5", "R4.2", "R5.4", "R10.1", "R10.3"],
        ),
        (
            "wikipedia-10",
            "wikipedia-12",
            ["R5.1", "R5.2", "R5.5", "R6", *(f"R6.{n}" for n in range(1, 7))],
        ),
        (
            "avomarjapussi",
            "kemistikilta-2011",
            [
                *("R1.1", "R2", "R2.3", "R2.5", "R2.6"),
                *(f"R3.{n}" for n in range(1, 7)),
                *("R8.1", "R8.2", "R8.3"),
            ],
        ),
    ],
)
def test_a_ruleset_tells_its_differences_at_their_rules(key, other, numbers):
    assert changed(told(RULESETS[other]), told(RULESETS[key])) == numbers


@pytest.mark.parametrize(
    ("key", "numbers"),
    [
        ("kemistikilta-2011", []),
        ("kotipeli", ["R6.1", "R6.2", "R6.3", "R6.4", "R6.5"]),
        ("wikipedia-12", []),
        ("wikipedia-10", []),
        ("avomarjapussi", ["R3.4", "R3.5"]),
    ],
)
def test_a_rule_that_a_ruleset_lacks_is_marked(key, numbers):
    chapters = rulebook(RULESETS[key], Agreed())

    absent = [r.number for c in chapters for r in c.rules if not r.is_in_force]
    assert absent == numbers


@every_ruleset
def test_a_deal_has_as_many_tricks_as_the_engine_plays(key):
    rules = RULESETS[key]

    dealt = " ".join(told(rules)["R1.1"])

    assert re.findall(r"jaossa pelataan (\d+) tikkiä", dealt) == [str(rules.tricks)]


@every_language
def test_the_figures_of_a_set_are_the_cups_own(language):
    other = replace(KOMPPA_CUP, target=15, drop_to=4)
    with translation.override(language):
        before, after = told(), told(other)

    expected = {"12": "15", "7": "4"}
    chapter_6 = ("R6", *(f"R6.{n}" for n in range(1, 7)))
    for number in ("R5.1", "R5.2", "R5.5", *chapter_6):
        bare = [CITED.sub("", " ".join(book[number])) for book in (before, after)]
        figures = [re.findall(r"\d+", text) for text in bare]
        assert figures[1] == [expected.get(figure, figure) for figure in figures[0]]
        assert figures[1] != figures[0]


@every_language
@every_ruleset
@pytest.mark.parametrize(
    ("hand", "trick", "number", "trump"),
    [
        ("HA H9 S7", "H10", 1, None),
        ("HA H9 S7", "H10", 2, None),
        ("HA H6 S7", "D7 H8", 4, Suit.H),
    ],
)
def test_the_order_of_duties_is_told_as_they_apply(
    hand, trick, number, trump, key, language
):
    applied = [
        duty.rule
        for duty, _kept in narrowings(
            [Card.parse(card) for card in hand.split()],
            [Card.parse(card) for card in trick.split()],
            trump=trump,
            trick_number=number,
            must_lead=None,
            set_opening=False,
        )
    ]
    with translation.override(language):
        order = CITED.findall(" ".join(told(RULESETS[key])["R2"]))

    assert len(applied) == 2
    assert [rule for rule in order if rule in applied] == applied


@pytest.mark.parametrize("key", ["wikipedia-12", "wikipedia-10"])
def test_card_points_leave_no_word_of_mattis_points_or_pips(key):
    book = told(RULESETS[key])

    words = " ".join(" ".join(texts) for n, texts in book.items() if n != "R1.3")
    assert re.findall(r"\w*matti\w*|silmä\w*", words, re.I) == []


def test_two_players_have_no_partner_and_ask_nothing():
    book = told(RULESETS["avomarjapussi"])

    words = " ".join(" ".join(texts) for texts in book.values())
    assert re.findall(r"\bpari\w*|myötäpäivään", words) == ["paria"]
    assert "Kysymyksiä ei ole, koska pelaajalla ei ole paria." in book["R3.2"]


def test_card_points_for_two_are_told_as_such():
    both = replace(RULESETS["avomarjapussi"], comparison=Comparison.CARD_POINTS)

    numbers = changed(told(RULESETS["avomarjapussi"]), told(both))

    assert numbers == ["R1.3", "R4.2", "R5.4", "R10.1", "R10.3"]


# What a cup chooses.


@every_language
@pytest.mark.parametrize(
    ("chosen", "numbers"),
    [
        ({"laistokierros_no_tricks": "porvoo"}, ["R6.2", "R6.4", "R6.5"]),
        ({"corrected_foul": "counts"}, ["R7.1", "R7.3"]),
        ({"corrected_foul": "foul"}, ["R5.4", "R7.1", "R7.3"]),
    ],
    ids=lambda value: str(value),
)
def test_each_choice_of_a_switch_changes_the_rules_that_it_touches(
    chosen, numbers, language
):
    with translation.override(language):
        assert changed(told(), told(ruleset(**chosen))) == numbers


@pytest.mark.parametrize(
    ("way", "porvoo", "counted"),
    [
        (
            "free",
            "Heti korjatusta virheestä ei kuitenkaan mennä Porvooseen (R7.3).",
            "Heti korjattua virhettä ei lasketa (R7.3).",
        ),
        (
            "counts",
            "Heti korjatusta virheestä ei kuitenkaan mennä Porvooseen (R7.3).",
            "Myös heti korjattu virhe lasketaan (R7.3).",
        ),
        (
            "foul",
            "Sama koskee heti korjattua virhettä (R7.3).",
            "Myös heti korjattu virhe lasketaan (R7.3).",
        ),
    ],
)
def test_what_a_foul_costs_tells_of_the_corrected_one(way, porvoo, counted):
    book = told(ruleset(corrected_foul=way))

    assert (book["R5.4"][1], book["R7.1"][1]) == (porvoo, counted)


def test_no_points_in_a_laistokierros_do_not_save_a_team_from_porvoo():
    book = told(ruleset(laistokierros_no_tricks="porvoo"))

    exception = "Ilman tikkiä jäänyt joukkue menee kuitenkin Porvooseen (R6.5)."
    assert [number for number, texts in book.items() if exception in texts] == [
        "R6.2",
        "R6.4",
    ]


@every_language
@pytest.mark.parametrize(
    ("chosen", "number"),
    [
        ({"sets_to_win": 1}, "R5.7"),
        ({"final_sets_to_win": 2}, "R5.7"),
        ({"full_sets_after_fouls": True}, "R9.8"),
        ({"walkovers_after_withdrawal": True}, "R9.10"),
        ({"qualifiers_per_group": 1}, "R9"),
        ({"best_next": 1}, "R9"),
        ({"best_next": 2}, "R9"),
        ({"bronze_game": False}, "R9"),
    ],
    ids=lambda value: str(value),
)
def test_each_choice_of_a_cup_changes_its_rule_alone(chosen, number, language):
    with translation.override(language):
        assert changed(told(), told(**chosen)) == [number]


def test_each_way_to_correct_a_foul_reads_otherwise():
    ways = ("free", "counts", "foul")

    said = {told(ruleset(corrected_foul=way))["R7.3"][-1] for way in ways}

    assert len(said) == len(ways)


def choices(rules=KOMPPA_CUP, **agreed) -> list[tuple[str, str]]:
    chapters = rulebook(rules, Agreed(**agreed))
    return [choice for chapter in chapters for choice in chapter.choices]


def test_the_choices_of_komppa_cup_are_told_together():
    with translation.override("fi"):
        assert choices() == [
            ("R5.7", "Erävoittoja pelin voittoon: 2, finaalissa 3."),
            (
                "R6.5",
                "Laistokierroksella ilman tikkiä jäänyt joukkue pysyy 12 pisteessä: "
                "tämän jaon oma sääntö (R6.2) on vahvempi.",
            ),
            ("R6.6", "Kun molemmilla on tasan 12, pelataan laistokierros."),
            (
                "R7.3",
                "Heti korjatusta virheestä ei mennä Porvooseen, eikä sitä lasketa.",
            ),
            (
                "R9.8",
                "Kun peli päättyy kolmanteen virheeseen, erät jäävät niin kuin ne "
                "olivat.",
            ),
            (
                "R9.10",
                "Vetäytyneen joukkueen kaikki lohkopelit mitätöidään, myös pelatut. "
                "Joukkue poistuu järjestyksestä ja luetellaan sen alla ilman sijaa.",
            ),
            ("R9", "Jokaisesta lohkosta pääsee jatkoon 2 parasta."),
            ("R9", "Välierien häviäjät pelaavat kolmannesta sijasta."),
        ]


def test_a_choice_about_what_is_not_played_is_not_told():
    numbers = [number for number, _text in choices(RULESETS["kotipeli"])]

    assert numbers == ["R5.7", "R6.6", "R7.3", "R9.8", "R9.10", "R9", "R9"]


# A ruleset of which something is changed.


@every_ruleset
def test_a_ruleset_as_it_is_departs_from_nothing(key):
    assert (departures(RULESETS[key]), departure_sentence(RULESETS[key])) == ([], "")


@pytest.mark.parametrize(
    ("key", "switches", "numbers"),
    [
        ("kemistikilta-2011", {"both_on_target": "drop"}, ["R6.6"]),
        ("kotipeli", {"both_on_target": "laistokierros"}, ["R6.6"]),
        ("kotipeli", {"laistokierros_no_tricks": "porvoo"}, []),
        ("wikipedia-10", {"laistokierros_no_tricks": "porvoo"}, ["R6.5"]),
        ("avomarjapussi", {"corrected_foul": "foul"}, ["R7.3"]),
        (
            "kotipeli",
            {
                "both_on_target": "laistokierros",
                "laistokierros_no_tricks": "porvoo",
                "corrected_foul": "counts",
            },
            ["R6.5", "R6.6", "R7.3"],
        ),
    ],
)
def test_a_switch_set_otherwise_departs_at_its_rule(key, switches, numbers):
    assert departures(ruleset(key, **switches)) == numbers


@pytest.mark.parametrize(
    ("column", "numbers"),
    [
        ({"whole_questions_after_trump": False}, ["R3.5"]),
        ({"comparison": Comparison.CARD_POINTS}, ["R4.2"]),
        ({"target": 10}, ["R5.1"]),
        ({"drop_to": 6}, ["R5.2"]),
    ],
)
def test_a_cup_that_keeps_what_a_ruleset_was_departs_there_too(column, numbers):
    assert departures(replace(KOMPPA_CUP, **column)) == numbers


def test_rules_under_a_name_that_is_known_no_more_depart_from_nothing():
    assert departures(replace(KOMPPA_CUP, key="of-old", target=10)) == []


def test_departures_are_told_in_one_sentence():
    rules = ruleset("kotipeli", both_on_target="laistokierros", corrected_foul="foul")

    with translation.override("fi"):
        said = departure_sentence(rules)

    assert said == "Tästä poiketaan tässä turnauksessa: katso R6.6 ja R7.3."
