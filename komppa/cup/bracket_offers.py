"""The bracket that could be made now: who would meet whom, or what it still lacks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from komppa.cup.bracket import (
    Bracket,
    BracketGame,
    BracketRefused,
    GroupRank,
    plan_bracket,
)
from komppa.cup.models import Cup, Game, Team
from komppa.cup.qualifying import NextBest, next_best
from komppa.cup.queries import GroupStanding, games_stamp, group_standings
from komppa.cup.words_of_bracket import best_name, group_tie, next_best_tie


@dataclass(frozen=True, slots=True)
class GroupTie:
    """Teams of a group that a lot has to part before the bracket is made."""

    standing: GroupStanding
    teams: tuple[Team, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class Qualifier:
    """Who goes on, and by what: the rank in the group, or a place among the best."""

    rank: GroupRank
    team: Team
    best: int | None
    """The place in the comparison over the groups; None for a rank that goes on."""
    source: str
    """”A1”."""


@dataclass(frozen=True, slots=True)
class Offer:
    standings: tuple[GroupStanding, ...]
    next_best: NextBest | None
    unfinished: tuple[GroupStanding, ...]
    """Groups with games to play, or without any."""
    ties: tuple[GroupTie, ...]
    ties_across: tuple[tuple[Team, ...], ...]
    """Of teams of different groups, level in the comparison of the next place."""
    qualifiers: Mapping[GroupRank, Qualifier]
    """Best first; empty until it is settled who they are."""
    bracket: Bracket | None
    refused: str
    """The code of ``BracketRefused``, if that is what stands against it."""
    stamp: str
    """What tells these pairings from any others."""

    @property
    def is_settled(self) -> bool:
        """Whether the groups have said who goes on, and by which place."""
        is_open = self.unfinished or self.ties or self.ties_across
        return bool(self.standings) and not is_open

    @property
    def tie_sentences(self) -> list[str]:
        rank = self.next_best.rank if self.next_best else 0
        return [
            *(tie.sentence for tie in self.ties),
            *(next_best_tie(rank, tied) for tied in self.ties_across),
        ]


def offer_of(cup: Cup) -> Offer:
    standings = tuple(group_standings(cup))
    following = next_best(cup, standings)
    unfinished = tuple(s for s in standings if not s.is_complete)
    ties = tuple(group_ties(cup, standings))
    across = following.lots_needed if following else ()
    qualifiers: dict[GroupRank, Qualifier] = {}
    bracket, refused = None, ""
    if standings and not (unfinished or ties or across):
        qualifiers = {q.rank: q for q in _qualifiers(cup, standings, following)}
        try:
            bracket = plan_bracket([*qualifiers], bronze=cup.bronze_game)
        except BracketRefused as error:
            refused = error.code
    return Offer(
        standings=standings,
        next_best=following,
        unfinished=unfinished,
        ties=ties,
        ties_across=across,
        qualifiers=qualifiers,
        bracket=bracket,
        refused=refused,
        stamp=_stamp(cup, qualifiers, bracket),
    )


def group_ties(cup: Cup, standings: Sequence[GroupStanding]) -> list[GroupTie]:
    """Return the ties that touch a rank that goes on, or may go on."""
    going_on = cup.qualifiers_per_group
    found = []
    for standing in standings:
        ranks = {row.team.pk: row.rank for row in standing.rows}
        for tied in standing.ties_until(going_on + bool(cup.best_next)):
            last = ranks[tied[0].pk] + len(tied) - 1
            # With the best of the next place, whoever is on it may go on as well.
            is_across = last > going_on
            sentence = group_tie(standing.group.name, tied, is_across=is_across)
            found.append(GroupTie(standing, tied, sentence))
    return found


def open_games(standing: GroupStanding) -> list[Game]:
    """Return the games of a group that are still to be played, by number."""
    waiting = [game for game in standing.games if not game.is_finished]
    return sorted(waiting, key=lambda game: game.number)


def _qualifiers(
    cup: Cup, standings: Sequence[GroupStanding], following: NextBest | None
) -> list[Qualifier]:
    found = [
        Qualifier(GroupRank(index, rank), row.team, None, f"{standing.group}{rank}")
        for rank in range(1, cup.qualifiers_per_group + 1)
        for index, standing in enumerate(standings)
        if (row := standing.row_at(rank)) is not None
    ]
    if following is None:
        return found
    index_of = {standing.group.pk: index for index, standing in enumerate(standings)}
    for number in range(1, following.places + 1):
        if (best := following.best(number)) is not None:
            standing, row = best
            rank = GroupRank(index_of[standing.group.pk], following.rank)
            found.append(Qualifier(rank, row.team, number, best_name(number, cup)))
    return found


def _stamp(
    cup: Cup, qualifiers: Mapping[GroupRank, Qualifier], bracket: Bracket | None
) -> str:
    games: tuple[BracketGame, ...] = bracket.games if bracket else ()
    facts = (
        games_stamp(cup),
        [(str(q.rank), q.best, q.team.pk) for q in qualifiers.values()],
        [(game.number, str(game.a), str(game.b)) for game in games],
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]
