"""Reads of a cup, each in a fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import (
    Count,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    prefetch_related_objects,
)

from komppa.cup.choices import Outcome, Visibility, WithdrawnGamesChoice
from komppa.cup.models import Cup, Game, Group, GroupMembership, Lot, Team
from komppa.cup.verdicts import counted_result, verdict_of
from scoring.sides import Side
from scoring.standings import Criterion, Row, Separation, standings
from scoring.standings import Lot as DrawnLot


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
    withdrawn: tuple[Team, ...]
    """Those who have left the order, by name (R9.10)."""

    def row_at(self, rank: int) -> StandingRow | None:
        """Return the row that is settled on a rank; None while open or shared."""
        if not self.is_complete:
            return None
        rows = [row for row in self.rows if row.rank == rank and not row.is_tied]
        return rows[0] if rows else None

    def ties_until(self, rank: int) -> tuple[tuple[Team, ...], ...]:
        """Return the ties that need a lot before the first ranks are settled."""
        before = {row.team.pk: row.rank for row in self.rows}
        return tuple(t for t in self.lots_needed if before[t[0].pk] <= rank)

    @property
    def lots_in_use(self) -> set[int]:
        """The lots that settle a tie now; of several for one set of teams, the first.

        A later correction may remove a tie; its lot stays on record (R9.5).
        """
        lots = lots_standing(self.group)
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


def has_bracket(cup: Cup) -> bool:
    """Return whether the games after the groups have been made."""
    return cup.games.filter(bracket_round__isnull=False).exists()


def results_to_confirm(cup: Cup) -> list[int]:
    """Return the numbers of games won at the table that some team has not confirmed.

    A confirmation is of the entry appended last, as in ``sheets.confirmed_sides``.
    """
    newest = Game.objects.filter(pk=OuterRef("pk")).order_by("-deal_entries__pk")
    agreed = Q(
        confirmations__number=F("last_number"), confirmations__version=F("last_version")
    ) & (Q(confirmations__team=F("team_a")) | Q(confirmations__team=F("team_b")))
    won = cup.games.exclude(winner="").filter(
        outcome=Outcome.PLAYED, team_a__withdrawn=False, team_b__withdrawn=False
    )
    waiting = won.annotate(
        last_number=Subquery(newest.values("deal_entries__number")[:1]),
        last_version=Subquery(newest.values("deal_entries__version")[:1]),
        agreed=Count("confirmations", filter=agreed),
    ).filter(agreed__lt=2)
    return list(waiting.order_by("number").values_list("number", flat=True))


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
            "source_team_a",
            "source_team_b",
            "winner_of_a",
            "winner_of_b",
            "loser_of_a",
            "loser_of_b",
        )
        .order_by("order", "number")
    )


def lots_standing(group: Group) -> list[Lot]:
    """Return the group's lots that have not been taken back, oldest first."""
    return [lot for lot in group.lots.all() if lot.taken_back_at is None]


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
    is_complete = bool(games) and all(verdict_of(game, cup) for game in games)
    gone = [team for team in teams.values() if team.withdrawn]
    leave = cup.withdrawn_games == WithdrawnGamesChoice.ANNUL
    order = standings(
        [pk for pk, team in teams.items() if not (leave and team.withdrawn)],
        results,
        lots=[DrawnLot(tuple(lot.order)) for lot in lots_standing(group)],
        complete=is_complete,
        withdrawn=[team.pk for team in gone],
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
        withdrawn=tuple(gone) if leave else (),
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
