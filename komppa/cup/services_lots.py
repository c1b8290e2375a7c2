"""Every write to a lot (R9.5): drawn here or on paper, taken back, brought back.

A lot is never changed. One that was wrong is taken back and stays on record, and of
the lots for one set of teams no more than one stands at a time.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from komppa.cup import draw as lottery
from komppa.cup import queries
from komppa.cup.changes import changing, needed_reason, write_log
from komppa.cup.models import Cup, Group, Lot, Team
from komppa.cup.qualifying import next_best
from komppa.errors import Refusal
from komppa.words import listing


def draw_lot(*, group: Group, team_ids: Sequence[int], by: User | None) -> Lot:
    """Draw the lot for exactly one set of teams that R9.1-4 leave tied."""
    return _draw(group.cup, group, team_ids, by, act="draw_lot")


def draw_lot_across(*, cup: Cup, team_ids: Sequence[int], by: User | None) -> Lot:
    """Draw the lot for teams of different groups, level for the next place."""
    return _draw(cup, None, team_ids, by, act="draw_lot_across")


def record_lot(
    *,
    cup: Cup,
    group: Group | None,
    order: Sequence[int],
    by: User | None,
    reason: str,
    replaces: Lot | None = None,
) -> Lot:
    """Record a lot that was drawn on paper, best first; maybe in place of another."""
    reason = needed_reason(reason)
    with changing(cup) as locked:
        if replaces is not None:
            _take_back(_fetched(locked, replaces, standing=True))
        fresh = _refuse_without_tie(locked, group, order)
        return _make(locked, fresh, order, by, act="record_lot", reason=reason)


def take_back_lot(*, lot: Lot, by: User | None, reason: str) -> None:
    """Let the lot settle nothing any more; it stays on record."""
    reason = needed_reason(reason)
    with changing(lot.cup) as locked:
        fresh = _fetched(locked, lot, standing=True)
        _take_back(fresh)
        _log(locked, fresh, by, act="take_back_lot", reason=reason)


def restore_lot(*, lot: Lot, by: User | None, reason: str) -> None:
    """Let a lot that was taken back settle its tie again, in place of any later one."""
    reason = needed_reason(reason)
    with changing(lot.cup) as locked:
        fresh = _fetched(locked, lot, standing=False)
        for other in locked.lots.filter(group=fresh.group, taken_back_at=None):
            if set(other.order) == set(fresh.order):
                _take_back(other)
        fresh.taken_back_at = None
        fresh.save(update_fields=["taken_back_at"])
        _log(locked, fresh, by, act="restore_lot", reason=reason)


def _draw(
    cup: Cup,
    group: Group | None,
    team_ids: Sequence[int],
    by: User | None,
    *,
    act: str,
) -> Lot:
    with changing(cup) as locked:
        fresh = _refuse_without_tie(locked, group, team_ids)
        seed = secrets.token_hex(16)
        order = lottery.draw_order(sorted(team_ids), seed)
        return _make(locked, fresh, order, by, act=act, seed=seed)


def _refuse_without_tie(
    cup: Cup, group: Group | None, team_ids: Sequence[int]
) -> Group | None:
    """Return the group as it is under the lock; refuse teams that are not tied."""
    if group is None:
        fresh = None
        following = next_best(cup, queries.group_standings(cup))
        needed = following.lots_needed if following else ()
        message = _(
            "Arpa vedetään vain, kun kaikki lohkot ovat valmiit, ja juuri niiden "
            "joukkueiden kesken, jotka ovat lohkojen välisessä vertailussa tasan."
        )
    else:
        # Not the caller's group: what it has fetched of lots may be old.
        fresh = Group.objects.get(pk=group.pk, cup=cup)
        needed = queries.group_standings(cup, [fresh])[0].lots_needed
        message = _(
            "Arpa vedetään vain valmiin lohkon tasatilanteesta, ja juuri niiden "
            "joukkueiden kesken, jotka ovat tasan."
        )
    tied = [{team.pk for team in teams} for teams in needed]
    if set(team_ids) not in tied or len(set(team_ids)) != len(team_ids):
        raise Refusal(message, code="no_such_tie")
    return fresh


def _make(
    cup: Cup,
    group: Group | None,
    order: Sequence[int],
    by: User | None,
    *,
    act: str,
    seed: str = "",
    reason: str = "",
) -> Lot:
    lot = Lot.objects.create(
        cup=cup, group=group, order=list(order), seed=seed, drawn_by=by
    )
    _log(cup, lot, by, act=act, reason=reason)
    return lot


def _log(cup: Cup, lot: Lot, by: User | None, *, act: str, reason: str) -> None:
    names = dict(Team.objects.filter(pk__in=lot.order).values_list("pk", "name"))
    facts: dict[str, object] = {"order": [names[pk] for pk in lot.order]}
    if lot.seed:
        facts["seed"] = lot.seed
    write_log(
        cup=cup,
        by=by,
        act=act,
        # Without a group it is told by its teams.
        target=lot.group.name if lot.group else listing(sorted(names.values())),
        new=facts,
        reason=reason,
    )


def _take_back(lot: Lot) -> None:
    lot.taken_back_at = timezone.now()
    lot.save(update_fields=["taken_back_at"])


def _fetched(cup: Cup, lot: Lot, *, standing: bool) -> Lot:
    fresh = Lot.objects.filter(
        pk=lot.pk, cup=cup, taken_back_at__isnull=standing
    ).first()
    if fresh is None:
        raise Refusal(
            _("Arpa on sillä välin jo peruttu.")
            if standing
            else _("Arpa on sillä välin jo palautettu."),
            code="lot_changed",
        )
    return fresh
