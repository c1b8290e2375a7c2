from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from komppa.cup import services
from komppa.cup.models import Cup, Game, OrganiserLog, Player, Team
from komppa.sheets.models import DealEntry, DealRecord
from komppa.sheets.queries import course_of
from komppa.sheets.records import take_back_record
from komppa.sheets.services import take_back_deal
from komppa.sheets.transfer import (
    KINDS,
    NotADocument,
    document_of,
    import_cup,
    text_of,
)
from tests.factories import UserFactory, drawn_cup, record, tied_group
from tests.factories.remembered import remembered
from tests.sheets.recorded import attach, cut, disputed

pytestmark = pytest.mark.django_db

PAGES = ("cup", "groups", "games", "bracket")


@pytest.fixture
@remembered
def cup():
    """A cup with a lot, a taken-back deal, a replaced player and a withdrawn team."""
    group = tied_group()
    made = group.cup
    tied = [m.team_id for m in group.memberships.all()]
    services.draw_lot(group=group, team_ids=tied, by=UserFactory(username="arpoja"))
    other = drawn_cup(teams=4, slug="other")
    record(other.games.first())
    game = made.games.first()
    last = course_of(game).last.entry
    take_back_deal(
        game=game,
        number=last.number,
        version=last.version,
        key="5" * 32,
        by=UserFactory(username="kirjaaja"),
        reason="väärä peli",
    )
    record(game, last_sheet(last, made))
    take_back_record(
        record=attach(game), by=UserFactory(username="liittäjä"), reason="väärä jako"
    )
    attach(game, cut(9))
    disputed(other.games.last())
    return Cup.objects.get(pk=made.pk)


def last_sheet(entry, cup):
    from scoring.sheet import DealSheet

    return DealSheet.from_json(entry.sheet, cup.rules)


def round_trip(cup):
    return import_cup(text=text_of(document_of(cup)), by=None)


def without_ids(cup):
    """Return the document with what is at home only taken out."""
    document = json.loads(text_of(document_of(cup)))
    document.pop("exported_at")
    document["cup"].pop("slug")
    document["log"] = [line for line in document["log"] if line["act"] != "import_cup"]
    ids = {
        kind.name: {row["id"]: i for i, row in enumerate(document[kind.name])}
        for kind in KINDS
    }
    table = {"team": "teams", "group": "groups", "game": "games", "player": "players"}
    for kind in KINDS:
        for row in document[kind.name]:
            row.pop("id")
            for name, value in row.items():
                base = re.sub(r"^(source_)|_[ab]$", "", name)
                base = re.sub(r"_[ab]$", "", base)
                base = {"winner_of": "game", "loser_of": "game", "replays": "game"}.get(
                    base, base
                )
                if base in table and value is not None:
                    row[name] = ids[table[base]][value]
                elif name == "playing_table" and value is not None:
                    row[name] = ids["playing_tables"][value]
    teams = ids["teams"]
    for lot in document["lots"]:
        lot["order"] = [teams[pk] for pk in lot["order"]]
    for draw in document["draws"]:
        draw["input"]["team_ids"] = [teams[pk] for pk in draw["input"]["team_ids"]]
        draw["result"] = [[teams[pk] for pk in group] for group in draw["result"]]
    for line in document["log"]:
        if line["target"].startswith("#"):
            line["target"] = ids["draws"][int(line["target"][1:])]
    return document


def test_a_cup_arrives_with_every_fact_and_none_of_anothers(cup):
    arrived = round_trip(cup)

    assert arrived.slug == f"{cup.slug}-2"
    assert without_ids(arrived) == without_ids(cup)
    assert (Cup.objects.count(), Team.objects.filter(cup=arrived).count()) == (3, 3)


def test_what_is_derived_follows_where_it_arrives(cup):
    arrived = round_trip(cup)

    figures = [f for k in KINDS if k.name == "games" for f in k.derived]
    assert list(arrived.games.values_list(*figures)) == list(
        cup.games.values_list(*figures)
    )
    assert (arrived.phase, arrived.revision) == (cup.phase, 1)


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_are_the_same_where_it_arrives(cup, page):
    arrived = round_trip(cup)

    home, away = (
        Client().get(reverse(f"live:{page}", args=[c.slug])).content.decode()
        for c in (cup, arrived)
    )

    def shown(text, own):
        text = text.replace(own.slug, "cup").replace(f"/{own.slug}/", "/cup/")
        return re.sub(r'(data-[\w-]*="[^"]*"|\bid="[^"]*"|href="[^"]*")', "", text)

    assert shown(away, arrived) == shown(home, cup)


def test_each_game_has_the_same_page_where_it_arrives(cup):
    arrived = round_trip(cup)

    for number in cup.games.values_list("number", flat=True):
        home, away = (
            Client()
            .get(reverse("live:game", args=[c.slug, number]))
            .content.decode()
            .replace(c.slug, "cup")
            for c in (cup, arrived)
        )
        strip = re.compile(r'data-revision="\d+"|data-version="\d+"')
        assert strip.sub("", away) == strip.sub("", home)


def test_the_draw_can_be_done_again_where_it_arrives(cup):
    from komppa.cup.draw import DrawInput, draw_groups, draw_order

    arrived = round_trip(cup)

    draw = arrived.draws.get(status="confirmed")
    again = draw_groups(DrawInput.from_json(draw.input), draw.seed)
    assert [list(group) for group in again] == draw.result
    lot = arrived.lots.get()
    assert list(draw_order(sorted(lot.order), lot.seed)) == lot.order


def test_a_person_without_an_account_gets_one_that_opens_nothing(cup):
    text = text_of(document_of(cup))
    text = text.replace('"kirjaaja"', '"vieras"')

    import_cup(text=text, by=None)

    guest = User.objects.get(username="vieras")
    assert (guest.is_active, guest.has_usable_password(), guest.is_staff) == (
        False,
        False,
        False,
    )


def test_who_did_it_stays_theirs_where_they_have_an_account(cup):
    arrived = round_trip(cup)

    entry = DealEntry.objects.get(game__cup=arrived, reason="väärä peli")
    assert entry.entered_by == User.objects.get(username="kirjaaja")
    home = DealEntry.objects.get(game__cup=cup, reason="väärä peli")
    assert abs((entry.entered_at - home.entered_at).total_seconds()) < 0.01


def test_the_import_is_on_the_log(cup, organiser):
    arrived = import_cup(text=text_of(document_of(cup)), by=organiser)

    line = OrganiserLog.objects.get(cup=arrived, act="import_cup")
    assert (line.by, line.target) == (organiser, cup.name)


def test_a_player_who_was_replaced_arrives_as_such(cup):
    player = Player.objects.filter(team__cup=cup).first()
    Player.everyone.create(
        team=player.team, position=1, name="Entinen", left_at=cup.draws.get().drawn_at
    )

    arrived = round_trip(cup)

    assert Player.everyone.filter(team__cup=arrived, left_at__isnull=False).count() == 1


def test_a_document_of_a_release_without_records_arrives_without_them(cup):
    document = json.loads(text_of(document_of(cup)))
    del document["deal_records"]

    arrived = import_cup(text=json.dumps(document), by=None)

    assert DealRecord.objects.filter(game__cup=arrived).count() == 0
    assert arrived.games.count() == cup.games.count()


# What is no cup, or a broken one.


def changed(cup, change):
    document = json.loads(text_of(document_of(cup)))
    change(document)
    return json.dumps(document)


BROKEN = {
    "other_format": lambda d: d.update(format="x"),
    "newer": lambda d: d.update(version=2),
    "no_games": lambda d: d.pop("games"),
    "games_no_list": lambda d: d.update(games={}),
    "row_no_object": lambda d: d["games"].append(7),
    "cup_no_object": lambda d: d.update(cup=[]),
    "id_text": lambda d: d["teams"][0].update(id="1"),
    "id_twice": lambda d: d["teams"][0].update(id=d["teams"][1]["id"]),
    "name_object": lambda d: d["teams"][0].update(name={"a": 1}),
    "name_too_long": lambda d: d["teams"][0].update(name="x" * 900),
    "name_nul": lambda d: d["teams"][0].update(name="a\0b"),
    "name_twice": lambda d: d["teams"][0].update(name_key=d["teams"][1]["name_key"]),
    "unknown_team": lambda d: d["games"][0].update(team_a=999_999),
    "team_list": lambda d: d["games"][0].update(team_a=[1]),
    "own_winner": lambda d: d["games"][0].update(
        winner_of_a=d["games"][0]["id"], source_team_a=None
    ),
    "no_source": lambda d: d["games"][0].update(source_team_a=None),
    "huge_number": lambda d: d["games"][0].update(number=10**40),
    "negative": lambda d: d["games"][0].update(number=-1),
    "date": lambda d: d["cup"].update(date="yesterday"),
    "ruleset_switch": lambda d: d["cup"].update(both_on_target="x"),
    "impossible_sheet": lambda d: d["deal_entries"][0].update(sheet={"mattis": 3}),
    "sheet_list": lambda d: d["deal_entries"][0].update(sheet=[]),
    "key": lambda d: d["deal_entries"][0].update(key="x"),
    "person_object": lambda d: d["deal_entries"][0].update(entered_by={}),
    "records_no_list": lambda d: d.update(deal_records={}),
    "record_null": lambda d: d["deal_records"][0].update(document=None),
    "two_records": lambda d: d["deal_records"][0].update(
        taken_back_at=None, taken_back_by=None
    ),
    "lot_order": lambda d: d["lots"][0].update(order={"a": 1}),
    "draw_input": lambda d: d["draws"][0].update(input=[]),
    "draw_result": lambda d: d["draws"][0].update(result=7),
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_a_broken_document_is_refused_whole(cup, change):
    text = changed(cup, change)
    before = (Cup.objects.count(), Game.objects.count(), User.objects.count())

    with pytest.raises(NotADocument):
        import_cup(text=text, by=None)

    assert (Cup.objects.count(), Game.objects.count(), User.objects.count()) == before


@pytest.mark.parametrize("text", ["", "[", "[]", "7", "{}", "[" * 90_000, "\ud800"])
def test_what_is_no_document_is_refused(text):
    with pytest.raises(NotADocument):
        import_cup(text=text, by=None)


JUNK = st.none() | st.booleans() | st.integers(-9, 10**20) | st.text(max_size=5)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_any_value_changed_is_taken_or_refused_and_never_a_fault(cup, data):
    document = json.loads(text_of(document_of(cup)))
    filled = [kind.name for kind in KINDS if document[kind.name]]
    table = data.draw(st.sampled_from([*filled, "cup"]))
    row = (
        document["cup"]
        if table == "cup"
        else data.draw(st.sampled_from(document[table]))
    )
    junk = JUNK | st.lists(JUNK, max_size=2) | st.dictionaries(st.text(), JUNK)
    row[data.draw(st.sampled_from(sorted(row)))] = data.draw(junk)
    cups = Cup.objects.count()

    try:
        import_cup(text=json.dumps(document), by=None)
    except NotADocument:
        assert Cup.objects.count() == cups


# The commands and the pages.


def test_the_commands_carry_a_cup_through_a_packed_file(cup, tmp_path, capsys):
    file = tmp_path / "cup.json.gz"

    call_command("export_cup", cup.slug, str(file))
    call_command("import_cup", str(file))

    assert capsys.readouterr().out.splitlines() == [
        f"{cup.name}: {file}",
        f"{cup.name}: /{cup.slug}-2/",
    ]


def test_the_commands_say_in_a_line_what_is_wrong(cup, tmp_path):
    (tmp_path / "x.json").write_text("x")
    for arguments, said in [
        (("export_cup", "none", "x"), "Turnausta none ei ole."),
        (("export_cup", cup.slug, str(tmp_path / "x.json")), "on jo olemassa"),
        (("import_cup", str(tmp_path / "no.json")), "No such file"),
        (("import_cup", str(tmp_path / "x.json")), "ei ole JSON-muotoa"),
    ]:
        with pytest.raises(CommandError, match=re.escape(said)):
            call_command(*arguments)


def test_an_organiser_takes_a_cup_out_and_in_by_the_pages(cup, organiser_client):
    answer = organiser_client.get(reverse("transfer:json", args=[cup.slug]))
    assert answer["Content-Disposition"] == f'attachment; filename="{cup.slug}.json"'
    file = _upload(answer.content)

    answer = organiser_client.post(reverse("transfer:import"), {"document": file})

    arrived = Cup.objects.get(slug=f"{cup.slug}-2")
    assert answer.url == reverse("admin:cup_workbench", args=[arrived.pk])


def test_a_file_that_is_no_cup_is_told_at_its_field(organiser_client):
    answer = organiser_client.post(
        reverse("transfer:import"), {"document": _upload(b"{}")}
    )

    assert (answer.status_code, Cup.objects.count()) == (422, 0)
    assert "Tiedostoa ei voi tuoda: se ei ole Kompan turnaus." in answer.text


def _upload(content):
    from django.core.files.uploadedfile import SimpleUploadedFile

    return SimpleUploadedFile("cup.json", content)


@pytest.mark.parametrize("who", ["client", "stranger_client", "scorekeeper_client"])
def test_nobody_else_takes_a_cup_out_or_in(request, cup, who):
    client = request.getfixturevalue(who)
    addresses = [
        reverse("transfer:import"),
        *(reverse(f"transfer:{n}", args=[cup.slug]) for n in ("export", "json")),
        reverse("transfer:csv", args=[cup.slug, "games"]),
    ]
    status = 302 if who == "client" else 403
    document = text_of(document_of(cup)).encode()

    assert [client.get(a).status_code for a in addresses] == [status] * 4
    sent = client.post(reverse("transfer:import"), {"document": _upload(document)})
    assert (sent.status_code, Cup.objects.count()) == (status, 2)
