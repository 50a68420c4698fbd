"""What sessions were given of the store, so that what they write can be told from what they read.

A recall must not wait for a write, so it only leaves a note here, in memory; the notes are written down a
little later by a thread, and when the store is closed, for other processes and for this one's next. Who
writes looks at both. What is kept is ids and times, for a day.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple
from itertools import accumulate, product
from typing import TYPE_CHECKING, TypeAlias

from store.clock import DAY
from store.reader import Reader, listed

if TYPE_CHECKING:
    from sqlalchemy import Connection

Notes: TypeAlias = Mapping[tuple[str, str], int]
"""By session and record, when it was given last."""

LATER = 2.0  # seconds from a recall to the write of its note, which holds those of all recalls until then
KEPT = DAY
MOST = 20_000  # notes, in memory and in the store
_LONGEST = 500  # characters of a session's name; a host may say anything
_LOOKED_AT = 200  # texts that were given last, with which each write of the session is compared
_CHARACTERS = 1_000_000  # of these texts together; those beyond are older

# Named values, for both the library and the bare driver of SQLite know these.
KEEP = (
    "INSERT INTO served (session_id, record_id, at) VALUES (:session_id, :record_id, :at)"
    " ON CONFLICT (session_id, record_id) DO UPDATE SET at = excluded.at"
)
PRUNE = (
    "DELETE FROM served WHERE at < :before"
    " OR at < (SELECT at FROM served ORDER BY at DESC LIMIT 1 OFFSET :most)"
)
_GIVEN = "SELECT record_id, at FROM served WHERE session_id = ? AND at > ? ORDER BY at DESC LIMIT ?"
_TEXTS = "SELECT id, content FROM record WHERE id IN ?? AND id <> ?"


class Served:
    """The notes of one process that are not written down yet; safe between threads.

    Args:
        keep: writes them down, and says so with `kept`; called in a thread of its own.
    """

    def __init__(self, keep: Callable[[], None]) -> None:
        self._keep = keep
        self._notes: dict[tuple[str, str], int] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def note(self, readers: Iterable[str], ids: Iterable[str], at: int) -> None:
        """Note what was given, by the names of a session that it may write under."""
        named = (reader for reader in readers if 0 < len(reader) <= _LONGEST)
        given = dict.fromkeys(product(named, ids), at)
        with self._lock:
            self._notes |= given
            for oldest in list(self._notes)[: max(0, len(self._notes) - MOST)]:
                del self._notes[oldest]
            if self._timer is None:
                self._timer = threading.Timer(LATER, self._run)
                self._timer.daemon = True
                self._timer.start()

    def notes(self) -> Notes:
        """Return what is not written down yet."""
        with self._lock:
            return dict(self._notes)

    def kept(self, notes: Notes) -> None:
        """Forget notes that are written down by now, but for those that were made anew."""
        with self._lock:
            for key, at in notes.items():
                if self._notes.get(key) == at:
                    del self._notes[key]

    def stop(self) -> None:
        """Have nothing written down by the thread any more."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _run(self) -> None:
        with self._lock:
            self._timer = None
        self._keep()


def rows_of(notes: Notes) -> list[dict[str, str | int]]:
    """Return notes as values of `KEEP`."""
    return [
        {"session_id": session, "record_id": id, "at": at} for (session, id), at in notes.items()
    ]


def before(notes: Notes) -> dict[str, int]:
    """Return the values of `PRUNE`, where notes are written down: the clock is the one that made them."""
    return {"before": max(notes.values()) - KEPT, "most": MOST}


def keep(conn: Connection, notes: Notes) -> None:
    """Write notes down, and drop what is too old or too many."""
    from sqlalchemy import text

    conn.execute(text(KEEP), rows_of(notes))
    conn.execute(text(PRUNE), before(notes))


def echo_of(
    read: Reader, content: str, session_id: str, notes: Notes, now: int, except_id: str = ""
) -> str:
    """Return what a text repeats of those that its session was given, as it is kept with a draft.

    Args:
        notes: those that are not written down yet.
        now: the present, in microseconds.
        except_id: of the record that gets the text: a new text of its own mostly is the old one.
    """
    if not session_id:
        return ""
    given = dict(read.all(_GIVEN, session_id, now - KEPT, _LOOKED_AT))
    given |= {id: at for (session, id), at in notes.items() if session == session_id}
    latest = sorted(given, key=lambda id: (-given[id], id))[:_LOOKED_AT]
    return _echo(read, content, latest, except_id)


def echo_still(read: Reader, content: str, echo: str) -> str:
    """Return what a changed text still repeats of the one that it repeated before."""
    return _echo(read, content, [json.loads(echo)[0]], "") if echo else ""


def _echo(read: Reader, content: str, ids: list[str], except_id: str) -> str:
    places = {id: place for place, id in enumerate(ids)}
    texts = read.all(_TEXTS, listed(ids), except_id) if ids else []
    if not texts:
        return ""
    from render.lens.echoes import repeated  # it takes a while to load, and most writes need it not

    texts.sort(key=lambda text: places[text[0]])
    upto = accumulate(len(text) for _, text in texts)
    found = repeated(
        content, [text for text, n in zip(texts, upto, strict=True) if n <= _CHARACTERS]
    )
    return "" if found is None else json.dumps(astuple(found), ensure_ascii=False)
