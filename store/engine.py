"""The database: one engine, connections that are kept, and the two kinds of transaction.

`Database.reading` sees one moment of the store. `Database.writing` takes the write lock before it reads
anything, so that a transaction never finds at its end that what it read has changed (in SQLite, reading
first and writing later fails at once with "database is locked", whatever the timeout).

On SQLite the lock is the file's own; on a server it is a row's (`store.server`). What else differs between
the engines is in `store.schema`, and the full-text index (`store.index`).
"""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import QueuePool

from store import server
from store.errors import Collided, ReadOnly, SourceUnavailable, StoreTooNew
from store.failures import explain
from store.location import Location, is_frozen
from store.migrations import revisions

BUSY_SECONDS = 5.0
_PRAGMAS = (
    "PRAGMA foreign_keys=ON",
    "PRAGMA synchronous=FULL",  # an acknowledged decision survives the loss of power as well
    "PRAGMA secure_delete=ON",  # what was rejected is overwritten, not merely unlinked
)
_KEPT = 16  # idle connections
BEGIN_OPTION = "memory_begin"  # execution option: how a transaction starts
_FORM = "SELECT version_num FROM alembic_version"
_BETWEEN = (0.001, 0.006)  # seconds between two tries for the lock
_PAUSES = (0.01, 0.03, 0.1, 0.3, 1.0)  # seconds before a transaction that collided is run again

T = TypeVar("T")


class Database:
    """A store's engine, safe to use from several threads.

    Args:
        location: where it is.
        read_only: refuse every write, also in the database itself.
    """

    def __init__(self, location: Location, *, read_only: bool = False) -> None:
        self.location = location
        self.read_only = read_only
        self.engine = make_engine(location, read_only=read_only)
        # What this library and the driver raise; statements of `store.prepared` go past the library.
        self.errors = (SQLAlchemyError, sqlite3.Error, self.engine.dialect.loaded_dbapi.Error)
        self._kept: deque[Connection] = deque()
        self._writer: Connection | None = None
        self._write_lock = threading.Lock()
        self._owner: int | None = None
        self._scrub = False
        self._closed = False
        self._notifies = True
        self._file: tuple[int, int] | None = None
        self.lost = False  # the file that was opened is no longer the one at its path

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read one moment of the store; within `writing` of the same thread, what was written so far.

        Raises:
            SourceUnavailable: the database cannot be reached now, or its file was taken away.
        """
        if self._owner == threading.get_ident() and self._writer is not None:
            yield self._writer
            return
        conn = self._take()
        try:
            try:
                yield conn
            finally:
                conn.rollback()
        except self.errors as error:
            self._discard(conn)
            raise explain(error, self.location.display) from error
        except BaseException:
            self._keep(conn)
            raise
        self._keep(conn)

    @contextmanager
    def writing(self, *, scrub: bool = False) -> Iterator[Connection]:
        """Write all or nothing, under the store's one write lock; nested, all or nothing of the part.

        Args:
            scrub: afterwards, also clear what was deleted out of the write-ahead log, if nobody reads it.

        Raises:
            SourceUnavailable: another writer held the lock for too long, the disk failed, or the file
                was taken away.
            StoreTooNew: a newer version has upgraded the store since it was opened.
        """
        if self.read_only:
            raise ReadOnly(
                f"the store was opened for reading only ({self.location.display})",
                hint="Leave --read-only out, or see to it that its file may be written.",
            )
        if self._owner == threading.get_ident() and self._writer is not None:
            self._scrub |= scrub
            with self._writer.begin_nested():
                yield self._writer
            return
        patience = time.monotonic() + BUSY_SECONDS
        with self._write_lock:
            self._owner, self._scrub = threading.get_ident(), scrub
            try:
                conn = self._begin_writing(patience)
                yield conn
                conn.commit()
                self._wake_listeners(conn)
                if self._scrub:
                    _clear_log(conn)
            except self.errors as error:
                self._drop_writer()
                raise explain(error, self.location.display) from error
            except BaseException:
                self._roll_back_writer()
                raise
            finally:
                self._owner = None

    def _wake_listeners(self, conn: Connection) -> None:
        """Tell who listens that something was written, after it was: what fails here is no failed write."""
        if self.location.path is not None or not self._notifies:
            return
        try:
            conn.connection.cursor().execute(server.NOTIFY)
        except self.errors as error:
            if server.is_unreachable(error):
                self._drop_writer()
            else:
                self._notifies = False  # this engine has no notifications

    def retried(self, attempt: Callable[[], T]) -> T:
        """Return what an attempt returns that writes in one transaction; if that collides, try again.

        Engines that take a lock first never collide. Those that find out at the end fail the transaction
        whole, and what it read may be different now: so all of it is done again.

        Raises:
            Collided: it collided time and again, or within a transaction that the caller has begun.
        """
        for pause in _PAUSES:
            try:
                return attempt()
            except Collided:
                if self._owner == threading.get_ident():
                    raise
                time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - not a secret
        return attempt()

    def close(self) -> None:
        """Close every connection; the last one of a SQLite store folds its log into the file."""
        self._closed = True
        with self._write_lock:
            self._drop_writer()
        while self._kept:
            self._discard(self._kept.pop())
        self.engine.dispose()

    def _take(self) -> Connection:
        try:
            conn = self._kept.pop() if self._kept else None
        except IndexError:  # another thread was quicker
            conn = None
        self._require_file(conn)
        try:
            if self.location.path is not None:
                return conn or self.engine.connect()
            return self._begun(conn, server.READ)
        except self.errors as error:
            raise explain(error, self.location.display) from error

    def _begun(self, conn: Connection | None, how: str) -> Connection:
        """Return a connection to a server on which a transaction has begun.

        Args:
            conn: one that may have been lost since it was last used; another one takes its place then.
        """
        if conn is not None:
            try:
                conn.execution_options(**{BEGIN_OPTION: how}).begin()
                return conn
            except self.errors as error:
                self._discard(conn)
                if not server.is_unreachable(getattr(error, "orig", error)):
                    raise
                # Where one was lost, so were the others: a restart ends all, a failover strands them.
                while self._kept:
                    self._discard(self._kept.pop())
        fresh = self.engine.connect()
        try:
            fresh.execution_options(**{BEGIN_OPTION: how}).begin()
        except BaseException:
            self._discard(fresh)
            raise
        return fresh

    def _keep(self, conn: Connection) -> None:
        if len(self._kept) < _KEPT and not self._closed:
            self._kept.append(conn)
        else:
            conn.close()

    def _begin_writing(self, patience: float) -> Connection:
        """Begin to write, waiting for other programs until a moment of `time.monotonic`.

        Who has waited that long for threads of this process already tries once: else, behind a store
        that stays locked, each would wait after the other.
        """
        self._require_file(self._writer)
        left = max(0, int((patience - time.monotonic()) * 1000))
        if self.location.path is None:
            writer, self._writer = self._writer, None
            self._writer = self._begun(writer, server.write(left))
            form = self._writer.exec_driver_sql(server.LOCK).scalar()
        else:
            if self._writer is None:
                self._writer = self.engine.connect().execution_options(
                    **{BEGIN_OPTION: "BEGIN IMMEDIATE"}
                )
            driver = driver_of(self._writer)
            driver.execute(f"PRAGMA busy_timeout={left}")
            self._writer.begin()
            (form,) = driver.execute(_FORM).fetchone()
        if form != revisions()[-1]:
            raise StoreTooNew(
                f"the store at {self.location.display} was given the form {form!r} while it was open here;"
                " nothing was written",
                hint="Start again with the version of memory-inbox that upgraded it.",
            )
        return self._writer

    def _require_file(self, idle: Connection | None) -> None:
        """Refuse a store that was closed, or whose file was deleted, moved or replaced since it was opened.

        SQLite would go on in a file that has no name any more, and all that it acknowledged would be
        gone with the process.

        Args:
            idle: a connection outside a transaction, if there is one; it is discarded then.
        """
        if self._closed:
            if idle is not None:
                self._discard(idle)
            raise SourceUnavailable(
                f"the store was closed ({self.location.display})", hint="Try again."
            )
        if self.location.path is None:
            return
        there = _identity(self.location.path)
        self._file = self._file or there
        if there is not None and there == self._file:
            return
        self.lost = True
        if idle is not None:
            if there is None:
                # What waits in the log belongs to the file, which may still have another name.
                _clear_log(idle)
            self._discard(idle)
        raise SourceUnavailable(
            f"the store's file was deleted, moved or replaced while it was open"
            f" ({self.location.display})",
            hint="Put it back while no program has it open; the next call opens what is there.",
        )

    def _roll_back_writer(self) -> None:
        try:
            if self._writer is not None:
                self._writer.rollback()
        except self.errors:
            self._drop_writer()

    def _drop_writer(self) -> None:
        if self._writer is not None:
            self._discard(self._writer)
            self._writer = None

    def _discard(self, conn: Connection) -> None:
        """Close a connection for good.

        A closed one lives on, with its transaction and its locks, while a statement of it is held: by the
        traceback of an error that somebody keeps, for one. So the transaction is ended by itself.
        """
        with suppress(*self.errors):
            conn.rollback()
        with suppress(*self.errors):
            conn.invalidate()
        with suppress(*self.errors):
            conn.close()


def make_engine(location: Location, *, read_only: bool = False) -> Engine:
    """Return an engine whose connections have this package's settings."""
    if location.path is None:
        return server.make_server_engine(location, BEGIN_OPTION)
    # The URL form would read a `?` in the path as options, the file: form reads it escaped.
    engine = create_engine(
        URL.create("sqlite", database=str(location.path)),
        poolclass=QueuePool,
        max_overflow=-1,
        creator=lambda: connect_sqlite(location, read_only=read_only),
    )

    @event.listens_for(engine, "begin")
    def begin(conn: Connection) -> None:
        how = conn.get_execution_options().get(BEGIN_OPTION)
        if how is None:
            driver_of(conn).execute("BEGIN")
        else:
            _begin_to_write(driver_of(conn), how)

    return engine


def _begin_to_write(driver: sqlite3.Connection, how: str) -> None:
    """Begin a transaction that writes, trying for the lock until the connection's time-out.

    SQLite's own waiting tries less often the longer it lasts, down to ten times a second, so that whoever
    comes late goes first: among eight writers some starved. All try alike here.
    """
    patience = driver.execute("PRAGMA busy_timeout").fetchone()[0]
    until = time.monotonic() + patience / 1000
    driver.execute("PRAGMA busy_timeout=0")
    try:
        while True:
            try:
                driver.execute(how)
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(random.uniform(*_BETWEEN))  # noqa: S311 - not a secret
    finally:
        driver.execute(f"PRAGMA busy_timeout={patience}")


def connect_sqlite(location: Location, *, read_only: bool = False) -> sqlite3.Connection:
    """Return a bare connection to a SQLite store that leaves transactions to its user."""
    assert location.path is not None  # noqa: S101 - callers have looked
    mode = "ro" if read_only else "rw"
    if read_only and is_frozen(location.path):
        mode += "&immutable=1"  # else SQLite wants a file beside it, even to read
    conn = sqlite3.connect(
        f"{location.path.as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    for pragma in _PRAGMAS:
        conn.execute(pragma)
    return conn


def driver_of(conn: Connection) -> Any:
    """Return the driver's own connection."""
    return conn.connection.dbapi_connection


def _identity(path: Path) -> tuple[int, int] | None:
    """Return the file system and number of a file, None when there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _clear_log(conn: Connection) -> None:
    """Fold the write-ahead log into the file and empty it; give up at once if somebody reads it."""
    if conn.dialect.name != "sqlite":
        return
    driver = driver_of(conn)
    driver.execute("PRAGMA busy_timeout=0")
    with suppress(sqlite3.Error):
        driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    driver.execute(f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}")
