"""Deleting: a canonical record goes to the trash for thirty days, a draft is withdrawn for good."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, select

from store import entries, journal, sources
from store.clock import DAY, from_micros
from store.entries import Entry
from store.errors import NotFound
from store.journal import Moment
from store.names import names_of
from store.records import (
    Decision,
    MemoryScope,
    MemoryType,
    Provenance,
    Record,
    RecordResult,
    RecordStatus,
    TrashItem,
)
from store.slugs import free_slug
from store.tables import record
from store.tables import trash as table
from store.writes import what

KEPT = 30 * DAY

# By key, not by time: a clock that was put back must not make an older text the last one.
_NEWEST = select(table).order_by(table.c.pk.desc())
_LIST = _NEWEST.limit(bindparam("limit"))
_LAST_OF = _NEWEST.where(table.c.id == bindparam("of")).limit(1)
_ALL = select(table).order_by(table.c.pk)
_OLDER = _ALL.where(table.c.deleted_at < bindparam("before"))
_DROP = delete(table).where(table.c.pk == bindparam("of"))
_COUNT = select(func.count()).select_from(table)
_COLUMNS = tuple(column.name for column in record.c if column.name not in ("pk", "links"))


def delete_entries(conn: Connection, id: str, moment: Moment, *, drafts: bool = True) -> None:
    """Move a canonical record to the trash and withdraw what waits under its id, or withdraw a draft.

    Args:
        drafts: whether a draft without a canonical record may be withdrawn.

    Raises:
        NotFound: no such id.
    """
    canonical, pending = entries.find_both(conn, id)
    if canonical is None and not drafts:
        raise NotFound.record(id)
    if pending is not None:
        entries.remove(conn, pending, moment.now)
        sources.rejected(conn, id)
        journal.append(conn, Decision.WITHDRAW, id, moment, pending.content_hash, what(pending))
    if canonical is not None:
        delete_canonical(conn, canonical, moment)
    purge(conn, moment, before=moment.now - KEPT)


def delete_canonical(conn: Connection, canonical: Entry, moment: Moment) -> None:
    """Move a canonical record, under whose id nothing waits, to the trash."""
    _keep(conn, canonical, moment)
    entries.remove(conn, canonical, moment.now)
    sources.deleted(conn, canonical.id)
    journal.append(conn, Decision.DELETE, canonical.id, moment, canonical.content_hash, "canonical")


def _keep(conn: Connection, canonical: Entry, moment: Moment) -> None:
    kept = {column: canonical._mapping[column] for column in _COLUMNS}
    payload = {"row": kept, "names": names_of(conn, canonical.pk)}
    conn.execute(
        table.insert(),
        {
            "id": canonical.id,
            "deleted_at": moment.now,
            "deleted_by": moment.by,
            "payload": json.dumps(payload, ensure_ascii=False),
        },
    )


def restore(conn: Connection, id: str, moment: Moment) -> RecordResult:
    """Bring back the record that was last deleted under an id, under the next free suffix if it is taken.

    Raises:
        NotFound: the trash has none of this id.
    """
    item = conn.execute(_LAST_OF, {"of": id}).first()
    if item is None:
        raise NotFound(f"the trash holds no record with the id {id!r}")
    payload = json.loads(item.payload)
    row = payload["row"]
    row["id"] = free_slug(conn, id)
    row |= entries.text_values(row, row["title"], row["summary"], row["content"])
    entry = entries.reread(conn, entries.insert(conn, row, payload["names"]))
    conn.execute(_DROP, {"of": item.pk})
    sources.restored(conn, id, entry.id)
    detail = "canonical" if entry.id == id else f"canonical, from {id}"
    journal.append(conn, Decision.RESTORE, entry.id, moment, entry.content_hash, detail)
    return RecordResult(entry.id, RecordStatus(entry.status))


def purge(conn: Connection, moment: Moment, before: int | None = None) -> int:
    """Destroy what was deleted before a time, in microseconds; all of it when None. Returns how many."""
    which = _ALL if before is None else _OLDER.params(before=before)
    items = conn.execute(which).all()
    for item in items:
        conn.execute(_DROP, {"of": item.pk})
        sources.purged(conn, item.id)
        row = json.loads(item.payload)["row"]
        journal.append(conn, Decision.PURGE, item.id, moment, row["content_hash"])
    return len(items)


def expired(conn: Connection, now: int) -> bool:
    """Tell whether the trash holds a record for longer than its time."""
    return conn.execute(_OLDER.limit(1), {"before": now - KEPT}).first() is not None


def listing(conn: Connection, limit: int) -> tuple[TrashItem, ...]:
    """Return what can be restored, newest first."""
    return tuple(_item(row) for row in conn.execute(_LIST, {"limit": max(limit, 0)}))


def size(conn: Connection) -> int:
    """Return how many records the trash holds."""
    return int(conn.execute(_COUNT).scalar_one())


def _item(item: Entry) -> TrashItem:
    return TrashItem(
        key=item.pk,
        record=_record(json.loads(item.payload)["row"]),
        deleted_at=from_micros(item.deleted_at),
        deleted_by=item.deleted_by,
        purge_at=from_micros(item.deleted_at + KEPT),
    )


def _record(row: dict[str, Any]) -> Record:
    return Record(
        id=row["id"],
        type=MemoryType(row["type"]),
        scope=MemoryScope(row["scope"]),
        title=row["title"],
        content=row["content"],
        tokens=row["tokens"],
        status=RecordStatus(row["status"]),
        links=(),
        created_at=from_micros(row["created_at"]),
        updated_at=from_micros(row["updated_at"]),
        provenance=Provenance(row["source_session_id"], row["source_turn_id"], row["recorded_by"]),
        summary=row["summary"],
        revision=row["revision"],
        session_id=row["session_id"],
        project_root=row["project_root"],
        audience=entries.audience_of(row),
    )
