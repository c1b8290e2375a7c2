"""The deals of a game as a correction would leave them, and which versions that takes.

A *row* is a deal of the draft; its ``number`` is that of the stored deal it comes
from, None for one put in. A number keeps its order among the others for ever, so a
deal in the middle is put in by new versions of the later numbers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

Facts = Mapping[str, object]
"""A deal's sheet as it is stored."""


@dataclass(frozen=True, slots=True)
class Row:
    number: int | None
    facts: Facts


@dataclass(frozen=True, slots=True)
class NewVersion:
    number: int
    facts: Facts | None
    """None takes the deal back."""


def new_versions(
    standing: Sequence[Row], draft: Sequence[Row]
) -> tuple[NewVersion, ...]:
    """Return the versions that turn the standing deals into those of the draft.

    ``standing`` has every deal not taken back, in order. Raises ValueError if the
    draft has a number that does not stand, or numbers out of order.
    """
    stored = _stored(standing, draft)
    target = dict(zip(_numbers(list(stored), draft), draft, strict=True))
    changed = [
        NewVersion(number, row.facts)
        for number, row in target.items()
        if stored.get(number) != row.facts
    ]
    changed += [NewVersion(n, None) for n in stored if n not in target]
    return tuple(sorted(changed, key=lambda version: version.number))


def new_numbers(standing: Sequence[Row], draft: Sequence[Row]) -> dict[int, int | None]:
    """Return where the deals go that do not stay at their numbers.

    By the number that each has now; None: the draft is without it. Raises as
    ``new_versions``.
    """
    stored = _stored(standing, draft)
    numbered = zip(draft, _numbers(list(stored), draft), strict=True)
    after = {row.number: number for row, number in numbered}
    return {n: after.get(n) for n in stored if after.get(n) != n}


def _stored(standing: Sequence[Row], draft: Sequence[Row]) -> dict[int, Facts]:
    stored = {row.number: row.facts for row in standing if row.number is not None}
    kept = [row.number for row in draft if row.number is not None]
    if kept != sorted(set(kept)) or not set(kept) <= set(stored):
        raise ValueError(f"{kept} of {list(stored)}")
    return stored


def _numbers(stored: Sequence[int], draft: Sequence[Row]) -> list[int]:
    """Return a number for each row: its own, unless a row put in pushes it on."""
    numbers: list[int] = []
    last = 0
    for row in draft:
        if row.number is not None and row.number > last:
            last = row.number
        else:
            index = bisect_right(stored, last)
            last = stored[index] if index < len(stored) else last + 1
        numbers.append(last)
    return numbers


def replaced(draft: Sequence[Row], index: int, facts: Facts) -> tuple[Row, ...]:
    """Return the draft with one row's facts changed."""
    rows = list(draft)
    rows[index] = replace(rows[index], facts=facts)
    return tuple(rows)


def inserted(draft: Sequence[Row], index: int, facts: Facts) -> tuple[Row, ...]:
    """Return the draft with a deal put in before ``index``; at its length, last."""
    return (*draft[:index], Row(None, facts), *draft[index:])


def removed(draft: Sequence[Row], index: int, count: int = 1) -> tuple[Row, ...]:
    """Return the draft without ``count`` rows from ``index`` on."""
    return (*draft[:index], *draft[index + count :])


def restored(
    draft: Sequence[Row],
    number: int,
    facts: Facts | None,
    *,
    is_other_deal: bool = False,
) -> tuple[Row, ...]:
    """Return the draft with a stored deal's facts of old; None: it was taken back.

    Those of another deal than now has the number are put in, and that one goes.
    """
    for index, row in enumerate(draft):
        if row.number == number:
            if facts is None:
                return removed(draft, index)
            if is_other_deal:
                return inserted(removed(draft, index), index, facts)
            return replaced(draft, index, facts)
    if facts is None:
        return tuple(draft)
    later = (
        index
        for index, row in enumerate(draft)
        if row.number is not None and row.number > number
    )
    return inserted(draft, next(later, len(draft)), facts)
