"""Every page in every language, and each device in the language chosen on it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from komppa.cup import services, services_people
from komppa.sheets.demo import replay
from komppa.sheets.demo_facts import CupFacts, generate_facts
from tests.factories import ScorekeeperFactory, cup_of, drawn_cup, tied_group
from tests.sheets.posts import address, back, blank, post
from tests.spoken import Page, finnish_in

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "fi"]
every_language = pytest.mark.parametrize("language", LANGUAGES)

HEADINGS = {
    "/": {"fi": "Turnaukset", "sv": "Turneringar", "en": "Cups"},
    "/busy/groups/": {"fi": "Lohkot", "sv": "Grupper", "en": "Groups"},
    "/busy/games/": {"fi": "Pelit", "sv": "Matcher", "en": "Games"},
    "/busy/games/1/": {"fi": "Peli 1", "sv": "Match 1", "en": "Game 1"},
    "/busy/bracket/": {"fi": "Kaavio", "sv": "Slutspel", "en": "Bracket"},
    "/busy/rules/": {"fi": "Säännöt", "sv": "Regler", "en": "Rules"},
    "/busy/rules/referee/": {"fi": "Tuomari", "sv": "Domare", "en": "Referee"},
    "/sheet/": {"fi": "Jakopöytäkirjat", "sv": "Givprotokoll", "en": "Score sheets"},
    "/login/": {"fi": "Kirjaudu sisään", "sv": "Logga in", "en": "Sign in"},
}
NOT_FOUND = {"sv": "Sidan hittades inte", "en": "Page not found"}
NOT_OPEN = {
    "sv": "Du har inte tillgång till den här sidan",
    "en": "This page is not open to you",
}


def client_in(language: str, user: User | None = None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    client.cookies["komppa_language"] = language
    return client


def facts_in_no_language() -> CupFacts:
    """Return a cup amid its games, whose names mean nothing."""
    facts = generate_facts(teams=6, groups=2, seed=7)
    names = {team["name"]: f"T{n}" for n, team in enumerate(facts["teams"], start=1)}
    for team in facts["teams"]:
        team["name"] = names[team["name"]]
        team["players"] = [f"{team['name']}x", f"{team['name']}y"]
    for game in facts["games"]:
        game["a"], game["b"] = names[game["a"]], names[game["b"]]
    facts["name"] = "C1"
    return facts


@pytest.fixture
def busy(db):
    return replay(facts_in_no_language(), slug="busy")


def pages_of(cup) -> list[str]:
    """Return the addresses of a cup's public pages and sheets."""
    numbers = cup.games.values_list("number", flat=True)
    pages = ("", "groups/", "games/", "bracket/", "rules/", "rules/referee/")
    base = [f"/{cup.slug}/{page}" for page in pages]
    games = [f"/{cup.slug}/games/{number}/" for number in numbers]
    sheets = [f"/sheet/{cup.slug}/games/{number}/" for number in numbers]
    return [*base, *games, f"/sheet/{cup.slug}/", *sheets]


def left_in_finnish(client: Client, paths: list[str]) -> dict[str, set[str]]:
    language = client.cookies["komppa_language"].value
    left = {}
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        if found := finnish_in(Page(answer.content.decode()).text, language):
            left[path] = found
    return left


LEFT_IN_FINNISH = {
    "Lohko",
    "Lohko %(group)s",
    "Lohko %(letter)s",
    "Pelit",
    "%(count)d joukkuetta",
    "%(count)s joukkuetta",
    "kännykkä",
}


@pytest.mark.parametrize(
    ("language", "left"),
    [("en", LEFT_IN_FINNISH | {"Välj", "hjärter"}), ("sv", LEFT_IN_FINNISH)],
)
def test_finnish_left_on_a_page_is_found(language, left):
    page = Page(
        '<p title="Lohko A">Pelit</p><p>pelimies 3 joukkuetta</p><i>kännykkä</i>'
        "<script>Arvonta</script><b>Välj hjärter</b>"
    )

    assert finnish_in(page.text, language) == left


@every_language
def test_public_pages_and_sheets_are_in_the_language_chosen(language, busy, organiser):
    client = client_in(language, organiser)

    assert left_in_finnish(client, ["/", "/sheet/", *pages_of(busy)]) == {}


@every_language
def test_answers_of_a_sheet_are_in_the_language_chosen(language, db, organiser):
    client = client_in(language, organiser)
    game, other = drawn_cup().games.order_by("number")[:2]
    other.outcome = "walkover_a"
    other.save()
    first = post(game)
    impossible = {"mattis": "4", "pips_a": "1", "no_tricks": "A", "foul_1": "B"}
    fouls = {"abandoned": "on", "foul_1": "A", "foul_2": "A", "foul_3": "A"}
    said = []

    def answered(data: dict[str, Any], page: str = "sheet") -> int:
        answer = client.post(address(game, page), data, follow=True)
        said.append(answer)
        return answer.status_code

    assert answered(first) == 200
    assert answered({**first, "key": str(uuid4()), "mattis": "4"}) == 409
    assert answered(post(game)) == 422  # the same again, soon
    assert answered(blank(game, **impossible)) == 422
    assert answered(post(game, key="")) == 422
    assert answered(blank(game), "preview") == 200
    assert answered(blank(game, mattis="4", suit_C="A"), "preview") == 200
    assert answered(back(game), "take_back") == 200
    assert answered({}, "take_back") == 422
    assert answered(blank(game, **fouls)) == 200
    assert answered(post(game)) == 409
    said.append(client.get(address(other)))
    texts = [Page(answer.content.decode()).text for answer in said]
    assert [finnish_in(text, language) for text in texts] == [set()] * 12


@every_language
def test_pages_of_a_cup_to_come_are_in_the_language_chosen(language, db, organiser):
    empty, teams = cup_of(0), cup_of(3, visibility="draft")
    planned = drawn_cup(is_demo=True)
    paths = [path for cup in (empty, teams, planned) for path in pages_of(cup)]

    assert left_in_finnish(client_in(language, organiser), ["/", *paths]) == {}


@every_language
def test_pages_of_a_tie_are_in_the_language_chosen(language, db, organiser):
    group = tied_group()
    client = client_in(language, organiser)
    before = left_in_finnish(client, pages_of(group.cup)[:4])

    services.draw_lot(
        group=group,
        team_ids=[member.team_id for member in group.memberships.all()],
        by=organiser,
    )

    after = left_in_finnish(client, pages_of(group.cup)[:4])
    assert (before, after) == ({}, {})


@every_language
def test_pages_without_a_cup_are_in_the_language_chosen(language, db):
    assert left_in_finnish(client_in(language), ["/", "/login/"]) == {}


@every_language
def test_error_pages_are_in_the_language_chosen(language, db, stranger):
    client = client_in(language, stranger)

    pages = [Page(client.get(path).content.decode()) for path in ("/none/", "/sheet/")]

    assert [(finnish_in(page.text, language), page.headings) for page in pages] == [
        (set(), [NOT_FOUND[language]]),
        (set(), [NOT_OPEN[language]]),
    ]


@every_language
def test_organisers_pages_are_in_the_language_chosen(language, busy, organiser):
    tied = tied_group().cup
    fresh = cup_of(3, visibility="draft")
    services.draft_draw(cup=fresh, group_count=1, by=organiser)
    services_people.deactivate(user=ScorekeeperFactory(), by=organiser)
    own = ("", "teams/", "draw/", "games/", "lots/", "change/")
    paths = [
        "/admin/",
        "/admin/cup/cup/add/",
        "/admin/auth/user/",
        "/admin/cup/team/",
        "/admin/cup/game/",
        "/admin/cup/organiserlog/",
        "/admin/sheets/dealentry/",
        *(f"/admin/cup/cup/{c.pk}/{p}" for c in (busy, tied, fresh) for p in own),
    ]

    assert left_in_finnish(client_in(language, organiser), paths) == {}


def test_page_is_in_the_language_that_was_chosen(busy, organiser):
    clients = {code: client_in(code, organiser) for code, _name in settings.LANGUAGES}

    headings = {
        path: {
            code: Page(client.get(path).content.decode()).headings
            for code, client in clients.items()
        }
        for path in HEADINGS
    }

    assert headings == {
        path: {code: [heading] for code, heading in expected.items()}
        for path, expected in HEADINGS.items()
    }


@pytest.mark.parametrize(
    ("language", "title", "reason"),
    [
        ("fi", "Virhe:", "Salasana on liian lyhyt. Siinä on oltava vähintään 8"),
        ("sv", "Fel:", "Det här lösenordet är för kort. Det måste innehålla minst 8"),
        ("en", "Error:", "This password is too short. It must contain at least 8"),
    ],
)
def test_what_django_says_is_in_the_language_chosen(language, title, reason, organiser):
    answer = client_in(language, organiser).post(
        "/admin/password_change/",
        {"old_password": "?", "new_password1": "a1", "new_password2": "a1"},
    )

    texts = Page(answer.content.decode()).texts
    said = {start for start in (title, reason) for t in texts if t.startswith(start)}
    assert said == {title, reason}


# Figures.


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("fi", "Arvonta {id} vahvistettiin 8.2.2027 klo 09.05."),
        ("sv", "Lottning {id} bekräftades 8.2.2027 kl. 09.05."),
        ("en", "Draw {id} was confirmed 8.2.2027 at 09.05."),
    ],
)
def test_a_time_is_written_as_in_finland(language, told, db):
    cup = drawn_cup()
    draw = cup.draws.get()
    draw.settled_at = datetime(2027, 2, 8, 7, 5, tzinfo=UTC)
    draw.save()

    answer = client_in(language).get(f"/{cup.slug}/draw/")

    assert told.format(id=draw.pk) in Page(answer.content.decode()).texts


@pytest.mark.parametrize(
    ("language", "day"), [("fi", "maanantai"), ("sv", "måndag"), ("en", "Monday")]
)
def test_a_day_is_named_in_the_language_chosen(language, day, organiser):
    cup = cup_of(2, date=date(2027, 2, 8), phase="groups")

    answer = client_in(language, organiser).get(f"/admin/cup/cup/{cup.pk}/")

    with translation.override(language):
        phase = cup.get_phase_display()
    said = Page(answer.content.decode()).texts
    assert f"{day} 8.2.2027 · {phase}" in said


@pytest.mark.parametrize(
    ("language", "counted"),
    [
        ("fi", ["0 peliä", "1 peli", "2 peliä"]),
        ("sv", ["0 matcher", "1 match", "2 matcher"]),
        ("en", ["0 games", "1 game", "2 games"]),
    ],
)
def test_things_are_counted_as_the_language_counts_them(language, counted):
    with translation.override(language):
        said = [
            translation.ngettext("%(count)s peli", "%(count)s peliä", count)
            % {"count": count}
            for count in range(3)
        ]

    assert said == counted


# The choice.


def heading(client: Client, path: str = "/") -> str:
    (found,) = Page(client.get(path).content.decode()).headings
    return found


def test_the_choice_stays_on_the_device_through_signing_in_and_out(scorekeeper):
    scorekeeper.set_password("oikea hevonen")
    scorekeeper.save()
    device, name = Client(), scorekeeper.username

    chosen = device.get("/language/sv/?next=/login/")
    shown = [heading(device, chosen.url)]
    device.post("/login/", {"username": name, "password": "oikea hevonen"})
    shown.append(heading(device, "/sheet/"))
    device.post("/logout/")
    shown.append(heading(device))

    assert shown == ["Logga in", "Givprotokoll", "Turneringar"]


def test_the_choice_is_the_devices_and_not_the_persons(scorekeeper):
    phone, tablet = Client(), Client()
    phone.force_login(scorekeeper)
    tablet.force_login(scorekeeper)

    phone.get("/language/sv/")

    assert (heading(phone), heading(tablet)) == ("Turneringar", "Turnaukset")


def test_the_choice_is_kept_for_a_year_and_needs_no_session(db, client):
    answer = client.get("/language/sv/")

    cookie = answer.cookies["komppa_language"]
    assert list(answer.cookies) == ["komppa_language"]
    assert (cookie.value, cookie["max-age"], cookie["httponly"]) == (
        "sv",
        60 * 60 * 24 * 365,
        True,
    )


def test_the_last_choice_holds(db, client):
    for code in ("sv", "en", "fi", "sv"):
        client.get(f"/language/{code}/")

    assert heading(client) == "Turneringar"


def test_a_language_that_is_not_spoken_changes_nothing(db, client):
    client.get("/language/sv/")

    answer = client.get("/language/de/")

    assert (answer.status_code, heading(client)) == (404, "Turneringar")


@pytest.mark.parametrize("kept", ["de", "SV", "sv-FI", "", "\x00", "s" * 5000])
def test_a_cookie_that_says_nothing_leaves_finnish(db, kept):
    assert heading(client_in(kept)) == "Turnaukset"


def test_the_browsers_own_languages_choose_nothing(db, client):
    answer = client.get("/", headers={"accept-language": "sv, en;q=0.8"})

    assert Page(answer.content.decode()).headings == ["Turnaukset"]


@pytest.mark.parametrize(
    ("wanted", "path"),
    [
        ("/busy/groups/?a=1", "/busy/groups/?a=1"),
        ("https://example.org/", "/"),
        ("//example.org", "/"),
        ("", "/"),
    ],
)
def test_the_choice_leads_back_on_this_site_only(db, client, wanted, path):
    answer = client.get("/language/sv/", {"next": wanted})

    assert (answer.status_code, answer.url) == (302, path)


def test_a_page_says_which_language_it_is_in_and_offers_the_others(db):
    page = client_in("sv").get("/").content.decode()

    links = re.findall(
        r'<a href="/language/(\w+)/[^>]*aria-label="(\w+)"( aria-current)?', page
    )
    assert '<html lang="sv">' in page
    assert links == [
        ("fi", "Suomi", ""),
        ("sv", "Svenska", " aria-current"),
        ("en", "English", ""),
    ]
