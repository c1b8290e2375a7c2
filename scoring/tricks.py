"""One turn of a trick: the legal cards and the duty behind them (R2).

========  =====================================  =======================
R2.1      follow suit                            ``Duty.FOLLOW_SUIT``
R2.2      trump, without the led suit            ``Duty.TRUMP``
R2.3      overtake, also one's partner           ``Duty.OVERTAKE``
R2.4      nothing binds                          ``Duty.FREE``
R2.5      the first lead of a deal               ``Duty.LEAD_CLUB_ACE``,
                                                 ``LEAD_ACE``, ``LEAD_SPADE``
R2.6      the led suit's ace in the first trick  ``Duty.PLAY_ACE``
R2.7      who wins the trick                     ``winner``
R2.8      the lead after a small trump           ``Duty.LEAD_SMALL_TRUMP``
========  =====================================  =======================

R2.9, looking at a trick already played, binds no card.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.cards import HAND_SIZE, Card, Rank
from scoring.documents import Reader, refusal
from scoring.problems import Code, join
from scoring.suits import Suit

CLUB_ACE = Card(Suit.C, Rank.ACE)

TRICK_SIZE = 4

FIRST_TRUMP_TRICK = 3
"""The first trick that may have a trump: one is made after the second (R3.1)."""

FIRST_SMALL_TRUMP_TRICK = 4
"""The first trick a small trump may bind: one act per trick won (R3.1, R2.8)."""


class Duty(StrEnum):
    """What binds a player to some of his cards."""

    LEAD_CLUB_ACE = "lead_club_ace"
    LEAD_ACE = "lead_ace"
    LEAD_SPADE = "lead_spade"
    LEAD_SMALL_TRUMP = "lead_small_trump"
    FOLLOW_SUIT = "follow_suit"
    TRUMP = "trump"
    PLAY_ACE = "play_ace"
    OVERTAKE = "overtake"
    FREE = "free"

    @property
    def rule(self) -> str:
        return RULES[self]


RULES = {
    Duty.LEAD_CLUB_ACE: "R2.5",
    Duty.LEAD_ACE: "R2.5",
    Duty.LEAD_SPADE: "R2.5",
    Duty.LEAD_SMALL_TRUMP: "R2.8",
    Duty.FOLLOW_SUIT: "R2.1",
    Duty.TRUMP: "R2.2",
    Duty.PLAY_ACE: "R2.6",
    Duty.OVERTAKE: "R2.3",
    Duty.FREE: "R2.4",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """The legal cards of a turn, and why these."""

    legal: tuple[Card, ...]
    """Never empty for a hand with cards; in card order."""

    duty: Duty
    """The last duty that left fewer cards than before it, or ``Duty.FREE``."""

    @property
    def rule(self) -> str:
        return self.duty.rule

    def to_json(self) -> dict[str, object]:
        """Return the turn as the command line answers it."""
        return {
            "legal": [str(card) for card in self.legal],
            "duty": self.duty.value,
            "rule": self.rule,
        }


def legal(
    hand: Collection[Card],
    trick: Sequence[Card] = (),
    *,
    trump: Suit | None = None,
    trick_number: int,
    must_lead: Suit | None = None,
    set_opening: bool = False,
) -> Turn:
    """Return what may be played from a hand, and the duty that says so (R2).

    ``trick`` holds the cards already played to it, leader's first: none when
    leading, at most three. ``trick_number`` is 1 to 9. ``must_lead`` is the
    suit of a small trump just made (R2.8), without effect when the hand lacks
    it. ``set_opening`` tells that the deal is the first of its set; it binds
    the lead of the first trick and nothing later.

    That such a turn can occur at a table is not checked.
    """
    left = tuple(sorted(hand))
    last = Duty.FREE
    for duty, kept in narrowings(
        left,
        trick,
        trump=trump,
        trick_number=trick_number,
        must_lead=must_lead,
        set_opening=set_opening,
    ):
        left, last = kept, duty
    return Turn(left, last)


def narrowings(
    hand: Sequence[Card],
    trick: Sequence[Card],
    *,
    trump: Suit | None,
    trick_number: int,
    must_lead: Suit | None,
    set_opening: bool,
) -> Iterator[tuple[Duty, tuple[Card, ...]]]:
    """Yield each duty that leaves fewer cards than before it, with those cards.

    Arguments are those of ``legal``. The order is the one in which the duties
    apply, so a card is first forbidden by the first duty that drops it.
    """
    if trick:
        duties = _following(trick, trump, trick_number)
    else:
        duties = _leading(hand, trick_number, must_lead, set_opening)
    left = tuple(hand)
    for duty, fits in duties:
        kept = tuple(card for card in left if fits(card))
        # A duty that no card can meet falls away.
        if kept and len(kept) < len(left):
            left = kept
            yield duty, kept


def winner(trick: Sequence[Card], trump: Suit | None) -> int:
    """Return the index of the card that wins the trick, or leads so far (R2.7).

    Raises:
        ValueError: The trick has no cards.
    """
    if not trick:
        raise ValueError("a trick without cards has no winner")
    led = trick[0].suit
    return max(range(len(trick)), key=lambda i: _strength(trick[i], led, trump))


def answer(document: object) -> tuple[dict[str, object], bool]:
    """Return the answer of the command ``legal``, and whether it is a refusal.

    Besides what is malformed, a turn that cannot occur at a table is refused:
    a card twice, too many cards, trump or a small trump too early (R3.1), and
    a ``must_lead`` for one who follows, without trump or in its suit (R2.8, R3.3).
    """
    reader = Reader()
    turn = _read_turn(reader, document)
    if turn is None:
        return refusal(reader.problems), True
    return turn.to_json(), False


_Duties = list[tuple[Duty, Callable[[Card], bool]]]


def _leading(
    hand: Sequence[Card], trick_number: int, must_lead: Suit | None, set_opening: bool
) -> _Duties:
    if trick_number > 1:
        return [(Duty.LEAD_SMALL_TRUMP, lambda card: card.suit is must_lead)]
    if set_opening and CLUB_ACE in hand:
        return [(Duty.LEAD_CLUB_ACE, lambda card: card == CLUB_ACE)]
    if any(card.rank is Rank.ACE for card in hand):
        return [(Duty.LEAD_ACE, lambda card: card.rank is Rank.ACE)]
    return [(Duty.LEAD_SPADE, lambda card: card.suit is Suit.S)]


def _following(trick: Sequence[Card], trump: Suit | None, trick_number: int) -> _Duties:
    led = trick[0].suit
    best = _strength(trick[winner(trick, trump)], led, trump)
    # With the led suit left, no card meets the second duty; with one ace left,
    # none is dropped by the last: the order alone says which duty is stronger.
    duties: _Duties = [
        (Duty.FOLLOW_SUIT, lambda card: card.suit is led),
        (Duty.TRUMP, lambda card: card.suit is trump),
    ]
    if trick_number == 1:
        duties.append((Duty.PLAY_ACE, lambda card: card == Card(led, Rank.ACE)))
    duties.append((Duty.OVERTAKE, lambda card: _strength(card, led, trump) > best))
    return duties


def _strength(card: Card, led: Suit, trump: Suit | None) -> tuple[int, Rank]:
    if card.suit is trump:
        return 2, card.rank
    return (1 if card.suit is led else 0), card.rank


def _read_turn(reader: Reader, document: object) -> Turn | None:
    members = reader.members(
        document,
        "",
        required=("hand", "trick", "trick_number"),
        optional=("trump", "must_lead", "set_opening"),
    )
    if members is None:
        return None
    number = None
    if "trick_number" in members:
        number = reader.whole(members["trick_number"], "trick_number", 1, HAND_SIZE)
    hand = _read_cards(reader, members, "hand")
    trick = _read_cards(reader, members, "trick")
    trump = _read_suit(reader, members, "trump")
    must_lead = _read_suit(reader, members, "must_lead")
    opening = reader.flag(members.get("set_opening", False), "set_opening")

    _check_cards(reader, hand, trick, number)
    if trump and number and number < FIRST_TRUMP_TRICK:
        reader.refuse(Code.TRUMP_TOO_EARLY, "trump", first=FIRST_TRUMP_TRICK)
    if must_lead:
        _check_must_lead(reader, members, must_lead, number)

    if number is None or hand is None or trick is None or reader.problems:
        return None
    return legal(
        [card for card in hand if card],
        [card for card in trick if card],
        trump=trump,
        trick_number=number,
        must_lead=must_lead,
        set_opening=bool(opening),
    )


_Cards = list[Card | None]


def _read_cards(
    reader: Reader, members: Mapping[str, object], key: str
) -> _Cards | None:
    """Return the cards of a list, None for each that is no card."""
    items = reader.items(members[key], key) if key in members else None
    if items is None:
        return None
    return [reader.card(item, join(key, i)) for i, item in enumerate(items)]


def _read_suit(reader: Reader, members: Mapping[str, object], key: str) -> Suit | None:
    value = members.get(key)
    return None if value is None else reader.suit(value, key)


def _check_cards(
    reader: Reader, hand: _Cards | None, trick: _Cards | None, number: int | None
) -> None:
    most = HAND_SIZE + 1 - (number or 1)
    if hand is not None and not 1 <= len(hand) <= most:
        reader.refuse(Code.HAND_SIZE, "hand", count=len(hand), allowed=f"1..{most}")
    if trick is not None and len(trick) >= TRICK_SIZE:
        reader.refuse(
            Code.TRICK_SIZE, "trick", count=len(trick), allowed=f"0..{TRICK_SIZE - 1}"
        )
    seen: set[Card] = set()
    for key, cards in (("hand", hand), ("trick", trick)):
        for i, card in enumerate(cards or ()):
            if card in seen:
                reader.refuse(Code.CARD_TWICE, join(key, i), card=str(card))
            elif card:
                seen.add(card)


def _check_must_lead(
    reader: Reader,
    members: Mapping[str, object],
    must_lead: Suit,
    number: int | None,
) -> None:
    if members.get("trick"):
        reader.refuse(Code.MUST_LEAD_AFTER_THE_LEAD, "must_lead")
    if members.get("trump") is None:
        reader.refuse(Code.MUST_LEAD_WITHOUT_TRUMP, "must_lead")
    if members.get("trump") == must_lead:
        reader.refuse(Code.MUST_LEAD_IS_TRUMP, "must_lead", suit=must_lead)
    if number and number < FIRST_SMALL_TRUMP_TRICK:
        reader.refuse(
            Code.MUST_LEAD_TOO_EARLY, "must_lead", first=FIRST_SMALL_TRUMP_TRICK
        )
