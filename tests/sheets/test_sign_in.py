from __future__ import annotations

import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db


# Signing in.


@pytest.mark.parametrize(
    ("role", "path"),
    [("scorekeeper", "/sheet/"), ("organiser", "/sheet/"), ("stranger", "/")],
)
def test_signing_in_leads_to_what_one_may_do(request, client, role, path):
    user = request.getfixturevalue(role)
    user.set_password("oikea hevonen")
    user.save()

    answer = client.post(
        reverse("login"), {"username": user.username, "password": "oikea hevonen"}
    )

    assert (answer.status_code, answer.url) == (302, path)


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ("/sheet/cup/games/1/", "/sheet/cup/games/1/"),
        ("https://example.org/", "/sheet/"),
        ("//example.org", "/sheet/"),
        ("javascript:alert(1)", "/sheet/"),
    ],
)
def test_signing_in_leads_back_on_this_site_only(client, scorekeeper, wanted, path):
    scorekeeper.set_password("oikea hevonen")
    scorekeeper.save()

    answer = client.post(
        reverse("login"),
        {
            "username": scorekeeper.username,
            "password": "oikea hevonen",
            "next": wanted,
        },
    )

    assert (answer.status_code, answer.url) == (302, path)


@pytest.mark.parametrize("name", ["nobody", "\x00", "a" * 5000])
def test_a_wrong_name_or_password_does_not_sign_in(client, scorekeeper, name):
    answer = client.post(reverse("login"), {"username": name, "password": "väärä"})

    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session


def test_a_wrong_password_is_told_in_one_sentence(client, scorekeeper):
    wrong = {"username": scorekeeper.username, "password": "väärä"}

    answer = client.post(reverse("login"), wrong)

    assert answer.context["form"].non_field_errors() == [
        "Tunnus tai salasana on väärin."
    ]
