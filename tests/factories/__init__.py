"""Dull objects for tests; play itself goes through the services."""

from __future__ import annotations

from datetime import date
from uuid import uuid4

import factory
from django.contrib.auth.models import Group as AuthGroup
from django.contrib.auth.models import User

from komppa.cup import services
from komppa.cup.access import SCOREKEEPERS
from komppa.cup.changes import changing
from komppa.cup.choices import Outcome
from komppa.cup.models import Cup, Game, Group, Team
from komppa.cup.services_conflicts import annul_game
from komppa.cup.services_games import set_outcome
from komppa.sheets.confirmations import confirm_result
from komppa.sheets.services import Recorded, record_deal
from scoring.sheet import DealSheet
from scoring.sides import Pair, Side
from tests.factories.remembered import remembered


class UserFactory(factory.django.DjangoModelFactory):
    """Someone who may sign in and do nothing."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence("user{}".format)


class OrganiserFactory(UserFactory):
    username = factory.Sequence("organiser{}".format)
    is_staff = True


class ScorekeeperFactory(UserFactory):
    username = factory.Sequence("scorekeeper{}".format)

    @factory.post_generation
    def role(self, create, extracted, **kwargs):
        self.groups.add(AuthGroup.objects.get_or_create(name=SCOREKEEPERS)[0])


class CupFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Cup

    name = factory.Sequence("Cup {}".format)
    slug = factory.Sequence("cup-{}".format)
    date = date(2026, 11, 28)

    @classmethod
    def _adjust_kwargs(cls, **kwargs):
        ruleset = kwargs.pop("ruleset", "kemistikilta-2011")
        return {**services.ruleset_values(ruleset), **kwargs}


class TeamFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Team
        skip_postgeneration_save = True

    cup = factory.SubFactory(CupFactory)
    name = factory.Sequence("Team {}".format)
    name_key = factory.LazyAttribute(lambda team: team.name.casefold())

    @factory.post_generation
    def players(self, create, extracted, **kwargs):
        for position in range(1, self.cup.players_per_team + 1):
            self.players.create(position=position, name=f"{self.name} P{position}")


def cup_of(teams: int, **cup) -> Cup:
    """Return a cup with so many teams and nothing drawn."""
    made = CupFactory(**cup)
    TeamFactory.create_batch(teams, cup=made)
    return made


@remembered
def drawn_cup(*, teams: int = 4, groups: int = 1, tables: int = 2, **cup) -> Cup:
    """Return a cup with its group games made and nothing played."""
    made = cup_of(teams, **cup)
    draw = services.draft_draw(cup=made, group_count=groups, by=None, seed="1f")
    services.confirm_draw(draw=draw, by=None)
    services.make_group_games(cup=made, table_count=tables, by=None)
    made.refresh_from_db()
    return made


def sheet(
    mattis: tuple[int, int] = (5, 3), last_trick: str = "A", **facts
) -> DealSheet:
    """Return a plain valid sheet: A gets the matti point and the last trick."""
    return DealSheet(mattis=Pair(*mattis), last_trick=Side(last_trick), **facts)


SIX_FOR_A = {"trump": Side.A, "small_trumps": Pair(2, 0)}
"""With the plain sheet: 2 + 2 + 1 + 1 points to A, so that two such win a set."""


def record(game: Game, played: DealSheet | None = None, *, by=None) -> Recorded:
    """Record the game's next deal."""
    from komppa.sheets.queries import course_of

    return record_deal(
        game=game,
        number=course_of(game).next_number,
        sheet=played or sheet(),
        key=uuid4(),
        by=by,
    )


@remembered
def play_out(game: Game, winner: str = "A", loser_sets: int = 0) -> Game:
    """Play the game to its end, two deals of six points a set."""
    order = [Side(winner).other] * loser_sets + [Side(winner)] * game.sets_to_win
    for side in order:
        mattis = (5, 3) if side is Side.A else (3, 5)
        two = Pair(0, 0).replace(side, 2)
        for _ in range(2):
            record(game, sheet(mattis, side.value, trump=side, small_trumps=two))
    game.refresh_from_db()
    return game


def end(game: Game, outcome: Outcome) -> Game:
    """End the game without play, or with PLAYED let its deals count again."""
    fresh = Game.objects.get(pk=game.pk)
    if outcome == Outcome.ANNULLED:
        annul_game(game=fresh, by=None, reason="Sekaannus", replay=False)
    else:
        seen = Outcome(fresh.outcome)
        set_outcome(game=fresh, outcome=outcome, by=None, reason="Poissa", seen=seen)
    game.refresh_from_db()
    return game


def agree(game: Game) -> None:
    """Let both teams confirm the result of a game played out."""
    last = game.deal_entries.latest("pk")
    seen = {"number": last.number, "version": last.version}
    for side in Side:
        confirm_result(game=game, side=side, by=None, **seen)


def settle(cup: Cup) -> None:
    """Let everything follow from what a test has changed behind the services."""
    with changing(cup):
        pass
    cup.refresh_from_db()


@remembered
def tied_group() -> Group:
    """Return the only group of a cup, in which three teams beat each other in turn."""
    cup = drawn_cup(teams=3)
    group = cup.groups.get()
    order = [m.team_id for m in group.memberships.all()]
    for game in cup.games.all():
        a, b = order.index(game.team_a_id), order.index(game.team_b_id)
        play_out(game, "A" if (b - a) % 3 == 1 else "B")
    return group
