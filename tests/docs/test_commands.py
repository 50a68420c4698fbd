"""The commands that the pages show are run, in order, and print what the pages say they print."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from tests.cli.terminals import run_on_terminal, uncoloured
from tests.docs.consoles import Example, examples

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
INTERACTIVE = re.compile(r"memory-inbox( -\S+( \S+)?)*$|.*memory-inbox serve\b")


def runnable(page: Path) -> list[Example]:
    return [example for example in examples(page) if _is_ours(example.command)]


def _is_ours(command: str) -> bool:
    return "memory-inbox" in command and not INTERACTIVE.match(command)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return make_home(tmp_path)


def make_home(home: Path) -> Path:
    """Make a home with a project whose agent wrote the files of `memories/` three days ago, by name."""
    memories = home / "project" / "memories"
    shutil.copytree(ROOT / "tests/docs/memories", memories)
    written = time.time() - timedelta(days=3, hours=1).total_seconds()
    for place, file in enumerate(sorted(memories.iterdir())):
        os.utime(file, (written - place, written - place))
    return home


@pytest.mark.parametrize(
    "page", [page for page in PAGES if runnable(page)], ids=lambda page: page.name
)
def test_commands_of_a_page_work_as_shown(page: Path, home: Path) -> None:
    environment = {
        "HOME": str(home),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "NO_COLOR": "1",
    }
    remarks = home / "stderr"  # aside, for a progress bar would draw itself over the answer
    for example in runnable(page):
        code, received = run_on_terminal(
            ["bash", "-c", f"{{ {example.command}\n}} 2>{remarks}"],
            environment,
            cwd=home / "project",
        )
        printed = uncoloured(received) + remarks.read_text("utf-8")
        place = f"{page.name}:{example.line}: {example.command}\n{printed}"
        assert code == 0, place
        assert example.matches(printed), place


def test_an_example_must_match_line_by_line() -> None:
    """The check itself: an ellipsis stands for text in a line, alone for any lines, nothing else does."""
    example = Example(1, "x", ("a … c", "…", "end"))
    assert example.matches("a b c\nmore\nand more\nend\n")
    assert example.matches("a b c\nend")
    assert not example.matches("a b d\nend\n")
    assert not example.matches("a b c\nend\nmore\n")
