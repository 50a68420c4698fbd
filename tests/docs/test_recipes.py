"""The hook and the CI recipe of docs/links.md pass on good memories and fail on bad ones."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
BLOCKS = [
    yaml.safe_load(block)
    for block in re.findall(
        r"^```yaml\n(.*?)^```$", (ROOT / "docs/links.md").read_text(), re.M | re.S
    )
]
HOOK: dict[str, Any] = next(block for block in BLOCKS if "repos" in block)["repos"][0]["hooks"][0]
STEPS: list[dict[str, Any]] = next(block for block in BLOCKS if "jobs" in block)["jobs"][
    "memory-links"
]["steps"]
CHECK: str = next(step["run"] for step in STEPS if "--check" in step.get("run", ""))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "tests/docs/memories", tmp_path / "memories")
    return tmp_path


def run(command: str, checkout: Path) -> int:
    environment = {
        "HOME": str(checkout / "home"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    return subprocess.run(["bash", "-c", command], cwd=checkout, env=environment).returncode


@pytest.mark.parametrize("command", [HOOK["entry"], CHECK])
def test_the_check_fails_where_an_index_entry_has_no_file(command: str, checkout: Path) -> None:
    assert run(command, checkout) == 0
    (checkout / "memories" / "user_reviewers.md").unlink()
    assert run(command, checkout) == 1


def test_the_hook_looks_when_a_memory_is_committed() -> None:
    assert re.search(HOOK["files"], "memories/user_reviewers.md")
    assert not re.search(HOOK["files"], "src/main.py")
    assert HOOK["pass_filenames"] is False


def test_the_findings_are_uploaded_from_where_they_are_written(checkout: Path) -> None:
    (checkout / "memories" / "user_reviewers.md").unlink()
    run(CHECK, checkout)
    upload = next(step for step in STEPS if "upload-sarif" in step.get("uses", ""))
    log = json.loads((checkout / upload["with"]["sarif_file"]).read_text())
    (missing,) = [each for each in log["runs"][0]["results"] if each["ruleId"] == "missing"]
    place = missing["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "memories/MEMORY.md"}, "region": {"startLine": 3}}
    assert upload["if"] == "always()"
