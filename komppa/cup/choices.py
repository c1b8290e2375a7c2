"""The values that a column of a cup may have, and their words."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Visibility(models.TextChoices):
    DRAFT = "draft", _("Luonnos: näkyy vain järjestäjille")
    PUBLIC = "public", _("Julkinen")
    ARCHIVED = "archived", _("Arkistoitu: näkyy, mutta ei etusivun kärjessä")


class Phase(models.TextChoices):
    SETUP = "setup", _("Valmistelu")
    GROUPS = "groups", _("Lohkopelit")
    BRACKET = "bracket", _("Jatkopelit")
    FINISHED = "finished", _("Päättynyt")


class NoTricksChoice(models.TextChoices):
    STAYS = "stays", _("pysyy 12:ssa (laistokierroksen sääntö on vahvempi)")
    PORVOO = "porvoo", _("menee Porvooseen (0)")


class BothOnTargetChoice(models.TextChoices):
    LAISTOKIERROS = "laistokierros", _("pelataan laistokierros")
    DROP = "drop", _("molemmat putoavat seitsemään")


class CorrectedFoulChoice(models.TextChoices):
    FREE = "free", _("vain kirjataan: ei Porvoota eikä lasketa kolmeen")
    COUNTS = "counts", _("ei Porvoota, mutta lasketaan kolmeen")
    FOUL = "foul", _("kuten muutkin virheet: Porvoo, ja lasketaan kolmeen")


class FoulLossSetsChoice(models.TextChoices):
    AS_PLAYED = "as_played", _("erät jäävät niin kuin ne olivat")
    FULL = "full", _("voittaja saa puuttuvat eränsä")


class WithdrawnGamesChoice(models.TextChoices):
    ANNUL = "annul", _("kaikki sen lohkopelit mitätöidään")
    WALKOVER = "walkover", _("pelatut jäävät voimaan, loput ovat luovutuksia")


class ComparisonChoice(models.TextChoices):
    MATTIS = "mattis", _("matit, sitten silmät, sitten ässät")
    CARD_POINTS = "card_points", _("korttipisteet (120 pakassa)")


class DrawStatus(models.TextChoices):
    DRAFT = "draft", _("luonnos")
    CONFIRMED = "confirmed", _("vahvistettu")
    DISCARDED = "discarded", _("hylätty")
    CANCELLED = "cancelled", _("peruttu")
    REPLACED = "replaced", _("korvattu uudella")


class Outcome(models.TextChoices):
    """What ended a game other than play (R9.9, R9.11)."""

    PLAYED = "", _("pelattu")
    WALKOVER_A = "walkover_a", _("luovutus, A voittaa")
    WALKOVER_B = "walkover_b", _("luovutus, B voittaa")
    BOTH_ABSENT = "both_absent", _("kumpikin poissa")
    ANNULLED = "annulled", _("mitätöity")
