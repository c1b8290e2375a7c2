"""A whole cup as one document, and back: on another installation it gives the same.

Facts are taken along, derived figures are not: they follow from the facts where the
cup arrives. Rows name each other by the ids that they had at home; on arrival each
gets an id of its own, teams in the same order, since a lot is drawn over teams in the
order of their ids. Accounts do not travel: a person is known by the user name, and
one who has no account there gets one that nobody can sign in with. Links of tables
(``TableKey``) are secrets and stay at home.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from komppa.cup.changes import changing, write_log
from komppa.cup.forms import suggested_slug
from komppa.cup.models import (
    Cup,
    Draw,
    Game,
    GameSeat,
    Group,
    GroupMembership,
    Lot,
    OrganiserLog,
    Player,
    PlayingTable,
    Team,
)
from komppa.errors import Refusal
from komppa.sheets.models import Confirmation, DealEntry, DealRecord
from komppa.sheets.services import refold
from scoring.problems import Refused

FORMAT = "komppa-cup"
VERSION = 1

Document = dict[str, Any]
Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A table of the document, in the order in which rows can name each other."""

    name: str
    manager: models.Manager[Any]
    path: str
    """From a row to its cup."""
    derived: tuple[str, ...] = ()
    is_newer: bool = False
    """Whether documents of earlier releases lack it."""

    @property
    def fields(self) -> list[models.Field[Any, Any]]:
        left_out = {"id", "table_key", *self.derived}
        return [
            field
            for field in self.manager.model._meta.concrete_fields
            if field.name not in left_out and field.related_model is not Cup
        ]


_FIGURES = (
    *(f"{name}_{side}" for name in ("sets", "points", "fouls") for side in "ab"),
    "deal_count",
    "laistokierros",
    "winner",
    "ended_by",
    "is_finished",
)
KINDS = (
    Kind("teams", Team.objects, "cup"),
    Kind("players", Player.everyone, "team__cup"),
    Kind("draws", Draw.objects, "cup"),
    Kind("groups", Group.objects, "cup"),
    Kind("memberships", GroupMembership.objects, "group__cup"),
    Kind("playing_tables", PlayingTable.objects, "cup"),
    Kind("games", Game.objects, "cup", derived=_FIGURES),
    Kind("seats", GameSeat.objects, "game__cup"),
    Kind("lots", Lot.objects, "cup"),
    Kind("deal_entries", DealEntry.objects, "game__cup"),
    Kind("deal_records", DealRecord.objects, "game__cup", is_newer=True),
    Kind("confirmations", Confirmation.objects, "game__cup"),
    Kind("log", OrganiserLog.objects, "cup"),
)
_CUP_DERIVED = {"id", "phase", "revision"}


def cup_fields() -> list[models.Field[Any, Any]]:
    return [f for f in Cup._meta.concrete_fields if f.name not in _CUP_DERIVED]


def document_of(cup: Cup) -> Document:
    """Return every fact of the cup."""
    names = dict(User.objects.values_list("pk", "username"))
    return {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": timezone.now(),
        "cup": {f.name: f.value_from_object(cup) for f in cup_fields()},
        **{
            kind.name: [
                {"id": row.pk, **_facts(row, kind, names)}
                for row in kind.manager.filter(**{kind.path: cup}).order_by("pk")
            ]
            for kind in KINDS
        },
    }


def text_of(document: Document) -> str:
    return json.dumps(document, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)


def _facts(row: models.Model, kind: Kind, names: Mapping[int, str]) -> Values:
    values = {}
    for field in kind.fields:
        value = field.value_from_object(row)
        is_person = field.related_model is User
        values[field.name] = names.get(value) if is_person else value
    return values


class NotADocument(Refusal):
    """The file is not one that ``document_of`` has made, or it has been broken."""


def import_cup(*, text: str, by: User | None) -> Cup:
    """Make the cup of a document; refused as a whole, naming what is wrong in it."""
    document = _read(text)
    try:
        with transaction.atomic():
            cup = _make_cup(document["cup"])
            with changing(cup) as locked:
                _Arrival(locked, document).make_rows()
                for game in locked.games.order_by("pk"):
                    game.cup = locked
                    _refold(game)
                write_log(
                    cup=locked,
                    by=by,
                    act="import_cup",
                    target=locked.name,
                    new={"exported_at": str(document.get("exported_at", ""))[:40]},
                )
    except (IntegrityError, OverflowError) as error:
        raise _broken(_("rivit ovat ristiriidassa keskenään")) from error
    return Cup.objects.get(pk=cup.pk)


def _read(text: str) -> Document:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _broken(_("se ei ole JSON-muotoa")) from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _broken(_("se ei ole Kompan turnaus"))
    if document.get("version") != VERSION:
        raise _broken(_("sen on tehnyt uudempi Komppa"))
    for kind in KINDS:
        if kind.is_newer:
            document.setdefault(kind.name, [])
        rows = document.get(kind.name)
        if not isinstance(rows, list) or not all(isinstance(r, dict) for r in rows):
            raise _broken(kind.name)
    if not isinstance(document.get("cup"), dict):
        raise _broken("cup")
    return document


def _make_cup(facts: Mapping[str, Any]) -> Cup:
    values = {f.name: _value(f, facts.get(f.name), "cup") for f in cup_fields()}
    if Cup.objects.filter(slug=values["slug"]).exists():
        values["slug"] = suggested_slug(values["slug"])
    cup = Cup(**values)
    try:
        cup.full_clean()
    except ValidationError as error:
        raise _broken(f"cup: {', '.join(error.messages)}") from error
    cup.save()
    return cup


class _Arrival:
    """The rows of one document, each made after those that it names."""

    def __init__(self, cup: Cup, document: Document) -> None:
        self.cup = cup
        self.document = document
        self.made: dict[type[models.Model], dict[int, int]] = {}
        self.people: dict[str, User] = {}

    def make_rows(self) -> None:
        for kind in KINDS:
            made = self.made.setdefault(kind.manager.model, {})
            for rows in self._batches(kind):
                objects = [self._object(kind, row) for row in rows]
                when = _times(kind, objects)
                kind.manager.bulk_create(objects)
                _write_times(kind, objects, when)
                made |= {
                    _id(row, kind): found.pk
                    for row, found in zip(rows, objects, strict=True)
                }

    def _batches(self, kind: Kind) -> Iterator[list[Values]]:
        """Yield the rows by id, none before those of its own kind that it names."""
        waiting = sorted(self.document[kind.name], key=lambda row: _id(row, kind))
        own = [f.name for f in kind.fields if f.related_model is kind.manager.model]
        known = {_id(row, kind) for row in waiting}
        if len(known) < len(waiting):
            raise _broken(f"{kind.name}: id")
        made = self.made[kind.manager.model]
        while waiting:
            ready = [
                row for row in waiting if not _named(row, own) & known - made.keys()
            ]
            if not ready:
                raise _broken(kind.name)
            yield ready
            waiting = [row for row in waiting if row["id"] not in made]

    def _object(self, kind: Kind, row: Values) -> Any:
        values = {
            f.attname: self._arrived(f, row.get(f.name), kind) for f in kind.fields
        }
        model = kind.manager.model
        if any(f.related_model is Cup for f in model._meta.concrete_fields):
            values["cup_id"] = self.cup.pk
        found = model(**_with_new_ids(values, model, self.made))
        # What may be empty in the database may be so here, whatever a form asks.
        empty = {
            field.name
            for field in model._meta.concrete_fields
            if field.null and getattr(found, field.attname) is None
        }
        related = {f.name for f in model._meta.concrete_fields if f.related_model}
        try:
            found.clean_fields(exclude=empty | related)
        except ValidationError as error:
            messages = ", ".join(error.messages)
            raise _broken(f"{kind.name} {row['id']}: {messages}") from error
        return found

    def _arrived(self, field: models.Field[Any, Any], value: Any, kind: Kind) -> Any:
        related = field.related_model
        if related is None or value is None:
            return _value(field, value, kind.name)
        if related is User:
            return self._person(value).pk
        made = self.made[related].get(value) if type(value) is int else None
        if made is None:
            raise _broken(f"{kind.name}: {field.name} {str(value)[:40]}")
        return made

    def _person(self, name: Any) -> User:
        if not isinstance(name, str) or not name or len(name) > 150 or "\0" in name:
            raise _broken(str(name)[:40])
        if name not in self.people:
            user = User.objects.filter(username=name).first()
            if user is None:
                user = User(username=name, is_active=False)
                user.set_unusable_password()
                user.save()
            self.people[name] = user
        return self.people[name]


def _named(row: Values, fields: Sequence[str]) -> set[int]:
    return {found for name in fields if type(found := row.get(name)) is int}


def _times(kind: Kind, objects: Sequence[Any]) -> dict[str, list[Any]]:
    """Return when each was made, by the fields that Django fills in by itself."""
    names = [f.name for f in kind.fields if getattr(f, "auto_now_add", False)]
    return {name: [getattr(found, name) for found in objects] for name in names}


def _write_times(
    kind: Kind, objects: Sequence[Any], when: Mapping[str, Sequence[Any]]
) -> None:
    """Write over the time of the arrival."""
    for name, times in when.items():
        for found, time in zip(objects, times, strict=True):
            setattr(found, name, time)
    if when:
        kind.manager.bulk_update(objects, list(when), batch_size=200)


def _id(row: Values, kind: Kind) -> int:
    found = row.get("id")
    if type(found) is not int:
        raise _broken(f"{kind.name}: id")
    return found


def _value(field: models.Field[Any, Any], value: Any, place: str) -> Any:
    if isinstance(field, models.JSONField):
        return value
    if isinstance(value, (dict, list)) or "\0" in str(value):
        raise _broken(f"{place}: {field.name}")
    try:
        return field.to_python(value)
    except (ValidationError, ValueError, TypeError, OverflowError) as error:
        raise _broken(f"{place}: {field.name}") from error


def _with_new_ids(
    values: Values,
    model: type[models.Model],
    made: Mapping[type[models.Model], Mapping[int, int]],
) -> Values:
    """Return the values with the ids that stand inside of them those of this place."""
    teams = made.get(Team, {})

    def team(old: Any) -> int:
        # A team removed at home has none here; it stays nobody's.
        return teams.get(old, -abs(old)) if type(old) is int else 0

    if model is Lot:
        return {**values, "order": _mapped(values["order"], team)}
    if model is Draw:
        facts = values["input"]
        if not isinstance(facts, dict):
            raise _broken("draws: input")
        return {
            **values,
            "input": {**facts, "team_ids": _mapped(facts.get("team_ids"), team)},
            "result": [
                _mapped(group, team) for group in _list(values["result"], "draws")
            ],
        }
    if model is OrganiserLog and str(values["target"]).startswith("#"):
        number = str(values["target"])[1:]
        old = int(number) if number.isascii() and number.isdigit() else 0
        return {**values, "target": f"#{made[Draw].get(old, number)}"}
    return values


def _mapped(ids: Any, new: Callable[[Any], int]) -> list[int]:
    return [new(old) for old in _list(ids, "draws, lots")]


def _list(value: Any, place: str) -> Sequence[Any]:
    if not isinstance(value, list):
        raise _broken(place)
    return value


def _refold(game: Game) -> None:
    try:
        refold(game)
    except Refused as refused:
        problem = next(iter(refused.problems))
        raise _broken(f"{game}: {problem.path} {problem.message}") from refused


def _broken(what: str) -> NotADocument:
    return NotADocument(
        _("Tiedostoa ei voi tuoda: %(what)s.") % {"what": what}, code="not_a_document"
    )
