"""Reads of what happened at the table: sheets folded into a game's state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from komppa.cup.models import Cup, Game, Player
from komppa.sheets.models import Confirmation, DealEntry, DealRecord
from scoring.game import DealResult, GameState, fold
from scoring.sheet import DealSheet
from scoring.sides import Pair, Seat, Side


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A deal as it stands: the entry, its sheet, and what the rules made of it."""

    position: int
    """The number people see, from 1 without gaps."""
    entry: DealEntry
    sheet: DealSheet
    result: DealResult


@dataclass(frozen=True, slots=True)
class Course:
    """A game from its first deal to where it stands."""

    deals: tuple[PlayedDeal, ...]
    state: GameState
    next_number: int
    entry_count: int
    """How many versions there are of all deals: grows with every write."""
    newest: DealEntry | None
    """What was appended last, which may be a version of an early deal."""

    @property
    def last(self) -> PlayedDeal | None:
        return self.deals[-1] if self.deals else None


def names_of(game: Game) -> Pair[str]:
    """Return the names of both teams as they are shown."""
    return Pair(*(team.name if team else "?" for team in (game.team_a, game.team_b)))


def current_entries(game: Game) -> list[DealEntry]:
    """Return the highest version of each deal, in order, taken-back ones included."""
    newest: dict[int, DealEntry] = {}
    entries = game.deal_entries.select_related("entered_by").order_by(
        "number", "version"
    )
    for entry in entries:
        newest[entry.number] = entry
    return list(newest.values())


def fold_sheets(cup: Cup, game: Game, sheets: Sequence[DealSheet]) -> GameState:
    """Return the state after these sheets. Raises scoring.problems.Refused."""
    return fold(sheets, cup.rules, game.sets_to_win)


def course_of(game: Game) -> Course:
    """Return the game's deals with the points and effects of each."""
    entries = current_entries(game)
    standing = [entry for entry in entries if entry.sheet is not None]
    rules = game.cup.rules
    sheets = [DealSheet.from_json(entry.sheet, rules) for entry in standing]
    state = fold_sheets(game.cup, game, sheets)
    deals = tuple(
        PlayedDeal(position, entry, sheet, result)
        for position, (entry, sheet, result) in enumerate(
            zip(standing, sheets, state.deals, strict=True), start=1
        )
    )
    return Course(
        deals,
        state,
        next_number=standing[-1].number + 1 if standing else 1,
        entry_count=sum(entry.version for entry in entries),
        newest=max(entries, key=lambda entry: entry.pk, default=None),
    )


def confirmed_sides(game: Game) -> dict[Side, Confirmation]:
    """Return which teams agree to the result as it stands.

    They agree to the deals up to the entry appended last; any later one lapses it.
    """
    newest = game.deal_entries.order_by("-pk").first()
    if newest is None:
        return {}
    standing = game.confirmations.filter(number=newest.number, version=newest.version)
    of_team = {confirmation.team_id: confirmation for confirmation in standing}
    team_ids = Pair(game.team_a_id, game.team_b_id)
    return {
        side: of_team[team_id]
        for side in Side
        if (team_id := team_ids[side]) is not None and team_id in of_team
    }


def standing_records(game: Game) -> dict[int, DealRecord]:
    """Return the records in force of the game's deals, by the deal's number."""
    records = game.deal_records.filter(taken_back_at__isnull=True, left_at__isnull=True)
    return {record.number: record for record in records}


def suspended_records(game: Game) -> list[DealRecord]:
    """Return the records whose deals are gone, the organiser having said nothing."""
    return list(
        game.deal_records.filter(
            taken_back_at__isnull=True,
            left_at__isnull=False,
            continued_by__isnull=True,
        )
    )


def seating(game: Game) -> dict[Seat, Player]:
    """Return who sits where, clockwise; until told, as the teams list their players."""
    seats = {Seat(s.seat): s.player for s in game.seats.select_related("player__team")}
    if not seats:
        for team, letter in ((game.team_a, "A"), (game.team_b, "B")):
            players = team.players.order_by("position") if team else ()
            for player in players:
                seats[Seat(f"{letter}{player.position}")] = player
    return {seat: seats[seat] for seat in Seat if seat in seats}


def seat_names(seats: Mapping[Seat, Player]) -> dict[Seat, str]:
    """Return who sits where; a player without a name is called by the seat."""
    return {seat: player.name or seat.value for seat, player in seats.items()}
