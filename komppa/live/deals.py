"""One game told deal by deal: what was given, by which rule, and what it did."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from komppa import words
from komppa.live.boards import SUITS
from komppa.live.pictures import Picture, picture_of
from komppa.sheets.facts import (
    Consequence,
    Step,
    ToldEffect,
    consequence_in,
    facts_of,
    sentence_of,
)
from komppa.sheets.queries import Course, PlayedDeal
from komppa.words import Names
from scoring.rulesets import Ruleset
from scoring.sides import ZERO, Seat, Side


@dataclass(frozen=True, slots=True)
class ToldSide:
    """One team's line of a deal."""

    step: Step
    suit: str
    rules: tuple[str, ...]
    """Of the parts of its points."""


@dataclass(frozen=True, slots=True)
class ToldDeal:
    position: int
    is_laistokierros: bool
    was_written_again: bool
    has_record: bool
    """Whether its play was recorded card by card."""
    sides: tuple[ToldSide, ...]
    effects: tuple[ToldEffect, ...]
    facts: str


@dataclass(frozen=True, slots=True)
class ToldSet:
    number: int
    deals: tuple[ToldDeal, ...]
    """The newest first: it is what one opens the page for."""
    score_a: int
    score_b: int
    is_won: bool
    picture: Picture


def told_sets(
    course: Course,
    rules: Ruleset,
    names: Names,
    seats: Mapping[Seat, str],
    recorded: Collection[int] = (),
) -> list[ToldSet]:
    """Return the sets of a game, the newest first.

    ``recorded`` are the stored numbers of the deals that have a record.
    """
    sets = [
        _told_set(
            number,
            played,
            [consequence_in(course, deal, rules, names) for deal in played],
            picture_of([ZERO, *(d.result.score for d in played)], rules.target, names),
            [sentence_of(facts_of(deal.sheet, names, seats)) for deal in played],
            recorded,
        )
        for number, deals in groupby(course.deals, lambda d: d.result.set_number)
        for played in [list(deals)]
    ]
    return sets[::-1]


def _told_set(
    number: int,
    deals: Sequence[PlayedDeal],
    consequences: Sequence[Consequence],
    picture: Picture,
    facts: Sequence[str],
    recorded: Collection[int],
) -> ToldSet:
    told = [
        _told(*each, has_record=each[0].entry.number in recorded)
        for each in zip(deals, consequences, facts, strict=True)
    ]
    score = deals[-1].result.score
    return ToldSet(
        number=number,
        deals=tuple(reversed(told)),
        score_a=score.a,
        score_b=score.b,
        is_won=any(step.won_set for step in consequences[-1].steps),
        picture=picture,
    )


def _told(
    deal: PlayedDeal, consequence: Consequence, facts: str, *, has_record: bool
) -> ToldDeal:
    result = deal.result
    return ToldDeal(
        position=deal.position,
        is_laistokierros=result.laistokierros,
        was_written_again=deal.entry.version > 1,
        has_record=has_record,
        sides=tuple(
            ToldSide(
                consequence.steps[index],
                SUITS[side],
                tuple(words.parts_rules(result.parts[side])),
            )
            for index, side in enumerate(Side)
        ),
        effects=consequence.effects,
        facts=facts,
    )
