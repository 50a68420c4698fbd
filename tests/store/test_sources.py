"""What is kept of an imported file follows the decisions on its record."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from store import sources
from store.local import LocalDesk, open_desk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus


@pytest.fixture
def desk(where: str) -> Iterator[LocalDesk]:
    with closing(open_desk(where)) as desk:
        yield desk


def imported(desk: LocalDesk, title: str, status: RecordStatus) -> str:
    """Write a record with a source whose head holds text of its own."""
    new = NewRecord(MemoryType.PROJECT, MemoryScope.GLOBAL, title, "a text")
    id = desk.write(new, Origin("import:claude"), status).id
    with desk.database.writing() as conn:
        row = {"record_id": id, "root": "/m", "path": f"{title}.md", "part": "", "format": "claude"}
        sources.add(
            conn, [row | {"file_hash": "f", "head": b"description: secret", "raw": b"secret"}]
        )
    return id


def kept(desk: LocalDesk) -> list[tuple[str, bytes, bytes | None]]:
    with desk.database.reading() as conn:
        rows = sources.of_file(conn, "/m", "note.md")
        return [(row.record_id, row.head, row.raw) for row in rows]


def test_rejecting_a_draft_destroys_the_kept_text_and_frees_the_id(desk: LocalDesk) -> None:
    id = imported(desk, "note", RecordStatus.PENDING)
    desk.reject_record(id)
    assert kept(desk) == [("", b"", None)]


def test_rejecting_a_revision_keeps_the_source_with_its_record(desk: LocalDesk) -> None:
    id = imported(desk, "note", RecordStatus.CANONICAL)
    desk.update_record(id, "another text")
    desk.reject_record(id)
    assert kept(desk) == [(id, b"", None)]


def test_a_record_restored_under_another_id_has_its_source_back(desk: LocalDesk) -> None:
    id = imported(desk, "note", RecordStatus.CANONICAL)
    desk.delete_record(id)
    desk.write(NewRecord(MemoryType.USER, MemoryScope.GLOBAL, "note", "someone else's"), Origin())
    with desk.database.reading() as conn:
        assert sources.of_record(conn, id) == []
    restored = desk.restore(id).id
    assert restored != id
    assert kept(desk) == [(restored, b"description: secret", b"secret")]


def test_purging_destroys_the_kept_text(desk: LocalDesk) -> None:
    id = imported(desk, "note", RecordStatus.CANONICAL)
    desk.delete_record(id)
    assert desk.purge() == 1
    assert kept(desk) == [("", b"", None)]
