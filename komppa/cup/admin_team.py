"""One team after the draw: its name, its players, and whether it still plays."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from komppa.cup import services_changes
from komppa.cup.access import visitor
from komppa.cup.admin_base import cup_by_id, page
from komppa.cup.admin_changes import save, save_or_show
from komppa.cup.forms_changes import (
    ChangeForm,
    LateTeamForm,
    RenameForm,
    ReplacePlayerForm,
)
from komppa.cup.models import Cup, Game, Player, Team
from komppa.cup.previews import preview
from komppa.cup.queries import games_of
from komppa.cup.words import game_teams
from komppa.cup.words_of_games import state_words
from komppa.cup.words_of_moves import told_moves
from komppa.cup.words_of_withdrawals import withdrawal_sentences
from komppa.errors import Refusal


@require_safe
def team_page(request: HttpRequest, cup_id: int, team_id: int) -> HttpResponse:
    return _show_team(request, _team(cup_id, team_id))


@require_POST
def rename(request: HttpRequest, cup_id: int, team_id: int) -> HttpResponse:
    team = _team(cup_id, team_id)
    form = RenameForm(request.POST, auto_id="rename_%s")
    show = partial(_show_team, request, team, slot="rename")
    if not form.is_valid():
        return show(form=form, status=422)
    return save(
        request,
        form,
        act=partial(
            services_changes.rename_team,
            team=team,
            name=form.cleaned_data["name"],
            reason=form.cleaned_data["reason"],
            by=visitor(request),
        ),
        show=show,
        done=_("Joukkueen nimi on muutettu."),
        back=("admin:cup_team", cup_id, team.pk),
    )


@require_POST
def replace(
    request: HttpRequest, cup_id: int, team_id: int, player_id: int
) -> HttpResponse:
    team = _team(cup_id, team_id)
    player = get_object_or_404(Player.everyone, pk=player_id, team=team)
    form = ReplacePlayerForm(request.POST, auto_id=f"player_{player.position}_%s")
    show = partial(_show_team, request, team, slot=f"player_{player.position}")
    if not form.is_valid():
        return show(form=form, status=422)
    return save(
        request,
        form,
        act=partial(
            services_changes.replace_player,
            player=player,
            name=form.cleaned_data["name"],
            reason=form.cleaned_data["reason"],
            by=visitor(request),
        ),
        show=show,
        done=_replaced(team, player),
        back=("admin:cup_team", cup_id, team.pk),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, cup_id: int, team_id: int) -> HttpResponse:
    team = _team(cup_id, team_id)
    return _withdrawal(
        request,
        team,
        services_changes.withdraw_team,
        title=_("Vetäytyykö %(team)s?") % {"team": team.name},
        sentences=withdrawal_sentences(team.cup, _games(team)),
        button=_("Merkitse vetäytyneeksi"),
        done=_("%(team)s on merkitty vetäytyneeksi.") % {"team": team.name},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def come_back(request: HttpRequest, cup_id: int, team_id: int) -> HttpResponse:
    team = _team(cup_id, team_id)
    return _withdrawal(
        request,
        team,
        services_changes.cancel_withdrawal,
        title=_("Perutaanko vetäytyminen: %(team)s?") % {"team": team.name},
        sentences=[
            _("Joukkueen pelit palaavat ennalleen, ja kirjatut jaot ovat voimassa.")
        ],
        button=_("Peru vetäytyminen"),
        done=_("%(team)s on taas mukana.") % {"team": team.name},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def late_team(request: HttpRequest, cup_id: int) -> HttpResponse:
    """Add a team to a group that has been drawn, after its games have been seen."""
    cup = cup_by_id(cup_id)
    form = LateTeamForm(request.POST if request.method == "POST" else None, cup=cup)
    show = partial(_show_late, request, cup)
    if not form.is_bound:
        return show(form=form)
    if not form.is_valid():
        return show(form=form, status=422)
    return save_or_show(
        request,
        form,
        cup=cup,
        act=_joining(request, form),
        show=show,
        done=_("Joukkue on lisätty lohkoon."),
        back=("admin:cup_games", cup.pk),
    )


def _joining(request: HttpRequest, form: LateTeamForm) -> Any:
    data = form.cleaned_data
    common = {
        "group": data["group"],
        "reason": data["reason"],
        "by": visitor(request),
    }
    if form.late_team is not None:
        service = services_changes.place_team_in_group
        return partial(service, team=form.late_team, **common)
    return partial(
        services_changes.add_team_to_group,
        name=data["name"],
        players=[data[field] for field in form.players],
        **common,
    )


def _withdrawal(
    request: HttpRequest,
    team: Team,
    service: Any,
    *,
    done: str,
    **context: Any,
) -> HttpResponse:
    """Show at once what a withdrawal or its cancelling moves; then do it."""
    show = partial(_show_withdrawal, request, team, service, **context)
    if request.method != "POST":
        return show(form=ChangeForm())
    form = ChangeForm(request.POST)
    if not form.is_valid():
        return show(form=form, status=422)
    return save_or_show(
        request,
        form,
        cup=team.cup,
        act=partial(
            service,
            team=team,
            reason=form.cleaned_data["reason"],
            by=visitor(request),
        ),
        show=show,
        done=done,
        back=("admin:cup_team", team.cup_id, team.pk),
    )


def _show_withdrawal(
    request: HttpRequest,
    team: Team,
    service: Any,
    *,
    form: ChangeForm,
    moves: Any = None,
    **context: Any,
) -> HttpResponse:
    if moves is None:
        act = partial(service, team=team, by=None, reason=team.name)
        try:
            moves = told_moves(preview(team.cup, act))
        except Refusal as refusal:
            messages.error(request, refusal.message)
            return redirect("admin:cup_team", team.cup_id, team.pk)
    return page(
        request,
        "cup/admin/team_withdrawal.html",
        cup=team.cup,
        here="teams",
        team=team,
        form=form,
        moves=moves,
        **context,
    )


def _show_team(
    request: HttpRequest,
    team: Team,
    *,
    slot: str = "",
    form: ChangeForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the team; ``slot`` is where a form that was refused is shown again."""
    games = _games(team)
    players = [
        (player, _form_at(f"player_{player.position}", ReplacePlayerForm, slot, form))
        for player in team.players.order_by("position")
    ]
    return page(
        request,
        "cup/admin/team.html",
        title=team.name,
        cup=team.cup,
        here="teams",
        team=team,
        group=getattr(team, "membership", None) and team.membership.group,
        games=[(g, game_teams(g), state_words(g, team.cup)) for g in games],
        rename=_form_at("rename", RenameForm, slot, form),
        players=players,
        gone=Player.everyone.filter(team=team, left_at__isnull=False),
        slot=slot,
        status=status,
    )


def _form_at(
    own: str, kind: type[ChangeForm], slot: str, form: ChangeForm | None
) -> ChangeForm:
    if form is not None and slot == own:
        return form
    return kind(auto_id=f"{own}_%s")


def _show_late(request: HttpRequest, cup: Cup, **context: Any) -> HttpResponse:
    return page(
        request,
        "cup/admin/team_late.html",
        title=_("Lisää joukkue lohkoon"),
        cup=cup,
        here="teams",
        has_groups=cup.groups.exists(),
        has_bracket=cup.games.filter(bracket_round__isnull=False).exists(),
        **context,
    )


def _replaced(team: Team, player: Player) -> str:
    """Say that a player has been replaced, and where he still sits."""
    in_play = [
        game.number
        for game in _games(team)
        if game.is_in_play and game.seats.filter(player=player).exists()
    ]
    done = _("Pelaaja on vaihdettu.")
    if not in_play:
        return done
    return f"{done} " + _("P%(number)d pelataan loppuun entisillä pelaajilla.") % {
        "number": in_play[0]
    }


def _games(team: Team) -> list[Game]:
    own = Q(team_a=team) | Q(team_b=team)
    return list(games_of(team.cup).filter(own).order_by("number"))


def _team(cup_id: int, team_id: int) -> Team:
    return get_object_or_404(
        Team.objects.select_related("cup", "membership__group"),
        cup=cup_by_id(cup_id),
        pk=team_id,
    )
