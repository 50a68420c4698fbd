"""From a line of a record to the line of its file, as long as the file is what the record says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row

from store import entries, sources
from store.errors import NotFound
from store.folders import walk
from store.folders.entry import file_hash
from store.folders.formats import FORMATS
from store.folders.walk import CannotRead
from store.records import RecordStatus
from store.sources import LAYOUT, given_hash

_OBJECTS = ("mcp", "mem0")  # one object a record: its lines are not the text's


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a line is: ``path`` is absolute and empty where no file has the record's text."""

    path: str
    line: int


class Locator:
    """Finds lines of records in their files, reading each file once.

    Args:
        conn: a transaction that reads.
    """

    def __init__(self, conn: Connection) -> None:
        self._conn = conn
        self._files: dict[tuple[str, str], dict[str, int]] = {}
        self._records: dict[tuple[str, RecordStatus], tuple[str, int, bool] | None] = {}

    def place(self, id: str, status: RecordStatus, line: int) -> Spot:
        """Return where a line of a record's text is, counted from 1."""
        key = (id, status)
        if key not in self._records:
            self._records[key] = self._find(id, status)
        found = self._records[key]
        if found is None:
            return Spot("", line)
        path, before, is_text = found
        return Spot(path, before + (line if is_text else 1))

    def _find(self, id: str, status: RecordStatus) -> tuple[str, int, bool] | None:
        """Return the file, how many lines it has before the text, and whether those after are the text's."""
        try:
            canonical, pending = entries.find_both(self._conn, id)
        except NotFound:
            return None
        kept = pending if status is RecordStatus.PENDING else canonical
        if kept is None:
            return None
        given = given_hash(kept.title, kept.summary, kept.content)
        for row in sources.of_record(self._conn, id):
            if row.part == LAYOUT or row.gone or row.given != given:
                continue
            before = self._lines_before(row)
            if before is not None:
                return f"{row.root}/{row.path}", before, row.format not in _OBJECTS
        return None

    def _lines_before(self, row: Row[Any]) -> int | None:
        key = (row.root, row.path)
        if key not in self._files:
            self._files[key] = self._read(row)
        before = self._files[key].get(row.part)
        if before is not None and not row.part:
            mark = b"\r" if row.newline == "\r" else b"\n"
            return int(row.head.count(mark))
        return before

    def _read(self, row: Row[Any]) -> dict[str, int]:
        """Return how many lines of a file are before each of its entries that is as it was read."""
        try:
            data, _ = walk.read(Path(row.root), walk.unstorable(row.path))
        except CannotRead:
            return {}
        if not row.part:
            return {"": 0} if file_hash(data) == row.file_hash else {}
        reading = FORMATS[row.format].read(data, row.path) if row.format in FORMATS else None
        if reading is None:
            return {}
        return {
            each.part: data.count(b"\n", 0, each.spans[0][0])
            for each in reading.entries
            if each.spans
        }
