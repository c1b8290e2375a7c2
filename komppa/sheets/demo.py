"""A demonstration cup, made from its facts through the services."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from uuid import NAMESPACE_URL, uuid5
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from komppa.cup import services
from komppa.cup.models import Cup, Game
from komppa.errors import Refusal
from komppa.sheets.confirmations import confirm_result
from komppa.sheets.demo_facts import CupFacts, GameFacts
from komppa.sheets.records import attach_record
from komppa.sheets.services import record_deal, remove_demo_cup
from scoring.sheet import DealSheet
from scoring.sides import Side

SLUG = "demo"
FIXTURE = settings.BASE_DIR / "fixtures" / "demo.json"


def replay(
    facts: CupFacts,
    *,
    slug: str = SLUG,
    pause: float = 0,
    sleep: Callable[[float], None] = time.sleep,
) -> Cup:
    """Make today's cup and play it as far as the facts go, all of it or nothing.

    Each game is committed by itself, after a pause of so many seconds in which those
    who wait for the database get their turn.
    """
    if Cup.objects.filter(slug=slug).exists():
        raise Refusal(
            _("Turnaus osoitteessa ”%(slug)s” on jo olemassa.") % {"slug": slug},
            code="slug_taken",
        )
    with transaction.atomic():
        cup = services.create_cup(
            by=None,
            ruleset=facts["ruleset"],
            name=facts["name"],
            slug=slug,
            date=datetime.now(ZoneInfo(settings.TIME_ZONE)).date(),
            is_demo=True,
        )
        for team in facts["teams"]:
            services.add_team(
                cup=cup, name=team["name"], players=team["players"], by=None
            )
        draw = services.draft_draw(
            cup=cup, group_count=facts["groups"], by=None, seed=facts["draw_seed"]
        )
        services.confirm_draw(draw=draw, by=None)
        services.make_group_games(cup=cup, table_count=facts["tables"], by=None)
    try:
        for game in facts["games"]:
            sleep(pause)
            with transaction.atomic():
                _play(cup, game)
    except BaseException:
        remove_demo_cup(cup=cup, by=None)
        raise
    cup.refresh_from_db()
    return cup


def _play(cup: Cup, facts: GameFacts) -> None:
    games = cup.games.select_related("team_a", "team_b")
    game = games.get(number=facts["number"])
    if (str(game.team_a), str(game.team_b)) != (facts["a"], facts["b"]):
        raise ValueError(f"{game} is {game.team_a} - {game.team_b}, not as in {facts}")
    for number, sheet in enumerate(facts["deals"], start=1):
        record_deal(
            game=game,
            number=number,
            sheet=DealSheet.from_json(sheet, cup.rules),
            key=uuid5(NAMESPACE_URL, f"{cup.slug}/{game.number}/{number}"),
            by=None,
        )
    for record in facts.get("records", []):
        attach_record(
            game=game,
            number=record["deal"],
            version=1,
            document=record["document"],
            seen=None,
            by=None,
            reason=record["reason"],
        )
    _confirm(game)


def _confirm(game: Game) -> None:
    """Let both teams agree to a game that has been won."""
    game.refresh_from_db()
    newest = game.deal_entries.order_by("-pk").first()
    if newest is None or not game.winner:
        return
    for side in Side:
        confirm_result(
            game=game, side=side, number=newest.number, version=newest.version, by=None
        )
