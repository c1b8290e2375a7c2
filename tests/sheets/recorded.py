"""Deals card by card: one that was played by the rules, and what may befall it."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from typing import Any

from komppa.cup.models import Game
from komppa.sheets.models import DealRecord
from komppa.sheets.queries import course_of, standing_records
from komppa.sheets.records import attach_record
from scoring.deal import Deal, Play
from scoring.deal_document import deal_to_json, read_deal
from scoring.replay import positions, replay
from scoring.sheet import DealSheet
from tests.factories import record
from tests.serving import ROOT

Document = dict[str, Any]
REASON = "Riita valtista"

_CASES = json.loads((ROOT / "tests/vectors/deals.json").read_text("utf-8"))["cases"]
_OPENING = next(case["in"] for case in _CASES if case["id"] == "gen-4")


def document(**changes: Any) -> Document:
    """Return a set's first deal: A2 leads, B makes trump of clubs, A hearts small."""
    return {**deepcopy(_OPENING), **changes}


def cut(count: int) -> Document:
    """Return the deal as far as so many events."""
    return document(events=document()["events"][:count])


def with_event(index: int, event: dict[str, Any]) -> Document:
    """Return the deal with an event put in before the one of that index."""
    events = document()["events"]
    return document(events=[*events[:index], event, *events[index:]])


def with_foul(after: int, *, corrected: bool = False) -> Document:
    """Return the deal with a wrong card in it, played on by the rules to its end.

    The wrong card is the first that somebody could play after so many events.
    """
    deal = read_deal(document())
    for index, position in enumerate(positions(deal)):
        legal = position.legal().legal
        wrong = sorted(position.hands[position.turn].cards - set(legal))
        if index >= after and wrong:
            play = Play(wrong[0], legal[0] if corrected else None)
            return deal_to_json(_played_on(deal, (*deal.events[:index], play)))
    raise AssertionError("nobody can play a wrong card")


def _played_on(deal: Deal, events: tuple[Any, ...]) -> Deal:
    position = replay(replace(deal, events=events))
    while not position.finished:
        event = Play(position.legal().legal[0])
        events, position = (*events, event), position.after(event)
    return replace(deal, events=events)


def sheet_of(told: Document, **changes: Any) -> DealSheet:
    """Return the sheet that the deal comes to, with who held the club ace."""
    deal = read_deal(told)
    holder = deal.leader if deal.set_opening else None
    return replace(replay(deal).sheet(), **{"club_ace": holder, **changes})


def attach(game: Game, told: Document | None = None, number: int = 1) -> DealRecord:
    """Attach a record to a deal of the game as it stands."""
    deals = {deal.entry.number: deal for deal in course_of(game).deals}
    standing = standing_records(game).get(number)
    return attach_record(
        game=game,
        number=number,
        version=deals[number].entry.version,
        document=told or document(),
        seen=standing.pk if standing else None,
        by=None,
        reason=REASON,
    ).record


def disputed(game: Game, told: Document | None = None, **changes: Any) -> DealRecord:
    """Play a deal, enter it with changes of its facts, and attach its record."""
    told = told or document()
    record(game, sheet_of(told, **changes))
    return attach(game, told)
