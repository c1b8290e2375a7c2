"""R8: who deals and who leads."""

from __future__ import annotations

import pytest

from scoring.game import fold
from scoring.problems import Code, Refused
from scoring.rulesets import ruleset
from scoring.sides import Seat
from tests.scoring.sheets import A, abandoned, giving

CUP = ruleset()
A1, B1, A2, B2 = Seat


def seats(*sheets, rules=CUP, sets_to_win=2):
    state = fold(sheets, rules, sets_to_win)
    deals = [(deal.dealer, deal.leader) for deal in state.deals]
    return [*deals, (state.next_dealer, state.next_leader)]


@pytest.mark.parametrize(
    ("holder", "left", "opposite"),
    [(A1, B1, A2), (B1, A2, B2), (A2, B2, A1), (B2, A1, B1)],
)
def test_r8_2_leader_deals_next_and_the_seat_on_his_left_leads(holder, left, opposite):
    assert seats(giving(1, 1, club_ace=holder), giving(1, 1)) == [
        (None, holder),
        (holder, left),
        (left, opposite),
    ]


@pytest.mark.parametrize(("holder", "other"), [(A1, B1), (B1, A1)])
def test_r8_2_two_players_take_turns(holder, other):
    rules = ruleset("avomarjapussi")

    assert seats(giving(1, 1, club_ace=holder), giving(1, 1), rules=rules) == [
        (None, holder),
        (holder, other),
        (other, holder),
    ]


def test_r8_1_first_deal_of_a_set_is_led_by_the_club_ace_and_dealt_by_anyone():
    assert seats(
        giving(7, 0, club_ace=B2), giving(5, 0), giving(1, 1, club_ace=A2)
    ) == [(None, B2), (B2, A1), (None, A2), (A2, B2)]


def test_r8_1_new_set_awaits_its_club_ace():
    assert seats(giving(7, 0, club_ace=B2), giving(5, 0))[-1] == (None, None)


def test_r8_3_unknown_club_ace_leaves_the_set_unknown():
    assert seats(giving(7, 0), giving(1, 1)) == [(None, None)] * 3


def test_r8_3_nobody_is_next_after_the_end():
    won = seats(giving(7, 0, club_ace=A1), giving(5, 0), sets_to_win=1)
    lost = seats(giving(1, 1, club_ace=A1), abandoned(A, A, A))

    assert won == [(None, A1), (A1, B1), (None, None)]
    assert lost == [(None, A1), (A1, B1), (None, None)]


def test_r8_1_abandoned_opening_keeps_its_leader():
    assert seats(abandoned(A, A, A, club_ace=B1)) == [(None, B1), (None, None)]


def test_r8_1_club_ace_opens_no_later_deal():
    with pytest.raises(Refused) as refused:
        fold([giving(1, 1), giving(1, 1, club_ace=A1)], CUP, 2)

    assert [(p.code, p.rule, p.path) for p in refused.value.problems] == [
        (Code.CLUB_ACE_NOT_OPENING, "R8.1", "deals/1/club_ace")
    ]


@pytest.mark.parametrize(
    ("rules", "laistokierros"), [(CUP, True), (ruleset("kotipeli"), False)]
)
def test_r8_1_both_on_twelve_open_no_new_set(rules, laistokierros):
    both = (giving(6, 1, club_ace=A1), giving(1, 6), giving(4, 1), giving(1, 4))

    state = fold(both, rules, 2)

    assert (state.laistokierros, state.opens_set) == (laistokierros, False)
    assert (state.next_dealer, state.next_leader) == (B2, A1)
