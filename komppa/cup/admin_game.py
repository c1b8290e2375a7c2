"""One game before the organiser: where it stands, its outcome, its table, its log."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from komppa.cup import services_games
from komppa.cup.access import game_or_404, visitor
from komppa.cup.admin_base import cup_by_id, page
from komppa.cup.admin_changes import save, save_or_show
from komppa.cup.choices import Outcome
from komppa.cup.forms_changes import MoveForm, OutcomeForm
from komppa.cup.models import Game
from komppa.cup.qualifying import knockout_of
from komppa.cup.queues import Clash, clashes_of, queues_of
from komppa.cup.seen_moves import looked_ahead
from komppa.cup.words import game_teams
from komppa.cup.words_of_games import outcome_words, state_words
from komppa.cup.workbench import LogLine, told_log
from komppa.errors import Refusal
from scoring.sides import Pair


@require_safe
def game_page(request: HttpRequest, cup_id: int, number: int) -> HttpResponse:
    game = game_or_404(cup_by_id(cup_id), number)
    return _page(
        request,
        "cup/admin/game.html",
        game,
        log=game_log(game),
        seats=game.seats.select_related("player"),
        ways=_ways(game),
        in_conflict=_in_conflict(game),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def outcome_page(request: HttpRequest, cup_id: int, number: int) -> HttpResponse:
    """Ask for the outcome of a game, show what it moves, and record it."""
    cup = cup_by_id(cup_id)
    game = game_or_404(cup, number)
    wanted = request.GET.get("outcome")
    form = OutcomeForm(
        request.POST if request.method == "POST" else None,
        game=game,
        initial={"outcome": wanted or Outcome(game.outcome).name},
    )
    show = partial(_show_outcome, request, game)
    if not form.is_bound:
        return show(form=form)
    if not form.is_valid():
        return show(form=form, status=422)
    return save_or_show(
        request,
        form,
        cup=cup,
        act=partial(
            services_games.set_outcome,
            game=game,
            outcome=form.cleaned_data["outcome"],
            seen=form.cleaned_data["seen"],
            reason=form.cleaned_data["reason"],
            by=visitor(request),
        ),
        show=show,
        done=_("Pelin tulos on merkitty."),
        back=("admin:cup_game", cup.pk, game.number),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def move_page(request: HttpRequest, cup_id: int, number: int) -> HttpResponse:
    """Ask for a game's table; warn before a team would be wanted at two."""
    game = game_or_404(cup_by_id(cup_id), number)
    form = MoveForm(request.POST if request.method == "POST" else None)
    show = partial(_show_move, request, game)
    if not form.is_bound:
        return show(form=form)
    if not form.is_valid():
        return show(form=form, status=422)
    act = partial(
        services_games.move_game,
        game=game,
        table_number=form.cleaned_data["table_number"],
        is_next=form.cleaned_data["is_next"],
        reason=form.cleaned_data["reason"],
        by=visitor(request),
    )
    clashes = _new_clashes(game, act)
    if clashes and request.POST.get("anyway") != _stamp(clashes):
        return show(form=form, clashes=clashes, stamp=_stamp(clashes))
    return save(
        request,
        form,
        act=act,
        show=show,
        done=_("Peli on siirretty pöytään %(table)d.")
        % {"table": form.cleaned_data["table_number"]},
        back=("admin:cup_game", game.cup_id, game.number),
    )


@dataclass(frozen=True, slots=True)
class GameLine:
    """A line of the game's log; an outcome that it brought can be brought back."""

    told: LogLine
    outcome: str
    restore: str
    """Where that is done, empty if it stands or has to wait for something else."""


def game_log(game: Game) -> list[GameLine]:
    """Return what the organisers have done to the game, the newest first."""
    names = Pair(str(game.team_a), str(game.team_b))
    found = []
    for told in told_log(game.log.select_related("cup", "by")):
        code = (told.line.new or {}).get("outcome")
        outcome = Outcome(code) if code in Outcome.values else None
        said = outcome_words(outcome, names) if outcome is not None else ""
        found.append(GameLine(told, said, _way_back(game, outcome)))
    return found


def _way_back(game: Game, outcome: Outcome | None) -> str:
    if outcome is None or game.outcome in (outcome, Outcome.ANNULLED):
        return ""
    here = [game.cup_id, game.number]
    if outcome is Outcome.ANNULLED:
        return reverse("admin:annul_game", args=here)
    query = urlencode({"outcome": outcome.name})
    return f"{reverse('admin:game_outcome', args=here)}?{query}"


def _ways(game: Game) -> list[tuple[str, str]]:
    """Return the pages where this game is kept and changed, each with its address."""
    slug = game.cup.slug
    return [
        (_("Jakopöytäkirja"), reverse("sheets:sheet", args=[slug, game.number])),
        (_("Julkinen sivu"), reverse("live:game", args=[slug, game.number])),
        (_("Paperipöytäkirja"), reverse("sheets:paper_game", args=[slug, game.number])),
    ]


def _in_conflict(game: Game) -> bool:
    if game.bracket_round is None:
        return False
    state = knockout_of(game.cup).get(game.pk)
    return state is not None and state.in_conflict


def _new_clashes(game: Game, act: Any) -> list[Clash]:
    """Return the clashes in which the game would be once it is moved."""
    try:
        queues = looked_ahead(act, lambda: queues_of(game.cup))
    except Refusal:
        # Said at the right field when it is saved.
        return []
    return [clash for clash in clashes_of(queues) if game in clash.games]


def _stamp(clashes: list[Clash]) -> str:
    """Return what tells these clashes from others: what was seen may be done."""
    return "+".join(sorted("-".join(map(str, (c.team.pk, *c.games))) for c in clashes))


def _show_outcome(request: HttpRequest, game: Game, **context: Any) -> HttpResponse:
    # What stands may have changed while the form was filled in.
    now = game_or_404(game.cup, game.number)
    names = Pair(str(now.team_a), str(now.team_b))
    return _page(
        request,
        "cup/admin/game_outcome.html",
        now,
        title=_("Peli %(number)d: tulos ilman pelaamista"),
        stands=Outcome(now.outcome).name,
        stands_in_words=outcome_words(Outcome(now.outcome), names),
        is_known=now.team_a is not None and now.team_b is not None,
        **context,
    )


def _show_move(request: HttpRequest, game: Game, **context: Any) -> HttpResponse:
    return _page(
        request,
        "cup/admin/game_move.html",
        game,
        title=_("Peli %(number)d: toiseen pöytään"),
        queues=queues_of(game.cup),
        **context,
    )


def _page(
    request: HttpRequest,
    template: str,
    game: Game,
    *,
    title: str = "",
    **context: Any,
) -> HttpResponse:
    return page(
        request,
        template,
        title=(title or _("Peli %(number)d")) % {"number": game.number},
        cup=game.cup,
        here="games",
        game=game,
        teams=game_teams(game),
        state=state_words(game, game.cup),
        **context,
    )
