"""What the organiser's pages of records show: what one says, beside the sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from komppa.cup.choices import Visibility
from komppa.cup.models import Cup, Game
from komppa.cup.words import fact_name, ruleset_title
from komppa.parts import Context
from komppa.sheets.breaches import (
    ToldBreach,
    deal_of_record,
    played_out,
    told_breaches,
)
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
from komppa.sheets.records import is_same_play
from komppa.sheets.rule_changes import told_deals
from komppa.words import Names
from komppa.words_of_play import end_sentence
from scoring.deal import Deal
from scoring.deal_document import deal_to_json
from scoring.rulesets import DEFAULT, SWITCHES, ruleset
from scoring.sides import Seat


@dataclass(frozen=True, slots=True)
class ToldRecord:
    """What a record says, in short."""

    tricks: int
    is_finished: bool
    end: str
    """Where a third foul ended the game; empty if none did."""
    left_out: int
    """How many events it has after that."""
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
        out = played_out(deal, played, self.course)
        lost_by = out.lost_by and self.names[out.lost_by]
        return ToldRecord(
            tricks=len(out.end.tricks),
            is_finished=out.end.finished,
            end=end_sentence(lost_by, out.last_trick) if lost_by else "",
            left_out=out.left_out,
            breaches=told_breaches(out.deal, out.steps, self.seats),
            comparison=compare(
                out.deal, out.end, played, self.course, self.names, self.seats
            ),
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
    found = list(game.deal_records.select_related("added_by", "taken_back_by"))
    continued = {record.continues_id for record in found}
    known = [record for record in found if record.pk not in continued]
    of_deal: dict[int, list[DealRecord]] = {}
    for record in known:
        if record.left_at is None:
            of_deal.setdefault(record.number, []).append(record)
    rows = []
    for played in teller.course.deals:
        records = of_deal.get(played.entry.number, [])
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
    loose = [record for record in known if record.left_at is not None]
    return {
        "names": teller.names,
        "deals": rows,
        "without_deal": [record for record in loose if record.taken_back_at is None],
        "put_away": [record for record in loose if record.taken_back_at is not None],
        "may_change": game.cup.visibility != Visibility.ARCHIVED,
    }


def notes_on(document: object, deal: Deal, game: Game, number: int) -> list[str]:
    """Return what there is to know before a document is attached to a deal."""
    notes = [*_other_rules(document, game.cup)]
    if places := _other_places(deal_to_json(deal), game, number):
        told = _("Sama tallenne on jo liitetty toiseen jakoon: %(deals)s.")
        notes.append(told % {"deals": ", ".join(places)})
    return notes


def _other_rules(document: object, cup: Cup) -> Iterator[str]:
    """Yield in what the rules that a document names are not the cup's."""
    if not isinstance(document, dict) or not {"ruleset", "switches"} & document.keys():
        return
    key = document.get("ruleset", DEFAULT)
    if key != cup.ruleset:
        yield _(
            "Tallenteen säännöt ovat ”%(named)s”, mutta se luetaan turnauksen "
            "säännöillä: ”%(own)s”."
        ) % {"named": ruleset_title(key), "own": ruleset_title(cup.ruleset)}
        return
    named = ruleset(key, **document.get("switches", {}))
    other = [n for n in SWITCHES if getattr(named, n) is not getattr(cup.rules, n)]
    if other:
        yield _(
            "Tallenteen ja turnauksen säännöissä on eroa: %(switches)s. Tallenne "
            "luetaan turnauksen säännöillä."
        ) % {"switches": ", ".join(map(fact_name, other))}


def _other_places(told: object, game: Game, number: int) -> list[str]:
    """Return the other deals of the cup that have the same record: ”P3 (jako 2)”."""
    standing = DealRecord.objects.filter(
        game__cup=game.cup_id, taken_back_at__isnull=True, left_at__isnull=True
    ).exclude(game=game, number=number)
    found: dict[Game, list[int]] = {}
    for record in standing.select_related("game").order_by("game__number", "number"):
        if is_same_play(record.document, told):
            found.setdefault(record.game, []).append(record.number)
    return [
        f"{other} ({told_deals(_positions(other, game.cup, numbers))})"
        for other, numbers in found.items()
    ]


def _positions(game: Game, cup: Cup, numbers: Sequence[int]) -> list[int]:
    game.cup = cup
    deals = course_of(game).deals
    return [deal.position for deal in deals if deal.entry.number in numbers]
