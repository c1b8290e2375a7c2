"""Trump and small trumps: who may make them, and what a question costs (R3).

=====  =============================================================
R3.1   after a trick won, from the second to the last but one; one act
R3.2   declare a whole, ask for a whole, ask for a half
R3.3   the first success is trump, later ones small trumps
R3.4   questions burn wholes
R3.5   whole questions after trump, where the ruleset has them
R3.6   a small trump binds its maker's next lead: ``tricks`` (R2.8)
=====  =============================================================

R3.7, saying the suit aloud, is for the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from scoring.hands import Hand
from scoring.rulesets import Ruleset
from scoring.sides import Pair, Seat, Side
from scoring.suits import Suit

FIRST_ACT_AFTER = 2
"""Tricks that are over before anybody may act (R3.1)."""


@dataclass(frozen=True, slots=True)
class Declare:
    """Says that one's own king and queen of a suit are a whole (R3.2 a)."""

    suit: Suit

    def __str__(self) -> str:
        return f"declare:{self.suit}"


@dataclass(frozen=True, slots=True)
class AskWhole:
    """Asks the partner for a whole (R3.2 b)."""

    answer: Suit | None
    """The suit that he names, or None for no."""

    def __str__(self) -> str:
        return f"whole:{self.answer or 'no'}"


@dataclass(frozen=True, slots=True)
class AskHalf:
    """Asks the partner for the other card of a half (R3.2 c)."""

    suit: Suit
    answer: bool | None = None
    """What he says; None where that was not written down: then it is the truth."""

    def __str__(self) -> str:
        said = {True: ":yes", False: ":no", None: ""}[self.answer]
        return f"half:{self.suit}{said}"


Act = Declare | AskWhole | AskHalf


def parse_act(text: str) -> Act:
    """Return the act written ``declare:H``, ``whole:S``, ``whole:no``, ``half:D``,
    ``half:D:yes`` or ``half:D:no``.

    Raises:
        ValueError: It is anything else; case and spaces count.
    """
    try:
        return _ACTS[text]
    except KeyError:
        raise ValueError(f"not an act: {text!r}") from None


def _every_act() -> Iterator[Act]:
    yield from map(Declare, Suit)
    yield from map(AskWhole, (*Suit, None))
    for suit in Suit:
        yield from (AskHalf(suit, said) for said in (True, False, None))


_ACTS = {str(act): act for act in _every_act()}


@dataclass(frozen=True, slots=True)
class Trumps:
    """What has been made so far in a deal, and which wholes are spent."""

    made: tuple[tuple[Suit, Side], ...] = ()
    """Each success with its team, in order: the first is the trump (R3.3)."""
    burned: frozenset[Suit] = frozenset()
    """The suits of wholes that can make nothing any more (R3.4).

    A whole lies in one hand, so its suit tells whose it is.
    """

    @property
    def trump(self) -> Suit | None:
        """The trump suit, if there is one."""
        return self.made[0][0] if self.made else None

    @property
    def trump_side(self) -> Side | None:
        """The team that made it."""
        return self.made[0][1] if self.made else None

    @property
    def suits(self) -> frozenset[Suit]:
        """The suits that have succeeded: none of them can again (R3.3)."""
        return frozenset(suit for suit, _ in self.made)

    @property
    def small(self) -> Pair[tuple[Suit, ...]]:
        """The small trumps of each team, in order."""
        return Pair(self._small_of(Side.A), self._small_of(Side.B))

    def _small_of(self, side: Side) -> tuple[Suit, ...]:
        return tuple(suit for suit, maker in self.made[1:] if maker is side)

    def usable(self, hand: Hand) -> frozenset[Suit]:
        """Return the wholes of a hand that can make trump or a small trump."""
        return hand.wholes - self.burned - self.suits

    def with_success(self, suit: Suit, side: Side) -> Trumps:
        return replace(self, made=(*self.made, (suit, side)))

    def with_burned(self, *hands: Hand) -> Trumps:
        burned = self.burned.union(*(hand.wholes for hand in hands))
        return replace(self, burned=burned)


@dataclass(frozen=True, slots=True)
class Occasion:
    """The moment in which somebody acts."""

    rules: Ruleset
    trumps: Trumps
    seat: Seat
    """Who acts: the winner of the last trick, or before that the deal's leader."""
    hand: Hand
    partner_hand: Hand | None
    """None where nobody has a partner."""
    tricks: int
    """How many are over."""
    trick_open: bool
    """Whether cards of the next one lie on the table."""
    acted: bool
    """Whether he has acted already since the trick that he won."""

    @property
    def timely(self) -> bool:
        """Whether it is a time for acts at all (R3.1)."""
        return (
            FIRST_ACT_AFTER <= self.tricks < self.rules.tricks
            and not self.trick_open
            and not self.acted
        )


class Result(NamedTuple):
    """What an act did."""

    trumps: Trumps
    made: Suit | None = None
    """The suit that it made trump or a small trump."""
    broken: str | None = None
    """The rule that makes it void; None for an act that stands."""
    erred: Seat | None = None
    """Who broke it: the one who acted, or his partner by an untrue answer."""


def judge(act: Act, occasion: Occasion) -> Result:
    """Return what an act does, or why it is void and by whose error (R3).

    A void act changes nothing and leaves the act of the trick unused, but for an
    untrue answer: its question was a lawful one, so it counts and burns (R3.4).
    """
    broken = _broken(act, occasion)
    if broken:
        return Result(occasion.trumps, broken=broken, erred=occasion.seat)
    if isinstance(act, Declare):
        return _success(occasion.trumps, act.suit, occasion)
    # Without a partner every question is void.
    partner_hand = occasion.partner_hand or Hand(frozenset())
    usable = occasion.trumps.usable(partner_hand)
    if isinstance(act, AskWhole):
        after = occasion.trumps.with_burned(occasion.hand)
        made = act.answer
        is_true = made in usable if made else not usable
    else:
        after = occasion.trumps.with_burned(occasion.hand, partner_hand)
        has_it = act.suit in partner_hand.halves
        made = act.suit if has_it else None
        is_true = act.answer in (None, has_it)
    if not is_true:
        return Result(after, broken="R3.2", erred=partner_of(occasion.seat))
    return _success(after, made, occasion) if made else Result(after)


def lawful_acts(occasion: Occasion) -> Iterator[Act]:
    """Yield all that may be done in a moment, questions with each true answer (R3)."""
    partner_hand = occasion.partner_hand or Hand(frozenset())
    usable = sorted(occasion.trumps.usable(partner_hand))
    acts: list[Act] = [*map(Declare, Suit)]
    acts += map(AskWhole, usable or (None,))
    acts += map(AskHalf, Suit)
    yield from (act for act in acts if not _broken(act, occasion))


def partner_of(seat: Seat) -> Seat:
    """Return the other seat of a team of two."""
    return Seat(seat.side.value + ("2" if seat.value.endswith("1") else "1"))


def _success(trumps: Trumps, suit: Suit, occasion: Occasion) -> Result:
    return Result(trumps.with_success(suit, occasion.seat.side), suit)


def _broken(act: Act, occasion: Occasion) -> str | None:
    """Return the rule that keeps somebody from an act, whatever the answer."""
    if not occasion.timely:
        return "R3.1"
    if isinstance(act, Declare):
        return _broken_by_declaring(act.suit, occasion)
    if occasion.partner_hand is None:
        return "R3.2"
    if isinstance(act, AskWhole):
        after_trump = occasion.trumps.trump is not None
        allowed = not after_trump or occasion.rules.whole_questions_after_trump
        return None if allowed else "R3.5"
    if act.suit in occasion.trumps.suits:
        return "R3.3"
    return None if act.suit in occasion.hand.halves else "R3.2"


def _broken_by_declaring(suit: Suit, occasion: Occasion) -> str | None:
    if suit in occasion.trumps.suits:
        return "R3.3"
    if suit not in occasion.hand.wholes:
        return "R3.2"
    return "R3.4" if suit in occasion.trumps.burned else None
