"""The shape of a drawn bracket: columns of places, the first bracket round at the left.

Every column is as high as the first, and its places share the height evenly: so a
place stands exactly between the two that feed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from komppa.cup.bracket import stage_of
from komppa.cup.models import Game
from komppa.cup.words_of_bracket import STAGE_TITLES
from komppa.live.boards import State
from komppa.live.podiums import Podium


@dataclass(frozen=True, slots=True)
class DrawnSide:
    source: str
    """Where the team comes from: ”A1”, ”Voittaja P31”."""
    team: str
    """Empty until it is known."""
    is_from_group: bool = False
    waits_for_lot: bool = False
    stays_empty: bool = False
    """Whether nobody is left who could come."""
    sets: int | None = None
    """None while there is nothing to tell."""
    points: int | None = None
    """Of the set in play."""
    has_won: bool = False
    has_lost: bool = False


@dataclass(frozen=True, slots=True)
class DrawnGame:
    label: str
    """What it is called: its number or, before it has one, its place."""
    a: DrawnSide
    b: DrawnSide
    game: Game | None = None
    """None until it has been made."""
    state: State = State.WAITING
    note: str = ""
    """How it ended if not by the last set, or what it waits for."""

    @property
    def sides(self) -> tuple[DrawnSide, DrawnSide]:
        return self.a, self.b


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a column: a game, or nothing where somebody has a bye."""

    game: DrawnGame | None
    has_feeder: bool


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    places: tuple[Place, ...]
    is_straight: bool
    """Whether each place is level with the one it leads to, not with half of it."""

    @property
    def games(self) -> tuple[DrawnGame, ...]:
        return tuple(place.game for place in self.places if place.game)


@dataclass(frozen=True, slots=True)
class Drawing:
    columns: tuple[Column, ...]
    bronze: DrawnGame | None
    open_ties: tuple[str, ...]
    """Sentences about ties that leave a place open."""
    is_made: bool = False
    """Whether the games have been made; until then this is the plan."""
    podium: Podium | None = None

    @property
    def here(self) -> Column:
        """The column in which play is, the last once it is over."""
        for state in (State.IN_PLAY, State.WAITING):
            for column in self.columns:
                if any(game.state is state for game in column.games):
                    return column
        return self.columns[-1]

    @property
    def height(self) -> int:
        """The most places above each other."""
        return max(len(column.places) for column in self.columns)


def columns_of(games: Mapping[tuple[int, int], DrawnGame]) -> tuple[Column, ...]:
    """Return the columns, of games by their bracket round and position in it."""
    last = max(bracket_round for bracket_round, _position in games)
    rounds: list[dict[int, DrawnGame]] = [{} for _round in range(last)]
    for (bracket_round, position), game in games.items():
        rounds[bracket_round - 1][position] = game
    return tuple(_column(rounds, index) for index in range(last))


def _column(rounds: list[dict[int, DrawnGame]], index: int) -> Column:
    games = rounds[index]
    size = 2 ** (len(rounds) - index - 1)
    fed = {position // 2 for position in rounds[index - 1]} if index else set()
    # Byes would leave every other place empty and the drawing twice as high.
    leads_to = {position // 2 for position in games}
    is_straight = not index and size > 1 and len(leads_to) == len(games)
    if is_straight:
        games = {position // 2: game for position, game in games.items()}
        size //= 2
    places = tuple(
        Place(games.get(position), position in fed) for position in range(size)
    )
    title = str(STAGE_TITLES[stage_of(index + 1, 0, len(rounds))])
    return Column(title, places, is_straight)
