"""What every test of the site stands on."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack

import pytest
from django.conf import global_settings
from django.db import connection
from django.test import Client
from django.test.utils import setup_databases, teardown_databases

from tests import machine
from tests.addresses import MOST_OF_A_KIND
from tests.factories import OrganiserFactory, ScorekeeperFactory, UserFactory
from tests.hostility import guided_tour
from tests.installations import Installations
from tests.site import collect_static_files, serving_test_database

# The browser tests run beside an event loop, which Django takes for async code.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


def pytest_collection_modifyitems(items):
    # What takes longest begins first, or one core waits for the other at the end.
    items.sort(
        key=lambda item: (
            "test_postgresql" not in item.nodeid,
            "e2e" not in item.nodeid,
        )
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if item.get_closest_marker("browser"):
        machine.require_browser()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {
        **browser_type_launch_args,
        "executable_path": machine.chromium(),
        "args": machine.CHROMIUM_FLAGS,
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args):
    # Before a click the driver scrolls, and does not wait until a smooth scroll ends:
    # what sticks to the screen's edge then moves away from under it.
    return {**browser_context_args, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment, django_db_modify_db_settings, django_db_blocker
):
    """The test database, always: pytest-django leaves it out where no test asks for it.

    A module that fills it once for all its tests would then fill the developer's own.
    """
    with django_db_blocker.unblock():
        made = setup_databases(verbosity=0, interactive=False, serialized_aliases=())
    yield
    with django_db_blocker.unblock():
        teardown_databases(made, verbosity=0)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix):
    """Commit at once: nothing of a test's has to outlive a power cut."""
    if connection.vendor == "postgresql":
        options = connection.settings_dict.setdefault("OPTIONS", {})
        options["options"] = "-c synchronous_commit=off"
        connection.ops.sql_flush = _emptied


def _emptied(_style, tables, **_unused):
    # TRUNCATE takes as long for tables with next to nothing in them as for large ones.
    # What refers to what is looked at when all is gone.
    return [f'DELETE FROM "{table}"' for table in sorted(tables)]


@pytest.fixture(scope="session")
def postgres_url():
    return machine.postgres_url()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def installations(request, tmp_path_factory):
    """Makes whole installations, on either database: ``tests/installations.py``."""
    is_sqlite = request.param == "sqlite"
    server = None if is_sqlite else request.getfixturevalue("postgres_url")
    with ExitStack() as databases:
        yield Installations(tmp_path_factory.mktemp("machines"), server, databases)


@pytest.fixture(autouse=True)
def _fast_and_uncollected(settings):
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        },
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def organiser(db):
    return OrganiserFactory()


@pytest.fixture
def scorekeeper(db):
    return ScorekeeperFactory()


@pytest.fixture
def stranger(db):
    """Signed in, with no role: must never get in."""
    return UserFactory()


def _signed_in(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def organiser_client(organiser):
    return _signed_in(organiser)


@pytest.fixture
def scorekeeper_client(scorekeeper):
    return _signed_in(scorekeeper)


@pytest.fixture
def stranger_client(stranger):
    return _signed_in(stranger)


@pytest.fixture(scope="module")
def tour(django_db_setup, django_db_blocker):
    """A hall full of cups and the way round its pages: ``tests/hostility.py``."""
    # The tests of the lists are all there is of it on PostgreSQL.
    most = 2 if connection.vendor == "postgresql" else MOST_OF_A_KIND
    with django_db_blocker.unblock(), guided_tour(most) as tour:
        yield tour


@pytest.fixture(scope="session")
def site_folder(django_db_setup, django_db_blocker, tmp_path_factory):
    """A data folder that shares the test database, static files collected."""
    folder = tmp_path_factory.mktemp("site")
    with django_db_blocker.unblock():
        collect_static_files(folder)
    return folder


@pytest.fixture(scope="session")
def _site_server(site_folder, django_db_blocker):
    with django_db_blocker.unblock(), serving_test_database(site_folder) as server:
        yield server


@pytest.fixture
def shared_site(_site_server):
    """The real server, for tests that share a database filled by their module."""
    before = len(_site_server.output)
    yield _site_server
    said = _site_server.output[before:]
    assert "Traceback" not in said, said


@pytest.fixture
def site(shared_site, transactional_db, settings):
    """The real server on this test's database; how to use it: ``tests/site.py``."""
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    return shared_site


@pytest.fixture(scope="session")
def _probe_server(site_folder, django_db_blocker):
    application = "tests.probing:application"
    clock = json.dumps({"HEARTBEAT_SECONDS": 0.4, "WATCH_SECONDS": 0.2})
    with (
        django_db_blocker.unblock(),
        serving_test_database(
            site_folder, application, KOMPPA_TEST_CLOCK=clock
        ) as server,
    ):
        yield server


@pytest.fixture
def probe_site(_probe_server, transactional_db):
    """The real server with the pages and parts of ``probing``, and a quick clock."""
    return _probe_server
