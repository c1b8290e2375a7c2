"""The order of a group from its finished games, each place with its reason (R9).

=====  ==========================================  ==========================
R9.1   games won, more is better                   ``Criterion.WON``
R9.2   sets won, more                              ``Criterion.SETS_WON``
R9.3   sets lost, fewer                            ``Criterion.SETS_LOST``
R9.4   the same three over the mutual games        ``Criterion.MUTUAL_GAMES``
R9.5   the lot, given by the caller                ``Criterion.LOT``
R9.6   a rank shared, 1 2 2 4                      ``Row.rank``, ``tied_with``
R9.7   each row tells why it is not the row above  ``Row.separation``
R9.10  a withdrawn team that keeps its games       ``Criterion.WITHDRAWN``
R9.11  lost by both                                ``GameResult.winner`` None
=====  ==========================================  ==========================

Left to the caller: to draw lots and keep them (R9.5), the sets of a game lost by
three fouls (R9.8), to give a walkover its sets and leave an annulled game out
(R9.9), and for a withdrawn team to annul its games and list it apart, or to turn
the unplayed ones into walkovers and name it in ``withdrawn`` (R9.10).

A *tied set* is the teams that everything before has left level; how it is split
stands in ``tiebreaks.py``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic

from scoring.documents import Reader, refusal, shown
from scoring.problems import Code, join
from scoring.sides import Side
from scoring.tiebreaks import (
    FIGURES,
    Criterion,
    Cut,
    Figures,
    GameResult,
    Lot,
    Part,
    T,
    Table,
    by_figure,
    by_lots,
    by_mutual_games,
    by_withdrawal,
    have_all_met,
    meetings_of,
    total,
)

__all__ = [
    "FIGURES",
    "Criterion",
    "Figures",
    "GameResult",
    "Lot",
    "Row",
    "Separation",
    "Standings",
    "answer",
    "standings",
]

MAX_SETS = 99
"""More sets than any game has; a larger number is a slip of the pen."""


@dataclass(frozen=True, slots=True)
class Separation(Generic[T]):
    """What put a row below the row above it: the material of a sentence (R9.7)."""

    criterion: Criterion

    figure: Criterion | None
    """The figure that differed, one of ``FIGURES``; None for a lot or withdrawal."""

    among: tuple[T, ...]
    """The tied set that it split, both rows' teams included."""

    above: Figures
    own: Figures
    """Figures of the row above and of the row itself: for mutual games those of
    the games within ``among``, otherwise of all their games."""

    @property
    def values(self) -> tuple[int, int] | None:
        """The figure that differed, of the row above and of the row."""
        if self.figure is None:
            return None
        return self.above.value(self.figure), self.own.value(self.figure)


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """A team's place in the group."""

    team: T
    rank: int
    played: int
    won: int
    lost: int
    sets_won: int
    sets_lost: int
    separation: Separation[T] | None
    """None for the first row, and where tied with the row above."""
    tied_with: tuple[T, ...]
    """The other teams that share the rank, in the order of ``teams``."""

    @property
    def decided_by(self) -> Criterion | None:
        return self.separation.criterion if self.separation else None

    def to_json(self) -> dict[str, object]:
        """Return the row as the command line answers it."""
        return {
            "team": self.team,
            "rank": self.rank,
            "played": self.played,
            "won": self.won,
            "lost": self.lost,
            "sets_won": self.sets_won,
            "sets_lost": self.sets_lost,
            "decided_by": self.decided_by and self.decided_by.value,
            "tied_with": list(self.tied_with),
        }


@dataclass(frozen=True, slots=True)
class Standings(Generic[T]):
    """A group in order."""

    rows: tuple[Row[T], ...]
    """By rank; teams that share one in the order of ``teams``."""

    lots_needed: tuple[tuple[T, ...], ...]
    """In a complete group, each set of teams that share a rank."""

    def to_json(self) -> dict[str, object]:
        """Return the standings as the command line answers them."""
        return {
            "rows": [row.to_json() for row in self.rows],
            "lots_needed": [list(tied) for tied in self.lots_needed],
        }


def standings(
    teams: Sequence[T],
    games: Iterable[GameResult[T]],
    lots: Iterable[Lot[T]] = (),
    complete: bool | None = None,
    withdrawn: Collection[T] = (),
) -> Standings[T]:
    """Return the order of a group (R9.1 to R9.7).

    ``games`` are the finished ones; a pair may meet more than once. ``complete``
    tells whether they are all the games of the group; by default whether every
    pair has met. Lots count in a complete group only; of several that would settle
    a tied set the first does. ``withdrawn`` teams stand behind the others of equal
    figures (R9.10).

    Raises:
        ValueError: A team is listed twice, or a game is one of an unknown team or
            of a team against itself.
    """
    meetings = meetings_of(teams, games)
    if complete is None:
        complete = have_all_met(teams, meetings)
    totals = {team: total(meetings[team].values()) for team in teams}

    parts = [Part(tuple(teams), None)]
    for figure in FIGURES:
        parts = [p for part in parts for p in by_figure(part, totals, figure)]
    if withdrawn:
        parts = [p for part in parts for p in by_withdrawal(part, totals, withdrawn)]
    parts = [p for part in parts for p in by_mutual_games(part, meetings)]
    if complete:
        parts = by_lots(parts, totals, lots)

    rows = _rows(parts, totals)
    tied = tuple(part.teams for part in parts if len(part.teams) > 1)
    return Standings(rows, tied if complete else ())


def answer(document: object) -> tuple[dict[str, object], bool]:
    """Return the answer of the command ``standings``, and whether it refuses.

    Its ``lots`` are one drawn order: it settles a tied set that it names wholly.
    """
    reader = Reader()
    group = _read_standings(reader, document)
    if group is None:
        return refusal(reader.problems), True
    return group.to_json(), False


def _rows(parts: Iterable[Part[T]], totals: Table[T]) -> tuple[Row[T], ...]:
    rows: list[Row[T]] = []
    for part in parts:
        rank = len(rows) + 1
        for i, team in enumerate(part.teams):
            separation = None
            if part.cut and i == 0:
                separation = _separation(part.cut, rows[-1].team, team)
            figures = totals[team]
            row = Row(
                team=team,
                rank=rank,
                played=figures.played,
                won=figures.won,
                lost=figures.lost,
                sets_won=figures.sets_won,
                sets_lost=figures.sets_lost,
                separation=separation,
                tied_with=part.teams[:i] + part.teams[i + 1 :],
            )
            rows.append(row)
    return tuple(rows)


def _separation(cut: Cut[T], above: T, own: T) -> Separation[T]:
    table = cut.table
    return Separation(cut.criterion, cut.figure, cut.among, table[above], table[own])


_WINNERS = {"a": Side.A, "b": Side.B}


def _read_standings(reader: Reader, document: object) -> Standings[str] | None:
    members = reader.members(
        document, "", required=("teams", "games"), optional=("lots", "complete")
    )
    if members is None:
        return None
    teams = games = complete = None
    if "teams" in members:
        teams = _read_teams(reader, members["teams"], "teams")
    if "games" in members:
        games = reader.items(members["games"], "games")
    results = [
        _read_game(reader, game, join("games", i), teams)
        for i, game in enumerate(games or ())
    ]
    order = _read_teams(reader, members.get("lots", []), "lots", teams)
    if "complete" in members:
        complete = reader.flag(members["complete"], "complete")
    if teams is None or order is None or reader.problems:
        return None
    lots = [Lot(tuple(order), settles_parts=True)]
    return standings(tuple(teams), [game for game in results if game], lots, complete)


_Teams = dict[str, None]


def _read_teams(
    reader: Reader, value: object, path: str, known: _Teams | None = None
) -> _Teams | None:
    """Return the different teams of a list, in order, each one of those known."""
    items = reader.items(value, path)
    if items is None:
        return None
    teams: _Teams = {}
    for i, item in enumerate(items):
        team = _read_team(reader, item, join(path, i), known)
        if team is not None and team in teams:
            reader.refuse(Code.TEAM_TWICE, join(path, i), team=shown(team))
        elif team is not None:
            teams[team] = None
    return teams


def _read_team(
    reader: Reader, value: object, path: str, known: _Teams | None
) -> str | None:
    team = reader.text(value, path)
    if team is not None and known is not None and team not in known:
        reader.refuse(Code.UNKNOWN_TEAM, path, team=shown(team))
    return team


def _read_game(
    reader: Reader, value: object, path: str, known: _Teams | None
) -> GameResult[str] | None:
    members = reader.members(value, path, required=("a", "b", "sets", "winner"))
    if members is None:
        return None
    a, b = (
        _read_team(reader, members[side], join(path, side), known)
        if side in members
        else None
        for side in ("a", "b")
    )
    if a is not None and a == b:
        reader.refuse(Code.TEAM_AGAINST_ITSELF, path, team=shown(a))
    sets_a = sets_b = winner = None
    if "sets" in members:
        sets_a, sets_b = _read_sets(reader, members["sets"], join(path, "sets"))
    if members.get("winner") is not None:
        winner = _read_winner(reader, members["winner"], join(path, "winner"))
    if a is None or b is None or sets_a is None or sets_b is None:
        return None
    return GameResult(a, b, sets_a, sets_b, winner)


def _read_sets(
    reader: Reader, value: object, path: str
) -> tuple[int | None, int | None]:
    members = reader.members(value, path, required=("a", "b")) or {}
    a, b = (
        reader.whole(members[side], join(path, side), 0, MAX_SETS)
        if side in members
        else None
        for side in ("a", "b")
    )
    return a, b


def _read_winner(reader: Reader, value: object, path: str) -> Side | None:
    if isinstance(value, str) and value in _WINNERS:
        return _WINNERS[value]
    reader.refuse(Code.MALFORMED, path, value=shown(value), wanted="a, b or null")
    return None
