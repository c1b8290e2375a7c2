"""What the organiser's front pages tell: where a cup stands and what needs him."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from komppa.cup import queries
from komppa.cup.access import SCOREKEEPERS
from komppa.cup.choices import DrawStatus, Visibility
from komppa.cup.draw import group_name
from komppa.cup.models import Cup, Draw, Lot, OrganiserLog, Player, Team
from komppa.cup.qualifying import next_best
from komppa.cup.queries import GroupStanding
from komppa.cup.queues import clashes_of, queues_of
from komppa.cup.words import ChangedFact, act_name, changed_facts
from komppa.words import listing

MOST_LISTED = 12
SETTLING_ACTS = ("confirm_draw", "discard_draw", "cancel_draw", "replace_draw")


@dataclass(frozen=True, slots=True)
class Counts:
    """Figures of a cup that the steps and tasks are told with."""

    teams: int
    nameless_players: int
    groups: int
    outside: int
    """Teams in no group."""
    games: int
    in_play: int
    finished: int
    scorekeepers: int
    has_draft: bool
    to_confirm: tuple[int, ...]
    """The numbers of games won whose result some team has not confirmed."""

    @property
    def unplayed(self) -> int:
        return self.games - self.in_play - self.finished


@dataclass(frozen=True, slots=True)
class Step:
    title: str
    url: str
    state: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class Task:
    """Something that waits for the organiser."""

    text: str
    button: str
    url: str


@dataclass(frozen=True, slots=True)
class LogLine:
    line: OrganiserLog
    act: str
    facts: tuple[ChangedFact, ...]


@dataclass(frozen=True, slots=True)
class CupOverview:
    cup: Cup
    state: str


@dataclass(frozen=True, slots=True)
class DrawRecord:
    """A draw with names in place of ids, and who settled it."""

    draw: Draw
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    """The letter and the teams of each."""
    settled_by: str


@dataclass(frozen=True, slots=True)
class LotRecord:
    lot: Lot
    names: tuple[str, ...]
    is_used: bool
    """Whether it still settles a tie; a correction may have removed it (R9.5)."""


def counts_of(cup: Cup) -> Counts:
    games = cup.games.aggregate(
        all=Count("pk"),
        finished=Count("pk", filter=_finished()),
        in_play=Count("pk", filter=Q(deal_count__gt=0) & ~_finished()),
    )
    teams = cup.teams.filter(withdrawn=False).aggregate(
        all=Count("pk"), outside=Count("pk", filter=Q(membership__isnull=True))
    )
    return Counts(
        teams=teams["all"],
        nameless_players=Player.objects.filter(team__cup=cup, name="").count(),
        groups=cup.groups.count(),
        outside=teams["outside"],
        games=games["all"],
        in_play=games["in_play"],
        finished=games["finished"],
        scorekeepers=scorekeepers().filter(is_active=True).count(),
        has_draft=cup.draws.filter(status=DrawStatus.DRAFT).exists(),
        to_confirm=tuple(queries.results_to_confirm(cup)),
    )


def steps(cup: Cup, counts: Counts) -> list[Step]:
    """Return the four things to do, in order, with how far each is."""
    return [
        Step(
            _("Joukkueet"),
            reverse("admin:cup_teams", args=[cup.pk]),
            _teams_state(counts),
            counts.teams >= 2,
        ),
        Step(
            _("Arvonta"),
            reverse("admin:cup_draw", args=[cup.pk]),
            _draw_state(counts),
            counts.groups > 0 and not counts.has_draft and not counts.outside,
        ),
        Step(
            _("Pelit"),
            reverse("admin:cup_games", args=[cup.pk]),
            _games_state(counts),
            counts.games > 0,
        ),
        Step(
            _("Kirjaajat"),
            people_url(cup),
            _scorekeepers_state(counts),
            counts.scorekeepers > 0,
        ),
    ]


def tasks(cup: Cup, counts: Counts, ties: Sequence[GroupStanding]) -> list[Task]:
    """Return what needs the organiser now, the most urgent first."""
    teams, draw, games, people = (step.url for step in steps(cup, counts))
    lots = reverse("admin:cup_lots", args=[cup.pk])
    found = [
        Task(
            _("Tasatilanne lohkossa %(group)s: %(teams)s. Järjestys ratkeaa arvalla.")
            % {"group": standing.group.name, "teams": listing([t.name for t in tied])},
            _("Vedä arpa"),
            lots,
        )
        for standing in ties
        for tied in standing.lots_needed
    ]
    found += _clash_tasks(cup) if counts.in_play > 1 else []
    if counts.teams < 2:
        text = _("Turnauksessa ei ole vielä joukkueita.")
        found.append(Task(text, _("Kirjoita joukkueet"), teams))
    elif counts.has_draft:
        text = _("Arvonta odottaa, että vahvistat tai hylkäät sen.")
        found.append(Task(text, _("Katso arvontaa"), draw))
    elif not counts.groups:
        text = _("Joukkueita ei ole vielä arvottu lohkoihin.")
        found.append(Task(text, _("Arvo lohkot"), draw))
    elif counts.outside:
        text = ngettext(
            "%(count)d joukkue on lisätty arvonnan jälkeen eikä ole lohkossa.",
            "%(count)d joukkuetta on lisätty arvonnan jälkeen eikä ole lohkossa.",
            counts.outside,
        ) % {"count": counts.outside}
        late = reverse("admin:late_team", args=[cup.pk])
        has_begun = counts.in_play or counts.finished
        found.append(
            Task(text, _("Lisää lohkoon"), late)
            if has_begun
            else Task(text, _("Arvo uudelleen"), draw)
        )
    elif not counts.games:
        text = _("Lohkot on arvottu, mutta pelejä ei ole vielä tehty.")
        found.append(Task(text, _("Tee pelit"), games))
    elif not counts.scorekeepers and counts.finished < counts.games:
        text = _("Kirjaajia ei ole vielä. Tee tunnus jokaiselle, joka kirjaa jakoja.")
        found.append(Task(text, _("Tee tunnukset"), people))
    if counts.to_confirm and cup.visibility != Visibility.ARCHIVED:
        url = reverse("sheets:cup", args=[cup.slug])
        found.append(Task(_to_confirm(cup, counts), _("Jakopöytäkirjat"), url))
    if cup.visibility == Visibility.DRAFT:
        text = _("Turnaus on luonnos: muut kuin järjestäjät eivät näe sitä.")
        url = reverse("admin:cup_cup_change", args=[cup.pk])
        found.append(Task(text, _("Muuta näkyvyyttä"), url))
    return found


def cups_overview() -> list[CupOverview]:
    """Return every cup, current first, with its state in a few words."""
    cups = Cup.objects.annotate(
        team_count=Count("teams", distinct=True),
        game_count=Count("games", distinct=True),
        finished_count=Count("games", distinct=True, filter=_finished("games__")),
    )
    rows = [CupOverview(cup, _overview(cup)) for cup in cups]
    return sorted(rows, key=lambda row: row.cup.visibility == Visibility.ARCHIVED)


def latest_log(cup: Cup | None = None, *, count: int) -> list[LogLine]:
    lines = OrganiserLog.objects.select_related("cup", "by")
    if cup is not None:
        lines = lines.filter(cup=cup)
    return told_log(lines[:count])


def told_log(lines: Iterable[OrganiserLog]) -> list[LogLine]:
    return [
        LogLine(line, act_name(line.act), tuple(changed_facts(line))) for line in lines
    ]


def scorekeepers() -> QuerySet[User]:
    return User.objects.filter(
        groups__name=SCOREKEEPERS, is_staff=False, is_superuser=False
    ).order_by("username")


def people_url(cup: Cup) -> str:
    """Return the page of scorekeepers as one of the cup's own pages."""
    return f"{reverse('admin:auth_user_changelist')}?cup={cup.pk}"


def draw_records(cup: Cup) -> list[DrawRecord]:
    """Return the cup's draws, the newest first."""
    names = dict(cup.teams.values_list("pk", "name"))
    settled_by = dict(
        cup.log.filter(act__in=SETTLING_ACTS)
        .order_by("pk")
        .values_list("target", "by__username")
    )
    gone = _("(poistettu joukkue)")
    return [
        DrawRecord(
            draw,
            tuple(
                (group_name(index), tuple(names.get(pk, gone) for pk in team_ids))
                for index, team_ids in enumerate(draw.result)
            ),
            settled_by.get(f"#{draw.pk}") or "",
        )
        for draw in cup.draws.select_related("drawn_by")
    ]


def lot_records(cup: Cup, standings: Sequence[GroupStanding]) -> list[LotRecord]:
    """Return the cup's lots, the newest first, those that settle nothing included."""
    names = dict(Team.objects.filter(cup=cup).values_list("pk", "name"))
    in_use = {pk for standing in standings for pk in standing.lots_in_use}
    if (following := next_best(cup, standings)) is not None:
        in_use |= following.lots_in_use
    lots = cup.lots.select_related("group", "drawn_by")
    return [
        LotRecord(lot, tuple(names[pk] for pk in lot.order), lot.pk in in_use)
        for lot in lots.order_by("-pk")
    ]


def groups_with_teams(cup: Cup) -> list[tuple[str, tuple[str, ...]]]:
    groups = cup.groups.prefetch_related(  # type: ignore[misc]
        Prefetch("memberships", to_attr="members"), "members__team"
    )
    return [(g.name, tuple(m.team.name for m in g.members)) for g in groups]


def ties_of(cup: Cup) -> list[GroupStanding]:
    """Return the standings in which a lot is needed."""
    return [s for s in queries.group_standings(cup) if s.lots_needed]


def _clash_tasks(cup: Cup) -> list[Task]:
    return [
        Task(
            _("%(team)s pelaa kahta peliä yhtä aikaa: %(one)s ja %(other)s.")
            % {"team": clash.team.name, "one": clash.games[0], "other": clash.games[1]},
            _("Katso peliä"),
            reverse("admin:cup_game", args=[cup.pk, clash.games[1].number]),
        )
        for clash in clashes_of(queues_of(cup))
        if clash.is_in_play
    ]


def _to_confirm(cup: Cup, counts: Counts) -> str:
    """Say which results wait for the teams, each with a way to its sheet."""
    count = len(counts.to_confirm)
    text = ngettext(
        "%(count)d tulos odottaa joukkueiden vahvistusta:",
        "%(count)d tulosta odottaa joukkueiden vahvistusta:",
        count,
    ) % {"count": count}
    links = format_html_join(
        ", ",
        '<a href="{}">P{}</a>',
        (
            (reverse("sheets:sheet", args=[cup.slug, number]), number)
            for number in counts.to_confirm[:MOST_LISTED]
        ),
    )
    return format_html("{} {}{}", text, links, " …" if count > MOST_LISTED else "")


def _finished(prefix: str = "") -> Q:
    return Q(**{f"{prefix}is_finished": True})


def _teams_state(counts: Counts) -> str:
    state = ngettext("%(count)d joukkue", "%(count)d joukkuetta", counts.teams) % {
        "count": counts.teams
    }
    if counts.teams and counts.nameless_players:
        state += "; " + ngettext(
            "%(count)d pelaajan nimi puuttuu",
            "%(count)d pelaajan nimet puuttuvat",
            counts.nameless_players,
        ) % {"count": counts.nameless_players}
    return state if counts.teams else _("Ei vielä joukkueita")


def _draw_state(counts: Counts) -> str:
    if counts.has_draft:
        return _("Arvonta odottaa vahvistusta")
    if not counts.groups:
        return _("Ei vielä arvottu")
    return ngettext("%(count)d lohko", "%(count)d lohkoa", counts.groups) % {
        "count": counts.groups
    }


def _games_state(counts: Counts) -> str:
    if not counts.games:
        return _("Ei vielä pelejä")
    return ngettext(
        "%(games)d peli: %(finished)d pelattu, %(in_play)d käynnissä, "
        "%(unplayed)d pelaamatta",
        "%(games)d peliä: %(finished)d pelattu, %(in_play)d käynnissä, "
        "%(unplayed)d pelaamatta",
        counts.games,
    ) % {
        "games": counts.games,
        "finished": counts.finished,
        "in_play": counts.in_play,
        "unplayed": counts.unplayed,
    }


def _scorekeepers_state(counts: Counts) -> str:
    if not counts.scorekeepers:
        return _("Ei vielä kirjaajia; järjestäjä voi kirjata itsekin")
    return ngettext(
        "%(count)d kirjaajan tunnus",
        "%(count)d kirjaajan tunnusta",
        counts.scorekeepers,
    ) % {"count": counts.scorekeepers}


def _overview(cup: Cup) -> str:
    if cup.game_count:  # type: ignore[attr-defined]
        return _("%(teams)d joukkuetta, %(finished)d/%(games)d peliä pelattu") % {
            "teams": cup.team_count,  # type: ignore[attr-defined]
            "finished": cup.finished_count,  # type: ignore[attr-defined]
            "games": cup.game_count,  # type: ignore[attr-defined]
        }
    return ngettext("%(count)d joukkue", "%(count)d joukkuetta", cup.team_count) % {  # type: ignore[attr-defined]
        "count": cup.team_count  # type: ignore[attr-defined]
    }
