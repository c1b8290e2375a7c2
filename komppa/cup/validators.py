"""What a cup's own words may be."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

# The first part of every address that is not a cup's; a test compares this with
# the URL configuration.
RESERVED_SLUGS = frozenset(
    {"admin", "events", "healthz", "language", "login", "logout", "sheet", "static"}
)


def validate_slug_free(slug: str) -> None:
    if slug.lower() in RESERVED_SLUGS:
        raise ValidationError(
            _("Osoite ”%(slug)s” on varattu sivuston omaan käyttöön."),
            code="reserved",
            params={"slug": slug},
        )


def validate_time_zone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValidationError(_("Tuntematon aikavyöhyke."), code="time_zone") from None
