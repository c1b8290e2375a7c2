"""The number by which a page knows whether what it shows is current."""

from __future__ import annotations

from django.db.models import Count, Sum

from komppa.cup.models import Cup


def front_revision() -> int:
    """Return the revision of the list of cups as a whole.

    Every write to any cup adds one, and so does a new cup. Drafts count too, or
    hiding a cup would lower it. Only the removal of a demo cup does; readers ask
    whether the number is the one they have, and never how much it has grown.
    """
    figures = Cup.objects.aggregate(writes=Sum("revision", default=0), cups=Count("pk"))
    return int(figures["writes"]) + int(figures["cups"])
