"""What a cup must look like, computed afresh from its stored facts.

The rows are read as they are, the deals are folded by ``scoring.game``, and the rest
is a plain reading of ``docs/rules.md``: nothing of what the site derives is asked.
"""

from __future__ import annotations

import json
from collections import defaultdict, namedtuple
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Any

from django.db import connection
from django.db.models import Model

from komppa.cup.models import (
    Cup,
    Game,
    GameSeat,
    Group,
    GroupMembership,
    Lot,
    OrganiserLog,
    Player,
    PlayingTable,
    Team,
)
from komppa.sheets.models import Confirmation, DealEntry
from scoring.game import GameState, fold
from scoring.rulesets import BothOnTarget, Comparison, CorrectedFoul, NoTricks, Ruleset
from scoring.sheet import DealSheet
from scoring.sides import ZERO, Pair, Side
from tests.sheets.plain_standings import (
    EMPTY,
    OPEN,
    Place,
    Result,
    Table,
    by_lots,
    levels_of,
    lines_of,
    split,
)

Rows = Mapping[int, Any]
OF_TEAM = "team_id IN (SELECT id FROM cup_team WHERE cup_id = %s)"
OF_GAME = "game_id IN (SELECT id FROM cup_game WHERE cup_id = %s)"


@dataclass(frozen=True)
class Facts:
    """Every row of a cup, by table and id."""

    cup: Any
    teams: Rows
    players: Rows
    groups: Rows
    memberships: Rows
    tables: Rows
    games: Rows
    seats: Rows
    lots: Rows
    entries: Rows
    confirmations: Rows
    log: Rows

    @property
    def gone(self) -> set[int]:
        return {pk for pk, team in self.teams.items() if team.withdrawn}


def read(cup: int) -> Facts:
    """Return the rows as the database has them: JSON as text, no model between."""
    with connection.cursor() as cursor:

        def rows(model: type[Model], condition: str = "cup_id = %s") -> Rows:
            table = model._meta.db_table
            cursor.execute(
                f"SELECT * FROM {table} WHERE {condition} ORDER BY id", [cup]
            )
            row_type = _row_type(table, tuple(c[0] for c in cursor.description))
            return {row.id: row for row in map(row_type._make, cursor.fetchall())}

        return Facts(
            cup=rows(Cup, "id = %s")[cup],
            teams=rows(Team),
            players=rows(Player, OF_TEAM),
            groups=rows(Group),
            memberships=rows(GroupMembership, OF_TEAM),
            tables=rows(PlayingTable),
            games=rows(Game),
            seats=rows(GameSeat, OF_GAME),
            lots=rows(Lot),
            entries=rows(DealEntry, OF_GAME),
            confirmations=rows(Confirmation, OF_GAME),
            log=rows(OrganiserLog),
        )


@cache
def _row_type(table: str, columns: tuple[str, ...]) -> Any:
    return namedtuple(table, columns)


def sheet_of(entry: Any) -> dict[str, object] | None:
    """Return the stored sheet of a version; None where it takes the deal back."""
    return None if entry.sheet is None else json.loads(entry.sheet)


@dataclass
class Told:
    """A game as its facts have it."""

    state: GameState
    """What its deals come to."""
    standing: tuple[Any, ...]
    """The entries of its deals that have not been taken back, in order."""
    has_begun: bool
    """Whether who plays is a fact."""
    teams: tuple[int | None, int | None]
    is_over: bool = False
    winner: Side | None = None
    sets: Pair[int] = ZERO
    """What it gives to the standings, or the deals so far."""
    counts: bool = False
    is_won_by_play: bool = False
    """Whether it is a result that both teams can agree to."""
    meant: tuple[Place, Place] = (OPEN, OPEN)
    """In the bracket: who should play."""
    goes_on: Place = OPEN
    is_out: Place = OPEN

    is_known: bool = False
    """Whether two teams are there who may play: nobody has left."""

    @property
    def conflicts(self) -> tuple[Side, ...]:
        if not self.has_begun:
            return ()
        pairs = zip(Side, self.teams, self.meant, strict=True)
        return tuple(s for s, team, meant in pairs if _place(team) != meant)


@dataclass
class Fresh:
    """Everything that follows from the facts of a cup."""

    facts: Facts
    games: dict[int, Told] = field(default_factory=dict)
    tables: dict[int, Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        standing = _standing(self.facts)
        rules = _rules(self.facts.cup)
        entered = {entry.game_id for entry in self.facts.entries.values()}
        for pk, game in self.facts.games.items():
            sheets = tuple(entry.sheet for entry in standing[pk])
            self.games[pk] = Told(
                state=_folded(sheets, rules, game.sets_to_win),
                standing=tuple(standing[pk]),
                has_begun=pk in entered or game.outcome != "",
                teams=(game.team_a_id, game.team_b_id),
            )
            if game.group_id:
                self._end_group_game(pk)
            else:
                self._end(pk, annuls=False)
        for pk in self.facts.groups:
            self.tables[pk] = self._table(pk)
        for pk in self.bracket:
            self._play_bracket_game(pk)
        for told in self.games.values():
            gone = {None, *self.facts.gone}
            told.is_known = gone.isdisjoint(told.teams)

    @cached_property
    def bracket(self) -> list[int]:
        """The games that somebody goes on from, in an order of play."""
        games = self.facts.games.values()
        replayed = {game.replays_id for game in games}
        of_bracket = [g for g in games if g.bracket_round and g.id not in replayed]
        of_bracket.sort(key=lambda g: (g.bracket_round, g.bracket_position))
        return [game.id for game in of_bracket]

    @property
    def final(self) -> int | None:
        games = self.facts.games
        last = max((games[pk].bracket_round for pk in self.bracket), default=0)
        found = [
            pk
            for pk in self.bracket
            if (games[pk].bracket_round, games[pk].bracket_position) == (last, 0)
        ]
        return found[0] if found else None

    @property
    def champion(self) -> int | None:
        winner = self.games[self.final].goes_on if self.final else OPEN
        return winner if isinstance(winner, int) else None

    @property
    def phase(self) -> str:
        if not self.facts.games:
            return "setup"
        if not self.bracket:
            return "groups"
        games = [self.games[pk] for pk in self.bracket]
        is_open = any(game.conflicts or not game.is_over for game in games)
        return "bracket" if is_open else "finished"

    @property
    def to_confirm(self) -> list[int]:
        """Numbers of games won at the table that some team has not agreed to."""
        return sorted(
            self.facts.games[pk].number
            for pk, told in self.games.items()
            if told.state.winner
            and self.facts.games[pk].outcome == ""
            and not self.facts.gone.intersection(told.teams)
            and len(self.agreed(pk)) < 2
        )

    def agreed(self, game: int) -> set[int]:
        """Return which teams agree to the game's deals as they stand."""
        own = [e for e in self.facts.entries.values() if e.game_id == game]
        last = max(own, key=lambda entry: entry.id, default=None)
        if last is None:
            return set()
        return {
            confirmation.team_id
            for confirmation in self.facts.confirmations.values()
            if confirmation.game_id == game
            and (confirmation.number, confirmation.version)
            == (last.number, last.version)
        } & set(self.games[game].teams)

    # The best of the next place over the groups.

    @property
    def next_rank(self) -> int:
        return self.facts.cup.qualifiers_per_group + 1

    @cached_property
    def next_levels(self) -> list[list[int]] | None:
        """Those next in line, the best first and those level together; None if open."""
        found = [table.on(self.next_rank) for table in self.tables.values()]
        if OPEN in found:
            return None
        lines = {x.team: x for t in self.tables.values() for x in t.lines}
        levels = [[team for team in found if isinstance(team, int)]]
        for figure in ("won", "sets_won", "sets_lost"):

            def per_game(team: int, figure: str = figure) -> Fraction:
                share = Fraction(
                    getattr(lines[team], figure), max(lines[team].played, 1)
                )
                return share if figure == "sets_lost" else -share

            levels = [part for level in levels for part in split(level, per_game)]
        return by_lots(levels, self._lots(None))

    def next_best(self, number: int) -> Place:
        if self.next_levels is None:
            return OPEN
        before = 0
        for level in self.next_levels:
            if before + 1 <= number <= before + len(level):
                return level[0] if len(level) == 1 else OPEN
            before += len(level)
        return EMPTY

    @property
    def lots_needed_across(self) -> set[frozenset[int]]:
        found = set()
        before = 0
        for level in self.next_levels or ():
            if len(level) > 1 and before < self.facts.cup.best_next:
                found.add(frozenset(level))
            before += len(level)
        return found

    @property
    def qualifiers(self) -> set[int] | None:
        """Who goes on from the groups; None while that is open."""
        cup = self.facts.cup
        places = [
            table.on(rank)
            for table in self.tables.values()
            for rank in range(1, cup.qualifiers_per_group + 1)
        ]
        places += [self.next_best(n) for n in range(1, cup.best_next + 1)]
        if OPEN in places:
            return None
        return {team for team in places if isinstance(team, int)}

    # A game's end.

    def _end_group_game(self, pk: int) -> None:
        self._end(pk, annuls=self.facts.cup.withdrawn_games == "annul")

    def _end(self, pk: int, *, annuls: bool) -> None:
        """Write how a game of two known teams ends (R9.8 to R9.11)."""
        game, told, cup = self.facts.games[pk], self.games[pk], self.facts.cup
        gone = [s for s, team in _sides(told.teams) if team in self.facts.gone]
        won = told.state.winner

        def ends(winner: Side | None, sets: Pair[int], *, counts: bool = True) -> None:
            told.is_over, told.winner = True, winner
            told.sets, told.counts = sets, counts

        def given(winner: Side) -> None:
            ends(winner, ZERO.replace(winner, game.sets_to_win))

        if (gone and annuls) or game.outcome == "annulled":
            ends(None, ZERO, counts=False)
        elif game.outcome == "both_absent":
            ends(None, ZERO)
        elif game.outcome:
            given(Side.A if game.outcome == "walkover_a" else Side.B)
        elif won:
            is_given = told.state.reason == "fouls" and cup.foul_loss_sets == "full"
            sets = told.state.sets
            ends(won, sets.replace(won, game.sets_to_win) if is_given else sets)
            told.is_won_by_play = True
        elif len(gone) == 2:
            ends(None, ZERO)
        elif gone and None not in told.teams:
            given(gone[0].other)
        else:
            told.is_over, told.winner, told.sets = False, None, told.state.sets

    # A group's order.

    def _table(self, group: int) -> Table:
        facts = self.facts
        members = [m for m in facts.memberships.values() if m.group_id == group]
        members.sort(key=lambda m: m.position)
        leave = facts.cup.withdrawn_games == "annul"
        left = {m.team_id for m in members if leave} & facts.gone
        teams = [m.team_id for m in members if m.team_id not in left]
        games = [self.games[pk] for pk, g in facts.games.items() if g.group_id == group]
        results: list[Result] = [
            (*told.teams, told.sets, told.winner) for told in games if told.counts
        ]
        is_complete = bool(games) and all(told.is_over for told in games)
        lots = self._lots(group) if is_complete else []
        levels = levels_of(teams, results, facts.gone, lots)
        return Table(tuple(lines_of(levels, results)), is_complete, frozenset(left))

    def _lots(self, group: int | None) -> list[list[int]]:
        """Return the orders drawn in the group, or between groups, oldest first."""
        return [
            json.loads(lot.order)
            for lot in self.facts.lots.values()
            if lot.group_id == group and lot.taken_back_at is None
        ]

    # The bracket.

    def _play_bracket_game(self, pk: int) -> None:
        """Let those who are meant to, or those who did, play; later games follow."""
        told, gone = self.games[pk], self.facts.gone
        told.meant = (self._meant(pk, "a"), self._meant(pk, "b"))
        if told.meant[0] == told.meant[1] and isinstance(told.meant[0], int):
            told.meant = (OPEN, OPEN)
        there: tuple[Place, ...] = told.meant
        if told.has_begun:
            there = tuple(_place(team) for team in told.teams)
        else:
            told.teams = tuple(x if isinstance(x, int) else None for x in there)
        self._end(pk, annuls=False)
        if OPEN in there:
            told.is_over = False
        elif EMPTY in there:
            staying = [s for s, x in _sides(there) if x != EMPTY and x not in gone]
            told.is_over = True
            told.winner = staying[0] if staying else None
            if told.winner:
                full = self.facts.games[pk].sets_to_win
                told.sets = ZERO.replace(told.winner, full)
        if told.is_over:
            by_side = dict(_sides(there))
            won = told.winner
            told.goes_on = by_side[won] if won else EMPTY
            told.is_out = self._loser(pk, by_side, won)
        if told.conflicts:
            told.goes_on = told.is_out = OPEN

    def _loser(self, pk: int, there: Mapping[Side, Place], won: Side | None) -> Place:
        """Return who is out of the game but still in the cup: played, and lost."""
        game, told = self.facts.games[pk], self.games[pk]
        is_fact = game.outcome != "" or told.state.winner is not None
        return there[won.other] if won and is_fact else EMPTY

    def _meant(self, pk: int, side: str) -> Place:
        game = self.facts.games[pk]

        def column(name: str) -> int | None:
            return getattr(game, name)

        if team := column(f"source_team_{side}_id"):
            return team
        if before := column(f"winner_of_{side}_id"):
            return self.games[before].goes_on
        if before := column(f"loser_of_{side}_id"):
            return self.games[before].is_out
        found = self._from_groups(pk, side)
        # Whoever has been given another place is not expected in this one.
        is_free = not self.games[pk].has_begun
        return OPEN if is_free and found in self.named else found

    def _from_groups(self, pk: int, side: str) -> Place | None:
        """Return whom the groups send to the place; None if it is not of theirs."""
        game = self.facts.games[pk]
        if group := getattr(game, f"source_group_{side}_id"):
            return self.tables[group].on(getattr(game, f"source_rank_{side}"))
        best = getattr(game, f"source_best_{side}")
        return self.next_best(best) if best else None

    @property
    def nameable(self) -> list[tuple[int, Side]]:
        """The places whose own team has been given another, and those given."""
        return [
            (pk, side)
            for pk in self.bracket
            if not self.games[pk].has_begun
            for side in Side
            if getattr(self.facts.games[pk], f"source_team_{side.lower()}_id")
            or self._from_groups(pk, side.lower()) in self.named
        ]

    @cached_property
    def named(self) -> set[int]:
        """Teams that the organiser has given a place in the bracket."""
        games = [self.facts.games[pk] for pk in self.bracket]
        named = {pk for g in games for pk in (g.source_team_a_id, g.source_team_b_id)}
        return named - {None}


def _rules(cup: Any) -> Ruleset:
    return Ruleset(
        key=cup.ruleset,
        target=cup.target,
        drop_to=cup.drop_to,
        comparison=Comparison(cup.comparison),
        whole_questions_after_trump=bool(cup.whole_questions_after_trump),
        laistokierros_no_tricks=NoTricks(cup.laistokierros_no_tricks),
        both_on_target=BothOnTarget(cup.both_on_target),
        corrected_foul=CorrectedFoul(cup.corrected_foul),
        players_per_team=cup.players_per_team,
    )


@lru_cache(maxsize=2000)
def _folded(sheets: tuple[str, ...], rules: Ruleset, sets_to_win: int) -> GameState:
    deals = [DealSheet.from_json(json.loads(sheet), rules) for sheet in sheets]
    return fold(deals, rules, sets_to_win)


def _standing(facts: Facts) -> dict[int, list[Any]]:
    """Return of each game the newest version of its deals, if it has a sheet."""
    newest: dict[tuple[int, int], Any] = {}
    for entry in facts.entries.values():
        place = (entry.game_id, entry.number)
        if place not in newest or newest[place].version < entry.version:
            newest[place] = entry
    found: dict[int, list[Any]] = defaultdict(list)
    for game, number in sorted(newest):
        if newest[game, number].sheet is not None:
            found[game].append(newest[game, number])
    return found


def _place(team: int | None) -> Place:
    return EMPTY if team is None else team


def _sides(pair: Sequence[Any]) -> list[tuple[Side, Any]]:
    return list(zip(Side, pair, strict=True))
