"""What a change moves, as it is told before it is saved."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from komppa.cup.choices import Outcome
from komppa.cup.models import Game
from komppa.cup.previews import GamePicture, Moved, Moves, RowPicture, preview
from komppa.cup.seen_moves import act_if_seen
from komppa.cup.services_changes import withdraw_team
from komppa.cup.services_games import set_outcome
from komppa.cup.words_of_moves import Change, game_words, stamp_of, told_moves
from komppa.errors import Refusal
from scoring.sides import Pair, Side
from tests.cup.brackets import cup_with_bracket, decide
from tests.cup.evenings import half_played, standing, team
from tests.factories import drawn_cup

NAMES = Pair("Ankat", "Hanhet")
NO_MOVES = Moves((), (), (), (), (), None)


def a_game(how="", winner=None, sets=(0, 0), points=(0, 0), **rest):
    facts = {"names": NAMES, "in_conflict": False, **rest}
    return GamePicture(
        sets=Pair(*sets), points=Pair(*points), winner=winner, how=how, **facts
    )


def a_row(rank, won=0, lost=0, sets=(0, 0), *, is_tied=False):
    return RowPicture(rank, is_tied, won, lost, *sets)


def moves(**parts):
    found = {
        "games": (),
        "rows": (),
        "slots": (),
        "conflicts": (),
        "settled_conflicts": (),
        "champion": None,
    }
    return Moves(**{**found, **parts})


WORDS = {
    "unplayed": (a_game(), "Ei vielä tulosta"),
    "in_play": (
        a_game(sets=(1, 0), points=(3, 9)),
        "Kesken: erät 1–0, erän pisteet 3–9",
    ),
    "won_by_a": (a_game("played", Side.A, (2, 1)), "Ankat voitti 2–1"),
    "won_by_b": (a_game("played", Side.B, (1, 2)), "Hanhet voitti 2–1"),
    "fouls": (a_game("fouls", Side.B, (1, 0)), "Hanhet voitti 0–1, kolmas pelivirhe"),
    "walkover": (
        a_game("walkover", Side.A, (2, 0)),
        "Ankat voitti luovutuksella 2–0",
    ),
    "withdrew": (
        a_game("opponent_withdrew", Side.B, (0, 2)),
        "Hanhet voitti 2–0, vastustaja on vetäytynyt",
    ),
    "both_absent": (a_game("both_absent"), "Kumpikin poissa, hävitty molemmille"),
    "both_gone": (a_game("both_withdrew"), "Kumpikin vetäytynyt, hävitty molemmille"),
    "annulled": (a_game("annulled"), "Mitätöity"),
    "withdrawn": (a_game("withdrawn"), "Mitätöity, joukkue on vetäytynyt"),
    "bye": (a_game("no_opponent", Side.A, (2, 0)), "Ankat jatkaa ilman vastustajaa"),
    "nobody": (a_game("nobody", names=Pair("", "")), "Ei kumpaakaan joukkuetta"),
}


@pytest.mark.parametrize(("game", "expected"), WORDS.values(), ids=WORDS)
def test_a_game_is_told_in_words(game, expected):
    assert game_words(game) == expected


def test_moved_games_are_told_by_number_before_and_after():
    told = told_moves(
        moves(
            games=(
                Moved(12, None, a_game()),
                Moved(14, None, a_game("opponent_withdrew", Side.A, (2, 0))),
                Moved(13, a_game(), None),
                Moved(3, a_game("played", Side.A, (2, 0)), a_game("annulled")),
            )
        )
    )

    assert [(g.number, g.teams, g.state) for g in told.games] == [
        (3, "Ankat – Hanhet", Change("Ankat voitti 2–0", "Mitätöity")),
        (12, "Ankat – Hanhet", Change("–", "Uusi peli")),
        (13, "Ankat – Hanhet", Change("Ei vielä tulosta", "Peli poistuu")),
        (
            14,
            "Ankat – Hanhet",
            Change("–", "Ankat voitti 2–0, vastustaja on vetäytynyt"),
        ),
    ]


def test_a_game_that_only_gets_other_teams_is_told_as_its_places_alone():
    told = told_moves(
        moves(
            games=(Moved(7, a_game(), a_game(names=Pair("Ankat", ""))),),
            slots=(Moved((7, Side.B), "Hanhet", ""),),
        )
    )

    assert told.games == ()
    assert [(s.number, s.side, s.team) for s in told.slots] == [
        (7, "Joukkue B", Change("Hanhet", "ei vielä selvillä"))
    ]


def test_moved_rows_are_told_by_group_as_they_will_stand():
    told = told_moves(
        moves(
            rows=(
                Moved(("B", "Z"), a_row(1), a_row(2)),
                Moved(
                    ("A", "Ankat"), a_row(1, 3, 0, (6, 1)), a_row(None, 0, 0, (0, 0))
                ),
                Moved(("A", "Hanhet"), a_row(3, 1, 2), a_row(2, 1, 1, is_tied=True)),
                Moved(("A", "Uudet"), None, a_row(4)),
            )
        )
    )

    assert [(row.group, row.team, row.rank) for row in told.rows] == [
        ("A", "Hanhet", Change("3.", "2. (tasan)")),
        ("A", "Uudet", Change("–", "4.")),
        ("A", "Ankat", Change("1.", "vetäytynyt")),
        ("B", "Z", Change("1.", "2.")),
    ]
    gone = told.rows[2]
    assert (gone.won, gone.lost, gone.sets) == (
        Change("3", "–"),
        Change("0", "–"),
        Change("6–1", "–"),
    )


def test_conflicts_and_the_champion_are_told():
    told = told_moves(
        moves(
            games=(Moved(9, a_game(), a_game(in_conflict=True)),),
            conflicts=(9,),
            settled_conflicts=(10,),
            champion=Moved("champion", "Ankat", ""),
        )
    )

    assert told.conflicts[0].startswith("P9 (Ankat – Hanhet) joutuu ristiriitaan")
    assert told.settled_conflicts == ("P10 ei ole enää ristiriidassa.",)
    assert told.champion == Change("Ankat", "ei vielä selvillä")


def test_a_stamp_tells_moves_from_others_in_any_language():
    one = moves(slots=(Moved((7, Side.A), "Ankat", "Hanhet"),))
    other = moves(slots=(Moved((7, Side.A), "Ankat", "Joutsenet"),))

    assert stamp_of(one) == stamp_of(one) != stamp_of(other)
    assert told_moves(NO_MOVES).stamp == stamp_of(NO_MOVES)


def test_nothing_moved_is_said_so():
    shown = render_to_string("cup/admin/_moves.html", {"moves": told_moves(NO_MOVES)})

    assert "Mikään muu ei muutu" in shown
    assert "<table" not in shown


@pytest.mark.django_db
def test_a_withdrawal_is_told_as_it_is_carried_out():
    cup = half_played()
    leaver = team(cup, 3)

    told = told_moves(
        preview(cup, lambda: withdraw_team(team=leaver, by=None, reason="Lähti"))
    )

    # The one unplayed game of the leaver, and its two that were played.
    assert [game.state.new for game in told.games] == [
        "Mitätöity, joukkue on vetäytynyt"
    ] * 3
    assert {row.team for row in told.rows} == {
        member.team.name for member in cup.groups.get().memberships.all()
    }
    assert standing(cup).withdrawn == ()


@pytest.mark.django_db
def test_a_conflict_in_the_bracket_is_told_before_it_is_made():
    cup = cup_with_bracket(teams=8, groups=2)
    semi = cup.games.get(bracket_round=1, bracket_position=0)
    other = cup.games.get(bracket_round=1, bracket_position=1)
    final = cup.games.get(bracket_round=2, bracket_position=0)
    decide(semi)
    decide(other)
    decide(final)

    told = told_moves(
        preview(
            cup,
            lambda: set_outcome(
                game=semi,
                outcome=Outcome.WALKOVER_B,
                by=None,
                reason="Väärinpäin",
                seen=Outcome.WALKOVER_A,
            ),
        )
    )

    assert len(told.conflicts) == 1
    assert told.conflicts[0].startswith(f"P{final.number} (")
    assert told.champion == Change(semi.team_a.name, "ei vielä selvillä")
    assert f"P{final.number} (" in render_to_string(
        "cup/admin/_moves.html", {"moves": told}
    )


@pytest.mark.django_db
def test_an_act_is_done_once_its_moves_have_been_seen():
    cup = drawn_cup(teams=3)
    leaver = team(cup, 1)

    def leave():
        withdraw_team(team=leaver, by=None, reason="Lähti")

    shown = act_if_seen(cup, leave, seen="")
    stale = act_if_seen(cup, leave, seen="somethingelse")
    waited = team(cup, 1).withdrawn
    done = act_if_seen(cup, leave, seen=shown.stamp)

    assert (stale.stamp, waited, done) == (shown.stamp, False, None)
    assert team(cup, 1).withdrawn is True


@pytest.mark.django_db
def test_an_act_is_shown_anew_when_it_would_move_something_else_by_now():
    cup = drawn_cup(teams=3)
    game = cup.games.first()

    def end_it():
        set_outcome(
            game=game,
            outcome=Outcome.WALKOVER_A,
            by=None,
            reason="Poissa",
            seen=Outcome.PLAYED,
        )

    seen = act_if_seen(cup, end_it, seen="").stamp
    decide(cup.games.last())

    anew = act_if_seen(cup, end_it, seen=seen)

    assert anew is not None
    assert Game.objects.get(pk=game.pk).outcome == ""


@pytest.mark.django_db
def test_an_act_that_is_refused_says_so_and_writes_nothing():
    cup = drawn_cup(teams=3)

    with pytest.raises(Refusal) as refused:
        act_if_seen(
            cup,
            lambda: withdraw_team(team=team(cup, 1), by=None, reason=""),
            seen="",
        )

    cup.refresh_from_db()
    assert (refused.value.code, team(cup, 1).withdrawn) == ("reason_missing", False)
