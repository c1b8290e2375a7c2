"""The ``game`` command: a document of deal sheets, answered by the game's state.

What cannot be known of the rules does not hide what is wrong with the deals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scoring.documents import Reader, refusal
from scoring.game import MOST_SETS, examine
from scoring.problems import Code, Problem
from scoring.rulesets import DEFAULT, RULESETS, Ruleset, read_ruleset
from scoring.sheet import read_sheet


def answer(data: object) -> tuple[dict[str, object], bool]:
    """Return the answer to a document, and whether it was refused."""
    reader = Reader()
    document = reader.members(
        data,
        "",
        required=("sets_to_win", "deals"),
        optional=("ruleset", "switches"),
    )
    if document is None:
        return refusal(reader.problems), True
    sets_to_win = _sets_to_win(reader, document)
    deals = _deals(reader, document)
    rules = read_ruleset(reader, document)
    if rules is None or any(map(_is_about_rules, reader.problems)):
        return refusal(reader.problems + _examine_alone(deals, rules)), True
    readings = (read_sheet(deal, rules) for deal in deals)
    state, found = examine(readings, rules, sets_to_win)
    if reader.problems or found:
        return refusal(reader.problems + found), True
    return state.to_json(), False


def _deals(reader: Reader, document: Mapping[str, object]) -> list[object]:
    if "deals" not in document:
        return []
    return reader.items(document["deals"], "deals") or []


def _is_about_rules(problem: Problem) -> bool:
    subject = problem.path.split("/")[0]
    # What a switch would be that does not exist leaves the others as they are.
    return subject in ("ruleset", "switches") and problem.code is not Code.UNKNOWN_KEY


def _sets_to_win(reader: Reader, document: Mapping[str, object]) -> int:
    """Return the sets that win, the most possible where that cannot be read.

    A game that is over with the most sets is over with any number of them.
    """
    if "sets_to_win" not in document:
        return MOST_SETS
    value = reader.whole(document["sets_to_win"], "sets_to_win", 1, MOST_SETS)
    return MOST_SETS if value is None else value


def _examine_alone(deals: list[object], rules: Ruleset | None) -> list[Problem]:
    """Return what is wrong with each deal whatever the rules in doubt are."""
    return [
        problem.under(f"deals/{index}")
        for index, deal in enumerate(deals)
        for problem in _problems_alone(deal, rules)
    ]


def _problems_alone(deal: object, rules: Ruleset | None) -> list[Problem]:
    judged_by = rules or _likely_rules(deal)
    reading = read_sheet(deal, judged_by)
    unread = set(reading.unread)
    if rules is None and isinstance(deal, dict) and "mattis" not in deal:
        # Which figures would be missing depends on the ruleset.
        unread.add("mattis")
    if any(foul.corrected for foul in reading.sheet.fouls):
        unread.add("fouls")
    return replace(reading, unread=frozenset(unread)).check(judged_by)


def _likely_rules(deal: object) -> Ruleset:
    """Return a ruleset that compares the cards that the deal gives."""
    by_points = isinstance(deal, dict) and "card_points" in deal
    return RULESETS["wikipedia-12" if by_points else DEFAULT]
