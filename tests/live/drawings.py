"""A drawn bracket, told in short."""

from __future__ import annotations

from komppa.cup.queries import group_standings
from komppa.live.brackets import drawing_of


def drawing(cup):
    return drawing_of(cup, group_standings(cup))


def teams(drawn):
    """Return who stands where: a list for each column, None for a place of a bye."""
    return [
        [
            place.game and (place.game.a.team, place.game.b.team)
            for place in column.places
        ]
        for column in drawn.columns
    ]


def game_in(drawn, label):
    """Return the game that is called so."""
    games = [game for column in drawn.columns for game in column.games]
    return next(g for g in [*games, drawn.bronze] if g and g.label == label)
