"""Translations: nothing is missing, and what is compiled is what is written."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
from babel.messages.mofile import read_mo
from django.conf import settings

from tests import machine
from tests.catalog import folder, forms, messages, written
from tests.serving import ROOT, environment

# The Finnish text itself is the message; what it lacks is told in its own test.
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "fi"]
CATALOGUES = ["fi", *LANGUAGES]

# Quotation marks and apostrophes that a language does not write.
FOREIGN_MARKS = {
    "fi": r"""["'“‘]""",
    "sv": r"""["'“‘]""",
    "en": r"""["']|\B”\b""",
}


def placeholders(text):
    return sorted(re.findall(r"%\(\w+\)[sd]|%[sd]|{\w+}|</?\w+>", text))


def keys(messages):
    return {(message.context, message.id) for message in messages}


def translations(messages):
    """Return each form by its context and its Finnish."""
    return {
        (message.context, said, number): translated
        for message in messages
        for number, (said, translated) in enumerate(forms(message))
    }


def words(text):
    """Return the words of a message, without what is filled in."""
    return re.findall(r"[^\W\d_]{2,}", re.sub(r"%\(\w+\)[sd]|{\w+}", " ", text))


def test_every_language_offered_has_its_catalogue_and_no_other_is_kept():
    kept = {path.name for path in (ROOT / "locale").iterdir() if path.is_dir()}

    assert kept == set(CATALOGUES) == set(dict(settings.LANGUAGES))


def test_messages_are_collected_for_every_language():
    collecting = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert sorted(re.findall(r"--locale (\w+)", collecting)) == sorted(LANGUAGES)


def test_every_language_holds_the_same_messages():
    held = {language: keys(messages(ROOT, language)) for language in LANGUAGES}

    assert {
        (language, message)
        for language in LANGUAGES
        for message in set.union(*held.values()) - held[language]
    } == set()


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_message_is_translated_and_none_is_a_guess(language):
    held = messages(ROOT, language)

    assert len(held) > (0 if language == "fi" else 800)
    assert dict(written(ROOT, language).obsolete) == {}
    assert [m.id for m in held if m.fuzzy] == []
    assert [
        m.id
        for m in held
        if not all(m.string if isinstance(m.string, tuple) else [m.string])
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_is_left_in_another_language(language):
    others = {
        (other, message.context, form): said
        for other in LANGUAGES
        if other != language
        for message in messages(ROOT, other)
        for form, said in forms(message)
    }

    assert [
        form
        for message in messages(ROOT, language)
        for form, said in forms(message)
        if len(words(said)) > 3
        and said
        in [
            form,
            *(others.get((other, message.context, form)) for other in LANGUAGES),
        ]
    ] == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_message_keeps_its_placeholders(language):
    catalogue = written(ROOT, language)
    held = messages(ROOT, language)

    assert [(m.id, str(error)) for m in held for error in m.check(catalogue)] == []
    assert [
        (said, translated)
        for message in held
        for said, translated in forms(message)
        if placeholders(said) != placeholders(translated)
    ] == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_every_message_is_set_in_the_marks_of_its_language(language):
    foreign = re.compile(FOREIGN_MARKS[language])

    assert [
        translated
        for message in messages(ROOT, language)
        for _said, translated in forms(message)
        if foreign.search(translated)
    ] == []


def test_finnish_texts_are_set_in_finnish_marks():
    foreign = re.compile(FOREIGN_MARKS["fi"])

    assert [
        said
        for message in messages(ROOT, LANGUAGES[0])
        for said, _translated in forms(message)
        if foreign.search(said)
    ] == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_what_is_compiled_is_what_is_written(language):
    with (folder(ROOT, language) / "django.mo").open("rb") as file:
        compiled = translations(message for message in read_mo(file) if message.id)

    assert compiled == translations(messages(ROOT, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalog_holds_what_the_code_says_and_nothing_else(language, tmp_path):
    if shutil.which("xgettext") is None:
        machine.lacking("gettext", "no GNU gettext here")
    for name in ("komppa", "templates", "static", "scoring", "fixtures"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "manage.py", tmp_path)
    folder(tmp_path, language).mkdir(parents=True)
    subprocess.run(
        [sys.executable, "manage.py", "makemessages", "--locale", language],
        cwd=tmp_path,
        env=environment(tmp_path / "data"),
        capture_output=True,
        check=True,
    )

    said = keys(messages(tmp_path, language))

    held = keys(messages(ROOT, language))
    assert (sorted(map(str, said - held)), sorted(map(str, held - said))) == (
        [],
        [],
    )
