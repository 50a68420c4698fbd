"""The recorded session is the path that the README names, and the commands in it still answer so."""

from __future__ import annotations

import itertools
import json
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
CAST = (ROOT / "screenshots" / "one-minute.cast").read_text("utf-8")


def run(store: Path, *arguments: str) -> list[str]:
    command = [sys.executable, "-m", "tui.main", "--store", str(store / "inbox.db"), *arguments]
    done = subprocess.run(command, cwd=store, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_it_is_a_recording_in_order_of_time_that_shows_no_machine() -> None:
    header, *events = [json.loads(line) for line in CAST.splitlines()]
    assert header["version"] == 2
    assert all(kind == "o" for _, kind, _ in events)
    times = [seconds for seconds, _, _ in events]
    assert all(before < after for before, after in itertools.pairwise(times))
    assert times[-1] <= 60
    assert not re.search(r"/tmp/|/root|/home/", CAST)


def test_it_shows_the_commands_of_the_readme() -> None:
    script = runpy.run_path(str(ROOT / "screenshots" / "cast.py"))
    [block] = re.findall(r"^## In a minute\n\n```sh\n(.*?)```", README, re.M | re.S)
    wanted = [line.partition("  ")[0] for line in block.splitlines()]
    assert list(script["COMMANDS"][:2]) == wanted
    assert "screenshots/one-minute.cast" in README


@pytest.mark.parametrize("at", [0, 1])
def test_its_commands_still_answer_so(at: int, tmp_path: Path) -> None:
    script = runpy.run_path(str(ROOT / "screenshots" / "cast.py"))
    recorded = script["answers"](CAST)[at].splitlines()
    shutil.copytree(script["MEMORIES"], tmp_path / "memories")
    said = run(tmp_path, "import", "memories")
    if at == 1:
        drafts = [line.split()[0] for line in run(tmp_path, "list", "--status", "pending")]
        rejected = drafts[script["KEYS"].index("r")]
        run(tmp_path, "approve", *(id for id in drafts if id != rejected))
        run(tmp_path, "reject", rejected)
        said = run(tmp_path, "count")
    # Columns here, tabs in a pipe.
    words = [line.split() for line in recorded]
    assert [line for line in said if line.split() not in words] == []
