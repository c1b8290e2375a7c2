"""The rules engine from the command line: ``python -m scoring COMMAND``.

Exit status 0: answered; 1: at least one document refused; 2: wrong usage, no such
file or not JSON, told in one line on standard error.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import BinaryIO, TextIO

from scoring import compact, deal_document, game_document, standings, tricks
from scoring.deal_document import deal_to_json
from scoring.documents import NotJson, parse

MOST_DIGITS = 1000

ANSWERED, REFUSED, FAILED, INTERRUPTED = 0, 1, 2, 130

Document = Mapping[str, object]
Answer = Callable[[object], tuple[Document, bool]]

COMMANDS: Mapping[str, Answer] = {
    "game": game_document.answer,
    "standings": standings.answer,
    "legal": tricks.answer,
    "deal": deal_document.answer,
}

PLAYOUT = "playout"

USAGE = (
    f"usage: python -m scoring {'|'.join(COMMANDS)} [--lines] [FILE]"
    f" or {PLAYOUT} --deals COUNT --seed NUMBER [--count-only]"
)


class Failed(Exception):
    """Ends the run with status 2; the text says why, in one line."""


@dataclass(frozen=True, slots=True)
class Run:
    """What the arguments ask for."""

    answer: Answer
    by_line: bool
    """Whether every line is a document of its own."""
    name: str
    """The file to read; ``-`` is standard input."""

    def answers(self, stdin: BinaryIO | None) -> Iterator[tuple[Document, bool]]:
        """Yield the answer to each document, and whether it was refused."""
        for text in _documents(self, stdin):
            try:
                document = parse(text)
            except NotJson as error:
                raise Failed(str(error)) from None
            yield self.answer(document)


@dataclass(frozen=True, slots=True)
class Playout:
    """A run that asks for random deals; it reads nothing."""

    deals: int
    seed: int
    count_only: bool

    def answers(self, stdin: BinaryIO | None) -> Iterator[tuple[Document, bool]]:
        """Yield each deal, or just how many there were and how long they took."""
        chance = Random(self.seed).random
        if self.count_only:
            begun = perf_counter()
            count = compact.count_playouts(self.deals, chance)
            yield {"deals": count, "seconds": round(perf_counter() - begun, 3)}, False
            return
        for deal in compact.playouts(self.deals, chance):
            yield deal_to_json(deal), False


def main(
    arguments: Sequence[str],
    stdin: BinaryIO | None,
    stdout: BinaryIO | None,
    stderr: TextIO | None,
) -> int:
    """Run one command and return the exit status; a stream of None is closed."""
    try:
        run = _read_arguments(arguments)
        return _answer_all(run, stdin, stdout)
    except Failed as failure:
        _complain(stderr, str(failure))
        return FAILED


def _read_arguments(arguments: Sequence[str]) -> Run | Playout:
    if not arguments:
        raise Failed(USAGE)
    command, *others = arguments
    if command == PLAYOUT:
        return _read_playout(others)
    if command not in COMMANDS:
        raise Failed(f"no command {command!a}; {USAGE}")
    names = [word for word in others if word == "-" or not word.startswith("-")]
    for option in others:
        if option not in names and option != "--lines":
            raise Failed(f"no option {option!a}; {USAGE}")
    if len(names) > 1:
        raise Failed(f"one file at most, not {len(names)}; {USAGE}")
    return Run(COMMANDS[command], "--lines" in others, names[0] if names else "-")


def _read_playout(arguments: Sequence[str]) -> Playout:
    numbers: dict[str, int] = {}
    count_only = False
    words = iter(arguments)
    for word in words:
        option, equals, value = word.partition("=")
        if word == "--count-only":
            count_only = True
        elif option in ("--deals", "--seed") and option not in numbers:
            numbers[option] = _read_number(value if equals else next(words, ""), option)
        else:
            raise Failed(f"{word!a} is not expected there; {USAGE}")
    if len(numbers) < 2:
        raise Failed(f"--deals and --seed are both needed; {USAGE}")
    return Playout(numbers["--deals"], numbers["--seed"], count_only)


def _read_number(text: str, option: str) -> int:
    # Longer ones are refused by Python itself.
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise Failed(f"{option} is a whole number, not {text!a}; {USAGE}")
    return int(text)


def _answer_all(
    run: Run | Playout, stdin: BinaryIO | None, stdout: BinaryIO | None
) -> int:
    status = ANSWERED
    for answer, refused in run.answers(stdin):
        if refused:
            status = REFUSED
        if not _write(stdout, answer):
            break
    return status


def _documents(run: Run, stdin: BinaryIO | None) -> Iterator[bytes]:
    try:
        with _opened(run.name, stdin) as source:
            if run.by_line:
                yield from (line for line in source if line.strip())
            else:
                yield source.read()
    # A name with a null byte is a ValueError.
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Failed(f"cannot read {run.name!a}: {reason}") from None


def _opened(name: str, stdin: BinaryIO | None) -> AbstractContextManager[BinaryIO]:
    if name != "-":
        return open(name, "rb")
    if stdin is None:
        raise Failed("standard input is closed")
    return nullcontext(stdin)


def _write(stdout: BinaryIO | None, answer: Mapping[str, object]) -> bool:
    """Write one answer at once; return False if nobody reads any more."""
    if stdout is None:
        raise Failed("standard output is closed")
    # In ASCII, since a key of the document may hold what UTF-8 cannot.
    line = json.dumps(answer).encode("ascii") + b"\n"
    try:
        stdout.write(line)
        stdout.flush()
    except BrokenPipeError:
        return False
    except OSError as error:
        raise Failed(f"cannot write: {error.strerror}") from None
    return True


def _complain(stderr: TextIO | None, reason: str) -> None:
    if stderr is None:
        return
    with suppress(OSError):
        print(f"scoring: {reason}", file=stderr, flush=True)


def _run_in_process() -> int:
    """Run with the streams of this process, and leave without a sound."""
    try:
        return main(
            sys.argv[1:],
            None if _is_closed(sys.stdin) else sys.stdin.buffer,
            None if _is_closed(sys.stdout) else sys.stdout.buffer,
            sys.stderr,
        )
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        _forget_unwritten()


def _is_closed(stream: TextIO | None) -> bool:
    # So Python has it where a process starts without the stream.
    return stream is None


def _forget_unwritten() -> None:
    """Keep Python from complaining at exit about output that nobody takes."""
    if _is_closed(sys.stdout):
        return
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(_run_in_process())
