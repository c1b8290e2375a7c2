"""Middleware of the whole site."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.utils import translation

METHODS = ("GET", "HEAD", "POST")


class LanguageMiddleware:
    """Finnish unless this device has chosen another language.

    Django's own also asks the browser, and many a Finn's phone speaks English.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = chosen_language(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME))
        with translation.override(language):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        return response


class KnownMethodsMiddleware:
    """Refuses what no page knows, and gives every 405 a page to read.

    Django's admin takes an unknown method for a GET, its sign-in a PUT for a POST.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method in METHODS:
            response = self.get_response(request)
        else:
            response = HttpResponseNotAllowed(METHODS)
        if response.status_code == 405:
            response.content = render(request, "405.html").content
        return response


class PrivateAnswersMiddleware:
    """Lets no cache keep what is shown to somebody who has signed in.

    Looks at the cookie alone: to open the session would make every answer vary by it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response


def chosen_language(code: str | None) -> str:
    """Return the code if the site speaks that language, else the default."""
    return code if code in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
