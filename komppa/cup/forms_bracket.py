"""The organiser's forms of the bracket; what may be saved is the services' to say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from komppa.cup.forms import TablesForm, explained
from komppa.cup.forms_changes import ChangeForm
from komppa.cup.models import Cup, Team
from komppa.cup.queries import group_standings

AGAIN, LEFT_OUT = "again", "left_out"


class BracketForm(TablesForm):
    """On how many tables the bracket is played, and which bracket was looked at."""

    replaces = None  # type: ignore[assignment]
    stamp = forms.CharField(required=False, widget=forms.HiddenInput)


class AnnulForm(ChangeForm):
    field_of_code = {**ChangeForm.field_of_code, "not_begun": "replay"}

    replay = forms.TypedChoiceField(
        label=gettext_lazy("Mitä pelille tapahtuu"),
        coerce=lambda name: name == AGAIN,
        choices=[
            (
                AGAIN,
                explained(
                    gettext_lazy("Pelataan uudelleen"),
                    gettext_lazy("Samasta parista tehdään uusi peli."),
                ),
            ),
            (
                LEFT_OUT,
                explained(
                    gettext_lazy("Jää pelaamatta"),
                    gettext_lazy("Peliä ei lasketa kummallekaan (R9.9)."),
                ),
            ),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Valitse, pelataanko uudelleen.")},
    )

    def __init__(self, *args: Any, in_bracket: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if in_bracket:
            # The next games wait for it: it has to be settled.
            del self.fields["replay"]

    @property
    def is_replayed(self) -> bool:
        return bool(self.cleaned_data.get("replay", True))


class NameTeamForm(ChangeForm):
    field_of_code = {
        **ChangeForm.field_of_code,
        "two_places": "team",
        "team_withdrawn": "team",
    }

    team = forms.TypedChoiceField(
        label=gettext_lazy("Joukkue"),
        coerce=int,
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), gettext_lazy("Valitse joukkue.")
        ),
    )

    def __init__(self, *args: Any, cup: Cup, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["team"].choices = [  # type: ignore[attr-defined]
            (team.pk, explained(team.name, place)) for team, place in _ranked(cup)
        ]


def _ranked(cup: Cup) -> Sequence[tuple[Team, str]]:
    """Return the teams that still play, the first of each group before the second."""
    rows = [
        (row.rank, standing.group.name, row.team)
        for standing in group_standings(cup)
        for row in standing.rows
        if not row.team.withdrawn
    ]
    rows.sort(key=lambda found: found[:2])
    return [(team, f"{group}{rank}") for rank, group, team in rows]
