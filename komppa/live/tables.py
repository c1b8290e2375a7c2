"""The tables of a group: the standings, why they are so, and who beat whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import django_tables2 as tables
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from komppa import words
from komppa.cup.models import Team
from komppa.cup.queries import GroupStanding, StandingRow
from komppa.live.boards import Board, State
from scoring.standings import Criterion


def _head(label: Any, title: Any) -> SafeString:
    return format_html(
        '<abbr aria-hidden="true" title="{1}">{0}</abbr>'
        '<span class="visually-hidden">{1}</span>',
        label,
        title,
    )


class _Figure(tables.Column):  # type: ignore[misc]
    """A column of figures, its header an abbreviation that says what it counts."""

    def __init__(self, label: Any, title: Any) -> None:
        super().__init__(
            attrs={"th": {"class": "number"}, "td": {"class": "number"}},
        )
        self._label, self._title = label, title

    @property
    def header(self) -> SafeString:
        return _head(self._label, self._title)


class StandingsTable(tables.Table):  # type: ignore[misc]
    """A sarjataulukko; never re-sorted, since a rank is what the order means."""

    rank = _Figure("#", gettext_lazy("sija"))
    team = tables.Column(verbose_name=gettext_lazy("Joukkue"))
    played = _Figure(pgettext_lazy("sarake", "P"), gettext_lazy("pelit"))
    won = _Figure(pgettext_lazy("sarake", "V"), gettext_lazy("voitot"))
    lost = _Figure(pgettext_lazy("sarake", "H"), gettext_lazy("häviöt"))
    sets_won = _Figure(pgettext_lazy("sarake", "E+"), gettext_lazy("voitetut erät"))
    sets_lost = _Figure(pgettext_lazy("sarake", "E–"), gettext_lazy("hävityt erät"))

    class Meta:
        orderable = False
        template_name = "live/_standings_table.html"
        attrs = {"class": "table standings"}
        row_attrs = {
            "class": lambda record, table: table.row_class(record),
            "data-key": lambda record: f"team-{record.team.pk}",
        }

    def __init__(
        self,
        standing: GroupStanding,
        *,
        qualifiers: int,
        exclude: Sequence[str] = (),
    ) -> None:
        super().__init__(standing.rows, exclude=exclude)
        self.standing = standing
        self.qualifiers = qualifiers
        self.has_begun = any(row.played for row in standing.rows)
        above = [r for r in standing.rows if r.rank <= qualifiers]
        # A line after everybody would part nobody.
        self._last_above = above[-1] if len(above) < len(standing.rows) else None

    def row_class(self, row: StandingRow) -> str:
        names = []
        if row.goes_on and not row.team.withdrawn:
            names.append("goes-on")
        if row is self._last_above:
            names.append("last-above")
        return " ".join(names)

    def render_rank(self, record: StandingRow) -> str:
        if not self.has_begun:
            return "–"
        return f"{record.rank}=" if record.is_tied else str(record.rank)

    def render_team(self, record: StandingRow) -> SafeString:
        return format_html(
            '<span class="standing-team"><span class="team-name">{}</span>'
            '<span class="standing-marks">{}{}</span></span>',
            record.team.name,
            _form(record.form),
            self._mark(record),
        )

    def _mark(self, row: StandingRow) -> SafeString | str:
        if row.team.withdrawn:
            return format_html('<span class="tag tag-quiet">{}</span>', _("vetäytynyt"))
        if row.goes_on:
            return format_html('<span class="tag tag-good">✓ {}</span>', _("jatkoon"))
        if row.is_tied and self.standing.is_complete:
            return format_html('<span class="tag tag-alert">= {}</span>', _("tasan"))
        return ""


def _form(form: Sequence[bool]) -> SafeString | str:
    """Return a group's games as marks: filled and up for a win, hollow for a loss."""
    if not form:
        return ""
    said = ", ".join(_("voitto") if won else _("häviö") for won in form)
    marks = format_html_join(
        "", '<i class="{}"></i>', (("won" if won else "lost",) for won in form)
    )
    return format_html(
        '<span class="form" role="img" aria-label="{}">{}</span>',
        _("Pelit järjestyksessä: %(form)s") % {"form": said},
        marks,
    )


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence about the order, and the rule behind it."""

    text: str
    rule: str
    waits_for_lot: bool = False


def reasons_of(standing: GroupStanding) -> list[Reason]:
    """Return why each row is where it is, from the top (R9.6, R9.7)."""
    if not any(row.played for row in standing.rows):
        return []
    names = {row.team.pk: row.team.name for row in standing.rows}
    reasons = []
    told: set[frozenset[int]] = set()
    for index, row in enumerate(standing.rows):
        if row.separation is not None:
            reasons.append(
                Reason(
                    words.separation_sentence(
                        row.separation,
                        above=standing.rows[index - 1].team.name,
                        own=row.team.name,
                        among=[names[pk] for pk in row.separation.among],
                    ),
                    row.separation.criterion.rule,
                )
            )
        tied = frozenset({row.team.pk, *(team.pk for team in row.tied_with)})
        if row.is_tied and tied not in told:
            told.add(tied)
            reasons.append(_tie(standing, tied))
    return reasons


def _tie(standing: GroupStanding, tied: frozenset[int]) -> Reason:
    names = [row.team.name for row in standing.rows if row.team.pk in tied]
    text = words.tie_sentence(names, complete=standing.is_complete)
    rule = Criterion.LOT.rule if standing.is_complete else "R9.6"
    return Reason(text, rule, waits_for_lot=standing.is_complete)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game as one of its teams sees it in the cross table."""

    board: Board
    own_sets: int
    other_sets: int
    has_won: bool

    @property
    def is_shown(self) -> bool:
        return self.board.state is State.FINISHED and self.board.counts

    @property
    def is_annulled(self) -> bool:
        return self.board.state is State.FINISHED and not self.board.counts

    @property
    def is_in_play(self) -> bool:
        return self.board.state is State.IN_PLAY


@dataclass(frozen=True, slots=True)
class CrossCell:
    opponent: Team
    is_self: bool
    meetings: tuple[Meeting, ...]


@dataclass(frozen=True, slots=True)
class CrossRow:
    number: int
    team: Team
    cells: tuple[CrossCell, ...]


def cross_table(standing: GroupStanding, boards: Iterable[Board]) -> list[CrossRow]:
    """Return who beat whom, in the order of the standings."""
    met: dict[tuple[int, int], list[Meeting]] = defaultdict(list)
    for board in boards:
        for own, other in ((board.a, board.b), (board.b, board.a)):
            if own.team and other.team:
                met[own.team.pk, other.team.pk].append(
                    Meeting(board, own.sets, other.sets, own.has_won)
                )
    teams = [row.team for row in standing.rows]
    return [
        CrossRow(
            number,
            team,
            tuple(
                CrossCell(other, other.pk == team.pk, tuple(met[team.pk, other.pk]))
                for other in teams
            ),
        )
        for number, team in enumerate(teams, start=1)
    ]
