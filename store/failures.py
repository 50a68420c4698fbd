"""What a database's error means to people: which of the `MemoryError` family it is, and what to do."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

from store import server
from store.errors import Collided, MemoryError, SourceUnavailable

_PASSING = {
    sqlite3.SQLITE_BUSY: ("another program is writing to the store", "Try again in a moment."),
    sqlite3.SQLITE_LOCKED: ("another part of the program is writing", "Try again in a moment."),
    sqlite3.SQLITE_IOERR: ("the disk failed to read or write", "Check the disk, then try again."),
    sqlite3.SQLITE_FULL: ("the disk is full", "Free some space, then try again."),
    sqlite3.SQLITE_CANTOPEN: (
        "the database file cannot be opened",
        "Check that the file, its directory and their permissions are as they were, and that the disk may be"
        " written.",
    ),
    sqlite3.SQLITE_READONLY: (
        "the store may only be read",
        "Check the permissions of the file and its directory, and whether the disk is mounted read-only.",
    ),
    sqlite3.SQLITE_PERM: ("the store may not be accessed", "Check the file's permissions."),
}
# A disk with no page left for the index of the log, which SQLite calls a failure of the disk.
_FULL = (sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMMAP)
_MOVED = (
    "the database file was moved or deleted while it was open",
    "Put it back while no program has it open, then try again.",
)
_LASTING = {
    sqlite3.SQLITE_CORRUPT: (
        "the database file is damaged",
        "Run `memory-inbox doctor`: it says what can be mended, and what restored beside it.",
    ),
    sqlite3.SQLITE_NOTADB: (
        "the file is not a database",
        "Choose another file with --store; if this was a store, copies from upgrades stand beside it.",
    ),
}


_SERVER = "Check that the server is up, and the user, password and database of the store's URL."


def explain(error: Exception, display: str) -> MemoryError:
    """Return the error to raise for a failure of the database.

    Args:
        error: what SQLAlchemy or the driver raised.
        display: the store's place, without its password.

    The text of a record may be in the original's message, so none of it is repeated.
    """
    cause = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(cause, sqlite3.Error):
        extended = getattr(cause, "sqlite_errorcode", 0)
        if extended == sqlite3.SQLITE_READONLY_DBMOVED:
            what, hint = _MOVED
            return SourceUnavailable(f"{what} ({display})", hint=hint)
        code = extended & 0xFF  # extended codes keep the kind below
        if extended in _FULL:
            code = sqlite3.SQLITE_FULL
        if not extended and str(cause).startswith("Could not decode"):
            code = sqlite3.SQLITE_CORRUPT  # the driver's own finding: a text that is not UTF-8
        if code in _PASSING:
            what, hint = _PASSING[code]
            return SourceUnavailable(f"{what} ({display})", hint=hint)
        if code in _LASTING:
            what, hint = _LASTING[code]
            return MemoryError(f"{what} ({display})", hint=hint)
    elif passing := _passing(cause, display):
        return passing
    name = type(cause).__name__
    return MemoryError(
        f"the database refused an operation: {name} ({display})",
        hint="Run `memory-inbox doctor`: it tells whether the store is sound.",
    )


def _passing(cause: BaseException | None, display: str) -> MemoryError | None:
    """Return the error for what a server's driver raised if the same call may work later."""
    code = server.code_of(cause)
    if code in server.COLLIDED:
        return Collided(f"others wrote to the store at once ({display})", hint="Try again.")
    if code == server.LOCKED:
        what, hint = _PASSING[sqlite3.SQLITE_BUSY]
        return SourceUnavailable(f"{what} ({display})", hint=hint)
    if server.is_unreachable(cause):
        return SourceUnavailable(f"the store cannot be reached ({display})", hint=_SERVER)
    return None
