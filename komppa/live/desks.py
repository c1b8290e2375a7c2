"""What the referee's page shows of a position: the pack, the choices, the answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from komppa import words
from komppa.live.referee import (
    Limits,
    Place,
    Position,
    Steps,
    legal_of,
    step_against,
)
from komppa.live.words_of_referee import (
    Told,
    legal_sentence,
    told_free,
    told_step,
    verdict_sentence,
)
from scoring.cards import PACK, Card, Rank
from scoring.problems import Problem
from scoring.suits import Suit


@dataclass(frozen=True, slots=True)
class Cell:
    """A card of the pack, and where it lies."""

    card: Card
    place: str
    """``hand``, ``trick`` or nothing."""
    order: int | None
    """Which card of the trick it is."""
    is_legal: bool | None
    """Of a card in hand, if that is known."""
    step: str | None
    """The query that a tap leads to, None if nothing can come of it."""


@dataclass(frozen=True, slots=True)
class Choice:
    key: str
    label: str
    is_chosen: bool
    step: str | None
    suit: str = ""
    """The suit that is drawn in place of the label."""


@dataclass(frozen=True, slots=True)
class Answer:
    legal: SafeString
    told: Told
    verdict: SafeString
    """Of the card that was played; empty as long as none is chosen."""
    is_foul: bool


@dataclass(frozen=True, slots=True)
class Desk:
    position: Position
    problems: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    """A row for each suit, from high to low."""
    hand: tuple[Cell, ...]
    numbers: tuple[Choice, ...]
    trumps: tuple[Choice, ...]
    smalls: tuple[Choice, ...]
    """Empty where no small trump can bind."""
    openings: tuple[Choice, ...]
    """Empty where it does not matter whether the deal opens a set."""
    places: tuple[Choice, ...]
    answer: Answer | None
    hint: str


def desk_of(position: Position, problems: Iterable[Problem], limits: Limits) -> Desk:
    told = tuple(dict.fromkeys(words.problem_sentence(each) for each in problems))
    steps = None if told else position.steps(limits)
    cells = {card: _cell(card, position, limits, steps) for card in PACK}
    return Desk(
        position=position,
        problems=told,
        rows=tuple(
            tuple(cells[Card(suit, rank)] for rank in reversed(Rank)) for suit in Suit
        ),
        hand=tuple(_asked(card, position, steps) for card in position.hand),
        numbers=_numbers(position, limits),
        trumps=_trumps(position, limits),
        smalls=_smalls(position, limits),
        openings=_openings(position),
        places=_places(position),
        answer=None if steps is None else _answer(position, steps),
        hint=_hint(position, limits),
    )


def _cell(card: Card, position: Position, limits: Limits, steps: Steps | None) -> Cell:
    then = position.tapped(card, limits)
    step = None if then is None else then.query
    if card in position.hand:
        return Cell(card, "hand", None, _is_legal(card, steps), step)
    if card in position.trick:
        return Cell(card, "trick", position.trick.index(card) + 1, None, step)
    return Cell(card, "", None, None, step)


def _asked(card: Card, position: Position, steps: Steps | None) -> Cell:
    step = None if steps is None else position.played(card).query
    return Cell(card, "hand", None, _is_legal(card, steps), step)


def _is_legal(card: Card, steps: Steps | None) -> bool | None:
    return None if steps is None else step_against(card, steps) is None


def _numbers(position: Position, limits: Limits) -> tuple[Choice, ...]:
    possible = position.numbers(limits)
    choices = []
    for number in range(1, limits.tricks + 1):
        is_chosen = number == position.number
        then = position.numbered(None if is_chosen else number)
        step = then.query if is_chosen or number in possible else None
        choices.append(Choice(f"number-{number}", str(number), is_chosen, step))
    return tuple(choices)


def _trumps(position: Position, limits: Limits) -> tuple[Choice, ...]:
    none = position.trumped(None)
    choices = [Choice("trump-none", _("ei valttia"), not position.trump, none.query)]
    for suit in Suit:
        then = position.trumped(suit)
        is_open = position.may_have_trump and then.fits(limits)
        choices.append(_suit(f"trump-{suit}", suit, position.trump, then, is_open))
    return tuple(choices)


def _smalls(position: Position, limits: Limits) -> tuple[Choice, ...]:
    if not position.may_have_small and not position.small:
        return ()
    none = position.small_made(None)
    choices = [Choice("small-none", _("ei"), not position.small, none.query)]
    for suit in Suit:
        if suit is not position.trump:
            then = position.small_made(suit)
            is_open = position.may_have_small and then.fits(limits)
            choices.append(_suit(f"small-{suit}", suit, position.small, then, is_open))
    return tuple(choices)


def _suit(
    key: str, suit: Suit, chosen: Suit | None, then: Position, is_open: bool
) -> Choice:
    step = then.query if is_open else None
    label = str(words.SUIT_LABELS[suit])
    return Choice(key, label, suit is chosen, step, suit.value)


def _openings(position: Position) -> tuple[Choice, ...]:
    if not position.may_open:
        return ()
    said = {False: _("ei"), True: _("kyllä")}
    return tuple(
        Choice(
            f"opens-{int(opens)}",
            label,
            position.opens is opens,
            position.opening(opens).query,
        )
        for opens, label in said.items()
    )


def _places(position: Position) -> tuple[Choice, ...]:
    said = {Place.HAND: _("Käsi"), Place.TRICK: _("Tikki")}
    return tuple(
        Choice(
            f"to-{place}", label, position.to is place, position.turned_to(place).query
        )
        for place, label in said.items()
    )


def _answer(position: Position, steps: Steps) -> Answer:
    legal = legal_of(position.hand, steps)
    told = told_step(steps[-1], position) if steps else told_free(position)
    verdict, against = SafeString(""), None
    if position.card:
        against = step_against(position.card, steps)
        verdict = verdict_sentence(position.card, is_foul=against is not None)
    return Answer(
        legal=legal_sentence(legal, position.hand),
        told=told_step(against, position) if against else told,
        verdict=verdict,
        is_foul=against is not None,
    )


def _hint(position: Position, limits: Limits) -> str:
    """Return what is still to be told before there can be an answer."""
    if position.hand:
        return _(
            "Valitse, monesko tikki on menossa. Jos se on jo aloitettu, napauta myös "
            "siihen pelatut kortit."
        )
    if limits.hand < limits.tricks:
        return _(
            "Napauta ensin kortit, jotka pelaajalla oli vuorollaan kädessä tai "
            "kuvapuoli ylöspäin pöydällä."
        )
    return _("Napauta ensin kortit, jotka pelaajalla oli kädessä vuorollaan.")
