"""What each part of the public pages shows, read without any request.

Each function takes what ``komppa.parts`` gives it and returns None for a part that
does not exist. The number of queries does not depend on the number of rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Max, Q, QuerySet
from django.utils.translation import gettext as _

from komppa import words
from komppa.cup.choices import DrawStatus, Phase, Visibility
from komppa.cup.models import Cup, Draw, Game, Lot, Team
from komppa.cup.qualifying import knockout_of
from komppa.cup.queries import GroupStanding, games_of, group_standings, visible_cups
from komppa.cup.verdicts import verdict_of
from komppa.live.boards import Board, State, board_of, boards_of, names_of
from komppa.live.brackets import drawing_of
from komppa.live.deals import told_sets
from komppa.live.podiums import champions_of
from komppa.live.tables import StandingsTable, cross_table, reasons_of
from komppa.parts import Context
from komppa.sheets.queries import (
    confirmed_sides,
    course_of,
    seat_names,
    seating,
    standing_records,
)
from scoring.sides import Side

LATEST = 4
"""Finished games that the cup's own page shows."""


def front(cup: Cup | None, number: int | None) -> Context | None:
    if cup is not None or number is not None:
        return None
    cups = list(_counted(visible_cups()))
    # A cup for show never stands before a real one; otherwise the newest is first.
    cups.sort(key=lambda cup: cup.is_demo)
    champions = champions_of(cups)
    for listed in cups:
        listed.champion = champions.get(listed.pk)  # type: ignore[attr-defined]
    public = [cup for cup in cups if cup.visibility == Visibility.PUBLIC]
    playing = (Phase.GROUPS, Phase.BRACKET)
    return {
        "on_now": [cup for cup in public if cup.phase in playing],
        "coming": [cup for cup in public if cup.phase == Phase.SETUP],
        "finished": [cup for cup in public if cup.phase == Phase.FINISHED],
        "archived": [cup for cup in cups if cup.visibility == Visibility.ARCHIVED],
        "is_empty": not cups,
    }


def _counted(cups: QuerySet[Cup]) -> QuerySet[Cup]:
    is_over = Q(games__is_finished=True)
    in_play = Q(games__deal_count__gt=0) & ~is_over
    return cups.annotate(
        team_count=Count("teams", distinct=True),
        game_count=Count("games", distinct=True),
        in_play_count=Count("games", filter=in_play, distinct=True),
        finished_count=Count("games", filter=is_over, distinct=True),
    )


def cup(cup: Cup | None, number: int | None) -> Context | None:
    if cup is None or number is not None:
        return None
    boards = boards_of(games_of(cup), cup)
    waiting = _in_state(boards, State.WAITING)
    finished = _in_state(boards, State.FINISHED)
    standings = group_standings(cup)
    return {
        "in_play": _by_table(_in_state(boards, State.IN_PLAY)),
        "next_up": _next_by_table(waiting),
        "latest": [board for board in finished[::-1] if _was_held(board)][:LATEST],
        "finished_count": len(finished),
        "game_count": len(boards),
        "has_games": bool(boards),
        "groups": [_brief(standing, cup) for standing in standings],
        "drawing": drawing_of(cup, standings) if standings else None,
        "teams": _alphabetical(cup.teams.all()),
        "draw": _confirmed_draw(cup),
        "phase": cup.get_phase_display(),
    }


@dataclass(frozen=True, slots=True)
class ConfirmedDraw:
    draw: Draw
    discarded: int
    cancelled: int
    replaced: int


def _confirmed_draw(cup: Cup) -> ConfirmedDraw | None:
    """Return the draw that made the groups; one still unconfirmed is nobody's."""
    draws = list(cup.draws.exclude(status=DrawStatus.DRAFT))
    confirmed = [draw for draw in draws if draw.status == DrawStatus.CONFIRMED]
    if not confirmed:
        return None
    statuses = [draw.status for draw in draws]
    return ConfirmedDraw(
        confirmed[0],
        discarded=statuses.count(DrawStatus.DISCARDED),
        cancelled=statuses.count(DrawStatus.CANCELLED),
        replaced=statuses.count(DrawStatus.REPLACED),
    )


def _alphabetical(teams: Iterable[Team]) -> list[Team]:
    # A Finn looks for å, ä and ö after z; by code point ä would come before å.
    order = str.maketrans({"å": "{", "ä": "|", "ö": "}"})
    return sorted(teams, key=lambda team: team.name_key.translate(order))


def _in_state(boards: Iterable[Board], state: State) -> list[Board]:
    return [board for board in boards if board.state is state]


def _was_held(board: Board) -> bool:
    """Return whether something happened, and not only that a team withdrew."""
    return bool(board.game.deal_count or board.game.outcome)


def _table_number(board: Board) -> int:
    table = board.game.playing_table
    return table.number if table else 0


def _by_table(boards: Iterable[Board]) -> list[Board]:
    return sorted(boards, key=_table_number)


def _next_by_table(waiting: Iterable[Board]) -> list[Board]:
    """Return the first game that waits for each table."""
    first: dict[int, Board] = {}
    for board in waiting:
        first.setdefault(_table_number(board), board)
    return _by_table(first.values())


@dataclass(frozen=True, slots=True)
class BriefGroup:
    standing: GroupStanding
    table: StandingsTable
    suit: str


def _brief(standing: GroupStanding, cup: Cup) -> BriefGroup:
    table = StandingsTable(
        standing, qualifiers=cup.qualifiers_per_group, exclude=("played", "lost")
    )
    return BriefGroup(standing, table, suit_of(standing.group.name))


def suit_of(group_name: str) -> str:
    """Return the suit that decorates a group, A to D by turns."""
    return "SHCD"[(ord(group_name[:1] or "A") - ord("A")) % 4]


def groups(cup: Cup | None, number: int | None) -> Context | None:
    if cup is None or number is not None:
        return None
    return {"groups": [_group(standing, cup) for standing in group_standings(cup)]}


def _group(standing: GroupStanding, cup: Cup) -> Context:
    boards = boards_of(standing.games, cup)
    return {
        "standing": standing,
        "suit": suit_of(standing.group.name),
        "table": StandingsTable(standing, qualifiers=cup.qualifiers_per_group),
        "reasons": reasons_of(standing),
        "cross": cross_table(standing, boards),
        "notes": [b for b in boards if b.note and not _outside(standing, b)],
        "withdrawn": [
            (team, [b for b in boards if team in (b.a.team, b.b.team)])
            for team in standing.withdrawn
        ],
        "finished": len(_in_state(boards, State.FINISHED)),
        "lots": [_told_lot(lot, standing) for lot in standing.group.lots.all()],
    }


def _outside(standing: GroupStanding, board: Board) -> bool:
    """Return whether the game is a team's that has left the order."""
    return not {board.a.team, board.b.team}.isdisjoint(standing.withdrawn)


def _told_lot(lot: Lot, standing: GroupStanding) -> Context:
    # Those who have withdrawn since were in it all the same.
    teams = [*(row.team for row in standing.rows), *standing.withdrawn]
    names = {team.pk: team.name for team in teams}
    order = [names[pk] for pk in lot.order if pk in names]
    is_used = lot.pk in standing.lots_in_use
    return {"lot": lot, "order": ", ".join(order), "is_used": is_used}


def games(cup: Cup | None, number: int | None) -> Context | None:
    if cup is None or number is not None:
        return None
    boards = boards_of(games_of(cup), cup)
    return {
        "in_play": _by_table(_in_state(boards, State.IN_PLAY)),
        "waiting": _in_state(boards, State.WAITING),
        "finished": _in_state(boards, State.FINISHED)[::-1],
        "all": boards,
    }


def game(cup: Cup | None, number: int | None) -> Context | None:
    if cup is None or number is None:
        return None
    game = games_of(cup).filter(number=number).first()
    if game is None:
        return None
    game.cup = cup
    course = course_of(game)
    state = course.state
    names = names_of(game, cup)
    seats = seat_names(seating(game))
    told = {
        seat: _("%(player)s (%(team)s)") % {"player": name, "team": names[seat.side]}
        for seat, name in seats.items()
    }
    return {
        "board": board_of(game, cup, _final_round(cup)),
        "agreed": _agreed(game, cup),
        "ways": _ways(game),
        "replay": Game.objects.filter(replays=game).first(),
        "in_conflict": _in_conflict(game, cup),
        "sets": told_sets(course, cup.rules, names, seats, standing_records(game)),
        "taken_back": game.deal_entries.filter(sheet__isnull=True).count(),
        "next_dealer": told.get(state.next_dealer) if state.next_dealer else None,
        "next_leader": told.get(state.next_leader) if state.next_leader else None,
        "opens_set": state.opens_set,
        "face_up": state.rules.face_up,
        "target": cup.target,
    }


def _final_round(cup: Cup) -> int:
    return cup.games.aggregate(last=Max("bracket_round"))["last"] or 0


@dataclass(frozen=True, slots=True)
class Way:
    """Where a team goes on from a game of the bracket."""

    to: Game
    is_losers: bool


def _ways(game: Game) -> list[Way]:
    if game.bracket_round is None:
        return []
    winners = Q(winner_of_a=game) | Q(winner_of_b=game)
    losers = Q(loser_of_a=game) | Q(loser_of_b=game)
    ways = [
        Way(to, game.pk in (to.loser_of_a_id, to.loser_of_b_id))
        for to in Game.objects.filter(winners | losers)
    ]
    return sorted(ways, key=lambda way: way.is_losers)


def _in_conflict(game: Game, cup: Cup) -> bool:
    if game.bracket_round is None:
        return False
    state = knockout_of(cup).get(game.pk)
    return state is not None and state.in_conflict


def _agreed(game: Game, cup: Cup) -> str:
    """Say which teams have confirmed a result of play."""
    verdict = verdict_of(game, cup)
    if verdict is None or not verdict.is_by_play:
        return ""
    confirmed, names = confirmed_sides(game), names_of(game, cup)
    if len(confirmed) == len(Side):
        return _("Molemmat joukkueet ovat vahvistaneet tuloksen.")
    if confirmed:
        (side,) = confirmed
        return _("%(team)s on vahvistanut tuloksen, %(other)s ei vielä.") % {
            "team": names[side],
            "other": names[side.other],
        }
    if cup.visibility == Visibility.ARCHIVED:
        return ""
    return _("Tulos odottaa joukkueiden vahvistusta.")


def bracket(cup: Cup | None, number: int | None) -> Context | None:
    if cup is None or number is not None:
        return None
    standings = group_standings(cup)
    return {
        "drawing": drawing_of(cup, standings) if standings else None,
        "has_groups": bool(standings),
        "open_groups": words.listing(
            [s.group.name for s in standings if not s.is_complete]
        ),
    }
