"""Deals that a game of any state can be given: at random, or to an end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import strategies as st

from scoring.game import GameState, advance
from scoring.sheet import DealSheet, Foul, Suits
from scoring.sides import ZERO, Pair, Seat, Side
from scoring.suits import Suit
from scoring.validity import FOULS_THAT_LOSE

SIDES = st.sampled_from(list(Side))
# No card has one pip, so nobody has 1 or 35 of them.
PIPS = st.sampled_from([0, *range(2, 35), 36])


def for_side(side: Side, a: int, b: int) -> Pair[int]:
    """Return figures told as this side's and the other's."""
    return Pair(a, b) if side is Side.A else Pair(b, a)


def giving(side: Side, points: int) -> DealSheet:
    """Return a deal that gives a side 1 to 7 points and the other none."""
    has_matti = points in (2, 4, 5, 6, 7)
    shares = {"mattis": for_side(side, 5, 3)}
    if not has_matti:
        # Two aces each leave the matti point to nobody.
        shares = {"mattis": Pair(4, 4), "pips": Pair(18, 18), "aces": Pair(2, 2)}
    facts = {"last_trick": side, **shares}
    if points > 2:
        small = max(points - 4, 0)
        suits = Suits(Suit.H, for_side(side, (Suit.C, Suit.D, Suit.S)[:small], ()))
        facts |= {
            "trump": side,
            "small_trumps": for_side(side, small, 0),
            "suits": suits,
        }
    return DealSheet(**facts)


THREE_EACH = DealSheet(
    trump=Side.A, small_trumps=Pair(0, 2), last_trick=Side.A, mattis=Pair(3, 5)
)
"""Four such deals take both to 12, and to a laistokierros (R6.1)."""


def next_to_win(state: GameState, winner: Side) -> DealSheet:
    """Return a deal on the shortest way of a side to win the running set."""
    if state.laistokierros:
        return giving(winner.other, 1)
    lacks = state.rules.target - state.points[winner]
    return giving(winner, lacks if lacks <= 7 else 6)


def to_the_end(state: GameState, winner: Side, sets_lost: int = 0) -> Iterator:
    """Yield the deals by which a side wins the game, some sets lost before."""
    while state.winner is None:
        loses = state.sets[winner.other] < min(sets_lost, state.sets_to_win - 1)
        sheet = next_to_win(state, winner.other if loses else winner)
        state = advance(state, sheet)
        yield sheet


def fitted(sheet: DealSheet, state: GameState) -> DealSheet:
    """Return the sheet as it can be true now: a third foul ends the game (R7.1)."""
    if not state.opens_set:
        sheet = replace(sheet, club_ace=None)
    fouls, counted = [], state.fouls
    for foul in sheet.fouls:
        fouls.append(foul)
        if foul.counts(state.rules):
            counted = counted.replace(foul.side, counted[foul.side] + 1)
        if counted[foul.side] >= FOULS_THAT_LOSE:
            return DealSheet(
                fouls=tuple(fouls), abandoned=True, club_ace=sheet.club_ace
            )
    return sheet


@st.composite
def deals(draw) -> DealSheet:
    """Return a sheet of a deal played out; ``fitted`` makes it one of its game."""
    kind = draw(st.sampled_from(["points", "points", "level", "porvoo", "any", "any"]))
    side = draw(SIDES)
    if kind == "points":
        sheet = giving(side, draw(st.integers(1, 7)))
    elif kind == "level":
        sheet = THREE_EACH
    elif kind == "porvoo":
        sheet = DealSheet(
            last_trick=side, mattis=for_side(side, 8, 0), no_tricks=side.other
        )
    else:
        sheet = draw(_any_deals())
    fouls = draw(st.lists(st.builds(Foul, SIDES, st.booleans()), max_size=2))
    if draw(st.integers(0, 3)):
        fouls = []
    ace = draw(st.sampled_from([None, *Seat]))
    return replace(sheet, fouls=tuple(fouls), club_ace=ace)


@st.composite
def _any_deals(draw) -> DealSheet:
    trump = draw(st.sampled_from([None, *Side]))
    small = ZERO
    if trump:
        first = draw(st.integers(0, 3))
        small = Pair(first, draw(st.integers(0, 3 - first)))
    mattis = draw(st.integers(0, 8))
    pips = aces = None
    if mattis == 4:
        share = draw(st.one_of(st.just(18), PIPS))
        pips = Pair(share, 36 - share)
        if share == 18:
            own = draw(st.integers(0, 4))
            aces = Pair(own, 4 - own)
    return DealSheet(
        trump=trump,
        small_trumps=small,
        last_trick=draw(SIDES),
        mattis=Pair(mattis, 8 - mattis),
        pips=pips,
        aces=aces,
    )


def fouling(state: GameState, side: Side) -> Iterator:
    """Yield the deals in which a side loses the game by three fouls."""
    while state.winner is None:
        wanted = replace(giving(side.other, 1), fouls=(Foul(side),))
        sheet = fitted(wanted, state)
        state = advance(state, sheet)
        yield sheet


def mirrored(sheet: DealSheet) -> DealSheet:
    """Return the deal as it would have been with the teams the other way round."""
    suits = sheet.suits
    pairs = {
        name: pair.swapped
        for name in ("mattis", "pips", "aces", "small_trumps")
        if (pair := getattr(sheet, name)) is not None
    }
    sides = {
        name: side.other
        for name in ("trump", "last_trick", "no_tricks")
        if (side := getattr(sheet, name)) is not None
    }
    ace = sheet.club_ace
    return replace(
        sheet,
        **pairs,
        **sides,
        suits=suits and Suits(suits.trump, suits.small.swapped),
        fouls=tuple(replace(foul, side=foul.side.other) for foul in sheet.fouls),
        club_ace=ace and Seat(f"{ace.side.other}{ace[1]}"),
    )
