"""Records of disputed deals: attached, replaced and taken back by the organiser."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from komppa.cup.changes import changing, needed_reason, write_log
from komppa.cup.models import Cup, Game
from komppa.cup.words import ruleset_title
from komppa.errors import Refusal
from komppa.sheets.models import DealRecord
from komppa.sheets.queries import standing_records, suspended_records
from komppa.sheets.services import lock_game, refuse_archived
from scoring.deal import Deal
from scoring.deal_document import deal_to_json, read_deal
from scoring.problems import Problem, Refused
from scoring.replay import replay
from scoring.rulesets import RULESETS

MOST_EVENTS = 500
"""A deal has 36 cards and at most seven acts that are not void."""

_ANSWER = {"sheet", "tricks"}
_PLAY = ("hands", "leader", "set_opening", "events")


class RecordRefused(Refusal):
    """The document tells of no deal that can have been played."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        super().__init__(_("Tallennetta ei voi lukea."), code="record_refused")
        self.problems = tuple(problems)


class RecordConflict(Refusal):
    """The deal or its record is no longer what the organiser saw."""


@dataclass(frozen=True, slots=True)
class Attached:
    record: DealRecord
    is_repeat: bool
    """Whether this very record had been attached before."""


def recorded_deal(document: object, cup: Cup) -> Deal:
    """Return the deal that a document tells of, by the cup's own rules.

    Raises RecordRefused with every problem of the document, or Refusal if it is of a
    game for another number of players or is too long.
    """
    if isinstance(document, dict):
        if document.keys() >= _ANSWER and "hands" not in document:
            raise Refusal(
                _(
                    "Tämä on komennon deal vastaus. Liitä se tallenne, josta vastaus "
                    "laskettiin."
                ),
                code="answer_of_deal",
            )
        _refuse_other_game(document.get("ruleset"), cup)
        events = document.get("events")
        if isinstance(events, list) and len(events) > MOST_EVENTS:
            raise Refusal(
                _("Tapahtumia on %(count)d, ja niitä voi olla enintään %(most)d.")
                % {"count": len(events), "most": MOST_EVENTS},
                code="too_many_events",
            )
    try:
        deal = read_deal(document, cup.rules)
        replay(deal)
    except Refused as refused:
        raise RecordRefused(refused.problems) from refused
    return deal


def _refuse_other_game(named: object, cup: Cup) -> None:
    # A name that no rules have is a problem of the document, told with the others.
    rules = RULESETS.get(named) if isinstance(named, str) else None
    if rules and rules.players_per_team != cup.players_per_team:
        raise Refusal(
            _("Tallenteen säännöt ovat ”%(named)s”, mutta turnauksen ”%(own)s”.")
            % {"named": ruleset_title(rules.key), "own": ruleset_title(cup.ruleset)},
            code="other_ruleset",
        )


def attach_record(
    *,
    game: Game,
    number: int,
    version: int,
    document: object,
    seen: int | None,
    by: User | None,
    reason: str,
) -> Attached:
    """Attach a record to a deal, in the place of the one that the organiser saw.

    ``version`` is that of the deal's sheet as it was seen, ``seen`` the id of the
    record in force then, None where there was none. Raises RecordConflict if either
    is another by now; the same record sent again is attached once.
    """
    reason = needed_reason(reason)
    with transaction.atomic():
        cup, fresh = lock_game(game)
        refuse_archived(cup)
        told = deal_to_json(recorded_deal(document, cup))
        standing = standing_records(fresh).get(number)
        standing_id = standing.pk if standing else None
        if standing and is_same_play(standing.document, told):
            if standing_id != seen:
                return Attached(standing, is_repeat=True)
            raise Refusal(_("Jaossa on jo tämä tallenne."), code="nothing_changed")
        if standing_id != seen:
            raise RecordConflict(
                _(
                    "Jaon tallenne on sillä välin vaihtunut. Omasi on alla tallessa: "
                    "tarkista, kumpi jää voimaan."
                ),
                code="record_conflict",
            )
        _refuse_other_sheet(fresh, number, version)
        with changing(cup):
            if standing:
                _take_back(standing, by)
            record = DealRecord.objects.create(
                game=fresh,
                number=number,
                version=version,
                document=told,
                added_by=by,
                reason=reason,
                continues=_suspended(fresh, told),
            )
            write_log(
                cup=cup,
                by=by,
                act="attach_record",
                target=str(fresh),
                new={"deal": number},
                reason=reason,
                game=fresh,
            )
    return Attached(record, is_repeat=False)


def take_back_record(*, record: DealRecord, by: User | None, reason: str) -> None:
    """Take a record out of force; it stays on file, and can be attached again."""
    reason = needed_reason(reason)
    with transaction.atomic():
        cup, fresh = lock_game(record.game)
        refuse_archived(cup)
        current = DealRecord.objects.get(pk=record.pk)
        if current.taken_back_at is not None:
            raise RecordConflict(
                _("Tallenne on jo poistettu käytöstä."), code="record_conflict"
            )
        if DealRecord.objects.filter(continues=current).exists():
            raise RecordConflict(
                _(
                    "Tallenne on sillä välin siirtynyt jakonsa mukana tai liitetty "
                    "uudelleen. Mitään ei tallennettu: tarkista, missä se nyt on."
                ),
                code="record_moved",
            )
        with changing(cup):
            _take_back(current, by)
            write_log(
                cup=cup,
                by=by,
                act="take_back_record",
                target=str(fresh),
                new={"deal": record.number},
                reason=reason,
                game=fresh,
            )


def is_same_play(one: object, other: object) -> bool:
    """Return whether two documents tell the same play, by whatever rules."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return False
    return all(one.get(key) == other.get(key) for key in _PLAY)


def _suspended(game: Game, told: object) -> DealRecord | None:
    """Return the record that is attached again, if its deal has gone from under it."""
    loose = suspended_records(game)
    return next((r for r in loose if is_same_play(r.document, told)), None)


def _take_back(record: DealRecord, by: User | None) -> None:
    record.taken_back_at = timezone.now()
    record.taken_back_by = by
    record.save(update_fields=["taken_back_at", "taken_back_by"])


def _refuse_other_sheet(game: Game, number: int, version: int) -> None:
    entry = game.deal_entries.filter(number=number).order_by("-version").first()
    if entry is None or entry.sheet is None or entry.version != version:
        raise RecordConflict(
            _(
                "Jakoa on sillä välin korjattu tai se on peruttu. Tallenne on alla "
                "tallessa: tarkista vertailu uudelleen."
            ),
            code="sheet_changed",
        )
