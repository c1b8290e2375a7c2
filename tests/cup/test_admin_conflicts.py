from __future__ import annotations

import pytest

from komppa.cup.choices import Outcome
from komppa.cup.models import Game
from komppa.cup.services_conflicts import annul_game, confirm_conflict
from tests.cup.brackets import (
    conflicts,
    cup_with_bracket,
    decide,
    game_of,
    pairs,
    put_first,
    team_at,
)
from tests.factories import drawn_cup, play_out, record
from tests.factories.remembered import remembered

pytestmark = pytest.mark.django_db

WHY = {"by": None, "reason": "Tulos korjattiin"}


def url_of(game, page):
    return f"/admin/cup/cup/{game.cup_id}/games/{game.number}/{page}/"


def game(cup, number):
    return cup.games.get(number=number)


def said(answer):
    return [str(message) for message in answer.context["messages"]]


def text_of(answer):
    return " ".join(answer.content.decode().split())


def moved_slots(moves):
    return [(s.number, s.team.old, s.team.new) for s in moves.slots]


@pytest.fixture
@remembered
def cup():
    """P13 has been won by A1, who turns out to have been second in the group."""
    made = cup_with_bracket(teams=8, groups=2)
    play_out(game(made, 13))
    put_first(made, "A2", "A1")
    return made


def choose(client, cup, name, **facts):
    address = url_of(game(cup, 13), "conflict")
    page = client.get(address)
    (choice,) = [c for c in page.context["choices"] if c.name == name]
    sent = {
        "choice": name,
        f"{name}-seen_moves": choice.moves.stamp,
        f"{name}-reason": "Lohkon tulos oli väärin",
        **facts,
    }
    return client.post(address, sent, follow=True)


# The two ways out of a conflict.


def test_both_ways_out_are_shown_with_what_each_moves(organiser_client, cup):
    answer = organiser_client.get(url_of(game(cup, 13), "conflict"))

    replay, confirm = answer.context["choices"]
    a1, a2, b2 = (team_at(cup, place).name for place in ("A1", "A2", "B2"))
    assert [(g.number, g.state.new) for g in replay.moves.games] == [
        (13, "Mitätöity"),
        (17, "Uusi peli"),
    ]
    assert moved_slots(confirm.moves) == [
        (13, a2, a1),
        (14, a1, a2),
        (15, "ei vielä selvillä", b2),
        (16, "ei vielä selvillä", a1),
    ]
    assert f"<li>{a1} pelasi, mutta A1 on nyt {a2}.</li>" in text_of(answer)
    assert conflicts(cup) == [13]
    assert not Game.objects.filter(replays__isnull=False).exists()


def test_the_game_is_played_again(organiser_client, organiser, cup):
    answer = choose(organiser_client, cup, "replay")

    assert said(answer) == ["P13 on mitätöity. Sen sijaan pelataan uusi peli."]
    assert answer.redirect_chain == [(f"/admin/cup/cup/{cup.pk}/bracket/", 302)]
    assert pairs(cup) == ["B1-A1", "?-?", "?-?", "A2-B2"]
    line = cup.log.first()
    assert (line.by, line.reason) == (organiser, "Lohkon tulos oli väärin")


def test_the_game_is_confirmed_as_played(organiser_client, organiser, cup):
    answer = choose(organiser_client, cup, "confirm")

    assert said(answer) == ["P13 on vahvistettu pelattuna."]
    assert pairs(cup) == ["A1-B2", "B1-A2", "B2-?", "A1-?"]
    assert cup.log.first().by == organiser


@pytest.mark.parametrize("name", ["replay", "confirm"])
def test_nothing_is_done_without_a_reason(organiser_client, cup, name):
    answer = choose(organiser_client, cup, name, **{f"{name}-reason": "  "})

    assert answer.status_code == 422
    errors = {c.name: c.form.errors for c in answer.context["choices"]}
    assert errors.pop(name) == {"reason": ["Kirjoita muutoksen syy."]}
    assert list(errors.values()) == [{}]
    assert conflicts(cup) == [13]


@pytest.mark.parametrize("name", ["replay", "confirm"])
def test_nothing_is_done_that_has_not_been_seen(organiser_client, cup, name):
    # Somebody corrects another game while the page is open.
    put_first(cup, "A3", "A1")

    answer = choose(organiser_client, cup, name, **{f"{name}-seen_moves": "f" * 16})

    assert answer.status_code == 409
    stale = {c.name: c.is_stale for c in answer.context["choices"]}
    assert stale == {**dict.fromkeys(["replay", "confirm"], False), name: True}
    (shown,) = [c for c in answer.context["choices"] if c.name == name]
    assert shown.form["reason"].value() == "Lohkon tulos oli väärin"
    assert conflicts(cup) == [13]


def test_the_first_post_without_a_stamp_shows_what_would_move(organiser_client, cup):
    answer = choose(organiser_client, cup, "confirm", **{"confirm-seen_moves": ""})

    assert answer.status_code == 200
    assert conflicts(cup) == [13]


def test_a_conflict_solved_by_another_is_not_solved_again(organiser_client, cup):
    address = url_of(game(cup, 13), "conflict")
    confirm_conflict(game=game(cup, 13), **WHY)

    page = organiser_client.get(address)
    answer = organiser_client.post(
        address, {"choice": "replay", "replay-reason": "Myöhässä"}
    )

    assert "ei ole ristiriidassa" in text_of(page)
    assert page.context["choices"] == []
    assert answer.status_code == 422
    assert "Peli ei ole enää ristiriidassa." in text_of(answer)
    assert game(cup, 13).outcome == Outcome.PLAYED


def test_a_way_that_is_not_open_says_why(organiser_client, cup):
    play_out(game(cup, 14))
    annul_game(game=game_of(cup, "A1", "A3"), replay=True, **WHY)

    answer = organiser_client.get(url_of(game(cup, 13), "conflict"))

    replay, confirm = answer.context["choices"]
    assert replay.moves is not None
    assert confirm.moves is None
    assert confirm.refusal.startswith("Vielä ei tiedetä, kuka peliin kuuluisi")
    assert confirm.refusal in text_of(answer)


@pytest.mark.parametrize("choice", ["", "x", "annul"])
def test_a_way_that_is_none_is_not_found(organiser_client, cup, choice):
    answer = organiser_client.post(
        url_of(game(cup, 13), "conflict"), {"choice": choice, "x-reason": "Syy"}
    )

    assert answer.status_code == 404


def test_a_game_of_a_group_has_no_conflict(organiser_client, cup):
    for page in ("conflict", "team/a"):
        assert organiser_client.get(url_of(game(cup, 1), page)).status_code == 404
        assert organiser_client.post(url_of(game(cup, 1), page)).status_code == 404


# A game annulled.


@pytest.mark.parametrize(("replay", "games"), [("again", 4), ("left_out", 3)])
def test_a_group_game_is_annulled_once_its_moves_were_seen(
    organiser_client, replay, games
):
    cup = drawn_cup(teams=3)
    old = play_out(cup.games.get(number=1))
    address = url_of(old, "annul")
    sent = {"replay": replay, "reason": "Väärät kortit"}

    shown = organiser_client.post(address, sent)
    assert shown.status_code == 200
    annulled = shown.context["moves"].games[0]
    assert (annulled.number, annulled.state.new) == (1, "Mitätöity")
    assert cup.games.count() == 3
    sent["seen_moves"] = shown.context["moves"].stamp
    answer = organiser_client.post(address, sent, follow=True)

    assert said(answer) == ["P1 on mitätöity."]
    assert answer.redirect_chain == [(url_of(old, "annul")[: -len("annul/")], 302)]
    assert cup.games.count() == games
    assert game(cup, 1).outcome == Outcome.ANNULLED


def test_whether_a_group_game_is_played_again_has_to_be_said(organiser_client):
    old = play_out(drawn_cup(teams=3).games.get(number=1))

    answer = organiser_client.post(url_of(old, "annul"), {"reason": "Väärät kortit"})

    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "replay": ["Valitse, pelataanko uudelleen."]
    }
    assert answer.context["form"]["reason"].value() == "Väärät kortit"


def test_a_game_not_begun_is_refused_at_the_choice(organiser_client):
    game = drawn_cup(teams=3).games.get(number=1)

    answer = organiser_client.post(
        url_of(game, "annul"), {"replay": "again", "reason": "Turha"}
    )

    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "replay": ["Peliä ei ole vielä pelattu, joten sitä ei pelata uudelleen."]
    }


def test_a_bracket_game_is_always_played_again(organiser_client):
    cup = cup_with_bracket(teams=8, groups=2)
    decide(game(cup, 13))
    address = url_of(game(cup, 13), "annul")
    assert "replay" not in organiser_client.get(address).context["form"].fields

    shown = organiser_client.post(address, {"reason": "Väärät kortit"})
    stamp = shown.context["moves"].stamp
    answer = organiser_client.post(
        address, {"reason": "Väärät kortit", "seen_moves": stamp}, follow=True
    )

    assert said(answer) == ["P13 on mitätöity."]
    assert game(cup, 17).replays == game(cup, 13)


def test_an_annulled_game_leads_to_taking_that_back(organiser_client, cup):
    annul_game(game=game(cup, 13), replay=True, **WHY)

    answer = organiser_client.get(url_of(game(cup, 13), "annul"))

    assert f'href="{url_of(game(cup, 13), "annul/cancel")}"' in text_of(answer)


# An annulment taken back.


def test_an_annulment_is_taken_back_once_its_moves_were_seen(organiser_client, cup):
    annul_game(game=game(cup, 13), replay=True, **WHY)
    address = url_of(game(cup, 13), "annul/cancel")

    page = organiser_client.get(address)
    stamp = page.context["moves"].stamp
    assert cup.games.filter(number=17).exists()
    answer = organiser_client.post(
        address, {"reason": "Turha", "seen_moves": stamp}, follow=True
    )

    assert said(answer) == ["Pelin P13 mitätöinti on peruttu."]
    assert not cup.games.filter(number=17).exists()
    assert conflicts(cup) == [13]


def test_an_annulment_that_stands_says_why(organiser_client, cup):
    new = annul_game(game=game(cup, 13), replay=True, **WHY)
    record(new)
    address = url_of(game(cup, 13), "annul/cancel")

    page = organiser_client.get(address)
    answer = organiser_client.post(address, {"reason": "Turha"})

    why = "Mitätöintiä ei voi enää perua: uutta peliä P17 on jo pelattu."
    assert page.context["refusal"] == why
    assert why in text_of(page)
    assert (answer.status_code, why in text_of(answer)) == (422, True)


# A team named.


@pytest.fixture
def open_place(cup):
    """A1 is confirmed in P13 and second in his group, so that P14 lacks a team."""
    put_first(cup, "A3", "A1")
    confirm_conflict(game=game(cup, 13), **WHY)
    put_first(cup, "A1", "A3")
    return cup


def test_the_organiser_names_a_team_once_its_moves_were_seen(
    organiser_client, open_place
):
    cup = open_place
    address = url_of(game(cup, 14), "team/b")
    page = organiser_client.get(address)
    a1, a2 = team_at(cup, "A1"), team_at(cup, "A2")
    assert page.context["sentences"] == [
        f"Pelistä P14 puuttuu joukkue: A2 on {a1}, jonka paikka on vahvistettu toiseen "
        "peliin."
    ]
    sent = {"team": a2.pk, "reason": "Lohkon voittaja"}

    shown = organiser_client.post(address, sent)
    assert moved_slots(shown.context["moves"]) == [(14, "ei vielä selvillä", a2.name)]
    sent["seen_moves"] = shown.context["moves"].stamp
    answer = organiser_client.post(address, sent, follow=True)

    assert said(answer) == ["Pelin P14 joukkue on valittu."]
    assert pairs(cup)[1] == "B1-A2"


def test_teams_are_offered_by_their_places(organiser_client, open_place):
    page = organiser_client.get(url_of(game(open_place, 14), "team/b"))

    choices = page.context["form"].fields["team"].choices
    assert [pk for pk, _label in choices] == [
        team_at(open_place, place).pk
        for place in ("A2", "B1", "A1", "B2", "A3", "B3", "A4", "B4")
    ]


def test_a_team_with_a_place_of_its_own_is_refused_at_its_field(
    organiser_client, open_place
):
    answer = organiser_client.post(
        url_of(game(open_place, 14), "team/b"),
        {"team": team_at(open_place, "B1").pk, "reason": "Miksipä ei"},
    )

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["team"]
    assert pairs(open_place)[1] == "B1-?"


@pytest.mark.parametrize("team", ["", "x", "0", "9" * 30])
def test_a_team_that_is_not_of_this_cup_is_refused_at_its_field(
    organiser_client, open_place, team
):
    answer = organiser_client.post(
        url_of(game(open_place, 14), "team/b"), {"team": team, "reason": "Miksipä ei"}
    )

    assert answer.status_code == 422
    assert answer.context["form"].errors == {"team": ["Valitse joukkue."]}


def test_a_place_that_comes_from_the_groups_is_not_named(organiser_client, cup):
    address = url_of(game(cup, 14), "team/a")

    page = organiser_client.get(address)
    answer = organiser_client.post(
        address, {"team": team_at(cup, "A3").pk, "reason": "Miksipä ei"}
    )

    assert "Tähän paikkaan ei voi nimetä joukkuetta" in text_of(page)
    assert answer.status_code == 422
    assert pairs(cup)[1] == "B1-A1"


@pytest.mark.parametrize("side", ["c", "A", "ab"])
def test_a_side_that_is_none_is_not_found(organiser_client, cup, side):
    address = url_of(game(cup, 14), f"team/{side}")

    assert organiser_client.get(address).status_code == 404


@pytest.mark.parametrize("page", ["annul", "annul/cancel", "conflict", "team/a"])
def test_a_game_that_this_cup_has_not_is_not_found(organiser_client, cup, page):
    other = drawn_cup(teams=8)
    address = url_of(game(cup, 13), page).replace(
        f"/cup/{cup.pk}/", f"/cup/{other.pk}/"
    )
    gone = address.replace("/13/", "/99/")

    assert organiser_client.get(gone).status_code == 404
    assert organiser_client.post(gone, {"reason": "Syy"}).status_code == 404
