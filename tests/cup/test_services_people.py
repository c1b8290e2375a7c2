from __future__ import annotations

import re

import pytest
from axes.models import AccessAttempt
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.test import Client, RequestFactory

from komppa.cup import services_people
from komppa.cup.access import is_organiser, is_scorekeeper
from komppa.cup.models import Cup, OrganiserLog
from komppa.cup.services_people import (
    accounts_stamp,
    activate,
    create_scorekeeper,
    create_scorekeepers,
    deactivate,
    deactivate_all,
    reset_password,
    reset_passwords,
)
from komppa.errors import Refusal
from tests.factories import (
    CupFactory,
    OrganiserFactory,
    ScorekeeperFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


def get_in(account):
    request = RequestFactory().post("/login/")
    return authenticate(
        request, username=account.user.username, password=account.password
    )


def create_many(count=2, prefix="Pöytä", by=None):
    return create_scorekeepers(
        count=count, prefix=prefix, after=accounts_stamp(), by=by
    )


def usernames():
    return list(User.objects.order_by("pk").values_list("username", flat=True))


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
    # Twelve small letters in syllables: a tablet's first keyboard has them all.
    shape = re.compile(r"([hjklmnprstv][aeiou]){6}")
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


# Many at once.


def test_create_scorekeepers_makes_numbered_accounts_with_a_log_line_each(organiser):
    accounts = create_many(3, "  Pöytä ", by=organiser)

    users = list(User.objects.filter(is_staff=False).order_by("pk"))
    assert [account.user for account in accounts] == users
    assert [(user.username, user.first_name) for user in users] == [
        ("poyta-1", "Pöytä 1"),
        ("poyta-2", "Pöytä 2"),
        ("poyta-3", "Pöytä 3"),
    ]
    assert [is_scorekeeper(user) for user in users] == [True] * 3
    assert [get_in(account) for account in accounts] == users
    assert log_lines() == [
        ("create_scorekeeper", user.username, organiser, None) for user in users
    ]


def test_create_scorekeepers_goes_on_from_the_highest_number_there_is():
    create_scorekeeper(name="Pöytä 2", by=None)
    deactivate(user=create_scorekeeper(name="PÖYTÄ 11", by=None).user, by=None)
    OrganiserFactory(username="Poyta-12")
    UserFactory(username="poyta-20261128")
    UserFactory(username="poyta-b-40")

    accounts = create_many(2)

    assert [a.user.first_name for a in accounts] == ["Pöytä 13", "Pöytä 14"]


@pytest.mark.parametrize(
    ("prefix", "username", "name"),
    [
        ("Ruokasali A", "ruokasali-a-1", "Ruokasali A 1"),
        ("_Å_", "a-1", "_Å_ 1"),
        ("2026", "2026-1", "2026 1"),
    ],
)
def test_create_scorekeepers_makes_a_user_name_of_any_beginning(prefix, username, name):
    (account,) = create_many(1, prefix)

    assert (account.user.username, account.user.first_name) == (username, name)


@pytest.mark.parametrize(
    ("count", "prefix", "code"),
    [
        (0, "Pöytä", "count"),
        (41, "Pöytä", "count"),
        (2, "♠", "name_missing"),
        (2, " ", "name_missing"),
        (2, "x" * 56, "name_too_long"),
    ],
)
def test_create_scorekeepers_is_refused(count, prefix, code):
    with pytest.raises(Refusal) as refused:
        create_many(count, prefix)

    assert refused.value.code == code
    assert (usernames(), log_lines()) == ([], [])


def test_create_scorekeepers_makes_all_or_none():
    before = ["poyta-9998", "poyta-10000"]
    for username in before:
        UserFactory(username=username)

    with pytest.raises(Refusal) as refused:
        create_many(3)

    assert refused.value.message == "Tunnus ”poyta-10000” on jo käytössä."
    assert (usernames(), log_lines()) == (before, [])


def test_the_same_wish_again_makes_no_second_set():
    seen = accounts_stamp()
    create_scorekeepers(count=2, prefix="Pöytä", after=seen, by=None)

    with pytest.raises(Refusal) as refused:
        create_scorekeepers(count=2, prefix="Pöytä", after=seen, by=None)

    assert refused.value.code == "accounts_made"
    assert usernames() == ["poyta-1", "poyta-2"]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_nobody_waits_while_passwords_are_hashed(monkeypatch):
    cup = CupFactory()
    waited = []

    def hash_and_write_beside(password):
        try:
            with connection.cursor() as cursor:
                if connection.vendor == "sqlite":
                    # The hashers may meet each other; only a lock that is kept counts.
                    cursor.execute("PRAGMA busy_timeout = 3000")
            Cup.objects.filter(pk=cup.pk).update(place="Otaniemi")
            waited.append(False)
        except OperationalError:
            waited.append(True)
        finally:
            connection.close()
        return password

    monkeypatch.setattr(services_people, "make_password", hash_and_write_beside)
    accounts = create_many(2)
    reset_passwords(users=[account.user for account in accounts], by=None)
    create_scorekeeper(name="Aino", by=None)

    assert waited == [False] * 5


def test_reset_passwords_gives_each_a_new_one(organiser):
    first = create_many(2)

    second = reset_passwords(users=[a.user for a in reversed(first)], by=organiser)

    assert [account.user for account in second] == [account.user for account in first]
    assert [get_in(account) for account in first] == [None, None]
    assert [get_in(account) for account in second] == [a.user for a in first]
    assert log_lines()[2:] == [
        ("reset_password", "poyta-1", organiser, None),
        ("reset_password", "poyta-2", organiser, None),
    ]


def test_deactivate_all_throws_out_those_chosen_and_nobody_else(organiser):
    first, second, third = create_many(3)
    deactivate(user=second.user, by=None)
    inside = Client()
    inside.force_login(first.user)

    count = deactivate_all(users=[second.user, first.user], by=organiser)

    assert count == 1
    assert inside.get("/sheet/").status_code == 302
    assert [get_in(account) for account in (first, second)] == [None, None]
    assert get_in(third) == third.user
    assert log_lines()[4:] == [("deactivate_scorekeeper", "poyta-1", organiser, None)]


@pytest.mark.parametrize("act", [deactivate_all, reset_passwords])
def test_an_organiser_among_those_chosen_leaves_all_as_they_were(act):
    (account,) = create_many(1)
    other = OrganiserFactory()
    other.groups.set(account.user.groups.all())

    with pytest.raises(Refusal) as refused:
        act(users=[account.user, other], by=None)

    assert refused.value.code == "not_a_scorekeeper"
    assert get_in(account) == account.user
    other.refresh_from_db()
    assert other.is_active
    assert len(log_lines()) == 1
