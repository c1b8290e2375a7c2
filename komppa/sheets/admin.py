"""What was entered at the tables, every version, to read."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from komppa.cup.admin_base import CupFilter, ListAdmin
from komppa.cup.words import game_teams
from komppa.sheets.models import DealEntry


class DealEntryAdmin(ListAdmin):
    list_display = (
        "when",
        "in_game",
        "numbered",
        "versioned",
        "state",
        "entered_from",
        "reason",
        "in_cup",
    )
    list_filter = (("game__cup", CupFilter),)
    cup_parameter = "game__cup__id__exact"
    list_select_related = (
        "game__cup",
        "game__team_a",
        "game__team_b",
        "entered_by",
        "table_key__playing_table",
    )
    list_per_page = 50
    ordering = ("-entered_at", "-pk")

    def get_queryset(self, request: HttpRequest) -> QuerySet[DealEntry]:
        later = DealEntry.objects.filter(
            game=OuterRef("game"),
            number=OuterRef("number"),
            version__gt=OuterRef("version"),
        )
        entries: QuerySet[DealEntry] = super().get_queryset(request)
        return entries.annotate(is_superseded=Exists(later))

    @admin.display(description=gettext_lazy("kirjattu"), ordering="entered_at")
    def when(self, entry: DealEntry) -> str:
        return date_format(localtime(entry.entered_at), "j.n.Y H.i.s")

    @admin.display(description=gettext_lazy("jako"), ordering="number")
    def numbered(self, entry: DealEntry) -> str:
        return _("Jako %(number)d") % {"number": entry.number}

    @admin.display(description=gettext_lazy("versio"), ordering="version")
    def versioned(self, entry: DealEntry) -> str:
        return _("versio %(number)d") % {"number": entry.version}

    @admin.display(description=gettext_lazy("turnaus"), ordering="game__cup")
    def in_cup(self, entry: DealEntry) -> str:
        return str(entry.game.cup)

    @admin.display(description=gettext_lazy("peli"), ordering="game__number")
    def in_game(self, entry: DealEntry) -> str:
        return f"{entry.game}: {game_teams(entry.game)}"

    @admin.display(description=gettext_lazy("tila"))
    def state(self, entry: DealEntry) -> str:
        if entry.is_superseded:  # type: ignore[attr-defined]
            return _("ei enää voimassa")
        return _("peruu jaon") if entry.sheet is None else _("voimassa")

    @admin.display(description=gettext_lazy("kirjaaja"))
    def entered_from(self, entry: DealEntry) -> str:
        if entry.entered_by:
            return str(entry.entered_by)
        if entry.table_key:
            table = entry.table_key.playing_table
            return _("Pöytä %(table)s") % {"table": table}
        return "–"


admin.site.register(DealEntry, DealEntryAdmin)
