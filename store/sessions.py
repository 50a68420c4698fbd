"""Which of the host's sessions are alive, and where they work: what binds a write that does not say."""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import dataclass, replace
from pathlib import Path

from store.records import MemoryScope, Origin

log = logging.getLogger(__name__)
_MARKS = (".git", ".hg", ".jj")  # what stands at the top of a project
_REMEMBERED = 4096  # sessions; a host that never says that one ended must not fill the memory


@dataclass(frozen=True, slots=True)
class Session:
    """A session of the host: ``parent`` is the id of the one that started it."""

    id: str
    directory: str = ""
    parent: str = ""


class Sessions:
    """The live sessions, as SessionStart, Recall and SessionEnd tell them; safe between threads."""

    def __init__(self) -> None:
        self._live: dict[str, Session] = {}
        self._lock = threading.Lock()

    def note(self, id: str, directory: str = "", parent: str = "") -> None:
        """Remember a session, or where it works by now; an empty value keeps what is known."""
        if not id:
            return
        with self._lock:
            known = self._live.pop(id, Session(id))
            self._live[id] = replace(
                known, directory=directory or known.directory, parent=parent or known.parent
            )
            if len(self._live) > _REMEMBERED:
                del self._live[next(iter(self._live))]

    def end(self, id: str) -> None:
        """Forget a session."""
        with self._lock:
            self._live.pop(id, None)

    def lineage(self, id: str) -> tuple[str, ...]:
        """Return a session and those it descends from, nearest first."""
        line: list[str] = []
        with self._lock:
            while id and id not in line:
                line.append(id)
                id = self._live[id].parent if id in self._live else ""
        return tuple(line)

    def only(self) -> Session | None:
        """Return the one live session, None when there is none or more than one."""
        with self._lock:
            return next(iter(self._live.values())) if len(self._live) == 1 else None

    def bind(self, origin: Origin, scope: MemoryScope, project_root: str) -> Origin:
        """Complete an origin with the session and project that a write of this scope belongs to.

        What the origin says holds. Else it is the one live session, and failing that the configured
        project root. A scope that stays unbound is logged: nothing will recall the record by it.
        """
        session = None if origin.session_id or origin.project_root else self.only()
        if session is not None:
            origin = replace(
                origin,
                session_id=session.id,
                project_root=project_of(session.directory) or project_root,
            )
        elif not origin.project_root:
            origin = replace(origin, project_root=project_root)
        if scope is MemoryScope.SESSION and not origin.session_id:
            log.warning("a session memory is written by no known session: it will not be recalled")
        if scope is MemoryScope.PROJECT and not origin.project_root:
            log.warning("a project memory is written in no known project: it will not be recalled")
        return origin


def project_of(directory: str) -> str:
    """Return the project that a directory is in: the nearest one above with a repository, else itself."""
    if not directory:
        return ""
    start = Path(directory)
    for place in (start, *start.parents):
        # Not Path.exists: that raises for a path too long to be one, and a host may say anything.
        if any(os.path.exists(place / mark) for mark in _MARKS):
            return str(place)
    return str(start)
