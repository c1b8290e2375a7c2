from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from komppa.cup.services_people import accounts_stamp, create_scorekeeper
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

    with django_assert_num_queries(5):
        page = organiser_client.get(PEOPLE).content.decode()

    assert page.count("Uusi salasana") == people
    assert page.count('name="people"') == people


def test_groups_and_rights_have_no_page(organiser_client):
    Group.objects.create(name="x")

    assert organiser_client.get("/admin/auth/group/").status_code == 404
    assert organiser_client.get(f"{PEOPLE}1/change/").status_code == 404
    assert organiser_client.get("/admin/axes/accessattempt/").status_code == 404


# Many at once.


def wish(count="3", **changes):
    """Return what the form of many accounts sends, opened just now."""
    typed = {"count": count, "name_prefix": "Pöytä", "after": accounts_stamp() or ""}
    return {**typed, **changes}


def scorekeepers():
    return list(User.objects.filter(is_staff=False).order_by("pk"))


def test_many_accounts_are_answered_with_a_slip_each(organiser_client, settings):
    settings.PUBLIC_URL = "https://cup.example.org"

    answer = organiser_client.post(f"{PEOPLE}many/", wish("12"))

    page = answer.content.decode()
    slips = re.findall(r'<section class="slip".*?</section>', page, re.S)
    told = [re.findall(r"<h3[^>]*>(.*?)</h3>|<code>(.*?)</code>", s) for s in slips]
    shown = [["".join(found) for found in slip] for slip in told]
    address = "https://cup.example.org/login/"
    assert answer.status_code == 200
    assert [[slip[0], slip[1], slip[3]] for slip in shown] == [
        [f"Pöytä {n}", f"poyta-{n}", address] for n in range(1, 13)
    ]
    assert [can_sign_in(slip[1], slip[2]) for slip in shown] == [True] * 12
    assert page.count('class="qr"') == 12
    assert [p.count('class="slip"') for p in page.split('class="slip-page"')[1:]] == [
        10,
        2,
    ]


def test_slips_are_kept_nowhere(organiser_client):
    answer = organiser_client.post(f"{PEOPLE}many/", wish("1"))

    password = re.findall(r"<code>(.*?)</code>", answer.content.decode())[1]
    assert can_sign_in("poyta-1", password)
    assert "no-store" in answer.headers["Cache-Control"]
    assert password not in organiser_client.get(PEOPLE).content.decode()
    assert password not in organiser_client.get("/admin/").content.decode()


def test_many_accounts_sent_twice_are_made_once(organiser_client):
    sent = wish("2")
    organiser_client.post(f"{PEOPLE}many/", sent)

    again = organiser_client.post(f"{PEOPLE}many/", sent)
    renewed = re.search(r'name="after" value="(\d+)"', again.content.decode()).group(1)

    assert again.status_code == 422
    assert again.context["many"].non_field_errors() == [
        "Tunnuksia on tehty sen jälkeen, kun avasit sivun. Katso luettelosta, mitä on "
        "jo; jos tarvitset lisää, lähetä uudelleen."
    ]
    assert [user.username for user in scorekeepers()] == ["poyta-1", "poyta-2"]
    assert (
        organiser_client.post(f"{PEOPLE}many/", {**sent, "after": renewed}).status_code
        == 200
    )
    assert [user.username for user in scorekeepers()][2:] == ["poyta-3", "poyta-4"]


def test_the_form_of_many_accounts_offers_what_it_then_takes(organiser_client):
    page = organiser_client.get(PEOPLE).content.decode()
    form = page[page.index("many/") : page.index("</form>", page.index("many/"))]
    offered = dict(re.findall(r'name="(name_prefix|after)" value="([^"]*)"', form))

    answer = organiser_client.post(f"{PEOPLE}many/", {**offered, "count": "1"})

    assert offered == {"name_prefix": "Pöytä", "after": ""}
    assert answer.status_code == 200
    assert [user.first_name for user in scorekeepers()] == ["Pöytä 1"]


def test_without_a_beginning_the_names_are_those_of_tables(organiser_client):
    organiser_client.post(f"{PEOPLE}many/", wish("1", name_prefix=" "))

    assert [user.first_name for user in scorekeepers()] == ["Pöytä 1"]


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"count": ""}, "count", "Tämä kenttä vaaditaan."),
        ({"count": "0"}, "count", "Luku 1–40."),
        ({"count": "41"}, "count", "Luku 1–40."),
        ({"count": "9" * 5000}, "count", "Luku 1–40."),
        ({"count": "kaksi"}, "count", "Luku 1–40."),
        ({"name_prefix": "♠"}, "name_prefix", "Anna nimi, jossa on kirjaimia."),
        ({"name_prefix": "a\0b"}, "name_prefix", "Tyhjiä merkkejä (null) ei sallita."),
        ({"after": "x"}, "after", "Syötä kokonaisluku."),
    ],
)
def test_many_accounts_are_refused_at_the_field_and_nothing_typed_is_lost(
    organiser_client, changes, field, sentence
):
    sent = {**wish("7"), **changes}

    answer = organiser_client.post(f"{PEOPLE}many/", sent)

    assert answer.status_code == 422
    assert dict(answer.context["many"].errors) == {field: [sentence]}
    assert sentence in answer.content.decode()
    for name in ("count", "name_prefix"):
        assert answer.context["many"][name].value() == sent[name]
    assert scorekeepers() == []


def test_those_ticked_are_put_out_of_use_together(organiser_client, organiser):
    cup = CupFactory()
    first, second, third = ScorekeeperFactory.create_batch(3)

    answer = organiser_client.post(
        f"{PEOPLE}deactivate/?cup={cup.pk}",
        {"people": [first.pk, third.pk]},
        follow=True,
    )

    assert answer.redirect_chain == [(f"{PEOPLE}?cup={cup.pk}", 302)]
    assert "2 tunnusta on poistettu käytöstä." in answer.content.decode()
    assert [user.is_active for user in scorekeepers()] == [False, True, False]
    ticks = re.findall(r'name="people" value="(\d+)"', answer.content.decode())
    assert ticks == [str(second.pk)]


def test_new_passwords_for_those_ticked_come_on_slips(organiser_client):
    first, second = (
        create_scorekeeper(name=name, by=None) for name in ("Aino", "Väinö")
    )

    answer = organiser_client.post(
        f"{PEOPLE}passwords/", {"people": [second.user.pk, first.user.pk]}
    )

    told = re.findall(r"<code>(.*?)</code>", answer.content.decode())
    assert (told[0], told[3]) == ("aino", "vaino")
    assert can_sign_in("aino", told[1])
    assert can_sign_in("vaino", told[4])
    assert not can_sign_in("aino", first.password)


@pytest.mark.parametrize("act", ["deactivate", "passwords"])
@pytest.mark.parametrize(
    "people",
    [[], ["0"], ["x"], ["9" * 30], ["1\0"], "organiser", "both"],
    ids=["none", "nobody", "letters", "huge", "nul", "organiser", "both"],
)
def test_a_choice_that_is_none_changes_nothing(organiser_client, act, people):
    organiser = OrganiserFactory()
    person = ScorekeeperFactory()
    chosen = {
        "organiser": [organiser.pk],
        "both": [organiser.pk, person.pk],
    }.get(str(people), people)
    before = list(User.objects.order_by("pk").values("password", "is_active"))

    answer = organiser_client.post(f"{PEOPLE}{act}/", {"people": chosen})

    assert answer.status_code == 422
    (sentence,) = answer.context["chosen"].errors["people"]
    assert sentence in html.unescape(answer.content.decode())
    assert list(User.objects.order_by("pk").values("password", "is_active")) == before
    kept = f'value="{person.pk}" form="deactivate-many" checked'
    assert (kept in answer.content.decode()) is (people == "both")


@pytest.mark.parametrize("act", ["many", "deactivate", "passwords"])
@pytest.mark.parametrize(
    ("role", "status"),
    [("client", 302), ("scorekeeper_client", 403), ("stranger_client", 403)],
)
def test_nobody_but_an_organiser_does_it_to_many(request, act, role, status):
    person = ScorekeeperFactory()
    client = request.getfixturevalue(role)
    sent = {**wish("2"), "people": [person.pk]}
    before = list(User.objects.order_by("pk").values("password", "is_active"))

    answer = client.post(f"{PEOPLE}{act}/", sent)

    assert answer.status_code == status
    assert list(User.objects.order_by("pk").values("password", "is_active")) == before


def test_accounts_are_listed_by_their_numbers(organiser_client):
    for name in ("Pöytä 10", "Pöytä 9", "Aino", "Pöytä 2", "7"):
        create_scorekeeper(name=name, by=None)

    shown = [
        person.first_name for person in organiser_client.get(PEOPLE).context["people"]
    ]

    assert shown == ["7", "Aino", "Pöytä 2", "Pöytä 9", "Pöytä 10"]
