"""The translations as they are written, to be read by tests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po


def folder(root: Path, language: str) -> Path:
    return root / "locale" / language / "LC_MESSAGES"


def written(root: Path, language: str) -> Catalog:
    with (folder(root, language) / "django.po").open("rb") as file:
        return read_po(file)


def messages(root: Path, language: str) -> list[Message]:
    return [message for message in written(root, language) if message.id]


def forms(message: Message) -> Iterable[tuple[str, str]]:
    """Return each form of a message, one or one and many, with its translation."""
    if isinstance(message.id, tuple | list):
        return zip(message.id, message.string, strict=True)
    return [(message.id, message.string)]
