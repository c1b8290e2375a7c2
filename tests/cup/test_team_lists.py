from __future__ import annotations

import pytest

from komppa.cup.team_lists import Code, Layout, Limits, NotText, decode, parse
from tests.cup.team_lists import LIMITS, codes, facts, read

# Files as programs write them.

EXCEL = (
    "Joukkue;Pelaaja 1;Pelaaja 2;Kori\r\n"
    "Ässät;Åke Öhman;Väinö Virta;1\r\n"
    '"Pata ""5"" Kumppanit";Aino;;2\r\n'
    ";;;\r\n"
    "Rouvat;;;\r\n"
)
LIBREOFFICE = (
    '"Joukkue","Pelaaja 1","Pelaaja 2","Kori"\n'
    '"Ässät","Åke Öhman","Väinö Virta",1\n'
    '"Pata ""5"" Kumppanit","Aino",,2\n'
    '"","","",\n'
    '"Rouvat",,,\n'
)
IN_A_PROGRAM = {
    2: ("Ässät", ("Åke Öhman", "Väinö Virta"), 1),
    3: ('Pata "5" Kumppanit', ("Aino",), 2),
    5: ("Rouvat", (), None),
}


@pytest.mark.parametrize(
    ("data", "encoding", "layout"),
    [
        (EXCEL.encode("utf-8-sig"), "UTF-8", Layout.SEMICOLON),
        (EXCEL.encode("utf-8"), "UTF-8", Layout.SEMICOLON),
        (EXCEL.encode("cp1252"), "Windows-1252", Layout.SEMICOLON),
        (EXCEL.replace(";", "\t").encode("utf-16"), "UTF-16", Layout.TAB),
        (b"\xfe\xff" + EXCEL.encode("utf-16-be"), "UTF-16", Layout.SEMICOLON),
        (EXCEL.replace("\r\n", "\r").encode(), "UTF-8", Layout.SEMICOLON),
        (LIBREOFFICE.encode("utf-8"), "UTF-8", Layout.COMMA),
        (LIBREOFFICE.replace(",", "\t").encode(), "UTF-8", Layout.TAB),
        (LIBREOFFICE.replace(",", ";").encode("cp1252"), "Windows-1252", None),
    ],
    ids=[
        "excel_utf8_bom",
        "excel_utf8",
        "excel_cp1252",
        "excel_unicode_text",
        "utf16_big_endian",
        "old_mac_lines",
        "libreoffice_comma",
        "libreoffice_tab",
        "libreoffice_cp1252",
    ],
)
def test_a_file_of_a_spreadsheet_is_read_whatever_its_encoding(data, encoding, layout):
    text, read_as = decode(data)
    listed = parse(text, LIMITS)

    assert read_as == encoding
    assert listed.layout is (layout or Layout.SEMICOLON)
    assert facts(listed) == IN_A_PROGRAM
    assert codes(listed) == {}
    assert [heading.line for heading in listed.headings] == [1]


def test_a_letter_in_two_parts_becomes_one():
    assert facts(read("A\u0308ssa\u0308t")) == {1: ("Ässät", (), None)}


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04" + bytes(200),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(200),
        b"%PDF-1.7\n",
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) + bytes(100),
        "Ässät;Aino\n".encode("utf-16-le"),
    ],
    ids=["xlsx", "xls", "pdf", "picture", "utf16_without_bom"],
)
def test_what_is_no_text_is_told_apart(data):
    with pytest.raises(NotText):
        decode(data)


def test_a_damaged_file_of_utf_8_is_no_windows_file():
    data = "Ässät\nÖylätit\nKuninkaat".encode() + b"\xff\n"

    text, encoding = decode(data)

    assert encoding == "UTF-8"
    assert codes(parse(text, LIMITS)) == {3: [Code.UNREADABLE]}


# Lists as people write them.

WRITTEN = {
    "names": ("Ässät\nPorin Porvoot\n", Layout.NAMES),
    "one_name": ("Ässät", Layout.NAMES),
    "one_name_with_commas_among_many": (
        "Kortti, kuningas ja ässä\nÄssät\nRouvat\n",
        Layout.NAMES,
    ),
    "quoted_names": ('"Kortti, kuningas"\nÄssät\n', Layout.NAMES),
    "hyphens_in_names": ("Pori - Ässät\nPori - Kympit\n", Layout.NAMES),
    "commas": ("Ässät, Aino, Väinö\nRouvat\n", Layout.COMMA),
    "one_line_of_commas": ("Ässät, Aino, Väinö", Layout.COMMA),
    "dash": ("Ässät – Aino, Väinö\nRouvat – Eino, Helmi", Layout.DASH),
    "hyphen": ("Ässät - Aino, Väinö", Layout.DASH),
    "long_dash_and_ja": ("Ässät — Aino ja Väinö\nRouvat", Layout.DASH),
    "colon_and_ampersand": ("Ässät: Aino & Väinö\nRouvat: Eino/Helmi", Layout.DASH),
    "commas_and_a_dash_in_the_name": (
        "Ässät – Pori, Aino, Väinö\nRouvat, Eino, Helmi",
        Layout.COMMA,
    ),
    "semicolons": ("Ässät; Aino; Väinö; 1\nRouvat", Layout.SEMICOLON),
    "semicolons_with_commas_inside": (
        "Ässät; Aalto, Aino; Virta, Väinö\nRouvat; Eloranta, Eino; Helmi",
        Layout.SEMICOLON,
    ),
    "tabs_with_all_else_inside": ("Ässät; Pori\tAino, A\tVäinö – V\n", Layout.TAB),
    "a_smile_among_names": ("Ässät ;)\nRouvat\nKympit", Layout.NAMES),
}


@pytest.mark.parametrize(("text", "layout"), WRITTEN.values(), ids=list(WRITTEN))
def test_the_layout_is_that_of_most_lines(text, layout):
    assert read(text).layout is layout


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("\n\nÄssät\n \t\n;;;\nRouvat\n", {3: "Ässät", 6: "Rouvat"}),
        ("Ässät\r\n\r\nRouvat\r\n", {1: "Ässät", 3: "Rouvat"}),
        ("Ässät;;;;;;\nRouvat;Eino;;;;;", {1: "Ässät", 2: "Rouvat"}),
        ("  Porin   Ässät\x0b \n", {1: "Porin Ässät"}),
        ("\ufeffÄssät", {1: "Ässät"}),
        ("", {}),
        ("\n ;;\n\t\n", {}),
    ],
    ids=["blank", "windows", "trailing", "spaces", "bom", "empty", "only_blank"],
)
def test_lines_keep_their_numbers_and_blank_ones_are_no_teams(text, rows):
    listed = read(text)

    assert {row.line: row.name for row in listed.rows} == rows
    assert codes(listed) == {}


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Ässät;Aino;Väinö;3", ("Ässät", ("Aino", "Väinö"), 3)),
        ("Ässät;Aino;Väinö", ("Ässät", ("Aino", "Väinö"), None)),
        ("Ässät;;Väinö;3", ("Ässät", ("", "Väinö"), 3)),
        ("Ässät;Aino;3", ("Ässät", ("Aino",), 3)),
        ("Ässät;3", ("Ässät", (), 3)),
        ("Ässät;;;3", ("Ässät", (), 3)),
        ("Ässät;Aino;Väinö;Kori 3", ("Ässät", ("Aino", "Väinö"), 3)),
        ("Ässät; Aino ja Väinö; 3", ("Ässät", ("Aino", "Väinö"), 3)),
        ("Ässät; Aino, Väinö", ("Ässät", ("Aino", "Väinö"), None)),
        (
            'Ässät, "Aalto, Aino", "Virta, Väinö"',
            ("Ässät", ("Aalto, Aino", "Virta, Väinö"), None),
        ),
        ('"Ässät" ;Aino;Väinö', ("Ässät", ("Aino", "Väinö"), None)),
        ('Levy 5";Aino;Väinö', ('Levy 5"', ("Aino", "Väinö"), None)),
        ("Ässät – Pori – Aino, Väinö", ("Ässät – Pori", ("Aino", "Väinö"), None)),
        (";Aino;Väinö", ("", ("Aino", "Väinö"), None)),
    ],
)
def test_a_line_is_parted_into_team_players_and_pot(text, row):
    listed = read(text)

    assert facts(listed) == {1: row}
    assert codes(listed) == {}


def test_three_names_after_a_dash_stay_three():
    listed = read("Ässät – Aino, Väinö\nRouvat – Eino, Helmi, Kalle")

    assert facts(listed)[2] == ("Rouvat", ("Eino", "Helmi", "Kalle"), None)


def test_a_cup_of_one_player_has_its_pot_after_the_player():
    one = Limits(players=1, rows=190, pots=26)

    columns = read("Ässät;Aino;2\nRouvat;Eino;", limits=one)
    dashes = read("Ässät – Aino\nRouvat – Eino", limits=one)
    names = read("Pori – Ässät\nRouvat\n", limits=one)

    assert facts(columns) == {
        1: ("Ässät", ("Aino",), 2),
        2: ("Rouvat", ("Eino",), None),
    }
    assert facts(dashes)[1] == ("Ässät", ("Aino",), None)
    assert facts(names)[1] == ("Pori – Ässät", (), None)


@pytest.mark.parametrize(
    ("heading", "line", "row"),
    [
        ("Joukkue;Pelaaja 1;Pelaaja 2;Kori", "Ä;a;b;1", ("Ä", ("a", "b"), 1)),
        ("joukkue;1. pelaaja;2. pelaaja;kori", "Ä;a;b;1", ("Ä", ("a", "b"), 1)),
        ("Team,Player 1,Player 2,Pot", "Ä,a,b,1", ("Ä", ("a", "b"), 1)),
        ("Lag\tSpelare 1\tSpelare 2\tPott", "Ä\ta\tb\t1", ("Ä", ("a", "b"), 1)),
        ("Kori;Pelaaja2;Pelaaja1;Joukkueen nimi:", "1;b;a;Ä", ("Ä", ("a", "b"), 1)),
        ("Nimi;Pelaaja;Pelaaja", "Ä;a;b", ("Ä", ("a", "b"), None)),
        ("Joukkue;Pelaajat", "Ä;a, b", ("Ä", ("a", "b"), None)),
        ("Joukkue, pelaajat", "Ä, a, b", ("Ä", ("a", "b"), None)),
        ("Joukkue – pelaajat", "Ä – a, b", ("Ä", ("a", "b"), None)),
        ("Joukkueet:", "Ä; a; b", ("Ä", ("a", "b"), None)),
        ("Joukkue;;;", "Ä;a;b;1", ("Ä", ("a", "b"), 1)),
        ("sep=;", "Ä;a;b;1", ("Ä", ("a", "b"), 1)),
        ("Joukkue,Pelaaja 1", "Ä;1,a", ("Ä;1", ("a",), None)),
    ],
)
def test_a_line_of_headings_says_what_is_where(heading, line, row):
    listed = read(f"\n{heading}\n{line}")

    assert facts(listed) == {3: row}
    assert [(found.line, found.name) for found in listed.headings] == [
        (2, " ".join(heading.split()))
    ]
    assert codes(listed) == {}


def test_columns_that_are_not_kept_are_named():
    listed = read(
        "Aikaleima,Nimi,Joukkue,Pelaaja 1,Pelaaja 2,Sähköposti,\n"
        "1.11.,Isäntä,Ässät,Aino,Väinö,aino@example.org,\n"
    )

    assert facts(listed) == {2: ("Ässät", ("Aino", "Väinö"), None)}
    assert listed.unused == ("Aikaleima", "Nimi", "Sähköposti")


def test_a_team_called_like_a_heading_is_one_further_down():
    assert facts(read("Ässät\nJoukkue\n")) == {
        1: ("Ässät", (), None),
        2: ("Joukkue", (), None),
    }


@pytest.mark.parametrize(
    ("layout", "row"),
    [
        (None, ("Kortti", ("kuningas",), None)),
        (Layout.NAMES, ("Kortti, kuningas", (), None)),
        (Layout.SEMICOLON, ("Kortti, kuningas", (), None)),
    ],
)
def test_a_layout_that_is_given_is_believed(layout, row):
    assert facts(read("Kortti, kuningas", layout)) == {1: row}


# What is wrong, at its line.


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('Ä;a;b\n"B;c;d\nC;e;f', {2: [Code.QUOTE_OPEN]}),
        ('"Ä\nB', {1: [Code.QUOTE_OPEN]}),
        ('Ä;a\n"\nB;b', {2: [Code.QUOTE_OPEN]}),
        ("Ä\nB\0C\nD\x07", {2: [Code.UNREADABLE], 3: [Code.UNREADABLE]}),
        ("Ä\nB\ufffd;c;d;x\n", {2: [Code.UNREADABLE, Code.NOT_A_POT]}),
        ("Ä;a;b;0\nB;c;d;27\nC;e;f;26", {1: [Code.NOT_A_POT], 2: [Code.NOT_A_POT]}),
        ("Ä;a;b;1.5\nB;c;d;²", {1: [Code.NOT_A_POT], 2: [Code.NOT_A_POT]}),
        ("Ä;a;b;1;c\nB;c;d", {1: [Code.EXTRA]}),
        ("Ä;a;b;x;c\nB;c;d", {1: [Code.NOT_A_POT, Code.EXTRA]}),
        ("Ä\n" + "x" * 2001, {2: [Code.LINE_TOO_LONG]}),
        ("Joukkue;Kori\nÄ;1;Aino", {2: [Code.EXTRA]}),
    ],
    ids=[
        "quote",
        "quote_in_names",
        "lone_quote",
        "nul_and_bell",
        "all_of_a_line",
        "pots",
        "no_numbers",
        "extra",
        "pot_and_extra",
        "long",
        "beside_the_headings",
    ],
)
def test_every_problem_stands_at_its_line_and_hides_no_other(text, wrong):
    assert codes(read(text)) == wrong


def test_a_problem_tells_what_it_is_about():
    row = read(f"Ä;a;b;{'neljäs ' * 20};c;d\nB;c;d;1").rows[0]
    pot, extra = row.problems

    assert (pot.text, pot.most) == (
        "neljäs neljäs neljäs neljäs neljäs neljä…"[:39] + "…",
        26,
    )
    assert extra.text == "c, d"
    assert row.pot is None


def test_a_list_that_is_too_long_ends_with_its_first_line_too_many():
    few = Limits(players=2, rows=3, pots=26)
    text = "Joukkue\n" + "\n".join(f"J{n}" for n in range(7)) + "\n"

    listed = read(text, limits=few)
    last = listed.rows[-1]

    assert [row.line for row in listed.rows] == [2, 3, 4, 5]
    assert codes(listed) == {5: [Code.TOO_MANY_ROWS]}
    assert (last.name, last.problems[0].most, last.problems[0].last) == ("J3", 3, 8)


@pytest.mark.parametrize(
    "text",
    [
        "Ässät;Aino;Väinö\n" * 5000,
        "a\n" * 500_000,
        "\n" * 1_000_000,
        "x" * 1_000_000,
        '"' * 999_999,
        "a;" * 500_000,
        ("- " * 900 + "\n") * 550,
        ("a" + " " * 1900 + "\n") * 520,
        "\0" * 1_000_000,
    ],
    ids=[
        "five_thousand_lines",
        "half_a_million_lines",
        "blank_lines",
        "one_line",
        "quotes",
        "semicolons",
        "dashes",
        "spaces",
        "nuls",
    ],
)
def test_a_million_signs_make_few_rows_and_no_fault(text):
    listed = read(text)

    assert len(listed.rows) <= LIMITS.rows + 1
    assert (codes(listed) == {}) == (text.strip() == "")
