"""Opening the demo store: a file of its own, filled on the spot, never near an operator's records."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from store.clock import now as micros_now
from store.clock import to_micros
from tui.demo import REVIEWER, fill

if TYPE_CHECKING:  # the database is imported when it is opened, off the UI thread
    from store.local import LocalDesk

NAME = "demo store: nothing in it is yours"
"""What the header calls it."""


def open_demo(directory: Path, now: datetime, *, standing: bool = False) -> LocalDesk:
    """Make a demo store and open it.

    Args:
        directory: an existing, private directory; the file in it must not exist yet.
        now: when it is told from; aware.
        standing: whether the store's clock stands still there, for screenshots and tests.

    Raises:
        MemoryError: the store cannot be made there.
    """
    from store.local import LocalDesk

    desk = LocalDesk(str(directory / "demo.db"))
    desk.reviewer = REVIEWER
    desk.open()

    def at(moment: datetime) -> None:
        desk.clock = lambda: to_micros(moment)

    with desk.batch():
        fill(desk, now, at)
    if not standing:
        desk.clock = micros_now
    return desk


@contextmanager
def demo_directory() -> Iterator[Path]:
    """Give a private directory for a demo store, and remove it with all that was tried in it."""
    with tempfile.TemporaryDirectory(
        prefix="memory-inbox-demo-", ignore_cleanup_errors=True
    ) as name:
        yield Path(name)
