"""Every write that puts a game right: annulled, played again, confirmed as played.

A bracket game is in *conflict* when others played it than its sources say now (see
``knockout``). The organiser either annuls it and has it played again by the right
teams, or confirms that those who played belong there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils.translation import gettext as _

from komppa.cup.changes import changing, needed_reason, write_log
from komppa.cup.choices import Outcome
from komppa.cup.knockout import GameState
from komppa.cup.models import Cup, Game, GameSeat, Team
from komppa.cup.qualifying import (
    bracket_games,
    final_of,
    has_begun,
    knockout_of,
    taken_places,
)
from komppa.cup.queries import games_of, group_standings
from komppa.cup.services_games import outcome_facts, refuse_archived
from komppa.cup.words_of_bracket import source_name
from komppa.errors import Refusal
from komppa.words import listing
from scoring.sides import Side

SOURCES = ("source_team", "source_group", "source_rank", "source_best")
FEEDERS = ("winner_of", "loser_of")
_FEEDING = tuple(f"{name}_{side}" for name in FEEDERS for side in "ab")


def annul_game(*, game: Game, by: User | None, reason: str, replay: bool) -> Game:
    """Annul a game; return the new game that is played in its stead, or the old.

    The old one keeps its teams and deals. A bracket game is always played again,
    since the next ones wait for it.
    """
    reason = needed_reason(reason)
    with changing(game.cup) as locked:
        fresh = _fetched(locked, game)
        _refuse_annulling(fresh, replay=replay)
        return _annul(locked, fresh, by, reason, replay=replay)


def annul_and_replay(*, game: Game, by: User | None, reason: str) -> Game:
    """Annul a bracket game that is in conflict; return the game played in its stead."""
    reason = needed_reason(reason)
    with changing(game.cup) as locked:
        fresh = _fetched(locked, game)
        _refuse_annulling(fresh, replay=True)
        _conflict(fresh, knockout_of(locked))
        return _annul(locked, fresh, by, reason, replay=True)


def cancel_annulment(*, game: Game, by: User | None, reason: str) -> None:
    """Let an annulled game count again; what was to be played in its stead goes."""
    reason = needed_reason(reason)
    with changing(game.cup) as locked:
        fresh = _fetched(locked, game)
        if fresh.outcome != Outcome.ANNULLED:
            raise Refusal(_("Peliä ei ole mitätöity."), code="not_annulled")
        replay = games_of(locked).filter(replays=fresh).first()
        if replay is not None:
            if _is_begun(replay):
                raise Refusal(
                    _(
                        "Mitätöintiä ei voi enää perua: uutta peliä %(game)s on jo "
                        "pelattu."
                    )
                    % {"game": replay},
                    code="replay_begun",
                )
            _rewire(locked, replay, fresh)
            GameSeat.objects.filter(game=replay).delete()
            replay.delete()
        old = outcome_facts(fresh)
        fresh.outcome = _outcome_before(fresh)
        fresh.save(update_fields=["outcome"])
        write_log(
            cup=locked,
            by=by,
            act="cancel_annulment",
            target=str(fresh),
            old={**old, "replay": str(replay) if replay else None},
            new=outcome_facts(fresh),
            reason=reason,
            game=fresh,
        )


def confirm_conflict(*, game: Game, by: User | None, reason: str) -> None:
    """Let those who played a game in conflict have their places in it for good.

    Where one of them was going to play in another place by now, the team that the
    game's source speaks of plays there instead.
    """
    reason = needed_reason(reason)
    with changing(game.cup) as locked:
        fresh = _fetched(locked, game)
        games = list(bracket_games(locked))
        states = knockout_of(locked, games)
        state = _conflict(fresh, states)
        doubles = _in_two_places(games, states)
        names = dict(locked.teams.values_list("pk", "name"))
        old: dict[str, Any] = {}
        new: dict[str, Any] = {}
        for side in state.conflicts:
            played, meant = state.teams[side], state.slots[side]
            if played is None or not meant.is_settled:
                raise Refusal(_not_confirmable(played), code="source_open")
            fact, instead = f"team_{side.lower()}", _left_without(state, side)
            old[fact], new[fact] = _source_told(locked, fresh, side), names[played]
            _name(fresh, side, played)
            other = _other_place(fresh, side, played, games, states)
            if other and instead is not None:
                old[str(other[0])], new[str(other[0])] = names[played], names[instead]
                _name(*other, instead)
        _refuse_two_places(locked, doubles)
        write_log(
            cup=locked,
            by=by,
            act="confirm_conflict",
            target=str(fresh),
            old=old,
            new=new,
            reason=reason,
            game=fresh,
        )


def name_team(
    *, game: Game, side: Side, team: Team, by: User | None, reason: str
) -> None:
    """Say who plays in a place of the bracket whose own team plays elsewhere.

    Such a place is left by a confirmed game; and whom he named, he may name anew.
    """
    reason = needed_reason(reason)
    with changing(game.cup) as locked:
        fresh = _fetched(locked, game)
        games = list(bracket_games(locked))
        states = knockout_of(locked, games)
        if not _is_nameable(locked, fresh, side, games):
            raise Refusal(
                _("Tähän paikkaan ei voi enää nimetä joukkuetta. Tarkista tilanne."),
                code="not_nameable",
            )
        chosen = locked.teams.filter(pk=team.pk, withdrawn=False).first()
        if chosen is None:
            raise Refusal(
                _("%(team)s on vetäytynyt turnauksesta.") % {"team": team.name},
                code="team_withdrawn",
            )
        fact = f"team_{side.lower()}"
        if _waits(chosen.pk, states, apart_from=(fresh.pk, side)):
            raise _two_places([chosen.name])
        old = _source_told(locked, fresh, side)
        doubles = _in_two_places(games, states)
        _name(fresh, side, chosen.pk)
        _refuse_two_places(locked, doubles)
        write_log(
            cup=locked,
            by=by,
            act="name_team",
            target=str(fresh),
            old={fact: old},
            new={fact: chosen.name},
            reason=reason,
            game=fresh,
        )


def _fetched(cup: Cup, game: Game) -> Game:
    refuse_archived(cup)
    list(cup.games.select_for_update().order_by("pk").values_list("pk"))
    fresh = games_of(cup).filter(pk=game.pk).first()
    if fresh is None:
        raise Refusal(
            _("Tätä peliä ei enää ole: pelit on tehty uudelleen."), code="game_gone"
        )
    return fresh


def _is_begun(game: Game) -> bool:
    return bool(game.outcome) or game.deal_entries.exists()


def _refuse_annulling(game: Game, *, replay: bool) -> None:
    if game.outcome == Outcome.ANNULLED:
        raise Refusal(_("Peli on jo mitätöity."), code="already_annulled")
    if game.bracket_round is not None and not replay:
        raise Refusal(
            _(
                "Jatkopeliä ei jätetä mitätöidyksi, koska sen on ratkettava. Pelauta "
                "se uudelleen."
            ),
            code="bracket_needs_replay",
        )
    if replay and not _is_begun(game):
        raise Refusal(
            _("Peliä ei ole vielä pelattu, joten sitä ei pelata uudelleen."),
            code="not_begun",
        )


def _annul(cup: Cup, game: Game, by: User | None, reason: str, *, replay: bool) -> Game:
    old = outcome_facts(game)
    new_game = _replay_of(cup, game) if replay else None
    game.outcome = Outcome.ANNULLED
    game.save(update_fields=["outcome"])
    if new_game:
        _rewire(cup, game, new_game)
    write_log(
        cup=cup,
        by=by,
        act="annul_game",
        target=str(game),
        old=old,
        new={**outcome_facts(game), "replay": str(new_game) if new_game else None},
        reason=reason,
        game=game,
    )
    return new_game or game


def _replay_of(cup: Cup, game: Game) -> Game:
    """Make the same game once more; in the bracket, for whoever belongs in it now."""
    if game.bracket_round is not None and not _leads_on(cup, game):
        raise Refusal(
            _(
                "Tämän pelin voittajan paikalla pelaava joukkue on jo vahvistettu, "
                "joten uusi peli ei veisi ketään eteenpäin."
            ),
            code="leads_nowhere",
        )
    last = cup.games.aggregate(number=Max("number"))["number"]
    columns = [
        *(f"{name}_{side}" for name in (*SOURCES, *FEEDERS) for side in "ab"),
        *("group", "schedule_round", "sets_to_win", "playing_table", "order"),
        *("bracket_round", "bracket_position"),
    ]
    facts = {name: getattr(game, name) for name in columns}
    if game.group_id is not None:
        facts |= {"team_a": game.team_a, "team_b": game.team_b}
    return Game.objects.create(cup=cup, number=last + 1, replays=game, **facts)


def _leads_on(cup: Cup, game: Game) -> bool:
    """Return whether somebody comes from the game, or it is among the last."""
    final = final_of(list(bracket_games(cup)))
    if final and game.bracket_round == final.bracket_round:
        return True
    return any(cup.games.filter(**{name: game}).exists() for name in _FEEDING)


def _rewire(cup: Cup, old: Game, new: Game) -> None:
    """Let the later games come from the new game instead of the old."""
    for name in _FEEDING:
        cup.games.filter(**{name: old}).update(**{name: new})


def _outcome_before(game: Game) -> str:
    """Return what the game's outcome was when it was annulled."""
    line = game.log.filter(act="annul_game").first()
    return (line.old or {}).get("outcome", "") if line else Outcome.PLAYED


def _conflict(game: Game, states: Mapping[int, GameState]) -> GameState:
    state = states.get(game.pk)
    if state is None or not state.in_conflict:
        raise Refusal(_("Peli ei ole enää ristiriidassa."), code="no_conflict")
    return state


def _not_confirmable(played: int | None) -> str:
    if played is None:
        return _("Pelissä ei ollut kahta joukkuetta, joten sitä ei voi vahvistaa.")
    return _(
        "Vielä ei tiedetä, kuka peliin kuuluisi: sitä ennen ratkeaa aiempi peli tai "
        "lohko. Jos sama joukkue pääsee siitä eteenpäin, ristiriita poistuu itsestään."
    )


def _left_without(state: GameState, side: Side) -> int | None:
    """Return who belongs where ``side`` has been played, and has no place by that."""
    meant = state.slots[side].team
    # The two may have changed places with each other, too.
    if meant == state.teams[side.other] and side.other in state.conflicts:
        meant = state.slots[side.other].team
    return meant


def _source_told(cup: Cup, game: Game, side: Side) -> str:
    named: Team | None = getattr(game, f"source_team_{side.lower()}")
    return named.name if named else source_name(game, side.lower(), cup)


def _other_place(
    game: Game,
    side: Side,
    team: int,
    games: list[Game],
    states: Mapping[int, GameState],
) -> tuple[Game, Side] | None:
    """Return the place not yet played in that the team would have besides this one.

    One that it has won its way to is its own, and no place to give to another.
    """
    feeder = _feeder(game, side)
    for other in games:
        if has_begun(other):
            continue
        for other_side in Side:
            is_here = states[other.pk].slots[other_side].team == team
            if is_here and _feeder(other, other_side) == feeder:
                return other, other_side
    return None


def _feeder(game: Game, side: Side) -> int | None:
    """Return the game that a side comes from, None for one from the groups."""
    ids = (getattr(game, f"{name}_{side.lower()}_id") for name in FEEDERS)
    return next((pk for pk in ids if pk is not None), None)


def _name(game: Game, side: Side, team: int) -> None:
    """Make the team the side's source, in place of whatever it was."""
    suffix = side.lower()
    columns = [f"{name}_{suffix}" for name in (*SOURCES, *FEEDERS)]
    values = {**dict.fromkeys(columns), f"source_team_{suffix}": team}
    Game.objects.filter(pk=game.pk).update(**values)


def _is_nameable(cup: Cup, game: Game, side: Side, games: list[Game]) -> bool:
    found = next((g for g in games if g.pk == game.pk), None)
    if found is None or has_begun(found):
        return False
    if getattr(found, f"source_team_{side.lower()}_id") is not None:
        return True
    return (game.pk, side) in taken_places(cup, games, group_standings(cup))


def _refuse_two_places(cup: Cup, doubles_before: set[int]) -> None:
    """Refuse what would let somebody play in two places, or twice on one level."""
    games = list(bracket_games(cup))
    found = _in_two_places(games, knockout_of(cup, games)) - doubles_before
    if found:
        raise _two_places(cup.teams.filter(pk__in=found).values_list("name", flat=True))


def _two_places(names: Iterable[str]) -> Refusal:
    return Refusal(
        _(
            "%(team)s olisi jatkopeleissä kahdessa paikassa. Mitätöi peli ja pelauta "
            "se uudelleen, tai valitse toinen joukkue."
        )
        % {"team": listing(sorted(names))},
        code="two_places",
    )


def _waits(
    team: int, states: Mapping[int, GameState], *, apart_from: tuple[int, Side]
) -> bool:
    """Return whether the team has a game to play, other than in the place itself."""
    return any(
        state.teams[side] == team
        for pk, state in states.items()
        for side in Side
        if not (state.is_over or state.in_conflict) and (pk, side) != apart_from
    )


def _in_two_places(games: list[Game], states: Mapping[int, GameState]) -> set[int]:
    waiting: Counter[int] = Counter()
    on_level: Counter[tuple[int | None, int]] = Counter()
    for game in games:
        state = states[game.pk]
        if state.in_conflict:
            continue
        for team in (state.teams.a, state.teams.b):
            if team is not None:
                waiting[team] += not state.is_over
                on_level[game.bracket_round, team] += 1
    return {team for team, count in waiting.items() if count > 1} | {
        team for (_level, team), count in on_level.items() if count > 1
    }
