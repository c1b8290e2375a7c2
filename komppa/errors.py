"""The one error that is the user's to mend; anything else is a fault of ours."""

from __future__ import annotations


class Refusal(Exception):
    """A write that was refused, with a translated sentence that says why."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
