"""The cup itself: what was decided of it before anybody played."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from komppa.cup.choices import (
    BothOnTargetChoice,
    ComparisonChoice,
    CorrectedFoulChoice,
    FoulLossSetsChoice,
    NoTricksChoice,
    Phase,
    Visibility,
    WithdrawnGamesChoice,
)
from komppa.cup.validators import validate_slug_free, validate_time_zone
from scoring.rulesets import (
    BothOnTarget,
    Comparison,
    CorrectedFoul,
    NoTricks,
    Ruleset,
)


class Cup(models.Model):
    """One year's event, with every switch of its rules resolved (R4-R9).

    A ruleset's key alone would let a new release change the results of an old cup.
    """

    name = models.CharField(_("nimi"), max_length=80)
    slug = models.SlugField(
        _("osoite"),
        max_length=60,
        unique=True,
        validators=[validate_slug_free],
        help_text=_("Tunnus sivujen osoitteessa, esimerkiksi komppa-cup-2026."),
    )
    date = models.DateField(_("päivä"))
    place = models.CharField(_("paikka"), max_length=120, blank=True)
    time_zone = models.CharField(
        _("aikavyöhyke"),
        max_length=60,
        default="Europe/Helsinki",
        validators=[validate_time_zone],
    )
    visibility = models.CharField(
        _("näkyvyys"),
        max_length=10,
        choices=Visibility,
        default=Visibility.PUBLIC,
    )
    is_demo = models.BooleanField(_("esittelyturnaus"), default=False, editable=False)
    phase = models.CharField(
        _("vaihe"), max_length=10, choices=Phase, default=Phase.SETUP, editable=False
    )

    ruleset = models.CharField(_("säännöt"), max_length=30)
    target = models.PositiveSmallIntegerField(_("erävoiton pisteet"))
    drop_to = models.PositiveSmallIntegerField(_("ylityksen jälkeen"))
    comparison = models.CharField(
        _("mattipisteen ratkaisu"), max_length=12, choices=ComparisonChoice
    )
    whole_questions_after_trump = models.BooleanField(
        _("kokonaista saa kysyä valtin teon jälkeen")
    )
    laistokierros_no_tricks = models.CharField(
        _("laistokierros ilman tikkejä"), max_length=10, choices=NoTricksChoice
    )
    both_on_target = models.CharField(
        _("molemmat tasan 12:ssa"), max_length=15, choices=BothOnTargetChoice
    )
    corrected_foul = models.CharField(
        _("heti korjattu pelivirhe"), max_length=10, choices=CorrectedFoulChoice
    )
    players_per_team = models.PositiveSmallIntegerField(_("pelaajia joukkueessa"))
    foul_loss_sets = models.CharField(
        _("kolmeen virheeseen hävitty peli"),
        max_length=10,
        choices=FoulLossSetsChoice,
        default=FoulLossSetsChoice.AS_PLAYED,
    )
    withdrawn_games = models.CharField(
        _("vetäytyneen joukkueen pelit"),
        max_length=10,
        choices=WithdrawnGamesChoice,
        default=WithdrawnGamesChoice.ANNUL,
    )

    sets_to_win = models.PositiveSmallIntegerField(
        _("erävoittoja pelin voittoon"),
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(9)],
    )
    final_sets_to_win = models.PositiveSmallIntegerField(
        _("erävoittoja finaalin voittoon"),
        default=3,
        validators=[MinValueValidator(1), MaxValueValidator(9)],
    )
    qualifiers_per_group = models.PositiveSmallIntegerField(
        _("jatkoon lohkosta"),
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(16)],
    )
    best_next = models.PositiveSmallIntegerField(
        _("jatkoon seuraavaksi sijoittuneista"),
        default=0,
        validators=[MaxValueValidator(25)],
        help_text=_(
            "Montako parasta pääsee jatkoon kaikkien lohkojen seuraavaksi "
            "sijoittuneista."
        ),
    )
    bronze_game = models.BooleanField(_("pronssipeli"), default=True)
    revision = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        ordering = ["-date", "-pk"]
        verbose_name = _("turnaus")
        verbose_name_plural = _("turnaukset")
        constraints = [
            models.CheckConstraint(
                condition=Q(sets_to_win__range=(1, 9), final_sets_to_win__range=(1, 9)),
                name="cup_sets_to_win_1_to_9",
            ),
            models.CheckConstraint(
                condition=Q(qualifiers_per_group__gte=1), name="cup_qualifiers_positive"
            ),
            models.CheckConstraint(
                condition=Q(drop_to__lt=F("target")), name="cup_drop_below_target"
            ),
            models.CheckConstraint(
                condition=Q(players_per_team__range=(1, 2)),
                name="cup_one_or_two_players",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> Ruleset:
        """The engine's ruleset, built from the resolved columns alone."""
        return Ruleset(
            key=self.ruleset,
            target=self.target,
            drop_to=self.drop_to,
            comparison=Comparison(self.comparison),
            whole_questions_after_trump=self.whole_questions_after_trump,
            laistokierros_no_tricks=NoTricks(self.laistokierros_no_tricks),
            both_on_target=BothOnTarget(self.both_on_target),
            corrected_foul=CorrectedFoul(self.corrected_foul),
            players_per_team=self.players_per_team,
        )
