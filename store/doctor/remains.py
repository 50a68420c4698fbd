"""What outlives a text that was destroyed: copies beside the store, and a log that somebody still reads."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import Connection, select

from store import tables
from store.doctor import place
from store.doctor.finding import Finding, Level
from store.records import Decision

_DESTROYING = (Decision.REJECT, Decision.WITHDRAW, Decision.PURGE)


def examine(conn: Connection, path: Path) -> Iterator[Finding]:
    """Look for copies that hold what was rejected, withdrawn or purged since they were made."""
    if not place.copies(path):
        return
    for copy, count in holding(path, _destroyed(conn)).items():
        yield Finding(
            "copies",
            Level.NOTE,
            f"{copy} still holds {count:,} texts that were rejected or destroyed since",
            f"rm {copy}",
        )


def holding(path: Path, hashes: set[str]) -> dict[Path, int]:
    """Return the copies beside a store that hold texts of some hashes, and how many of them.

    Copies that cannot be read are left out.
    """
    found: dict[Path, int] = {}
    for copy in place.copies(path):
        with suppress(sqlite3.Error, ValueError, KeyError):
            count = len(hashes.intersection(_hashes(copy)))
            if count:
                found[copy] = count
    return found


def log_is_left(path: Path) -> bool:
    """Tell whether a store's log could not be emptied, because another program reads it."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _destroyed(conn: Connection) -> set[str]:
    """Return the hashes of texts that the store no longer holds anywhere."""
    ended = select(tables.journal.c.content_hash).where(
        tables.journal.c.decision.in_([decision.value for decision in _DESTROYING])
    )
    destroyed = set(conn.execute(ended.distinct()).scalars())
    destroyed.difference_update(conn.execute(select(tables.record.c.content_hash)).scalars())
    for payload in conn.execute(select(tables.trash.c.payload)).scalars():
        destroyed.discard(json.loads(payload)["row"]["content_hash"])
    return destroyed


def _hashes(copy: Path) -> Iterator[str]:
    # Nobody writes to a copy, and opened so it gets no files of its own beside it.
    with closing(sqlite3.connect(f"{copy.as_uri()}?immutable=1", uri=True)) as conn:
        for (found,) in conn.execute("SELECT content_hash FROM record"):
            yield found
        for (payload,) in conn.execute("SELECT payload FROM trash"):
            yield json.loads(payload)["row"]["content_hash"]
