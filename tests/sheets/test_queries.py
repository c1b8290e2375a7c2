from __future__ import annotations

from uuid import uuid4

import pytest

from komppa.cup.services import seat_players
from komppa.sheets.contexts import sheet_part
from komppa.sheets.facts import NO_BREAK, consequence_in, facts_of, sentence_of
from komppa.sheets.queries import course_of, current_entries, names_of, seating
from komppa.sheets.services import take_back_deal
from scoring.sheet import DealSheet, Foul, Suits
from scoring.sides import Pair, Seat, Side
from scoring.suits import Suit
from tests.factories import SIX_FOR_A, drawn_cup, record, sheet

pytestmark = pytest.mark.django_db

NAMES = Pair("Karhut", "Ilvekset")


@pytest.fixture
def game():
    return drawn_cup().games.select_related("team_a", "team_b").first()


def take_back(game):
    last = course_of(game).last.entry
    take_back_deal(
        game=game, number=last.number, version=last.version, key=uuid4(), by=None
    )


def test_the_current_entry_of_a_deal_is_its_highest_version(game):
    record(game)
    record(game)
    take_back(game)
    record(game, sheet((3, 5)))

    assert [(e.number, e.version) for e in current_entries(game)] == [(1, 1), (2, 3)]


def test_deals_taken_back_are_no_part_of_the_course(game):
    record(game)
    record(game)
    take_back(game)

    course = course_of(game)

    assert [deal.entry.number for deal in course.deals] == [1]
    assert course.next_number == 2
    assert course.entry_count == 3


def test_a_deal_knows_its_position_and_what_it_did(game):
    record(game)
    record(game, sheet(**SIX_FOR_A))

    first, second = course_of(game).deals

    assert (first.position, second.position) == (1, 2)
    assert first.sheet == sheet()
    assert second.result.score == Pair(8, 0)


@pytest.mark.parametrize("deals", [1, 12])
def test_a_course_is_read_in_one_query(game, deals, django_assert_num_queries):
    for _ in range(deals):
        record(game, sheet(mattis=(4, 4), pips=Pair(20, 16), last_trick="B"))

    with django_assert_num_queries(1):
        course_of(game)


def test_seats_follow_the_teams_lists_until_they_are_told(game):
    seats = seating(game)

    assert list(seats) == [Seat.A1, Seat.B1, Seat.A2, Seat.B2]
    assert [player.team for player in seats.values()] == [
        game.team_a,
        game.team_b,
        game.team_a,
        game.team_b,
    ]
    assert [player.position for player in seats.values()] == [1, 1, 2, 2]


def test_seats_that_were_told_stand_clockwise(game):
    told = seating(game)
    told[Seat.A1], told[Seat.A2] = told[Seat.A2], told[Seat.A1]
    seat_players(game=game, seats={s.value: p for s, p in told.items()}, by=None)

    assert seating(game) == told
    assert list(seating(game)) == list(told)


def test_two_player_games_have_two_seats():
    game = drawn_cup(ruleset="avomarjapussi").games.first()

    assert list(seating(game)) == [Seat.A1, Seat.B1]


def test_a_team_not_known_yet_has_a_name_to_show(game):
    game.team_b = None

    assert names_of(game) == Pair(game.team_a.name, "?")


# In words.


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (sheet(), "Ei valttia, viimeinen tikki: Karhut, matit 5–3"),
        (
            sheet(
                trump=Side.A,
                small_trumps=Pair(1, 1),
                suits=Suits(Suit.H, Pair((Suit.C,), (Suit.S,))),
            ),
            "Valtti: Karhut (hertta), pikkuvaltti: Karhut (risti), "
            "pikkuvaltti: Ilvekset (pata), viimeinen tikki: Karhut, matit 5–3",
        ),
        (
            sheet(trump=Side.B, small_trumps=Pair(0, 2)),
            "Valtti: Ilvekset, pikkuvaltti: Ilvekset, pikkuvaltti: Ilvekset, "
            "viimeinen tikki: Karhut, matit 5–3",
        ),
        (
            sheet((4, 4), pips=Pair(18, 18), aces=Pair(3, 1), club_ace=Seat.B2),
            "Erän aloitti: B2, ei valttia, viimeinen tikki: Karhut, matit 4–4, "
            "silmät 18–18, ässät 3–1",
        ),
        (
            sheet((8, 0), no_tricks=Side.B),
            "Ei valttia, viimeinen tikki: Karhut, matit 8–0, "
            "ei yhtään tikkiä: Ilvekset",
        ),
        (
            DealSheet(
                fouls=(Foul(Side.A, corrected=True), Foul(Side.B)), abandoned=True
            ),
            "Heti korjattu virhe: Karhut, pelivirhe: Ilvekset, jako keskeytyi",
        ),
    ],
    ids=["plain", "suits", "no suits", "aces", "no tricks", "abandoned"],
)
def test_a_sheet_is_told_in_words(told, words):
    assert sentence_of(facts_of(told, NAMES)) == words


def consequences(game) -> list[str]:
    course = course_of(game)
    told = (consequence_in(course, d, game.cup.rules, NAMES) for d in course.deals)
    return [each.sentence.replace(NO_BREAK, " ") for each in told]


def test_what_deals_did_is_told_in_words(game):
    record(game, sheet(trump=Side.A, small_trumps=Pair(2, 0)))
    record(game, sheet(trump=Side.A, small_trumps=Pair(1, 0)))
    record(game, sheet(trump=Side.A))
    record(game, sheet((0, 8), last_trick="B", no_tricks=Side.A))
    record(game, sheet(**SIX_FOR_A, fouls=(Foul(Side.B),)))
    record(game, sheet(**SIX_FOR_A))
    record(game, sheet())

    assert consequences(game) == [
        "Karhut 0 + 6 = 6, Ilvekset 0 + 0 = 0.",
        "Karhut 6 + 5 = 11, Ilvekset 0 + 0 = 0.",
        "Karhut 11 + 4 = 15 → 7, Ilvekset 0 + 0 = 0. Karhut meni yli: 15 → 7.",
        "Karhut 7 → 0, Ilvekset 0 + 2 = 2. Karhut: Porvoo, ei yhtään tikkiä (7 → 0).",
        "Karhut 0 + 6 = 6, Ilvekset 2 → 0. Ilvekset: Porvoo pelivirheestä (2 → 0).",
        "Karhut 6 + 6 = 12, Ilvekset 0 + 0 = 0. Karhut voitti 1. erän.",
        "Karhut 0 + 2 = 2, Ilvekset 0 + 0 = 0.",
    ]


def test_a_laistokierros_is_told_in_words(game):
    three_each = sheet(trump=Side.A, small_trumps=Pair(0, 2), last_trick="B")
    for _ in range(4):
        record(game, three_each)
    record(game, sheet((3, 5), last_trick="B"))

    assert consequences(game)[-1] == (
        "Karhut 12 → 12, Ilvekset 12 → 7. "
        "Ilvekset sai pisteitä laistokierroksella: 12 → 7. "
        "Karhut ei saanut pisteitä laistokierroksella ja pysyi 12 pisteessä. "
        "Karhut voitti 1. erän."
    )


def test_a_game_lost_by_fouls_is_told_in_words(game):
    record(game, DealSheet(fouls=(Foul(Side.A),) * 3, abandoned=True))

    assert consequences(game) == [
        "Karhut teki kolmannen pelivirheensä ja hävisi pelin. Ilvekset voitti pelin."
    ]


# The head of a sheet, the same for everybody.


@pytest.mark.parametrize("number", [None, 999])
def test_the_head_of_no_game_does_not_exist(game, number):
    assert sheet_part(game.cup, number) is None
    assert sheet_part(None, 1) is None


@pytest.mark.parametrize("deals", [1, 12])
def test_the_head_needs_the_same_queries_for_any_number_of_deals(
    game, deals, django_assert_num_queries
):
    for _ in range(deals):
        record(game, sheet(mattis=(4, 4), pips=Pair(20, 16), last_trick="B"))

    with django_assert_num_queries(3):
        sheet_part(game.cup, game.number)


def test_the_head_says_who_deals_and_who_leads(game):
    record(game, sheet(club_ace=Seat.B1))

    head = sheet_part(game.cup, game.number)

    players = seating(game)
    assert head["dealer"] == players[Seat.B1].name
    assert head["leader"] == players[Seat.A2].name


def test_the_head_shows_sets_points_and_fouls(game):
    record(game, sheet(**SIX_FOR_A, fouls=(Foul(Side.B),)))
    record(game, sheet(**SIX_FOR_A))

    a, b = sheet_part(game.cup, game.number)["sides"]

    assert (a.points, a.sets, a.set_marks) == (0, 1, (True, False))
    assert (b.fouls, b.dots) == (1, (True, False, False))
