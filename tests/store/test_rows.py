"""Rows become the very records that the constructor would make."""

from __future__ import annotations

import dataclasses

import pytest
from sqlalchemy import select

from store.clock import from_micros
from store.local import LocalDesk
from store.records import MemoryScope, MemoryType, Provenance, Record, RecordStatus
from store.rows import RECORD_COLUMNS, to_record
from store.tables import record
from tests.store.making import canonical


@pytest.mark.parametrize("links", ["[]", '["a", "ü"]'])
def test_a_row_is_the_record_that_its_columns_say(desk: LocalDesk, links: str) -> None:
    canonical(desk, "Plan")
    with desk.database.reading() as conn:
        row = conn.execute(select(*RECORD_COLUMNS)).one()
    values = {
        **row._mapping,
        "links": links,
        "updated_at": row.updated_at + 1,
        "summary": "one line",
    }
    made = to_record(tuple(values[column.name] for column in record.c))  # type: ignore[arg-type]
    assert made == Record(
        id="plan",
        type=MemoryType.PROJECT,
        scope=MemoryScope.GLOBAL,
        title="Plan",
        content="text",
        tokens=1,
        status=RecordStatus.CANONICAL,
        links=() if links == "[]" else ("a", "ü"),
        created_at=from_micros(row.created_at),
        updated_at=from_micros(row.created_at + 1),
        provenance=Provenance("s1", "t1", "memory.remember"),
        summary="one line",
        revision=row.revision,
        session_id="s1",
    )
    assert hash(made) == hash(dataclasses.replace(made))
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.title = "other"  # type: ignore[misc]
