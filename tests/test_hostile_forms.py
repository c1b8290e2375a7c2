"""Anything in any field of every form, and bodies that are no form at all.

The forms are those on the pages of ``tests/hall.py``.
"""

from __future__ import annotations

import pytest
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from tests.addresses import kind_of, routes
from tests.hostility import (
    BODIES,
    MARK,
    VALUES,
    Upload,
    encoded,
    filled,
)
from tests.linked import unheard_errors

pytestmark = pytest.mark.django_db

ROUTES = routes()
BRIEFLY = ["nul", "digits_30", "long"]


@pytest.mark.parametrize("route", ROUTES)
def test_fields_with_anything_in_them_are_answered(tour, route):
    for index, form in enumerate(tour.forms(route)):
        seen = [name for name in form.names if name not in form.hidden]
        kinds = BRIEFLY if index else VALUES
        bodies = [filled(form, seen, VALUES[kind]) for kind in kinds]
        # A broken one of these may keep all others from being looked at.
        for name in {kind_of(name): name for name in form.hidden}.values():
            bodies += [filled(form, [name], VALUES[kind]) for kind in BRIEFLY]
        bodies.append(filled(form, form.names, MARK))
        for body in bodies:
            tour.ask("organiser", "POST", form.action, body)


@pytest.mark.parametrize("route", [route for route in ROUTES if "preview" not in route])
def test_what_is_wrong_is_told_at_its_field_or_by_an_alert(tour, route):
    for form in tour.forms(route):
        typed = set(form.names) - {*form.hidden, *form.chosen}
        for value in ("", "x" * 400):
            body = filled(form, typed, value)
            answer = tour.ask("organiser", "POST", form.action, body)
            if answer.status_code in (200, 422):
                assert unheard_errors(answer.content.decode()) == []


@pytest.mark.parametrize("route", ROUTES)
def test_fields_that_are_lists_or_lacking_or_too_many_are_answered(tour, route):
    for form in tour.forms(route):
        doubled = [*form.values, *((name, MARK) for name in form.names)]
        arrays = [(name + end, v) for name, v in form.values for end in ("[]", "[0]")]
        lacking = [
            [pair for pair in form.values if pair[0] != name]
            for name in form.hidden[:5]
        ]
        for pairs in (doubled, arrays, [], *lacking):
            tour.ask("organiser", "POST", form.action, encoded(pairs))
    too_many = "&".join(f"f{number}=1" for number in range(1001))
    tour.ask("organiser", "POST", tour.addresses(route)[0], too_many)


@pytest.mark.parametrize("route", ROUTES)
def test_bodies_of_any_kind_are_answered(tour, route):
    address = tour.addresses(route)[0]
    forms = tour.forms(route)
    for body, content_type in list(BODIES.values())[: None if forms else 2]:
        tour.ask("organiser", "POST", address, body, content_type)
    for form in forms:
        files = {name: Upload(b"\0\xff" * 9) for name in form.names}
        body = encode_multipart(BOUNDARY, files)
        tour.ask("organiser", "POST", form.action, body, MULTIPART_CONTENT)
