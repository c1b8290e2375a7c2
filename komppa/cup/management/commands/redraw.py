from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from komppa.console import KomppaCommand
from komppa.cup.draw import DrawInput, DrawRefused, Groups, draw_groups, group_name
from komppa.cup.models import Draw, Team


class Command(KomppaCommand):
    help = "Compute a stored draw again from its input, algorithm and seed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", type=int, help="the number of the draw")

    def handle(self, *args: Any, number: int, **options: Any) -> None:
        draw = Draw.objects.select_related("cup").filter(pk=number).first()
        if draw is None:
            raise CommandError(f"Arvontaa {number} ei ole.")
        try:
            groups = draw_groups(
                DrawInput.from_json(draw.input), draw.seed, draw.algorithm
            )
        except DrawRefused as refused:
            raise CommandError(
                f"Arvontaa {number} ei voi tehdä uudelleen: {refused}"
            ) from refused
        self.stdout.write(
            f"{draw.cup}, arvonta {draw.pk} ({draw.get_status_display()})\n"
            f"algoritmi {draw.algorithm}, siemenluku {draw.seed}"
        )
        for line in _lines(groups):
            self.stdout.write(line)
        if draw.result != [list(group) for group in groups]:
            raise CommandError("Tulos poikkeaa tallennetusta.")
        self.stdout.write("Tulos on sama kuin tallennettu.")


def _lines(groups: Groups) -> list[str]:
    names = Team.objects.in_bulk([pk for group in groups for pk in group])
    return [
        f"Lohko {group_name(index)}: "
        + ", ".join(str(names.get(pk, f"#{pk} (poistettu)")) for pk in group)
        for index, group in enumerate(groups)
    ]
