"""The tests of writes once more, where ``select_for_update`` is more than a word."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from xml.etree import ElementTree

from tests.serving import ROOT, environment


def test_the_tests_of_writes_pass_on_postgresql(postgres_url, tmp_path):
    url = urlsplit(postgres_url)
    # A test database of its own, in case the suite runs twice at the same time.
    own = urlunsplit(url._replace(path=f"{url.path}_{os.getpid()}"))
    report = tmp_path / "report.xml"
    files = [
        str(path)
        for path in sorted(Path(__file__).parent.rglob("test_*.py"))
        if "mark.database" in path.read_text(encoding="utf-8")
    ]
    answer = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-m", "database", "-q"),
            *("-p", "no:cacheprovider", "-p", "no:xdist", f"--junitxml={report}"),
            *files,
        ],
        cwd=ROOT,
        env=environment(tmp_path / "data", DATABASE_URL=own),
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 0, answer.stdout + answer.stderr
    suite = ElementTree.parse(report).getroot().find("testsuite")
    figures = {name: int(suite.get(name)) for name in ("failures", "errors", "skipped")}
    assert figures == {"failures": 0, "errors": 0, "skipped": 0}
    assert int(suite.get("tests")) > 0
