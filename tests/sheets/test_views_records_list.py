from __future__ import annotations

import json
import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from komppa.cup.choices import Visibility
from komppa.cup.models import Cup
from komppa.sheets.corrections import correct_deals, standing_rows
from komppa.sheets.queries import course_of, standing_records
from komppa.sheets.revisions import inserted, replaced
from komppa.sheets.rule_changes import change_rules
from scoring.deal_document import read_deal
from scoring.replay import replay
from scoring.sheet import DealSheet, Foul
from tests.factories import drawn_cup, record, sheet
from tests.sheets.posts import text
from tests.sheets.recorded import (
    REASON,
    attach,
    cut,
    disputed,
    document,
    sheet_of,
    with_foul,
)
from tests.sheets.records_desk import Desk, back_of, form_of, page_of, without_record

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    made = drawn_cup().games.select_related("team_a", "team_b").first()
    record(made, sheet_of(document()))
    return made


@pytest.fixture
def desk(organiser_client):
    return lambda game, number=1: Desk(organiser_client, form_of(game, number))


def test_a_third_foul_ends_the_told_deal_where_it_ended_the_game(
    desk, organiser_client
):
    game = drawn_cup().games.select_related("team_a", "team_b").first()
    told = {**with_foul(20), "set_opening": False}
    (foul,) = replay(read_deal(told)).fouls
    own = (Foul(foul.seat.side),)
    for _ in range(2):
        record(game, sheet(fouls=own))
    record(game, DealSheet(fouls=own, abandoned=True))
    team = (game.team_a, game.team_b)["AB".index(foul.seat.side)]
    later = len(told["events"]) - foul.event - 1

    page = desk(game, 3).look(told)

    previewed = text(page.answer)
    page.save()
    listed = text(organiser_client.get(page_of(game)))
    end = (
        rf"Peli päättyi \d\. tikkiin: {team} teki kolmannen pelivirheensä \( R7\.1 \)\."
    )
    for shown in (previewed, listed):
        assert re.search(rf"{end} Tallenteessa on tämän jälkeen vielä {later} ", shown)
        assert "Jako on pelattu loppuun." not in shown
        assert "Tallenne ja pöytäkirja: samat tiedot." in shown


@pytest.mark.parametrize(
    ("said", "note"),
    [
        ({}, ""),
        ({"ruleset": "kemistikilta-2011"}, ""),
        ({"switches": {"corrected_foul": "free"}}, ""),
        (
            {"ruleset": "kotipeli"},
            "Tallenteen säännöt ovat ”Kotipeli”, mutta se luetaan turnauksen "
            "säännöillä: ”Kemistikilta 2011: Komppa-cupin säännöt”.",
        ),
        (
            {"switches": {"corrected_foul": "foul"}},
            "Tallenteen ja turnauksen säännöissä on eroa: heti korjattu pelivirhe. "
            "Tallenne luetaan turnauksen säännöillä.",
        ),
    ],
    ids=["nothing", "own", "own switch", "other", "other switch"],
)
def test_rules_that_are_not_the_cup_s_are_told_before_saving(desk, game, said, note):
    page = desk(game).look(document(**said))

    found = re.findall(
        r"Tallenteen säännöt.*säännöt”\.|Tallenteen ja turnauksen.*?illä\.",
        text(page.answer),
    )
    assert found == ([note] if note else [])
    page.save()
    assert page.answer.status_code == 303


def test_a_record_of_a_cup_whose_rules_were_changed_is_attached_again(
    organiser_client, game
):
    made = attach(game)
    organiser_client.post(back_of(made), {"reason": REASON})
    values = {"ruleset": "kotipeli"}
    change_rules(cup=game.cup, values=values, reason=REASON, by=None)

    page = Desk(organiser_client, f"{form_of(game)}?record={made.pk}")
    page.look(json.loads(page.typed))

    assert "mutta se luetaan turnauksen säännöillä: ”Kotipeli”." in text(page.answer)
    page.save()
    assert standing_records(game)[1].document["events"] == made.document["events"]


def test_the_same_record_at_another_deal_of_the_cup_is_told(desk, game):
    other = game.cup.games.select_related("team_a", "team_b").last()
    for wrong in (sheet((3, 5), "B"), sheet_of(document(), club_ace=None)):
        record(other, wrong)
    attach(other, document(set_opening=True), 2)
    stranger = drawn_cup().games.select_related("team_a", "team_b").first()
    disputed(stranger)

    page = desk(game).look(document())

    told = f"Sama tallenne on jo liitetty toiseen jakoon: P{other.number} (jako 2)."
    assert told in text(page.answer)
    assert "Sama tallenne" not in text(page.look(cut(9)).answer)
    page.look(document()).save()
    again = text(desk(game).look(document()).answer)
    assert told in again


def test_a_record_whose_deal_was_taken_back_is_listed_and_attached_again(
    organiser_client, game
):
    made = attach(game)
    without_record(game)
    assert "Jako peruttiin" in text(organiser_client.get(page_of(game)))
    assert "?record=" not in organiser_client.get(page_of(game)).content.decode()
    record(game, sheet((3, 5), "B"))
    record(game, sheet_of(document(), club_ace=None))

    listed = organiser_client.get(page_of(game)).content.decode()

    assert "Tallenteet ilman jakoa" in listed
    assert re.findall(r'href="([^"]*\?record=[^"]*)"', listed) == [
        f"{form_of(game, number)}?record={made.pk}" for number in (1, 2)
    ]
    page = Desk(organiser_client, f"{form_of(game, 2)}?record={made.pk}")
    page.look(json.loads(page.typed)).save()
    assert standing_records(game)[2].document == made.document
    assert "Tallenteet ilman jakoa" not in text(organiser_client.get(page_of(game)))


def test_a_record_without_a_deal_is_put_out_of_use(organiser_client, game):
    made = attach(game)
    without_record(game)
    record(game)
    assert back_of(made) in organiser_client.get(page_of(game)).content.decode()
    assert "Tallenne on ilman jakoa." in text(organiser_client.get(back_of(made)))

    answer = organiser_client.post(back_of(made), {"reason": REASON})

    assert (answer.status_code, answer.url) == (303, page_of(game))
    made.refresh_from_db()
    assert made.taken_back_by.is_staff
    listed = organiser_client.get(page_of(game)).content.decode()
    assert "Tallenteet ilman jakoa" not in listed
    assert "Käytöstä poistetut tallenteet" in listed
    assert back_of(made) not in listed
    assert f"{form_of(game)}?record={made.pk}" in listed


def test_a_record_that_moved_with_its_deal_is_listed_once(organiser_client, game):
    attach(game)
    course = course_of(game)
    rows = standing_rows(course)
    draft = inserted(
        replaced(rows, 0, {**rows[0].facts, "club_ace": None}),
        0,
        sheet().to_json(),
    )
    correct_deals(
        game=game,
        draft=draft,
        seen=course.entry_count,
        key=uuid4(),
        by=None,
        reason=REASON,
    )

    listed = text(organiser_client.get(page_of(game)))

    assert listed.count(f"syy: {REASON}") == 1
    assert "Tallenteet ilman jakoa" not in listed
    assert "Jako 2 tallenne" in listed


def test_an_archived_cup_shows_its_records_and_offers_nothing(organiser_client, game):
    made = attach(game)
    attach(game, cut(9))
    record(game)
    organiser_client.post(back_of(made), {"reason": REASON})
    Cup.objects.update(visibility=Visibility.ARCHIVED)

    shown = organiser_client.get(page_of(game)).content.decode()

    ways = re.findall(r'href="([^"]*)"', shown)
    assert [
        way for way in ways if re.match(r"/sheet/.*/(records|corrections)/", way)
    ] == []
    assert "Turnaus on arkistoitu" in shown
    assert "Aiempi tallenne" in shown
    assert "Katso julkisella sivulla" in shown


def test_the_list_asks_the_same_number_of_queries_for_one_deal_and_many(
    organiser_client, game
):
    def queries():
        with CaptureQueriesContext(
            connection,
        ) as made:
            assert organiser_client.get(page_of(game)).status_code == 200
        return len(made)

    attach(game)
    without_record(game)
    record(game)
    attach(game, document(set_opening=False))
    one = queries()
    for number in (2, 3, 4):
        record(game, sheet((3, 5), "B"))
        attach(game, document(set_opening=False), number)
        without_record(game)
        record(game, sheet((3, 5), "B"))
        attach(game, cut(number) | {"set_opening": False}, number)

    assert queries() == one
