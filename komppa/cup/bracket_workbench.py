"""What the organiser's pages tell of the bracket: to be made, played, put right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from komppa.cup.bracket import BracketGame, GroupRank, Slot, Stage, WinnerOf, stage_of
from komppa.cup.bracket_offers import (
    GroupTie,
    Offer,
    group_ties,
    offer_of,
    open_games,
)
from komppa.cup.choices import Visibility
from komppa.cup.knockout import GameState
from komppa.cup.models import Cup, Game, Team
from komppa.cup.qualifying import (
    NextBest,
    bracket_games,
    champion_of,
    final_of,
    has_begun,
    knockout_of,
    next_best,
    taken_places,
)
from komppa.cup.queries import GroupStanding, games_of, group_standings, has_bracket
from komppa.cup.words_of_bracket import (
    STAGE_TITLES,
    is_from_group,
    loser_name,
    next_best_tie,
    source_name,
    winner_name,
)
from komppa.cup.words_of_games import state_words
from komppa.cup.workbench import Step, Task
from komppa.words import default_names, listing
from scoring.sides import Side


@dataclass(frozen=True, slots=True)
class Place:
    """A side of a game: the team, or where it will come from."""

    side: Side
    team: str
    """Empty until it is known."""
    source: str
    """”A1”; empty where the team was named for good."""
    is_from_group: bool
    can_be_named: bool
    """Whether the organiser has to say who plays here, or has said so."""

    @property
    def letter(self) -> str:
        """As it stands in an address."""
        return self.side.lower()


@dataclass(frozen=True, slots=True)
class BracketRow:
    game: Game
    a: Place
    b: Place
    state: str
    in_conflict: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    game: Game
    sentences: tuple[str, ...]
    """For each side that is wrong, who played and who would belong there."""


@dataclass(frozen=True, slots=True)
class Annulled:
    game: Game
    replay: Game
    can_cancel: bool


@dataclass(frozen=True, slots=True)
class Board:
    """A bracket that has been made."""

    stages: tuple[tuple[str, tuple[BracketRow, ...]], ...]
    conflicts: tuple[Conflict, ...]
    unnamed: tuple[tuple[Game, Place, str], ...]
    """Places whose own team plays elsewhere, with a sentence that says so."""
    ties: tuple[GroupTie, ...]
    """Ties that a later correction has made, and that leave a place open."""
    ties_across: tuple[tuple[Team, ...], ...]
    annulled: tuple[Annulled, ...]
    next_best: NextBest | None
    champion: str
    has_begun: bool
    finished: int
    games: int


@dataclass(frozen=True, slots=True)
class GroupProgress:
    name: str
    sentence: str
    is_complete: bool


@dataclass(frozen=True, slots=True)
class PlannedGame:
    number: int
    """The number that it will be called by."""
    a: str
    b: str


def bracket_now(cup: Cup) -> Offer | Board:
    """Return the bracket as it is played, or as it could be made."""
    return board_of(cup) if has_bracket(cup) else offer_of(cup)


def board_of(cup: Cup) -> Board:
    standings = group_standings(cup)
    games = list(bracket_games(cup).order_by("bracket_round", "order", "number"))
    states = knockout_of(cup, games, standings)
    taken = taken_places(cup, games, standings)
    names = dict(cup.teams.values_list("pk", "name"))
    following = next_best(cup, standings)
    final = final_of(games)
    last_round = (final.bracket_round or 0) if final else 0
    rows = [_row(cup, game, states[game.pk], names, taken) for game in games]
    annulled = tuple(_annulled(cup, games))
    champion = champion_of(games, states)
    return Board(
        stages=tuple(_by_stage(rows, last_round)),
        conflicts=tuple(
            Conflict(game, tuple(_conflict(cup, game, states[game.pk], names)))
            for game in games
            if states[game.pk].in_conflict
        ),
        unnamed=tuple(_unnamed(rows, taken, names)),
        ties=tuple(group_ties(cup, standings)),
        ties_across=following.lots_needed if following else (),
        annulled=annulled,
        next_best=following,
        champion=names[champion] if champion else "",
        has_begun=bool(annulled) or any(has_begun(game) for game in games),
        finished=sum(states[game.pk].is_over for game in games),
        games=len(games),
    )


def progress_of(offer: Offer) -> list[GroupProgress]:
    """Return what each group still lacks, in words."""
    return [_progress(standing) for standing in offer.standings]


def planned_stages(cup: Cup, offer: Offer) -> list[tuple[str, tuple[PlannedGame, ...]]]:
    """Return the games that would be made, in their order, under their titles."""
    if offer.bracket is None:
        return []
    last = cup.games.order_by("-number").values_list("number", flat=True).first() or 0

    def told(slot: Slot) -> str:
        if isinstance(slot, GroupRank):
            qualifier = offer.qualifiers[slot]
            return f"{qualifier.source} {qualifier.team}"
        game = f"P{last + slot.game}"
        name = winner_name if isinstance(slot, WinnerOf) else loser_name
        return name(game)

    def title(game: BracketGame) -> str:
        return str(STAGE_TITLES[game.stage])

    return [
        (
            stage,
            tuple(PlannedGame(last + g.number, told(g.a), told(g.b)) for g in games),
        )
        for stage, games in groupby(offer.bracket.games, key=title)
    ]


def byes_told(offer: Offer) -> str:
    """Return who need not play in the first bracket round, empty if everybody does."""
    if offer.bracket is None or not offer.bracket.byes:
        return ""
    teams = [offer.qualifiers[rank] for rank in offer.bracket.byes]
    return listing([f"{team.source} {team.team}" for team in teams])


def bracket_step(cup: Cup, now: Offer | Board) -> Step:
    """Return the last of the things to do, with how far it is."""
    is_done = isinstance(now, Board) and bool(now.champion)
    url = reverse("admin:cup_bracket", args=[cup.pk])
    return Step(_("Jatkopelit"), url, _step_state(now), is_done)


def bracket_tasks(cup: Cup, now: Offer | Board) -> list[Task]:
    """Return what of the bracket needs the organiser, the most urgent first."""
    url = reverse("admin:cup_bracket", args=[cup.pk])
    if isinstance(now, Board):
        return [*_board_tasks(cup, now), *_tie_tasks(now, url)]
    found = _tie_tasks(now, url)
    if now.bracket and cup.visibility != Visibility.ARCHIVED:
        text = _("Lohkot ovat valmiit. Tee jatkopelit.")
        found.append(Task(text, _("Tee jatkopelit"), url))
    return found


def _board_tasks(cup: Cup, board: Board) -> Iterator[Task]:
    for conflict in board.conflicts:
        number = conflict.game.number
        text = _("Peli %(game)s on ristiriidassa: %(reason)s") % {
            "game": conflict.game,
            "reason": " ".join(conflict.sentences),
        }
        url = reverse("admin:game_conflict", args=[cup.pk, number])
        yield Task(text, _("Ratkaise ristiriita"), url)
    for game, place, sentence in board.unnamed:
        url = reverse("admin:name_team", args=[cup.pk, game.number, place.letter])
        yield Task(sentence, _("Valitse joukkue"), url)


def _tie_tasks(now: Offer | Board, url: str) -> list[Task]:
    """Return the ties between groups; those inside one are among the other tasks."""
    rank = now.next_best.rank if now.next_best else 0
    return [
        Task(next_best_tie(rank, tied), _("Vedä arpa"), url) for tied in now.ties_across
    ]


def _step_state(now: Offer | Board) -> str:
    if isinstance(now, Offer):
        if now.bracket:
            return _("Lohkot ovat valmiit")
        return _("Tehdään, kun lohkot on pelattu")
    if now.champion:
        return _("Mestari: %(team)s") % {"team": now.champion}
    return ngettext(
        "%(finished)d/%(games)d peli pelattu",
        "%(finished)d/%(games)d peliä pelattu",
        now.games,
    ) % {"finished": now.finished, "games": now.games}


def _progress(standing: GroupStanding) -> GroupProgress:
    name = standing.group.name
    if standing.is_complete:
        return GroupProgress(name, _("Kaikki pelit on pelattu."), True)
    waiting = open_games(standing)
    if not waiting:
        return GroupProgress(name, _("Lohkon pelejä ei ole vielä tehty."), False)
    sentence = ngettext(
        "Kesken on %(count)d peli: %(games)s.",
        "Kesken on %(count)d peliä: %(games)s.",
        len(waiting),
    ) % {"count": len(waiting), "games": listing([str(game) for game in waiting])}
    return GroupProgress(name, sentence, False)


def _row(
    cup: Cup,
    game: Game,
    state: GameState,
    names: Mapping[int, str],
    taken: Mapping[tuple[int, Side], int],
) -> BracketRow:
    def place(side: Side) -> Place:
        source = source_name(game, side.lower(), cup)
        is_named = not has_begun(game) and not source
        return Place(
            side=side,
            team=names.get(state.teams[side] or 0, ""),
            source=source,
            is_from_group=is_from_group(game, side.lower()),
            can_be_named=is_named or (game.pk, side) in taken,
        )

    told = _("Ristiriidassa") if state.in_conflict else state_words(game, cup)
    return BracketRow(game, place(Side.A), place(Side.B), told, state.in_conflict)


def _by_stage(
    rows: Sequence[BracketRow], last_round: int
) -> Iterator[tuple[str, tuple[BracketRow, ...]]]:
    def stage(row: BracketRow) -> Stage:
        game = row.game
        return stage_of(game.bracket_round or 0, game.bracket_position or 0, last_round)

    for found, of_stage in groupby(rows, key=stage):
        yield str(STAGE_TITLES[found]), tuple(of_stage)


def _conflict(
    cup: Cup, game: Game, state: GameState, names: Mapping[int, str]
) -> Iterator[str]:
    for side in state.conflicts:
        played, slot = state.teams[side], state.slots[side]
        source = source_name(game, side.lower(), cup)
        facts = {
            "played": names.get(played or 0, "–"),
            "team": names.get(slot.team or 0, ""),
            "place": source or default_names()[side],
        }
        if slot.team:
            text = _("%(played)s pelasi, mutta %(place)s on nyt %(team)s.")
        elif slot.is_settled:
            text = _("%(played)s pelasi, mutta paikkaan %(place)s ei tule ketään.")
        else:
            text = _("%(played)s pelasi, mutta %(place)s ei ole enää selvillä.")
        yield text % facts


def _unnamed(
    rows: Sequence[BracketRow],
    taken: Mapping[tuple[int, Side], int],
    names: Mapping[int, str],
) -> Iterator[tuple[Game, Place, str]]:
    for row in rows:
        for place in (row.a, row.b):
            team = taken.get((row.game.pk, place.side))
            if team is None:
                continue
            sentence = _(
                "Pelistä %(game)s puuttuu joukkue: %(place)s on %(team)s, jonka paikka "
                "on vahvistettu toiseen peliin."
            ) % {"game": row.game, "place": place.source, "team": names[team]}
            yield row.game, place, sentence


def _annulled(cup: Cup, games: Sequence[Game]) -> Iterator[Annulled]:
    """Yield the bracket games annulled, each with the one played in its stead."""
    unbegun = {game.pk for game in games if not has_begun(game)}
    replays = games_of(cup).filter(bracket_round__isnull=False)
    for replay in replays.select_related("replays__team_a", "replays__team_b"):
        if (old := replay.replays) is not None:
            yield Annulled(old, replay, can_cancel=replay.pk in unbegun)
