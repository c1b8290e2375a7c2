"""Every sentence of the referee, with the cards of its case."""

from __future__ import annotations

import re

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from komppa.live.referee import Limits, Position, legal_of, step_against
from komppa.live.words_of_referee import (
    legal_sentence,
    told_free,
    told_step,
    verdict_sentence,
)
from scoring.rulesets import ruleset
from scoring.suits import Suit
from scoring.tricks import Duty
from tests.live.test_referee import FOUR, at, cards, walk


def text_of(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html)


def said(told) -> str:
    return f"{told.name} {told.rule}: {text_of(told.text)}"


def why(position: Position) -> str:
    steps = position.steps(FOUR)
    return said(told_step(steps[-1], position) if steps else told_free(position))


DUTIES = {
    Duty.LEAD_CLUB_ACE: [
        (
            at("CA DA H7", number=1, opens=True),
            "Erän aloitus R2.5: erän ensimmäinen kortti on CA, ja sinulla on se",
        ),
    ],
    Duty.LEAD_ACE: [
        (
            at("CA H7", number=1),
            "Ässäaloitus R2.5: jako aloitetaan ässällä, ja sinulla on CA",
        ),
        (
            at("CA DA H7 S9", number=1),
            "Ässäaloitus R2.5: jako aloitetaan ässällä, ja sinulla on CA ja DA",
        ),
    ],
    Duty.LEAD_SPADE: [
        (
            at("CK H7 S6 S9", number=1),
            "Patapakko R2.5: ilman ässää jako aloitetaan padalla, "
            "ja sinulla on S6 ja S9",
        ),
    ],
    Duty.LEAD_SMALL_TRUMP: [
        (
            at("C7 DQ DK H9", trump="H", number=4).small_made(Suit.D),
            "Pikkuvaltin maa R2.8: pikkuvaltti on ruutu, ja sinulla on DQ ja DK",
        ),
    ],
    Duty.FOLLOW_SUIT: [
        (
            at("S7 HA", "SK", "H", 4),
            "Maapakko R2.1: aloitettu maa on pata, ja sinulla on S7",
        ),
    ],
    Duty.TRUMP: [
        (
            at("C9 H6", "SK", "H", 4),
            "Valttipakko R2.2: aloitettua maata (pata) sinulla ei ole, "
            "mutta sinulla on valtti H6",
        ),
        (
            at("C9 H6 H7", "SK H8", "H", 4),
            "Valttipakko R2.2: aloitettua maata (pata) sinulla ei ole, "
            "mutta sinulla on valtit H6 ja H7",
        ),
    ],
    Duty.PLAY_ACE: [
        (
            at("C7 S10 SA", "SK", number=1),
            "Ässäpakko R2.6: ensimmäisessä tikissä SA on pelattava, ja sinulla on se",
        ),
    ],
    Duty.OVERTAKE: [
        (
            at("S7 S10 HA", "SK", "H", 4),
            "Ylimenopakko R2.3: S10 voittaa SK:n, ja sinulla on se",
        ),
        (
            at("S7 S10 SA", "SK", "H", 4),
            "Ylimenopakko R2.3: S10 ja SA voittavat SK:n, ja sinulla on ne",
        ),
        (
            at("H6 H10 D9", "SK H8", "H", 4),
            "Ylimenopakko R2.3: H10 voittaa H8:n, ja sinulla on se",
        ),
    ],
    Duty.FREE: [
        (at("S7", "SK", "H", 4), "S7 on ainoa korttisi"),
        (at("H7 S9", number=2), "mikään sääntö ei sido tätä aloitusta"),
        (
            at("C7 H9", trump="H", number=4).small_made(Suit.D),
            "pikkuvaltti on ruutu, mutta sitä maata sinulla ei ole",
        ),
        (
            at("D7 D9", trump="H", number=4).small_made(Suit.D),
            "pikkuvaltti on ruutu, ja kaikki korttisi ovat sitä maata",
        ),
        (
            at("CA DA", number=1),
            "jako aloitetaan ässällä, ja kaikki korttisi ovat ässiä",
        ),
        (
            at("S6 S9", number=1),
            "ilman ässää jako aloitetaan padalla, ja kaikki korttisi ovat patoja",
        ),
        (at("C9 H7", number=1), "sinulla ei ole ässää eikä pataa"),
        (
            at("S10 SA", "SK", "H", 4),
            "kaikki korttisi ovat aloitettua maata ja voittavat SK:n",
        ),
        (
            at("S6 S7", "SK", "H", 4),
            "kaikki korttisi ovat aloitettua maata, ja SK voittaa ne",
        ),
        (
            at("S10 SA", "SK H6", "H", 4),
            "kaikki korttisi ovat aloitettua maata, ja H6 voittaa ne",
        ),
        (
            at("H9 H10", "SK H8", "H", 4),
            "kaikki korttisi ovat valttia ja voittavat H8:n",
        ),
        (
            at("H6 H7", "SK H8", "H", 4),
            "kaikki korttisi ovat valttia, ja H8 voittaa ne",
        ),
        (
            at("C9 D7", "SK", "H", 4),
            "sinulla ei ole aloitettua maata (pata) eikä valttia",
        ),
        (
            at("C9 D7", "SK", number=4),
            "sinulla ei ole aloitettua maata (pata), eikä valttia ole tehty",
        ),
    ],
}


@pytest.mark.parametrize("duty", Duty)
def test_a_duty_is_told_with_the_cards_of_its_case(duty):
    before = "Vapaa valinta R2.4: " if duty is Duty.FREE else ""

    told = [why(position) for position, _sentence in DUTIES[duty]]

    assert told == [before + sentence for _position, sentence in DUTIES[duty]]


@pytest.mark.parametrize(
    ("language", "one", "many"),
    [
        (
            "en",
            "Overtake duty R2.3: S10 beats SK, and you hold it",
            "Overtake duty R2.3: S10 and SA beat SK, and you hold them",
        ),
        (
            "sv",
            "Överstickstvång R2.3: S10 slår SK, och du har det",
            "Överstickstvång R2.3: S10 och SA slår SK, och du har dem",
        ),
    ],
)
def test_a_duty_is_told_in_the_language_chosen(language, one, many):
    with translation.override(language):
        told = [why(at(hand, "SK", "H", 4)) for hand in ("S7 S10", "S7 S10 SA")]

    assert told == [one, many]


@pytest.mark.parametrize(
    ("legal", "sentence"),
    [
        ("S10", "Sallittu kortti: S10"),
        ("S7 S10", "Sallitut kortit: S7 ja S10"),
        ("S7 S10 HA", "Minkä tahansa kortin saa pelata."),
    ],
)
def test_legal_cards_are_named_unless_all_are(legal, sentence):
    hand = cards("S7 S10 HA")

    assert text_of(legal_sentence(cards(legal), hand)) == sentence


def test_an_only_card_is_named():
    assert text_of(legal_sentence(cards("S7"), cards("S7"))) == "Sallittu kortti: S7"


def test_a_card_is_a_foul_or_it_is_not():
    (card,) = cards("S7")

    assert [
        text_of(verdict_sentence(card, is_foul=is_foul)) for is_foul in (True, False)
    ] == ["Pelivirhe: S7 ei ollut sallittu.", "Ei virhettä: S7 oli sallittu."]


@given(st.data(), st.sampled_from([FOUR, Limits.of(ruleset("avomarjapussi"))]))
def test_whatever_can_be_tapped_has_its_sentence(data, limits):
    position = walk(data, limits)
    steps = position.steps(limits)
    if steps is None:
        return

    told = [told_step(step, position) for step in steps] or [told_free(position)]

    assert [each.rule for each in told] == [
        duty.rule for duty, _kept in steps or ((Duty.FREE, ()),)
    ]
    assert "{" not in "".join(each.text for each in told)
    # A card that is told to be at hand is.
    for (_duty, kept), each in zip(steps, told, strict=False):
        for card in kept:
            assert f">{card.suit}</span>{card.rank.text}</span>" in each.text
    assert bool(steps) == (len(legal_of(position.hand, steps)) < len(position.hand))
    assert [c for c in position.hand if step_against(c, steps) is None] == list(
        legal_of(position.hand, steps)
    )
