"""The first three of a cup, as soon as the bracket has settled who they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from komppa.cup.choices import Phase
from komppa.cup.knockout import GameState
from komppa.cup.models import Cup, Game, Team
from komppa.cup.qualifying import bronze_of, champion_of, final_of
from komppa.cup.verdicts import verdict_of
from komppa.words import listing


@dataclass(frozen=True, slots=True)
class Champion:
    team: Team
    players: str
    """”Aino ja Eero”; empty where their names have been taken away."""


@dataclass(frozen=True, slots=True)
class Podium:
    champion: Champion
    second: Team | None
    """Who lost the final; None where nobody did."""
    third: Team | None
    """Who won the bronze game; None while that is open, and without one."""


def podium_of(
    cup: Cup, games: Sequence[Game], states: Mapping[int, GameState]
) -> Podium | None:
    """Return the first three, None while the bracket's games leave the first open."""
    first = champion_of(games, states)
    if first is None:
        return None
    final, bronze = final_of(games), bronze_of(games)
    second = states[final.pk].loser.team if final else None
    third = states[bronze.pk].winner.team if bronze else None
    wanted = [pk for pk in (first, second, third) if pk is not None]
    teams = cup.teams.prefetch_related("players").in_bulk(wanted)
    return Podium(
        champion=_champion(teams[first]),
        second=teams[second] if second is not None else None,
        third=teams[third] if third is not None else None,
    )


def champions_of(cups: Iterable[Cup]) -> dict[int, Champion]:
    """Return the champion of each cup that has been played to its end, by its id."""
    over = {cup.pk: cup for cup in cups if cup.phase == Phase.FINISHED}
    # On the first position of a bracket round: of each cup, the final and a few more.
    games = (
        Game.objects.filter(cup__in=over, bracket_position=0, replay__isnull=True)
        .select_related("team_a", "team_b")
        .prefetch_related("team_a__players", "team_b__players")
    )
    of_cup: dict[int, list[Game]] = {pk: [] for pk in over}
    for game in games:
        of_cup[game.cup_id].append(game)
    finals = ((over[pk], final_of(games)) for pk, games in of_cup.items())
    # A cup is over only when nothing in its bracket is in conflict, so that who won
    # the final at the table is who has won the cup.
    return {
        cup.pk: _champion(winner)
        for cup, final in finals
        if final and (winner := _winner(final, cup))
    }


def _winner(game: Game, cup: Cup) -> Team | None:
    verdict = verdict_of(game, cup)
    return game.teams[verdict.winner] if verdict and verdict.winner else None


def _champion(team: Team) -> Champion:
    names = [player.name for player in team.players.all() if player.name]
    return Champion(team, listing(names))
