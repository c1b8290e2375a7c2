from __future__ import annotations

import re
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse

from komppa.cup.models import Cup, Game
from komppa.parts import NoSuchPart, render_part
from komppa.sheets.queries import course_of, seating
from scoring.sheet import Foul, Suits
from scoring.sides import Pair, Seat, Side
from scoring.suits import Suit
from tests.factories import (
    SIX_FOR_A,
    CupFactory,
    TeamFactory,
    drawn_cup,
    play_out,
    record,
    sheet,
)
from tests.sheets.posts import address, blank, hidden, post, rename, text, ticked

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    game = drawn_cup().games.select_related("team_a", "team_b").first()
    rename(game, "Karhut", "Ilvekset")
    return game


# The head and the list of deals.


def test_the_head_is_rendered_without_anybody(game, scorekeeper_client):
    record(game, sheet(club_ace=Seat.A1))

    part = render_part(game.cup, f"sheet-{game.number}")

    page = scorekeeper_client.get(address(game)).content.decode()
    assert f'<div data-part="sheet-{game.number}">{part}</div>' in page
    assert "csrf" not in part
    assert 'data-next-number="2" data-version="1"' in part


def test_the_head_of_no_game_does_not_exist(game):
    with pytest.raises(NoSuchPart):
        render_part(game.cup, "sheet-999")


def test_the_head_shows_fouls_in_words_and_warns_of_the_third(game):
    record(game, sheet(fouls=(Foul(Side.B), Foul(Side.B))))

    said = text(render_part(game.cup, f"sheet-{game.number}"))

    assert "2 virhettä" in said
    assert "Ilvekset: seuraavasta pelivirheestä häviää pelin." in said


def test_the_head_announces_a_laistokierros(game):
    three_each = sheet(trump=Side.A, small_trumps=Pair(0, 2), last_trick="B")
    for _ in range(4):
        record(game, three_each)

    said = text(render_part(game.cup, f"sheet-{game.number}"))

    assert (
        "Laistokierros! Molemmilla on tasan 12: joka saa pisteitä, putoaa 7 pisteeseen."
    ) in said


def test_the_head_says_who_starts_a_set(game):
    assert "Ristiässän haltija aloittaa" in text(
        render_part(game.cup, f"sheet-{game.number}")
    )


def test_the_list_tells_who_entered_what(scorekeeper_client, scorekeeper, game):
    record(game, by=scorekeeper)
    record(game)

    said = text(scorekeeper_client.get(address(game)))

    assert "2 jakoa kirjattu" in said
    assert f"Kirjaaja {scorekeeper.username} kello" in said
    assert "Kirjaaja pöydän laite kello" in said


def test_names_are_harmless(scorekeeper_client, game):
    rename(game, "<b>&\"'", "Å" * 40)
    record(game)
    scorekeeper_client.post(address(game), post(game, mattis="6"))

    body = scorekeeper_client.get(address(game)).content.decode()

    assert "<b>&" not in body
    assert "&lt;b&gt;&amp;&quot;&#x27;" in body


# Seats.


def test_players_swap_seats_before_the_first_deal(scorekeeper_client, game):
    before = seating(game)

    answer = scorekeeper_client.post(
        address(game, "seats"), {"first_a": before[Seat.A2].pk}
    )

    assert answer.status_code == 303
    now = seating(game)
    assert (now[Seat.A1], now[Seat.A2]) == (before[Seat.A2], before[Seat.A1])
    assert (now[Seat.B1], now[Seat.B2]) == (before[Seat.B1], before[Seat.B2])


def test_the_page_offers_the_swap_that_it_names(scorekeeper_client, game):
    players = seating(game)

    body = scorekeeper_client.get(address(game)).content.decode()

    assert re.findall(r'name="(first_\w)" value="(\d+)"', body) == [
        ("first_a", str(players[Seat.A2].pk)),
        ("first_b", str(players[Seat.B2].pk)),
    ]


def test_seats_stay_once_the_game_has_begun(scorekeeper_client, game):
    record(game)
    before = seating(game)

    answer = scorekeeper_client.post(
        address(game, "seats"), {"first_a": before[Seat.A2].pk}
    )

    assert answer.status_code == 409
    assert "Peli on jo alkanut" in text(answer)
    assert seating(game) == before
    assert "Vaihda paikat" not in text(scorekeeper_client.get(address(game)))


def test_somebody_elses_player_is_not_seated(scorekeeper_client, game):
    other = TeamFactory(cup=game.cup).players.first()

    answer = scorekeeper_client.post(address(game, "seats"), {"first_a": other.pk})

    assert answer.status_code == 422
    assert not game.seats.exists()


def test_two_player_games_have_no_seats_to_swap(scorekeeper_client):
    game = drawn_cup(ruleset="avomarjapussi").games.first()

    answer = scorekeeper_client.get(address(game))

    assert answer.status_code == 200
    assert "Istumajärjestys" not in text(answer)


# Lists.


def test_the_list_of_cups_has_those_with_something_to_enter(scorekeeper_client, game):
    CupFactory(name="Tyhjä cup")
    for other in (drawn_cup(name="Vanha cup", visibility="archived"),):
        assert other.games.exists()
    done = drawn_cup(teams=2, name="Valmis cup")
    play_out(done.games.get())

    said = text(scorekeeper_client.get(reverse("sheets:index")))

    assert game.cup.name in said
    assert "6 peliä pelaamatta" in said
    assert not any(name in said for name in ("Tyhjä", "Vanha", "Valmis"))


def test_without_cups_the_list_says_so(scorekeeper_client):
    said = text(scorekeeper_client.get(reverse("sheets:index")))

    assert "Missään turnauksessa ei ole nyt kirjattavaa." in said


@pytest.mark.parametrize("cups", [1, 5])
def test_the_list_of_cups_takes_the_same_queries(
    scorekeeper_client, cups, django_assert_num_queries
):
    for _ in range(cups):
        drawn_cup(teams=3)

    with django_assert_num_queries(4):
        scorekeeper_client.get(reverse("sheets:index"))


def test_games_are_listed_by_table_what_is_played_first(scorekeeper_client, game):
    games = list(game.cup.games.filter(playing_table=game.playing_table))
    play_out(games[0])
    record(games[2])

    body = scorekeeper_client.get(
        reverse("sheets:cup", args=[game.cup.slug])
    ).content.decode()

    table = body[body.index(f'id="table-{game.playing_table.number}"') :]
    shown = re.findall(r">P(\d+)<", table)[:3]
    assert shown == [str(games[i].number) for i in (2, 1, 0)]
    assert "käynnissä, 1 jako" in text(table)


def test_games_without_a_table_are_listed_too(scorekeeper_client, game):
    Game.objects.filter(pk=game.pk).update(playing_table=None)

    said = text(scorekeeper_client.get(reverse("sheets:cup", args=[game.cup.slug])))

    assert "Ei pöytää P1" in said


@pytest.mark.parametrize("teams", [2, 4])
def test_the_list_of_games_takes_the_same_queries(
    scorekeeper_client, teams, django_assert_num_queries
):
    cup = drawn_cup(teams=teams)
    for game in cup.games.all():
        play_out(game)

    with django_assert_num_queries(6):
        answer = scorekeeper_client.get(reverse("sheets:cup", args=[cup.slug]))
    assert text(answer).count("odottaa joukkueiden vahvistusta") == cup.games.count()


@pytest.mark.parametrize("deals", [1, 12])
def test_a_sheet_takes_the_same_queries_for_any_number_of_deals(
    scorekeeper_client, game, deals, django_assert_num_queries
):
    for _ in range(deals):
        record(game, sheet(mattis=(4, 4), pips=Pair(20, 16), last_trick="B"))

    with django_assert_num_queries(10):
        scorekeeper_client.get(address(game))


@pytest.mark.parametrize("deals", [1, 12])
def test_an_answer_takes_the_same_queries_for_any_number_of_deals(
    scorekeeper_client, game, deals, django_assert_num_queries
):
    for _ in range(deals):
        record(game, sheet(mattis=(4, 4), pips=Pair(20, 16), last_trick="B"))
    sent = post(game)

    with django_assert_num_queries(7):
        scorekeeper_client.post(address(game, "preview"), sent)


# What may never be on these pages.


@pytest.mark.parametrize("deals", [0, 3])
def test_pages_have_no_inline_script_or_style(scorekeeper_client, game, deals):
    for _ in range(deals):
        record(game, sheet(**SIX_FOR_A))
    pages = [
        scorekeeper_client.get(address(game)),
        scorekeeper_client.get(reverse("sheets:cup", args=[game.cup.slug])),
        scorekeeper_client.get(reverse("sheets:index")),
        scorekeeper_client.post(address(game), blank(game)),
    ]

    for page in pages:
        body = page.content.decode()
        assert (
            re.findall(r"<script(?![^>]*\ssrc=)|\sstyle=|<style|\son\w+=", body) == []
        )
        assert page.headers["Cache-Control"] == (
            "max-age=0, no-cache, no-store, must-revalidate, private"
        )


def test_ids_are_used_once(scorekeeper_client, game):
    record(game)
    body = scorekeeper_client.post(address(game), blank(game)).content.decode()

    ids = re.findall(r'\sid="([^"]+)"', body)
    assert sorted(ids) == sorted(set(ids))


def test_cups_that_count_card_points_have_their_own_question(scorekeeper_client):
    game = drawn_cup(ruleset="wikipedia-12").games.first()

    body = scorekeeper_client.get(address(game)).content.decode()
    answer = scorekeeper_client.post(
        address(game), blank(game, last_trick="A", card_points_b="59")
    )

    assert re.findall(r'name="(card_points_\w|mattis|pips_\w)"', body) == [
        "card_points_a",
        "card_points_b",
    ]
    assert answer.status_code == 303
    assert course_of(game).last.result.points == Pair(2, 0)


def test_times_are_those_of_the_cups_own_place(scorekeeper_client, game):
    entry = record(game).entry
    Cup.objects.filter(pk=game.cup_id).update(time_zone="Asia/Tokyo")
    hour = entry.entered_at.astimezone(ZoneInfo("Asia/Tokyo")).strftime("%H.%M")

    assert f"kello {hour}" in text(scorekeeper_client.get(address(game)))


def test_an_ace_named_by_seats_swapped_meanwhile_is_asked_again(
    scorekeeper_client, game
):
    page = scorekeeper_client.get(address(game))
    before = seating(game)
    seen = hidden(page, "seating")
    scorekeeper_client.post(address(game, "seats"), {"first_a": before[Seat.A2].pk})

    sent = post(game, club_ace="A1", seating=seen)
    answer = scorekeeper_client.post(address(game), sent)

    assert answer.status_code == 422
    assert "Paikkoja on sillä välin vaihdettu" in text(answer)
    assert "club_ace" not in ticked(answer)
    assert not game.deal_entries.exists()

    now = post(game, club_ace="A2", seating=hidden(answer, "seating"))
    assert scorekeeper_client.post(address(game), now).status_code == 303
    assert course_of(game).deals[0].result.leader is Seat.A2


def test_a_deal_without_the_ace_needs_no_seats(scorekeeper_client, game):
    answer = scorekeeper_client.post(address(game), post(game, seating="1.2.3.4"))

    assert answer.status_code == 303


def test_an_archived_cups_sheet_says_so_and_offers_no_form(scorekeeper_client, game):
    Cup.objects.filter(pk=game.cup_id).update(visibility="archived")

    answer = scorekeeper_client.get(address(game))

    assert "Turnaus on arkistoitu" in text(answer)
    assert 'id="deal-form"' not in answer.content.decode()


def test_a_sheet_opened_for_other_teams_is_kept_and_not_recorded(
    scorekeeper_client, game
):
    opened = scorekeeper_client.get(address(game))
    told = re.search(r'name="teams" value="(\d+)\.(\d+)"', opened.content.decode())
    assert [int(pk) for pk in told.groups()] == [game.team_a_id, game.team_b_id]

    answer = scorekeeper_client.post(
        address(game), post(game, teams=f"{game.team_b_id}.{game.team_a_id}")
    )

    assert answer.status_code == 409
    assert "Pelin joukkueet ovat sillä välin vaihtuneet." in answer.content.decode()
    assert answer.context["form"].sheet == sheet(
        trump=Side.A, suits=Suits(Suit.H, Pair((), ()))
    )
    assert game.deal_entries.count() == 0
