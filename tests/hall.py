"""Several cups at once, so that every page of the site has something to show.

A page that exists only in a state that is not here yet: add a cup in that state.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from komppa.cup import services, services_people
from komppa.cup.models import Cup
from komppa.cup.services_changes import withdraw_team
from komppa.cup.services_conflicts import annul_game, confirm_conflict
from komppa.cup.services_lots import draw_lot, take_back_lot
from scoring.sheet import Foul
from scoring.sides import Side
from tests.cup.brackets import cup_with_bracket, put_first
from tests.factories import (
    CupFactory,
    OrganiserFactory,
    ScorekeeperFactory,
    TeamFactory,
    UserFactory,
    cup_of,
    drawn_cup,
    play_out,
    record,
    sheet,
    tied_group,
)
from tests.sheets.recorded import attach, with_foul

WHY = "Korjattiin"


@dataclass(frozen=True, slots=True)
class Hall:
    played: Cup
    """Its games: 1 played, 2 in play and its first deal recorded card by card, 3 one
    foul from its end, others to come."""
    drafted: Cup
    """Not public, its draw waiting for confirmation."""
    tied: Cup
    """Its only group waits for the lot."""
    settled: Cup
    """Its lot has been drawn, taken back, and drawn again."""
    opened: Cup
    """A team has withdrawn; a game is annulled and played again, the others to come."""
    seeded: Cup
    """Its bracket is made, and nothing of that is played."""
    disputed: Cup
    """A game of its bracket is in conflict."""
    confirmed: Cup
    """Its conflict has been confirmed, which leaves a game that lacks a team."""
    drawn: Cup
    """Its draw is confirmed, its games are not made."""
    ready: Cup
    """Teams and no draw; a demo, which may be deleted."""
    organiser: User
    scorekeeper: User
    stranger: User

    @property
    def cups(self) -> list[Cup]:
        return [
            *(self.played, self.opened, self.disputed, self.confirmed, self.seeded),
            *(self.drafted, self.drawn, self.ready, self.tied, self.settled),
        ]

    @property
    def doors(self) -> list[str]:
        """Where somebody who may see everything starts to follow links."""
        opened = f"/admin/cup/cup/{self.opened.pk}"
        withdrawn = self.opened.teams.get(withdrawn=True)
        annulled = self.opened.games.get(replay__isnull=False)
        return [
            *(f"/sheet/{self.played.slug}/games/{number}/" for number in range(1, 5)),
            f"{opened}/teams/{withdrawn.pk}/",
            f"{opened}/games/{annulled.number}/",
            *(f"/admin/cup/cup/{cup.pk}/" for cup in self.cups),
            *("/", "/admin/", "/login/"),
        ]


def fill_hall() -> Hall:
    services_people.deactivate(user=ScorekeeperFactory(first_name="Pois"), by=None)
    return Hall(
        played=_played(),
        drafted=_drafted(),
        tied=tied_group().cup,
        settled=_settled(),
        opened=_opened(),
        seeded=cup_with_bracket(teams=4, name="Kaaviocup", slug="seeded"),
        disputed=_disputed("disputed"),
        confirmed=_confirmed(),
        drawn=_drawn(),
        ready=cup_of(4, name="Harjoituscup", slug="ready", is_demo=True),
        organiser=OrganiserFactory(),
        scorekeeper=ScorekeeperFactory(first_name="Kirjaaja"),
        stranger=UserFactory(),
    )


def _played() -> Cup:
    cup = drawn_cup(teams=6, groups=2, name="Pöytäcup", slug="played", place="Halli")
    first, second, third = cup.games.all()[:3]
    play_out(first, loser_sets=1)
    record(second)
    record(second, sheet((3, 5), "B", trump=Side.B, fouls=(Foul(Side.A),)))
    attach(second, with_foul(8))
    for _ in range(2):
        record(third, sheet(fouls=(Foul(Side.A),)))
    return cup


def _drafted() -> Cup:
    cup = CupFactory(name="Salainen cup", slug="drafted", visibility="draft")
    for pot in (1, 1, 2, 2):
        TeamFactory(cup=cup, pot=pot)
    services.draft_draw(cup=cup, group_count=2, by=None)
    return cup


def _settled() -> Cup:
    group = tied_group()
    teams = [membership.team_id for membership in group.memberships.all()]
    lot = draw_lot(group=group, team_ids=teams, by=None)
    take_back_lot(lot=lot, by=None, reason=WHY)
    draw_lot(group=group, team_ids=teams, by=None)
    return group.cup


def _opened() -> Cup:
    cup = drawn_cup(teams=5, name="Avattu cup", slug="opened")
    withdrawn = cup.teams.first()
    withdraw_team(team=withdrawn, by=None, reason=WHY)
    game = cup.games.exclude(team_a=withdrawn).exclude(team_b=withdrawn).first()
    annul_game(game=play_out(game), by=None, reason=WHY, replay=True)
    return cup


def _disputed(slug: str) -> Cup:
    cup = cup_with_bracket(teams=8, name=f"Riitacup {slug}", slug=slug)
    semifinal = cup.games.filter(bracket_round=1).first()
    play_out(semifinal)
    put_first(cup, "A2", "A1")
    return cup


def _confirmed() -> Cup:
    cup = _disputed("confirmed")
    semifinal = cup.games.filter(bracket_round=1).first()
    confirm_conflict(game=semifinal, by=None, reason=WHY)
    return cup


def _drawn() -> Cup:
    cup = cup_of(4, name="Arvottu cup", slug="drawn")
    draw = services.draft_draw(cup=cup, group_count=1, by=None)
    services.confirm_draw(draw=draw, by=None)
    return cup
