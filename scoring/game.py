"""Deal sheets to set scores, sets and the winner of a game (R5-R8).

==========  ==========================================  ====================
R5.1, R5.2  exactly on the target, over it              ``_add``
R5.3, R5.4  Porvoo                                      ``_porvoo``
R5.5        the order within a deal                     ``_settle``
R5.6, R5.7  a new set, the end of the game              ``_end_set``
R6          both on the target, laistokierros           ``_add``, ``_avoid``
R7          fouls                                       ``_abandon``, ``sheet``
R8          who deals, who leads                        ``_leader``, ``_go_on``
==========  ==========================================  ====================

A state is never changed: a deal makes a new one. ``fold`` is the whole game at
once, ``advance`` one deal more; both refuse a sheet that cannot be true (R10).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.documents import pair_to_json
from scoring.points import Parts, deal_parts, deal_points, is_offender
from scoring.problems import Code, Problem, Refused
from scoring.rulesets import BothOnTarget, NoTricks, Ruleset
from scoring.sheet import DealSheet, Reading
from scoring.sides import ZERO, Pair, Seat, Side

MOST_SETS = 9


class Reason(StrEnum):
    """How a game was won."""

    SETS = "sets"
    FOULS = "fouls"


class EffectCode(StrEnum):
    """What a deal did, in the order in which effects are listed."""

    PORVOO_NO_TRICKS = "porvoo_no_tricks"
    PORVOO_FOUL = "porvoo_foul"
    OVER_TARGET = "over_target"
    LAISTOKIERROS_SCORED = "laistokierros_scored"
    LAISTOKIERROS_SAVED = "laistokierros_saved"
    LAISTOKIERROS_CALLED = "laistokierros_called"
    BOTH_DROPPED = "both_dropped"
    SET_WON = "set_won"
    LOST_BY_FOULS = "lost_by_fouls"
    GAME_WON = "game_won"


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that a deal did besides giving points."""

    code: EffectCode
    side: Side | None
    """To whom; None for both."""
    rule: str

    def to_json(self) -> dict[str, object]:
        """Return the effect as the ``game`` command answers it."""
        return {
            "code": self.code.value,
            "team": None if self.side is None else self.side.value,
            "rule": self.rule,
        }


@dataclass(frozen=True, slots=True)
class DealResult:
    """What one deal did."""

    set_number: int
    laistokierros: bool
    """Whether the deal was one (R6)."""
    dealer: Seat | None
    leader: Seat | None
    points: Pair[int]
    """The points that it gave, after R5.4."""
    score: Pair[int]
    """The set's score after it; the target still shows where it won the set."""
    parts: Pair[Parts]
    """What the points were given for."""
    effects: tuple[Effect, ...]

    def to_json(self) -> dict[str, object]:
        """Return the result as the ``game`` command answers it."""
        return {
            "set": self.set_number,
            "laistokierros": self.laistokierros,
            "dealer": _seat_to_json(self.dealer),
            "leader": _seat_to_json(self.leader),
            "points": pair_to_json(self.points),
            "score": pair_to_json(self.score),
            "parts": pair_to_json(Pair(dict(self.parts.a), dict(self.parts.b))),
            "effects": [effect.to_json() for effect in self.effects],
        }


@dataclass(frozen=True, slots=True)
class GameState:
    """A game between two deals, or at its end."""

    rules: Ruleset
    sets_to_win: int
    winner: Side | None = None
    reason: Reason | None = None
    sets: Pair[int] = ZERO
    fouls: Pair[int] = ZERO
    """Those that count towards three (R7.1)."""
    points: Pair[int] = ZERO
    """The score of the running set; as it stood where fouls lost the game."""
    set_number: int = 1
    """The running set, or the last one."""
    laistokierros: bool = False
    """Whether the next deal is one (R6.1)."""
    next_dealer: Seat | None = None
    next_leader: Seat | None = None
    deals_in_set: int = 0
    """Deals played in the running set; 0 once a set is won."""
    deals: tuple[DealResult, ...] = ()

    @property
    def opens_set(self) -> bool:
        """Whether the next deal is a set's first (R8.1)."""
        return self.winner is None and self.deals_in_set == 0

    def to_json(self) -> dict[str, object]:
        """Return the state as the ``game`` command answers it."""
        return {
            "winner": None if self.winner is None else self.winner.value,
            "reason": None if self.reason is None else self.reason.value,
            "sets": pair_to_json(self.sets),
            "fouls": pair_to_json(self.fouls),
            "points": pair_to_json(self.points),
            "set": self.set_number,
            "laistokierros": self.laistokierros,
            "next": {
                "dealer": _seat_to_json(self.next_dealer),
                "leader": _seat_to_json(self.next_leader),
            },
            "deals": [deal.to_json() for deal in self.deals],
        }


def start(rules: Ruleset, sets_to_win: int) -> GameState:
    """Return a game before its first deal, won by 1 to 9 sets (R5.7).

    Raises:
        ValueError: No such number of sets.
    """
    if not 1 <= sets_to_win <= MOST_SETS:
        raise ValueError(f"a game is won by 1 to {MOST_SETS} sets, not {sets_to_win}")
    return GameState(rules, sets_to_win)


def advance(state: GameState, sheet: DealSheet) -> GameState:
    """Return the game after one more deal.

    Raises:
        Refused: The sheet cannot be true in this game (R10), with every reason;
            paths as seen from the sheet.
    """
    found = _refusals(state.rules, state, Reading(sheet))
    if found:
        raise Refused(found)
    after, result = _play(state, sheet)
    return replace(after, deals=(*state.deals, result))


def fold(sheets: Iterable[DealSheet], rules: Ruleset, sets_to_win: int) -> GameState:
    """Return the game after the deals of all sheets, in the order played.

    Raises:
        Refused: Some sheet cannot be true (R10), with every reason of every
            sheet; paths are ``deals/<index from 0>/...``.
        ValueError: No such number of sets.
    """
    state, found = examine(map(Reading, sheets), rules, sets_to_win)
    if found:
        raise Refused(found)
    return state


def examine(
    readings: Iterable[Reading], rules: Ruleset, sets_to_win: int
) -> tuple[GameState, list[Problem]]:
    """Return the game as far as its sheets are sound, and every problem of all.

    Every sheet is checked by itself, and against the state of the game as long as
    the sheets before it are sound. Once the game is won, each further sheet is
    one too many (R10.5).
    """
    state = start(rules, sets_to_win)
    results: list[DealResult] = []
    problems: list[Problem] = []
    known = True
    for index, reading in enumerate(readings):
        found = _refusals(rules, state if known else None, reading)
        problems += (problem.under(f"deals/{index}") for problem in found)
        if found:
            known = known and state.winner is not None
        elif known:
            state, result = _play(state, reading.sheet)
            results.append(result)
    return replace(state, deals=tuple(results)), problems


def _refusals(
    rules: Ruleset, state: GameState | None, reading: Reading
) -> list[Problem]:
    if state is None:
        return reading.check(rules)
    if state.winner is not None:
        end = Problem(Code.AFTER_THE_END, "", (("team", state.winner.value),))
        return [end, *reading.check(rules)]
    return reading.check(rules, state.fouls, state.opens_set)


def _play(state: GameState, sheet: DealSheet) -> tuple[GameState, DealResult]:
    """Return the state after a sound sheet, and what the deal did.

    The state's own deals stay as they were; the caller adds the result, so that
    a game of many deals takes linear time.
    """
    if sheet.abandoned:
        return _abandon(state, sheet)
    parts = deal_parts(sheet, state.rules)
    points = deal_points(parts)
    score, effects = _settle(state, sheet, points)
    set_winner = _on_target_alone(state.rules, score)
    result = DealResult(
        set_number=state.set_number,
        laistokierros=state.laistokierros,
        dealer=state.next_dealer,
        leader=_leader(state, sheet),
        points=points,
        score=score,
        parts=parts,
        effects=(*effects, *_wins(state, set_winner)),
    )
    fouls = _fouls_after(state, sheet)
    if set_winner is None:
        return _go_on(state, score, fouls, result.leader), result
    return _end_set(state, set_winner, fouls), result


def _abandon(state: GameState, sheet: DealSheet) -> tuple[GameState, DealResult]:
    """R7.1: the third foul loses the game; the deal gives nothing."""
    # Nothing follows a third foul (R7.2), so it is the last.
    loser = sheet.fouls[-1].side
    result = DealResult(
        set_number=state.set_number,
        laistokierros=state.laistokierros,
        dealer=state.next_dealer,
        leader=_leader(state, sheet),
        points=ZERO,
        score=state.points,
        parts=Pair((), ()),
        effects=(
            Effect(EffectCode.LOST_BY_FOULS, loser, "R7.1"),
            Effect(EffectCode.GAME_WON, loser.other, "R7.1"),
        ),
    )
    after = replace(
        state,
        winner=loser.other,
        reason=Reason.FOULS,
        fouls=_fouls_after(state, sheet),
        laistokierros=False,
        next_dealer=None,
        next_leader=None,
        deals_in_set=state.deals_in_set + 1,
    )
    return after, result


def _settle(
    state: GameState, sheet: DealSheet, points: Pair[int]
) -> tuple[Pair[int], list[Effect]]:
    """Return the score after the points, and how it came about (R5.5)."""
    porvoo = _porvoo(state, sheet)
    zeroed = [effect.side for effect in porvoo]
    score_of = _avoid if state.laistokierros else _add
    score, effects = score_of(state, sheet, points, zeroed)
    return score, porvoo + effects


def _porvoo(state: GameState, sheet: DealSheet) -> list[Effect]:
    """R5.3 and R5.4, or what stands in their place in a laistokierros."""
    rules = state.rules
    offenders = [side for side in Side if is_offender(sheet, rules, side)]
    without = sheet.no_tricks
    saved = state.laistokierros and rules.laistokierros_no_tricks is NoTricks.STAYS
    effects = []
    if without is not None and without not in offenders and not saved:
        rule = "R6.5" if state.laistokierros else "R5.3"
        effects.append(Effect(EffectCode.PORVOO_NO_TRICKS, without, rule))
    rule = "R6.4" if state.laistokierros else "R5.4"
    effects += (Effect(EffectCode.PORVOO_FOUL, side, rule) for side in offenders)
    return effects


def _add(
    state: GameState,
    sheet: DealSheet,
    points: Pair[int],
    zeroed: Collection[Side | None],
) -> tuple[Pair[int], list[Effect]]:
    """Score an ordinary deal: R5.2, then what both on the target means (R6)."""
    rules = state.rules
    score, effects = ZERO, []
    for side in Side:
        total = 0 if side in zeroed else state.points[side] + points[side]
        if total > rules.target:
            total = rules.drop_to
            effects.append(Effect(EffectCode.OVER_TARGET, side, "R5.2"))
        score = score.replace(side, total)
    if score != _both(rules.target):
        return score, effects
    if rules.both_on_target is BothOnTarget.DROP:
        return _both(rules.drop_to), [Effect(EffectCode.BOTH_DROPPED, None, "R6.6")]
    return score, [Effect(EffectCode.LAISTOKIERROS_CALLED, None, "R6.1")]


def _avoid(
    state: GameState,
    sheet: DealSheet,
    points: Pair[int],
    zeroed: Collection[Side | None],
) -> tuple[Pair[int], list[Effect]]:
    """Score a laistokierros (R6.2): any point drops a team, none keeps it there."""
    score, scored, saved = ZERO, [], []
    for side in Side:
        if side in zeroed:
            continue
        if points[side] > 0:
            score = score.replace(side, state.rules.drop_to)
            scored.append(Effect(EffectCode.LAISTOKIERROS_SCORED, side, "R6.2"))
        else:
            score = score.replace(side, state.rules.target)
            rule = "R6.5" if sheet.no_tricks is side else "R6.2"
            saved.append(Effect(EffectCode.LAISTOKIERROS_SAVED, side, rule))
    return score, scored + saved


def _on_target_alone(rules: Ruleset, score: Pair[int]) -> Side | None:
    on_target = [side for side in Side if score[side] == rules.target]
    return on_target[0] if len(on_target) == 1 else None


def _wins(state: GameState, set_winner: Side | None) -> list[Effect]:
    if set_winner is None:
        return []
    rule = "R6.2" if state.laistokierros else "R5.1"
    effects = [Effect(EffectCode.SET_WON, set_winner, rule)]
    if _wins_game(state, set_winner):
        effects.append(Effect(EffectCode.GAME_WON, set_winner, "R5.7"))
    return effects


def _wins_game(state: GameState, set_winner: Side) -> bool:
    """R5.7: whether this set is the last that its winner needs."""
    return state.sets[set_winner] + 1 == state.sets_to_win


def _go_on(
    state: GameState, score: Pair[int], fouls: Pair[int], leader: Seat | None
) -> GameState:
    """Return the state in the same set, the seats moved on (R8.2)."""
    return replace(
        state,
        fouls=fouls,
        points=score,
        laistokierros=score == _both(state.rules.target),
        next_dealer=leader,
        next_leader=None if leader is None else _on_the_left(state.rules, leader),
        deals_in_set=state.deals_in_set + 1,
    )


def _end_set(state: GameState, set_winner: Side, fouls: Pair[int]) -> GameState:
    """Return the state before a new set (R5.6), or at the end of the game."""
    over = _wins_game(state, set_winner)
    return replace(
        state,
        winner=set_winner if over else None,
        reason=Reason.SETS if over else None,
        sets=state.sets.replace(set_winner, state.sets[set_winner] + 1),
        fouls=fouls,
        points=ZERO,
        set_number=state.set_number if over else state.set_number + 1,
        laistokierros=False,
        next_dealer=None,
        next_leader=None,
        deals_in_set=0,
    )


def _fouls_after(state: GameState, sheet: DealSheet) -> Pair[int]:
    """R7.1."""
    counted = [foul.side for foul in sheet.fouls if foul.counts(state.rules)]
    return Pair(
        state.fouls.a + counted.count(Side.A), state.fouls.b + counted.count(Side.B)
    )


def _leader(state: GameState, sheet: DealSheet) -> Seat | None:
    """R8.1, R8.2."""
    return sheet.club_ace if state.opens_set else state.next_leader


def _on_the_left(rules: Ruleset, seat: Seat) -> Seat:
    return rules.seats[(rules.seats.index(seat) + 1) % len(rules.seats)]


def _both(points: int) -> Pair[int]:
    return Pair(points, points)


def _seat_to_json(seat: Seat | None) -> str | None:
    return None if seat is None else seat.value
