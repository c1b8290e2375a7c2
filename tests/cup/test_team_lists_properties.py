from __future__ import annotations

import csv
import io

from hypothesis import example, given
from hypothesis import strategies as st

from komppa.cup.team_lists import Layout, Limits, NotText, decode, parse
from tests.cup.team_lists import LIMITS, codes, facts, read


@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode()))
@example(b"\xff\xfe\x00\xd8")
@example(b"\xef\xbb\xbf")
def test_any_bytes_are_read_or_told_to_be_no_text(data):
    try:
        text, _encoding = decode(data)
    except NotText:
        return
    listed = parse(text, LIMITS)

    lines = text.split("\n")
    assert all(lines[row.line - 1].strip() for row in listed.rows)
    # What comes out can be stored.
    "".join(row.name for row in listed.rows).encode("utf-8")
    assert "\0" not in text


@given(st.text(max_size=200), st.sampled_from(Layout), st.sampled_from([1, 2]))
def test_any_text_is_read_in_any_layout(text, layout, players):
    listed = read(text, layout, Limits(players=players, rows=5, pots=26))

    numbers = [row.line for row in listed.rows]
    assert numbers == sorted(set(numbers))


# What a program writes is what is read.

WORDS = "aåäöÅÄÖé 5'&+/.!?()-–:"
names = (
    st.text(alphabet=WORDS, min_size=1, max_size=12)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: any(sign.isalpha() for sign in text))
)
quoted_names = (
    st.text(alphabet=WORDS + '",;', min_size=1, max_size=12)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: any(sign.isalpha() for sign in text))
)
HEADINGS = ("Joukkue", "Pelaaja 1", "Pelaaja 2", "Kori")
DIALECTS = [
    {"delimiter": delimiter, "quoting": quoting, "lineterminator": end}
    for delimiter in ";,\t"
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
    for end in ("\r\n", "\n")
]


def tables(name):
    row = st.tuples(name, name, name, st.integers(1, 26))
    return st.lists(row, min_size=1, max_size=8)


def written(table, dialect, headings=()):
    file = io.StringIO()
    writer = csv.writer(file, **dialect)
    if headings:
        writer.writerow(headings)
    writer.writerows(table)
    return file.getvalue()


def as_read(listed):
    return [(row.name, *row.players, row.pot) for row in listed.rows]


@given(
    tables(quoted_names),
    st.sampled_from(DIALECTS),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
)
def test_what_a_program_writes_with_headings_is_what_is_read(table, dialect, encoding):
    data = written(table, dialect, HEADINGS).encode(encoding)

    text, _encoding = decode(data)
    listed = parse(text, LIMITS)

    assert as_read(listed) == table
    assert codes(listed) == {}


@given(tables(names), st.sampled_from(DIALECTS))
@example([("Ä", "a", "b: c", 1)], DIALECTS[4])
def test_what_a_program_writes_without_headings_is_what_is_read(table, dialect):
    listed = parse(decode(written(table, dialect).encode())[0], LIMITS)

    assert as_read(listed) == table


@given(tables(quoted_names), st.sampled_from(DIALECTS))
def test_what_is_read_in_a_given_layout_depends_on_no_guess(table, dialect):
    layout = {";": Layout.SEMICOLON, ",": Layout.COMMA, "\t": Layout.TAB}
    text = written(table, dialect)

    listed = read(text, layout[dialect["delimiter"]])

    assert as_read(listed) == table


@given(tables(names), st.sampled_from(["utf-8", "cp1252"]))
def test_the_same_list_is_read_from_every_encoding_and_line_end(table, encoding):
    text = written(table, DIALECTS[0])
    plain = facts(read(text))

    assert facts(parse(decode(text.encode(encoding))[0], LIMITS)) == plain
    assert facts(read(text.replace("\r\n", "\r"))) == plain
