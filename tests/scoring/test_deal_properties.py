"""What holds for every deal, whoever plays it (R1 to R4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from scoring import playout
from scoring.cards import PACK, Rank
from scoring.deal import Deal, Play
from scoring.deal_document import answer, deal_to_json, read_deal
from scoring.game import fold
from scoring.replay import positions, replay
from scoring.rulesets import RULESETS
from scoring.sides import Pair, Seat, Side
from scoring.suits import Suit
from scoring.tricks import legal

NEXT_SEAT = {
    Seat.A1: Seat.B1,
    Seat.B1: Seat.A2,
    Seat.A2: Seat.B2,
    Seat.B2: Seat.A1,
}


@st.composite
def deals(draw, keys=tuple(RULESETS)):
    rules = RULESETS[draw(st.sampled_from(keys))]
    return playout.play(Random(draw(st.integers(0, 10**9))).random, rules)


def moved_round(deal):
    """The same deal with everybody one seat further: A becomes B, B becomes A."""
    seats = deal.rules.seats
    to = NEXT_SEAT if len(seats) == 4 else {Seat.A1: Seat.B1, Seat.B1: Seat.A1}
    hands = {to[seat]: hand for seat, hand in deal.hands.items()}
    in_order = {seat: hands[seat] for seat in seats}
    return replace(deal, hands=in_order, leader=to[deal.leader])


def mirrored(sheet):
    return replace(
        sheet,
        last_trick=sheet.last_trick.other,
        trump=sheet.trump and sheet.trump.other,
        no_tricks=sheet.no_tricks and sheet.no_tricks.other,
        small_trumps=sheet.small_trumps.swapped,
        suits=replace(sheet.suits, small=sheet.suits.small.swapped),
        fouls=tuple(replace(foul, side=foul.side.other) for foul in sheet.fouls),
        **{
            key: pair.swapped
            for key in ("mattis", "pips", "aces", "card_points")
            if (pair := getattr(sheet, key)) is not None
        },
    )


@given(deals())
def test_playout_replays_to_a_sheet_that_the_fold_takes(deal):
    sheet = replay(deal).sheet()

    assert sheet.problems(deal.rules, fouls_before=Pair(0, 0)) == []
    points = fold([sheet], deal.rules, 1).deals[0].points
    assert 1 <= points.a + points.b <= 7
    small = sheet.small_trumps.a + sheet.small_trumps.b
    assert points.a + points.b in (
        low := 1 + 2 * (sheet.trump is not None) + small,
        low + 1,
    )


@given(deals())
def test_the_36_cards_are_conserved(deal):
    for position in positions(deal):
        seen = Counter(card for trick in position.tricks for card in trick.cards)
        seen.update(position.on_table)
        for hand in position.hands.values():
            seen.update(hand)
        assert seen == Counter(PACK)


@given(deals())
def test_figures_of_the_sheet_are_those_of_the_whole_pack(deal):
    sheet = replay(deal).sheet()
    totals = {
        key: pair.a + pair.b
        for key in ("mattis", "pips", "aces", "card_points")
        if (pair := getattr(sheet, key)) is not None
    }

    assert totals in (
        {"mattis": 8, "pips": 36, "aces": 4},
        {"card_points": 120},
    )


@given(deals([key for key in RULESETS if key != "avomarjapussi"]))
def test_ace_of_the_led_suit_wins_the_first_trick(deal):
    first = replay(deal).tricks[0]

    won = first.cards[deal.rules.seats.index(first.winner) - _at(deal, first.leader)]
    assert (won.suit, won.rank) == (first.cards[0].suit, Rank.ACE)


def _at(deal, seat):
    return deal.rules.seats.index(seat)


@given(deals())
def test_everybody_one_seat_further_gives_the_mirrored_sheet(deal):
    there, here = replay(moved_round(deal)), replay(deal)

    assert there.sheet() == mirrored(here.sheet())
    assert [trick.cards for trick in there.tricks] == [t.cards for t in here.tricks]


@given(deals(), st.data())
def test_illegal_card_is_reported_and_a_legal_one_never(deal, data):
    """Cut a playout before any card, and play any card of that hand instead."""
    cards = [i for i, event in enumerate(deal.events) if isinstance(event, Play)]
    at = data.draw(st.sampled_from(cards))
    cut = replace(deal, events=deal.events[:at])
    position = replay(cut)
    hand = sorted(position.hands[position.turn].cards)
    card = data.draw(st.sampled_from(hand))

    result, refused = answer(
        deal_to_json(replace(cut, events=(*cut.events, Play(card))))
    )

    allowed = position.legal().legal
    assert refused is False
    assert result["fouls"] == (
        []
        if card in allowed
        else [
            {
                "event": at,
                "seat": position.turn.value,
                "team": position.turn.side.value,
                "rule": result["fouls"][0]["rule"],
                "legal": [str(card) for card in allowed],
                "corrected": False,
            }
        ]
    )


@given(deals(), st.data())
def test_illegal_card_does_not_disturb_the_counting(deal, data):
    """After a foul everybody plays what is legal, and the sheet is sound."""
    cards = [i for i, event in enumerate(deal.events) if isinstance(event, Play)]
    at = data.draw(st.sampled_from(cards))
    position = replay(replace(deal, events=deal.events[:at]))
    allowed = position.legal().legal
    wrong = sorted(position.hands[position.turn].cards.difference(allowed))
    assume(wrong)
    offender = position.turn
    chance = Random(at).random
    position = position.after(Play(playout.picked(wrong, chance)))
    while not position.finished:
        position = position.after(Play(playout.picked(position.legal().legal, chance)))

    sheet = position.sheet()
    assert [foul.side for foul in sheet.fouls] == [offender.side]
    assert sheet.problems(deal.rules, fouls_before=Pair(0, 0)) == []
    assert fold([sheet], deal.rules, 1).deals[0].points[offender.side] == 0


@given(deals())
def test_document_and_text_of_any_deal_read_back(deal):
    assert read_deal(deal_to_json(deal)) == deal
    assert Deal.parse(str(deal)) == deal


@given(deals(), st.integers(0, 60))
def test_deal_cut_anywhere_is_what_it_was_until_there(deal, count):
    whole = list(positions(deal))
    cut = replay(replace(deal, events=deal.events[:count]))

    assert cut == whole[min(count, len(deal.events))]


@given(deals(["avomarjapussi"]))
def test_open_hands_are_played_from_what_is_seen(deal):
    for position in positions(deal):
        covered = [pair for hand in position.hands.values() for pair in hand.down]
        for pair in covered:
            gone = pair.by not in {c for h in position.hands.values() for c in h.cards}
            assert gone == (pair.by in position.on_table)
        if not position.finished:
            seen = position.hands[position.turn].cards
            assert set(position.legal().legal) <= seen
            assert position.legal() == legal(
                seen,
                position.on_table,
                trump=position.trumps.trump,
                trick_number=position.trick_number,
                must_lead=position.must_lead,
                set_opening=deal.set_opening,
            )


@given(deals())
def test_trump_is_the_first_success_and_no_suit_succeeds_twice(deal):
    made = replay(deal).trumps.made
    suits = [suit for suit, _ in made]

    assert len(set(suits)) == len(suits) <= len(Suit)
    assert {side for _, side in made} <= set(Side)
