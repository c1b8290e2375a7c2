"""The referee's position: its address, what may be tapped, and what cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from komppa.live.referee import Limits, Place, Position, legal_of, read, step_against
from scoring.cards import PACK, Card
from scoring.problems import Code
from scoring.rulesets import ruleset
from scoring.suits import Suit
from scoring.tricks import Duty, answer, legal

FOUR = Limits.of(ruleset())
TWO = Limits.of(ruleset("avomarjapussi"))
QUERY = dict.fromkeys(("hand", "trick", "trump", "n", "small", "opens", "card", "to"))


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def at(hand="", trick="", trump=None, number=None, **rest) -> Position:
    suit = Suit(trump) if trump else None
    return Position(cards(hand), cards(trick), suit, number, **rest)


def parsed(query: str) -> dict[str, str]:
    return dict(part.split("=", 1) for part in query.split("&")) if query else {}


def walk(data, limits: Limits) -> Position:
    """Tap here and there, always something that the position offers."""
    position = Position()
    for _tap in range(data.draw(st.integers(0, 14))):
        position = data.draw(st.sampled_from(offered(position, limits)))
    return position


def offered(position: Position, limits: Limits) -> list[Position]:
    taps = [position.tapped(card, limits) for card in PACK]
    numbered = [position.numbered(n) for n in position.numbers(limits)]
    trumped = [position.trumped(suit) for suit in Suit if position.may_have_trump]
    small = [
        position.small_made(suit)
        for suit in Suit
        if position.may_have_small and suit is not position.trump
    ]
    opening = [position.opening(True)] if position.may_open else []
    return [
        *(then for then in taps if then),
        *numbered,
        *(then for then in (*trumped, *small) if then.fits(limits)),
        *opening,
        *(position.played(card) for card in position.hand),
        *(position.turned_to(place) for place in Place),
        position.trumped(None),
        position.numbered(None),
    ]


@given(st.data(), st.sampled_from([FOUR, TWO]))
def test_an_address_holds_the_whole_position(data, limits):
    position = walk(data, limits)

    assert read(parsed(position.query), limits) == (position, ())


@given(st.data(), st.sampled_from([FOUR, TWO]))
def test_what_is_tapped_never_makes_what_cannot_be(data, limits):
    position = walk(data, limits)

    held = len(position.hand)
    assert held <= limits.hand
    assert len(position.trick) <= limits.trick
    assert len({*position.hand, *position.trick}) == held + len(position.trick)
    if position.number:
        assert held <= limits.tricks - position.number + 1
        assert position.trump is None or position.number >= 3
        assert position.small is None or position.number >= 4
    if position.small:
        assert position.trump not in (None, position.small)
        assert position.trick == ()


@given(st.data())
def test_what_can_be_tapped_is_what_the_engine_takes_for_possible(data):
    position = walk(data, FOUR)
    number = position.number or data.draw(
        st.sampled_from(position.numbers(FOUR) or [position.first_number])
    )
    document = {
        "hand": [str(card) for card in position.hand or (PACK[0],)],
        "trick": [str(card) for card in position.trick if position.hand],
        "trick_number": number,
        "trump": position.trump,
        "must_lead": position.small,
        "set_opening": position.opens,
    }

    _told, is_refused = answer(document)

    assert not is_refused


@given(
    hand=st.lists(st.sampled_from(PACK), min_size=1, max_size=12),
    trick=st.lists(st.sampled_from(PACK), max_size=5),
    trump=st.none() | st.sampled_from(Suit),
    small=st.none() | st.sampled_from(Suit),
    number=st.integers(-1, 11),
)
def test_an_address_is_refused_for_the_engine_s_own_reasons(
    hand, trick, trump, small, number
):
    document = {
        "hand": [str(card) for card in hand],
        "trick": [str(card) for card in trick],
        "trick_number": number,
        "trump": trump,
        "must_lead": small,
    }
    query = {
        "hand": ".".join(document["hand"]),
        "trick": ".".join(document["trick"]),
        "n": str(number),
        "trump": trump or "",
        "small": small or "",
    }

    _position, problems = read(query, FOUR)

    told, is_refused = answer(document)
    codes = {problem["code"] for problem in told["problems"]} if is_refused else set()
    # A card twice counts once in what is shown; a number that is none asks nothing.
    loose = {Code.HAND_SIZE, Code.TRICK_SIZE, Code.NOT_A_WHOLE_NUMBER}
    loose |= {Code.OUT_OF_RANGE} if number < 1 else set()
    found = {problem.code.value for problem in problems}
    assert found - loose == codes - loose
    assert bool(found) == is_refused


@given(st.dictionaries(st.sampled_from(sorted(QUERY)), st.text(max_size=60)))
def test_any_address_is_read(query):
    position, problems = read(query, FOUR)

    again, _problems = read(parsed(position.query), FOUR)
    assert again.hand == position.hand
    assert all(problem.code in Code for problem in problems)


@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ({}, []),
        ({"hand": "XX"}, [Code.NOT_A_CARD]),
        ({"hand": "XX.YY.ZZ"}, [Code.NOT_A_CARD]),
        ({"hand": "S10.S10"}, [Code.CARD_TWICE]),
        ({"hand": "S10", "trick": "S10"}, [Code.CARD_TWICE]),
        ({"trick": "S10.S9.S8.S7"}, [Code.TRICK_SIZE]),
        ({"hand": "S10.S9", "n": "9"}, [Code.HAND_SIZE]),
        ({"n": "10"}, [Code.OUT_OF_RANGE]),
        ({"n": "0"}, [Code.OUT_OF_RANGE]),
        ({"n": "-1"}, [Code.NOT_A_WHOLE_NUMBER]),
        ({"n": "٣"}, [Code.NOT_A_WHOLE_NUMBER]),
        ({"n": "9" * 5000}, [Code.OUT_OF_RANGE]),
        ({"trump": "X"}, [Code.NOT_A_SUIT]),
        ({"trump": "H", "n": "2"}, [Code.TRUMP_TOO_EARLY]),
        ({"small": "H"}, [Code.MUST_LEAD_WITHOUT_TRUMP]),
        ({"small": "H", "trump": "H"}, [Code.MUST_LEAD_IS_TRUMP]),
        ({"small": "H", "trump": "S", "n": "3"}, [Code.MUST_LEAD_TOO_EARLY]),
        (
            {"small": "H", "trump": "S", "trick": "S6"},
            [Code.MUST_LEAD_AFTER_THE_LEAD],
        ),
        ({"card": "S10"}, []),
    ],
)
def test_what_cannot_be_is_told_once(query, codes):
    _position, problems = read(query, FOUR)

    assert [problem.code for problem in problems] == codes


def test_two_players_have_more_tricks_fewer_cards_in_each_and_see_eleven():
    limits = [FOUR, TWO]

    assert limits == [Limits(9, 9, 3), Limits(18, 11, 1)]
    assert [TWO.most_in_hand(n) for n in (1, 8, 9, 18)] == [11, 11, 10, 1]
    assert [FOUR.most_in_hand(n) for n in (1, 8, 9)] == [9, 2, 1]


@pytest.mark.parametrize(
    ("limits", "held", "last"),
    [(FOUR, 0, 9), (FOUR, 3, 7), (FOUR, 9, 1), (TWO, 11, 8), (TWO, 12, 0)],
)
def test_a_hand_leaves_open_which_trick_it_can_be(limits, held, last):
    position = Position(hand=PACK[:held])

    assert list(position.numbers(limits)) == list(range(1, last + 1))


def test_a_card_goes_where_the_position_says():
    hand = Position().tapped(Card.parse("S10"), FOUR)

    trick = hand.turned_to(Place.TRICK).tapped(Card.parse("SK"), FOUR)

    assert (trick.hand, trick.trick) == (cards("S10"), cards("SK"))


def test_a_hand_lies_in_order_and_a_trick_as_it_was_played():
    hand = trick = Position()
    trick = trick.turned_to(Place.TRICK)
    for card in cards("S10 CA S7"):
        hand, trick = hand.tapped(card, FOUR), trick.tapped(card, FOUR)

    assert (hand.hand, trick.trick) == (cards("CA S7 S10"), cards("S10 CA S7"))


@pytest.mark.parametrize("place", Place)
def test_a_card_tapped_again_goes_back_to_the_pack(place):
    position = at("S7 S10", "SK", card=Card.parse("S7"), to=place)

    left = position.tapped(Card.parse("S7"), FOUR).tapped(Card.parse("SK"), FOUR)

    assert left == Position(hand=cards("S10"), to=place)


def test_a_full_hand_and_a_full_trick_take_no_more():
    full = at("S6 S7 S8", "H6 H7 H8", number=7)

    taken = [replace(full, to=p).tapped(Card.parse("C6"), FOUR) for p in Place]

    assert taken == [None, None]


def test_what_no_longer_holds_is_dropped():
    small = at("C7 H9", trump="H", number=4, small=Suit.D)
    opening = at("CA DA", number=1, opens=True)

    assert [
        small.trumped(None).small,
        small.trumped(Suit.D).small,
        small.trumped(Suit.S).small,
        small.turned_to(Place.TRICK).tapped(Card.parse("S6"), FOUR).small,
        opening.tapped(Card.parse("CA"), FOUR).opens,
        opening.numbered(2).opens,
        opening.tapped(Card.parse("H6"), FOUR).opens,
    ] == [None, None, Suit.D, None, False, False, True]


def test_a_card_asked_about_twice_is_asked_no_more():
    position = at("S7 S10")

    asked = position.played(Card.parse("S7"))

    assert (asked.card, asked.played(Card.parse("S7"))) == (cards("S7")[0], position)


def test_the_answer_waits_until_it_is_known_which_trick_it_is():
    open_to_two = at("SA S10", "SK")

    assert open_to_two.steps(FOUR) is None
    assert open_to_two.numbered(1).steps(FOUR) == ((Duty.PLAY_ACE, cards("SA")),)
    assert open_to_two.numbered(2).steps(FOUR) == ()


def test_the_answer_does_not_wait_where_any_trick_has_the_same():
    steps = at("S7 S10 HA", "SK", "H").steps(FOUR)

    assert steps == (
        (Duty.FOLLOW_SUIT, cards("S7 S10")),
        (Duty.OVERTAKE, cards("S10")),
    )


def test_there_is_no_answer_without_a_hand():
    assert at("", "SK", "H", 4).steps(FOUR) is None


@given(st.data(), st.sampled_from([FOUR, TWO]))
def test_the_answer_is_the_engine_s(data, limits):
    position = walk(data, limits)
    steps = position.steps(limits)
    if steps is None:
        return

    turn = legal(
        position.hand,
        position.trick,
        trump=position.trump,
        trick_number=position.number or position.first_number,
        must_lead=position.small,
        set_opening=position.opens,
    )

    assert legal_of(position.hand, steps) == turn.legal
    assert [card for card in position.hand if not step_against(card, steps)] == list(
        turn.legal
    )


def test_a_card_is_forbidden_by_the_first_duty_that_drops_it():
    steps = at("S7 S10 HA", "SK", "H", 4).steps(FOUR)

    assert [step_against(card, steps) for card in cards("HA S7 S10")] == [
        steps[0],
        steps[1],
        None,
    ]
