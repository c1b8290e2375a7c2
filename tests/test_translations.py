"""Code and templates say everything in messages, which read as the catalogues do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.utils import translation

from tests.catalog import messages
from tests.serving import ROOT
from tests.spoken import LETTER, Page

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

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "fi"]


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


def test_finnish_is_what_the_code_says():
    with translation.override("fi"):
        changed = [
            m.id
            for m in messages(ROOT, LANGUAGES[0])
            if isinstance(m.id, str) and _shown(m) != m.id
        ]

    assert changed == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_what_its_catalogue_says(language):
    with translation.override(language):
        wrong = [
            m.id
            for m in messages(ROOT, language)
            if isinstance(m.id, str) and _shown(m) != m.string
        ]

    assert wrong == []


def _shown(message) -> str:
    if message.context:
        return translation.pgettext(message.context, message.id)
    return translation.gettext(message.id)
