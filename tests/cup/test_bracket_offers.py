from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.bracket_offers import group_ties, offer_of, open_games
from komppa.cup.queries import group_standings
from komppa.cup.services_bracket import draw_lot_across
from komppa.cup.services_changes import withdraw_team
from tests.cup.brackets import decide, game_of, played_groups, team_at
from tests.factories import CupFactory, drawn_cup, tied_group

pytestmark = pytest.mark.django_db


def qualified(offer):
    return [f"{q.source} {q.team}" for q in offer.qualifiers.values()]


def test_a_cup_without_groups_is_offered_nothing():
    offer = offer_of(CupFactory())

    assert (offer.standings, offer.bracket, offer.is_settled) == ((), None, False)


def test_unfinished_groups_are_told_with_their_open_games():
    cup = drawn_cup(teams=6, groups=2)
    for game in cup.groups.get(name="A").games.all():
        decide(game)
    first = cup.groups.get(name="B").games.order_by("number").first()
    decide(first)

    offer = offer_of(cup)

    (standing,) = offer.unfinished
    assert standing.group.name == "B"
    numbers = [game.number for game in open_games(standing)]
    assert len(numbers) == 2
    assert first.number not in numbers
    assert numbers == sorted(numbers)
    assert (offer.bracket, offer.qualifiers, offer.is_settled) == (None, {}, False)


def test_qualifiers_come_rank_by_rank_and_then_the_best_of_the_next():
    cup = played_groups(teams=10, groups=3, best_next=1)

    offer = offer_of(cup)

    names = [team_at(cup, f"{g}{r}").name for r in (1, 2) for g in "ABC"]
    sources = ["A1", "B1", "C1", "A2", "B2", "C2"]
    assert qualified(offer) == [
        *(f"{source} {name}" for source, name in zip(sources, names, strict=True)),
        f"3. sijan paras {team_at(cup, 'A3')}",
    ]
    assert offer.is_settled
    assert len(offer.bracket.games) == 7


@pytest.mark.parametrize(
    ("qualifiers", "best_next", "words"),
    [(1, 0, "jatkopaikasta"), (2, 0, "jatkopaikasta"), (3, 0, "sijoituksesta")],
)
def test_a_tie_says_whether_going_on_or_only_the_order_hangs_on_it(
    qualifiers, best_next, words
):
    group = tied_group()
    values = {"qualifiers_per_group": qualifiers, "best_next": best_next}
    services.update_cup(cup=group.cup, by=None, values=values)
    group.cup.refresh_from_db()

    (tie,) = group_ties(group.cup, group_standings(group.cup))

    names = [m.team.name for m in group.memberships.all()]
    assert tie.sentence == (
        f"Lohko A: {names[0]}, {names[1]} ja {names[2]} ovat tasan {words}."
    )


def test_ties_of_groups_come_before_those_between_them():
    cup = played_groups(teams=9, groups=3, best_next=1)
    game = game_of(cup, "A1", "A3")
    decide(game, team_at(cup, "A3"))

    offer = offer_of(cup)

    assert [tie.standing.group.name for tie in offer.ties] == ["A"]
    # It is not known yet who is the third of group A.
    assert offer.ties_across == ()
    decide(game, team_at(cup, "A1"))
    assert [team.name for team in offer_of(cup).ties_across[0]] == [
        team_at(cup, place).name for place in ("A3", "B3", "C3")
    ]


def test_the_stamp_tells_one_set_of_pairs_from_another():
    cup = played_groups(teams=6, groups=2)
    before = offer_of(cup).stamp
    assert offer_of(cup).stamp == before

    decide(game_of(cup, "A1", "A2"), team_at(cup, "A2"))
    corrected = offer_of(cup).stamp
    services.update_cup(cup=cup, by=None, values={"bronze_game": False})
    cup.refresh_from_db()
    without_bronze = offer_of(cup).stamp

    assert len({before, corrected, without_bronze}) == 3


def test_the_stamp_is_moved_by_the_lot_between_groups():
    cup = played_groups(teams=9, groups=3, best_next=2)
    before = offer_of(cup)
    assert before.bracket is None

    ids = [team.pk for team in before.ties_across[0]]
    draw_lot_across(cup=cup, team_ids=ids, by=None)

    after = offer_of(cup)
    assert after.stamp != before.stamp
    assert len(after.qualifiers) == 8


def test_those_who_have_withdrawn_leave_their_ranks_to_the_next():
    cup = played_groups(teams=6, groups=2)
    withdraw_team(team=team_at(cup, "A1"), by=None, reason="Sairastui")

    offer = offer_of(cup)

    assert qualified(offer) == [
        f"A1 {team_at(cup, 'A2')}",
        f"B1 {team_at(cup, 'B1')}",
        f"A2 {team_at(cup, 'A3')}",
        f"B2 {team_at(cup, 'B2')}",
    ]


@pytest.mark.parametrize(("teams", "groups"), [(3, 1), (12, 4)])
def test_an_offer_takes_the_same_queries_for_any_cup(
    teams, groups, django_assert_num_queries
):
    cup = played_groups(teams=teams, groups=groups)

    with django_assert_num_queries(5):
        assert offer_of(cup).bracket is not None
