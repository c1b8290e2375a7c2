from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.choices import DrawStatus
from komppa.cup.models import Game
from komppa.cup.queries import games_stamp
from tests.factories import (
    CupFactory,
    ScorekeeperFactory,
    TeamFactory,
    cup_of,
    drawn_cup,
    record,
)

pytestmark = pytest.mark.django_db


def draw_url(cup):
    return f"/admin/cup/cup/{cup.pk}/draw/"


def act_url(draw, act):
    return f"/admin/cup/cup/{draw.cup_id}/draw/{draw.pk}/{act}/"


def games_url(cup):
    return f"/admin/cup/cup/{cup.pk}/games/"


def said(answer):
    return [str(message) for message in answer.context["messages"]]


def test_the_page_shows_the_sizes_of_every_choice_and_a_sensible_one_chosen(
    organiser_client,
):
    answer = organiser_client.get(draw_url(cup_of(14)))

    form = answer.context["form"]
    assert form["group_count"].value() == 4
    assert [value for value, _label in form.fields["group_count"].choices] == [
        1,
        2,
        3,
        4,
        5,
        6,
        7,
    ]
    assert "joukkueita 4, 4, 3, 3; yhteensä 18 peliä" in answer.content.decode()


def test_the_page_asks_for_teams_where_there_are_none(organiser_client):
    page = organiser_client.get(draw_url(CupFactory())).content.decode()

    assert "Arvontaan tarvitaan vähintään kaksi joukkuetta." in page


def test_the_page_shows_the_pots(organiser_client):
    cup = CupFactory()
    TeamFactory(cup=cup, name="Ykkönen", pot=1)
    TeamFactory(cup=cup, name="Kakkonen", pot=2)
    TeamFactory(cup=cup, name="Koriton")

    pots = organiser_client.get(draw_url(cup)).context["pots"]

    assert [(pot, [team.name for team in teams]) for pot, teams in pots] == [
        (1, ["Ykkönen"]),
        (2, ["Kakkonen"]),
        (None, ["Koriton"]),
    ]


def test_a_draft_is_drawn_and_shown_with_its_seed_and_how_to_check_it(
    organiser_client, organiser
):
    cup = cup_of(14)

    answer = organiser_client.post(draw_url(cup), {"group_count": "4"}, follow=True)

    draw = cup.draws.get()
    assert answer.redirect_chain == [(draw_url(cup), 302)]
    assert (draw.status, draw.drawn_by) == (DrawStatus.DRAFT, organiser)
    shown = answer.context["draft"]
    assert [len(teams) for _letter, teams in shown.groups] == [4, 4, 3, 3]
    page = answer.content.decode()
    assert draw.seed in page
    assert f"manage.py redraw {draw.pk}" in page
    assert cup.groups.count() == 0


@pytest.mark.parametrize("count", ["", "0", "8", "x", "-1", "999999999999999999999"])
def test_a_number_of_groups_that_was_not_offered_is_refused(organiser_client, count):
    cup = cup_of(14)

    answer = organiser_client.post(draw_url(cup), {"group_count": count})

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["group_count"]
    assert cup.draws.count() == 0


def test_a_draft_is_confirmed(organiser_client):
    cup = cup_of(4)
    draw = services.draft_draw(cup=cup, group_count=2, by=None)

    answer = organiser_client.post(act_url(draw, "confirm"), follow=True)

    assert said(answer) == ["Arvonta on vahvistettu. Tee seuraavaksi pelit."]
    assert [group.name for group in cup.groups.all()] == ["A", "B"]


def test_a_draft_is_discarded_and_stays_in_the_history(organiser_client, organiser):
    draw = services.draft_draw(cup=cup_of(4), group_count=2, by=organiser)

    answer = organiser_client.post(act_url(draw, "discard"), follow=True)

    assert said(answer) == ["Arvonta on hylätty. Se jää muistiin."]
    (kept,) = answer.context["history"]
    assert (kept.draw.status, kept.settled_by) == (
        DrawStatus.DISCARDED,
        organiser.username,
    )
    assert draw.seed in answer.content.decode()


def test_a_confirmed_draw_is_cancelled(organiser_client):
    cup = drawn_cup(teams=4)

    answer = organiser_client.post(act_url(cup.draws.get(), "cancel"), follow=True)

    assert said(answer) == ["Arvonta on peruttu. Lohkot ja pelit on poistettu."]
    assert (cup.groups.count(), cup.games.count()) == (0, 0)
    (kept,) = answer.context["history"]
    assert kept.draw.status == DrawStatus.CANCELLED


def test_a_confirmed_draw_is_cancelled_only_when_asked_once_more(organiser_client):
    cup = drawn_cup(teams=4)
    address = act_url(cup.draws.get(), "cancel")
    draw_page = organiser_client.get(draw_url(cup)).content.decode()

    answer = organiser_client.get(address)

    assert f'href="{address}"' in draw_page
    assert f'action="{address}"' not in draw_page
    page = " ".join(answer.content.decode().split())
    assert "Peruminen poistaa 1 lohkon. Samalla poistuu 6 peliä." in page
    assert (cup.groups.count(), cup.games.count()) == (1, 6)


def test_a_draw_no_longer_in_force_offers_no_cancelling(organiser_client):
    cup = drawn_cup(teams=4)
    draw = cup.draws.get()
    services.cancel_draw(draw=draw, by=None)

    page = organiser_client.get(act_url(draw, "cancel")).content.decode()

    assert "Tämä arvonta ei ole enää voimassa." in page
    assert "danger" not in page


def test_the_confirmed_draw_and_its_games_stand_before_drawing_anew(organiser_client):
    cup = cup_of(4)
    draw = services.draft_draw(cup=cup, group_count=2, by=None)
    services.confirm_draw(draw=draw, by=None)

    page = organiser_client.get(draw_url(cup)).content.decode()

    marks = ["Vahvistettu arvonta</h2>", "Tee pelit</a>", '<details class="panel">']
    places = [page.index(mark) for mark in [*marks, "Arvo uudelleen</summary>"]]
    assert places == sorted(places)


def test_drawing_anew_is_open_where_a_team_is_in_no_group(organiser_client):
    cup = drawn_cup(teams=4)
    services.add_team(cup=cup, name="Late", by=None)

    page = organiser_client.get(draw_url(cup)).content.decode()

    assert page.count('<details class="panel" open>') == 1


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ("confirm", "Tämä arvonta on jo vahvistettu tai hylätty."),
        ("discard", "Tämä arvonta on jo vahvistettu tai hylätty."),
        ("cancel", "Tämä arvonta ei ole enää voimassa."),
    ],
)
def test_an_act_done_twice_is_refused_in_words(organiser_client, act, message):
    cup = drawn_cup(teams=4)
    draw = cup.draws.get()
    if act != "cancel":
        draw = services.draft_draw(cup=cup, group_count=1, by=None)
    organiser_client.post(act_url(draw, act), follow=True)

    answer = organiser_client.post(act_url(draw, act), follow=True)

    assert said(answer) == [message]


def test_a_draft_over_existing_games_warns_that_they_go(organiser_client):
    cup = drawn_cup(teams=4)
    services.draft_draw(cup=cup, group_count=2, by=None)

    page = organiser_client.get(draw_url(cup)).content.decode()

    assert "Vahvistus poistaa nykyiset lohkot ja niiden 6 peliä." in page


def test_after_the_first_deal_the_page_says_why_nothing_is_drawn(organiser_client):
    cup = drawn_cup(teams=4)
    record(cup.games.first())

    page = organiser_client.get(draw_url(cup)).content.decode()
    answer = organiser_client.post(draw_url(cup), {"group_count": "1"}, follow=True)

    reason = "Jakoja on jo kirjattu, joten lohkoja ei voi arpoa uudelleen"
    assert reason in page
    assert "<button class" not in page.split(reason)[1]
    assert said(answer)[0].startswith(reason)
    assert cup.draws.count() == 1


@pytest.mark.parametrize(("teams", "draws"), [(4, 1), (24, 5)])
def test_the_draw_page_takes_the_same_queries_for_any_cup(
    organiser_client, teams, draws, django_assert_num_queries
):
    cup = cup_of(teams, slug="x")
    for _time in range(draws):
        draw = services.draft_draw(cup=cup, group_count=2, by=None)
        services.discard_draw(draw=draw, by=None)

    with django_assert_num_queries(9):
        organiser_client.get(draw_url(cup))


def test_games_are_made_on_so_many_tables(organiser_client):
    cup = cup_of(8)
    draw = services.draft_draw(cup=cup, group_count=2, by=None)
    services.confirm_draw(draw=draw, by=None)
    shown = organiser_client.get(games_url(cup)).context
    assert (shown["plan"].games, shown["plan"].schedule_rounds) == (12, 3)
    assert shown["form"]["table_count"].value() == 4

    answer = organiser_client.post(
        games_url(cup), {"table_count": "3", "replaces": ""}, follow=True
    )

    assert said(answer) == [
        f'Pelit on tehty. <a class="next-step" href="/admin/auth/user/?cup={cup.pk}">'
        "Seuraavaksi: kirjaajat</a>"
    ]
    assert cup.games.count() == 12
    assert {g.playing_table.number for g in cup.games.all()} == {1, 2, 3}


@pytest.mark.parametrize("count", ["", "0", "5", "x"])
def test_a_number_of_tables_that_was_not_offered_is_refused(organiser_client, count):
    cup = cup_of(8)
    services.confirm_draw(
        draw=services.draft_draw(cup=cup, group_count=2, by=None), by=None
    )

    answer = organiser_client.post(games_url(cup), {"table_count": count})

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["table_count"]
    assert cup.games.count() == 0


def test_games_are_made_anew_only_from_a_page_that_shows_the_present_ones(
    organiser_client,
):
    ScorekeeperFactory()
    cup = drawn_cup(teams=4)
    seen = str(games_stamp(cup))
    blind = organiser_client.post(games_url(cup), {"table_count": "1"}, follow=True)
    assert said(blind) == [
        "Pelit on jo tehty. Tarkista ne ennen kuin teet ne uudelleen."
    ]

    answer = organiser_client.post(
        games_url(cup), {"table_count": "1", "replaces": seen}, follow=True
    )

    assert said(answer) == ["Pelit on tehty."]
    assert {g.playing_table.number for g in cup.games.all()} == {1}


def test_games_need_groups(organiser_client):
    cup = cup_of(4)

    page = organiser_client.get(games_url(cup)).content.decode()
    answer = organiser_client.post(games_url(cup), {"table_count": "1"}, follow=True)

    assert "Pelit tehdään lohkoista. Arvo ja vahvista lohkot ensin." in page
    assert said(answer) == ["Arvo ja vahvista lohkot ennen pelien tekemistä."]


def test_the_list_of_games_tells_table_and_schedule_round_and_links_to_the_pages(
    organiser_client,
):
    cup = drawn_cup(teams=4, slug="komppa")
    record(cup.games.first())
    game = cup.games.first()

    page = organiser_client.get(games_url(cup)).content.decode()

    assert f"{game.team_a} – {game.team_b}" in page
    assert "Käynnissä, erät 0–0" in page
    assert 'href="/sheet/komppa/games/1/"' in page
    assert 'href="/komppa/games/1/"' in page
    assert "Tee pelit uudelleen" not in page


@pytest.mark.parametrize("teams", [3, 8])
def test_the_games_page_takes_the_same_queries_for_any_cup(
    organiser_client, teams, django_assert_num_queries
):
    cup = drawn_cup(teams=teams)

    with django_assert_num_queries(8):
        page = organiser_client.get(games_url(cup)).content.decode()

    assert page.count("Pelaamatta") == Game.objects.count()
