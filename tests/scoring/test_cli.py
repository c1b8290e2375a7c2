"""``python -m scoring`` as a process: statuses, streams, and never a traceback."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.__main__ import COMMANDS

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "scoring"]

PLAIN = {"last_trick": "A", "mattis": {"A": 5, "B": 3}}
GAME = json.dumps({"sets_to_win": 2, "deals": [PLAIN]})
WRONG = json.dumps({"sets_to_win": 2, "deals": [{**PLAIN, "last_trick": None}]})
LEGAL = json.dumps({"hand": ["SA", "S6"], "trick": ["S10"], "trick_number": 8})
GROUP = json.dumps(
    {
        "teams": ["t1", "t2"],
        "games": [{"a": "t1", "b": "t2", "sets": {"a": 2, "b": 0}, "winner": "a"}],
    }
)
DEAL = json.dumps(
    {
        "hands": {
            "A1": ["C6", "C7", "C8", "C9", "CJ", "CQ", "CK", "C10", "CA"],
            "B1": ["D6", "D7", "D8", "D9", "DJ", "DQ", "DK", "D10", "DA"],
            "A2": ["H6", "H7", "H8", "H9", "HJ", "HQ", "HK", "H10", "HA"],
            "B2": ["S6", "S7", "S8", "S9", "SJ", "SQ", "SK", "S10", "SA"],
        },
        "leader": "A1",
        "events": [],
    }
)


# Unbuffered, output would come at once whatever the command did about it.
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"
}


def run(*arguments, stdin=b"", env=ENVIRONMENT, **how):
    if isinstance(stdin, str):
        stdin = stdin.encode()
    return subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env=env,
        timeout=60,
        check=False,
        **how,
    )


def started(*arguments, **how):
    return subprocess.Popen([*COMMAND, *arguments], cwd=ROOT, env=ENVIRONMENT, **how)


def next_answer(process):
    """The next line that a process writes; it fails where none comes in time."""
    readable, _, _ = select.select([process.stdout], [], [], 20)
    if not readable:
        process.kill()
    return json.loads(process.stdout.readline())


def answers(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def assert_failed(done, text):
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1
    assert text in done.stderr.decode()


def test_game_is_answered_in_one_line_with_status_0():
    done = run("game", stdin=GAME)

    assert (done.returncode, done.stderr, done.stdout.count(b"\n")) == (0, b"", 1)
    assert answers(done)[0]["points"] == {"A": 2, "B": 0}


@pytest.mark.parametrize(
    ("command", "document", "key"),
    [
        ("game", GAME, "winner"),
        ("standings", GROUP, "rows"),
        ("legal", LEGAL, "duty"),
        ("deal", DEAL, "sheet"),
    ],
)
def test_command_answers_its_own_documents(command, document, key):
    done = run(command, stdin=document)

    assert (done.returncode, key in answers(done)[0]) == (0, True)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("document", ["[]", "null", "NaN", '"\\ud800"', "{}"])
def test_command_refuses_with_status_1(command, document):
    done = run(command, stdin=document)

    assert (done.returncode, done.stderr) == (1, b"")
    assert list(answers(done)[0]) == ["problems"]


@pytest.mark.parametrize(
    "stdin",
    [b"", b"{", b"\xff", b"1 1", b"[" * 100_000, b'{"a":' * 5000 + b"1" + b"}" * 5000],
    ids=["empty", "cut_off", "not_utf_8", "two_values", "open_brackets", "deep"],
)
def test_command_fails_on_what_is_no_json(stdin):
    done = run("game", stdin=stdin)

    assert_failed(done, "scoring: ")
    assert done.stdout == b""


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("play",),
        ("--lines",),
        ("game", "--line"),
        ("game", "-x"),
        ("game", "--lines=yes"),
        ("game", "one", "two"),
        ("game", "-", "-"),
        ("g\name",),
        ("playout",),
        ("playout", "--deals", "1"),
        ("playout", "--seed", "1"),
        ("playout", "--deals", "1", "--seed"),
        ("playout", "--deals", "-1", "--seed", "1"),
        ("playout", "--deals", "1.0", "--seed", "1"),
        ("playout", "--deals", "\u0661", "--seed", "1"),
        ("playout", "--deals", "1", "--deals", "2", "--seed", "1"),
        ("playout", "--deals", "1", "--seed", "1", "file"),
        ("playout", "--deals", "1", "--seed", "1", "--lines"),
        ("playout", "--deals", "1", "--seed", "1", "--count-only=yes"),
        ("playout", "--deals", "1", "--seed", "9" * 5000),
    ],
    ids=repr,
)
def test_command_fails_on_wrong_usage(arguments):
    assert_failed(run(*arguments, stdin=GAME), "usage: python -m scoring")


def test_playout_prints_deals_that_replay_without_a_foul(tmp_path):
    played = run("playout", "--deals", "20", "--seed", "7")
    replayed = run("deal", "--lines", stdin=played.stdout)

    assert (played.returncode, played.stderr, len(answers(played))) == (0, b"", 20)
    assert (replayed.returncode, len(answers(replayed))) == (0, 20)
    for answer in answers(replayed):
        assert (answer["fouls"], answer["void"], answer["finished"]) == ([], [], True)


def test_playout_prints_the_same_lines_for_the_same_seed():
    once = run("playout", "--deals", "5", "--seed", "7")
    again = run(
        *("playout", "--seed=7", "--deals=5"),
        env={**ENVIRONMENT, "PYTHONHASHSEED": "36", "LC_ALL": "C"},
    )
    other = run("playout", "--deals", "5", "--seed", "8")

    assert once.stdout == again.stdout
    assert set(once.stdout.splitlines()).isdisjoint(other.stdout.splitlines())


def test_playout_counts_and_prints_nothing_else():
    done = run("playout", "--deals", "300", "--seed", "0", "--count-only")

    [answer] = answers(done)
    assert (done.returncode, list(answer), answer["deals"]) == (
        0,
        ["deals", "seconds"],
        300,
    )
    assert 0 < answer["seconds"] < 60


@pytest.mark.parametrize("more", [(), ("--count-only",)], ids=["printed", "counted"])
def test_playout_of_no_deals_is_none(more):
    done = run("playout", "--deals", "0", "--seed", "0", *more)

    assert (done.returncode, done.stderr) == (0, b"")
    assert [answer["deals"] for answer in answers(done)] == ([0] if more else [])


def test_playout_ends_quietly_when_nobody_reads_on():
    with started(
        *("playout", "--deals", "5000", "--seed", "1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        next_answer(process)
        process.stdout.close()

        assert (process.stderr.read(), process.wait(timeout=30)) == (b"", 0)


def test_command_reads_a_file(tmp_path):
    file = tmp_path / "peli \u00e4.json"
    file.write_text(GAME, encoding="utf-8")

    done = run("game", str(file))

    assert (done.returncode, len(answers(done))) == (0, 1)


def test_command_reads_standard_input_by_name():
    assert run("game", "-", stdin=GAME).returncode == 0


def test_command_fails_without_the_file(tmp_path):
    assert_failed(run("game", str(tmp_path / "none.json")), "No such file")


def test_command_fails_on_a_directory(tmp_path):
    assert_failed(run("game", str(tmp_path)), "Is a directory")


def test_command_fails_on_a_name_that_is_no_text(tmp_path):
    assert_failed(run("game", b"\xff\n.json"), "No such file")


def test_lines_answers_each_document_in_order_and_skips_empty_lines():
    done = run("game", "--lines", stdin=f"\n{GAME}\n\r\n  \n{WRONG}\r\n{GAME}")

    assert (done.returncode, done.stderr) == (1, b"")
    assert [next(iter(answer)) for answer in answers(done)] == [
        "winner",
        "problems",
        "winner",
    ]


def test_lines_answers_nothing_to_nothing():
    done = run("game", "--lines", stdin=b"\n\n")

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_lines_takes_the_file_on_either_side(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(f"{GAME}\n{GAME}\n", encoding="utf-8")

    before = run("game", str(file), "--lines")
    after = run("game", "--lines", str(file))

    assert len(answers(before)) == 2
    assert (before.returncode, before.stdout) == (after.returncode, after.stdout)


def test_lines_ends_at_a_line_that_is_no_json_after_the_answers_before_it():
    done = run("game", "--lines", stdin=f"{GAME}\n{WRONG}\nnope\n{GAME}\n")

    assert_failed(done, "not JSON")
    assert len(answers(done)) == 2


def test_lines_answers_before_the_next_document_comes():
    with started(
        "game", "--lines", stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        for _ in range(2):
            process.stdin.write(GAME.encode() + b"\n")
            process.stdin.flush()

            assert next_answer(process)["winner"] is None

        process.stdin.close()

        assert process.wait(timeout=30) == 0


def test_lines_ends_quietly_when_nobody_reads_on(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text(f"{GAME}\n" * 2000, encoding="utf-8")
    with started(
        "game",
        "--lines",
        str(file),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        next_answer(process)
        process.stdout.close()

        assert (process.stderr.read(), process.wait(timeout=30)) == (b"", 0)


def test_command_ends_quietly_when_interrupted():
    with started(
        "game",
        "--lines",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdin.write(GAME.encode() + b"\n")
        process.stdin.flush()
        next_answer(process)
        process.send_signal(signal.SIGINT)

        assert (process.stderr.read(), process.wait(timeout=30)) == (b"", 130)


@pytest.mark.parametrize(
    ("closed", "text"),
    [(0, "standard input is closed"), (1, "standard output is closed")],
)
def test_command_fails_with_a_stream_closed(closed, text):
    assert_failed(run("game", stdin=GAME, preexec_fn=lambda: os.close(closed)), text)


def test_command_fails_on_a_full_disk():
    with (
        open("/dev/full", "wb") as full,
        started(
            "game", stdin=subprocess.PIPE, stdout=full, stderr=subprocess.PIPE
        ) as process,
    ):
        process.stdin.write(GAME.encode())
        process.stdin.close()

        assert process.stderr.read().decode() == (
            "scoring: cannot write: No space left on device\n"
        )
        assert process.wait(timeout=30) == 2


def test_answer_survives_keys_that_utf_8_cannot_write():
    done = run(
        "game",
        stdin='{"sets_to_win": 2, "deals": [], "\\ud800": 1}',
        env={**ENVIRONMENT, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
    )

    assert (done.returncode, answers(done)[0]["problems"][0]["path"]) == (1, "\ud800")
