"""What the rules engine found, as sentences for the screen.

The engine answers with codes and figures; here each code has its sentence in the
active language. The rule behind a sentence stands in the engine's own objects
(``Effect.rule``, ``Problem.rule``, ``Criterion.rule``, ``Duty.rule``) and, for the
parts of a deal's points, in ``PART_RULES``.

Team names are never inflected: no program can, so the sentences are built round
their basic form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from komppa.words_of_problems import KEY_LABELS, SENTENCES
from scoring.game import DealResult, Effect, EffectCode
from scoring.points import Part, Parts
from scoring.problems import Code, Problem
from scoring.rulesets import Comparison, Ruleset
from scoring.sides import Pair, Side
from scoring.standings import Criterion, Separation
from scoring.suits import Suit
from scoring.tricks import Duty

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Names = Pair[str]
"""The names of a game's two teams as they are shown."""

SUIT_LABELS: Mapping[Suit, StrPromise] = {
    Suit.C: gettext_lazy("risti"),
    Suit.D: gettext_lazy("ruutu"),
    Suit.H: gettext_lazy("hertta"),
    Suit.S: gettext_lazy("pata"),
}

PART_RULES: Mapping[Part, str] = {
    Part.TRUMP: "R4.1",
    Part.SMALL_TRUMPS: "R4.1",
    Part.MATTI: "R4.2",
    Part.LAST_TRICK: "R4.1",
}


def default_names() -> Names:
    return Pair(_("Joukkue A"), _("Joukkue B"))


def listing(names: Sequence[str]) -> str:
    """Return names as one enumeration: ”A, B ja C”."""
    if len(names) < 2:
        return "".join(names)
    return _("%(first)s ja %(last)s") % {
        "first": ", ".join(names[:-1]),
        "last": names[-1],
    }


# The points of a deal.


def part_label(part: Part, rules: Ruleset, points: int = 1) -> str:
    """Return what the points were given for, in lower case."""
    if part is Part.TRUMP:
        return _("valtti")
    if part is Part.SMALL_TRUMPS:
        return ngettext("pikkuvaltti", "pikkuvaltit", points)
    if part is Part.LAST_TRICK:
        return _("viimeinen tikki")
    if rules.comparison is Comparison.CARD_POINTS:
        return _("korttipisteet")
    return _("matti")


def parts_sentence(parts: Parts, rules: Ruleset) -> str:
    """Return the sum as people say it: ”Valtti 2 + matti 1”."""
    if not parts:
        return _("Ei pisteitä")
    said = [f"{part_label(part, rules, points)} {points}" for part, points in parts]
    return str(capfirst(" + ".join(said)))


def parts_rules(parts: Parts) -> list[str]:
    """Return the rules that gave the points, each once."""
    return sorted({PART_RULES[part] for part, _points in parts})


# What a deal did besides.

_EFFECTS: Mapping[EffectCode, StrPromise] = {
    EffectCode.PORVOO_NO_TRICKS: gettext_lazy(
        "%(team)s: Porvoo, ei yhtään tikkiä (%(before)d → 0)"
    ),
    EffectCode.PORVOO_FOUL: gettext_lazy(
        "%(team)s: Porvoo pelivirheestä (%(before)d → 0)"
    ),
    EffectCode.OVER_TARGET: gettext_lazy("%(team)s meni yli: %(total)d → %(drop_to)d"),
    EffectCode.LAISTOKIERROS_SCORED: gettext_lazy(
        "%(team)s sai pisteitä laistokierroksella: %(before)d → %(drop_to)d"
    ),
    EffectCode.LAISTOKIERROS_SAVED: gettext_lazy(
        "%(team)s ei saanut pisteitä laistokierroksella ja pysyi %(target)d pisteessä"
    ),
    EffectCode.LAISTOKIERROS_CALLED: gettext_lazy(
        "Molemmilla tasan %(target)d: seuraava jako on laistokierros"
    ),
    EffectCode.BOTH_DROPPED: gettext_lazy(
        "Molemmilla tasan %(target)d: kumpikin putosi, %(target)d → %(drop_to)d"
    ),
    EffectCode.SET_WON: gettext_lazy("%(team)s voitti %(set_number)d. erän"),
    EffectCode.LOST_BY_FOULS: gettext_lazy(
        "%(team)s teki kolmannen pelivirheensä ja hävisi pelin"
    ),
    EffectCode.GAME_WON: gettext_lazy("%(team)s voitti pelin"),
}


def effect_sentence(
    effect: Effect,
    *,
    result: DealResult,
    before: Pair[int],
    rules: Ruleset,
    names: Names | None = None,
) -> str:
    """Return what the deal did, where ``before`` is the set's score before it."""
    figures: dict[str, Any] = {
        "target": rules.target,
        "drop_to": rules.drop_to,
        "set_number": result.set_number,
    }
    if effect.side is not None:
        figures["team"] = (names or default_names())[effect.side]
        figures["before"] = before[effect.side]
        figures["total"] = before[effect.side] + result.points[effect.side]
    return str(_EFFECTS[effect.code]) % figures


# Why a sheet is refused.


def problem_sentence(problem: Problem, names: Names | None = None) -> str:
    """Return why the facts cannot be true, with the figures that were wrong."""
    figures = {name: _figure(name, value, names) for name, value in problem.figures}
    if {"a", "b"} <= figures.keys():
        given = dict(problem.figures)
        figures["total"] = str(int(given["a"]) + int(given["b"]))
    if problem.code is Code.SUITS_DISAGREE:
        return _suits_disagree(problem, figures)
    return str(SENTENCES[problem.code]) % _Known(figures)


class _Known(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "?"


# How the engine calls what is too much to be shown.
_KINDS: Mapping[str, StrPromise] = {
    "an object": gettext_lazy("tietue"),
    "a list": gettext_lazy("luettelo"),
    "a number far out of range": gettext_lazy("kohtuuton luku"),
}


def _figure(name: str, value: int | str, names: Names | None) -> str:
    text = str(value)
    if name == "team" and text in ("A", "B"):
        return (names or default_names())[Side(text)]
    if name == "suit" and text in Suit.__members__:
        return str(capfirst(SUIT_LABELS[Suit(text)]))
    if name == "value" and text in _KINDS:
        return str(_KINDS[text])
    if name == "allowed":
        return text.replace("..", "–")
    # The engine quotes what it was given the way JSON does.
    bare = text[1:-1] if text[:1] == text[-1:] == '"' and len(text) > 1 else text
    if name == "key":
        return str(KEY_LABELS.get(bare, bare))
    return f"”{bare}”" if bare != text else text


def _suits_disagree(problem: Problem, figures: dict[str, str]) -> str:
    if problem.path.split("/")[-2:] != ["suits", "trump"]:
        return str(SENTENCES[Code.SUITS_DISAGREE]) % _Known(figures)
    named = dict(problem.figures).get("named")
    if named not in Suit.__members__:
        return _("Valtin tekijä on merkitty, mutta valtin maa puuttuu.")
    return _("Valtin maaksi on merkitty %(suit)s, mutta valtin tekijä puuttuu.") % {
        "suit": SUIT_LABELS[Suit(str(named))]
    }


# The order of a group.


def separation_sentence(
    separation: Separation[Any], *, above: str, own: str, among: Sequence[str]
) -> str:
    """Return why one row is above another; ``among`` is who were level before it."""
    return _("%(above)s ennen joukkuetta %(own)s: %(reason)s") % {
        "above": above,
        "own": own,
        "reason": separation_reason(separation, among),
    }


def separation_reason(separation: Separation[Any], among: Sequence[str]) -> str:
    if separation.criterion is Criterion.LOT:
        return pgettext("järjestyksen syy", "arpa")
    if separation.criterion is Criterion.WITHDRAWN:
        return _("jälkimmäinen on vetäytynyt")
    if separation.criterion is Criterion.MUTUAL_GAMES:
        return _mutual_reason(separation, among)
    return str(_FIGURES[separation.criterion]) % _values(separation)


_FIGURES: Mapping[Criterion, StrPromise] = {
    Criterion.WON: gettext_lazy("enemmän voitettuja pelejä, %(above)d–%(own)d"),
    Criterion.SETS_WON: gettext_lazy("enemmän voitettuja eriä, %(above)d–%(own)d"),
    Criterion.SETS_LOST: gettext_lazy("vähemmän hävittyjä eriä, %(above)d–%(own)d"),
}


def _values(separation: Separation[Any]) -> dict[str, int]:
    above, own = separation.values or (0, 0)
    return {"above": above, "own": own}


def _mutual_reason(separation: Separation[Any], among: Sequence[str]) -> str:
    best = separation.above
    if len(among) == 2 and best.played == 1 and separation.figure is Criterion.WON:
        sets = {"won": best.sets_won, "lost": best.sets_lost}
        if best.sets_won > best.sets_lost:
            return _("keskinäinen peli %(won)d–%(lost)d") % sets
        # A game lost by three fouls may stand at fewer sets for its winner.
        return _("keskinäisen pelin voitto, erät %(won)d–%(lost)d") % sets
    figure = str(_FIGURES[separation.figure or Criterion.WON]) % _values(separation)
    if len(among) == 2:
        return _("keskinäiset pelit: %(figure)s") % {"figure": figure}
    return _("keskinäiset pelit (%(teams)s): %(figure)s") % {
        "teams": listing(among),
        "figure": figure,
    }


def tie_sentence(names: Sequence[str], *, complete: bool) -> str:
    """Return that the teams share a rank, and what will part them."""
    teams = {"teams": listing(names)}
    if complete:
        return _("%(teams)s ovat tasan: järjestys odottaa arpaa") % teams
    return (
        _("%(teams)s ovat tasan: jos tilanne jää tähän, lopuksi ratkaisee arpa") % teams
    )


# What binds a player.

_DUTIES: Mapping[Duty, StrPromise] = {
    Duty.LEAD_CLUB_ACE: gettext_lazy("Erän ensimmäinen jako aloitetaan ristiässällä."),
    Duty.LEAD_ACE: gettext_lazy("Jako aloitetaan ässällä, jos sellainen on."),
    Duty.LEAD_SPADE: gettext_lazy("Ilman ässää jako aloitetaan padalla."),
    Duty.LEAD_SMALL_TRUMP: gettext_lazy(
        "Pikkuvaltin tekijä aloittaa seuraavan tikin sen maalla."
    ),
    Duty.FOLLOW_SUIT: gettext_lazy("Maapakko: aloitettua maata on tunnustettava."),
    Duty.TRUMP: gettext_lazy(
        "Valttipakko: ilman aloitettua maata on pelattava valtti."
    ),
    Duty.PLAY_ACE: gettext_lazy(
        "Ässäpakko: ensimmäiseen tikkiin on pelattava aloitetun maan ässä."
    ),
    Duty.OVERTAKE: gettext_lazy("Ylimenopakko: tikin paras kortti on voitettava."),
    Duty.FREE: gettext_lazy("Minkä tahansa kortin saa pelata."),
}


def duty_sentence(duty: Duty) -> str:
    return str(_DUTIES[duty])
