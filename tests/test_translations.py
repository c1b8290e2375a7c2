"""Everything on the screen can be read in English, and every word of it is Finnish
where Finnish was chosen."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any
from uuid import uuid4

import pytest
from babel.messages.catalog import Message
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from komppa.cup import services, services_people
from komppa.sheets.demo import replay
from komppa.sheets.demo_facts import CupFacts, generate_facts
from tests.catalog import forms, messages
from tests.factories import ScorekeeperFactory, cup_of, drawn_cup, tied_group
from tests.serving import ROOT
from tests.sheets.posts import address, back, blank, post

SPOKEN_ATTRIBUTES = re.compile(r"alt|aria-label|placeholder|title|data-(label|text-.*)")
LETTER = r"[^\W\d_]"
# Names and signs that are the same in every language.
NO_WORDS = {"Komppa", "DEMO"}
# Finnish letters in these are names, an alphabet, or answers given before anybody
# knows the language: the console and the server's own short ones.
BEFORE_ANY_LANGUAGE = {
    "komppa/asgi.py",
    "komppa/console.py",
    "komppa/live/contexts.py",
    "komppa/live/stream.py",
    "komppa/sheets/demo_facts.py",
}


def english_messages() -> list[Message]:
    return messages(ROOT, "en")


class Page(HTMLParser):
    """What a page says: its texts, and the attributes that are read or shown."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.headings: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style", "code", "h1"):
            self._open.append(tag)
        given = dict(attrs)
        for name, value in attrs:
            if (
                SPOKEN_ATTRIBUTES.fullmatch(name)
                or (name == "value" and given.get("type") == "submit")
                # The words of the sheet's scripts.
                or ("data-sheet-words" in given and not name.endswith("-url"))
            ):
                self._say(value or "")

    def handle_endtag(self, tag):
        if tag in self._open:
            self._open.remove(tag)

    def handle_data(self, data):
        if not {"script", "style", "code"} & set(self._open):
            self._say(data)
        if "h1" in self._open:
            self.headings.append(data.strip())

    def _say(self, text: str) -> None:
        if text.strip():
            self.texts.append(" ".join(text.split()))

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


# What the code and the templates hold.

UNSPOKEN_BLOCKS = [
    ("comment", "endcomment"),
    ("blocktrans", "endblocktrans"),
    ("block (body_class|main_class|body_attrs)", "endblock"),
]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
MODULES = sorted(
    path
    for path in (ROOT / "komppa").rglob("*.py")
    if not {"migrations", "commands"} & set(path.parts)
)
GETTEXTS = {
    **dict.fromkeys(("gettext", "gettext_lazy"), slice(0, 1)),
    **dict.fromkeys(
        ("pgettext", "pgettext_lazy", "ngettext", "ngettext_lazy"), slice(2)
    ),
}


def test_templates_say_nothing_outside_translations():
    said = {
        str(path.relative_to(ROOT)): words
        for path in TEMPLATES
        if (words := untranslated_words(path.read_text(encoding="utf-8")))
    }

    assert said == {}


def test_untranslated_words_of_a_template_are_found():
    template = (
        '{% load i18n %}<p title="Ohje">{% trans "Peli" %} Lohko {{ a }}</p>'
        '{% blocktrans %}Pöytä{% endblocktrans %}<a aria-label="{% trans "Jako" %}">'
    )

    assert untranslated_words(template) == {"Ohje", "Lohko"}


def untranslated_words(template: str) -> set[str]:
    for begin, end in UNSPOKEN_BLOCKS:
        template = re.sub(rf"{{% {begin}\b.*?{{% {end} %}}", "", template, flags=re.S)
    html = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", " ", template, flags=re.S)
    return set(re.findall(f"{LETTER}{{2,}}", Page(html).text)) - NO_WORDS


def gettext_calls(tree: ast.Module) -> dict[ast.Call, str]:
    """Return each call that translates, with the name that Django gives it."""
    known = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node.module == "django.utils.translation"
        for alias in node.names
        if alias.name in GETTEXTS
    }
    return {
        node: known[node.func.id]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in known
    }


def run_at_import(tree: ast.Module) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            inside = [*node.args.defaults, *node.args.kw_defaults]
            inside += getattr(node, "decorator_list", [])
            waiting += [child for child in inside if child]
        else:
            waiting += ast.iter_child_nodes(node)


def faults_of(source: str) -> list[str]:
    """Return what is wrong with the translated strings of a module."""
    tree = ast.parse(source)
    calls = gettext_calls(tree)
    at_import = set(run_at_import(tree))
    faults = []
    for call, name in calls.items():
        if not all(
            isinstance(argument, ast.Constant) for argument in call.args[GETTEXTS[name]]
        ):
            faults.append(f"line {call.lineno}: not a plain string")
        if call in at_import and not name.endswith("_lazy"):
            faults.append(f"line {call.lineno}: translated before anybody asks")
    return faults


@pytest.mark.parametrize(
    ("source", "faults"),
    [
        ('_("Peli")', ["line 2: translated before anybody asks"]),
        ('def f(a):\n    return _(f"Peli {a}")', ["line 3: not a plain string"]),
        ('def f(a=_("Peli")): ...', ["line 2: translated before anybody asks"]),
        ('def f():\n    return _("Peli %(a)s") % {"a": 1}', []),
    ],
)
def test_faults_of_translated_strings_are_found(source, faults):
    heading = "from django.utils.translation import gettext as _\n"

    assert faults_of(heading + source) == faults


def test_translated_strings_are_whole_and_lazy_where_they_must_be():
    found = {
        str(path.relative_to(ROOT)): faults
        for path in MODULES
        if (faults := faults_of(path.read_text(encoding="utf-8")))
    }

    assert found == {}


def test_code_holds_no_finnish_outside_translations():
    found = {
        name: strings
        for path in MODULES
        if (name := str(path.relative_to(ROOT))) not in BEFORE_ANY_LANGUAGE
        and (strings := finnish_strings(path.read_text(encoding="utf-8")))
    }

    assert found == {}


def finnish_strings(source: str) -> list[str]:
    tree = ast.parse(source)
    translated = {
        id(part)
        for call in gettext_calls(tree)
        for argument in call.args
        for part in ast.walk(argument)
    }
    docstrings = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)
    }
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.search("[äöÄÖ]", node.value)
        and id(node) not in translated | docstrings
    ]


# What the pages say.


def test_finnish_is_what_the_code_says():
    with translation.override("fi"):
        changed = [
            m.id
            for m in english_messages()
            if isinstance(m.id, str) and _shown(m) != m.id
        ]

    assert changed == []


def test_english_is_what_the_catalogue_says():
    with translation.override("en"):
        wrong = [
            m.id
            for m in english_messages()
            if isinstance(m.id, str) and _shown(m) != m.string
        ]

    assert wrong == []


def _shown(message) -> str:
    if message.context:
        return translation.pgettext(message.context, message.id)
    return translation.gettext(message.id)


HEADINGS = {
    "/": ("Turnaukset", "Cups"),
    "/busy/groups/": ("Lohkot", "Groups"),
    "/busy/games/": ("Pelit", "Games"),
    "/busy/games/1/": ("Peli 1", "Game 1"),
    "/busy/bracket/": ("Kaavio", "Bracket"),
    "/sheet/": ("Jakopöytäkirjat", "Score sheets"),
    "/login/": ("Kirjaudu sisään", "Sign in"),
}


def english_client(user: User | None = None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    client.cookies["komppa_language"] = "en"
    return client


def facts_in_no_language() -> CupFacts:
    """Return a cup amid its games, whose names mean nothing."""
    facts = generate_facts(teams=6, groups=2, seed=7)
    names = {team["name"]: f"T{n}" for n, team in enumerate(facts["teams"], start=1)}
    for team in facts["teams"]:
        team["name"] = names[team["name"]]
        team["players"] = [f"{team['name']}x", f"{team['name']}y"]
    for game in facts["games"]:
        game["a"], game["b"] = names[game["a"]], names[game["b"]]
    facts["name"] = "C1"
    return facts


@pytest.fixture
def busy(db):
    return replay(facts_in_no_language(), slug="busy")


def pages_of(cup) -> list[str]:
    """Return the addresses of a cup's public pages and sheets."""
    numbers = cup.games.values_list("number", flat=True)
    base = [f"/{cup.slug}/{page}" for page in ("", "groups/", "games/", "bracket/")]
    games = [f"/{cup.slug}/games/{number}/" for number in numbers]
    sheets = [f"/sheet/{cup.slug}/games/{number}/" for number in numbers]
    return [*base, *games, f"/sheet/{cup.slug}/", *sheets]


def finnish_in(text: str) -> set[str]:
    """Return what of the Finnish messages is found in a page."""
    found = {finnish for finnish, pattern in finnish_patterns() if pattern.search(text)}
    return found | set(re.findall(r"\w*[äöÄÖ]\w*", text))


@cache
def finnish_patterns() -> list[tuple[str, re.Pattern[str]]]:
    patterns = []
    for message in english_messages():
        for finnish, english in forms(message):
            literal = re.sub(r"%\(\w+\)[sd]|{\w+}", "\0", finnish)
            if finnish == english or len(re.findall(LETTER, literal)) < 4:
                continue
            parts = re.sub(r"^\W+|\W+$", "", literal).split("\0")
            pattern = "[^\n]+?".join(re.escape(part) for part in parts)
            patterns.append((finnish, re.compile(rf"(?<!\w){pattern}(?!\w)")))
    return patterns


def left_in_finnish(client: Client, paths: list[str]) -> dict[str, set[str]]:
    left = {}
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        if found := finnish_in(Page(answer.content.decode()).text):
            left[path] = found
    return left


def test_finnish_left_on_a_page_is_found():
    page = Page(
        '<p title="Lohko A">Pelit</p><p>pelimies 3 joukkuetta</p><i>kännykkä</i>'
        "<script>Arvonta</script>"
    )

    assert finnish_in(page.text) == {
        "Lohko",
        "Lohko %(group)s",
        "Lohko %(letter)s",
        "Pelit",
        "%(count)d joukkuetta",
        "%(count)s joukkuetta",
        "kännykkä",
    }


def test_public_pages_and_sheets_are_english_when_chosen(busy, organiser):
    client = english_client(organiser)

    assert left_in_finnish(client, ["/", "/sheet/", *pages_of(busy)]) == {}


def test_answers_of_a_sheet_are_english_when_chosen(db, organiser):
    client = english_client(organiser)
    game, other = drawn_cup().games.order_by("number")[:2]
    other.outcome = "walkover_a"
    other.save()
    first = post(game)
    impossible = {"mattis": "4", "pips_a": "1", "no_tricks": "A", "foul_1": "B"}
    fouls = {"abandoned": "on", "foul_1": "A", "foul_2": "A", "foul_3": "A"}
    said = []

    def answered(data: dict[str, Any], page: str = "sheet") -> int:
        answer = client.post(address(game, page), data, follow=True)
        said.append(answer)
        return answer.status_code

    assert answered(first) == 200
    assert answered({**first, "key": str(uuid4()), "mattis": "4"}) == 409
    assert answered(post(game)) == 422  # the same again, soon
    assert answered(blank(game, **impossible)) == 422
    assert answered(post(game, key="")) == 422
    assert answered(blank(game), "preview") == 200
    assert answered(blank(game, mattis="4", suit_C="A"), "preview") == 200
    assert answered(back(game), "take_back") == 200
    assert answered({}, "take_back") == 422
    assert answered(blank(game, **fouls)) == 200
    assert answered(post(game)) == 409
    said.append(client.get(address(other)))
    texts = [Page(answer.content.decode()).text for answer in said]
    assert [finnish_in(text) for text in texts] == [set()] * 12


def test_pages_of_a_cup_to_come_are_english_when_chosen(db, organiser):
    empty, teams = cup_of(0), cup_of(3, visibility="draft")
    planned = drawn_cup(is_demo=True)
    paths = [path for cup in (empty, teams, planned) for path in pages_of(cup)]

    assert left_in_finnish(english_client(organiser), ["/", *paths]) == {}


def test_pages_of_a_tie_are_english_when_chosen(db, organiser):
    group = tied_group()
    client = english_client(organiser)
    before = left_in_finnish(client, pages_of(group.cup)[:4])

    services.draw_lot(
        group=group,
        team_ids=[member.team_id for member in group.memberships.all()],
        by=organiser,
    )

    after = left_in_finnish(client, pages_of(group.cup)[:4])
    assert (before, after) == ({}, {})


def test_pages_without_a_cup_are_english_when_chosen(db):
    assert left_in_finnish(english_client(), ["/", "/login/"]) == {}


def test_error_pages_are_english_when_chosen(db, stranger):
    client = english_client(stranger)

    pages = [Page(client.get(path).content.decode()) for path in ("/none/", "/sheet/")]

    assert [(finnish_in(page.text), page.headings) for page in pages] == [
        (set(), ["Page not found"]),
        (set(), ["This page is not open to you"]),
    ]


def test_organisers_pages_are_english_when_chosen(busy, organiser):
    tied = tied_group().cup
    fresh = cup_of(3, visibility="draft")
    services.draft_draw(cup=fresh, group_count=1, by=organiser)
    services_people.deactivate(user=ScorekeeperFactory(), by=organiser)
    own = ("", "teams/", "draw/", "games/", "lots/", "change/")
    paths = [
        "/admin/",
        "/admin/cup/cup/add/",
        "/admin/auth/user/",
        "/admin/cup/team/",
        "/admin/cup/game/",
        "/admin/cup/organiserlog/",
        "/admin/sheets/dealentry/",
        *(f"/admin/cup/cup/{c.pk}/{p}" for c in (busy, tied, fresh) for p in own),
    ]

    assert left_in_finnish(english_client(organiser), paths) == {}


def test_page_is_in_the_language_that_was_chosen(busy, organiser, organiser_client):
    clients = organiser_client, english_client(organiser)

    headings = {
        path: [Page(c.get(path).content.decode()).headings for c in clients]
        for path in HEADINGS
    }

    assert headings == {path: [[fi], [en]] for path, (fi, en) in HEADINGS.items()}
