"""Every write to the bracket as a whole: made and taken away.

What is done when a game of it has to be put right is in ``services_conflicts``, the
lots that it may wait for in ``services_lots``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Max, Q
from django.utils.translation import gettext as _

from komppa.cup.bracket import (
    MAX_QUALIFIERS,
    Bracket,
    BracketGame,
    GroupRank,
    LoserOf,
    Slot,
    Stage,
    WinnerOf,
)
from komppa.cup.bracket_offers import Offer, offer_of
from komppa.cup.changes import changing, needed_reason, write_log
from komppa.cup.choices import Outcome
from komppa.cup.models import Cup, Game, GameSeat, PlayingTable
from komppa.cup.plans import playing_order
from komppa.cup.queries import games_of, has_bracket
from komppa.cup.services import MOST_TABLES
from komppa.cup.services_games import refuse_archived
from komppa.cup.services_lots import draw_lot_across
from komppa.errors import Refusal
from komppa.words import listing

__all__ = ["bracket_refusal", "draw_lot_across", "make_bracket", "remove_bracket"]


def make_bracket(
    *, cup: Cup, table_count: int, by: User | None, stamp: str
) -> list[Game]:
    """Make every game of the bracket from the finished groups, tables in turn.

    ``stamp`` is that of the ``Offer`` that the writer saw: nothing else is made.
    """
    with changing(cup) as locked:
        refuse_archived(locked)
        if has_bracket(locked):
            raise Refusal(
                _("Jatkopelit on jo tehty. Tarkista ne."), code="bracket_exists"
            )
        if not 1 <= table_count <= MOST_TABLES:
            raise Refusal(
                _("Pöytiä voi olla 1–%(most)d.") % {"most": MOST_TABLES},
                code="table_count",
            )
        offer = offer_of(locked)
        bracket = _offered(offer)
        if offer.stamp != stamp:
            raise Refusal(
                _(
                    "Jatkopelien parit ovat muuttuneet sen jälkeen, kun katsoit niitä. "
                    "Tarkista parit ja tee jatkopelit sitten."
                ),
                code="bracket_changed",
            )
        games = _make_games(locked, offer, bracket, _tables(locked, table_count))
        write_log(
            cup=locked,
            by=by,
            act="make_bracket",
            target=locked.name,
            new={
                "teams": len(offer.qualifiers),
                "games": len(games),
                "tables": table_count,
            },
        )
    return list(games_of(cup).filter(pk__in=[game.pk for game in games]))


def remove_bracket(*, cup: Cup, by: User | None, reason: str) -> None:
    """Take the bracket away, so that it can be made anew; only before it is played."""
    reason = needed_reason(reason)
    with changing(cup) as locked:
        refuse_archived(locked)
        games = locked.games.filter(bracket_round__isnull=False)
        count = games.count()
        if not count:
            raise Refusal(
                _("Jatkopelejä ei ole, joten niitä ei voi poistaa."), code="no_bracket"
            )
        begun = games.filter(Q(deal_entries__isnull=False) | ~Q(outcome=Outcome.PLAYED))
        if first := begun.order_by("number").first():
            raise Refusal(
                _(
                    "Jatkopelejä on jo alettu pelata (%(game)s), joten niitä ei enää "
                    "poisteta. Yksittäisen pelin voi mitätöidä ja pelata uudelleen."
                )
                % {"game": first},
                code="bracket_begun",
            )
        GameSeat.objects.filter(game__in=games).delete()
        rounds = games.order_by("-bracket_round").values_list("bracket_round")
        # The later games hold fast those that they come from.
        for (bracket_round,) in list(rounds.distinct()):
            games.filter(bracket_round=bracket_round).delete()
        write_log(
            cup=locked,
            by=by,
            act="remove_bracket",
            target=locked.name,
            old={"games": count},
            reason=reason,
        )


def _offered(offer: Offer) -> Bracket:
    """Return the bracket that can be made now; refuse, and say what it lacks."""
    if not offer.standings:
        raise Refusal(
            _("Jatkopelit tehdään lohkoista. Arvo lohkot ja pelaa niiden pelit ensin."),
            code="no_groups",
        )
    if offer.unfinished:
        names = listing([standing.group.name for standing in offer.unfinished])
        raise Refusal(
            _(
                "Jatkopelit tehdään, kun kaikki lohkot ovat valmiit. "
                "Vielä kesken: %(groups)s."
            )
            % {"groups": names},
            code="groups_unfinished",
        )
    if sentences := offer.tie_sentences:
        raise Refusal(" ".join([*sentences, _("Vedä ensin arpa.")]), code="tied")
    if offer.bracket is None:
        raise Refusal(bracket_refusal(offer.refused), code=offer.refused)
    return offer.bracket


def bracket_refusal(code: str) -> str:
    """Return why so many teams make no bracket; the code of ``BracketRefused``."""
    if code == "too_many":
        return _(
            "Jatkopeleihin mahtuu enintään %(most)d joukkuetta. Vähennä asetuksista "
            "jatkoon pääseviä."
        ) % {"most": MAX_QUALIFIERS}
    return _("Jatkopeleihin tarvitaan vähintään kaksi joukkuetta.")


def _make_games(
    cup: Cup, offer: Offer, bracket: Bracket, tables: Sequence[PlayingTable]
) -> list[Game]:
    last = cup.games.aggregate(
        number=Max("number"), order=Max("order"), schedule_round=Max("schedule_round")
    )
    table_of = {
        game.number: tables[index % len(tables)]
        for games in playing_order(bracket)
        for index, game in enumerate(games)
    }
    made: dict[int, Game] = {}
    # In the order of play, so that what a game comes from has been made before it.
    for planned in bracket.games:
        made[planned.number] = Game.objects.create(
            cup=cup,
            number=last["number"] + planned.number,
            order=last["order"] + planned.number,
            schedule_round=last["schedule_round"] + planned.bracket_round,
            sets_to_win=_sets_to_win(cup, planned),
            playing_table=table_of[planned.number],
            bracket_round=planned.bracket_round,
            bracket_position=planned.position,
            **_source("a", planned.a, offer, made),
            **_source("b", planned.b, offer, made),
        )
    return list(made.values())


def _sets_to_win(cup: Cup, planned: BracketGame) -> int:
    is_final = planned.stage is Stage.FINAL
    return cup.final_sets_to_win if is_final else cup.sets_to_win


def _source(
    side: str, slot: Slot, offer: Offer, made: Mapping[int, Game]
) -> dict[str, Any]:
    """Return the columns that say where a side comes from."""
    if isinstance(slot, WinnerOf):
        return {f"winner_of_{side}": made[slot.game]}
    if isinstance(slot, LoserOf):
        return {f"loser_of_{side}": made[slot.game]}
    return _from_group(side, slot, offer)


def _from_group(side: str, slot: GroupRank, offer: Offer) -> dict[str, Any]:
    best = offer.qualifiers[slot].best
    if best is not None:
        return {f"source_best_{side}": best}
    group = offer.standings[slot.group].group
    return {f"source_group_{side}": group, f"source_rank_{side}": slot.rank}


def _tables(cup: Cup, count: int) -> list[PlayingTable]:
    """Return tables 1 to ``count``; others stay, since games have been played there."""
    return [
        PlayingTable.objects.get_or_create(cup=cup, number=number)[0]
        for number in range(1, count + 1)
    ]
