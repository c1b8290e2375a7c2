"""A cup's facts and rules, and the pages around it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from komppa.cup import admin_draw, admin_games, admin_lots, admin_teams, services
from komppa.cup.access import visitor
from komppa.cup.admin_base import (
    ServiceAdmin,
    Urls,
    address_for_others,
    cup_by_id,
    page,
)
from komppa.cup.forms import CupForm
from komppa.cup.models import Cup
from komppa.cup.queries import has_results
from komppa.cup.words import ruleset_title
from komppa.cup.workbench import counts_of, latest_log, steps, tasks, ties_of

FACTS = ("name", "slug", "date", "place", "visibility")
SWITCHES = ("both_on_target", "laistokierros_no_tricks", "corrected_foul")
OPEN_RULES = ("qualifiers_per_group", "bronze_game")
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

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: Any = None
    ) -> dict[str, Any]:
        return {} if obj else {"slug": ("name",)}

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        facts = (_("Turnaus"), {"fields": FACTS})
        more = (_("Lisäasetukset"), {"fields": ["time_zone"], "classes": ["collapse"]})
        going_on = (_("Jatkopelit"), {"fields": OPEN_RULES})
        if obj is not None and has_results(obj):
            why = _(
                "Jakoja on jo kirjattu, joten sääntöjä ja erien määriä ei voi enää "
                "muuttaa: muutos siirtäisi jo pelattuja tuloksia."
            )
            fixed = (_("Säännöt"), {"fields": FIXED_RULES, "description": why})
            return [facts, fixed, going_on, more]
        ruleset = {
            "fields": ["ruleset"],
            "description": _(
                "Voit muuttaa sääntöjä ensimmäiseen kirjattuun jakoon asti."
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
        if obj is not None and has_results(obj):
            return ("ruleset", *FIXED_RULES)
        return ()

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
            guarded("draw/", admin_draw.draw_page, "cup_draw"),
            guarded("draw/<int:draw_id>/confirm/", admin_draw.confirm, "confirm_draw"),
            guarded("draw/<int:draw_id>/discard/", admin_draw.discard, "discard_draw"),
            guarded("draw/<int:draw_id>/cancel/", admin_draw.cancel, "cancel_draw"),
            guarded("games/", admin_games.games_page, "cup_games"),
            guarded("lots/", admin_lots.lots_page, "cup_lots"),
            guarded("lots/draw/", admin_lots.draw_lot, "draw_lot"),
            *super().get_urls(),
        ]


@require_safe
def workbench(request: HttpRequest, cup_id: int) -> HttpResponse:
    """The cup's own page: where it stands and what needs the organiser."""
    cup = cup_by_id(cup_id)
    counts = counts_of(cup)
    return page(
        request,
        "cup/admin/workbench.html",
        title=cup.name,
        cup=cup,
        here="workbench",
        steps=steps(cup, counts),
        address=address_for_others(request, reverse("live:cup", args=[cup.slug])),
        tasks=tasks(cup, counts, ties_of(cup)),
        log=latest_log(cup, count=8),
    )
