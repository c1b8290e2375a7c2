"""Cups whose groups are played, and brackets made of them, without any deals.

In a group the one drawn first wins every game, the second all others, and so on: so
the ranks are the order drawn, and A1 is the first of group A.
"""

from __future__ import annotations

from komppa.cup.bracket_offers import offer_of
from komppa.cup.changes import changing
from komppa.cup.choices import Outcome
from komppa.cup.models import Cup, Game, Team
from komppa.cup.qualifying import bracket_games, knockout_of
from komppa.cup.services_bracket import draw_lot_across, make_bracket
from komppa.cup.services_games import set_outcome
from tests.factories import drawn_cup
from tests.factories.remembered import remembered

WALKOVERS = {"A": Outcome.WALKOVER_A, "B": Outcome.WALKOVER_B}


def decide(game: Game, winner: str | Team = "A") -> None:
    """End the game by a walkover, for a side or for a team; as the cup stands."""
    game = Game.objects.get(pk=game.pk)
    if isinstance(winner, Team):
        winner = "A" if game.team_a == winner else "B"
    set_outcome(
        game=game,
        outcome=WALKOVERS[winner],
        by=None,
        reason="Ei saapunut",
        seen=Outcome(game.outcome),
    )


@remembered
def played_groups(*, teams: int = 8, groups: int = 2, tables: int = 2, **cup) -> Cup:
    made = drawn_cup(teams=teams, groups=groups, tables=tables, **cup)
    play_groups(made)
    return made


def play_groups(cup: Cup) -> None:
    # All at once: through the services it would take a minute for a large cup.
    for group in cup.groups.all():
        order = [m.team_id for m in group.memberships.all()]
        for game in group.games.all():
            is_a = order.index(game.team_a_id) < order.index(game.team_b_id)
            game.outcome = WALKOVERS["A" if is_a else "B"]
            game.save(update_fields=["outcome"])
    with changing(cup):
        pass
    cup.refresh_from_db()


def made_bracket(cup: Cup, *, table_count: int = 2) -> list[Game]:
    """Make the bracket, lots drawn where the best of the next place are level."""
    cup.refresh_from_db()
    while tied := offer_of(cup).ties_across:
        draw_lot_across(cup=cup, team_ids=[t.pk for t in tied[0]], by=None)
    stamp = offer_of(cup).stamp
    return make_bracket(cup=cup, table_count=table_count, by=None, stamp=stamp)


@remembered
def cup_with_bracket(**cup) -> Cup:
    made = played_groups(**cup)
    made_bracket(made)
    made.refresh_from_db()
    return made


def team_at(cup: Cup, place: str) -> Team:
    """Return the team that was drawn there: ”A1”."""
    group = cup.groups.get(name=place[0])
    return group.memberships.get(position=int(place[1:])).team


def places(cup: Cup) -> dict[int, str]:
    """Return by id where each team was drawn: ”A1”."""
    return {
        m.team_id: f"{group.name}{m.position}"
        for group in cup.groups.all()
        for m in group.memberships.all()
    }


def pairs(cup: Cup) -> list[str]:
    """Return the bracket's games with who stands in them now: ”A1-B2”, ”A1-?”."""
    named = places(cup)
    return [
        "-".join(named.get(pk, "?") for pk in (game.team_a_id, game.team_b_id))
        for game in bracket_games(cup).order_by("number")
    ]


def game_of(cup: Cup, one: str, other: str) -> Game:
    """Return the group game of two teams, the newest if it has been replayed."""
    pair = {team_at(cup, one).pk, team_at(cup, other).pk}
    games = cup.games.filter(group__isnull=False).order_by("-number")
    return next(g for g in games if {g.team_a_id, g.team_b_id} == pair)


def put_first(cup: Cup, winner: str, loser: str) -> None:
    """Correct a group game so that the one has beaten the other."""
    decide(game_of(cup, winner, loser), team_at(cup, winner))


def conflicts(cup: Cup) -> list[int]:
    """Return the numbers of the games in conflict."""
    games = list(bracket_games(cup).order_by("number"))
    states = knockout_of(cup, games)
    return [game.number for game in games if states[game.pk].in_conflict]
