"""What a list of teams would do to a cup, line by line, before anything is saved."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from komppa.cup.models import Cup, name_key
from komppa.cup.services_teams import TeamRow, refused_rows, team_facts
from komppa.cup.team_lists import ListRow, TeamList
from komppa.cup.words_of_lists import problem_sentence, refusal_sentence
from komppa.errors import Refusal

# The same for every line, so said once above them.
_OF_ALL_LINES = {"play_started"}


@dataclass(slots=True)
class PreviewRow:
    row: ListRow
    players: tuple[str, ...]
    """One for each column."""
    is_heading: bool = False
    is_known: bool = False
    """The cup has this very team already: nothing will happen."""
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Preview:
    listed: TeamList
    rows: tuple[PreviewRow, ...]
    new: tuple[TeamRow, ...]
    """What will be saved."""
    general: tuple[str, ...] = ()
    """Why none of the new teams can be added, whatever their lines."""

    @property
    def faulty_lines(self) -> list[int]:
        return [row.row.line for row in self.rows if row.problems]

    @property
    def has_problems(self) -> bool:
        return bool(self.general or self.faulty_lines)

    @property
    def known_count(self) -> int:
        return sum(row.is_known for row in self.rows)

    @property
    def stamp(self) -> str:
        """Stands for what was seen: another one, and it must be looked at again."""
        return hashlib.sha256(repr(self.new).encode()).hexdigest()


def preview_of(
    cup: Cup, listed: TeamList, refused: Mapping[int, Sequence[Refusal]] | None = None
) -> Preview:
    """Compare a list with the cup; ``refused`` is what a failed save has said."""
    size = cup.players_per_team
    rows = [_preview_row(row, size) for row in listed.rows]
    _mark_known(cup, rows)
    readable = [row for row in rows if row.row.is_read and not row.is_known]
    new = tuple(_team_row(row.row) for row in readable)
    reasons = {**refused_rows(cup=cup, rows=new)}
    for line, more in (refused or {}).items():
        reasons.setdefault(line, list(more))
    general: dict[str, None] = {}
    for row in readable:
        for reason in reasons.get(row.row.line, ()):
            if reason.code in _OF_ALL_LINES:
                general[reason.message] = None
            else:
                row.problems.append(refusal_sentence(reason))
    headings = [_preview_row(row, size, is_heading=True) for row in listed.headings]
    return Preview(listed, (*headings, *rows), new, tuple(general))


def _preview_row(row: ListRow, size: int, *, is_heading: bool = False) -> PreviewRow:
    players = (*row.players, *[""] * (size - len(row.players)))
    problems = [problem_sentence(problem) for problem in row.problems]
    return PreviewRow(row, players, is_heading=is_heading, problems=problems)


def _mark_known(cup: Cup, rows: Sequence[PreviewRow]) -> None:
    """Find the teams that the cup has already, each at its first line."""
    teams = cup.teams.prefetch_related("players")
    stored = {team.name_key: team_facts(team) for team in teams}
    for row in rows:
        facts = {
            "name": row.row.name,
            "pot": row.row.pot,
            "players": list(row.players),
        }
        key = name_key(row.row.name)
        if not row.problems and stored.get(key) == facts:
            row.is_known = True
            del stored[key]


def _team_row(row: ListRow) -> TeamRow:
    return TeamRow(row.line, row.name, row.players, row.pot)
