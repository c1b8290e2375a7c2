"""Teams and players after the draw: added, renamed, replaced."""

from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.choices import Visibility, WithdrawnGamesChoice
from komppa.cup.models import Game, GameSeat, OrganiserLog, Player, Team
from komppa.cup.services_changes import (
    add_team_to_group,
    cancel_withdrawal,
    place_team_in_group,
    rename_team,
    replace_player,
    withdraw_team,
)
from komppa.cup.services_games import move_game
from komppa.cup.services_teams import RowsRefused, add_team
from komppa.errors import Refusal
from komppa.sheets.queries import seating
from tests.cup.brackets import cup_with_bracket
from tests.cup.evenings import beats, game_of, half_played, table, team
from tests.factories import cup_of, drawn_cup, play_out, record

pytestmark = pytest.mark.django_db

ANNUL, WALKOVER = WithdrawnGamesChoice.ANNUL, WithdrawnGamesChoice.WALKOVER


def add(cup, name="Myöhäiset", players=("Aino", "Eino"), by=None, group=None):
    return add_team_to_group(
        group=group or cup.groups.first(),
        name=name,
        players=players,
        by=by,
        reason="Juna myöhässä",
    )


def rename(of, name):
    rename_team(team=of, name=name, by=None, reason="Nimi oli väärin")


def replace(player, name, by=None):
    return replace_player(player=player, name=name, by=by, reason="Sairastui")


def everything():
    return [
        list(model.objects.order_by("pk").values())
        for model in (Team, Game, OrganiserLog, GameSeat)
    ] + [list(Player.everyone.order_by("pk").values())]


def test_a_late_team_gets_a_game_against_everyone_after_the_others():
    cup = half_played()
    tables = {t.number: open_games(cup, t.number) for t in cup.playing_tables.all()}

    late = add(cup)

    games = list(cup.games.filter(number__gt=6).order_by("number"))
    opponents = [g.team_b if g.team_a == late else g.team_a for g in games]
    assert opponents == [team(cup, n) for n in (1, 2, 3, 4)]
    assert [g.number for g in games] == [7, 8, 9, 10]
    assert [g.order for g in games] == [7, 8, 9, 10]
    assert [g.schedule_round for g in games] == [4, 5, 6, 7]
    assert [g.team_a == late for g in games] == [True, False, True, False]
    assert {g.sets_to_win for g in games} == {cup.sets_to_win}
    assert all(
        (g.source_team_a, g.source_team_b) == (g.team_a, g.team_b) for g in games
    )
    after = {number: open_games(cup, number) for number in tables}
    assert sum(after.values()) == sum(tables.values()) + 4
    assert max(after.values()) - min(after.values()) <= 1


def open_games(cup, number):
    return cup.games.filter(playing_table__number=number, is_finished=False).count()


def test_a_late_team_stands_in_the_group_with_its_players():
    cup = half_played()
    before = table(cup)

    late = add(cup, players=["Aino"])

    assert late.membership.position == 5
    assert [p.name for p in late.players.all()] == ["Aino", ""]
    assert table(cup)[:3] == before[:3]
    play_out(game_of(cup, 5, 1), "B")
    assert table(cup)[0] == "1. 1 3-1 6-3"


def test_tables_with_the_fewest_open_games_get_the_games_of_a_late_team():
    cup = drawn_cup(teams=3, tables=3)
    for game in cup.games.all():
        move_to(game, 1)

    add(cup)

    numbers = cup.games.filter(number__gt=3).order_by("number")
    assert [g.playing_table.number for g in numbers] == [2, 3, 2]


def move_to(game, number):
    if game.playing_table.number != number:
        move_game(game=game, table_number=number, by=None, reason="Pöytä rikki")


def test_a_late_team_has_no_game_with_one_that_left_where_its_games_are_annulled():
    cup = half_played(withdrawn_games=ANNUL)
    withdraw_team(team=team(cup, 3), by=None, reason="Lähti")

    add(cup)

    assert cup.games.count() == 6 + 3


def test_a_late_team_wins_by_walkover_as_the_others_do_where_that_is_the_rule():
    cup = half_played(withdrawn_games=WALKOVER)
    withdraw_team(team=team(cup, 4), by=None, reason="Lähti")

    add(cup)

    game = game_of(cup, 5, 4)
    assert game.is_finished is True
    assert [row for row in table(cup) if " 5 " in row] == ["4. 5 1-0 2-0"]


def test_who_comes_back_gets_the_games_that_a_late_team_lacks():
    cup = half_played(withdrawn_games=ANNUL)
    withdraw_team(team=team(cup, 3), by=None, reason="Lähti")
    add(cup)

    cancel_withdrawal(team=team(cup, 3), by=None, reason="Palasi")

    assert cup.games.count() == 6 + 4
    assert game_of(cup, 5, 3).is_finished is False
    assert cup.log.first().new == {"games": 1}


def test_before_the_games_are_made_a_late_team_only_joins():
    cup = cup_of(4)
    draw = services.draft_draw(cup=cup, group_count=2, by=None)
    services.confirm_draw(draw=draw, by=None)

    late = add(cup)
    services.make_group_games(cup=cup, table_count=2, by=None)

    assert late.membership.group == cup.groups.first()
    # Three in one group and two in the other.
    assert cup.games.count() == 3 + 1


def test_adding_a_team_to_a_group_is_on_record(organiser):
    cup = half_played()

    late = add(cup, by=organiser)

    line = cup.log.first()
    assert (line.act, line.target, line.by) == (
        "add_team_to_group",
        "Myöhäiset",
        organiser,
    )
    assert line.new == {"group": "A", "players": ["Aino", "Eino"], "games": 4}
    assert (line.reason, late.name) == ("Juna myöhässä", "Myöhäiset")


def test_a_new_team_after_play_has_begun_is_added_only_to_a_group():
    cup = half_played()

    with pytest.raises(Refusal) as refused:
        add_team(cup=cup, name="Myöhäiset", by=None)

    assert refused.value.code == "play_started"
    assert add(cup).cup == cup


@pytest.mark.parametrize(
    ("name", "players", "codes"),
    [
        ("", ["Aino"], ["name_missing"]),
        ("TEAM  x", [], ["name_taken"]),
        ("y" * 81, ["z" * 81], ["name_too_long", "player_name_too_long"]),
        ("Uusi", ["a", "b", "c"], ["too_many_players"]),
    ],
    ids=["nameless", "taken", "too_long", "crowded"],
)
def test_a_late_team_that_cannot_be_is_refused_with_every_reason(name, players, codes):
    cup = half_played()
    rename(team(cup, 1), "Team X")
    before = everything()

    with pytest.raises(RowsRefused) as refused:
        add(cup, name=name, players=players)

    assert [reason.code for reason in refused.value.rows[1]] == codes
    assert everything() == before


def test_nobody_joins_a_group_once_there_is_a_bracket():
    cup = cup_with_bracket(teams=8, groups=2)
    before = everything()

    with pytest.raises(Refusal) as refused:
        add(cup)

    assert refused.value.code == "bracket_exists"
    assert everything() == before


def test_nobody_joins_a_group_that_was_drawn_anew_meanwhile():
    cup = drawn_cup(teams=4)
    gone = cup.groups.get()
    services.cancel_draw(draw=cup.draws.get(), by=None)

    with pytest.raises(Refusal) as refused:
        add(cup, group=gone)

    assert refused.value.code == "group_gone"


def test_a_team_left_outside_is_placed_in_a_group_with_its_games(organiser):
    cup = drawn_cup(teams=4)
    late = add_team(cup=cup, name="Myöhäiset", players=["Aino", "Eino"], by=None)
    record(cup.games.first())

    place_team_in_group(
        group=cup.groups.get(), team=late, by=organiser, reason="Unohtui arvonnasta"
    )

    assert cup.games.count() == 6 + 4
    assert late.membership.position == 5
    assert cup.log.first().act == "add_team_to_group"


def test_a_team_is_placed_in_one_group_only():
    cup = drawn_cup(teams=8, groups=2)
    first, second = cup.groups.all()
    of_first = first.memberships.first().team

    with pytest.raises(Refusal) as refused:
        place_team_in_group(group=second, team=of_first, by=None, reason="Siirto")

    assert (refused.value.code, cup.games.count()) == ("in_a_group", 12)


def test_a_team_of_another_cup_or_one_that_left_is_not_placed():
    cup = drawn_cup(teams=4)
    stranger = cup_of(1).teams.get()
    gone = add_team(cup=cup, name="Lähtijät", by=None)
    withdraw_team(team=gone, by=None, reason="Lähti")

    codes = []
    for of in (stranger, gone):
        with pytest.raises(Refusal) as refused:
            place_team_in_group(group=cup.groups.get(), team=of, by=None, reason="x")
        codes.append(refused.value.code)

    assert codes == ["team_gone", "already_withdrawn"]


def test_a_renamed_team_keeps_everything_and_its_old_name_stays_on_record(organiser):
    cup = half_played()
    renamed = team(cup, 1)
    old, before = renamed.name, table(cup)

    rename_team(team=renamed, name=" Ässät  ♠ ", by=organiser, reason="Toive")

    renamed.refresh_from_db()
    assert (renamed.name, renamed.name_key) == ("Ässät ♠", "ässät ♠")
    assert table(cup) == before
    line = cup.log.first()
    assert (line.act, line.target, line.reason) == ("rename_team", "Ässät ♠", "Toive")
    assert (line.old, line.new) == ({"name": old}, {"name": "Ässät ♠"})
    assert line.by == organiser


def test_a_team_may_change_only_the_case_of_its_name():
    cup = half_played()
    rename(team(cup, 1), "ässät")

    rename(team(cup, 1), "Ässät")

    assert team(cup, 1).name == "Ässät"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_missing"),
        ("​", "name_missing"),
        ("x" * 81, "name_too_long"),
        ("PORVOON   mutka", "name_taken"),
        ("Ässät", "nothing_changed"),
    ],
    ids=["empty", "invisible", "too_long", "taken", "same"],
)
def test_a_team_is_not_called_that(name, code):
    cup = half_played()
    rename(team(cup, 1), "Ässät")
    rename(team(cup, 2), "Porvoon mutka")

    with pytest.raises(Refusal) as refused:
        rename(team(cup, 1), name)

    assert (refused.value.code, team(cup, 1).name) == (code, "Ässät")


def seated(game):
    seats = game.seats.select_related("player").order_by("seat")
    return [seat.player.name for seat in seats]


def test_a_replaced_player_keeps_the_games_that_have_begun():
    cup = drawn_cup(teams=4)
    first = team(cup, 1)
    old = first.players.get(position=1)
    played, in_play = beats(cup, 1, 2), game_of(cup, 1, 3)
    record(in_play)
    before = [seated(played), seated(in_play)]

    new = replace(old, "Varamies")
    record(in_play)

    assert [seated(played), seated(in_play)] == before
    assert [p.name for p in first.players.all()] == ["Varamies", f"{first.name} P2"]
    old.refresh_from_db()
    assert (old.left_at is not None, new.position) == (True, 1)


def test_games_to_come_seat_the_new_player():
    cup = drawn_cup(teams=4)
    old = team(cup, 1).players.get(position=1)
    arranged, plain = game_of(cup, 1, 2), game_of(cup, 1, 3)
    services.seat_players(
        game=arranged,
        seats={seat.value: player for seat, player in seating(arranged).items()},
        by=None,
    )

    new = replace(old, "Varamies")
    record(plain)

    for game in (arranged, plain):
        players = {seat.player for seat in game.seats.select_related("player")}
        assert (new in players, old in players, len(players)) == (True, False, 4)


def test_a_player_can_be_replaced_again_and_come_back():
    cup = drawn_cup(teams=3)
    first = team(cup, 1)
    old = first.players.get(position=2)

    replace(replace(old, "Varamies"), old.name)

    assert [p.name for p in first.players.all()][1] == old.name
    assert Player.everyone.filter(team=first, position=2).count() == 3


def test_replacing_a_player_is_on_record(organiser):
    cup = drawn_cup(teams=3)
    old = team(cup, 1).players.get(position=1)

    replace(old, "  Varamies ", by=organiser)

    line = cup.log.first()
    assert (line.act, line.target) == ("replace_player", team(cup, 1).name)
    assert (line.old, line.new) == ({"player": old.name}, {"player": "Varamies"})
    assert (line.by, line.reason) == (organiser, "Sairastui")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (" ", "player_name_missing"),
        ("x" * 81, "player_name_too_long"),
        ("aino  MATTILA", "nothing_changed"),
    ],
)
def test_a_player_is_not_replaced_by_that(name, code):
    cup = drawn_cup(teams=3)
    player = team(cup, 1).players.get(position=1)
    Player.objects.filter(pk=player.pk).update(name="Aino Mattila")

    with pytest.raises(Refusal) as refused:
        replace(player, name)

    assert (refused.value.code, Player.everyone.count()) == (code, 6)


def test_a_player_is_replaced_once_by_two_organisers():
    cup = drawn_cup(teams=3)
    player = team(cup, 1).players.get(position=1)
    replace(player, "Varamies")

    with pytest.raises(Refusal) as refused:
        replace(player, "Toinen")

    names = [p.name for p in team(cup, 1).players.all()]
    assert (refused.value.code, names[0]) == ("player_gone", "Varamies")


ACTS = {
    "add": add,
    "place": lambda cup: place_team_in_group(
        group=cup.groups.get(), team=cup.teams.last(), by=None, reason="x"
    ),
    "rename": lambda cup: rename(team(cup, 1), "Uusi"),
    "replace": lambda cup: replace(team(cup, 1).players.first(), "Uusi"),
    "withdraw": lambda cup: withdraw_team(team=team(cup, 1), by=None, reason="x"),
    "return": lambda cup: cancel_withdrawal(team=team(cup, 2), by=None, reason="x"),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_an_archived_cup_is_changed_no_more(act):
    cup = half_played()
    withdraw_team(team=team(cup, 2), by=None, reason="Lähti")
    cup.visibility = Visibility.ARCHIVED
    cup.save()
    before = everything()

    with pytest.raises(Refusal) as refused:
        act(cup)

    assert refused.value.code == "archived"
    assert everything() == before


def test_every_change_tells_the_listeners():
    cup = half_played()
    withdraw_team(team=team(cup, 2), by=None, reason="Lähti")
    cup.refresh_from_db()
    revisions = [cup.revision]

    for name in ("add", "rename", "replace", "withdraw", "return"):
        ACTS[name](cup)
        cup.refresh_from_db()
        revisions.append(cup.revision)

    first = revisions[0]
    assert revisions == list(range(first, first + 6))


@pytest.mark.parametrize(
    "act",
    [
        lambda cup, no: add_team_to_group(
            group=cup.groups.get(), name="Uusi", by=None, reason=no
        ),
        lambda cup, no: place_team_in_group(
            group=cup.groups.get(), team=cup.teams.last(), by=None, reason=no
        ),
        lambda cup, no: rename_team(team=team(cup, 1), name="U", by=None, reason=no),
        lambda cup, no: replace_player(
            player=team(cup, 1).players.first(), name="U", by=None, reason=no
        ),
    ],
    ids=["add", "place", "rename", "replace"],
)
def test_nothing_is_done_without_a_reason(act):
    cup = drawn_cup(teams=3)
    before = everything()

    with pytest.raises(Refusal) as refused:
        act(cup, " \n ")

    assert refused.value.code == "reason_missing"
    assert everything() == before
