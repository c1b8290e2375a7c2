"""The organiser's page where the rules of a cup change after its first deal."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from komppa.cup.access import cup_or_404, organiser_only, visitor
from komppa.cup.admin_base import page
from komppa.cup.admin_changes import save_or_show
from komppa.sheets.contexts_rules import told_changes, told_unsound
from komppa.sheets.forms_rules import RuleChangeForm
from komppa.sheets.rule_changes import change_rules, dropped_aces


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@organiser_only
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for the rules, show what they move in every game, and change them."""
    cup = cup_or_404(request, slug)
    form = RuleChangeForm(
        request.POST if request.method == "POST" else None, instance=cup
    )
    show = partial(_show, request, slug)
    if not form.is_bound:
        return show(form=form)
    if not form.is_valid():
        return show(form=form, status=422)
    return save_or_show(
        request,
        form,
        cup=cup,
        act=partial(
            change_rules,
            cup=cup,
            values=form.values(),
            seen=form.cleaned_data["seen_rules"],
            reason=form.cleaned_data["reason"],
            by=visitor(request),
        ),
        show=show,
        done=_("Säännöt on muutettu."),
        back=("admin:cup_workbench", cup.pk),
    )


def _show(
    request: HttpRequest,
    slug: str,
    *,
    form: RuleChangeForm,
    moves: Any = None,
    **context: Any,
) -> HttpResponse:
    # The form has written what was chosen on its own cup.
    cup = cup_or_404(request, slug)
    return page(
        request,
        "sheets/rules.html",
        title=_("Sääntöjen muutos"),
        cup=cup,
        here="facts",
        form=form,
        moves=moves,
        changes=told_changes(cup, form.values()) if moves is not None else [],
        aces=dropped_aces(cup, form.values()) if moves is not None else [],
        unsound=[told_unsound(found) for found in form.unsound],
        **context,
    )
