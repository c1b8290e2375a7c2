"""Pages of no app: the choice of language and what went wrong."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET

from komppa.cup.models import Cup


@require_GET
def choose_language(request: HttpRequest, code: str) -> HttpResponse:
    """Remember a language on this device.

    A link and not a form: a form's token would make every public page somebody's own.
    """
    if code not in dict(settings.LANGUAGES):
        raise Http404
    back = request.GET.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}):
        back = reverse("live:front")
    response = HttpResponseRedirect(back)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        samesite=settings.LANGUAGE_COOKIE_SAMESITE,  # type: ignore[arg-type]
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
    )
    return response


@require_GET
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer once the database does, for whoever watches over the server."""
    Cup.objects.exists()
    return HttpResponse("ok\n", content_type="text/plain")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return render(request, "403_csrf.html", status=403)
