"""Scorekeepers' accounts (kirjaajat), made one at a time."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from komppa.cup import services_people
from komppa.cup.access import visitor
from komppa.cup.admin_base import ListAdmin, Urls, act, address_for_others, page
from komppa.cup.forms import ScorekeeperForm
from komppa.cup.models import Cup
from komppa.cup.services_people import Account
from komppa.cup.workbench import people_url, scorekeepers
from komppa.errors import Refusal


class ScorekeeperAdmin(ListAdmin):
    """Users as the organiser knows them: those who enter deals."""

    def get_urls(self) -> Urls:
        guarded = self.admin_site.admin_view
        return [
            path("", guarded(people_page), name="auth_user_changelist"),
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
    return _show(request, ScorekeeperForm(), account=account)


@require_POST
def new_password(request: HttpRequest, user_id: int) -> HttpResponse:
    user = get_object_or_404(scorekeepers(), pk=user_id)
    account = services_people.reset_password(user=user, by=visitor(request))
    return _show(request, ScorekeeperForm(), account=account)


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
    form: ScorekeeperForm,
    account: Account | None = None,
    status: int = 200,
) -> HttpResponse:
    return page(
        request,
        "cup/admin/people.html",
        title=_("Kirjaajat"),
        cup=_cup_of(request),
        here="people",
        form=form,
        account=account,
        sign_in=address_for_others(request, reverse("login")) if account else None,
        people=scorekeepers(),
        organisers=User.objects.filter(is_staff=True).order_by("username"),
        status=status,
    )
