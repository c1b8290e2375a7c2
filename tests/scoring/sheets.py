"""A tiny language for deals: what a deal gives, and what went wrong in it."""

from __future__ import annotations

from functools import cache
from itertools import product

from scoring.sheet import DealSheet, Foul
from scoring.sides import ZERO, Pair, Side

A, B = Side

EVEN = {"mattis": Pair(4, 4), "pips": Pair(18, 18), "aces": Pair(2, 2)}
CATCH = {A: {"mattis": Pair(5, 3)}, B: {"mattis": Pair(3, 5)}, None: EVEN}


def played(last=A, mattis=(5, 3), **facts):
    """A deal played out: the last trick and the mattis, and what else is given."""
    return DealSheet(last_trick=last, mattis=Pair(*mattis), **facts)


def giving(a, b, **facts):
    """A deal that gives A and B these points, found by trying them all out."""
    return DealSheet(**{**_facts_giving(a, b), **facts})


def abandoned(*fouls, **facts):
    """A deal cut short by a third foul."""
    return DealSheet(fouls=by(*fouls), abandoned=True, **facts)


def by(*fouls):
    """Fouls in order: a side, or ``corrected(side)``."""
    return tuple(foul if isinstance(foul, Foul) else Foul(foul) for foul in fouls)


def corrected(side):
    return Foul(side, corrected=True)


def without_tricks(side):
    """A deal in which a side got no trick: 2 points to the other."""
    mattis = Pair(0, 8) if side is A else Pair(8, 0)
    return DealSheet(last_trick=side.other, mattis=mattis, no_tricks=side)


@cache
def _facts_giving(a, b):
    smalls = [Pair(x, y) for x, y in product(range(4), repeat=2) if x + y <= 3]
    for last, catch, trump in product(Side, CATCH, (None, *Side)):
        for small in smalls if trump else [ZERO]:
            worth = {
                side: (last is side)
                + (catch is side)
                + 2 * (trump is side)
                + small[side]
                for side in Side
            }
            if worth == {A: a, B: b}:
                return {
                    "last_trick": last,
                    "trump": trump,
                    "small_trumps": small,
                    **CATCH[catch],
                }
    raise ValueError(f"no deal gives {a}-{b}")
