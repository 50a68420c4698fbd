"""Hearing that others have written, where the engine says so: PostgreSQL's LISTEN and NOTIFY.

A notification carries nothing and only wakes: what is read comes from the store, as ever. So none that is
lost matters for longer than the next look, and an engine that has none is looked at from time to time.

Source: https://www.postgresql.org/docs/15/sql-notify.html.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from store.engine import Database, driver_of
from store.server import CHANNEL, UNSUPPORTED, code_of

_TURN = 1.0  # seconds between looks whether to stop
_PAUSES = (
    0.5,
    1.0,
    2.0,
    5.0,
    15.0,
)  # seconds before the line is tried again, the last one from then on


class Listener:
    """Calls back from a thread of its own whenever somebody has written, this program included.

    Args:
        on_change: called after a write, and once the line stands: something may have been missed before.
    """

    def __init__(self, database: Database, on_change: Callable[[], object]) -> None:
        self._database = database
        self._on_change = on_change
        self._ended = threading.Event()
        self._hears = threading.Event()
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)
        self._thread.start()

    @property
    def hears(self) -> bool:
        """Whether the line stands now; while it does not, looking is the only way to know."""
        return self._hears.is_set()

    def close(self) -> None:
        """Stop, within a second or so; waits for nothing."""
        self._ended.set()

    def _run(self) -> None:
        failed = 0
        while not self._ended.is_set():
            try:
                self._listen()
            except self._database.errors as error:
                if code_of(getattr(error, "orig", error)).startswith(UNSUPPORTED):
                    return
                failed = 1 if self._hears.is_set() else failed + 1
            self._hears.clear()
            self._ended.wait(_PAUSES[min(failed, len(_PAUSES)) - 1])

    def _listen(self) -> None:
        with self._database.engine.connect() as conn:
            conn.detach()  # never given to anybody else
            driver: Any = driver_of(conn)
            try:
                driver.execute(f"LISTEN {CHANNEL}")
                self._hears.set()
                self._on_change()
                while not self._ended.is_set():
                    for _ in driver.notifies(timeout=_TURN, stop_after=1):
                        self._on_change()
            finally:
                with suppress(*self._database.errors):
                    driver.close()
