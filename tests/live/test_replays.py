from __future__ import annotations

import re

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from komppa.cup.models import Game
from komppa.live.replays import SHEET, replay_asked_for
from komppa.parts import render_part
from komppa.sheets.models import DealRecord
from scoring.deal_document import deal_to_json, read_deal
from scoring.playout import play
from scoring.replay import replay
from scoring.rulesets import RULESETS
from scoring.sheet import DealSheet, Foul
from tests.factories import drawn_cup, record, sheet
from tests.sheets.posts import text
from tests.sheets.recorded import (
    attach,
    cut,
    disputed,
    document,
    sheet_of,
    with_event,
    with_foul,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _finnish():
    with translation.override("fi"):
        yield


@pytest.fixture
def game():
    return drawn_cup().games.select_related("team_a", "team_b").first()


def replayed(game, asked="deal=1"):
    return replay_asked_for(game, game.cup, QueryDict(asked))


def page_of(game, asked=""):
    address = reverse("live:game", args=[game.cup.slug, game.number])
    return f"{address}{asked}"


def test_each_trick_has_its_cards_in_the_order_of_play(game):
    disputed(game)
    played = replay(read_deal(document())).tricks

    for number, trick in enumerate(played, start=1):
        told = replayed(game, f"deal=1&trick={number}").trick
        seats = {"A1": 1, "B1": 2, "A2": 3, "B2": 4}
        turns = [seats[seat.seat] - seats[trick.leader] for seat in told.seats]
        assert told.number == number
        assert [seat.card for seat in told.seats] == list(trick.cards)
        assert [turn % 4 for turn in turns] == [0, 1, 2, 3]
        assert [seat.seat for seat in told.seats if seat.leads] == [trick.leader]
        assert [seat.seat for seat in told.seats if seat.wins] == [trick.winner]


def test_the_hands_are_those_before_the_trick(game):
    disputed(game)

    for number in (1, 4, 9):
        told = replayed(game, f"deal=1&trick={number}").trick
        assert [len(seat.hand) for seat in told.seats] == [10 - number] * 4
        assert all(seat.card in seat.hand for seat in told.seats)


def test_what_was_asked_and_made_stands_before_the_next_trick(game):
    disputed(game)
    tricks = [replayed(game, f"deal=1&trick={number}").trick for number in range(1, 10)]

    made = [act.made for trick in tricks for act in trick.acts if act.made]
    assert made == ["Risti on valtti", "Hertta on pikkuvaltti"]
    first = next(t.number for t in tricks if any(a.made for a in t.acts))
    assert [t.trump_name for t in tricks] == [""] * (first - 1) + ["risti"] * (
        10 - first
    )
    assert tricks[-1].trump_team == str(game.team_b)
    assert tricks[-1].small_trumps == "hertta"


def test_previous_and_next_go_through_the_tricks_to_the_sheets(game):
    disputed(game)
    way, key = [], "1"
    while key:
        shown = replayed(game, f"deal=1&trick={key}")
        way.append((shown.previous, shown.trick.number if shown.trick else SHEET))
        key = shown.next

    numbers = [*range(1, 10), SHEET]
    assert way == list(zip(["", *map(str, range(1, 10))], numbers, strict=True))
    assert [step.key for step in shown.steps] == [str(number) for number in numbers]
    assert [step.key for step in shown.steps if step.is_here] == [SHEET]
    assert shown.comparison.is_same


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ("deal=1", 1),
        ("deal=1&trick=0", 1),
        ("deal=1&trick=99", 9),
        ("deal=1&trick=x", 1),
        ("deal=1&trick=-3", 1),
        ("deal=1&trick=9999999999999999999999", 1),
    ],
)
def test_a_trick_that_there_is_not_is_the_nearest_or_the_first(game, asked, number):
    disputed(game)

    assert replayed(game, asked).trick.number == number


@pytest.mark.parametrize("asked", ["", "deal=", "deal=2", "deal=0", "deal=x", "deal=٣"])
def test_a_deal_that_has_no_record_is_not_replayed(game, asked, client):
    disputed(game)
    record(game)

    assert replayed(game, asked) is None
    answer = client.get(page_of(game, f"?{asked}"))
    assert answer.status_code == 200
    assert 'id="replay"' not in answer.content.decode()


def test_a_record_that_was_taken_back_is_not_replayed(game):
    made = disputed(game)
    DealRecord.objects.filter(pk=made.pk).update(taken_back_at=made.added_at)

    assert replayed(game) is None


def test_a_wrong_card_is_told_at_its_trick_with_rule_and_legal_cards(game, client):
    told = with_foul(8)
    disputed(game, told)
    (foul,) = replay(read_deal(told)).fouls

    marked = [step.number for step in replayed(game).steps if step.has_breach]
    assert len(marked) == 1
    trick = replayed(game, f"deal=1&trick={marked[0]}").trick
    (breach,) = trick.breaches
    assert (breach.rule, breach.legal) == (foul.rule, foul.legal)
    assert [seat.seat for seat in trick.seats if seat.breach] == [foul.seat]
    shown = text(client.get(page_of(game, f"?deal=1&trick={marked[0]}")))
    assert f"{breach.text} {foul.rule} {breach.reason}" in shown
    assert "Pelata sai" in shown


def test_a_slip_put_right_shows_the_card_that_stayed(game, client):
    told = with_foul(8, corrected=True)
    disputed(game, told)
    (foul,) = replay(read_deal(told)).fouls
    stayed = read_deal(told).events[foul.event].corrected

    (number,) = (step.number for step in replayed(game).steps if step.has_breach)
    trick = replayed(game, f"deal=1&trick={number}").trick

    assert [seat.card for seat in trick.seats if seat.breach] == [stayed]
    shown = text(client.get(page_of(game, f"?deal=1&trick={number}")))
    assert "Heti korjattu virhe, " in shown
    assert "Tilalle vaihdettiin" in shown


def test_a_void_act_is_told_before_its_trick(game):
    disputed(game, with_event(0, {"declare": "H"}))

    (act,) = replayed(game).trick.acts

    assert (act.made, act.breach.rule) == ("", "R3.1")
    assert "ilmoittaa kokonaisen: hertta" in act.text


@pytest.mark.parametrize(
    ("index", "trick", "cards", "reason"),
    [
        (2, 1, 2, "Ilmoittaa ja kysyä saa aikaisintaan toisen tikin jälkeen."),
        (11, 3, 2, "Ilmoittaa ja kysyä saa vain ennen tikin alkua, ei kesken tikin."),
        (12, 3, 3, "Ilmoittaa ja kysyä saa vain ennen tikin alkua, ei kesken tikin."),
    ],
)
def test_an_act_said_amid_a_trick_is_told_where_it_was_said(
    game, client, index, trick, cards, reason
):
    disputed(game, with_event(index, {"declare": "H"}))

    told = replayed(game, f"deal=1&trick={trick}").trick

    (act,) = told.interruptions
    assert (act.breach.on_table, act.breach.reason) == (cards, reason)
    assert not any(act.breach for act in told.acts)
    marked = [step.number for step in replayed(game).steps if step.has_breach]
    assert marked == [trick]
    page = client.get(page_of(game, f"?deal=1&trick={trick}")).content.decode()
    assert page.index("replay-table") < page.index(reason)
    assert f"Kesken tikin, {cards}. kortin jälkeen." in page


def test_a_second_act_after_one_trick_is_told_before_the_next(game):
    disputed(game, with_event(9, {"declare": "H"}))

    told = replayed(game, "deal=1&trick=3").trick

    assert [bool(act.breach) for act in told.acts] == [False, True]
    assert told.interruptions == ()
    assert told.acts[1].breach.reason == (
        "Ilmoittaa tai kysyä saa vain kerran voittamaansa tikkiä kohti."
    )


def ended(game):
    """Play a game whose third deal a record tells beyond its third foul."""
    told = with_foul(20)
    (foul,) = replay(read_deal(told)).fouls
    own = (Foul(foul.seat.side),)
    for _ in range(2):
        record(game, sheet(fouls=own))
    record(game, DealSheet(fouls=own, abandoned=True))
    attach(game, {**told, "set_opening": False}, 3)
    return foul, len(told["events"]) - foul.event - 1


def test_a_third_foul_ends_the_replay_where_it_ended_the_game(game, client):
    foul, later = ended(game)
    team = (game.team_a, game.team_b)["AB".index(foul.seat.side)]

    last = replayed(game, "deal=3&trick=99")

    number = last.trick.number
    assert last.end == (
        f"Peli päättyi {number}. tikkiin: {team} teki kolmannen pelivirheensä"
    )
    played = [seat for seat in last.trick.seats if seat.card]
    assert played[-1].breach.is_foul
    assert later > 0
    assert last.left_out == later
    assert [step.number for step in last.steps] == [*range(1, number + 1), None]
    assert replayed(game, f"deal=3&trick={number - 1}").end == ""
    for place in (number, SHEET):
        shown = text(client.get(page_of(game, f"?deal=3&trick={place}")))
        assert f"{last.end} R7.1" in shown
        assert f"vielä {later} tapahtumaa, jotka jäävät pois." in shown
        assert "Tallenne päättyy tähän." not in shown


def test_the_sheet_of_a_deal_that_a_third_foul_ended_is_the_same(game):
    ended(game)

    comparison = replayed(game, "deal=3&trick=sheet").comparison

    assert comparison.is_complete
    told = {fact.label: fact.verdict for fact in comparison.facts}
    assert told["Pelivirheet"] == told["Keskeytynyt jako"] == "same"


def test_two_fouls_in_the_game_end_no_replay(game):
    told = with_foul(20)
    (foul,) = replay(read_deal(told)).fouls
    record(game, sheet(fouls=(Foul(foul.seat.side),)))
    record(game, sheet_of(told, club_ace=None))
    attach(game, {**told, "set_opening": False}, 2)

    last = replayed(game, "deal=2&trick=99")

    assert (last.trick.number, last.end, last.left_out) == (9, "", 0)


@pytest.mark.parametrize(
    ("count", "numbers", "cards"),
    [(0, [1], 0), (2, [1], 2), (4, [1], 4), (6, [1, 2], 2)],
)
def test_a_deal_that_breaks_off_is_told_as_far_as_it_goes(
    game, count, numbers, cards, client
):
    record(game, sheet_of(document()))
    attach(game, cut(count))

    shown = replayed(game, "deal=1&trick=9")
    assert [step.number for step in shown.steps] == [*numbers, None]
    assert [seat.card is not None for seat in shown.trick.seats].count(True) == cards
    assert not shown.comparison.is_complete
    page = text(client.get(page_of(game, "?deal=1&trick=sheet")))
    assert "Loppuja tietoja ei voi verrata." in page


def test_a_question_after_the_last_recorded_trick_has_a_trick_of_its_own(game):
    events = document()["events"]
    last = max(i for i, event in enumerate(events) if "play" not in event)
    disputed_until = document(events=events[: last + 1])
    record(game, sheet_of(document()))
    attach(game, disputed_until)

    trick = replayed(game, "deal=1&trick=9").trick

    assert len(trick.acts) == 1
    assert [seat.card for seat in trick.seats] == [None] * 4


def test_every_random_deal_of_every_ruleset_can_be_replayed():
    from random import Random

    for number, rules in enumerate(RULESETS.values()):
        cup = drawn_cup(ruleset=rules.key)
        game = cup.games.select_related("team_a", "team_b").first()
        deal = play(Random(number).random, rules)
        record(game, replay(deal).sheet())
        attach(game, deal_to_json(deal))

        told = [
            replayed(game, f"deal=1&trick={n}").trick
            for n in range(1, rules.tricks + 1)
        ]

        played = [[seat.card for seat in trick.seats] for trick in told]
        assert played == [list(trick.cards) for trick in replay(deal).tricks]


def test_the_page_compares_the_sheets_and_marks_what_differs(game, client):
    disputed(game, trump=game.cup.rules.seats[0].side)

    shown = text(client.get(page_of(game, "?deal=1&trick=sheet")))

    assert "Tallenne ja pöytäkirja eroavat 2 tiedossa." in shown
    assert f"Valtti {game.team_b} {game.team_a} ≠ eri" in shown


def test_a_sheet_written_again_since_is_said_beside_the_replay(game, client):
    made = disputed(game)
    DealRecord.objects.filter(pk=made.pk).update(version=7)

    shown = text(client.get(page_of(game, "?deal=1")))

    assert "Jaon pöytäkirja on kirjattu uudelleen" in shown


def test_a_record_that_the_rules_no_longer_read_is_said_to_be_so(game, client):
    made = disputed(game)
    DealRecord.objects.filter(pk=made.pk).update(document=["?"])

    shown = text(client.get(page_of(game, "?deal=1")))

    assert "Tallennetta ei voi lukea turnauksen nykyisillä säännöillä." in shown


def test_deals_with_a_record_lead_to_it_and_others_do_not(game):
    disputed(game)
    record(game)

    part = render_part(game.cup, f"game-{game.number}")

    assert re.findall(r'href="([^"]*replay)"', part) == [
        f"{page_of(game)}?deal=1#replay"
    ]


def test_the_replay_is_no_part_that_changes_by_itself(game, client):
    disputed(game)
    body = client.get(page_of(game, "?deal=1&trick=3")).content.decode()

    with translation.override("fi"):
        part = render_part(game.cup, f"game-{game.number}")
    live = f'<div data-part="game-{game.number}">{part}</div>'
    assert body.count(live) == 1
    assert body.index('id="replay"') < body.index(live)


def test_the_replay_asks_the_same_number_of_queries_whatever_the_rows(game, client):
    def queries(number):
        with CaptureQueriesContext(connection) as made:
            page = client.get(page_of(game, f"?deal={number}&trick=2"))
            assert 'id="replay"' in page.content.decode()
        return len(made)

    disputed(game)
    one = queries(1)
    for number in (2, 3, 4):
        record(game, sheet((3, 5), "B"))
        attach(game, document(set_opening=False), number)

    assert queries(1) == one
    assert queries(4) == one


def test_page_with_a_replay_is_nobodys_own(game, client):
    disputed(game)

    answer = client.get(page_of(game, "?deal=1"))

    assert dict(answer.cookies) == {}
    assert "csrfmiddlewaretoken" not in answer.content.decode()


def test_the_replay_of_another_cup_s_draft_is_not_found(game, client):
    disputed(game)
    game.cup.visibility = "draft"
    game.cup.save()

    assert client.get(page_of(game, "?deal=1")).status_code == 404
    assert Game.objects.filter(pk=game.pk).exists()
