"""Checks of the database as a file: who may read it, copies beside it, SQLite's own checks."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from sqlalchemy import Connection

from store.clock import DAY, now
from store.doctor.finding import Finding, Level

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_BESIDE = ("", "-wal", "-shm", "-journal")
RESTORE = (
    "memory-inbox doctor --restore FILE writes a new store beside it: FILE is a backup, or the damaged store"
    " itself for all that can be read of it."
)
# What integrity_check says of indexes, which follow from the tables; newer SQLite says it of FTS5's, too.
_OF_AN_INDEX = re.compile(
    r"row \d+ missing from index |wrong # of entries in index |non-unique entry in index "
    r"|row \d+ values differ from index |malformed inverted index for FTS5 table "
)
_COPY = re.compile(r"\.(backup-\w+|restored)-[0-9T.]+Z$")
_STALE = 30 * DAY  # µs; as long as the trash is kept


def permissions(path: Path) -> Iterator[Finding]:
    """Look who else may read or write the database and the directory it is in."""
    for place, mode in _exposed(path):
        yield Finding(
            "permissions",
            Level.ERROR,
            f"others may access {place} (mode {mode:o})",
            f"chmod {'700' if place.is_dir() else '600'} {place}",
            mendable=True,
        )


def protect(path: Path) -> None:
    """Take every access from others."""
    for place, mode in _exposed(path):
        place.chmod(mode & ~_OTHERS)


def _exposed(path: Path) -> list[tuple[Path, int]]:
    if os.name != "posix":
        return []
    places = [path.parent, *(Path(f"{path}{beside}") for beside in _BESIDE), *copies(path)]
    modes = [(place, stat.S_IMODE(place.stat().st_mode)) for place in places if place.exists()]
    return [(place, mode) for place, mode in modes if mode & _OTHERS]


def backups(path: Path) -> Iterator[Finding]:
    """Look for copies, made before upgrades, that nobody will want any more: they hold rejected texts."""
    upgraded = path.parent.glob(f"{path.name}.backup-*")
    stale = [copy for copy in sorted(upgraded) if now() - copy.stat().st_mtime_ns // 1000 > _STALE]
    if stale:
        size = sum(copy.stat().st_size for copy in stale) / 1_000_000
        yield Finding(
            "backups",
            Level.WARNING,
            f"{len(stale)} copies from before an upgrade are over 30 days old ({size:,.1f} MB);"
            " they may hold what was rejected since",
            f"rm {' '.join(str(copy) for copy in stale)}",
        )


def copies(path: Path) -> list[Path]:
    """Return the copies of a store that were made beside it: before upgrades, and by restoring."""
    beside = path.parent.glob(f"{path.name}.*")
    return sorted(copy for copy in beside if _COPY.search(copy.name))


def is_whole_but_for_indexes(said: Sequence[str]) -> bool:
    """Tell whether nothing is lost by what ``PRAGMA integrity_check`` says."""
    return said == ["ok"] or all(_OF_AN_INDEX.match(line) for line in said)


def file(conn: Connection) -> Iterator[Finding]:
    """Run SQLite's own checks: pages, indexes and constraints, then references between tables."""
    said = list(conn.exec_driver_sql("PRAGMA integrity_check(5)").scalars())
    if said != ["ok"]:
        what = f"the database file is damaged: {said[0]}"
        if is_whole_but_for_indexes(said):
            yield Finding("file", Level.ERROR, what, "memory-inbox doctor --mend", mendable=True)
        else:
            yield Finding("file", Level.ERROR, what, RESTORE)
    broken = conn.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        tables = ", ".join(sorted({row[0] for row in broken}))
        yield Finding(
            "file",
            Level.ERROR,
            f"{len(broken)} rows refer to records that are not there ({tables})",
            RESTORE,
        )


def rebuild_indexes(conn: Connection) -> None:
    """Write the indexes of a SQLite store anew where they do not say what their tables do."""
    if conn.exec_driver_sql("PRAGMA integrity_check(1)").scalar() != "ok":
        conn.exec_driver_sql("REINDEX")
