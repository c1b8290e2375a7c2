"""Where a cup departs from the ruleset that it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from komppa.words import listing
from scoring.rulesets import RULESETS, BothOnTarget, Ruleset

_RULES: Mapping[str, str] = {
    "whole_questions_after_trump": "R3.5",
    "comparison": "R4.2",
    "target": "R5.1",
    "drop_to": "R5.2",
    "laistokierros_no_tricks": "R6.5",
    "both_on_target": "R6.6",
    "corrected_foul": "R7.3",
}


def departures(rules: Ruleset) -> list[str]:
    """Return the numbers of the rules that are not as in the ruleset named."""
    named = RULESETS.get(rules.key, rules)
    if rules.both_on_target is BothOnTarget.DROP:
        # Nothing can be otherwise in a laistokierros that is not played.
        without = rules.laistokierros_no_tricks
        named = replace(named, laistokierros_no_tricks=without)
    return [
        number
        for field, number in _RULES.items()
        if getattr(rules, field) != getattr(named, field)
    ]


def departure_sentence(rules: Ruleset) -> str:
    """Return what to say beside the ruleset's own description, if anything."""
    numbers = departures(rules)
    if not numbers:
        return ""
    return _("Tästä poiketaan tässä turnauksessa: katso %(rules)s.") % {
        "rules": listing(numbers)
    }
