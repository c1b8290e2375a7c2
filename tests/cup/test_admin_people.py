from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from komppa.cup.services_people import create_scorekeeper
from tests.factories import CupFactory, OrganiserFactory, ScorekeeperFactory

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


@pytest.mark.parametrize("ask", [{"name": "Pöytä 3"}, None])
def test_the_address_to_sign_in_at_is_one_for_other_machines(
    organiser_client, monkeypatch, ask
):
    monkeypatch.delenv("HOST", raising=False)
    monkeypatch.setattr("komppa.network.lan_addresses", lambda: ["192.168.1.5"])
    address = PEOPLE
    if ask is None:
        address += f"{ScorekeeperFactory().pk}/password/"

    answer = organiser_client.post(address, ask, headers={"host": "localhost:8000"})

    page = answer.content.decode()
    assert "<code>http://192.168.1.5:8000/login/</code>" in page
    assert "käynnistetty koko salille (HOST=0.0.0.0)" in page
    assert "localhost" not in page
    assert page.count('class="qr"') == 1


def test_the_address_to_sign_in_at_is_the_public_one_where_there_is(
    organiser_client, settings
):
    settings.PUBLIC_URL = "https://cup.example.org"

    page = organiser_client.post(PEOPLE, {"name": "Pöytä 3"}).content.decode()

    assert "<code>https://cup.example.org/login/</code>" in page
    assert "HOST=0.0.0.0" not in page


def test_opened_from_a_cup_the_page_stays_among_its_pages(organiser_client):
    cup, person = CupFactory(), ScorekeeperFactory()
    back = f"{PEOPLE}?cup={cup.pk}"

    seen = [
        organiser_client.get(back),
        organiser_client.post(back, {"name": "Pöytä 3"}),
        organiser_client.post(f"{PEOPLE}{person.pk}/password/?cup={cup.pk}"),
    ]
    put_out = organiser_client.post(f"{PEOPLE}{person.pk}/deactivate/?cup={cup.pk}")

    assert [answer.context["cup"] for answer in seen] == [cup] * 3
    assert f'action="{back}"' in seen[0].content.decode()
    assert put_out.headers["Location"] == back


@pytest.mark.parametrize("cup", ["", "0", "x", "-1", "9" * 30])
def test_opened_from_no_cup_the_page_is_nobodys(organiser_client, cup):
    answer = organiser_client.get(f"{PEOPLE}?cup={cup}")

    assert (answer.status_code, answer.context["cup"]) == (200, None)


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
