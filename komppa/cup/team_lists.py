"""A list of teams as people send it: bytes to text, text to rows. Pure.

A *line* is numbered as in an editor, blank ones counted. A *layout* is what separates
the facts of a team on its line; found by looking at all lines, unless it is given.
Nothing here refuses a list: every line comes out as a row that tells what is wrong
with it. What a name may be is the services' to say.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

LONGEST_LINE = 2000
LONGEST_SHOWN = 40
UNREADABLE = "\N{REPLACEMENT CHARACTER}"
"""Stands for whatever could not be read."""

# No list holds these two: a list's own become spaces.
_NO_DELIMITER, _END = "\x1e", "\x1f"
_SPACES = re.compile(r"[\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")
_JUNK = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")
_MOST_JUNK = 0.3
_NO_TEXT = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF")
_BLANK = " \t;,\N{NO-BREAK SPACE}"
# The last dash, since a name of a team has one more often than a player's.
_DASH = re.compile(r"(.+)(?: [–—-]+ |: )(.+)")
_TOGETHER = re.compile(r" ?[,;&+/] ?| (?:ja|och|and) ", re.IGNORECASE)

_SEPARATOR_LINE = re.compile(r'"?sep=([;,\t])"?', re.IGNORECASE)
_TEAM_WORDS = {
    *("joukkue", "joukkueet", "joukkueen nimi", "team", "teams", "team name"),
    *("lag", "lagnamn", "lagets namn"),
}
# A team's only where no other column is: it may be a person's.
_NAME_WORDS = {"nimi", "name", "namn"}
_PLAYER = re.compile(
    r"(?:(\d)\.? ?)?(?:pelaajat?|players?|spelare|spelarna)(?: ?(\d)\.?)?"
)
_POT_WORDS = {"kori", "korit", "pot", "pott", "korg"}
_POT = re.compile(r"(?:(?:kori|pott?|korg)\s*)?(\d{1,3})\.?", re.ASCII | re.IGNORECASE)


class NotText(ValueError):
    """The bytes are no text: a workbook, a picture."""


class Layout(StrEnum):
    TAB = "tab"
    SEMICOLON = "semicolon"
    DASH = "dash"
    """Team – Player, Player"""
    COMMA = "comma"
    NAMES = "names"
    """Nothing but the names of teams."""


_DELIMITERS = {Layout.TAB: "\t", Layout.SEMICOLON: ";", Layout.COMMA: ","}
_LAYOUTS = {delimiter: layout for layout, delimiter in _DELIMITERS.items()}


class Code(StrEnum):
    QUOTE_OPEN = "quote_open"
    UNREADABLE = "unreadable"
    LINE_TOO_LONG = "line_too_long"
    EXTRA = "extra"
    NOT_A_POT = "not_a_pot"
    TOO_MANY_ROWS = "too_many_rows"


@dataclass(frozen=True, slots=True)
class Problem:
    code: Code
    text: str = ""
    """What was wrong, shortened."""
    most: int = 0
    last: int = 0
    """The last line that it concerns, where there are many."""


@dataclass(frozen=True, slots=True)
class ListRow:
    line: int
    name: str
    players: tuple[str, ...] = ()
    pot: int | None = None
    problems: tuple[Problem, ...] = ()
    is_read: bool = True
    """Whether its parts could be told apart; if not, the name is the whole line."""


@dataclass(frozen=True, slots=True)
class TeamList:
    layout: Layout
    rows: tuple[ListRow, ...]
    headings: tuple[ListRow, ...] = ()
    unused: tuple[str, ...] = ()
    """Headings of the columns that tell nothing we keep."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a cup takes."""

    players: int
    """In a team."""
    rows: int
    pots: int


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class _Columns:
    team: int
    players: tuple[int, ...]
    pot: int | None = None
    unused: tuple[int, ...] = ()

    @property
    def all(self) -> set[int | None]:
        return {self.team, *self.players, self.pot, *self.unused}


def decode(data: bytes) -> tuple[str, str]:
    """Return the readable text of a file, and the name of its encoding."""
    if data.startswith(_NO_TEXT):
        raise NotText
    text, encoding = _decoded(data)
    text = readable(text)
    if text.count(UNREADABLE) > _MOST_JUNK * len(text):
        raise NotText
    return text, encoding


def readable(text: str) -> str:
    """Return the text with its lines ended alike and no sign that cannot be stored."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text = _JUNK.sub(UNREADABLE, _SPACES.sub(" ", text))
    return unicodedata.normalize("NFC", text)


def parse(text: str, limits: Limits, layout: Layout | None = None) -> TeamList:
    """Read every line of a readable text."""
    lines = [
        _Line(number, line)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.replace('""', "").strip(_BLANK)
    ]
    headings = []
    columns: _Columns | None = None
    unused: tuple[str, ...] = ()
    if lines and (said := _SEPARATOR_LINE.fullmatch(lines[0].text.strip(" "))):
        headings.append(lines.pop(0))
        layout = layout or _LAYOUTS[said[1]]
    if lines and (found := _heading(lines[0].text, layout, limits.players)):
        headings.append(lines.pop(0))
        layout, columns, unused = found
    lines, beyond = lines[: limits.rows], lines[limits.rows :]
    layout = layout or _found_layout(lines, limits.players)
    cells = [_cells(line.text, layout) for line in lines]
    columns = columns or _usual_columns(layout, cells, limits.players)
    rows = [
        _row(line, parts, columns, limits)
        for line, parts in zip(lines, cells, strict=True)
    ]
    if layout in _DELIMITERS:
        rows = _players_apart(rows, limits.players)
    if beyond:
        rows.append(_too_many(beyond, limits))
    return TeamList(
        layout,
        tuple(rows),
        tuple(ListRow(line.number, _tidy(line.text)) for line in headings),
        unused,
    )


def _decoded(data: bytes) -> tuple[str, str]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), "UTF-16"
    try:
        return data.decode("utf-8-sig"), "UTF-8"
    except UnicodeDecodeError:
        damaged = data.decode("utf-8-sig", "replace")
    # Letters of Windows-1252 hardly ever happen to be whole characters of UTF-8.
    whole = sum(sign > "\x7f" and sign != UNREADABLE for sign in damaged)
    if whole > 3 * damaged.count(UNREADABLE):
        return damaged, "UTF-8"
    return data.decode("cp1252", "replace"), "Windows-1252"


def _heading(
    text: str, layout: Layout | None, players: int
) -> tuple[Layout | None, _Columns | None, tuple[str, ...]] | None:
    """Return what a line of headings tells, None if it is no such line."""
    for tried in [layout] if layout else Layout:
        cells = [_tidy(cell) for cell in _cells(text, tried) or ()]
        columns = _heading_columns(cells, players)
        if columns and tried is Layout.DASH:
            return tried, None, ()
        if columns:
            return tried, columns, tuple(cells[index] for index in columns.unused)
    # A title over the names says nothing of what is on the lines.
    return (layout, None, ()) if _word(text) in _TEAM_WORDS | _NAME_WORDS else None


def _heading_columns(cells: Sequence[str], players: int) -> _Columns | None:
    words = {index: word for index, cell in enumerate(cells) if (word := _word(cell))}
    teams = [index for index, word in words.items() if word in _TEAM_WORDS]
    names = [index for index, word in words.items() if word in _NAME_WORDS]
    pots = [index for index, word in words.items() if word in _POT_WORDS]
    numbered: list[tuple[int, int]] = []
    for index, word in words.items():
        if said := _PLAYER.fullmatch(word):
            numbered.append((int(said[1] or said[2] or len(numbered) + 1), index))
    if len(words) < 2 or not (teams or names):
        return None
    team = (teams or names)[0]
    named = [index for _number, index in sorted(numbered)]
    if named == [len(cells) - 1]:
        # One heading over the columns of all players.
        named = list(range(named[0], named[0] + players))
    pot = pots[0] if pots else None
    used = {team, *named, pot}
    return _Columns(team, tuple(named), pot, tuple(n for n in words if n not in used))


def _found_layout(lines: Sequence[_Line], players: int) -> Layout:
    """Return the layout that most lines are in; of equals the likelier."""
    parted = {
        layout: [
            cells
            for line in lines
            if (cells := _cells(line.text, layout)) and len(cells) > 1
        ]
        for layout in (Layout.TAB, Layout.SEMICOLON, Layout.DASH, Layout.COMMA)
    }
    if not _are_teams_and_players(parted[Layout.DASH], players, len(lines)):
        parted[Layout.DASH] = []
    layout, fitting = max(parted.items(), key=lambda item: len(item[1]))
    # One comma in a long list belongs to a name.
    is_enough = len(fitting) > 1 or 2 * len(fitting) >= len(lines) > 0
    return layout if is_enough else Layout.NAMES


def _are_teams_and_players(
    parted: Sequence[Sequence[str]], players: int, lines: int
) -> bool:
    """Return whether the dashes of these lines are no part of the teams' names."""
    whole = [
        cells
        for cells in parted
        if len(cells) == 1 + players and not {",", ";", "\t"} & set(cells[0])
    ]
    # A single word after a dash may be anything.
    return len(whole) == lines if players == 1 else 2 * len(whole) >= len(parted)


def _cells(text: str, layout: Layout) -> list[str] | None:
    """Return the parts of a line, None where they cannot be told apart."""
    if len(text) > LONGEST_LINE:
        return None
    if layout is Layout.DASH:
        text = _tidy(text)
        parted = _DASH.fullmatch(text)
        return [parted[1], *_TOGETHER.split(parted[2])] if parted else [text]
    delimiter = _DELIMITERS.get(layout, _NO_DELIMITER)
    # An open quote swallows what follows it, the mark of the end as well.
    marked = f"{text}{delimiter}{_END}"
    *cells, end = next(csv.reader([marked], delimiter=delimiter, skipinitialspace=True))
    return cells if end == _END else None


def _usual_columns(
    layout: Layout, cells: Sequence[Sequence[str] | None], players: int
) -> _Columns:
    """Return the columns of a list that has no headings."""
    width = max((_width(parts) for parts in cells if parts), default=1)
    if layout not in _DELIMITERS:
        return _Columns(0, tuple(range(1, width)))
    last = [
        parts[width - 1].strip() for parts in cells if parts and len(parts) >= width
    ]
    if 1 < width <= players + 1 and any(last) and all(map(_is_pot_or_none, last)):
        return _Columns(0, tuple(range(1, width - 1)), width - 1)
    return _Columns(0, tuple(range(1, players + 1)), players + 1)


def _is_pot_or_none(text: str) -> bool:
    return not text or _POT.fullmatch(text) is not None


def _width(cells: Sequence[str]) -> int:
    """Return how many columns there are up to the last that holds something."""
    filled = [number for number, cell in enumerate(cells, start=1) if cell.strip()]
    return filled[-1] if filled else 0


def _row(
    line: _Line, cells: Sequence[str] | None, columns: _Columns, limits: Limits
) -> ListRow:
    problems = []
    if UNREADABLE in line.text:
        problems.append(Problem(Code.UNREADABLE))
    if cells is None:
        is_long = len(line.text) > LONGEST_LINE
        problems.append(Problem(Code.LINE_TOO_LONG if is_long else Code.QUOTE_OPEN))
        text = _tidy(line.text[:LONGEST_LINE])
        return ListRow(line.number, text, problems=tuple(problems), is_read=False)
    found = dict(enumerate(map(_tidy, cells)))
    players = [found.get(index, "") for index in columns.players]
    while players and not players[-1]:
        players.pop()
    pot = found.get(columns.pot, "") if columns.pot is not None else ""
    said = _POT.fullmatch(pot)
    number = int(said[1]) if said else None
    if pot and not (number and number <= limits.pots):
        problems.append(Problem(Code.NOT_A_POT, _shortened(pot), most=limits.pots))
        number = None
    if extra := [text for n, text in found.items() if text and n not in columns.all]:
        problems.append(Problem(Code.EXTRA, _shortened(", ".join(extra))))
    name = found.get(columns.team, "")
    return ListRow(line.number, name, tuple(players), number, tuple(problems))


def _players_apart(rows: Sequence[ListRow], players: int) -> list[ListRow]:
    """Part the names that were written together: Aino, Väinö in one column."""
    parted = {
        row.line: tuple(_TOGETHER.split(row.players[0]))
        for row in rows
        if len(row.players) == 1
    }
    pairs = sum(len(names) == players for names in parted.values())
    named = sum(bool(row.players) for row in rows)
    if players == 1 or len(parted) < named or 2 * pairs < named:
        return list(rows)
    return [replace(row, players=parted.get(row.line, ())) for row in rows]


def _too_many(beyond: Sequence[_Line], limits: Limits) -> ListRow:
    problem = Problem(Code.TOO_MANY_ROWS, most=limits.rows, last=beyond[-1].number)
    text = _shortened(beyond[0].text)
    return ListRow(beyond[0].number, text, problems=(problem,), is_read=False)


def _word(text: str) -> str:
    """Return a heading as the sets of headings have it."""
    return _tidy(text.strip(f'{_BLANK}"').replace("_", " ")).rstrip(":.").casefold()


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _shortened(text: str) -> str:
    text = _tidy(text[: 10 * LONGEST_SHOWN])
    is_long = len(text) > LONGEST_SHOWN
    return text[: LONGEST_SHOWN - 1].rstrip() + "…" if is_long else text
