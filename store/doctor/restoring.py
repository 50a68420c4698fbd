"""A new store beside one that is damaged, and never over it: of a backup, or of what can be read of itself.

The pages are copied as they are. Where SQLite finds them whole, that is the store. Where it does not, every
row that can still be read is written to a store made anew, past all indexes; what follows from the records
is written from them. Pages that cannot be read lose their own rows and no others.
"""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Table

from store import location, tables
from store.copying import COPIED
from store.doctor import mend, place
from store.doctor.finding import Finding
from store.doctor.remains import log_is_left
from store.errors import InvalidArgument, MemoryError, SourceUnavailable
from store.failures import explain
from store.host import open_database
from store.location import Location
from store.migrations import revisions

_TAKEN = tuple(table for table in COPIED if table is not tables.link)  # links follow from the texts
_LEAST, _MOST = -(2**63), 2**63 - 1  # keys
_TRIES = 4096  # ranges of keys in which nothing could be read, before a table is given up
_SMALLEST = 8  # bytes that a row takes at least, and then some


@dataclass(frozen=True, slots=True)
class Restored:
    """A store that was made beside another.

    Args:
        entries, trashed, lines: how many records and drafts, deleted ones, lines of the journal it has.
        unread: the tables of which some rows could not be read.
        left: what is not as it should be with it.
    """

    path: Path
    entries: int
    trashed: int
    lines: int
    unread: tuple[str, ...]
    left: tuple[Finding, ...]


def restore(where: Location, source: Path) -> Restored:
    """Make a new store beside one; neither it nor the source is changed.

    Args:
        source: a backup, of this version's form or an older one, or the damaged store itself.

    Raises:
        InvalidArgument: the store is on a server.
        NotFound: there is no such source.
        MemoryError: nothing can be made of the source, or there is no room; then nothing is left behind.
    """
    if where.path is None:
        raise InvalidArgument(
            "a server's backups are restored by its own tools", hint="See pg_restore."
        )
    location.require(source)
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    made = where.path.with_name(f"{where.path.name}.restored-{stamp}")
    pages = made.with_name(f"{made.name}.pages")
    try:
        _copy_pages(source, pages, alone=source != where.path)
        unread: tuple[str, ...] = ()
        if _is_whole(pages):
            pages.replace(made)
            _bring_up_to_date(made)
        else:
            unread = _take_what_can_be_read(pages, made)
        left = tuple(mend(location.resolve(str(made))))
    except (OSError, sqlite3.Error) as error:
        _remove(made)
        if isinstance(error, OSError):
            raise SourceUnavailable(f"{made} cannot be made: {error.strerror}") from error
        full = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
        raise explain(error, str(made if full else source)) from error
    except BaseException:
        _remove(made)
        raise
    finally:
        _remove(pages)
    return Restored(made, *_counted(made), unread, left)


def _copy_pages(source: Path, target: Path, *, alone: bool) -> None:
    """Copy a database as it is.

    Args:
        alone: nobody writes to it; without a log of its own it then gets no file beside it.
    """
    os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    fixed = "&immutable=1" if alone and not log_is_left(source) else ""
    with (
        closing(sqlite3.connect(f"{source.as_uri()}?mode=ro{fixed}", uri=True)) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        old.backup(new)


def _is_whole(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path)) as conn:
            said = [row[0] for row in conn.execute("PRAGMA integrity_check(5)")]
    except sqlite3.DatabaseError:
        return False
    return place.is_whole_but_for_indexes(said)


def _bring_up_to_date(path: Path) -> None:
    open_database(location.resolve(str(path)), read_only=False).close()
    for copy in place.copies(path):  # made before an upgrade, of what is itself a copy
        copy.unlink()


def _take_what_can_be_read(pages: Path, made: Path) -> tuple[str, ...]:
    """Fill a new store; returns the tables of which not all could be read."""
    open_database(location.resolve(str(made)), read_only=False).close()
    unread = []
    with closing(sqlite3.connect(pages)) as old, closing(sqlite3.connect(made)) as new:
        found = old.execute("SELECT version_num FROM alembic_version NOT INDEXED").fetchone()
        if found is None or found[0] != revisions()[-1]:
            raise MemoryError(
                "it is damaged, and of an older form: nothing can be made of it here",
                hint="Try another copy.",
            )
        for table in _TAKEN:
            names = ", ".join(f'"{column.name}"' for column in table.columns)
            marks = ", ".join("?" * len(table.columns))
            reading = _Rows(old, table.name, names, _last_key(old, table, pages))
            new.executemany(
                f"INSERT OR IGNORE INTO {table.name} ({names}) VALUES ({marks})",  # noqa: S608
                reading.all(),
            )
            unread += [table.name] if reading.failed else []
        # What belonged to a record that could not be read.
        for name, key, *_ in new.execute("PRAGMA foreign_key_check").fetchall():
            new.execute(f"DELETE FROM {name} WHERE rowid = ?", (key,))  # noqa: S608
        new.commit()
    return tuple(unread)


def _last_key(old: sqlite3.Connection, table: Table, pages: Path) -> int:
    """Return a key that rows of a table are hardly beyond: keys are given in order, from 1."""
    last = pages.stat().st_size // _SMALLEST
    with suppress(sqlite3.DatabaseError):
        given = old.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table.name,))
        last = max(last, *(row[0] for row in given), 1)
    return last


class _Rows:
    """The rows of a table that can be read.

    Args:
        last: a key that none is likely to be beyond.
    """

    def __init__(self, conn: sqlite3.Connection, table: str, columns: str, last: int) -> None:
        self._conn = conn
        self._query = (
            f"SELECT rowid, {columns} FROM {table} NOT INDEXED"  # noqa: S608
            " WHERE rowid BETWEEN ? AND ? ORDER BY rowid"
        )
        self._ranges = deque([(_LEAST, 0), (1, last), (last + 1, _MOST)])
        self.failed = False

    def all(self) -> Iterator[tuple[object, ...]]:
        """Yield them: of a range from either end up to what cannot be read, then of both halves of that."""
        tries = 0
        while self._ranges and tries < _TRIES:
            low, high = before, after = self._ranges.popleft()
            try:
                for key, *row in self._conn.execute(self._query, (low, high)):
                    before = key + 1
                    yield tuple(row)
                continue
            except sqlite3.DatabaseError:
                self.failed = True
            try:
                for key, *row in self._conn.execute(f"{self._query} DESC", (before, high)):
                    after = key - 1
                    yield tuple(row)
                continue
            except sqlite3.DatabaseError:
                tries += (before, after) == (low, high)
            if before < after:
                middle = (before + after) // 2
                self._ranges += [(before, middle), (middle + 1, after)]


def _counted(path: Path) -> tuple[int, int, int]:
    with closing(sqlite3.connect(path)) as conn:
        of = (tables.record.name, tables.trash.name, tables.journal.name)
        entries, trashed, lines = (
            conn.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608
            for name in of
        )
    return entries, trashed, lines


def _remove(path: Path) -> None:
    for beside in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            Path(f"{path}{beside}").unlink()
