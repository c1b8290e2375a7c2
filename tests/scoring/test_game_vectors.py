"""Whole games with known figures, deal by deal (vectors/games.json)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.game_document import answer

VECTORS = Path(__file__).parent.parent / "vectors" / "games.json"
CASES = json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]


def only(figures, wanted):
    """Cut an answer to the figures that are wanted, at every depth."""
    if isinstance(wanted, dict):
        return {key: only(figures[key], value) for key, value in wanted.items()}
    if isinstance(wanted, list):
        return [only(*both) for both in zip(figures, wanted, strict=True)]
    return figures


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_game_gives_the_known_figures(case):
    state, refused = answer(case["in"])

    assert refused is False
    assert only(state, case["out"]) == case["out"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_points_are_the_sum_of_their_parts(case):
    state, _ = answer(case["in"])

    for deal in state["deals"]:
        assert deal["points"] == {
            side: sum(parts.values()) for side, parts in deal["parts"].items()
        }
