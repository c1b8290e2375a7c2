from __future__ import annotations

from uuid import uuid4

import pytest

from komppa.sheets.models import DealEntry, TableKey
from komppa.sheets.services import take_back_deal
from tests.factories import drawn_cup, record

pytestmark = pytest.mark.django_db

DEALS = "/admin/sheets/dealentry/"


def rows_of(answer):
    return [
        (entry.number, entry.version, answer.context["cl"].model_admin.state(entry))
        for entry in answer.context["cl"].result_list
    ]


def take_back(entry, by=None):
    take_back_deal(
        game=entry.game, number=entry.number, version=entry.version, key=uuid4(), by=by
    )


def test_every_version_is_listed_the_newest_first(organiser_client, scorekeeper):
    game = drawn_cup(teams=3).games.first()
    record(game, by=scorekeeper)
    taken_back = record(game, by=scorekeeper).entry
    take_back(taken_back, by=scorekeeper)

    answer = organiser_client.get(DEALS)

    assert rows_of(answer) == [
        (2, 2, "peruu jaon"),
        (2, 1, "ei enää voimassa"),
        (1, 1, "voimassa"),
    ]
    page = answer.content.decode()
    assert page.count(scorekeeper.username) == 3
    assert f"{game}: {game.team_a} – {game.team_b}" in page


def test_a_deal_entered_at_a_table_tells_the_table(organiser_client):
    cup = drawn_cup(teams=3)
    table = cup.playing_tables.get(number=2)
    entry = record(cup.games.first()).entry
    key = TableKey.objects.create(playing_table=table, key_hash="x")
    DealEntry.objects.filter(pk=entry.pk).update(table_key=key)

    assert ">Pöytä 2<" in organiser_client.get(DEALS).content.decode()


def test_the_list_narrows_to_a_cup(organiser_client):
    cup = drawn_cup(teams=3)
    mine = record(cup.games.first()).entry
    record(drawn_cup(teams=3).games.first())

    answer = organiser_client.get(f"{DEALS}?game__cup__id__exact={cup.pk}")

    assert list(answer.context["cl"].result_list) == [mine]
    assert answer.context["cup"] == cup


@pytest.mark.parametrize("deals", [1, 4])
def test_the_list_takes_the_same_queries_for_any_number_of_deals(
    organiser_client, scorekeeper, deals, django_assert_num_queries
):
    game = drawn_cup(teams=3).games.first()
    for _number in range(deals):
        record(game, by=scorekeeper)

    with django_assert_num_queries(6):
        organiser_client.get(DEALS)


def test_a_deal_can_be_neither_changed_nor_removed_here(organiser_client):
    entry = record(drawn_cup(teams=3).games.first()).entry

    for act in ("change", "delete"):
        assert organiser_client.post(f"{DEALS}{entry.pk}/{act}/").status_code == 404
    organiser_client.post(
        DEALS, {"action": "delete_selected", "_selected_action": [entry.pk]}
    )

    assert DealEntry.objects.get() == entry
