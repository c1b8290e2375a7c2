"""Who has left the cup, as the public and the table see it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from komppa.cup.choices import Outcome, WithdrawnGamesChoice
from komppa.cup.services_changes import cancel_withdrawal, withdraw_team
from komppa.live import contexts
from tests.cup.evenings import beats, game_of, half_played, team
from tests.factories import drawn_cup, end, record

pytestmark = pytest.mark.django_db

ANNUL = {"withdrawn_games": WithdrawnGamesChoice.ANNUL}
WALKOVER = {"withdrawn_games": WithdrawnGamesChoice.WALKOVER}


def left(cup, number=3):
    withdraw_team(team=team(cup, number), by=None, reason="Lähti")
    cup.refresh_from_db()
    return team(cup, number)


def page_of(cup, address="groups/"):
    return " ".join(Client().get(f"/{cup.slug}/{address}").content.decode().split())


def below(page):
    """Return the lists of teams below the standings, tags taken out."""
    lists = re.findall(r'<ul class="plain withdrawn">(.*?)</ul>', page)
    return [" ".join(re.sub(r"<[^>]+>", " ", found).split()) for found in lists]


def test_a_team_without_a_rank_is_listed_below_the_table_with_its_games():
    cup = half_played(**ANNUL)
    gone = left(cup)
    numbers = sorted(game_of(cup, 3, other).number for other in (1, 2, 4))

    page = page_of(cup)

    told = " , ".join(f"P{number}" for number in numbers)
    assert below(page) == [f"{gone} vetäytynyt Pelejä ei lasketa: {told}"]
    (group,) = contexts.groups(cup, None)["groups"]
    assert [row.team for row in group["cross"]] == [team(cup, n) for n in (1, 4, 2)]


def test_a_team_below_the_table_is_on_the_cup_s_page_too():
    cup = half_played(**ANNUL)
    gone = left(cup)

    assert below(page_of(cup, "")) == [f"{gone} vetäytynyt"]


def test_nobody_is_below_the_table_after_the_return():
    cup = half_played(**ANNUL)
    before = page_of(cup)
    cancel_withdrawal(team=left(cup), by=None, reason="Palasi")

    after = page_of(cup)

    assert below(after) == []
    assert without_revision(after) == without_revision(before)


def without_revision(page):
    return re.sub(r'data-revision="\d+"|revision-\d+', "", page)


def test_a_team_that_keeps_its_rank_is_marked_where_it_stands():
    cup = half_played(**WALKOVER)
    gone = left(cup)

    page = page_of(cup)

    assert below(page) == []
    row = re.search(rf'<tr[^>]*data-key="team-{gone.pk}".*?</tr>', page).group()
    assert "vetäytynyt" in row


def test_a_team_that_left_is_not_shown_as_going_on():
    cup = drawn_cup(teams=3, **WALKOVER)
    beats(cup, 1, 2)
    beats(cup, 1, 3)
    beats(cup, 2, 3)
    before = "jatkoon" in row_of(cup, 1)

    left(cup, 1)

    row = row_of(cup, 1)
    assert (before, "jatkoon" in row, "goes-on" in row) == (True, False, False)


def row_of(cup, number):
    key = f"team-{team(cup, number).pk}"
    return re.search(rf'<tr[^>]*data-key="{key}".*?</tr>', page_of(cup)).group()


def test_an_annulled_game_of_those_who_play_on_has_its_own_mark():
    cup = drawn_cup(teams=3)
    game = beats(cup, 1, 2)
    before = page_of(cup).count('<span aria-hidden="true">×</span>')

    end(game, Outcome.ANNULLED)

    page = page_of(cup)
    mark = '<span aria-hidden="true">×</span><span class="visually-hidden">mitätöity'
    assert (before, page.count(mark)) == (0, 2)
    assert f"× P{game.number}: mitätöity" in page


def test_games_that_only_a_withdrawal_ended_are_not_the_latest():
    cup = half_played(**ANNUL)
    before = [b.game for b in contexts.cup(cup, None)["latest"]]
    left(cup, 4)

    after = contexts.cup(cup, None)

    assert [b.game for b in after["latest"]] == before
    assert after["finished_count"] == len(before) + 2


@pytest.mark.parametrize("switch", [ANNUL, WALKOVER], ids=["annul", "walkover"])
@pytest.mark.parametrize("deals", [0, 1])
def test_the_sheet_of_a_team_that_left_says_so_and_takes_no_deal(
    scorekeeper_client, switch, deals
):
    cup = half_played(**switch)
    game = game_of(cup, 3, 4)
    for _ in range(deals):
        record(game)
    gone = left(cup)
    address = f"/sheet/{cup.slug}/games/{game.number}/"

    page = " ".join(scorekeeper_client.get(address).content.decode().split())

    assert f"{gone} on vetäytynyt turnauksesta; jakoja ei kirjata." in page
    assert "Tallenna jako" not in re.sub(r'data-save="[^"]*"', "", page)


def test_the_list_of_sheets_says_which_games_are_not_played(scorekeeper_client):
    cup = half_played(**ANNUL)
    left(cup, 4)

    page = scorekeeper_client.get(f"/sheet/{cup.slug}/").content.decode()

    # One game of the team was won before, and stands as finished.
    assert page.count("ei pelata, joukkue on vetäytynyt") == 2


def test_a_sheet_ended_without_play_names_the_winner(scorekeeper_client):
    cup = drawn_cup(teams=3)
    game = cup.games.first()
    end(game, Outcome.WALKOVER_B)

    page = scorekeeper_client.get(f"/sheet/{cup.slug}/games/1/").content.decode()

    assert f"Luovutus: {game.team_b} voittaa</h2>" in page
