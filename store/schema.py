"""The shape of the database: made when new, brought up to date when old, refused when newer.

The usual case, a database that is up to date, is told by one plain query and never imports alembic. A
change to an existing database is preceded by a copy of it, and made under the write lock in one
transaction: of two programs that start at once, one upgrades and the other finds it done.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from store import location as places
from store.engine import BEGIN_OPTION, Database, connect_sqlite, driver_of
from store.errors import MemoryError, SourceUnavailable, StoreTooNew
from store.failures import explain
from store.migrations import MIGRATIONS, revisions
from store.server import COLLIDED, LOCK, code_of

_WAIT_MS = 120_000  # for another program's upgrade; a large store's index takes that long to build
_PAUSE_MS = 20
_TABLE = "alembic_version"
_ATTEMPTS = 5  # at an upgrade that another program makes as well
_EXISTS = ("42P07", "42710", "23505")  # SQLSTATE: a table or type of the name, a row of the key


def prepare(database: Database) -> None:
    """Make the database ready for use.

    Raises:
        StoreTooNew: it was written by a newer version; it was left as it is.
        MemoryError: the file is some other program's database, or damaged.
        NotFound: it is to be read only and is not there.
        SourceUnavailable: it cannot be reached or made.
    """
    path = database.location.path
    if path is None:
        _prepare_server(database)
        return
    if database.read_only:
        places.require(path)
    else:
        places.claim(path)
    places.require_access(path, writing=not database.read_only)
    found = _look(database)
    if found != revisions()[-1]:
        if database.read_only:
            raise MemoryError(
                f"the store at {path} has an older form and may not be changed here",
                hint="Open it once for writing, as with `memory-inbox count`.",
            )
        _upgrade_file(database, path)


def _look(database: Database) -> str | None:
    """Return a SQLite store's revision, None for an empty one; reads only, not even settings are made."""
    try:
        # Closing a connection that may write folds the log into the file, and that would be a change.
        with closing(connect_sqlite(database.location, read_only=True)) as conn:
            return _known(conn, database.location.display)
    except sqlite3.Error as error:
        raise explain(error, database.location.display) from error


def _known(conn: sqlite3.Connection, display: str) -> str | None:
    tables = {row[0] for row in conn.execute("SELECT name FROM sqlite_master")}
    if not tables:
        return None
    if _TABLE not in tables or "record" not in tables:
        raise _foreign(display)
    row = conn.execute(f"SELECT version_num FROM {_TABLE}").fetchone()  # noqa: S608
    return _checked(row[0] if row else "", display)


def _checked(found: str, display: str) -> str:
    if found not in revisions():
        raise StoreTooNew(
            f"the store at {display} has form {found!r}, this version knows up to"
            f" {revisions()[-1]!r}; it was left as it is",
            hint="Update memory-inbox, or choose another store with --store.",
        )
    return found


def _foreign(display: str) -> MemoryError:
    return MemoryError(
        f"the database at {display} belongs to some other program",
        hint="Choose another file with --store.",
    )


def _upgrade_file(database: Database, path: Path) -> None:
    display = database.location.display
    engine = database.engine
    try:
        # Foreign keys are off here: rebuilding a table drops it, which would delete what refers to it.
        with engine.connect() as conn:
            driver: sqlite3.Connection = driver_of(conn)
            driver.execute(f"PRAGMA busy_timeout={_WAIT_MS}")
            driver.execute("PRAGMA foreign_keys=OFF")
            _use_log(driver)
            conn.execution_options(**{BEGIN_OPTION: "BEGIN IMMEDIATE"}).begin()
            found = _known(driver, display)
            if found != revisions()[-1]:
                if found is not None:
                    back_up(database, path, found)
                _run_steps(conn)
                _check_references(driver, display)
            conn.commit()
            conn.invalidate()
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise explain(error, display) from error


def _use_log(driver: sqlite3.Connection) -> None:
    """Switch to the write-ahead log, which SQLite refuses at once, not after a wait, while others open."""
    for _ in range(_WAIT_MS // _PAUSE_MS):
        try:
            driver.execute("PRAGMA journal_mode=WAL").fetchall()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            time.sleep(_PAUSE_MS / 1000)


def _run_steps(conn: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = conn
    command.upgrade(config, "head")


def _check_references(driver: sqlite3.Connection, display: str) -> None:
    if driver.execute("PRAGMA foreign_key_check").fetchone():
        raise MemoryError(
            f"the store at {display} could not be upgraded: a step would lose references",
            hint="Nothing was changed. Please report this.",
        )


def back_up(database: Database, path: Path, found: str) -> Path:
    """Copy a SQLite store beside itself and return the copy's path; uncommitted writes are not in it.

    Args:
        found: its revision, for the name.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
    copy = path.with_name(f"{path.name}.backup-{found}-{stamp}")
    try:
        os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        with (
            closing(connect_sqlite(database.location, read_only=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
    except OSError as error:
        raise SourceUnavailable(
            f"no copy of the store could be made, so it was not upgraded: {error.strerror}",
            hint="Free some space beside it, or check the directory's permissions.",
        ) from error
    except sqlite3.Error:
        with suppress(OSError):
            copy.unlink()
        raise
    return copy


def _prepare_server(database: Database) -> None:
    """Bring a server's tables up to date; its own backups are its owner's."""
    display = database.location.display
    for attempt in range(_ATTEMPTS):
        try:
            with database.engine.connect() as conn:
                _upgrade_server(database, conn)
                conn.commit()
            return
        except database.errors as error:
            # Of two programs that make the same tables at once, one fails and finds them made then.
            if attempt + 1 == _ATTEMPTS or not _made_at_once(error):
                raise explain(error, display) from error
            time.sleep(_PAUSE_MS / 1000)


def _upgrade_server(database: Database, conn: Connection) -> None:
    display = database.location.display
    # Not the inspector: it reads a dozen times as much to say the same, at every start.
    there = "SELECT to_regclass('alembic_version') IS NOT NULL, to_regclass('record') IS NOT NULL"
    versioned, recorded = conn.exec_driver_sql(there).one()
    if recorded and not versioned:
        raise _foreign(display)
    found = _server_revision(conn, display) if versioned else None
    if found == revisions()[-1]:
        return
    if database.read_only:
        raise MemoryError(
            f"the store at {display} has an older form and may not be changed here",
            hint="Open it once for writing, as with `memory-inbox count`.",
        )
    encoding = conn.exec_driver_sql("SHOW server_encoding").scalar()
    if encoding != "UTF8":
        raise MemoryError(
            f"the database at {display} keeps texts as {encoding}, which not every text can be kept as",
            hint="Make one with: createdb --encoding=UTF8 --template=template0 NAME",
        )
    if found is not None:
        conn.exec_driver_sql(LOCK)
        found = _server_revision(conn, display)
    if found != revisions()[-1]:
        _run_steps(conn)


def _server_revision(conn: Connection, display: str) -> str | None:
    row = conn.exec_driver_sql(f"SELECT version_num FROM {_TABLE}").fetchone()  # noqa: S608
    return _checked(row[0], display) if row else None


def _made_at_once(error: Exception) -> bool:
    code = code_of(getattr(error, "orig", error))
    return code.startswith(_EXISTS) or code in COLLIDED
