"""Checks of the database as a file: who may read it, copies beside it, SQLite's own checks."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection

from store.clock import DAY, now
from store.doctor.finding import Finding, Level

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_BESIDE = ("", "-wal", "-shm", "-journal")
RESTORE = "Restore a copy: those made before upgrades stand beside the file."
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
    places = [path.parent, *(Path(f"{path}{beside}") for beside in _BESIDE), *_copies(path)]
    modes = [(place, stat.S_IMODE(place.stat().st_mode)) for place in places if place.exists()]
    return [(place, mode) for place, mode in modes if mode & _OTHERS]


def backups(path: Path) -> Iterator[Finding]:
    """Look for copies, made before upgrades, that nobody will want any more: they hold rejected texts."""
    stale = [copy for copy in _copies(path) if now() - copy.stat().st_mtime_ns // 1000 > _STALE]
    if stale:
        size = sum(copy.stat().st_size for copy in stale) / 1_000_000
        yield Finding(
            "backups",
            Level.WARNING,
            f"{len(stale)} copies from before an upgrade are over 30 days old ({size:,.1f} MB);"
            " they may hold what was rejected since",
            f"rm {' '.join(str(copy) for copy in stale)}",
        )


def _copies(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.backup-*"))


def file(conn: Connection) -> Iterator[Finding]:
    """Run SQLite's own checks: pages, indexes and constraints, then references between tables."""
    said = list(conn.exec_driver_sql("PRAGMA integrity_check(5)").scalars())
    if said != ["ok"]:
        yield Finding("file", Level.ERROR, f"the database file is damaged: {said[0]}", RESTORE)
    broken = conn.exec_driver_sql("PRAGMA foreign_key_check").all()
    if broken:
        tables = ", ".join(sorted({row[0] for row in broken}))
        yield Finding(
            "file",
            Level.ERROR,
            f"{len(broken)} rows refer to records that are not there ({tables})",
            RESTORE,
        )
