"""Pieces of the sheet's layout that crispy does not have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crispy_forms.layout import LayoutObject
from django.forms import Form
from django.template import Context
from django.template.loader import render_to_string

from komppa.words import SUIT_LABELS
from scoring.sides import Side
from scoring.suits import Suit


class Together(LayoutObject):
    """Several fields that one template of ours lays out."""

    def __init__(self, *fields: str, template: str) -> None:
        self.fields = list(fields)
        self.template = template

    def render(self, form: Form, context: Context, **kwargs: Any) -> str:
        form.rendered_fields.update(self.fields)  # type: ignore[attr-defined]
        around: dict[Any, Any] = context.flatten()
        return render_to_string(
            self.template, {**around, "form": form, **self.shown(form)}
        )

    def shown(self, form: Form) -> dict[str, Any]:
        bound = [form[name] for name in self.fields]
        return {
            "fields": bound,
            "errors": [error for field in bound for error in field.errors],
        }


class SuitBoard(Together):
    """Two rows of four suits, and which of them was the trump."""

    def __init__(self) -> None:
        names = [f"suit_{suit}" for suit in Suit]
        super().__init__("trump", *names, template="sheets/fields/suits.html")

    def shown(self, form: Form) -> dict[str, Any]:
        # Each suit's own choice is none, A, B: turned by a quarter it is the rows.
        columns = [(suit, form[f"suit_{suit}"].subwidgets) for suit in Suit]
        neither, *rows = (
            [(suit, SUIT_LABELS[suit], widgets[index]) for suit, widgets in columns]
            for index in range(1 + len(Side))
        )
        return {
            **super().shown(form),
            "rows": list(zip(Side, rows, strict=True)),
            "neither": neither,
            "trump": form["trump"],
        }


class FoulRows(Together):
    """Fouls in the order in which they happened, and whether they ended the game."""

    def __init__(self, count: int) -> None:
        self.count = count
        rows = [name for row in self.names for name in row]
        super().__init__(*rows, "abandoned", template="sheets/fields/fouls.html")

    @property
    def names(self) -> Sequence[tuple[str, str]]:
        return [(f"foul_{n}", f"foul_{n}_corrected") for n in range(1, self.count + 1)]

    def shown(self, form: Form) -> dict[str, Any]:
        return {
            "rows": [(form[foul], form[corrected]) for foul, corrected in self.names],
            "abandoned": form["abandoned"],
        }
