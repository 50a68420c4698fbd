"""What writes: recording and approving, each durable, on a copy of a store."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from store.local import LocalDesk
from store.records import MemoryScope, MemoryType, NewRecord, Origin
from tests.bench.corpus import Corpus
from tests.bench.measuring import Operation

TABLES = {
    "record": "pk",
    "name": "record_pk",
    "link": "source_pk",
    "near_key": "pk",
    "search_text": "pk",
}


class Writing:
    """The operations, on a store that will not be used for anything else.

    The floor writes the very rows that the desk has just written, under other keys and ids, in one
    transaction of plain statements on a connection with the same settings. Triggers fill the index.
    """

    def __init__(self, path: Path, desk: LocalDesk) -> None:
        self.desk = desk
        self.raw = sqlite3.connect(path, isolation_level=None, cached_statements=256, timeout=30)
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "secure_delete=ON",
            "foreign_keys=ON",
        ):
            self.raw.execute(f"PRAGMA {pragma}")
        self._new = itertools.cycle(list(Corpus(1000, seed=11)))
        self._last = ""
        self._rows: dict[str, list[tuple[Any, ...]]] = {}
        self._copies = itertools.count(-1, -1)  # keys that the desk never gives

    def operations(self) -> Iterator[Operation]:
        """Yield all that writes."""
        yield Operation(
            "record, durable",
            self._record,
            lambda turn: self._commit(self._rows),
            "raw commit of the same rows",
            "≤ 1.5 ×; p99 ≤ 15 ms",
            rounds=400,
            between=self._read_back,
        )
        drafts = [self._draft() for _ in range(450)]
        yield Operation(
            "approve, durable",
            lambda turn: self._approve(drafts[turn]),
            lambda turn: self._raw_approve(drafts[turn]),
            "raw commit of the same rows",
            "≤ 1.5 ×; p99 ≤ 15 ms",
            rounds=400,
        )

    def _draft(self) -> str:
        memory = next(self._new)
        new = NewRecord(
            MemoryType(memory.type), MemoryScope(memory.scope), memory.title, memory.content
        )
        origin = Origin("memory.remember", memory.session_id, None, memory.project_root)
        return self.desk.record(new, origin).id

    def _record(self, _: int) -> None:
        self._last = self._draft()

    def _read_back(self) -> None:
        """Read back what was just recorded, untimed."""
        (pk,) = self.raw.execute("SELECT pk FROM record WHERE id = ?", (self._last,)).fetchone()
        copy = next(self._copies)
        for table, key in TABLES.items():
            cursor = self.raw.execute(f"SELECT * FROM {table} WHERE {key} = ?", (pk,))
            columns = [column[0] for column in cursor.description]
            self._rows[table] = [
                self._renamed(dict(zip(columns, row, strict=True)), table, key, copy)
                for row in cursor
            ]
        (line,) = self.raw.execute("SELECT * FROM journal ORDER BY seq DESC LIMIT 1").fetchall()
        self._rows["journal"] = [(None, *line[1:])]

    def _renamed(self, row: dict[str, Any], table: str, key: str, copy: int) -> tuple[Any, ...]:
        row[key] = copy
        if table == "record":
            row["id"] = f"{row['id']}-{copy}"
        if table == "name":
            row["pk"] = None
        return tuple(row.values())

    def _commit(self, rows: dict[str, list[tuple[Any, ...]]]) -> None:
        self.raw.execute("BEGIN IMMEDIATE")
        for table, values in rows.items():
            if values:
                marks = ", ".join("?" * len(values[0]))
                self.raw.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
        self.raw.execute("COMMIT")

    def _approve(self, id: str) -> None:
        self.desk.approve_record(id)

    def _raw_approve(self, id: str) -> None:
        # Approving sets the status and writes a line; the floor does so to the draft's former status.
        self.raw.execute("BEGIN IMMEDIATE")
        self.raw.execute("UPDATE record SET status = 'pending' WHERE id = ?", (id,))
        self.raw.execute(
            "INSERT INTO journal SELECT NULL, at, decision, id, by, content_hash, detail, hash FROM journal"
            " ORDER BY seq DESC LIMIT 1"
        )
        self.raw.execute("COMMIT")
