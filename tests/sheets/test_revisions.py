from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from komppa.sheets.revisions import (
    NewVersion,
    Row,
    inserted,
    new_numbers,
    new_versions,
    removed,
    replaced,
    restored,
)


def rows(*told: str) -> tuple[Row, ...]:
    """Return rows told as ``2a``: number 2, facts a; ``-a`` is one put in."""
    return tuple(
        Row(None if text[0] == "-" else int(text[:-1]), {"deal": text[-1]})
        for text in told
    )


def told(versions) -> list[str]:
    return [f"{v.number}{v.facts['deal'] if v.facts else '0'}" for v in versions]


@pytest.mark.parametrize(
    ("standing", "draft", "expected"),
    [
        ("1a 2b 3c", "1a 2b 3c", ""),
        ("1a 2b 3c", "1a 2x 3c", "2x"),
        ("1a 2b 3c", "1a 3c", "20"),
        ("1a 2b 3c", "", "10 20 30"),
        ("1a 2b 3c", "1a -x 2b 3c", "2x 3b 4c"),
        ("1a 2b 3c", "-x 1a 2b 3c", "1x 2a 3b 4c"),
        ("1a 2b 3c", "1a 2b 3c -x", "4x"),
        ("1a 2b 3c", "1a -x 3c", "2x"),
        ("1a 2b 3c", "-x 3c", "1x 20"),
        ("1a 2b 3c", "1a -x -y 2b 3c", "2x 3y 4b 5c"),
        ("1a 2b 3c", "-x -y", "1x 2y 30"),
        # Between numbers of deals taken back long ago.
        ("1a 4b 6c", "1a -x 4b 6c", "4x 6b 7c"),
        ("1a 4b 6c", "1a 4b -x 6c", "6x 7c"),
        ("2a", "-x 2a", "2x 3a"),
        ("", "-x", "1x"),
        # Put in and equal to what stood there: nothing to write.
        ("1a 2a", "1a -a", ""),
    ],
)
def test_new_versions_turn_what_stands_into_the_draft(standing, draft, expected):
    versions = new_versions(rows(*standing.split()), rows(*draft.split()))

    assert told(versions) == expected.split()


@pytest.mark.parametrize("plan", [new_versions, new_numbers])
@pytest.mark.parametrize("draft", ["2b 1a", "1a 1a", "1a 9b"])
def test_a_draft_of_other_deals_is_refused(draft, plan):
    with pytest.raises(ValueError, match="of"):
        plan(rows("1a", "2b"), rows(*draft.split()))


@pytest.mark.parametrize(
    ("standing", "draft", "expected"),
    [
        ("1a 2b 3c", "1a 2x 3c", {}),
        ("1a 2b 3c", "1a 3c", {2: None}),
        ("1a 2b 3c", "", {1: None, 2: None, 3: None}),
        ("1a 2b 3c", "1a -x 2b 3c", {2: 3, 3: 4}),
        ("1a 2b 3c", "1a 2b 3c -x", {}),
        ("1a 2b 3c", "1a -x 3c", {2: None}),
        ("1a 2b 3c", "-x 3c", {1: None, 2: None}),
        ("1a 4b 6c", "1a -x 4b 6c", {4: 6, 6: 7}),
        ("1a 2a", "1a -a 2a", {2: 3}),
        ("1a 2a", "1a -a", {2: None}),
        ("", "-x", {}),
    ],
)
def test_new_numbers_tell_which_deal_goes_where_whatever_its_facts(
    standing, draft, expected
):
    found = new_numbers(rows(*standing.split()), rows(*draft.split()))

    assert found == expected


numbers = st.sets(st.integers(1, 30), max_size=10).map(sorted)
facts = st.sampled_from("abc").map(lambda deal: {"deal": deal})


@given(
    numbers.flatmap(
        lambda found: st.tuples(*(st.tuples(st.just(n), facts) for n in found))
    ),
    st.data(),
)
def test_the_stored_deals_are_those_of_the_draft_afterwards(standing, data):
    stood = tuple(Row(number, facts) for number, facts in standing)
    draft = stood
    for _ in range(data.draw(st.integers(0, 6))):
        index = data.draw(st.integers(0, len(draft)))
        if index < len(draft) and data.draw(st.booleans()):
            changed = data.draw(facts)
            draft = (
                removed(draft, index)
                if data.draw(st.booleans())
                else replaced(draft, index, changed)
            )
        else:
            draft = inserted(draft, index, data.draw(facts))

    versions = new_versions(stood, draft)

    after = {row.number: row.facts for row in stood}
    after |= {version.number: version.facts for version in versions}
    in_order = [after[number] for number in sorted(after) if after[number] is not None]
    assert in_order == [row.facts for row in draft]
    before = {row.number: row.facts for row in stood}
    assert all(before.get(v.number) != v.facts for v in versions)


@pytest.mark.parametrize(
    ("number", "facts", "expected"),
    [
        (4, {"deal": "x"}, "1a 4x 6c"),
        (4, None, "1a 6c"),
        (3, {"deal": "x"}, "1a -x 4b 6c"),
        (9, {"deal": "x"}, "1a 4b 6c -x"),
        (3, None, "1a 4b 6c"),
    ],
)
def test_restored_puts_facts_of_old_where_they_were(number, facts, expected):
    assert restored(rows("1a", "4b", "6c"), number, facts) == rows(*expected.split())


@pytest.mark.parametrize(
    ("number", "facts", "expected"),
    [
        (4, {"deal": "x"}, "1a -x 6c"),
        (4, None, "1a 6c"),
        (3, {"deal": "x"}, "1a -x 4b 6c"),
    ],
)
def test_restored_facts_of_another_deal_are_put_in_where_that_one_gives_way(
    number, facts, expected
):
    found = restored(rows("1a", "4b", "6c"), number, facts, is_other_deal=True)

    assert found == rows(*expected.split())


def test_removed_takes_several_from_one_on():
    assert removed(rows("1a", "2b", "3c"), 1, 2) == rows("1a")


def test_a_version_of_nothing_takes_back():
    assert new_versions(rows("1a"), ()) == (NewVersion(1, None),)
