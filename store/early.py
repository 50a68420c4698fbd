"""Recall for a process that has just begun, by plain `sqlite3`.

A host asks for its first recall right after it has launched us, and importing the database library takes
longer than all else that is needed for an answer. So the first ones are answered from here: what
`store.recall` does needs a connection and no library.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from datetime import datetime
from typing import TYPE_CHECKING

from store import fts5, recall, served
from store.errors import SourceUnavailable
from store.location import Location, check
from store.migrations import revisions
from store.reader import Reader, listed
from store.records import Recalled, RecallRequest, content_hash, fallback_tokens

if TYPE_CHECKING:
    from pathlib import Path

    from store.served import Notes
    from store.tokens import TokenCounter


def open_early(location: Location) -> EarlyStore | None:
    """Open a store for reading if it can be read as it is: a SQLite file of the present form.

    Anything else is for `store.schema.prepare`, which makes, upgrades or refuses it.
    """
    path = location.path
    if path is None or not path.exists():
        return None
    check(path)
    with suppress(sqlite3.Error):
        conn = _connect(path)
        with suppress(sqlite3.Error):
            # Not opened for reading alone: such a connection leaves the files of the log behind.
            conn.execute("PRAGMA query_only=ON")
            if conn.execute("SELECT version_num FROM alembic_version").fetchone() == (
                revisions()[-1],
            ):
                return EarlyStore(path, conn)
        conn.close()
    return None


def _connect(path: Path, patience: float = 5.0) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.as_uri()}?mode=rw",
        uri=True,
        timeout=patience,
        check_same_thread=False,
    )


class EarlyStore:
    """A store that is read for recalls alone; safe between threads, one at a time."""

    def __init__(self, path: Path, conn: sqlite3.Connection) -> None:
        self._path = path
        self._conn = conn
        self._lock = threading.Lock()

    def recall(self, request: RecallRequest, counter: TokenCounter, now: datetime) -> Recalled:
        """Recall as `store.recall.recall` does.

        Args:
            counter: whom to ask for counts that the store does not hold yet; they are kept there then.

        Raises:
            BudgetExceeded: there are candidates and not even the smallest fits.
            sqlite3.Error: the store cannot be read like this, now.
        """
        with self._lock:
            self._conn.execute("BEGIN")
            try:
                read = Reader(self._conn.cursor, fts5)
                found = recall.ranked(read, request, now)
                texts = {content_hash(text): text for text in recall.texts_of(found)}
                known = _known(read, texts, request.model)
            finally:
                self._conn.execute("ROLLBACK")
        known |= self._counted({h: t for h, t in texts.items() if h not in known}, request, counter)
        tokens = [known[content_hash(text)] for text in recall.texts_of(found)]
        return recall.some_of(recall.filled(found, tokens, request.token_budget))

    def keep_served(self, notes: Notes) -> None:
        """Write down what sessions were given, where the process ends before the store was opened."""
        if notes:
            with suppress(sqlite3.Error), closing(_connect(self._path, 0.05)) as conn, conn:
                conn.execute("BEGIN IMMEDIATE")
                conn.executemany(served.KEEP, served.rows_of(notes))
                conn.execute(served.PRUNE, served.before(notes))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._conn.close()

    def _counted(
        self, texts: Mapping[str, str], request: RecallRequest, counter: TokenCounter
    ) -> dict[str, int]:
        """Return the host's counts of texts by hash, and keep them; its estimate while it is not there."""
        if not texts:
            return {}
        try:
            counts = dict(
                zip(texts, counter.count(list(texts.values()), request.model), strict=True)
            )
        except SourceUnavailable:
            return {hash: fallback_tokens(text) for hash, text in texts.items()}
        keep = "INSERT INTO token_count (content_hash, model, tokens) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        # A store that is locked now is no reason to fail: the host is asked again another time.
        with suppress(sqlite3.Error), closing(_connect(self._path, 0.05)) as conn, conn:
            conn.execute("BEGIN IMMEDIATE")
            conn.executemany(keep, [(hash, request.model, n) for hash, n in counts.items()])
        return counts


def _known(read: Reader, hashes: Iterable[str], model: str) -> dict[str, int]:
    """Return the counts that the store holds, by hash of the text."""
    query = "SELECT content_hash, tokens FROM token_count WHERE model = ? AND content_hash IN ??"
    return dict(read.all(query, model, listed(hashes)))
