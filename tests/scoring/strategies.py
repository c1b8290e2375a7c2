"""Random deal sheets and games, sound by the way they are made."""

from __future__ import annotations

from hypothesis import strategies as st

from scoring.game import advance, start
from scoring.rulesets import (
    RULESETS,
    BothOnTarget,
    Comparison,
    CorrectedFoul,
    NoTricks,
    ruleset,
)
from scoring.sheet import DealSheet, Foul, Suits
from scoring.sides import ZERO, Pair, Seat, Side
from scoring.suits import Suit
from scoring.validity import third_foul

sides = st.sampled_from(Side)
fouls = st.lists(st.builds(Foul, sides, st.booleans()), max_size=3).map(tuple)


def splits(total, impossible=()):
    """Pairs that share a total out between the teams."""
    shares = [n for n in range(total + 1) if n not in impossible]
    return st.sampled_from([Pair(n, total - n) for n in shares])


@st.composite
def rulesets(draw):
    return ruleset(
        draw(st.sampled_from(sorted(RULESETS))),
        laistokierros_no_tricks=draw(st.sampled_from(NoTricks)),
        both_on_target=draw(st.sampled_from(BothOnTarget)),
        corrected_foul=draw(st.sampled_from(CorrectedFoul)),
    )


@st.composite
def played_sheets(draw, rules):
    """A deal played out, without regard to the fouls of the game before it."""
    return draw(_without_tricks(rules) if draw(_one_in_eight) else _contested(rules))


@st.composite
def games(draw, max_deals=25):
    """A ruleset, a number of sets, and sheets that fold, perhaps to the end."""
    rules, sets_to_win = draw(rulesets()), draw(st.integers(1, 3))
    state = start(rules, sets_to_win)
    sheets = []
    for _ in range(draw(st.integers(0, max_deals))):
        if state.winner is not None:
            break
        sheet = _fitted(draw(played_sheets(rules)), state)
        if state.opens_set and draw(st.booleans()):
            sheet = _with(sheet, club_ace=draw(st.sampled_from(rules.seats)))
        sheets.append(sheet)
        state = advance(state, sheet)
    return sheets, rules, sets_to_win


@st.composite
def any_sheets(draw):
    """A sheet of the right types and of any figures at all."""
    numbers = st.integers(-2, 9) | st.sampled_from([18, 35, 36, 60, 120, 10**100])
    pairs = st.builds(Pair, numbers, numbers)
    suits = st.lists(st.sampled_from(Suit), max_size=3).map(tuple)
    return DealSheet(
        last_trick=draw(st.none() | sides),
        mattis=draw(st.none() | splits(8) | pairs),
        pips=draw(st.none() | splits(36) | pairs),
        aces=draw(st.none() | splits(4) | pairs),
        card_points=draw(st.none() | splits(120) | pairs),
        trump=draw(st.none() | sides),
        small_trumps=draw(st.just(ZERO) | pairs),
        suits=draw(
            st.none()
            | st.builds(
                Suits,
                st.none() | st.sampled_from(Suit),
                st.builds(Pair, suits, suits),
            )
        ),
        no_tricks=draw(st.none() | sides),
        fouls=draw(fouls),
        abandoned=draw(st.booleans()),
        club_ace=draw(st.none() | st.sampled_from(Seat)),
    )


_one_in_eight = st.integers(0, 7).map(lambda number: number == 0)
_some_fouls = st.one_of(st.just(()), st.just(()), fouls)


@st.composite
def _contested(draw, rules):
    facts = draw(_catches(rules))
    if draw(st.booleans()):
        facts["trump"] = draw(sides)
        small = draw(st.lists(sides, max_size=3))
        facts["small_trumps"] = Pair(small.count(Side.A), small.count(Side.B))
        if draw(st.booleans()):
            facts["suits"] = draw(_suits(facts["small_trumps"]))
    return DealSheet(last_trick=draw(sides), fouls=draw(_some_fouls), **facts)


@st.composite
def _catches(draw, rules):
    if rules.comparison is Comparison.CARD_POINTS:
        return {"card_points": draw(splits(120, impossible=(1, 119)))}
    mattis = draw(splits(8) | st.just(Pair(4, 4)))
    if mattis != Pair(4, 4):
        return {"mattis": mattis}
    pips = draw(splits(36, impossible=(1, 35)) | st.just(Pair(18, 18)))
    aces = draw(splits(4)) if pips.a == 18 or draw(st.booleans()) else None
    return {"mattis": mattis, "pips": pips, "aces": aces}


@st.composite
def _suits(draw, small_trumps):
    order = draw(st.permutations(Suit))
    end = 1 + small_trumps.a
    named = Pair(tuple(order[1:end]), tuple(order[end : end + small_trumps.b]))
    return Suits(order[0], named)


@st.composite
def _without_tricks(draw, rules):
    loser = draw(sides)
    key, pack = (
        ("card_points", 120)
        if rules.comparison is Comparison.CARD_POINTS
        else ("mattis", 8)
    )
    return DealSheet(
        last_trick=loser.other,
        trump=draw(st.none() | st.just(loser.other)),
        no_tricks=loser,
        fouls=draw(_some_fouls),
        **{key: ZERO.replace(loser.other, pack)},
    )


def _fitted(sheet, state):
    """Cut a sheet short where a foul on it is a team's third."""
    third = third_foul(sheet.fouls, state.rules, state.fouls)
    if third is None:
        return sheet
    return DealSheet(fouls=sheet.fouls[: third + 1], abandoned=True)


def _with(sheet, **facts):
    fields = {name: getattr(sheet, name) for name in sheet.__dataclass_fields__}
    return DealSheet(**{**fields, **facts})
