"""Records of disputed deals go where their deals go, and with them out of sight."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils import timezone

from komppa.cup.changes import write_log
from komppa.cup.models import Game
from komppa.sheets.models import DealRecord


def let_records_follow(
    *, game: Game, numbers: Mapping[int, int | None], by: User | None, reason: str
) -> None:
    """Take the records of deals to the numbers that these have now; None: to none.

    For the write that moves the deals, under its lock and after its new versions.
    """
    leaving = list(
        game.deal_records.filter(number__in=numbers, left_at__isnull=True).order_by(
            "pk"
        )
    )
    # All leave before any arrives: a number has one record in force at a time.
    now = timezone.now()
    game.deal_records.filter(pk__in=[r.pk for r in leaving]).update(left_at=now)
    for record in leaving:
        number = numbers[record.number]
        if number is not None:
            _continue(record, number)
        if record.taken_back_at is None:
            write_log(
                cup=game.cup,
                by=by,
                act="move_record" if number else "suspend_record",
                target=str(game),
                old={"deal": record.number},
                new={"deal": number} if number else None,
                reason=reason,
                game=game,
            )


def _continue(record: DealRecord, number: int) -> None:
    entries = record.game.deal_entries.filter(number=number)
    DealRecord.objects.create(
        game=record.game,
        number=number,
        version=entries.aggregate(newest=Max("version"))["newest"],
        document=record.document,
        added_at=record.added_at,
        added_by=record.added_by,
        reason=record.reason,
        taken_back_at=record.taken_back_at,
        taken_back_by=record.taken_back_by,
        continues=record,
    )
