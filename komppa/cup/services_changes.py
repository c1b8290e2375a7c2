"""Every write to teams and players after the draw: what an evening brings with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.contrib.auth.models import User
from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from komppa.cup.changes import changing, needed_reason, write_log
from komppa.cup.choices import WithdrawnGamesChoice
from komppa.cup.models import (
    Cup,
    Game,
    GameSeat,
    Group,
    GroupMembership,
    Player,
    PlayingTable,
    Team,
    name_key,
)
from komppa.cup.queries import has_bracket
from komppa.cup.services_games import refuse_archived
from komppa.cup.services_teams import (
    LONGEST_NAME,
    RowsRefused,
    TeamRow,
    refused_rows,
)
from komppa.errors import Refusal


def withdraw_team(*, team: Team, by: User | None, reason: str) -> None:
    """Let a team leave the cup; everything else follows from that alone (R9.10)."""
    reason = needed_reason(reason)
    with changing(team.cup) as locked:
        refuse_archived(locked)
        fresh = _fetched(locked, team)
        if fresh.withdrawn:
            raise Refusal(
                _("%(team)s on jo vetäytynyt.") % {"team": fresh.name},
                code="already_withdrawn",
            )
        _write_withdrawn(locked, fresh, True)
        write_log(
            cup=locked, by=by, act="withdraw_team", target=fresh.name, reason=reason
        )


def cancel_withdrawal(*, team: Team, by: User | None, reason: str) -> None:
    """Let a team come back, its games as they would be had it never left."""
    reason = needed_reason(reason)
    with changing(team.cup) as locked:
        refuse_archived(locked)
        fresh = _fetched(locked, team)
        if not fresh.withdrawn:
            raise Refusal(
                _("%(team)s ei ole vetäytynyt.") % {"team": fresh.name},
                code="not_withdrawn",
            )
        _write_withdrawn(locked, fresh, False)
        # Whoever joined the group in the meantime has yet to meet it.
        games = _make_missing_games(locked, fresh)
        write_log(
            cup=locked,
            by=by,
            act="cancel_withdrawal",
            target=fresh.name,
            new={"games": len(games)} if games else None,
            reason=reason,
        )


def add_team_to_group(
    *,
    group: Group,
    name: str,
    players: Sequence[str] = (),
    by: User | None,
    reason: str,
) -> Team:
    """Enter a new team after the draw, with its games.

    Raises RowsRefused with every reason that its row gives.
    """
    reason = needed_reason(reason)
    with changing(group.cup) as locked:
        fresh = _open_group(locked, group)
        team = _new_team(locked, name, players)
        _join(locked, fresh, team, by, reason)
    return team


def place_team_in_group(
    *, group: Group, team: Team, by: User | None, reason: str
) -> None:
    """Put into a group a team that was entered after the draw, with its games."""
    reason = needed_reason(reason)
    with changing(group.cup) as locked:
        fresh = _open_group(locked, group)
        late = _fetched(locked, team)
        if GroupMembership.objects.filter(team=late).exists():
            raise Refusal(
                _("%(team)s on jo lohkossa.") % {"team": late.name},
                code="in_a_group",
            )
        _join(locked, fresh, late, by, reason)


def rename_team(*, team: Team, name: str, by: User | None, reason: str) -> None:
    reason = needed_reason(reason)
    with changing(team.cup) as locked:
        refuse_archived(locked)
        fresh = _fetched(locked, team)
        old, name = fresh.name, _tidied(name)
        if name == old:
            raise Refusal(_("Nimi on jo tämä."), code="nothing_changed")
        row = TeamRow(1, name, pot=fresh.pot, team_id=fresh.pk)
        if refusals := refused_rows(cup=locked, rows=[row]).get(1):
            raise refusals[0]
        fresh.name, fresh.name_key = name, name_key(name)
        fresh.save(update_fields=["name", "name_key"])
        write_log(
            cup=locked,
            by=by,
            act="rename_team",
            target=name,
            old={"name": old},
            new={"name": name},
            reason=reason,
        )


def replace_player(
    *, player: Player, name: str, by: User | None, reason: str
) -> Player:
    """Let another play from now on.

    Games that have begun keep who sat in them, one in play included.
    """
    reason = needed_reason(reason)
    with changing(player.team.cup) as locked:
        refuse_archived(locked)
        old = Player.objects.filter(pk=player.pk, team__cup=locked).first()
        if old is None:
            raise Refusal(
                _("Tämä pelaaja on jo vaihdettu. Tarkista joukkueen pelaajat."),
                code="player_gone",
            )
        name = _player_name(name, old)
        old.left_at = timezone.now()
        old.save(update_fields=["left_at"])
        new = Player.objects.create(team=old.team, position=old.position, name=name)
        GameSeat.objects.filter(player=old, game__deal_count=0).update(player=new)
        write_log(
            cup=locked,
            by=by,
            act="replace_player",
            target=old.team.name,
            old={"player": old.name},
            new={"player": new.name},
            reason=reason,
        )
    return new


def _fetched(cup: Cup, team: Team) -> Team:
    fresh = cup.teams.filter(pk=team.pk).first()
    if fresh is None:
        raise Refusal(
            _("Joukkue on sillä välin poistettu turnauksesta."), code="team_gone"
        )
    return fresh


def _write_withdrawn(cup: Cup, team: Team, withdrawn: bool) -> None:
    team.withdrawn = withdrawn
    team.save(update_fields=["withdrawn"])


def _open_group(cup: Cup, group: Group) -> Group:
    """Return the group as it is under the lock, refused if nobody can join it."""
    refuse_archived(cup)
    fresh = cup.groups.filter(pk=group.pk).first()
    if fresh is None:
        raise Refusal(
            _("Tätä lohkoa ei enää ole: lohkot on arvottu uudelleen."),
            code="group_gone",
        )
    if has_bracket(cup):
        raise Refusal(
            _("Jatkopelit on jo tehty, joten lohkoon ei voi enää lisätä joukkuetta."),
            code="bracket_exists",
        )
    return fresh


def _new_team(cup: Cup, name: str, players: Sequence[str]) -> Team:
    row = TeamRow(1, _tidied(name), tuple(_tidied(player) for player in players))
    # Play has begun, or there would be no need for this.
    refusals = [
        refusal
        for refusal in refused_rows(cup=cup, rows=[row]).get(1, ())
        if refusal.code != "play_started"
    ]
    if refusals:
        raise RowsRefused({1: refusals})
    team = Team.objects.create(cup=cup, name=row.name, name_key=name_key(row.name))
    names = [*row.players, *[""] * (cup.players_per_team - len(row.players))]
    Player.objects.bulk_create(
        Player(team=team, position=position, name=player)
        for position, player in enumerate(names, start=1)
    )
    return team


def _join(cup: Cup, group: Group, team: Team, by: User | None, reason: str) -> None:
    if team.withdrawn:
        raise Refusal(
            _("%(team)s on jo vetäytynyt.") % {"team": team.name},
            code="already_withdrawn",
        )
    last = group.memberships.aggregate(last=Max("position"))["last"]
    GroupMembership.objects.create(group=group, team=team, position=(last or 0) + 1)
    games = _make_missing_games(cup, team)
    write_log(
        cup=cup,
        by=by,
        act="add_team_to_group",
        target=team.name,
        new={
            "group": group.name,
            "players": [player.name for player in team.players.all()],
            "games": len(games),
        },
        reason=reason,
    )


def _make_missing_games(cup: Cup, team: Team) -> list[Game]:
    """Make the team's games against those of its group whom it has no game with.

    Before the games of the groups are made there are none to add to, and under a
    bracket no group is opened again.
    """
    membership = GroupMembership.objects.filter(team=team).first()
    if membership is None or not cup.games.exists() or has_bracket(cup):
        return []
    group, opponents = membership.group, _not_met(cup, membership)
    last = cup.games.aggregate(number=Max("number"), order=Max("order"))
    latest = group.games.aggregate(latest=Max("schedule_round"))["latest"] or 0
    tables = _least_loaded(cup)
    made = []
    for index, other in enumerate(opponents, start=1):
        a, b = (team, other) if index % 2 else (other, team)
        made.append(
            Game(
                cup=cup,
                number=last["number"] + index,
                order=last["order"] + index,
                group=group,
                schedule_round=latest + index,
                sets_to_win=cup.sets_to_win,
                playing_table=next(tables, None),
                team_a=a,
                source_team_a=a,
                team_b=b,
                source_team_b=b,
            )
        )
    return Game.objects.bulk_create(made)


def _not_met(cup: Cup, membership: GroupMembership) -> list[Team]:
    team, group = membership.team_id, membership.group
    own = group.games.filter(Q(team_a=team) | Q(team_b=team))
    met = {pk for pair in own.values_list("team_a", "team_b") for pk in pair}
    # Where the games of those who left are walkovers, a newcomer has one as well.
    walkovers = cup.withdrawn_games == WithdrawnGamesChoice.WALKOVER
    return [
        other.team
        for other in group.memberships.exclude(team=team).select_related("team")
        if other.team_id not in met and (walkovers or not other.team.withdrawn)
    ]


def _least_loaded(cup: Cup) -> Iterator[PlayingTable]:
    """Yield the table with the fewest games to play, counting those just given."""
    tables = list(
        cup.playing_tables.annotate(
            waiting=Count("games", filter=Q(games__is_finished=False))
        ).order_by("number")
    )
    load = {table.pk: table.waiting for table in tables}
    while tables:
        table = min(tables, key=lambda table: load[table.pk])
        load[table.pk] += 1
        yield table


def _player_name(name: str, old: Player) -> str:
    name = _tidied(name)
    if not any(sign.isprintable() and not sign.isspace() for sign in name):
        raise Refusal(_("Anna uuden pelaajan nimi."), code="player_name_missing")
    if len(name) > LONGEST_NAME:
        raise Refusal(
            _("Pelaajan nimessä voi olla enintään %(count)d merkkiä.")
            % {"count": LONGEST_NAME},
            code="player_name_too_long",
        )
    if name_key(name) == name_key(old.name):
        raise Refusal(
            _("%(player)s pelaa joukkueessa jo.") % {"player": old.name},
            code="nothing_changed",
        )
    return name


def _tidied(name: str) -> str:
    return " ".join(name.split())
