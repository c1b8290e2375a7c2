"""The organiser takes a cup along: as a file for another Komppa, or a spreadsheet."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import override
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from komppa.cup.access import cup_or_404, organiser_only, visitor
from komppa.cup.admin_base import page
from komppa.errors import Refusal
from komppa.sheets.csv_files import CSV_FILES
from komppa.sheets.forms_transfer import ImportForm
from komppa.sheets.transfer import document_of, import_cup, text_of


@never_cache
@require_safe
@organiser_only
def export_page(request: HttpRequest, slug: str) -> HttpResponse:
    cup = cup_or_404(request, slug)
    return page(
        request,
        "sheets/export.html",
        title=_("Vienti"),
        cup=cup,
        here="export",
        names=list(CSV_FILES),
    )


@never_cache
@require_safe
@organiser_only
def export_json(request: HttpRequest, slug: str) -> HttpResponse:
    cup = cup_or_404(request, slug)
    text = text_of(document_of(cup))
    return _file(text, "application/json", f"{cup.slug}.json")


@never_cache
@require_safe
@organiser_only
def export_csv(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    cup = cup_or_404(request, slug)
    if name not in CSV_FILES:
        raise Http404
    with override(cup.time_zone):
        text = CSV_FILES[name](cup)
    return _file(text, "text/csv; charset=utf-8", f"{cup.slug}-{name}.csv")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organiser_only
def import_page(request: HttpRequest) -> HttpResponse:
    sent = request.method == "POST"
    form = ImportForm(request.POST, request.FILES) if sent else ImportForm()
    if form.is_bound and form.is_valid():
        try:
            cup = import_cup(text=form.cleaned_data["document"], by=visitor(request))
        except Refusal as refusal:
            form.add_error("document", refusal.message)
        else:
            messages.success(request, _("%(cup)s on tuotu.") % {"cup": cup.name})
            return redirect("admin:cup_workbench", cup.pk)
    status = 422 if form.errors else 200
    title = _("Tuo turnaus")
    return page(request, "sheets/import.html", title=title, form=form, status=status)


def _file(text: str, kind: str, name: str) -> HttpResponse:
    answer = HttpResponse(text, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
