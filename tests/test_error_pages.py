"""What is shown when something is broken: no database may be asked (none is here)."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user
from django.contrib.messages.storage import default_storage
from django.contrib.sessions.backends.db import SessionStore
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from django.test import RequestFactory
from django.utils import translation
from django.utils.functional import SimpleLazyObject
from django.views import defaults

from komppa.views import csrf_failure


@pytest.fixture
def signed_in_request():
    """Somebody whose session is kept in the database."""
    request = RequestFactory().get("/kadonnut/")
    request.session = SessionStore("a" * 32)
    request.user = SimpleLazyObject(lambda: get_user(request))
    request._messages = default_storage(request)
    with translation.override("fi"):
        yield request


def answer_400(request):
    return defaults.bad_request(request, SuspiciousOperation())


def answer_403(request):
    return defaults.permission_denied(request, PermissionDenied())


def answer_404(request):
    return defaults.page_not_found(request, Http404())


@pytest.mark.parametrize(
    ("answer", "status", "heading"),
    [
        (answer_400, 400, "Pyyntö ei kelpaa"),
        (answer_403, 403, "Sinulla ei ole pääsyä tälle sivulle"),
        (answer_404, 404, "Sivua ei löydy"),
        (defaults.server_error, 500, "Jotain meni rikki"),
        (csrf_failure, 403, "Lomake vanheni"),
    ],
    ids=["400", "403", "404", "500", "csrf"],
)
def test_error_page_needs_no_database(signed_in_request, answer, status, heading):
    response = answer(signed_in_request)

    html = response.content.decode()
    assert response.status_code == status
    assert f"<h1>{heading}</h1>" in html
    assert "sign-in" not in html


@pytest.mark.django_db
def test_unknown_address_gets_our_own_page(client):
    response = client.get("/ei/tallaista/")

    assert response.status_code == 404
    assert "Sivua ei löydy" in response.content.decode()


@pytest.mark.django_db
def test_too_many_wrong_passwords_get_a_page_that_says_so(client, settings):
    settings.AXES_FAILURE_LIMIT = 2
    wrong = {"username": "isanta", "password": "väärä"}
    client.post("/login/", wrong)

    response = client.post("/login/", wrong)

    assert response.status_code == 429
    assert "<h1>Liian monta yritystä</h1>" in response.content.decode()
