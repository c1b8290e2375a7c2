"""What was recorded of a deal: the hands, who led, every card and act in order.

Nothing here is judged; ``replay`` does that. The text form of a deal parses back::

    wikipedia-12 both_on_target=drop
    A1 C6 C7 CJ D9 H6 HQ H10 SQ SK
    B1 C8 DJ D10 DA H7 HK HA S10 SA
    A2 C9 CQ CA D6 D7 DQ HJ S6 S9
    B2 CK C10 D8 DK H8 H9 S7 S8 SJ
    A2 opens
    CA CK C7 C8
    D7 DK D9 DA declare:H
    HA HJ H8>H9 HQ whole:no

Switches stand beside the ruleset where they differ from it. The leader ``opens`` a
set or ``leads``. A deal of Avomarjapussi has ``/`` before the cards that lie face
up and again before those under them. How the events are broken into lines is free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scoring.cards import PACK, Card
from scoring.declarations import Act, parse_act
from scoring.hands import Hand
from scoring.problems import Code, Problem, join
from scoring.rulesets import RULESETS, SWITCHES, Ruleset, ruleset
from scoring.sides import Seat
from scoring.tricks import CLUB_ACE


@dataclass(frozen=True, slots=True)
class Play:
    """A card played by whoever's turn it is."""

    card: Card
    corrected: Card | None = None
    """The card that stays, where ``card`` was a wrong one swapped in time (R7.3)."""

    def __str__(self) -> str:
        return f"{self.card}>{self.corrected}" if self.corrected else str(self.card)


Event = Play | Act


def parse_event(text: str) -> Event:
    """Return the event written ``CA``, ``H9>HK`` (corrected) or as an act is.

    Raises:
        ValueError: It is anything else; case and spaces count.
    """
    if ":" in text:
        return parse_act(text)
    shown, *rest = map(Card.parse, text.split(">", 1))
    return Play(shown, *rest)


@dataclass(frozen=True, slots=True)
class Trick:
    """Cards played after one lead, clockwise from the leader."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None = None
    """None while cards lack."""

    def __str__(self) -> str:
        words = [f"{self.leader}:", *map(str, self.cards)]
        return " ".join([*words, "->", self.winner] if self.winner else words)

    @classmethod
    def parse(cls, text: str) -> Trick:
        """Return the trick written ``B1: CA C8 CJ C9 -> B1``.

        Raises:
            ValueError: It is anything else.
        """
        played, _, won = text.partition(" -> ")
        leader, colon, cards = played.partition(":")
        if not colon:
            raise ValueError(f"not a trick: {text!r}")
        return cls(
            Seat(leader),
            tuple(map(Card.parse, cards.split())),
            Seat(won) if won else None,
        )

    def to_json(self) -> dict[str, object]:
        """Return the trick as the command line answers it."""
        return {
            "leader": self.leader.value,
            "cards": [str(card) for card in self.cards],
            "winner": None if self.winner is None else self.winner.value,
        }


@dataclass(frozen=True, slots=True)
class Deal:
    """What was recorded of a deal; nothing in it has been judged."""

    hands: Mapping[Seat, Hand]
    """The cards dealt, by every seat of the ruleset."""
    leader: Seat
    events: tuple[Event, ...] = ()
    rules: Ruleset = field(default_factory=ruleset)
    set_opening: bool = False
    """Whether it is the first deal of a set (R2.5)."""

    def problems(self) -> list[Problem]:
        """Return why such hands cannot lie at a table, in the paths of ``deal``.

        Of the events nothing is said: ``replay`` finds the first impossible one.
        """
        return [*self._problems_of_hands(), *self._problems_of_opening()]

    def _problems_of_hands(self) -> Iterator[Problem]:
        rules = self.rules
        for seat in rules.seats:
            count = len(self.hands[seat])
            if count != rules.tricks:
                yield Problem(
                    Code.DEALT_SIZE,
                    join("hands", seat),
                    (("count", count), ("needed", rules.tricks)),
                )
        times = Counter(card for seat in rules.seats for card in self.hands[seat])
        for card in PACK:
            if times[card] > 1:
                yield Problem(Code.CARD_TWICE, "hands", (("card", str(card)),))

    def _problems_of_opening(self) -> Iterator[Problem]:
        # Face down the ace binds nobody: then the one who did not deal opens.
        for seat, hand in self.hands.items():
            if self.set_opening and CLUB_ACE in hand.cards and seat is not self.leader:
                figures = (("holder", seat), ("seat", self.leader))
                yield Problem(Code.OPENER_WITHOUT_CLUB_ACE, "leader", figures)

    def __str__(self) -> str:
        lines = [
            _write_rules(self.rules),
            *(f"{seat} {self.hands[seat]}" for seat in self.rules.seats),
            f"{self.leader} {'opens' if self.set_opening else 'leads'}",
        ]
        line: list[str] = []
        plays = 0
        for event in self.events:
            if isinstance(event, Play):
                if line and plays % len(self.rules.seats) == 0:
                    lines.append(" ".join(line))
                    line = []
                plays += 1
            line.append(str(event))
        return "\n".join([*lines, " ".join(line)]) if line else "\n".join(lines)

    @classmethod
    def parse(cls, text: str) -> Deal:
        """Return the deal that was written as text.

        Raises:
            ValueError: It is no such text; Refused, which is one, for its ruleset.
        """
        lines = text.split("\n")
        rules = _parse_rules(lines[0])
        count = len(rules.seats)
        hands = dict(map(_parse_hand, lines[1 : 1 + count]))
        if tuple(hands) != rules.seats:
            raise ValueError(f"not the seats of {rules.key}: {', '.join(hands)}")
        leader, manner = lines[1 + count].split(" ")
        if manner not in ("opens", "leads"):
            raise ValueError(f"neither opens nor leads: {manner!r}")
        return cls(
            hands,
            Seat(leader),
            tuple(map(parse_event, " ".join(lines[2 + count :]).split())),
            rules,
            manner == "opens",
        )


def _write_rules(rules: Ruleset) -> str:
    usual = RULESETS[rules.key]
    switches = [
        f"{name}={value}"
        for name in SWITCHES
        if (value := getattr(rules, name)) is not getattr(usual, name)
    ]
    return " ".join([rules.key, *switches])


def _parse_rules(text: str) -> Ruleset:
    key, *switches = text.split(" ")
    return ruleset(key, **dict(_parse_switch(switch) for switch in switches))


def _parse_switch(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


def _parse_hand(line: str) -> tuple[Seat, Hand]:
    seat, _, cards = line.partition(" ")
    return Seat(seat), Hand.parse(cards)
