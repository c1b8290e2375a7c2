"""What the page of corrections shows: the draft beside what stands, and what moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from komppa import words
from komppa.cup.models import Game
from komppa.cup.previews import Moves, preview
from komppa.cup.words_of_moves import told_moves
from komppa.errors import Refusal
from komppa.parts import Context
from komppa.sheets.corrections import correct_deals, examine_draft, standing_rows
from komppa.sheets.facts import consequence_of, facts_of, sentence_of
from komppa.sheets.forms_correction import Draft
from komppa.sheets.models import DealEntry
from komppa.sheets.queries import (
    Course,
    names_of,
    seat_names,
    seating,
    standing_records,
)
from komppa.sheets.revisions import Facts, Row
from komppa.words import Names
from scoring.game import GameState
from scoring.problems import Code, Refused
from scoring.rulesets import Ruleset
from scoring.sheet import DealSheet
from scoring.sides import ZERO, Seat


@dataclass(frozen=True, slots=True)
class ToldRow:
    """A deal of the draft."""

    index: int
    position: int
    facts: str
    consequence: str
    """Empty where the deals before it are not sound."""
    was: str
    """What stands now, where the draft says otherwise."""
    is_new: bool
    problems: tuple[str, ...]
    can_drop_ace: bool
    """Whether the holder of the club ace is all that is wrong (R8.1)."""
    is_after_the_end: bool
    later: int
    """How many deals stand from here on."""


@dataclass(frozen=True, slots=True)
class ToldVersion:
    entry: DealEntry
    facts: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class ToldDealVersions:
    """Every version of one stored deal, the newest first."""

    number: int
    position: int | None
    """The number that people see; None while the deal is taken back."""
    versions: tuple[ToldVersion, ...]


def told_rows(
    game: Game, draft: Sequence[Row], course: Course, teller: Teller
) -> list[ToldRow]:
    state, problems = examine_draft(game, draft)
    standing = {row.number: row.facts for row in standing_rows(course)}
    consequences = teller.consequences(state)
    rows = []
    for index, row in enumerate(draft):
        own = problems.get(index, [])
        codes = {problem.code for problem in own}
        stored = standing.get(row.number) if row.number is not None else None
        rows.append(
            ToldRow(
                index=index,
                position=index + 1,
                facts=teller.told(row.facts),
                consequence=consequences[index] if index < len(consequences) else "",
                was=teller.told(stored)
                if stored is not None and stored != row.facts
                else "",
                is_new=row.number is None,
                problems=tuple(words.problem_sentence(p, teller.names) for p in own),
                can_drop_ace=codes == {Code.CLUB_ACE_NOT_OPENING},
                is_after_the_end=Code.AFTER_THE_END in codes,
                later=len(draft) - index,
            )
        )
    return rows


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells the sheets of one game."""

    rules: Ruleset
    names: Names
    seats: Mapping[Seat, str]

    @classmethod
    def of(cls, game: Game) -> Teller:
        return cls(game.cup.rules, names_of(game), seat_names(seating(game)))

    def told(self, facts: Facts | None) -> str:
        if facts is None:
            return _("jako on peruttu")
        try:
            sheet = DealSheet.from_json(facts, self.rules)
        except Refused:
            return _("pöytäkirja on rikki")
        return sentence_of(facts_of(sheet, self.names, self.seats))

    def consequences(self, state: GameState) -> list[str]:
        """Return what each deal did to both teams."""
        sentences = []
        before, set_number = ZERO, 1
        for deal in state.deals:
            if deal.set_number != set_number:
                before, set_number = ZERO, deal.set_number
            told = consequence_of(deal, before, self.rules, self.names)
            sentences.append(told.sentence)
            before = deal.score
        return sentences


def told_versions(game: Game, course: Course, teller: Teller) -> list[ToldDealVersions]:
    positions = {deal.entry.number: deal.position for deal in course.deals}
    entries = game.deal_entries.select_related(
        "entered_by", "table_key__playing_table"
    ).order_by("number", "-version")
    found: dict[int, list[ToldVersion]] = {}
    for entry in entries:
        versions = found.setdefault(entry.number, [])
        facts = teller.told(entry.sheet)
        versions.append(ToldVersion(entry, facts, is_current=not versions))
    return [
        ToldDealVersions(number, positions.get(number), tuple(versions))
        for number, versions in found.items()
    ]


def told_sets(state: GameState) -> list[str]:
    """Return the score of each set, the running one last: ”12–7”."""
    scores = {}
    for deal in state.deals:
        scores[deal.set_number] = f"{deal.score.a}–{deal.score.b}"
    return list(scores.values())


def moves_of(game: Game, draft: Draft) -> Moves | Refusal:
    """Return what saving the draft would move, or why it would be refused."""
    try:
        return preview(
            game.cup,
            lambda: correct_deals(
                game=game,
                draft=draft.rows,
                seen=draft.seen,
                key=draft.key,
                by=None,
                reason="–",
            ),
        )
    except Refusal as refusal:
        return refusal


def told_record_moves(game: Game, draft: Sequence[Row], course: Course) -> list[str]:
    """Return what becomes of the records of deals, by the numbers that people see."""
    records = standing_records(game)
    after = {row.number: index for index, row in enumerate(draft, start=1)}
    sentences = []
    for deal in course.deals:
        old, new = deal.position, after.get(deal.entry.number)
        if deal.entry.number not in records or new == old:
            continue
        if new is None:
            told = _(
                "Jaon %(old)d tallenne jää ilman jakoa ja poistuu julkiselta sivulta."
            )
        else:
            told = _(
                "Jaon %(old)d tallenne seuraa jakoa, joka on tämän jälkeen jako "
                "%(new)d."
            )
        sentences.append(told % {"old": old, "new": new})
    return sentences


def corrections_page(game: Game, draft: Draft, course: Course) -> Context:
    """What the page needs, whether anything has been changed yet or not."""
    teller = Teller.of(game)
    rows = told_rows(game, draft.rows, course, teller)
    kept = {row.number for row in draft.rows}
    taken_back = [d for d in course.deals if d.entry.number not in kept]
    is_changed = draft.rows != standing_rows(course)
    is_sound = not any(row.problems for row in rows)
    found = moves_of(game, draft) if is_changed and is_sound else None
    state, _problems = examine_draft(game, draft.rows)
    return {
        "cup": game.cup,
        "game": game,
        "names": teller.names,
        "course": course,
        "draft": draft,
        "rows": rows,
        "taken_back": [(deal, teller.told(deal.entry.sheet)) for deal in taken_back],
        "is_changed": is_changed,
        "is_sound": is_sound,
        "refusal": found.message if isinstance(found, Refusal) else "",
        "moves": told_moves(found) if isinstance(found, Moves) else None,
        "record_moves": told_record_moves(game, draft.rows, course)
        if is_changed and is_sound
        else (),
        "sets_before": told_sets(course.state),
        "sets_after": told_sets(state),
        "deal_versions": told_versions(game, course, teller),
    }
