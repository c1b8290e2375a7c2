from __future__ import annotations

from datetime import date
from uuid import uuid4

import pytest

from komppa.cup import services
from komppa.cup.choices import Outcome, Phase, Visibility
from komppa.cup.models import name_key
from komppa.live import contexts
from komppa.parts import NoSuchPart, render_part
from komppa.sheets.confirmations import confirm_result
from komppa.sheets.services import take_back_deal
from scoring.sides import Seat, Side
from tests.factories import (
    CupFactory,
    TeamFactory,
    agree,
    drawn_cup,
    end,
    play_out,
    record,
    sheet,
)

pytestmark = pytest.mark.django_db


def names(cups):
    return [cup.name for cup in cups]


def test_front_sorts_cups_by_what_is_on():
    CupFactory(name="Pelataan", phase=Phase.GROUPS)
    CupFactory(name="Tulossa")
    CupFactory(name="Ohi", phase=Phase.FINISHED)
    CupFactory(name="Vanha", visibility=Visibility.ARCHIVED)
    CupFactory(name="Luonnos", visibility=Visibility.DRAFT, phase=Phase.GROUPS)

    context = contexts.front(None, None)

    shown = ("on_now", "coming", "finished", "archived")
    assert {key: names(context[key]) for key in shown} == {
        "on_now": ["Pelataan"],
        "coming": ["Tulossa"],
        "finished": ["Ohi"],
        "archived": ["Vanha"],
    }


def test_front_puts_a_demo_after_real_cups():
    CupFactory(name="Demo", phase=Phase.GROUPS, is_demo=True, date=date(2027, 1, 1))
    CupFactory(name="Oikea", phase=Phase.GROUPS, date=date(2026, 1, 1))

    assert names(contexts.front(None, None)["on_now"]) == ["Oikea", "Demo"]


def test_front_counts_games_by_their_state():
    cup = drawn_cup(teams=4)
    first, second, third = cup.games.order_by("number")[:3]
    play_out(first)
    record(second)
    end(third, Outcome.BOTH_ABSENT)

    (shown,) = contexts.front(None, None)["on_now"]

    assert (
        shown.team_count,
        shown.game_count,
        shown.in_play_count,
        shown.finished_count,
    ) == (4, 6, 1, 2)


def test_front_is_empty_without_a_cup_to_see():
    CupFactory(visibility=Visibility.DRAFT)

    assert contexts.front(None, None)["is_empty"]


def test_cup_lists_teams_as_a_finn_looks_for_them():
    cup = CupFactory()
    for name in ["Örkit", "Ässät", "Zorro", "Åbo", "Aatu"]:
        TeamFactory(cup=cup, name=name, name_key=name_key(name))

    teams = contexts.cup(cup, None)["teams"]

    assert names(teams) == ["Aatu", "Zorro", "Åbo", "Ässät", "Örkit"]


def test_cup_shows_one_next_game_for_each_table():
    cup = drawn_cup(teams=4, tables=2)
    record(cup.games.order_by("number").first())

    next_up = contexts.cup(cup, None)["next_up"]

    assert [board.game.playing_table.number for board in next_up] == [1, 2]
    assert [board.game.number for board in next_up] == [3, 2]


def test_cup_says_nothing_of_a_draw_before_it_is_confirmed():
    cup = CupFactory()
    TeamFactory.create_batch(4, cup=cup)
    services.draft_draw(cup=cup, group_count=1, by=None, seed="5ec1e7")

    context = contexts.cup(cup, None)

    assert context["draw"] is None
    assert "5ec1e7" not in render_part(cup, "cup")


def test_cup_counts_the_drafts_that_were_thrown_away():
    cup = CupFactory()
    TeamFactory.create_batch(4, cup=cup)
    for _ in range(2):
        draft = services.draft_draw(cup=cup, group_count=1, by=None)
        services.discard_draw(draw=draft, by=None)
    draft = services.draft_draw(cup=cup, group_count=2, by=None, seed="c0ffee")
    services.confirm_draw(draw=draft, by=None)

    draw = contexts.cup(cup, None)["draw"]

    assert (draw.draw.seed, draw.discarded, draw.replaced) == ("c0ffee", 2, 0)
    part = render_part(cup, "cup")
    assert "siemenluku c0ffee, hylättyjä luonnoksia 2." in part
    assert "Peruttuja" not in part


def test_cup_counts_confirmed_draws_that_were_cancelled_or_replaced_apart():
    cup = CupFactory()
    TeamFactory.create_batch(4, cup=cup)
    for count in (1, 2, 2):
        draft = services.draft_draw(cup=cup, group_count=count, by=None)
        services.confirm_draw(draw=draft, by=None)
        if count == 1:
            services.cancel_draw(draw=draft, by=None)

    draw = contexts.cup(cup, None)["draw"]

    assert (draw.discarded, draw.cancelled, draw.replaced) == (0, 1, 1)
    assert (
        "hylättyjä luonnoksia 0. Peruttuja vahvistettuja arvontoja 1. Aiempia, "
        "uudella korvattuja arvontoja 1."
    ) in render_part(cup, "cup")


def test_times_are_those_of_the_hall():
    cup = drawn_cup(teams=4, time_zone="Asia/Tokyo")
    cup.draws.update(settled_at="2026-11-28T20:40:00Z")

    assert "vahvistettu 29.11. klo 05.40," in render_part(cup, "cup")


def test_games_are_sorted_by_state():
    cup = drawn_cup(teams=4)
    first, second = cup.games.order_by("number")[:2]
    play_out(first)
    record(second)

    context = contexts.games(cup, None)

    states = ("in_play", "waiting", "finished")
    assert {state: numbers(context[state]) for state in states} == {
        "in_play": [2],
        "waiting": [3, 4, 5, 6],
        "finished": [1],
    }


def numbers(boards):
    return [board.game.number for board in boards]


def test_game_tells_who_deals_and_leads_next():
    game = drawn_cup().games.order_by("number").first()
    record(game, sheet(club_ace=Seat.A1))

    context = contexts.game(game.cup, game.number)

    a, b = game.team_a.name, game.team_b.name
    assert (context["next_dealer"], context["next_leader"]) == (
        f"{a} P1 ({a})",
        f"{b} P1 ({b})",
    )


def test_game_knows_nobody_to_deal_when_the_ace_was_not_told():
    game = drawn_cup().games.order_by("number").first()
    record(game)

    context = contexts.game(game.cup, game.number)

    assert (context["next_dealer"], context["next_leader"]) == (None, None)


def test_game_counts_what_was_taken_back_and_shows_it_not():
    game = drawn_cup().games.order_by("number").first()
    record(game)
    entry = record(game).entry
    take_back_deal(
        game=game, number=entry.number, version=entry.version, key=uuid4(), by=None
    )

    context = contexts.game(game.cup, game.number)

    assert context["taken_back"] == 1
    assert [deal.position for deal in context["sets"][0].deals] == [1]
    assert "Pelistä on peruttu 1 kirjaus" in render_part(game.cup, "game-1")


def test_game_tells_which_teams_have_confirmed_its_result():
    game = drawn_cup().games.order_by("number").first()
    a, b = game.team_a.name, game.team_b.name

    def agreed():
        return contexts.game(game.cup, game.number)["agreed"]

    told = [agreed()]
    play_out(game)
    told.append(agreed())
    confirm_result(game=game, side=Side.B, number=4, version=1, by=None)
    told.append(agreed())
    agree(game)
    told.append(agreed())

    assert told == [
        "",
        "Tulos odottaa joukkueiden vahvistusta.",
        f"{b} on vahvistanut tuloksen, {a} ei vielä.",
        "Molemmat joukkueet ovat vahvistaneet tuloksen.",
    ]
    assert told[-1] in render_part(game.cup, "game-1")


def test_game_without_a_result_of_play_waits_for_no_confirmation():
    annulled, archived = drawn_cup().games.order_by("number")[:2]
    play_out(annulled)
    play_out(archived)
    end(annulled, Outcome.ANNULLED)
    annulled.cup.visibility = Visibility.ARCHIVED

    for game in (annulled, archived):
        assert contexts.game(annulled.cup, game.number)["agreed"] == ""


def test_groups_tell_of_the_lot_that_was_drawn():
    cup = drawn_cup(teams=2)
    group = cup.groups.get()
    end(cup.games.get(), Outcome.BOTH_ABSENT)
    ids = [m.team_id for m in group.memberships.all()]
    lot = services.draw_lot(group=group, team_ids=ids, by=None)

    html = render_part(cup, "groups")

    assert f"Siemenluku {lot.seed}." in html
    assert "Tasatilannetta ei enää ole" not in html


def test_groups_tell_of_a_lot_that_settles_nothing_any_more():
    cup = drawn_cup(teams=2)
    group = cup.groups.get()
    end(cup.games.get(), Outcome.BOTH_ABSENT)
    ids = [m.team_id for m in group.memberships.all()]
    services.draw_lot(group=group, team_ids=ids, by=None)

    end(cup.games.get(), Outcome.WALKOVER_A)

    assert "Tasatilannetta ei enää ole" in render_part(cup, "groups")


def test_groups_are_decorated_with_the_suits_in_turn():
    assert [contexts.suit_of(name) for name in "ABCDE"] == ["S", "H", "C", "D", "S"]


@pytest.mark.parametrize("name", ["cup-1", "groups-1", "games-1", "bracket-1", "game"])
def test_part_of_another_form_does_not_exist(name):
    with pytest.raises(NoSuchPart):
        render_part(drawn_cup(), name)


@pytest.mark.parametrize("name", ["cup", "groups", "games", "game-1", "bracket"])
def test_part_of_a_cup_does_not_exist_on_the_front_page(name):
    with pytest.raises(NoSuchPart):
        render_part(None, name)


def test_game_that_the_cup_has_not_does_not_exist():
    small = drawn_cup(teams=2)
    drawn_cup(teams=4)

    with pytest.raises(NoSuchPart):
        render_part(small, "game-2")
