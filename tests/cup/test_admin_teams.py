from __future__ import annotations

import pytest

from komppa.cup import services
from komppa.cup.models import Team
from tests.factories import CupFactory, TeamFactory, drawn_cup, record

pytestmark = pytest.mark.django_db


def url_of(cup):
    return f"/admin/cup/cup/{cup.pk}/teams/"


def typed(*rows, total=None):
    """Return what a browser sends: rows as dicts of their fields."""
    data = {
        "teams-TOTAL_FORMS": str(total or len(rows)),
        "teams-INITIAL_FORMS": "0",
        "teams-MIN_NUM_FORMS": "0",
        "teams-MAX_NUM_FORMS": "1000",
    }
    for number, row in enumerate(rows):
        for field in ("team_id", "name", "player_1", "player_2", "pot"):
            data[f"teams-{number}-{field}"] = row.get(field, "")
        if row.get("remove"):
            data[f"teams-{number}-remove"] = "on"
    return data


def stored(team, **changes):
    names = [player.name for player in team.players.all()]
    row = {"team_id": team.pk, "name": team.name, "pot": team.pot or ""}
    return {**row, "player_1": names[0], "player_2": names[1], **changes}


def facts_of(cup):
    return [services.team_facts(team) for team in cup.teams.order_by("pk")]


def errors_of(answer):
    return {
        line: dict(form.errors)
        for line, form in enumerate(answer.context["rows"], start=1)
        if form.errors
    }


@pytest.mark.parametrize(("teams", "empty"), [(0, 16), (5, 11), (12, 8), (20, 8)])
def test_there_are_always_empty_rows_and_the_cursor_is_on_the_first(
    organiser_client, teams, empty
):
    cup = CupFactory()
    TeamFactory.create_batch(teams, cup=cup)

    rows = organiser_client.get(url_of(cup)).context["rows"]

    assert [form["team_id"].value() for form in rows[teams:]] == [None] * empty
    focused = [
        line
        for line, form in enumerate(rows)
        if "autofocus" in form.fields["name"].widget.attrs
    ]
    assert focused == [teams]


def test_sixteen_teams_are_saved_in_one_go(organiser_client, organiser):
    cup = CupFactory()
    rows = [
        {"name": f"Joukkue {n}", "player_1": f"A{n}", "player_2": f"B{n}", "pot": "1"}
        for n in range(16)
    ]

    answer = organiser_client.post(url_of(cup), typed(*rows), follow=True)

    assert answer.redirect_chain == [(url_of(cup), 302)]
    assert facts_of(cup) == [
        {"name": f"Joukkue {n}", "pot": 1, "players": [f"A{n}", f"B{n}"]}
        for n in range(16)
    ]
    cup.refresh_from_db()
    assert cup.revision == 1
    assert set(cup.log.values_list("act", "by")) == {("add_team", organiser.pk)}
    assert [str(m) for m in answer.context["messages"]] == [
        "16 joukkuetta on tallennettu. "
        f'<a class="next-step" href="/admin/cup/cup/{cup.pk}/draw/">'
        "Seuraavaksi: arvonta</a>"
    ]
    assert "autofocus" not in answer.content.decode()


def said(answer):
    return [str(message).split(" <a")[0] for message in answer.context["messages"]]


def test_a_save_that_changes_nothing_says_so(organiser_client):
    cup = CupFactory()
    team = TeamFactory(cup=cup, name="Ässät")
    names = [player.name for player in team.players.all()]
    as_it_is = {
        "team_id": str(team.pk),
        "name": "Ässät",
        "player_1": names[0],
        "player_2": names[1],
    }

    same = organiser_client.post(url_of(cup), typed(as_it_is, {}), follow=True)
    gone = {**as_it_is, "remove": "on"}
    removed = organiser_client.post(url_of(cup), typed(gone), follow=True)
    empty = organiser_client.post(url_of(cup), typed({}, {}), follow=True)

    assert [said(answer) for answer in (same, removed, empty)] == [
        ["Mikään ei muuttunut: joukkueet olivat jo tallessa."],
        ["Kaikki joukkueet on poistettu."],
        ["Riveillä ei ollut vielä yhtään joukkuetta."],
    ]


def test_a_save_of_teams_already_drawn_leads_nowhere(organiser_client):
    cup = drawn_cup(teams=2)
    rows = [
        {"team_id": str(team.pk), "name": f"Uusi {team.pk}"} for team in cup.teams.all()
    ]

    answer = organiser_client.post(url_of(cup), typed(*rows), follow=True)

    assert [str(message) for message in answer.context["messages"]] == [
        "2 joukkuetta on tallennettu."
    ]


def test_empty_rows_are_no_teams(organiser_client):
    cup = CupFactory()

    organiser_client.post(url_of(cup), typed({}, {"name": "Ässät"}, {}, {}))

    assert [team.name for team in cup.teams.all()] == ["Ässät"]


def test_stored_teams_are_shown_and_can_be_changed_and_removed(organiser_client):
    cup = CupFactory()
    one, two, three = TeamFactory.create_batch(3, cup=cup)
    rows = organiser_client.get(url_of(cup)).context["rows"]
    assert [form["team_id"].value() for form in rows[:4]] == [
        one.pk,
        two.pk,
        three.pk,
        None,
    ]

    organiser_client.post(
        url_of(cup),
        typed(
            stored(one),
            stored(two, name="Uusi nimi", player_2=""),
            stored(three, remove=True),
        ),
    )

    assert facts_of(cup) == [
        services.team_facts(one),
        {"name": "Uusi nimi", "pot": None, "players": [f"{two.name} P1", ""]},
    ]


def test_more_rows_are_given_and_nothing_typed_is_lost_or_saved(organiser_client):
    cup = CupFactory()
    rows = [{"name": "Ässät", "player_1": "Aino", "pot": "x"}]

    answer = organiser_client.post(url_of(cup), {**typed(*rows, total=8), "more": "1"})

    shown = answer.context["rows"]
    assert (answer.status_code, len(shown.forms)) == (200, 16)
    assert shown[0]["name"].value() == "Ässät"
    assert shown[0]["pot"].value() == "x"
    assert cup.teams.count() == 0


@pytest.mark.parametrize("total", ["", "x", "-1", "9" * 30])
def test_more_rows_of_a_nonsensical_number_are_no_fault(organiser_client, total):
    data = {**typed({"name": "Ässät"}), "more": "1", "teams-TOTAL_FORMS": total}

    answer = organiser_client.post(url_of(CupFactory()), data)

    assert answer.status_code == 200


def test_every_error_stands_at_its_row_and_nothing_is_saved(organiser_client):
    cup = CupFactory()
    stays = TeamFactory(cup=cup, name="Stays")
    rows = [
        stored(stays, name="Muutettu"),
        {"name": "Kaksoset", "player_1": "Aino"},
        {"name": "", "player_1": "Nimetön", "player_2": "Pari"},
        {"name": "kaksoset", "player_2": "Väinö"},
        {"name": "Kelpaa", "player_1": "Eino"},
    ]

    answer = organiser_client.post(url_of(cup), typed(*rows))

    assert answer.status_code == 422
    assert errors_of(answer) == {
        2: {"name": ["Sama nimi on myös rivillä 4."]},
        3: {"name": ["Anna joukkueelle nimi."]},
        4: {"name": ["Sama nimi on myös rivillä 2."]},
    }
    again = [
        {field: form[field].value() for field in ("name", "player_1", "player_2")}
        for form in answer.context["rows"]
    ]
    assert [row["name"] for row in again] == [
        "Muutettu",
        "Kaksoset",
        "",
        "kaksoset",
        "Kelpaa",
    ]
    assert again[2] == {"name": "", "player_1": "Nimetön", "player_2": "Pari"}
    assert [team.name for team in cup.teams.all()] == ["Stays"]


def test_a_row_that_cannot_be_read_hides_no_error_of_the_other_rows(organiser_client):
    rows = [
        {"name": "Ässät", "pot": "99"},
        {"name": "ässät"},
        {"player_1": "Nimetön"},
        {"pot": "x"},
    ]

    answer = organiser_client.post(url_of(CupFactory()), typed(*rows))

    assert errors_of(answer) == {
        1: {"pot": ["Luku 1–26."], "name": ["Sama nimi on myös rivillä 2."]},
        2: {"name": ["Sama nimi on myös rivillä 1."]},
        3: {"name": ["Anna joukkueelle nimi."]},
        4: {"pot": ["Luku 1–26."], "name": ["Anna joukkueelle nimi."]},
    }


@pytest.mark.parametrize("pot", ["0", "27", "x", "1.5", "9" * 30])
def test_a_pot_that_is_none_stands_at_its_field(organiser_client, pot):
    cup = CupFactory()

    answer = organiser_client.post(url_of(cup), typed({"name": "Ässät", "pot": pot}))

    assert list(errors_of(answer)[1]) == ["pot"]
    assert cup.teams.count() == 0


def test_a_drawn_team_cannot_be_removed_and_the_row_says_why(organiser_client):
    cup = drawn_cup(teams=3)
    team = cup.teams.first()

    answer = organiser_client.post(url_of(cup), typed(stored(team, remove=True)))

    assert errors_of(answer) == {
        1: {
            "__all__": [
                f"{team.name} on arvottu lohkoon. Peru arvonta ennen sen poistamista."
            ]
        }
    }
    assert cup.teams.count() == 3


def test_a_new_team_is_refused_at_its_row_once_play_has_started(organiser_client):
    cup = drawn_cup(teams=3)
    record(cup.games.first())

    answer = organiser_client.post(url_of(cup), typed({"name": "Myöhässä"}))

    assert errors_of(answer) == {
        1: {"__all__": ["Pelit ovat alkaneet; uutta joukkuetta ei voi enää lisätä."]}
    }


def test_a_team_of_another_cup_is_refused_and_stays_as_it_was(organiser_client):
    cup, stranger = CupFactory(), TeamFactory(name="Vieras")

    for row in (stored(stranger, name="Mine"), stored(stranger, remove=True)):
        answer = organiser_client.post(url_of(cup), typed(row))

        assert errors_of(answer) == {
            1: {"__all__": ["Joukkue on sillä välin poistettu turnauksesta."]}
        }
    stranger.refresh_from_db()
    assert (stranger.name, stranger.cup == cup) == ("Vieras", False)


def test_the_same_page_sent_twice_adds_the_teams_once(organiser_client):
    cup = CupFactory()
    data = typed({"name": "Ässät"}, {"name": "Kuninkaat"})

    organiser_client.post(url_of(cup), data)
    again = organiser_client.post(url_of(cup), data)

    assert again.status_code == 422
    assert errors_of(again)[1] == {
        "name": ["Turnauksessa on jo joukkue nimeltä Ässät."]
    }
    assert cup.teams.count() == 2


def test_a_page_without_its_form_s_own_fields_is_refused(organiser_client):
    answer = organiser_client.post(url_of(CupFactory()), {"teams-0-name": "Ässät"})

    assert answer.status_code == 422


def test_a_name_of_markup_is_shown_as_it_was_typed(organiser_client):
    cup = CupFactory()
    name = """<b>&"'</b>"""

    page = organiser_client.post(url_of(cup), typed({"name": name}), follow=True)

    assert cup.teams.get().name == name
    assert "&lt;b&gt;&amp;&quot;&#x27;&lt;/b&gt;" in page.content.decode()
    assert "<b>&" not in page.content.decode()


def test_there_is_one_player_column_where_teams_have_one_player(organiser_client):
    cup = CupFactory(ruleset="avomarjapussi")

    answer = organiser_client.get(url_of(cup))

    assert "player_2" not in answer.context["rows"][0].fields


@pytest.mark.parametrize("teams", [1, 12])
def test_the_page_takes_the_same_queries_for_any_number_of_teams(
    organiser_client, teams, django_assert_num_queries
):
    cup = CupFactory()
    TeamFactory.create_batch(teams, cup=cup)

    with django_assert_num_queries(6):
        organiser_client.get(url_of(cup))


def change_url(team):
    return f"/admin/cup/team/{team.pk}/change/"


def test_one_team_is_changed_with_its_players(organiser_client):
    team = TeamFactory()
    form = organiser_client.get(change_url(team)).context["adminform"].form
    assert form["player_2"].value() == f"{team.name} P2"

    answer = organiser_client.post(
        change_url(team),
        {"name": "Uusi", "player_1": "Aino", "player_2": "Väinö", "pot": "2"},
    )

    assert answer.url == url_of(team.cup)
    assert facts_of(team.cup) == [
        {"name": "Uusi", "pot": 2, "players": ["Aino", "Väinö"]}
    ]


def test_a_refused_change_of_one_team_comes_back_with_what_was_typed(organiser_client):
    team = TeamFactory()
    TeamFactory(cup=team.cup, name="Varattu")

    answer = organiser_client.post(
        change_url(team), {"name": "varattu", "player_1": "Aino", "player_2": ""}
    )

    form = answer.context["adminform"].form
    assert dict(form.errors) == {
        "name": ["Turnauksessa on jo joukkue nimeltä varattu."]
    }
    assert form["player_1"].value() == "Aino"
    team.refresh_from_db()
    assert team.name != "varattu"


def test_one_team_is_removed_after_a_question(organiser_client):
    team = TeamFactory()
    url = f"/admin/cup/team/{team.pk}/delete/"
    assert f"Poistetaanko {team.name}?" in organiser_client.get(url).content.decode()

    organiser_client.post(url, {"post": "yes"})

    assert not Team.objects.filter(pk=team.pk).exists()
    assert team.cup.log.get().act == "remove_team"


def test_a_refused_removal_says_why(organiser_client):
    team = drawn_cup(teams=3).teams.first()

    answer = organiser_client.post(
        f"/admin/cup/team/{team.pk}/delete/", {"post": "yes"}, follow=True
    )

    assert [str(message) for message in answer.context["messages"]] == [
        f"{team.name} on arvottu lohkoon. Peru arvonta ennen sen poistamista."
    ]
    assert Team.objects.filter(pk=team.pk).exists()


@pytest.mark.parametrize("teams", [3, 9])
def test_the_list_takes_the_same_queries_for_any_number_of_teams(
    organiser_client, teams, django_assert_num_queries
):
    cup = drawn_cup(teams=teams)

    with django_assert_num_queries(8):
        page = organiser_client.get(
            f"/admin/cup/team/?cup__id__exact={cup.pk}"
        ).content.decode()

    assert page.count("Lohko A") == teams
