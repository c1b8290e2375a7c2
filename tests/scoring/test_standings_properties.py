"""R9 on random groups, against a second reading of the rules written plainly."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from scoring.sides import Side
from scoring.standings import Criterion, GameResult, Lot, standings


@dataclass(frozen=True)
class Group:
    teams: tuple[str, ...]
    games: tuple[GameResult[str], ...]
    lots: tuple[Lot[str], ...]
    complete: bool | None

    def standings(self):
        return standings(self.teams, self.games, self.lots, self.complete)


RESULTS = [
    *((2, 0, Side.A), (0, 2, Side.B), (2, 1, Side.A), (1, 2, Side.B)),
    *((1, 1, Side.A), (3, 1, Side.A), (0, 1, Side.A), (0, 0, None)),
]


def levelling(teams, games):
    """Return games against an outsider that make the totals of the teams level."""
    rows = {team: figures(team, games) for team in teams}
    won = max(row[0] for row in rows.values())
    sets_won = max(row[1] for row in rows.values())
    sets_lost = max(-row[2] for row in rows.values())
    extra = []
    for team, row in rows.items():
        got, gave = sets_won - row[1], sets_lost + row[2]
        wins = won - row[0]
        extra.append(GameResult(team, "X", got, gave, Side.A if wins else Side.B))
        extra += [GameResult("X", team, 0, 0, Side.B)] * (wins - 1)
    return extra


@st.composite
def groups(draw):
    teams = tuple("ABCDEF"[: draw(st.integers(1, 6))])
    # Few kinds of results in one group make ties common.
    results = st.sampled_from(draw(st.lists(st.sampled_from(RESULTS), min_size=1)))
    meetings = st.sampled_from(draw(st.sampled_from([(1,), (1, 1, 2), (0, 1), (2,)])))
    games = [
        GameResult(a, b, *draw(results))
        for a, b in combinations(teams, 2)
        for _ in range(draw(meetings))
    ]
    if draw(st.booleans()):
        games += levelling(teams, games)
        teams += ("X",)
    subsets = st.lists(st.sampled_from(teams), unique=True, min_size=1)
    lots = draw(st.lists(st.builds(Lot, subsets.map(tuple), st.booleans()), max_size=3))
    complete = draw(st.sampled_from([None, True, True, False]))
    return Group(teams, tuple(games), tuple(lots), complete)


def figures(team, games):
    """Return games won, sets won and sets lost, each so that more is better."""
    won = sets_won = sets_lost = 0
    for game in games:
        if team == game.a:
            won += game.winner == "A"
            sets_won += game.sets_a
            sets_lost += game.sets_b
        elif team == game.b:
            won += game.winner == "B"
            sets_won += game.sets_b
            sets_lost += game.sets_a
    return won, sets_won, -sets_lost


def between(teams, games):
    return [game for game in games if game.a in teams and game.b in teams]


def have_met(teams, games):
    return all(between(pair, games) for pair in combinations(teams, 2))


def parted(teams, key):
    values = sorted({key(team) for team in teams}, reverse=True)
    return [[team for team in teams if key(team) == value] for value in values]


def by_mutual_games(tied, games):
    own = between(tied, games)
    for index in range(3):
        parts = parted(tied, lambda team, index=index: figures(team, own)[index])
        if len(parts) > 1:
            return [last for part in parts for last in by_mutual_games(part, games)]
    return [tied]


def by_lot(tied, lots):
    for drawn in lots:
        named = set(drawn.order)
        if set(tied) == named or (drawn.settles_parts and set(tied) <= named):
            return [[team] for team in drawn.order if team in tied]
    return [tied]


def order_of(group):
    """Return the teams in order, those that share a rank together."""
    complete = group.complete
    if complete is None:
        complete = have_met(group.teams, group.games)
    order = []
    for tied in parted(group.teams, lambda team: figures(team, group.games)):
        parts = [tied]
        if have_met(tied, group.games):
            parts = by_mutual_games(tied, group.games)
        for part in parts:
            order += by_lot(part, group.lots) if complete else [part]
    return order


def ranked(result):
    """Return the rows grouped by rank."""
    return [
        [row.team for row in result.rows if row.rank == rank]
        for rank in sorted({row.rank for row in result.rows})
    ]


def reason_of_each_rank(result):
    first = {}
    for row in result.rows:
        first.setdefault(row.rank, row.decided_by)
    return first


@given(groups())
def test_order_is_that_of_the_rules_read_plainly(group):
    assert ranked(group.standings()) == order_of(group)


@given(groups(), st.randoms(use_true_random=False))
def test_order_and_reasons_do_not_depend_on_how_the_group_is_written(group, random):
    games = [
        GameResult(
            game.b, game.a, game.sets_b, game.sets_a, game.winner and game.winner.other
        )
        if random.random() < 0.5
        else game
        for game in random.sample(group.games, k=len(group.games))
    ]
    teams = random.sample(group.teams, k=len(group.teams))

    first = group.standings()
    second = standings(teams, games, group.lots, group.complete)

    assert {row.team: row.rank for row in first.rows} == {
        row.team: row.rank for row in second.rows
    }
    assert reason_of_each_rank(first) == reason_of_each_rank(second)
    assert {frozenset(tied) for tied in first.lots_needed} == {
        frozenset(tied) for tied in second.lots_needed
    }


@given(groups())
def test_figures_of_all_rows_add_up_to_the_games(group):
    rows = group.standings().rows

    assert sum(row.played for row in rows) == 2 * len(group.games)
    assert sum(row.won for row in rows) == sum(
        game.winner is not None for game in group.games
    )
    assert sum(row.sets_won for row in rows) == sum(row.sets_lost for row in rows)
    assert all(row.played == row.won + row.lost for row in rows)


@given(groups())
def test_every_rank_counts_the_teams_ahead_of_it(group):
    rows = group.standings().rows

    assert sorted(row.team for row in rows) == sorted(group.teams)
    for row in rows:
        ahead = [other for other in rows if other.rank < row.rank]
        level = [other.team for other in rows if other.rank == row.rank]
        assert row.rank == len(ahead) + 1
        assert [row.team, *row.tied_with] == [
            row.team,
            *(team for team in group.teams if team in level and team != row.team),
        ]


@given(groups())
def test_row_without_a_reason_is_the_first_or_level_with_the_row_above(group):
    rows = group.standings().rows

    reasons = [row.decided_by is not None for row in rows]

    assert reasons == [
        i > 0 and row.rank != rows[i - 1].rank for i, row in enumerate(rows)
    ]


@given(groups())
def test_reason_of_a_row_holds_in_its_figures(group):
    rows = group.standings().rows
    for above, row in pairwise(rows):
        reason = row.separation
        if reason is None:
            continue
        games = group.games
        if reason.criterion is Criterion.MUTUAL_GAMES:
            games = between(reason.among, games)
        assert {above.team, row.team} <= set(reason.among)
        for team, shown in ((above.team, reason.above), (row.team, reason.own)):
            assert (shown.won, shown.sets_won, -shown.sets_lost) == figures(team, games)
        if reason.criterion is Criterion.LOT:
            assert reason.values is None
            assert reason.above[1:] == reason.own[1:]
        else:
            upper, lower = reason.values
            fewer_is_better = reason.figure is Criterion.SETS_LOST
            assert (upper < lower) if fewer_is_better else (upper > lower)


@given(groups(), st.randoms(use_true_random=False))
def test_lots_drawn_for_what_needs_them_leave_no_tie(group, random):
    before = standings(group.teams, group.games, complete=True)
    lots = [Lot(tuple(random.sample(t, k=len(t)))) for t in before.lots_needed]

    after = standings(group.teams, group.games, lots, complete=True)

    assert [row.rank for row in after.rows] == list(range(1, len(group.teams) + 1))
    assert after.lots_needed == ()
    assert {row.team: row.rank for row in before.rows if not row.tied_with} == {
        row.team: row.rank
        for row in after.rows
        if row.team not in {team for tied in before.lots_needed for team in tied}
    }


@given(groups())
def test_lots_needed_are_the_shared_ranks_of_a_complete_group(group):
    result = group.standings()

    shared = [tied for tied in ranked(result) if len(tied) > 1]

    if group.complete is False:
        assert result.lots_needed == ()
    elif group.complete is True:
        assert [list(tied) for tied in result.lots_needed] == shared


@given(groups())
def test_lots_change_nothing_in_an_incomplete_group(group):
    with_lots = standings(group.teams, group.games, group.lots, complete=False)
    without = standings(group.teams, group.games, complete=False)

    assert with_lots == without
