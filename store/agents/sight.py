"""What an agent may read: the memories that Recall could give it, and the drafts that it wrote itself."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from store import candidates
from store.candidates import Sight
from store.reader import reader_of
from store.records import Origin, RecallRequest, Record, RecordStatus
from store.rows import RECORD_COLUMNS, to_record
from store.tables import record
from store.writes import writer_of

_NEWEST = (record.c.updated_at.desc(), record.c.pk.desc())
_ENTRIES = select(*RECORD_COLUMNS).where(record.c.id == bindparam("of"))
_PICKED = select(*RECORD_COLUMNS).where(record.c.pk.in_(bindparam("pks", expanding=True)))


def latest(conn: Connection, origin: Origin, limit: int) -> tuple[Record, ...]:
    """Return what Recall could give, what was changed last first; of each kind only the latest hundred."""
    found = candidates.latest(reader_of(conn), _sight(origin))
    newest = sorted(found, key=lambda pk: (found[pk].updated_at, pk), reverse=True)[:limit]
    return tuple(map(to_record, conn.execute(_PICKED.order_by(*_NEWEST), {"pks": newest})))


def look_up(conn: Connection, id: str, origin: Origin) -> Record | None:
    """Return the approved memory of an id, else its draft, where the reader may see it."""
    found = {row.status: row for row in conn.execute(_ENTRIES, {"of": id})}
    approved = found.get(RecordStatus.CANONICAL)
    if approved is not None:
        in_sight = candidates.look_at(reader_of(conn), _sight(origin), [approved.pk])
        return to_record(approved) if in_sight else None
    draft = found.get(RecordStatus.PENDING)
    if draft is not None and writer_of(draft.recorded_by) == writer_of(origin.recorded_by):
        return to_record(draft)
    return None


def drafts_of(conn: Connection, origin: Origin, limit: int) -> tuple[Record, ...]:
    """Return what a writer has waiting for a decision, the newest first."""
    writer = writer_of(origin.recorded_by)
    statement = (
        select(*RECORD_COLUMNS)
        .where(
            record.c.status == RecordStatus.PENDING.value,
            (record.c.recorded_by == writer)
            | record.c.recorded_by.startswith(f"{writer}/", autoescape=True),
        )
        .order_by(*_NEWEST)
    )
    found = conn.execute(statement)
    # LIKE takes letters of either case for the same.
    mine = (row for row in found if writer_of(row.recorded_by) == writer)
    return tuple(to_record(row) for row, _ in zip(mine, range(limit), strict=False))


def _sight(origin: Origin) -> Sight:
    return Sight(
        RecallRequest(
            token_budget=0, session_id=origin.session_id, working_directory=origin.project_root
        )
    )
