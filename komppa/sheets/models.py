"""What happened at the table, append-only."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from komppa.cup.models import Game, PlayingTable, Team


class TableKey(models.Model):
    """A link that opens one table's sheets without an account.

    Only its hash is kept.
    """

    playing_table = models.ForeignKey(
        PlayingTable, models.PROTECT, related_name="table_keys"
    )
    key_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["playing_table", "pk"]

    def __str__(self) -> str:
        return str(self.playing_table)


class DealEntry(models.Model):
    """One version of one deal's sheet; a null sheet takes the deal back.

    The current version is the highest, without a flag; the number people see is the
    deal's position among the current sheets.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="deal_entries")
    number = models.PositiveSmallIntegerField(_("jako"))
    version = models.PositiveSmallIntegerField(_("versio"))
    sheet = models.JSONField(_("pöytäkirja"), null=True)
    key = models.UUIDField()
    entered_at = models.DateTimeField(_("kirjattu"), auto_now_add=True)
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("kirjaaja"),
    )
    table_key = models.ForeignKey(
        TableKey, models.PROTECT, null=True, related_name="deal_entries"
    )
    reason = models.CharField(_("syy"), max_length=300, blank=True)

    class Meta:
        ordering = ["game", "number", "version"]
        verbose_name = _("jakokirjaus")
        verbose_name_plural = _("jakokirjaukset")
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number", "version"], name="deal_version_unique"
            ),
            models.UniqueConstraint(fields=["game", "key"], name="deal_key_unique"),
            models.CheckConstraint(
                condition=Q(number__gte=1, version__gte=1), name="deal_counts_from_one"
            ),
            models.CheckConstraint(
                condition=Q(entered_by__isnull=True) | Q(table_key__isnull=True),
                name="deal_by_a_person_or_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.number}.{self.version}"


class Confirmation(models.Model):
    """A team agrees to a result; lapses when a version is added after it."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="confirmations")
    team = models.ForeignKey(Team, models.PROTECT, related_name="confirmations")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveSmallIntegerField()
    confirmed_at = models.DateTimeField(auto_now_add=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    table_key = models.ForeignKey(
        TableKey, models.PROTECT, null=True, related_name="confirmations"
    )

    class Meta:
        ordering = ["game", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "team", "number", "version"],
                name="confirmation_once_per_version",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by__isnull=True) | Q(table_key__isnull=True),
                name="confirmation_by_a_person_or_a_table",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.team}"


class DealRecord(models.Model):
    """A disputed deal card by card, as somebody wrote it down: the ``deal`` document.

    It belongs to the deal, whatever versions its sheet gets; ``version`` is the one
    that stood when the record came to its number. What it tells is never changed:
    another takes its place, and the former stays, taken back. Where its deal goes to
    another number, a new row ``continues`` it there; where its deal goes altogether,
    it is suspended until the organiser says what it is of.
    """

    game = models.ForeignKey(Game, models.PROTECT, related_name="deal_records")
    number = models.PositiveSmallIntegerField(_("jako"))
    version = models.PositiveSmallIntegerField(_("versio"))
    document = models.JSONField()
    added_at = models.DateTimeField(default=timezone.now)
    """When somebody attached it; a row that continues another keeps the time."""
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    reason = models.CharField(_("syy"), max_length=300)
    taken_back_at = models.DateTimeField(null=True, blank=True)
    taken_back_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    left_at = models.DateTimeField(null=True, blank=True)
    """When its deal was taken back, or went to another number."""
    continues = models.OneToOneField(
        "self", models.PROTECT, null=True, related_name="continued_by"
    )

    class Meta:
        ordering = ["game", "number", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["game", "number"],
                condition=Q(taken_back_at__isnull=True, left_at__isnull=True),
                name="deal_record_one_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1, version__gte=1),
                name="deal_record_counts_from_one",
            ),
            models.CheckConstraint(
                condition=Q(taken_back_by__isnull=True)
                | Q(taken_back_at__isnull=False),
                name="deal_record_taken_back_by_means_at",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.number}.{self.version}"
