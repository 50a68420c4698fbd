"""Where imported records came from, and what is kept for the way back to their files.

A source outlives its record: that a draft was rejected is a decision, and importing its file again must
not undo it. Its text does not outlive it: `rejected` and `purged` leave hashes only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, select, update

from store.tables import record, source

LAYOUT = "*"  # the part of a file of several that is nobody's entry
_DELETED = "deleted:"  # before the id of a record in the trash; no id holds a colon
_DEFAULTS: Mapping[str, Any] = {
    "part": "",
    "head": b"",
    "raw": None,
    "newline": "\n",
    "mtime_us": 0,
    "gone": False,
    "given": "",
}
_NO_TEXT: Mapping[str, Any] = {"head": b"", "raw": None}

_LIGHT = (
    source.c.pk,
    source.c.record_id,
    source.c.root,
    source.c.path,
    source.c.part,
    source.c.format,
    source.c.file_hash,
    source.c.gone,
    source.c.given,
)
_ROOTS = select(source.c.root).distinct().order_by(source.c.root)
_UNDER = select(*_LIGHT).where(source.c.root == bindparam("root")).order_by(source.c.pk)
_OF = select(source).where(source.c.record_id == bindparam("id")).order_by(source.c.pk)
_FILE = (
    select(source)
    .where(source.c.root == bindparam("root"), source.c.path == bindparam("path"))
    .order_by(source.c.pk)
)
_SET = update(source).where(source.c.pk == bindparam("at_pk"))
_MOVE = (
    update(source).where(source.c.record_id == bindparam("was")).values(record_id=bindparam("now"))
)
_FORGET = update(source).where(source.c.record_id == bindparam("id"))
_DROP = delete(source).where(source.c.pk == bindparam("at_pk"))
_LEFT = select(record.c.pk).where(record.c.id == bindparam("id")).limit(1)


@dataclass(frozen=True, slots=True)
class Known:
    """A source as the importer compares it with its file: no text."""

    pk: int
    record_id: str
    root: str
    path: str
    part: str
    format: str
    file_hash: str
    gone: bool
    given: str

    @property
    def where(self) -> str:
        """The file's absolute path."""
        return f"{self.root}/{self.path}"

    @property
    def live_id(self) -> str:
        """The record's id, empty when it was rejected or deleted."""
        return "" if self.record_id.startswith(_DELETED) else self.record_id

    @property
    def deleted(self) -> bool:
        """Whether the record is in the trash."""
        return self.record_id.startswith(_DELETED)


def given_hash(title: str, summary: str, content: str) -> str:
    """Return the hash by which an edit made here is told from the text that a file gave."""
    seen = json.dumps([title, summary, content], ensure_ascii=True)
    return hashlib.sha256(seen.encode()).hexdigest()


def roots(conn: Connection) -> list[str]:
    """Return the folders that were ever imported or exported to."""
    return list(conn.execute(_ROOTS).scalars())


def under(conn: Connection, root: str) -> list[Known]:
    """Return the sources of one root, in the order they were first read."""
    return [Known(*row) for row in conn.execute(_UNDER, {"root": root})]


def of_record(conn: Connection, id: str) -> list[Row[Any]]:
    """Return the sources of a record, whole."""
    return list(conn.execute(_OF, {"id": id}))


def of_file(conn: Connection, root: str, path: str) -> list[Row[Any]]:
    """Return the sources of one file, whole."""
    return list(conn.execute(_FILE, {"root": root, "path": path}))


def add(conn: Connection, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write new sources; the caller has looked that they are new, under the write lock."""
    values = [{**_DEFAULTS, **row} for row in rows]
    if values:
        conn.execute(source.insert(), values)


def change(conn: Connection, pk: int, **values: Any) -> None:
    """Set columns of one source."""
    conn.execute(_SET.values(**values), {"at_pk": pk})


def remove(conn: Connection, pk: int) -> None:
    """Forget that a source ever was."""
    conn.execute(_DROP, {"at_pk": pk})


def rejected(conn: Connection, id: str) -> None:
    """Drop the kept text of a rejected or withdrawn entry; a draft's sources belong to no id any more."""
    if conn.execute(_LEFT, {"id": id}).first() is None:
        conn.execute(_FORGET.values(record_id="", **_NO_TEXT), {"id": id})
    else:
        conn.execute(_FORGET.values(**_NO_TEXT), {"id": id})


def deleted(conn: Connection, id: str) -> None:
    """Keep the sources of a record that goes to the trash from whoever gets its id next."""
    conn.execute(_MOVE, {"was": id, "now": _DELETED + id})


def restored(conn: Connection, id: str, now: str) -> None:
    """Give the sources of a record back to it under its present id."""
    conn.execute(_MOVE, {"was": _DELETED + id, "now": now})


def purged(conn: Connection, id: str) -> None:
    """Drop the kept text of a record that is destroyed."""
    conn.execute(_FORGET.values(record_id="", **_NO_TEXT), {"id": _DELETED + id})
