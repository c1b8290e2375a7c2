from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.choices import Outcome
from komppa.cup.queries import group_standings
from komppa.live.boards import boards_of
from komppa.live.tables import Reason, StandingsTable, cross_table, reasons_of
from scoring.sides import Pair
from tests.factories import drawn_cup, end, record, settle

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup():
    return drawn_cup(teams=4)


def win(cup, winner, loser, *, loser_sets=0):
    """Give the game of two teams of the only group to one, by their place in it."""
    pks = [m.team_id for m in cup.groups.get().memberships.order_by("position")]
    a, b = pks[winner - 1], pks[loser - 1]
    game = cup.games.get(team_a__in=(a, b), team_b__in=(a, b))
    sets = Pair(2, loser_sets) if game.team_a_id == a else Pair(loser_sets, 2)
    # What playing it out would write, without the dozens of deals.
    game.winner = "A" if game.team_a_id == a else "B"
    game.sets_a, game.sets_b, game.deal_count = sets.a, sets.b, 4
    game.save()
    settle(cup)
    return game


def play_in_order(cup):
    """Let every team beat all that are below it."""
    for winner in (1, 2, 3):
        for loser in range(winner + 1, 5):
            win(cup, winner, loser)


def play_in_a_circle(cup):
    """Let 1, 2 and 3 beat each other in a circle, alike, and all of them 4."""
    for winner, loser in ((1, 2), (2, 3), (3, 1), (1, 4), (2, 4), (3, 4)):
        win(cup, winner, loser)


def standing_of(cup):
    return group_standings(cup)[0]


def table_of(cup, **options):
    return StandingsTable(standing_of(cup), qualifiers=2, **options)


def cells(table, name):
    return [str(row.get_cell(name)) for row in table.rows]


def names_in_order(cup):
    return [row.team.name for row in standing_of(cup).rows]


def test_ranks_are_open_before_the_first_result(cup):
    assert cells(table_of(cup), "rank") == ["–", "–", "–", "–"]


def test_ranks_are_shared_with_an_equals_sign(cup):
    play_in_a_circle(cup)

    assert cells(table_of(cup), "rank") == ["1=", "1=", "1=", "4"]


def test_figures_stand_in_their_columns(cup):
    play_in_order(cup)

    table = table_of(cup)
    names = ("played", "won", "lost", "sets_won", "sets_lost")
    assert [[row.get_cell(name) for name in names] for row in table.rows] == [
        [3, 3, 0, 6, 0],
        [3, 2, 1, 4, 2],
        [3, 1, 2, 2, 4],
        [3, 0, 3, 0, 6],
    ]


def test_those_who_go_on_are_marked_when_the_group_is_played(cup):
    play_in_order(cup)

    assert ["jatkoon" in cell for cell in cells(table_of(cup), "team")] == [
        True,
        True,
        False,
        False,
    ]


def test_nobody_is_marked_while_the_group_is_open(cup):
    win(cup, 1, 2)

    told = "".join(cells(table_of(cup), "team"))
    assert ["jatkoon" in told, "tasan" in told] == [False, False]


def test_tie_across_the_line_lets_nobody_through(cup):
    play_in_a_circle(cup)

    told = cells(table_of(cup), "team")
    assert ["tasan" in cell for cell in told] == [True, True, True, False]
    assert "jatkoon" not in "".join(told)


def test_form_has_words_for_its_marks(cup):
    play_in_a_circle(cup)

    assert (
        'aria-label="Pelit järjestyksessä: häviö, häviö, häviö"'
        in cells(table_of(cup), "team")[3]
    )


def test_line_is_drawn_under_the_last_who_goes_on(cup):
    play_in_order(cup)

    classes = [row.attrs["class"].split() for row in table_of(cup).rows]
    assert ["last-above" in names for names in classes] == [False, True, False, False]


def test_no_line_is_drawn_where_all_go_on(cup):
    table = StandingsTable(standing_of(cup), qualifiers=4)

    assert [row for row in table.rows if "last-above" in row.attrs["class"]] == []


def test_short_table_leaves_columns_out(cup):
    table = table_of(cup, exclude=("played", "lost"))

    assert [column.name for column in table.columns] == [
        "rank",
        "team",
        "won",
        "sets_won",
        "sets_lost",
    ]


def test_reasons_are_silent_before_the_first_result(cup):
    assert reasons_of(standing_of(cup)) == []


def test_reasons_tell_why_each_is_below_the_one_above(cup):
    play_in_order(cup)

    first, second, third, fourth = names_in_order(cup)
    assert reasons_of(standing_of(cup)) == [
        Reason(
            f"{first} ennen joukkuetta {second}: enemmän voitettuja pelejä, 3–2",
            "R9.1",
        ),
        Reason(
            f"{second} ennen joukkuetta {third}: enemmän voitettuja pelejä, 2–1",
            "R9.1",
        ),
        Reason(
            f"{third} ennen joukkuetta {fourth}: enemmän voitettuja pelejä, 1–0",
            "R9.1",
        ),
    ]


def test_reasons_tell_of_the_mutual_game(cup):
    win(cup, 1, 2, loser_sets=1)
    win(cup, 1, 3)
    win(cup, 4, 1, loser_sets=1)
    win(cup, 2, 3)
    win(cup, 2, 4, loser_sets=1)
    win(cup, 3, 4)

    first, second = names_in_order(cup)[:2]
    assert reasons_of(standing_of(cup))[0] == Reason(
        f"{first} ennen joukkuetta {second}: keskinäinen peli 2–1", "R9.4"
    )


def test_reasons_say_what_waits_for_the_lot(cup):
    play_in_a_circle(cup)

    names = names_in_order(cup)[:3]
    assert reasons_of(standing_of(cup))[0] == Reason(
        f"{names[0]}, {names[1]} ja {names[2]} ovat tasan: järjestys odottaa arpaa",
        "R9.5",
        waits_for_lot=True,
    )


def test_reasons_name_the_lot_once_it_is_drawn(cup):
    play_in_a_circle(cup)
    standing = standing_of(cup)
    tied = [team.pk for team in standing.lots_needed[0]]
    services.draw_lot(group=standing.group, team_ids=tied, by=None)

    first, second, third, _last = names_in_order(cup)
    assert reasons_of(standing_of(cup))[:2] == [
        Reason(f"{first} ennen joukkuetta {second}: arpa", "R9.5"),
        Reason(f"{second} ennen joukkuetta {third}: arpa", "R9.5"),
    ]


def cross_of(cup):
    standing = standing_of(cup)
    return cross_table(standing, boards_of(standing.games, cup))


def shown(cell):
    if cell.is_self:
        return "x"
    (meeting,) = cell.meetings
    if meeting.is_in_play:
        return "..."
    if not meeting.is_shown:
        return "-"
    return f"{meeting.own_sets}-{meeting.other_sets}"


def test_cross_table_reads_from_the_team_of_the_row(cup):
    win(cup, 1, 2, loser_sets=1)

    rows = cross_of(cup)
    winner = next(row for row in rows if row.team.name == names_in_order(cup)[0])
    assert [shown(cell) for cell in winner.cells].count("2-1") == 1
    every = [shown(cell) for row in rows for cell in row.cells]
    assert (every.count("2-1"), every.count("1-2")) == (1, 1)


def test_cross_table_has_a_dash_for_what_is_not_played(cup):
    assert [[shown(cell) for cell in row.cells] for row in cross_of(cup)] == [
        ["x", "-", "-", "-"],
        ["-", "x", "-", "-"],
        ["-", "-", "x", "-"],
        ["-", "-", "-", "x"],
    ]


def test_cross_table_shows_no_score_of_a_game_in_play(cup):
    record(cup.games.first())

    shown_cells = [shown(cell) for row in cross_of(cup) for cell in row.cells]
    assert shown_cells.count("...") == 2


def test_cross_table_leaves_an_annulled_game_out(cup):
    game = win(cup, 1, 2)
    end(game, Outcome.ANNULLED)

    shown_cells = {shown(cell) for row in cross_of(cup) for cell in row.cells}
    assert shown_cells == {"x", "-"}
