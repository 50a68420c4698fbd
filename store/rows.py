"""Rows of `record` as the values that readers get."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row
from sqlalchemy.sql import ColumnElement

from store.clock import from_micros
from store.records import MemoryScope, MemoryType, Provenance, Record, RecordStatus
from store.tables import record

# What `to_record` reads, and the key.
RECORD_COLUMNS: Sequence[ColumnElement[Any]] = tuple(record.c)


def to_record(row: Row[Any]) -> Record:
    """Return an entry from a row with (at least) `RECORD_COLUMNS`."""
    status = RecordStatus(row.status)
    return Record(
        id=row.id,
        type=MemoryType(row.type),
        scope=MemoryScope(row.scope),
        title=row.title,
        content=row.content,
        tokens=row.tokens,
        status=status,
        links=tuple(json.loads(row.links)),
        created_at=from_micros(row.created_at),
        updated_at=from_micros(row.updated_at),
        provenance=Provenance(row.source_session_id, row.source_turn_id, row.recorded_by),
        summary=row.summary,
        revision=row.revision,
        is_revision=status is RecordStatus.PENDING and row.base_revision is not None,
        session_id=row.session_id,
        project_root=row.project_root,
    )
