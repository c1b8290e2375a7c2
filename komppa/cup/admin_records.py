"""What is on record, to read: games and the organisers' log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from komppa.cup.admin_base import CupFilter, ListAdmin
from komppa.cup.models import Game, OrganiserLog
from komppa.cup.words import ACTS, act_name, changed_facts, game_state, game_teams


class StateFilter(admin.SimpleListFilter):
    title = gettext_lazy("tilanne")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[Any]:
        return [
            ("unplayed", _("Pelaamatta")),
            ("in_play", _("Käynnissä")),
            ("finished", _("Päättynyt")),
        ]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Game]
    ) -> QuerySet[Game]:
        match self.value():
            case "unplayed":
                return queryset.filter(is_finished=False, deal_count=0)
            case "in_play":
                return queryset.filter(is_finished=False, deal_count__gt=0)
            case "finished":
                return queryset.filter(is_finished=True)
        return queryset


class GameAdmin(ListAdmin):
    list_display = (
        "numbered",
        "teams_named",
        "of_group",
        "at_table",
        "state",
        "links",
        "in_cup",
    )
    list_filter = (("cup", CupFilter), StateFilter)
    list_select_related = ("cup", "group", "playing_table", "team_a", "team_b")
    ordering = ("-cup__date", "-cup", "number")

    @admin.display(description=gettext_lazy("peli"), ordering="number")
    def numbered(self, game: Game) -> str:
        return str(game)

    @admin.display(description=gettext_lazy("joukkueet"))
    def teams_named(self, game: Game) -> str:
        return game_teams(game)

    @admin.display(description=gettext_lazy("lohko"), ordering="group")
    def of_group(self, game: Game) -> str:
        return _("Lohko %(group)s") % {"group": game.group} if game.group else "–"

    @admin.display(description=gettext_lazy("pöytä"), ordering="playing_table")
    def at_table(self, game: Game) -> str:
        table = game.playing_table
        return _("Pöytä %(table)s") % {"table": table} if table else "–"

    @admin.display(description=gettext_lazy("tilanne"))
    def state(self, game: Game) -> str:
        return game_state(game)

    @admin.display(description=gettext_lazy("sivut"))
    def links(self, game: Game) -> str:
        address = [game.cup.slug, game.number]
        return format_html(
            '<a href="{}">{}</a> <a href="{}">{}</a>',
            reverse("sheets:sheet", args=address),
            _("Pöytäkirja"),
            reverse("live:game", args=address),
            _("Julkinen sivu"),
        )

    @admin.display(description=gettext_lazy("turnaus"), ordering="cup")
    def in_cup(self, game: Game) -> str:
        url = reverse("admin:cup_workbench", args=[game.cup_id])
        return format_html('<a href="{}">{}</a>', url, game.cup.name)


class ActFilter(admin.SimpleListFilter):
    title = gettext_lazy("teko")
    parameter_name = "act"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[Any]:
        return ACTS.items()

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[OrganiserLog]
    ) -> QuerySet[OrganiserLog]:
        # PostgreSQL fails at a text that it could not hold.
        act = self.value()
        return queryset.filter(act=act) if act in ACTS else queryset


class OrganiserLogAdmin(ListAdmin):
    list_display = ("when", "by", "named_act", "told", "changes", "in_cup")
    list_filter = (("cup", CupFilter), ActFilter)
    list_select_related = ("cup", "by")
    list_per_page = 50

    @admin.display(description=gettext_lazy("milloin"), ordering="pk")
    def when(self, line: OrganiserLog) -> str:
        return date_format(localtime(line.at), "j.n.Y H.i.s")

    @admin.display(description=gettext_lazy("teko"), ordering="act")
    def named_act(self, line: OrganiserLog) -> str:
        return act_name(line.act)

    @admin.display(description=gettext_lazy("kohde"), ordering="target")
    def told(self, line: OrganiserLog) -> str:
        return f"{line.target} ({line.reason})" if line.reason else line.target

    @admin.display(description=gettext_lazy("muutos"), empty_value="")
    def changes(self, line: OrganiserLog) -> str:
        facts = [
            (fact.name, fact.old, " → " if fact.old else "", fact.new or "–")
            for fact in changed_facts(line)
        ]
        return format_html_join(
            "", '<span class="changed-fact">{}: {}{}<b>{}</b></span>', facts
        )

    @admin.display(description=gettext_lazy("turnaus"), ordering="cup", empty_value="")
    def in_cup(self, line: OrganiserLog) -> str | None:
        return line.cup.name if line.cup else None
