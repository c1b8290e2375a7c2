"""Who may import whom; a test that plants a bad import proves that it is noticed."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving import ROOT

RULES = "the rules know no site"
PURE = "what is computed knows no database"
SITE = "leaves <- who meets whom <- what happened <- who sees it"


def lint_imports(tree: Path) -> tuple[int, list[str]]:
    """Return the exit code and the names of the broken contracts."""
    answer = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = answer.stdout.splitlines()
    broken = [line.removesuffix(" BROKEN") for line in lines if "BROKEN" in line]
    return answer.returncode, broken


def test_import_contracts_hold():
    assert lint_imports(ROOT) == (0, [])


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("scoring/points.py", "import komppa.errors", RULES),
        ("scoring/standings.py", "from django.utils import timezone", RULES),
        ("komppa/cup/draw.py", "from django.db import models", PURE),
        ("komppa/errors.py", "from komppa.cup import models", SITE),
        ("komppa/cup/models.py", "from komppa.sheets import models as other", SITE),
        ("komppa/sheets/queries.py", "from komppa.live import views", SITE),
        ("komppa/cup/queries.py", "from komppa.cup import services", "inside cup"),
        ("komppa/cup/services.py", "from komppa.cup import forms", "inside cup"),
        ("komppa/sheets/services.py", "import komppa.sheets.forms", "inside sheets"),
        ("komppa/sheets/forms.py", "import komppa.sheets.views", "inside sheets"),
        ("komppa/live/boards.py", "import komppa.live.views", "inside live"),
    ],
    ids=lambda value: value if str(value).endswith(".py") else "",
)
def test_import_contracts_notice_a_planted_import(tmp_path, module, line, contract):
    for name in ("scoring", "komppa"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    planted = tmp_path / module
    planted.write_text(planted.read_text(encoding="utf-8") + f"\n{line}\n")

    code, broken = lint_imports(tmp_path)

    assert code == 1
    assert contract in broken


def imported_names(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import in {path}"
            names.add(str(node.module).split(".")[0])
    return names


@pytest.mark.parametrize(
    "path", sorted((ROOT / "scoring").glob("**/*.py")), ids=lambda path: path.name
)
def test_the_rules_need_the_standard_library_alone(path):
    assert imported_names(path) - sys.stdlib_module_names <= {"scoring"}


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in sorted((ROOT / "scoring").glob("**/*.py"))
        if path.name != "__main__.py"
    ],
    ids=lambda path: path.name,
)
def test_the_rules_know_no_clock_no_chance_and_no_files(path):
    worldly = {"time", "datetime", "random", "secrets", "uuid", "os", "sys", "pathlib"}

    assert imported_names(path) & worldly == set()
