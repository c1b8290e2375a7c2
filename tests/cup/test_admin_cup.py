from __future__ import annotations

import re

import pytest

from komppa.cup import services
from komppa.cup.models import Cup
from tests.factories import CupFactory, TeamFactory, drawn_cup, record

pytestmark = pytest.mark.django_db

ADD = "/admin/cup/cup/add/"
TYPED = {
    "name": "Ärrän pöytäcup 2026",
    "slug": "",
    "date": "2026-11-28",
    "place": "Smökki",
    "visibility": "public",
    "ruleset": "kemistikilta-2011",
    "both_on_target": "",
    "laistokierros_no_tricks": "",
    "corrected_foul": "",
    "sets_to_win": "2",
    "final_sets_to_win": "3",
    "foul_loss_sets": "as_played",
    "withdrawn_games": "annul",
    "qualifiers_per_group": "2",
    "best_next": "0",
    "bronze_game": "on",
    "time_zone": "Europe/Helsinki",
}


def change_url(cup):
    return f"/admin/cup/cup/{cup.pk}/change/"


def errors_of(answer):
    return answer.context["adminform"].form.errors


def typed_again(answer):
    form = answer.context["adminform"].form
    return {name: form[name].value() for name in form.fields}


def test_a_cup_is_made_from_the_form_and_its_workbench_follows(organiser_client):
    answer = organiser_client.post(ADD, TYPED)

    cup = Cup.objects.get()
    assert answer.status_code == 302
    assert answer.url == f"/admin/cup/cup/{cup.pk}/"
    assert (cup.name, cup.place, str(cup.date)) == (
        "Ärrän pöytäcup 2026",
        "Smökki",
        "2026-11-28",
    )
    assert cup.rules == CupFactory.build().rules
    line = cup.log.get()
    assert (line.act, line.by.username) == (
        "create_cup",
        answer.wsgi_request.user.username,
    )


def test_a_slug_left_blank_is_made_from_the_name(organiser_client):
    organiser_client.post(ADD, TYPED)

    assert Cup.objects.get().slug == "arran-poytacup-2026"


@pytest.mark.parametrize(
    ("name", "taken", "slug"),
    [
        ("Komppa", [], "komppa"),
        ("Komppa", ["komppa"], "komppa-2"),
        ("Komppa", ["komppa", "komppa-2", "komppa-cup"], "komppa-3"),
        ("Admin", [], "admin-2"),
        ("K" * 80, [], "k" * 50),
    ],
)
def test_a_suggested_slug_is_free(organiser_client, name, taken, slug):
    for other in taken:
        CupFactory(slug=other)

    organiser_client.post(ADD, {**TYPED, "name": name})

    assert Cup.objects.get(name=name).slug == slug


@pytest.mark.parametrize(
    ("slug", "message"),
    [
        ("admin", "Osoite ”admin” on varattu sivuston omaan käyttöön."),
        ("Sheet", "Osoite ”sheet” on varattu sivuston omaan käyttöön."),
        ("taken", "Tämä osoite on jo toisella turnauksella."),
        (
            "äö å",
            "Osoitteessa voi olla vain kirjaimia a–z, numeroita ja väliviivoja.",
        ),
    ],
)
def test_a_slug_that_cannot_be_used_is_refused_at_its_field(
    organiser_client, slug, message
):
    CupFactory(slug="taken")

    answer = organiser_client.post(ADD, {**TYPED, "slug": slug})

    assert errors_of(answer) == {"slug": [message]}
    assert typed_again(answer)["name"] == TYPED["name"]
    assert Cup.objects.count() == 1


@pytest.mark.parametrize("name", ["", "   "])
def test_a_missing_name_is_one_fault_and_not_the_address_s_too(organiser_client, name):
    answer = organiser_client.post(ADD, {**TYPED, "name": name, "slug": ""})

    assert errors_of(answer) == {"name": ["Tämä kenttä vaaditaan."]}
    assert Cup.objects.count() == 0


def test_a_name_without_letters_asks_for_a_slug(organiser_client):
    answer = organiser_client.post(ADD, {**TYPED, "name": "♠♥"})

    assert errors_of(answer) == {
        "slug": ["Nimestä ei synny osoitetta. Kirjoita se kirjaimin a–z ja numeroin."]
    }


def test_a_ruleset_fills_the_switches_and_one_may_depart_from_it(organiser_client):
    organiser_client.post(
        ADD, {**TYPED, "ruleset": "wikipedia-10", "corrected_foul": "counts"}
    )

    cup = Cup.objects.get()
    assert (cup.ruleset, cup.target, cup.comparison) == (
        "wikipedia-10",
        10,
        "card_points",
    )
    assert (cup.corrected_foul, cup.both_on_target) == ("counts", "laistokierros")


def test_every_mistake_comes_back_at_its_field_with_all_that_was_typed(
    organiser_client,
):
    wrong = {
        **TYPED,
        "name": "",
        "slug": "oma",
        "date": "28.13.2026",
        "ruleset": "mökki",
        "sets_to_win": "10",
        "time_zone": "Europe/Smökki",
        "place": "Otaniemi",
    }

    answer = organiser_client.post(ADD, wrong)

    assert set(errors_of(answer)) == {
        "name",
        "date",
        "ruleset",
        "sets_to_win",
        "time_zone",
    }
    again = typed_again(answer)
    assert {name: again[name] for name in ("slug", "date", "sets_to_win", "place")} == {
        "slug": "oma",
        "date": "28.13.2026",
        "sets_to_win": "10",
        "place": "Otaniemi",
    }
    assert Cup.objects.count() == 0


def test_the_form_explains_rulesets_and_switches_with_their_rules(organiser_client):
    page = organiser_client.get(ADD).content.decode()

    for words in (
        "Kemistikilta 2011: Komppa-cupin säännöt",
        "60–60 ei anna pistettä kummallekaan (R4.2)",
        "Kuten valituissa säännöissä",
        "(R6.5)",
        "(R6.6)",
        "(R7.3)",
        "(R9.8)",
        "(R9.10)",
        "(R5.7)",
    ):
        assert words in page


def shown_values(client, cup):
    answer = client.get(change_url(cup))
    form = answer.context["adminform"].form
    return {name: form[name].value() for name in form.fields if name in TYPED}


def test_a_form_saved_as_shown_changes_nothing(organiser_client):
    cup = CupFactory(
        ruleset="kotipeli", corrected_foul="counts", target=9, place="Smökki"
    )
    before = Cup.objects.values().get()
    shown = shown_values(organiser_client, cup)
    assert (shown["both_on_target"], shown["corrected_foul"]) == ("", "counts")

    answer = organiser_client.post(change_url(cup), shown)

    assert answer.status_code == 302
    assert {**Cup.objects.values().get(), "revision": 0} == before
    assert cup.log.count() == 0


def test_another_ruleset_brings_its_own_switches(organiser_client):
    cup = CupFactory(ruleset="kemistikilta-2011")
    shown = shown_values(organiser_client, cup)

    organiser_client.post(change_url(cup), {**shown, "ruleset": "wikipedia-10"})

    cup.refresh_from_db()
    expected = services.ruleset_values("wikipedia-10")
    assert {name: getattr(cup, name) for name in expected} == expected


def test_a_blank_slug_keeps_the_old_one(organiser_client):
    cup = CupFactory(slug="vanha")
    shown = shown_values(organiser_client, cup)

    organiser_client.post(change_url(cup), {**shown, "slug": ""})

    cup.refresh_from_db()
    assert cup.slug == "vanha"


def test_a_refusal_of_the_service_comes_back_at_its_field(organiser_client):
    cup = CupFactory()
    TeamFactory(cup=cup)
    shown = shown_values(organiser_client, cup)

    answer = organiser_client.post(
        change_url(cup), {**shown, "ruleset": "avomarjapussi", "place": "Uusi paikka"}
    )

    assert errors_of(answer) == {
        "ruleset": ["Joukkueita on jo ilmoitettu; pelaajamäärää ei voi enää muuttaa."]
    }
    assert typed_again(answer)["place"] == "Uusi paikka"
    cup.refresh_from_db()
    assert (cup.ruleset, cup.place) == ("kemistikilta-2011", "")


def test_rules_are_read_only_with_the_reason_once_a_deal_is_recorded(organiser_client):
    cup = drawn_cup(teams=3)
    record(cup.games.first())

    answer = organiser_client.get(change_url(cup))

    form = answer.context["adminform"].form
    assert set(form.fields) == {
        "name",
        "slug",
        "date",
        "place",
        "visibility",
        "qualifiers_per_group",
        "best_next",
        "bronze_game",
        "time_zone",
    }
    page = answer.content.decode()
    assert "Jakoja on jo kirjattu, joten muutos voi siirtää pelattuja tuloksia." in page
    assert f'href="/sheet/{cup.slug}/rules/"' in page
    assert "Kemistikilta 2011: Komppa-cupin säännöt" in page


def test_what_is_not_a_rule_can_be_saved_after_the_first_deal(organiser_client):
    cup = drawn_cup(teams=3)
    record(cup.games.first())
    shown = shown_values(organiser_client, cup)

    answer = organiser_client.post(change_url(cup), {**shown, "place": "Uusi paikka"})

    assert answer.status_code == 302
    cup.refresh_from_db()
    assert cup.place == "Uusi paikka"


def test_a_form_opened_before_the_first_deal_changes_no_rule_after_it(
    organiser_client,
):
    cup = drawn_cup(teams=3)
    shown = shown_values(organiser_client, cup)
    record(cup.games.first())

    answer = organiser_client.post(
        change_url(cup), {**shown, "ruleset": "kotipeli", "place": "Uusi paikka"}
    )

    assert errors_of(answer) == {
        "__all__": [
            "Säännöt lukittuivat, kun ensimmäinen jako kirjattiin. Tarkista muut "
            "tiedot ja tallenna uudelleen."
        ]
    }
    assert typed_again(answer)["place"] == "Uusi paikka"
    cup.refresh_from_db()
    assert (cup.ruleset, cup.place) == ("kemistikilta-2011", "")


def test_a_deal_recorded_while_the_form_is_being_saved_refuses_the_rules(
    organiser_client, monkeypatch
):
    cup = drawn_cup(teams=3)
    shown = shown_values(organiser_client, cup)
    update = services.update_cup

    def update_after_a_deal(**facts):
        monkeypatch.setattr(services, "update_cup", update)
        record(cup.games.first())
        return update(**facts)

    monkeypatch.setattr(services, "update_cup", update_after_a_deal)
    answer = organiser_client.post(change_url(cup), {**shown, "sets_to_win": "3"})

    assert errors_of(answer)["__all__"][-1] == (
        "Ensimmäinen jako on jo kirjattu, joten sääntöjä ja erien määriä ei muuteta "
        "tässä. Tallenna muut tiedot ja valitse sitten ”Muuta sääntöjä”."
    )


def test_a_cup_cannot_be_deleted_nor_looked_up_in_a_history(organiser_client):
    cup = CupFactory()

    answers = [
        organiser_client.post(f"/admin/cup/cup/{cup.pk}/delete/", {"post": "yes"}),
        organiser_client.get(f"/admin/cup/cup/{cup.pk}/history/"),
    ]

    assert [answer.status_code for answer in answers] == [403, 404]
    assert Cup.objects.count() == 1


def test_the_front_page_is_the_list_of_cups(organiser_client):
    assert organiser_client.get("/admin/cup/cup/").url == "/admin/"
    assert organiser_client.get("/admin/cup/").url == "/admin/"


@pytest.mark.parametrize("cups", [1, 4])
def test_the_front_page_takes_the_same_queries_for_any_number_of_cups(
    organiser_client, cups, django_assert_num_queries
):
    for _number in range(cups):
        drawn_cup(teams=3)

    with django_assert_num_queries(4):
        page = organiser_client.get("/admin/").content.decode()

    assert page.count("3 joukkuetta, 0/3 peliä pelattu") == cups


def test_the_workbench_links_to_its_steps_and_to_the_pages_of_others(organiser_client):
    cup = drawn_cup(teams=3, slug="komppa")

    page = organiser_client.get(f"/admin/cup/cup/{cup.pk}/").content.decode()

    for address in (
        f"/admin/cup/cup/{cup.pk}/teams/",
        f"/admin/cup/cup/{cup.pk}/draw/",
        f"/admin/cup/cup/{cup.pk}/games/",
        f"/admin/cup/cup/{cup.pk}/lots/",
        f"/admin/cup/cup/{cup.pk}/change/",
        f"/admin/auth/user/?cup={cup.pk}",
        "/komppa/",
        "/komppa/groups/",
        "/sheet/komppa/",
    ):
        assert f'href="{address}"' in page


def test_the_workbench_shows_the_public_address_to_print(organiser_client, settings):
    settings.PUBLIC_URL = "https://cup.example.org"
    cup = drawn_cup(teams=3, slug="komppa")

    page = organiser_client.get(f"/admin/cup/cup/{cup.pk}/").content.decode()

    assert "<code>https://cup.example.org/komppa/</code>" in page
    assert page.count('class="qr"') == 1
    assert re.findall(r"\sstyle=|<style", page) == []


def test_the_workbench_numbers_its_steps_once(organiser_client):
    page = organiser_client.get(f"/admin/cup/cup/{CupFactory().pk}/").content.decode()

    assert re.findall("<strong>([^<]+)</strong>\n", page)[-5:] == [
        "Joukkueet",
        "Arvonta",
        "Pelit",
        "Kirjaajat",
        "Jatkopelit",
    ]
    assert re.findall(r'step-number" aria-hidden="true">(\d)<', page) == list("12345")


def test_every_page_offers_the_languages_and_comes_back(organiser_client):
    page = organiser_client.get("/admin/cup/team/?q=x").content.decode()

    assert 'href="/language/en/?next=/admin/cup/team/%3Fq%3Dx"' in page


def test_the_workbench_tells_of_no_other_cup(organiser_client):
    cup, other = CupFactory(), CupFactory()
    services.add_team(cup=other, name="Vieras joukkue", by=None)

    page = organiser_client.get(f"/admin/cup/cup/{cup.pk}/").content.decode()

    assert "Vieras joukkue" not in page
