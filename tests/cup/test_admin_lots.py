from __future__ import annotations

import pytest

from komppa.cup import services, services_lots
from komppa.cup.choices import Outcome
from komppa.cup.models import Lot
from tests.factories import drawn_cup, end, tied_group

pytestmark = pytest.mark.django_db


def url_of(cup):
    return f"/admin/cup/cup/{cup.pk}/lots/"


def ids_of(group):
    return [m.team_id for m in group.memberships.all()]


def draw(client, cup, group, team_ids):
    return client.post(
        f"{url_of(cup)}draw/", {"group": group, "team": team_ids}, follow=True
    )


def said(answer):
    return [str(message) for message in answer.context["messages"]]


def test_a_tie_is_shown_with_names_and_figures(organiser_client):
    group = tied_group()

    ((standing, rows),) = organiser_client.get(url_of(group.cup)).context["ties"]

    assert standing.group == group
    assert {row.team for row in rows} == set(group.cup.teams.all())
    assert {(r.rank, r.won, r.sets_won, r.sets_lost) for r in rows} == {(1, 1, 2, 2)}


def test_a_cup_without_a_tie_says_that_no_lot_is_needed(organiser_client):
    answer = organiser_client.get(url_of(drawn_cup(teams=3)))

    page = answer.content.decode()
    assert "Arpaa ei tarvita" in page
    assert "Vielä kesken: A." in page
    assert "Vedä arpa</button>" not in page


def test_the_lot_is_drawn_and_its_order_seed_and_drawer_are_shown(
    organiser_client, organiser
):
    group = tied_group()

    answer = draw(organiser_client, group.cup, group.pk, ids_of(group))

    lot = Lot.objects.get()
    assert said(answer) == ["Arpa on vedetty. Tulos on alla."]
    (record,) = answer.context["records"]
    names = dict(group.cup.teams.values_list("pk", "name"))
    assert record.names == tuple(names[pk] for pk in lot.order)
    assert (record.is_used, lot.drawn_by) == (True, organiser)
    assert lot.seed in answer.content.decode()
    assert answer.context["ties"] == []


def test_the_lot_is_not_drawn_by_looking(organiser_client):
    group = tied_group()

    organiser_client.get(url_of(group.cup))

    assert Lot.objects.count() == 0


def test_the_lot_drawn_again_is_refused(organiser_client):
    group = tied_group()
    draw(organiser_client, group.cup, group.pk, ids_of(group))

    answer = draw(organiser_client, group.cup, group.pk, ids_of(group))

    assert said(answer)[0].startswith("Arpa vedetään vain valmiin lohkon tasatilant")
    assert Lot.objects.count() == 1


def test_a_lot_that_settles_nothing_any_more_stays_on_record(organiser_client):
    group = tied_group()
    services.draw_lot(group=group, team_ids=ids_of(group), by=None)
    end(group.games.first(), Outcome.BOTH_ABSENT)

    answer = organiser_client.get(url_of(group.cup))

    (record,) = answer.context["records"]
    assert record.is_used is False
    assert "Tasatilannetta ei enää ole. Arpa jää muistiin." in answer.content.decode()


@pytest.mark.parametrize(
    "make",
    [
        lambda group, other: {"group": other.pk, "team": ids_of(group)},
        lambda group, other: {"group": group.pk, "team": ids_of(other)},
        lambda group, other: {"group": "", "team": ids_of(group)},
        lambda group, other: {"group": "x", "team": ids_of(group)},
        lambda group, other: {"group": "9" * 30, "team": ids_of(group)},
        lambda group, other: {"group": group.pk, "team": ["x", "²"]},
    ],
    ids=[
        "group_of_another_cup",
        "teams_of_another_cup",
        "no_group",
        "group_no_number",
        "huge_number",
        "team_no_number",
    ],
)
def test_ids_that_are_not_of_this_cup_are_not_found(organiser_client, make):
    group, other = tied_group(), tied_group()

    answer = organiser_client.post(f"{url_of(group.cup)}draw/", make(group, other))

    assert answer.status_code == 404
    assert Lot.objects.count() == 0


@pytest.mark.parametrize(("teams", "groups"), [(3, 1), (12, 4)])
def test_the_page_takes_the_same_queries_for_any_cup(
    organiser_client, teams, groups, django_assert_num_queries
):
    cup = drawn_cup(teams=teams, groups=groups)

    with django_assert_num_queries(9):
        organiser_client.get(url_of(cup))


# Corrections.


@pytest.fixture
def lot():
    group = tied_group()
    return services.draw_lot(group=group, team_ids=ids_of(group), by=None)


def change(client, url, **typed):
    """Look at what the change moves, then save it."""
    seen = client.post(url, {"reason": "väärin", **typed})
    stamp = seen.context["moves"].stamp
    sent = {"reason": "väärin", **typed, "seen_moves": stamp}
    return seen, client.post(url, sent)


def test_a_lot_is_taken_back_after_its_moves_were_shown(organiser_client, lot):
    url = f"{url_of(lot.cup)}{lot.pk}/take-back/"

    seen, answer = change(organiser_client, url)

    assert len(seen.context["moves"].rows) == 3
    assert answer.url == url_of(lot.cup)
    lot.refresh_from_db()
    assert lot.taken_back_at is not None
    page = organiser_client.get(url_of(lot.cup)).content.decode()
    assert f"{lot.pk}/restore/" in page


def test_a_lot_is_brought_back(organiser_client, lot):
    services_lots.take_back_lot(lot=lot, by=None, reason="väärin")

    change(organiser_client, f"{url_of(lot.cup)}{lot.pk}/restore/")

    lot.refresh_from_db()
    assert lot.taken_back_at is None


def test_a_wrong_order_is_put_right(organiser_client, lot):
    order = lot.order[::-1]
    typed = {f"place_{n}": pk for n, pk in enumerate(order, 1)}

    change(organiser_client, f"{url_of(lot.cup)}record/?lot={lot.pk}", **typed)

    standing = Lot.objects.get(taken_back_at=None)
    assert (standing.order, standing.seed) == (order, "")


def test_a_lot_drawn_on_paper_is_recorded(organiser_client):
    group = tied_group()
    ids = ids_of(group)
    query = "&".join([f"group={group.pk}", *(f"team={pk}" for pk in ids)])
    page = organiser_client.get(url_of(group.cup)).content.decode()
    assert query.replace("&", "&amp;") in page

    typed = {f"place_{n}": pk for n, pk in enumerate(ids, 1)}
    change(organiser_client, f"{url_of(group.cup)}record/?{query}", **typed)

    assert Lot.objects.get().order == ids


def test_a_team_on_two_places_is_told_at_the_second(organiser_client, lot):
    first, *others = lot.order
    typed = {"place_1": first, "place_2": first, "place_3": others[0]}

    answer = organiser_client.post(
        f"{url_of(lot.cup)}record/?lot={lot.pk}", {"reason": "väärin", **typed}
    )

    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "place_2": ["Sama joukkue on kahdella paikalla."]
    }


@pytest.mark.parametrize(
    "query", ["", "?lot=0", "?lot=x", "?team=1", "?group=0&team=1&team=2"]
)
def test_a_lot_for_nobody_is_not_found(organiser_client, lot, query):
    answer = organiser_client.get(f"{url_of(lot.cup)}record/{query}")

    assert answer.status_code == 404


def test_a_lot_of_another_cup_is_not_found(organiser_client, lot):
    other = drawn_cup(teams=3)

    for way in ("take-back", "restore"):
        answer = organiser_client.post(f"{url_of(other)}{lot.pk}/{way}/")
        assert answer.status_code == 404
    lot.refresh_from_db()
    assert lot.taken_back_at is None
