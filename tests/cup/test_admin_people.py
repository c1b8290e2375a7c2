from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from komppa.cup.services_people import create_scorekeeper
from tests.factories import OrganiserFactory, ScorekeeperFactory

pytestmark = pytest.mark.django_db

PEOPLE = "/admin/auth/user/"


def can_sign_in(username, password):
    answer = Client().post("/login/", {"username": username, "password": password})
    return answer.status_code == 302


def test_an_account_is_made_and_its_password_shown_this_once(organiser_client):
    answer = organiser_client.post(PEOPLE, {"name": "Pöytä 3"})

    password = answer.context["account"].password
    page = answer.content.decode()
    assert answer.status_code == 200
    assert (">poyta-3<" in page, f">{password}<" in page) == (True, True)
    assert "no-store" in answer.headers["Cache-Control"]
    assert can_sign_in("poyta-3", password)
    assert password not in organiser_client.get(PEOPLE).content.decode()


def test_a_page_sent_twice_makes_one_account(organiser_client):
    organiser_client.post(PEOPLE, {"name": "Pöytä 3"})

    answer = organiser_client.post(PEOPLE, {"name": "Pöytä 3"})

    assert answer.status_code == 422
    assert dict(answer.context["form"].errors) == {
        "name": ["Tunnus ”poyta-3” on jo käytössä."]
    }
    assert answer.context["form"]["name"].value() == "Pöytä 3"
    assert User.objects.filter(is_staff=False).count() == 1


@pytest.mark.parametrize("name", ["", "  ", "♠", "x" * 61, "a\0b"])
def test_a_name_that_is_none_is_refused(organiser_client, name):
    answer = organiser_client.post(PEOPLE, {"name": name})

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["name"]
    assert User.objects.filter(is_staff=False).count() == 0


def test_a_new_password_is_shown_and_the_old_one_stops_working(organiser_client):
    account = create_scorekeeper(name="Pöytä 3", by=None)

    answer = organiser_client.post(f"{PEOPLE}{account.user.pk}/password/")

    password = answer.context["account"].password
    assert can_sign_in("poyta-3", account.password) is False
    assert can_sign_in("poyta-3", password) is True


def test_an_account_is_put_out_of_use_and_back(organiser_client):
    account = create_scorekeeper(name="Pöytä 3", by=None)

    organiser_client.post(f"{PEOPLE}{account.user.pk}/deactivate/")
    assert can_sign_in("poyta-3", account.password) is False

    organiser_client.post(f"{PEOPLE}{account.user.pk}/activate/")
    assert can_sign_in("poyta-3", account.password) is True


@pytest.mark.parametrize("act", ["password", "deactivate", "activate"])
def test_an_organiser_s_account_is_not_found_here(organiser_client, act):
    other = OrganiserFactory()
    other.groups.set(ScorekeeperFactory().groups.all())

    answer = organiser_client.post(f"{PEOPLE}{other.pk}/{act}/")

    assert answer.status_code == 404
    before = (other.password, other.is_active)
    other.refresh_from_db()
    assert (other.password, other.is_active) == before


@pytest.mark.parametrize("people", [1, 5])
def test_the_page_takes_the_same_queries_for_any_number_of_people(
    organiser_client, people, django_assert_num_queries
):
    ScorekeeperFactory.create_batch(people)

    with django_assert_num_queries(4):
        page = organiser_client.get(PEOPLE).content.decode()

    assert page.count("Uusi salasana") == people


def test_groups_and_rights_have_no_page(organiser_client):
    Group.objects.create(name="x")

    assert organiser_client.get("/admin/auth/group/").status_code == 404
    assert organiser_client.get(f"{PEOPLE}1/change/").status_code == 404
    assert organiser_client.get("/admin/axes/accessattempt/").status_code == 404
