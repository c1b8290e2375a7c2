from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from komppa.cup.models import Cup, Game, OrganiserLog
from komppa.cup.previews import compare, picture_of
from komppa.cup.services import update_cup
from komppa.cup.words_of_moves import stamp_of
from komppa.sheets.rule_changes import change_rules, told_deals
from scoring.sides import Pair, Seat, Side
from tests.factories import CupFactory, drawn_cup, play_out, record
from tests.sheets.deals import THREE_EACH, giving
from tests.sheets.posts import text

pytestmark = pytest.mark.django_db

REASON = "valittiin väärät säännöt"


@pytest.fixture
def cup():
    """A cup whose first game was won in a laistokierros."""
    made = drawn_cup(sets_to_win=1)
    game = made.games.order_by("number").first()
    for played in [THREE_EACH] * 4 + [giving(Side.A, 1)]:
        record(game, played)
    return made


def address(cup):
    return reverse("sheets:rules", args=[cup.slug])


def shown(client, cup):
    """Return what the form would send as it is shown, with a reason."""
    form = client.get(address(cup)).context["form"]
    values = {bound.name: bound.value() for bound in form}
    return {**values, "seen_moves": "", "reason": REASON}


def stored():
    return [
        list(Cup.objects.order_by("pk").values()),
        list(Game.objects.order_by("pk").values()),
        OrganiserLog.objects.count(),
    ]


def test_rules_are_changed_once_their_moves_have_been_seen(organiser_client, cup):
    sent = {**shown(organiser_client, cup), "both_on_target": "drop"}
    before, kept = picture_of(cup), stored()

    looked = organiser_client.post(address(cup), sent)

    assert looked.status_code == 200
    moves = looked.context["moves"]
    assert [game.number for game in moves.games] == [1]
    assert {(row.won.old, row.won.new) for row in moves.rows} == {
        ("1", "0"),
        ("0", "0"),
    }
    assert [(c.old, c.new) for c in looked.context["changes"]] == [
        ("pelataan laistokierros", "molemmat putoavat seitsemään")
    ]
    assert stored() == kept

    saved = organiser_client.post(address(cup), {**sent, "seen_moves": moves.stamp})

    assert (saved.status_code, saved.url) == (302, f"/admin/cup/cup/{cup.pk}/")
    cup = Cup.objects.get(pk=cup.pk)
    assert cup.both_on_target == "drop"
    assert stamp_of(compare(before, picture_of(cup))) == moves.stamp
    assert cup.games.get(number=1).points == Pair(8, 7)
    assert cup.log.get(act="change_rules").reason == REASON


def test_a_ruleset_is_changed_with_its_columns(organiser_client, cup):
    sent = {**shown(organiser_client, cup), "ruleset": "kotipeli"}
    stamp = organiser_client.post(address(cup), sent).context["moves"].stamp

    organiser_client.post(address(cup), {**sent, "seen_moves": stamp})

    cup.refresh_from_db()
    assert (cup.ruleset, cup.both_on_target) == ("kotipeli", "drop")


def test_notes_of_the_club_ace_that_would_go_are_told(organiser_client, cup):
    other = cup.games.order_by("number").last()
    facts = {"values": {"sets_to_win": 2}, "reason": REASON, "by": None}
    change_rules(cup=cup, **facts)
    for played in [THREE_EACH] * 4 + [giving(Side.A, 1)]:
        record(other, played)
    record(other, replace(giving(Side.A, 1), club_ace=Seat.A1))
    sent = {**shown(organiser_client, cup), "ruleset": "kotipeli"}

    answer = organiser_client.post(address(cup), sent)

    told = f"merkintä ristiässän haltijasta: P{other.number} (jako 6)."
    assert told in text(answer)


def test_a_change_that_moves_nothing_says_so(organiser_client, cup):
    sent = {**shown(organiser_client, cup), "withdrawn_games": "walkover"}

    answer = organiser_client.post(address(cup), sent)

    assert not answer.context["moves"]
    assert "Mikään muu ei muutu" in text(answer)


def test_rules_that_would_move_something_else_by_now_are_shown_again(
    organiser_client, cup
):
    sent = {**shown(organiser_client, cup), "both_on_target": "drop"}
    stamp = organiser_client.post(address(cup), sent).context["moves"].stamp
    other = cup.games.order_by("number").last()
    for played in [THREE_EACH] * 4:
        record(other, played)
    before = stored()

    answer = organiser_client.post(address(cup), {**sent, "seen_moves": stamp})

    assert answer.status_code == 409
    assert "Mitään ei vielä tallennettu" in text(answer)
    assert stored() == before


def test_unsound_sheets_are_told_game_by_game_with_the_way_to_each(
    organiser_client, cup
):
    other = cup.games.order_by("number").last()
    record(other)
    sent = {**shown(organiser_client, cup), "ruleset": "wikipedia-12"}

    answer = organiser_client.post(address(cup), sent)

    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "__all__": [
            "Osa kirjatuista jaoista ei kävisi näillä säännöillä: P1 (jaot 1–5), "
            f"P{other.number} (jako 1)."
        ]
    }
    assert [found.reasons for found in answer.context["unsound"]] == [
        (
            ("jaot 1–5", "Tätä tietoa ei näillä säännöillä merkitä: matit."),
            ("jaot 1–5", "Merkitse korttipisteet."),
            ("jako 5", "Tätä tietoa ei näillä säännöillä merkitä: silmät."),
            ("jako 5", "Tätä tietoa ei näillä säännöillä merkitä: ässät."),
        ),
        (
            ("jako 1", "Tätä tietoa ei näillä säännöillä merkitä: matit."),
            ("jako 1", "Merkitse korttipisteet."),
        ),
    ]
    way = reverse("sheets:corrections", args=[cup.slug, other.number])
    assert f'href="{way}"' in answer.content.decode()
    form = answer.context["form"]
    assert (form["ruleset"].value(), form["reason"].value()) == ("wikipedia-12", REASON)


@pytest.mark.parametrize(
    ("typed", "field", "error"),
    [
        ({"reason": " "}, "reason", "Kirjoita muutoksen syy."),
        ({}, "ruleset", "Säännöt ovat jo nämä."),
        (
            {"ruleset": "avomarjapussi"},
            "ruleset",
            "Joukkueita on jo ilmoitettu; pelaajamäärää ei voi enää muuttaa.",
        ),
        (
            {"sets_to_win": "10"},
            "sets_to_win",
            "Tämän arvon on oltava enintään 9.",
        ),
    ],
    ids=["no_reason", "the_same", "players", "too_many_sets"],
)
def test_what_cannot_be_saved_says_why_at_its_field(
    organiser_client, cup, typed, field, error
):
    before = stored()

    answer = organiser_client.post(
        address(cup), {**shown(organiser_client, cup), **typed}
    )

    assert answer.status_code == 422
    assert answer.context["form"].errors == {field: [error]}
    assert error in text(answer)
    assert stored() == before


def test_a_page_opened_before_another_organiser_s_change_undoes_nothing(
    organiser_client, cup
):
    sent = {**shown(organiser_client, cup), "withdrawn_games": "walkover"}
    wanted = {"corrected_foul": "counts"}
    change_rules(cup=cup, values=wanted, reason=REASON, by=None)

    answer = organiser_client.post(address(cup), sent)

    assert answer.status_code == 409
    assert "Sääntöjä on muutettu sen jälkeen, kun avasit sivun." in text(answer)
    cup.refresh_from_db()
    assert (cup.corrected_foul, cup.withdrawn_games) == ("counts", "annul")


def test_only_an_organiser_gets_in(scorekeeper_client, stranger_client, cup):
    sent = {"both_on_target": "drop", "reason": REASON}
    before = stored()

    for method in ("get", "post"):
        anonymous = getattr(Client(), method)(address(cup), sent)
        assert anonymous.url.startswith("/login/?next=")
        for client in (scorekeeper_client, stranger_client):
            assert getattr(client, method)(address(cup), sent).status_code == 403

    assert stored() == before


def test_a_post_without_the_token_is_refused(organiser, cup):
    client = Client(enforce_csrf_checks=True)
    client.force_login(organiser)
    before = stored()

    assert client.post(address(cup), {"reason": REASON}).status_code == 403
    assert stored() == before


def test_a_cup_that_is_not_there_is_not_found(organiser_client):
    made = CupFactory.build(slug="ei-ole")

    assert organiser_client.get(address(made)).status_code == 404


def test_the_cup_s_own_page_leads_here_once_a_deal_is_recorded(organiser_client, cup):
    new = drawn_cup()
    pages = {
        each.pk: organiser_client.get(
            reverse("admin:cup_cup_change", args=[each.pk])
        ).content.decode()
        for each in (cup, new)
    }

    assert f'href="{address(cup)}"' in pages[cup.pk]
    assert address(new) not in pages[new.pk]


def test_the_log_tells_the_rules_in_words(organiser_client, cup):
    change_rules(cup=cup, values={"ruleset": "kotipeli"}, reason=REASON, by=None)

    answer = organiser_client.get(reverse("admin:cup_workbench", args=[cup.pk]))

    assert "Turnauksen sääntöjä muutettu" in text(answer)


def test_an_archived_cup_is_refused_with_what_was_chosen(organiser_client, cup):
    update_cup(cup=cup, by=None, values={"visibility": "archived"})
    sent = {**shown(organiser_client, cup), "both_on_target": "drop"}

    answer = organiser_client.post(address(cup), sent)

    assert answer.status_code == 422
    assert answer.context["form"].non_field_errors() == [
        "Turnaus on arkistoitu, joten sitä ei enää muuteta."
    ]
    assert answer.context["form"]["both_on_target"].value() == "drop"


def test_a_played_game_with_more_sets_to_win_is_shown_open(organiser_client, cup):
    game = cup.games.order_by("number").last()
    play_out(game)
    sent = {**shown(organiser_client, cup), "sets_to_win": "2"}

    moves = organiser_client.post(address(cup), sent).context["moves"]

    assert [(told.number, told.state.new) for told in moves.games] == [
        (1, "Kesken: erät 0–1, erän pisteet 0–0"),
        (game.number, "Kesken: erät 1–0, erän pisteet 0–0"),
    ]


@pytest.mark.parametrize(
    ("positions", "told"),
    [
        ([4], "jako 4"),
        ([2, 3, 4], "jaot 2–4"),
        ([7, 1, 2, 5], "jaot 1–2, 5, 7"),
    ],
)
def test_deals_in_a_row_are_told_together(positions, told):
    assert told_deals(positions) == told
