"""The organiser's forms after the draw: each says what to change, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from komppa.cup.changes import LONGEST_REASON
from komppa.cup.choices import Outcome
from komppa.cup.forms import explained, player_fields
from komppa.cup.models import Cup, Game, Group, Team
from komppa.cup.services import MOST_TABLES, RowsRefused
from komppa.cup.services_games import RECORDED
from komppa.cup.services_teams import LONGEST_NAME
from komppa.cup.words_of_games import outcome_words
from komppa.errors import Refusal
from komppa.rule_links import linked
from scoring.sides import Pair


class ChangeForm(forms.Form):
    """What a change needs in any case; ``seen_moves`` is the stamp of what it moves."""

    field_of_code = {"reason_missing": "reason", "reason_too_long": "reason"}

    seen_moves = forms.CharField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=gettext_lazy("Syy"),
        help_text=gettext_lazy("Syy jää lokiin."),
        error_messages={"required": gettext_lazy("Kirjoita muutoksen syy.")},
        widget=forms.TextInput(attrs={"maxlength": LONGEST_REASON}),
    )
    field_order = ["reason"]

    def refuse(self, refusal: Refusal) -> None:
        """Put the service's reasons where they belong."""
        reasons = refusal.rows[1] if isinstance(refusal, RowsRefused) else [refusal]
        for reason in reasons:
            field = self.field_of_code.get(reason.code)
            self.add_error(field if field in self.fields else None, reason.message)


class OutcomeForm(ChangeForm):
    field_of_code = {**ChangeForm.field_of_code, "nothing_changed": "outcome"}

    outcome = forms.TypedChoiceField(
        label=gettext_lazy("Tulos"),
        coerce=lambda name: Outcome[name],
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Valitse tulos.")},
    )
    seen = forms.TypedChoiceField(
        coerce=lambda name: Outcome[name],
        choices=[(outcome.name, outcome.name) for outcome in Outcome],
        widget=forms.HiddenInput,
    )

    def __init__(self, *args: Any, game: Game, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = Pair(str(game.team_a), str(game.team_b))
        self.fields["outcome"].choices = [  # type: ignore[attr-defined]
            (outcome.name, _explained_outcome(outcome, game, names))
            for outcome in RECORDED
        ]


class MoveForm(ChangeForm):
    field_of_code = {
        **ChangeForm.field_of_code,
        "table_number": "table_number",
        "nothing_changed": "table_number",
    }

    table_number = forms.IntegerField(
        label=gettext_lazy("Pöytä"),
        min_value=1,
        max_value=MOST_TABLES,
        help_text=gettext_lazy("Pöydän numero; uusikin käy."),
    )
    is_next = forms.BooleanField(
        label=gettext_lazy("Pelataan siinä seuraavaksi"),
        required=False,
        help_text=gettext_lazy(
            "Muuten peli säilyttää paikkansa pelien järjestyksessä."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        message = _("Pöydän numero on 1–%(most)d.") % {"most": MOST_TABLES}
        wrong = ("required", "invalid", "min_value", "max_value")
        self.fields["table_number"].error_messages.update(dict.fromkeys(wrong, message))


class RenameForm(ChangeForm):
    field_of_code = {
        **ChangeForm.field_of_code,
        "name_missing": "name",
        "name_too_long": "name",
        "name_taken": "name",
        "nothing_changed": "name",
    }

    name = forms.CharField(
        label=gettext_lazy("Uusi nimi"),
        widget=forms.TextInput(attrs={"maxlength": LONGEST_NAME}),
        error_messages={"required": gettext_lazy("Anna joukkueelle nimi.")},
    )


class ReplacePlayerForm(ChangeForm):
    field_of_code = {
        **ChangeForm.field_of_code,
        "player_name_missing": "name",
        "player_name_too_long": "name",
        "nothing_changed": "name",
    }

    name = forms.CharField(
        label=gettext_lazy("Uusi pelaaja"),
        widget=forms.TextInput(attrs={"maxlength": LONGEST_NAME}),
        error_messages={"required": gettext_lazy("Anna uuden pelaajan nimi.")},
    )


class LateTeamForm(ChangeForm):
    """A team for a group that has been drawn: a new one, or one left outside."""

    field_of_code = {
        **ChangeForm.field_of_code,
        "name_missing": "name",
        "name_too_long": "name",
        "name_taken": "name",
        "too_many_teams": "name",
        "player_name_too_long": "player_1",
        "in_a_group": "team",
        "team_gone": "team",
        "already_withdrawn": "team",
        "group_gone": "group",
    }

    group: forms.ModelChoiceField[Group] = forms.ModelChoiceField(
        label=gettext_lazy("Lohko"),
        queryset=None,
        widget=forms.RadioSelect,
        empty_label=None,
        error_messages=dict.fromkeys(
            ("required", "invalid_choice"), gettext_lazy("Valitse lohko.")
        ),
    )
    team: forms.ModelChoiceField[Team] = forms.ModelChoiceField(
        label=gettext_lazy("Joukkue"),
        queryset=None,
        required=False,
        widget=forms.RadioSelect,
        empty_label=gettext_lazy("Uusi joukkue"),
        error_messages={"invalid_choice": gettext_lazy("Valitse joukkue.")},
    )
    name = forms.CharField(
        label=gettext_lazy("Uuden joukkueen nimi"),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": LONGEST_NAME}),
    )
    player_1 = forms.CharField(
        label=gettext_lazy("1. pelaaja"), max_length=LONGEST_NAME, required=False
    )
    player_2 = forms.CharField(
        label=gettext_lazy("2. pelaaja"), max_length=LONGEST_NAME, required=False
    )

    def __init__(self, *args: Any, cup: Cup, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = player_fields(cup.players_per_team)
        for field in ("player_1", "player_2"):
            if field not in self.players:
                del self.fields[field]
        groups, outside = self.fields["group"], self.fields["team"]
        groups.queryset = cup.groups.annotate(size=Count("memberships"))  # type: ignore[attr-defined]
        groups.label_from_instance = _told_group  # type: ignore[attr-defined]
        left = cup.teams.filter(membership__isnull=True, withdrawn=False)
        outside.queryset = left  # type: ignore[attr-defined]
        if not left.exists():
            del self.fields["team"]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if self.late_team is None and not data.get("name"):
            self.add_error("name", _("Anna joukkueelle nimi."))
        return data

    @property
    def late_team(self) -> Team | None:
        team: Team | None = self.cleaned_data.get("team")
        return team


def _told_group(group: Any) -> str:
    text = ngettext("%(count)d joukkue", "%(count)d joukkuetta", group.size)
    title = _("Lohko %(group)s") % {"group": group.name}
    return explained(title, text % {"count": group.size})


def _explained_outcome(outcome: Outcome, game: Game, names: Pair[str]) -> str:
    texts = {
        Outcome.PLAYED: _("Kirjatut jaot ratkaisevat."),
        Outcome.BOTH_ABSENT: _("Peli on hävitty molemmille, erät 0–0 (R9.11)."),
    }
    walkover = _("Voittaja saa erät %(sets)d–0 (R9.9).") % {"sets": game.sets_to_win}
    text = linked(texts.get(outcome, walkover), game.cup, is_new_tab=True)
    return explained(outcome_words(outcome, names), text)


class LotForm(ChangeForm):
    """The order of a lot drawn on paper: a team for each place, the best first."""

    def __init__(self, *args: Any, teams: Sequence[Team], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.places = [f"place_{number}" for number in range(1, len(teams) + 1)]
        for number, (name, team) in enumerate(zip(self.places, teams, strict=True), 1):
            self.fields[name] = forms.TypedChoiceField(
                label=_("%(number)d. paikka") % {"number": number},
                coerce=int,
                choices=[(team.pk, team.name) for team in teams],
                initial=team.pk,
                error_messages=dict.fromkeys(
                    ("required", "invalid_choice"), _("Valitse joukkue.")
                ),
            )
        self.order_fields([*self.places, "reason"])

    @property
    def order(self) -> list[int]:
        return [self.cleaned_data[name] for name in self.places]

    @property
    def place_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.places]

    def clean(self) -> dict[str, Any]:
        chosen: dict[int, str] = {}
        for name in self.places:
            team = self.cleaned_data.get(name)
            if team in chosen:
                self.add_error(name, _("Sama joukkue on kahdella paikalla."))
            elif team is not None:
                chosen[team] = name
        return self.cleaned_data
