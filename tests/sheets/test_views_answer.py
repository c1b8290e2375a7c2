from __future__ import annotations

import pytest
from django.test import Client

from komppa.cup.models import Cup, Game
from komppa.sheets.models import DealEntry
from scoring.sheet import Foul
from scoring.sides import Pair, Side
from tests.factories import (
    SIX_FOR_A,
    drawn_cup,
    record,
    sheet,
)
from tests.sheets.posts import address, blank, post, rename, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    game = drawn_cup().games.select_related("team_a", "team_b").first()
    rename(game, "Karhut", "Ilvekset")
    return game


# The engine's answer while typing.


def preview(client: Client, game: Game, **typed) -> str:
    answer = client.post(address(game, "preview"), blank(game, **typed))
    assert answer.status_code == 200
    return text(answer)


def test_the_answer_to_an_empty_form_is_calm(scorekeeper_client, game):
    assert (
        preview(scorekeeper_client, game) == "Merkitse jako, niin näet, mitä se antaa."
    )


def test_the_answer_grows_as_the_form_is_filled_in(scorekeeper_client, game):
    record(game, sheet(**SIX_FOR_A))
    taps = [{"suit_H": "A"}, {"last_trick": "B"}, {"mattis": "5"}]

    said = [
        preview(
            scorekeeper_client,
            game,
            **{name: value for tap in taps[:count] for name, value in tap.items()},
        )
        for count in (1, 2, 3)
    ]

    assert said == [
        "Karhut +2 Valtti 2 Ilvekset +0 Puuttuu vielä: viimeinen tikki, matit",
        "Karhut +2 Valtti 2 Ilvekset +1 Viimeinen tikki 1 Puuttuu vielä: matit",
        "Karhut +3 6 + 3 = 9 Valtti 2 + matti 1 Ilvekset +1 0 + 1 = 1 "
        "Viimeinen tikki 1",
    ]


@pytest.mark.parametrize(
    ("before", "typed", "said"),
    [
        (
            [sheet(**SIX_FOR_A)],
            {"suit_H": "A", "suit_C": "A", "suit_D": "A", "trump": "H"}
            | {"last_trick": "A", "mattis": "5"},
            "Karhut voitti 1. erän",
        ),
        (
            [sheet(**SIX_FOR_A), sheet(trump=Side.A)],
            {"suit_H": "A", "last_trick": "A", "mattis": "5"},
            "Karhut meni yli: 14 → 7",
        ),
        (
            [sheet(**SIX_FOR_A)],
            {"no_tricks": "A"},
            "Karhut: Porvoo, ei yhtään tikkiä (6 → 0)",
        ),
        (
            [sheet(**SIX_FOR_A)],
            {"last_trick": "B", "mattis": "5", "foul_1": "A"},
            "Karhut: Porvoo pelivirheestä (6 → 0)",
        ),
        (
            [sheet(trump=Side.A, small_trumps=Pair(0, 2), last_trick="B")] * 3,
            {"suit_H": "A", "suit_C": "B", "suit_D": "B", "trump": "H"}
            | {"last_trick": "B", "mattis": "5"},
            "Molemmilla tasan 12: seuraava jako on laistokierros",
        ),
        (
            [sheet(fouls=(Foul(Side.B), Foul(Side.B)))],
            {"foul_1": "B", "abandoned": "on"},
            "Ilvekset teki kolmannen pelivirheensä ja hävisi pelin",
        ),
    ],
    ids=["set", "over", "porvoo", "porvoo foul", "laistokierros", "third foul"],
)
def test_the_answer_says_what_would_happen(
    scorekeeper_client, game, before, typed, said
):
    for played in before:
        record(game, played)

    assert said in preview(scorekeeper_client, game, **typed)


def test_the_answer_tells_what_cannot_be(scorekeeper_client, game):
    said = preview(scorekeeper_client, game, no_tricks="A", last_trick="A")

    assert "Karhut ei saanut tikkejä, joten viimeinenkään ei voi olla sen." in said
    assert "0 + " not in said


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"mattis": "4"}, "Puuttuu vielä: viimeinen tikki, silmät"),
        ({"mattis": "4", "pips_a": "18"}, "Puuttuu vielä: viimeinen tikki, ässät"),
        (
            {"suit_H": "A", "suit_C": "B"},
            "Puuttuu vielä: mikä maa oli valtti, viimeinen tikki, matit",
        ),
    ],
)
def test_the_answer_asks_for_what_is_missing(scorekeeper_client, game, typed, said):
    assert preview(scorekeeper_client, game, **typed).endswith(said)


def test_the_answer_to_a_late_form_says_that_it_is_late(scorekeeper_client, game):
    late = post(game)
    record(game)

    said = text(scorekeeper_client.post(address(game, "preview"), late))

    assert said.startswith("Tämä jako on jo kirjattu toisella laitteella.")


def test_the_answer_writes_nothing(scorekeeper_client, game):
    before = Cup.objects.values_list("revision", flat=True).get()

    scorekeeper_client.post(address(game, "preview"), post(game))

    assert DealEntry.objects.count() == 0
    assert Cup.objects.values_list("revision", flat=True).get() == before
    assert not game.seats.exists()


@pytest.mark.parametrize(
    "broken",
    [{"key": "x", "number": "y"}, {"number": str(10**40)}, {"mattis": "\x00"}],
    ids=str,
)
def test_broken_fields_do_not_break_the_answer(scorekeeper_client, game, broken):
    answer = scorekeeper_client.post(address(game, "preview"), post(game, **broken))

    assert answer.status_code == 200


def test_the_answer_is_the_part_that_the_page_shows(scorekeeper_client, game):
    page = scorekeeper_client.post(address(game), blank(game, suit_H="A"))

    assert preview(scorekeeper_client, game, suit_H="A") in text(page)
