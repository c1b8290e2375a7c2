"""Django's admin, fitted for the organiser (isäntä)."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any
from urllib.parse import urlencode

from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from komppa import backups


class OrganiserSite(AdminSite):
    site_header = _("Komppa: järjestäjä")
    site_title = _("Komppa")
    index_title = _("Turnaukset")
    # The few pages there are fit into the header.
    enable_nav_sidebar = False

    def admin_view(
        self, view: Callable[..., HttpResponse], cacheable: bool = False
    ) -> Callable[..., HttpResponse]:
        """Turn away a signed-in person who is no organiser.

        Django's own would ask him to sign in, which he already has.
        """
        organisers_view = super().admin_view(view, cacheable)

        def inner(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.user.is_authenticated and not self.has_permission(request):
                raise PermissionDenied
            return organisers_view(request, *args, **kwargs)

        return update_wrapper(inner, organisers_view)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Let every page say that backups have ceased."""
        return {**super().each_context(request), "backups": backups.status()}

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send whoever comes here to the site's one sign-in page."""
        index = reverse("admin:index")
        wanted = request.GET.get(REDIRECT_FIELD_NAME, index)
        if not url_has_allowed_host_and_scheme(wanted, {request.get_host()}):
            wanted = index
        if self.has_permission(request):
            return HttpResponseRedirect(wanted)
        query = urlencode({REDIRECT_FIELD_NAME: wanted})
        return HttpResponseRedirect(f"{reverse('login')}?{query}")

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        # Models cannot be imported before the apps are ready.
        from komppa.cup.workbench import cups_overview, latest_log

        mine = {"cups": cups_overview(), "log": latest_log(count=10)}
        return super().index(request, {**mine, **(extra_context or {})})

    def app_index(
        self,
        request: HttpRequest,
        app_label: str,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """One front page is enough."""
        return HttpResponseRedirect(reverse("admin:index"))
