"""A game put right: annulled, played again, or confirmed although others played it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from komppa.cup import services_conflicts
from komppa.cup.access import game_or_404, visitor
from komppa.cup.admin_base import cup_by_id, page
from komppa.cup.admin_changes import save_or_show
from komppa.cup.bracket_workbench import Board, board_of
from komppa.cup.choices import Outcome
from komppa.cup.forms_bracket import AnnulForm, NameTeamForm
from komppa.cup.forms_changes import ChangeForm
from komppa.cup.models import Cup, Game
from komppa.cup.previews import preview
from komppa.cup.words import game_teams
from komppa.cup.words_of_games import state_words
from komppa.cup.words_of_moves import ToldMoves, told_moves
from komppa.errors import Refusal
from scoring.sides import Side

LOOKING = "–"
"""The reason of an act that is only looked at; nothing of it stays."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of two ways out of a conflict: what it moves, or why it is not open."""

    name: str
    title: str
    text: str
    button: str
    form: ChangeForm
    moves: ToldMoves | None
    refusal: str
    is_stale: bool = False


@require_http_methods(["GET", "HEAD", "POST"])
def annul(request: HttpRequest, cup_id: int, number: int) -> HttpResponse:
    """Ask whether the game is played again, show what moves, and annul it."""
    cup = cup_by_id(cup_id)
    game = game_or_404(cup, number)
    form = AnnulForm(
        request.POST if request.method == "POST" else None,
        in_bracket=game.bracket_round is not None,
    )
    show = partial(_show_annul, request, game)
    if not form.is_bound:
        return show(form=form)
    if not form.is_valid():
        return show(form=form, status=422)
    return save_or_show(
        request,
        form,
        cup=cup,
        act=partial(
            services_conflicts.annul_game,
            game=game,
            replay=form.is_replayed,
            reason=form.cleaned_data["reason"],
            by=visitor(request),
        ),
        show=show,
        done=_("%(game)s on mitätöity.") % {"game": game},
        back=_back(game),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def cancel_annulment(request: HttpRequest, cup_id: int, number: int) -> HttpResponse:
    cup = cup_by_id(cup_id)
    game = game_or_404(cup, number)
    act = partial(services_conflicts.cancel_annulment, game=game, by=visitor(request))
    form = ChangeForm(request.POST if request.method == "POST" else None)
    show = partial(_show_cancel, request, game, act)
    if not form.is_bound:
        return show(form=form)
    if not form.is_valid():
        return show(form=form, status=422)
    return save_or_show(
        request,
        form,
        cup=cup,
        act=partial(act, reason=form.cleaned_data["reason"]),
        show=show,
        done=_("Pelin %(game)s mitätöinti on peruttu.") % {"game": game},
        back=_back(game),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def conflict(request: HttpRequest, cup_id: int, number: int) -> HttpResponse:
    """Show both ways out of a conflict with what each moves; take one of them."""
    cup = cup_by_id(cup_id)
    game = game_or_404(cup, number)
    if game.bracket_round is None:
        raise Http404
    show = partial(_show_conflict, request, game)
    if request.method != "POST":
        return show()
    name = request.POST.get("choice", "")
    if name not in _ACTS:
        raise Http404
    form = ChangeForm(request.POST, prefix=name)
    show = partial(show, name)
    if not form.is_valid():
        return show(form=form, status=422)
    service, done = _ACTS[name]
    return save_or_show(
        request,
        form,
        cup=cup,
        act=partial(
            service, game=game, reason=form.cleaned_data["reason"], by=visitor(request)
        ),
        show=show,
        done=str(done()) % {"game": game},
        back=("admin:cup_bracket", cup.pk),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def name_team(
    request: HttpRequest, cup_id: int, number: int, side: str
) -> HttpResponse:
    """Ask who plays in a place of the bracket, show what moves, and name him."""
    cup = cup_by_id(cup_id)
    game = game_or_404(cup, number)
    if game.bracket_round is None or side not in ("a", "b"):
        raise Http404
    form = NameTeamForm(request.POST if request.method == "POST" else None, cup=cup)
    show = partial(_show_naming, request, game, Side(side.upper()))
    if not form.is_bound:
        return show(form=form)
    if not form.is_valid():
        return show(form=form, status=422)
    return save_or_show(
        request,
        form,
        cup=cup,
        act=partial(
            services_conflicts.name_team,
            game=game,
            side=Side(side.upper()),
            team=cup.teams.get(pk=form.cleaned_data["team"]),
            reason=form.cleaned_data["reason"],
            by=visitor(request),
        ),
        show=show,
        done=_("Pelin %(game)s joukkue on valittu.") % {"game": game},
        back=("admin:cup_bracket", cup.pk),
    )


_ACTS: dict[str, tuple[Callable[..., object], Callable[[], str]]] = {
    "replay": (
        services_conflicts.annul_and_replay,
        lambda: _("%(game)s on mitätöity. Sen sijaan pelataan uusi peli."),
    ),
    "confirm": (
        services_conflicts.confirm_conflict,
        lambda: _("%(game)s on vahvistettu pelattuna."),
    ),
}


def _back(game: Game) -> tuple[str, int] | tuple[str, int, int]:
    if game.bracket_round is None:
        return "admin:cup_game", game.cup_id, game.number
    return "admin:cup_bracket", game.cup_id


def _looked_at(cup: Cup, act: Callable[..., object]) -> tuple[ToldMoves | None, str]:
    """Return what the act would move, or why it would be refused."""
    try:
        return told_moves(preview(cup, partial(act, reason=LOOKING))), ""
    except Refusal as refusal:
        return None, refusal.message


def _choice(
    request: HttpRequest,
    game: Game,
    name: str,
    posted: dict[str, Any] | None,
) -> Choice:
    service, _done = _ACTS[name]
    moves = posted.get("moves") if posted else None
    refusal = ""
    if moves is None:
        act = partial(service, game=game, by=visitor(request))
        moves, refusal = _looked_at(game.cup, act)
    title, text, button = _choice_words(name)
    return Choice(
        name=name,
        title=title,
        text=text,
        button=button,
        form=posted["form"] if posted else ChangeForm(prefix=name),
        moves=moves,
        refusal=refusal,
        is_stale=bool(posted and posted.get("is_stale")),
    )


def _choice_words(name: str) -> tuple[str, str, str]:
    if name == "replay":
        return (
            _("Mitätöi ja pelaa uudelleen"),
            _(
                "Peli mitätöidään, ja sen tilalle tulee uusi peli niille, jotka siihen "
                "nyt kuuluvat. Vanhan pelin joukkueet ja jaot jäävät muistiin."
            ),
            _("Mitätöi ja pelaa uudelleen"),
        )
    return (
        _("Vahvista pelattuna"),
        _(
            "Peli jää voimaan niiden kesken, jotka sen pelasivat, ja siitä jatketaan. "
            "Myöhempi lohkon korjaus ei enää muuta sitä."
        ),
        _("Vahvista pelattuna"),
    )


def _show_conflict(
    request: HttpRequest,
    game: Game,
    name: str = "",
    *,
    status: int = 200,
    **posted: Any,
) -> HttpResponse:
    board = board_of(game.cup)
    found = next((c for c in board.conflicts if c.game.pk == game.pk), None)
    choices = [
        _choice(request, game, own, posted if own == name else None)
        for own in _ACTS
        if found
    ]
    return _page(
        request,
        "cup/admin/bracket_conflict.html",
        game,
        title=_("Peli %(number)d on ristiriidassa")
        if found
        else _("Peli %(number)d ei ole ristiriidassa"),
        conflict=found,
        choices=choices,
        refused=posted["form"].non_field_errors() if posted else "",
        status=status,
    )


def _show_annul(request: HttpRequest, game: Game, **context: Any) -> HttpResponse:
    now = game_or_404(game.cup, game.number)
    return _page(
        request,
        "cup/admin/game_annul.html",
        now,
        title=_("Peli %(number)d: mitätöinti"),
        is_annulled=now.outcome == Outcome.ANNULLED,
        **context,
    )


def _show_cancel(
    request: HttpRequest,
    game: Game,
    act: Callable[..., object],
    *,
    moves: ToldMoves | None = None,
    **context: Any,
) -> HttpResponse:
    refusal = ""
    if moves is None:
        moves, refusal = _looked_at(game.cup, act)
    return _page(
        request,
        "cup/admin/game_annul_cancel.html",
        game_or_404(game.cup, game.number),
        title=_("Perutaanko pelin %(number)d mitätöinti?"),
        moves=moves,
        refusal=refusal,
        **context,
    )


def _show_naming(
    request: HttpRequest, game: Game, side: Side, **context: Any
) -> HttpResponse:
    board = board_of(game.cup)
    return _page(
        request,
        "cup/admin/bracket_name.html",
        game,
        title=_("Peli %(number)d: kuka pelaa?"),
        sentences=_why_named(board, game, side),
        can_be_named=_can_be_named(board, game, side),
        **context,
    )


def _why_named(board: Board, game: Game, side: Side) -> list[str]:
    return [
        sentence
        for other, place, sentence in board.unnamed
        if (other.pk, place.side) == (game.pk, side)
    ]


def _can_be_named(board: Board, game: Game, side: Side) -> bool:
    return any(
        place.can_be_named
        for _title, rows in board.stages
        for row in rows
        for place in (row.a, row.b)
        if (row.game.pk, place.side) == (game.pk, side)
    )


def _page(
    request: HttpRequest, template: str, game: Game, *, title: str, **context: Any
) -> HttpResponse:
    return page(
        request,
        template,
        title=title % {"number": game.number},
        cup=game.cup,
        here="bracket" if game.bracket_round is not None else "games",
        game=game,
        teams=game_teams(game),
        state=state_words(game, game.cup),
        **context,
    )
