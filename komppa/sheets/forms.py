"""The sheet as a form: what was tapped becomes a DealSheet, and what cannot be true
is told at its own field. The engine decides; here is only which field is which fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Field, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from komppa import words
from komppa.cup.models import Game, Player
from komppa.sheets.doubts import Doubt, doubt_sentence, doubts_of
from komppa.sheets.layouts import FoulRows, SuitBoard, Together
from komppa.sheets.queries import Course, names_of, seat_names
from scoring.problems import Problem
from scoring.rulesets import Comparison, CorrectedFoul
from scoring.sheet import DealSheet, Foul, Suits
from scoring.sides import Pair, Seat, Side
from scoring.suits import Suit
from scoring.validity import PACK

FOUL_ROWS = 6
# The column's own limit; a longer number is no deal's.
MAX_NUMBER = 32_767
HIDDEN = ("number", "key", "seating", "teams")

_FIELD_OF_FACT = {
    "club_ace": "club_ace",
    "trump": "trump",
    "small_trumps": "trump",
    "suits": "trump",
    "last_trick": "last_trick",
    "mattis": "mattis",
    "aces": "aces",
    "no_tricks": "no_tricks",
    "abandoned": "abandoned",
}
_SUIT_FIELDS = {suit: f"suit_{suit}" for suit in Suit}
_COMPARED = {
    Comparison.MATTIS: ("mattis", "pips_a", "pips_b", "aces"),
    Comparison.CARD_POINTS: ("card_points_a", "card_points_b"),
}


def _picks(**kwargs: Any) -> forms.ChoiceField:
    return forms.ChoiceField(required=False, widget=forms.RadioSelect, **kwargs)


def _amounts(most: int, **kwargs: Any) -> forms.TypedChoiceField:
    """Return a choice of A's share, shown with what is left to B."""
    return forms.TypedChoiceField(
        required=False,
        coerce=int,
        empty_value=None,
        choices=[(str(a), f"{a}–{most - a}") for a in range(most + 1)],
        widget=forms.RadioSelect,
        **kwargs,
    )


def _count(most: int) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"inputmode": "numeric", "class": "form-control"})
    return forms.IntegerField(
        required=False, min_value=0, max_value=most, widget=widget
    )


class DealSheetForm(forms.Form):
    """One deal of a game, as it stands at the table.

    ``sheet`` is there as soon as the form has been cleaned, also when it is not valid:
    what could be read, and ``unreadable`` says what could not.
    """

    number = forms.IntegerField(
        min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput
    )
    key = forms.UUIDField(widget=forms.HiddenInput)
    seating = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)
    teams = forms.RegexField(
        r"^\d{1,18}\.\d{1,18}$", required=False, widget=forms.HiddenInput
    )
    club_ace = _picks(label=gettext_lazy("Kenellä oli ristiässä?"))
    trump = _picks(label=gettext_lazy("Mikä maa oli valtti?"))
    last_trick = _picks(label=gettext_lazy("Viimeinen tikki"))
    mattis = _amounts(PACK["mattis"], label=gettext_lazy("Matit"))
    pips_a = _count(PACK["pips"])
    pips_b = _count(PACK["pips"])
    aces = _amounts(PACK["aces"], label=gettext_lazy("Ässät"))
    card_points_a = _count(PACK["card_points"])
    card_points_b = _count(PACK["card_points"])
    no_tricks = _picks(label=gettext_lazy("Ei yhtään tikkiä"))
    abandoned = forms.BooleanField(
        required=False,
        label=gettext_lazy("Jako keskeytyi kolmanteen pelivirheeseen"),
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        game: Game,
        course: Course,
        seated: Mapping[Seat, Player] | None = None,
    ) -> None:
        self.seated = seated or {}
        self.seats = seat_names(self.seated)
        super().__init__(data, initial=_fresh(game, course, self.seated))
        self.game = game
        self.course = course
        self.rules = game.cup.rules
        self.names = names_of(game)
        self.sheet = DealSheet()
        self.unreadable: list[str] = []
        self._foul_rows: dict[str, Foul] = {}
        self.position = len(course.deals) + 1
        self._offer()

    @property
    def corrected_foul_words(self) -> str:
        return {
            CorrectedFoul.FREE: _(
                "Heti korjatusta virheestä ei mennä Porvooseen, eikä sitä lasketa."
            ),
            CorrectedFoul.COUNTS: _(
                "Heti korjatusta virheestä ei mennä Porvooseen, mutta se lasketaan "
                "kolmeen."
            ),
            CorrectedFoul.FOUL: _("Heti korjattu virhe on kuin muutkin virheet."),
        }[self.rules.corrected_foul]

    @property
    def is_stale(self) -> bool:
        """Whether the writer believed another deal to be next."""
        number = getattr(self, "cleaned_data", {}).get("number")
        return number is not None and number != self.course.next_number

    @property
    def is_seated_anew(self) -> bool:
        """Whether the ace's holder was named by seats that have been swapped since."""
        seen = self.data.get("seating")
        now = _stamp(self.seated)
        return bool(self.data.get("club_ace") and seen and seen != now)

    @property
    def seen_teams(self) -> Pair[int] | None:
        """Return who played when the form was made; None if it does not tell."""
        told = self.cleaned_data.get("teams")
        return Pair(*map(int, told.split("."))) if told else None

    @property
    def is_unsound(self) -> bool:
        """Whether the fields that nobody sees have been broken or lost."""
        return not self.errors.keys().isdisjoint(HIDDEN)

    @property
    def open_doubts(self) -> list[Doubt]:
        """Return what must be asked once more; answered questions stay answered."""
        answered = str(self.data.get("confirmed", "")).split(",")
        found = doubts_of(self.sheet, self.course, timezone.now())
        return [] if set(found) <= set(answered) else found

    @property
    def doubt_sentences(self) -> list[str]:
        return [doubt_sentence(d, self.sheet, self.names) for d in self.open_doubts]

    def again(self, course: Course) -> DealSheetForm:
        """Return what was typed as the game's next deal, a new one to save."""
        data = {name: self.data.get(name, "") for name in self.fields}
        data |= _fresh(self.game, course, self.seated)
        if self.is_seated_anew:
            data["club_ace"] = ""
        form = DealSheetForm(data, game=self.game, course=course, seated=self.seated)
        form.full_clean()
        if self.is_seated_anew:
            form.add_error("club_ace", _seated_anew())
        return form

    def clean(self) -> dict[str, Any]:
        self.unreadable = [
            str(error)
            for name, errors in self.errors.items()
            if name not in HIDDEN
            for error in errors
        ]
        # Once, since a field that is given an error loses its value.
        self._foul_rows = self._fouls()
        self.sheet = self._read_sheet()
        # Against another deal's score the facts would be judged wrongly; whoever
        # records finds the conflict.
        if not self.is_stale:
            self.add_problems(self.found_problems())
        if self.is_seated_anew:
            self.add_error("club_ace", _seated_anew())
        return self.cleaned_data

    def found_problems(self) -> list[Problem]:
        """Return why the facts cannot be true in the game as it stands."""
        return self.sheet.problems(
            self.rules,
            fouls_before=self.course.state.fouls,
            opens_set=self.course.state.opens_set,
        )

    def add_problems(self, problems: Iterable[Problem]) -> None:
        """Show each problem at its field, unless the field could not even be read."""
        unread = set(self.errors)
        if not unread.isdisjoint(_SUIT_FIELDS.values()):
            unread.add("trump")
        for problem in problems:
            field = self._field_of(problem.path)
            if field not in unread:
                sentence = words.problem_sentence(problem, self.names)
                self.add_error(field, ValidationError(sentence, code=problem.rule))

    def _offer(self) -> None:
        """Fill in the choices, and drop what these rules do not ask."""
        teams = [(side.value, self.names[side]) for side in Side]
        neither = ("", _("ei kumpikaan"))
        suits = [(suit.value, words.SUIT_LABELS[suit]) for suit in Suit]
        self._choose("last_trick", teams)
        self._choose("no_tricks", [neither, *teams])
        self._choose("trump", [("", _("ei valttia")), *suits])
        holders = [(s.value, self.seats.get(s, s.value)) for s in self.rules.seats]
        self._choose("club_ace", [*holders, ("", _("ohita"))])
        if self.rules.face_up:
            # An ace that lies face down binds nobody: who did not deal opens.
            self.fields["club_ace"].label = _("Kuka aloitti erän?")
        for name in _SUIT_FIELDS.values():
            self.fields[name] = _picks(choices=[neither, *teams])
        for row in range(1, FOUL_ROWS + 1):
            no_foul = ("", pgettext("pelivirhe", "ei"))
            self.fields[f"foul_{row}"] = _picks(choices=[no_foul, *teams])
            self.fields[f"foul_{row}_corrected"] = forms.BooleanField(required=False)
        for comparison, names in _COMPARED.items():
            if comparison is not self.rules.comparison:
                for name in names:
                    del self.fields[name]

    def _choose(self, name: str, choices: list[tuple[str, Any]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def _read_sheet(self) -> DealSheet:
        seat = self.cleaned_data.get("club_ace")
        club_ace = Seat(seat) if seat else None
        fouls = tuple(self._foul_rows.values())
        if self.cleaned_data.get("abandoned"):
            return DealSheet(fouls=fouls, abandoned=True, club_ace=club_ace)
        trump, small_trumps, suits = _read_suits(self._owners(), self._suit_of_trump())
        no_tricks = self._side("no_tricks")
        catch = self._catch(no_tricks)
        return DealSheet(
            last_trick=self._side("last_trick") or (no_tricks and no_tricks.other),
            **catch,
            trump=trump,
            small_trumps=small_trumps,
            suits=suits,
            no_tricks=no_tricks,
            fouls=fouls,
            club_ace=club_ace,
        )

    def _catch(self, no_tricks: Side | None) -> dict[str, Any]:
        """Return the figures compared, and of these only what is asked."""
        if self.rules.comparison is Comparison.CARD_POINTS:
            points = self._pair("card_points") or _all_but(no_tricks, "card_points")
            return {"card_points": points}
        mattis = self._share("mattis") or _all_but(no_tricks, "mattis")
        even = mattis is None or mattis.a == mattis.b
        pips = self._pair("pips") if even else None
        level = even and pips is not None and pips.a == pips.b
        return {
            "mattis": mattis,
            "pips": pips,
            "aces": self._share("aces") if level else None,
        }

    def _side(self, name: str) -> Side | None:
        value = self.cleaned_data.get(name)
        return Side(value) if value else None

    def _share(self, name: str) -> Pair[int] | None:
        a = self.cleaned_data.get(name)
        return None if a is None else Pair(a, PACK[name] - a)

    def _pair(self, name: str) -> Pair[int] | None:
        """Return both teams' figures; of the one left blank, what remains."""
        a: Any = self.cleaned_data.get(f"{name}_a")
        b: Any = self.cleaned_data.get(f"{name}_b")
        if a is None and b is None:
            return None
        return Pair(
            PACK[name] - b if a is None else a, PACK[name] - a if b is None else b
        )

    def _owners(self) -> dict[Suit, Side]:
        owners = {suit: self._side(name) for suit, name in _SUIT_FIELDS.items()}
        return {suit: side for suit, side in owners.items() if side}

    def _suit_of_trump(self) -> Suit | None:
        value = self.cleaned_data.get("trump")
        return Suit(value) if value else None

    def _fouls(self) -> dict[str, Foul]:
        """Return the fouls by the name of their field, empty rows skipped."""
        rows = [f"foul_{row}" for row in range(1, FOUL_ROWS + 1)]
        return {
            name: Foul(side, bool(self.cleaned_data.get(f"{name}_corrected")))
            for name in rows
            if (side := self._side(name))
        }

    def _field_of(self, path: str) -> str | None:
        """Return the field that shows a problem at this path of a sheet."""
        fact, _slash, rest = path.partition("/")
        if fact == "fouls":
            rows = list(self._foul_rows)
            index = rest.partition("/")[0]
            return rows[int(index)] if index else rows[0]
        if fact in ("pips", "card_points"):
            fact = f"{fact}_{'b' if rest == 'B' else 'a'}"
        field = _FIELD_OF_FACT.get(fact, fact)
        return field if field in self.fields else None

    @property
    def helper(self) -> FormHelper:
        address = [self.game.cup.slug, self.game.number]
        state = self.course.state
        helper = FormHelper()
        helper.form_id = "deal-form"
        helper.form_class = "deal-form"
        helper.form_action = reverse("sheets:sheet", args=address)
        helper.form_show_errors = False
        helper.attrs = {
            "novalidate": True,
            "autocomplete": "off",
            "data-deal-form": True,
            "data-position": self.position,
            "data-fouls-a": state.fouls.a,
            "data-fouls-b": state.fouls.b,
            "data-corrected-counts": "true" if self.corrected_counts else "false",
            "data-typed": "true" if self.is_bound else "false",
            "hx-post": reverse("sheets:preview", args=address),
            "hx-trigger": "komppa:typed delay:200ms",
            "hx-target": "#answer",
            "hx-sync": "this:queue last",
        }
        helper.layout = Layout(
            "number",
            "key",
            "seating",
            "teams",
            HTML("{% include 'sheets/_problems.html' %}"),
            *self._asked(),
            HTML("{% include 'sheets/_save.html' %}"),
        )
        return helper

    @property
    def corrected_counts(self) -> bool:
        return Foul(Side.A, corrected=True).counts(self.rules)

    def _asked(self) -> list[Any]:
        """Return the fields in the order in which a table answers them."""
        compared = (
            [
                Field("mattis", template="sheets/fields/amounts.html"),
                Together("pips_a", "pips_b", template="sheets/fields/pips.html"),
                Field("aces", template="sheets/fields/aces.html"),
            ]
            if "mattis" in self.fields
            else [
                Together(
                    "card_points_a",
                    "card_points_b",
                    template="sheets/fields/card_points.html",
                )
            ]
        )
        opening = [Field("club_ace", template="sheets/fields/club_ace.html")]
        return [
            *(
                opening
                if self.course.state.opens_set or self["club_ace"].errors
                else []
            ),
            SuitBoard(),
            Field("last_trick", template="sheets/fields/last_trick.html"),
            *compared,
            Field("no_tricks", template="sheets/fields/no_tricks.html"),
            FoulRows(FOUL_ROWS),
        ]


class TakeBackForm(forms.Form):
    """Which deal, as the writer saw it, is to be taken back."""

    number = forms.IntegerField(
        min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput
    )
    version = forms.IntegerField(
        min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput
    )
    key = forms.UUIDField(widget=forms.HiddenInput)


class SeatsForm(forms.Form):
    """Who of each team sits on its first seat; its other player takes the second.

    It names who is to sit there and does not say ”swap”, so that a second tap
    changes nothing.
    """

    def __init__(
        self, data: Mapping[str, Any], *, seated: Mapping[Seat, Player]
    ) -> None:
        super().__init__(data)
        self.seated = seated
        for side in Side:
            players = [p for seat, p in seated.items() if seat.side is side]
            self.fields[f"first_{side.lower()}"] = forms.TypedChoiceField(
                required=False,
                coerce=int,
                empty_value=None,
                choices=[(str(player.pk), player.name) for player in players],
            )

    @property
    def seats(self) -> dict[str, Player]:
        """Return everybody's seat after this, by the seat's name."""
        seats = dict(self.seated)
        for first in (Seat.A1, Seat.B1):
            chosen = self.cleaned_data.get(f"first_{first.side.lower()}")
            for seat, player in self.seated.items():
                if player.pk == chosen:
                    seats[seat], seats[first] = self.seated[first], player
        return {seat.value: player for seat, player in seats.items()}


def _fresh(game: Game, course: Course, seated: Mapping[Seat, Player]) -> dict[str, Any]:
    """Return the hidden values of a form for the game as it stands."""
    known = game.team_a_id is not None and game.team_b_id is not None
    return {
        "number": course.next_number,
        "key": uuid4(),
        "seating": _stamp(seated),
        "teams": f"{game.team_a_id}.{game.team_b_id}" if known else "",
    }


def _stamp(seated: Mapping[Seat, Player]) -> str:
    return ".".join(str(player.pk) for player in seated.values())


def _seated_anew() -> str:
    return _(
        "Paikkoja on sillä välin vaihdettu. Valitse uudelleen, kenellä oli ristiässä."
    )


def _read_suits(
    owners: Mapping[Suit, Side], trump: Suit | None
) -> tuple[Side | None, Pair[int], Suits | None]:
    """Return who made the trump, how many small trumps each, and all the suits."""
    if trump is None and len(owners) == 1:
        # The first success is the trump (R3.3), so a single one is it.
        (trump,) = owners
    small = Pair(
        *(
            tuple(s for s, owner in owners.items() if owner is side and s is not trump)
            for side in Side
        )
    )
    suits = Suits(trump, small) if trump or owners else None
    maker = owners.get(trump) if trump else None
    return maker, Pair(len(small.a), len(small.b)), suits


def _all_but(side: Side | None, fact: str) -> Pair[int] | None:
    """Return what follows from a team without tricks: the other has everything."""
    return Pair(0, 0).replace(side.other, PACK[fact]) if side else None
