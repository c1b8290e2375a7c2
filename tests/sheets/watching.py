"""A cup whose every write is looked at: what it changes, and what it leaves alone."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.contrib.auth.models import User

from komppa.cup.knockout import GameState, Occupant
from komppa.cup.models import Cup
from komppa.cup.previews import CupPicture, Moves, compare, picture_of, preview
from komppa.cup.qualifying import bracket_games, champion_of, knockout_of, next_best
from komppa.cup.queries import GroupStanding, group_standings, results_to_confirm
from komppa.errors import Refusal
from scoring.sides import ZERO, Pair, Side
from tests.sheets.oracle import Facts, Fresh, Rows, Told, read
from tests.sheets.plain_standings import EMPTY, OPEN, Place, Table

REASON = "Kirjaaja erehtyi"
PREVIEWED = 6
"""Every sixth act is shown before it is done."""


@dataclass
class Watched:
    """The cup, and what has succeeded and been refused with it."""

    cup: int
    organiser: User
    scorekeeper: User
    done: Counter[str]
    refused: Counter[str]
    acts: int = 0
    tried: set[str] = field(default_factory=set)
    facts: Facts = field(init=False)
    fresh: Fresh = field(init=False)

    def __post_init__(self) -> None:
        self.look()

    def look(self) -> None:
        """See what stands, whoever wrote it."""
        self.facts = read(self.cup)
        self.fresh = Fresh(self.facts)

    @property
    def row(self) -> Cup:
        return Cup.objects.get(pk=self.cup)

    def act(self, kind: str, service: Callable[..., Any], **wanted: Any) -> Any:
        """Do what an organiser may; return the answer, None if it was refused."""
        reason = {"reason": REASON} if "reason" in _names(service) else {}

        def write() -> Any:
            return service(by=self.organiser, **reason, **wanted)

        before, known = self.facts, self.fresh
        answer = self._write(kind, write)
        if answer is not None:
            lines = [x for pk, x in self.facts.log.items() if pk not in before.log]
            assert lines, f"no line in the log: {kind}"
            assert {line.by_id for line in lines} == {self.organiser.pk}
            if reason:
                assert {line.reason for line in lines} == {REASON}
            self._count_consequences(kind, known)
        return answer

    def play(self, kind: str, service: Callable[..., Any], **wanted: Any) -> Any:
        """Do what a table does, which is no organiser's act and leaves no line."""
        by = wanted.pop("by", self.scorekeeper)
        before = self.facts
        answer = self._write(kind, lambda: service(by=by, **wanted))
        assert self.facts.log.keys() == before.log.keys()
        return answer

    def repeat(self, kind: str, write: Callable[[], Any]) -> None:
        """Send once more what was answered before: nothing changes by it."""
        before = self.facts
        try:
            answer = write()
        except Refusal as refusal:
            self.refused[f"{kind}: {refusal.code}"] += 1
        else:
            assert answer.is_repeat
            self.done[kind] += 1
        self.look()
        assert self.facts == before

    def _write(self, kind: str, write: Callable[[], Any]) -> Any:
        self.acts += 1
        self.tried.add(kind)
        before = self.facts
        expected = self._previewed(write) if self.acts % PREVIEWED == 0 else None
        picture = picture_of(self.row) if expected is not None else None
        try:
            answer, code = write(), None
        except Refusal as refusal:
            answer, code = None, refusal.code
        self.look()
        if code:
            self.refused[f"{kind}: {code}"] += 1
            assert self.facts == before, f"refused, but it wrote: {kind}"
            assert expected in (None, code)
            return None
        self.done[kind] += 1
        assert self.facts.cup.revision == before.cup.revision + 1, kind
        self.assert_history_is_kept(before)
        self.assert_derived_is_fresh()
        if expected is not None:
            after = picture_of(self.row)
            assert compare(picture, after) == expected, kind
            self.assert_picture_is_fresh(after)
            self.done["preview"] += 1
        return True if answer is None else answer

    def _previewed(self, write: Callable[[], Any]) -> Moves | str:
        try:
            found: Moves | str = preview(self.row, write)
        except Refusal as refusal:
            found = refusal.code
        assert read(self.cup) == self.facts, "a preview left something"
        return found

    def _count_consequences(self, kind: str, before: Fresh) -> None:
        after = self.fresh
        conflicts_before, conflicts = _conflicts(before), _conflicts(after)
        self.done["conflict"] += len(conflicts - conflicts_before)
        self.done["conflict gone"] += len(conflicts_before - conflicts)
        if before.champion and before.champion != after.champion:
            self.done["champion no more"] += 1
        if before.bracket and kind.startswith("correct"):
            self.done["correction under a bracket"] += 1

    # What holds after every write.

    def assert_history_is_kept(self, before: Facts) -> None:
        now = self.facts
        assert _has_all(now.entries, before.entries)
        assert _has_all(now.confirmations, before.confirmations)
        for pk, line in before.log.items():
            # A game that nobody has begun may go; what was done with it stays told.
            assert now.log[pk] in (line, line._replace(game_id=None))
        versions: dict[tuple[int, int], list[int]] = {}
        for entry in now.entries.values():
            versions.setdefault((entry.game_id, entry.number), []).append(entry.version)
        for found in versions.values():
            assert found == list(range(1, len(found) + 1))
        for game in {entry.game_id for entry in now.entries.values()}:
            numbers = sorted(number for pk, number in versions if pk == game)
            assert numbers == list(range(1, len(numbers) + 1))
        self._assert_who_played_is_kept(before)

    def _assert_who_played_is_kept(self, before: Facts) -> None:
        begun = {e.game_id for e in before.entries.values()} | {
            pk for pk, game in before.games.items() if game.outcome
        }
        for pk in begun & self.facts.games.keys():
            if self.fresh.games[pk].has_begun:
                old, new = before.games[pk], self.facts.games[pk]
                teams = (old.team_a_id, old.team_b_id)
                assert (new.team_a_id, new.team_b_id) == teams
        for seat in self.facts.seats.values():
            game, player = self.facts.games[seat.game_id], seat.player_id
            team = game.team_a_id if seat.seat[0] == "A" else game.team_b_id
            assert self.facts.players[player].team_id == team

    def assert_derived_is_fresh(self) -> None:
        """Compare all that the site derives with a fresh computation."""
        fresh, cup = self.fresh, self.row
        assert cup.phase == fresh.phase
        for pk, told in fresh.games.items():
            assert _kept(self.facts.games[pk]) == _expected(told)
        standings = group_standings(cup)
        assert {s.group.pk: _standing(s) for s in standings} == {
            pk: _table(table) for pk, table in fresh.tables.items()
        }
        assert results_to_confirm(cup) == fresh.to_confirm
        found = next_best(cup, standings)
        if found is not None:
            places = range(1, cup.best_next + 1)
            rows = [found.best(n) for n in places]
            assert [row and row[1].team.pk for row in rows] == [
                place if isinstance(place, int) else None
                for place in map(fresh.next_best, places)
            ]
            lots = {frozenset(t.pk for t in tied) for tied in found.lots_needed}
            assert lots == fresh.lots_needed_across
        games = list(bracket_games(cup))
        states = knockout_of(cup, games, standings)
        assert {pk: _state(state) for pk, state in states.items()} == {
            pk: _told_state(fresh.games[pk]) for pk in fresh.bracket
        }
        assert champion_of(games, states) == fresh.champion
        if fresh.champion:
            self.done["champion"] += 1

    def assert_picture_is_fresh(self, picture: CupPicture) -> None:
        fresh = self.fresh
        names = {pk: team.name for pk, team in self.facts.teams.items()}
        assert picture.champion == names.get(fresh.champion or 0, "")
        slots = {
            (self.facts.games[pk].number, side): names.get(meant, "")
            for pk in fresh.bracket
            for side, meant in zip(Side, fresh.games[pk].meant, strict=True)
        }
        assert picture.slots == slots
        games = {}
        for pk, told in fresh.games.items():
            games[self.facts.games[pk].number] = (
                Pair(*(names.get(team or 0, "") for team in told.teams)),
                told.sets,
                ZERO if told.is_over else told.state.points,
                told.winner,
                told.is_over,
                pk in fresh.bracket and bool(told.conflicts),
            )
        assert games == {
            number: (
                game.names,
                game.sets,
                game.points,
                game.winner,
                game.how != "",
                game.in_conflict,
            )
            for number, game in picture.games.items()
        }


@cache
def _names(service: Callable[..., Any]) -> frozenset[str]:
    return frozenset(inspect.signature(service).parameters)


def _has_all(rows: Rows, old: Rows) -> bool:
    return all(rows.get(pk) == row for pk, row in old.items())


def _conflicts(fresh: Fresh) -> set[int]:
    return {pk for pk in fresh.bracket if fresh.games[pk].conflicts}


def _kept(game: Any) -> tuple[Any, ...]:
    """Return what a game's row keeps of what follows from the facts."""
    return (
        (game.team_a_id, game.team_b_id),
        (game.sets_a, game.sets_b),
        (game.points_a, game.points_b),
        (game.fouls_a, game.fouls_b),
        (game.deal_count, game.laistokierros),
        (game.winner, game.ended_by, game.is_finished),
    )


def _expected(told: Told) -> tuple[Any, ...]:
    state = told.state
    return (
        told.teams,
        (state.sets.a, state.sets.b),
        (state.points.a, state.points.b),
        (state.fouls.a, state.fouls.b),
        (len(told.standing), state.laistokierros),
        (state.winner or "", state.reason or "", told.is_over),
    )


def _standing(standing: GroupStanding) -> tuple[Any, ...]:
    rows = [
        (
            (row.team.pk, row.rank),
            (row.played, row.won, row.lost, row.sets_won, row.sets_lost),
            frozenset(team.pk for team in row.tied_with),
        )
        for row in standing.rows
    ]
    lots = {frozenset(team.pk for team in tied) for tied in standing.lots_needed}
    left = frozenset(team.pk for team in standing.withdrawn)
    return rows, lots, left, standing.is_complete


def _table(table: Table) -> tuple[Any, ...]:
    rows = [
        (
            (x.team, x.rank),
            (x.played, x.won, x.played - x.won, x.sets_won, x.sets_lost),
            x.tied_with,
        )
        for x in table.lines
    ]
    return rows, table.lots_needed, table.left, table.is_complete


def _spoken(occupant: Occupant) -> Place:
    if not occupant.is_settled:
        return OPEN
    return EMPTY if occupant.team is None else occupant.team


def _state(state: GameState) -> tuple[Any, ...]:
    slots = (_spoken(state.slots.a), _spoken(state.slots.b))
    further = (_spoken(state.winner), _spoken(state.loser))
    return slots, (state.teams.a, state.teams.b), state.conflicts, further


def _told_state(told: Told) -> tuple[Any, ...]:
    return told.meant, told.teams, told.conflicts, (told.goes_on, told.is_out)
