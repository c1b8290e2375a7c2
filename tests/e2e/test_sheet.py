"""The sheet in a browser, as it is held at the table."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from komppa.cup.models import Game
from komppa.sheets.models import DealEntry
from komppa.sheets.queries import course_of
from scoring.sheet import DealSheet, Foul, Suits
from scoring.sides import Pair, Side
from scoring.suits import Suit
from tests.factories import SIX_FOR_A, drawn_cup, record, sheet
from tests.sheets.posts import address

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
SAVED = re.compile(r"Jako \d+ tallennettu")


@pytest.fixture
def game(site):
    game = drawn_cup().games.select_related("team_a", "team_b").first()
    for team, name in ((game.team_a, "Karhut"), (game.team_b, "Ilvekset")):
        team.name = name
        team.save(update_fields=["name"])
    return game


@pytest.fixture
def tablet(site, new_context, scorekeeper):
    """Return a function that opens a game's sheet on a device of its own."""

    def open_sheet(game: Game, **options):
        context = new_context(viewport=PHONE, **options)
        context.add_cookies([site.session_cookie(scorekeeper)])
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.goto(site.url + address(game))
        return page

    return open_sheet


def suit(page, name: str, team: str):
    return page.get_by_role("radio", name=f"{name}, {team}", exact=True)


def last_trick(page, team: str):
    return page.get_by_role("group", name="Viimeinen tikki").get_by_role(
        "radio", name=team
    )


def no_tricks(page, team: str):
    return page.get_by_role("group", name=re.compile("^Ei yhtään tikkiä")).get_by_role(
        "radio", name=team
    )


def mattis(page, share: str):
    return page.get_by_role("group", name=re.compile("^Matit")).get_by_role(
        "radio", name=share
    )


def save(page):
    return page.locator(".save-button")


def answer(page):
    return page.locator("#answer")


def fill_plain(page, share: str = "5–3"):
    suit(page, "hertta", "Karhut").click()
    last_trick(page, "Karhut").click()
    mattis(page, share).click()


def deals(game: Game) -> list[DealSheet]:
    return [deal.sheet for deal in course_of(game).deals]


PLAIN = DealSheet(
    last_trick=Side.A,
    mattis=Pair(5, 3),
    trump=Side.A,
    suits=Suits(Suit.H, Pair((), ())),
)


# Taps.


def test_a_plain_deal_takes_four_taps(tablet, game):
    page = tablet(game)

    fill_plain(page)
    expect(answer(page)).to_contain_text("0 + 4 = 4")
    save(page).click()

    expect(page.get_by_text(SAVED)).to_contain_text(
        "Jako 1 tallennettu. Karhut 0 + 4 = 4, Ilvekset 0 + 0 = 0."
    )
    expect(save(page)).to_have_text("Tallenna jako 2")
    expect(suit(page, "hertta", "Karhut")).not_to_be_checked()
    assert deals(game) == [PLAIN]


def test_the_first_suit_tapped_is_the_trump_and_a_second_tap_takes_it_back(
    tablet, game
):
    page = tablet(game)
    roles = page.locator(".suit-role:not(:empty)")

    suit(page, "pata", "Ilvekset").click()
    suit(page, "risti", "Karhut").click()
    expect(roles).to_have_text(["pikkuvaltti", "valtti"])
    suit(page, "pata", "Ilvekset").click()
    expect(roles).to_have_text(["valtti"])
    suit(page, "ruutu", "Ilvekset").click()
    suit(page, "risti", "Ilvekset").click()
    expect(roles).to_have_text(["valtti", "pikkuvaltti"])

    last_trick(page, "Karhut").click()
    mattis(page, "6–2").click()
    save(page).click()
    expect(page.get_by_text(SAVED)).to_be_visible()
    assert deals(game)[0].suits == Suits(Suit.C, Pair((), (Suit.D,)))
    assert deals(game)[0].trump is Side.B


def test_what_follows_from_no_tricks_comes_and_goes_with_it(tablet, game):
    page = tablet(game)

    no_tricks(page, "Ilvekset").click()
    expect(mattis(page, "8–0")).to_be_checked()
    expect(last_trick(page, "Karhut")).to_be_checked()
    no_tricks(page, "Ilvekset").click()
    expect(mattis(page, "8–0")).not_to_be_checked()
    expect(last_trick(page, "Karhut")).not_to_be_checked()

    mattis(page, "5–3").click()
    no_tricks(page, "Ilvekset").click()
    expect(mattis(page, "5–3")).to_be_checked()
    expect(answer(page)).to_contain_text(
        "Ilvekset ei saanut tikkejä, joten sillä ei voi olla matteja."
    )


def test_pips_are_asked_at_four_all_and_aces_only_when_they_are_level(tablet, game):
    page = tablet(game)
    pips = page.get_by_role("group", name=re.compile("^Silmät"))
    aces = page.get_by_role("group", name=re.compile("^Ässät"))
    expect(pips).to_be_hidden()

    mattis(page, "4–4").click()
    expect(aces).to_be_hidden()
    page.get_by_label("Ilvekset", exact=True).and_(page.locator("[type=number]")).fill(
        "20"
    )
    expect(page.locator("[name=pips_a]")).to_have_value("16")
    page.locator("[name=pips_a]").fill("18")
    expect(page.locator("[name=pips_b]")).to_have_value("18")
    aces.get_by_role("radio", name="3–1").click()
    last_trick(page, "Ilvekset").click()
    expect(answer(page)).to_contain_text("0 + 1 = 1")
    save(page).click()

    expect(page.get_by_text(SAVED)).to_be_visible()
    assert deals(game) == [
        DealSheet(
            last_trick=Side.B, mattis=Pair(4, 4), pips=Pair(18, 18), aces=Pair(3, 1)
        )
    ]


def test_fouls_are_added_in_order_and_taken_off(tablet, game):
    page = tablet(game)
    rows = page.locator("[data-foul-row]:visible")

    page.get_by_role("button", name="+ Ilvekset").click()
    page.get_by_role("button", name="+ Karhut").click()
    page.get_by_role("button", name="+ Ilvekset").click()
    expect(rows).to_have_count(3)
    rows.nth(0).get_by_role("button", name="Poista virhe").click()
    expect(rows.locator("[data-foul-name]")).to_have_text(["Karhut", "Ilvekset"])
    rows.nth(1).get_by_label("korjattu heti").check()
    fill_plain(page)
    save(page).click()

    expect(page.get_by_text(SAVED)).to_be_visible()
    assert deals(game)[0].fouls == (Foul(Side.A), Foul(Side.B, corrected=True))


def test_a_third_foul_offers_to_abandon_the_deal(tablet, game):
    record(game, sheet(fouls=(Foul(Side.B), Foul(Side.B))))
    page = tablet(game)
    box = page.get_by_label("Jako keskeytyi kolmanteen pelivirheeseen")
    expect(box).to_be_hidden()

    page.get_by_role("button", name="+ Ilvekset").click()
    expect(box).to_be_checked()
    expect(page.get_by_role("group", name="Viimeinen tikki")).to_be_hidden()
    page.get_by_role("button", name="Poista virhe").click()
    expect(box).to_be_hidden()
    expect(page.get_by_role("group", name="Viimeinen tikki")).to_be_visible()
    page.get_by_role("button", name="+ Ilvekset").click()
    save(page).click()

    expect(page.get_by_role("heading", name="Karhut voitti pelin")).to_be_visible()
    assert deals(game)[-1] == DealSheet(fouls=(Foul(Side.B),), abandoned=True)


def test_the_last_deal_is_taken_back_with_one_tap_more(tablet, game):
    record(game)
    page = tablet(game)

    page.get_by_text("Kumoa viimeisin jako").click()
    page.get_by_role("button", name="Kumoa jako 1").click()

    expect(page.get_by_text("Viimeisin jako on peruttu.")).to_be_visible()
    assert deals(game) == []


def test_problems_are_shown_where_they_are_and_nothing_is_lost(tablet, game):
    page = tablet(game)
    mattis(page, "4–4").click()
    page.locator("[name=pips_a]").fill("35")

    save(page).click()

    problems = page.get_by_role("alert")
    expect(problems.get_by_role("listitem")).to_have_text(
        [
            "Merkitse, kumpi sai viimeisen tikin. R10.3",
            "Silmiä ei voi olla 35: millään korteilla ei tule sitä määrää. R10.1",
        ]
    )
    expect(mattis(page, "4–4")).to_be_checked()
    expect(page.locator("[name=pips_a]")).to_have_value("35")
    page.locator("[name=pips_a]").fill("30")
    last_trick(page, "Karhut").click()
    save(page).click()
    expect(page.get_by_text(SAVED)).to_be_visible()
    assert deals(game)[0].pips == Pair(30, 6)


def test_what_is_rare_is_asked_once_more(tablet, game):
    page = tablet(game)
    last_trick(page, "Karhut").click()
    mattis(page, "8–0").click()
    save(page).click()

    expect(page.get_by_text("Varmista vielä")).to_be_visible()
    page.get_by_role("button", name="Tallenna silti").click()

    expect(page.get_by_text(SAVED)).to_be_visible()
    assert deals(game)[0].mattis == Pair(8, 0)


# Drafts and the network.


def test_a_draft_survives_the_page_and_ends_with_the_save(tablet, game):
    page = tablet(game)
    fill_plain(page)
    page.get_by_role("button", name="+ Ilvekset").click()
    key = page.locator("[name=key]").input_value()

    page.reload()
    expect(suit(page, "hertta", "Karhut")).to_be_checked()
    expect(mattis(page, "5–3")).to_be_checked()
    expect(page.locator("[data-foul-row]:visible")).to_have_count(1)
    expect(answer(page)).to_contain_text("0 + 4 = 4")
    assert page.locator("[name=key]").input_value() == key

    save(page).click()
    expect(save(page)).to_have_text("Tallenna jako 2")
    page.reload()
    expect(mattis(page, "5–3")).not_to_be_checked()
    assert page.evaluate("Object.keys(localStorage)") == []


def test_a_deal_saved_without_a_connection_is_sent_when_it_returns(tablet, game):
    page = tablet(game)
    fill_plain(page)
    page.context.set_offline(True)
    save(page).click()

    status = page.locator("[data-sheet-status]")
    expect(status).to_contain_text(
        "Ei yhteyttä – tallennetaan, kun yhteys palaa. Ei vielä tallennettu: jako 1."
    )
    expect(save(page)).to_have_text("Tallenna jako 2")
    fill_plain(page, "7–1")
    save(page).click()
    assert deals(game) == []

    page.context.set_offline(False)
    expect(page.get_by_text("Jako 2 tallennettu")).to_be_visible()
    expect(save(page)).to_have_text("Tallenna jako 3")
    assert [deal.mattis for deal in deals(game)] == [Pair(5, 3), Pair(7, 1)]
    assert DealEntry.objects.count() == 2


def test_a_deal_being_sent_survives_the_page(tablet, game):
    page = tablet(game)
    fill_plain(page)
    page.route("**/games/1/", lambda route: route.abort())
    save(page).click()
    expect(page.locator("[data-sheet-status]")).to_contain_text("Ei vielä tallennettu")
    mattis(page, "6–2").click()

    page.unroute("**/games/1/")
    page.reload()

    expect(save(page)).to_have_text("Tallenna jako 2")
    expect(page.get_by_text(SAVED)).to_be_visible()
    expect(mattis(page, "6–2")).to_be_checked()
    assert deals(game) == [PLAIN]


def test_an_answer_that_was_lost_never_counts_the_deal_twice(tablet, game):
    page = tablet(game)
    lost = []

    def lose_the_first(route):
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch(max_redirects=0).status)
            route.abort()
        else:
            route.fallback()

    page.route("**/games/1/", lose_the_first)
    fill_plain(page)
    save(page).click()

    expect(save(page)).to_have_text("Tallenna jako 2")
    expect(save(page)).to_be_enabled()
    assert lost == [303]
    assert DealEntry.objects.count() == 1


def test_two_quick_taps_save_once(tablet, game):
    page = tablet(game)
    fill_plain(page)

    save(page).dblclick()

    expect(save(page)).to_have_text("Tallenna jako 2")
    expect(save(page)).to_be_enabled()
    assert DealEntry.objects.count() == 1


def test_a_server_out_of_order_is_asked_again(tablet, game):
    page = tablet(game)
    answers = []

    def fail_the_first(route):
        if route.request.method == "POST" and not answers:
            answers.append(503)
            route.fulfill(status=503, body="")
        else:
            route.fallback()

    page.route("**/games/1/", fail_the_first)
    fill_plain(page)
    save(page).click()

    expect(page.locator("[data-sheet-status]")).to_contain_text("Palvelin ei vastaa")
    expect(page.get_by_text(SAVED)).to_be_visible()
    assert deals(game) == [PLAIN]


def test_typed_facts_wait_while_somebody_signs_in_again(
    site, tablet, game, scorekeeper
):
    page = tablet(game)
    fill_plain(page)
    page.context.clear_cookies(name="sessionid")

    save(page).click()
    expect(page.get_by_text("Kirjautuminen on vanhentunut.")).to_be_visible()
    way = page.get_by_role("link", name="Kirjaudu uudelleen").get_attribute("href")
    assert way == f"/login/?next={address(game)}"
    assert deals(game) == []

    page.context.add_cookies([site.session_cookie(scorekeeper)])
    page.goto(site.url + address(game))
    expect(page.get_by_text(SAVED)).to_be_visible()
    assert deals(game) == [PLAIN]


def test_other_pages_tell_of_a_deal_that_waits_to_be_sent(site, tablet, game):
    page = tablet(game)
    page.route("**/games/1/", lambda route: route.abort())
    fill_plain(page)
    save(page).click()
    expect(page.locator("[data-sheet-status]")).to_contain_text("Ei vielä tallennettu")
    page.unroute("**/games/1/")

    page.goto(f"{site.url}/sheet/{game.cup.slug}/")
    banner = page.locator("[data-unsent]")
    expect(banner).to_contain_text("Tällä laitteella on vielä tallentamaton jako.")
    banner.get_by_role("link", name="Avaa peli 1").click()

    expect(page.get_by_text(SAVED)).to_be_visible()
    page.goto(f"{site.url}/sheet/")
    expect(page.locator("[data-unsent]")).to_be_hidden()
    assert deals(game) == [PLAIN]


def test_a_page_that_is_not_ours_is_no_answer(tablet, game):
    """A hotel's own page may stand where the site's answer should."""
    page = tablet(game)
    portals = []

    def answer_for_the_site(route):
        if route.request.method == "POST" and len(portals) < 2:
            portals.append(200)
            route.fulfill(status=200, body="<h1>Tervetuloa verkkoon</h1>")
        else:
            route.fallback()

    page.route("**/games/1/", answer_for_the_site)
    fill_plain(page)
    save(page).click()

    expect(page.locator("[data-sheet-status]")).to_contain_text("Ei vielä tallennettu")
    expect(page.get_by_text(SAVED)).to_be_visible(timeout=15_000)
    assert deals(game) == [PLAIN]


def test_a_refused_deal_is_kept_until_it_is_sent_or_dropped(tablet, game):
    page = tablet(game)
    page.route(
        "**/games/1/",
        lambda route: (
            route.fulfill(status=413, body="")
            if route.request.method == "POST"
            else route.fallback()
        ),
    )
    fill_plain(page)
    save(page).click()
    banner = page.locator("[data-sheet-banner]")
    expect(banner).to_contain_text("Tallennus ei onnistunut (413).")

    page.unroute("**/games/1/")
    banner.get_by_role("button", name="Yritä uudelleen").click()
    expect(page.get_by_text(SAVED)).to_be_visible()
    assert deals(game) == [PLAIN]


# Two tablets.


def test_another_tablet_follows_when_nothing_was_typed(tablet, game):
    mine, theirs = tablet(game), tablet(game)
    fill_plain(mine)
    save(mine).click()

    expect(save(theirs)).to_have_text("Tallenna jako 2")
    expect(theirs.locator(".sheet-previous")).to_contain_text("0 + 4 = 4")
    fill_plain(theirs, "7–1")
    save(theirs).click()

    expect(theirs.get_by_text("Jako 2 tallennettu")).to_be_visible()
    expect(save(mine)).to_have_text("Tallenna jako 3")
    assert len(deals(game)) == 2


def test_another_tablet_keeps_what_was_typed_and_says_what_was_recorded(tablet, game):
    mine, theirs = tablet(game), tablet(game)
    mattis(theirs, "7–1").click()
    fill_plain(mine)
    save(mine).click()

    banner = theirs.locator("[data-sheet-banner]")
    expect(banner).to_contain_text(
        "Toinen laite kirjasi jaon. Jako 1: Karhut 0 + 4 = 4, Ilvekset 0 + 0 = 0. "
        "Omat merkintäsi ovat tallessa alla."
    )
    expect(mattis(theirs, "7–1")).to_be_checked()
    banner.get_by_role("button", name="Jatka ilman omia merkintöjä").click()
    expect(save(theirs)).to_have_text("Tallenna jako 2")
    expect(mattis(theirs, "7–1")).not_to_be_checked()


def test_the_second_of_two_sheets_is_kept_and_can_be_the_next_deal(tablet, game):
    mine, theirs = tablet(game), tablet(game)
    fill_plain(theirs, "7–1")
    fill_plain(mine)
    save(mine).click()
    expect(theirs.locator("[data-sheet-banner]")).to_be_visible()
    save(theirs).click()

    expect(
        theirs.get_by_role("heading", name="Tämä jako on jo kirjattu")
    ).to_be_visible()
    expect(mattis(theirs, "7–1")).to_be_checked()
    save(theirs).click()
    expect(theirs.get_by_text("Jako 2 tallennettu")).to_be_visible()
    assert [deal.mattis for deal in deals(game)] == [Pair(5, 3), Pair(7, 1)]


def test_a_sheet_that_lost_is_not_meant_for_the_next_deal_after_a_reload(tablet, game):
    mine, theirs = tablet(game), tablet(game)
    fill_plain(theirs, "7–1")
    fill_plain(mine)
    save(mine).click()
    expect(theirs.locator("[data-sheet-banner]")).to_be_visible()
    save(theirs).click()
    expect(theirs.locator(".sheet-conflict")).to_be_visible()

    theirs.reload()

    expect(theirs.locator("[data-sheet-banner]")).to_contain_text(
        "Tällä laitteella on tallentamattomia merkintöjä jaosta 1."
    )
    expect(mattis(theirs, "7–1")).not_to_be_checked()


def test_the_second_of_two_sheets_can_be_dropped(tablet, game):
    mine, theirs = tablet(game), tablet(game)
    fill_plain(theirs, "7–1")
    fill_plain(mine)
    save(mine).click()
    expect(theirs.locator("[data-sheet-banner]")).to_be_visible()
    save(theirs).click()

    theirs.get_by_role("link", name="Jatka – se oli tämä jako").click()
    expect(theirs.locator(".sheet-conflict")).to_have_count(0)
    expect(save(theirs)).to_have_text("Tallenna jako 2")
    expect(mattis(theirs, "7–1")).not_to_be_checked()
    assert len(deals(game)) == 1


def test_a_game_won_on_another_tablet_is_won_here_too(tablet, game):
    for _ in range(3):
        record(game, sheet(**SIX_FOR_A))
    page = tablet(game)
    record(game, sheet(**SIX_FOR_A))

    expect(page.get_by_role("heading", name="Karhut voitti pelin")).to_be_visible()
    expect(save(page)).to_have_count(0)


def test_a_draft_of_a_deal_that_others_recorded_is_offered_on_return(tablet, game):
    page = tablet(game)
    fill_plain(page, "7–1")
    away = page.url
    page.goto("about:blank")
    record(game)
    page.goto(away)

    banner = page.locator("[data-sheet-banner]")
    expect(banner).to_contain_text(
        "Tällä laitteella on tallentamattomia merkintöjä jaosta 1."
    )
    expect(mattis(page, "7–1")).not_to_be_checked()
    banner.get_by_role("button", name="Palauta ne lomakkeelle").click()
    expect(mattis(page, "7–1")).to_be_checked()
    page.reload()
    expect(mattis(page, "7–1")).to_be_checked()


# Without JavaScript.


def test_everything_works_without_javascript(tablet, game):
    page = tablet(game, java_script_enabled=False)
    suit(page, "hertta", "Karhut").click()
    suit(page, "pata", "Ilvekset").click()
    page.get_by_role("group", name="Mikä maa oli valtti?").get_by_role(
        "radio", name="hertta"
    ).click()
    mattis(page, "4–4").click()
    save(page).click()
    expect(page.get_by_role("alert").get_by_role("listitem")).to_have_count(2)
    expect(suit(page, "pata", "Ilvekset")).to_be_checked()

    page.locator("[name=pips_b]").fill("20")
    last_trick(page, "Karhut").click()
    row = page.get_by_role("group", name="1. virhe")
    row.get_by_role("radio", name="Ilvekset").click()
    row.get_by_label("korjattu heti").check()
    save(page).click()
    expect(page.get_by_text(SAVED)).to_be_visible()
    assert deals(game) == [
        DealSheet(
            last_trick=Side.A,
            mattis=Pair(4, 4),
            pips=Pair(16, 20),
            trump=Side.A,
            small_trumps=Pair(0, 1),
            suits=Suits(Suit.H, Pair((), (Suit.S,))),
            fouls=(Foul(Side.B, corrected=True),),
        )
    ]

    message = page.get_by_label("Ilmoitukset")
    message.get_by_text("Kumoa viimeisin jako").click()
    message.get_by_role("button", name="Kumoa jako 1").click()
    expect(page.get_by_text("Viimeisin jako on peruttu.")).to_be_visible()
    assert deals(game) == []


# For every thumb and eye.


def game_with_long_names(**options) -> Game:
    game = drawn_cup(**options).games.select_related("team_a", "team_b").first()
    for team, letter in ((game.team_a, "W"), (game.team_b, "Å")):
        team.name = letter * 40
        team.save(update_fields=["name"])
        team.players.update(name=letter * 40)
    return game


@pytest.mark.parametrize("width", [360, 820, 1920])
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_the_sheet_fits_its_screen_whatever_the_names(tablet, site, width, script):
    game = game_with_long_names()
    record(game)
    over = {}
    page = tablet(game, java_script_enabled=script)
    page.set_viewport_size({"width": width, "height": 740})
    if script:
        mattis(page, "4–4").click()
        page.locator("[data-add-foul=A]").click()
    for path in (None, f"/sheet/{game.cup.slug}/", "/sheet/"):
        if path:
            page.goto(site.url + path)
        over[path] = page.evaluate("document.documentElement.scrollWidth") - width

    assert {path: sticking for path, sticking in over.items() if sticking > 0} == {}


def test_every_target_is_big_enough_for_a_thumb(tablet, game):
    page = tablet(game)
    page.set_viewport_size({"width": 360, "height": 740})
    mattis(page, "4–4").click()
    page.locator("[name=pips_a]").fill("18")
    page.locator("[data-add-foul=A]").click()

    small = page.locator(
        "#deal-form :is(.pick, button, .form-control, .foul-corrected)"
    ).evaluate_all(
        """all => all
          .map(e => [e.textContent.trim(), e.getBoundingClientRect()])
          .filter(([_, box]) => box.width && (box.width < 48 || box.height < 48))
          .map(([text, box]) => `${text} ${box.width}x${box.height}`)"""
    )

    assert small == []


def test_the_last_field_is_not_hidden_by_the_save_button(tablet, game):
    page = tablet(game)
    page.set_viewport_size({"width": 360, "height": 640})
    fill_plain(page)
    expect(answer(page)).to_contain_text("0 + 4 = 4")

    page.locator("[data-add-foul=B]").focus()
    page.keyboard.press("Enter")
    page.get_by_label("korjattu heti").locator("visible=true").focus()

    page.wait_for_function(
        """() => {
          const box = document.activeElement.getBoundingClientRect();
          const bar = document.querySelector("[data-save-bar]").getBoundingClientRect();
          return box.top >= 0 && box.bottom <= bar.top;
        }"""
    )


def test_pages_bring_nothing_that_the_browser_refuses(tablet, game):
    complaints = []
    record(game)
    page = tablet(game)
    page.on("console", lambda message: complaints.append((message.type, message.text)))
    page.on("pageerror", lambda error: complaints.append(("error", str(error))))

    page.reload()
    fill_plain(page)
    expect(answer(page)).to_contain_text("2 + 4 = 6")
    save(page).click()
    expect(page.get_by_text(SAVED)).to_be_visible()
    page.goto(page.url.split("games")[0])

    assert [said for kind, said in complaints if kind in ("error", "warning")] == []


# What a tap opens is brought above the save bar.


def above_the_bar(page, part) -> bool:
    bar = page.locator("[data-save-bar]").bounding_box()
    box = part.bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= bar["y"] + 1


def comes_above_the_bar(page, part) -> bool:
    for _try in range(50):
        if above_the_bar(page, part):
            return True
        page.wait_for_timeout(100)
    return False


def tap_just_above_the_bar(page, choice):
    """Tap where the page happens to stand; a locator's own click would scroll."""
    bar = page.locator("[data-save-bar]").bounding_box()
    box = choice.bounding_box()
    page.mouse.wheel(0, box["y"] + box["height"] - bar["y"] + 4)
    page.wait_for_timeout(300)
    box = choice.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_the_pips_that_even_mattis_open_are_seen(tablet, game):
    page = tablet(game)

    fill_plain(page)
    expect(answer(page)).to_contain_text("0 + 4 = 4")
    tap_just_above_the_bar(page, mattis(page, "4–4").locator("xpath=.."))

    assert comes_above_the_bar(page, page.get_by_role("group", name="Silmät"))


def test_a_foul_that_is_added_is_seen(tablet, game):
    page = tablet(game)

    tap_just_above_the_bar(page, page.get_by_role("button", name="+ Karhut"))

    row = page.get_by_role("group", name="1. virhe")
    expect(row).to_be_visible()
    assert comes_above_the_bar(page, row)


def test_a_deal_that_the_server_fails_at_can_be_dropped(tablet, game):
    page = tablet(game)
    page.clock.install()
    page.route(
        "**" + address(game),
        lambda route: (
            route.fulfill(status=500, body="Virhe")
            if route.request.method == "POST"
            else route.continue_()
        ),
    )
    fill_plain(page)
    save(page).click()

    drop = page.get_by_role("button", name="Hylkää ne")
    for _attempt in range(8):
        if drop.is_visible():
            break
        page.clock.fast_forward(20_000)
        page.wait_for_timeout(300)
    drop.click()

    expect(page.locator("[data-sheet-banner]")).to_be_hidden()
    assert deals(game) == []
