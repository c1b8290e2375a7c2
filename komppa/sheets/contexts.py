"""What the sheet's pages show, read and put into words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple
from uuid import uuid4

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from komppa import words
from komppa.cup.access import is_organiser
from komppa.cup.choices import Visibility
from komppa.cup.models import Cup, Game
from komppa.cup.queries import games_of, results_to_confirm
from komppa.cup.verdicts import verdict_of
from komppa.parts import Context
from komppa.sheets.facts import (
    Consequence,
    consequence_in,
    consequence_of,
    facts_of,
    sentence_of,
)
from komppa.sheets.forms import DealSheetForm
from komppa.sheets.models import Confirmation, DealEntry
from komppa.sheets.queries import (
    Course,
    PlayedDeal,
    confirmed_sides,
    course_of,
    names_of,
    seat_names,
    seating,
)
from scoring.game import advance
from scoring.points import deal_parts, deal_points
from scoring.problems import Code, Problem
from scoring.sheet import DealSheet
from scoring.sides import Pair, Side
from scoring.validity import FOULS_THAT_LOSE

_STILL_TO_COME = {
    Code.MISSING,
    Code.LAST_TRICK_MISSING,
    Code.PIPS_NEEDED,
    Code.ACES_NEEDED,
    Code.SMALL_TRUMPS_WITHOUT_TRUMP,
}


@dataclass(frozen=True, slots=True)
class SideHead:
    """One team at the top of the sheet."""

    side: Side
    name: str
    points: int
    sets: int
    sets_to_win: int
    fouls: int
    has_won: bool

    @property
    def dots(self) -> tuple[bool, ...]:
        return tuple(n <= self.fouls for n in range(1, FOULS_THAT_LOSE + 1))

    @property
    def set_marks(self) -> tuple[bool, ...]:
        return tuple(n <= self.sets for n in range(1, self.sets_to_win + 1))


@dataclass(frozen=True, slots=True)
class ToldDeal:
    """A recorded deal in words."""

    deal: PlayedDeal
    consequence: Consequence
    facts: str

    @property
    def by(self) -> str:
        """Who recorded it: a person, or the table's own tablet."""
        user = self.deal.entry.entered_by
        return user.get_username() if user else _("pöydän laite")


def sheet_part(cup: Cup | None, number: int | None) -> Context | None:
    """The head of a game's sheet, the same for everybody who looks."""
    if cup is None or number is None:
        return None
    game = games_of(cup).filter(number=number).first()
    if game is None:
        return None
    game.cup = cup
    return head_of(game, course_of(game))


def head_of(game: Game, course: Course) -> Context:
    state = course.state
    names = names_of(game)
    seats = seat_names(seating(game))
    return {
        "game": game,
        "course": course,
        "state": state,
        "sides": [
            SideHead(
                side=side,
                name=names[side],
                points=state.points[side],
                sets=state.sets[side],
                sets_to_win=game.sets_to_win,
                fouls=state.fouls[side],
                has_won=state.winner is side,
            )
            for side in Side
        ],
        "position": len(course.deals) + 1,
        "dealer": seats.get(state.next_dealer) if state.next_dealer else None,
        "leader": seats.get(state.next_leader) if state.next_leader else None,
        "previous": told_deal(game, course, course.last) if course.last else None,
        "is_over": is_over(game, course),
        "stamp": stamp_of(course, _confirmed(game, course)),
    }


def stamp_of(course: Course, confirmed: Mapping[Side, Confirmation]) -> str:
    """Return what changes with whatever is written to the game.

    No sum of the two: a correction adds an entry and lapses confirmations.
    """
    stamp = str(course.entry_count)
    return f"{stamp}-{len(confirmed)}" if course.state.winner else stamp


def _confirmed(game: Game, course: Course) -> dict[Side, Confirmation]:
    return confirmed_sides(game) if course.state.winner else {}


def is_over(game: Game, course: Course) -> bool:
    """Return whether the game takes no more deals."""
    return (
        course.state.winner is not None
        or game.is_finished
        or game.cup.visibility == Visibility.ARCHIVED
    )


def told_deal(game: Game, course: Course, deal: PlayedDeal) -> ToldDeal:
    names = names_of(game)
    return ToldDeal(
        deal=deal,
        consequence=consequence_in(course, deal, game.cup.rules, names),
        facts=sentence_of(facts_of(deal.sheet, names)),
    )


class Objection(NamedTuple):
    """Why what was typed cannot be."""

    text: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine says of a form as far as it has been filled in."""

    names: Pair[str]
    points: Pair[int]
    parts: Pair[str]
    consequence: Consequence | None
    """What the deal would do; None until the sheet is whole and sound."""
    missing: tuple[str, ...]
    wrong: tuple[Objection, ...]
    is_blank: bool
    late_number: int | None
    """The deal that the form is for, if others have played past it."""

    @property
    def sides(self) -> list[dict[str, Any]]:
        steps = self.consequence.steps if self.consequence else (None, None)
        return [
            {
                "name": self.names[side],
                "points": self.points[side],
                "parts": self.parts[side],
                "step": step,
            }
            for side, step in zip(Side, steps, strict=True)
        ]


def answer_of(form: DealSheetForm) -> Answer:
    """Return the engine's answer to a form; unbound, to an empty one."""
    sheet, rules, course = form.sheet, form.rules, form.course
    problems = form.found_problems()
    parts = deal_parts(sheet, rules)
    number = form.cleaned_data.get("number") if form.is_bound else None
    consequence = None
    if not (problems or form.unreadable or form.is_stale or course.state.winner):
        result = advance(course.state, sheet).deals[-1]
        consequence = consequence_of(result, course.state.points, rules, form.names)
    return Answer(
        names=form.names,
        points=deal_points(parts),
        parts=Pair(*(words.parts_sentence(parts[side], rules) for side in Side)),
        consequence=consequence,
        missing=tuple(_missing(problems)),
        wrong=(
            *map(Objection, form.unreadable),
            *(
                Objection(
                    words.problem_sentence(problem, form.names), problem.rule or ""
                )
                for problem in problems
                if problem.code not in _STILL_TO_COME
            ),
        ),
        is_blank=sheet == DealSheet() and not form.unreadable,
        late_number=number if number and number < course.next_number else None,
    )


def _missing(problems: Iterable[Problem]) -> list[str]:
    phrases = {
        "mattis": _("matit"),
        "card_points": _("korttipisteet"),
        "pips": _("silmät"),
        "aces": _("ässät"),
        "last_trick": _("viimeinen tikki"),
        "small_trumps": _("mikä maa oli valtti"),
    }
    found = [p.path for p in problems if p.code in _STILL_TO_COME]
    # In the order in which the form asks.
    order = ("small_trumps", "last_trick", "mattis", "card_points", "pips", "aces")
    return [phrases[path] for path in order if path in found]


@dataclass(frozen=True, slots=True)
class TableGames:
    """The games of one table: what is played there, what comes, what has been."""

    number: int | None
    open: tuple[Game, ...]
    to_confirm: tuple[Game, ...]
    """Won, and some team has not confirmed the result."""
    finished: tuple[Game, ...]


def tables_of(cup: Cup) -> list[TableGames]:
    def number_of(game: Game) -> int:
        return game.playing_table.number if game.playing_table else 0

    games = sorted(games_of(cup), key=number_of)
    is_archived = cup.visibility == Visibility.ARCHIVED
    to_confirm = set() if is_archived else set(results_to_confirm(cup))
    tables = []
    for number, at_table in groupby(games, key=number_of):
        played = list(at_table)
        waiting = [game for game in played if not game.is_finished]
        over = [game for game in played[::-1] if game.is_finished]
        tables.append(
            TableGames(
                number or None,
                open=tuple(sorted(waiting, key=lambda game: not game.is_in_play)),
                to_confirm=tuple(g for g in over if g.number in to_confirm),
                finished=tuple(g for g in over if g.number not in to_confirm),
            )
        )
    return tables


def next_at_table(game: Game) -> Game | None:
    """Return the game that the table takes up after this one."""
    if game.playing_table_id is None:
        return None
    waiting = games_of(game.cup).filter(
        playing_table=game.playing_table_id,
        is_finished=False,
        team_a__isnull=False,
        team_b__isnull=False,
    )
    return waiting.exclude(pk=game.pk).first()


@dataclass(frozen=True, slots=True)
class Agreement:
    """A team beside the result that it is asked to confirm."""

    side: Side
    name: str
    confirmation: Confirmation | None


def agreements_of(
    game: Game, course: Course, confirmed: Mapping[Side, Confirmation]
) -> list[Agreement]:
    """Return both teams of a game won at the table; nothing for any other."""
    verdict = verdict_of(game, game.cup)
    # The course may be newer than the row, and then knows of the winner first.
    if course.state.winner is None or (verdict and not verdict.is_by_play):
        return []
    names = names_of(game)
    return [
        Agreement(side=side, name=names[side], confirmation=confirmed.get(side))
        for side in Side
    ]


def sheet_page(form: DealSheetForm, user: User | None) -> Context:
    """What the whole page of a game's sheet needs, for whoever looks at it."""
    game, course = form.game, form.course
    over = is_over(game, course)
    confirmed = _confirmed(game, course)
    is_confirmed = len(confirmed) == len(Side)
    may_correct = is_organiser(user) or not is_confirmed
    return {
        "cup": game.cup,
        "game": game,
        "course": course,
        "names": form.names,
        "form": form,
        "answer": answer_of(form),
        "is_over": over,
        "is_ready": game.team_a_id is not None and game.team_b_id is not None,
        "deals": [told_deal(game, course, deal) for deal in reversed(course.deals)],
        "take_back": _take_back(course) if may_correct else None,
        "agreements": agreements_of(game, course, confirmed),
        "is_confirmed": is_confirmed,
        "lapses": bool(confirmed),
        "stamp": stamp_of(course, confirmed),
        "address": [game.cup.slug, game.number],
        "seat_rows": [] if over or course.deals else _seat_rows(form),
        "next_game": next_at_table(game) if over else None,
        "winner": form.names[course.state.winner] if course.state.winner else None,
    }


def _take_back(course: Course) -> Context | None:
    if course.last is None:
        return None
    entry = course.last.entry
    return {
        "position": course.last.position,
        "number": entry.number,
        "version": entry.version,
        "key": uuid4(),
    }


def _seat_rows(form: DealSheetForm) -> list[Context]:
    """Return each team's seats; with two of them its players can swap."""
    seated = seating(form.game)
    rows = []
    for side in Side:
        own = [(seat, player) for seat, player in seated.items() if seat.side is side]
        if len(own) == 2:
            name = f"first_{side.lower()}"
            rows.append({"team": form.names[side], "seated": own, "field": name})
    return rows


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sheets for one deal: what stands, and what this writer had."""

    number: int
    recorded: ToldDeal | None
    own: str
    is_same: bool


def conflict_of(form: DealSheetForm, now: Course) -> Conflict | None:
    """Return what stands in the place of a deal that was not recorded."""
    if not form.is_bound:
        return None
    number = form.cleaned_data.get("number")
    standing = next((d for d in now.deals if d.entry.number == number), None)
    return Conflict(
        number=number or 0,
        recorded=told_deal(form.game, now, standing) if standing else None,
        own=sentence_of(facts_of(form.sheet, form.names, form.seats)),
        is_same=standing is not None and standing.sheet == form.sheet,
    )


def recorded_message(game: Game, entry: DealEntry) -> str:
    """Say what was recorded and what it did to the score."""
    course = course_of(game)
    deal = next((d for d in course.deals if d.entry.pk == entry.pk), None)
    if deal is None:
        return _("Tämä jako oli jo tallennettu, ja se on sittemmin peruttu.")
    told = consequence_in(course, deal, game.cup.rules, names_of(game))
    return _("Jako %(position)d tallennettu. %(outcome)s") % {
        "position": deal.position,
        "outcome": told.sentence,
    }
