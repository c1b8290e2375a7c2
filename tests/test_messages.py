"""Translations: nothing is missing, and what is compiled is what is written."""

from __future__ import annotations

import gettext
import re
import shutil
import subprocess
import sys

import pytest
from django.conf import settings

from tests import machine
from tests.catalog import folder, forms, messages, written
from tests.serving import ROOT, environment

# The Finnish text itself is the message, so Finnish needs no file.
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "fi"]


def placeholders(text):
    return sorted(re.findall(r"%\(\w+\)[sd]|{\w+}|</?\w+>", text))


def keys(messages):
    return {(message.context, message.id) for message in messages}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated_and_none_is_a_guess(language):
    held = messages(ROOT, language)

    assert len(held) > 100
    assert dict(written(ROOT, language).obsolete) == {}
    assert [m.id for m in held if m.fuzzy] == []
    assert [
        m.id
        for m in held
        if not all(m.string if isinstance(m.string, tuple) else [m.string])
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_keeps_its_placeholders(language):
    held = messages(ROOT, language)

    assert [(m.id, str(error)) for m in held for error in m.check()] == []
    assert [
        (said, translated)
        for message in held
        for said, translated in forms(message)
        if placeholders(said) != placeholders(translated)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(language):
    with (folder(ROOT, language) / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)

    different = []
    for message in messages(ROOT, language):
        if isinstance(message.id, tuple):
            found = tuple(
                compiled.npgettext(message.context, *message.id, count)
                if message.context
                else compiled.ngettext(*message.id, count)
                for count in (1, 2)
            )
        elif message.context:
            found = compiled.pgettext(message.context, message.id)
        else:
            found = compiled.gettext(message.id)
        if found != message.string:
            different.append(message.id)
    assert different == []


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
