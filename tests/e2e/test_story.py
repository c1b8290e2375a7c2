"""A whole cup through its pages: from an empty site to standings that move.

The organiser makes the cup at a desk, a scorekeeper enters a game on a phone, and
everybody else watches pages that are opened once and never reloaded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.steps import PHONE, Sheet, open_sheets, sign_in
from tests.site import manage

pytestmark = pytest.mark.browser

CUP = "Komppa-cup 2026"
TEAMS = {
    "Karhut": ("Aino", "Eero"),
    "Ilvekset": ("Väinö", "Helmi"),
    "Hirvet": ("Onni", "Lempi"),
    "Ahmat": ("Toivo", "Martta"),
    "Näädät": ("Urho", "Saima"),
    "Saukot": ("Ilmari", "Kerttu"),
    "Majavat": ("Oiva", "Siiri"),
    "Mäyrät": ("Arvo", "Impi"),
    "Ketut": ("Yrjö", "Tyyne"),
    "Sudet": ("Kalle", "Elli"),
    "Jänikset": ("Reino", "Hilja"),
    "Norpat": ("Veikko", "Rauha"),
    "Kurjet": ("Tauno", "Sylvi"),
    "Joutsenet": ("Paavo", "Irja"),
    "Kuikat": ("Lauri", "Aune"),
    "Huuhkajat": ("Niilo", "Åsa"),
}
NOTHING = ("–", "0", "0", "0", "0", "0")


@dataclass(frozen=True, slots=True)
class Played:
    """One deal: what is tapped, and what it must give, reckoned by hand."""

    points: tuple[int, int]
    parts: tuple[str, str]
    sums: tuple[str, str]
    """How each team's score went."""
    score: tuple[int, int]
    """Of the set that goes on after the deal."""
    club_ace: str = ""
    suits: tuple[str, ...] = ()
    """In the order tapped, each with its maker: ”A hertta”."""
    last_trick: str = ""
    mattis: str = ""
    pips: tuple[str, int] | None = None
    no_tricks: str = ""
    foul: str = ""
    effects: dict[str, str] = field(default_factory=dict)
    """Each with the rule that it follows from."""
    sets: tuple[int, int] = (0, 0)
    seats: tuple[str, str] | None = None
    """Who deals and who leads next, None where a set begins."""


FIRST_SET = [
    Played(
        club_ace="A1",
        suits=("A hertta", "A pata", "B risti"),
        last_trick="A",
        mattis="5–3",
        points=(5, 1),
        parts=(
            "Valtti 2 + pikkuvaltti 1 + matti 1 + viimeinen tikki 1",
            "Pikkuvaltti 1",
        ),
        sums=("0 + 5 = 5", "0 + 1 = 1"),
        score=(5, 1),
        seats=("A1", "B1"),
    ),
    Played(
        suits=("B ruutu",),
        last_trick="B",
        mattis="4–4",
        pips=("B", 16),
        points=(1, 3),
        parts=("Matti 1", "Valtti 2 + viimeinen tikki 1"),
        sums=("5 + 1 = 6", "1 + 3 = 4"),
        score=(6, 4),
        seats=("B1", "A2"),
    ),
    Played(
        suits=("A risti",),
        last_trick="A",
        mattis="3–5",
        points=(3, 1),
        parts=("Valtti 2 + viimeinen tikki 1", "Matti 1"),
        sums=("6 + 3 = 9", "4 + 1 = 5"),
        score=(9, 5),
        seats=("A2", "B2"),
    ),
    Played(
        suits=("A pata", "A ruutu"),
        last_trick="A",
        mattis="6–2",
        points=(5, 0),
        parts=("Valtti 2 + pikkuvaltti 1 + matti 1 + viimeinen tikki 1", ""),
        sums=("9 + 5 = 14 → 7", "5 + 0 = 5"),
        effects={"{A} meni yli: 14 → 7": "R5.2"},
        score=(7, 5),
        seats=("B2", "A1"),
    ),
    Played(
        suits=("A hertta",),
        last_trick="A",
        mattis="5–3",
        foul="B",
        points=(4, 0),
        parts=("Valtti 2 + matti 1 + viimeinen tikki 1", ""),
        sums=("7 + 4 = 11", "5 → 0"),
        effects={"{B}: Porvoo pelivirheestä (5 → 0)": "R5.4"},
        score=(11, 0),
        seats=("A1", "B1"),
    ),
    Played(
        last_trick="A",
        mattis="2–6",
        points=(1, 1),
        parts=("Viimeinen tikki 1", "Matti 1"),
        sums=("11 + 1 = 12", "0 + 1 = 1"),
        effects={"{A} voitti 1. erän": "R5.1"},
        score=(0, 0),
        sets=(1, 0),
    ),
]
SECOND_SET = [
    Played(
        club_ace="B2",
        suits=("B pata", "B hertta", "B ruutu"),
        last_trick="B",
        mattis="7–1",
        points=(1, 5),
        parts=("Matti 1", "Valtti 2 + pikkuvaltit 2 + viimeinen tikki 1"),
        sums=("0 + 1 = 1", "0 + 5 = 5"),
        score=(1, 5),
        sets=(1, 0),
        seats=("B2", "A1"),
    ),
    Played(
        suits=("B risti",),
        no_tricks="A",
        points=(0, 4),
        parts=("", "Valtti 2 + matti 1 + viimeinen tikki 1"),
        sums=("1 → 0", "5 + 4 = 9"),
        effects={"{A}: Porvoo, ei yhtään tikkiä (1 → 0)": "R5.3"},
        score=(0, 9),
        sets=(1, 0),
        seats=("A1", "B1"),
    ),
    Played(
        suits=("B hertta",),
        last_trick="B",
        mattis="5–3",
        points=(1, 3),
        parts=("Matti 1", "Valtti 2 + viimeinen tikki 1"),
        sums=("0 + 1 = 1", "9 + 3 = 12"),
        effects={"{B} voitti 2. erän": "R5.1"},
        score=(0, 0),
        sets=(1, 1),
    ),
]
THIRD_SET = [
    Played(
        club_ace="A2",
        suits=("A ruutu", "A risti", "A hertta"),
        last_trick="A",
        mattis="5–3",
        points=(6, 0),
        parts=("Valtti 2 + pikkuvaltit 2 + matti 1 + viimeinen tikki 1", ""),
        sums=("0 + 6 = 6", "0 + 0 = 0"),
        score=(6, 0),
        sets=(1, 1),
        seats=("A2", "B2"),
    ),
    Played(
        suits=("A pata", "A risti", "A ruutu"),
        last_trick="A",
        mattis="6–2",
        points=(6, 0),
        parts=("Valtti 2 + pikkuvaltit 2 + matti 1 + viimeinen tikki 1", ""),
        sums=("6 + 6 = 12", "0 + 0 = 0"),
        effects={"{A} voitti 3. erän": "R5.1", "{A} voitti pelin": "R5.7"},
        score=(12, 0),
        sets=(2, 1),
    ),
]
# What the third deal was at first believed to be.
MISTAKEN = Played(
    suits=("A risti",),
    last_trick="A",
    mattis="5–3",
    points=(4, 0),
    parts=("Valtti 2 + matti 1 + viimeinen tikki 1", ""),
    sums=("6 + 4 = 10", "4 + 0 = 4"),
    score=(10, 4),
    seats=("A2", "B2"),
)


def test_a_cup_from_nothing_to_live_standings(site, site_folder, new_device):
    desk = new_device(viewport={"width": 1280, "height": 900}).new_page()
    hall = new_device(viewport={"width": 1280, "height": 900})
    phone = new_device(**PHONE).new_page()

    password = new_organiser(site_folder, "isanta")
    desk.goto(f"{site.url}/admin/")
    sign_in(desk, "isanta", password)
    make_cup(desk)
    type_teams(desk)

    groups, front, cup = (hall.new_page() for _ in range(3))
    for page, path in ((groups, "groups/"), (cup, ""), (front, "../")):
        page.goto(f"{site.url}/komppa-cup-2026/{path}")
        keep_open(page)
    draw_groups(desk, hall, groups, cup)
    make_games(desk, front)
    name, password = new_scorekeeper(desk)

    sheet = open_game(phone, site.url, name, password)
    hall_game = hall.new_page()
    hall_game.goto(f"{site.url}/komppa-cup-2026/games/1/")
    keep_open(hall_game)
    tablet = open_tablet(desk, sheet.names)
    watching = Watching(sheet.names, groups, front, cup, hall_game, tablet)
    watching.see_nothing_played()

    played = [*FIRST_SET, *SECOND_SET, *THIRD_SET]
    for position, deal in enumerate(played, start=1):
        if position == 3:
            enter(sheet, position, MISTAKEN)
            watching.see(position, MISTAKEN)
            sheet.take_back(position)
            expect(phone.get_by_text("Viimeisin jako on peruttu.")).to_be_visible()
            watching.see_taken_back(position, played[1])
        enter(sheet, position, deal)
        watching.see(position, deal)
    assert phone.evaluate("document.documentElement.scrollWidth") == 390

    watching.see_the_end()
    for page in (groups, front, cup, hall_game, tablet.page):
        assert page.evaluate("window.keptOpen") is True
    groups.reload()
    watching.see_standings()


# At the desk.


def new_organiser(folder, name: str) -> str:
    """Make an organiser on the console; return the password that it tells."""
    told = manage(folder, "organiser", name).stdout
    return re.search(r"salasana / password: +(\S+)", told)[1]


def make_cup(desk: Page) -> None:
    desk.get_by_role("link", name="Uusi turnaus").click()
    desk.get_by_label("Nimi").fill(CUP)
    desk.get_by_label("Päivä").fill("2026-11-28")
    desk.get_by_role("button", name="Tallenna").click()
    expect(desk.get_by_text(f"{CUP} on luotu.")).to_be_visible()


def type_teams(desk: Page) -> None:
    desk.get_by_role("link", name="Kirjoita joukkueet").click()
    for row, (team, (first, second)) in enumerate(TEAMS.items(), start=1):
        desk.get_by_label(f"Rivi {row}: Joukkue").fill(team)
        desk.get_by_label(f"Rivi {row}: 1. pelaaja").fill(first)
        desk.get_by_label(f"Rivi {row}: 2. pelaaja").fill(second)
    desk.get_by_role("button", name="Tallenna joukkueet").click()
    expect(desk.get_by_text("16 joukkuetta on tallennettu.")).to_be_visible()


def draw_groups(desk: Page, hall: BrowserContext, groups: Page, cup: Page) -> None:
    """Draft the groups, which nobody else sees, then confirm them."""
    not_drawn = groups.get_by_role("heading", name="Lohkoja ei ole vielä arvottu")
    expect(not_drawn).to_be_visible()
    pages_of(desk).get_by_role("link", name="Arvonta").click()
    desk.get_by_role("radio", name="4 lohkoa").check()
    desk.get_by_role("button", name="Arvo luonnos").click()
    drafted = desk.get_by_role("region", name="Arvottu luonnos")
    expect(drafted.get_by_role("listitem")).to_have_count(16)
    seed = drafted.get_by_role("definition").first.inner_text()

    visitor = hall.new_page()
    for path in ("", "groups/", "games/", "bracket/"):
        visitor.goto(cup.url + path)
        expect(standings_tables(visitor)).to_have_count(0)
        assert seed not in visitor.content()
    visitor.close()
    expect(not_drawn).to_be_visible()

    desk.get_by_role("button", name="Vahvista arvonta").click()
    expect(desk.get_by_text("Arvonta on vahvistettu.")).to_be_visible()
    expect(cup.get_by_text(f"siemenluku {seed}")).to_be_visible()
    for page in (groups, cup):
        expect(standings_tables(page)).to_have_count(4)
    for team in TEAMS:
        expect(figures(groups, team)).to_have_text(NOTHING)


def make_games(desk: Page, front: Page) -> None:
    coming = front.get_by_role("region", name="Tulossa").get_by_role("link", name=CUP)
    expect(coming).to_be_visible()
    desk.get_by_role("link", name="Tee pelit").click()
    desk.get_by_role("radio", name="4 pöytää").check()
    desk.get_by_role("button", name="Tee pelit").click()
    expect(desk.get_by_role("heading", name="24 peliä")).to_be_visible()
    expect(coming).to_have_count(0)
    expect(counts_of_cup(front)).to_have_text(["16", "0", "0/24"])


def new_scorekeeper(desk: Page) -> tuple[str, str]:
    desk.get_by_role("link", name="Seuraavaksi: kirjaajat").click()
    desk.get_by_label("Kirjaajan nimi").fill("Pöytä 1")
    desk.get_by_role("button", name="Tee tunnus").click()
    account = desk.get_by_role("region", name="Salasana näkyy vain tämän kerran")
    name, password = account.get_by_role("definition").all_inner_texts()
    return name, password


def open_tablet(desk: Page, names: Mapping[str, str]) -> Sheet:
    """Open the same game on the organiser's own tablet."""
    desk.set_viewport_size({"width": 820, "height": 1180})
    desk.get_by_role("link", name="Turnaukset").click()
    desk.get_by_role("link", name=CUP).first.click()
    pages_of(desk).get_by_role("link", name="Pelit", exact=True).click()
    row = desk.get_by_role("row").filter(has_text=re.compile(r"^\s*P1\s"))
    row.get_by_role("link", name="Pöytäkirja").click()
    tablet = Sheet.on(desk)
    assert tablet.names == names
    keep_open(desk)
    return tablet


def pages_of(desk: Page) -> Locator:
    return desk.get_by_role("navigation", name=CUP)


# At the table.


def open_game(phone: Page, url: str, name: str, password: str) -> Sheet:
    open_sheets(phone, url, name, password)
    phone.get_by_role("link", name=CUP).tap()
    phone.get_by_role("link", name=re.compile(r"^P1\b")).tap()
    return Sheet.on(phone)


def enter(sheet: Sheet, position: int, deal: Played) -> None:
    """Tap the deal in, look at the answer, save it and look at the sheet's head."""
    names = sheet.names
    if deal.club_ace:
        sheet.tap("Kenellä oli ristiässä", player(names, deal.club_ace))
    for side, suit in map(str.split, deal.suits):
        sheet.tap_suit(suit, side)
    if deal.last_trick:
        sheet.tap_last_trick(deal.last_trick)
    if deal.mattis:
        sheet.tap_mattis(deal.mattis)
    if deal.pips:
        sheet.type_pips(*deal.pips)
    if deal.no_tricks:
        sheet.tap_no_tricks(deal.no_tricks)
    if deal.foul:
        sheet.tap_foul(deal.foul)
    effects = [effect.format(**names) for effect in deal.effects]
    sides = [
        f"{names[side]} +{points} {total} {parts}".strip()
        for side, points, total, parts in zip(
            "AB", deal.points, deal.sums, deal.parts, strict=True
        )
    ]
    cited = map(" ".join, zip(effects, deal.effects.values(), strict=True))
    answer = " ".join([*sides, *cited])
    expect(sheet.answer).to_have_text(answer, use_inner_text=True)

    sheet.save()

    told = [
        f"{names[side]} {total}" for side, total in zip("AB", deal.sums, strict=True)
    ]
    message = f"Jako {position} tallennettu. {', '.join(told)}."
    saved = " ".join([message, *(f"{effect}." for effect in effects)])
    expect(sheet.page.get_by_text(saved, exact=True)).to_be_visible()
    see_head(sheet, position, deal)


def see_head(sheet: Sheet, position: int, deal: Played) -> None:
    """See the score, and who deals and leads next."""
    expect(sheet.sets).to_have_text(
        ["1 erä" if n == 1 else f"{n} erää" for n in deal.sets]
    )
    if 2 in deal.sets:
        winner = sheet.names["AB"[deal.sets.index(2)]]
        over = sheet.page.get_by_role("heading", name=f"{winner} voitti pelin")
        expect(over).to_be_visible()
        expect(sheet.save_button).to_have_count(0)
        expect(sheet.points).to_have_count(0)
        return
    expect(sheet.points).to_have_text([f"Pisteet erässä {n}" for n in deal.score])
    expect(sheet.save_button).to_have_text(f"Tallenna jako {position + 1}")
    if deal.seats:
        dealer, leader = (player(sheet.names, seat) for seat in deal.seats)
        expect(sheet.head).to_contain_text(f"Jakaa {dealer}")
        expect(sheet.head).to_contain_text(f"Aloittaa {leader}")
    else:
        expect(sheet.head).to_contain_text("Ristiässän haltija aloittaa")


def player(names: Mapping[str, str], seat: str) -> str:
    side, place = seat
    return TEAMS[names[side]][int(place) - 1]


# In the hall.


def keep_open(page: Page) -> None:
    """Leave a mark that no reload would leave."""
    expect(page.locator("body")).to_have_attribute("data-live", "live")
    page.evaluate("window.keptOpen = true")


def standings_tables(page: Page) -> Locator:
    return page.get_by_role("table", name=re.compile("sarjataulukko$"))


def figures(groups: Page, team: str) -> Locator:
    """Rank, games, won, lost, sets won and sets lost."""
    rows = standings_tables(groups).get_by_role("row")
    return rows.filter(has=groups.get_by_text(team, exact=True)).get_by_role("cell")


def counts_of_cup(front: Page) -> Locator:
    """Teams, games in play and games played."""
    article = front.get_by_role("article").filter(has_text=CUP)
    return article.get_by_role("definition")


@dataclass(frozen=True, slots=True)
class Watching:
    """Pages that stay open in the hall, and a tablet that follows the phone."""

    names: Mapping[str, str]
    groups: Page
    front: Page
    cup: Page
    game: Page
    tablet: Sheet

    def see_nothing_played(self) -> None:
        expect(self.groups.get_by_text("peli kesken")).to_have_count(0)
        expect(
            self.game.get_by_text("Yhtään jakoa ei ole vielä kirjattu.")
        ).to_be_visible()

    def see(self, position: int, deal: Played) -> None:
        """See the deal and its score arrive on every page."""
        deals = self.game.get_by_role("listitem")
        heading = self.game.get_by_role("heading", name=f"Jako {position}", exact=True)
        told = deals.filter(has=heading)
        for total in deal.sums:
            expect(told).to_contain_text(total)
        for effect in deal.effects:
            expect(told).to_contain_text(effect.format(**self.names))
        self.see_score(deal)
        see_head(self.tablet, position, deal)

    def see_taken_back(self, position: int, before: Played) -> None:
        heading = self.game.get_by_role("heading", name=f"Jako {position}", exact=True)
        expect(heading).to_have_count(0)
        self.see_score(before)
        see_head(self.tablet, position - 1, before)

    def see_score(self, deal: Played) -> None:
        if 2 in deal.sets:
            return
        for page in (self.game, self.cup):
            board = page.get_by_role("table", name="Tilanne")
            for side, sets, points in zip("AB", deal.sets, deal.score, strict=True):
                row = board.get_by_role("row").filter(has_text=self.names[side])
                expect(row.get_by_role("cell")).to_have_text([f"{sets}", f"{points}"])
        expect(self.groups.get_by_text("peli kesken")).to_have_count(2)
        expect(counts_of_cup(self.front)).to_have_text(["16", "1", "0/24"])

    def see_the_end(self) -> None:
        a, b = self.names["A"], self.names["B"]
        told = self.game.get_by_role("region", name=f"{a} – {b}")
        expect(told).to_contain_text(f"{a} voitti pelin.")
        for number, score in ((1, "12–1"), (2, "1–12"), (3, "12–0")):
            heading = self.game.get_by_role("heading", name=f"{number}. erä")
            expect(heading).to_contain_text(score)
        expect(self.game.get_by_text("kirjattu uudelleen")).to_have_count(1)
        finished = self.cup.get_by_role("region", name="Viimeksi päättyneet")
        expect(finished.get_by_role("listitem")).to_have_text(
            re.compile(rf"P1\s+{a}\s+2\s+vastaan\s+{b}\s+1\s+Lohko [A-D]")
        )
        expect(self.cup.get_by_role("table", name="Tilanne")).to_have_count(0)
        expect(counts_of_cup(self.front)).to_have_text(["16", "0", "1/24"])
        self.see_standings()

    def see_standings(self) -> None:
        """A won 2–1, so B has one set and is ahead of those who have not played."""
        a, b = self.names["A"], self.names["B"]
        expect(figures(self.groups, a)).to_have_text(["1", "1", "1", "0", "2", "1"])
        expect(figures(self.groups, b)).to_have_text(["2", "1", "0", "1", "1", "2"])
        why = f"{a} ennen joukkuetta {b}: enemmän voitettuja pelejä, 1–0"
        expect(self.groups.get_by_text(why)).to_be_visible()
        expect(self.groups.get_by_text("peli kesken")).to_have_count(0)
        cross = self.groups.get_by_role("table", name="Erät rivin joukkueen")
        expect(cross.get_by_role("link")).to_have_text(["2–1", "1–2"])
