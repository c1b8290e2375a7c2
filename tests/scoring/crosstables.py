"""A small language for groups.

A crosstable in a comment reads from the left: the row's sets first. ``A 2-1 B``
is a game won by whoever has more sets; ``A 0-1* B`` marks the winner where the
sets do not tell; equal sets without a mark are lost by both.
"""

from __future__ import annotations

import re

from scoring.sides import Side
from scoring.standings import GameResult, Lot, standings

GAME = re.compile(r"(\w+) (\d+)(\*?)-(\d+)(\*?) (\w+)")


def game(text):
    a, sets_a, mark_a, sets_b, mark_b, b = GAME.fullmatch(text.strip()).groups()
    lead = int(sets_a) - int(sets_b)
    if mark_a or mark_b:
        lead = 1 if mark_a else -1
    winner = None if lead == 0 else Side.A if lead > 0 else Side.B
    return GameResult(a, b, int(sets_a), int(sets_b), winner)


def group(teams, games, *lots, **rest):
    """Return the standings of teams and games written as words."""
    results = [game(text) for text in games.split(",") if text.strip()]
    return standings(teams.split(), results, lots, **rest)


def order(result):
    """Return the rows as words: rank, team, and what decided it if anything."""
    return ", ".join(
        f"{row.rank} {row.team} {row.decided_by or ''}".strip() for row in result.rows
    )


def lot(teams, settles_parts=False):
    return Lot(tuple(teams.split()), settles_parts)
