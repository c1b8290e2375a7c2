"""Whole evenings at random, compared with a plain simulation of the bracket."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from komppa.cup.bracket import GroupRank, WinnerOf, plan_bracket
from komppa.cup.knockout import NOBODY, UNKNOWN, GameFacts, Occupant, resolve
from scoring.sides import Pair, Side

OPEN, EMPTY = "open", "empty"


@cache
def planned(team_count, group_count, bronze):
    ranks = [
        GroupRank(i % group_count, i // group_count + 1) for i in range(team_count)
    ]
    return plan_bracket(ranks, bronze=bronze), tuple(ranks)


@dataclass
class Evening:
    """What happens in a bracket: who stands on each rank, and how each game goes."""

    entrants: dict[GroupRank, int | str]
    ends: dict[int, str]
    """By game: ``a``, ``b``, ``none`` if it is over, ``play`` if begun, or ``wait``."""
    others: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Who has played a game, if not those whom the bracket meant at the time."""
    withdrawn: frozenset[int] = frozenset()


def simulate(bracket, evening):
    """Play the bracket game by game; return what each comes to, in words.

    By game: who its two places are for, who goes on, who is out, whether it is over
    and whether it is in conflict.
    """
    going_on, out, found, played = {}, {}, {}, {}
    for game in bracket.games:
        meant = []
        for slot in (game.a, game.b):
            if isinstance(slot, GroupRank):
                meant.append(evening.entrants[slot])
            elif isinstance(slot, WinnerOf):
                meant.append(going_on[slot.game])
            else:
                meant.append(out[slot.game])
        if meant[0] == meant[1] and isinstance(meant[0], int):
            meant = [OPEN, OPEN]
        end = evening.ends[game.number]
        there = meant
        if game.number in evening.others:
            there = list(evening.others[game.number])
        elif OPEN in meant or EMPTY in meant:
            end = "wait"
        is_begun = end != "wait"
        if not is_begun:
            there = meant
        in_conflict = is_begun and there != meant
        staying = [x for x in there if x != EMPTY and x not in evening.withdrawn]
        if end in ("a", "b"):
            one, other = there if end == "a" else reversed(there)
            result = (one, other, True)
        elif end == "none":
            result = (EMPTY, EMPTY, True)
        elif OPEN in there or len(staying) == 2:
            result = (OPEN, OPEN, False)
        elif staying:
            result = (staying[0], EMPTY, True)
        else:
            result = (EMPTY, EMPTY, True)
        going_on[game.number], out[game.number], is_over = result
        if in_conflict:
            going_on[game.number] = out[game.number] = OPEN
        played[game.number] = there if is_begun else None
        found[game.number] = (
            tuple(meant),
            going_on[game.number],
            out[game.number],
            is_over,
            in_conflict,
        )
    return found, played


def spoken(occupant):
    if not occupant.is_settled:
        return OPEN
    return EMPTY if occupant.team is None else occupant.team


def occupant_of(word):
    return {OPEN: UNKNOWN, EMPTY: NOBODY}.get(word) or Occupant(word)


def facts_of(bracket, evening, played):
    for game in bracket.games:
        there = played[game.number]
        end = evening.ends[game.number] if there else "wait"
        yield GameFacts(
            game=game.number,
            sources=Pair(
                *(
                    occupant_of(evening.entrants[slot])
                    if isinstance(slot, GroupRank)
                    else slot
                    for slot in (game.a, game.b)
                )
            ),
            teams=Pair(*there) if there else Pair(None, None),
            has_begun=there is not None,
            is_over=end in ("a", "b", "none"),
            winner={"a": Side.A, "b": Side.B}.get(end),
        )


@st.composite
def evenings(draw, *, open_groups=True, withdrawals=True, corrections=True):
    team_count = draw(st.integers(2, 64))
    group_count = draw(st.integers(1, min(team_count, 16)))
    bracket, ranks = planned(team_count, group_count, draw(st.booleans()))
    entrants = dict(zip(ranks, range(1, team_count + 1), strict=True))
    if open_groups:
        for rank in draw(st.sets(st.sampled_from(ranks), max_size=4)):
            entrants[rank] = draw(st.sampled_from([OPEN, EMPTY]))
    numbers = [game.number for game in bracket.games]
    # Mostly won, or hardly any evening would reach its final.
    ends = st.sampled_from([*"ab" * 6, "none", "play", "wait"])
    evening = Evening(
        entrants,
        dict(zip(numbers, draw(st.tuples(*[ends] * len(numbers))), strict=True)),
    )
    known = st.integers(1, team_count)
    if withdrawals:
        evening.withdrawn = draw(st.frozensets(known, max_size=3))
    if corrections:
        pairs = st.tuples(known, known).filter(lambda pair: pair[0] != pair[1])
        evening.others = draw(
            st.dictionaries(st.sampled_from(numbers), pairs, max_size=3)
        )
    return bracket, evening


@settings(deadline=None)
@given(evenings())
def test_any_evening_comes_to_what_a_plain_simulation_says(made):
    bracket, evening = made
    expected, played = simulate(bracket, evening)

    states = resolve(facts_of(bracket, evening, played), evening.withdrawn)

    assert {
        number: (
            (spoken(state.slots.a), spoken(state.slots.b)),
            spoken(state.winner),
            spoken(state.loser),
            state.is_over,
            state.in_conflict,
        )
        for number, state in states.items()
    } == expected


@settings(deadline=None)
@given(evenings(open_groups=False, withdrawals=False, corrections=False))
def test_without_corrections_there_is_no_conflict_and_each_team_is_out_once(made):
    bracket, evening = made
    _expected, played = simulate(bracket, evening)

    states = resolve(facts_of(bracket, evening, played), evening.withdrawn)

    assert not any(state.in_conflict for state in states.values())
    out = []
    bronze = bracket.bronze.number if bracket.bronze else None
    final = bracket.games[-1].number
    for number, state in states.items():
        if number == bronze or not state.is_over:
            continue
        present = {pk for pk in (state.teams.a, state.teams.b) if pk is not None}
        out += present - {state.winner.team}
    assert len(out) == len(set(out))
    if states[final].is_over:
        champion = {states[final].winner.team} - {None}
        assert set(out) | champion == set(evening.entrants.values())
        assert champion.isdisjoint(out)
