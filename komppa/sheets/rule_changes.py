"""The organiser's change of a cup's rules after the first deal: every game follows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from komppa.cup.changes import changing, needed_reason, write_log
from komppa.cup.models import Cup, Game
from komppa.cup.qualifying import bracket_games, final_of
from komppa.cup.services import RULE_FIELDS, refuse_with_teams, ruleset_values
from komppa.cup.services_games import refuse_archived
from komppa.errors import Refusal
from komppa.sheets.corrections import by_row
from komppa.sheets.models import DealEntry
from komppa.sheets.queries import current_entries
from komppa.sheets.services import append_entry, refold
from scoring.game import examine
from scoring.problems import Code, Problem
from scoring.sheet import read_sheet

_RESULT = ("winner", "ended_by", "sets_a", "sets_b")


@dataclass(frozen=True, slots=True)
class UnsoundGame:
    """A game some of whose recorded deals could not be so under other rules."""

    game: Game
    problems: Mapping[int, Sequence[Problem]]
    """By the deal's number as people see it."""


class RulesRefused(Refusal):
    """Some recorded sheets would not be sound; ``games`` says which, all at once."""

    def __init__(self, games: Iterable[UnsoundGame]) -> None:
        self.games = tuple(games)
        told = ", ".join(
            f"{unsound.game} ({told_deals(unsound.problems)})" for unsound in self.games
        )
        message = _("Osa kirjatuista jaoista ei kävisi näillä säännöillä: %(deals)s.")
        super().__init__(message % {"deals": told}, code="sheets_unsound")


def change_rules(
    *,
    cup: Cup,
    values: Mapping[str, Any],
    reason: str,
    by: User | None,
    seen: str | None = None,
) -> Cup:
    """Set columns among RULE_FIELDS and let every recorded game follow.

    Another ruleset brings its columns along, save for those given too. ``seen`` is
    the ``rules_stamp`` of the rules that the writer saw. Raises RulesRefused if some
    recorded sheets would not be sound; a note of the club ace on a deal that no longer
    opens a set refuses nothing, but goes, by a new version.
    """
    reason = needed_reason(reason)
    with changing(cup) as locked:
        refuse_archived(locked)
        changed = changed_rules(locked, values)
        if not changed:
            raise Refusal(_("Säännöt ovat jo nämä."), code="nothing_changed")
        if seen not in (None, rules_stamp(locked)):
            raise Refusal(
                _(
                    "Sääntöjä on muutettu sen jälkeen, kun avasit sivun. Mitään ei "
                    "tallennettu: avaa sivu uudelleen ja tarkista säännöt."
                ),
                code="rules_changed",
            )
        if "players_per_team" in changed:
            refuse_with_teams(locked)
        old = {name: getattr(locked, name) for name in changed}
        for name, value in changed.items():
            setattr(locked, name, value)
        others = {field.name for field in Cup._meta.fields} - set(RULE_FIELDS)
        locked.clean_fields(exclude=others)
        locked.save(update_fields=list(changed))
        aces = _follow(locked, changed, by=by, reason=reason)
        write_log(
            cup=locked,
            by=by,
            act="change_rules",
            target=locked.name,
            old=old,
            new={**changed, **({"aces": aces} if aces else {})},
            reason=reason,
        )
    return locked


def changed_rules(cup: Cup, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that would get another value, each with it."""
    unknown = set(values) - set(RULE_FIELDS)
    if unknown:
        raise ValueError(f"no rules of a cup: {', '.join(sorted(unknown))}")
    wanted = dict(values)
    if wanted.get("ruleset", cup.ruleset) != cup.ruleset:
        wanted = {**ruleset_values(wanted["ruleset"]), **wanted}
    return {
        name: wanted[name]
        for name in RULE_FIELDS
        if name in wanted and wanted[name] != getattr(cup, name)
    }


def rules_stamp(cup: Cup) -> str:
    """Return what tells the cup's rules from any others."""
    rules = repr([str(getattr(cup, name)) for name in RULE_FIELDS])
    return hashlib.sha256(rules.encode()).hexdigest()[:16]


def told_deals(positions: Iterable[int]) -> str:
    """Return deals by number: ”jaot 2–4, 7”."""
    numbers = sorted(positions)
    title = ngettext("jako %(numbers)s", "jaot %(numbers)s", len(numbers))
    return title % {"numbers": _in_rows(numbers)}


def _in_rows(numbers: Sequence[int]) -> str:
    """Return ascending numbers, those in a row together: ”2–4, 7”."""
    rows: list[list[int]] = []
    for number in numbers:
        if rows and rows[-1][-1] == number - 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    return ", ".join(
        f"{row[0]}–{row[-1]}" if len(row) > 1 else str(row[0]) for row in rows
    )


def dropped_aces(cup: Cup, values: Mapping[str, Any]) -> list[str]:
    """Return the deals whose note of the club ace would go: ”P3 (jako 14)”.

    Other rules may end a set elsewhere, and only its first deal has the note (R8.1).
    """
    changed_cup = Cup.objects.get(pk=cup.pk)
    changed = changed_rules(changed_cup, values)
    for name, value in changed.items():
        setattr(changed_cup, name, value)
    games = list(Game.objects.filter(cup=cup).order_by("number"))
    _set_sets_to_win(changed_cup, games, changed)
    fitted = [_fit(game) for game in _played(changed_cup, games)]
    return [
        f"{fit.game} ({told_deals(fit.without_ace)})"
        for fit in fitted
        if fit.without_ace
    ]


@dataclass(frozen=True, slots=True)
class _Fitted:
    """A game's deals as they can stand under the rules of its cup."""

    game: Game
    without_ace: Mapping[int, DealEntry]
    """Those that open no set, by the number that people see."""
    problems: Mapping[int, Sequence[Problem]]


def _follow(
    cup: Cup, changed: Mapping[str, Any], *, by: User | None, reason: str
) -> list[str]:
    """Fold every game anew; return the deals whose note of the club ace went.

    They are for the log, in no language: ”P3: 14”.
    """
    games = list(Game.objects.select_for_update().filter(cup=cup).order_by("pk"))
    for game in _set_sets_to_win(cup, games, changed):
        game.save(update_fields=["sets_to_win"])
    fitted = [_fit(game) for game in _played(cup, games)]
    fitted.sort(key=lambda fit: fit.game.number)
    unsound = [UnsoundGame(fit.game, fit.problems) for fit in fitted if fit.problems]
    if unsound:
        raise RulesRefused(unsound)
    for fit in fitted:
        before = _result(fit.game)
        for entry in fit.without_ace.values():
            facts = _without_ace(entry.sheet or {})
            _append(fit.game, entry.number, facts, by=by, reason=reason)
        refold(fit.game)
        if _result(fit.game) != before:
            _lapse_confirmations(fit.game, by=by, reason=reason)
    return [
        f"{fit.game}: {_in_rows(sorted(fit.without_ace))}"
        for fit in fitted
        if fit.without_ace
    ]


def _played(cup: Cup, games: Iterable[Game]) -> list[Game]:
    """Return those that have entries, each with the cup as it is here."""
    entered = DealEntry.objects.filter(game__cup=cup).values_list("game", flat=True)
    begun = set(entered)
    played = [game for game in games if game.pk in begun]
    for game in played:
        game.cup = cup
    return played


def _set_sets_to_win(
    cup: Cup, games: Iterable[Game], changed: Mapping[str, Any]
) -> list[Game]:
    """Set what the games have of their own, unsaved; return those it is set on."""
    final = final_of(list(bracket_games(cup)))
    found = []
    for game in games:
        # One annulled and played again is in the same place.
        is_final = final is not None and (
            (game.bracket_round, game.bracket_position)
            == (final.bracket_round, final.bracket_position)
        )
        column = "final_sets_to_win" if is_final else "sets_to_win"
        if column in changed:
            game.sets_to_win = changed[column]
            found.append(game)
    return found


def _fit(game: Game) -> _Fitted:
    rules = game.cup.rules
    standing = [e for e in current_entries(game) if e.sheet is not None]
    facts: list[Mapping[str, object]] = [entry.sheet or {} for entry in standing]
    moved: dict[int, DealEntry] = {}
    while True:
        readings = [read_sheet(sheet, rules) for sheet in facts]
        _state, found = examine(readings, rules, game.sets_to_win)
        problems = by_row(found)
        aces = [
            index
            for index, own in problems.items()
            if any(problem.code is Code.CLUB_ACE_NOT_OPENING for problem in own)
        ]
        if not aces:
            told = {index + 1: own for index, own in problems.items()}
            return _Fitted(game, moved, told)
        for index in aces:
            facts[index] = _without_ace(facts[index])
            moved[index + 1] = standing[index]


def _without_ace(facts: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in facts.items() if key != "club_ace"}


def _result(game: Game) -> tuple[object, ...]:
    return tuple(getattr(game, name) for name in _RESULT)


def _lapse_confirmations(game: Game, *, by: User | None, reason: str) -> None:
    """Write the newest entry once more: nobody has agreed to another result."""
    newest = game.deal_entries.order_by("-pk").first()
    standing = newest and game.confirmations.filter(
        number=newest.number, version=newest.version
    )
    if newest and standing:
        _append(game, newest.number, newest.sheet, by=by, reason=reason)


def _append(
    game: Game,
    number: int,
    facts: dict[str, object] | None,
    *,
    by: User | None,
    reason: str,
) -> None:
    append_entry(
        game, number, sheet=facts, key=uuid4(), by=by, table_key=None, reason=reason
    )
