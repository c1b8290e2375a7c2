from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from komppa.cup.models import Cup, Game
from komppa.sheets.models import DealEntry
from tests.factories import SIX_FOR_A, drawn_cup, play_out, record, sheet

pytestmark = pytest.mark.django_db

SOUND = "Johdetut tiedot vastaavat kirjattuja."


def check(*arguments) -> list[str]:
    """Return what it prints, with the refusal that ended it, if one did."""
    out = StringIO()
    try:
        call_command("check_derived", *arguments, stdout=out)
    except CommandError as error:
        out.write(str(error))
    return out.getvalue().splitlines()


@pytest.fixture
def cup():
    made = drawn_cup(slug="cup")
    games = list(made.games.order_by("number"))
    play_out(games[0], loser_sets=1)
    record(games[1], sheet(**SIX_FOR_A))
    return made


def test_check_derived_finds_nothing_after_play(cup):
    assert check() == [SOUND]


def test_check_derived_names_every_figure_that_differs(cup):
    Game.objects.filter(cup=cup, number=1).update(sets_b=0)
    Game.objects.filter(cup=cup, number=2).update(points_a=7, winner="B")

    assert check() == [
        "cup P1: sets_b 0, pitäisi olla 1",
        "cup P2: points_a 7, pitäisi olla 6",
        "cup P2: winner 'B', pitäisi olla ''",
        "cup P2: is_finished False, pitäisi olla True",
        "Kohteita, joiden tiedot eivät täsmää: 3",
    ]
    assert Game.objects.get(cup=cup, number=2).points_a == 7


@pytest.mark.database
def test_check_derived_rebuilds_when_asked_and_tells_the_listeners(cup):
    Game.objects.filter(cup=cup, number=2).update(points_a=7)
    revision = Cup.objects.get(pk=cup.pk).revision

    assert check("--rebuild") == ["cup P2: points_a 7, pitäisi olla 6", SOUND]

    assert Game.objects.get(cup=cup, number=2).points_a == 6
    assert Cup.objects.get(pk=cup.pk).revision == revision + 1
    assert check() == [SOUND]


def test_check_derived_cannot_mend_a_sheet_that_cannot_be_true(cup):
    entry = DealEntry.objects.get(game__cup=cup, game__number=2)
    DealEntry.objects.filter(pk=entry.pk).update(
        sheet={**entry.sheet, "mattis": {"A": 9, "B": 3}}
    )

    lines = check("--rebuild")

    assert [line.split(":")[0] for line in lines[:-1]] == ["cup P2"]
    assert lines[-1] == "Kohteita, joiden tiedot eivät täsmää: 1"


def test_check_derived_names_what_follows_for_games_and_cup(cup):
    Game.objects.filter(cup=cup, number=1).update(is_finished=False)
    Cup.objects.filter(pk=cup.pk).update(phase="finished")

    assert check() == [
        "cup P1: is_finished False, pitäisi olla True",
        "cup: phase 'finished', pitäisi olla 'groups'",
        "Kohteita, joiden tiedot eivät täsmää: 2",
    ]
    assert check("--rebuild")[-1] == SOUND
    assert Game.objects.get(cup=cup, number=1).is_finished
    assert check() == [SOUND]
