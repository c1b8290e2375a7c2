from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from komppa.cup import services
from komppa.cup.models import Draw
from tests.factories import CupFactory, TeamFactory

pytestmark = pytest.mark.django_db


def redraw(number) -> list[str]:
    out = StringIO()
    call_command("redraw", str(number), stdout=out)
    return out.getvalue().splitlines()


def drafted(*, teams=5, groups=2) -> Draw:
    cup = CupFactory(name="Komppa-cup")
    for index in range(teams):
        TeamFactory(cup=cup, name=f"Joukkue {index}")
    return services.draft_draw(cup=cup, group_count=groups, by=None, seed="1f")


def test_redraw_shows_the_groups_and_that_they_are_the_stored_ones():
    draw = drafted()
    names = dict(draw.cup.teams.values_list("pk", "name"))
    groups = [", ".join(names[pk] for pk in group) for group in draw.result]

    assert redraw(draw.pk) == [
        f"Komppa-cup, arvonta {draw.pk} (luonnos)",
        "algoritmi fisher-yates-pots-1, siemenluku 1f",
        f"Lohko A: {groups[0]}",
        f"Lohko B: {groups[1]}",
        "Tulos on sama kuin tallennettu.",
    ]


def test_redraw_notices_a_result_that_was_tampered_with():
    draw = drafted()
    first, second = draw.result
    Draw.objects.update(result=[[second[0], *first[1:]], [first[0], *second[1:]]])

    with pytest.raises(CommandError, match=r"^Tulos poikkeaa tallennetusta\.$"):
        redraw(draw.pk)


def test_redraw_notices_a_seed_that_was_tampered_with():
    draw = drafted(teams=12, groups=3)
    Draw.objects.update(seed="20")

    with pytest.raises(CommandError, match=r"^Tulos poikkeaa tallennetusta\.$"):
        redraw(draw.pk)


def test_redraw_shows_a_team_that_has_been_removed():
    draw = drafted(teams=4, groups=1)
    gone = draw.cup.teams.first()
    services.discard_draw(draw=draw, by=None)
    services.remove_team(team=gone, by=None)

    assert (
        f"#{draw.result[0][draw.result[0].index(draw.input['team_ids'][0])]}"
        in (redraw(draw.pk)[2])
    )
    assert " (poistettu)" in redraw(draw.pk)[2]


def test_redraw_of_no_draw_is_refused():
    with pytest.raises(CommandError, match=r"^Arvontaa 404 ei ole\.$"):
        redraw(404)


@pytest.mark.parametrize(
    "values", [{"algorithm": "coin-1"}, {"input": {}}, {"seed": "not hex"}]
)
def test_redraw_of_facts_that_are_none_is_refused(values):
    draw = drafted()
    Draw.objects.update(**values)

    with pytest.raises(CommandError, match="ei voi tehdä uudelleen"):
        redraw(draw.pk)
