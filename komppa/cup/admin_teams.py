"""Teams: all of a cup's on one page, and one at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from komppa.cup import services
from komppa.cup.access import visitor
from komppa.cup.admin_base import (
    CupFilter,
    ServiceAdmin,
    cup_by_id,
    page,
    with_next,
)
from komppa.cup.forms import (
    EMPTY_ROWS,
    MOST_ROWS,
    USUAL_TEAMS,
    TeamForm,
    TeamRows,
    player_fields,
)
from komppa.cup.models import Cup, Team
from komppa.cup.services import RowsRefused, TeamRow
from komppa.cup.services_teams import refused_rows, team_facts
from komppa.cup.workbench import counts_of
from komppa.errors import Refusal

_FIELD_OF_CODE = {
    "name_missing": "name",
    "name_too_long": "name",
    "name_taken": "name",
    "player_name_too_long": "player_1",
}


@require_http_methods(["GET", "HEAD", "POST"])
def teams_page(request: HttpRequest, cup_id: int) -> HttpResponse:
    """Every team as a row to type in, saved all at once or not at all."""
    cup = cup_by_id(cup_id)
    if request.method != "POST":
        rows = _stored_rows(cup)
        # The cursor further down would scroll past what a save has to say.
        is_saved = len(messages.get_messages(request)) > 0
        return _show(request, cup, rows if is_saved else _ready_to_type(rows))
    if "more" in request.POST:
        rows = _posted_rows(cup, _with_more_rows(request.POST))
        return _show(request, cup, _ready_to_type(rows))
    rows = _posted_rows(cup, request.POST)
    is_readable = rows.is_valid()
    typed = _typed(rows)
    if not is_readable:
        _mark(rows, refused_rows(cup=cup, rows=typed))
        return _show(request, cup, rows, status=422)
    before = _facts_of(cup)
    try:
        services.save_teams(cup=cup, rows=typed, by=visitor(request))
    except RowsRefused as refused:
        _mark(rows, refused.rows)
        return _show(request, cup, rows, status=422)
    _say_what_was_saved(request, cup, before)
    return redirect("admin:cup_teams", cup.pk)


class TeamAdmin(ServiceAdmin):
    form = TeamForm
    list_display = ("name", "players_named", "of_pot", "of_group", "in_cup")
    list_filter = (("cup", CupFilter),)
    search_fields = ("name", "players__name")
    list_select_related = ("cup", "membership__group")
    change_form_template = "cup/admin/team_form.html"
    delete_confirmation_template = "cup/admin/team_delete.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Team]:
        return super().get_queryset(request).prefetch_related("players")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Teams are added on the page of their cup."""
        return False

    def save_model(
        self, request: HttpRequest, obj: Team, form: Any, change: bool
    ) -> None:
        services.update_team(
            team=obj,
            name=form.cleaned_data["name"],
            players=form.players(),
            pot=form.cleaned_data["pot"],
            by=visitor(request),
        )

    def delete_model(self, request: HttpRequest, obj: Team) -> None:
        services.remove_team(team=obj, by=visitor(request))

    def delete_view(
        self,
        request: HttpRequest,
        object_id: str,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except Refusal as refusal:
            messages.error(request, refusal.message)
            return redirect("admin:cup_team_change", object_id)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Leave it to the service: the players, whom Django guards, go as well."""
        return [], {}, set(), []

    def response_change(self, request: HttpRequest, obj: Team) -> HttpResponse:
        messages.success(request, _("%(team)s on tallennettu.") % {"team": obj})
        return redirect("admin:cup_teams", obj.cup_id)

    def response_delete(
        self, request: HttpRequest, obj_display: str, obj_id: int
    ) -> HttpResponse:
        messages.success(request, _("%(team)s on poistettu.") % {"team": obj_display})
        return redirect("admin:cup_team_changelist")

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        size = obj.cup.players_per_team if obj else 2
        return [(None, {"fields": ["name", *player_fields(size), "pot"]})]

    @admin.display(description=gettext_lazy("turnaus"), ordering="cup")
    def in_cup(self, team: Team) -> str:
        url = reverse("admin:cup_workbench", args=[team.cup_id])
        return format_html('<a href="{}">{}</a>', url, team.cup.name)

    @admin.display(description=gettext_lazy("pelaajat"))
    def players_named(self, team: Team) -> str:
        return ", ".join(player.name for player in team.players.all() if player.name)

    @admin.display(description=gettext_lazy("lohko"), empty_value="–")
    def of_group(self, team: Team) -> str | None:
        membership = getattr(team, "membership", None)
        if membership is None:
            return None
        return _("Lohko %(group)s") % {"group": membership.group}

    @admin.display(description=gettext_lazy("kori"), ordering="pot", empty_value="–")
    def of_pot(self, team: Team) -> str | None:
        return _("Kori %(pot)d") % {"pot": team.pot} if team.pot else None


def _show(request: HttpRequest, cup: Cup, rows: Any, status: int = 200) -> HttpResponse:
    return page(
        request,
        "cup/admin/teams.html",
        title=_("Joukkueet"),
        cup=cup,
        here="teams",
        rows=rows,
        player_fields=player_fields(cup.players_per_team),
        has_groups=cup.groups.exists(),
        status=status,
    )


def _stored_rows(cup: Cup) -> Any:
    initial = []
    for team in cup.teams.prefetch_related("players"):
        names = [player.name for player in team.players.all()]
        fields = player_fields(cup.players_per_team)
        row = {"team_id": team.pk, "name": team.name, "pot": team.pot}
        initial.append({**row, **dict(zip(fields, names, strict=False))})
    rows = TeamRows(
        initial=initial, prefix="teams", form_kwargs={"players": cup.players_per_team}
    )
    room = MOST_ROWS - len(initial)
    rows.extra = max(0, min(room, max(EMPTY_ROWS, USUAL_TEAMS - len(initial))))
    return rows


def _ready_to_type(rows: Any) -> Any:
    """Put the cursor on the first empty row."""
    empty = (form for form in rows if not form["name"].value())
    if form := next(empty, None):
        form.fields["name"].widget.attrs["autofocus"] = True
    return rows


def _posted_rows(cup: Cup, data: QueryDict) -> Any:
    return TeamRows(data, prefix="teams", form_kwargs={"players": cup.players_per_team})


def _with_more_rows(posted: QueryDict) -> QueryDict:
    data = posted.copy()
    total = data.get("teams-TOTAL_FORMS", "")
    if total.isascii() and total.isdigit() and len(total) < 5:
        data["teams-TOTAL_FORMS"] = str(min(int(total) + EMPTY_ROWS, MOST_ROWS))
    return data


def _typed(rows: Any) -> list[TeamRow]:
    """Return the rows of a checked page as far as they could be read."""
    lines = enumerate(rows.forms, start=1) if rows.management_form.is_valid() else ()
    return [row for line, form in lines if (row := form.row(line))]


def _mark(rows: Any, refused: Mapping[int, Sequence[Refusal]]) -> None:
    """Put every reason where it belongs."""
    for line, reasons in refused.items():
        form = rows.forms[line - 1]
        for reason in reasons:
            field = _FIELD_OF_CODE.get(reason.code)
            form.add_error(field if field in form.fields else None, reason.message)


def _facts_of(cup: Cup) -> list[tuple[int, dict[str, Any]]]:
    teams = cup.teams.prefetch_related("players")
    return [(team.pk, team_facts(team)) for team in teams]


def _say_what_was_saved(request: HttpRequest, cup: Cup, before: Sequence[Any]) -> None:
    """Tell what came of a save, and what comes next."""
    after = _facts_of(cup)
    level = messages.INFO if after == before else messages.SUCCESS
    text = leading_to_the_draw(cup, _what_was_saved(before, after))
    messages.add_message(request, level, text)


def leading_to_the_draw(cup: Cup, text: str) -> str:
    """Return what came of a save with a link to the draw, if that comes next."""
    counts = counts_of(cup)
    if counts.teams < 2 or not counts.outside:
        return text
    url = reverse("admin:cup_draw", args=[cup.pk])
    return with_next(text, url, _("Seuraavaksi: arvonta"))


def _what_was_saved(before: Sequence[Any], after: Sequence[Any]) -> str:
    if not after:
        return (
            _("Kaikki joukkueet on poistettu.")
            if before
            else _("Riveillä ei ollut vielä yhtään joukkuetta.")
        )
    if after == before:
        return _("Mikään ei muuttunut: joukkueet olivat jo tallessa.")
    text = ngettext(
        "%(count)d joukkue on tallennettu.",
        "%(count)d joukkuetta on tallennettu.",
        len(after),
    )
    return text % {"count": len(after)}
