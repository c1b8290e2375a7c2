from __future__ import annotations

import re

import pytest
from axes.models import AccessAttempt
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.test import Client, RequestFactory

from komppa.cup.access import is_organiser, is_scorekeeper
from komppa.cup.models import OrganiserLog
from komppa.cup.services_people import (
    activate,
    create_scorekeeper,
    deactivate,
    reset_password,
)
from komppa.errors import Refusal
from tests.factories import OrganiserFactory, ScorekeeperFactory, UserFactory

pytestmark = pytest.mark.django_db


def get_in(account):
    request = RequestFactory().post("/login/")
    return authenticate(
        request, username=account.user.username, password=account.password
    )


def log_lines():
    lines = OrganiserLog.objects.order_by("pk")
    return [(line.act, line.target, line.by, line.cup) for line in lines]


def test_create_scorekeeper_makes_an_account_for_the_sheets_only(organiser):
    account = create_scorekeeper(name=" Matti  Meikäläinen ", by=organiser)

    user = User.objects.get(pk=account.user.pk)
    assert (user.username, user.first_name) == (
        "matti-meikalainen",
        "Matti Meikäläinen",
    )
    assert (is_scorekeeper(user), is_organiser(user)) == (True, False)
    assert user.is_superuser is False
    assert get_in(account) == user
    assert log_lines() == [("create_scorekeeper", user.username, organiser, None)]


def test_create_scorekeeper_gives_everyone_a_password_of_his_own():
    passwords = {
        create_scorekeeper(name=f"Pöytä {number}", by=None).password
        for number in range(5)
    }

    assert len(passwords) == 5
    shape = re.compile(r"[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}")
    assert all(shape.fullmatch(password) for password in passwords)


def test_no_password_is_kept_in_the_log_or_in_the_clear():
    account = create_scorekeeper(name="Pöytä 1", by=None)

    line = OrganiserLog.objects.get()
    assert (line.old, line.new, line.reason) == (None, None, "")
    assert account.password not in User.objects.get(pk=account.user.pk).password


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_missing"),
        ("  ", "name_missing"),
        ("♠♥", "name_missing"),
        ("x" * 61, "name_too_long"),
        ("PÖYTÄ 1", "name_taken"),
        ("poyta-1", "name_taken"),
        ("Isäntä", "name_taken"),
    ],
)
def test_create_scorekeeper_is_refused(name, code):
    create_scorekeeper(name="Pöytä 1", by=None)
    OrganiserFactory(username="Isanta")

    with pytest.raises(Refusal) as refused:
        create_scorekeeper(name=name, by=None)

    assert refused.value.code == code
    assert User.objects.count() == 2


def test_reset_password_replaces_the_old_one_and_signs_out_its_user(organiser):
    first = create_scorekeeper(name="Pöytä 1", by=organiser)
    inside = Client()
    inside.force_login(first.user)
    assert inside.get("/sheet/").status_code == 200

    second = reset_password(user=first.user, by=organiser)

    assert get_in(first) is None
    assert get_in(second) == first.user
    assert inside.get("/sheet/").status_code == 302
    assert log_lines()[-1] == ("reset_password", "poyta-1", organiser, None)


def test_reset_password_lets_in_again_whom_wrong_passwords_locked_out():
    account = create_scorekeeper(name="Pöytä 1", by=None)
    for _attempt in range(10):
        Client().post("/login/", {"username": "poyta-1", "password": "wrong"})
    assert AccessAttempt.objects.count() == 1

    account = reset_password(user=account.user, by=None)

    answer = Client().post(
        "/login/", {"username": "poyta-1", "password": account.password}
    )
    assert answer.status_code == 302


def test_deactivate_throws_out_and_activate_lets_in(organiser):
    account = create_scorekeeper(name="Pöytä 1", by=organiser)
    inside = Client()
    inside.force_login(account.user)

    deactivate(user=account.user, by=organiser)
    assert inside.get("/sheet/").status_code == 302
    assert get_in(account) is None

    activate(user=account.user, by=organiser)
    assert get_in(account) == account.user
    assert [act for act, *_rest in log_lines()] == [
        "create_scorekeeper",
        "deactivate_scorekeeper",
        "activate_scorekeeper",
    ]


def test_deactivate_twice_is_one_act():
    user = create_scorekeeper(name="Pöytä 1", by=None).user

    deactivate(user=user, by=None)
    deactivate(user=user, by=None)

    assert [act for act, *_rest in log_lines()] == [
        "create_scorekeeper",
        "deactivate_scorekeeper",
    ]


@pytest.mark.parametrize("act", [reset_password, deactivate, activate])
@pytest.mark.parametrize(
    "facts",
    [{"is_staff": True}, {"is_superuser": True}, {}],
    ids=["organiser", "superuser", "no_scorekeeper"],
)
def test_only_a_scorekeeper_s_account_can_be_touched(act, facts):
    user = UserFactory(**facts)
    if facts:
        user.groups.set(ScorekeeperFactory().groups.all())

    with pytest.raises(Refusal) as refused:
        act(user=user, by=None)

    assert refused.value.code == "not_a_scorekeeper"
    before = (user.password, user.is_active)
    user.refresh_from_db()
    assert (user.password, user.is_active) == before
