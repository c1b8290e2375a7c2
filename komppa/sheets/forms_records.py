"""The forms of a disputed deal's record: the document, and why it is attached."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from komppa import words
from komppa.cup.changes import LONGEST_REASON
from komppa.cup.models import Cup
from komppa.errors import Refusal
from komppa.sheets.records import RecordRefused, recorded_deal
from komppa.words_of_play import place_in_document
from scoring.deal import Deal
from scoring.deal_document import deal_to_json
from scoring.documents import NotJson, parse
from scoring.problems import Problem

MOST_SHOWN = 20
"""Problems told at once; one slip of a program can make hundreds."""


_HIDDEN = ("version", "seen", "stamp")


class RecordForm(forms.Form):
    """Text and file are one document: a file, where there is one, replaces the text."""

    # No CharField, which would refuse some texts without telling why.
    document = forms.Field(
        label=gettext_lazy("Tallenne (JSON)"),
        required=False,
        widget=forms.Textarea(
            attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off"}
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("Tai tiedosto"),
        help_text=gettext_lazy(
            "Jos valitset tiedoston, se korvaa yllä olevan tallenteen."
        ),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,application/json,text/plain"}),
    )
    reason = forms.CharField(
        label=gettext_lazy("Syy"),
        help_text=gettext_lazy("Syy jää lokiin."),
        required=False,
        widget=forms.TextInput(
            attrs={"maxlength": LONGEST_REASON, "autocomplete": "off"}
        ),
    )
    version = forms.IntegerField(
        min_value=1, max_value=30_000, widget=forms.HiddenInput
    )
    seen = forms.IntegerField(
        required=False, min_value=1, max_value=2**62, widget=forms.HiddenInput
    )
    stamp = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, cup: Cup, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cup = cup

    def clean_document(self) -> str:
        return str(self.cleaned_data["document"] or "")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors.keys().isdisjoint(_HIDDEN):
            raise ValidationError(
                _("Lomake katkesi kesken. Mitään ei tallennettu: aloita alusta.")
            )
        if self.errors:
            return cleaned
        field, text = "document", cleaned["document"]
        if cleaned["file"]:
            field, text = "file", self._text_of_file(cleaned["file"])
            cleaned["document"] = text
        if not text.strip():
            raise ValidationError(
                {"document": _("Liitä tallenne tähän tai valitse tiedosto.")}
            )
        try:
            self.document_read = parse(text)
            self.deal: Deal = recorded_deal(self.document_read, self.cup)
        except NotJson as error:
            raise ValidationError({field: _no_json(error)}) from error
        except RecordRefused as refused:
            raise ValidationError({field: told_problems(refused.problems)}) from refused
        except Refusal as refusal:
            raise ValidationError({field: refusal.message}) from refusal
        return cleaned

    def _text_of_file(self, sent: Any) -> str:
        try:
            return str(sent.read().decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise ValidationError({"file": _("Tiedosto ei ole tekstiä.")}) from None

    @property
    def stamp_of_deal(self) -> str:
        """What tells this document from any other one that was looked at."""
        told = json.dumps(deal_to_json(self.deal), sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()

    @property
    def was_looked_at(self) -> bool:
        return bool(self.cleaned_data["stamp"] == self.stamp_of_deal)

    def again(self, *, version: int, seen: int | None) -> RecordForm:
        """Return the form with what was read, to be mended or saved.

        ``version`` and ``seen`` are of what the page now shows beside it.
        """
        initial = {
            "document": self.cleaned_data["document"],
            "reason": self.cleaned_data["reason"],
            "stamp": self.stamp_of_deal,
            "version": version,
            "seen": seen,
        }
        return RecordForm(initial=initial, cup=self.cup)


class TakeBackRecordForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Syy"),
        help_text=gettext_lazy("Syy jää lokiin."),
        error_messages={"required": gettext_lazy("Kirjoita muutoksen syy.")},
        widget=forms.TextInput(attrs={"maxlength": LONGEST_REASON}),
    )


def _no_json(error: NotJson) -> str:
    if place := re.search(r"line (\d+), column (\d+)", str(error)):
        line, column = place.groups()
        return _(
            "Tallenne ei ole JSON-muotoa: virhe on rivillä %(line)s, merkki %(column)s."
        ) % {"line": line, "column": column}
    return _("Tallenne ei ole JSON-muotoa.")


def told_problems(problems: Sequence[Problem]) -> list[str]:
    """Return a sentence for each problem that says where in the document it is."""
    told = [
        f"{capfirst(place_in_document(problem))}: {words.problem_sentence(problem)}"
        for problem in problems[:MOST_SHOWN]
    ]
    if left := len(problems) - len(told):
        more = ngettext(
            "Lisäksi %(count)d muu virhe.", "Lisäksi %(count)d muuta virhettä.", left
        )
        told.append(more % {"count": left})
    return told
