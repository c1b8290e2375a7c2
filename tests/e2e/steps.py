"""What a person does on the pages, found by what that person sees."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
SEEN = """(element) => {
  const {left, top, width, height} = element.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, top + height / 2);
  return element.contains(above);
}"""
"""Whether nothing lies over the middle of an element."""


def sign_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("Käyttäjätunnus").fill(name)
    page.get_by_label("Salasana").fill(password)
    page.get_by_role("button", name="Kirjaudu", exact=True).click()


def open_sheets(phone: Page, address: str, name: str, password: str) -> None:
    """Sign in from the front page and go to the sheets of all cups."""
    phone.goto(address)
    phone.get_by_role("link", name="Kirjaudu").tap()
    sign_in(phone, name, password)
    phone.locator(".account > summary").tap()
    phone.get_by_role("link", name="Jakopöytäkirjat").tap()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A game's sheet on a touch screen."""

    page: Page
    names: Mapping[str, str]
    """Of the teams A and B."""

    @classmethod
    def on(cls, page: Page) -> Sheet:
        """Take the page for what it shows."""
        teams = page.get_by_role("region", name="Tilanne").get_by_role("heading")
        expect(teams).to_have_count(2)
        return cls(page, dict(zip("AB", teams.all_inner_texts(), strict=True)))

    @property
    def head(self) -> Locator:
        return self.page.get_by_role("region", name="Tilanne")

    @property
    def points(self) -> Locator:
        """The running set's score, as it is read aloud: one element a team."""
        return self.head.get_by_text(re.compile(r"^\s*Pisteet erässä \d+\s*$"))

    @property
    def sets(self) -> Locator:
        return self.head.get_by_text(re.compile(r"^\s*\d erää?\s*$"))

    @property
    def answer(self) -> Locator:
        """What the engine says of the form so far."""
        return self.page.get_by_role("status", name="Mitä jako antaa")

    @property
    def save_button(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile("^Tallenna jako"))

    def tap_suit(self, suit: str, side: str) -> None:
        """Tap the suit on a team's row; the first tapped is the trump."""
        name = f"{suit}, {self.names[side]}"
        self.page.get_by_role("radio", name=name, exact=True).tap()

    def tap(self, question: str, choice: str) -> None:
        group = self.page.get_by_role("group", name=re.compile(f"^{question}"))
        group.get_by_role("radio", name=choice, exact=True).tap()

    def tap_last_trick(self, side: str) -> None:
        self.tap("Viimeinen tikki", self.names[side])

    def tap_mattis(self, share: str) -> None:
        self.tap("Matit", share)

    def tap_no_tricks(self, side: str) -> None:
        self.tap("Ei yhtään tikkiä", self.names[side])

    def tap_foul(self, side: str) -> None:
        self.page.get_by_role("button", name=f"+ {self.names[side]}", exact=True).tap()

    def type_pips(self, side: str, pips: int) -> None:
        group = self.page.get_by_role("group", name=re.compile("^Silmät"))
        group.get_by_role("spinbutton", name=self.names[side], exact=True).fill(
            str(pips)
        )

    def save(self) -> None:
        self.save_button.tap()

    def take_back(self, position: int) -> None:
        recorded = self.page.get_by_role("region", name="Kirjatut jaot")
        recorded.get_by_text("Kumoa viimeisin jako").tap()
        recorded.get_by_role("button", name=f"Kumoa jako {position}").tap()


def choose(radio: Locator) -> None:
    """Choose what something may lie over, from the middle of the screen."""
    radio.evaluate("radio => radio.scrollIntoView({block: 'center'})")
    radio.check(force=True)
