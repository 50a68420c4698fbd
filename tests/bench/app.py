"""The app as its operator has it: how soon it is there, how it follows a held key, what it keeps in memory.

Against the barest Textual app, on a terminal of the same size, by turns.
"""

from __future__ import annotations

import shutil
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter

from tests.bench.measuring import Figures, percentile
from tests.bench.terminal import Terminal

OURS = [str(Path(sys.executable).parent / "memory-inbox")]
BARE = [sys.executable, str(Path(__file__).parent / "bare_app.py")]

_LAUNCHES = 11
_HELD = 150  # presses
_HERTZ = 30  # of a held key
_SCREEN = b"\x1b[?1049h"  # the alternate screen, which Textual draws on
_DRAWN = {"ours": b"pending", "bare": b"Line 3"}


@contextmanager
def queue_of(store: Path) -> Iterator[Path]:
    """Lend a copy of a store in which every record waits for a decision."""
    with tempfile.TemporaryDirectory(dir=store.parent.parent) as scratch:
        copy = Path(scratch) / "inbox.db"
        shutil.copy(store, copy)
        with closing(sqlite3.connect(copy)) as conn:
            conn.execute("UPDATE record SET status = 'pending' WHERE base_revision IS NULL")
            conn.commit()
        yield copy


class Looking:
    """What is measured of the app over a queue."""

    def __init__(self, queue: Path) -> None:
        self._queue = queue
        self._home = queue.parent

    def figures(self, size: int, only: str = "") -> Iterator[Figures]:
        """Measure what has ``only`` in its name."""
        if only in "inbox: first paint":
            ours, bare = self._launches()
            yield _compared("inbox: first paint", size, ours, bare, "≤ 1.25 ×")
        if only in "inbox: held j at 30 Hz" or only in "inbox: memory, MB":
            (ours, lag, held), (bare, _, least) = self._hold("ours"), self._hold("bare")
            yield _compared(
                "inbox: held j at 30 Hz, to first byte", size, ours, bare, "p50 ≤ 10 ms"
            )
            yield _compared("inbox: lag after a held j", size, [lag], None, "none")
            yield _compared("inbox: memory, MB", size, [held], [least], f"≤ {least + 40:.0f} MB")

    def _start(self, which: str) -> Terminal:
        command = OURS if which == "ours" else BARE
        places = {name: str(self._home) for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")}
        return Terminal(command, {**places, "MEMORY_INBOX_STORE": str(self._queue)})

    def _launches(self) -> tuple[list[float], list[float]]:
        times: dict[str, list[float]] = {"ours": [], "bare": []}
        for _ in range(_LAUNCHES):
            for which, found in times.items():
                with self._start(which) as terminal:
                    found.append(terminal.wait_for(_SCREEN) * 1000)
        return times["ours"], times["bare"]

    def _hold(self, which: str) -> tuple[list[float], float, float]:
        with self._start(which) as terminal:
            terminal.wait_for(_DRAWN[which])
            terminal.settle()
            times = [terminal.press(b"j", 1 / _HERTZ) * 1000 for _ in range(_HELD)]
            released = perf_counter() - terminal.started
            lag = max(0.0, terminal.settle() - released) * 1000
            return times, lag, terminal.resident()


def _compared(
    name: str, size: int, ours: list[float], bare: list[float] | None, goal: str
) -> Figures:
    return Figures(
        name,
        size,
        statistics.median(ours),
        percentile(ours, 95),
        percentile(ours, 99),
        statistics.median(bare) if bare else None,
        percentile(bare, 95) if bare else None,
        "a minimal Textual app",
        goal,
    )
