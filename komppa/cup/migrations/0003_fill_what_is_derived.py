from typing import Any

from django.db import migrations
from django.db.models import OuterRef, Q, Subquery


def fill(apps: Any, schema_editor: Any) -> None:
    Group = apps.get_model("cup", "Group")
    Lot = apps.get_model("cup", "Lot")
    Game = apps.get_model("cup", "Game")
    cup_of_group = Group.objects.filter(pk=OuterRef("group_id")).values("cup_id")
    Lot.objects.filter(cup__isnull=True).update(cup_id=Subquery(cup_of_group))
    Game.objects.filter(~Q(winner="") | ~Q(outcome="")).update(is_finished=True)


class Migration(migrations.Migration):
    # Apart from the columns themselves: PostgreSQL alters no table that has rows
    # changed in the same transaction.
    dependencies = [("cup", "0002_bracket_play_and_withdrawals")]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
