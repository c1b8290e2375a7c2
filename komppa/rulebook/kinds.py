"""What a book of rules is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.rulesets import Ruleset


@dataclass(frozen=True, slots=True)
class Agreed:
    """What a cup has decided besides how a deal is played and counted."""

    sets_to_win: int = 2
    final_sets_to_win: int = 3
    full_sets_after_fouls: bool = False
    """Whether a game lost by fouls gives its winner the sets it lacked (R9.8)."""
    walkovers_after_withdrawal: bool = False
    """Whether the games of a team that leaves become walkovers (R9.10)."""
    qualifiers_per_group: int = 2
    best_next: int = 0
    bronze_game: bool = True


@dataclass(frozen=True, slots=True)
class Terms:
    """All that the rules of one cup hang on."""

    rules: Ruleset
    agreed: Agreed

    @property
    def is_for_two(self) -> bool:
        """Whether each plays alone, with cards open on the table."""
        return self.rules.players_per_team == 1

    @property
    def figures(self) -> dict[str, int]:
        return {"target": self.rules.target, "drop_to": self.rules.drop_to}


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule, as it is in a cup."""

    number: str
    texts: tuple[str, ...]
    """Paragraphs."""
    ways: tuple[str, ...] = ()
    """What the last paragraph counts up, lettered from a."""
    chosen: str = ""
    """What the cup has chosen, where it may choose."""
    is_in_force: bool = True


@dataclass(frozen=True, slots=True)
class Chapter:
    number: str
    title: str
    rules: tuple[Rule, ...]
    texts: tuple[str, ...] = ()
    """What stands before the first rule."""
    chosen: tuple[str, ...] = ()
    """What the cup has chosen that no rule tells."""

    @property
    def choices(self) -> Iterator[tuple[str, str]]:
        """Yield the number and text of all that the cup has chosen in it."""
        for rule in self.rules:
            if rule.chosen and rule.is_in_force:
                yield rule.number, rule.chosen
        for text in self.chosen:
            yield self.number, text
