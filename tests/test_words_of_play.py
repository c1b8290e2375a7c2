from __future__ import annotations

import pytest
from django.utils import translation

from komppa.words_of_play import (
    act_sentence,
    foul_reason,
    foul_sentence,
    made_sentence,
    place_in_document,
    void_reason,
)
from scoring import declarations
from scoring.cards import Card
from scoring.declarations import AskHalf, AskWhole, Declare
from scoring.problems import Code, Problem
from scoring.replay import VoidAct, WrongCard
from scoring.sides import Seat
from scoring.suits import Suit


@pytest.fixture(autouse=True)
def _finnish():
    with translation.override("fi"):
        yield


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (Declare(Suit.H), "Liisa ilmoittaa kokonaisen: hertta"),
        (AskWhole(Suit.H), "Liisa kysyy kokonaista: hertta"),
        (AskWhole(None), "Liisa kysyy kokonaista: ei ole"),
        (AskHalf(Suit.S), "Liisa kysyy puolikasta: pata"),
        (AskHalf(Suit.S, True), "Liisa kysyy puolikasta: pata, on"),
        (AskHalf(Suit.S, False), "Liisa kysyy puolikasta: pata, ei ole"),
    ],
    ids=str,
)
def test_act_sentence_says_who_and_what(act, said):
    assert act_sentence(act, "Liisa") == said


def test_made_sentence_tells_a_trump_from_a_small_one():
    assert [made_sentence(Suit.D, is_small=small) for small in (False, True)] == [
        "ruutu on valtti",
        "ruutu on pikkuvaltti",
    ]


def wrong_card(rule, *legal, corrected=False):
    cards = tuple(map(Card.parse, legal))
    return WrongCard(0, Seat.A1, rule, cards, corrected)


def test_foul_sentence_tells_a_slip_put_right_from_a_foul():
    card = Card.parse("S10")

    assert [
        foul_sentence(wrong_card("R2.1", "H6", corrected=corrected), "Liisa", card)
        for corrected in (False, True)
    ] == [
        "Pelivirhe, Liisa: patakymppi",
        "Heti korjattu virhe, Liisa: patakymppi",
    ]


@pytest.mark.parametrize(
    ("rule", "legal", "opening", "begins"),
    [
        ("R2.1", ["H6"], False, "Maapakko"),
        ("R2.2", ["H6"], False, "Valttipakko"),
        ("R2.3", ["H6"], False, "Ylimenopakko"),
        ("R2.6", ["HA"], False, "Ässäpakko"),
        ("R2.8", ["H6"], False, "Pikkuvaltin tekijä"),
        ("R2.5", ["CA"], True, "Erän ensimmäinen jako"),
        ("R2.5", ["CA"], False, "Jako aloitetaan ässällä"),
        ("R2.5", ["CA", "HA"], False, "Jako aloitetaan ässällä"),
        ("R2.5", ["S6", "S7"], True, "Ilman ässää"),
    ],
)
def test_foul_reason_is_the_duty_that_was_broken(rule, legal, opening, begins):
    reason = foul_reason(wrong_card(rule, *legal), is_opening=opening)

    assert reason.startswith(begins)


def test_every_rule_that_makes_an_act_void_has_its_reason():
    source = declarations.__loader__.get_source(declarations.__name__)
    rules = {f"R3.{n}" for n in range(1, 10) if f'"R3.{n}"' in source}

    reasons = {void_reason(VoidAct(0, Seat.A1, r), by=Seat.A1) for r in rules}

    assert rules == {"R3.1", "R3.2", "R3.3", "R3.4", "R3.5"}
    assert len(reasons) == len(rules)


def test_void_reason_of_a_false_answer_is_the_partner_s():
    void = VoidAct(0, Seat.A2, "R3.2")

    assert void_reason(void, by=Seat.A1) == "Parin vastaus ei ollut totta."


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("", "koko tallenne"),
        ("hands", "kortit"),
        ("hands/A1/3", "kortit paikalla A1"),
        ("events", "tapahtumat"),
        ("events/12/play", "tapahtuma 13"),
        ("leader", "aloittaja"),
        ("switches/corrected_foul", "säännöt"),
        ("liikaa", "liikaa"),
        ("events/x", "tapahtumat"),
    ],
)
def test_place_in_document_is_for_who_reads_no_paths(path, place):
    assert place_in_document(Problem(Code.MISSING, path)) == place
