"""Scorekeepers' accounts (kirjaajat), made one at a time or many at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from komppa.cup import services_people
from komppa.cup.access import visitor
from komppa.cup.admin_base import ListAdmin, Urls, act, address_for_others, page
from komppa.cup.forms_people import (
    ChosenPeopleForm,
    ScorekeeperForm,
    ScorekeepersForm,
)
from komppa.cup.models import Cup
from komppa.cup.services_people import Account, accounts_stamp
from komppa.cup.workbench import people_url, scorekeepers
from komppa.errors import Refusal

SLIPS_ON_A_PAGE = 10
_FIELD_OF_CODE = {
    "count": "count",
    "name_missing": "name_prefix",
    "name_too_long": "name_prefix",
    "name_taken": "name_prefix",
}


class ScorekeeperAdmin(ListAdmin):
    """Users as the organiser knows them: those who enter deals."""

    def get_urls(self) -> Urls:
        guarded = self.admin_site.admin_view
        return [
            path("", guarded(people_page), name="auth_user_changelist"),
            path("many/", guarded(make_many), name="make_scorekeepers"),
            path("passwords/", guarded(new_passwords), name="new_passwords"),
            path("deactivate/", guarded(deactivate_many), name="deactivate_many"),
            path("<int:user_id>/password/", guarded(new_password), name="new_password"),
            path("<int:user_id>/deactivate/", guarded(deactivate), name="deactivate"),
            path("<int:user_id>/activate/", guarded(activate), name="activate"),
        ]


@require_http_methods(["GET", "HEAD", "POST"])
def people_page(request: HttpRequest) -> HttpResponse:
    form = ScorekeeperForm(request.POST or None)
    if request.method != "POST":
        return _show(request, form)
    if not form.is_valid():
        return _show(request, form, status=422)
    try:
        account = services_people.create_scorekeeper(
            name=form.cleaned_data["name"], by=visitor(request)
        )
    except Refusal as refusal:
        form.add_error("name", refusal.message)
        return _show(request, form, status=422)
    # Answered at once and not after a redirect: the password is kept nowhere.
    return _show(request, account=account)


@require_http_methods(["GET", "HEAD", "POST"])
def make_many(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":  # as after signing in on the way
        return redirect(_back(request))
    form = ScorekeepersForm(request.POST)
    if not form.is_valid():
        return _show(request, many=form, status=422)
    try:
        accounts = services_people.create_scorekeepers(
            count=form.cleaned_data["count"],
            prefix=form.cleaned_data["name_prefix"],
            after=form.cleaned_data["after"],
            by=visitor(request),
        )
    except Refusal as refusal:
        form.add_error(_FIELD_OF_CODE.get(refusal.code), refusal.message)
        return _show(request, many=form, status=422)
    # At once, as above.
    return _show_slips(request, accounts)


@require_http_methods(["GET", "HEAD", "POST"])
def new_password(request: HttpRequest, user_id: int) -> HttpResponse:
    if request.method != "POST":
        return redirect(_back(request))
    user = get_object_or_404(scorekeepers(), pk=user_id)
    account = services_people.reset_password(user=user, by=visitor(request))
    return _show(request, account=account)


@require_http_methods(["GET", "HEAD", "POST"])
def new_passwords(request: HttpRequest) -> HttpResponse:
    """Give those ticked new passwords, as for slips that were lost."""
    if request.method != "POST":
        return redirect(_back(request))
    form = ChosenPeopleForm(request.POST, people=scorekeepers())
    if not form.is_valid():
        return _show(request, chosen=form, status=422)
    try:
        accounts = services_people.reset_passwords(
            users=form.chosen, by=visitor(request)
        )
    except Refusal as refusal:
        form.add_error("people", refusal.message)
        return _show(request, chosen=form, status=422)
    return _show_slips(request, accounts)


@require_POST
def deactivate(request: HttpRequest, user_id: int) -> HttpResponse:
    user = get_object_or_404(scorekeepers(), pk=user_id)
    return act(
        request,
        services_people.deactivate,
        user=user,
        done=_("Tunnus %(name)s on poistettu käytöstä.") % {"name": user},
        back=(_back(request),),
    )


@require_POST
def deactivate_many(request: HttpRequest) -> HttpResponse:
    form = ChosenPeopleForm(request.POST, people=scorekeepers())
    if not form.is_valid():
        return _show(request, chosen=form, status=422)
    try:
        count = services_people.deactivate_all(users=form.chosen, by=visitor(request))
    except Refusal as refusal:
        form.add_error("people", refusal.message)
        return _show(request, chosen=form, status=422)
    text = ngettext(
        "%(count)d tunnus on poistettu käytöstä.",
        "%(count)d tunnusta on poistettu käytöstä.",
        count,
    )
    messages.success(request, text % {"count": count})
    return redirect(_back(request))


@require_POST
def activate(request: HttpRequest, user_id: int) -> HttpResponse:
    user = get_object_or_404(scorekeepers(), pk=user_id)
    return act(
        request,
        services_people.activate,
        user=user,
        done=_("Tunnus %(name)s on taas käytössä.") % {"name": user},
        back=(_back(request),),
    )


def _cup_of(request: HttpRequest) -> Cup | None:
    """Return the cup among whose pages this one was opened."""
    number = request.GET.get("cup", "")
    known = number.isascii() and number.isdigit() and len(number) < 19
    return Cup.objects.filter(pk=number).first() if known else None


def _back(request: HttpRequest) -> str:
    cup = _cup_of(request)
    return people_url(cup) if cup else reverse("admin:auth_user_changelist")


def _show(
    request: HttpRequest,
    form: ScorekeeperForm | None = None,
    *,
    many: ScorekeepersForm | None = None,
    chosen: ChosenPeopleForm | None = None,
    account: Account | None = None,
    status: int = 200,
) -> HttpResponse:
    return page(
        request,
        "cup/admin/people.html",
        title=_("Kirjaajat"),
        cup=_cup_of(request),
        here="people",
        form=form or ScorekeeperForm(),
        many=many or ScorekeepersForm(),
        stamp=accounts_stamp(),
        chosen=chosen,
        account=account,
        sign_in=address_for_others(request, reverse("login")) if account else None,
        people=_in_order(scorekeepers()),
        organisers=User.objects.filter(is_staff=True).order_by("username"),
        status=status,
    )


def _show_slips(request: HttpRequest, accounts: Sequence[Account]) -> HttpResponse:
    starts = range(0, len(accounts), SLIPS_ON_A_PAGE)
    return page(
        request,
        "cup/admin/people_slips.html",
        title=_("Kirjaajien tunnukset"),
        cup=_cup_of(request),
        here="people",
        sheets=[accounts[start : start + SLIPS_ON_A_PAGE] for start in starts],
        count=len(accounts),
        sign_in=address_for_others(request, reverse("login")),
        back=_back(request),
    )


def _in_order(people: Iterable[User]) -> list[User]:
    """Sort by user name, its numbers as numbers: poyta-2 before poyta-10."""

    def parts(person: User) -> list[tuple[int, int, str]]:
        found = re.findall(r"([0-9]+)|([^0-9]+)", person.username)
        return [(0, int(n), "") if n else (1, 0, text) for n, text in found]

    return sorted(people, key=parts)
