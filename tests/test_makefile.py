"""The Makefile with Pythons made of paper: which one it takes, and when it installs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from tests.serving import ROOT

TOOLS = ("make", "sh", "cat", "cksum", "rm", "mkdir", "chmod")
DEAD_SHIM = "echo 'pyenv: python3: command not found' >&2; exit 127"
TOO_OLD = 'case "$*" in *version_info*) exit 1;; esac'
WITHOUT_VENV = 'case "$*" in *ensurepip*) exit 1;; esac'
# Makes an environment whose own Python writes down what it is asked.
SOUND = """
case "$*" in
  *cache_tag*) exit 0;;
  "-m venv "*)
    mkdir -p .venv/bin
    {
      echo '#!/bin/sh'
      echo 'case "$*" in'
      echo '  *cache_tag*) echo cpython-311; exit;;'
      echo '  "-m pip"*) echo "$*" >> log; test ! -e no-network; exit;;'
      echo '  manage.py*) echo "$HOST $PORT $*" >> log; exit;;'
      echo 'esac'
    } > .venv/bin/python
    chmod +x .venv/bin/python
    echo venv >> log;;
esac
"""


class Machine:
    def __init__(self, folder):
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))
        for path in [ROOT / "Makefile", *ROOT.glob("requirements*.txt")]:
            shutil.copy(path, folder)

    def python(self, name, script):
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def make(self, *arguments):
        return subprocess.run(
            ["make", "-s", *arguments],
            cwd=self.folder,
            env={"PATH": str(self.bin), "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def log(self):
        """What the Pythons have been asked since the last look."""
        path = self.folder / "log"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return [re.sub(r"^-m pip .* -r ", "pip ", line) for line in lines]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_make_takes_the_first_python_that_really_runs(machine):
    machine.python("python3.14", DEAD_SHIM)
    machine.python("python3.13", TOO_OLD)
    machine.python("python3.12", WITHOUT_VENV)
    machine.python("python3.11", SOUND)
    machine.python("python3", SOUND)

    assert machine.make("which-python").stdout == "python3.11\n"


def test_make_takes_the_python_that_is_asked_for(machine):
    machine.python("python3.12", SOUND)
    machine.python("python3.11", SOUND)

    assert machine.make("which-python", "PYTHON=python3.11").stdout == "python3.11\n"


@pytest.mark.parametrize(
    ("pythons", "message"),
    [
        (
            {"python3.13": DEAD_SHIM, "python3": TOO_OLD},
            "Komppa: no Python 3.11 or newer among python3.14 python3.13 python3.12 "
            "python3.11 python3; install one, e.g. apt install python3-venv",
        ),
        (
            {"python3.13": DEAD_SHIM, "python3": WITHOUT_VENV},
            "Komppa: python3 cannot make virtual environments; "
            "install them, e.g. apt install python3-venv",
        ),
    ],
    ids=["none", "without_venv"],
)
def test_make_says_in_one_line_what_is_missing(machine, pythons, message):
    for name, script in pythons.items():
        machine.python(name, script)

    answer = machine.make("run")

    assert answer.returncode != 0
    ours = [line for line in answer.stderr.splitlines() if "make:" not in line]
    assert (ours, answer.stdout) == ([message], "")


def test_make_run_installs_once_and_passes_host_and_port_on(machine):
    machine.python("python3", SOUND)

    first = machine.make("run", "HOST=0.0.0.0", "PORT=8080")
    second = machine.make("run")

    assert first.stdout.splitlines() == [
        "Komppa: making .venv with python3",
        "Komppa: installing what requirements.txt lists; the first time takes a minute",
    ]
    assert second.stdout == ""
    assert machine.log == [
        "venv",
        "pip requirements.txt",
        "0.0.0.0 8080 manage.py start",
        "  manage.py start",
    ]


def test_make_installs_with_hashes_and_wheels_only(machine):
    machine.python("python3", SOUND)
    machine.make("venv-run")

    (command,) = [
        line
        for line in (machine.folder / "log").read_text().splitlines()
        if "install" in line
    ]

    assert {"--require-hashes", "--only-binary", ":all:"} <= set(command.split())


def test_make_rebuilds_when_the_requirements_change(machine):
    machine.python("python3", SOUND)
    machine.make("venv-run")
    assert machine.log == ["venv", "pip requirements.txt"]

    with (machine.folder / "requirements.txt").open("a") as file:
        file.write("# changed\n")
    machine.make("venv-run")

    assert machine.log == ["venv", "pip requirements.txt"]


def test_make_rebuilds_when_the_python_changes(machine):
    machine.python("python3", SOUND)
    machine.make("venv-run")
    assert machine.log == ["venv", "pip requirements.txt"]

    inner = machine.folder / ".venv" / "bin" / "python"
    inner.write_text(inner.read_text().replace("cpython-311", "cpython-313"))
    machine.make("venv-run")

    assert machine.log == ["venv", "pip requirements.txt"]


def test_make_begins_an_interrupted_install_again(machine):
    machine.python("python3", SOUND)
    (machine.folder / "no-network").touch()
    assert machine.make("run").returncode != 0
    assert machine.log == ["venv", "pip requirements.txt"]

    (machine.folder / "no-network").unlink()
    assert machine.make("venv-run").returncode == 0

    assert machine.log == ["venv", "pip requirements.txt"]


def test_make_restores_what_it_is_told_in_an_environment_of_its_own(machine):
    machine.python("python3", SOUND)

    machine.make("restore", "FROM=/media/my stick")

    assert machine.log == [
        "venv",
        "pip requirements.txt",
        "  manage.py restore /media/my stick",
    ]


def test_make_adds_the_tests_own_packages_to_what_is_there(machine):
    machine.python("python3", SOUND)
    machine.make("venv-run")
    machine.make("venv-dev")
    machine.make("venv-run")

    assert machine.log == ["venv", "pip requirements.txt", "pip requirements-dev.txt"]


def test_make_keeps_what_runs_when_the_tests_packages_do_not_come(machine):
    machine.python("python3", SOUND)
    machine.make("venv-run")
    (machine.folder / "no-network").touch()
    assert machine.make("venv-dev").returncode != 0

    assert machine.make("run").returncode == 0
    assert machine.log[-1] == "  manage.py start"


def test_make_brings_what_postgresql_needs(machine):
    machine.python("python3", SOUND)

    machine.make("venv-run", "DATABASE_URL=postgres://komppa@db/komppa")

    assert machine.log == ["venv", "pip requirements-scale.txt"]


def pins(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z0-9._-]+==[^ ;\\]+)", text, re.MULTILINE))


@pytest.mark.parametrize(
    ("shorter", "longer"),
    [
        ("requirements.txt", "requirements-scale.txt"),
        ("requirements-scale.txt", "requirements-dev.txt"),
    ],
)
def test_longer_lists_only_add_to_the_shorter(shorter, longer):
    assert len(pins(shorter)) > 10
    assert pins(shorter) - pins(longer) == set()


@pytest.mark.parametrize(
    "path",
    [ROOT / "Makefile", ROOT / ".ci" / "run", *sorted(ROOT.glob("requirements*"))],
    ids=lambda path: path.name,
)
def test_no_file_names_a_package_host(path):
    text = path.read_text(encoding="utf-8")

    assert re.findall(r"https?://\S+|--(?:extra-)?index-url|--find-links", text) == (
        ["http://127.0.0.1:8000/"] if path.name == "Makefile" else []
    )


def test_ci_script_is_bash_that_parses_and_may_be_run():
    path = ROOT / ".ci" / "run"

    assert os.access(path, os.X_OK)
    assert subprocess.run(["bash", "-n", path], check=False).returncode == 0
