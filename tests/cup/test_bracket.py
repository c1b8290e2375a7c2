from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from komppa.cup.bracket import (
    BracketRefused,
    GroupRank,
    LoserOf,
    Stage,
    WinnerOf,
    group_qualifiers,
    plan_bracket,
)

EQUAL_GROUPS = [
    (group_count, per_group)
    for per_group in range(1, 5)
    for group_count in range(1, 17)
    if group_count * per_group >= 2
]
equal_groups = pytest.mark.parametrize(
    ("group_count", "per_group"),
    EQUAL_GROUPS,
    ids=[f"{g}x{q}" for g, q in EQUAL_GROUPS],
)


def bracket_of(group_count, per_group, bronze=True):
    return plan_bracket(group_qualifiers(group_count, per_group), bronze=bronze)


def leaves_needed(team_count):
    return 1 << (team_count - 1).bit_length()


def sections(bracket):
    """Return for each bracket round the teams of each game, who may come to it.

    Position by position; a team with a bye has its section of the first round alone.
    """
    by_number = {game.number: game for game in bracket.games}
    found = [{} for _ in bracket.bracket_rounds]

    def teams_of(slot, bracket_round, position):
        if isinstance(slot, GroupRank):
            teams = [slot]
        else:
            game = by_number[slot.game]
            assert (game.bracket_round, game.position) == (bracket_round, position)
            teams = [
                *teams_of(game.a, bracket_round - 1, 2 * position),
                *teams_of(game.b, bracket_round - 1, 2 * position + 1),
            ]
        if bracket_round > 0:
            found[bracket_round - 1][position] = teams
        return teams

    [final] = bracket.bracket_rounds[-1]
    teams_of(WinnerOf(final.number), len(bracket.bracket_rounds), 0)
    return [list(section.values()) for section in found]


def text(slot):
    match slot:
        case WinnerOf(game):
            return f"w{game}"
        case LoserOf(game):
            return f"l{game}"
        case _:
            return str(slot)


def texts(bracket):
    return [f"{text(game.a)}-{text(game.b)}" for game in bracket.games]


@pytest.mark.parametrize(
    ("group_count", "per_group", "games", "byes"),
    [
        (2, 1, ["A1-B1"], []),
        (3, 1, ["B1-C1", "A1-w1"], ["A1"]),
        (1, 4, ["A1-A4", "A2-A3", "l1-l2", "w1-w2"], []),
        (2, 2, ["A1-B2", "B1-A2", "l1-l2", "w1-w2"], []),
        (5, 1, ["D1-E1", "A1-w1", "B1-C1", "l2-l3", "w2-w3"], ["A1", "B1", "C1"]),
        (
            3,
            2,
            ["C2-B2", "C1-A2", "A1-w1", "B1-w2", "l3-l4", "w3-w4"],
            ["A1", "B1"],
        ),
        (
            4,
            2,
            [
                *["A1-B2", "D1-C2", "B1-A2", "C1-D2"],
                *["w1-w2", "w3-w4", "l5-l6", "w5-w6"],
            ],
            [],
        ),
        (
            6,
            2,
            [
                *["F2-C2", "E1-B2", "E2-D2", "F1-A2"],
                *["A1-w1", "D1-w2", "B1-w3", "C1-w4"],
                *["w5-w6", "w7-w8", "l9-l10", "w9-w10"],
            ],
            ["A1", "B1", "C1", "D1"],
        ),
    ],
    ids=["2x1", "3x1", "1x4", "2x2", "5x1", "3x2", "4x2", "6x2"],
)
def test_bracket_of_a_usual_cup(group_count, per_group, games, byes):
    bracket = bracket_of(group_count, per_group)

    assert texts(bracket) == games
    assert [str(team) for team in bracket.byes] == byes


@equal_groups
def test_every_qualifier_is_in_the_bracket_once(group_count, per_group):
    bracket = bracket_of(group_count, per_group)

    standing = [
        slot
        for game in bracket.games
        for slot in (game.a, game.b)
        if isinstance(slot, GroupRank)
    ]
    assert sorted(map(str, standing)) == sorted(
        str(team) for team in group_qualifiers(group_count, per_group)
    )


@equal_groups
def test_every_game_but_the_final_feeds_one_game(group_count, per_group):
    bracket = bracket_of(group_count, per_group)

    games = [game for games in bracket.bracket_rounds for game in games]
    winners = [
        (slot.game, game.bracket_round, game.position, side)
        for game in games
        for side, slot in enumerate((game.a, game.b))
        if isinstance(slot, WinnerOf)
    ]
    assert sorted(winners) == [
        (game.number, game.bracket_round + 1, game.position // 2, game.position % 2)
        for game in games[:-1]
    ]
    assert len(games) == group_count * per_group - 1


@equal_groups
def test_games_are_numbered_in_the_order_of_play(group_count, per_group):
    games = bracket_of(group_count, per_group).games

    assert [game.number for game in games] == list(range(1, len(games) + 1))
    assert games[-1].stage == Stage.FINAL
    places = [(game.bracket_round, game.position) for game in games[:-2]]
    assert places == sorted(places)


@equal_groups
def test_byes_go_to_the_best_seeds(group_count, per_group):
    seeds = group_qualifiers(group_count, per_group)
    byes = bracket_of(group_count, per_group).byes

    best = seeds[: leaves_needed(len(seeds)) - len(seeds)]
    assert [team.rank for team in byes] == [team.rank for team in best]
    # The winners among them by their letter: A is never smaller than B.
    assert [t for t in byes if t.rank == 1] == [t for t in best if t.rank == 1]


@equal_groups
def test_team_with_a_bye_stands_in_the_second_bracket_round(group_count, per_group):
    bracket = bracket_of(group_count, per_group)

    first_round = bracket.bracket_rounds[0]
    playing = {slot for game in first_round for slot in (game.a, game.b)}
    assert playing.isdisjoint(bracket.byes)
    if bracket.byes:
        second = [s for game in bracket.bracket_rounds[1] for s in (game.a, game.b)]
        assert {s for s in second if isinstance(s, GroupRank)} == set(bracket.byes)


@pytest.mark.parametrize("team_count", [n for n in range(3, 65) if n & (n - 1)])
def test_byes_are_spread_over_both_halves(team_count):
    bracket = bracket_of(1, team_count)

    halves = sections(bracket)[-2]
    upper, lower = (len(set(half) & set(bracket.byes)) for half in halves)
    assert upper + lower == leaves_needed(team_count) - team_count
    assert abs(upper - lower) <= 1


@equal_groups
def test_group_winners_meet_as_late_as_their_number_allows(group_count, per_group):
    found = sections(bracket_of(group_count, per_group))

    for number, parts in enumerate(found, start=1):
        winners = [sum(team.rank == 1 for team in part) for part in parts]
        allowed = -(-group_count // 2 ** (len(found) - number))
        assert max(winners) <= allowed, number


@equal_groups
def test_teams_of_a_group_are_as_far_apart_as_can_be(group_count, per_group):
    found = sections(bracket_of(group_count, per_group))

    for number, parts in enumerate(found, start=1):
        # The fewest pairs of one group that can be in one section: spread evenly.
        share, over = divmod(per_group, 2 ** (len(found) - number))
        in_one = [share + (index < over) for index in range(2 ** (len(found) - number))]
        fewest = group_count * sum(n * (n - 1) // 2 for n in in_one)
        assert fewest == sum(
            one.group == other.group
            for part in parts
            for one, other in combinations(part, 2)
        ), number


@pytest.mark.parametrize("group_count", range(2, 27))
def test_two_of_a_group_are_in_opposite_halves(group_count):
    upper, lower = sections(bracket_of(group_count, 2))[-2]

    everyone = set(range(group_count))
    assert {team.group for team in upper} == everyone
    assert {team.group for team in lower} == everyone


@pytest.mark.parametrize("group_count", range(2, 17))
@pytest.mark.parametrize("per_group", [2, 3, 4])
def test_winner_starts_against_the_lowest_rank(group_count, per_group):
    first_round = bracket_of(group_count, per_group).bracket_rounds[0]

    opponents = {game.b.rank for game in first_round if game.a.rank == 1}
    assert opponents <= {per_group}


@pytest.mark.parametrize(
    ("team_count", "stages"),
    [
        (2, {Stage.FINAL: 1}),
        (3, {Stage.SEMI_FINAL: 1, Stage.FINAL: 1}),
        (4, {Stage.SEMI_FINAL: 2, Stage.BRONZE: 1, Stage.FINAL: 1}),
        (
            5,
            {
                Stage.QUARTER_FINAL: 1,
                Stage.SEMI_FINAL: 2,
                Stage.BRONZE: 1,
                Stage.FINAL: 1,
            },
        ),
        (
            11,
            {
                Stage.ROUND_OF_16: 3,
                Stage.QUARTER_FINAL: 4,
                Stage.SEMI_FINAL: 2,
                Stage.BRONZE: 1,
                Stage.FINAL: 1,
            },
        ),
        (
            64,
            {
                Stage.ROUND_OF_64: 32,
                Stage.ROUND_OF_32: 16,
                Stage.ROUND_OF_16: 8,
                Stage.QUARTER_FINAL: 4,
                Stage.SEMI_FINAL: 2,
                Stage.BRONZE: 1,
                Stage.FINAL: 1,
            },
        ),
    ],
)
def test_stages_are_named_from_the_final_back(team_count, stages):
    bracket = bracket_of(1, team_count)

    assert Counter(game.stage for game in bracket.games) == stages


@pytest.mark.parametrize("team_count", range(4, 65))
def test_bronze_game_is_for_the_losers_of_both_semi_finals(team_count):
    bracket = bracket_of(1, team_count)

    one, other = bracket.bracket_rounds[-2]
    [final] = bracket.bracket_rounds[-1]
    assert bracket.bronze.stage == Stage.BRONZE
    assert bracket.bronze.bracket_round == final.bracket_round
    assert (bracket.bronze.a, bracket.bronze.b) == (
        LoserOf(one.number),
        LoserOf(other.number),
    )
    assert (final.a, final.b) == (WinnerOf(one.number), WinnerOf(other.number))


@pytest.mark.parametrize("team_count", [2, 3])
def test_bronze_game_is_left_out_without_two_semi_finals(team_count):
    assert bracket_of(1, team_count, bronze=True).bronze is None


def test_bronze_game_is_left_out_when_not_wanted():
    bracket = bracket_of(2, 2, bronze=False)

    assert bracket.bronze is None
    assert texts(bracket) == ["A1-B2", "B1-A2", "w1-w2"]


@given(st.permutations(group_qualifiers(5, 3)))
def test_order_of_the_qualifiers_changes_nothing(qualifiers):
    assert plan_bracket(qualifiers, bronze=True) == bracket_of(5, 3)


@given(st.integers(2, 16), st.integers(1, 3), st.data())
def test_best_of_the_next_rank_do_not_start_against_their_group(
    group_count, per_group, data
):
    lucky = data.draw(
        st.sets(st.integers(0, group_count - 1), min_size=1, max_size=group_count - 1)
    )
    qualifiers = [
        *group_qualifiers(group_count, per_group),
        *[GroupRank(group, per_group + 1) for group in lucky],
    ]

    bracket = plan_bracket(qualifiers, bronze=True)

    first_round = bracket.bracket_rounds[0]
    assert all(game.a.group != game.b.group for game in first_round)
    assert sorted(map(str, sections(bracket)[-1][0])) == sorted(map(str, qualifiers))


@pytest.mark.parametrize(
    ("qualifiers", "code"),
    [
        ((), "too_few"),
        ((GroupRank(0, 1),), "too_few"),
        (group_qualifiers(13, 5), "too_many"),
        ((GroupRank(0, 1), GroupRank(1, 1), GroupRank(0, 1)), "qualifier_twice"),
    ],
    ids=["nobody", "one_team", "sixty_five", "twice"],
)
def test_bracket_refuses_with_a_code(qualifiers, code):
    with pytest.raises(BracketRefused) as refused:
        plan_bracket(qualifiers, bronze=False)

    assert refused.value.code == code
