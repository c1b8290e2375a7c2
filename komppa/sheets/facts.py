"""A deal told in short phrases: what the sheet says, and what it did to the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from komppa import words
from komppa.sheets.queries import Course, PlayedDeal
from komppa.words import Names
from komppa.words_of_problems import KEY_LABELS
from scoring.game import DealResult, EffectCode
from scoring.rulesets import Ruleset
from scoring.sheet import DealSheet, Foul
from scoring.sides import ZERO, Pair, Seat, Side
from scoring.suits import Suit

NO_BREAK = "\N{NO-BREAK SPACE}"
_GOOD = {EffectCode.SET_WON, EffectCode.GAME_WON, EffectCode.LAISTOKIERROS_SAVED}
_TO_ZERO = {EffectCode.PORVOO_FOUL, EffectCode.PORVOO_NO_TRICKS}


@dataclass(frozen=True, slots=True)
class Step:
    """One team's way through a deal: ”9 + 3 = 12”."""

    side: Side
    name: str
    points: int
    parts: str
    arithmetic: str
    score: int
    won_set: bool

    @property
    def sentence(self) -> str:
        unbroken = self.arithmetic.replace(" ", NO_BREAK)
        return f"{self.name} {unbroken}"


class ToldEffect(NamedTuple):
    """What a deal did besides giving points, in a sentence."""

    text: str
    rule: str
    is_good: bool
    """Whether it is good news to somebody."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a deal did to both teams."""

    steps: tuple[Step, Step]
    effects: tuple[ToldEffect, ...]
    abandoned: bool

    @property
    def sentence(self) -> str:
        effects = [f"{effect.text}." for effect in self.effects]
        if self.abandoned:
            return " ".join(effects)
        steps = ", ".join(step.sentence for step in self.steps)
        return " ".join([f"{steps}.", *effects])


def consequence_of(
    result: DealResult, before: Pair[int], rules: Ruleset, names: Names
) -> Consequence:
    a, b = (_step(side, result, before, rules, names) for side in Side)
    told: dict[str, Any] = {
        "result": result,
        "before": before,
        "rules": rules,
        "names": names,
    }
    return Consequence(
        steps=(a, b),
        effects=tuple(
            ToldEffect(
                words.effect_sentence(effect, **told), effect.rule, effect.code in _GOOD
            )
            for effect in result.effects
        ),
        abandoned=any(e.code is EffectCode.LOST_BY_FOULS for e in result.effects),
    )


def consequence_in(
    course: Course, deal: PlayedDeal, rules: Ruleset, names: Names
) -> Consequence:
    """Return what a recorded deal did, from the score that it found."""
    previous = course.deals[deal.position - 2] if deal.position > 1 else None
    same_set = previous and previous.result.set_number == deal.result.set_number
    before = previous.result.score if previous and same_set else ZERO
    return consequence_of(deal.result, before, rules, names)


def _step(
    side: Side, result: DealResult, before: Pair[int], rules: Ruleset, names: Names
) -> Step:
    own = {effect.code for effect in result.effects if effect.side is side}
    return Step(
        side=side,
        name=names[side],
        points=result.points[side],
        parts=words.parts_sentence(result.parts[side], rules),
        arithmetic=_arithmetic(
            before[side],
            result.points[side],
            result.score[side],
            jumps=result.laistokierros or not own.isdisjoint(_TO_ZERO),
        ),
        score=result.score[side],
        won_set=EffectCode.SET_WON in own,
    )


def _arithmetic(before: int, points: int, score: int, *, jumps: bool) -> str:
    if jumps:
        return f"{before} → {score}"
    total = before + points
    drop = f" → {score}" if score != total else ""
    return f"{before} + {points} = {total}{drop}"


def facts_of(
    sheet: DealSheet, names: Names, seats: Mapping[Seat, str] | None = None
) -> list[str]:
    """Return what the sheet says, a phrase each, in the order it is filled in."""
    facts = []
    if sheet.club_ace:
        holder = (seats or {}).get(sheet.club_ace, sheet.club_ace.value)
        facts.append(_("erän aloitti: %(player)s") % {"player": holder})
    if not sheet.abandoned:
        facts += _trumps(sheet, names)
    if sheet.last_trick:
        facts.append(_("viimeinen tikki: %(team)s") % {"team": names[sheet.last_trick]})
    for key in ("mattis", "pips", "aces", "card_points"):
        pair = getattr(sheet, key)
        if pair is not None:
            facts.append(f"{KEY_LABELS[key]} {pair.a}–{pair.b}")
    if sheet.no_tricks:
        facts.append(_("ei yhtään tikkiä: %(team)s") % {"team": names[sheet.no_tricks]})
    facts += [_foul(foul, names) for foul in sheet.fouls]
    if sheet.abandoned:
        facts.append(_("jako keskeytyi"))
    return facts


def sentence_of(facts: list[str]) -> str:
    return str(capfirst(", ".join(facts)))


def _trumps(sheet: DealSheet, names: Names) -> list[str]:
    if sheet.trump is None:
        return [_("ei valttia")]
    suits = sheet.suits
    trump = _suited(names[sheet.trump], suits.trump if suits else None)
    facts = [_("valtti: %(team)s") % {"team": trump}]
    for side in Side:
        small = suits.small[side] if suits else ()
        named = [_suited(names[side], suit) for suit in small]
        unnamed = [names[side]] * (sheet.small_trumps[side] - len(named))
        facts += [_("pikkuvaltti: %(team)s") % {"team": t} for t in named + unnamed]
    return facts


def _suited(team: str, suit: Suit | None) -> str:
    return f"{team} ({words.SUIT_LABELS[suit]})" if suit else team


def _foul(foul: Foul, names: Names) -> str:
    team = {"team": names[foul.side]}
    if foul.corrected:
        return _("heti korjattu virhe: %(team)s") % team
    return _("pelivirhe: %(team)s") % team
