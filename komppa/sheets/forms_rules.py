"""The form in which an organiser changes the rules of a cup that is being played."""

from __future__ import annotations

from typing import Any

from django import forms

from komppa.cup.forms import SWITCH_HELP, CupForm
from komppa.cup.forms_changes import ChangeForm
from komppa.cup.models import Cup
from komppa.errors import Refusal
from komppa.sheets.rule_changes import RulesRefused, UnsoundGame, rules_stamp

_AT_RULESET = ("nothing_changed", "teams_exist")


class RuleChangeForm(ChangeForm, CupForm):
    """The rules as the cup's own form has them, and why they change."""

    field_of_code = {
        **ChangeForm.field_of_code,
        **dict.fromkeys(_AT_RULESET, "ruleset"),
    }

    # The cup's address is no rule.
    slug = None  # type: ignore[assignment]
    seen_rules = forms.CharField(required=False, widget=forms.HiddenInput)

    class Meta(CupForm.Meta):
        model = Cup
        fields = [
            "sets_to_win",
            "final_sets_to_win",
            "foul_loss_sets",
            "withdrawn_games",
        ]

    def __init__(self, *args: Any, instance: Cup, **kwargs: Any) -> None:
        super().__init__(*args, instance=instance, **kwargs)
        self.initial["seen_rules"] = rules_stamp(instance)
        self.unsound: tuple[UnsoundGame, ...] = ()

    @property
    def switches(self) -> list[forms.BoundField]:
        return [self[name] for name in SWITCH_HELP]

    @property
    def outcomes(self) -> list[forms.BoundField]:
        return [self[name] for name in ("foul_loss_sets", "withdrawn_games")]

    def refuse(self, refusal: Refusal) -> None:
        super().refuse(refusal)
        if isinstance(refusal, RulesRefused):
            self.unsound = refusal.games
