"""How fast the rules are: one JSON object a line, no options.

    python3.11 bench.py

Each value is the median of several runs, in milliseconds or in deals a second.
``us_per_item`` is the time over the deals or games of it: where it stays level, the
time grows linearly.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from statistics import median
from time import perf_counter

from scoring.cards import PACK
from scoring.compact import count_playouts, playouts
from scoring.game import fold
from scoring.replay import replay
from scoring.rulesets import ruleset
from scoring.sheet import DealSheet
from scoring.sides import Pair, Side
from scoring.standings import GameResult, standings
from scoring.suits import Suit
from scoring.tricks import legal

RUNS = 7
SETS_TO_WIN = 9
TURNS = 1000
REPLAYS, PLAYOUTS = 100, 5000


def main() -> None:
    """Measure everything and print as it comes."""
    for deals in (30, 300):
        report(f"fold_{deals}_deals", fold_deals(deals), "deals", deals)
    for teams in (8, 50, 100, 200):
        games = list(played_games(teams))
        report(
            f"standings_{teams}_teams",
            order_group(teams, games),
            "games",
            len(games),
            teams=teams,
        )
    level = list(level_games(200))
    report(
        "standings_200_teams_level",
        order_group(200, level),
        "games",
        len(level),
        teams=200,
    )
    report(f"legal_{TURNS}_turns", legal_turns(), "turns", TURNS)
    report_rate("replay", replay_deals(REPLAYS), REPLAYS)
    report_rate("playout", lambda: count_playouts(PLAYOUTS, Random(7).random), PLAYOUTS)


def report(
    name: str, work: Callable[[], object], items: str, count: int, **more: int
) -> None:
    times = [timed(work) for _ in range(RUNS)]
    milliseconds = median(times) * 1000
    line = {
        "name": name,
        "value": round(milliseconds, 3),
        "unit": "ms",
        **more,
        items: count,
        "us_per_item": round(milliseconds * 1000 / count, 2),
        "runs": RUNS,
    }
    print(json.dumps(line), flush=True)


def report_rate(name: str, work: Callable[[], object], deals: int) -> None:
    """Print how many whole deals, card by card, are done in a second on one core."""
    seconds = median(timed(work) for _ in range(RUNS))
    line = {
        "name": name,
        "value": round(deals / seconds),
        "unit": "deals/s",
        "deals": deals,
        "runs": RUNS,
    }
    print(json.dumps(line), flush=True)


def timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def fold_deals(count: int) -> Callable[[], object]:
    """Return the folding of a game that goes on however many deals are played.

    Each team gets 7 points in every other deal: 7, then 14, which drops to 7.
    """
    all_to_a = DealSheet(
        last_trick=Side.A,
        mattis=Pair(4, 4),
        pips=Pair(18, 18),
        aces=Pair(3, 1),
        trump=Side.A,
        small_trumps=Pair(3, 0),
    )
    all_to_b = DealSheet(
        last_trick=Side.B,
        mattis=Pair(1, 7),
        trump=Side.B,
        small_trumps=Pair(0, 3),
    )
    sheets = [(all_to_a, all_to_b)[i % 2] for i in range(count)]
    rules = ruleset()
    state = fold(sheets, rules, SETS_TO_WIN)
    if (len(state.deals), state.points, state.winner) != (count, Pair(7, 7), None):
        raise SystemExit(f"not the game that was meant: {state}")
    return lambda: fold(sheets, rules, SETS_TO_WIN)


def played_games(teams: int) -> Iterator[GameResult[int]]:
    """Yield one game of each pair, best of three sets, by a fixed seed."""
    random = Random(teams)
    for a, b in combinations(range(teams), 2):
        won, lost = 2, int(random.random() < 0.5)
        if random.random() < 0.5:
            yield GameResult(a, b, won, lost, Side.A)
        else:
            yield GameResult(a, b, lost, won, Side.B)


def level_games(teams: int) -> Iterator[GameResult[int]]:
    """Yield one game of each pair that leaves all teams in one tied set."""
    for a, b in combinations(range(teams), 2):
        yield GameResult(a, b, 0, 0, None)


def order_group(teams: int, games: list[GameResult[int]]) -> Callable[[], object]:
    return lambda: standings(range(teams), games)


def legal_turns() -> Callable[[], object]:
    """Return the reading of many turns in the middle of a deal."""
    random = Random(36)
    deals = [random.sample(PACK, k=8) for _ in range(TURNS)]
    trumps = [random.choice(list(Suit)) for _ in range(TURNS)]

    def read_all() -> None:
        for i, (cards, trump) in enumerate(zip(deals, trumps, strict=True)):
            legal(cards[3:], cards[: i % 4], trump=trump, trick_number=5)

    return read_all


def replay_deals(count: int) -> Callable[[], object]:
    """Return the replaying of recorded deals, every card and act judged."""
    deals = list(playouts(count, Random(7).random))
    return lambda: [replay(deal) for deal in deals]


if __name__ == "__main__":
    main()
