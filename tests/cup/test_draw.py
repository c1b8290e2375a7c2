from __future__ import annotations

import json
from collections import Counter
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from komppa.cup.draw import (
    ALGORITHM,
    DrawInput,
    DrawRefused,
    draw_groups,
    draw_order,
    group_name,
    group_sizes,
)

# The chi-square that chance passes once in a thousand, by degrees of freedom. The
# seeds are fixed, so a test that passes once passes always.
CHI_SQUARE_LIMIT = {3: 16.27, 5: 20.52, 9: 27.88, 23: 49.73}

POTS_OF_14 = (1,) * 4 + (2,) * 6 + (None,) * 4


def facts(team_count, group_count, pots=()):
    return DrawInput(tuple(range(1, team_count + 1)), pots, group_count)


def chi_square(counts, outcomes):
    expected = sum(counts.values()) / len(outcomes)
    return sum((counts[outcome] - expected) ** 2 / expected for outcome in outcomes)


def assert_uniform(drawn, outcomes):
    counts = Counter(drawn)

    assert set(counts) == set(outcomes)
    assert chi_square(counts, outcomes) < CHI_SQUARE_LIMIT[len(outcomes) - 1]


@st.composite
def draw_inputs(draw):
    group_count = draw(st.integers(1, 8))
    team_count = draw(st.integers(2 * group_count, 40))
    pots = draw(
        st.just(())
        | st.lists(
            st.sampled_from([None, 1, 2, 3, 5, 40, 64]),
            min_size=team_count,
            max_size=team_count,
        ).map(tuple)
    )
    return facts(team_count, group_count, pots)


seeds = st.integers(0, 2**128 - 1).map("{:x}".format)


def test_generator_gives_the_numbers_of_every_python():
    assert Random(int("c0ffee", 16)).random() == 0.9585021777618897


@pytest.mark.parametrize(
    ("drawn_from", "groups"),
    [
        (
            facts(14, 4),
            ((12, 10, 13, 6), (11, 5, 3, 4), (7, 2, 8), (1, 9, 14)),
        ),
        (
            facts(14, 4, POTS_OF_14),
            ((4, 5, 6, 12), (2, 7, 11, 13), (1, 10, 9), (3, 8, 14)),
        ),
    ],
    ids=["without_pots", "with_pots"],
)
def test_old_draw_can_be_made_again(drawn_from, groups):
    # These answers belong to the name. Who wants others writes a new algorithm.
    assert draw_groups(drawn_from, "c0ffee", "fisher-yates-pots-1") == groups


def test_old_lot_can_be_made_again():
    assert draw_order((1, 2, 3, 4, 5), "c0ffee") == (4, 2, 1, 3, 5)


def test_draw_uses_the_current_algorithm_by_default():
    assert ALGORITHM == "fisher-yates-pots-1"
    assert draw_groups(facts(9, 2), "7") == draw_groups(facts(9, 2), "7", ALGORITHM)


def test_seed_is_a_number_in_either_case():
    assert draw_groups(facts(9, 2), "00AB") == draw_groups(facts(9, 2), "ab")


@pytest.mark.parametrize(
    ("team_count", "group_count", "sizes"),
    [
        (14, 4, (4, 4, 3, 3)),
        (16, 4, (4, 4, 4, 4)),
        (7, 3, (3, 2, 2)),
        (2, 1, (2,)),
        (52, 26, (2,) * 26),
    ],
)
def test_group_sizes_put_larger_groups_first(team_count, group_count, sizes):
    drawn = draw_groups(facts(team_count, group_count), "5eed")

    assert group_sizes(team_count, group_count) == sizes
    assert tuple(len(group) for group in drawn) == sizes


@given(draw_inputs(), seeds)
def test_every_team_is_in_one_group(drawn_from, seed):
    groups = draw_groups(drawn_from, seed)

    assert sorted(team for group in groups for team in group) == sorted(
        drawn_from.team_ids
    )
    assert tuple(len(group) for group in groups) == group_sizes(
        len(drawn_from.team_ids), drawn_from.group_count
    )


@given(draw_inputs(), seeds)
def test_every_pot_is_spread_evenly_at_once(drawn_from, seed):
    pot_of = dict(zip(drawn_from.team_ids, drawn_from.pots, strict=False))

    counts = [
        Counter(pot_of.get(team) for team in group)
        for group in draw_groups(drawn_from, seed)
    ]

    for pot in set(pot_of.values()) - {None}:
        in_groups = [count[pot] for count in counts]
        assert max(in_groups) - min(in_groups) <= 1, pot


@given(draw_inputs(), seeds)
def test_group_lists_its_pots_in_order_and_the_rest_last(drawn_from, seed):
    pot_of = dict(zip(drawn_from.team_ids, drawn_from.pots, strict=False))

    for group in draw_groups(drawn_from, seed):
        pots = [pot_of.get(team) or 100 for team in group]
        assert pots == sorted(pots)


def test_later_pots_keep_an_even_spread_possible():
    # 7 + 7 teams in groups of 4, 4, 3, 3: each pot leaves one group with a single
    # team, and that must be C once and D once, or a group of three gets four.
    drawn_from = facts(14, 4, (1,) * 7 + (2,) * 7)

    singles = {
        tuple(
            [sum(team <= 7 for team in group) for group in groups].index(1)
            for groups in [draw_groups(drawn_from, f"{seed:x}")]
        )
        for seed in range(100)
    }

    assert singles == {(2,), (3,)}


def test_later_pots_that_fit_alone_but_not_together_are_foreseen():
    # Groups of 3, 2, 2. Were pots 1, 2 and 3 put in B, B and C, three places would be
    # left in A and one in C: enough for pot 4 or pot 5, but not for both.
    pots = (1, 2, 3, 4, 4, 5, 5)
    for seed in range(200):
        for group in draw_groups(facts(7, 3, pots), f"{seed:x}"):
            assert max(Counter(pots[team - 1] for team in group).values()) == 1


def test_divisions_without_pots_are_equally_likely():
    # 5 teams in groups of 3 and 2: ten divisions, told by who is in group B.
    drawn = [
        tuple(sorted(draw_groups(facts(5, 2), f"{seed:x}")[1])) for seed in range(5000)
    ]

    assert_uniform(drawn, list(combinations(range(1, 6), 2)))


def test_no_place_in_the_list_belongs_to_a_group():
    drawn = [
        next(
            index
            for index, group in enumerate(draw_groups(facts(16, 4), f"{seed:x}"))
            if 1 in group
        )
        for seed in range(4000)
    ]

    assert_uniform(drawn, range(4))


def test_teams_of_two_pots_meet_equally_likely():
    # Who of pot 2 is with teams 1, 2, 3, 4 of pot 1.
    drawn = []
    for seed in range(4800):
        groups = draw_groups(facts(8, 4, (1,) * 4 + (2,) * 4), f"{seed:x}")
        drawn.append(tuple(second for _, second in sorted(groups)))

    assert_uniform(drawn, list(permutations((5, 6, 7, 8))))


def test_pot_above_its_share_favours_no_letter():
    # 6 of 14 teams are in a pot: two groups get two of them, in any of six ways,
    # though two groups are larger than the others.
    drawn_from = facts(14, 4, (1,) * 6 + (None,) * 8)
    drawn = []
    for seed in range(3000):
        counts = [
            sum(team <= 6 for team in group)
            for group in draw_groups(drawn_from, f"{seed:x}")
        ]
        drawn.append(tuple(index for index, count in enumerate(counts) if count == 2))

    assert_uniform(drawn, list(combinations(range(4), 2)))


def test_lot_gives_every_order_equally_often():
    drawn = [draw_order("abcd", f"{seed:x}") for seed in range(4800)]

    assert_uniform(drawn, list(permutations("abcd")))


@given(st.lists(st.integers()), seeds)
def test_lot_keeps_what_it_is_given(items, seed):
    assert sorted(draw_order(items, seed)) == sorted(items)


@pytest.mark.parametrize(
    ("drawn_from", "seed", "algorithm", "code"),
    [
        (facts(8, 0), "1", ALGORITHM, "group_count"),
        (facts(54, 27), "1", ALGORITHM, "group_count"),
        (facts(7, 4), "1", ALGORITHM, "too_few_teams"),
        (facts(0, 1), "1", ALGORITHM, "too_few_teams"),
        (DrawInput((1, 2, 3, 1), (), 2), "1", ALGORITHM, "team_twice"),
        (facts(4, 2, (1, 1, None)), "1", ALGORITHM, "pots_mismatch"),
        (facts(4, 2), "-5", ALGORITHM, "seed"),
        (facts(4, 2), "0x5", ALGORITHM, "seed"),
        (facts(4, 2), "5\n", ALGORITHM, "seed"),
        (facts(4, 2), "", ALGORITHM, "seed"),
        (facts(4, 2), "1", "shuffle", "algorithm"),
    ],
    ids=[
        "no_groups",
        "more_groups_than_letters",
        "one_team_in_a_group",
        "no_teams",
        "team_twice",
        "pot_missing",
        "negative_seed",
        "prefixed_seed",
        "seed_with_line_end",
        "empty_seed",
        "unknown_algorithm",
    ],
)
def test_draw_refuses_with_a_code(drawn_from, seed, algorithm, code):
    with pytest.raises(DrawRefused) as refused:
        draw_groups(drawn_from, seed, algorithm)

    assert refused.value.code == code


@given(draw_inputs())
def test_input_comes_back_from_json(drawn_from):
    stored = json.loads(json.dumps(drawn_from.to_json()))

    assert DrawInput.from_json(stored) == drawn_from


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"team_ids": [1, 2], "pots": [], "group_count": 1, "seed": "1"},
        {"team_ids": "12", "pots": [], "group_count": 1},
        {"team_ids": [1, "2"], "pots": [], "group_count": 1},
        {"team_ids": [1, None], "pots": [], "group_count": 1},
        {"team_ids": [1, 2], "pots": [True, None], "group_count": 1},
        {"team_ids": [1, 2], "pots": [], "group_count": 1.0},
    ],
    ids=[
        "nothing",
        "unknown_key",
        "teams_no_list",
        "team_a_text",
        "team_null",
        "pot_a_boolean",
        "count_a_float",
    ],
)
def test_input_refuses_what_is_no_draw(stored):
    with pytest.raises(DrawRefused) as refused:
        DrawInput.from_json(stored)

    assert refused.value.code == "malformed"


def test_group_names_are_the_letters():
    assert [group_name(index) for index in (0, 1, 25)] == ["A", "B", "Z"]


@pytest.mark.parametrize("index", [-1, 26])
def test_group_name_refuses_what_has_no_letter(index):
    with pytest.raises(ValueError, match=f"no letter for group {index}"):
        group_name(index)
