"""A cup at some stage of its evening, and whom and what a write may be about."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from itertools import count
from random import Random
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from django.core.management import call_command
from django.db import transaction
from django.test import Client
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine

from komppa.cup import services
from komppa.cup.bracket_offers import offer_of
from komppa.cup.models import Game, Group, Team
from komppa.cup.services_bracket import draw_lot_across, make_bracket
from komppa.cup.services_changes import place_team_in_group
from komppa.sheets.corrections import examine_draft
from komppa.sheets.revisions import Row, removed, replaced
from komppa.sheets.services import record_deal
from scoring.problems import Code
from scoring.sheet import DealSheet
from scoring.sides import Side
from tests.addresses import explore
from tests.factories import (
    CupFactory,
    OrganiserFactory,
    ScorekeeperFactory,
    TeamFactory,
)
from tests.sheets.deals import to_the_end
from tests.sheets.oracle import Facts, Fresh, Told, sheet_of
from tests.sheets.watching import Watched

T = TypeVar("T")

PAGES_OPENED = 4
"""At the end of every fourth evening all pages are opened."""

PICK = st.integers(0, 99)
"""Which of those found a write is about."""

STAGES = ("late", "bracket", "groups", "finished", "start")


class Evening(RuleBasedStateMachine):
    """A cup in a transaction that never ends well."""

    done: ClassVar[Counter[str]] = Counter()
    refused: ClassVar[Counter[str]] = Counter()
    watch: Watched

    def __init__(self) -> None:
        super().__init__()
        self.numbers = count(1)
        self.sent: list[tuple[Callable[..., Any], dict[str, Any]]] = []
        """What has been answered, to be sent once more."""
        self.transaction = transaction.atomic()
        self.transaction.__enter__()

    def teardown(self) -> None:
        has_failed = sys.exc_info()[0] is not None
        try:
            if not has_failed:
                self.done["evening"] += 1
                call_command("check_derived", stdout=StringIO())
                if self.done["evening"] % PAGES_OPENED == 0:
                    self.open_every_page()
        finally:
            transaction.set_rollback(True)
            self.transaction.__exit__(None, None, None)

    def open_every_page(self) -> None:
        """Follow every link that an organiser sees; looking changes nothing."""
        self.watch.look()
        before, client = self.facts, Client()
        client.force_login(self.watch.organiser)
        slug = self.facts.cup.slug
        own = f"/admin/cup/cup/{self.facts.cup.id}/"
        explore(client, f"/{slug}/", f"/sheet/{slug}/", own)
        self.watch.look()
        assert self.facts == before
        self.done["pages"] += 1

    # To a stage.

    def prepare(
        self,
        *,
        teams: int,
        groups: int,
        values: Mapping[str, Any],
        late: bool,
        stage: str,
        seed: int,
    ) -> None:
        cup = CupFactory(slug="machine", name="Kone", **values)
        for number in range(1, teams + 1):
            TeamFactory(cup=cup, name=f"Joukkue {number}")
        self.watch = Watched(
            cup.pk, OrganiserFactory(), ScorekeeperFactory(), self.done, self.refused
        )
        act = self.watch.act
        draw = act("draw", services.draft_draw, cup=cup, group_count=groups, seed="1f")
        act("confirm_draw", services.confirm_draw, draw=draw)
        act("games", services.make_group_games, cup=cup, table_count=2)
        if late:
            team = act("add_team", services.add_team, cup=cup, name="Jälkijoukko")
            group = Group.objects.filter(cup=cup)[0]
            act("place_team", place_team_in_group, group=group, team=team)
        self._play_until(stage, Random(seed))
        self.watch.look()
        self.watch.assert_derived_is_fresh()

    def _play_until(self, stage: str, random: Random) -> None:
        if stage == "start":
            return
        games = self.playable()
        random.shuffle(games)
        self._play(games[2:] if stage == "groups" else games, random)
        if stage == "groups":
            return
        self.make_bracket(table_count=2)
        left = {"bracket": 99, "late": 2, "finished": 0}[stage]
        while len(games := self._open()) > left:
            self._play([pk for pk in self.playable() if pk in games][:1], random)

    def _play(self, games: Sequence[int], random: Random) -> None:
        for pk in games:
            sides = random.choice([*Side]), random.randrange(2)
            for sheet in to_the_end(self.told(pk).state, *sides):
                self.record(pk, sheet, write=self._unwatched)
                self.watch.look()

    def _unwatched(self, _kind: str, service: Callable[..., Any], **wanted: Any) -> Any:
        return service(by=self.watch.scorekeeper, **wanted)

    def _open(self) -> list[int]:
        return [pk for pk in self.fresh.bracket if not self.told(pk).is_over]

    # What there is.

    @property
    def facts(self) -> Facts:
        return self.watch.facts

    @property
    def fresh(self) -> Fresh:
        return self.watch.fresh

    def told(self, game: int) -> Told:
        return self.fresh.games[game]

    def games(self, wanted: Callable[[Told], object]) -> list[int]:
        """Return the ids of the games of which this is true, by number."""
        rows = sorted(self.facts.games.values(), key=lambda game: game.number)
        return [row.id for row in rows if wanted(self.told(row.id))]

    def playable(self) -> list[int]:
        """Return the games whose next deal may be recorded."""
        return self.games(
            lambda told: not told.is_over and not told.state.winner and told.is_known
        )

    def is_new(self, kind: str) -> bool:
        """Return whether it has not been tried: to be refused once is enough."""
        return kind not in self.watch.tried

    def with_deals(self) -> list[int]:
        return self.games(lambda told: told.standing)

    @property
    def lots_needed(self) -> list[tuple[int | None, list[int]]]:
        """The ties that only a lot parts, each with its group, if it is of one."""
        tied: list[tuple[int | None, list[int]]] = [
            (group, sorted(teams))
            for group, table in sorted(self.fresh.tables.items())
            for teams in sorted(table.lots_needed, key=sorted)
        ]
        across = sorted(map(sorted, self.fresh.lots_needed_across))
        return tied + [(None, teams) for teams in across]

    # What is done with it.

    def key(self) -> UUID:
        return UUID(int=next(self.numbers))

    def record(
        self, game: int, sheet: DealSheet, *, write: Callable[..., Any]
    ) -> dict[str, Any]:
        """Record the next deal; return what was sent."""
        standing = self.told(game).standing
        sent = {
            "game": Game.objects.get(pk=game),
            "number": standing[-1].number + 1 if standing else 1,
            "sheet": sheet,
            "key": self.key(),
        }
        write("record", record_deal, **sent)
        return sent

    def make_bracket(self, table_count: int) -> None:
        self.draw_lots()
        cup, expected = self.watch.row, self.fresh.qualifiers
        wanted = {"table_count": table_count, "stamp": offer_of(cup).stamp}
        if self.watch.act("make_bracket", make_bracket, cup=cup, **wanted):
            meant = [x for pk in self.fresh.bracket for x in self.told(pk).meant]
            assert {x for x in meant if isinstance(x, int)} == expected

    def draw_lots(self) -> None:
        self.watch.look()
        while self.lots_needed:
            self.draw_lot(*self.lots_needed[0])

    def draw_lot(self, group: int | None, teams: Sequence[int]) -> None:
        if group is None:
            cup = self.watch.row
            self.watch.act("draw_lot_across", draw_lot_across, cup=cup, team_ids=teams)
        else:
            row = Group.objects.get(pk=group)
            self.watch.act("draw_lot", services.draw_lot, group=row, team_ids=teams)

    def draft(self, game: int) -> tuple[Row, ...]:
        return tuple(Row(e.number, sheet_of(e) or {}) for e in self.told(game).standing)

    def seen(self, game: int) -> int:
        """Return how many versions the game's deals have."""
        return sum(e.game_id == game for e in self.facts.entries.values())

    def game(self, found: Sequence[int], pick: int) -> Game:
        """Return one of the games found; if there is none, any, to be refused."""
        return Game.objects.get(pk=one_of(found or sorted(self.facts.games), pick))

    def team(self, pick: int, *, withdrawn: bool = False) -> Team | None:
        """Return one of those that have left the cup, or have not."""
        gone = self.facts.gone
        found = sorted(pk for pk in self.facts.teams if (pk in gone) is withdrawn)
        return Team.objects.get(pk=one_of(found, pick)) if found else None


def one_of(found: Sequence[T], pick: int) -> T:
    return found[pick % len(found)]


def mended(game: Game, draft: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return the draft as the organiser's page lets him mend it, from the first deal.

    Deals after the game's end go, and so does what cannot be true after the others.
    """
    while True:
        _state, problems = examine_draft(game, draft)
        if not problems:
            return draft
        index = min(problems)
        codes = {problem.code for problem in problems[index]}
        if Code.AFTER_THE_END in codes:
            draft = draft[:index]
        elif codes == {Code.CLUB_ACE_NOT_OPENING}:
            facts = {k: v for k, v in draft[index].facts.items() if k != "club_ace"}
            draft = replaced(draft, index, facts)
        else:
            draft = removed(draft, index)
