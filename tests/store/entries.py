"""Entries put straight into a real database, for tests of what only reads them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, insert

from store import tables
from store.engine import Database
from store.location import resolve
from store.records import (
    MemoryScope,
    MemoryType,
    RecordStatus,
    content_hash,
)
from store.revisions import revision_of
from store.schema import prepare
from store.search import index_record
from store.tokens import fallback_tokens

START = 1_800_000_000_000_000  # µs; the first entry's time, each later one is a second younger


@contextmanager
def a_store(where: str) -> Iterator[Database]:
    """Open the store at a path or URL, brought up to date."""
    database = Database(resolve(where))
    prepare(database)
    try:
        yield database
    finally:
        database.close()


def add(
    conn: Connection,
    id: str,
    content: str = "",
    *,
    title: str = "",
    type: MemoryType = MemoryType.PROJECT,
    scope: MemoryScope = MemoryScope.GLOBAL,
    status: RecordStatus = RecordStatus.CANONICAL,
    updated_at: int | None = None,
    session_id: str = "",
    project_root: str = "",
    base_revision: str | None = None,
    aliases: tuple[str, ...] = (),
) -> int:
    """Insert an entry and its index row; return its key."""
    count = conn.exec_driver_sql("SELECT coalesce(max(pk), 0) FROM record").scalar_one()
    moment = START + count * 1_000_000
    row = {
        "id": id,
        "status": status,
        "type": type,
        "scope": scope,
        "title": title,
        "content": content,
        "tokens": fallback_tokens(content),
        "content_hash": content_hash(content),
        "revision": revision_of(id, type, scope, title, "", content),
        "base_revision": base_revision,
        "created_at": moment,
        "updated_at": moment if updated_at is None else updated_at,
        "session_id": session_id,
        "project_root": project_root,
        "summary": "",
        "links": "[]",
        "source_session_id": "",
        "recorded_by": "",
    }
    key = conn.execute(insert(tables.record).values(**row)).inserted_primary_key
    assert key is not None
    index_record(conn, key[0], title, "", aliases, content)
    return int(key[0])
