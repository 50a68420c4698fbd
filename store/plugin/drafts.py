"""Drafts out of hooks, written behind the host's back: a hook must be answered within milliseconds.

One thread writes them in order. What a hook asked for and the store would not take is logged, and the
turn goes on.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable

from store.agents.events import written
from store.errors import MemoryError
from store.host import LocalProvider
from store.plugin.remembered import Asked
from store.records import (
    MutationEvent,
    NewRecord,
    Origin,
    content_hash,
)
from store.sessions import project_of

_WAITING = 1000  # a host that sends more than this while the store is locked loses the newest
_KNOWN = 4096  # texts that are not drafted again

Emit = Callable[[str, str, MutationEvent], bool]

_log = logging.getLogger(__name__)


class Drafts:
    """The queue and its writer.

    Args:
        emit: tells the host of a write: session id, kind of event, event.
    """

    def __init__(self, provider: LocalProvider, emit: Emit) -> None:
        self._provider = provider
        self._emit = emit
        self._jobs: deque[tuple[Asked, Origin]] = deque()
        self._known: dict[str, None] = {}
        self._busy = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def add(self, wanted: Iterable[Asked], recorded_by: str) -> None:
        """Have drafts written soon; a text that was asked for before is not drafted again."""
        origin = Origin(recorded_by)
        # The session may have ended by the time that the draft is written.
        if session := self._provider.sessions.only():
            root = project_of(session.directory)
            origin = Origin(recorded_by, session_id=session.id, project_root=root)
        with self._changed:
            for each in wanted:
                if self._is_new(each):
                    self._jobs.append((each, origin))
            if self._jobs and self._thread is None:
                self._thread = threading.Thread(target=self._run, name="drafts", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def settle(self, seconds: float) -> bool:
        """Wait until everything asked for is written; False when it took too long."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._jobs and not self._busy, seconds)

    def _is_new(self, asked: Asked) -> bool:
        key = f"{asked.type}/{asked.scope}/{content_hash(asked.text)}"
        if key in self._known:
            return False
        if len(self._jobs) >= _WAITING:
            _log.warning("a memory was not drafted: too many wait for the store")
            return False
        self._known[key] = None
        if len(self._known) > _KNOWN:
            del self._known[next(iter(self._known))]
        return True

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._jobs)
                asked, origin = self._jobs.popleft()
                self._busy = True
            try:
                self._write(asked, origin)
            except MemoryError as error:
                _log.warning("a memory asked for in a message was not drafted: %s", error)
            except Exception as error:
                _log.error("a memory was not drafted", exc_info=error)
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()

    def _write(self, asked: Asked, origin: Origin) -> None:
        new = NewRecord(asked.type, asked.scope, asked.title, asked.text)
        result = self._provider.record(new, origin)
        self._emit(origin.session_id, "memory_write", written(new, result))
