"""The confirmed draw with all that is needed to compute it again."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from komppa.cup.choices import DrawStatus
from komppa.cup.draw import DrawInput, group_name
from komppa.cup.models import Cup, Draw


@dataclass(frozen=True, slots=True)
class DrawnTeam:
    number: int
    """By which the draw knows it."""
    name: str
    pot: int | None


@dataclass(frozen=True, slots=True)
class ToldDraw:
    draw: Draw
    teams: tuple[DrawnTeam, ...]
    """In the order in which the draw took them."""
    has_pots: bool
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    """The letter and the teams of each."""
    program: str
    """What prints the same groups, in Python."""


def told_draw(cup: Cup) -> ToldDraw | None:
    """Return the draw that made the groups; any other is nobody's business."""
    draw = cup.draws.filter(status=DrawStatus.CONFIRMED).first()
    if draw is None:
        return None
    facts = DrawInput.from_json(draw.input)
    known = dict(cup.teams.values_list("pk", "name"))
    gone = _("(poistettu joukkue)")
    names = {pk: known.get(pk, gone) for pk in facts.team_ids}
    pots = facts.pots or (None,) * len(facts.team_ids)
    return ToldDraw(
        draw=draw,
        teams=tuple(
            DrawnTeam(pk, names[pk], pot)
            for pk, pot in zip(facts.team_ids, pots, strict=True)
        ),
        has_pots=any(pots),
        groups=tuple(
            (group_name(index), tuple(names[pk] for pk in group))
            for index, group in enumerate(draw.result)
        ),
        program=_program(facts, draw),
    )


def _program(facts: DrawInput, draw: Draw) -> str:
    return (
        "from komppa.cup.draw import DrawInput, draw_groups\n\n"
        "facts = DrawInput(\n"
        f"    team_ids={facts.team_ids},\n"
        f"    pots={facts.pots},\n"
        f"    group_count={facts.group_count},\n"
        ")\n"
        f"print(draw_groups(facts, {draw.seed!r}, {draw.algorithm!r}))\n"
    )
