from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.bracket_offers import offer_of
from komppa.cup.choices import Phase
from komppa.cup.models import Game, Lot
from komppa.cup.qualifying import bracket_games
from komppa.cup.services_bracket import (
    draw_lot_across,
    make_bracket,
    remove_bracket,
)
from komppa.cup.services_changes import withdraw_team
from komppa.errors import Refusal
from tests.cup.brackets import (
    cup_with_bracket,
    decide,
    game_of,
    made_bracket,
    pairs,
    play_groups,
    played_groups,
    team_at,
)
from tests.factories import cup_of, drawn_cup, record, tied_group

pytestmark = pytest.mark.django_db


def games_of_bracket(cup):
    return list(bracket_games(cup).order_by("number"))


def refusal_of(act, **facts):
    with pytest.raises(Refusal) as refused:
        act(by=None, **facts)
    return refused.value


def sources(game):
    """Return where both sides come from: ”A1 – B2”, ”loser_of P13 – loser_of P14”."""
    told = []
    for side in "ab":
        group = getattr(game, f"source_group_{side}")
        feeders = {n: getattr(game, f"{n}_{side}") for n in ("winner_of", "loser_of")}
        [source] = [f"{name} {game}" for name, game in feeders.items() if game] or [
            f"{group}{getattr(game, f'source_rank_{side}')}"
        ]
        told.append(source)
    return " – ".join(told)


def test_the_bracket_s_games_follow_those_of_the_groups():
    cup = played_groups(teams=8, groups=2, tables=3)

    games = made_bracket(cup, table_count=2)

    assert [g.number for g in games] == [13, 14, 15, 16]
    assert [g.order for g in games] == [13, 14, 15, 16]
    last = cup.games.filter(group__isnull=False).order_by("-schedule_round").first()
    rounds = [g.schedule_round - last.schedule_round for g in games]
    assert rounds == [1, 1, 2, 2]
    assert {g.group for g in games} == {None}
    assert [sources(g) for g in games] == [
        "A1 – B2",
        "B1 – A2",
        "loser_of P13 – loser_of P14",
        "winner_of P13 – winner_of P14",
    ]
    line = cup.log.first()
    assert (line.act, line.new) == (
        "make_bracket",
        {"teams": 4, "games": 4, "tables": 2},
    )


def test_without_a_bronze_game_there_is_none():
    cup = cup_with_bracket(teams=8, groups=2, bronze_game=False)

    assert pairs(cup) == ["A1-B2", "B1-A2", "?-?"]


def test_the_best_of_the_next_place_come_by_their_place_in_the_comparison():
    cup = played_groups(teams=10, groups=3, best_next=2)

    games = made_bracket(cup)

    best = {
        getattr(game, f"source_best_{side}"): getattr(game, f"team_{side}")
        for game in games
        for side in "ab"
        if getattr(game, f"source_best_{side}")
    }
    drawn = Lot.objects.get(group=None)
    assert best == {1: team_at(cup, "A3"), 2: cup.teams.get(pk=drawn.order[0])}


def test_more_places_than_groups_for_the_next_best_take_all_there_are():
    cup = played_groups(teams=5, groups=2, best_next=9)

    made_bracket(cup)

    # The larger group alone has a third, and the two others are full.
    assert sorted("-".join(pairs(cup)).replace("-?", "").split("-")) == [
        *["A1", "A2", "A3", "B1", "B2"],
    ]


def test_a_group_that_is_short_of_teams_sends_those_it_has():
    cup = played_groups(teams=5, groups=2, qualifiers_per_group=3)

    made_bracket(cup)

    assert len(games_of_bracket(cup)) == 5


def test_new_tables_are_made_and_old_ones_stay():
    cup = played_groups(teams=16, groups=4, tables=2)

    made_bracket(cup, table_count=4)

    numbers = cup.playing_tables.order_by("number").values_list("number", flat=True)
    assert list(numbers) == [1, 2, 3, 4]
    first_round = [g.playing_table.number for g in games_of_bracket(cup)][:4]
    assert first_round == [1, 2, 3, 4]


# What stands in the way.


def test_a_bracket_without_groups_is_refused():
    refusal = refusal_of(make_bracket, cup=cup_of(4), table_count=1, stamp="")

    assert refusal.code == "no_groups"


def test_a_bracket_of_unfinished_groups_is_refused_naming_them():
    cup = drawn_cup(teams=6, groups=2)
    for game in cup.groups.get(name="A").games.all():
        decide(game)

    refusal = refusal_of(make_bracket, cup=cup, table_count=1, stamp="")

    assert refusal.code == "groups_unfinished"
    assert refusal.message.endswith("Vielä kesken: B.")


@pytest.mark.parametrize("qualifiers", [1, 2])
def test_a_tie_on_a_rank_that_goes_on_is_refused_naming_the_teams(qualifiers):
    group = tied_group()
    services.update_cup(
        cup=group.cup, by=None, values={"qualifiers_per_group": qualifiers}
    )

    refusal = refusal_of(
        make_bracket, cup=group.cup, table_count=1, stamp=offer_of(group.cup).stamp
    )

    names = [m.team.name for m in group.memberships.all()]
    assert refusal.code == "tied"
    assert refusal.message == (
        f"Lohko A: {names[0]}, {names[1]} ja {names[2]} ovat tasan jatkopaikasta. "
        "Vedä ensin arpa."
    )


def test_a_tie_of_those_who_all_go_on_is_refused_since_their_places_differ():
    group = tied_group()
    services.update_cup(cup=group.cup, by=None, values={"qualifiers_per_group": 3})

    refusal = refusal_of(make_bracket, cup=group.cup, table_count=1, stamp="")

    assert refusal.code == "tied"
    assert "ovat tasan sijoituksesta." in refusal.message


def tie_below_the_line(**cup):
    """Return a cup in which the third to fifth of the only group are level."""
    made = drawn_cup(teams=5, groups=1, **cup)
    play_groups(made)
    decide(game_of(made, "A3", "A5"), team_at(made, "A5"))
    return made


def test_a_tie_below_the_line_matters_to_nobody():
    cup = tie_below_the_line()

    made_bracket(cup)

    assert pairs(cup) == ["A1-A2"]


def test_a_tie_on_the_next_place_matters_where_somebody_goes_on_by_it():
    cup = tie_below_the_line(best_next=1)

    refusal = refusal_of(make_bracket, cup=cup, table_count=1, stamp="")

    assert refusal.code == "tied"


def test_those_level_in_the_comparison_over_groups_are_named():
    cup = played_groups(teams=6, groups=2, best_next=1)

    refusal = refusal_of(make_bracket, cup=cup, table_count=1, stamp="")

    a, b = team_at(cup, "A3"), team_at(cup, "B3")
    assert refusal.code == "tied"
    assert refusal.message == (
        f"Lohkojen 3. sijan vertailu: {a} ja {b} ovat tasan. Vedä ensin arpa."
    )


@pytest.mark.parametrize(
    ("cup", "code"),
    [
        ({"teams": 3, "groups": 1, "qualifiers_per_group": 1}, "too_few"),
        ({"teams": 65, "groups": 26, "qualifiers_per_group": 3}, "too_many"),
    ],
)
def test_a_bracket_of_too_few_or_too_many_is_refused(cup, code):
    made = played_groups(**cup)

    refusal = refusal_of(
        make_bracket, cup=made, table_count=1, stamp=offer_of(made).stamp
    )

    assert refusal.code == code
    assert made.games.filter(bracket_round__isnull=False).count() == 0


@pytest.mark.parametrize("tables", [0, -1, 100])
def test_a_bracket_on_so_many_tables_is_refused(tables):
    cup = played_groups()

    refusal = refusal_of(
        make_bracket, cup=cup, table_count=tables, stamp=offer_of(cup).stamp
    )

    assert refusal.code == "table_count"


def test_a_second_bracket_is_refused():
    cup = played_groups()
    stamp = offer_of(cup).stamp
    made_bracket(cup)

    refusal = refusal_of(make_bracket, cup=cup, table_count=2, stamp=stamp)

    assert refusal.code == "bracket_exists"
    assert len(games_of_bracket(cup)) == 4


def test_pairs_that_have_changed_since_they_were_seen_are_not_made():
    cup = played_groups()
    stamp = offer_of(cup).stamp
    decide(game_of(cup, "A1", "A2"), team_at(cup, "A2"))

    refusal = refusal_of(make_bracket, cup=cup, table_count=2, stamp=stamp)

    assert refusal.code == "bracket_changed"
    assert games_of_bracket(cup) == []


def test_a_bracket_of_an_archived_cup_is_refused():
    cup = played_groups(visibility="archived")

    refusal = refusal_of(
        make_bracket, cup=cup, table_count=2, stamp=offer_of(cup).stamp
    )

    assert refusal.code == "archived"


# How it is taken away.


def test_a_bracket_that_nobody_has_begun_can_be_removed_and_made_anew():
    cup = cup_with_bracket(teams=8, groups=2, tables=2)
    final = games_of_bracket(cup)[-1]
    services.update_cup(cup=cup, by=None, values={"name": "Toinen nimi"})

    remove_bracket(cup=cup, by=None, reason="Yksi jatkaa lohkosta")

    cup.refresh_from_db()
    assert (cup.games.count(), cup.phase) == (12, Phase.GROUPS)
    line = cup.log.first()
    assert (line.act, line.old, line.reason) == (
        "remove_bracket",
        {"games": 4},
        "Yksi jatkaa lohkosta",
    )
    services.update_cup(cup=cup, by=None, values={"qualifiers_per_group": 1})
    made_bracket(cup)
    assert pairs(cup) == ["A1-B1"]
    assert not Game.objects.filter(pk=final.pk).exists()


def test_seats_chosen_before_the_first_deal_go_with_the_bracket():
    cup = cup_with_bracket(teams=8, groups=2)
    game = games_of_bracket(cup)[0]
    a, b = (list(team.players.all()) for team in (game.team_a, game.team_b))
    seats = {"A1": a[0], "B1": b[0], "A2": a[1], "B2": b[1]}
    services.seat_players(game=game, seats=seats, by=None)

    remove_bracket(cup=cup, by=None, reason="Uudelleen")

    assert games_of_bracket(cup) == []


@pytest.mark.parametrize("begin", [record, decide])
def test_a_bracket_that_has_begun_is_not_removed(begin):
    cup = cup_with_bracket(teams=8, groups=2)
    begin(games_of_bracket(cup)[1])

    refusal = refusal_of(remove_bracket, cup=cup, reason="Uudelleen")

    assert refusal.code == "bracket_begun"
    assert "P14" in refusal.message
    assert len(games_of_bracket(cup)) == 4


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_bracket_is_not_removed_without_a_reason(reason):
    refusal = refusal_of(remove_bracket, cup=cup_with_bracket(), reason=reason)

    assert refusal.code == "reason_missing"


def test_where_there_is_no_bracket_none_is_removed():
    refusal = refusal_of(remove_bracket, cup=played_groups(), reason="Turha")

    assert refusal.code == "no_bracket"


@pytest.mark.parametrize(
    "values", [{"qualifiers_per_group": 1}, {"best_next": 1}, {"bronze_game": False}]
)
def test_who_goes_on_is_not_changed_under_a_bracket(values):
    cup = cup_with_bracket()

    refusal = refusal_of(services.update_cup, cup=cup, values=values)

    assert refusal.code == "bracket_exists"
    assert "Poista jatkopelit ensin." in refusal.message


def test_groups_are_not_drawn_anew_under_a_bracket():
    cup = drawn_cup(teams=4, groups=2, qualifiers_per_group=1)
    for place in ("A1", "B1"):
        withdraw_team(team=team_at(cup, place), by=None, reason="Sairastui")
    made_bracket(cup)

    draw = cup.draws.get()
    refusal = refusal_of(services.cancel_draw, draw=draw)

    assert refusal.code == "bracket_exists"


# The lot between groups.


def test_the_lot_between_groups_settles_who_goes_on(organiser):
    cup = played_groups(teams=6, groups=2, best_next=1)
    tied = [team_at(cup, "A3"), team_at(cup, "B3")]

    lot = draw_lot_across(cup=cup, team_ids=[t.pk for t in tied], by=organiser)

    assert sorted(lot.order) == sorted(team.pk for team in tied)
    assert (lot.group, lot.cup, lot.drawn_by) == (None, cup, organiser)
    assert len(bytes.fromhex(lot.seed)) == 16
    best = offer_of(cup).next_best.best(1)
    assert best[1].team.pk == lot.order[0]
    names = dict(cup.teams.values_list("pk", "name"))
    line = cup.log.first()
    assert line.act == "draw_lot_across"
    assert line.new == {"order": [names[pk] for pk in lot.order], "seed": lot.seed}


def test_the_lot_between_groups_is_refused_for_anything_but_the_tied_set():
    cup = played_groups(teams=9, groups=3, best_next=1)
    thirds = [team_at(cup, place).pk for place in ("A3", "B3", "C3")]
    for wrong in (thirds[:2], [*thirds, team_at(cup, "A2").pk], [], thirds * 2):
        refusal = refusal_of(draw_lot_across, cup=cup, team_ids=wrong)

        assert refusal.code == "no_such_tie"
    assert Lot.objects.count() == 0


def test_the_lot_between_groups_is_drawn_once():
    cup = played_groups(teams=6, groups=2, best_next=1)
    ids = [team_at(cup, "A3").pk, team_at(cup, "B3").pk]
    draw_lot_across(cup=cup, team_ids=ids, by=None)

    refusal = refusal_of(draw_lot_across, cup=cup, team_ids=ids)

    assert refusal.code == "no_such_tie"
    assert Lot.objects.count() == 1


def test_the_lot_between_groups_waits_until_all_of_them_are_finished():
    cup = drawn_cup(teams=6, groups=2, best_next=1)
    for game in cup.groups.get(name="A").games.all():
        decide(game)

    refusal = refusal_of(
        draw_lot_across,
        cup=cup,
        team_ids=[team_at(cup, "A3").pk, team_at(cup, "B3").pk],
    )

    assert refusal.code == "no_such_tie"


def test_a_lot_between_groups_is_of_no_use_where_nobody_goes_on_by_it():
    cup = played_groups(teams=6, groups=2)

    refusal = refusal_of(
        draw_lot_across,
        cup=cup,
        team_ids=[team_at(cup, "A3").pk, team_at(cup, "B3").pk],
    )

    assert refusal.code == "no_such_tie"
