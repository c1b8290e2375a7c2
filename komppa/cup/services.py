"""Every write to a cup, its draws and games: one function each.

Its teams, lots, bracket, later changes and people have files of their own.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from komppa.cup import draw as lottery
from komppa.cup import queries, schedule
from komppa.cup.changes import announce_later, changing, write_log
from komppa.cup.choices import DrawStatus
from komppa.cup.models import (
    Cup,
    Draw,
    Game,
    GameSeat,
    Group,
    GroupMembership,
    Player,
    PlayingTable,
)
from komppa.cup.services_lots import draw_lot
from komppa.cup.services_teams import (
    RowsRefused,
    TeamRow,
    add_team,
    remove_team,
    save_teams,
    team_facts,
    update_team,
)
from komppa.errors import Refusal
from scoring.rulesets import RULESETS

__all__ = [
    "BRACKET_FIELDS",
    "RULE_FIELDS",
    "RowsRefused",
    "TeamRow",
    "add_team",
    "cancel_draw",
    "changing",
    "confirm_draw",
    "create_cup",
    "discard_draw",
    "draft_draw",
    "draw_lot",
    "make_group_games",
    "remove_team",
    "ruleset_values",
    "save_teams",
    "seat_players",
    "team_facts",
    "update_cup",
    "update_team",
    "write_log",
    "write_seats",
]

MOST_TABLES = 99

# What decides results: fixed once the first deal is played.
RULE_FIELDS = (
    "ruleset",
    "target",
    "drop_to",
    "comparison",
    "whole_questions_after_trump",
    "laistokierros_no_tricks",
    "both_on_target",
    "corrected_foul",
    "players_per_team",
    "foul_loss_sets",
    "withdrawn_games",
    "sets_to_win",
    "final_sets_to_win",
)

# What decides who goes on: fixed once the bracket is made.
BRACKET_FIELDS = ("qualifiers_per_group", "best_next", "bronze_game")


def ruleset_values(key: str) -> dict[str, Any]:
    """Return the columns of a cup that a named ruleset decides, resolved."""
    rules = RULESETS[key]
    return {
        "ruleset": rules.key,
        "target": rules.target,
        "drop_to": rules.drop_to,
        "comparison": rules.comparison.value,
        "whole_questions_after_trump": rules.whole_questions_after_trump,
        "laistokierros_no_tricks": rules.laistokierros_no_tricks.value,
        "both_on_target": rules.both_on_target.value,
        "corrected_foul": rules.corrected_foul.value,
        "players_per_team": rules.players_per_team,
    }


def create_cup(*, by: User | None, ruleset: str, **values: Any) -> Cup:
    """Make a cup; ``values`` are its other columns and may override switches."""
    with transaction.atomic():
        cup = Cup(**{**ruleset_values(ruleset), **values})
        cup.full_clean()
        try:
            cup.save()
        except IntegrityError as error:
            # Somebody took the slug after full_clean had looked.
            raise Refusal(
                _("Toinen turnaus ehti varata osoitteen ”%(slug)s”.")
                % {"slug": cup.slug},
                code="slug_taken",
            ) from error
        write_log(
            cup=cup,
            by=by,
            act="create_cup",
            target=cup.name,
            new=_plain(cup, ["ruleset", *values]),
        )
        announce_later(cup)
    return cup


def refuse_with_teams(cup: Cup) -> None:
    """Refuse another number of players where teams have their players already."""
    if cup.teams.exists():
        raise Refusal(
            _("Joukkueita on jo ilmoitettu; pelaajamäärää ei voi enää muuttaa."),
            code="teams_exist",
        )


def update_cup(*, cup: Cup, by: User | None, values: Mapping[str, Any]) -> Cup:
    """Change columns of a cup; what decides results only before the first deal."""
    with changing(cup) as locked:
        changed = {
            name: value
            for name, value in values.items()
            if getattr(locked, name) != value
        }
        if set(changed) & set(RULE_FIELDS) and queries.has_results(locked):
            raise Refusal(
                _(
                    "Ensimmäinen jako on jo kirjattu, joten sääntöjä ja erien määriä "
                    "ei muuteta tässä. Tallenna muut tiedot ja valitse sitten ”Muuta "
                    "sääntöjä”."
                ),
                code="rules_fixed",
            )
        if set(changed) & set(BRACKET_FIELDS) and queries.has_bracket(locked):
            raise Refusal(
                _(
                    "Jatkopelit on jo tehty, joten jatkoon pääseviä ja pronssipeliä ei "
                    "voi enää muuttaa. Poista jatkopelit ensin."
                ),
                code="bracket_exists",
            )
        if "players_per_team" in changed:
            refuse_with_teams(locked)
        old = _plain(locked, changed)
        for name, value in changed.items():
            setattr(locked, name, value)
        locked.full_clean()
        locked.save()
        if "sets_to_win" in changed:
            locked.games.filter(group__isnull=False).update(
                sets_to_win=locked.sets_to_win
            )
        if changed:
            write_log(
                cup=locked,
                by=by,
                act="update_cup",
                target=locked.name,
                old=old,
                new=_plain(locked, changed),
            )
    return locked


def draft_draw(
    *, cup: Cup, group_count: int, by: User | None, seed: str | None = None
) -> Draw:
    """Draw the teams into groups, for the organiser's eyes only until confirmed."""
    with changing(cup) as locked:
        _refuse_draw_after_play(locked)
        if locked.draws.filter(status=DrawStatus.DRAFT).exists():
            raise Refusal(
                _("Edellinen arvonta odottaa: vahvista tai hylkää se ensin."),
                code="draft_waits",
            )
        teams = list(locked.teams.filter(withdrawn=False).order_by("pk"))
        facts = lottery.DrawInput(
            team_ids=tuple(team.pk for team in teams),
            pots=tuple(team.pot for team in teams),
            group_count=group_count,
        )
        seed = seed or secrets.token_hex(16)
        try:
            result = lottery.draw_groups(facts, seed)
        except lottery.DrawRefused as refused:
            raise Refusal(_draw_refusal(refused.code), code=refused.code) from refused
        draw = Draw.objects.create(
            cup=locked,
            input=facts.to_json(),
            algorithm=lottery.ALGORITHM,
            seed=seed,
            result=[list(group) for group in result],
            drawn_by=by,
        )
        write_log(
            cup=locked,
            by=by,
            act="draft_draw",
            target=f"#{draw.pk}",
            new={"seed": seed, "groups": group_count},
        )
    return draw


def discard_draw(*, draw: Draw, by: User | None, reason: str = "") -> None:
    with changing(draw.cup) as locked:
        _settle(_fetched(locked, draw, DrawStatus.DRAFT), DrawStatus.DISCARDED)
        write_log(
            cup=locked, by=by, act="discard_draw", target=f"#{draw.pk}", reason=reason
        )


def confirm_draw(*, draw: Draw, by: User | None) -> None:
    """Make the draft the cup's groups; an earlier draw's groups and games go."""
    with changing(draw.cup) as locked:
        _refuse_draw_after_play(locked)
        fresh = _fetched(locked, draw, DrawStatus.DRAFT)
        current = set(locked.teams.filter(withdrawn=False).values_list("pk", flat=True))
        if {pk for group in fresh.result for pk in group} != current:
            raise Refusal(
                _(
                    "Joukkueet ovat muuttuneet arvonnan jälkeen. "
                    "Hylkää tämä ja arvo uudelleen."
                ),
                code="teams_changed",
            )
        _remove_groups(locked)
        for earlier in locked.draws.filter(status=DrawStatus.CONFIRMED):
            _settle(earlier, DrawStatus.REPLACED)
            write_log(cup=locked, by=by, act="replace_draw", target=f"#{earlier.pk}")
        for index, team_ids in enumerate(fresh.result):
            group = Group.objects.create(cup=locked, name=lottery.group_name(index))
            GroupMembership.objects.bulk_create(
                GroupMembership(group=group, team_id=pk, position=position)
                for position, pk in enumerate(team_ids, start=1)
            )
        _settle(fresh, DrawStatus.CONFIRMED)
        write_log(
            cup=locked,
            by=by,
            act="confirm_draw",
            target=f"#{draw.pk}",
            new={"seed": fresh.seed, "groups": len(fresh.result)},
        )


def cancel_draw(*, draw: Draw, by: User | None, reason: str = "") -> None:
    """Take a confirmed draw back: its groups and games go, the draw stays on record."""
    with changing(draw.cup) as locked:
        _refuse_draw_after_play(locked)
        fresh = _fetched(locked, draw, DrawStatus.CONFIRMED)
        _remove_groups(locked)
        _settle(fresh, DrawStatus.CANCELLED)
        write_log(
            cup=locked, by=by, act="cancel_draw", target=f"#{draw.pk}", reason=reason
        )


def make_group_games(
    *, cup: Cup, table_count: int, by: User | None, replaces: int | None = None
) -> list[Game]:
    """Make every group's games, everyone against everyone once, tables in turn.

    ``replaces`` is ``queries.games_stamp`` of the games that the writer saw and
    wants made anew; None if he saw none.
    """
    with changing(cup) as locked:
        groups = list(locked.groups.prefetch_related("memberships"))
        if not groups:
            raise Refusal(
                _("Arvo ja vahvista lohkot ennen pelien tekemistä."), code="no_groups"
            )
        if not 1 <= table_count <= MOST_TABLES:
            raise Refusal(
                _("Pöytiä voi olla 1–%(most)d.") % {"most": MOST_TABLES},
                code="table_count",
            )
        _refuse_after_play(locked, _("Pelejä on jo pelattu; niitä ei tehdä uudelleen."))
        if queries.games_stamp(locked) != replaces:
            raise Refusal(
                _("Pelit on jo tehty. Tarkista ne ennen kuin teet ne uudelleen."),
                code="games_exist",
            )
        _remove_games(locked)
        tables = _set_tables(locked, table_count)
        plan = schedule.group_games(
            [[m.team_id for m in group.memberships.all()] for group in groups]
        )
        seats_at = schedule.assign_tables(plan, table_count)
        games = Game.objects.bulk_create(
            Game(
                cup=locked,
                number=number,
                order=number,
                group=groups[game.group_index],
                schedule_round=game.schedule_round,
                sets_to_win=locked.sets_to_win,
                playing_table=tables[table],
                team_a_id=game.a,
                source_team_a_id=game.a,
                team_b_id=game.b,
                source_team_b_id=game.b,
            )
            for number, (game, table) in enumerate(
                zip(plan, seats_at, strict=True), start=1
            )
        )
        write_log(
            cup=locked,
            by=by,
            act="make_group_games",
            target=locked.name,
            new={"games": len(games), "tables": table_count},
        )
    return games


def seat_players(*, game: Game, seats: Mapping[str, Player], by: User | None) -> None:
    """Say who sits where in a game, clockwise A1 B1 A2 B2 (R8)."""
    with changing(game.cup) as locked:
        fresh = Game.objects.select_for_update().filter(pk=game.pk, cup=locked).first()
        if fresh is None:
            raise Refusal(
                _("Tätä peliä ei enää ole: pelit on tehty uudelleen."), code="game_gone"
            )
        sides = {player.team_id for player in seats.values()}
        wrong = sides != {fresh.team_a_id, fresh.team_b_id} or any(
            player.team_id != (fresh.team_a_id if seat[0] == "A" else fresh.team_b_id)
            for seat, player in seats.items()
        )
        if wrong:
            raise Refusal(
                _("Pelaajat eivät kuulu tämän pelin joukkueisiin."), code="not_theirs"
            )
        if fresh.deal_count:
            raise Refusal(
                _("Peli on jo alkanut, joten paikkoja ei enää vaihdeta tästä."),
                code="play_started",
            )
        write_seats(fresh, seats)


def write_seats(game: Game, seats: Mapping[str, Player]) -> None:
    """Write the seats of a game whose cup the caller has locked."""
    game.seats.all().delete()
    GameSeat.objects.bulk_create(
        GameSeat(game=game, seat=seat, player=player) for seat, player in seats.items()
    )


def _fetched(cup: Cup, draw: Draw, status: DrawStatus) -> Draw:
    """Return the draw as it is under the lock, refused unless it has the status."""
    fresh = Draw.objects.filter(pk=draw.pk, cup=cup, status=status).first()
    if fresh is None:
        raise Refusal(
            _("Tämä arvonta on jo vahvistettu tai hylätty.")
            if status is DrawStatus.DRAFT
            else _("Tämä arvonta ei ole enää voimassa."),
            code="draw_settled",
        )
    return fresh


def _settle(draw: Draw, status: DrawStatus) -> None:
    draw.status = status
    draw.settled_at = timezone.now()
    draw.save(update_fields=["status", "settled_at"])


def _refuse_draw_after_play(cup: Cup) -> None:
    _refuse_after_play(
        cup,
        _(
            "Jakoja on jo kirjattu, joten lohkoja ei voi arpoa uudelleen: "
            "pelatut tulokset jäisivät ilman paikkaa."
        ),
    )


def _refuse_after_play(cup: Cup, message: str) -> None:
    if queries.has_results(cup):
        raise Refusal(message, code="play_started")
    if queries.has_bracket(cup):
        raise Refusal(
            _("Jatkopelit on jo tehty. Poista ne ensin."), code="bracket_exists"
        )


def _remove_groups(cup: Cup) -> None:
    _remove_games(cup)
    GroupMembership.objects.filter(group__cup=cup).delete()
    cup.groups.all().delete()


def _remove_games(cup: Cup) -> None:
    GameSeat.objects.filter(game__cup=cup).delete()
    cup.games.all().delete()


def _set_tables(cup: Cup, count: int) -> list[PlayingTable]:
    """Return tables 1 to ``count``; a table that stays keeps its keys."""
    cup.playing_tables.filter(number__gt=count, table_keys__isnull=True).delete()
    return [
        PlayingTable.objects.get_or_create(cup=cup, number=number)[0]
        for number in range(1, count + 1)
    ]


def _draw_refusal(code: str) -> str:
    messages = {
        "too_few_teams": _("Joka lohkoon tarvitaan vähintään kaksi joukkuetta."),
        "group_count": _("Lohkoja voi olla 1–26."),
    }
    return messages.get(code, _("Tätä arvontaa ei voi tehdä."))


def _plain(cup: Cup, names: Iterable[str]) -> dict[str, Any]:
    return {
        name: value if isinstance(value, (int, str)) else str(value)
        for name in names
        for value in [getattr(cup, name)]
    }
