"""What is known of a folder's files from earlier runs: the basis of "again", "renamed" and "gone"."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection

from store import sources
from store.sources import LAYOUT, Known


@dataclass(slots=True)
class KnownFile:
    """The sources of one file."""

    root: str
    path: str
    rows: list[Known]

    @property
    def where(self) -> str:
        """The file's absolute path."""
        return f"{self.root}/{self.path}"

    @property
    def hash(self) -> str:
        """The hash of the whole file as last read, empty where it has to be read again."""
        return next((row.file_hash for row in self.rows if row.part in ("", LAYOUT)), "")

    @property
    def format(self) -> str:
        """The format that it was read as."""
        return self.rows[0].format

    @property
    def gone(self) -> bool:
        """Whether it was already missed."""
        return all(row.gone for row in self.rows)

    @property
    def entries(self) -> list[Known]:
        """The sources that are entries."""
        return [row for row in self.rows if row.part != LAYOUT]


@dataclass(slots=True)
class Ledger:
    """The known files at or below a folder, by absolute path, and those that may turn up renamed.

    A folder imported by itself and again as a part of a larger one is the same folder: a file keeps the
    root under which it was first seen.
    """

    root: str
    files: dict[str, KnownFile]
    _outermost: str
    _lost: dict[str, list[KnownFile]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def read(cls, conn: Connection, root: str) -> Ledger:
        """Read what is known of a folder, given by its absolute path."""
        files: dict[str, KnownFile] = {}
        outermost = root
        dead: list[KnownFile] = []
        for each in sources.roots(conn):
            if is_within(each, root) or is_within(root, each):
                known = _by_file(sources.under(conn, each))
                files.update({file.where: file for file in known if is_within(file.where, root)})
                outermost = min(outermost, each, key=len)
            elif not os.path.isdir(each):
                dead += _by_file(sources.under(conn, each))
        made = cls(root, files, outermost)
        made._lose(dead)
        return made

    def identity(self, path: str) -> tuple[str, str]:
        """Return the root and path of a file that is ``path`` below this folder."""
        where = f"{self.root}/{path}"
        known = self.files.get(where)
        if known:
            return known.root, known.path
        return self._outermost, where[len(self._outermost) + 1 :]

    def missing(self, present: Iterable[str]) -> list[KnownFile]:
        """Return the known files that are not among those present; they may turn up under another name."""
        there = {f"{self.root}/{path}" for path in present}
        lost = [file for where, file in self.files.items() if where not in there]
        self._lose(lost)
        return lost

    def renamed(self, hash: str) -> KnownFile | None:
        """Return, once, a missing file that had exactly these bytes."""
        found = self._lost.get(hash)
        return found.pop(0) if found else None

    def _lose(self, files: Iterable[KnownFile]) -> None:
        for file in files:
            if file.hash:
                self._lost[file.hash].append(file)


def is_within(path: str, folder: str) -> bool:
    """Say whether a path is a folder or below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _by_file(rows: Iterable[Known]) -> list[KnownFile]:
    files: dict[tuple[str, str], KnownFile] = {}
    for row in rows:
        files.setdefault((row.root, row.path), KnownFile(row.root, row.path, [])).rows.append(row)
    return list(files.values())
