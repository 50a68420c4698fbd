"""A sitting line by line in a test: what is said to it, and what it says."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from tests.tui.sitting import NOW, desk_at
from tui.keeping import Keeper
from tui.linear.session import hold
from tui.linear.sitting import Sitting
from tui.linear.speaking import Voice
from tui.settings import DEFAULTS, Settings


@dataclass
class Talk:
    """What was said, and the sitting as it was left."""

    said: str
    sitting: Sitting

    @property
    def lines(self) -> list[str]:
        return self.said.splitlines()

    @property
    def marks(self) -> dict[str, str]:
        """Ids and the words of their marks."""
        return {marked.id: str(marked.mark) for marked in self.sitting.marks}


@dataclass
class Script:
    """Lines to be heard; a function among them is called when its turn comes, as something happening."""

    lines: Iterator[str | Callable[[], object]]

    def readline(self) -> str:
        for line in self.lines:
            if isinstance(line, str):
                return f"{line}\n"
            line()
        return ""


def talk(
    store: Path,
    *lines: str | Callable[[], object],
    keeper: Keeper | None = None,
    terminal: bool = False,
    settings: Settings = DEFAULTS,
) -> Talk:
    """Say lines to a sitting over a store whose clock stands still, until they end."""
    spoken = StringIO()
    desk = desk_at(store)
    heard = Script(iter(lines))
    voice = Voice(heard, spoken, terminal)
    sitting = Sitting(desk, voice, lambda: NOW, "ann", "test.db", keeper, settings)
    try:
        hold(sitting)
    finally:
        desk.close()
    return Talk(spoken.getvalue(), sitting)


def pipe(store: Path, home: Path, text: str | bytes) -> subprocess.CompletedProcess[bytes]:
    """Say lines to the program through a pipe; its marks are kept below ``home``."""
    return subprocess.run(
        [sys.executable, "-m", "tui.main", "--store", str(store), "--linear"],
        input=text.encode() if isinstance(text, str) else text,
        env={**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home / "state")},
        capture_output=True,
        check=True,
    )
