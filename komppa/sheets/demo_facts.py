"""The facts of a demonstration cup, from a file or from a seed.

Facts are what people would have decided, dealt and written down; nothing derived
from them. All names are invented.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NotRequired, TypedDict

from komppa.cup.draw import MAX_GROUPS, DrawInput, draw_groups
from komppa.cup.schedule import ScheduledGame, assign_tables, group_games
from komppa.sheets.playing import play_game_within, shuffled
from scoring.rulesets import DEFAULT, RULESETS

NAME = "Demo: Komppa-cup"
SETS_TO_WIN = 2
DEALS = range(6, 21)

# 13 and 17: paired in turn they give 221 names, and neighbours share no word.
_ADJECTIVES = (
    *("Iloiset", "Kärsivälliset", "Salaperäiset", "Vikkelät", "Hiljaiset"),
    *("Sitkeät", "Onnekkaat", "Varovaiset", "Valppaat", "Lempeät", "Rohkeat"),
    *("Viekkaat", "Öiset"),
)
_NOUNS = (
    *("ässät", "kympit", "kuninkaat", "rouvat", "sotilaat", "valtit", "matit"),
    *("laistajat", "jakajat", "kyselijät", "pataseiskat", "puolikkaat"),
    *("ruutukasit", "herttaysit", "ristikuutoset", "pikkuvaltit", "tikinkerääjät"),
)
_FIRST_NAMES = (
    *("Aada", "Aarni", "Alli", "Eino", "Elna", "Helka", "Hilla", "Iiro", "Ilona"),
    *("Jalo", "Kerttu", "Lauha", "Lempi", "Manu", "Nuppu", "Oiva", "Otso", "Pihla"),
    *("Rauha", "Saimi", "Sulo", "Taimi", "Tyyne", "Urho", "Vappu", "Väinö", "Yrjänä"),
)
_SURNAMES = (
    *("Valttila", "Hertanen", "Ruutumo", "Patasuo", "Ristisalmi", "Tikkamaa"),
    *("Ässävuo", "Kymppiaho", "Laistola", "Mattijoki", "Jakovirta", "Pakkalampi"),
    *("Silmälä", "Rouvaharju", "Porvoonkoski", "Puolikas", "Eräranta", "Lehtipeli"),
)
MOST_TEAMS = len(_ADJECTIVES) * len(_NOUNS)


class TeamFacts(TypedDict):
    name: str
    players: list[str]


class RecordFacts(TypedDict):
    deal: int
    reason: str
    document: dict[str, object]


class GameFacts(TypedDict):
    number: int
    a: str
    b: str
    deals: list[dict[str, object]]
    records: NotRequired[list[RecordFacts]]
    """Of deals whose play was written down."""


class CupFacts(TypedDict):
    name: str
    ruleset: str
    tables: int
    groups: int
    draw_seed: str
    teams: list[TeamFacts]
    games: list[GameFacts]
    """Those that have begun, with their teams, so that a slip does not go unseen."""


def read_facts(path: Path) -> CupFacts:
    facts: CupFacts = json.loads(path.read_text(encoding="utf-8"))
    return facts


def write_facts(facts: CupFacts) -> str:
    """Return the facts as JSON, one line a team and a sheet."""
    head = [
        f" {_line(key)}: {_line(value)}"
        for key, value in facts.items()
        if key not in ("teams", "games")
    ]
    teams = ",\n".join(f"  {_line(team)}" for team in facts["teams"])
    games = ",\n".join(_game_lines(game) for game in facts["games"])
    parts = [*head, f' "teams": [\n{teams}\n ]', f' "games": [\n{games}\n ]']
    return "{\n" + ",\n".join(parts) + "\n}\n"


def generate_facts(*, teams: int, groups: int, seed: int) -> CupFacts:
    """Return a cup amid its group games; the same arguments give the same facts.

    Of every four groups one plays its last schedule round, two have played it, and
    one plays the round before. Raises ValueError for sizes that cannot be.
    """
    if not (1 <= groups <= MAX_GROUPS and 2 * groups <= teams <= MOST_TEAMS):
        raise ValueError(f"{teams} teams in {groups} groups")
    random = Random(f"{teams}/{groups}/{seed}")
    names = _team_names(random, teams)
    people = iter(_people(random))
    draw_seed = f"{int(random.random() * 2**48):012x}"
    plan = group_games(
        draw_groups(DrawInput(tuple(range(teams)), (), groups), draw_seed)
    )
    return CupFacts(
        name=NAME,
        ruleset=DEFAULT,
        tables=teams // 2,
        groups=groups,
        draw_seed=draw_seed,
        teams=[
            TeamFacts(name=name, players=[next(people), next(people)]) for name in names
        ],
        games=[
            GameFacts(
                number=number,
                a=names[game.a],
                b=names[game.b],
                deals=_deals(f"{seed}/{number}", share),
            )
            for number, game, share in _begun(plan, teams // 2, random)
        ],
    )


def _team_names(random: Random, count: int) -> list[str]:
    adjectives, nouns = shuffled(random, _ADJECTIVES), shuffled(random, _NOUNS)
    return [
        f"{adjectives[index % len(adjectives)]} {nouns[index % len(nouns)]}"
        for index in range(count)
    ]


def _people(random: Random) -> list[str]:
    names = [f"{first} {last}" for first in _FIRST_NAMES for last in _SURNAMES]
    return shuffled(random, names)


def _begun(
    plan: tuple[ScheduledGame[int], ...], tables: int, random: Random
) -> Iterator[tuple[int, ScheduledGame[int], float]]:
    """Yield the games that have begun, each with how much of it is played."""
    busy = set()
    for number, (game, table) in enumerate(
        zip(plan, assign_tables(plan, tables), strict=True), start=1
    ):
        rounds_after = _last_round(plan, game.group_index) - game.schedule_round
        rounds_behind = (0, -1, -1, 1)[game.group_index % 4]
        if rounds_after > rounds_behind:
            yield number, game, 1.0
        elif rounds_after == rounds_behind and table not in busy:
            busy.add(table)
            yield number, game, 0.2 + 0.6 * random.random()


def _last_round(plan: tuple[ScheduledGame[int], ...], group_index: int) -> int:
    return max(g.schedule_round for g in plan if g.group_index == group_index)


def _deals(seed: str, share: float) -> list[dict[str, object]]:
    game = play_game_within(RULESETS[DEFAULT], SETS_TO_WIN, seed, DEALS)
    sheets = [sheet.to_json() for sheet, _ in game]
    return sheets[: max(1, int(share * len(sheets)))]


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _game_lines(game: GameFacts) -> str:
    rows = ("deals", "records")
    begins = {key: value for key, value in game.items() if key not in rows}
    lists = "".join(
        f', "{key}": [\n{_rows(value)}\n  ]'
        for key in rows
        if isinstance(value := game.get(key), list)
    )
    return f"  {_line(begins)[:-1]}{lists}}}"


def _rows(values: Iterable[object]) -> str:
    return ",\n".join(f"   {_line(value)}" for value in values)
