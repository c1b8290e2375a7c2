"""The score sheet on paper: the same questions in the same order as on the screen.

For an evening without power or network. A page takes the deals of one game; a longer
game goes on on an empty page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Max
from django.utils.translation import gettext as _

from komppa.cup.models import Cup, Game, GameSeat, Player
from komppa.cup.words_of_bracket import source_name, stage_name
from scoring.rulesets import Comparison, Ruleset
from scoring.sides import Seat, Side

ROWS = 18


@dataclass(frozen=True, slots=True)
class Question:
    """A column of the paper, named as the form's field."""

    field: str
    label: str
    kind: str
    """How it is answered: by seat, suits, team, pair, fouls or tick."""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class PaperSide:
    """One team of the game; what is not known yet is left to be written."""

    side: Side
    team: str
    source: str
    """Where a team that is not known yet comes from."""
    seats: tuple[tuple[Seat, str], ...]
    """Each seat with the player's name."""


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """One page; an empty one has no game."""

    game: Game | None
    sides: tuple[PaperSide, ...]
    stage: str


def questions(rules: Ruleset) -> tuple[Question, ...]:
    """Return what is asked of each deal under these rules."""
    compared = (
        (
            Question("mattis", _("Matit"), "pair"),
            Question("pips", _("Silmät"), "pair", _("jos 4–4")),
            Question("aces", _("Ässät"), "pair", _("jos 18–18")),
        )
        if rules.comparison is Comparison.MATTIS
        else (Question("card_points", _("Korttipisteet"), "pair"),)
    )
    return (
        Question("club_ace", _("Ristiässä"), "seat", _("erän 1. jako")),
        Question(
            "trump",
            _("Valtti ja pikkuvaltit"),
            "suits",
            _("valtti ympyröidään, pikkuvaltit alleviivataan"),
        ),
        Question("last_trick", _("Viimeinen tikki"), "team"),
        *compared,
        Question("no_tricks", _("Ei yhtään tikkiä"), "team"),
        Question(
            "fouls", _("Pelivirheet"), "fouls", _("järjestyksessä, k = heti korjattu")
        ),
        Question("abandoned", _("Keskeytyi"), "tick", _("3. virheeseen")),
    )


def empty_sheet(cup: Cup) -> PaperSheet:
    sides = (PaperSide(side, "", "", _seats(cup, side, {})) for side in Side)
    return PaperSheet(None, tuple(sides), "")


def paper_sheets(cup: Cup, games: Iterable[Game]) -> list[PaperSheet]:
    """Return a page for each of the cup's games, those of one table together."""
    games = sorted(games, key=_at_table)
    final_round = cup.games.aggregate(last=Max("bracket_round"))["last"] or 0
    seated = _seated(games)
    return [
        PaperSheet(
            game,
            tuple(_paper_side(cup, game, side, seated[game.pk]) for side in Side),
            _stage(game, final_round),
        )
        for game in games
    ]


def _at_table(game: Game) -> tuple[int, int, int]:
    table = game.playing_table
    return (table.number if table else 0, game.order, game.number)


def _paper_side(
    cup: Cup, game: Game, side: Side, seated: Mapping[Seat, str]
) -> PaperSide:
    team = game.teams[side]
    return PaperSide(
        side,
        team.name if team else "",
        "" if team else source_name(game, side.lower(), cup),
        _seats(cup, side, seated),
    )


def _seats(
    cup: Cup, side: Side, names: Mapping[Seat, str]
) -> tuple[tuple[Seat, str], ...]:
    seats = [seat for seat in cup.rules.seats if seat.side is side]
    return tuple((seat, names.get(seat, "")) for seat in seats)


def _seated(games: Sequence[Game]) -> dict[int, dict[Seat, str]]:
    """Return who sits where in each game, as ``queries.seating`` does for one."""
    told: dict[int, dict[Seat, str]] = {game.pk: {} for game in games}
    for taken in GameSeat.objects.filter(game__in=games).select_related("player"):
        told[taken.game_id][Seat(taken.seat)] = taken.player.name
    teams = {pk for game in games for pk in (game.team_a_id, game.team_b_id)}
    listed: dict[int | None, list[Player]] = defaultdict(list)
    for player in Player.objects.filter(team__in=teams - {None}):
        listed[player.team_id].append(player)
    for game in games:
        if not told[game.pk]:
            told[game.pk] = {
                Seat(f"{letter}{player.position}"): player.name
                for letter, team in (("A", game.team_a_id), ("B", game.team_b_id))
                for player in listed[team]
            }
    return told


def _stage(game: Game, final_round: int) -> str:
    if game.group:
        return _("Lohko %(group)s") % {"group": game.group.name}
    return stage_name(game, final_round)
