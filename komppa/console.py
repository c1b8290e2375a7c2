"""What the commands of ``manage.py`` have in common: they answer in sentences."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from komppa.errors import Refusal


class KomppaCommand(BaseCommand):
    """A command whose refusals end it with one sentence and exit code 1."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except Refusal as refusal:
            raise CommandError(refusal.message) from refusal
        except ValidationError as error:
            raise CommandError(_what_will_not_do(error)) from error
        except DatabaseError as error:
            raise CommandError(_what_lacks(error)) from error


def _what_will_not_do(error: ValidationError) -> str:
    """Return the reasons in one line, each after the name of what it is about."""
    if not hasattr(error, "error_dict"):
        return " ".join(error.messages)
    return " ".join(
        " ".join(reasons if name == NON_FIELD_ERRORS else [f"{name}:", *reasons])
        for name, reasons in error.message_dict.items()
    )


def _what_lacks(error: DatabaseError) -> str:
    """Return what keeps the database from answering; any other fault is ours."""
    try:
        tables = connection.introspection.table_names()
    except DatabaseError:
        return f"Tietokanta ei vastaa: {error}"
    if "cup_cup" in tables:
        raise error
    return "Tietokantaa ei ole vielä: käynnistä Komppa ensin kerran, make run."
