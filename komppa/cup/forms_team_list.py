"""The form that takes a whole list of teams, as a text or as a file."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from komppa.cup.forms import MOST_POTS, MOST_ROWS
from komppa.cup.team_lists import Layout, Limits, NotText, decode, parse, readable
from komppa.cup.words_of_lists import LAYOUT_TITLES


class TeamListForm(forms.Form):
    """Text and file are one list: a file, where there is one, replaces the text."""

    # No CharField, which strips the blank lines at the start and refuses a NUL
    # without telling where it is.
    text = forms.Field(
        label=gettext_lazy("Joukkueet, yksi riville"),
        required=False,
        widget=forms.Textarea(
            attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off"}
        ),
    )
    file = forms.FileField(
        label=gettext_lazy("Tai tiedosto (CSV tai teksti)"),
        help_text=gettext_lazy("Jos valitset tiedoston, se korvaa yllä olevan listan."),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,text/csv,text/plain"}),
    )
    layout = forms.ChoiceField(
        label=gettext_lazy("Tietojen erotin"),
        required=False,
        choices=[
            ("", gettext_lazy("Tunnista listasta")),
            *((layout.value, title) for layout, title in LAYOUT_TITLES.items()),
        ],
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    encoding = ""
    """Of the file, if that was read."""
    replaced = ""
    """What was in the text field and gave way to the file."""

    def __init__(self, *args: Any, players: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.limits = Limits(players=players, rows=MOST_ROWS, pots=MOST_POTS)
        example = (
            _("Esimerkiksi ”Ässät; Aino Aalto; 1” tai ”Ässät – Aino Aalto”.")
            if players == 1
            else _(
                "Esimerkiksi ”Ässät; Aino Aalto; Väinö Virta; 1” tai ”Ässät – Aino "
                "Aalto, Väinö Virta”."
            )
        )
        more = _("Pelkkä nimikin riittää. Viimeinen luku on kori.")
        self.fields["text"].help_text = f"{example} {more}"

    def clean_text(self) -> str:
        return readable(self.cleaned_data["text"] or "")

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        if cleaned["file"]:
            self._take_the_file(cleaned)
        layout = Layout(cleaned["layout"]) if cleaned["layout"] else None
        self.listed = parse(cleaned["text"], self.limits, layout)
        if not self.listed.rows:
            field = "file" if self.encoding else "text"
            raise ValidationError({field: _nothing(cleaned)})
        return cleaned

    def again(self, seen: str) -> TeamListForm:
        """Return the form with what was read from it, to be mended or confirmed."""
        kept = {name: self.cleaned_data[name] for name in ("text", "layout")}
        initial = {**kept, "seen": seen}
        return TeamListForm(initial=initial, players=self.limits.players)

    def _take_the_file(self, cleaned: dict[str, Any]) -> None:
        typed = cleaned["text"]
        try:
            cleaned["text"], self.encoding = decode(cleaned["file"].read())
        except NotText:
            raise ValidationError(
                {
                    "file": _(
                        "Tiedosto ei ole tekstiä. Jos se on laskentataulukko, tallenna "
                        "se CSV-muodossa, tai kopioi sen solut ja liitä ne listaan."
                    )
                }
            ) from None
        if typed.strip() and typed.strip() != cleaned["text"].strip():
            self.replaced = typed


def _nothing(cleaned: dict[str, Any]) -> str:
    if cleaned["file"]:
        return _("Tiedostossa ei ole yhtään joukkuetta.")
    if cleaned["text"].strip():
        return _("Listassa ei ole yhtään joukkuetta.")
    return _("Liitä lista tähän tai valitse tiedosto.")
