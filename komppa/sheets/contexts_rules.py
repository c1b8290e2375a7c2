"""What the page of changed rules tells: what changes, and what stands in the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from komppa import words
from komppa.cup.models import Cup, Game, OrganiserLog
from komppa.cup.words import ChangedFact, changed_facts, game_teams
from komppa.sheets.queries import names_of
from komppa.sheets.rule_changes import UnsoundGame, changed_rules, told_deals


@dataclass(frozen=True, slots=True)
class ToldUnsound:
    """A game whose deals have to be put right before the rules can change."""

    game: Game
    teams: str
    reasons: tuple[tuple[str, str], ...]
    """Deals by their numbers, and what is wrong with them."""


def told_changes(cup: Cup, values: Mapping[str, Any]) -> list[ChangedFact]:
    """Return the rules that would change, as the log will tell them."""
    new = changed_rules(cup, values)
    old = {name: getattr(cup, name) for name in new}
    return list(changed_facts(OrganiserLog(target=cup.name, old=old, new=new)))


def told_unsound(unsound: UnsoundGame) -> ToldUnsound:
    names = names_of(unsound.game)
    deals: dict[str, list[int]] = {}
    for position, problems in unsound.problems.items():
        for problem in problems:
            sentence = words.problem_sentence(problem, names)
            of_sentence = deals.setdefault(sentence, [])
            if position not in of_sentence:
                of_sentence.append(position)
    reasons = tuple((told_deals(found), text) for text, found in deals.items())
    return ToldUnsound(unsound.game, game_teams(unsound.game), reasons)
