"""The one write to an organiser's account, made from the machine's own console."""

from __future__ import annotations

from dataclasses import dataclass

from axes.utils import reset as clear_locks
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from komppa.cup.changes import write_log
from komppa.cup.services_people import Account, random_password
from komppa.errors import Refusal


@dataclass(frozen=True, slots=True)
class Admitted(Account):
    act: str
    """What was done, as the log calls it."""


def admit_organiser(
    *, name: str, by: User | None = None, promote: bool = False
) -> Admitted:
    """Make an organiser, or give one a new password and let him in again.

    A scorekeeper becomes an organiser only if ``promote`` says so. Whoever
    was signed in with the old password is signed out.
    """
    name = User.normalize_username(name.strip())
    password = random_password()
    with transaction.atomic():
        user = User.objects.select_for_update().filter(username=name).first()
        is_other = user is not None and not (user.is_staff or user.is_superuser)
        if is_other and not promote:
            raise Refusal(
                _(
                    "”%(name)s” on kirjaajan tunnus. Jos hänestä tulee järjestäjä, "
                    "anna komento uudelleen valinnalla --promote."
                )
                % {"name": name},
                code="not_an_organiser",
            )
        act = "promote_organiser" if is_other else "reset_organiser"
        if user is None:
            act = "create_organiser"
            user = User(username=name)
        user.is_active = user.is_staff = user.is_superuser = True
        user.set_password(password)
        try:
            user.full_clean()
        except ValidationError as error:
            raise Refusal(
                _("”%(name)s” ei kelpaa tunnukseksi: käytä kirjaimia ja numeroita.")
                % {"name": name},
                code="name_unfit",
            ) from error
        user.save()
        write_log(cup=None, by=by, act=act, target=name)
    clear_locks(username=name)
    return Admitted(user, password, act)
