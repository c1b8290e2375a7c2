"""How the places and games of the bracket are called on the organiser's screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from komppa.cup.bracket import Stage, stage_of
from komppa.cup.models import Cup, Game, Team
from komppa.words import listing

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

STAGE_TITLES: Mapping[Stage, StrPromise] = {
    Stage.FINAL: gettext_lazy("Finaali"),
    Stage.BRONZE: gettext_lazy("Pronssipeli"),
    Stage.SEMI_FINAL: gettext_lazy("Välierät"),
    Stage.QUARTER_FINAL: gettext_lazy("Puolivälierät"),
    Stage.ROUND_OF_16: gettext_lazy("Neljännesvälierät"),
    Stage.ROUND_OF_32: gettext_lazy("32 parhaan pelit"),
    Stage.ROUND_OF_64: gettext_lazy("64 parhaan pelit"),
}

_GAMES_OF_STAGE: Mapping[Stage, StrPromise] = {
    **STAGE_TITLES,
    Stage.SEMI_FINAL: gettext_lazy("Välierä"),
    Stage.QUARTER_FINAL: gettext_lazy("Puolivälierä"),
    Stage.ROUND_OF_16: gettext_lazy("Neljännesvälierä"),
    Stage.ROUND_OF_32: gettext_lazy("32 parhaan peli"),
    Stage.ROUND_OF_64: gettext_lazy("64 parhaan peli"),
}


def last_round(games: Iterable[Game]) -> int:
    """Return the bracket round of the final, 0 where no game is of the bracket."""
    return max((game.bracket_round or 0 for game in games), default=0)


def stage_title(game: Game, final_round: int) -> str:
    """Return what the games of this one's stage are called; empty in a group."""
    stage = _stage(game, final_round)
    return str(STAGE_TITLES[stage]) if stage else ""


def stage_name(game: Game, final_round: int) -> str:
    """Return what this game is called by its stage; empty in a group."""
    stage = _stage(game, final_round)
    return str(_GAMES_OF_STAGE[stage]) if stage else ""


def _stage(game: Game, final_round: int) -> Stage | None:
    if game.bracket_round is None:
        return None
    return stage_of(game.bracket_round, game.bracket_position or 0, final_round)


def best_name(number: int, cup: Cup) -> str:
    """Return what the ``number``-th best of the next place is called."""
    place = {"rank": cup.qualifiers_per_group + 1, "number": number}
    if number == 1:
        return _("%(rank)d. sijan paras") % place
    return _("%(rank)d. sijan %(number)d. paras") % place


def source_name(game: Game, side: str, cup: Cup) -> str:
    """Return where a side of the game, ``a`` or ``b``, comes from: ”A1”.

    Empty for one that is named for good.
    """
    if (group := getattr(game, f"source_group_{side}")) is not None:
        return f"{group.name}{getattr(game, f'source_rank_{side}')}"
    if (best := getattr(game, f"source_best_{side}")) is not None:
        return best_name(best, cup)
    if (before := getattr(game, f"winner_of_{side}")) is not None:
        return winner_name(before)
    if (before := getattr(game, f"loser_of_{side}")) is not None:
        return loser_name(before)
    return ""


def is_from_group(game: Game, side: str) -> bool:
    """Return whether a side comes straight from the groups."""
    columns = (f"source_group_{side}_id", f"source_best_{side}")
    return any(getattr(game, name) is not None for name in columns)


def winner_name(game: object) -> str:
    return _("Voittaja %(game)s") % {"game": game}


def loser_name(game: object) -> str:
    return _("Häviäjä %(game)s") % {"game": game}


def group_tie(group: str, tied: Sequence[Team], *, is_across: bool) -> str:
    """Say that teams of a group are level; ``is_across`` if not all of them go on."""
    said = {"group": group, "teams": listing([team.name for team in tied])}
    if is_across:
        return _("Lohko %(group)s: %(teams)s ovat tasan jatkopaikasta.") % said
    return _("Lohko %(group)s: %(teams)s ovat tasan sijoituksesta.") % said


def next_best_tie(rank: int, tied: Sequence[Team]) -> str:
    """Say that teams of different groups are level in the comparison of a place."""
    said = {"rank": rank, "teams": listing([team.name for team in tied])}
    return _("Lohkojen %(rank)d. sijan vertailu: %(teams)s ovat tasan.") % said
