"""Lists of teams read and looked into."""

from __future__ import annotations

from komppa.cup.team_lists import Limits, parse, readable

LIMITS = Limits(players=2, rows=190, pots=26)


def read(text, layout=None, limits=LIMITS):
    return parse(readable(text), limits, layout)


def facts(listed):
    """Return what each line says, by its number."""
    return {row.line: (row.name, row.players, row.pot) for row in listed.rows}


def codes(listed):
    """Return what is wrong, by line."""
    return {
        row.line: [problem.code for problem in row.problems]
        for row in listed.rows
        if row.problems
    }
