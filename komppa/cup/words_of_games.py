"""How games stand and end, as the organiser's pages and previews say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

from komppa.cup.choices import Outcome
from komppa.cup.models import Cup, Game
from komppa.cup.verdicts import How, verdict_of
from komppa.cup.words import game_state
from scoring.sides import Pair, Side

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

_ENDS: Mapping[How, StrPromise] = {
    How.PLAYED: gettext_lazy("%(team)s voitti %(sets)s"),
    How.FOULS: gettext_lazy("%(team)s voitti %(sets)s, kolmas pelivirhe"),
    How.WALKOVER: gettext_lazy("%(team)s voitti luovutuksella %(sets)s"),
    How.OPPONENT_WITHDREW: gettext_lazy(
        "%(team)s voitti %(sets)s, vastustaja on vetäytynyt"
    ),
    How.NO_OPPONENT: gettext_lazy("%(team)s jatkaa ilman vastustajaa"),
    How.BOTH_ABSENT: gettext_lazy("Kumpikin poissa, hävitty molemmille"),
    How.BOTH_WITHDREW: gettext_lazy("Kumpikin vetäytynyt, hävitty molemmille"),
    How.NOBODY: gettext_lazy("Ei kumpaakaan joukkuetta"),
    How.ANNULLED: gettext_lazy("Mitätöity"),
    How.WITHDRAWN: gettext_lazy("Mitätöity, joukkue on vetäytynyt"),
}

_OUTCOMES: Mapping[Outcome, StrPromise] = {
    Outcome.PLAYED: gettext_lazy("Ratkeaa pelaamalla"),
    Outcome.WALKOVER_A: gettext_lazy("Luovutus: %(a)s voittaa"),
    Outcome.WALKOVER_B: gettext_lazy("Luovutus: %(b)s voittaa"),
    Outcome.BOTH_ABSENT: gettext_lazy("Kumpikin joukkue poissa"),
    Outcome.ANNULLED: gettext_lazy("Mitätöity"),
}


def end_words(how: How, *, winner: Side | None, team: str, sets: Pair[int]) -> str:
    """Return how a game ended, the winner's sets first, without a full stop."""
    if winner is Side.B:
        sets = sets.swapped
    return str(_ENDS[how]) % {"team": team, "sets": f"{sets.a}–{sets.b}"}


def state_words(game: Game, cup: Cup) -> str:
    """Return where a game stands or how it ended, withdrawals included."""
    verdict = verdict_of(game, cup)
    if verdict is None:
        return game_state(game)
    team = game.teams[verdict.winner] if verdict.winner else None
    return end_words(
        verdict.how,
        winner=verdict.winner,
        team=team.name if team else "",
        sets=verdict.sets,
    )


def outcome_words(outcome: Outcome, names: Pair[str]) -> str:
    """Return an outcome with the names of the teams in it."""
    return str(_OUTCOMES[outcome]) % {"a": names.a, "b": names.b}
