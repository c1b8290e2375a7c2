"""The file of a cup that comes from another installation."""

from __future__ import annotations

import gzip
import zlib
from typing import IO, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MOST_BYTES = 64 * 1024 * 1024
"""Unpacked; a cup of a hundred teams takes some twenty megabytes."""


class ImportForm(forms.Form):
    document = forms.FileField(
        label=gettext_lazy("Turnauksen tiedosto"),
        help_text=gettext_lazy(
            "Toisesta Kompasta viety .json tai sama pakattuna .json.gz, enintään 1 Mt. "
            "Suuremman tuo komento manage.py import_cup."
        ),
        widget=forms.FileInput(attrs={"accept": ".json,.gz"}),
    )

    def clean_document(self) -> str:
        sent: Any = self.cleaned_data["document"]
        try:
            return unpacked(sent.open())
        except ValueError as error:
            raise ValidationError(_("Tiedosto ei ole Kompan turnaus.")) from error


def unpacked(file: IO[bytes]) -> str:
    """Return the text of a file, packed or not. Raises ValueError."""
    data = file.read(MOST_BYTES + 1)
    if data[:2] == b"\x1f\x8b":
        file.seek(0)
        try:
            with gzip.open(file) as packed:
                data = packed.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError("not gzip") from error
    if len(data) > MOST_BYTES:
        raise ValueError("too large")
    return data.decode("utf-8-sig")
