"""Every write to a single game that is not play: its outcome and its table."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import F
from django.utils.translation import gettext as _

from komppa.cup.changes import changing, needed_reason, write_log
from komppa.cup.choices import Outcome, Visibility
from komppa.cup.models import Cup, Game, PlayingTable
from komppa.cup.services import MOST_TABLES
from komppa.errors import Refusal

RECORDED = (
    Outcome.PLAYED,
    Outcome.WALKOVER_A,
    Outcome.WALKOVER_B,
    Outcome.BOTH_ABSENT,
)
"""What is recorded here; to annul a game is another act."""

_WINNERS = {Outcome.WALKOVER_A: "a", Outcome.WALKOVER_B: "b"}


def set_outcome(
    *, game: Game, outcome: Outcome, by: User | None, reason: str, seen: Outcome
) -> None:
    """Record that a game ends without play, or with PLAYED that it does not after all.

    ``seen`` is the outcome that stood when the writer decided. Deals already entered
    stay on record, and count again once the outcome is withdrawn.
    """
    reason = needed_reason(reason)
    with changing(game.cup) as locked:
        refuse_archived(locked)
        fresh = _fetched(locked, game)
        _refuse_stale(fresh, seen)
        _refuse_unrecordable(fresh, outcome)
        old = outcome_facts(fresh)
        fresh.outcome = outcome
        fresh.save(update_fields=["outcome"])
        write_log(
            cup=locked,
            by=by,
            act="set_outcome",
            target=str(fresh),
            old=old,
            new=outcome_facts(fresh),
            reason=reason,
            game=fresh,
        )


def move_game(
    *,
    game: Game,
    table_number: int,
    by: User | None,
    reason: str,
    is_next: bool = False,
) -> None:
    """Move a game to another table, which may be a new one.

    There it stands among the games as it did before, or as the next to be begun.
    """
    reason = needed_reason(reason)
    with changing(game.cup) as locked:
        refuse_archived(locked)
        fresh = _fetched(locked, game)
        old = fresh.playing_table.number if fresh.playing_table else None
        _refuse_unmovable(fresh, old, table_number, is_next=is_next)
        fresh.playing_table, _made = PlayingTable.objects.get_or_create(
            cup=locked, number=table_number
        )
        if is_next:
            fresh.order = _place_before_the_waiting(locked, fresh)
        fresh.save(update_fields=["playing_table", "order"])
        new = {"table": table_number, **({"next": True} if is_next else {})}
        write_log(
            cup=locked,
            by=by,
            act="move_game",
            target=str(fresh),
            old={"table": old},
            new=new,
            reason=reason,
            game=fresh,
        )


def outcome_facts(game: Game) -> dict[str, str | None]:
    """Return what the log keeps of a game's outcome."""
    side = _WINNERS.get(Outcome(game.outcome))
    winner = getattr(game, f"team_{side}") if side else None
    return {"outcome": str(game.outcome), "winner": winner.name if winner else None}


def refuse_archived(cup: Cup) -> None:
    if cup.visibility == Visibility.ARCHIVED:
        raise Refusal(
            _("Turnaus on arkistoitu, joten sitä ei enää muuteta."), code="archived"
        )


def _fetched(cup: Cup, game: Game) -> Game:
    fresh = Game.objects.select_for_update().filter(pk=game.pk, cup=cup).first()
    if fresh is None:
        raise Refusal(
            _("Tätä peliä ei enää ole: pelit on tehty uudelleen."), code="game_gone"
        )
    return fresh


def _refuse_stale(game: Game, seen: Outcome) -> None:
    if game.outcome == seen:
        return
    if game.outcome == Outcome.PLAYED:
        message = _(
            "Tulosta ei muutettu: merkintä on sillä välin poistettu. Tarkista tilanne."
        )
    else:
        message = _(
            "Tulosta ei muutettu: peliin on sillä välin merkitty ”%(outcome)s”. "
            "Tarkista tilanne."
        ) % {"outcome": Outcome(game.outcome).label}
    raise Refusal(message, code="outcome_changed")


def _refuse_unrecordable(game: Game, outcome: Outcome) -> None:
    if outcome not in RECORDED:
        raise ValueError(f"not to be recorded here: {outcome!r}")
    if game.team_a is None or game.team_b is None:
        raise Refusal(
            _("Pelin joukkueet eivät ole vielä selvillä."), code="teams_unknown"
        )
    if outcome == game.outcome:
        raise Refusal(_("Tämä tulos on jo merkitty."), code="nothing_changed")
    if game.outcome == Outcome.ANNULLED:
        raise Refusal(_("Peli on mitätöity. Peru ensin mitätöinti."), code="annulled")
    gone = [team.name for team in (game.team_a, game.team_b) if team.withdrawn]
    if gone and outcome != Outcome.PLAYED:
        raise Refusal(
            _("%(team)s on vetäytynyt turnauksesta; peli ratkeaa sen mukaan.")
            % {"team": gone[0]},
            code="team_withdrawn",
        )


def _refuse_unmovable(
    game: Game, old: int | None, table_number: int, *, is_next: bool
) -> None:
    if not 1 <= table_number <= MOST_TABLES:
        raise Refusal(
            _("Pöydän numero on 1–%(most)d.") % {"most": MOST_TABLES},
            code="table_number",
        )
    if game.is_finished:
        raise Refusal(
            _("Peli on jo päättynyt, joten sitä ei siirretä."), code="game_over"
        )
    if table_number == old and not is_next:
        raise Refusal(
            _("Peli on jo pöydässä %(table)d.") % {"table": table_number},
            code="nothing_changed",
        )


def _place_before_the_waiting(cup: Cup, game: Game) -> int:
    """Return the order that puts the game before all that wait for its table."""
    waiting = cup.games.filter(
        playing_table=game.playing_table, is_finished=False, deal_count=0
    ).exclude(pk=game.pk)
    first = waiting.order_by("order", "number").first()
    if first is None or (game.order, game.number) < (first.order, first.number):
        return game.order
    later = cup.games.filter(order__gte=first.order).exclude(pk=game.pk)
    later.update(order=F("order") + 1)
    return first.order
