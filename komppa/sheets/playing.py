"""Plausible play, card by card, for demonstration cups.

A seed decides everything, on any machine: of the standard library's generator only
``random()`` is used, which alone is promised to stay as it is.

The players follow every duty of R2 and R3 and think little: the card is taken by
lot, while nobody makes a trump that would carry the team over the target. That is
enough for figures that belong together, since they were counted from nine tricks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import TypeVar

from scoring.cards import HAND_SIZE, PACK, Card, Rank
from scoring.game import GameState, advance, start
from scoring.rulesets import Ruleset
from scoring.sheet import DealSheet, Foul, Suits
from scoring.sides import ZERO, Pair, Seat, Side
from scoring.suits import Suit
from scoring.tricks import CLUB_ACE, legal, winner
from scoring.validity import FOULS_THAT_LOSE

T = TypeVar("T")

SEATS = tuple(Seat)
_ROYALS = frozenset((Rank.KING, Rank.QUEEN))
_FOUL_RATE = 0.02
_CORRECTED_RATE = 0.4
_ACT_RATE = 0.8
_KEEP_RATE = 0.85


def play_game(
    rules: Ruleset, sets_to_win: int, seed: str
) -> Iterator[tuple[DealSheet, GameState]]:
    """Yield the sheet of each deal and the game after it, until the game is won."""
    random = Random(seed)
    state = start(rules, sets_to_win)
    while state.winner is None:
        sheet = play_deal(state, random)
        state = advance(state, sheet)
        yield sheet, state


def play_game_within(
    rules: Ruleset, sets_to_win: int, seed: str, deals: range
) -> list[tuple[DealSheet, GameState]]:
    """Return the first game, of those this seed gives, with so many deals."""
    for attempt in count():
        game = list(play_game(rules, sets_to_win, f"{seed}/{attempt}"))
        if len(game) in deals:
            return game
    raise AssertionError("count() has no end")


def play_deal(state: GameState, random: Random) -> DealSheet:
    """Return the sheet of one more deal of the game."""
    table = _Table.dealt(state, random)
    opener = next(seat for seat in SEATS if CLUB_ACE in table.hands[seat])
    leader = state.next_leader or opener
    if state.opens_set:
        leader = opener
    fouls = _fouls(random)
    abandoned = any(
        foul.counts(state.rules) and state.fouls[foul.side] + 1 >= FOULS_THAT_LOSE
        for foul in fouls
    )
    club_ace = opener if state.opens_set else None
    if abandoned:
        return DealSheet(fouls=fouls, abandoned=True, club_ace=club_ace)
    for number in range(1, HAND_SIZE + 1):
        leader = table.play_trick(number, leader)
    return table.sheet(last_trick=leader.side, fouls=fouls, club_ace=club_ace)


def pick(random: Random, items: Sequence[T]) -> T:
    return items[int(random.random() * len(items))]


def shuffled(random: Random, items: Sequence[T]) -> list[T]:
    """Return the items in a random order."""
    keys = [random.random() for _ in items]
    return [item for _, item in sorted(zip(keys, items, strict=True), key=_first)]


def _first(keyed: tuple[float, object]) -> float:
    return keyed[0]


def _fouls(random: Random) -> tuple[Foul, ...]:
    if random.random() >= _FOUL_RATE:
        return ()
    side = pick(random, tuple(Side))
    return (Foul(side, corrected=random.random() < _CORRECTED_RATE),)


@dataclass(slots=True)
class _Table:
    """The four hands while a deal is played."""

    state: GameState
    random: Random
    hands: dict[Seat, list[Card]]
    won: dict[Side, list[Card]] = field(default_factory=lambda: {s: [] for s in Side})
    made: list[tuple[Suit, Side]] = field(default_factory=list)
    """Trump first, then the small trumps, and who made each."""
    burned: set[tuple[Seat, Suit]] = field(default_factory=set)
    must_lead: Suit | None = None

    @classmethod
    def dealt(cls, state: GameState, random: Random) -> _Table:
        pack = shuffled(random, PACK)
        return cls(
            state,
            random,
            {seat: pack[index::4] for index, seat in enumerate(SEATS)},
        )

    @property
    def trump(self) -> Suit | None:
        return self.made[0][0] if self.made else None

    def play_trick(self, number: int, leader: Seat) -> Seat:
        """Play one trick, and what its winner asks after it; return the winner."""
        first = SEATS.index(leader)
        order = SEATS[first:] + SEATS[:first]
        trick: list[Card] = []
        for seat in order:
            turn = legal(
                self.hands[seat],
                trick,
                trump=self.trump,
                trick_number=number,
                must_lead=self.must_lead,
                set_opening=self.state.opens_set,
            )
            card = self._choose(turn.legal)
            self.hands[seat].remove(card)
            trick.append(card)
        taker = order[winner(trick, self.trump)]
        self.won[taker.side] += trick
        self.must_lead = None
        if 2 <= number < HAND_SIZE and self._wants_more(taker.side):
            self._act(taker)
        return taker

    def _choose(self, cards: Sequence[Card]) -> Card:
        """Pick a card; mostly one that spoils no whole and no half."""
        others = [card for card in cards if card.rank not in _ROYALS]
        if others and self.random.random() < _KEEP_RATE:
            return pick(self.random, others)
        return pick(self.random, cards)

    def _wants_more(self, side: Side) -> bool:
        """Say whether a trump would help: nobody wants to pass the target (R5.2)."""
        gained = sum(
            2 if index == 0 else 1
            for index, (_, maker) in enumerate(self.made)
            if maker is side
        )
        worth = 1 if self.made else 2
        room = self.state.rules.target - self.state.points[side]
        return self.random.random() < _ACT_RATE and gained + worth <= room

    def _act(self, taker: Seat) -> None:
        """Declare, or ask the partner (R3.2); the question burns (R3.4)."""
        partner = SEATS[(SEATS.index(taker) + 2) % len(SEATS)]
        own = self._usable_wholes(taker)
        halves = [suit for suit in self._open_suits() if self._holds(taker, suit) == 1]
        if own:
            self._make(taker, pick(self.random, own))
        elif halves and self.random.random() < 0.5:
            suit = pick(self.random, halves)
            answer = self._holds(partner, suit) == 1
            self._burn(taker)
            self._burn(partner)
            if answer:
                self._make(taker, suit)
        elif not self.made or self.state.rules.whole_questions_after_trump:
            answers = self._usable_wholes(partner)
            self._burn(taker)
            if answers:
                self._make(taker, pick(self.random, answers))

    def _open_suits(self) -> list[Suit]:
        done = {suit for suit, _ in self.made}
        return [suit for suit in Suit if suit not in done]

    def _holds(self, seat: Seat, suit: Suit) -> int:
        """Return how many of the suit's king and queen are in the hand."""
        return sum(
            card.suit is suit and card.rank in _ROYALS for card in self.hands[seat]
        )

    def _usable_wholes(self, seat: Seat) -> list[Suit]:
        return [
            suit
            for suit in self._open_suits()
            if self._holds(seat, suit) == 2 and (seat, suit) not in self.burned
        ]

    def _burn(self, seat: Seat) -> None:
        self.burned |= {(seat, suit) for suit in Suit if self._holds(seat, suit) == 2}

    def _make(self, maker: Seat, suit: Suit) -> None:
        if self.made:
            self.must_lead = suit
        self.made.append((suit, maker.side))

    def sheet(
        self, *, last_trick: Side, fouls: tuple[Foul, ...], club_ace: Seat | None
    ) -> DealSheet:
        """Write down what happened, as far as the rules ask for it (R4.2)."""
        small = self.made[1:]
        mattis = self._count(lambda card: card.matti)
        pips = self._count(lambda card: card.pips) if mattis.a == mattis.b else None
        aces = None
        if pips and pips.a == pips.b:
            aces = self._count(lambda card: card.rank is Rank.ACE)
        return DealSheet(
            last_trick=last_trick,
            mattis=mattis,
            pips=pips,
            aces=aces,
            trump=self.made[0][1] if self.made else None,
            small_trumps=Pair(*(sum(m is side for _, m in small) for side in Side))
            if small
            else ZERO,
            suits=Suits(
                self.made[0][0],
                Pair(*(tuple(suit for suit, m in small if m is side) for side in Side)),
            )
            if self.made
            else None,
            no_tricks=next((side for side in Side if not self.won[side]), None),
            fouls=fouls,
            club_ace=club_ace,
        )

    def _count(self, worth: Callable[[Card], int]) -> Pair[int]:
        return Pair(*(sum(worth(card) for card in self.won[side]) for side in Side))
