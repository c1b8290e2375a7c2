"""The rules as players read them at a table, true for one cup.

``docs/rules.md`` settles what holds; here each of its numbers has its sentences in
the active language. What a ruleset does not have says so, so that a number cited
anywhere is always found.
"""

from __future__ import annotations

from collections.abc import Mapping

from komppa.rulebook.departures import departure_sentence, departures
from komppa.rulebook.evening import score_sheets, seats, standings
from komppa.rulebook.kinds import Agreed, Chapter, Rule, Terms
from komppa.rulebook.play import cards, tricks, trumps
from komppa.rulebook.points import both_on_target, deal_points, fouls, set_score
from scoring.rulesets import Ruleset

__all__ = [
    "SIZES",
    "Agreed",
    "Chapter",
    "Rule",
    "departure_sentence",
    "departures",
    "is_rule",
    "rulebook",
]

CHAPTERS = (
    cards,
    tricks,
    trumps,
    deal_points,
    set_score,
    both_on_target,
    fouls,
    seats,
    standings,
    score_sheets,
)

SIZES: Mapping[str, int] = {
    "R1": 3,
    "R2": 9,
    "R3": 7,
    "R4": 3,
    "R5": 7,
    "R6": 6,
    "R7": 3,
    "R8": 3,
    "R9": 11,
    "R10": 5,
}
"""How many rules each chapter has, the same in every ruleset."""


def rulebook(rules: Ruleset, agreed: Agreed) -> list[Chapter]:
    """Return the rules in force, chapter by chapter."""
    terms = Terms(rules, agreed)
    return [chapter(terms) for chapter in CHAPTERS]


def is_rule(number: str) -> bool:
    """Return whether there is such a rule or chapter, written as it is cited."""
    chapter, dot, rule = number.partition(".")
    if not dot:
        return chapter in SIZES
    return rule in map(str, range(1, SIZES.get(chapter, 0) + 1))
