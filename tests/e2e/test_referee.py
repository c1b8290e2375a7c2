"""The referee asked at the table: by thumb, by keyboard, and without JavaScript."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from komppa.words import SUIT_LABELS
from komppa.words_of_cards import card_name
from scoring.cards import Card
from scoring.suits import Suit
from scoring.tricks import legal
from tests.e2e.looking import press, tab_to, violations
from tests.e2e.steps import PHONE, SEEN
from tests.factories import CupFactory
from tests.serving import ROOT

pytestmark = pytest.mark.browser

EXAMPLES = {
    case["id"]: case
    for case in json.loads((ROOT / "tests/vectors/legal.json").read_text())["cases"]
    if case["id"].startswith("seed001-")
}


@dataclass(frozen=True, slots=True)
class Referee:
    """The referee's page as somebody uses it who knows the names of the cards."""

    page: Page

    @property
    def answer(self) -> Locator:
        return self.page.get_by_role("region", name="Tuomarin vastaus")

    @property
    def said(self) -> Locator:
        return self.answer.get_by_role("status")

    def tap(self, group: str, choice: str) -> None:
        """Tap a choice, and wait until the page says that it is chosen."""
        choices = self.page.get_by_role("group", name=group)
        choices.get_by_role("link", name=choice).tap()
        chosen = choices.locator("[aria-current]")
        expect(chosen.filter(has_text=choice)).to_be_visible()

    def tap_card(self, text: str) -> None:
        card = Card.parse(text)
        suit = self.page.get_by_role("group", name=str(SUIT_LABELS[card.suit])).first
        name = card_name(card)
        suit.get_by_role("link", name=name, exact=True).tap()
        taken = re.compile(f"^{name}, ")
        expect(suit.get_by_role("link", name=taken)).to_be_visible()

    def ask(self, case: dict) -> None:
        """Tap everything that an example tells of its turn."""
        for card in case["hand"]:
            self.tap_card(card)
        if case["trick"]:
            self.tap("Minne napautettu kortti menee", "Tikki")
        for card in case["trick"]:
            self.tap_card(card)
        self.tap("Monesko tikki?", str(case["trick_number"]))
        if case["trump"]:
            self.tap("Valtti", str(SUIT_LABELS[Suit(case["trump"])]))
        if case["must_lead"]:
            suit = str(SUIT_LABELS[Suit(case["must_lead"])])
            self.tap("Tekikö aloittaja juuri pikkuvaltin?", suit)
        if case["set_opening"]:
            self.tap("Onko tämä erän ensimmäinen jako?", "kyllä")

    def marked(self) -> dict[str, bool]:
        """Return which cards of the hand the page tells to be legal."""
        hand = self.answer.get_by_role("group", name="Mikä kortti pelattiin")
        told = [link.aria_snapshot() for link in hand.get_by_role("link").all()]
        found = [re.search('link "([^,"]+), (ei )?sallittu"', each) for each in told]
        return {
            name: not is_foul for name, is_foul in (each.groups() for each in found)
        }

    def judge(self, text: str) -> str:
        """Ask about a card of the hand, and return the verdict."""
        name = re.compile(f"^{card_name(Card.parse(text))}, ")
        hand = self.answer.get_by_role("group", name="Mikä kortti pelattiin")
        hand.get_by_role("link", name=name).tap()
        expect(hand.locator("[aria-current]")).to_have_accessible_name(name)
        verdict = self.said.get_by_text(re.compile("^(Pelivirhe|Ei virhettä): "))
        return verdict.inner_text().split(":")[0]


def turn_of(case: dict):
    return legal(
        [Card.parse(card) for card in case["hand"]],
        [Card.parse(card) for card in case["trick"]],
        trump=case["trump"] and Suit(case["trump"]),
        trick_number=case["trick_number"],
        must_lead=case["must_lead"] and Suit(case["must_lead"]),
        set_opening=case["set_opening"],
    )


def names(cards) -> set[str]:
    return {card_name(Card.parse(card)) for card in cards}


def assert_answers(referee: Referee, example: dict) -> None:
    case, expected = example["in"], names(example["legal"])

    marked = referee.marked()

    assert {name for name, is_legal in marked.items() if is_legal} == expected
    assert marked.keys() == names(case["hand"])
    expect(referee.said.get_by_role("link")).to_have_text(turn_of(case).rule)


@pytest.fixture
def address(site):
    CupFactory(slug="x", name="Riitacup")
    return f"{site.url}/x/rules/referee/"


@pytest.fixture
def phone(new_device, address):
    referee = Referee(new_device(**PHONE).new_page())
    referee.page.goto(address)
    return referee


def test_the_fifteen_worked_examples_are_asked_by_thumb(phone, address):
    assert len(EXAMPLES) == 15

    for example in EXAMPLES.values():
        phone.page.get_by_role("link", name="Tyhjennä").tap()
        expect(phone.page).to_have_url(address)
        expect(phone.said).to_contain_text("Napauta ensin kortit")
        phone.ask(example["in"])
        assert_answers(phone, example)
        for card in example["in"]["hand"]:
            is_foul = card not in example["legal"]
            assert phone.judge(card) == ("Pelivirhe" if is_foul else "Ei virhettä")


def test_without_javascript_every_tap_is_a_page(new_device, address):
    example = EXAMPLES["seed001-4"]
    referee = Referee(new_device(**PHONE, java_script_enabled=False).new_page())
    referee.page.goto(address)

    referee.ask(example["in"])

    assert_answers(referee, example)
    assert referee.judge("H6") == "Pelivirhe"


def test_an_example_is_asked_by_keyboard_alone(page, address):
    referee = Referee(page)
    page.goto(address)

    tab_to(page, "4")
    press(page, "Enter")
    expect(page).to_have_url(f"{address}?n=4")
    tab_to(page, "hertta")
    press(page, "Enter")
    expect(page).to_have_url(f"{address}?trump=H&n=4")
    tab_to(page, "A")  # the first card of the pack
    press(page, *["ArrowDown"] * 2)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{address}?hand=HA&trump=H&n=4")
    press(page, "ArrowDown", "ArrowRight")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{address}?hand=HA.S10&trump=H&n=4")
    press(page, *["ArrowRight"] * 6)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{address}?hand=HA.S7.S10&trump=H&n=4")
    tab_to(page, "Tikki aloitus", key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Tikki")).to_have_attribute(
        "aria-current", "true"
    )
    tab_to(page, "A")
    press(page, *["ArrowDown"] * 3, *["ArrowRight"] * 2)
    page.keyboard.press("Enter")
    expect(referee.said).to_contain_text("R2.3: S10 voittaa SK:n, ja sinulla on se")

    assert_answers(referee, EXAMPLES["seed001-1"])
    tab_to(page, "R2.3")


def test_the_way_back_takes_back_a_tap(phone, address):
    phone.tap_card("S10")
    phone.tap_card("S7")
    expect(phone.page).to_have_url(f"{address}?hand=S7.S10")

    phone.page.go_back()

    expect(phone.page).to_have_url(f"{address}?hand=S10")
    ten = phone.page.get_by_role("link", name="patakymppi, kädessä")
    seven = phone.page.get_by_role("link", name="pataseitsemän", exact=True)
    expect(ten).to_be_visible()
    expect(seven).to_be_visible()


def test_taps_faster_than_the_network_are_all_taken(phone, address):
    phone.page.route(
        "**/referee/?*",
        lambda route: (phone.page.wait_for_timeout(150), route.continue_()),
    )

    phone.page.evaluate(
        """() => ["S10", "S7", "HA"].forEach((card) =>
          document.getElementById(`card-${card}`).click())"""
    )

    expect(phone.page).to_have_url(f"{address}?hand=HA.S7.S10")


def test_the_address_shows_another_the_same(phone, new_device, address):
    phone.ask(EXAMPLES["seed001-1"]["in"])
    phone.judge("S7")
    other = Referee(new_device().new_page())

    other.page.goto(phone.page.url)

    told = phone.said.inner_text()
    assert other.said.inner_text() == told
    assert told.startswith("Pelivirhe: S7 ei ollut sallittu.")


def test_choosing_a_language_keeps_the_position(phone, address):
    phone.tap_card("S10")

    phone.page.get_by_role("link", name="English").tap()

    expect(phone.page).to_have_url(f"{address}?hand=S10")


@pytest.mark.parametrize("query", ["", "?hand=HA.S7.S10&trick=SK&trump=H&n=4&card=S7"])
def test_the_page_has_nothing_that_axe_finds_wrong(page, address, query):
    page.goto(address + query)

    assert violations(page) == []


@pytest.mark.parametrize(
    "query",
    ["?hand=CA.DA&n=1", "?hand=D7&n=4&trump=H", "?hand=S6.H7&n=8&trump=H", "?n=x"],
)
def test_its_questions_and_refusals_have_nothing_that_axe_finds_wrong(
    page, address, query
):
    page.goto(address + query)

    looks = [("light", (360, 740)), ("dark", (360, 740))]
    assert violations(page, looks) == []


@pytest.mark.parametrize("width", [360, 820, 1920])
def test_targets_are_large_and_nothing_sticks_out(page, address, width):
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"{address}?hand=HA.S7.S10&trick=SK&trump=H&n=4")

    over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    sizes = [
        target.bounding_box()
        for target in page.locator(".referee [data-step], .referee-cell").all()
    ]
    assert over <= 0
    assert min(size["width"] for size in sizes) >= 33
    assert min(size["height"] for size in sizes) >= 44


def test_on_a_phone_the_answer_is_seen_with_the_whole_pack(phone, address):
    phone.page.set_viewport_size({"width": 360, "height": 740})
    phone.page.goto(f"{address}?hand=HA.S7.S10&trick=SK&trump=H&n=4")

    hidden = [
        link.get_attribute("id")
        for link in phone.page.locator(".referee-cell, .referee-asked").all()
        if not link.evaluate(SEEN)
    ]

    assert hidden == []
    expect(phone.said).to_be_in_viewport(ratio=1)
