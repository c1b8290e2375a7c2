"""A recorded deal trick by trick, for the page of its game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.http import QueryDict
from django.utils.text import capfirst

from komppa.cup.models import Cup, Game
from komppa.live.boards import SUITS, names_of
from komppa.sheets.breaches import (
    PlayedOut,
    ToldBreach,
    deal_of_record,
    played_out,
    told_breaches,
)
from komppa.sheets.comparisons import Comparison, compare
from komppa.sheets.models import DealRecord
from komppa.sheets.queries import (
    course_of,
    seat_names,
    seating,
    standing_records,
)
from komppa.words import SUIT_LABELS, Names
from komppa.words_of_play import act_sentence, end_sentence, made_sentence
from scoring.cards import Card
from scoring.deal import Deal, Event, Play, Trick
from scoring.declarations import Act
from scoring.hands import Hand
from scoring.replay import Position
from scoring.sides import Seat
from scoring.suits import Suit

SHEET = "sheet"
"""What the address says in place of a trick for the comparison of the sheets."""


@dataclass(frozen=True, slots=True)
class ToldAct:
    """What was declared or asked before a trick, or out of turn amid it."""

    text: str
    made: str
    """What it made, if anything."""
    breach: ToldBreach | None

    @property
    def is_amid_trick(self) -> bool:
        return self.breach is not None and self.breach.is_amid_trick


@dataclass(frozen=True, slots=True)
class ToldSeat:
    """One player in one trick, in the order of play."""

    seat: Seat
    name: str
    team: str
    suit: str
    """The mark of the team."""
    card: Card | None
    order: int
    leads: bool
    wins: bool
    breach: ToldBreach | None
    hand: tuple[Card, ...]
    """What he could play from before the trick."""
    face_down: int


@dataclass(frozen=True, slots=True)
class ToldTrick:
    number: int
    trump: Suit | None
    trump_name: str
    trump_team: str
    small_trumps: str
    acts: tuple[ToldAct, ...]
    """What was said before the first card."""
    interruptions: tuple[ToldAct, ...]
    """What was said after it."""
    seats: tuple[ToldSeat, ...]
    leader: str
    winner: str
    """Empty while cards lack."""
    breaches: tuple[ToldBreach, ...]
    """The wrong cards of the trick."""

    @property
    def has_breach(self) -> bool:
        acts = (*self.acts, *self.interruptions)
        return bool(self.breaches) or any(act.breach for act in acts)


@dataclass(frozen=True, slots=True)
class Step:
    """A place that one can go to in the replay: a trick, or the sheets."""

    key: str
    number: int | None
    has_breach: bool
    is_here: bool


@dataclass(frozen=True, slots=True)
class Replay:
    position: int
    """The deal's number as people see it."""
    record: DealRecord
    was_written_again: bool
    """Whether the deal's sheet got a new version after the record was attached."""
    tricks: int
    comparison: Comparison | None
    """None for a record that the cup's rules can no longer read."""
    steps: tuple[Step, ...] = ()
    trick: ToldTrick | None = None
    """None where the sheets are compared."""
    end: str = ""
    """Where a third foul ended the game; told with the last trick and the sheets."""
    left_out: int = 0
    """How many events are recorded after that."""
    previous: str = ""
    next: str = ""


def replay_asked_for(game: Game, cup: Cup, asked: QueryDict) -> Replay | None:
    """Return the replay that an address asks for by ``deal`` and ``trick``.

    Of what it says amiss nothing is refused: it may be an old bookmark.
    """
    number = _whole(asked.get("deal", ""))
    if number is None:
        return None
    course = course_of(game)
    played = next((deal for deal in course.deals if deal.position == number), None)
    record = standing_records(game).get(played.entry.number) if played else None
    if played is None or record is None:
        return None
    deal = deal_of_record(record, cup.rules)
    written_again = played.entry.version != record.version
    if deal is None:
        return Replay(number, record, written_again, 0, None)
    names, seats = names_of(game, cup), seat_names(seating(game))
    out = played_out(deal, played, course)
    told = list(_told_tricks(out, names, seats))
    comparison = compare(out.deal, out.end, played, course, names, seats)
    here = _place(asked.get("trick", ""), len(told))
    keys = [*(str(trick.number) for trick in told), SHEET]
    at = keys.index(here)
    return Replay(
        number,
        record,
        written_again,
        tricks=len(out.end.tricks),
        comparison=comparison,
        steps=tuple(_steps(told, here)),
        trick=told[at] if at < len(told) else None,
        end=_end(out, names) if at >= len(told) - 1 else "",
        left_out=out.left_out,
        previous=keys[at - 1] if at else "",
        next=keys[at + 1] if at + 1 < len(keys) else "",
    )


def _whole(text: str) -> int | None:
    is_whole = text.isascii() and text.isdigit() and len(text) < 6
    return int(text) if is_whole else None


def _place(asked: str, tricks: int) -> str:
    if asked == SHEET:
        return SHEET
    return str(min(max(_whole(asked) or 1, 1), tricks))


def _steps(told: Sequence[ToldTrick], here: str) -> Iterator[Step]:
    for trick in told:
        key = str(trick.number)
        yield Step(key, trick.number, trick.has_breach, key == here)
    yield Step(SHEET, None, has_breach=False, is_here=here == SHEET)


def _end(out: PlayedOut, names: Names) -> str:
    if out.lost_by is None:
        return ""
    return end_sentence(names[out.lost_by], out.last_trick)


def _suit_name(suit: Suit) -> str:
    return str(SUIT_LABELS[suit])


def _told_tricks(
    out: PlayedOut, names: Names, seats: Mapping[Seat, str]
) -> Iterator[ToldTrick]:
    deal, steps = out.deal, out.steps
    breaches = {breach.event: breach for breach in told_breaches(deal, steps, seats)}
    teller = _Teller(deal, steps, names, seats, breaches)
    # A deal of which nothing was recorded but the hands has its first trick too.
    found: list[tuple[int, Event | None]] = [*enumerate(deal.events)]
    found = found or [(0, None)]
    for _tricks, group in groupby(found, lambda each: len(steps[each[0]].tricks)):
        events = [(index, event) for index, event in group if event is not None]
        yield teller.trick(events)


@dataclass(frozen=True, slots=True)
class _Teller:
    deal: Deal
    steps: Sequence[Position]
    names: Names
    seats: Mapping[Seat, str]
    breaches: Mapping[int, ToldBreach]

    def trick(self, events: Sequence[tuple[int, Event]]) -> ToldTrick:
        """Tell the trick of some consecutive events, from its acts to its last card."""
        first = events[0][0] if events else 0
        before, after = self.steps[first], self.steps[first + len(events)]
        plays = [(index, e) for index, e in events if isinstance(e, Play)]
        acts = [self._act(i, e) for i, e in events if not isinstance(e, Play)]
        # A void act amid a trick makes no trump, so any moment of it tells the trump.
        trumps = after.trumps
        played = self._played(before, after)
        own = {
            seat: self.breaches.get(index)
            for (index, _play), seat in zip(
                plays, self._from(played.leader), strict=False
            )
        }
        return ToldTrick(
            number=before.trick_number,
            trump=trumps.trump,
            trump_name=_suit_name(trumps.trump) if trumps.trump else "",
            trump_team=self.names[trumps.trump_side] if trumps.trump_side else "",
            small_trumps=", ".join(_suit_name(suit) for suit, _side in trumps.made[1:]),
            acts=tuple(act for act in acts if not act.is_amid_trick),
            interruptions=tuple(act for act in acts if act.is_amid_trick),
            seats=tuple(self._seats(before, played, own)),
            leader=self._name(played.leader),
            winner=self._name(played.winner) if played.winner else "",
            breaches=tuple(breach for breach in own.values() if breach),
        )

    def _played(self, before: Position, after: Position) -> Trick:
        if len(after.tricks) > len(before.tricks):
            return after.tricks[-1]
        return after.open_trick or Trick(after.turn, ())

    def _from(self, leader: Seat) -> tuple[Seat, ...]:
        seats = self.deal.rules.seats
        at = seats.index(leader)
        return seats[at:] + seats[:at]

    def _seats(
        self,
        before: Position,
        played: Trick,
        own: Mapping[Seat, ToldBreach | None],
    ) -> Iterator[ToldSeat]:
        for order, seat in enumerate(self._from(played.leader)):
            hand: Hand = before.hands[seat]
            yield ToldSeat(
                seat=seat,
                name=self._name(seat),
                team=self.names[seat.side],
                suit=SUITS[seat.side],
                card=played.cards[order] if order < len(played.cards) else None,
                order=order + 1,
                leads=not order,
                wins=seat is played.winner,
                breach=own.get(seat),
                hand=tuple(sorted(hand.cards)),
                face_down=len(hand.down),
            )

    def _act(self, index: int, event: Act) -> ToldAct:
        before, after = (self.steps[index + n].trumps.made for n in (0, 1))
        made = ""
        if len(after) > len(before):
            made = made_sentence(after[-1][0], is_small=len(after) > 1)
        return ToldAct(
            act_sentence(event, self._name(self.steps[index].actor)),
            str(capfirst(made)),
            self.breaches.get(index),
        )

    def _name(self, seat: Seat) -> str:
        return self.seats.get(seat, seat.value)
