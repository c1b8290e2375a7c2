"""A recorded deal read anew, and what in its play broke the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from komppa.sheets.comparisons import fouls_before, third_foul
from komppa.sheets.models import DealRecord
from komppa.sheets.queries import Course, PlayedDeal
from komppa.sheets.records import MOST_EVENTS
from komppa.words_of_play import act_sentence, foul_reason, foul_sentence, void_reason
from scoring.cards import Card
from scoring.deal import Deal, Play
from scoring.deal_document import read_deal
from scoring.declarations import Act
from scoring.problems import Refused
from scoring.replay import Position, VoidAct, WrongCard, positions, replay
from scoring.rulesets import Ruleset
from scoring.sides import Seat, Side


@dataclass(frozen=True, slots=True)
class ToldBreach:
    """A wrong card or a void act."""

    event: int
    trick: int
    is_foul: bool
    rule: str
    text: str
    reason: str
    legal: tuple[Card, ...]
    """What he might have played instead of a wrong card."""
    corrected: Card | None
    on_table: int
    """How many cards of the trick lay on the table."""

    @property
    def is_amid_trick(self) -> bool:
        """Whether it is an act for which the trick was no place."""
        return bool(self.on_table) and not self.is_foul


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """A recorded deal as far as its game went: a third foul ends both (R7.1)."""

    deal: Deal
    steps: tuple[Position, ...]
    """Its ``positions``, all of them."""
    lost_by: Side | None
    """Whose third foul it was."""
    left_out: int
    """How many events are recorded after it."""

    @property
    def end(self) -> Position:
        return self.steps[-1]

    @property
    def last_trick(self) -> int:
        """The number of the trick in which the last card fell."""
        return len(self.end.tricks) + bool(self.end.on_table)


def played_out(recorded: Deal, played: PlayedDeal, course: Course) -> PlayedOut:
    """Return a recorded deal without what it tells of after the end of the game."""
    steps = tuple(positions(recorded))
    before = fouls_before(course, played, recorded.rules)
    foul = third_foul(steps[-1], before)
    if foul is None:
        return PlayedOut(recorded, steps, lost_by=None, left_out=0)
    count = foul.event + 1
    return PlayedOut(
        replace(recorded, events=recorded.events[:count]),
        steps[: count + 1],
        lost_by=foul.seat.side,
        left_out=len(recorded.events) - count,
    )


def deal_of_record(record: DealRecord, rules: Ruleset) -> Deal | None:
    """Return the deal of a record, None if the cup's rules can no longer read it."""
    try:
        deal = read_deal(record.document, rules)
        # A cup that comes as a file was not looked at event by event.
        if len(deal.events) > MOST_EVENTS:
            return None
        replay(deal)
    except Refused:
        return None
    return deal


def told_breaches(
    deal: Deal, steps: Sequence[Position], seats: Mapping[Seat, str]
) -> list[ToldBreach]:
    """Return the wrong cards and void acts of a deal in the order they happened.

    ``steps`` are its ``positions``, all of them.
    """
    fouls = {foul.event: foul for foul in steps[-1].fouls}
    voids = {void.event: void for void in steps[-1].void}
    found = []
    for index, (event, before) in enumerate(zip(deal.events, steps, strict=False)):
        if isinstance(event, Play):
            if foul := fouls.get(index):
                found.append(_wrong_card(foul, event, before, deal, seats))
        elif void := voids.get(index):
            found.append(_void(void, event, before, seats))
    return found


def _wrong_card(
    foul: WrongCard,
    play: Play,
    before: Position,
    deal: Deal,
    seats: Mapping[Seat, str],
) -> ToldBreach:
    return ToldBreach(
        event=foul.event,
        trick=before.trick_number,
        is_foul=True,
        rule=foul.rule,
        text=foul_sentence(foul, seats.get(foul.seat, foul.seat.value), play.card),
        reason=foul_reason(foul, is_opening=deal.set_opening),
        legal=foul.legal,
        corrected=play.corrected,
        on_table=len(before.on_table),
    )


def _void(
    void: VoidAct, act: Act, before: Position, seats: Mapping[Seat, str]
) -> ToldBreach:
    speaker = before.actor
    return ToldBreach(
        event=void.event,
        trick=before.trick_number,
        is_foul=False,
        rule=void.rule,
        text=act_sentence(act, seats.get(speaker, speaker.value)),
        reason=void_reason(void, act, before, by=speaker),
        legal=(),
        corrected=None,
        on_table=len(before.on_table),
    )
