"""A cup's games: made from its groups, and listed."""

from __future__ import annotations

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from komppa.cup import services
from komppa.cup.admin_base import act, cup_by_id, page, with_next
from komppa.cup.forms import TablesForm
from komppa.cup.models import Cup
from komppa.cup.plans import GamesPlan, games_plan
from komppa.cup.queries import games_of, games_stamp, has_results
from komppa.cup.words import game_teams
from komppa.cup.words_of_games import state_words
from komppa.cup.workbench import people_url, scorekeepers


@require_http_methods(["GET", "HEAD", "POST"])
def games_page(request: HttpRequest, cup_id: int) -> HttpResponse:
    cup = cup_by_id(cup_id)
    plan = _plan(cup)
    form = TablesForm(
        request.POST or None,
        options=plan.options,
        initial={"replaces": games_stamp(cup)},
    )
    if request.method != "POST":
        return _show(request, cup, plan, form)
    if not form.is_valid():
        return _show(request, cup, plan, form, status=422)
    return act(
        request,
        services.make_group_games,
        cup=cup,
        table_count=form.cleaned_data["table_count"],
        replaces=form.cleaned_data["replaces"],
        done=_made(cup),
        back=("admin:cup_games", cup.pk),
    )


def _made(cup: Cup) -> str:
    done = _("Pelit on tehty.")
    if scorekeepers().filter(is_active=True).exists():
        return done
    return with_next(done, people_url(cup), _("Seuraavaksi: kirjaajat"))


def _show(
    request: HttpRequest, cup: Cup, plan: GamesPlan, form: TablesForm, status: int = 200
) -> HttpResponse:
    return page(
        request,
        "cup/admin/games.html",
        title=_("Pelit"),
        cup=cup,
        here="games",
        form=form,
        plan=plan,
        games=[(g, game_teams(g), state_words(g, cup)) for g in games_of(cup)],
        has_groups=cup.groups.exists(),
        is_fixed=has_results(cup),
        status=status,
    )


def _plan(cup: Cup) -> GamesPlan:
    groups = cup.groups.annotate(size=Count("memberships"))
    return games_plan([group.size for group in groups])
