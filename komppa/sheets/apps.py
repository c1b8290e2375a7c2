from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SheetsConfig(AppConfig):
    name = "komppa.sheets"
    verbose_name = _("Jakopöytäkirjat")

    def ready(self) -> None:
        # Models are not there yet when this module is read.
        from komppa.parts import register
        from komppa.sheets.contexts import sheet_part

        register("sheet", "sheets/_head.html", sheet_part)
