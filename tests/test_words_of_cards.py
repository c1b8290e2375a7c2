from __future__ import annotations

import re

import pytest
from django.utils import translation
from django.utils.safestring import SafeString

from komppa.rulebook import Agreed, rulebook
from komppa.words_of_cards import card_mark, card_marks, card_name
from scoring.cards import PACK, Card, Rank
from scoring.rulesets import DEFAULT, RULESETS
from scoring.suits import Suit


def named(*texts: str) -> list[str]:
    return [card_name(Card.parse(text)) for text in texts]


def text_of(html: str) -> str:
    return re.sub(r"<[^>]*>", "", html)


def test_every_card_has_a_name_of_its_own():
    names = {card_name(card) for card in PACK}

    assert len(names) == 36


def test_cards_are_called_as_at_the_table():
    ranks = [card_name(Card(Suit.H, rank)) for rank in reversed(Rank)]

    assert ranks == [
        "herttaässä",
        "herttakymppi",
        "herttakuningas",
        "herttarouva",
        "herttasotilas",
        "herttayhdeksän",
        "herttakahdeksan",
        "herttaseitsemän",
        "herttakuusi",
    ]
    assert named("S10", "C6", "DJ") == ["patakymppi", "ristikuusi", "ruutusotilas"]


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("sv", ["spadertia", "hjärteress", "klöversexa"]),
        ("en", ["ten of spades", "ace of hearts", "six of clubs"]),
    ],
)
def test_cards_are_called_as_the_language_calls_them(language, names):
    with translation.override(language):
        assert named("S10", "HA", "C6") == names


@pytest.mark.parametrize("language", ["fi", "sv", "en"])
def test_the_rules_call_the_cards_by_the_same_names(language):
    with translation.override(language):
        chapters = {each.number: each for each in rulebook(RULESETS[DEFAULT], Agreed())}
        example = chapters["R1"].rules[1].texts[1]
        called = named("CA", "D10", "HK", "SQ", "CJ", "S9")

    assert [name for name in called if name not in example] == []


def test_mark_shows_the_suit_s_picture_and_is_read_by_the_name():
    mark = card_mark(Card.parse("S10"))

    assert isinstance(mark, SafeString)
    assert re.findall(r'aria-label="([^"]*)"', mark) == ["patakymppi"]
    assert re.findall(r'<use href="[^"]*suits[^"]*\.svg#(\w)"', mark) == ["S"]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        ([], ""),
        (["S10"], "S10"),
        (["S7", "S10"], "S7 ja S10"),
        (["S7", "S9", "S10"], "S7, S9 ja S10"),
    ],
)
def test_marks_are_listed_as_one_enumeration(texts, said):
    marks = card_marks(map(Card.parse, texts))

    assert text_of(marks) == said
