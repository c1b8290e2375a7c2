"""A game's page, and the pages on which it is ended without play or moved."""

from __future__ import annotations

import pytest

from komppa.cup.choices import Outcome
from komppa.cup.models import Game, OrganiserLog
from komppa.cup.services_changes import withdraw_team
from komppa.cup.services_conflicts import cancel_annulment
from komppa.cup.services_games import set_outcome
from tests.cup.brackets import cup_with_bracket
from tests.factories import drawn_cup, end, play_out, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    return drawn_cup(teams=4, tables=2)


@pytest.fixture
def game(cup):
    return cup.games.get(number=1)


def url_of(game, page=""):
    return f"/admin/cup/cup/{game.cup_id}/games/{game.number}/{page}"


def outcome_sent(outcome="WALKOVER_A", **rest):
    return {
        "outcome": outcome,
        "seen": "PLAYED",
        "reason": "Ei saapunut",
        "seen_moves": "",
        **rest,
    }


def confirm(client, game, sent):
    """Look at what moves, then save it; return the answer to the save."""
    shown = client.post(url_of(game, "outcome/"), sent)
    assert shown.status_code == 200
    stamp = shown.context["moves"].stamp
    return client.post(url_of(game, "outcome/"), {**sent, "seen_moves": stamp})


def said(answer):
    return [str(message) for message in answer.context["messages"]]


def text_of(answer):
    return " ".join(answer.content.decode().split())


def test_the_page_of_a_game_tells_where_it_stands_and_leads_to_its_pages(
    organiser_client, cup, game
):
    record(game)

    answer = organiser_client.get(url_of(game))

    page = text_of(answer)
    assert f"Peli 1: {game.team_a} – {game.team_b}" in page
    assert answer.context["state"] == "Käynnissä, erät 0–0"
    for address in (
        f"/sheet/{cup.slug}/games/1/",
        f"/sheet/{cup.slug}/games/1/corrections/",
        f"/{cup.slug}/games/1/",
        url_of(game, "outcome/"),
        url_of(game, "move/"),
        url_of(game, "annul/"),
    ):
        assert f'href="{address}"' in page
    assert [seat.player.team for seat in answer.context["seats"]] == [
        game.team_a,
        game.team_a,
        game.team_b,
        game.team_b,
    ]


def test_a_finished_game_is_not_offered_to_another_table(organiser_client, game):
    play_out(game)

    assert url_of(game, "move/") not in text_of(organiser_client.get(url_of(game)))


def test_a_game_whose_team_left_says_so(organiser_client, game):
    withdraw_team(team=game.team_a, by=None, reason="Lähti")

    answer = organiser_client.get(url_of(game))

    assert answer.context["state"] == "Mitätöity, joukkue on vetäytynyt"


def test_a_game_in_conflict_leads_to_its_settling(organiser_client):
    cup = cup_with_bracket(teams=8, groups=2)
    semi = cup.games.get(bracket_round=1, bracket_position=0)
    final = cup.games.get(bracket_round=2, bracket_position=0)
    for played in (semi, cup.games.get(bracket_round=1, bracket_position=1), final):
        end(played, Outcome.WALKOVER_A)
    before = organiser_client.get(url_of(final)).context["in_conflict"]

    end(semi, Outcome.WALKOVER_B)

    answer = organiser_client.get(url_of(final))
    assert (before, answer.context["in_conflict"]) == (False, True)
    assert f'href="{url_of(final, "conflict/")}"' in text_of(answer)


def test_an_outcome_is_shown_before_it_is_saved(organiser_client, game):
    answer = organiser_client.post(url_of(game, "outcome/"), outcome_sent())

    moves = answer.context["moves"]
    assert [(g.number, g.state.old, g.state.new) for g in moves.games] == [
        (1, "Ei vielä tulosta", f"{game.team_a} voitti luovutuksella 2–0")
    ]
    assert Game.objects.get(pk=game.pk).outcome == ""
    # What was chosen and typed is there for the save.
    assert answer.context["form"]["outcome"].value() == "WALKOVER_A"
    assert answer.context["form"]["reason"].value() == "Ei saapunut"


def test_an_outcome_is_saved_once_it_has_been_seen(organiser_client, organiser, game):
    answer = confirm(organiser_client, game, outcome_sent("BOTH_ABSENT"))

    assert (answer.status_code, answer.url) == (302, url_of(game))
    game.refresh_from_db()
    assert (game.outcome, game.is_finished) == (Outcome.BOTH_ABSENT, True)
    line = game.log.get()
    assert (line.by, line.reason) == (organiser, "Ei saapunut")


def test_an_outcome_is_only_looked_at_as_often_as_one_likes(organiser_client, game):
    sent = outcome_sent(look="1")
    stamp = organiser_client.post(url_of(game, "outcome/"), sent).context["moves"].stamp

    again = organiser_client.post(
        url_of(game, "outcome/"), {**sent, "seen_moves": stamp}
    )

    assert (again.status_code, again.context["moves"].stamp) == (200, stamp)
    assert Game.objects.get(pk=game.pk).outcome == ""


def test_an_outcome_seen_with_other_moves_is_shown_once_more(organiser_client, game):
    sent = outcome_sent(seen_moves="0123456789abcdef")

    answer = organiser_client.post(url_of(game, "outcome/"), sent)

    assert answer.status_code == 409
    assert "Mitään ei vielä tallennettu" in text_of(answer)
    assert Game.objects.get(pk=game.pk).outcome == ""


def test_an_outcome_decided_on_an_old_page_is_refused_and_the_new_one_shown(
    organiser_client, game
):
    end(game, Outcome.WALKOVER_B)

    answer = organiser_client.post(url_of(game, "outcome/"), outcome_sent())

    page = text_of(answer)
    assert answer.status_code == 409
    assert "sillä välin merkitty ”luovutus, B voittaa”" in page
    assert f"<strong>Luovutus: {game.team_b} voittaa</strong>" in page
    # The next try is made knowing it, with nothing typed lost.
    assert 'name="seen" value="WALKOVER_B"' in page
    assert answer.context["form"]["reason"].value() == "Ei saapunut"
    assert Game.objects.get(pk=game.pk).outcome == Outcome.WALKOVER_B


@pytest.mark.parametrize(
    ("wrong", "field", "error"),
    [
        ({"reason": " "}, "reason", "Kirjoita muutoksen syy."),
        ({"reason": "x" * 301}, "reason", "Syyssä voi olla enintään 300 merkkiä."),
        ({"outcome": ""}, "outcome", "Valitse tulos."),
        ({"outcome": "PLAYED"}, "outcome", "Tämä tulos on jo merkitty."),
    ],
    ids=["no_reason", "long_reason", "no_outcome", "the_same"],
)
def test_an_outcome_that_cannot_be_saved_says_why_at_its_field(
    organiser_client, game, wrong, field, error
):
    answer = organiser_client.post(url_of(game, "outcome/"), outcome_sent(**wrong))

    assert answer.status_code == 422
    assert answer.context["form"].errors[field] == [error]
    assert error in text_of(answer)
    assert Game.objects.get(pk=game.pk).outcome == ""


@pytest.mark.parametrize(
    "wrong",
    [{"outcome": "ANNULLED"}, {"outcome": "x"}, {"seen": "x"}, {"seen": ""}],
    ids=["annulled", "unknown", "unknown_seen", "nothing_seen"],
)
def test_a_broken_form_of_an_outcome_writes_nothing(organiser_client, game, wrong):
    answer = organiser_client.post(url_of(game, "outcome/"), outcome_sent(**wrong))

    assert answer.status_code == 422
    assert OrganiserLog.objects.filter(game=game).count() == 0


def test_a_game_without_teams_and_one_annulled_offer_no_outcome(organiser_client):
    cup = cup_with_bracket(teams=8, groups=2)
    final = cup.games.get(bracket_round=2, bracket_position=0)
    annulled = cup.games.get(number=1)
    end(annulled, Outcome.ANNULLED)

    for game, words in (
        (final, "Pelin joukkueet eivät ole vielä selvillä."),
        (annulled, "Peli on mitätöity. Peru ensin mitätöinti."),
    ):
        page = text_of(organiser_client.get(url_of(game, "outcome/")))
        assert words in page
        assert 'name="outcome"' not in page


def test_the_log_of_a_game_tells_every_change_and_restores_any_outcome(
    organiser_client, organiser, game
):
    for outcome, seen, reason in (
        (Outcome.WALKOVER_A, Outcome.PLAYED, "Ei saapunut"),
        (Outcome.BOTH_ABSENT, Outcome.WALKOVER_A, "Kumpikaan ei saapunut"),
    ):
        set_outcome(game=game, outcome=outcome, by=organiser, reason=reason, seen=seen)

    answer = organiser_client.get(url_of(game))

    assert [
        (row.told.line.reason, row.outcome, row.restore)
        for row in answer.context["log"]
    ] == [
        ("Kumpikaan ei saapunut", "Kumpikin joukkue poissa", ""),
        (
            "Ei saapunut",
            f"Luovutus: {game.team_a} voittaa",
            url_of(game, "outcome/?outcome=WALKOVER_A"),
        ),
    ]
    page = text_of(answer)
    for part in ("Pelin tulos merkitty", organiser.username, "luovutus, A voittaa"):
        assert part in page


def test_an_outcome_to_restore_is_chosen_beforehand(organiser_client, game):
    end(game, Outcome.BOTH_ABSENT)
    address = url_of(game, "outcome/?outcome=WALKOVER_A")

    form = organiser_client.get(address).context["form"]
    restored = confirm(
        organiser_client,
        game,
        outcome_sent(form["outcome"].value(), seen="BOTH_ABSENT"),
    )

    assert restored.status_code == 302
    assert Game.objects.get(pk=game.pk).outcome == Outcome.WALKOVER_A


def test_a_log_line_of_an_annulment_leads_to_annulling(organiser_client, cup, game):
    end(game, Outcome.ANNULLED)
    annulled = organiser_client.get(url_of(game)).context["log"]
    cancel_annulment(game=game, by=None, reason="Olikin oikein")

    again = organiser_client.get(url_of(game)).context["log"]

    assert [row.restore for row in annulled] == [""]
    assert [row.restore for row in again] == ["", url_of(game, "annul/")]


def test_the_page_of_a_game_takes_the_same_queries(
    organiser_client, django_assert_num_queries, game
):
    end(game, Outcome.WALKOVER_A)
    with django_assert_num_queries(6):
        organiser_client.get(url_of(game))

    for outcome in (Outcome.BOTH_ABSENT, Outcome.WALKOVER_B, Outcome.WALKOVER_A):
        end(game, outcome)

    with django_assert_num_queries(6):
        organiser_client.get(url_of(game))


def move_sent(table_number, **rest):
    return {"table_number": table_number, "reason": "Pöytä rikki", **rest}


def move(client, game, sent):
    """Move the game, and again knowing who clashes if anybody does."""
    answer = client.post(url_of(game, "move/"), sent, follow=True)
    if not answer.redirect_chain:
        sent = {**sent, "anyway": answer.context["stamp"]}
        answer = client.post(url_of(game, "move/"), sent, follow=True)
    return answer


def test_a_warning_of_one_table_lets_nobody_move_to_another(
    organiser_client, cup, game
):
    team = game.team_a
    later = next(
        g for g in cup.games.exclude(pk=game.pk) if team in (g.team_a, g.team_b)
    )
    at_first = organiser_client.post(url_of(game, "move/"), move_sent(9))
    sent = {**move_sent(8), "anyway": at_first.context["stamp"]}

    answer = organiser_client.post(url_of(later, "move/"), sent)

    assert answer.context["clashes"] != []
    assert Game.objects.get(pk=later.pk).playing_table == later.playing_table


def test_a_game_is_moved_to_another_table(organiser_client, game):
    answer = move(organiser_client, game, move_sent(9))

    game.refresh_from_db()
    assert game.playing_table.number == 9
    assert said(answer) == ["Peli on siirretty pöytään 9."]
    assert answer.context["log"][0].told.line.new == {"table": 9}


def test_a_game_is_moved_to_be_the_next(organiser_client, cup, game):
    other = cup.games.exclude(playing_table=game.playing_table).last()

    move(organiser_client, other, move_sent(1, is_next="on"))

    first = cup.games.filter(playing_table__number=1).order_by("order").first()
    assert first == other


def test_a_team_that_would_be_at_two_tables_is_warned_about_first(
    organiser_client, cup, game
):
    team = game.team_a
    later = next(
        g for g in cup.games.exclude(pk=game.pk) if team in (g.team_a, g.team_b)
    )
    sent = move_sent(9)

    warned = organiser_client.post(url_of(later, "move/"), sent)
    waited = Game.objects.get(pk=later.pk).playing_table.number
    moved = move(organiser_client, later, sent)

    warning = f"{team}: P1 pöydässä 1 ja {later} pöydässä 9."
    assert (warned.status_code, warning in text_of(warned)) == (200, True)
    assert warned.context["form"]["reason"].value() == "Pöytä rikki"
    assert waited != 9
    assert said(moved) == ["Peli on siirretty pöytään 9."]
    assert Game.objects.get(pk=later.pk).playing_table.number == 9


@pytest.mark.parametrize(
    ("sent", "field", "error"),
    [
        (move_sent(""), "table_number", "Pöydän numero on 1–99."),
        (move_sent("x"), "table_number", "Pöydän numero on 1–99."),
        (move_sent(0), "table_number", "Pöydän numero on 1–99."),
        (move_sent(10**30), "table_number", "Pöydän numero on 1–99."),
        (move_sent(1), "table_number", "Peli on jo pöydässä 1."),
        (move_sent(2, reason=""), "reason", "Kirjoita muutoksen syy."),
    ],
    ids=["empty", "letter", "zero", "huge", "there_already", "no_reason"],
)
def test_a_move_that_cannot_be_made_says_why_at_its_field(
    organiser_client, game, sent, field, error
):
    answer = organiser_client.post(url_of(game, "move/"), sent)

    assert answer.status_code == 422
    assert answer.context["form"].errors[field] == [error]
    assert Game.objects.get(pk=game.pk).playing_table.number == 1


@pytest.mark.parametrize("page", ["", "outcome/", "move/"])
@pytest.mark.parametrize("number", [0, 99, 10**30])
def test_a_game_that_is_not_there_is_not_found(organiser_client, cup, page, number):
    address = f"/admin/cup/cup/{cup.pk}/games/{number}/{page}"

    assert organiser_client.get(address).status_code == 404


@pytest.mark.parametrize("page", ["outcome/", "move/"])
def test_a_game_is_found_only_through_its_own_cup(organiser_client, page):
    drawn_cup(teams=3)
    other = drawn_cup(teams=4)
    # The first cup has three games and knows no fourth.
    first, before = OrganiserLog.objects.count(), list(other.games.values())
    number = other.games.last().number
    cup = other.__class__.objects.exclude(pk=other.pk).get()

    answer = organiser_client.post(
        f"/admin/cup/cup/{cup.pk}/games/{number}/{page}",
        {**outcome_sent(), **move_sent(9)},
    )

    assert answer.status_code == 404
    assert list(other.games.values()) == before
    assert OrganiserLog.objects.count() == first
