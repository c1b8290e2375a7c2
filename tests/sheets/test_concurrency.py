"""Several tablets at the same moment: nothing is lost and nothing counts twice.

With real threads, each on its own connection; on SQLite in a file, and once more on
PostgreSQL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client

from komppa.cup.models import Cup, Game
from komppa.sheets.confirmations import confirm_result
from komppa.sheets.models import Confirmation, DealEntry
from komppa.sheets.queries import confirmed_sides, course_of
from komppa.sheets.services import DealConflict, derived_figures, record_deal
from scoring.sides import Pair, Side
from tests.factories import ScorekeeperFactory, drawn_cup, play_out, record, sheet
from tests.sheets.posts import address, back, post, ticked

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


def at_once(acts: Sequence[Callable[[], object]]) -> list[object]:
    """Run the acts in threads that start together; return their answers in order."""
    gate = Barrier(len(acts))

    def run(act):
        gate.wait(timeout=20)
        try:
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.fixture
def game():
    return drawn_cup().games.select_related("team_a", "team_b").first()


@pytest.fixture
def tablets():
    """Two people's devices, signed in."""
    return signed_in(2)


def signed_in(count: int) -> list[Client]:
    clients = [Client() for _ in range(count)]
    for client in clients:
        client.force_login(ScorekeeperFactory())
    return clients


def posting(client: Client, game: Game, data: dict, page: str = "sheet"):
    return lambda: client.post(address(game, page), data)


def entries(game: Game) -> list[tuple[int, int, bool]]:
    return [
        (entry.number, entry.version, entry.sheet is not None)
        for entry in game.deal_entries.order_by("number", "version")
    ]


def assert_figures_are_those_of_the_deals(game: Game) -> None:
    game.refresh_from_db()
    derived = derived_figures(course_of(game))
    assert {name: getattr(game, name) for name in derived} == derived


def test_the_same_post_at_once_is_one_deal_and_two_good_answers(game, tablets):
    sent = post(game)

    answers = at_once([posting(tablets[0], game, sent)] * 2)

    assert [answer.status_code for answer in answers] == [303, 303]
    assert [answer.url for answer in answers] == [address(game)] * 2
    assert entries(game) == [(1, 1, True)]
    assert_figures_are_those_of_the_deals(game)


def test_of_two_sheets_for_one_deal_the_first_counts_and_the_other_is_kept(
    game, tablets
):
    sheets = [post(game, mattis="5"), post(game, mattis="7")]
    users = list(User.objects.order_by("pk"))

    answers = at_once(
        [posting(t, game, s) for t, s in zip(tablets, sheets, strict=True)]
    )

    assert sorted(answer.status_code for answer in answers) == [303, 409]
    assert entries(game) == [(1, 1, True)]
    first = 0 if answers[0].status_code == 303 else 1
    late = answers[1 - first].content.decode()
    recorded, own = ("5–3", "7–1") if first == 0 else ("7–1", "5–3")
    assert course_of(game).last.entry.entered_by == users[first]
    assert f"viimeinen tikki: {game.team_a}, matit {recorded}</dd>" in late
    assert f"viimeinen tikki: {game.team_a}, matit {own}</dd>" in late
    assert f"Kirjaaja {users[first].username} kello" in late
    assert ticked(answers[1 - first])["mattis"] == sheets[1 - first]["mattis"]


def test_two_take_backs_at_once_undo_one_deal(game, tablets):
    record(game)
    record(game)
    wishes = [back(game), back(game)]

    answers = at_once(
        [
            posting(t, game, wish, "take_back")
            for t, wish in zip(tablets, wishes, strict=True)
        ]
    )

    assert sorted(answer.status_code for answer in answers) == [303, 409]
    assert entries(game) == [(1, 1, True), (2, 1, True), (2, 2, False)]
    assert_figures_are_those_of_the_deals(game)


def test_one_take_back_tapped_twice_at_once_undoes_one_deal(game, tablets):
    record(game)
    record(game)
    wish = back(game)

    answers = at_once([posting(tablets[0], game, wish, "take_back")] * 2)

    assert [answer.status_code for answer in answers] == [303, 303]
    assert entries(game) == [(1, 1, True), (2, 1, True), (2, 2, False)]


def test_recording_and_taking_back_at_once_leave_one_of_two_orders(game, tablets):
    record(game)

    recording, taking_back = at_once(
        [
            posting(tablets[0], game, post(game, mattis="6")),
            posting(tablets[1], game, back(game), "take_back"),
        ]
    )

    # Whoever was second wrote to a game that had moved on, and was told.
    statuses = (recording.status_code, taking_back.status_code)
    assert statuses in [(303, 409), (409, 303)]
    after = {
        (303, 409): [(1, 1, True), (2, 1, True)],
        (409, 303): [(1, 1, True), (1, 2, False)],
    }
    assert entries(game) == after[statuses]
    assert_figures_are_those_of_the_deals(game)


def test_eight_tables_at_once_lose_nothing(game):
    cup = drawn_cup(teams=16, groups=4, tables=8)
    games = list(cup.games.order_by("number")[:8])
    for each in games:
        each.cup = cup
    before = Cup.objects.get(pk=cup.pk).revision

    def play(own: Game):
        def act():
            for number in range(1, 5):
                record_deal(
                    game=own,
                    number=number,
                    sheet=sheet((4, 4), "B", pips=Pair(20, 16)),
                    key=uuid4(),
                    by=None,
                )

        return act

    at_once([play(own) for own in games])

    assert Cup.objects.get(pk=cup.pk).revision == before + 32
    assert Counter(DealEntry.objects.values_list("game", flat=True)) == {
        each.pk: 4 for each in games
    }
    for each in games:
        assert entries(each) == [(number, 1, True) for number in range(1, 5)]
        assert_figures_are_those_of_the_deals(each)


def test_eight_tablets_on_one_deal_record_it_once(game):
    def write():
        try:
            return record_deal(
                game=game, number=1, sheet=sheet(), key=uuid4(), by=None
            ).is_repeat
        except DealConflict as conflict:
            return conflict.recorded.number

    answers = at_once([write] * 8)

    assert sorted(answers, key=str) == [*[1] * 7, False]
    assert entries(game) == [(1, 1, True)]


def test_a_whole_game_written_by_two_tablets_at_once_is_played_once(game, tablets):
    while not course_of(game).state.winner:
        sent = post(game, suit_C="A", suit_S="A", confirmed="same_again")
        answers = at_once([posting(tablet, game, sent) for tablet in tablets])
        assert [answer.status_code for answer in answers] == [303, 303]

    assert entries(game) == [(number, 1, True) for number in range(1, 5)]
    assert_figures_are_those_of_the_deals(game)
    assert (game.winner, game.sets) == ("A", Pair(2, 0))


def test_both_teams_confirm_at_once_each_of_them_twice(game, tablets):
    play_out(game)
    users = list(User.objects.order_by("pk"))
    taps = [
        posting(tablet, game, {"side": side, "number": 4, "version": 1}, "confirm")
        for side, tablet in zip("AB", tablets, strict=True)
    ]
    before = Cup.objects.get(pk=game.cup_id).revision

    answers = at_once(taps * 2)

    assert [answer.status_code for answer in answers] == [303] * 4
    confirmed = confirmed_sides(game)
    assert [confirmed[side].confirmed_by for side in Side] == users
    assert Confirmation.objects.count() == 2
    assert Cup.objects.get(pk=game.cup_id).revision == before + 2


def test_the_last_confirmation_and_a_take_back_at_once_leave_one_of_two_orders(
    game, tablets
):
    play_out(game)
    confirm_result(game=game, side=Side.A, number=4, version=1, by=None)
    wish = {"side": "B", "number": 4, "version": 1}

    confirming, taking_back = at_once(
        [
            posting(tablets[0], game, wish, "confirm"),
            posting(tablets[1], game, back(game), "take_back"),
        ]
    )

    statuses = (confirming.status_code, taking_back.status_code)
    assert statuses in [(303, 409), (409, 303)]
    is_confirmed = statuses == (303, 409)
    assert len(confirmed_sides(game)) == (2 if is_confirmed else 0)
    assert (entries(game)[-1] == (4, 1, True)) is is_confirmed
    assert_figures_are_those_of_the_deals(game)
