"""What a change would move, as rows to show before it is saved; see ``previews``."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from django.utils.translation import gettext as _

from komppa.cup.previews import GamePicture, Moved, Moves, RowPicture
from komppa.cup.verdicts import How
from komppa.cup.words_of_games import end_words
from komppa.words import default_names
from scoring.sides import ZERO, Side

NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Change:
    """One cell before and after."""

    old: str
    new: str

    @property
    def is_moved(self) -> bool:
        return self.old != self.new


@dataclass(frozen=True, slots=True)
class ToldGame:
    number: int
    teams: str
    state: Change


@dataclass(frozen=True, slots=True)
class ToldRow:
    """A team's line in the standings of its group."""

    group: str
    team: str
    rank: Change
    won: Change
    lost: Change
    sets: Change


@dataclass(frozen=True, slots=True)
class ToldSlot:
    number: int
    side: str
    team: Change


@dataclass(frozen=True, slots=True)
class ToldMoves:
    """``Moves`` in words; ``stamp`` tells them from any others."""

    games: tuple[ToldGame, ...]
    rows: tuple[ToldRow, ...]
    slots: tuple[ToldSlot, ...]
    conflicts: tuple[str, ...]
    """A warning for each game that comes into conflict."""
    settled_conflicts: tuple[str, ...]
    champion: Change | None
    stamp: str

    def __bool__(self) -> bool:
        return bool(
            self.games
            or self.rows
            or self.slots
            or self.conflicts
            or self.settled_conflicts
            or self.champion
        )


def told_moves(moves: Moves) -> ToldMoves:
    games = sorted(moves.games, key=lambda moved: moved.key)
    return ToldMoves(
        games=tuple(told for moved in games if (told := _game(moved)).state.is_moved),
        rows=tuple(_row(moved) for moved in _in_order(moves.rows)),
        slots=tuple(_slot(m) for m in sorted(moves.slots, key=lambda m: m.key)),
        conflicts=tuple(_conflict(number, moves) for number in moves.conflicts),
        settled_conflicts=tuple(
            _("P%(number)d ei ole enää ristiriidassa.") % {"number": number}
            for number in moves.settled_conflicts
        ),
        champion=_champion(moves.champion) if moves.champion else None,
        stamp=stamp_of(moves),
    )


def stamp_of(moves: Moves) -> str:
    """Return what tells these moves from any others, whatever the language."""
    return hashlib.sha256(repr(moves).encode()).hexdigest()[:16]


def game_words(game: GamePicture) -> str:
    """Return where a game stands, or how it ended, without a full stop."""
    if not game.how:
        return _open(game)
    return end_words(
        How(game.how), winner=game.winner, team=game.winner_name, sets=game.sets
    )


def _open(game: GamePicture) -> str:
    if game.sets == ZERO and game.points == ZERO:
        return _("Ei vielä tulosta")
    return _("Kesken: erät %(sets)s, erän pisteet %(points)s") % {
        "sets": f"{game.sets.a}–{game.sets.b}",
        "points": f"{game.points.a}–{game.points.b}",
    }


def _game(moved: Moved[int, GamePicture]) -> ToldGame:
    shown = moved.new or moved.old
    old = game_words(moved.old) if moved.old else NOTHING
    if moved.new is None:
        new = _("Peli poistuu")
    elif moved.old is None and not moved.new.how:
        new = _("Uusi peli")
    else:
        new = game_words(moved.new)
    return ToldGame(moved.key, _teams(shown) if shown else "", Change(old, new))


def _teams(game: GamePicture) -> str:
    unknown = _("ei vielä selvillä")
    return f"{game.names.a or unknown} – {game.names.b or unknown}"


def _in_order(
    rows: tuple[Moved[tuple[str, str], RowPicture], ...],
) -> list[Moved[tuple[str, str], RowPicture]]:
    """Return the rows by group, each group as it will stand."""

    def place(moved: Moved[tuple[str, str], RowPicture]) -> tuple[str, int]:
        shown = moved.new or moved.old
        # Those who have left the order are listed below it.
        return moved.key[0], shown.rank or 1000 if shown else 1000

    return sorted(rows, key=place)


def _row(moved: Moved[tuple[str, str], RowPicture]) -> ToldRow:
    group, team = moved.key
    cells = zip(_cells(moved.old), _cells(moved.new), strict=True)
    rank, won, lost, sets = (Change(old, new) for old, new in cells)
    return ToldRow(group, team, rank, won, lost, sets)


def _cells(row: RowPicture | None) -> tuple[str, str, str, str]:
    if row is None:
        return (NOTHING,) * 4
    if row.rank is None:
        return (_("vetäytynyt"), *(NOTHING,) * 3)
    rank = _("%(rank)d. (tasan)") if row.is_tied else "%(rank)d."
    return (
        rank % {"rank": row.rank},
        str(row.won),
        str(row.lost),
        f"{row.sets_won}–{row.sets_lost}",
    )


def _slot(moved: Moved[tuple[int, Side], str]) -> ToldSlot:
    number, side = moved.key
    unknown = _("ei vielä selvillä")
    old, new = (
        NOTHING if team is None else team or unknown for team in (moved.old, moved.new)
    )
    return ToldSlot(number, default_names()[side], Change(old, new))


def _conflict(number: int, moves: Moves) -> str:
    found = [m.new for m in moves.games if m.key == number and m.new]
    return _(
        "P%(number)d (%(teams)s) joutuu ristiriitaan: sen pelasivat muut kuin ne, "
        "jotka siihen nyt kuuluisivat. Se ei vie ketään eteenpäin, ennen kuin "
        "vahvistat tai mitätöit sen."
    ) % {"number": number, "teams": _teams(found[0]) if found else NOTHING}


def _champion(moved: Moved[str, str]) -> Change:
    unknown = _("ei vielä selvillä")
    return Change(moved.old or unknown, moved.new or unknown)
