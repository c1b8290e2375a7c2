from __future__ import annotations

import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from komppa.cup.models import OrganiserLog
from komppa.sheets.models import DealRecord
from komppa.sheets.queries import seat_names, seating, standing_records
from scoring.deal_document import answer
from scoring.sides import Side
from tests.factories import drawn_cup, record
from tests.sheets.posts import text
from tests.sheets.recorded import (
    REASON,
    attach,
    cut,
    disputed,
    document,
    sheet_of,
    with_event,
    with_foul,
)
from tests.sheets.records_desk import Desk, back_of, form_of, page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    made = drawn_cup().games.select_related("team_a", "team_b").first()
    record(made, sheet_of(document()))
    return made


@pytest.fixture
def desk(organiser_client):
    return lambda game, number=1: Desk(organiser_client, form_of(game, number))


def test_a_record_is_looked_at_and_then_attached_with_a_reason(desk, game):
    page = desk(game).look(document())

    assert page.answer.status_code == 200
    assert "Tallenne ja pöytäkirja: samat tiedot." in text(page.answer)
    assert DealRecord.objects.count() == 0

    page.save()

    assert (page.answer.status_code, page.answer.url) == (303, page_of(game))
    made = standing_records(game)[1]
    assert (made.reason, made.added_by.is_staff, made.version) == (REASON, True, 1)
    shown = text(page.client.get(page_of(game)))
    assert "Tallenne on liitetty jakoon." in shown
    assert f"syy: {REASON}" in shown


def test_what_the_record_tells_amiss_is_shown_before_it_is_saved(desk, game):
    page = desk(game).look(with_foul(8))

    shown = text(page.answer)
    assert re.search(r"\d\. tikki : Pelivirhe, ", shown)
    assert re.search(r"Tallenne ja pöytäkirja eroavat \d+ tiedossa\.", shown)
    assert re.search(r"Pelivirheet (?!– –)\S.* – ≠ eri", shown)


def test_an_unfinished_record_says_how_far_it_goes(desk, game):
    shown = text(desk(game).look(cut(9)).answer)

    assert "Tallenteessa on 2 pelattua tikkiä, jako jää kesken." in shown


@pytest.mark.parametrize(
    ("index", "told"),
    [
        (0, "Mitätön. Ilmoittaa ja kysyä saa aikaisintaan toisen tikin jälkeen."),
        (
            11,
            "Kesken tikin, 2. kortin jälkeen. Mitätön. Ilmoittaa ja kysyä saa vain "
            "ennen tikin alkua, ei kesken tikin.",
        ),
    ],
)
def test_a_void_declaration_is_told_with_its_rule_and_why(desk, game, index, told):
    shown = text(desk(game).look(with_event(index, {"declare": "H"})).answer)

    assert f"ilmoittaa kokonaisen: hertta ( R3.1 ). {told}" in shown


def test_one_difference_is_told_as_one(desk, game):
    shown = text(desk(game).look(document(set_opening=False)).answer)

    assert "Tallenne ja pöytäkirja eroavat yhdessä tiedossa." in shown


def test_a_file_is_read_in_the_place_of_the_text(desk, game):
    sent = SimpleUploadedFile("jako.json", json.dumps(document()).encode("utf-8-sig"))

    page = desk(game).look({}, file=sent)

    assert page.answer.status_code == 200
    assert json.loads(page.typed) == document()
    page.save()
    assert list(standing_records(game)) == [1]


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("", "Liitä tallenne tähän tai valitse tiedosto."),
        ("{\n,", "Tallenne ei ole JSON-muotoa: virhe on rivillä 2, merkki 1."),
        ("[" * 9000, "Tallenne ei ole JSON-muotoa."),
        ("[]", "Koko tallenne: luettelo on vääränlainen tieto."),
        (json.dumps(document(leader="A1")), "Aloittaja: Erän aloittaa ristiässän"),
        (
            json.dumps(document(ruleset="avomarjapussi")),
            "Tallenteen säännöt ovat ”Avomarjapussi kahdelle”, mutta",
        ),
        (
            json.dumps(document(leader=10**40)),
            "Aloittaja: kohtuuton luku ei ole tämän pelin pelaajapaikka.",
        ),
        (
            json.dumps(with_event(2, {"play": "CA"})),
            "Tapahtuma 3: Vuorossa on ",
        ),
        (
            json.dumps({"hands": {}, "leader": "A2"}),
            "Tapahtumat: Merkitse jaon tapahtumat.",
        ),
    ],
    ids=[
        "empty",
        "no json",
        "too deep",
        "list",
        "leader",
        "rules",
        "number",
        "event",
        "missing",
    ],
)
def test_a_document_that_cannot_be_read_is_told_at_its_field_and_kept(
    desk, game, typed, error
):
    page = desk(game).send(document=typed, look="1", reason="Riita")

    assert page.answer.status_code == 422
    assert any(told.startswith(error) for told in page.errors), page.errors
    assert page.typed == typed
    assert DealRecord.objects.count() == 0


def test_every_problem_is_told_and_of_very_many_how_many_more(desk, game):
    few = document(events=[{"play": "CX"}, {"declare": "X"}])
    many = document(events=[{"play": "CX"}] * 30)

    assert desk(game).look(few).errors == [
        "Tapahtuma 1: ”CX” ei ole kortti.",
        "Tapahtuma 2: ”X” ei ole maa.",
    ]
    told = desk(game).look(many).errors
    assert (len(told), told[-1]) == (21, "Lisäksi 10 muuta virhettä.")


def test_a_file_that_is_no_text_is_refused_at_its_field(desk, game):
    sent = SimpleUploadedFile("jako.json", b"\xff\xfe\x00")

    page = desk(game).send(document="", file=sent, look="1")

    assert (page.answer.status_code, page.errors) == (422, ["Tiedosto ei ole tekstiä."])


@pytest.mark.parametrize("hidden", ["version", "seen", "stamp"])
def test_a_form_whose_hidden_part_is_broken_says_so(desk, game, hidden):
    page = desk(game).look(document()).save(**{hidden: "x" * 99})

    assert page.answer.status_code == 422
    assert page.errors == [
        "Lomake katkesi kesken. Mitään ei tallennettu: aloita alusta."
    ]
    assert json.loads(page.typed) == document()
    assert DealRecord.objects.count() == 0


def test_without_a_reason_nothing_is_saved_and_nothing_lost(desk, game):
    page = desk(game).look(document()).save(reason=" ")

    assert page.answer.status_code == 422
    assert page.errors == ["Kirjoita muutoksen syy."]
    assert json.loads(page.typed) == document()
    assert DealRecord.objects.count() == 0
    page.save()
    assert page.answer.status_code == 303


def test_another_document_than_was_looked_at_is_shown_first(desk, game):
    page = desk(game).look(document()).save(document=json.dumps(cut(9)))

    assert page.answer.status_code == 422
    assert page.errors == [
        "Tallenne on muu kuin se, jota äsken katsoit. Tarkista se uudelleen."
    ]
    assert DealRecord.objects.count() == 0
    page.save()
    assert standing_records(game)[1].document["events"] == cut(9)["events"]


def test_a_record_attached_by_another_meanwhile_is_not_replaced_unseen(desk, game):
    page = desk(game).look(document())
    other = attach(game, cut(9))

    page.save()

    assert page.answer.status_code == 409
    assert page.errors[0].startswith("Jaon tallenne on sillä välin vaihtunut.")
    assert standing_records(game) == {1: other}
    page.save()
    assert page.answer.status_code == 303
    assert standing_records(game)[1].document["events"] == document()["events"]


def test_a_record_taken_back_is_attached_again_from_its_page(
    desk, organiser_client, game
):
    made = attach(game)

    answer = organiser_client.post(back_of(made), {"reason": REASON})

    assert (answer.status_code, answer.url) == (303, page_of(game))
    assert standing_records(game) == {}
    shown = organiser_client.get(page_of(game)).content.decode()
    again = f"{form_of(game)}?record={made.pk}"
    assert again in shown
    page = Desk(organiser_client, again)
    assert json.loads(page.typed) == made.document
    page.look(json.loads(page.typed)).save()
    assert standing_records(game)[1].document == made.document


def test_a_record_is_taken_back_once_with_a_reason(organiser_client, game):
    made = attach(game)

    answer = organiser_client.post(back_of(made), {"reason": ""})
    assert answer.status_code == 422
    assert "Kirjoita muutoksen syy." in text(answer)
    organiser_client.post(back_of(made), {"reason": REASON})
    answer = organiser_client.post(back_of(made), {"reason": REASON})

    assert answer.status_code == 422
    assert "Tallenne on jo poistettu käytöstä." in text(answer)
    assert OrganiserLog.objects.filter(act="take_back_record").count() == 1


def test_a_record_that_the_rules_no_longer_read_is_told_as_such(organiser_client, game):
    made = attach(game)
    DealRecord.objects.filter(pk=made.pk).update(document={"hands": []})

    shown = text(organiser_client.get(page_of(game)))

    assert "Tallennetta ei voi lukea turnauksen nykyisillä säännöillä." in shown


def test_only_a_deal_that_stands_has_a_form(organiser_client, game):
    assert organiser_client.get(form_of(game, 2)).status_code == 404
    assert organiser_client.post(form_of(game, 2)).status_code == 404


def test_records_of_another_cup_or_game_are_not_found(organiser_client, game):
    other = drawn_cup().games.first()
    made = disputed(other)
    neighbour = game.cup.games.last()
    record(neighbour)
    before = list(DealRecord.objects.values())
    for stranger in (game, neighbour):
        address = reverse(
            "sheets:take_back_record",
            args=[stranger.cup.slug, stranger.number, made.pk],
        )

        answers = [
            organiser_client.post(address, {"reason": REASON}),
            organiser_client.get(f"{form_of(stranger)}?record={made.pk}"),
        ]

        assert [answer.status_code for answer in answers] == [404, 404]
    assert list(DealRecord.objects.values()) == before


@pytest.mark.parametrize("who", ["client", "stranger_client", "scorekeeper_client"])
def test_nobody_but_an_organiser_sees_or_writes_records(who, request, game):
    client: Client = request.getfixturevalue(who)
    made = attach(game)
    sent = {"document": json.dumps(cut(9)), "reason": REASON, "save": "1", "seen": ""}
    before = list(DealRecord.objects.values()), OrganiserLog.objects.count()

    answers = [client.get(page_of(game))]
    for address in (form_of(game), back_of(made)):
        answers += [client.get(address), client.post(address, sent)]

    expected = 302 if who == "client" else 403
    assert [answer.status_code for answer in answers] == [expected] * 5

    assert (list(DealRecord.objects.values()), OrganiserLog.objects.count()) == before


def test_organiser_s_pages_of_the_game_lead_to_its_records(organiser_client, game):
    for address in (
        reverse("admin:cup_game", args=[game.cup_id, game.number]),
        reverse("sheets:corrections", args=[game.cup.slug, game.number]),
    ):
        assert (
            f'href="{page_of(game)}"' in organiser_client.get(address).content.decode()
        )


def test_the_preview_compares_with_the_deal_that_it_is_for(desk, game):
    record(game, sheet_of(document(), club_ace=None, trump=Side.A))

    shown = text(desk(game, 2).look(document()).answer)

    assert "Valtti" in shown
    assert "Erän 1. jako kyllä ei ≠ eri" in shown


def test_who_sits_where_is_told_beside_the_document(desk, game):
    names = seat_names(seating(game))
    assert len(names) == 4

    shown = text(desk(game).answer)

    seats = ", ".join(f"{seat} {name}" for seat, name in names.items())
    assert f"Paikat: {seats}" in shown.replace(" ,", ",")


def test_the_answer_of_the_engine_is_told_from_its_document(desk, game):
    answered, _refused = answer(document())

    page = desk(game).look(answered)

    assert page.answer.status_code == 422
    assert text(page.answer).count("Tämä on komennon deal vastaus.") == 1
