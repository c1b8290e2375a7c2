"""The page of a game that has been won: both teams confirm the result."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo

import pytest

from komppa.cup.choices import Outcome, Visibility
from komppa.cup.models import Cup, Team
from komppa.parts import render_part
from komppa.sheets.models import Confirmation
from komppa.sheets.queries import confirmed_sides
from scoring.sides import Pair, Side
from tests.factories import agree, drawn_cup, end, play_out, record, sheet
from tests.sheets.posts import address, back, rename, text

pytestmark = pytest.mark.django_db

UNDO = "Kumoa viimeisin jako"
BOTH = "Molemmat joukkueet ovat vahvistaneet tuloksen."


@pytest.fixture
def game():
    game = drawn_cup().games.select_related("team_a", "team_b").first()
    rename(game, "Karhut", "Ilvekset")
    return play_out(game, loser_sets=1)


def offered(answer) -> dict[str, dict[str, str]]:
    """Return what each button of the page would send, by its words."""
    forms = re.findall(r"<form.*?</form>", answer.content.decode(), re.S)
    found = {}
    for form in forms:
        words = re.search(r"Vahvista: (\w+)</button>", form)
        if words:
            named = re.findall(r'name="(number|version|side)" value="([^"]*)"', form)
            found[words.group(1)] = dict(named)
    return found


def tap(client, game, team: str, **options):
    sent = offered(client.get(address(game)))[team]
    return client.post(address(game, "confirm"), sent, **options)


def test_each_team_has_a_button_of_its_own(scorekeeper_client, game):
    answer = scorekeeper_client.get(address(game))

    assert offered(answer) == {
        "Karhut": {"number": "6", "version": "1", "side": "A"},
        "Ilvekset": {"number": "6", "version": "1", "side": "B"},
    }
    assert "Karhut voitti pelin 2–1" in text(answer)
    assert BOTH not in text(answer)
    assert UNDO in text(answer)


def test_two_taps_by_two_teams_confirm_the_result(
    scorekeeper_client, scorekeeper, game
):
    first = tap(scorekeeper_client, game, "Ilvekset", follow=True)
    assert first.redirect_chain == [(address(game), 303)]
    assert list(offered(first)) == ["Karhut"]
    assert BOTH not in text(first)
    assert "Kumoaminen poistaa joukkueiden vahvistukset." in text(first)

    second = tap(scorekeeper_client, game, "Karhut", follow=True)
    said = text(second)
    assert offered(second) == {}
    assert (BOTH in said, UNDO in said) == (True, False)
    assert "Vain järjestäjä voi enää korjata tulosta." in said
    assert {c.confirmed_by for c in Confirmation.objects.all()} == {scorekeeper}


def test_the_page_tells_when_each_team_confirmed_by_the_hall_s_clock(
    scorekeeper_client, game
):
    Cup.objects.filter(pk=game.cup_id).update(time_zone="Asia/Tokyo")
    agree(game)
    at = confirmed_sides(game)[Side.B].confirmed_at
    clock = at.astimezone(ZoneInfo("Asia/Tokyo")).strftime("%H.%M")

    said = text(scorekeeper_client.get(address(game)))

    assert f"✓ Ilvekset vahvistanut kello {clock}" in said


def test_the_next_game_of_the_table_is_shown_before_and_after(scorekeeper_client, game):
    following = game.cup.games.filter(playing_table=game.playing_table)[1]
    link = f'class="btn btn-{{}}" href="{address(following)}"'

    before = scorekeeper_client.get(address(game)).content.decode()
    agree(game)
    after = scorekeeper_client.get(address(game)).content.decode()

    assert link.format("secondary") in before
    assert link.format("primary") in after


def test_an_organiser_may_still_take_back_and_is_told_what_it_does(
    organiser_client, game
):
    agree(game)

    said = text(organiser_client.get(address(game)))
    answer = organiser_client.post(address(game, "take_back"), back(game), follow=True)

    assert UNDO in said
    assert "Järjestäjänä voit yhä korjata tulosta." in said
    assert "Kumoaminen poistaa joukkueiden vahvistukset." in said
    assert "Viimeisin jako on peruttu." in text(answer)
    assert confirmed_sides(game) == {}


def test_a_scorekeeper_who_takes_back_too_late_is_told_why(scorekeeper_client, game):
    late = back(game)
    agree(game)

    answer = scorekeeper_client.post(address(game, "take_back"), late)

    assert answer.status_code == 409
    assert (
        "Molemmat joukkueet ovat vahvistaneet tuloksen; vain järjestäjä korjaa sitä."
    ) in text(answer)
    assert game.deal_entries.count() == 6


def test_a_result_that_changed_meanwhile_is_refused_and_the_new_one_shown(
    scorekeeper_client, game
):
    sent = offered(scorekeeper_client.get(address(game)))["Karhut"]
    scorekeeper_client.post(address(game, "take_back"), back(game))
    for _deal in range(2):
        record(game, sheet((3, 5), "B", trump=Side.B, small_trumps=Pair(0, 2)))

    answer = scorekeeper_client.post(address(game, "confirm"), sent)

    said = text(answer)
    assert answer.status_code == 409
    assert "Tulosta ei vahvistettu: pelin jakoja on muutettu sen jälkeen" in said
    assert "Ilvekset voitti pelin 1–2" in said
    assert offered(answer)["Karhut"] == {"number": "7", "version": "1", "side": "A"}
    assert Confirmation.objects.count() == 0


def test_a_result_taken_back_meanwhile_shows_the_form_again(scorekeeper_client, game):
    sent = offered(scorekeeper_client.get(address(game)))["Karhut"]
    scorekeeper_client.post(address(game, "take_back"), back(game))

    answer = scorekeeper_client.post(address(game, "confirm"), sent)

    assert answer.status_code == 409
    assert 'id="deal-form"' in answer.content.decode()
    assert Confirmation.objects.count() == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"side": "C"},
        {"side": ""},
        {"number": "0"},
        {"number": "x"},
        {"version": "9" * 30},
        {"version": "1\0"},
    ],
    ids=str,
)
def test_a_form_that_is_not_ours_is_refused(scorekeeper_client, game, changes):
    sent = {"number": "6", "version": "1", "side": "A", **changes}

    answer = scorekeeper_client.post(address(game, "confirm"), sent)

    assert answer.status_code == 422
    assert "Lomakkeesta puuttui osa" in text(answer)
    assert Confirmation.objects.count() == 0


def test_signing_in_on_the_way_leads_to_the_sheet(scorekeeper_client, game):
    answer = scorekeeper_client.get(address(game, "confirm"))

    assert (answer.status_code, answer.url) == (303, address(game))
    assert Confirmation.objects.count() == 0


def test_an_archived_cup_shows_the_result_and_no_buttons(scorekeeper_client, game):
    agree(game)
    Cup.objects.filter(pk=game.cup_id).update(visibility=Visibility.ARCHIVED)

    answer = scorekeeper_client.get(address(game))

    assert BOTH in text(answer)
    Confirmation.objects.all().delete()
    answer = scorekeeper_client.get(address(game))
    assert "Karhut voitti pelin 2–1" in text(answer)
    assert offered(answer) == {}


def test_a_game_annulled_after_play_says_so_and_asks_nothing(scorekeeper_client, game):
    agree(game)
    end(game, Outcome.ANNULLED)

    answer = scorekeeper_client.get(address(game))

    assert "Mitätöity Pelin tulos on merkitty ilman pelaamista" in text(answer)
    assert UNDO not in text(answer)
    assert offered(answer) == {}


def test_a_game_of_a_team_that_has_left_says_so_and_asks_nothing(
    scorekeeper_client, game
):
    Team.objects.filter(pk=game.team_b_id).update(withdrawn=True)

    answer = scorekeeper_client.get(address(game))

    assert "Peliä ei pelata Ilvekset on vetäytynyt turnauksesta" in text(answer)
    assert offered(answer) == {}


def test_the_head_carries_a_stamp_that_every_write_changes(
    scorekeeper_client, organiser_client, game
):
    def stamp() -> str:
        part = render_part(game.cup, f"sheet-{game.number}")
        page = scorekeeper_client.get(address(game)).content.decode()
        (in_part,) = re.findall(r'data-version="([^"]*)"', part)
        assert re.findall(r'data-version="([^"]*)"', page) == [in_part] * 2
        return in_part

    stamps = [stamp()]
    for team in ("Karhut", "Ilvekset"):
        tap(scorekeeper_client, game, team)
        stamps.append(stamp())
    organiser_client.post(address(game, "take_back"), back(game))
    stamps.append(stamp())

    assert stamps == ["6-0", "6-1", "6-2", "7"]


def test_the_list_of_games_shows_what_waits_apart_from_what_is_over(
    scorekeeper_client, game
):
    path = f"/sheet/{game.cup.slug}/"
    waits = "päättynyt, odottaa joukkueiden vahvistusta"

    before = scorekeeper_client.get(path).content.decode()
    agree(game)
    after = scorekeeper_client.get(path).content.decode()

    assert (before.count(waits), before.count("1 peli päättynyt")) == (1, 0)
    assert (after.count(waits), after.count("1 peli päättynyt")) == (0, 1)


def test_the_list_of_an_archived_cup_waits_for_nobody(scorekeeper_client, game):
    Cup.objects.filter(pk=game.cup_id).update(visibility=Visibility.ARCHIVED)

    said = text(scorekeeper_client.get(f"/sheet/{game.cup.slug}/"))

    assert ("odottaa joukkueiden" in said, "1 peli päättynyt" in said) == (False, True)
