"""Every write to the teams of a cup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from komppa.cup import queries
from komppa.cup.changes import changing, write_log
from komppa.cup.models import Cup, GroupMembership, Player, Team, name_key
from komppa.errors import Refusal

LONGEST_NAME = 80
# All have to fit on one page: five fields each, and Django takes at most a thousand.
MOST_TEAMS = 190


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A line of the list of teams, as the organiser typed it."""

    line: int
    """Its number on his page."""
    name: str
    players: tuple[str, ...] = ()
    pot: int | None = None
    team_id: int | None = None
    """None for a new team."""
    remove: bool = False


class RowsRefused(Refusal):
    """Some rows cannot be saved, so none was; ``rows`` says why, by line."""

    def __init__(self, rows: Mapping[int, Sequence[Refusal]]) -> None:
        super().__init__(
            _("Mitään ei tallennettu: korjaa merkityt rivit."), code="rows_refused"
        )
        self.rows = rows


def add_team(
    *,
    cup: Cup,
    name: str,
    players: Sequence[str] = (),
    pot: int | None = None,
    by: User | None,
) -> Team:
    row = TeamRow(line=1, name=name, players=tuple(players), pot=pot)
    return _save_one(cup, row, by)


def update_team(
    *,
    team: Team,
    name: str,
    players: Sequence[str] = (),
    pot: int | None = None,
    by: User | None,
) -> Team:
    row = TeamRow(1, name, tuple(players), pot, team_id=team.pk)
    return _save_one(team.cup, row, by)


def remove_team(*, team: Team, by: User | None) -> None:
    """Remove a team that has not been drawn into a group."""
    try:
        save_teams(
            cup=team.cup,
            rows=[TeamRow(1, team.name, team_id=team.pk, remove=True)],
            by=by,
        )
    except RowsRefused as refused:
        raise refused.rows[1][0] from None


def save_teams(*, cup: Cup, rows: Sequence[TeamRow], by: User | None) -> list[Team]:
    """Add, change and remove teams in one go.

    Raises RowsRefused with the reasons of every row, and then saves nothing.
    """
    with changing(cup) as locked:
        existing = _existing(locked)
        rows = [_tidied(row) for row in rows]
        refused = _refusals(locked, rows, existing)
        if refused:
            raise RowsRefused(refused)
        for row in rows:
            if row.remove and row.team_id:
                _remove(locked, existing[row.team_id], by)
        kept = [row for row in rows if not row.remove]
        _free_names(kept, existing)
        return [_write(locked, row, existing, by) for row in kept]


def refused_rows(
    *, cup: Cup, rows: Sequence[TeamRow]
) -> Mapping[int, Sequence[Refusal]]:
    """Return the reasons that save_teams would give, by line; saves nothing."""
    return _refusals(cup, [_tidied(row) for row in rows], _existing(cup))


def team_facts(team: Team) -> dict[str, Any]:
    """Return what the log keeps of a team."""
    return {
        "name": team.name,
        "pot": team.pot,
        "players": [player.name for player in team.players.all()],
    }


def _save_one(cup: Cup, row: TeamRow, by: User | None) -> Team:
    try:
        return save_teams(cup=cup, rows=[row], by=by)[0]
    except RowsRefused as refused:
        raise refused.rows[row.line][0] from None


def _existing(cup: Cup) -> dict[int, Team]:
    return {team.pk: team for team in cup.teams.prefetch_related("players")}


def _tidied(row: TeamRow) -> TeamRow:
    return replace(
        row,
        name=" ".join(row.name.split()),
        players=tuple(" ".join(player.split()) for player in row.players),
    )


def _refusals(
    cup: Cup, rows: Sequence[TeamRow], existing: Mapping[int, Team]
) -> dict[int, list[Refusal]]:
    drawn = set(
        GroupMembership.objects.filter(group__cup=cup).values_list("team_id", flat=True)
    )
    has_results = queries.has_results(cup)
    lines_of = _lines_by_name(rows)
    crowded = _lines_without_room(rows, existing)
    absent = {row.team_id for row in rows}
    others = {team.name_key for pk, team in existing.items() if pk not in absent}
    refused: dict[int, list[Refusal]] = {}
    for row in rows:
        reasons = [
            reason
            for reason in (
                _row_refusal(row, existing, drawn, has_results),
                _room_refusal() if row.line in crowded else None,
                *_name_refusals(row, lines_of, others),
                *_player_refusals(row, cup.players_per_team),
            )
            if reason
        ]
        if reasons:
            refused[row.line] = reasons
    return refused


def _lines_by_name(rows: Sequence[TeamRow]) -> dict[str, list[int]]:
    lines: dict[str, list[int]] = {}
    for row in rows:
        if not row.remove:
            lines.setdefault(name_key(row.name), []).append(row.line)
    return lines


def _lines_without_room(
    rows: Sequence[TeamRow], existing: Mapping[int, Team]
) -> set[int]:
    new = [row.line for row in rows if row.team_id is None and not row.remove]
    removed = {row.team_id for row in rows if row.remove} & existing.keys()
    return set(new[max(0, MOST_TEAMS - len(existing) + len(removed)) :])


def _room_refusal() -> Refusal:
    return Refusal(
        _("Turnaukseen mahtuu enintään %(count)d joukkuetta.") % {"count": MOST_TEAMS},
        code="too_many_teams",
    )


def _row_refusal(
    row: TeamRow, existing: Mapping[int, Team], drawn: set[int], has_results: bool
) -> Refusal | None:
    if row.team_id is None:
        if has_results:
            return Refusal(
                _("Pelit ovat alkaneet; uutta joukkuetta ei voi enää lisätä."),
                code="play_started",
            )
        return None
    if row.team_id not in existing:
        return Refusal(
            _("Joukkue on sillä välin poistettu turnauksesta."), code="team_gone"
        )
    if row.remove and row.team_id in drawn:
        message = (
            _("%(team)s on lohkossa ja pelit ovat alkaneet, joten sitä ei voi poistaa.")
            if has_results
            else _("%(team)s on arvottu lohkoon. Peru arvonta ennen sen poistamista.")
        )
        return Refusal(
            message % {"team": existing[row.team_id].name}, code="team_drawn"
        )
    return None


def _name_refusals(
    row: TeamRow, lines_of: Mapping[str, list[int]], others: set[str]
) -> list[Refusal]:
    if row.remove:
        return []
    # A name of invisible characters alone would leave an empty line everywhere.
    if not any(sign.isprintable() and not sign.isspace() for sign in row.name):
        return [Refusal(_("Anna joukkueelle nimi."), code="name_missing")]
    if len(row.name) > LONGEST_NAME:
        return [
            Refusal(
                _("Nimessä voi olla enintään %(count)d merkkiä.")
                % {"count": LONGEST_NAME},
                code="name_too_long",
            )
        ]
    twins = [line for line in lines_of[name_key(row.name)] if line != row.line]
    if twins:
        lines = ", ".join(str(line) for line in twins)
        return [
            Refusal(
                ngettext(
                    "Sama nimi on myös rivillä %(lines)s.",
                    "Sama nimi on myös riveillä %(lines)s.",
                    len(twins),
                )
                % {"lines": lines},
                code="name_taken",
            )
        ]
    if name_key(row.name) in others:
        return [
            Refusal(
                _("Turnauksessa on jo joukkue nimeltä %(name)s.") % {"name": row.name},
                code="name_taken",
            )
        ]
    return []


def _player_refusals(row: TeamRow, size: int) -> list[Refusal]:
    if row.remove:
        return []
    reasons = []
    if len(row.players) > size:
        reasons.append(
            Refusal(
                ngettext(
                    "Joukkueessa on enintään %(count)d pelaaja.",
                    "Joukkueessa on enintään %(count)d pelaajaa.",
                    size,
                )
                % {"count": size},
                code="too_many_players",
            )
        )
    if any(len(player) > LONGEST_NAME for player in row.players):
        reasons.append(
            Refusal(
                _("Pelaajan nimessä voi olla enintään %(count)d merkkiä.")
                % {"count": LONGEST_NAME},
                code="player_name_too_long",
            )
        )
    return reasons


def _free_names(rows: Sequence[TeamRow], existing: Mapping[int, Team]) -> None:
    """Take changing names out of the way, so that two teams can swap theirs."""
    for row in rows:
        if row.team_id and existing[row.team_id].name_key != name_key(row.name):
            Team.objects.filter(pk=row.team_id).update(name_key=f"\n{row.team_id}")


def _write(
    cup: Cup, row: TeamRow, existing: Mapping[int, Team], by: User | None
) -> Team:
    names = [*row.players, *[""] * (cup.players_per_team - len(row.players))]
    facts = {"name": row.name, "pot": row.pot, "players": names}
    team = existing[row.team_id] if row.team_id else Team(cup=cup)
    old = team_facts(team) if row.team_id else None
    if old == facts:
        return team
    team.name, team.name_key, team.pot = row.name, name_key(row.name), row.pot
    team.save()
    for position, name in enumerate(names, start=1):
        Player.objects.update_or_create(
            team=team, position=position, defaults={"name": name}
        )
    write_log(
        cup=cup,
        by=by,
        act="update_team" if old else "add_team",
        target=team.name,
        old=old,
        new=facts,
    )
    # The caller's next look at the players must not meet those fetched before.
    return Team.objects.get(pk=team.pk)


def _remove(cup: Cup, team: Team, by: User | None) -> None:
    write_log(cup=cup, by=by, act="remove_team", target=team.name, old=team_facts(team))
    Player.everyone.filter(team=team).delete()
    team.delete()
