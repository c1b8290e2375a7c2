"""The bracket as it is drawn: from its games, and until they are made from the plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from komppa.cup.bracket import (
    Bracket,
    BracketGame,
    BracketRefused,
    GroupRank,
    LoserOf,
    Slot,
    Stage,
    plan_bracket,
)
from komppa.cup.bracket_offers import group_ties
from komppa.cup.knockout import NOBODY, GameState
from komppa.cup.models import Cup, Game
from komppa.cup.qualifying import (
    bracket_games,
    bronze_of,
    knockout_of,
    next_best,
    taken_places,
)
from komppa.cup.queries import GroupStanding
from komppa.cup.words_of_bracket import (
    best_name,
    loser_name,
    next_best_tie,
    source_name,
    winner_name,
)
from komppa.live.boards import Board, State, board_of
from komppa.live.drawings import Drawing, DrawnGame, DrawnSide, columns_of
from komppa.live.podiums import podium_of
from scoring.sides import Side

# How a game without a number is called in another's slot: ”Voittaja PV1”.
_SHORT = {
    Stage.FINAL: pgettext_lazy("pelin tunnus", "F"),
    Stage.BRONZE: pgettext_lazy("pelin tunnus", "Pr"),
    Stage.SEMI_FINAL: pgettext_lazy("pelin tunnus", "V"),
    Stage.QUARTER_FINAL: pgettext_lazy("pelin tunnus", "PV"),
    Stage.ROUND_OF_16: pgettext_lazy("pelin tunnus", "NV"),
    Stage.ROUND_OF_32: pgettext_lazy("pelin tunnus", "32/"),
    Stage.ROUND_OF_64: pgettext_lazy("pelin tunnus", "64/"),
}


def drawing_of(cup: Cup, standings: Sequence[GroupStanding]) -> Drawing | None:
    """Return the bracket as it is played or will be, None where there is none yet."""
    games = list(bracket_games(cup))
    groups = _Groups(cup, standings)
    return _drawn_games(groups, games) if games else _drawn_plan(groups)


class _Groups:
    """What the groups say of the places that they fill."""

    def __init__(self, cup: Cup, standings: Sequence[GroupStanding]) -> None:
        self.cup = cup
        self.standings = standings
        self.following = next_best(cup, standings)

    def on_rank(self, standing: GroupStanding, rank: int) -> DrawnSide:
        row = standing.row_at(rank)
        has_rank = rank <= len(standing.rows)
        return DrawnSide(
            f"{standing.group.name}{rank}",
            row.team.name if row else "",
            is_from_group=True,
            waits_for_lot=standing.is_complete and has_rank and row is None,
        )

    def best(self, number: int) -> DrawnSide:
        following = self.following
        if following and (found := following.best(number)):
            return self.on_rank(found[0], following.rank)
        tied = following.lots_needed if following else ()
        return DrawnSide(
            best_name(number, self.cup),
            "",
            is_from_group=True,
            waits_for_lot=bool(tied),
        )

    def open_ties(self) -> tuple[str, ...]:
        following = self.following
        across = following.lots_needed if following else ()
        rank = following.rank if following else 0
        return (
            *(tie.sentence for tie in group_ties(self.cup, self.standings)),
            *(next_best_tie(rank, tied) for tied in across),
        )


# From the games.


def _drawn_games(groups: _Groups, games: Sequence[Game]) -> Drawing:
    cup, standings = groups.cup, groups.standings
    states = knockout_of(cup, games, standings)
    taken = {pk for pk, _side in taken_places(cup, games, standings)}
    drawn = {
        game.pk: _drawn_game(groups, game, states[game.pk], game.pk in taken)
        for game in games
    }
    bronze = bronze_of(games)
    return Drawing(
        columns=columns_of(
            {
                (game.bracket_round or 0, game.bracket_position or 0): drawn[game.pk]
                for game in games
                if game is not bronze
            }
        ),
        bronze=drawn[bronze.pk] if bronze else None,
        open_ties=groups.open_ties(),
        is_made=True,
        podium=podium_of(cup, games, states),
    )


def _drawn_game(
    groups: _Groups, game: Game, state: GameState, is_taken: bool
) -> DrawnGame:
    board = board_of(game, groups.cup)
    # Whose game it is by now is not for the public to settle.
    is_unsettled = state.in_conflict or is_taken
    a, b = (_drawn_side(groups, board, state, side) for side in Side)
    return DrawnGame(
        label=str(game),
        a=a,
        b=b,
        game=game,
        state=board.state,
        note=_("järjestäjä selvittää") if is_unsettled else board.note,
    )


def _drawn_side(
    groups: _Groups, board: Board, state: GameState, side: Side
) -> DrawnSide:
    shown = board.sides[side is Side.B]
    source = _source(groups, board.game, side)
    if shown.team is None:
        if state.slots[side] == NOBODY:
            return replace(source, team="", waits_for_lot=False, stays_empty=True)
        return replace(source, team="")
    has_both = board.a.team is not None and board.b.team is not None
    has_figures = has_both and board.state is not State.WAITING
    is_in_play = board.state is State.IN_PLAY
    return replace(
        source,
        # Of others than those who belong there, the source would say what is not so.
        source="" if side in state.conflicts else source.source,
        team=shown.name,
        waits_for_lot=False,
        sets=shown.sets if has_figures else None,
        points=shown.points if is_in_play else None,
        has_won=shown.has_won and not state.in_conflict,
        has_lost=shown.has_lost and not state.in_conflict,
    )


def _source(groups: _Groups, game: Game, side: Side) -> DrawnSide:
    suffix = side.lower()
    if (group := getattr(game, f"source_group_{suffix}_id")) is not None:
        standing = next(s for s in groups.standings if s.group.pk == group)
        return groups.on_rank(standing, getattr(game, f"source_rank_{suffix}"))
    if (best := getattr(game, f"source_best_{suffix}")) is not None:
        return groups.best(best)
    return DrawnSide(source_name(game, suffix, groups.cup), "")


# From the plan.


def _drawn_plan(groups: _Groups) -> Drawing | None:
    qualifiers = _qualifiers(groups)
    try:
        plan = _plan(tuple(qualifiers), groups.cup.bronze_game)
    except BracketRefused:
        return None
    labels = _labels(plan)

    def side(slot: Slot) -> DrawnSide:
        if isinstance(slot, GroupRank):
            return qualifiers[slot]
        label = labels[slot.game]
        is_loser = isinstance(slot, LoserOf)
        return DrawnSide(loser_name(label) if is_loser else winner_name(label), "")

    def drawn(game: BracketGame) -> DrawnGame:
        return DrawnGame(labels[game.number], side(game.a), side(game.b))

    return Drawing(
        columns=columns_of(
            {
                (game.bracket_round, game.position): drawn(game)
                for games in plan.bracket_rounds
                for game in games
            }
        ),
        bronze=drawn(plan.bronze) if plan.bronze else None,
        open_ties=groups.open_ties(),
    )


@lru_cache(maxsize=32)
def _plan(qualifiers: tuple[GroupRank, ...], bronze: bool) -> Bracket:
    """Return the plan, which takes a tenth of a second for the largest."""
    return plan_bracket(qualifiers, bronze=bronze)


def _qualifiers(groups: _Groups) -> dict[GroupRank, DrawnSide]:
    """Return every place that goes on, the best first."""
    cup, standings = groups.cup, groups.standings
    found = {
        GroupRank(index, rank): groups.on_rank(standing, rank)
        for rank in range(1, cup.qualifiers_per_group + 1)
        for index, standing in enumerate(standings)
        if rank <= len(standing.rows)
    }
    following = groups.following
    if following is None:
        return found
    index_of = {s.group.pk: index for index, s in enumerate(standings)}
    candidates = sum(len(s.rows) >= following.rank for s in standings)
    for number in range(1, min(following.places, candidates) + 1):
        best = following.best(number)
        # Until it is known whose they are, they stand as if in groups of their own.
        group = index_of[best[0].group.pk] if best else len(standings) + number
        found[GroupRank(group, following.rank)] = groups.best(number)
    return found


def _labels(plan: Bracket) -> Mapping[int, str]:
    labels = {}
    counts: dict[Stage, int] = {}
    for game in plan.games:
        counts[game.stage] = counts.get(game.stage, 0) + 1
        short = str(_SHORT[game.stage])
        only = game.stage in (Stage.FINAL, Stage.BRONZE)
        labels[game.number] = short if only else f"{short}{counts[game.stage]}"
    return labels
