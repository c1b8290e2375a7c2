from __future__ import annotations

import pytest
from django.utils import translation

from komppa.words_of_play import (
    act_sentence,
    end_sentence,
    foul_reason,
    foul_sentence,
    made_sentence,
    place_in_document,
    void_reason,
)
from scoring import declarations
from scoring.cards import Card
from scoring.deal import Trick
from scoring.declarations import AskHalf, AskWhole, Declare, Trumps, parse_act
from scoring.hands import Hand
from scoring.problems import Code, Problem
from scoring.replay import Position, WrongCard
from scoring.rulesets import ruleset
from scoring.sides import Seat, Side
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


KC_QC, NOTHING = "CK CQ S6", "D6 D7 D8"
EARLY = "Ilmoittaa ja kysyä saa aikaisintaan toisen tikin jälkeen."
AMID = "Ilmoittaa ja kysyä saa vain ennen tikin alkua, ei kesken tikin."
AGAIN = "Ilmoittaa tai kysyä saa vain kerran voittamaansa tikkiä kohti."
USED = "Tästä maasta on jo tehty valtti tai pikkuvaltti."
NO_WHOLE = (
    "Kokonaiseen kuuluvat saman maan kuningas ja rouva, ja molempien on oltava "
    "vielä kädessä."
)
UNTRUE = "Parin vastaus ei ollut totta."
CLUBS_MADE = Trumps(((Suit.C, Side.A),))


def reason_of(text, hand=KC_QC, partner=NOTHING, *, tricks=2, rules=None, **table):
    """Return why an act of A1, who has won the last trick, makes nothing."""
    before = Position(
        rules or ruleset(),
        {Seat.A1: Hand.parse(hand), Seat.A2: Hand.parse(partner)},
        Seat.A1,
        tricks=(Trick(Seat.A1, (), Seat.A1),) * tricks,
        **table,
    )
    if rules and rules.players_per_team == 1:
        del before.hands[Seat.A2]
    act = parse_act(text)
    (void,) = before.after(act).void
    return void_reason(void, act, before, by=Seat.A1)


@pytest.mark.parametrize("act", ["declare:C", "whole:no", "half:S:no"])
@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ({"tricks": 0}, EARLY),
        ({"tricks": 1}, EARLY),
        ({"tricks": 1, "on_table": (Card.parse("H9"),)}, EARLY),
        ({"tricks": 2, "on_table": (Card.parse("H9"),)}, AMID),
        ({"tricks": 8, "on_table": (Card.parse("H9"),) * 3}, AMID),
        ({"tricks": 2, "acted": True}, AGAIN),
        ({"tricks": 8, "acted": True}, AGAIN),
    ],
)
def test_an_act_out_of_time_is_void_for_its_own_reason(act, table, reason):
    assert reason_of(act, **table) == reason


@pytest.mark.parametrize(
    ("act", "table", "reason"),
    [
        ("declare:C", {"trumps": CLUBS_MADE}, USED),
        ("half:C", {"hand": "CK S6", "trumps": CLUBS_MADE}, USED),
        ("declare:H", {}, NO_WHOLE),
        ("declare:C", {"hand": "CQ S6"}, NO_WHOLE),
        (
            "declare:C",
            {"trumps": Trumps(burned=frozenset({Suit.C}))},
            "Kokonainen paloi aiemmassa kysymyksessä.",
        ),
        (
            "half:C",
            {},
            "Hänellä oli sekä tämän maan kuningas että rouva; puolikasta kysyy se, "
            "jolla on vain toinen niistä.",
        ),
        (
            "half:H",
            {},
            "Hänellä ei ollut tämän maan kuningasta eikä rouvaa; puolikasta kysyy se, "
            "jolla on toinen niistä.",
        ),
        (
            "whole:no",
            {"rules": ruleset("wikipedia-12"), "trumps": CLUBS_MADE},
            "Kokonaista ei saa kysyä valtin teon jälkeen.",
        ),
        *(
            (
                act,
                {"rules": ruleset("avomarjapussi")},
                "Kysyä voi vain pariltaan, eikä tässä pelissä ole paria.",
            )
            for act in ("whole:no", "half:H", "half:C")
        ),
        ("half:H:yes", {"hand": "HK S6"}, UNTRUE),
        ("half:H:no", {"hand": "HK S6", "partner": "HQ D6"}, UNTRUE),
        ("whole:D", {}, UNTRUE),
        ("whole:no", {"partner": "HK HQ"}, UNTRUE),
        (
            "whole:H",
            {"partner": "HK HQ", "trumps": Trumps(burned=frozenset({Suit.H}))},
            "Parin nimeämä kokonainen oli palanut eikä käynyt vastaukseksi.",
        ),
        (
            "whole:C",
            {"hand": "S6", "partner": KC_QC, "trumps": CLUBS_MADE},
            "Parin nimeämästä maasta oli jo tehty valtti tai pikkuvaltti, joten se "
            "ei käynyt vastaukseksi.",
        ),
    ],
)
def test_an_act_that_may_not_be_is_void_for_its_own_reason(act, table, reason):
    assert reason_of(act, **table) == reason


def test_an_act_is_void_by_no_other_rules_than_these():
    source = declarations.__loader__.get_source(declarations.__name__)

    assert {f"R3.{n}" for n in range(1, 10) if f'"R3.{n}"' in source} == {
        "R3.1",
        "R3.2",
        "R3.3",
        "R3.4",
        "R3.5",
    }


def test_end_sentence_says_who_ended_the_game_and_where():
    assert (
        end_sentence("Karhut", 4)
        == "Peli päättyi 4. tikkiin: Karhut teki kolmannen pelivirheensä"
    )


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
