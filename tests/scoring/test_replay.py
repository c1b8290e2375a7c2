"""Deals replayed event by event: turns, tricks, fouls, void acts and the sheet."""

from __future__ import annotations

import pytest

from scoring.cards import Card
from scoring.deal import Deal, Trick, parse_event
from scoring.problems import Code, Problem, Refused
from scoring.replay import VoidAct, WrongCard, positions, replay, start
from scoring.sheet import DealSheet, Foul, Suits
from scoring.sides import Pair, Seat, Side
from scoring.suits import Suit

A1, B1, A2, B2 = Seat

HANDS = """\
A1 CA CK CQ D7 D8 H7 H8 S6 S7
B1 C6 C7 DA D10 DK HA H10 S8 S9
A2 C8 C9 D9 DJ D6 HQ HJ SK SQ
B2 C10 CJ DQ HK H6 H9 SA S10 SJ
"""
OPENED = "A1 opens\nCA C6 C8 CJ  CK C7 C9 C10"
# B2 has won the second trick, and it is his turn.

OPEN_HANDS = """\
avomarjapussi
A1 C6 C7 C8 C9 / CJ CQ HQ D6 D7 D8 D9 / CK HK HA SA D10 DA H6
B1 S6 S7 S8 S9 / SJ SQ SK S10 H7 H8 H9 / HJ H10 DJ DQ DK C10 CA
"""


def deal(events="", rules="kemistikilta-2011", hands=HANDS, opened=OPENED):
    return Deal.parse(f"{rules}\n{hands}{opened} {events}".lstrip())


def end(events="", **more):
    return replay(deal(events, **more))


def cards(text):
    return tuple(Card.parse(word) for word in text.split())


def refused(events, **more):
    with pytest.raises(Refused) as caught:
        end(events, **more)
    return [
        (problem.code, problem.path, dict(problem.figures))
        for problem in caught.value.problems
    ]


def test_before_the_first_event_the_leader_has_the_turn():
    table = start(deal(opened="A1 opens\n"))

    assert (table.turn, table.trick_number, table.open_trick) == (A1, 1, None)
    assert (table.tricks, table.trumps.trump, table.finished) == ((), None, False)
    assert [str(card) for card in table.legal().legal] == ["CA"]


def test_turn_goes_clockwise_and_the_winner_leads():
    turns = [str(table.turn) for table in positions(deal())]

    assert turns == ["A1", "B1", "A2", "B2", "A1", "B1", "A2", "B2", "B2"]


def test_trick_is_open_until_its_last_card():
    seven = [*positions(deal())][-2]

    assert seven.open_trick == Trick(A1, cards("CK C7 C9"))
    assert end().open_trick is None
    assert end().tricks == (
        Trick(A1, cards("CA C6 C8 CJ"), A1),
        Trick(A1, cards("CK C7 C9 C10"), B2),
    )


def test_card_leaves_the_hand_it_was_played_from():
    assert str(end().hands[A1]) == "CQ D7 D8 H7 H8 S6 S7"


def test_trump_wins_the_trick_of_another_suit():
    table = end("SA S6 S8 SQ declare:H S10 S7 S9 SK SJ H8 HA HJ")

    # B2 declared a whole that he has not: the king alone is no whole.
    assert table.void == (VoidAct(12, B2, "R3.2"),)
    assert [str(trick) for trick in table.tricks[2:]] == [
        "B2: SA S6 S8 SQ -> B2",
        "B2: S10 S7 S9 SK -> B2",
        "B2: SJ H8 HA HJ -> B2",
    ]


def test_illegal_card_is_a_foul_and_lies_where_it_was_played():
    # C7 would follow; HA does not.
    table = end("", opened="A1 opens\nCA HA C8 CJ")

    assert table.fouls == (WrongCard(1, B1, "R2.1", cards("C6 C7")),)
    assert table.tricks == (Trick(A1, cards("CA HA C8 CJ"), A1),)
    assert Card.parse("HA") not in table.hands[B1].cards


@pytest.mark.parametrize(
    ("opened", "foul"),
    [
        ("A1 opens\nCK", WrongCard(0, A1, "R2.5", cards("CA"))),
        ("B1 leads\nC6", WrongCard(0, B1, "R2.5", cards("DA HA"))),
        ("A2 leads\nHQ", WrongCard(0, A2, "R2.5", cards("SQ SK"))),
        ("A2 leads\nSK S10", WrongCard(1, B2, "R2.6", cards("SA"))),
        ("A1 leads\nCA C7 C8 C10 CK C6 C9 SJ", WrongCard(7, B2, "R2.1", cards("CJ"))),
        ("B2 leads\nSA S6 S9 SK SJ S7 S8 D9", WrongCard(7, A2, "R2.1", cards("SQ"))),
        ("B2 leads\nS10 S6 S9 SQ", WrongCard(0, B2, "R2.5", cards("SA"))),
        (
            "B1 leads\nDA D6 DQ D7 C7 C8 C10 CK",
            WrongCard(7, A1, "R2.3", cards("CA")),
        ),
    ],
    ids=[
        "opens_without_the_club_ace",
        "leads_no_ace",
        "leads_no_spade",
        "keeps_the_ace",
        "does_not_follow",
        "does_not_follow_in_spades",
        "leads_another_card_than_the_ace",
        "does_not_overtake",
    ],
)
def test_foul_cites_the_duty_that_forbade_the_card(opened, foul):
    assert end(opened=opened).fouls == (foul,)


def test_foul_of_one_card_is_no_excuse_for_the_next():
    table = end(opened="A1 opens\nCK HA C8 C10")

    assert [(foul.event, foul.seat, foul.rule) for foul in table.fouls] == [
        (0, A1, "R2.5"),
        (1, B1, "R2.1"),
    ]


def test_corrected_slip_is_recorded_and_the_second_card_stays():
    table = end(opened="A1 opens\nCA HA>C6")

    assert table.fouls == (WrongCard(1, B1, "R2.1", cards("C6 C7"), corrected=True),)
    assert table.on_table == cards("CA C6")
    assert Card.parse("HA") in table.hands[B1].cards


@pytest.mark.parametrize(
    ("slip", "problem"),
    [
        ("C6>C7", (Code.CORRECTED_LEGAL_CARD, "events/1/play", {"card": "C6"})),
        ("HA>DA", (Code.CORRECTED_TO_WRONG_CARD, "events/1/corrected", {"card": "DA"})),
        (
            "HA>C9",
            (Code.CARD_NOT_THERE, "events/1/corrected", {"card": "C9", "seat": "B1"}),
        ),
        ("C9>C6", (Code.CARD_NOT_THERE, "events/1/play", {"card": "C9", "seat": "B1"})),
    ],
    ids=["of_a_legal_card", "to_an_illegal_card", "to_a_card_elsewhere", "of_another"],
)
def test_correction_that_is_none_is_refused(slip, problem):
    assert refused("", opened=f"A1 opens\nCA {slip}") == [problem]


def test_card_that_is_not_in_the_hand_is_refused():
    figures = {"card": "C6", "seat": "B1"}
    played_before = [*deal().events, parse_event("SA"), parse_event("S6")]

    assert len(played_before) == 10
    assert refused("SA S6 C6") == [(Code.CARD_NOT_THERE, "events/10/play", figures)]


def test_after_the_last_trick_nothing_can_happen():
    table = end(FINISH)

    assert table.finished is True
    with pytest.raises(Refused) as caught:
        table.after(parse_event("declare:H"))
    assert caught.value.problems == (
        Problem(Code.AFTER_THE_DEAL, "", (("tricks", 9),)),
    )


def test_start_refuses_hands_that_cannot_be():
    with pytest.raises(Refused) as caught:
        start(deal(hands=HANDS.replace("C6 C7", "CK C7")))
    assert caught.value.problems == (
        Problem(Code.CARD_TWICE, "hands", (("card", "CK"),)),
    )


TWO_WHOLES = """\
A1 C6 C7 C8 C9 CJ D6 D7 D8 D9
B1 CQ C10 DJ DQ DK D10 H6 H7 H8
A2 CK CA HK HQ SK SQ S6 HA SA
B2 H9 HJ H10 DA S7 S8 S9 SJ S10
"""


def test_small_trump_binds_the_next_lead_of_its_maker():
    made = "A2 opens\nCA S7 C6 CQ SA S8 C7 H6 declare:S HA H9 C8 H7 declare:H"
    table = end("", hands=TWO_WHOLES, opened=made)
    bound, after = (
        end("S6", hands=TWO_WHOLES, opened=made),
        end("HQ", hands=TWO_WHOLES, opened=made),
    )

    assert (table.trumps.trump, table.trumps.small) == (Suit.S, Pair((Suit.H,), ()))
    assert (table.legal().rule, table.legal().legal) == ("R2.8", cards("HQ HK"))
    assert bound.fouls == (WrongCard(14, A2, "R2.8", cards("HQ HK")),)
    assert (after.fouls, after.must_lead) == ((), None)


def test_void_act_leaves_the_small_trump_s_duty():
    made = "A2 opens\nCA S7 C6 CQ SA S8 C7 H6 declare:S HA H9 C8 H7 declare:H"
    table = end("declare:C", hands=TWO_WHOLES, opened=made)

    assert table.void == (VoidAct(14, A2, "R3.1"),)
    assert table.legal().rule == "R2.8"


def test_void_act_leaves_the_act_of_the_trick_to_be_used():
    # The half of clubs is not B2's; then he asks lawfully, and once more.
    table = end("half:C half:H:no whole:no")

    assert table.void == (VoidAct(8, B2, "R3.2"), VoidAct(10, B2, "R3.1"))


def test_untrue_answer_is_the_partner_s_error_and_uses_the_act_up():
    table = end("half:H:yes half:H:no")

    assert table.void == (VoidAct(8, B1, "R3.2"), VoidAct(9, B2, "R3.1"))


def test_question_behind_an_untrue_answer_burns():
    made = "A2 opens\nCA S7 C6 CQ SA S8 C7 H6 whole:D HA H9 C8 H7 declare:S"
    table = end("", hands=TWO_WHOLES, opened=made)

    assert table.void == (VoidAct(8, A1, "R3.2"), VoidAct(13, A2, "R3.4"))
    assert table.trumps.burned == {Suit.H, Suit.S}
    assert table.trumps.trump is None


@pytest.mark.parametrize(
    ("opened", "void"),
    [
        ("A1 opens\ndeclare:C", VoidAct(0, A1, "R3.1")),
        ("A1 opens\nCA C6 declare:C", VoidAct(2, A1, "R3.1")),
        ("A1 opens\nCA C6 C8 CJ declare:C", VoidAct(4, A1, "R3.1")),
        ("A1 opens\nCA C6 C8 CJ CK C7 C9 C10 SA half:S", VoidAct(9, B2, "R3.1")),
    ],
    ids=[
        "before_the_first_lead",
        "in_the_first_trick",
        "after_one_trick",
        "in_a_trick",
    ],
)
def test_untimely_act_is_laid_to_who_won_the_last_trick(opened, void):
    table = end(opened=opened)

    assert (table.void, table.trumps.made) == ((void,), ())


FINISH = (
    "SA S6 S8 SQ  S10 S7 S9 SK  SJ H8 HA HJ  whole:no H9 H7 H10 HQ"
    "  half:D DK D9 DQ D7  DA D6 H6 D8  D10 DJ HK CQ"
)


def test_unfinished_deal_has_no_sheet():
    assert end(FINISH.removesuffix(" CQ")).sheet() is None


def test_sheet_tells_the_facts_of_a_finished_deal():
    table = end(FINISH)

    assert [trick.winner for trick in table.tricks] == [
        A1,
        B2,
        B2,
        B2,
        B2,
        B1,
        B1,
        B1,
        B1,
    ]
    assert (table.void, table.trumps.made) == ((), ((Suit.D, Side.B),))
    assert table.sheet() == DealSheet(
        last_trick=Side.B,
        mattis=Pair(1, 7),
        pips=Pair(2, 34),
        aces=Pair(1, 3),
        trump=Side.B,
        suits=Suits(Suit.D, Pair((), ())),
        fouls=(),
    )


def test_sheet_of_a_wikipedia_ruleset_compares_card_points():
    sheet = end(FINISH, rules="wikipedia-12").sheet()

    assert sheet == DealSheet(
        last_trick=Side.B,
        card_points=Pair(13, 107),
        trump=Side.B,
        suits=Suits(Suit.D, Pair((), ())),
    )


SWEPT = """\
A1 CA C10 DA D10 HA H10 SA S10 CK
B1 C6 C7 C8 D6 D7 D8 H6 H7 S6
A2 CQ DK DQ HK HQ SK SQ CJ DJ
B2 C9 D9 H8 H9 HJ S7 S8 S9 SJ
"""
SWEEP = (
    "A1 opens\n"
    "CA C6 CJ C9 C10 C7 CQ S9 DA D6 DJ D9 D10 D7 DQ SJ HA H6 HQ HJ"
    " H10 H7 HK H8 SA S6 SQ S7 S10 C8 SK S8 CK D8 DK H9"
)


def test_team_without_a_trick_is_told():
    table = end(hands=SWEPT, opened=SWEEP)

    assert table.fouls == ()
    assert table.sheet() == DealSheet(
        last_trick=Side.A,
        mattis=Pair(8, 0),
        pips=Pair(36, 0),
        aces=Pair(4, 0),
        no_tricks=Side.B,
        suits=Suits(None, Pair((), ())),
    )


def test_sheet_lists_fouls_in_the_order_they_happened():
    # B1 swaps a diamond back in time; A2 keeps a club for a diamond trick.
    fouls = SWEEP.replace("CA C6", "CA D6>C6").replace("CQ", "X").replace("DJ", "CQ")
    table = end(hands=SWEPT, opened=fouls.replace("X", "DJ"))

    sheet = table.sheet()
    assert sheet is not None
    assert sheet.fouls == (Foul(Side.B, corrected=True), Foul(Side.A), Foul(Side.A))
    assert [(foul.event, foul.rule) for foul in table.fouls] == [
        (1, "R2.1"),
        (6, "R2.1"),
        (10, "R2.1"),
    ]


def test_deal_goes_on_after_a_team_s_third_foul():
    table = end(opened="A1 opens\nCK HA C8 C10 SA D7 H10 SQ SJ D8 C6 SK")

    assert [foul.seat for foul in table.fouls] == [A1, B1, A1, B1, A1, B1]
    assert (len(table.tricks), table.finished) == (3, False)


def test_open_hands_play_two_cards_to_a_trick():
    table = end(hands=OPEN_HANDS, rules="", opened="B1 opens\nS10 D9")

    assert (table.tricks, table.turn) == ((Trick(B1, cards("S10 D9"), B1),), B1)
    assert table.fouls == ()


def test_card_turned_up_can_be_declared_and_played_at_once():
    opened = "B1 opens\nS10 D9 S9 D6"
    hidden = end(hands=OPEN_HANDS, rules="", opened=opened)
    table = end("declare:S SK H6", hands=OPEN_HANDS, rules="", opened=opened)

    assert [str(hidden.hands[seat]) for seat in (A1, B1)] == [
        "C6 C7 C8 C9 H6 SA / CJ CQ HQ D7 D8 / CK HK HA D10 DA",
        "DQ S6 S7 S8 / SJ SQ SK H7 H8 H9 / HJ H10 DJ DK C10 CA",
    ]
    assert (table.void, table.trumps.trump) == ((), Suit.S)


def test_first_trick_binds_only_the_cards_in_sight():
    # A1 has a spade ace face down: neither R2.1 nor R2.6 asks for it.
    table = end(hands=OPEN_HANDS, rules="", opened="B1 opens\nS6 C6")

    assert table.fouls == ()
    assert end(hands=OPEN_HANDS, rules="", opened="A1 opens\nD6").fouls == ()


def test_card_that_lies_face_down_cannot_be_played():
    problems = refused("", hands=OPEN_HANDS, rules="", opened="B1 opens\nDQ")

    assert problems == [
        (Code.CARD_NOT_THERE, "events/0/play", {"card": "DQ", "seat": "B1"})
    ]


def test_question_where_nobody_has_a_partner_is_void():
    opened = "B1 opens\nS10 D9 S9 D6"
    table = end("whole:no half:S declare:S", hands=OPEN_HANDS, rules="", opened=opened)

    assert table.void == (VoidAct(4, B1, "R3.2"), VoidAct(5, B1, "R3.2"))
    assert table.trumps.trump is Suit.S
