"""Tells whoever listens in this process that a cup has changed.

A leaf: writers call ``announce`` after their commit and know nothing of listeners.
"""

from __future__ import annotations

from collections.abc import Callable

Listener = Callable[[int, int], None]
_listeners: list[Listener] = []


def listen(listener: Listener) -> Callable[[], None]:
    """Call ``listener(cup_id, revision)`` at each change; return how to stop it.

    The listener is called in the writer's thread and must not block.
    """
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def announce(cup_id: int, revision: int) -> None:
    for listener in tuple(_listeners):
        listener(cup_id, revision)
