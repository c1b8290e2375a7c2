"""The organiser's pages: what is registered, and what is hidden."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.models import Group as AuthGroup
from django.contrib.auth.models import User

from komppa.cup.admin_cup import CupAdmin
from komppa.cup.admin_people import ScorekeeperAdmin
from komppa.cup.admin_records import GameAdmin, OrganiserLogAdmin
from komppa.cup.admin_teams import TeamAdmin
from komppa.cup.models import Cup, Game, OrganiserLog, Team

# Rights come with the role; there is nothing to tick.
admin.site.unregister([User, AuthGroup])

admin.site.register(Cup, CupAdmin)
admin.site.register(Team, TeamAdmin)
admin.site.register(Game, GameAdmin)
admin.site.register(OrganiserLog, OrganiserLogAdmin)
admin.site.register(User, ScorekeeperAdmin)
