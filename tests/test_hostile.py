"""Everybody at every address with every method and anything for an argument or field.

The addresses come from the URL conf, their arguments and forms from the pages: what
is added to the site is tried here without a word more. Whatever comes is answered
clearly, and none of it is a failure of ours.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from django.apps import apps

from tests.addresses import PLACE, routes, with_arguments
from tests.hostility import (
    ARGUMENTS,
    MARK,
    ROLES,
    UNLINKED,
    VALUES,
    WORST,
    encoded,
)

pytestmark = pytest.mark.django_db

ROUTES = routes()
METHODS = ["GET", "HEAD", "POST"]
OTHER_METHODS = ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"]
LISTS = ("/team/", "/game/", "log/", "/dealentry/")
QUERIES_OF_LISTS = ("p", "all", "e", "_popup", "_to_field")


def refused(route):
    """Return those who have no business here."""
    outside = ["anonymous", "stranger"]
    if route in ("admin/login/", "admin/logout/"):
        return []
    if route.startswith("admin/"):
        return [*outside, "scorekeeper"]
    return outside if route.startswith("sheet/") else []


def everything_stored():
    return {
        model.__name__: list(model.objects.order_by("pk").values_list())
        for label in ("cup", "sheets", "auth")
        for model in apps.get_app_config(label).get_models()
    }


def test_links_lead_to_every_address(tour):
    found = {route for route in ROUTES if tour.map.pages.get(route)}

    assert set(ROUTES) - found == set(UNLINKED)


@pytest.mark.parametrize("route", ROUTES)
def test_everybody_gets_a_clear_answer_to_every_method(tour, route):
    address = tour.addresses(route)[0]

    for role in ROLES:
        tour.ask(role, "GET", address)
    for method in ("HEAD", "POST"):
        tour.ask("organiser", method, address)
    assert {
        method: tour.ask(role, method, address).status_code
        for role, methods in (("anonymous", OTHER_METHODS), ("organiser", ["DELETE"]))
        for method in methods
    } == dict.fromkeys(OTHER_METHODS, 405)


@pytest.mark.parametrize("route", [r for r in ROUTES if refused(r)])
def test_outsiders_see_nothing_and_change_nothing(tour, route):
    before = everything_stored()
    form = next(iter(tour.forms(route)), None)
    body = encoded(form.values) if form else b""

    seen = {}
    for role in refused(route):
        for address in tour.addresses(route)[:2]:
            seen[role, address] = tour.ask(role, "GET", address, kept=True)
        address = form.action if form else address
        seen[role, "POST"] = tour.ask(role, "POST", address, body, kept=True)

    assert {
        key: answer.status_code
        for key, answer in seen.items()
        if answer.status_code not in (405, 302 if key[0] == "anonymous" else 403)
    } == {}
    assert everything_stored() == before


@pytest.mark.parametrize("route", [route for route in ROUTES if "<slug:" in route])
def test_a_cup_that_is_not_public_is_not_there_for_others(tour, route):
    draft = tour.hall.drafted
    address = with_arguments(tour.addresses(route)[0], slug=draft.slug)

    answers = {
        (role, method): tour.ask(role, method, address)
        for role in ROLES[:-1]
        for method in METHODS
    }

    assert {answer.status_code for answer in answers.values()} <= {302, 403, 404, 405}
    assert not [a for a in answers.values() if draft.name in a.content.decode()]


@pytest.mark.parametrize("route", [route for route in ROUTES if PLACE.search(route)])
def test_arguments_of_nothing_lead_nowhere(tour, route):
    address = tour.addresses(route)[0]
    answers = {}
    for _converter, name in PLACE.findall(route):
        for kind, value in ARGUMENTS.items():
            wrong = with_arguments(address, **{name: value})
            asked = [("organiser", "GET")]
            if kind in ("nothing", "nul", "long"):
                asked += [("organiser", "POST"), ("anonymous", "GET")]
            for role, method in asked:
                key = (name, kind, role, method)
                answers[key] = tour.ask(role, method, wrong).status_code

    # What only takes a POST may lead elsewhere, as does the sign-in, if the way back
    # is not too long for an address.
    allowed = {"GET": (302, 400, 403, 404, 405), "POST": (403, 404, 405)}
    assert {
        key: status for key, status in answers.items() if status not in allowed[key[3]]
    } == {}


@pytest.mark.parametrize(
    "route", [route for route in ROUTES if re.search("cup_id>.*_id>", route)]
)
def test_things_of_another_cup_are_not_found(tour, route):
    address = tour.addresses(route)[0]
    own = int(re.search("/cup/cup/([0-9]+)/", address)[1])

    for other in (cup for cup in tour.hall.cups if cup.pk != own):
        elsewhere = with_arguments(address, cup_id=str(other.pk))
        answers = [tour.ask("organiser", method, elsewhere) for method in METHODS]
        assert {answer.status_code for answer in answers} <= {404, 405}


@pytest.mark.parametrize("route", ROUTES)
def test_queries_of_any_kind_are_answered(tour, route):
    address = urlsplit(tour.addresses(route)[0]).path
    names = [*sorted(tour.map.queries), *QUERIES_OF_LISTS]
    arrays = [(f"{name}{end}", "1") for name in names for end in ("[]", "[a]")]
    repeated = [(name, value) for name in names for value in ("1", "2", MARK)]
    every = [[(name, VALUES[kind]) for name in names] for kind in WORST]
    queries = ["%", "%FF=%00&=&&&=x", "a=1;b=2", *map(encoded, (arrays, repeated))]

    answer = tour.ask("organiser", "GET", f"{address}?{queries.pop()}")
    if "GET" in vars(answer.wsgi_request):  # which Django puts there when it is read
        queries += map(encoded, every)
    for query in queries:
        tour.ask("organiser", "GET", f"{address}?{query}")
    tour.ask("anonymous", "POST", f"{address}?{queries[0]}")


@pytest.mark.database
@pytest.mark.parametrize("route", [r for r in ROUTES if r.endswith(LISTS)])
def test_each_field_of_a_list_s_address_takes_anything(tour, route):
    for name in {*tour.map.queries, *QUERIES_OF_LISTS, "cup__name", "pk__in"}:
        for kind in WORST:
            query = encoded([(name, VALUES[kind])])
            tour.ask("organiser", "GET", f"/{route}?{query}")
