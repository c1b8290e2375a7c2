"""Every write of what happened at the table: one function each."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from komppa.cup.access import is_organiser
from komppa.cup.changes import announce_later, changing, write_log
from komppa.cup.choices import Outcome, Visibility
from komppa.cup.models import Cup, Game, GameSeat, GroupMembership, Player
from komppa.cup.services import write_seats
from komppa.errors import Refusal
from komppa.sheets.following import let_records_follow
from komppa.sheets.models import Confirmation, DealEntry, DealRecord, TableKey
from komppa.sheets.queries import Course, confirmed_sides, course_of, seating
from scoring.game import advance
from scoring.problems import Problem, Refused
from scoring.sheet import DealSheet
from scoring.sides import Pair, Side


class SheetRefused(Refusal):
    """The sheet cannot be true; ``problems`` says why, all at once."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(_("Jakoa ei voi kirjata näin."), code="sheet_refused")
        self.problems = problems


class DealConflict(Refusal):
    """Somebody else was first; ``recorded`` is what stands, if anything does."""

    def __init__(self, message: str, recorded: DealEntry | None) -> None:
        super().__init__(message, code="deal_conflict")
        self.recorded = recorded


@dataclass(frozen=True, slots=True)
class Recorded:
    entry: DealEntry
    is_repeat: bool
    """Whether this very request had been answered before."""


def record_deal(
    *,
    game: Game,
    number: int,
    sheet: DealSheet,
    key: UUID,
    by: User | None,
    table_key: TableKey | None = None,
    seen_teams: Pair[int] | None = None,
) -> Recorded:
    """Append a new deal's sheet to the game.

    ``number`` is the deal that the writer believed to be next, ``seen_teams`` the ids
    of those he believed to play. Raises DealConflict if it is another deal, or if
    others play by now; SheetRefused if the sheet cannot be true after the deals
    before it.
    """
    with transaction.atomic():
        cup, fresh = lock_game(game)
        facts = sheet.to_json()
        repeated = _made_by(fresh, key)
        if repeated is not None and _is_same(repeated, number, facts):
            return Recorded(repeated, is_repeat=True)
        course = course_of(fresh)
        if repeated is not None or number != course.next_number:
            raise _recorded_by_another(fresh, repeated, number)
        refuse_archived(cup)
        _refuse_unplayable(fresh)
        # A correction elsewhere can change who meets whom while a sheet is open.
        if seen_teams not in (None, Pair(fresh.team_a_id, fresh.team_b_id)):
            raise DealConflict(
                _(
                    "Pelin joukkueet ovat sillä välin vaihtuneet. Omat merkintäsi ovat "
                    "alla tallessa: tarkista, kenen ne ovat."
                ),
                None,
            )
        try:
            advance(course.state, sheet)
        except Refused as refused:
            raise SheetRefused(tuple(refused.problems)) from refused
        with changing(cup):
            if not fresh.seats.exists():
                write_seats(fresh, {s.value: p for s, p in seating(fresh).items()})
            entry = append_entry(
                fresh, number, sheet=facts, key=key, by=by, table_key=table_key
            )
            refold(fresh)
    return Recorded(entry, is_repeat=False)


def take_back_deal(
    *,
    game: Game,
    number: int,
    version: int,
    key: UUID,
    by: User | None,
    table_key: TableKey | None = None,
    reason: str = "",
) -> Recorded:
    """Take back the game's last deal, if it is still the one that the writer saw.

    A result that both teams have confirmed is the organiser's alone.
    """
    with transaction.atomic():
        cup, fresh = lock_game(game)
        repeated = _made_by(fresh, key)
        if repeated is not None and _is_same(repeated, number, None):
            return Recorded(repeated, is_repeat=True)
        last = course_of(fresh).last
        seen = last and (last.entry.number, last.entry.version)
        if repeated is not None or seen != (number, version):
            raise DealConflict(
                _("Jakoa ei peruttu: viimeisin jako on jo vaihtunut tai peruttu."),
                last.entry if last else None,
            )
        refuse_archived(cup)
        if len(confirmed_sides(fresh)) == len(Side) and not is_organiser(by):
            raise Refusal(
                _(
                    "Molemmat joukkueet ovat vahvistaneet tuloksen; "
                    "vain järjestäjä korjaa sitä."
                ),
                code="confirmed",
            )
        with changing(cup):
            entry = append_entry(
                fresh,
                number,
                sheet=None,
                key=key,
                by=by,
                table_key=table_key,
                reason=reason,
            )
            let_records_follow(game=fresh, numbers={number: None}, by=by, reason=reason)
            refold(fresh)
    return Recorded(entry, is_repeat=False)


def refold(game: Game) -> Course:
    """Write the game's cached figures from its sheets; nothing else writes them."""
    course = course_of(game)
    for name, value in derived_figures(course).items():
        setattr(game, name, value)
    game.save(update_fields=list(derived_figures(course)))
    return course


def derived_figures(course: Course) -> dict[str, int | bool | str]:
    """Return the cached columns of a game as its deals make them."""
    state = course.state
    return {
        "sets_a": state.sets.a,
        "sets_b": state.sets.b,
        "points_a": state.points.a,
        "points_b": state.points.b,
        "fouls_a": state.fouls.a,
        "fouls_b": state.fouls.b,
        "deal_count": len(course.deals),
        "laistokierros": state.laistokierros,
        "winner": state.winner.value if state.winner else "",
        "ended_by": state.reason.value if state.reason else "",
    }


def rebuild_derived(*, game: Game) -> None:
    """Write a game's cached figures anew, should they ever differ from its deals."""
    with transaction.atomic():
        cup, fresh = lock_game(game)
        with changing(cup):
            refold(fresh)


def remove_demo_cup(*, cup: Cup, by: User | None) -> None:
    """Delete a demonstration cup with everything in it; a real one is archived."""
    with transaction.atomic():
        locked = Cup.objects.select_for_update().get(pk=cup.pk)
        if not locked.is_demo:
            raise Refusal(
                _("%(name)s ei ole esittelyturnaus; sitä ei poisteta.")
                % {"name": locked.name},
                code="not_a_demo",
            )
        Confirmation.objects.filter(game__cup=locked).delete()
        DealRecord.objects.filter(game__cup=locked).update(continues=None)
        DealRecord.objects.filter(game__cup=locked).delete()
        DealEntry.objects.filter(game__cup=locked).delete()
        TableKey.objects.filter(playing_table__cup=locked).delete()
        GameSeat.objects.filter(game__cup=locked).delete()
        _delete_games(locked)
        locked.playing_tables.all().delete()
        locked.lots.all().delete()
        GroupMembership.objects.filter(group__cup=locked).delete()
        locked.groups.all().delete()
        locked.draws.all().delete()
        Player.everyone.filter(team__cup=locked).delete()
        locked.teams.all().delete()
        locked.log.all().delete()
        write_log(cup=None, by=by, act="remove_demo_cup", target=locked.name)
        gone = Cup(pk=locked.pk, revision=locked.revision + 1)
        locked.delete()
        announce_later(gone)


def _delete_games(cup: Cup) -> None:
    """Delete later games first: those of the bracket hold fast what they come from."""
    columns = ("winner_of_a", "winner_of_b", "loser_of_a", "loser_of_b", "replays")
    while cup.games.exists():
        sources = {
            pk
            for column in columns
            for pk in cup.games.values_list(column, flat=True)
            if pk is not None
        }
        cup.games.exclude(pk__in=sources).delete()


def lock_game(game: Game) -> tuple[Cup, Game]:
    """Return the cup and the game as they are, locked in that order."""
    cup = Cup.objects.select_for_update().filter(pk=game.cup_id).first()
    fresh = Game.objects.select_for_update().filter(pk=game.pk, cup=cup).first()
    if cup is None or fresh is None:
        raise Refusal(
            _("Tätä peliä ei enää ole: pelit on tehty uudelleen."), code="game_gone"
        )
    fresh.cup = cup
    return cup, fresh


def _made_by(game: Game, key: UUID) -> DealEntry | None:
    """Return what an earlier request with this key made."""
    return DealEntry.objects.filter(game=game, key=key).first()


def _is_same(entry: DealEntry, number: int, sheet: dict[str, object] | None) -> bool:
    return entry.number == number and entry.sheet == sheet


def append_entry(
    game: Game,
    number: int,
    *,
    sheet: dict[str, object] | None,
    key: UUID,
    by: User | None,
    table_key: TableKey | None,
    reason: str = "",
) -> DealEntry:
    newest = game.deal_entries.filter(number=number).aggregate(newest=Max("version"))
    return DealEntry.objects.create(
        game=game,
        number=number,
        version=(newest["newest"] or 0) + 1,
        sheet=sheet,
        key=key,
        entered_by=by,
        table_key=table_key,
        reason=reason,
    )


def refuse_archived(cup: Cup) -> None:
    if cup.visibility == Visibility.ARCHIVED:
        raise Refusal(
            _("Turnaus on arkistoitu, joten sen jakoja ei enää muuteta."),
            code="archived",
        )


def _refuse_unplayable(game: Game) -> None:
    if game.team_a_id is None or game.team_b_id is None:
        raise Refusal(
            _("Pelin joukkueet eivät ole vielä selvillä."), code="teams_unknown"
        )
    if game.outcome != Outcome.PLAYED:
        raise Refusal(
            _("Pelin tulos on merkitty ilman pelaamista; jakoja ei kirjata."),
            code="not_by_play",
        )
    for team in (game.team_a, game.team_b):
        if team and team.withdrawn:
            raise Refusal(
                _("%(team)s on vetäytynyt turnauksesta; jakoja ei kirjata.")
                % {"team": team.name},
                code="team_withdrawn",
            )


def _recorded_by_another(
    game: Game, repeated: DealEntry | None, number: int
) -> DealConflict:
    recorded = (
        repeated or game.deal_entries.filter(number=number).order_by("-version").first()
    )
    if recorded is None or recorded.sheet is None:
        message = _(
            "Jakoja on sillä välin peruttu toisella laitteella. "
            "Omat merkintäsi ovat alla tallessa."
        )
    else:
        message = _("Tämä jako on jo kirjattu. Omat merkintäsi ovat alla tallessa.")
    return DealConflict(message, recorded)
