from __future__ import annotations

import re
from uuid import UUID

import pytest

from komppa.cup.choices import Outcome
from komppa.cup.models import Game
from komppa.sheets.models import DealEntry
from komppa.sheets.queries import course_of
from scoring.sheet import DealSheet, Foul
from scoring.sides import Pair, Side
from scoring.suits import Suit
from tests.factories import (
    SIX_FOR_A,
    drawn_cup,
    end,
    play_out,
    record,
    sheet,
)
from tests.sheets.posts import address, back, blank, hidden, post, rename, text, ticked

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    game = drawn_cup().games.select_related("team_a", "team_b").first()
    rename(game, "Karhut", "Ilvekset")
    return game


# Recording.


def test_a_deal_is_recorded_and_the_next_sheet_follows(scorekeeper_client, game):
    answer = scorekeeper_client.post(address(game), post(game))

    assert (answer.status_code, answer.url) == (303, address(game))
    page = scorekeeper_client.get(answer.url)
    assert "Jako 1 tallennettu. Karhut 0 + 4 = 4, Ilvekset 0 + 0 = 0." in text(page)
    assert "Tallenna jako 2" in text(page)
    assert page.content.decode().count("data-take-back") == 2
    assert hidden(page, "number") == "2"
    assert ticked(page) == {}


def test_a_deal_is_recorded_by_whoever_signed_in(scorekeeper_client, scorekeeper, game):
    scorekeeper_client.post(address(game), post(game))

    entry = DealEntry.objects.get()
    assert (entry.game, entry.entered_by, entry.table_key) == (game, scorekeeper, None)


def test_each_sheet_has_a_key_of_its_own(scorekeeper_client, game):
    keys = {hidden(scorekeeper_client.get(address(game)), "key") for _ in range(2)}

    assert len(keys) == 2
    assert all(UUID(key) for key in keys)


def test_the_form_on_the_page_records_what_it_shows(scorekeeper_client, game):
    page = scorekeeper_client.get(address(game))
    sent = {name: hidden(page, name) for name in ("number", "key")}

    answer = scorekeeper_client.post(
        address(game), {**sent, "last_trick": "B", "no_tricks": "A"}
    )

    assert answer.status_code == 303
    assert course_of(game).last.sheet == DealSheet(
        last_trick=Side.B, mattis=Pair(0, 8), no_tricks=Side.A
    )


def test_the_same_post_again_is_answered_alike_and_recorded_once(
    scorekeeper_client, game
):
    sent = post(game)

    answers = [scorekeeper_client.post(address(game), sent) for _ in range(3)]

    assert [(a.status_code, a.url) for a in answers] == [(303, address(game))] * 3
    assert DealEntry.objects.count() == 1


def test_a_post_repeated_after_further_deals_is_still_answered_well(
    scorekeeper_client, game
):
    sent = post(game, club_ace="A1")
    scorekeeper_client.post(address(game), sent)
    record(game)

    answer = scorekeeper_client.post(address(game), sent)

    assert answer.status_code == 303
    assert DealEntry.objects.count() == 2


def test_a_post_repeated_after_the_deal_was_taken_back_says_so(
    scorekeeper_client, game
):
    sent = post(game)
    scorekeeper_client.post(address(game), sent)
    scorekeeper_client.post(address(game, "take_back"), back(game))
    scorekeeper_client.get(address(game))

    answer = scorekeeper_client.post(address(game), sent, follow=True)

    assert answer.redirect_chain == [(address(game), 303)]
    assert "Tämä jako oli jo tallennettu, ja se on sittemmin peruttu." in text(answer)
    assert course_of(game).deals == ()


def test_an_abandoned_deal_ends_the_game(scorekeeper_client, game):
    fouls = {f"foul_{row}": "B" for row in (1, 2, 3)}

    answer = scorekeeper_client.post(
        address(game), blank(game, abandoned="on", **fouls), follow=True
    )

    assert "Karhut voitti pelin" in text(answer)
    assert "Peli päättyi kolmanteen pelivirheeseen." in text(answer)
    game.refresh_from_db()
    assert (game.winner, game.ended_by) == ("A", "fouls")


# Refusing.


def test_a_deal_that_cannot_be_true_comes_back_with_all_that_was_typed(
    scorekeeper_client, game
):
    typed = {
        "club_ace": "A2",
        "suit_C": "A",
        "suit_S": "B",
        "trump": "C",
        "mattis": "4",
        "pips_a": "30",
        "pips_b": "30",
        "foul_2": "A",
        "foul_2_corrected": "on",
    }
    sent = blank(game, **typed)

    answer = scorekeeper_client.post(address(game), sent)

    assert answer.status_code == 422
    assert ticked(answer) == typed
    assert (hidden(answer, "number"), hidden(answer, "key")) == ("1", sent["key"])
    said = text(answer)
    assert "Jakoa ei tallennettu: tarkista nämä." in said
    assert "Merkitse, kumpi sai viimeisen tikin." in said
    assert "Silmiä on yhteensä 60, pitäisi olla 36." in said
    assert DealEntry.objects.count() == 0


def test_the_list_of_problems_leads_to_their_fields(scorekeeper_client, game):
    body = scorekeeper_client.post(address(game), blank(game)).content.decode()

    targets = re.findall(r'<li><a href="#([\w-]+)">', body)
    assert targets == ["part-last_trick", "part-mattis"]
    assert [body.count(f'id="{target}"') for target in targets] == [1, 1]
    assert body.count('id="error-last_trick"') == 1
    assert body.count('id="error-mattis"') == 1


@pytest.mark.parametrize(
    "broken",
    [
        {"key": "nonsense"},
        {"key": "\x00"},
        {"number": str(10**30)},
        {"number": "\x00"},
        {"number": ""},
        {"key": ["a", "b"], "number": ["1", "2", "x"]},
    ],
    ids=str,
)
def test_broken_hidden_fields_give_the_form_back_ready_to_send(
    scorekeeper_client, game, broken
):
    answer = scorekeeper_client.post(address(game), post(game, **broken))

    assert answer.status_code == 422
    assert "Lomakkeesta puuttui osa, joka ei näy ruudulla." in text(answer)
    assert ticked(answer) == {
        "suit_H": "A",
        "trump": "H",
        "last_trick": "A",
        "mattis": "5",
    }
    assert hidden(answer, "number") == "1"
    assert UUID(hidden(answer, "key"))
    assert DealEntry.objects.count() == 0


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"[1, 2]", "application/json"),
        (b"\xff\xfe\x00%%%=&&&;", "application/x-www-form-urlencoded"),
        (b"", "application/x-www-form-urlencoded"),
        (b"--x\r\n", "multipart/form-data; boundary=x"),
        (b"a", "multipart/form-data"),
        (b"&".join([b"a=1"] * 2000), "application/x-www-form-urlencoded"),
    ],
    ids=["json", "bytes", "nothing", "cut", "no boundary", "many"],
)
@pytest.mark.parametrize("where", ["sheet", "take_back", "preview"])
def test_nonsense_is_refused_calmly(scorekeeper_client, game, where, body, kind):
    record(game)

    answer = scorekeeper_client.post(address(game, where), body, content_type=kind)

    expected = (200, 400) if where == "preview" else (400, 422)
    assert answer.status_code in expected
    assert DealEntry.objects.count() == 1


def test_errors_of_the_service_are_shown_like_those_of_the_form(
    scorekeeper_client, game
):
    """The rules may have been changed between the form's look and the lock."""
    record(game, sheet(fouls=(Foul(Side.A), Foul(Side.A))))
    end(game, Outcome.WALKOVER_A)

    answer = scorekeeper_client.post(address(game), post(game))

    assert answer.status_code == 409
    assert "Pelin tulos on merkitty ilman pelaamista" in text(answer)
    assert DealEntry.objects.count() == 1


# Two who write the same deal.


def test_the_second_of_two_gets_both_sheets_to_look_at(
    scorekeeper_client, organiser_client, scorekeeper, game
):
    mine = post(game, mattis="6", foul_1="B")
    scorekeeper_client.post(address(game), post(game))

    answer = organiser_client.post(address(game), mine)

    assert answer.status_code == 409
    said = text(answer)
    assert "Tämä jako on jo kirjattu. Omat merkintäsi ovat alla tallessa." in said
    assert (
        "Kirjattuna: jako 1 Valtti: Karhut (hertta), viimeinen tikki: Karhut, "
        "matit 5–3 Karhut 0 + 4 = 4, Ilvekset 0 + 0 = 0. Kirjaaja "
        f"{scorekeeper.username} kello"
    ) in said
    assert (
        "Sinun merkintäsi Valtti: Karhut (hertta), viimeinen tikki: Karhut, "
        "matit 6–2, pelivirhe: Ilvekset"
    ) in said
    assert ticked(answer) == {
        "suit_H": "A",
        "trump": "H",
        "last_trick": "A",
        "mattis": "6",
        "foul_1": "B",
    }
    assert f'href="{address(game)}" data-drop-draft' in answer.content.decode()
    assert DealEntry.objects.count() == 1


def test_the_second_sheet_can_be_saved_as_the_next_deal(scorekeeper_client, game):
    mine = post(game, mattis="6")
    record(game)
    refused = scorekeeper_client.post(address(game), mine)
    assert "Tallenna omani erillisenä jakona 2" in text(refused)

    again = {**mine, **{name: hidden(refused, name) for name in ("number", "key")}}
    answer = scorekeeper_client.post(address(game), again)

    assert again["number"] == "2"
    assert again["key"] != mine["key"]
    assert answer.status_code == 303
    assert [deal.sheet.mattis for deal in course_of(game).deals] == [
        Pair(5, 3),
        Pair(6, 2),
    ]


def test_two_who_wrote_the_same_are_told_that_all_is_well(scorekeeper_client, game):
    mine = post(game)
    scorekeeper_client.post(address(game), post(game))

    answer = scorekeeper_client.post(address(game), mine)

    assert answer.status_code == 409
    assert "Toinen laite ehti kirjata saman jaon" in text(answer)
    assert "Samat tiedot: kaikki on kunnossa." in text(answer)
    assert DealEntry.objects.count() == 1


def test_a_sheet_for_a_deal_whose_forerunner_was_taken_back_is_kept(
    scorekeeper_client, game
):
    record(game)
    mine = post(game, mattis="7")
    scorekeeper_client.post(address(game, "take_back"), back(game))

    answer = scorekeeper_client.post(address(game), mine)

    assert answer.status_code == 409
    assert "Jakoja on sillä välin peruttu toisella laitteella." in text(answer)
    assert ticked(answer)["mattis"] == "7"
    assert hidden(answer, "number") == "1"


def test_a_late_sheet_that_cannot_even_be_read_is_a_conflict_all_the_same(
    scorekeeper_client, game
):
    late = post(game, mattis="4", pips_a="kaksi")
    record(game)

    answer = scorekeeper_client.post(address(game), late)

    assert answer.status_code == 409
    assert "Tämä jako on jo kirjattu" in text(answer)
    assert hidden(answer, "number") == "2"


# A game that has been won.


def test_a_won_game_says_so_and_shows_the_way_on(scorekeeper_client, game):
    play_out(game, winner="B", loser_sets=1)
    following = game.cup.games.filter(playing_table=game.playing_table)[1]

    answer = scorekeeper_client.get(address(game))

    said = text(answer)
    assert "Ilvekset voitti pelin 1–2" in said
    assert (
        f"Pöydän seuraava peli {following.number}: "
        f"{following.team_a.name} – {following.team_b.name}"
    ) in said
    body = answer.content.decode()
    assert f'href="{address(following)}"' in body
    assert f'href="/{game.cup.slug}/games/{game.number}/"' in body
    assert 'id="deal-form"' not in body
    assert "Kumoa viimeisin jako" in said


def test_a_won_game_takes_no_more(scorekeeper_client, game):
    play_out(game)
    before = DealEntry.objects.count()

    answer = scorekeeper_client.post(address(game), post(game, mattis="7"))

    assert answer.status_code == 409
    assert "Peli on jo päättynyt, joten jakoa ei kirjattu." in text(answer)
    assert "Sinun merkintäsi: Valtti: Karhut (hertta)" in text(answer)
    assert DealEntry.objects.count() == before


def test_a_sheet_that_is_late_for_a_won_game_is_refused(scorekeeper_client, game):
    record(game, sheet(**SIX_FOR_A))
    mine = post(game, mattis="7")
    record(game, sheet(**SIX_FOR_A))
    for _ in range(2):
        record(game, sheet(**SIX_FOR_A))

    answer = scorekeeper_client.post(address(game), mine)

    assert answer.status_code == 409
    assert "Kirjattuna: jako 2" in text(answer)
    assert "Karhut voitti pelin" in text(answer)
    assert 'id="deal-form"' not in answer.content.decode()


def test_the_post_that_won_the_game_can_be_repeated(scorekeeper_client, game):
    for _ in range(3):
        record(game, sheet(**SIX_FOR_A))
    winning = post(game, suit_C="A", suit_D="A")

    answers = [scorekeeper_client.post(address(game), winning) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [303, 303]
    game.refresh_from_db()
    assert (game.winner, game.deal_count) == ("A", 4)


@pytest.mark.parametrize(
    ("unplay", "said"),
    [
        (lambda game: end(game, Outcome.WALKOVER_A), "Luovutus: Karhut voittaa"),
        (lambda game: end(game, Outcome.WALKOVER_B), "Luovutus: Ilvekset voittaa"),
        (lambda game: end(game, Outcome.BOTH_ABSENT), "Kumpikin poissa"),
        (
            lambda game: Game.objects.filter(pk=game.pk).update(team_b=None),
            "Pelin joukkueet eivät ole vielä selvillä.",
        ),
    ],
    ids=["walkover_a", "walkover_b", "both_absent", "team_unknown"],
)
def test_a_game_that_is_not_played_has_no_form(scorekeeper_client, game, unplay, said):
    unplay(game)

    answer = scorekeeper_client.get(address(game))

    assert answer.status_code == 200
    assert said in text(answer)
    assert 'id="deal-form"' not in answer.content.decode()


# Asking once more.


def test_the_same_deal_again_is_asked_about_and_kept(scorekeeper_client, game):
    scorekeeper_client.post(address(game), post(game))
    echo = post(game)

    asked = scorekeeper_client.post(address(game), echo)

    assert asked.status_code == 422
    assert "Täsmälleen samat tiedot kirjattiin juuri äsken" in text(asked)
    assert 'name="confirmed" value="same_again"' in asked.content.decode()
    assert ticked(asked)["mattis"] == "5"
    assert DealEntry.objects.count() == 1

    answer = scorekeeper_client.post(address(game), {**echo, "confirmed": "same_again"})

    assert answer.status_code == 303
    assert DealEntry.objects.count() == 2


def test_an_answer_to_one_question_answers_no_other(scorekeeper_client, game):
    every_suit = {f"suit_{suit}": "A" for suit in Suit}

    answer = scorekeeper_client.post(
        address(game), post(game, confirmed="same_again", **every_suit)
    )

    assert answer.status_code == 422
    assert "Kaikki neljä maata" in text(answer)
    assert DealEntry.objects.count() == 0


# Taking back.


def test_the_last_deal_is_taken_back(scorekeeper_client, game):
    record(game)
    record(game, sheet((6, 2)))

    answer = scorekeeper_client.post(
        address(game, "take_back"), back(game), follow=True
    )

    assert answer.redirect_chain == [(address(game), 303)]
    assert "Viimeisin jako on peruttu." in text(answer)
    assert [deal.sheet for deal in course_of(game).deals] == [sheet()]


def test_the_page_offers_to_take_back_what_it_shows(scorekeeper_client, game):
    record(game)
    page = scorekeeper_client.get(address(game)).content.decode()
    form = page[page.index("data-take-back") :]
    sent = dict(re.findall(r'name="(number|version|key)" value="([^"]*)"', form))

    answer = scorekeeper_client.post(address(game, "take_back"), sent)

    assert answer.status_code == 303
    assert course_of(game).deals == ()


def test_two_taps_take_back_one_deal(scorekeeper_client, game):
    record(game)
    record(game)
    sent = back(game)

    answers = [
        scorekeeper_client.post(address(game, "take_back"), sent) for _ in range(2)
    ]

    assert [answer.status_code for answer in answers] == [303, 303]
    assert len(course_of(game).deals) == 1


def test_a_deal_that_is_no_longer_the_last_is_not_taken_back(scorekeeper_client, game):
    record(game)
    sent = back(game)
    record(game)

    answer = scorekeeper_client.post(address(game, "take_back"), sent)

    assert answer.status_code == 409
    assert "Jakoa ei peruttu: viimeisin jako on jo vaihtunut tai peruttu." in text(
        answer
    )
    assert len(course_of(game).deals) == 2


@pytest.mark.parametrize(
    "broken",
    [{"key": "x"}, {"number": str(10**30)}, {"version": "\x00"}, {"version": ""}],
    ids=str,
)
def test_a_broken_take_back_is_refused(scorekeeper_client, game, broken):
    record(game)

    answer = scorekeeper_client.post(address(game, "take_back"), back(game, **broken))

    assert answer.status_code == 422
    assert len(course_of(game).deals) == 1
