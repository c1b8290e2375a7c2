"""Forms filled in and cleaned, and what they say."""

from __future__ import annotations

from komppa.cup.models import Game
from komppa.sheets.forms import DealSheetForm
from komppa.sheets.queries import course_of
from tests.factories import drawn_cup
from tests.sheets.posts import blank, post


def first_game(**cup) -> Game:
    game = drawn_cup(**cup).games.select_related("team_a", "team_b").first()
    for team, name in ((game.team_a, "Karhut"), (game.team_b, "Ilvekset")):
        team.name = name
        team.save(update_fields=["name"])
    return game


def filled(game: Game, **typed) -> DealSheetForm:
    """Return a plain deal's form with some fields typed otherwise, cleaned."""
    return cleaned(game, post(game, **typed))


def only(game: Game, **typed) -> DealSheetForm:
    return cleaned(game, blank(game, **typed))


def cleaned(game: Game, data: dict) -> DealSheetForm:
    form = DealSheetForm(data, game=game, course=course_of(game))
    form.full_clean()
    return form


def sentences(form: DealSheetForm) -> dict[str, list[str]]:
    return {name: list(errors) for name, errors in form.errors.items()}
