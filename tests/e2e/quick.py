"""Deals entered at the pace of a machine, through the same form as by a thumb.

A whole cup has about a hundred deals. What ``steps.Sheet`` taps one by one is set here
in one go in the page itself: the same fields change, the same button saves, and the
page's own script sends it and shows the next sheet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, expect

SUITS = "HCDS"

_FILL = """
(deal) => {
  const form = document.querySelector("[data-deal-form]");
  for (const [name, value] of deal.choices) {
    const radio = form.querySelector(`[name="${name}"][value="${value}"]`);
    if (!radio) throw new Error(`no ${name} ${value}`);
    radio.click();
  }
  for (const side of deal.fouls) {
    form.querySelector(`[data-add-foul="${side}"]`).click();
  }
  form.querySelector(".save-button").click();
}
"""


@dataclass(frozen=True, slots=True)
class Deal:
    """What is entered of one deal, sides as the writer of a test names them."""

    trump: str = ""
    small: str = ""
    """The makers of the small trumps in turn: ”AAB”."""
    last: str = ""
    mattis: str = ""
    """Who has five or six of the eight mattis."""
    fouls: str = ""

    def seen_from(self, sides: Mapping[str, str]) -> Deal:
        """Return the deal with the sides as the sheet calls them."""

        def turned(text: str) -> str:
            return "".join(sides[side] for side in text)

        return Deal(
            *(
                turned(text)
                for text in (self.trump, self.small, self.last, self.mattis, self.fouls)
            )
        )

    def choices(self, position: int) -> list[tuple[str, str]]:
        """Return the radio buttons to press; no deal looks like the one before it.

        The sheet asks once more where two in a row are the same.
        """
        makers = self.trump + self.small
        suits = [(f"suit_{s}", maker) for s, maker in zip(SUITS, makers, strict=False)]
        last = [("last_trick", self.last)] if self.last else []
        share = {"A": "56"[position % 2], "B": "32"[position % 2]}
        mattis = [("mattis", share[self.mattis])] if self.mattis else []
        return [*suits, *last, *mattis]


def six(side: str, fouls: str = "") -> Deal:
    """Return a deal of six points: trump 2, two small trumps, last trick, matti."""
    return Deal(side, side * 2, side, side, fouls)


@dataclass
class Table:
    """Somebody who keeps the score of one game after another."""

    page: Page
    cup_url: str
    """The address of the cup's sheets."""
    deals: int = field(default=0, init=False)
    """How many have been entered in all."""

    def play(
        self, number: int, first: str, deals: Iterable[Deal], *, after: int = 0
    ) -> None:
        """Enter deals of a game, ``after`` having been entered already.

        In them A is the team called ``first``.
        """
        self.page.goto(f"{self.cup_url}games/{number}/")
        names = self.page.locator(".sheet-team-name")
        expect(names).to_have_count(2)
        at = names.all_inner_texts().index(first)
        sides = dict(zip("AB", "AB" if at == 0 else "BA", strict=True))
        for position, deal in enumerate(deals, start=after + 1):
            self._enter(position, deal.seen_from(sides))

    def confirm(self) -> None:
        """Let both teams agree to the result that the page shows."""
        for _team in range(2):
            self.page.get_by_role(
                "button", name=re.compile("^Vahvista: ")
            ).first.click()
        agreed = "Molemmat joukkueet ovat vahvistaneet tuloksen."
        expect(self.page.get_by_text(agreed)).to_be_visible()

    def _enter(self, position: int, deal: Deal) -> None:
        facts: dict[str, Any] = {
            "choices": deal.choices(position),
            "fouls": list(deal.fouls),
        }
        self.page.evaluate(_FILL, facts)
        saved = self.page.get_by_text(re.compile(rf"^Jako {position} tallennettu\."))
        expect(saved).to_be_visible()
        self.deals += 1
