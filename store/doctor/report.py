"""What to put into a bug report: versions, sizes and findings, without a memory, an id or a path."""

from __future__ import annotations

import platform
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import PackageNotFoundError, version

from store import listing
from store.doctor import examine
from store.engine import Database
from store.errors import MemoryError
from store.location import Location, default_path
from store.migrations import revisions
from store.records import RecordFilter

_LIBRARIES = ("textual", "rich", "typer", "sqlalchemy", "sqlmodel", "alembic", "grpcio", "protobuf")


def facts(where: Location) -> Iterator[tuple[str, str]]:
    """Yield what is known of the program, the machine and a store, by name.

    The store is read as `store.doctor.examine` reads it; where it cannot be, that is a fact as well.
    """
    yield "memory-inbox", f"{_version('memory-inbox')} (store {revisions()[-1]})"
    yield "python", f"{platform.python_version()} {platform.python_implementation()}"
    yield "system", f"{platform.system()} {platform.release()} {platform.machine()}"
    yield "sqlite", sqlite3.sqlite_version
    yield "libraries", ", ".join(f"{name} {_version(name)}" for name in _LIBRARIES)
    yield "place", _kind(where)
    yield from _sizes(where)
    yield "findings", _findings(where)
    yield "entries", _entries(where)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


def _kind(where: Location) -> str:
    if where.path is None:
        return "a server"
    return "the usual file" if where.path == default_path() else "a file that was named"


def _sizes(where: Location) -> Iterator[tuple[str, str]]:
    if where.path is not None:
        for name, suffix in (("file", ""), ("log", "-wal")):
            beside = where.path.with_name(where.path.name + suffix)
            yield name, f"{beside.stat().st_size:,} bytes" if beside.exists() else "none"


def _findings(where: Location) -> str:
    try:
        found = Counter(f"{finding.check} {finding.level}" for finding in examine(where))
    except MemoryError as error:
        return f"unreadable: {error.title}"
    return ", ".join(f"{kind} ({count})" for kind, count in sorted(found.items())) or "none"


def _entries(where: Location) -> str:
    try:
        with closing(Database(where, read_only=True)) as database, database.reading() as conn:
            counts = listing.count(conn, RecordFilter())
    except MemoryError as error:
        return f"unreadable: {error.title}"
    return (
        f"{counts.canonical:,} canonical, {counts.pending:,} pending "
        f"({counts.revisions:,} revisions), {counts.trashed:,} in the trash"
    )
