"""What the page of a whole list is sent, and how its answers are read."""

from __future__ import annotations

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from komppa.cup import services
from tests.factories import OrganiserFactory

TWO = "Ässät; Åke; Väinö; 1\nRouvat; Eino; Helmi"
TWO_FACTS = [
    {"name": "Ässät", "pot": 1, "players": ["Åke", "Väinö"]},
    {"name": "Rouvat", "pot": None, "players": ["Eino", "Helmi"]},
]


def url_of(cup):
    return f"/admin/cup/cup/{cup.pk}/teams/import/"


def file_of(data, name="lista.csv"):
    return SimpleUploadedFile(name, data)


def preview(client, cup, text="", **more):
    return client.post(url_of(cup), {"text": text, "preview": "1", **more})


def add(client, cup, text="", *, seen, **more):
    data = {"text": text, "save": "1", "seen": seen, **more}
    return client.post(url_of(cup), data)


def look_and_add(client, cup, text, **more):
    seen = preview(client, cup, text, **more).context["preview"].stamp
    return add(client, cup, text, seen=seen, **more)


def facts_of(cup):
    return [services.team_facts(team) for team in cup.teams.order_by("pk")]


def problems_of(answer):
    """Return what is said of each line that something is wrong with."""
    rows = answer.context["preview"].rows
    return {row.row.line: row.problems for row in rows if row.problems}


def texts_of(answer):
    return [str(message).split(" <a")[0] for message in answer.context["messages"]]


def typed_again(answer):
    return answer.context["form"]["text"].value()


def offers_to_save(answer):
    return 'name="save"' in answer.content.decode()


def an_organiser():
    client = Client()
    client.force_login(OrganiserFactory())
    return client
