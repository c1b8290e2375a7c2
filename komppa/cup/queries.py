"""Reads of a cup, each in a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet, prefetch_related_objects

from komppa.cup.choices import FoulLossSetsChoice, Outcome, Visibility
from komppa.cup.models import Cup, Game, Group, GroupMembership, Team
from scoring.sides import Pair, Side
from scoring.standings import (
    Criterion,
    GameResult,
    Lot,
    Row,
    Separation,
    standings,
)


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line of a sarjataulukko."""

    team: Team
    rank: int
    played: int
    won: int
    lost: int
    sets_won: int
    sets_lost: int
    separation: Separation[int] | None
    """What put it below the row above (R9.7); None for the first and for ties."""
    tied_with: tuple[Team, ...]
    form: tuple[bool, ...]
    """Its finished games in order of number, true for a win."""
    goes_on: bool
    """In a finished group, whether its rank is among those that go on."""

    @property
    def is_tied(self) -> bool:
        return bool(self.tied_with)

    @property
    def decided_by(self) -> Criterion | None:
        return self.separation.criterion if self.separation else None


@dataclass(frozen=True, slots=True)
class GroupStanding:
    group: Group
    rows: tuple[StandingRow, ...]
    lots_needed: tuple[tuple[Team, ...], ...]
    is_complete: bool
    games: tuple[Game, ...]

    @property
    def lots_in_use(self) -> set[int]:
        """The lots that settle a tie now; of several for one set of teams, the first.

        A later correction may remove a tie; its lot stays on record (R9.5).
        """
        lots = list(self.group.lots.all())
        settled = (
            frozenset(row.separation.among)
            for row in self.rows
            if row.separation and row.separation.criterion is Criterion.LOT
        )
        return {
            next(lot.pk for lot in lots if frozenset(lot.order) == teams)
            for teams in settled
        }


def visible_cups(user: User | None = None) -> QuerySet[Cup]:
    """Return the cups that a visitor, or this user, may see."""
    if user is not None and user.is_staff:
        return Cup.objects.all()
    return Cup.objects.exclude(visibility=Visibility.DRAFT)


def has_results(cup: Cup) -> bool:
    """Return whether anything has been recorded, taken-back deals and lots included."""
    recorded = (
        Q(deal_entries__isnull=False)
        | ~Q(outcome=Outcome.PLAYED)
        | Q(group__lots__isnull=False)
    )
    return cup.games.filter(recorded).exists()


def games_stamp(cup: Cup) -> int | None:
    """Return what tells the cup's games from those made anew; None without games."""
    return cup.games.order_by("-pk").values_list("pk", flat=True).first()


def games_of(cup: Cup) -> QuerySet[Game]:
    """Return the cup's games with all that a list of them shows."""
    return (
        Game.objects.filter(cup=cup)
        .select_related(
            "group",
            "playing_table",
            "team_a",
            "team_b",
            "source_group_a",
            "source_group_b",
            "winner_of_a",
            "winner_of_b",
            "loser_of_a",
            "loser_of_b",
        )
        .order_by("order", "number")
    )


def counted_result(game: Game, cup: Cup) -> GameResult[int] | None:
    """Return what a game gives to the standings, None if nothing (R9.8-9, R9.11)."""
    if game.team_a_id is None or game.team_b_id is None:
        return None
    sets, winner = game.sets, game.winning_side
    if game.outcome == Outcome.ANNULLED:
        return None
    if game.outcome == Outcome.BOTH_ABSENT:
        sets, winner = Pair(0, 0), None
    elif game.outcome in (Outcome.WALKOVER_A, Outcome.WALKOVER_B):
        winner = Side.A if game.outcome == Outcome.WALKOVER_A else Side.B
        sets = Pair(0, 0).replace(winner, game.sets_to_win)
    elif winner is None:
        return None
    elif game.ended_by == "fouls" and cup.foul_loss_sets == FoulLossSetsChoice.FULL:
        sets = sets.replace(winner, game.sets_to_win)
    return GameResult(game.team_a_id, game.team_b_id, sets.a, sets.b, winner)


def group_standings(
    cup: Cup, groups: Sequence[Group] | None = None
) -> list[GroupStanding]:
    """Return the standings of the cup's groups, or of those given."""
    groups = list(cup.groups.all()) if groups is None else list(groups)
    prefetch_related_objects(groups, "lots")
    members: dict[int, dict[int, Team]] = defaultdict(dict)
    games: dict[int, list[Game]] = defaultdict(list)
    for membership in GroupMembership.objects.filter(group__in=groups).select_related(
        "team"
    ):
        members[membership.group_id][membership.team_id] = membership.team
    for game in games_of(cup).filter(group__in=groups):
        games[game.group_id or 0].append(game)
    return [_standing(cup, g, members[g.pk], tuple(games[g.pk])) for g in groups]


def _standing(
    cup: Cup, group: Group, teams: dict[int, Team], games: tuple[Game, ...]
) -> GroupStanding:
    results = [r for game in games if (r := counted_result(game, cup)) is not None]
    is_complete = bool(games) and all(game.is_finished for game in games)
    order = standings(
        list(teams),
        results,
        lots=[Lot(tuple(lot.order)) for lot in group.lots.all()],
        complete=is_complete,
    )
    form: dict[int, list[bool]] = defaultdict(list)
    for result in results:
        form[result.a].append(result.winner is Side.A)
        form[result.b].append(result.winner is Side.B)
    tied_sets = [tuple(teams[pk] for pk in tied) for tied in order.lots_needed]
    return GroupStanding(
        group=group,
        rows=tuple(
            _row(cup, row, teams, form[row.team], is_complete) for row in order.rows
        ),
        lots_needed=tuple(tied_sets),
        is_complete=is_complete,
        games=games,
    )


def _row(
    cup: Cup, row: Row[int], teams: dict[int, Team], form: list[bool], complete: bool
) -> StandingRow:
    last_rank = row.rank + len(row.tied_with)
    return StandingRow(
        team=teams[row.team],
        rank=row.rank,
        played=row.played,
        won=row.won,
        lost=row.lost,
        sets_won=row.sets_won,
        sets_lost=row.sets_lost,
        separation=row.separation,
        tied_with=tuple(teams[pk] for pk in row.tied_with),
        form=tuple(form),
        # A tie across the line is open until the lot: nobody in it is through yet.
        goes_on=complete and last_rank <= cup.qualifiers_per_group,
    )
