from __future__ import annotations

import pytest

from komppa.cup.models import Lot
from komppa.cup.qualifying import bracket_games
from komppa.cup.services_changes import withdraw_team
from tests.cup.brackets import (
    cup_with_bracket,
    decide,
    made_bracket,
    pairs,
    played_groups,
    team_at,
)
from tests.factories import CupFactory, drawn_cup, tied_group

pytestmark = pytest.mark.django_db


def url_of(cup):
    return f"/admin/cup/cup/{cup.pk}/bracket/"


def said(answer):
    return [str(message) for message in answer.context["messages"]]


def text_of(answer):
    return " ".join(answer.content.decode().split())


def make(client, cup, **facts):
    page = client.get(url_of(cup))
    typed = {
        "stamp": page.context["form"]["stamp"].value(),
        "table_count": page.context["form"]["table_count"].value(),
    }
    return client.post(url_of(cup), {**typed, **facts}, follow=True)


# Before it is made.


def test_a_cup_without_groups_is_led_to_the_draw(organiser_client):
    cup = CupFactory()

    text = text_of(organiser_client.get(url_of(cup)))

    assert "Jatkopelit tehdään lohkoista." in text
    assert f'href="/admin/cup/cup/{cup.pk}/draw/">Siirry arvontaan</a>' in text


def test_what_is_missing_is_said_group_by_group(organiser_client):
    cup = drawn_cup(teams=6, groups=2)
    for game in cup.groups.get(name="A").games.all():
        decide(game)

    answer = organiser_client.get(url_of(cup))

    open_games = cup.groups.get(name="B").games.order_by("number")
    first, second, third = (f"P{game.number}" for game in open_games)
    text = text_of(answer)
    assert f"<dd>Kesken on 3 peliä: {first}, {second} ja {third}.</dd>" in text
    assert "<dd>Kaikki pelit on pelattu.</dd>" in text
    assert answer.context["form"] is None


def test_finished_groups_show_the_pairs_and_the_byes(organiser_client):
    cup = played_groups(teams=7, groups=3, qualifiers_per_group=1)
    a, b, c = (team_at(cup, place) for place in ("A1", "B1", "C1"))

    answer = organiser_client.get(url_of(cup))

    text = text_of(answer)
    assert f"<span>B1 {b} – C1 {c}</span>" in text
    assert f"<span>A1 {a} – Voittaja P6</span>" in text
    assert f"Suoraan toiselle kierrokselle: A1 {a}." in text
    assert "Jatkopelien parit, 3 joukkuetta" in text


def test_tables_are_offered_up_to_those_that_can_be_used_at_once(organiser_client):
    cup = played_groups(teams=16, groups=4, tables=3)

    form = organiser_client.get(url_of(cup)).context["form"]

    assert [count for count, _label in form.fields["table_count"].choices] == [
        *[1, 2, 3, 4],
    ]
    assert form["table_count"].value() == 3


def test_a_team_that_has_withdrawn_and_keeps_its_rank_is_pointed_out(organiser_client):
    cup = played_groups(withdrawn_games="walkover")
    team = team_at(cup, "A1")
    withdraw_team(team=team, by=None, reason="Lähti kotiin")

    text = text_of(organiser_client.get(url_of(cup)))

    assert f"Vetäytynyt: {team}. Vastustaja pääsee eteenpäin pelaamatta." in text


def test_too_many_teams_are_led_to_the_settings(organiser_client):
    cup = played_groups(teams=3, groups=1, qualifiers_per_group=1)

    answer = organiser_client.get(url_of(cup))

    assert answer.context["form"] is None
    assert "Jatkopeleihin tarvitaan vähintään kaksi joukkuetta." in text_of(answer)


def test_the_next_place_is_compared_per_game(organiser_client):
    cup = played_groups(teams=10, groups=3, best_next=1)

    answer = organiser_client.get(url_of(cup))

    lines = [
        (x.place, x.is_tied, x.goes_on, x.group.name, x.row.team)
        for x in answer.context["compared"]
    ]
    a, b, c = (team_at(cup, place) for place in ("A3", "B3", "C3"))
    assert lines == [
        (1, False, "kyllä", "A", a),
        (2, True, "ei", "B", b),
        (2, True, "ei", "C", c),
    ]
    assert '<td data-label="Voittoja/peli">0,33</td>' in text_of(answer)
    assert '<td data-label="Hävittyjä eriä/peli">1,33</td>' in text_of(answer)


def test_those_level_for_the_last_place_wait_for_the_lot(organiser_client):
    cup = played_groups(teams=10, groups=3, best_next=2)

    answer = organiser_client.get(url_of(cup))

    assert [line.goes_on for line in answer.context["compared"]] == [
        *["kyllä", "arpa ratkaisee", "arpa ratkaisee"],
    ]
    assert answer.context["form"] is None
    assert "Parit näkyvät tässä, kun arvat on vedetty." in text_of(answer)


def test_the_comparison_of_unfinished_groups_says_so(organiser_client):
    cup = drawn_cup(teams=6, groups=2, best_next=1)
    a1, a2, a3 = (team_at(cup, place) for place in ("A1", "A2", "A3"))
    for game in cup.groups.get(name="A").games.all():
        order = [a1, a2, a3]
        better = min(order.index(game.team_a), order.index(game.team_b))
        decide(game, order[better])

    answer = organiser_client.get(url_of(cup))

    (line,) = answer.context["compared"]
    assert (line.row.team, line.goes_on) == (a3, "–")
    assert "Vertailu on kesken, kunnes joka lohko on ratkennut." in text_of(answer)


# The lot, drawn right there.


def lot_forms(answer):
    """Return what each form of a tie would send."""
    now = answer.context["now"]
    forms = [
        {"group": tie.standing.group.pk, "team": [t.pk for t in tie.teams]}
        for tie in now.ties
    ]
    return [*forms, *({"team": [t.pk for t in tied]} for tied in now.ties_across)]


def test_a_tie_of_a_group_is_settled_on_the_page_of_the_bracket(organiser_client):
    group = tied_group()
    page = organiser_client.get(url_of(group.cup))
    (sent,) = lot_forms(page)

    answer = organiser_client.post(f"{url_of(group.cup)}lot/", sent, follow=True)

    lot = Lot.objects.get()
    names = dict(group.cup.teams.values_list("pk", "name"))
    first, second, third = (names[pk] for pk in lot.order)
    assert answer.redirect_chain == [(url_of(group.cup), 302)]
    assert said(answer) == [
        f"Arpa on vedetty. Järjestys on {first}, {second} ja {third}."
    ]
    assert lot.group == group
    assert answer.context["form"] is not None
    assert f"A1 {first} – A2 {second}" in text_of(answer)


def test_a_tie_between_groups_is_settled_on_the_page_of_the_bracket(
    organiser_client, organiser
):
    cup = played_groups(teams=6, groups=2, best_next=1)
    (sent,) = lot_forms(organiser_client.get(url_of(cup)))

    answer = organiser_client.post(f"{url_of(cup)}lot/", sent, follow=True)

    lot = Lot.objects.get()
    assert (lot.group, lot.drawn_by) == (None, organiser)
    best = cup.teams.get(pk=lot.order[0])
    assert f"3. sijan paras {best}" in text_of(answer)


def test_a_lot_is_not_drawn_by_looking_nor_twice(organiser_client):
    cup = played_groups(teams=6, groups=2, best_next=1)
    (sent,) = lot_forms(organiser_client.get(url_of(cup)))
    assert Lot.objects.count() == 0
    organiser_client.post(f"{url_of(cup)}lot/", sent)

    answer = organiser_client.post(f"{url_of(cup)}lot/", sent, follow=True)

    assert said(answer)[1].startswith("Arpa vedetään vain, kun kaikki lohkot ovat")
    assert Lot.objects.count() == 1


@pytest.mark.parametrize(
    "make_sent",
    [
        lambda group, other: {"group": other.pk, "team": ids_of(group)},
        lambda group, other: {"group": group.pk, "team": ids_of(other)},
        lambda group, other: {"team": ids_of(other)},
        lambda group, other: {"group": "", "team": ids_of(group)},
        lambda group, other: {"group": "9" * 30, "team": ids_of(group)},
        lambda group, other: {"group": group.pk, "team": ["x", "²"]},
    ],
    ids=[
        "group_of_another_cup",
        "teams_of_another_cup",
        "teams_of_another_cup_without_group",
        "no_group",
        "huge_number",
        "team_no_number",
    ],
)
def test_ids_that_are_not_of_this_cup_are_not_found(organiser_client, make_sent):
    group, other = tied_group(), tied_group()

    answer = organiser_client.post(f"{url_of(group.cup)}lot/", make_sent(group, other))

    assert answer.status_code == 404
    assert Lot.objects.count() == 0


def ids_of(group):
    return [m.team_id for m in group.memberships.all()]


# Made.


def test_the_bracket_is_made_from_the_page(organiser_client, organiser):
    cup = played_groups(teams=8, groups=2)

    answer = make(organiser_client, cup, table_count="1")

    assert said(answer) == ["Jatkopelit on tehty."]
    assert pairs(cup) == ["A1-B2", "B1-A2", "?-?", "?-?"]
    games = bracket_games(cup)
    assert {g.playing_table.number for g in games} == {1}
    assert cup.log.first().by == organiser
    assert [
        row.game.number for _t, rows in answer.context["stages"] for row in rows
    ] == [
        *[13, 14, 15, 16],
    ]


def test_sent_twice_the_bracket_is_made_once_and_the_second_told(organiser_client):
    cup = played_groups(teams=8, groups=2)
    page = organiser_client.get(url_of(cup))
    sent = {"stamp": page.context["form"]["stamp"].value(), "table_count": "2"}
    organiser_client.post(url_of(cup), sent)

    answer = organiser_client.post(url_of(cup), sent, follow=True)

    assert said(answer) == [
        "Jatkopelit on tehty.",
        "Jatkopelit on jo tehty. Tarkista ne.",
    ]
    assert bracket_games(cup).count() == 4


@pytest.mark.parametrize("stamp", ["", "old", "x" * 500])
def test_pairs_that_were_not_seen_are_not_made(organiser_client, stamp):
    cup = played_groups(teams=8, groups=2)

    answer = make(organiser_client, cup, stamp=stamp)

    assert said(answer)[0].startswith("Jatkopelien parit ovat muuttuneet")
    assert bracket_games(cup).count() == 0


@pytest.mark.parametrize("tables", ["", "0", "99", "x"])
def test_a_number_of_tables_that_is_not_offered_is_refused_at_its_field(
    organiser_client, tables
):
    cup = played_groups(teams=8, groups=2)

    answer = make(organiser_client, cup, table_count=tables)

    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["table_count"]
    assert bracket_games(cup).count() == 0


def test_an_early_post_says_what_is_missing(organiser_client):
    cup = drawn_cup(teams=6, groups=2)

    answer = organiser_client.post(url_of(cup), {"table_count": "1"}, follow=True)

    assert said(answer) == [
        "Jatkopelit tehdään, kun kaikki lohkot ovat valmiit. Vielä kesken: A ja B."
    ]


# Played.


def test_the_page_lists_the_games_with_their_state(organiser_client):
    cup = cup_with_bracket(teams=8, groups=2)
    decide(cup.games.get(number=13))
    names = {place: team_at(cup, place).name for place in ("A1", "B2")}

    text = text_of(organiser_client.get(url_of(cup)))

    assert f"{names['A1']} voitti luovutuksella 2–0" in text
    assert '<span class="quiet">Voittaja P14</span>' in text
    assert f'{names["B2"]} <span class="place-source">B2</span>' in text


def test_the_champion_is_celebrated(organiser_client):
    cup = cup_with_bracket(teams=8, groups=2)
    for number in (13, 14, 16):
        decide(cup.games.get(number=number))

    text = text_of(organiser_client.get(url_of(cup)))

    assert f'<p class="champion-name">{team_at(cup, "A1")}</p>' in text


def test_a_conflict_is_shown_first_with_a_way_to_solve_it(organiser_client):
    cup = cup_with_bracket(teams=8, groups=2)
    decide(cup.games.get(number=13))
    withdraw_team(team=team_at(cup, "A1"), by=None, reason="Suljettiin kilpailusta")

    answer = organiser_client.get(url_of(cup))

    text = text_of(answer)
    assert "<strong>P13 on ristiriidassa.</strong>" in text
    assert f'href="/admin/cup/cup/{cup.pk}/games/13/conflict/"' in text


@pytest.mark.parametrize("size", [4, 8])
def test_the_page_takes_the_same_queries_for_any_bracket(
    organiser_client, size, django_assert_num_queries
):
    cup = cup_with_bracket(teams=2 * size, groups=size // 2)
    organiser_client.get(url_of(cup))

    with django_assert_num_queries(12):
        organiser_client.get(url_of(cup))


def test_the_workbench_leads_to_the_bracket(organiser_client):
    cup = played_groups(teams=8, groups=2)

    answer = organiser_client.get(f"/admin/cup/cup/{cup.pk}/")

    assert answer.context["tasks"][0].text == "Lohkot ovat valmiit. Tee jatkopelit."
    assert answer.context["tasks"][0].url == url_of(cup)
    assert [step.title for step in answer.context["steps"]][-1] == "Jatkopelit"


# Removed.


def test_the_bracket_is_removed_after_a_question_and_with_a_reason(organiser_client):
    cup = cup_with_bracket(teams=8, groups=2)
    asked = organiser_client.get(f"{url_of(cup)}remove/")
    assert "Poistetaan 4 peliä." in text_of(asked)
    assert bracket_games(cup).count() == 4

    answer = organiser_client.post(
        f"{url_of(cup)}remove/", {"reason": "Väärä määrä jatkoon"}, follow=True
    )

    assert said(answer) == ["Jatkopelit on poistettu."]
    assert bracket_games(cup).count() == 0
    assert cup.log.first().reason == "Väärä määrä jatkoon"


def test_a_missing_reason_is_asked_for_at_its_field(organiser_client):
    cup = cup_with_bracket(teams=8, groups=2)

    answer = organiser_client.post(f"{url_of(cup)}remove/", {"reason": " "})

    assert answer.status_code == 422
    assert answer.context["form"].errors == {"reason": ["Kirjoita muutoksen syy."]}
    assert bracket_games(cup).count() == 4


def test_a_bracket_that_has_begun_offers_no_removal_and_refuses_it(organiser_client):
    cup = cup_with_bracket(teams=8, groups=2)
    decide(cup.games.get(number=13))

    page = organiser_client.get(url_of(cup))
    answer = organiser_client.post(f"{url_of(cup)}remove/", {"reason": "Uudelleen"})

    assert f"{url_of(cup)}remove/" not in text_of(page)
    assert answer.status_code == 422
    (refusal,) = answer.context["form"].non_field_errors()
    assert refusal.startswith("Jatkopelejä on jo alettu pelata (P13)")
    assert answer.context["form"]["reason"].value() == "Uudelleen"


# The settings of who goes on.


def test_under_a_bracket_the_settings_of_who_goes_on_are_shown_and_not_asked(
    organiser_client,
):
    cup = played_groups(teams=6, groups=2, best_next=1)
    change = f"/admin/cup/cup/{cup.pk}/change/"
    open_form = organiser_client.get(change).context["adminform"].form
    assert {"qualifiers_per_group", "best_next", "bronze_game"} <= set(open_form.fields)

    made_bracket(cup)
    answer = organiser_client.get(change)

    fields = set(answer.context["adminform"].form.fields)
    assert fields & {"qualifiers_per_group", "best_next", "bronze_game"} == set()
    assert "Jatkopelit on jo tehty. Jos näitä pitää muuttaa" in text_of(answer)
