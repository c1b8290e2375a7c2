"""Translations: nothing is missing, and what is compiled is what is written."""

from __future__ import annotations

import gettext
import shutil
import subprocess
import sys

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

from tests import machine
from tests.serving import ROOT, environment

# The Finnish text itself is the message, so Finnish needs no file.
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "fi"]


def folder(root, language):
    return root / "locale" / language / "LC_MESSAGES"


def catalog(root, language):
    with (folder(root, language) / "django.po").open("rb") as file:
        return [message for message in read_po(file) if message.id]


def keys(messages):
    return {(message.context, message.id) for message in messages}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated_and_none_is_a_guess(language):
    messages = catalog(ROOT, language)

    assert len(messages) > 100
    assert [m.id for m in messages if m.fuzzy] == []
    assert [
        m.id
        for m in messages
        if not all(m.string if isinstance(m.string, tuple) else [m.string])
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_keeps_its_placeholders(language):
    messages = catalog(ROOT, language)

    assert [(m.id, str(error)) for m in messages for error in m.check()] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(language):
    with (folder(ROOT, language) / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)

    different = []
    for message in catalog(ROOT, language):
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

    said = keys(catalog(tmp_path, language))

    written = keys(catalog(ROOT, language))
    assert (sorted(map(str, said - written)), sorted(map(str, written - said))) == (
        [],
        [],
    )
