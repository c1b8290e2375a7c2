"""A whole list of teams at once: looked at first, and then added or not."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from komppa.cup import services
from komppa.cup.access import visitor
from komppa.cup.admin_base import cup_by_id, page
from komppa.cup.admin_teams import leading_to_the_draw
from komppa.cup.forms_team_list import TeamListForm
from komppa.cup.models import Cup
from komppa.cup.services import RowsRefused
from komppa.cup.team_list_preview import Preview, preview_of
from komppa.cup.words_of_lists import LAYOUTS_READ


@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest, cup_id: int) -> HttpResponse:
    """Show what a list would do; add its teams when that has been seen."""
    cup = cup_by_id(cup_id)
    size = cup.players_per_team
    if request.method != "POST":
        return _show(request, cup, TeamListForm(players=size))
    form = TeamListForm(request.POST, request.FILES, players=size)
    if not form.is_valid():
        return _show(request, cup, form, status=422)
    preview = preview_of(cup, form.listed)
    if preview.has_problems or "save" not in request.POST:
        status = 422 if preview.has_problems else 200
        return _show(request, cup, form, preview, status=status)
    if preview.new and form.cleaned_data["seen"] != preview.stamp:
        # Another text than the one looked at, or other teams in the cup by now.
        return _show(request, cup, form, preview, status=422, is_stale=True)
    return _add(request, cup, form, preview)


def _add(
    request: HttpRequest, cup: Cup, form: TeamListForm, preview: Preview
) -> HttpResponse:
    try:
        if preview.new:
            services.save_teams(cup=cup, rows=preview.new, by=visitor(request))
    except RowsRefused as refused:
        preview = preview_of(cup, form.listed, refused.rows)
        # Sent twice at once, all of it is there already.
        if preview.has_problems or preview.new:
            return _show(request, cup, form, preview, status=422, is_stale=True)
    if preview.new:
        text = ngettext(
            "%(count)d joukkue on lisätty.",
            "%(count)d joukkuetta on lisätty.",
            len(preview.new),
        ) % {"count": len(preview.new)}
        messages.success(request, leading_to_the_draw(cup, text))
    else:
        messages.info(request, _("Mikään ei muuttunut: joukkueet olivat jo tallessa."))
    return redirect("admin:cup_teams", cup.pk)


def _show(
    request: HttpRequest,
    cup: Cup,
    form: TeamListForm,
    preview: Preview | None = None,
    *,
    status: int = 200,
    is_stale: bool = False,
) -> HttpResponse:
    return page(
        request,
        "cup/admin/team_list.html",
        title=_("Lisää joukkueet listasta"),
        cup=cup,
        here="teams",
        form=form.again(preview.stamp) if preview else form,
        preview=preview,
        layout_read=LAYOUTS_READ[preview.listed.layout] if preview else "",
        columns=range(1, cup.players_per_team + 1),
        encoding=form.encoding,
        file=form.cleaned_data.get("file") if preview else None,
        replaced=form.replaced if preview else "",
        is_stale=is_stale,
        status=status,
    )
