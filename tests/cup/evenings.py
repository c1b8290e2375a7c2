"""Groups as they stand in the middle of an evening, told by where teams were drawn.

``1`` is the team drawn first in the cup's only group, ``2`` the second, and so on.
"""

from __future__ import annotations

from komppa.cup.models import Cup, Game, Team
from komppa.cup.queries import GroupStanding, group_standings
from komppa.cup.verdicts import verdict_of
from tests.factories import drawn_cup, play_out


def team(cup: Cup, number: int) -> Team:
    return cup.groups.get().memberships.get(position=number).team


def game_of(cup: Cup, one: int, other: int) -> Game:
    teams = [team(cup, one), team(cup, other)]
    return cup.games.filter(team_a__in=teams, team_b__in=teams).latest("number")


def beats(cup: Cup, winner: int, loser: int, loser_sets: int = 0) -> Game:
    """Play out the game of the two, whichever side each is."""
    game = game_of(cup, winner, loser)
    side = "A" if game.team_a == team(cup, winner) else "B"
    return play_out(game, winner=side, loser_sets=loser_sets)


def half_played(**cup) -> Cup:
    """Return a cup of four whose third team has played two games of its three.

        1    2    3    4
    1   ·   2-0  0-2  2-1
    2  0-2   ·   2-1   –
    3  2-0  1-2   ·    –
    4  1-2   –    –    ·
    """
    made = drawn_cup(teams=4, **cup)
    beats(made, 1, 2)
    beats(made, 3, 1)
    beats(made, 1, 4, 1)
    beats(made, 2, 3, 1)
    made.refresh_from_db()
    return made


def standing(cup: Cup) -> GroupStanding:
    cup.refresh_from_db()
    return group_standings(cup)[0]


def table(cup: Cup) -> list[str]:
    """Return the standings as lines: rank, team, won-lost, sets."""
    at = {m.team_id: m.position for m in cup.groups.get().memberships.all()}
    return [
        f"{row.rank}. {at[row.team.pk]} {row.won}-{row.lost} "
        f"{row.sets_won}-{row.sets_lost}"
        for row in standing(cup).rows
    ]


def ends(cup: Cup, number: int) -> dict[int, str]:
    """Return how each game of a team ended, by its opponent; empty while open."""
    at = {m.team_id: m.position for m in cup.groups.get().memberships.all()}
    own = team(cup, number)
    found = {}
    for game in cup.games.select_related("team_a", "team_b"):
        if own not in (game.team_a, game.team_b):
            continue
        other = game.team_b if game.team_a == own else game.team_a
        verdict = verdict_of(game, cup)
        found[at[other.pk]] = verdict.how.value if verdict else ""
    return found
