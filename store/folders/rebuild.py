"""A file's bytes out of the store: as it was read, with what was edited since and nothing else changed."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row

from store import sources
from store.folders import skeleton
from store.folders.entry import Item, file_hash
from store.folders.formats import FORMATS
from store.folders.text import encode
from store.records import Record
from store.sources import LAYOUT, given_hash


def item_of(record: Record) -> Item:
    """Return what a writer may use of a record."""
    return Item(
        id=record.id,
        title=record.title,
        content=record.content,
        type=record.type,
        scope=record.scope,
        summary=record.summary,
        source_session_id=record.provenance.source_session_id,
        created_at=record.created_at,
        updated_at=record.updated_at,
    )


def is_as_given(record: Record, row: Row[Any]) -> bool:
    """Say whether a record's text still is what its file gave."""
    return bool(row.given == given_hash(record.title, record.summary, record.content))


def whole_file(record: Record, row: Row[Any]) -> bytes | None:
    """Return the file of a record that is a file of its own; None where what was kept is not enough."""
    data = row.raw if row.raw is not None else row.head + encode(record.content, row.newline)
    if is_as_given(record, row):
        # The frontmatter of a rejected revision is destroyed, and its record's with it.
        return data if file_hash(data) == row.file_hash else None
    format = FORMATS.get(row.format)
    return format.update(data, row.path, {"": item_of(record)}) if format else None


def list_file(conn: Connection, root: str, path: str) -> bytes | None:
    """Return a file of several as it was read; None where an entry of it is not kept any more."""
    rows = sources.of_file(conn, root, path)
    layout = next((row.raw for row in rows if row.part == LAYOUT), None)
    if layout is None:
        return None
    return skeleton.fill(layout, {row.part: row.raw for row in rows if row.raw is not None})
