"""What the organiser's pages of records show: what one says, beside the sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from komppa.cup.models import Game
from komppa.parts import Context
from komppa.sheets.breaches import ToldBreach, deal_of_record, told_breaches
from komppa.sheets.comparisons import Comparison, compare
from komppa.sheets.facts import facts_of, sentence_of
from komppa.sheets.models import DealRecord
from komppa.sheets.queries import (
    Course,
    PlayedDeal,
    course_of,
    names_of,
    seat_names,
    seating,
)
from komppa.words import Names
from scoring.deal import Deal
from scoring.replay import positions
from scoring.sides import Seat


@dataclass(frozen=True, slots=True)
class ToldRecord:
    """What a record says, in short."""

    tricks: int
    is_finished: bool
    breaches: Sequence[ToldBreach]
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells the records of one game."""

    game: Game
    course: Course
    names: Names
    seats: Mapping[Seat, str]

    @classmethod
    def of(cls, game: Game) -> Teller:
        seats = seat_names(seating(game))
        return cls(game, course_of(game), names_of(game), seats)

    def told(self, deal: Deal, played: PlayedDeal) -> ToldRecord:
        steps = list(positions(deal))
        end = steps[-1]
        return ToldRecord(
            tricks=len(end.tricks),
            is_finished=end.finished,
            breaches=told_breaches(deal, steps, self.seats),
            comparison=compare(deal, end, played, self.course, self.names, self.seats),
        )

    def played(self, number: int) -> PlayedDeal | None:
        """Return the deal of that stored number, if it stands."""
        deals = (deal for deal in self.course.deals if deal.entry.number == number)
        return next(deals, None)

    def facts(self, played: PlayedDeal) -> str:
        return sentence_of(facts_of(played.sheet, self.names, self.seats))


@dataclass(frozen=True, slots=True)
class ToldDealRecords:
    """A deal of the game with its record and those that were taken back."""

    played: PlayedDeal
    facts: str
    standing: DealRecord | None
    told: ToldRecord | None
    """None where there is no record, or none that can be read."""
    former: tuple[DealRecord, ...]


def records_page(game: Game) -> Context:
    """What the page of a game's records needs."""
    teller = Teller.of(game)
    of_deal: dict[int, list[DealRecord]] = {}
    for record in game.deal_records.select_related("added_by", "taken_back_by"):
        of_deal.setdefault(record.number, []).append(record)
    rows = []
    for played in teller.course.deals:
        records = of_deal.pop(played.entry.number, [])
        standing = next((r for r in records if r.taken_back_at is None), None)
        deal = deal_of_record(standing, game.cup.rules) if standing else None
        rows.append(
            ToldDealRecords(
                played,
                teller.facts(played),
                standing,
                teller.told(deal, played) if deal else None,
                tuple(r for r in records if r.taken_back_at is not None),
            )
        )
    orphans = [record for records in of_deal.values() for record in records]
    return {"names": teller.names, "deals": rows, "orphans": orphans}
