"""The organiser's forms; what may be saved is the services' to say."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.text import capfirst, slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from komppa.cup.models import Cup, Team
from komppa.cup.plans import (
    GroupOption,
    TableOption,
    group_options,
    usual_group_count,
)
from komppa.cup.services import RULE_FIELDS, TeamRow, ruleset_values
from komppa.cup.services_teams import LONGEST_NAME, MOST_TEAMS
from komppa.cup.validators import validate_slug_free
from komppa.cup.words import RULESET_TEXTS, RULESET_TITLES
from komppa.errors import Refusal
from komppa.rule_links import linked
from scoring.rulesets import DEFAULT, RULESETS, SWITCHES

MOST_POTS = 26
EMPTY_ROWS = 8
USUAL_TEAMS = 16
MOST_ROWS = MOST_TEAMS

AS_IN_RULESET = gettext_lazy("Kuten valituissa säännöissä")

SWITCH_HELP = {
    "both_on_target": gettext_lazy(
        "Kun molemmilla on jaon jälkeen tasan 12 pistettä (R6.6). Laistokierroksella "
        "pisteitä saanut joukkue putoaa seitsemään. Kotipelissä sitä ei pelata."
    ),
    "laistokierros_no_tricks": gettext_lazy(
        "Kun joukkue ei saa laistokierroksella yhtään tikkiä (R6.5): muulloin se "
        "menisi Porvooseen (R5.3), mutta pisteitä ottamaton pysyy 12:ssa (R6.2)."
    ),
    "corrected_foul": gettext_lazy(
        "Kun väärä kortti vaihdetaan oikeaan, ennen kuin tikki on kerätty (R7.3). "
        "Kolmanteen laskettuun virheeseen häviää koko pelin (R7.1)."
    ),
}


class RefusableForm(forms.BaseForm):
    """A form that shows why the service refused what it held."""

    refusal: Refusal | ValidationError | None = None
    refusal_fields: dict[str, str] = {}
    """The field at which a refusal of some code is shown; others above the form."""

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if isinstance(self.refusal, Refusal):
            field = self.refusal_fields.get(self.refusal.code)
            self.add_error(
                field if field in self.fields else None, self.refusal.message
            )
        elif self.refusal is not None:
            self.add_error(None, self.refusal.messages)
        return cleaned


class CupForm(RefusableForm, forms.ModelForm):  # type: ignore[type-arg]
    """A cup: its ruleset by name, and the switches that depart from it."""

    refusal_fields = {"teams_exist": "ruleset", "slug_taken": "slug"}

    slug = forms.CharField(
        label=gettext_lazy("Osoite"),
        required=False,
        max_length=60,
        help_text=gettext_lazy(
            "Tunnus sivujen osoitteessa, esimerkiksi komppa-cup-2026. Jos jätät sen "
            "tyhjäksi, se tehdään nimestä. Muutos katkaisee vanhat linkit ja QR-koodit."
        ),
        error_messages={
            "unique": gettext_lazy("Tämä osoite on jo toisella turnauksella."),
            "invalid": gettext_lazy(
                "Osoitteessa voi olla vain kirjaimia a–z, numeroita ja väliviivoja."
            ),
        },
    )
    ruleset = forms.ChoiceField(label=gettext_lazy("Säännöt"), widget=forms.RadioSelect)
    both_on_target = forms.ChoiceField()
    laistokierros_no_tricks = forms.ChoiceField()
    corrected_foul = forms.ChoiceField()

    class Meta:
        model = Cup
        fields = [
            "name",
            "slug",
            "date",
            "place",
            "visibility",
            "sets_to_win",
            "final_sets_to_win",
            "foul_loss_sets",
            "withdrawn_games",
            "qualifiers_per_group",
            "best_next",
            "bronze_game",
            "time_zone",
        ]
        widgets = {
            "date": forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
            "visibility": forms.RadioSelect,
            "foul_loss_sets": forms.RadioSelect,
            "withdrawn_games": forms.RadioSelect,
        }
        help_texts = {
            "sets_to_win": gettext_lazy("Lohkoissa ja jatkopeleissä, 1–9 (R5.7)."),
            "final_sets_to_win": gettext_lazy("1–9; Komppa-cupissa 3 (R5.7)."),
            "foul_loss_sets": gettext_lazy(
                "Mitä eriä sarjataulukkoon merkitään, kun peli päättyy joukkueen "
                "kolmanteen pelivirheeseen (R9.8). Vastustaja voittaa pelin aina."
            ),
            "withdrawn_games": gettext_lazy(
                "Mitä vetäytyneen tai kilpailusta suljetun joukkueen lohkopeleille käy "
                "(R9.10)."
            ),
            "qualifiers_per_group": gettext_lazy("Montako joukkuetta pääsee jatkoon."),
            "best_next": gettext_lazy(
                "Montako pääsee lisäksi jatkoon vertaamalla lohkoja: jos joka lohkosta "
                "jatkaa kaksi, verrataan kolmosia. Ensin luetaan voitot peliä kohti, "
                "sitten voitetut ja hävityt erät, ja tasatilanteen ratkaisee arpa. "
                "Tavallisesti 0."
            ),
            "bronze_game": gettext_lazy(
                "Välierien häviäjät pelaavat kolmannesta sijasta."
            ),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("visibility", "foul_loss_sets", "withdrawn_games"):
            if name in self.fields:
                choices = self.fields[name].choices  # type: ignore[attr-defined]
                self.fields[name].choices = [  # type: ignore[attr-defined]
                    (value, capfirst(label)) for value, label in choices if value
                ]
        # Absent where the rules are fixed.
        if "ruleset" in self.fields:
            self._offer_ruleset()
            for name in SWITCHES:
                self._offer_switch(name)
        if self.instance.pk:
            self._link_rules()

    def clean_slug(self) -> str:
        slug = self.cleaned_data["slug"].strip().lower()
        if slug:
            return str(slug)
        if self.instance.pk:
            return str(Cup.objects.get(pk=self.instance.pk).slug)
        # Without a name that is what is wrong, and the address waits for it.
        name = self.cleaned_data.get("name", "")
        return suggested_slug(name) if name else ""

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        fixed = [name for name in RULE_FIELDS if name not in self.fields]
        if self.refusal is None and any(name in self.data for name in fixed):
            self.add_error(
                None,
                _(
                    "Säännöt lukittuivat, kun ensimmäinen jako kirjattiin. Tarkista "
                    "muut tiedot ja tallenna uudelleen."
                ),
            )
        return cleaned

    def values(self) -> dict[str, Any]:
        """Return the columns of the cup, every switch resolved."""
        values = {
            name: self.cleaned_data[name]
            for name in self._meta.fields or ()
            if name in self.fields
        }
        if "ruleset" not in self.fields:
            return values
        key = self.cleaned_data["ruleset"]
        resolved = ruleset_values(key)
        if key != self.initial.get("ruleset") or not self.instance.pk:
            values.update(resolved)
        for name in SWITCHES:
            values[name] = self.cleaned_data[name] or resolved[name]
        return values

    def _link_rules(self) -> None:
        for field in self.fields.values():
            field.help_text = linked(field.help_text, self.instance, is_new_tab=True)
        # Where the rules are fixed, the admin shows these and no field.
        self._meta = copy(self._meta)
        self._meta.help_texts = {
            name: linked(text, self.instance, is_new_tab=True)
            for name, text in (self._meta.help_texts or {}).items()
        }

    def _offer_ruleset(self) -> None:
        field = self.fields["ruleset"]
        field.choices = [  # type: ignore[attr-defined]
            (key, explained(RULESET_TITLES[key], RULESET_TEXTS[key]))
            for key in RULESETS
        ]
        self.initial["ruleset"] = self.instance.ruleset or DEFAULT

    def _offer_switch(self, name: str) -> None:
        column = Cup._meta.get_field(name)
        field = forms.ChoiceField(
            label=capfirst(str(column.verbose_name)),  # type: ignore[union-attr]
            choices=[
                ("", AS_IN_RULESET),
                *(
                    (value, capfirst(str(label)))
                    for value, label in column.choices or ()  # type: ignore[union-attr]
                ),
            ],
            required=False,
            widget=forms.RadioSelect,
            help_text=SWITCH_HELP[name],
        )
        self.fields[name] = field
        stored = getattr(self.instance, name)
        rules = RULESETS.get(self.instance.ruleset)
        usual = rules is not None and stored == ruleset_values(rules.key)[name]
        self.initial[name] = "" if usual or not self.instance.pk else stored


def suggested_slug(name: str) -> str:
    """Return a free address made of the name, a number added where it is taken."""
    stem = slugify(name)[:50]
    if not stem:
        raise ValidationError(
            _("Nimestä ei synny osoitetta. Kirjoita se kirjaimin a–z ja numeroin."),
            code="no_slug",
        )
    taken = set(
        Cup.objects.filter(slug__startswith=stem).values_list("slug", flat=True)
    )
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 4))
    return next(
        slug for slug in (stem, *numbered) if slug not in taken and _is_allowed(slug)
    )


class TeamForm(RefusableForm, forms.ModelForm):  # type: ignore[type-arg]
    refusal_fields = {
        "name_missing": "name",
        "name_too_long": "name",
        "name_taken": "name",
        "player_name_too_long": "player_1",
    }

    player_1 = forms.CharField(
        label=gettext_lazy("1. pelaaja"), max_length=LONGEST_NAME, required=False
    )
    player_2 = forms.CharField(
        label=gettext_lazy("2. pelaaja"), max_length=LONGEST_NAME, required=False
    )

    class Meta:
        model = Team
        fields = ["name", "pot"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = [player.name for player in self.instance.players.order_by("position")]
        for field, name in zip(self._player_fields(), names, strict=False):
            self.initial[field] = name

    def players(self) -> tuple[str, ...]:
        return tuple(self.cleaned_data[field] for field in self._player_fields())

    def _player_fields(self) -> list[str]:
        return player_fields(self.instance.cup.players_per_team)


class TeamRowForm(forms.Form):
    """A line of the page of all teams; one left empty is no team."""

    team_id = forms.IntegerField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(label=gettext_lazy("Joukkue"), required=False)
    player_1 = forms.CharField(label=gettext_lazy("1. pelaaja"), required=False)
    player_2 = forms.CharField(label=gettext_lazy("2. pelaaja"), required=False)
    pot = forms.IntegerField(
        label=gettext_lazy("Kori"),
        required=False,
        min_value=1,
        max_value=MOST_POTS,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), gettext_lazy("Luku 1–26.")
        ),
    )
    remove = forms.BooleanField(label=gettext_lazy("Poista"), required=False)

    def __init__(self, *args: Any, players: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = player_fields(players)
        for name in ("player_1", "player_2"):
            if name not in self.players:
                del self.fields[name]
        for name in ("name", *self.players):
            self.fields[name].widget.attrs["maxlength"] = LONGEST_NAME

    def row(self, line: int) -> TeamRow | None:
        """Return what was typed on the line, None if nothing."""
        # What could not be read has its error and is missing here.
        data = getattr(self, "cleaned_data", {})
        players = tuple(data.get(name, "") for name in self.players)
        team_id, name, pot = (data.get(field) for field in ("team_id", "name", "pot"))
        if not (team_id or name or pot or any(players) or self.errors):
            return None
        remove = data.get("remove", False)
        return TeamRow(line, name or "", players, pot, team_id, remove)


TeamRows = forms.formset_factory(
    TeamRowForm, extra=EMPTY_ROWS, max_num=MOST_ROWS, absolute_max=MOST_ROWS
)


class DrawForm(forms.Form):
    group_count = forms.TypedChoiceField(
        label=gettext_lazy("Lohkojen määrä"), coerce=int, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, team_count: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["group_count"]
        field.choices = [  # type: ignore[attr-defined]
            (option.count, _group_label(option)) for option in group_options(team_count)
        ]
        field.initial = usual_group_count(team_count)


class TablesForm(forms.Form):
    table_count = forms.TypedChoiceField(
        label=gettext_lazy("Pöytien määrä"), coerce=int, widget=forms.RadioSelect
    )
    replaces = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, options: Sequence[TableOption], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["table_count"]
        field.choices = [  # type: ignore[attr-defined]
            (option.count, _table_label(option)) for option in options
        ]
        field.initial = options[-1].count


def player_fields(size: int) -> list[str]:
    return [f"player_{position}" for position in range(1, size + 1)]


def explained(title: object, text: object) -> str:
    """Return the label of a choice: what it is, and what it means."""
    return format_html(
        '<span class="choice"><span class="choice-title">{}</span> '
        '<span class="choice-text">{}</span></span>',
        title,
        text,
    )


def _group_label(option: GroupOption) -> str:
    title = ngettext("%(count)d lohko", "%(count)d lohkoa", option.count)
    text = ngettext(
        "joukkueita %(sizes)s; yhteensä %(games)d peli",
        "joukkueita %(sizes)s; yhteensä %(games)d peliä",
        option.games,
    )
    return explained(
        title % {"count": option.count},
        text % {"sizes": ", ".join(map(str, option.sizes)), "games": option.games},
    )


def _table_label(option: TableOption) -> str:
    title = ngettext("%(count)d pöytä", "%(count)d pöytää", option.count)
    text = ngettext(
        "%(waves)d peli peräkkäin", "%(waves)d peliä peräkkäin", option.waves
    )
    return explained(title % {"count": option.count}, text % {"waves": option.waves})


def _is_allowed(slug: str) -> bool:
    try:
        validate_slug_free(slug)
    except ValidationError:
        return False
    return True
