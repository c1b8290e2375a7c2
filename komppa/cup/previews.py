"""What a change would move: the change itself, made and taken back.

``preview`` runs a service in a transaction that never commits and compares the cup
before and after, so that what is shown before saving is what saving does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db import transaction

from komppa.cup.models import Cup, Team
from komppa.cup.qualifying import bracket_games, champion_of, knockout_of
from komppa.cup.queries import GroupStanding, games_of, group_standings
from komppa.cup.verdicts import verdict_of
from scoring.sides import ZERO, Pair, Side

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class GamePicture:
    """A game as the standings and the bracket see it."""

    names: Pair[str]
    """Empty for a team that is not known."""
    sets: Pair[int]
    points: Pair[int]
    """The score of the running set; 0-0 once the game is over."""
    winner: Side | None
    how: str
    """How it ended, a ``verdicts.How``; empty while it is open."""
    in_conflict: bool

    @property
    def winner_name(self) -> str:
        return self.names[self.winner] if self.winner else ""


@dataclass(frozen=True, slots=True)
class RowPicture:
    """A team's line in its group."""

    rank: int | None
    """None for one that has left the order."""
    is_tied: bool
    won: int
    lost: int
    sets_won: int
    sets_lost: int


@dataclass(frozen=True, slots=True)
class CupPicture:
    games: Mapping[int, GamePicture]
    """By number."""
    rows: Mapping[tuple[str, str], RowPicture]
    """By the names of group and team."""
    slots: Mapping[tuple[int, Side], str]
    """The team in each side of each bracket game, by its number; empty if open."""
    champion: str


@dataclass(frozen=True, slots=True)
class Moved(Generic[K, V]):
    """Something that is another thing afterwards; None where it is not there."""

    key: K
    old: V | None
    new: V | None


@dataclass(frozen=True, slots=True)
class Moves:
    """Everything outside the changed thing itself that a change moves."""

    games: tuple[Moved[int, GamePicture], ...]
    rows: tuple[Moved[tuple[str, str], RowPicture], ...]
    slots: tuple[Moved[tuple[int, Side], str], ...]
    conflicts: tuple[int, ...]
    """Numbers of the games that come into conflict."""
    settled_conflicts: tuple[int, ...]
    champion: Moved[str, str] | None

    def __bool__(self) -> bool:
        return bool(self.games or self.rows or self.slots or self.champion)


def picture_of(cup: Cup) -> CupPicture:
    standings = group_standings(cup)
    bracket = list(bracket_games(cup))
    states = knockout_of(cup, bracket, standings)
    games = {}
    for game in games_of(cup):
        verdict = verdict_of(game, cup)
        state = states.get(game.pk)
        games[game.number] = GamePicture(
            names=Pair(_name(game.team_a), _name(game.team_b)),
            sets=verdict.sets if verdict else game.sets,
            points=ZERO if verdict else game.points,
            winner=verdict.winner if verdict else None,
            how=verdict.how.value if verdict else "",
            in_conflict=state is not None and state.in_conflict,
        )
    names = dict(cup.teams.values_list("pk", "name"))
    slots = {
        (game.number, side): names.get(states[game.pk].slots[side].team or 0, "")
        for game in bracket
        for side in Side
    }
    champion = champion_of(bracket, states)
    return CupPicture(
        games=games,
        rows={key: row for s in standings for key, row in _rows(s)},
        slots=slots,
        champion=names[champion] if champion else "",
    )


def compare(before: CupPicture, after: CupPicture) -> Moves:
    now, then = _in_conflict(before), _in_conflict(after)
    return Moves(
        games=_moved(before.games, after.games),
        rows=_moved(before.rows, after.rows),
        slots=_moved(before.slots, after.slots),
        conflicts=tuple(sorted(then - now)),
        settled_conflicts=tuple(sorted(now - then)),
        champion=Moved("champion", before.champion, after.champion)
        if before.champion != after.champion
        else None,
    )


def preview(cup: Cup, act: Callable[[], object]) -> Moves:
    """Return what the act would move; nothing of it stays. Raises as the act does."""
    with transaction.atomic():
        # Not the caller's cup: what he has fetched of it may be old.
        before = picture_of(Cup.objects.select_for_update().get(pk=cup.pk))
        with transaction.atomic():
            act()
            after = picture_of(Cup.objects.get(pk=cup.pk))
        transaction.set_rollback(True)
    return compare(before, after)


def _name(team: Team | None) -> str:
    return team.name if team else ""


def _rows(standing: GroupStanding) -> Iterator[tuple[tuple[str, str], RowPicture]]:
    group = standing.group.name
    for row in standing.rows:
        yield (
            (group, row.team.name),
            RowPicture(
                rank=row.rank,
                is_tied=row.is_tied,
                won=row.won,
                lost=row.lost,
                sets_won=row.sets_won,
                sets_lost=row.sets_lost,
            ),
        )
    for team in standing.withdrawn:
        yield (group, team.name), RowPicture(None, False, 0, 0, 0, 0)


def _in_conflict(picture: CupPicture) -> set[int]:
    return {number for number, game in picture.games.items() if game.in_conflict}


def _moved(before: Mapping[K, V], after: Mapping[K, V]) -> tuple[Moved[K, V], ...]:
    keys = [*before, *(key for key in after if key not in before)]
    return tuple(
        Moved(key, before.get(key), after.get(key))
        for key in keys
        if before.get(key) != after.get(key)
    )
