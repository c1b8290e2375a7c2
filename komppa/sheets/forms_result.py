"""The form by which a team agrees to a result."""

from __future__ import annotations

from django import forms

from komppa.sheets.forms import MAX_NUMBER
from scoring.sides import Side


class ConfirmForm(forms.Form):
    """Which team agrees, and to which deals: the entry appended last, as it saw."""

    side = forms.TypedChoiceField(
        choices=[(side.value, side.value) for side in Side], coerce=Side
    )
    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER)
    version = forms.IntegerField(min_value=1, max_value=MAX_NUMBER)
