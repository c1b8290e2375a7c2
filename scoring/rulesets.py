"""The rulesets by name, and the switches that a cup may set otherwise.

A ruleset is data: the engine asks its fields and never its key. The table of
differences stands at the end of the rules, the switches at their rules (R6.5,
R6.6, R7.3). The switches of R9 belong to the cup and are not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from scoring.documents import Reader, listed, shown
from scoring.problems import Code, Refused, join
from scoring.sides import Seat

PACK_SIZE = 36


class Comparison(StrEnum):
    """Which cards earn the point for the better catch (R4.2)."""

    MATTIS = "mattis"
    CARD_POINTS = "card_points"


class NoTricks(StrEnum):
    """A team without tricks in a laistokierros (R6.5)."""

    STAYS = "stays"
    PORVOO = "porvoo"


class BothOnTarget(StrEnum):
    """What follows when both teams reach the target at once (R6.6)."""

    LAISTOKIERROS = "laistokierros"
    DROP = "drop"


class CorrectedFoul(StrEnum):
    """What a wrong card swapped in time costs (R7.3)."""

    FREE = "free"
    COUNTS = "counts"
    FOUL = "foul"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Every rule that is not the same everywhere."""

    key: str
    target: int = 12
    """Points that win a set, exactly (R5.1)."""
    drop_to: int = 7
    """Where a team falls that goes over the target (R5.2)."""
    comparison: Comparison = Comparison.MATTIS
    whole_questions_after_trump: bool = True
    """Whether a partner may still be asked for a whole (R3.5)."""
    laistokierros_no_tricks: NoTricks = NoTricks.STAYS
    both_on_target: BothOnTarget = BothOnTarget.LAISTOKIERROS
    corrected_foul: CorrectedFoul = CorrectedFoul.FREE
    players_per_team: int = 2

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of a game, clockwise (R8.2)."""
        return tuple(Seat)[: 2 * self.players_per_team]

    @property
    def tricks(self) -> int:
        """Tricks of a deal, and cards of a player: 9, or 18 where two play (R1.1)."""
        return PACK_SIZE // len(self.seats)

    @property
    def face_up(self) -> int:
        """Cards of a player that lie face up on as many face down.

        Only where two play: 18 cards are more than a hand holds.
        """
        return 7 if self.players_per_team == 1 else 0


DEFAULT = "kemistikilta-2011"

_WIKIPEDIA_12 = Ruleset(
    "wikipedia-12",
    comparison=Comparison.CARD_POINTS,
    whole_questions_after_trump=False,
)

RULESETS: Mapping[str, Ruleset] = MappingProxyType(
    {
        rules.key: rules
        for rules in (
            Ruleset(DEFAULT),
            Ruleset("kotipeli", both_on_target=BothOnTarget.DROP),
            _WIKIPEDIA_12,
            replace(_WIKIPEDIA_12, key="wikipedia-10", target=10),
            Ruleset(
                "avomarjapussi", players_per_team=1, whole_questions_after_trump=False
            ),
        )
    }
)

SWITCHES: Mapping[str, type[StrEnum]] = MappingProxyType(
    {
        "laistokierros_no_tricks": NoTricks,
        "both_on_target": BothOnTarget,
        "corrected_foul": CorrectedFoul,
    }
)


def ruleset(key: str = DEFAULT, **switches: str) -> Ruleset:
    """Return a ruleset by name, some of its switches set otherwise.

    Raises:
        Refused: No such ruleset, switch or value of a switch; the paths are
            ``ruleset`` and ``switches/<name>``.
    """
    reader = Reader()
    rules = read_ruleset(reader, {"ruleset": key, "switches": switches})
    if rules is None or reader.problems:
        raise Refused(reader.problems)
    return rules


def read_ruleset(
    reader: Reader, document: Mapping[str, object], path: str = ""
) -> Ruleset | None:
    """Return what ``ruleset`` and ``switches`` of a document at path ask for.

    Both may lack. Problems go to the reader; None if the ruleset has no known
    name, while a switch that cannot be read stays as the ruleset has it.
    """
    named = _named(reader, document.get("ruleset", DEFAULT), join(path, "ruleset"))
    at = join(path, "switches")
    given = reader.members(document.get("switches", {}), at, optional=SWITCHES) or {}
    values = {
        name: reader.choice(value, join(at, name), SWITCHES[name])
        for name, value in given.items()
    }
    return named and _switched(named, values)


def _named(reader: Reader, value: object, path: str) -> Ruleset | None:
    key = reader.text(value, path)
    if key is None:
        return None
    if key not in RULESETS:
        reader.refuse(
            Code.OUT_OF_RANGE, path, value=shown(key), allowed=listed(RULESETS)
        )
    return RULESETS.get(key)


def _switched(rules: Ruleset, values: Mapping[str, StrEnum | None]) -> Ruleset:
    known = {name: value for name, value in values.items() if value is not None}
    return replace(rules, **known)  # type: ignore[arg-type]
