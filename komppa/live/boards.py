"""A game as every list and page shows it, whether played, in play or to come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext as _

from komppa.cup.models import Cup, Game, Team
from komppa.cup.verdicts import How, Verdict, verdict_of
from komppa.cup.words_of_bracket import (
    last_round,
    source_name,
    stage_name,
    stage_title,
)
from komppa.words import Names
from scoring.sides import Pair, Side
from scoring.validity import FOULS_THAT_LOSE

SUITS: Mapping[Side, str] = {Side.A: "S", Side.B: "H"}
"""The mark of each side, the same on every page."""


class State(StrEnum):
    IN_PLAY = "in_play"
    WAITING = "waiting"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class BoardSide:
    name: str
    team: Team | None
    suit: str
    sets: int
    set_marks: tuple[bool, ...]
    """One for each set that a win takes, true for those won."""
    points: int
    fouls: int
    has_won: bool
    has_lost: bool

    @property
    def foul_marks(self) -> tuple[bool, ...]:
        return tuple(number < self.fouls for number in range(FOULS_THAT_LOSE))


@dataclass(frozen=True, slots=True)
class Board:
    game: Game
    state: State
    a: BoardSide
    b: BoardSide
    set_number: int
    """The set in play."""
    note: str
    """How it ended in a word or two, if not by the last set."""
    outcome: str
    """How it ended as a sentence, empty while it has not."""
    outcome_rule: str
    """The rule by which it ended so, if not by play alone."""
    counts: bool
    """Whether its result counts in the standings."""
    stage: str
    """What a game of the bracket is called by, ”Välierä”; empty in a group."""
    heading: str
    """What it is listed under: the stage, or the schedule round of the groups."""

    @property
    def sides(self) -> tuple[BoardSide, BoardSide]:
        return self.a, self.b


def names_of(game: Game, cup: Cup) -> Names:
    """Return the teams' names, or where the teams will come from."""
    return Pair(*(_name(game, side, cup) for side in Side))


def _name(game: Game, side: Side, cup: Cup) -> str:
    team = game.teams[side]
    return team.name if team else source_name(game, side.lower(), cup)


def board_of(game: Game, cup: Cup, final_round: int = 0) -> Board:
    """Return the game as it stands; for the bracket's, tell the final's round."""
    verdict = verdict_of(game, cup)
    counts = verdict is not None and verdict.counts
    # What was played before the game was annulled stays to be seen.
    sets = verdict.sets if verdict and verdict.counts else game.sets
    winner = verdict.winner if verdict else None
    names = names_of(game, cup)
    a, b = (
        BoardSide(
            name=names[side],
            team=game.teams[side],
            suit=SUITS[side],
            sets=sets[side],
            set_marks=tuple(n < sets[side] for n in range(game.sets_to_win)),
            points=game.points[side],
            fouls=game.fouls[side],
            has_won=winner is side,
            has_lost=counts and winner is not side,
        )
        for side in Side
    )
    winner_name = names[winner] if winner else ""
    return Board(
        game=game,
        state=_state(game),
        a=a,
        b=b,
        set_number=game.sets_a + game.sets_b + 1,
        note=_note(verdict) if verdict else "",
        outcome=_outcome(verdict, winner_name) if verdict else "",
        outcome_rule=_OUTCOME_RULES.get(verdict.how, "") if verdict else "",
        counts=counts,
        stage=stage_name(game, final_round),
        heading=stage_title(game, final_round) or _heading(game),
    )


def boards_of(games: Iterable[Game], cup: Cup) -> list[Board]:
    """Return the boards of all the cup's games, or of the games of a group."""
    games = list(games)
    final_round = last_round(games)
    return [board_of(game, cup, final_round) for game in games]


_OUTCOME_RULES: Mapping[How, str] = {
    How.FOULS: "R7.1",
    How.WALKOVER: "R9.9",
    How.ANNULLED: "R9.9",
    How.WITHDRAWN: "R9.10",
    How.BOTH_ABSENT: "R9.11",
}


def _heading(game: Game) -> str:
    return _("%(number)s. pelikierros") % {"number": game.schedule_round}


def _state(game: Game) -> State:
    if game.is_finished:
        return State.FINISHED
    return State.IN_PLAY if game.is_in_play else State.WAITING


def _note(verdict: Verdict) -> str:
    match verdict.how:
        case How.WALKOVER:
            return _("luovutus")
        case How.OPPONENT_WITHDREW | How.BOTH_WITHDREW | How.WITHDRAWN:
            return _("vetäytyminen")
        case How.NO_OPPONENT:
            return _("ei vastustajaa")
        case How.BOTH_ABSENT:
            return _("kumpikin poissa")
        case How.NOBODY:
            return _("ei joukkueita")
        case How.ANNULLED:
            return _("mitätöity")
        case How.FOULS:
            return _("kolmas pelivirhe")
    return ""


def _outcome(verdict: Verdict, winner: str) -> str:
    team = {"team": winner}
    match verdict.how:
        case How.ANNULLED:
            return _("Peli on mitätöity, eikä sitä lasketa kummallekaan.")
        case How.WITHDRAWN:
            return _(
                "Joukkue on vetäytynyt turnauksesta: peli on mitätöity, eikä sitä "
                "lasketa kummallekaan."
            )
        case How.BOTH_ABSENT:
            return _("Kumpikin joukkue oli poissa: peli on hävitty molemmille.")
        case How.BOTH_WITHDREW:
            return _("Kumpikin joukkue on vetäytynyt: peli on hävitty molemmille.")
        case How.NOBODY:
            return _("Peliin ei tule kumpaakaan joukkuetta.")
        case How.NO_OPPONENT:
            return _("%(team)s jatkaa ilman peliä: vastustajaa ei ole.") % team
        case How.OPPONENT_WITHDREW:
            return _("%(team)s voitti pelin: vastustaja on vetäytynyt.") % team
        case How.WALKOVER:
            return _("%(team)s voitti pelin luovutuksella.") % team
        case How.FOULS:
            return (
                _("%(team)s voitti pelin, kun vastustaja teki kolmannen pelivirheensä.")
                % team
            )
    return _("%(team)s voitti pelin.") % team
