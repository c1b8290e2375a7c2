"""The draft of a correction, carried by its page until it is saved, and its forms."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from komppa.cup.changes import LONGEST_REASON
from komppa.cup.models import Game, Player
from komppa.sheets.corrections import MOST_DEALS, examine_draft, standing_rows
from komppa.sheets.forms import MAX_NUMBER, DealSheetForm
from komppa.sheets.queries import Course
from komppa.sheets.revisions import Row
from scoring.sheet import DealSheet
from scoring.sides import Seat, Side

OPS = (
    "edit",
    "insert",
    "put",
    "put_new",
    "remove",
    "cut",
    "drop_ace",
    "restore",
    "show",
    "save",
)


@dataclass(frozen=True, slots=True)
class Draft:
    """The deals as the organiser wants them, and what he saw when he began."""

    rows: tuple[Row, ...]
    seen: int
    key: UUID

    @classmethod
    def of(cls, course: Course) -> Draft:
        return cls(standing_rows(course), course.entry_count, uuid4())

    def with_rows(self, rows: Sequence[Row]) -> Draft:
        return replace(self, rows=tuple(rows))

    @property
    def text(self) -> str:
        rows = [[row.number, row.facts] for row in self.rows]
        return json.dumps(rows, separators=(",", ":"), ensure_ascii=False)


class Op(NamedTuple):
    """What a button of the page asks for."""

    name: str
    number: int
    """The index of a row, or the id of a version to restore."""


class DraftForm(forms.Form):
    """The hidden part of the page, and the reason."""

    draft = forms.CharField(widget=forms.HiddenInput)
    seen = forms.IntegerField(
        min_value=0, max_value=10_000_000, widget=forms.HiddenInput
    )
    key = forms.UUIDField(widget=forms.HiddenInput)
    op = forms.CharField(max_length=40)
    seen_moves = forms.CharField(
        required=False, max_length=40, widget=forms.HiddenInput
    )
    reason = forms.CharField(
        label=gettext_lazy("Syy"),
        required=False,
        max_length=LONGEST_REASON,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_draft(self) -> tuple[Row, ...]:
        try:
            rows = json.loads(self.cleaned_data["draft"])
        except (ValueError, RecursionError) as error:
            raise ValidationError(_("Korjaus on rikki.")) from error
        if not isinstance(rows, list) or len(rows) > MOST_DEALS:
            raise ValidationError(_("Korjaus on rikki."))
        return tuple(_row(row) for row in rows)

    def clean_op(self) -> Op:
        name, _colon, number = self.cleaned_data["op"].partition(":")
        if name not in OPS or not (number.isascii() and number.isdigit()):
            raise ValidationError(_("Korjaus on rikki."))
        return Op(name, int(number[:18]))

    def draft_as_sent(self) -> Draft:
        data = self.cleaned_data
        return Draft(data["draft"], data["seen"], data["key"])


def _row(value: object) -> Row:
    if not (isinstance(value, list) and len(value) == 2):
        raise ValidationError(_("Korjaus on rikki."))
    number, facts = value
    is_number = type(number) is int and 1 <= number <= MAX_NUMBER
    if not (number is None or is_number) or not isinstance(facts, dict):
        raise ValidationError(_("Korjaus on rikki."))
    return Row(number, facts)


class CorrectedSheetForm(DealSheetForm):
    """The sheet of one deal of a draft, judged by the deals before it."""

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        game: Game,
        rows: Sequence[Row],
        index: int,
        seated: Mapping[Seat, Player],
        sheet: DealSheet | None = None,
    ) -> None:
        state, _problems = examine_draft(game, rows[:index])
        before = Course((), state, next_number=index + 1, entry_count=0, newest=None)
        super().__init__(data, game=game, course=before, seated=seated)
        # The draft has its own key, and its form holds nobody's seat.
        del self.fields["key"], self.fields["seating"], self.fields["teams"]
        self.position = index + 1
        if sheet is not None:
            self.initial.update(typed(sheet))

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_tag = False
        helper.disable_csrf = True
        helper.form_show_errors = False
        helper.layout = Layout(
            "number",
            HTML("{% include 'sheets/_problems.html' %}"),
            *self._asked(),
        )
        return helper


def typed(sheet: DealSheet) -> dict[str, Any]:
    """Return what somebody would have entered for the sheet, by field."""
    data: dict[str, Any] = {
        "club_ace": sheet.club_ace or "",
        "last_trick": sheet.last_trick or "",
        "no_tricks": sheet.no_tricks or "",
        "abandoned": sheet.abandoned,
        "mattis": sheet.mattis.a if sheet.mattis else "",
        "aces": sheet.aces.a if sheet.aces else "",
    }
    for name in ("pips", "card_points"):
        pair = getattr(sheet, name)
        for side in Side:
            data[f"{name}_{side.lower()}"] = pair[side] if pair else ""
    if sheet.suits:
        data["trump"] = sheet.suits.trump or ""
        for side in Side:
            for suit in sheet.suits.small[side]:
                data[f"suit_{suit}"] = side
        if sheet.suits.trump:
            data[f"suit_{sheet.suits.trump}"] = sheet.trump
    for row, foul in enumerate(sheet.fouls, start=1):
        data[f"foul_{row}"] = foul.side
        data[f"foul_{row}_corrected"] = foul.corrected
    return data
