"""Each constraint of the database violated once, behind the back of the services."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from komppa.cup.choices import DrawStatus
from komppa.cup.models import (
    Cup,
    Draw,
    Game,
    GameSeat,
    Group,
    GroupMembership,
    Player,
    PlayingTable,
    Team,
    name_key,
)
from komppa.sheets.models import Confirmation, DealEntry, DealRecord, TableKey
from scoring.rulesets import RULESETS
from scoring.sides import Pair, Side
from tests.factories import (
    CupFactory,
    TeamFactory,
    UserFactory,
    drawn_cup,
    record,
    sheet,
)

pytestmark = pytest.mark.django_db

KEY = "7f6f2f50-3a38-4f27-9d0c-0f6d58f8a6a1"


def change_cup(cup, **columns):
    Cup.objects.filter(pk=cup.pk).update(**columns)


def change_game(cup, **columns):
    Game.objects.filter(pk=cup.games.first().pk).update(**columns)


def add_draw(cup, status):
    Draw.objects.create(
        cup=cup, input={}, algorithm="a", seed="1", result=[], status=status
    )


def add_two_drafts(cup):
    add_draw(cup, DrawStatus.DRAFT)
    add_draw(cup, DrawStatus.DRAFT)


def sit(cup, *places):
    game = cup.games.first()
    players = list(game.team_a.players.all())
    for seat, number in places:
        GameSeat.objects.create(game=game, seat=seat, player=players[number])


def entry(cup, **columns):
    facts = {"number": 1, "version": 1, "key": KEY, "sheet": None}
    DealEntry.objects.create(game=cup.games.first(), **{**facts, **columns})


def agree_twice(cup):
    game = cup.games.first()
    for _time in range(2):
        Confirmation.objects.create(game=game, team=game.team_a, number=1, version=1)


def key_of_a_table(cup):
    table = cup.playing_tables.first()
    return TableKey.objects.create(playing_table=table, key_hash="a")


def enter_as_two(cup):
    entry(cup, entered_by=UserFactory(), table_key=key_of_a_table(cup))


def agree_as_two(cup):
    game = cup.games.first()
    Confirmation.objects.create(
        game=game,
        team=game.team_a,
        number=1,
        version=1,
        confirmed_by=UserFactory(),
        table_key=key_of_a_table(cup),
    )


def attach(cup, **columns):
    facts = {"number": 1, "version": 1, "document": {}, "reason": "Riita"}
    DealRecord.objects.create(game=cup.games.first(), **{**facts, **columns})


BREAKS = {
    "cup_sets_to_win_1_to_9": lambda cup: change_cup(cup, sets_to_win=10),
    "cup_qualifiers_positive": lambda cup: change_cup(cup, qualifiers_per_group=0),
    "cup_drop_below_target": lambda cup: change_cup(cup, drop_to=12),
    "cup_one_or_two_players": lambda cup: change_cup(cup, players_per_team=3),
    "team_name_unique_in_cup": lambda cup: Team.objects.create(
        cup=cup, name="x", name_key=cup.teams.first().name_key
    ),
    "team_has_a_name": lambda cup: Team.objects.create(cup=cup, name="x", name_key=""),
    "player_position_unique_in_team": lambda cup: Player.objects.create(
        team=cup.teams.first(), position=1, name="x"
    ),
    "player_position_from_one": lambda cup: Player.objects.create(
        team=cup.teams.first(), position=0, name="x"
    ),
    "draw_one_draft_in_cup": add_two_drafts,
    "draw_one_confirmed_in_cup": lambda cup: add_draw(cup, DrawStatus.CONFIRMED),
    "group_name_unique_in_cup": lambda cup: Group.objects.create(cup=cup, name="A"),
    "membership_position_unique": lambda cup: GroupMembership.objects.create(
        group=cup.groups.get(), team=TeamFactory(cup=cup), position=1
    ),
    "playing_table_number_unique_in_cup": lambda cup: PlayingTable.objects.create(
        cup=cup, number=1
    ),
    "playing_table_number_from_one": lambda cup: PlayingTable.objects.create(
        cup=cup, number=0
    ),
    "game_number_unique_in_cup": lambda cup: change_game(cup, number=2),
    "game_number_from_one": lambda cup: change_game(cup, number=0),
    "game_sets_to_win_1_to_9": lambda cup: change_game(cup, sets_to_win=0),
    "game_two_different_teams": lambda cup: change_game(
        cup, team_b=cup.games.first().team_a
    ),
    "game_winner_is_a_side": lambda cup: change_game(cup, winner="C"),
    "game_outcome_known": lambda cup: change_game(cup, outcome="rain"),
    "game_one_source_a": lambda cup: change_game(cup, source_team_a=None),
    "game_one_source_b": lambda cup: change_game(cup, winner_of_b=cup.games.last()),
    "game_in_a_group_or_the_bracket": lambda cup: change_game(cup, group=None),
    "seat_taken_once": lambda cup: sit(cup, ("A1", 0), ("A1", 1)),
    "seat_player_sits_once": lambda cup: sit(cup, ("A1", 0), ("A2", 0)),
    "deal_version_unique": lambda cup: [
        entry(cup),
        entry(cup, key="00000000-0000-0000-0000-000000000001"),
    ],
    "deal_key_unique": lambda cup: [entry(cup), entry(cup, number=2)],
    "deal_counts_from_one": lambda cup: entry(cup, version=0),
    "deal_by_a_person_or_a_table": enter_as_two,
    "confirmation_once_per_version": agree_twice,
    "confirmation_by_a_person_or_a_table": agree_as_two,
    "deal_record_one_at_a_time": lambda cup: [attach(cup), attach(cup)],
    "deal_record_counts_from_one": lambda cup: attach(cup, number=0),
    "deal_record_taken_back_by_means_at": lambda cup: attach(
        cup, taken_back_by=UserFactory()
    ),
}


@pytest.mark.database
@pytest.mark.parametrize("name", BREAKS)
def test_the_database_refuses_what_breaks(name):
    cup = drawn_cup(teams=3)

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        BREAKS[name](cup)

    # SQLite names the columns of a unique constraint in place of the constraint.
    said = str(refused.value)
    if connection.vendor == "postgresql" or "UNIQUE" not in said:
        assert name in said
    else:
        assert said.startswith("UNIQUE constraint failed")


def test_every_named_constraint_is_broken_above():
    named = {
        constraint.name
        for label in ("cup", "sheets")
        for model in apps.get_app_config(label).get_models()
        for constraint in model._meta.constraints
    }

    assert named == set(BREAKS)


@pytest.mark.parametrize(
    "columns",
    [
        {"source_team_a": None, "source_group_a": True, "source_rank_a": None},
        {"source_team_a": None, "source_group_a": True, "source_rank_a": 0},
        {"source_group_a": True, "source_rank_a": 1},
        {"source_rank_a": 1},
        {"source_best_a": 1},
    ],
    ids=[
        "group_without_rank",
        "rank_zero",
        "two_sources",
        "rank_without_group",
        "best_and_a_team",
    ],
)
def test_a_source_by_rank_needs_group_and_rank_and_nothing_else(columns):
    cup = drawn_cup(teams=3)
    if columns.get("source_group_a"):
        columns = {**columns, "source_group_a": cup.groups.get()}

    with pytest.raises(IntegrityError, match="game_one_source_a"), transaction.atomic():
        change_game(cup, **columns)


def test_a_game_may_come_from_a_group_rank_and_from_another_game():
    cup = drawn_cup(teams=3)

    change_game(
        cup,
        source_team_a=None,
        source_group_a=cup.groups.get(),
        source_rank_a=1,
        source_team_b=None,
        loser_of_b=cup.games.last(),
    )

    assert cup.games.first().source_rank_a == 1


def test_a_game_may_come_from_the_best_of_the_next_place():
    cup = drawn_cup(teams=3)

    change_game(cup, source_team_a=None, source_best_a=2)

    assert cup.games.first().source_best_a == 2


@pytest.mark.parametrize(
    "columns",
    [
        {"bracket_round": 1},
        {"bracket_position": 0},
        {"bracket_round": 1, "bracket_position": 0},
        {"group": None, "bracket_round": 1},
        {"group": None, "bracket_position": 0},
        {"group": None, "bracket_round": 0, "bracket_position": 0},
    ],
    ids=[
        "group_and_round",
        "group_and_position",
        "group_and_bracket",
        "round_without_position",
        "position_without_round",
        "round_zero",
    ],
)
def test_a_game_is_in_a_group_or_has_one_place_in_the_bracket(columns):
    cup = drawn_cup(teams=3)

    with (
        pytest.raises(IntegrityError, match="game_in_a_group_or_the_bracket"),
        transaction.atomic(),
    ):
        change_game(cup, **columns)


def test_a_game_is_played_again_once():
    cup = drawn_cup(teams=3)
    first, second, third = cup.games.all()
    Game.objects.filter(pk=second.pk).update(replays=first)

    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=third.pk).update(replays=first)


def test_whoever_has_left_frees_the_place_and_stays_on_record():
    team = TeamFactory()
    gone = team.players.get(position=1)
    gone.left_at = timezone.now()
    gone.save()

    new = team.players.create(position=1, name="Uusi")

    assert set(team.players.all()) == {new, team.players.get(position=2)}
    assert set(Player.everyone.filter(team=team)) == {gone, *team.players.all()}


def test_whoever_has_left_still_sits_in_the_games_played():
    cup = drawn_cup(teams=3)
    sit(cup, ("A1", 0))
    gone = cup.games.first().team_a.players.get(position=1)
    gone.left_at = timezone.now()
    gone.save()

    assert GameSeat.objects.get().player == gone
    assert GameSeat.objects.select_related("player").get().player == gone
    with pytest.raises(ProtectedError):
        Player.everyone.filter(pk=gone.pk).delete()


@pytest.mark.parametrize("model", ["cup", "team", "group", "game", "playing_table"])
def test_nothing_goes_while_something_stands_on_it(model):
    cup = drawn_cup(teams=3)
    record(cup.games.first())
    owner = {
        "cup": cup,
        "team": cup.teams.first(),
        "group": cup.groups.get(),
        "game": cup.games.first(),
        "playing_table": cup.playing_tables.first(),
    }[model]

    with pytest.raises(ProtectedError):
        owner.delete()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pata  Ässät", " pata ässät "),
        ("A\u0308ssä", "Ässä"),
        ("STRASSE", "Straße"),
        ("Ilta\ttähti", "iltaTÄHTI"[:4] + " TÄHTI"),
    ],
)
def test_name_key_is_one_for_spellings_of_one_name(one, other):
    assert name_key(one) == name_key(other)


def test_name_key_tells_names_apart():
    keys = {name_key(name) for name in ("Ässät", "Assat", "Äs sät", "Ässät 2")}

    assert len(keys) == 4


@pytest.mark.parametrize("key", RULESETS)
def test_rules_of_a_cup_are_its_ruleset(key):
    cup = Cup.objects.get(pk=CupFactory(ruleset=key).pk)

    assert cup.rules == RULESETS[key]


def test_rules_of_a_cup_follow_its_columns_and_not_the_key():
    cup = CupFactory(target=9, drop_to=5, corrected_foul="counts")

    assert (cup.rules.target, cup.rules.drop_to) == (9, 5)
    assert cup.rules.corrected_foul == "counts"


def test_figures_of_a_game_come_in_pairs():
    game = Game(sets_a=1, points_b=7, fouls_a=2, winner="B", team_b=Team(name="B"))

    assert (game.sets, game.points, game.fouls) == (Pair(1, 0), Pair(0, 7), Pair(2, 0))
    assert game.winning_side is Side.B
    assert game.winning_team == game.team_b


@pytest.mark.parametrize(
    ("columns", "in_play"),
    [
        ({}, False),
        ({"deal_count": 1}, True),
        ({"deal_count": 5, "is_finished": True}, False),
        ({"is_finished": True}, False),
    ],
    ids=["new", "in_play", "over", "ended_without_play"],
)
def test_a_game_is_in_play_from_its_first_deal_to_its_end(columns, in_play):
    assert Game(**columns).is_in_play is in_play


def test_str_of_every_model_does_not_fail_and_says_something():
    cup = drawn_cup(teams=3)
    game = cup.games.first()
    record(game, sheet())
    add_draw(cup, DrawStatus.DRAFT)
    lot = cup.groups.get().lots.create(cup=cup, order=[], seed="1")
    across = cup.lots.create(order=[])
    key = TableKey.objects.create(playing_table=cup.playing_tables.first(), key_hash="")
    rows = [
        cup,
        cup.teams.first(),
        cup.teams.first().players.first(),
        cup.draws.first(),
        cup.groups.get(),
        cup.groups.get().memberships.first(),
        cup.playing_tables.first(),
        game,
        game.seats.first(),
        lot,
        across,
        cup.log.first(),
        key,
        game.deal_entries.get(),
        Confirmation(game=game, team=game.team_a),
        DealRecord(game=game, number=1, version=1),
    ]

    assert all(str(row) for row in rows)
