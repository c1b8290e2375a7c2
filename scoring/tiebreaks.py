"""What sets level teams of a group apart, one step at a time (R9.1 to R9.5).

A *part* is teams that everything before has left level: a tied set. Each step
takes a part and returns it cut into parts, best first, or whole. Every cut keeps
the figures that made it, so that each row can tell why it is where it is (R9.7).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from scoring.sides import Side

T = TypeVar("T", bound=Hashable)


class Criterion(StrEnum):
    """What separates two rows, in the order of application."""

    WON = "won"
    SETS_WON = "sets_won"
    SETS_LOST = "sets_lost"
    WITHDRAWN = "withdrawn"
    MUTUAL_GAMES = "mutual_games"
    LOT = "lot"

    @property
    def rule(self) -> str:
        return RULES[self]


RULES = {
    Criterion.WON: "R9.1",
    Criterion.SETS_WON: "R9.2",
    Criterion.SETS_LOST: "R9.3",
    Criterion.WITHDRAWN: "R9.10",
    Criterion.MUTUAL_GAMES: "R9.4",
    Criterion.LOT: "R9.5",
}

FIGURES = (Criterion.WON, Criterion.SETS_WON, Criterion.SETS_LOST)


@dataclass(frozen=True, slots=True)
class GameResult(Generic[T]):
    """A finished game between two teams of the group."""

    a: T
    b: T
    sets_a: int
    sets_b: int
    winner: Side | None
    """Who won, whatever the sets say (R9.8); None when both lost (R9.11)."""


@dataclass(frozen=True, slots=True)
class Lot(Generic[T]):
    """A drawn order of teams, best first (R9.5)."""

    order: tuple[T, ...]

    settles_parts: bool = False
    """Whether it settles any tied set within its teams. By the rule a lot settles
    only exactly the set that it was drawn for; an order drawn once over a whole
    group, as the command line takes it, sets this."""

    def __post_init__(self) -> None:
        if len(set(self.order)) < len(self.order):
            raise ValueError(f"a team twice in a lot: {self.order!r}")


class Figures(NamedTuple):
    """What a team has from some games."""

    played: int = 0
    won: int = 0
    sets_won: int = 0
    sets_lost: int = 0

    @property
    def lost(self) -> int:
        return self.played - self.won

    def value(self, criterion: Criterion) -> int:
        """Return the figure of R9.1, R9.2 or R9.3.

        Raises:
            KeyError: It is another criterion.
        """
        return self[_INDEXES[criterion]]


NOTHING = Figures()

_INDEXES = {Criterion.WON: 1, Criterion.SETS_WON: 2, Criterion.SETS_LOST: 3}

Table = dict[T, Figures]
Meetings = dict[T, dict[T, Figures]]


@dataclass(frozen=True, slots=True)
class Cut(Generic[T]):
    """Where a tied set came apart, and the table that showed it."""

    criterion: Criterion
    figure: Criterion | None
    among: tuple[T, ...]
    table: Table[T]


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """Teams still level, and the cut between them and the part above."""

    teams: tuple[T, ...]
    cut: Cut[T] | None


def meetings_of(teams: Sequence[T], games: Iterable[GameResult[T]]) -> Meetings[T]:
    """Return what each team has from its games with each team it has met.

    Raises:
        ValueError: A team is listed twice, or a game is one of an unknown team or
            of a team against itself.
    """
    meetings: Meetings[T] = {team: {} for team in teams}
    if len(meetings) < len(teams):
        raise ValueError(f"a team twice: {teams!r}")
    for game in games:
        a, b = game.a, game.b
        if a == b or a not in meetings or b not in meetings:
            raise ValueError(f"not a game between two teams of the group: {game!r}")
        won_a, won_b = int(game.winner is Side.A), int(game.winner is Side.B)
        _add(meetings[a], b, Figures(1, won_a, game.sets_a, game.sets_b))
        _add(meetings[b], a, Figures(1, won_b, game.sets_b, game.sets_a))
    return meetings


def _add(met: Table[T], opponent: T, figures: Figures) -> None:
    known = met.get(opponent)
    met[opponent] = total((known, figures)) if known else figures


def total(figures: Iterable[Figures]) -> Figures:
    """Return the figures added up."""
    return Figures(*map(sum, zip(NOTHING, *figures, strict=True)))


def have_all_met(teams: Sequence[T], meetings: Meetings[T]) -> bool:
    """Return whether every pair of the teams has at least one game."""
    # The count goes first: it alone settles a large group with few games.
    return all(
        len(meetings[team]) >= len(teams) - 1
        and all(other in meetings[team] for other in teams if other != team)
        for team in teams
    )


def _split(part: Part[T], cut: Cut[T], places: dict[T, int]) -> list[Part[T]]:
    """Return the part in pieces by ascending place, the cut between each two."""
    pieces: dict[int, list[T]] = {}
    for team in part.teams:
        pieces.setdefault(places[team], []).append(team)
    return [
        Part(tuple(pieces[place]), cut if i else part.cut)
        for i, place in enumerate(sorted(pieces))
    ]


def by_figure(
    part: Part[T],
    table: Table[T],
    figure: Criterion,
    criterion: Criterion | None = None,
) -> list[Part[T]]:
    """Cut a part by one figure of a table (R9.1, R9.2, R9.3).

    ``criterion`` is what the rows are told, the figure itself if left out.
    """
    sign = 1 if figure is Criterion.SETS_LOST else -1
    places = {team: sign * table[team].value(figure) for team in part.teams}
    cut = Cut(criterion or figure, figure, part.teams, table)
    return _split(part, cut, places)


def by_withdrawal(
    part: Part[T], totals: Table[T], withdrawn: Collection[T]
) -> list[Part[T]]:
    """Cut those who withdrew but keep their games from the others (R9.10)."""
    places = {team: int(team in withdrawn) for team in part.teams}
    cut = Cut(Criterion.WITHDRAWN, None, part.teams, totals)
    return _split(part, cut, places)


def by_mutual_games(part: Part[T], meetings: Meetings[T]) -> list[Part[T]]:
    """Cut a part by its own games, as far as they go (R9.4).

    Not at all unless every pair of it has met; then every pair of a smaller part
    has met too. One figure cuts, and each part starts over with its own games.
    """
    if len(part.teams) == 1 or not have_all_met(part.teams, meetings):
        return [part]
    level = []
    # A stack and not recursion: a large group may come apart team by team.
    waiting = [(part, _mutual(part.teams, part.teams, meetings))]
    while waiting:
        part, table = waiting.pop()
        splits = (
            by_figure(part, table, figure, Criterion.MUTUAL_GAMES) for figure in FIGURES
        )
        pieces = next((split for split in splits if len(split) > 1), [])
        if not pieces:
            level.append(part)
        for piece in reversed(pieces):
            waiting.append((piece, _narrowed(table, piece.teams, meetings)))
    return level


def _mutual(
    teams: Iterable[T], opponents: Sequence[T], meetings: Meetings[T]
) -> Table[T]:
    """Return what the teams have from their games with these opponents only."""
    return {
        team: total([meetings[team][other] for other in opponents if other != team])
        for team in teams
    }


def _narrowed(table: Table[T], part: Sequence[T], meetings: Meetings[T]) -> Table[T]:
    """Return the mutual table of a part, given that of the whole tied set.

    Either the games inside are added up or those with the rest taken off,
    whichever are fewer: each game is then looked at few times, not once a cut.
    """
    inside = set(part)
    rest = [team for team in table if team not in inside]
    if len(part) <= len(rest):
        return _mutual(part, part, meetings)
    off = _mutual(part, rest, meetings)
    return {
        team: Figures(*(x - y for x, y in zip(table[team], off[team], strict=True)))
        for team in part
    }


def by_lots(
    parts: Iterable[Part[T]], totals: Table[T], lots: Iterable[Lot[T]]
) -> list[Part[T]]:
    """Cut each part that one of the lots settles; the first that does (R9.5)."""
    drawn = [(lot, {team: i for i, team in enumerate(lot.order)}) for lot in lots]
    settled = []
    for part in parts:
        places = _places(part.teams, drawn)
        cut = Cut(Criterion.LOT, None, part.teams, totals)
        settled += _split(part, cut, places) if places else [part]
    return settled


def _places(
    tied: tuple[T, ...], drawn: list[tuple[Lot[T], dict[T, int]]]
) -> dict[T, int] | None:
    for lot, places in drawn:
        fits = lot.settles_parts or len(places) == len(tied)
        if fits and len(tied) > 1 and all(team in places for team in tied):
            return places
    return None
