from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from itertools import accumulate

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from komppa.cup.choices import Outcome
from komppa.cup.models import (
    Cup,
    Draw,
    Game,
    Group,
    OrganiserLog,
    PlayingTable,
    Team,
)
from komppa.errors import Refusal
from komppa.sheets.demo import FIXTURE, replay
from komppa.sheets.demo_facts import (
    MOST_TEAMS,
    generate_facts,
    read_facts,
    write_facts,
)
from komppa.sheets.models import DealEntry
from komppa.sheets.services import remove_demo_cup
from scoring.rulesets import ruleset
from scoring.sheet import DealSheet
from tests.cup.brackets import made_bracket
from tests.factories import drawn_cup, end, record
from tests.serving import manage

SEED_7 = "54d8930b3bf319bb574019397287a5023ade76aff93dbb60229f5f7100ad8c61"


def demo(*arguments) -> str:
    out = StringIO()
    call_command("demo", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_demo_of_a_slug_in_use_is_refused_and_changes_nothing():
    drawn_cup(slug="demo")

    with pytest.raises(CommandError) as refused:
        demo()

    assert str(refused.value) == (
        "Turnaus osoitteessa ”demo” on jo olemassa. Anna uudelle toinen osoite "
        "(--slug demo-2) tai poista entinen ensin (--remove)."
    )
    assert Cup.objects.count() == 1


@pytest.mark.parametrize(
    ("slug", "sentence"),
    [
        ("admin", "slug: Osoite ”admin” on varattu sivuston omaan käyttöön."),
        ("Ä x", "slug: Anna lyhytnimi joka koostuu"),
        ("", "slug: Tämä kenttä ei voi olla tyhjä."),
    ],
)
@pytest.mark.django_db
def test_demo_of_a_slug_that_will_not_do_is_refused_in_a_line(slug, sentence):
    with pytest.raises(CommandError) as refused:
        demo("--slug", slug)

    assert str(refused.value).startswith(sentence)
    assert len(str(refused.value).splitlines()) == 1
    assert Cup.objects.count() == 0


@pytest.mark.django_db
def test_invented_demos_find_an_address_and_a_name_beside_the_first():
    size = ("--teams", "4", "--groups", "2", "--seed", "7")

    said = [demo(*size) for _time in range(3)]

    assert said == [
        "Demo: Komppa-cup: /demo/\n",
        "Demo 2: Komppa-cup: /demo-2/\n",
        "Demo 3: Komppa-cup: /demo-3/\n",
    ]
    first, *others = Cup.objects.order_by("pk")
    assert {tuple(cup.teams.values_list("name", flat=True)) for cup in others} == {
        tuple(first.teams.values_list("name", flat=True))
    }


@pytest.mark.database
@pytest.mark.django_db
def test_replay_of_facts_that_do_not_fit_leaves_nothing_behind():
    facts = generate_facts(teams=4, groups=2, seed=1)
    facts["games"][-1]["a"] = "Väärä joukkue"

    with pytest.raises(ValueError, match="not as in"):
        replay(facts)

    assert (Cup.objects.count(), DealEntry.objects.count()) == (0, 0)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_replay_lets_others_write_between_games():
    facts = generate_facts(teams=6, groups=2, seed=1)
    seen = []

    def others_turn(seconds):
        cup = Cup.objects.get()
        # Another connection sees only what is committed, and may write.
        with ThreadPoolExecutor(1) as pool:
            seen.append((seconds, *pool.submit(written_beside, cup.pk).result(10)))

    replay(facts, pause=0.25, sleep=others_turn)

    counts = [len(game["deals"]) for game in facts["games"]]
    assert len(counts) > 1
    assert seen == [(0.25, True, played) for played in accumulate([0, *counts[:-1]])]


def written_beside(cup_id):
    """Write to the cup as another process would; return whether it is a demo."""
    try:
        Cup.objects.filter(pk=cup_id).update(place="Otaniemi")
        is_demo = Cup.objects.get(pk=cup_id).is_demo
        return is_demo, DealEntry.objects.filter(game__cup=cup_id).count()
    finally:
        connection.close()


@pytest.mark.database
@pytest.mark.django_db
def test_a_demo_that_was_killed_halfway_can_be_removed(monkeypatch):
    facts = generate_facts(teams=6, groups=2, seed=1)

    def killed(_seconds):
        if DealEntry.objects.exists():
            raise KeyboardInterrupt

    # Killed outright it has no time to tidy up after itself.
    monkeypatch.setattr("komppa.sheets.demo.remove_demo_cup", lambda **_facts: None)
    with pytest.raises(KeyboardInterrupt):
        replay(facts, sleep=killed)
    assert DealEntry.objects.count() == len(facts["games"][0]["deals"])

    assert demo("--remove") == "Demo: Komppa-cup on poistettu.\n"
    assert (Cup.objects.count(), DealEntry.objects.count()) == (0, 0)


@pytest.mark.database
@pytest.mark.django_db
def test_demo_remove_takes_the_demo_with_all_that_is_in_it_and_logs_it():
    real = drawn_cup(slug="real", teams=4)
    record(real.games.first())
    kept = {model: model.objects.count() for model in (Team, Game, Group, DealEntry)}
    assert demo("--teams", "6", "--groups", "2", "--slug", "x") == (
        "Demo: Komppa-cup: /x/\n"
    )

    assert demo("--remove", "--slug", "x") == "Demo: Komppa-cup on poistettu.\n"

    assert [cup.slug for cup in Cup.objects.all()] == ["real"]
    assert {model: model.objects.count() for model in kept} == kept
    assert PlayingTable.objects.exclude(cup=real).count() == 0
    assert Draw.objects.exclude(cup=real).count() == 0
    log = OrganiserLog.objects.exclude(cup=real)
    assert [(row.cup, row.act, row.target) for row in log] == [
        (None, "remove_demo_cup", "Demo: Komppa-cup")
    ]


@pytest.mark.django_db
def test_demo_remove_tells_the_listeners_once_it_is_gone(
    django_capture_on_commit_callbacks, monkeypatch
):
    cup = replay(generate_facts(teams=4, groups=2, seed=1))
    heard = []
    monkeypatch.setattr(
        "komppa.announce._listeners", [lambda *change: heard.append(change)]
    )

    with django_capture_on_commit_callbacks(execute=True):
        remove_demo_cup(cup=cup, by=None)

    assert heard == [(cup.pk, cup.revision + 1)]


@pytest.mark.django_db
def test_demo_remove_refuses_a_real_cup():
    cup = drawn_cup(slug="real", name="Komppa-cup 2026")

    with pytest.raises(Refusal) as refused:
        remove_demo_cup(cup=cup, by=None)
    with pytest.raises(CommandError, match="Komppa-cup 2026 ei ole esittelyturnaus"):
        demo("--remove", "--slug", "real")

    assert refused.value.code == "not_a_demo"
    assert Cup.objects.get() == cup
    assert cup.games.count() == 6


@pytest.mark.django_db
def test_demo_remove_of_no_cup_is_refused():
    with pytest.raises(CommandError, match=r"^Turnausta osoitteessa ”demo” ei ole\.$"):
        demo("--remove")


def test_demo_facts_are_the_same_on_any_machine(tmp_path):
    arguments = ["demo", "--teams", "8", "--groups", "2", "--seed", "7", "--facts"]
    hashed = [
        manage(*arguments, data=tmp_path, PYTHONHASHSEED=seed).stdout
        for seed in ("1", "2")
    ]
    here = write_facts(generate_facts(teams=8, groups=2, seed=7))

    assert hashed == [here, here]


def test_demo_facts_differ_by_seed():
    seeds = [generate_facts(teams=4, groups=2, seed=seed) for seed in (1, 2)]

    assert seeds[0]["teams"] != seeds[1]["teams"]
    assert seeds[0]["games"] != seeds[1]["games"]


def test_demo_of_seed_0_is_another_than_of_seed_1():
    zero, one, untold = (
        demo("--teams", "4", "--groups", "2", "--facts", *seed)
        for seed in (("--seed", "0"), ("--seed", "1"), ())
    )

    assert zero == write_facts(generate_facts(teams=4, groups=2, seed=0))
    assert (zero == one, untold == one) == (False, True)


@pytest.mark.parametrize(
    ("arguments", "size"),
    [
        (("--teams", "0"), "0 joukkuetta ja 4 lohkoa"),
        (("--groups", "0"), "16 joukkuetta ja 0 lohkoa"),
        (("--teams", "-8", "--groups", "-2"), "-8 joukkuetta ja -2 lohkoa"),
        (("--teams", "7"), "7 joukkuetta ja 4 lohkoa"),
        (("--teams", "222", "--seed", "1"), "222 joukkuetta ja 4 lohkoa"),
    ],
)
def test_demo_of_an_impossible_size_is_refused_in_a_sentence(arguments, size):
    with pytest.raises(CommandError) as refused:
        demo(*arguments, "--facts")

    assert str(refused.value) == (
        f"{size} ei käy: lohkoja on 1–26, joukkueita enintään 221 ja jokaisessa "
        "lohkossa vähintään kaksi."
    )


def test_demo_facts_of_a_seed_never_change():
    text = write_facts(generate_facts(teams=24, groups=6, seed=7))

    assert hashlib.sha256(text.encode()).hexdigest() == SEED_7


@pytest.mark.parametrize(
    ("teams", "groups"), [(4, 1), (6, 3), (14, 4), (16, 4), (24, 6), (11, 2)]
)
def test_demo_facts_of_any_size_are_valid_sheets(teams, groups):
    facts = generate_facts(teams=teams, groups=groups, seed=1)

    assert len({team["name"] for team in facts["teams"]}) == teams
    people = [name for team in facts["teams"] for name in team["players"]]
    assert len(set(people)) == 2 * teams
    rules = ruleset(facts["ruleset"])
    for game in facts["games"]:
        for deal in game["deals"]:
            assert DealSheet.from_json(deal, rules).to_json() == deal


@pytest.mark.parametrize(
    ("teams", "groups"), [(3, 2), (4, 0), (0, 0), (MOST_TEAMS + 1, 4), (60, 27)]
)
def test_demo_facts_of_impossible_sizes_are_refused(teams, groups):
    with pytest.raises(ValueError, match=f"{teams} teams in {groups} groups"):
        generate_facts(teams=teams, groups=groups, seed=1)


def test_written_facts_read_back_with_a_line_for_each_sheet(tmp_path):
    facts = generate_facts(teams=6, groups=2, seed=3)
    path = tmp_path / "demo.json"
    path.write_text(write_facts(facts), encoding="utf-8")

    assert read_facts(path) == facts
    sheets = sum(len(game["deals"]) for game in facts["games"])
    assert len(path.read_text(encoding="utf-8").splitlines()) == (
        11 + 6 + 2 * len(facts["games"]) + sheets
    )


def test_the_fixture_is_written_as_facts_are_written():
    text = FIXTURE.read_text(encoding="utf-8")

    assert write_facts(json.loads(text)) == text


@pytest.mark.database
@pytest.mark.django_db
def test_demo_remove_takes_games_that_come_from_other_games():
    cup = replay(generate_facts(teams=4, groups=2, seed=1))
    for game in cup.games.filter(is_finished=False):
        end(game, Outcome.WALKOVER_A)
    made_bracket(cup)
    assert cup.games.filter(winner_of_a__isnull=False).count() == 1

    remove_demo_cup(cup=cup, by=None)

    assert Game.objects.count() == 0
