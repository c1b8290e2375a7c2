from __future__ import annotations

import html
import json
import re
from uuid import uuid4

import pytest
from django.urls import reverse

from komppa.sheets import views_corrections
from komppa.sheets.queries import course_of, standing_records
from komppa.sheets.services import take_back_deal
from scoring.sides import Pair
from tests.factories import SIX_FOR_A, drawn_cup, play_out, record, sheet
from tests.sheets.recorded import attach, document

pytestmark = pytest.mark.django_db

FOR_B = {"number": "1", "last_trick": "B", "mattis": "3"}
REASON = "matit väärinpäin"


@pytest.fixture
def game():
    return drawn_cup().games.first()


@pytest.fixture
def played(game):
    record(game)
    record(game)
    return game


def address(game, page="corrections"):
    return reverse(f"sheets:{page}", args=[game.cup.slug, game.number])


class Desk:
    """The page in an organiser's browser: its hidden fields go along."""

    def __init__(self, client, game):
        self.client = client
        self.url = address(game)
        self.answer = client.get(self.url)

    def press(self, op, /, **typed):
        sent = {**self.hidden, "op": op, **typed}
        self.answer = self.client.post(self.url, sent)
        return self

    def correct(self, index, **typed):
        """Open a deal's sheet, fill it in and look at what it moves."""
        return self.press(f"edit:{index}").press(f"put:{index}", **{**FOR_B, **typed})

    @property
    def text(self):
        return html.unescape(self.answer.content.decode())

    @property
    def hidden(self):
        names = ("draft", "seen", "key", "seen_moves", "reason")
        found = {}
        for tag in re.findall(r"<input[^>]*>", self.answer.content.decode()):
            name = re.search(r'name="(\w+)"', tag)
            value = re.search(r'value="([^"]*)"', tag)
            if name and name[1] in names:
                found[name[1]] = html.unescape(value[1]) if value else ""
        return found

    @property
    def draft(self):
        """Whose last trick each deal of the draft has."""
        rows = json.loads(self.hidden["draft"])
        return [facts.get("last_trick") for _number, facts in rows]

    @property
    def offers(self):
        return re.findall(r'name="op" value="(\w+:\d+)"', self.text)


@pytest.fixture
def desk(organiser_client):
    return lambda game: Desk(organiser_client, game)


def last_tricks(game):
    return [deal.sheet.last_trick for deal in course_of(game).deals]


def test_a_deal_is_corrected_with_a_reason_after_its_moves_were_shown(desk, played):
    page = desk(played).correct(0)

    assert page.draft == ["B", "A"]
    assert "A 2–0" not in page.text
    assert last_tricks(played) == ["A", "A"]
    assert "save:0" in page.offers

    page.press("save:0", reason=REASON)

    assert (page.answer.status_code, page.answer.url) == (303, address(played))
    assert last_tricks(played) == ["B", "A"]
    entry = played.deal_entries.get(number=1, version=2)
    assert (entry.reason, entry.entered_by.is_staff) == (REASON, True)


def test_a_deal_is_put_in_between_and_another_taken_back(desk, played):
    page = desk(played).press("insert:1").press("put_new:1", **{**FOR_B, "number": "2"})
    page.press("remove:0").press("save:0", reason=REASON)

    assert last_tricks(played) == ["B", "A"]


def test_a_version_of_old_is_restored(desk, played):
    desk(played).correct(0).press("save:0", reason=REASON)
    first = played.deal_entries.get(number=1, version=1)

    page = desk(played)
    assert f"restore:{first.pk}" in page.offers
    page.press(f"restore:{first.pk}").press("save:0", reason="sittenkin oikein")

    assert last_tricks(played) == ["A", "A"]
    assert played.deal_entries.filter(number=1).count() == 3


@pytest.mark.parametrize(
    ("ops", "told", "stands_at"),
    [
        (
            ["insert:0", "put_new:0"],
            ["Jaon 2 tallenne seuraa jakoa, joka on tämän jälkeen jako 3."],
            [3],
        ),
        (
            ["remove:0"],
            ["Jaon 2 tallenne seuraa jakoa, joka on tämän jälkeen jako 1."],
            [1],
        ),
        (
            ["remove:1"],
            ["Jaon 2 tallenne jää ilman jakoa ja poistuu julkiselta sivulta."],
            [],
        ),
        (["insert:2", "put_new:2"], [], [2]),
        (["edit:1", "put:1"], [], [2]),
    ],
    ids=["put in before", "removed before", "removed", "put in after", "corrected"],
)
def test_the_page_tells_what_becomes_of_records_and_saving_does_it(
    desk, played, ops, told, stands_at
):
    attach(played, document(set_opening=False), 2)
    page = desk(played)
    for op in ops:
        page.press(op, **FOR_B)

    assert re.findall(r"<p>(Jaon \d tallenne .*?)</p>", page.text) == told
    page.press("save:0", reason=REASON)
    records = standing_records(played)
    deals = course_of(played).deals
    assert [d.position for d in deals if d.entry.number in records] == stands_at


def test_a_version_of_another_deal_takes_no_record_over(desk, played):
    last = course_of(played).last.entry
    take_back_deal(game=played, number=2, version=1, key=uuid4(), by=None)
    record(played, sheet((3, 5), "B"))
    attach(played, document(set_opening=False), 2)

    page = desk(played).press(f"restore:{last.pk}")

    assert page.draft == ["A", "A"]
    assert "Jaon 2 tallenne jää ilman jakoa" in page.text
    page.press("save:0", reason=REASON)
    assert last_tricks(played) == ["A", "A"]
    assert standing_records(played) == {}


def test_every_version_is_listed_with_who_when_what_and_why(desk, played, organiser):
    desk(played).correct(0).press("save:0", reason=REASON)

    text = desk(played).text

    assert text.count(REASON) == 1
    # Both versions of the first deal and the only one of the second; of the draft
    # itself there are two deals.
    assert text.count("viimeinen tikki: ") == 3 + 2
    assert str(organiser) in text


def test_without_a_reason_nothing_is_saved_and_the_draft_stays(desk, played):
    page = desk(played).correct(0).press("save:0", reason=" ")

    assert page.answer.status_code == 422
    assert "Kirjoita muutoksen syy." in page.text
    assert page.draft == ["B", "A"]
    assert last_tricks(played) == ["A", "A"]


def test_what_cannot_be_true_comes_back_as_it_was_typed(desk, played):
    page = desk(played).correct(0, mattis="4")

    assert page.answer.status_code == 422
    assert "part-pips_a" in page.text
    assert page.draft == ["A", "A"]
    checked = re.findall(r"<input[^>]*checked[^>]*>", page.text)
    assert any('name="mattis"' in tag and 'value="4"' in tag for tag in checked)


def test_deals_after_the_end_are_dealt_with_on_the_same_page(desk, game):
    six = {"suit_H": "A", "suit_C": "A", "suit_S": "A", "trump": "H"}
    record(game, sheet((5, 3), "A", **SIX_FOR_A))
    record(game)
    record(game, sheet((5, 3), "A", **SIX_FOR_A))
    record(game, sheet((5, 3), "A", **SIX_FOR_A))
    record(game)

    # The second was a six as well: then the fourth ends the game.
    page = desk(game).correct(1, number="2", last_trick="A", mattis="5", **six)

    assert "save:0" not in [o for o in page.offers if o != page.offers[0]]
    assert "cut:4" in page.offers
    page.press("cut:4").press("save:0", reason=REASON)
    game.refresh_from_db()
    assert (game.winner, game.sets, game.deal_count) == ("A", Pair(2, 0), 4)


def test_the_page_tells_what_moves_in_the_standings(desk, game):
    play_out(game, "A")

    page = desk(game).press("remove:3")

    told = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", page.text))
    assert f"P{game.number}" in told
    assert f"{game.team_a.name} voitti 2–0" in told
    assert "Kesken: erät 1–0, erän pisteet 6–0" in told
    assert "Sarjataulukot" in told


def test_a_draft_overtaken_by_another_deal_is_kept_and_refused(desk, played):
    page = desk(played).correct(0)
    record(played)

    page.press("save:0", reason=REASON)

    assert page.answer.status_code == 409
    assert "sillä välin" in page.text
    assert page.draft == ["B", "A"]
    assert page.hidden["reason"] == REASON
    assert last_tricks(played) == ["A", "A", "A"]


def test_saving_twice_corrects_once(desk, played):
    page = desk(played).correct(0)
    sent = {**page.hidden, "op": "save:0", "reason": REASON}

    for _ in range(2):
        answer = page.client.post(page.url, sent)

    assert answer.status_code == 303
    assert played.deal_entries.count() == 3


def test_a_second_tap_while_the_first_is_being_saved_corrects_once(
    desk, played, monkeypatch
):
    page = desk(played).correct(0)
    sent = {**page.hidden, "op": "save:0", "reason": REASON}
    looking, answers = views_corrections.moves_of, []

    def looking_late(game, draft):
        monkeypatch.setattr(views_corrections, "moves_of", looking)
        answers.append(page.client.post(page.url, sent))
        return looking(game, draft)

    monkeypatch.setattr(views_corrections, "moves_of", looking_late)
    answers.append(page.client.post(page.url, sent))

    assert [answer.status_code for answer in answers] == [303, 303]
    assert played.deal_entries.count() == 3


@pytest.mark.parametrize(
    "broken",
    [
        {"draft": "["},
        {"draft": "[[1]]"},
        {"draft": "[[true,{}]]"},
        {"draft": "[[1,[]]]"},
        {"draft": "{}"},
        {"draft": "[" * 5000},
        {"seen": "x"},
        {"key": "x"},
        {"op": "drop:1"},
        {"op": "edit:²"},
    ],
    ids=lambda broken: next(iter(broken.items()))[0] + next(iter(broken.values()))[:8],
)
def test_a_page_that_is_broken_starts_anew(desk, played, broken):
    page = desk(played)
    page.press("show:0", **broken)

    assert page.answer.status_code == 422
    assert page.draft == ["A", "A"]
    assert "aloita alusta" in page.text


@pytest.mark.parametrize("op", ["edit:2", "insert:3", "remove:2", "restore:0"])
def test_a_deal_that_is_not_there_is_not_found(desk, played, op):
    assert desk(played).press(op).answer.status_code == 404


def test_a_version_of_another_game_is_not_restored(desk, played):
    other = played.cup.games.exclude(pk=played.pk).first()
    record(other)
    entry = other.deal_entries.get()

    assert desk(played).press(f"restore:{entry.pk}").answer.status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_deals(
    desk, game, django_assert_num_queries
):
    record(game)
    page = desk(game)
    few = _queries(page)
    for _ in range(4):
        record(game, sheet((4, 4), pips=Pair(18, 18), aces=Pair(2, 2)))

    with django_assert_num_queries(few):
        page.client.get(page.url)


def _queries(page):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as caught:
        page.client.get(page.url)
    return len(caught)


@pytest.mark.parametrize("who", ["client", "stranger_client", "scorekeeper_client"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_only_an_organiser_gets_to_the_corrections(request, played, who, method):
    client = request.getfixturevalue(who)
    sent = {"draft": "[]", "seen": "2", "op": "save:0", "reason": REASON}

    answer = getattr(client, method)(
        address(played), {**sent, "key": "8" * 32} if method == "post" else {}
    )

    assert answer.status_code == (302 if who == "client" else 403)
    assert last_tricks(played) == ["A", "A"]


def test_the_preview_tells_what_a_half_filled_sheet_would_give(desk, played):
    page = desk(played).press("edit:1")

    answer = page.client.post(
        address(played, "correction_preview"),
        {**page.hidden, "op": "put:1", **FOR_B, "number": "2"},
    )

    told = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", answer.content.decode()))
    assert "2 + 0 = 2" in told
    assert "0 + 2 = 2" in told
    assert last_tricks(played) == ["A", "A"]
