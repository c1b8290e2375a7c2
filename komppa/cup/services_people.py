"""Every write to the accounts of scorekeepers: one function each."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from axes.utils import reset as clear_locks
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
from django.db import IntegrityError, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from komppa.cup.access import SCOREKEEPERS
from komppa.cup.changes import write_log
from komppa.errors import Refusal

# Read from a screen once: no capitals, nothing that looks like another sign.
SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
# Said in syllables, and typed without leaving a tablet's keyboard of letters.
CONSONANTS = "hjklmnprstv"
VOWELS = "aeiou"
SYLLABLES = 6
LONGEST_NAME = 60
MOST_AT_ONCE = 40
# A longer number is somebody's year or telephone, not the last of a series.
LONGEST_NUMBER = 4


@dataclass(frozen=True, slots=True)
class Account:
    """An account and the password that only this answer tells."""

    user: User
    password: str


def create_scorekeeper(*, name: str, by: User | None) -> Account:
    """Make an account that may enter deals and nothing else."""
    name = " ".join(name.split())
    username = slugify(name)
    _refuse_unfit(name, username)
    ((password, hashed),) = _passwords(1)
    user = User(username=username, first_name=name, password=hashed)
    with transaction.atomic():
        _add([user], role=_role(), by=by)
    return Account(user, password)


def create_scorekeepers(
    *, count: int, prefix: str, after: int | None, by: User | None
) -> list[Account]:
    """Make so many numbered accounts, all of them or none.

    The numbers go on from those that exist. ``after`` is ``accounts_stamp`` as the
    writer saw it, so that a form sent twice makes no second set.
    """
    prefix = " ".join(prefix.split())
    stem = slugify(prefix)
    if not 1 <= count <= MOST_AT_ONCE:
        raise Refusal(
            _("Tunnuksia voi tehdä kerralla 1–%(most)d.") % {"most": MOST_AT_ONCE},
            code="count",
        )
    _refuse_unfit(f"{prefix} {'9' * LONGEST_NUMBER}", stem)
    passwords = _passwords(count)
    with transaction.atomic():
        role = _role()
        if accounts_stamp() != after:
            raise Refusal(
                _(
                    "Tunnuksia on tehty sen jälkeen, kun avasit sivun. Katso "
                    "luettelosta, mitä on jo; jos tarvitset lisää, lähetä uudelleen."
                ),
                code="accounts_made",
            )
        first = _last_number(stem) + 1
        users = [
            User(username=f"{stem}-{n}", first_name=f"{prefix} {n}", password=hashed)
            for n, (_password, hashed) in enumerate(passwords, start=first)
        ]
        _add(users, role=role, by=by)
    return [Account(u, told) for u, (told, _hash) in zip(users, passwords, strict=True)]


def accounts_stamp() -> int | None:
    """Return what changes whenever scorekeepers are added; None without any."""
    made = User.objects.filter(groups__name=SCOREKEEPERS).order_by("-pk")
    return made.values_list("pk", flat=True).first()


def reset_password(*, user: User, by: User | None) -> Account:
    """Give a scorekeeper a new password; whoever used the old one is signed out."""
    return reset_passwords(users=[user], by=by)[0]


def reset_passwords(*, users: Collection[User], by: User | None) -> list[Account]:
    """Give each a new password, all or none; the accounts come in order of making."""
    in_order = sorted(users, key=lambda user: user.pk)
    passwords = _passwords(len(in_order))
    accounts = []
    with transaction.atomic():
        for user, (password, hashed) in zip(in_order, passwords, strict=True):
            fresh = _scorekeeper(user)
            fresh.password = hashed
            fresh.save(update_fields=["password"])
            write_log(cup=None, by=by, act="reset_password", target=fresh.username)
            accounts.append(Account(fresh, password))
    for account in accounts:
        clear_locks(username=account.user.username)
    return accounts


def deactivate(*, user: User, by: User | None) -> None:
    """Keep a scorekeeper out, also from pages that are open."""
    _switch(user, active=False, by=by)


def deactivate_all(*, users: Collection[User], by: User | None) -> int:
    """Keep these out, all or none; return how many were not out before."""
    with transaction.atomic():
        in_order = sorted(users, key=lambda user: user.pk)
        return sum(_switch(user, active=False, by=by) for user in in_order)


def activate(*, user: User, by: User | None) -> None:
    """Let a deactivated scorekeeper in again with the old password."""
    _switch(user, active=True, by=by)


def _switch(user: User, *, active: bool, by: User | None) -> bool:
    with transaction.atomic():
        fresh = _scorekeeper(user)
        if fresh.is_active is active:
            return False
        fresh.is_active = active
        fresh.save(update_fields=["is_active"])
        act = "activate_scorekeeper" if active else "deactivate_scorekeeper"
        write_log(cup=None, by=by, act=act, target=fresh.username)
    return True


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


def _role() -> Group:
    """Return the scorekeepers' group, locked: accounts are made one set at a time."""
    Group.objects.get_or_create(name=SCOREKEEPERS)
    return Group.objects.select_for_update().get(name=SCOREKEEPERS)


def _add(users: list[User], *, role: Group, by: User | None) -> None:
    for user in users:
        if User.objects.filter(username__iexact=user.username).exists():
            raise _name_taken(user.username)
        try:
            with transaction.atomic():
                user.save()
        except IntegrityError as error:
            raise _name_taken(user.username) from error
        write_log(cup=None, by=by, act="create_scorekeeper", target=user.username)
    role.user_set.add(*users)


def _last_number(stem: str) -> int:
    """Return the highest number of the names that are made of the stem and one."""
    names = User.objects.filter(username__istartswith=f"{stem}-")
    ends = (name[len(stem) + 1 :] for name in names.values_list("username", flat=True))
    numbers = (
        int(end)
        for end in ends
        if end.isascii() and end.isdigit() and len(end) <= LONGEST_NUMBER
    )
    return max(numbers, default=0)


def _refuse_unfit(name: str, username: str) -> None:
    if not username:
        raise Refusal(_("Anna nimi, jossa on kirjaimia."), code="name_missing")
    if len(name) > LONGEST_NAME:
        raise Refusal(
            _("Nimessä voi olla enintään %(count)d merkkiä.") % {"count": LONGEST_NAME},
            code="name_too_long",
        )


def _name_taken(username: str) -> Refusal:
    return Refusal(
        _("Tunnus ”%(name)s” on jo käytössä.") % {"name": username}, code="name_taken"
    )


def _passwords(count: int) -> list[tuple[str, str]]:
    """Return new passwords, each with its hash.

    Hashing is slow on purpose: call this before anything is locked, and no deal at a
    table waits for it.
    """
    passwords = [easy_password() for _account in range(count)]
    with ThreadPoolExecutor(max_workers=2) as pool:
        return list(zip(passwords, pool.map(make_password, passwords), strict=True))


def easy_password() -> str:
    """Return a password for a scorekeeper, which is read off a slip of paper."""
    syllables = (
        secrets.choice(CONSONANTS) + secrets.choice(VOWELS)
        for _syllable in range(SYLLABLES)
    )
    return "".join(syllables)


def random_password() -> str:
    """Return a password for an organiser."""
    letters = [secrets.choice(SIGNS) for _place in range(12)]
    return "-".join("".join(letters[start : start + 4]) for start in (0, 4, 8))
