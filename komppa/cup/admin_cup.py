"""A cup's facts and rules, and the pages around it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from komppa.cup import (
    admin_bracket,
    admin_conflicts,
    admin_draw,
    admin_game,
    admin_games,
    admin_lots,
    admin_team,
    admin_team_list,
    admin_teams,
    services,
)
from komppa.cup.access import visitor
from komppa.cup.admin_base import (
    ServiceAdmin,
    Urls,
    address_for_others,
    cup_by_id,
    page,
)
from komppa.cup.bracket_workbench import bracket_now, bracket_step, bracket_tasks
from komppa.cup.forms import CupForm
from komppa.cup.models import Cup
from komppa.cup.queries import has_bracket, has_results
from komppa.cup.services import BRACKET_FIELDS
from komppa.cup.words import ruleset_title
from komppa.cup.workbench import counts_of, latest_log, steps, tasks, ties_of

FACTS = ("name", "slug", "date", "place", "visibility")
SWITCHES = ("both_on_target", "laistokierros_no_tricks", "corrected_foul")
GAME_RULES = (
    "sets_to_win",
    "final_sets_to_win",
    "foul_loss_sets",
    "withdrawn_games",
)
FIXED_RULES = (
    "shown_ruleset",
    "target",
    "drop_to",
    "comparison",
    "shown_whole_questions",
    *SWITCHES,
    *GAME_RULES,
)

BRACKET_WAYS = (
    ("bracket/", admin_bracket.bracket_page, "cup_bracket"),
    ("bracket/remove/", admin_bracket.remove, "remove_bracket"),
    ("bracket/lot/", admin_bracket.draw_lot, "draw_bracket_lot"),
    ("games/<int:number>/annul/", admin_conflicts.annul, "annul_game"),
    (
        "games/<int:number>/annul/cancel/",
        admin_conflicts.cancel_annulment,
        "cancel_annulment",
    ),
    ("games/<int:number>/conflict/", admin_conflicts.conflict, "game_conflict"),
    ("games/<int:number>/team/<str:side>/", admin_conflicts.name_team, "name_team"),
)
TEAM_WAYS = (
    ("teams/late/", admin_team.late_team, "late_team"),
    ("teams/<int:team_id>/", admin_team.team_page, "cup_team"),
    ("teams/<int:team_id>/rename/", admin_team.rename, "rename_team"),
    (
        "teams/<int:team_id>/players/<int:player_id>/",
        admin_team.replace,
        "replace_player",
    ),
    ("teams/<int:team_id>/withdraw/", admin_team.withdraw, "withdraw_team"),
    ("teams/<int:team_id>/return/", admin_team.come_back, "cancel_withdrawal"),
)
GAME_WAYS = (
    ("games/<int:number>/", admin_game.game_page, "cup_game"),
    ("games/<int:number>/outcome/", admin_game.outcome_page, "game_outcome"),
    ("games/<int:number>/move/", admin_game.move_page, "move_game"),
)


class CupAdmin(ServiceAdmin):
    form = CupForm
    add_form_template = "cup/admin/cup_form.html"
    change_form_template = "cup/admin/cup_form.html"

    def save_model(
        self, request: HttpRequest, obj: Cup, form: Any, change: bool
    ) -> None:
        by, values = visitor(request), form.values()
        if change:
            services.update_cup(cup=obj, by=by, values=values)
        else:
            obj.pk = services.create_cup(by=by, **values).pk

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A cup is archived, not deleted."""
        return False

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Show the cup's other pages as of what is stored, not of what was typed."""
        obj = kwargs.get("obj")
        stored = cup_by_id(obj.pk) if obj is not None else None
        return super().render_change_form(
            request, {**context, "stored": stored}, *args, **kwargs
        )

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: Any = None
    ) -> dict[str, Any]:
        return {} if obj else {"slug": ("name",)}

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        facts = (_("Turnaus"), {"fields": FACTS})
        more = (_("Lisäasetukset"), {"fields": ["time_zone"], "classes": ["collapse"]})
        going_on = (_("Jatkopelit"), _bracket_fields(obj))
        if obj is not None and has_results(obj):
            fixed = (
                _("Säännöt"),
                {"fields": FIXED_RULES, "description": _way_to_rules(obj)},
            )
            return [facts, fixed, going_on, more]
        ruleset = {
            "fields": ["ruleset"],
            "description": _(
                "Voit muuttaa sääntöjä vapaasti ensimmäiseen kirjattuun jakoon asti. "
                "Sen jälkeen muutokseen tarvitaan syy."
            ),
        }
        switches = {
            "fields": SWITCHES,
            "description": _(
                "Jos pelaatte jonkin kohdan toisin kuin valituissa "
                "säännöissä, valitse se tästä."
            ),
        }
        return [
            facts,
            (_("Säännöt"), ruleset),
            (_("Poikkeukset säännöistä"), switches),
            (_("Pelit ja sarjataulukko"), {"fields": GAME_RULES}),
            going_on,
            more,
        ]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            return ()
        fixed = ("ruleset", *FIXED_RULES) if has_results(obj) else ()
        return (*fixed, *(BRACKET_FIELDS if has_bracket(obj) else ()))

    @admin.display(description=gettext_lazy("säännöt"))
    def shown_ruleset(self, cup: Cup) -> str:
        return ruleset_title(cup.ruleset)

    @admin.display(description=gettext_lazy("kokonaista saa kysyä valtin teon jälkeen"))
    def shown_whole_questions(self, cup: Cup) -> str:
        return _("kyllä") if cup.whole_questions_after_trump else _("ei")

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The front page is the list of cups."""
        return redirect("admin:index")

    def response_add(
        self, request: HttpRequest, obj: Cup, post_url_continue: str | None = None
    ) -> HttpResponse:
        messages.success(
            request,
            _("%(cup)s on luotu. Kirjoita seuraavaksi joukkueet.") % {"cup": obj},
        )
        return redirect("admin:cup_workbench", obj.pk)

    def response_change(self, request: HttpRequest, obj: Cup) -> HttpResponse:
        messages.success(request, _("Tiedot on tallennettu."))
        return redirect("admin:cup_workbench", obj.pk)

    def get_urls(self) -> Urls:
        def guarded(address: str, view: Any, name: str) -> Any:
            return path(
                f"<int:cup_id>/{address}", self.admin_site.admin_view(view), name=name
            )

        return [
            guarded("", workbench, "cup_workbench"),
            guarded("teams/", admin_teams.teams_page, "cup_teams"),
            guarded("teams/import/", admin_team_list.import_page, "cup_team_list"),
            guarded("draw/", admin_draw.draw_page, "cup_draw"),
            guarded("draw/<int:draw_id>/confirm/", admin_draw.confirm, "confirm_draw"),
            guarded("draw/<int:draw_id>/discard/", admin_draw.discard, "discard_draw"),
            guarded("draw/<int:draw_id>/cancel/", admin_draw.cancel, "cancel_draw"),
            guarded("games/", admin_games.games_page, "cup_games"),
            *(guarded(*way) for way in TEAM_WAYS),
            *(guarded(*way) for way in GAME_WAYS),
            *(guarded(*way) for way in BRACKET_WAYS),
            guarded("lots/", admin_lots.lots_page, "cup_lots"),
            guarded("lots/draw/", admin_lots.draw_lot, "draw_lot"),
            guarded("lots/record/", admin_lots.record, "record_lot"),
            guarded(
                "lots/<int:lot_id>/take-back/", admin_lots.take_back, "take_back_lot"
            ),
            guarded("lots/<int:lot_id>/restore/", admin_lots.restore, "restore_lot"),
            *super().get_urls(),
        ]


def _way_to_rules(cup: Cup) -> str:
    why = _(
        "Jakoja on jo kirjattu, joten muutos voi siirtää pelattuja tuloksia. Näet "
        "ensin, mitä muuttuisi."
    )
    address = reverse("sheets:rules", args=[cup.slug])
    return format_html(
        '<p>{}</p><a class="action" href="{}">{}</a>', why, address, _("Muuta sääntöjä")
    )


def _bracket_fields(cup: Cup | None) -> dict[str, Any]:
    if cup is None or not has_bracket(cup):
        return {"fields": BRACKET_FIELDS}
    why = _("Jatkopelit on jo tehty. Jos näitä pitää muuttaa, poista jatkopelit ensin.")
    return {"fields": BRACKET_FIELDS, "description": why}


@require_safe
def workbench(request: HttpRequest, cup_id: int) -> HttpResponse:
    """The cup's own page: where it stands and what needs the organiser."""
    cup = cup_by_id(cup_id)
    counts, bracket = counts_of(cup), bracket_now(cup)
    return page(
        request,
        "cup/admin/workbench.html",
        title=cup.name,
        cup=cup,
        here="workbench",
        steps=[*steps(cup, counts), bracket_step(cup, bracket)],
        address=address_for_others(request, reverse("live:cup", args=[cup.slug])),
        tasks=[*bracket_tasks(cup, bracket), *tasks(cup, counts, ties_of(cup))],
        log=latest_log(cup, count=8),
    )
