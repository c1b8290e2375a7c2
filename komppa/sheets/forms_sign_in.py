"""The form that whoever keeps scores or runs the cup signs in with."""

from __future__ import annotations

from typing import Any

from crispy_forms.helper import FormHelper
from django.contrib.auth.forms import AuthenticationForm
from django.core.validators import MaxLengthValidator
from django.utils.translation import gettext_lazy


class SignInForm(AuthenticationForm):
    """Name and password, for whoever keeps scores or runs the cup."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": gettext_lazy("Tunnus tai salasana on väärin."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The length that Django puts on the field is only a hint to the browser, and
        # the record of failed attempts has no room for more.
        most = self.username_field.max_length or 254
        self.fields["username"].validators.append(MaxLengthValidator(most))

    @property
    def helper(self) -> FormHelper:
        helper = FormHelper()
        helper.form_tag = False
        return helper
