"""Opening the demo store: a file of its own, filled on the spot, never near an operator's records."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from store.clock import now as micros_now
from store.clock import to_micros
from store.local import LocalDesk
from tui.demo import REVIEWER, fill

NAME = "demo store"
"""What the header calls it."""


def open_demo(directory: Path, now: datetime | None = None) -> LocalDesk:
    """Make a demo store and open it.

    Args:
        directory: an existing, private directory; the file in it must not exist yet.
        now: when it is told from; the present when None. When given, the store's clock stands still there.

    Raises:
        MemoryError: the store cannot be made there.
    """
    moment = now or datetime.now(UTC)
    desk = LocalDesk(str(directory / "demo.db"))
    desk.reviewer = REVIEWER
    desk.open()

    def at(moment: datetime) -> None:
        desk.clock = lambda: to_micros(moment)

    with desk.batch():
        fill(desk, moment, at)
    if now is None:
        desk.clock = micros_now
    return desk


@contextmanager
def demo_directory() -> Iterator[Path]:
    """Give a private directory for a demo store, and remove it with all that was tried in it."""
    with tempfile.TemporaryDirectory(
        prefix="memory-inbox-demo-", ignore_cleanup_errors=True
    ) as name:
        yield Path(name)
