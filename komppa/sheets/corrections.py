"""The organiser's correction of a game's deals: all of it at once, or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid5

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from komppa.cup.changes import changing, needed_reason, write_log
from komppa.cup.models import Game
from komppa.cup.services import write_seats
from komppa.errors import Refusal
from komppa.sheets.following import let_records_follow
from komppa.sheets.models import DealEntry
from komppa.sheets.queries import Course, course_of, seating, standing_records
from komppa.sheets.revisions import (
    NewVersion,
    Row,
    new_numbers,
    new_versions,
    restored,
)
from komppa.sheets.services import (
    SheetRefused,
    append_entry,
    lock_game,
    refold,
    refuse_archived,
)
from scoring.game import GameState, examine
from scoring.problems import Problem
from scoring.sheet import read_sheet

MOST_DEALS = 500
"""More than any game has; a longer draft is none that our page made."""


@dataclass(frozen=True, slots=True)
class Corrected:
    entries: tuple[DealEntry, ...]
    is_repeat: bool
    """Whether this very request had been answered before."""


class CorrectionConflict(Refusal):
    """The game's deals are no longer those that the organiser saw."""


def standing_rows(course: Course) -> tuple[Row, ...]:
    """Return the game's deals as the draft of a correction begins."""
    return tuple(
        Row(deal.entry.number, deal.entry.sheet or {}) for deal in course.deals
    )


def restored_draft(
    game: Game, draft: Sequence[Row], entry: DealEntry
) -> tuple[Row, ...]:
    """Return the draft with a version of old in force again.

    A number may have had several deals. Of a version from before the record of the
    present one was attached nobody knows that it is the same deal, so it is taken for
    another.
    """
    record = standing_records(game).get(entry.number)
    is_other = record is not None and entry.version < record.version
    return restored(draft, entry.number, entry.sheet, is_other_deal=is_other)


def examine_draft(
    game: Game, draft: Sequence[Row]
) -> tuple[GameState, dict[int, list[Problem]]]:
    """Return the game after the draft, as far as it is sound, and each row's problems.

    The paths of the problems are as seen from the sheet.
    """
    readings = [read_sheet(row.facts, game.cup.rules) for row in draft]
    state, problems = examine(readings, game.cup.rules, game.sets_to_win)
    return state, by_row(problems)


def by_row(problems: Iterable[Problem]) -> dict[int, list[Problem]]:
    """Return the problems of a whole game by the index of their deal."""
    found: dict[int, list[Problem]] = {}
    for problem in problems:
        _deals, index, *rest = problem.path.split("/")
        own = Problem(problem.code, "/".join(rest), problem.figures)
        found.setdefault(int(index), []).append(own)
    return found


def correct_deals(
    *,
    game: Game,
    draft: Sequence[Row],
    seen: int,
    key: UUID,
    by: User | None,
    reason: str,
) -> Corrected:
    """Leave the game's deals as the draft has them, by new versions.

    ``seen`` is the ``entry_count`` of the course that the draft was made from. Raises
    CorrectionConflict if there are other versions by now, SheetRefused if some sheet
    cannot be true after the deals before it, or comes after the end of the game.
    """
    reason = needed_reason(reason)
    with transaction.atomic():
        cup, fresh = lock_game(game)
        made = made_by(fresh, key)
        if made:
            return Corrected(tuple(made), is_repeat=True)
        course = course_of(fresh)
        if course.entry_count != seen:
            raise CorrectionConflict(
                _(
                    "Pelin jakoja on sillä välin kirjattu tai korjattu. Mitään ei "
                    "tallennettu: aloita korjaus alusta."
                ),
                code="correction_conflict",
            )
        refuse_archived(cup)
        if fresh.team_a_id is None or fresh.team_b_id is None:
            raise Refusal(
                _("Pelin joukkueet eivät ole vielä selvillä."), code="teams_unknown"
            )
        standing = standing_rows(course)
        versions = _versions(standing, draft)
        _state, problems = examine_draft(fresh, draft)
        if problems:
            raise SheetRefused(tuple(p for found in problems.values() for p in found))
        with changing(cup):
            if not fresh.seats.exists():
                write_seats(fresh, {s.value: p for s, p in seating(fresh).items()})
            entries = [
                append_entry(
                    fresh,
                    version.number,
                    sheet=None if version.facts is None else dict(version.facts),
                    key=uuid5(key, str(version.number)),
                    by=by,
                    table_key=None,
                    reason=reason,
                )
                for version in versions
            ]
            let_records_follow(
                game=fresh,
                numbers=new_numbers(standing, draft),
                by=by,
                reason=reason,
            )
            after = refold(fresh)
            write_log(
                cup=cup,
                by=by,
                act="correct_deals",
                target=str(fresh),
                old=_result(course),
                new={**_result(after), "deals": [v.number for v in versions]},
                reason=reason,
                game=fresh,
            )
    return Corrected(tuple(entries), is_repeat=False)


def _versions(standing: Sequence[Row], draft: Sequence[Row]) -> tuple[NewVersion, ...]:
    try:
        versions = new_versions(standing, draft)
    except ValueError as error:
        raise Refusal(
            _("Korjauksen jaot eivät ole tämän pelin. Aloita korjaus alusta."),
            code="not_a_draft",
        ) from error
    if not versions:
        raise Refusal(_("Mikään jako ei muuttunut."), code="nothing_changed")
    return versions


def made_by(game: Game, key: UUID) -> list[DealEntry]:
    """Return what an earlier request with this key made."""
    numbers = game.deal_entries.values_list("number", flat=True).distinct()
    keys = [uuid5(key, str(number)) for number in numbers]
    return list(game.deal_entries.filter(key__in=keys))


def _result(course: Course) -> dict[str, object]:
    state = course.state
    return {
        "sets": f"{state.sets.a}–{state.sets.b}",
        "winner": state.winner.value if state.winner else None,
    }
