"""Reads of who goes on: the best of the next place, and the bracket being played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from komppa.cup import knockout
from komppa.cup.bracket import LoserOf, WinnerOf
from komppa.cup.knockout import NOBODY, UNKNOWN, GameFacts, GameState, Occupant, Source
from komppa.cup.models import Cup, Game, Team
from komppa.cup.next_best import Candidate, Ranking, rank_across
from komppa.cup.queries import GroupStanding, StandingRow, games_of, group_standings
from komppa.cup.verdicts import verdict_of
from scoring.sides import Pair, Side


@dataclass(frozen=True, slots=True)
class NextBest:
    """Those next in line in each group, compared over the groups."""

    rank: int
    """The rank that they have in their groups."""
    places: int
    """How many of them go on."""
    rows: tuple[tuple[GroupStanding, StandingRow], ...]
    """Of every group that has settled the rank, the best first."""
    ranking: Ranking
    is_complete: bool
    """Whether every group has settled it."""
    lots_needed: tuple[tuple[Team, ...], ...]
    lots_in_use: frozenset[int]
    """The lots that settle a tie now; of several for one set of teams, the first."""

    def best(self, number: int) -> tuple[GroupStanding, StandingRow] | None:
        """Return the ``number``-th best once that is settled."""
        team = self.ranking.best(number) if self.is_complete else None
        found = [(s, row) for s, row in self.rows if row.team.pk == team]
        return found[0] if found else None


def next_best(cup: Cup, standings: Sequence[GroupStanding]) -> NextBest | None:
    """Return the comparison of the next place, None where nobody goes on by it."""
    if not cup.best_next:
        return None
    rank = cup.qualifiers_per_group + 1
    asked = [s for s in standings if len(s.rows) >= rank or not s.is_complete]
    settled = [(s, row) for s in asked if (row := s.row_at(rank)) is not None]
    lots = list(cup.lots.filter(group=None, taken_back_at=None).order_by("pk"))
    candidates = [
        Candidate(row.team.pk, row.played, row.won, row.sets_won, row.sets_lost)
        for _, row in settled
    ]
    ranking = rank_across(candidates, [lot.order for lot in lots])
    first_for = {frozenset(lot.order): lot.pk for lot in reversed(lots)}
    level = map(frozenset, rank_across(candidates).order)
    places = [team for level in ranking.order for team in level]
    settled.sort(key=lambda found: places.index(found[1].team.pk))
    is_complete = len(settled) == len(asked)
    teams = {row.team.pk: row.team for _, row in settled}
    ties = ranking.ties(cup.best_next) if is_complete else ()
    return NextBest(
        rank=rank,
        places=cup.best_next,
        rows=tuple(settled),
        ranking=ranking,
        is_complete=is_complete,
        lots_needed=tuple(tuple(teams[pk] for pk in tied) for tied in ties),
        lots_in_use=frozenset(first_for[tied] for tied in level if tied in first_for),
    )


def bracket_games(cup: Cup) -> QuerySet[Game]:
    """Return the games of the bracket; of one played again, only the new one."""
    entered = Game.objects.filter(pk=OuterRef("pk"), deal_entries__isnull=False)
    return (
        games_of(cup)
        .filter(bracket_round__isnull=False, replay__isnull=True)
        .annotate(has_entries=Exists(entered))
    )


def champion_of(games: Sequence[Game], states: Mapping[int, GameState]) -> int | None:
    """Return the team that has won the final, None while that is open."""
    final = final_of(games)
    return states[final.pk].winner.team if final else None


def final_of(games: Sequence[Game]) -> Game | None:
    """Return the final among the bracket's games."""
    return _in_last_round(games, 0)


def bronze_of(games: Sequence[Game]) -> Game | None:
    """Return the bronze game among the bracket's games; None where there is none."""
    return _in_last_round(games, 1)


def _in_last_round(games: Sequence[Game], position: int) -> Game | None:
    # In the final's own bracket round the bronze game is the second.
    last = max((game.bracket_round or 0 for game in games), default=0)
    return next(
        (
            g
            for g in games
            if g.bracket_round == last and g.bracket_position == position
        ),
        None,
    )


def has_begun(game: Game) -> bool:
    """Return whether who plays the bracket game is a fact by now.

    It is since its first deal, taken back or not: a version that is restored is
    one of those who played it.
    """
    return bool(game.has_entries or game.outcome)  # type: ignore[attr-defined]


def knockout_of(
    cup: Cup,
    games: Sequence[Game] | None = None,
    standings: Sequence[GroupStanding] | None = None,
) -> dict[int, GameState]:
    """Return the state of each bracket game by its id; empty without a bracket."""
    games = list(bracket_games(cup)) if games is None else games
    if not games:
        return {}
    if standings is None:
        standings = group_standings(cup)
    sources = _Sources(cup, standings, games)
    withdrawn = cup.teams.filter(withdrawn=True).values_list("pk", flat=True)
    return knockout.resolve(
        [sources.facts(game) for game in games], frozenset(withdrawn)
    )


def taken_places(
    cup: Cup, games: Sequence[Game], standings: Sequence[GroupStanding]
) -> dict[tuple[int, Side], int]:
    """Return the places whose own team has been named for another, with the team.

    By the game's id and the side. They are open until somebody is named for them.
    """
    sources = _Sources(cup, standings, games)
    return {
        (game.pk, side): own.team
        for game in games
        if not has_begun(game)
        for side in Side
        if isinstance(own := sources.source(game, side.lower()), Occupant)
        and own.team is not None
        and sources.free_source(game, side.lower()) != own
    }


class _Sources:
    """What the groups say of where a side comes from."""

    def __init__(
        self, cup: Cup, standings: Sequence[GroupStanding], games: Sequence[Game]
    ) -> None:
        self.cup = cup
        self.named = {
            pk for g in games for pk in (g.source_team_a_id, g.source_team_b_id) if pk
        }
        self.standings = {standing.group.pk: standing for standing in standings}
        self.next_best = next_best(cup, standings)

    def facts(self, game: Game) -> GameFacts:
        # Who is out by withdrawal is the bracket's own to say, by who stands there.
        ended = bool(game.outcome or game.winner)
        verdict = verdict_of(game, self.cup) if ended else None
        begun = has_begun(game)
        source = self.source if begun else self.free_source
        return GameFacts(
            game=game.pk,
            sources=Pair(source(game, "a"), source(game, "b")),
            teams=Pair(game.team_a_id, game.team_b_id),
            has_begun=begun,
            is_over=ended,
            winner=verdict.winner if verdict else None,
        )

    def free_source(self, game: Game, side: str) -> Source:
        """Return the source; open if its team has been named for another place.

        Nobody is to play in two places, so the organiser names who plays here.
        """
        source = self.source(game, side)
        is_named = getattr(game, f"source_team_{side}_id") is not None
        if is_named or not isinstance(source, Occupant):
            return source
        return UNKNOWN if source.team in self.named else source

    def source(self, game: Game, side: str) -> Source:
        team = getattr(game, f"source_team_{side}_id")
        if team is not None:
            return Occupant(team)
        if (group := getattr(game, f"source_group_{side}_id")) is not None:
            return self._on_rank(group, getattr(game, f"source_rank_{side}"))
        if (best := getattr(game, f"source_best_{side}")) is not None:
            return self._best(best)
        if (before := getattr(game, f"winner_of_{side}_id")) is not None:
            return WinnerOf(before)
        return LoserOf(getattr(game, f"loser_of_{side}_id"))

    def _on_rank(self, group: int, rank: int) -> Occupant:
        standing = self.standings[group]
        if (row := standing.row_at(rank)) is not None:
            return Occupant(row.team.pk)
        # Withdrawals may leave a group with fewer teams than places.
        is_empty = standing.is_complete and rank > len(standing.rows)
        return NOBODY if is_empty else UNKNOWN

    def _best(self, number: int) -> Occupant:
        following = self.next_best
        if following is None:
            return UNKNOWN
        if (found := following.best(number)) is not None:
            return Occupant(found[1].team.pk)
        is_empty = following.is_complete and number > len(following.rows)
        return NOBODY if is_empty else UNKNOWN
