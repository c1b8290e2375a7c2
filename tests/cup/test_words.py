from __future__ import annotations

import ast
from pathlib import Path

import pytest

import komppa
from komppa.cup.models import Game, OrganiserLog, Team
from komppa.cup.words import (
    ACTS,
    RULESET_TEXTS,
    RULESET_TITLES,
    ChangedFact,
    act_name,
    changed_facts,
    game_state,
    game_teams,
)
from scoring.rulesets import RULESETS


def acts_in_the_code():
    """Return every act that some service writes to the log."""
    found = set()
    texts = (
        path.read_text(encoding="utf-8")
        for path in Path(komppa.__file__).parent.rglob("*.py")
        if not path.name.startswith("admin")
    )
    for text in texts:
        if "write_log(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.keyword) and node.arg == "act":
                found |= constants(node.value)
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "act":
                found |= constants(node.value)
    return found


def constants(node):
    return {
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


def line(old=None, new=None, target="x"):
    return list(changed_facts(OrganiserLog(old=old, new=new, target=target)))


def test_every_ruleset_is_explained():
    assert set(RULESET_TITLES) == set(RULESET_TEXTS) == set(RULESETS)


def test_every_act_of_the_log_has_a_name():
    assert acts_in_the_code() == set(ACTS)


def test_an_unknown_act_is_shown_as_it_stands():
    assert act_name("something_else") == "something_else"


def test_changed_facts_leave_out_what_stayed():
    facts = line(
        old={"name": "Vanha", "pot": 1, "players": ["Aino", ""]},
        new={"name": "Uusi", "pot": 1, "players": ["Aino", "Väinö"]},
    )

    assert facts == [
        ChangedFact("nimi", "Vanha", "Uusi"),
        ChangedFact("pelaajat", "Aino", "Aino, Väinö"),
    ]


def test_changed_facts_tell_a_cup_s_choices_in_words():
    facts = line(
        old={"corrected_foul": "free", "bronze_game": True, "ruleset": "kotipeli"},
        new={"corrected_foul": "counts", "bronze_game": False, "ruleset": "mökki"},
    )

    assert facts == [
        ChangedFact(
            "heti korjattu pelivirhe",
            "vain kirjataan: ei Porvoota eikä lasketa kolmeen",
            "ei Porvoota, mutta lasketaan kolmeen",
        ),
        ChangedFact("pronssipeli", "kyllä", "ei"),
        ChangedFact("säännöt", "Kotipeli", "mökki"),
    ]


def test_changed_facts_do_not_repeat_the_name_of_the_line():
    assert line(new={"name": "Ässät", "pot": None}, target="Ässät") == []


def test_changed_facts_tell_what_was_removed():
    assert line(old={"name": "Ässät", "pot": 2}, target="Ässät") == [
        ChangedFact("nimi", "Ässät", ""),
        ChangedFact("kori", "2", ""),
    ]


@pytest.mark.parametrize("junk", ["text", [1, 2], 7])
def test_changed_facts_of_other_json_are_none(junk):
    assert line(old=junk, new=junk) == []


def test_a_fact_without_a_name_is_shown_as_it_stands():
    assert line(new={"whatever": [1, 2]}) == [ChangedFact("whatever", "", "1, 2")]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({}, "Pelaamatta"),
        ({"deal_count": 3, "sets_a": 1}, "Käynnissä, erät 1–0"),
        ({"winner": "A", "sets_a": 2, "sets_b": 1}, "Päättyi 2–1"),
        (
            {"winner": "B", "ended_by": "fouls", "sets_a": 1},
            "Päättyi 1–0, kolme virhettä",
        ),
        ({"outcome": "annulled"}, "Mitätöity"),
    ],
)
def test_game_state_in_words(columns, expected):
    assert game_state(Game(**columns)) == expected


def test_game_teams_tells_of_a_team_not_known_yet():
    assert game_teams(Game(team_a=Team(name="Ässät"))) == "Ässät – ei vielä selvillä"
