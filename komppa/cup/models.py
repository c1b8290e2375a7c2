"""Who meets whom: the facts of a cup. Nothing here changes except through services.

A *side* is A or B, one of a game's two teams. Derived, and never edited: a game's
figures are written by ``sheets.services.refold``; its ``is_finished`` and the teams
of a bracket game that nobody has begun, by ``cup.settling``.
"""

from __future__ import annotations

import unicodedata

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from komppa.cup.choices import DrawStatus, Outcome
from komppa.cup.models_cup import Cup as Cup
from scoring.sides import Pair, Seat, Side


def name_key(name: str) -> str:
    """Return what two spellings of one name have in common.

    Folded in Python, since SQLite's lower() leaves Ä as it is.
    """
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


class Team(models.Model):
    cup = models.ForeignKey(Cup, models.PROTECT, related_name="teams")
    name = models.CharField(_("nimi"), max_length=80)
    name_key = models.CharField(max_length=240, editable=False)
    pot = models.PositiveSmallIntegerField(
        _("kori"),
        null=True,
        blank=True,
        help_text=_("Saman korin joukkueet arvotaan eri lohkoihin, jos mahdollista."),
    )
    withdrawn = models.BooleanField(_("vetäytynyt"), default=False)

    class Meta:
        ordering = ["name_key", "pk"]
        verbose_name = _("joukkue")
        verbose_name_plural = _("joukkueet")
        constraints = [
            models.UniqueConstraint(
                fields=["cup", "name_key"], name="team_name_unique_in_cup"
            ),
            models.CheckConstraint(condition=~Q(name_key=""), name="team_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class CurrentPlayers(models.Manager["Player"]):
    """Those who play now: ``team.players`` as well, since this is the default."""

    def get_queryset(self) -> models.QuerySet[Player]:
        return super().get_queryset().filter(left_at__isnull=True)


class Player(models.Model):
    """The only place where a person's name is kept.

    Whoever is replaced keeps the row, for the games already played.
    """

    team = models.ForeignKey(Team, models.PROTECT, related_name="players")
    position = models.PositiveSmallIntegerField(_("paikka joukkueessa"))
    name = models.CharField(_("nimi"), max_length=80)
    left_at = models.DateTimeField(_("lopetti"), null=True, blank=True, editable=False)

    objects = CurrentPlayers()
    everyone = models.Manager["Player"]()

    class Meta:
        ordering = ["team", "position"]
        verbose_name = _("pelaaja")
        verbose_name_plural = _("pelaajat")
        constraints = [
            models.UniqueConstraint(
                fields=["team", "position"],
                condition=Q(left_at__isnull=True),
                name="player_position_unique_in_team",
            ),
            models.CheckConstraint(
                condition=Q(position__gte=1), name="player_position_from_one"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Draw(models.Model):
    """An arvonta: its exact input, seed and result, so that anyone can redo it."""

    cup = models.ForeignKey(Cup, models.PROTECT, related_name="draws")
    input = models.JSONField()
    algorithm = models.CharField(max_length=40)
    seed = models.CharField(_("siemenluku"), max_length=64)
    result = models.JSONField()
    status = models.CharField(
        _("tila"), max_length=10, choices=DrawStatus, default=DrawStatus.DRAFT
    )
    drawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    drawn_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("arvonta")
        verbose_name_plural = _("arvonnat")
        constraints = [
            models.UniqueConstraint(
                fields=["cup"],
                condition=Q(status=DrawStatus.DRAFT),
                name="draw_one_draft_in_cup",
            ),
            models.UniqueConstraint(
                fields=["cup"],
                condition=Q(status=DrawStatus.CONFIRMED),
                name="draw_one_confirmed_in_cup",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.cup} #{self.pk}"


class Group(models.Model):
    cup = models.ForeignKey(Cup, models.PROTECT, related_name="groups")
    name = models.CharField(_("nimi"), max_length=10)

    class Meta:
        ordering = ["cup", "name"]
        verbose_name = _("lohko")
        verbose_name_plural = _("lohkot")
        constraints = [
            models.UniqueConstraint(
                fields=["cup", "name"], name="group_name_unique_in_cup"
            )
        ]

    def __str__(self) -> str:
        return self.name


class GroupMembership(models.Model):
    group = models.ForeignKey(Group, models.PROTECT, related_name="memberships")
    team = models.OneToOneField(Team, models.PROTECT, related_name="membership")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["group", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["group", "position"], name="membership_position_unique"
            )
        ]

    def __str__(self) -> str:
        return f"{self.group}{self.position}"


class PlayingTable(models.Model):
    """A table one plays at; django-tables2's classes live in ``tables.py``."""

    cup = models.ForeignKey(Cup, models.PROTECT, related_name="playing_tables")
    number = models.PositiveSmallIntegerField(_("numero"))

    class Meta:
        ordering = ["cup", "number"]
        verbose_name = _("pöytä")
        verbose_name_plural = _("pöydät")
        constraints = [
            models.UniqueConstraint(
                fields=["cup", "number"], name="playing_table_number_unique_in_cup"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1), name="playing_table_number_from_one"
            ),
        ]

    def __str__(self) -> str:
        return str(self.number)


def _cached_number() -> models.PositiveSmallIntegerField[int, int]:
    return models.PositiveSmallIntegerField(default=0, editable=False)


def _source_constraint(side: str) -> models.CheckConstraint:
    """Each side comes from exactly one place."""
    names = ["source_team", "source_group", "source_best", "winner_of", "loser_of"]
    columns = [f"{name}_{side}" for name in names]
    one_of = Q(pk__in=[])
    for chosen in columns:
        one_of |= Q(**{f"{name}__isnull": name != chosen for name in columns})
    rank = f"source_rank_{side}"
    rank_with_group = Q(
        **{f"source_group_{side}__isnull": True, f"{rank}__isnull": True}
    ) | Q(
        **{
            f"source_group_{side}__isnull": False,
            # A check passes on NULL, and NULL >= 1 is one.
            f"{rank}__isnull": False,
            f"{rank}__gte": 1,
        }
    )
    return models.CheckConstraint(
        condition=one_of & rank_with_group, name=f"game_one_source_{side}"
    )


class Game(models.Model):
    """Two teams against each other, best of sets; ``number`` is what is called out.

    Each side has the team, null until known, and one source that says where it
    comes from: a team, a group's rank, the n-th best of those next in line over all
    groups, or another game. The first deal or outcome makes the team a fact; until
    then ``settling`` writes what the sources say.
    """

    cup = models.ForeignKey(Cup, models.PROTECT, related_name="games")
    number = models.PositiveIntegerField(_("numero"))
    group = models.ForeignKey(
        Group, models.PROTECT, null=True, blank=True, related_name="games"
    )
    schedule_round = models.PositiveSmallIntegerField(_("kierros"), default=1)
    sets_to_win = models.PositiveSmallIntegerField(_("erävoittoja"))
    playing_table = models.ForeignKey(
        PlayingTable, models.PROTECT, null=True, blank=True, related_name="games"
    )
    order = models.PositiveIntegerField(_("järjestys"))
    outcome = models.CharField(
        max_length=12, choices=Outcome, default=Outcome.PLAYED, blank=True
    )
    bracket_round = models.PositiveSmallIntegerField(null=True, blank=True)
    bracket_position = models.PositiveSmallIntegerField(null=True, blank=True)
    replays = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="replay"
    )

    team_a = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, related_name="games_as_a"
    )
    source_team_a = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, related_name="+"
    )
    source_group_a = models.ForeignKey(
        Group, models.PROTECT, null=True, blank=True, related_name="+"
    )
    source_rank_a = models.PositiveSmallIntegerField(null=True, blank=True)
    source_best_a = models.PositiveSmallIntegerField(null=True, blank=True)
    winner_of_a = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="+"
    )
    loser_of_a = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="+"
    )
    team_b = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, related_name="games_as_b"
    )
    source_team_b = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, related_name="+"
    )
    source_group_b = models.ForeignKey(
        Group, models.PROTECT, null=True, blank=True, related_name="+"
    )
    source_rank_b = models.PositiveSmallIntegerField(null=True, blank=True)
    source_best_b = models.PositiveSmallIntegerField(null=True, blank=True)
    winner_of_b = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="+"
    )
    loser_of_b = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="+"
    )

    sets_a = _cached_number()
    sets_b = _cached_number()
    points_a = _cached_number()
    points_b = _cached_number()
    fouls_a = _cached_number()
    fouls_b = _cached_number()
    deal_count = _cached_number()
    laistokierros = models.BooleanField(default=False, editable=False)
    winner = models.CharField(max_length=1, blank=True, default="", editable=False)
    ended_by = models.CharField(max_length=5, blank=True, default="", editable=False)
    is_finished = models.BooleanField(_("päättynyt"), default=False, editable=False)

    class Meta:
        ordering = ["cup", "number"]
        verbose_name = _("peli")
        verbose_name_plural = _("pelit")
        constraints = [
            models.UniqueConstraint(
                fields=["cup", "number"], name="game_number_unique_in_cup"
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1), name="game_number_from_one"
            ),
            models.CheckConstraint(
                condition=Q(sets_to_win__range=(1, 9)), name="game_sets_to_win_1_to_9"
            ),
            models.CheckConstraint(
                condition=Q(team_a__isnull=True)
                | Q(team_b__isnull=True)
                | ~Q(team_a=F("team_b")),
                name="game_two_different_teams",
            ),
            models.CheckConstraint(
                condition=Q(winner__in=["", "A", "B"]), name="game_winner_is_a_side"
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=Outcome.values), name="game_outcome_known"
            ),
            models.CheckConstraint(
                condition=Q(
                    group__isnull=False,
                    bracket_round__isnull=True,
                    bracket_position__isnull=True,
                )
                | Q(
                    group__isnull=True,
                    bracket_round__isnull=False,
                    bracket_position__isnull=False,
                    bracket_round__gte=1,
                ),
                name="game_in_a_group_or_the_bracket",
            ),
            _source_constraint("a"),
            _source_constraint("b"),
        ]

    def __str__(self) -> str:
        return f"P{self.number}"

    @property
    def teams(self) -> Pair[Team | None]:
        return Pair(self.team_a, self.team_b)

    @property
    def sets(self) -> Pair[int]:
        return Pair(self.sets_a, self.sets_b)

    @property
    def points(self) -> Pair[int]:
        """The score of the running set."""
        return Pair(self.points_a, self.points_b)

    @property
    def fouls(self) -> Pair[int]:
        return Pair(self.fouls_a, self.fouls_b)

    @property
    def winning_side(self) -> Side | None:
        return Side(self.winner) if self.winner else None

    @property
    def winning_team(self) -> Team | None:
        side = self.winning_side
        return self.teams[side] if side else None

    @property
    def is_in_play(self) -> bool:
        return self.deal_count > 0 and not self.is_finished


class GameSeat(models.Model):
    """Who sat where in a game, written by its first deal."""

    game = models.ForeignKey(Game, models.PROTECT, related_name="seats")
    seat = models.CharField(max_length=2, choices=[(s.value, s.value) for s in Seat])
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")

    class Meta:
        ordering = ["game", "seat"]
        constraints = [
            models.UniqueConstraint(fields=["game", "seat"], name="seat_taken_once"),
            models.UniqueConstraint(
                fields=["game", "player"], name="seat_player_sits_once"
            ),
        ]

    def __str__(self) -> str:
        return self.seat


class Lot(models.Model):
    """An arpa: settles exactly the set of teams it was drawn for (R9.5)."""

    cup = models.ForeignKey(Cup, models.PROTECT, related_name="lots")
    group = models.ForeignKey(
        Group,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="lots",
        help_text=_("Tyhjä, kun arpa ratkaisi eri lohkojen joukkueiden välillä."),
    )
    order = models.JSONField()
    seed = models.CharField(
        _("siemenluku"),
        max_length=64,
        blank=True,
        help_text=_("Tyhjä, kun arpa vedettiin paperilla."),
    )
    taken_back_at = models.DateTimeField(_("peruttu"), null=True, blank=True)
    drawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    drawn_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("arpa")
        verbose_name_plural = _("arvat")

    def __str__(self) -> str:
        return f"{self.group or self.cup} {self.drawn_at:%H:%M}"


class OrganiserLog(models.Model):
    """Every act of an organiser: who, when, what, old, new and why."""

    cup = models.ForeignKey(
        Cup, models.PROTECT, null=True, blank=True, related_name="log"
    )
    at = models.DateTimeField(_("milloin"), auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        related_name="+",
        verbose_name=_("kuka"),
    )
    act = models.CharField(_("teko"), max_length=40)
    target = models.CharField(_("kohde"), max_length=200)
    old = models.JSONField(_("vanha"), null=True)
    new = models.JSONField(_("uusi"), null=True)
    reason = models.CharField(_("syy"), max_length=300, blank=True)
    game = models.ForeignKey(
        Game, models.SET_NULL, null=True, blank=True, related_name="log"
    )

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("lokirivi")
        verbose_name_plural = _("loki")

    def __str__(self) -> str:
        return f"{self.act} {self.target}"
