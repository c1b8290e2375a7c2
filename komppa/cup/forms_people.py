"""The forms of scorekeepers' accounts; what may be saved is the services' to say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from komppa.cup.services_people import MOST_AT_ONCE

_OUT_OF_RANGE = gettext_lazy("Luku 1–40.")


class ScorekeeperForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Kirjaajan nimi"),
        max_length=60,
        help_text=gettext_lazy("Esimerkiksi Matti Meikäläinen tai Pöytä 3."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class ScorekeepersForm(forms.Form):
    """Many accounts at once, numbered."""

    count = forms.IntegerField(
        label=gettext_lazy("Montako tunnusta"),
        min_value=1,
        max_value=MOST_AT_ONCE,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), _OUT_OF_RANGE
        ),
    )
    name_prefix = forms.CharField(
        label=gettext_lazy("Nimen alku"),
        required=False,
        max_length=50,
        help_text=gettext_lazy(
            "Tunnukset numeroidaan: Pöytä 1, Pöytä 2 ja niin edelleen. Jos osa on jo "
            "tehty, numerot jatkuvat niistä."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    after = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name_prefix"].initial = _("Pöytä")

    def clean_name_prefix(self) -> str:
        return self.cleaned_data["name_prefix"] or _("Pöytä")


class ChosenPeopleForm(forms.Form):
    """Which of the accounts have been ticked."""

    people = forms.TypedMultipleChoiceField(
        coerce=int,
        error_messages={
            "required": gettext_lazy("Valitse ensin tunnukset luettelosta.")
        },
    )

    def __init__(self, *args: Any, people: Iterable[User], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = {person.pk: person for person in people}
        self.fields["people"].choices = [  # type: ignore[attr-defined]
            (pk, person.username) for pk, person in self.known.items()
        ]

    @property
    def ticked(self) -> list[int]:
        """Return what was ticked of those there are, also in a form that is refused."""
        sent = set(self["people"].value() or ())
        return [pk for pk in self.known if str(pk) in sent]

    @property
    def chosen(self) -> list[User]:
        return [self.known[pk] for pk in self.cleaned_data["people"]]
