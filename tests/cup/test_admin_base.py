"""No page of the organiser writes anything by itself: only services do."""

from __future__ import annotations

import re
import sys
from contextlib import contextmanager, suppress

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection, models
from django.forms import modelformset_factory
from django.test import RequestFactory
from django.urls import reverse

from komppa.cup.admin_base import ListAdmin, ServiceAdmin
from komppa.cup.models import Cup, Game, OrganiserLog, PlayingTable, Team
from komppa.errors import Refusal
from komppa.sheets.models import DealEntry
from tests.factories import (
    OrganiserFactory,
    ScorekeeperFactory,
    TeamFactory,
    drawn_cup,
    record,
)

pytestmark = pytest.mark.django_db

WRITE = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)
SERVICE = re.compile(r"[/\\]komppa[/\\]\w+[/\\](services\w*|changes)\.py$")


@contextmanager
def writes_outside_services():
    """Collect every writing statement that no service has asked for."""
    found = []

    def watch(execute, sql, params, many, context):
        if WRITE.match(sql) and not called_by_a_service():
            found.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield found


def called_by_a_service():
    frame = sys._getframe()
    while frame is not None:
        if SERVICE.search(frame.f_code.co_filename):
            return True
        frame = frame.f_back
    return False


def row_of(model):
    """Return a row that could be saved or removed."""
    if model is Cup:
        return drawn_cup(teams=3)
    if model is User:
        return ScorekeeperFactory()
    if model is Team:
        return TeamFactory()
    cup = drawn_cup(teams=3)
    if model is PlayingTable:
        return PlayingTable.objects.create(cup=cup, number=9)
    if model is DealEntry:
        return record(cup.games.first()).entry
    return {Game: cup.games, OrganiserLog: cup.log}[model].first()


def request_of(user):
    request = RequestFactory().post("/admin/")
    request.user = user
    return request


def form_of(model_admin, request, row, *, change):
    """Return the admin's own form, filled in as it would come from the page."""
    form_class = model_admin.get_form(request, row if change else None, change=change)
    shown = form_class(instance=row)
    data = {field.html_name: field.value() for field in shown}
    data = {name: value for name, value in data.items() if value is not None}
    return form_class({**data, "name": "Uusi", "slug": f"uusi-{row.pk}"}, instance=row)


def every_way_to_write(model_admin, request, row):
    """Return what Django's admin may call to write, each with a name."""
    model = type(row)
    rows = model.objects.filter(pk=row.pk)

    def save(*, change):
        form = form_of(model_admin, request, row, change=change)
        is_valid = form.is_valid()
        assert is_valid or not model_admin.has_change_permission(request)
        model_admin.save_model(request, row, form, change)

    def save_formset():
        form = form_of(model_admin, request, row, change=True)
        formset = modelformset_factory(model, fields="__all__")(queryset=rows)
        formset.save = row.save
        model_admin.save_formset(request, form, formset, True)

    def save_related():
        form = form_of(model_admin, request, row, change=True)
        form.is_valid()
        form.save_m2m = row.save
        model_admin.save_related(request, form, [], True)

    def act(function):
        return lambda: function(model_admin, request, rows)

    return {
        "change": lambda: save(change=True),
        "add": lambda: save(change=False),
        "formset": save_formset,
        "related": save_related,
        "log_addition": lambda: model_admin.log_addition(request, row, "x"),
        "log_change": lambda: model_admin.log_change(request, row, "x"),
        "log_deletions": lambda: model_admin.log_deletions(request, rows),
        "delete_queryset": lambda: model_admin.delete_queryset(request, rows),
        "delete": lambda: model_admin.delete_model(request, row),
        **{
            f"action {name}": act(action[0])
            for name, action in model_admin.get_actions(request).items()
        },
    }


def own_writes(model_admin):
    """Return which of the ways to write an admin goes by itself."""
    guilty = []
    names = every_way_to_write(
        model_admin, request_of(OrganiserFactory()), row_of(model_admin.model)
    )
    for name in names:
        request, row = request_of(OrganiserFactory()), row_of(model_admin.model)
        way = every_way_to_write(model_admin, request, row)[name]
        refused = suppress(NotImplementedError, Refusal)
        with writes_outside_services() as found, refused:
            way()
        if found:
            guilty.append(name)
    return guilty


@pytest.mark.parametrize(
    "model", list(admin.site._registry), ids=lambda model: model.__name__
)
def test_no_admin_writes_by_itself(model):
    assert own_writes(admin.site._registry[model]) == []


def test_all_models_that_are_registered_are_known():
    assert set(admin.site._registry) == {
        Cup,
        Team,
        Game,
        OrganiserLog,
        DealEntry,
        User,
    }


def test_a_plain_admin_is_caught_writing_by_itself():
    class PlainAdmin(admin.ModelAdmin):
        fields = ["number"]

    planted = PlainAdmin(PlayingTable, admin.site)

    assert own_writes(planted) == [
        "change",
        "add",
        "formset",
        "related",
        "log_addition",
        "log_change",
        "log_deletions",
        "delete_queryset",
        "delete",
    ]


def test_a_bulk_action_that_writes_by_itself_is_caught():
    class ActingAdmin(ServiceAdmin):
        actions = ["close"]
        fields = ["number"]

        @admin.action
        def close(self, request, queryset):
            queryset.update(number=77)

    planted = ActingAdmin(PlayingTable, admin.site)

    assert own_writes(planted) == ["action close"]


@pytest.mark.parametrize("hook", ["save_model", "delete_model", "delete_queryset"])
def test_an_admin_that_overrides_nothing_refuses_to_write(hook):
    class BareAdmin(ServiceAdmin):
        pass

    bare = BareAdmin(PlayingTable, admin.site)
    arguments = {"save_model": (None, None, None, True)}.get(hook, (None, None))

    with pytest.raises(NotImplementedError):
        getattr(bare, hook)(*arguments)


@pytest.mark.parametrize("role", ["organiser", "scorekeeper", "stranger"])
def test_rights_come_with_the_role_alone(role, request):
    model_admin = ServiceAdmin(PlayingTable, admin.site)
    asked = request_of(request.getfixturevalue(role))

    rights = {
        model_admin.has_module_permission(asked),
        model_admin.has_view_permission(asked),
        model_admin.has_add_permission(asked),
        model_admin.has_change_permission(asked),
        model_admin.has_delete_permission(asked),
    }

    assert rights == {role == "organiser"}


def test_a_list_can_only_be_looked_at(organiser):
    model_admin = ListAdmin(PlayingTable, admin.site)
    asked = request_of(organiser)

    assert model_admin.has_view_permission(asked) is True
    assert model_admin.has_add_permission(asked) is False
    assert model_admin.has_change_permission(asked) is False
    assert model_admin.has_delete_permission(asked) is False
    assert [url.name for url in model_admin.get_urls()] == [
        "cup_playingtable_changelist"
    ]


def test_the_watch_itself_sees_writes_and_not_reads():
    with writes_outside_services() as found:
        list(PlayingTable.objects.all())
        PlayingTable.objects.filter(number=1).update(number=models.F("number"))

    assert [sql.split()[0] for sql in found] == ["UPDATE"]


LISTS = [model for model in admin.site._registry if model not in (Cup, User)]
"""Cups are listed on the front page, and scorekeepers on a page of their own."""


def numbers_asked(model):
    """Return the parameters of the list's address that hold somebody's number."""
    model_admin = admin.site._registry[model]
    asked = {"id", "id__in", "p", "o", model_admin.cup_parameter}
    for listed in model_admin.list_filter:
        if isinstance(listed, tuple):
            column = listed[0]
            asked |= {column, f"{column}__id__exact", f"{column}__id__in"}
        else:
            asked.add(listed.parameter_name)
    relations = [field for field in model._meta.concrete_fields if field.is_relation]
    asked |= {field.name for field in relations} | {f.attname for f in relations}
    return sorted(asked)


@pytest.mark.parametrize("model", LISTS)
def test_a_number_too_long_for_the_database_is_one_of_nobody(model, organiser_client):
    # With one cup alone there is nothing to narrow by.
    for _cup in range(2):
        row_of(model)
    address = reverse(
        f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"
    )

    def shown(parameter, number):
        answer = organiser_client.get(address, {parameter: number})
        found = answer.context and answer.context["cl"].result_count
        return answer.status_code, answer.get("Location"), found

    asked = numbers_asked(model)
    too_long = {name: shown(name, "9" * 30) for name in asked}
    unknown = {name: shown(name, "9" * 18) for name in asked}

    assert too_long == unknown
    cup = admin.site._registry[model].cup_parameter
    assert too_long[cup] == (200, None, 0)


@pytest.mark.parametrize(
    "address", ["cup/cup/%s/", "cup/cup/%s/change/", "cup/team/%s/change/"]
)
def test_a_page_of_a_number_too_long_is_not_there(address, organiser_client):
    assert organiser_client.get(f"/admin/{address % ('9' * 30)}").status_code == 404
