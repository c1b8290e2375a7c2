from __future__ import annotations

from io import StringIO

import pytest
from axes.models import AccessAttempt
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client, RequestFactory

from komppa.cup.models import OrganiserLog
from komppa.cup.services_organisers import admit_organiser
from komppa.errors import Refusal
from tests.factories import ScorekeeperFactory

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def get_in(username, password):
    request = RequestFactory().post("/login/")
    return authenticate(request, username=username, password=password)


def test_admit_organiser_makes_one_who_may_everything():
    account = admit_organiser(name=" isanta ")

    user = User.objects.get()
    assert (user.username, user.is_active, user.is_staff, user.is_superuser) == (
        "isanta",
        True,
        True,
        True,
    )
    assert get_in("isanta", account.password) == user
    assert [(log.cup, log.act, log.target) for log in OrganiserLog.objects.all()] == [
        (None, "create_organiser", "isanta")
    ]


def test_admit_organiser_gives_a_new_password_and_signs_the_old_one_out():
    first = admit_organiser(name="isanta")
    inside = Client()
    inside.force_login(first.user)
    assert inside.get("/admin/").status_code == 200

    second = admit_organiser(name="isanta")

    assert User.objects.count() == 1
    assert get_in("isanta", first.password) is None
    assert get_in("isanta", second.password) == first.user
    assert inside.get("/admin/").status_code == 302


def test_admit_organiser_lets_in_again_whom_wrong_passwords_locked_out():
    account = admit_organiser(name="isanta")
    for _attempt in range(10):
        Client().post("/login/", {"username": "isanta", "password": "wrong"})
    right = {"username": "isanta", "password": account.password}
    assert Client().post("/login/", right).status_code == 429

    account = admit_organiser(name="isanta")

    assert AccessAttempt.objects.count() == 0
    right = {"username": "isanta", "password": account.password}
    assert Client().post("/login/", right).status_code == 302


def test_admit_organiser_lets_in_again_whom_another_has_put_out():
    account = admit_organiser(name="isanta")
    User.objects.update(is_active=False, is_staff=False)

    account = admit_organiser(name="isanta")

    assert get_in("isanta", account.password).is_staff


def test_admit_organiser_refuses_a_scorekeeper_and_keeps_the_password():
    scorekeeper = ScorekeeperFactory(username="kirjaaja")
    before = scorekeeper.password

    with pytest.raises(Refusal) as refused:
        admit_organiser(name="kirjaaja")

    scorekeeper.refresh_from_db()
    assert (refused.value.code, refused.value.message) == (
        "not_an_organiser",
        "”kirjaaja” on kirjaajan tunnus. Jos hänestä tulee järjestäjä, anna komento "
        "uudelleen valinnalla --promote.",
    )
    assert (scorekeeper.password, scorekeeper.is_staff) == (before, False)
    assert OrganiserLog.objects.count() == 0


def test_admit_organiser_promotes_a_scorekeeper_when_told_to():
    scorekeeper = ScorekeeperFactory(username="kirjaaja")

    admit_organiser(name="kirjaaja", promote=True)

    scorekeeper.refresh_from_db()
    assert scorekeeper.is_staff
    assert [log.act for log in OrganiserLog.objects.all()] == ["promote_organiser"]


def organiser(*arguments) -> str:
    out = StringIO()
    call_command("organiser", *arguments, stdout=out)
    return out.getvalue().splitlines()[0]


def test_the_command_says_whether_it_made_one_or_renewed_a_password():
    ScorekeeperFactory(username="kirjaaja")
    said = [
        organiser("isanta"),
        organiser("isanta"),
        organiser("kirjaaja", "--promote"),
    ]

    assert said == [
        "Järjestäjän tunnus tehtiin. / An organiser was made.",
        "Järjestäjän salasana uusittiin. / The password was renewed.",
        "Kirjaajasta tehtiin järjestäjä. / The scorekeeper was made an organiser.",
    ]


def test_the_command_refuses_a_scorekeeper_in_a_sentence():
    ScorekeeperFactory(username="kirjaaja")

    with pytest.raises(CommandError, match="”kirjaaja” on kirjaajan tunnus"):
        organiser("kirjaaja")


@pytest.mark.parametrize("name", ["", "   ", "isän/tä", "a" * 151, "kaksi sanaa"])
def test_admit_organiser_refuses_what_is_no_name(name):
    with pytest.raises(Refusal) as refused:
        admit_organiser(name=name)

    assert refused.value.code == "name_unfit"
    assert User.objects.count() == 0


def test_admit_organiser_never_gives_the_same_password():
    passwords = {admit_organiser(name="isanta").password for _ in range(3)}

    assert len(passwords) == 3
