from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError
from django.db import DatabaseError

from komppa.console import KomppaCommand
from komppa.errors import Refusal
from tests.serving import manage


def failing(error):
    class Command(KomppaCommand):
        requires_system_checks = ()

        def handle(self, *args, **options):
            raise error

    return Command()


def run(command):
    command.execute(no_color=True, force_color=False, skip_checks=True)


def test_a_refusal_ends_a_command_with_its_sentence():
    with pytest.raises(CommandError, match=r"^Ei käy\.$"):
        run(failing(Refusal("Ei käy.", code="no")))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValidationError("Ei käy."), "Ei käy."),
        (
            ValidationError({"slug": ["Ei käy.", "Eikä näin."]}),
            "slug: Ei käy. Eikä näin.",
        ),
        (ValidationError({"__all__": ["Ei käy."]}), "Ei käy."),
        (ValidationError({"a": ["Ei."], "b": ["Ei."]}), "a: Ei. b: Ei."),
    ],
)
def test_values_that_will_not_do_end_a_command_with_a_sentence(error, sentence):
    with pytest.raises(CommandError) as refused:
        run(failing(error))

    assert str(refused.value) == sentence


@pytest.mark.django_db
def test_a_fault_of_ours_is_not_taken_for_a_missing_database():
    with pytest.raises(DatabaseError, match="broken"):
        run(failing(DatabaseError("broken")))


@pytest.mark.parametrize(
    "command", ["organiser x", "demo", "redraw 1", "check_derived", "backup ."]
)
def test_a_command_before_the_first_start_says_what_to_do(tmp_path, command):
    answer = manage(*command.split(), data=tmp_path)

    assert (answer.returncode, answer.stderr) == (
        1,
        "CommandError: Tietokantaa ei ole vielä: käynnistä Komppa ensin kerran, "
        "make run.\n",
    )


def test_a_database_that_does_not_answer_is_said_in_a_sentence(tmp_path):
    pytest.importorskip("psycopg")

    answer = manage(
        "check_derived", data=tmp_path, DATABASE_URL="postgres://x:y@127.0.0.1:1/z"
    )

    assert answer.returncode == 1
    assert answer.stderr.startswith("CommandError: Tietokanta ei vastaa: ")
