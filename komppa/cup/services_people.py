"""Every write to the accounts of scorekeepers: one function each."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from axes.utils import reset as clear_locks
from django.contrib.auth.models import Group, User
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from komppa.cup.access import SCOREKEEPERS
from komppa.cup.changes import write_log
from komppa.errors import Refusal

# Read aloud and typed on a phone: no capitals, nothing that looks like another sign.
SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Account:
    """An account and the password that only this answer tells."""

    user: User
    password: str


def create_scorekeeper(*, name: str, by: User | None) -> Account:
    """Make an account that may enter deals and nothing else."""
    name = " ".join(name.split())
    username = slugify(name)
    if not username:
        raise Refusal(_("Anna nimi, jossa on kirjaimia."), code="name_missing")
    if len(name) > LONGEST_NAME:
        raise Refusal(
            _("Nimessä voi olla enintään %(count)d merkkiä.") % {"count": LONGEST_NAME},
            code="name_too_long",
        )
    password = random_password()
    with transaction.atomic():
        if User.objects.filter(username__iexact=username).exists():
            raise _name_taken(username)
        try:
            with transaction.atomic():
                user = User.objects.create_user(
                    username=username, password=password, first_name=name
                )
        except IntegrityError as error:
            raise _name_taken(username) from error
        user.groups.add(Group.objects.get_or_create(name=SCOREKEEPERS)[0])
        write_log(cup=None, by=by, act="create_scorekeeper", target=username)
    return Account(user, password)


def reset_password(*, user: User, by: User | None) -> Account:
    """Give a scorekeeper a new password; whoever used the old one is signed out."""
    password = random_password()
    with transaction.atomic():
        fresh = _scorekeeper(user)
        fresh.set_password(password)
        fresh.save(update_fields=["password"])
        write_log(cup=None, by=by, act="reset_password", target=fresh.username)
    clear_locks(username=fresh.username)
    return Account(fresh, password)


def deactivate(*, user: User, by: User | None) -> None:
    """Keep a scorekeeper out, also from pages that are open."""
    _switch(user, active=False, by=by)


def activate(*, user: User, by: User | None) -> None:
    """Let a deactivated scorekeeper in again with the old password."""
    _switch(user, active=True, by=by)


def _switch(user: User, *, active: bool, by: User | None) -> None:
    with transaction.atomic():
        fresh = _scorekeeper(user)
        if fresh.is_active is active:
            return
        fresh.is_active = active
        fresh.save(update_fields=["is_active"])
        act = "activate_scorekeeper" if active else "deactivate_scorekeeper"
        write_log(cup=None, by=by, act=act, target=fresh.username)


def _scorekeeper(user: User) -> User:
    """Return the locked account; an organiser's is not to be touched here."""
    fresh = (
        User.objects.select_for_update(of=("self",))
        .filter(pk=user.pk, is_staff=False, is_superuser=False)
        .filter(groups__name=SCOREKEEPERS)
        .first()
    )
    if fresh is None:
        raise Refusal(_("Tunnus ei ole kirjaajan tunnus."), code="not_a_scorekeeper")
    return fresh


def _name_taken(username: str) -> Refusal:
    return Refusal(
        _("Tunnus ”%(name)s” on jo käytössä.") % {"name": username}, code="name_taken"
    )


def random_password() -> str:
    letters = [secrets.choice(SIGNS) for _place in range(12)]
    return "-".join("".join(letters[start : start + 4]) for start in (0, 4, 8))
