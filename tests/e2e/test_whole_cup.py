"""A cup of twelve teams from a pasted list to its champion, through the pages.

The draw decides who is where; everything after it was reckoned by hand, with a1 to c4
for the teams of the three groups in the order drawn::

    A   a1-a2 2-1   a1-a3 2-0   a1-a4 2-0   a2-a3 2-0   a2-a4 2-0
        a3-a4: the third foul of a4 loses the game, sets 1-0
    B   b1 beats all 2-0; b2, b3 and b4 beat each other in turn 2-0: a lot for 2nd to
        4th; b2-b3 has a laistokierros, which b3 scores in
    C   c1-c4 2-0, then c4 withdraws: annulled; c1-c2, c1-c3 and c2-c3 2-0

Then the last deal of a1-a2 turns out to have been entered for the wrong team.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Page, expect

from komppa.cup.models import Cup
from tests.e2e.quick import Deal, Table, six
from tests.e2e.steps import PHONE, sign_in
from tests.site import manage

pytestmark = pytest.mark.browser

NAME = "Komppa-cup 2026"
TEAMS = [
    "Ässät; Aino; Eero",
    "Kuninkaat; Väinö; Helmi",
    "Rouvat; Onni; Lempi",
    "Sotilaat; Toivo; Martta",
    "Kympit; Urho; Saima",
    "Ysit; Ilmari; Kerttu",
    "Kasit; Oiva; Siiri",
    "Seiskat; Arvo; Impi",
    "Kuutoset; Yrjö; Tyyne",
    "Pakkaajat; Kalle; Elli",
    "Jakajat; Reino; Hilja",
    "Åbo Trumf; Veikko; Rauha",
]
TWO_NIL = [six("A")] * 4
TWO_ONE = [*[six("A")] * 2, *[six("B")] * 2, six("A"), six("B"), six("A")]
# A's opponent commits a foul in each of the first three deals: Porvoo twice, then lost.
THREE_FOULS = [six("A", fouls="B"), six("A", fouls="B"), Deal(fouls="B")]
# 6-0, 6-6, 9-9, 12-12; in the laistokierros B scores and drops, A stays and wins.
LAISTOKIERROS = [
    six("A"),
    six("B"),
    Deal(trump="A", small="BB", last="A", mattis="B"),
    Deal(trump="A", small="BB", last="A", mattis="B"),
    Deal(trump="B", last="B", mattis="B"),
]
THREE_ONE = [*[six("A")] * 4, *[six("B")] * 2, *[six("A")] * 2]


@dataclass
class Evening:
    """The cup as it goes on: who is who, and the pages it is followed on."""

    url: str
    desk: Page
    table: Table
    hall: Page
    cup: Cup
    teams: dict[str, str] = field(default_factory=dict)
    """Names by place in the draw: a1 to c4."""

    def __getitem__(self, places: str) -> str:
        return self.teams[places]

    def game_of(self, one: str, other: str) -> int:
        """Return the number of the newest game of two teams."""
        pair = {self[one], self[other]}
        games = self.cup.games.select_related("team_a", "team_b").order_by("-number")
        return next(
            game.number
            for game in games
            if {str(game.team_a), str(game.team_b)} == pair
        )

    def play(
        self, one: str, other: str, deals: Sequence[Deal], *, after: int = 0
    ) -> None:
        """Enter deals of the newest game of two teams; A in them is ``one``."""
        self.table.play(self.game_of(one, other), self[one], deals, after=after)

    def see_group(self, letter: str, rows: Sequence[tuple[str, str]]) -> None:
        """See the standings: each team's rank, games, won, lost and sets."""
        self.hall.goto(f"{self.url}/komppa-cup-2026/groups/")
        table = self.hall.get_by_role("table", name=f"Lohkon {letter} sarjataulukko")
        found = table.get_by_role("row")
        expect(found).to_have_count(len(rows) + 1)
        for index, (team, figures) in enumerate(rows, start=1):
            row = found.nth(index)
            expect(row.get_by_role("rowheader")).to_contain_text(self[team])
            expect(row.get_by_role("cell")).to_have_text(figures.split())

    def see_bracket(self, *games: dict[str, int | None]) -> None:
        """See every game of the bracket: the sets of both sides, None before play.

        A team is told by its place in the draw, an open side by where it comes from.
        """
        told = [
            {self.teams.get(side, side): sets for side, sets in game.items()}
            for game in games
        ]
        self.hall.goto(f"{self.url}/komppa-cup-2026/bracket/")
        drawn = self.hall.get_by_role("region", name="Jatkopelien kaavio")
        assert drawn.locator(".bracket-game").evaluate_all(_READ) == told

    def open(self, page: str) -> None:
        """Go to one of the organiser's pages of the cup."""
        self.desk.goto(f"{self.url}/admin/cup/cup/{self.cup.pk}/")
        pages = self.desk.get_by_role("navigation", name=NAME)
        pages.get_by_role("link", name=page, exact=True).click()


_READ = """
(games) => games.map((game) => Object.fromEntries(
  [...game.querySelectorAll(".bracket-side")].map((side) => {
    const sets = side.querySelector(".bracket-sets");
    const told = sets && Number(sets.lastChild.textContent);
    return [side.querySelector(".team-name").textContent, told];
  })
))
"""


def test_a_cup_of_twelve_teams_from_list_to_champion(site, site_folder, new_device):
    started = time.monotonic()
    desk = new_device(viewport={"width": 1280, "height": 900}).new_page()
    hall = new_device(viewport={"width": 1920, "height": 1080}).new_page()
    phone = new_device(**PHONE).new_page()

    told = manage(site_folder, "organiser", "isanta").stdout
    desk.goto(f"{site.url}/admin/")
    sign_in(desk, "isanta", re.search(r"salasana / password: +(\S+)", told)[1])
    make_cup(desk)
    paste_teams(desk)
    draw_three_groups(desk)
    name, password = make_scorekeepers(desk)
    phone.goto(f"{site.url}/login/")
    sign_in(phone, name, password)
    expect(phone.get_by_role("link", name=NAME)).to_be_visible()

    cup = Cup.objects.get()
    table = Table(phone, f"{site.url}/sheet/komppa-cup-2026/")
    evening = Evening(site.url, desk, table, hall, cup, places_of(cup))
    play_group_a(evening)
    play_group_c(evening)
    play_group_b(evening)
    draw_the_lot(evening)
    make_bracket(evening)
    correct_the_group(evening)
    play_bracket(evening)
    see_the_champion(evening)
    took = time.monotonic() - started
    print(f"\n{table.deals} deals, the whole evening in {took:.0f} s")


def make_cup(desk: Page) -> None:
    desk.get_by_role("link", name="Uusi turnaus").click()
    desk.get_by_label("Nimi").fill(NAME)
    desk.get_by_label("Päivä").fill("2026-11-28")
    desk.get_by_role("button", name="Tallenna").click()
    expect(desk.get_by_text(f"{NAME} on luotu.")).to_be_visible()


def paste_teams(desk: Page) -> None:
    desk.get_by_role("link", name="Kirjoita joukkueet").click()
    desk.get_by_role("link", name="Lisää joukkueet listasta").click()
    desk.get_by_label("Joukkueet, yksi riville").fill("\n".join(TEAMS))
    desk.get_by_role("button", name="Esikatsele").click()
    expect(desk.get_by_text("uusi joukkue", exact=True)).to_have_count(12)
    desk.get_by_role("button", name="Lisää 12 joukkuetta").click()
    expect(desk.get_by_text("12 joukkuetta on lisätty.")).to_be_visible()


def draw_three_groups(desk: Page) -> None:
    pages = desk.get_by_role("navigation", name=NAME)
    pages.get_by_role("link", name="Arvonta").click()
    desk.get_by_role("radio", name="3 lohkoa").check()
    desk.get_by_role("button", name="Arvo luonnos").click()
    desk.get_by_role("button", name="Vahvista arvonta").click()
    expect(desk.get_by_text("Arvonta on vahvistettu.")).to_be_visible()
    desk.get_by_role("link", name="Tee pelit").click()
    desk.get_by_role("radio", name="3 pöytää").check()
    desk.get_by_role("button", name="Tee pelit").click()
    expect(desk.get_by_role("heading", name="18 peliä")).to_be_visible()


def make_scorekeepers(desk: Page) -> tuple[str, str]:
    desk.get_by_role("link", name="Seuraavaksi: kirjaajat").click()
    desk.get_by_label("Montako tunnusta").fill("3")
    desk.get_by_role("button", name="Tee tunnukset").click()
    slip = desk.get_by_role("region", name="Pöytä 1", exact=True)
    name, password = slip.get_by_role("definition").all_inner_texts()
    return name, password


def places_of(cup: Cup) -> dict[str, str]:
    return {
        f"{group.name.lower()}{membership.position}": membership.team.name
        for group in cup.groups.all()
        for membership in group.memberships.select_related("team")
    }


def play_group_a(evening: Evening) -> None:
    evening.play("a1", "a2", TWO_ONE)
    evening.table.confirm()
    evening.see_group(
        "A",
        [
            ("a1", "1 1 1 0 2 1"),
            ("a2", "2 1 0 1 1 2"),
            ("a3", "3= 0 0 0 0 0"),
            ("a4", "3= 0 0 0 0 0"),
        ],
    )
    evening.play("a3", "a4", THREE_FOULS)
    evening.see_group(
        "A",
        [
            ("a1", "1 1 1 0 2 1"),
            ("a3", "2 1 1 0 1 0"),
            ("a2", "3 1 0 1 1 2"),
            ("a4", "4 1 0 1 0 1"),
        ],
    )
    for one, other in (("a1", "a3"), ("a1", "a4"), ("a2", "a3"), ("a2", "a4")):
        evening.play(one, other, TWO_NIL)
    evening.see_group("A", GROUP_A)


GROUP_A = [
    ("a1", "1 3 3 0 6 1"),
    ("a2", "2 3 2 1 5 2"),
    ("a3", "3 3 1 2 1 4"),
    ("a4", "4 3 0 3 0 5"),
]
GROUP_A_CORRECTED = [
    ("a2", "1 3 3 0 6 1"),
    ("a1", "2 3 2 1 5 2"),
    ("a3", "3 3 1 2 1 4"),
    ("a4", "4 3 0 3 0 5"),
]


def play_group_c(evening: Evening) -> None:
    """One game, then a withdrawal: the game counts for nobody."""
    evening.play("c1", "c4", TWO_NIL)
    evening.see_group(
        "C",
        [
            ("c1", "1 1 1 0 2 0"),
            ("c2", "2= 0 0 0 0 0"),
            ("c3", "2= 0 0 0 0 0"),
            ("c4", "4 1 0 1 0 2"),
        ],
    )
    desk = evening.desk
    evening.open("Joukkueet")
    desk.get_by_role("link", name=f"Muuta: {evening['c4']}").click()
    desk.get_by_role("link", name="Joukkue vetäytyy").click()
    desk.get_by_label("Syy").fill("Auto hajosi")
    desk.get_by_role("button", name="Merkitse vetäytyneeksi").click()
    left = evening["c4"]
    evening.see_group(
        "C",
        [("c1", "– 0 0 0 0 0"), ("c2", "– 0 0 0 0 0"), ("c3", "– 0 0 0 0 0")],
    )
    group = evening.hall.get_by_role("region", name=re.compile("Lohko C"))
    gone = group.get_by_role("listitem").filter(has_text=left)
    expect(gone).to_contain_text("vetäytynyt")

    for one, other in (("c1", "c2"), ("c1", "c3"), ("c2", "c3")):
        evening.play(one, other, TWO_NIL)
    evening.see_group("C", GROUP_C)


GROUP_C = [("c1", "1 2 2 0 4 0"), ("c2", "2 2 1 1 2 2"), ("c3", "3 2 0 2 0 4")]


def play_group_b(evening: Evening) -> None:
    for other in ("b2", "b3", "b4"):
        evening.play("b1", other, TWO_NIL)
    evening.play("b2", "b3", LAISTOKIERROS[:4])
    head = evening.table.page.get_by_role("region", name="Tilanne")
    expect(head).to_contain_text("Laistokierros!")
    evening.play("b2", "b3", [*LAISTOKIERROS[4:], *[six("A")] * 2], after=4)
    evening.play("b3", "b4", TWO_NIL)
    evening.play("b4", "b2", TWO_NIL)
    evening.see_group(
        "B",
        [
            ("b1", "1 3 3 0 6 0"),
            ("b2", "2= 3 1 2 2 4"),
            ("b3", "2= 3 1 2 2 4"),
            ("b4", "2= 3 1 2 2 4"),
        ],
    )


def draw_the_lot(evening: Evening) -> None:
    """The bracket waits for the lot, which is drawn right there."""
    desk = evening.desk
    evening.open("Jatkopelit")
    tied = desk.get_by_role("region", name="Tasatilanteet").get_by_role("listitem")
    expect(tied).to_have_count(1)
    for place in ("b2", "b3", "b4"):
        expect(tied).to_contain_text(evening[place])
    expect(desk.get_by_role("button", name="Tee jatkopelit")).to_have_count(0)

    tied.get_by_role("button", name="Vedä arpa").click()

    told = desk.get_by_text(re.compile(r"^Arpa on vedetty\. Järjestys on "))
    drawn = re.split(r", | ja ", told.inner_text().removesuffix(".").split(" on ")[-1])
    assert sorted(drawn) == sorted(evening[place] for place in ("b2", "b3", "b4"))
    evening.teams |= dict(zip(("l1", "l2", "l3"), drawn, strict=True))
    evening.see_group(
        "B",
        [
            ("b1", "1 3 3 0 6 0"),
            ("l1", "2 3 1 2 2 4"),
            ("l2", "3 3 1 2 2 4"),
            ("l3", "4 3 1 2 2 4"),
        ],
    )


def make_bracket(evening: Evening) -> None:
    """Six go on: byes to A1 and B1, and nobody meets his own group before the final."""
    desk = evening.desk
    evening.open("Jatkopelit")
    byes = f"A1 {evening['a1']} ja B1 {evening['b1']}"
    expect(desk.get_by_text("Suoraan toiselle kierrokselle:")).to_contain_text(byes)
    desk.get_by_role("radio", name="2 pöytää").check()
    desk.get_by_role("button", name="Tee jatkopelit").click()
    expect(desk.get_by_text("Jatkopelit on tehty.")).to_be_visible()
    evening.see_bracket(*bracket_before_play("a1", "a2"))


def bracket_before_play(first: str, second: str) -> list[dict[str, int | None]]:
    """Return the bracket with these two from group A."""
    return [
        {"l1": None, "c2": None},
        {"c1": None, second: None},
        {first: None, "Voittaja P19": None},
        {"b1": None, "Voittaja P20": None},
        {"Voittaja P21": None, "Voittaja P22": None},
        {"Häviäjä P21": None, "Häviäjä P22": None},
    ]


def correct_the_group(evening: Evening) -> None:
    """The last deal of a1-a2 was a2's: they change places, in the bracket as well."""
    desk = evening.desk
    number = evening.game_of("a1", "a2")
    evening.open("Pelit")
    desk.get_by_role("link", name=f"P{number}", exact=True).first.click()
    desk.get_by_role("link", name="Korjaa jakoja").click()
    deal = desk.get_by_role("listitem").filter(has_text=re.compile(r"^\s*Jako 7\b"))
    deal.get_by_role("button", name="Korjaa", exact=True).click()
    expect(desk.get_by_role("heading", name="Korjaa jakoa 7")).to_be_visible()
    a2 = evening["a2"]
    for suit in ("hertta", "risti", "ruutu"):
        desk.get_by_role("radio", name=f"{suit}, {a2}", exact=True).check()
    last_trick = desk.get_by_role("group", name=re.compile("^Viimeinen tikki"))
    last_trick.get_by_role("radio", name=a2, exact=True).check()
    a2_is_b = evening.cup.games.get(number=number).team_b.name == a2
    share = "3–5" if a2_is_b else "5–3"
    mattis = desk.get_by_role("group", name=re.compile("^Matit"))
    mattis.get_by_role("radio", name=share, exact=True).check()
    desk.get_by_role("button", name="Katso, mitä muuttuu").click()

    moves = desk.get_by_role("region", name="Mitä muuttuu")
    game = moves.get_by_role("row").filter(has_text=f"P{number}")
    expect(game).to_contain_text(f"{evening['a1']} voitti 2–1")
    expect(game).to_contain_text(f"{a2} voitti 2–1")
    for places in (("a1", "a2"), ("a2", "a1")):
        slot = re.compile(
            r"P2[01].*{}\s.*{}".format(*(evening[p] for p in places)), re.S
        )
        expect(moves.get_by_role("row").filter(has_text=slot)).to_have_count(1)
    moves.get_by_label("Syy").fill("Kirjattu väärälle joukkueelle")
    moves.get_by_role("button", name="Tallenna korjaus").click()
    expect(desk.get_by_text("Korjaus on tallennettu.")).to_be_visible()

    evening.see_group("A", GROUP_A_CORRECTED)
    evening.see_bracket(*bracket_before_play("a2", "a1"))


def play_bracket(evening: Evening) -> None:
    """The winners move on by themselves, the losers of the semi-finals to bronze."""
    evening.play("l1", "c2", TWO_NIL)
    evening.play("a1", "c1", TWO_NIL)
    evening.see_bracket(
        {"l1": 2, "c2": 0},
        {"a1": 2, "c1": 0},
        {"a2": None, "l1": None},
        {"b1": None, "a1": None},
        {"Voittaja P21": None, "Voittaja P22": None},
        {"Häviäjä P21": None, "Häviäjä P22": None},
    )
    evening.play("a2", "l1", TWO_NIL)
    evening.play("a1", "b1", TWO_ONE)
    played: list[dict[str, int | None]] = [
        {"l1": 2, "c2": 0},
        {"a1": 2, "c1": 0},
        {"a2": 2, "l1": 0},
        {"a1": 2, "b1": 1},
    ]
    evening.see_bracket(*played, {"a2": None, "a1": None}, {"l1": None, "b1": None})
    evening.play("b1", "l1", TWO_NIL)
    evening.see_bracket(*played, {"a2": None, "a1": None}, {"l1": 0, "b1": 2})
    evening.play("a1", "a2", THREE_ONE)
    evening.see_bracket(*played, {"a1": 3, "a2": 1}, {"l1": 0, "b1": 2})


def see_the_champion(evening: Evening) -> None:
    champion, second, third = (evening[place] for place in ("a1", "a2", "b1"))
    for path in ("", "bracket/"):
        evening.hall.goto(f"{evening.url}/komppa-cup-2026/{path}")
        podium = evening.hall.get_by_role("region", name=champion, exact=True)
        expect(podium).to_contain_text("Mestari")
        expect(podium.get_by_role("definition")).to_have_text([second, third])
    evening.cup.refresh_from_db()
    assert evening.cup.phase == "finished"
