"""The bracket drawn: columns of places, each with who is or will be in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from komppa import words
from komppa.cup.bracket import (
    Bracket,
    BracketGame,
    BracketRefused,
    GroupRank,
    LoserOf,
    Slot,
    Stage,
    plan_bracket,
)
from komppa.cup.models import Cup
from komppa.cup.queries import GroupStanding

STAGE_LABELS = {
    Stage.FINAL: gettext_lazy("Finaali"),
    Stage.BRONZE: gettext_lazy("Pronssipeli"),
    Stage.SEMI_FINAL: gettext_lazy("Välierät"),
    Stage.QUARTER_FINAL: gettext_lazy("Puolivälierät"),
    Stage.ROUND_OF_16: gettext_lazy("Neljännesvälierät"),
    Stage.ROUND_OF_32: gettext_lazy("32 parhaan pelit"),
    Stage.ROUND_OF_64: gettext_lazy("64 parhaan pelit"),
}
# How a game is called in another's slot: ”Voittaja PV1”.
_SHORT = {
    Stage.FINAL: pgettext_lazy("pelin tunnus", "F"),
    Stage.BRONZE: pgettext_lazy("pelin tunnus", "Pr"),
    Stage.SEMI_FINAL: pgettext_lazy("pelin tunnus", "V"),
    Stage.QUARTER_FINAL: pgettext_lazy("pelin tunnus", "PV"),
    Stage.ROUND_OF_16: pgettext_lazy("pelin tunnus", "NV"),
    Stage.ROUND_OF_32: pgettext_lazy("pelin tunnus", "32/"),
    Stage.ROUND_OF_64: pgettext_lazy("pelin tunnus", "64/"),
}


@dataclass(frozen=True, slots=True)
class DrawnSlot:
    source: str
    """Where the team comes from: ”A1”, ”Voittaja V1”."""
    team: str
    """Empty until it is known."""
    waits_for_lot: bool = False


@dataclass(frozen=True, slots=True)
class DrawnGame:
    label: str
    a: DrawnSlot
    b: DrawnSlot


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a column: a game, or nothing where somebody has a bye."""

    game: DrawnGame | None
    has_feeder: bool


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    places: tuple[Place, ...]
    is_straight: bool
    """Whether each place is level with the one it leads to, not with half of it."""


@dataclass(frozen=True, slots=True)
class Drawing:
    columns: tuple[Column, ...]
    bronze: DrawnGame | None
    byes: tuple[DrawnSlot, ...]
    open_ties: tuple[str, ...]
    """Sentences about ties that leave a slot open."""


def drawing_of(cup: Cup, standings: Sequence[GroupStanding]) -> Drawing | None:
    """Return the bracket that the groups will fill, None where there is none yet."""
    qualifiers = [
        GroupRank(index, rank)
        for rank in range(1, cup.qualifiers_per_group + 1)
        for index, standing in enumerate(standings)
        if rank <= len(standing.rows)
    ]
    try:
        plan = plan_bracket(qualifiers, bronze=cup.bronze_game)
    except BracketRefused:
        return None
    return _Drawer(cup, standings, plan).drawing()


class _Drawer:
    def __init__(
        self, cup: Cup, standings: Sequence[GroupStanding], plan: Bracket
    ) -> None:
        self.cup = cup
        self.standings = standings
        self.plan = plan
        self.labels = _labels(plan)

    def drawing(self) -> Drawing:
        plan = self.plan
        return Drawing(
            columns=tuple(
                self._column(index) for index in range(len(plan.bracket_rounds))
            ),
            bronze=self._game(plan.bronze) if plan.bronze else None,
            byes=tuple(self._slot(slot) for slot in plan.byes),
            open_ties=tuple(_open_ties(self.cup, self.standings)),
        )

    def _column(self, index: int) -> Column:
        rounds = self.plan.bracket_rounds
        games = {game.position: game for game in rounds[index]}
        size = 2 ** (len(rounds) - index - 1)
        fed = {game.position // 2 for game in rounds[index - 1]} if index else set()
        # Byes would leave every other place empty and the drawing twice as high.
        leads_to = {position // 2 for position in games}
        is_straight = not index and size > 1 and len(leads_to) == len(games)
        if is_straight:
            games = {position // 2: game for position, game in games.items()}
            size //= 2
        places = (
            Place(
                self._game(games[position]) if position in games else None,
                position in fed,
            )
            for position in range(size)
        )
        title = str(STAGE_LABELS[rounds[index][0].stage])
        return Column(title, tuple(places), is_straight)

    def _game(self, game: BracketGame) -> DrawnGame:
        return DrawnGame(
            self.labels[game.number], self._slot(game.a), self._slot(game.b)
        )

    def _slot(self, slot: Slot) -> DrawnSlot:
        if isinstance(slot, GroupRank):
            return self._group_slot(slot)
        game = {"game": self.labels[slot.game]}
        if isinstance(slot, LoserOf):
            return DrawnSlot(_("Häviäjä %(game)s") % game, "")
        return DrawnSlot(_("Voittaja %(game)s") % game, "")

    def _group_slot(self, slot: GroupRank) -> DrawnSlot:
        standing = self.standings[slot.group]
        source = f"{standing.group.name}{slot.rank}"
        if not standing.is_complete:
            return DrawnSlot(source, "")
        row = standing.rows[slot.rank - 1]
        if row.is_tied:
            return DrawnSlot(source, "", waits_for_lot=True)
        return DrawnSlot(source, row.team.name)


def _labels(plan: Bracket) -> Mapping[int, str]:
    labels = {}
    counts: dict[Stage, int] = {}
    for game in plan.games:
        counts[game.stage] = counts.get(game.stage, 0) + 1
        short = str(_SHORT[game.stage])
        only = game.stage in (Stage.FINAL, Stage.BRONZE)
        labels[game.number] = short if only else f"{short}{counts[game.stage]}"
    return labels


def _open_ties(cup: Cup, standings: Sequence[GroupStanding]) -> list[str]:
    told = []
    for standing in standings:
        for tied in standing.lots_needed:
            ids = {team.pk for team in tied}
            rank = min(row.rank for row in standing.rows if row.team.pk in ids)
            if rank > cup.qualifiers_per_group:
                continue
            said = {
                "group": standing.group.name,
                "teams": words.listing([team.name for team in tied]),
            }
            if rank + len(tied) - 1 > cup.qualifiers_per_group:
                text = _("Lohko %(group)s: %(teams)s ovat tasan jatkopaikasta.")
            else:
                text = _("Lohko %(group)s: %(teams)s ovat tasan sijoituksesta.")
            told.append(text % said)
    return told
