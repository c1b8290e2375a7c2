"""The rules in force in a cup; they stand still, so nothing updates the page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from komppa.cup.access import cup_or_404
from komppa.cup.choices import FoulLossSetsChoice, WithdrawnGamesChoice
from komppa.cup.models import Cup
from komppa.cup.words import RULESET_TEXTS, RULESET_TITLES, ruleset_title
from komppa.rulebook import Agreed, departure_sentence, rulebook


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    cup = cup_or_404(request, slug)
    chapters = rulebook(cup.rules, agreed_of(cup))
    context = {
        "cup": cup,
        "here": "rules",
        "chapters": chapters,
        "choices": [choice for chapter in chapters for choice in chapter.choices],
        "ruleset": ruleset_title(cup.ruleset),
        "departures": departure_sentence(cup.rules),
        "rulesets": [
            (key, RULESET_TITLES[key], text) for key, text in RULESET_TEXTS.items()
        ],
    }
    return render(request, "live/rules.html", context)


def agreed_of(cup: Cup) -> Agreed:
    """Return what the cup has decided besides its ruleset."""
    return Agreed(
        sets_to_win=cup.sets_to_win,
        final_sets_to_win=cup.final_sets_to_win,
        full_sets_after_fouls=cup.foul_loss_sets == FoulLossSetsChoice.FULL,
        walkovers_after_withdrawal=(
            cup.withdrawn_games == WithdrawnGamesChoice.WALKOVER
        ),
        qualifiers_per_group=cup.qualifiers_per_group,
        best_next=cup.best_next,
        bronze_game=cup.bronze_game,
    )
