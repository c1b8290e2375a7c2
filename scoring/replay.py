"""A deal card by card: who may do what, and what came of it (R2 to R4).

``Position`` is the table between two events of a deal; ``Position.after`` goes from
one to the next, ``replay`` from the first to the last.

What breaks a rule is no error here: a wrong card is a foul and lies where it was
played, a wrong act is void. Only what cannot happen at a table is refused. A deal
knows nothing of the game around it, so it does not end at a team's third foul.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.cards import Card, Rank
from scoring.deal import Deal, Event, Play, Trick
from scoring.declarations import Act, Occasion, Trumps, judge, lawful_acts, partner_of
from scoring.hands import Hand
from scoring.problems import Code, Problem, Refused, join
from scoring.rulesets import Comparison, Ruleset
from scoring.sheet import DealSheet, Foul, Suits
from scoring.sides import Pair, Seat, Side
from scoring.suits import Suit
from scoring.tricks import Turn, legal, narrowings, winner

CARD_POINTS: Mapping[Rank, int] = {
    Rank.ACE: 11,
    Rank.TEN: 10,
    Rank.KING: 4,
    Rank.QUEEN: 3,
    Rank.JACK: 2,
}
"""What cards count where the ruleset compares card points; others 0."""


@dataclass(frozen=True, slots=True)
class WrongCard:
    """A card that was not legal (R2): a foul of its player's team (R7)."""

    event: int
    """The index of the event, from 0."""
    seat: Seat
    rule: str
    """The first duty that forbade the card."""
    legal: tuple[Card, ...]
    """What he might have played."""
    corrected: bool = False

    def to_json(self) -> dict[str, object]:
        """Return the foul as the command line answers it."""
        return {
            "event": self.event,
            "seat": self.seat.value,
            "team": self.seat.side.value,
            "rule": self.rule,
            "legal": [str(card) for card in self.legal],
            "corrected": self.corrected,
        }


@dataclass(frozen=True, slots=True)
class VoidAct:
    """A declaration or question that broke a rule and made nothing (R3)."""

    event: int
    """The index of the event, from 0."""
    seat: Seat
    """Who erred: an untrue answer is the partner's error."""
    rule: str

    def to_json(self) -> dict[str, object]:
        """Return the act as the command line answers it."""
        return {"event": self.event, "seat": self.seat.value, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Position:
    """The table between two events of a deal."""

    rules: Ruleset
    hands: Mapping[Seat, Hand]
    turn: Seat
    """Whose card is next; on lead he may act first (R3.1). Of a deal that is over,
    the winner of its last trick."""
    set_opening: bool = False
    on_table: tuple[Card, ...] = ()
    """The open trick, leader's card first."""
    tricks: tuple[Trick, ...] = ()
    """Those that are over."""
    trumps: Trumps = field(default_factory=Trumps)
    acted: bool = False
    """Whether the act of the last trick has been used (R3.1)."""
    must_lead: Suit | None = None
    """The small trump just made (R2.8)."""
    events: int = 0
    """How many have happened."""
    fouls: tuple[WrongCard, ...] = ()
    void: tuple[VoidAct, ...] = ()

    @property
    def finished(self) -> bool:
        """Whether every trick has been played."""
        return len(self.tricks) == self.rules.tricks

    @property
    def trick_number(self) -> int:
        """The number of the open trick, or of the next one, from 1."""
        return len(self.tricks) + 1

    @property
    def open_trick(self) -> Trick | None:
        """The trick on the table, if a card of it has been played."""
        if not self.on_table:
            return None
        seats = self.rules.seats
        back = seats.index(self.turn) - len(self.on_table)
        return Trick(seats[back % len(seats)], self.on_table)

    @property
    def actor(self) -> Seat:
        """Who is taken to declare or ask: the winner of the last trick (R3.1).

        Before any trick is over, the one who leads the deal.
        """
        if self.tricks:
            return self.tricks[-1].winner or self.turn
        return self.open_trick.leader if self.open_trick else self.turn

    def legal(self) -> Turn:
        """Return what may be played now, and why (R2)."""
        return legal(self.hands[self.turn].cards, self.on_table, **self._duties())

    def lawful_acts(self) -> Iterator[Act]:
        """Yield what may be declared or asked now (R3)."""
        return lawful_acts(self._occasion())

    def after(self, event: Event) -> Position:
        """Return the table after an event.

        Raises:
            Refused: It cannot happen: the card is not there to be played, or the
                deal is over. The path is seen from the event.
        """
        if self.finished:
            figures = (("tricks", self.rules.tricks),)
            raise Refused([Problem(Code.AFTER_THE_DEAL, "", figures)])
        moved = self._played(event) if isinstance(event, Play) else self._acted(event)
        return replace(moved, events=self.events + 1)

    def sheet(self) -> DealSheet | None:
        """Return the facts of the deal for its score sheet, None before its end."""
        return _sheet(self) if self.finished else None

    def _played(self, play: Play) -> Position:
        for key, card in (("play", play.card), ("corrected", play.corrected)):
            if card and card not in self.hands[self.turn].cards:
                raise Refused([_not_there(key, card, self.turn)])
        slip = self._slip(play)
        if play.corrected:
            self._check_correction(play, slip)
        position = self._with_card(play.corrected or play.card)
        return replace(position, fouls=(*self.fouls, slip)) if slip else position

    def _with_card(self, card: Card) -> Position:
        hands = {**self.hands, self.turn: self.hands[self.turn].without(card)}
        on_table = (*self.on_table, card)
        seats = self.rules.seats
        if len(on_table) < len(seats):
            turn = seats[(seats.index(self.turn) + 1) % len(seats)]
            return replace(
                self, hands=hands, on_table=on_table, turn=turn, must_lead=None
            )
        leader = seats.index(self.turn) + 1
        best = winner(on_table, self.trumps.trump)
        won_by = seats[(leader + best) % len(seats)]
        return replace(
            self,
            hands={seat: hand.turned_up() for seat, hand in hands.items()},
            on_table=(),
            tricks=(*self.tricks, Trick(seats[leader % len(seats)], on_table, won_by)),
            turn=won_by,
            acted=False,
            must_lead=None,
        )

    def _slip(self, play: Play) -> WrongCard | None:
        """Return the foul that a card is, if it is one."""
        hand = tuple(sorted(self.hands[self.turn].cards))
        for duty, kept in narrowings(hand, self.on_table, **self._duties()):
            if play.card not in kept:
                return WrongCard(
                    self.events,
                    self.turn,
                    duty.rule,
                    self.legal().legal,
                    corrected=play.corrected is not None,
                )
        return None

    def _check_correction(self, play: Play, slip: WrongCard | None) -> None:
        if slip is None:
            figures = (("card", str(play.card)),)
            raise Refused([Problem(Code.CORRECTED_LEGAL_CARD, "play", figures)])
        if play.corrected not in slip.legal:
            figures = (("card", str(play.corrected)),)
            raise Refused([Problem(Code.CORRECTED_TO_WRONG_CARD, "corrected", figures)])

    def _acted(self, act: Act) -> Position:
        result = judge(act, self._occasion())
        if result.erred and result.broken:
            void = VoidAct(self.events, result.erred, result.broken)
            # Only an untrue answer leaves something behind: its question.
            asked = result.erred is not self.actor
            return replace(
                self,
                trumps=result.trumps,
                acted=self.acted or asked,
                void=(*self.void, void),
            )
        is_small = result.made not in (None, result.trumps.trump)
        return replace(
            self,
            trumps=result.trumps,
            acted=True,
            must_lead=result.made if is_small else None,
        )

    def _occasion(self) -> Occasion:
        seat = self.actor
        partner = partner_of(seat)
        return Occasion(
            self.rules,
            self.trumps,
            seat,
            self.hands[seat],
            self.hands.get(partner),
            len(self.tricks),
            bool(self.on_table),
            self.acted,
        )

    def _duties(self) -> dict[str, Any]:
        return {
            "trump": self.trumps.trump,
            "trick_number": self.trick_number,
            "must_lead": self.must_lead,
            "set_opening": self.set_opening,
        }


def start(deal: Deal) -> Position:
    """Return the table before the first event of a deal.

    Raises:
        Refused: The hands cannot lie at a table, or somebody else has to lead.
    """
    if problems := deal.problems():
        raise Refused(problems)
    return Position(deal.rules, deal.hands, deal.leader, deal.set_opening)


def positions(deal: Deal) -> Iterator[Position]:
    """Yield the table before the first event of a deal and after each.

    Raises:
        Refused: As ``start``; or at the first event that cannot happen, with its
            path from the deal's document, such as ``events/12/play``.
    """
    position = start(deal)
    yield position
    for index, event in enumerate(deal.events):
        try:
            position = position.after(event)
        except Refused as refused:
            at = join("events", index)
            raise Refused(problem.under(at) for problem in refused.problems) from None
        yield position


def replay(deal: Deal) -> Position:
    """Return the table after the last event of a deal, finished or not.

    Raises:
        Refused: As ``positions``.
    """
    *_, last = positions(deal)
    return last


def _sheet(end: Position) -> DealSheet:
    taken = Pair(_taken(end, Side.A), _taken(end, Side.B))
    trumps = end.trumps
    last = end.tricks[-1].winner
    return DealSheet(
        last_trick=None if last is None else last.side,
        trump=trumps.trump_side,
        small_trumps=Pair(len(trumps.small.a), len(trumps.small.b)),
        suits=Suits(trumps.trump, trumps.small),
        no_tricks=next((side for side in Side if not taken[side]), None),
        fouls=tuple(Foul(foul.seat.side, foul.corrected) for foul in end.fouls),
        **_compared(taken, end.rules),
    )


def _taken(end: Position, side: Side) -> tuple[Card, ...]:
    """Return the cards in the tricks of a team."""
    return tuple(
        card
        for trick in end.tricks
        if trick.winner and trick.winner.side is side
        for card in trick.cards
    )


def _compared(taken: Pair[tuple[Card, ...]], rules: Ruleset) -> dict[str, Any]:
    """Return the figures that earn the point for the better catch (R4.2)."""
    if rules.comparison is Comparison.CARD_POINTS:
        return {"card_points": _sums(taken, lambda card: CARD_POINTS.get(card.rank, 0))}
    return {
        "mattis": _sums(taken, lambda card: card.matti),
        "pips": _sums(taken, lambda card: card.pips),
        "aces": _sums(taken, lambda card: card.rank is Rank.ACE),
    }


def _sums(taken: Pair[tuple[Card, ...]], count: Callable[[Card], int]) -> Pair[int]:
    return Pair(sum(map(count, taken.a)), sum(map(count, taken.b)))


def _not_there(key: str, card: Card, seat: Seat) -> Problem:
    return Problem(
        Code.CARD_NOT_THERE, key, (("card", str(card)), ("seat", seat.value))
    )
