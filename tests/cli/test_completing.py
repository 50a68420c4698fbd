"""Shell completion: the words that a shell is offered."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.cli.conftest import Write


def complete(store: Path, line: str) -> list[str]:
    """Return what a shell would be offered at the end of a line."""
    words = line.split(" ")
    ran = subprocess.run(
        [sys.executable, "-m", "tui.main"],
        env={
            **os.environ,
            "MEMORY_INBOX_STORE": str(store),
            "_MEMORY_INBOX_COMPLETE": "complete_bash",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(words) - 1),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stderr == ""
    return ran.stdout.split()


def test_ids_are_completed_from_the_store(write: Write, store_path: Path) -> None:
    write("Note one", draft=True)
    write("Note two")
    write("Other", draft=True)
    assert sorted(complete(store_path, "memory-inbox show note")) == ["note-one", "note-two"]
    assert complete(store_path, "memory-inbox approve n") == ["note-one"]


def test_commands_are_completed_without_a_store(tmp_path: Path) -> None:
    assert complete(tmp_path / "none.db", "memory-inbox approve n") == []
    assert complete(tmp_path / "none.db", "memory-inbox rest") == ["restore"]
    assert list(tmp_path.iterdir()) == []
