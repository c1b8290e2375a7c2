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
