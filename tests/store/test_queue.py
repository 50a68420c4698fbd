"""The state of the queue: counted from the store, and acceptance told from the journal."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from store import local, waiting
from store.clock import to_micros
from store.local import LocalDesk
from store.queue import Decided, Queue, queue_of
from store.records import (
    MemoryScope,
    MemoryType,
    NewRecord,
    Origin,
    RecordFilter,
    RecordStatus,
)

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HOOK, TOOL = Origin("hook:post_model_response"), Origin("memory.remember")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[LocalDesk]:
    desk = local.open_desk(str(tmp_path / "inbox.db"), reviewer="ann")
    yield desk
    desk.close()


def write(
    desk: LocalDesk,
    title: str,
    origin: Origin = TOOL,
    ago: timedelta = timedelta(),
    type: MemoryType = MemoryType.USER,
) -> str:
    desk.clock = lambda: to_micros(NOW - ago)
    id = desk.record(NewRecord(type, MemoryScope.GLOBAL, title, f"{title}."), origin).id
    desk.clock = lambda: to_micros(NOW)
    return id


def test_an_empty_store_has_an_empty_queue(desk: LocalDesk) -> None:
    assert desk.queue() == Queue()


def test_drafts_are_counted_by_age_type_and_writer(desk: LocalDesk) -> None:
    for number, ago in enumerate((0, 59, 60, 60 * 24, 60 * 24 * 7, 60 * 24 * 30)):
        write(desk, f"note {number}", ago=timedelta(minutes=ago))
    write(desk, "a hint", HOOK, type=MemoryType.FEEDBACK)
    queue = desk.queue()
    assert queue.waiting == 7
    assert queue.ages == (3, 1, 1, 1, 1)
    assert queue.types == {MemoryType.USER: 6, MemoryType.FEEDBACK: 1}
    assert queue.sources == {"memory.remember": 6, "hook:post_model_response": 1}
    assert queue.oldest == ("note-5", NOW - timedelta(days=30))


def test_what_is_approved_waits_no_more(desk: LocalDesk) -> None:
    desk.approve_record(write(desk, "one"))
    assert desk.queue().waiting == 0
    assert desk.queue().oldest is None


def test_counting_records_counts_the_same(desk: LocalDesk) -> None:
    for number in range(9):
        write(desk, f"note {number}", (HOOK, TOOL)[number % 2], timedelta(hours=9 * number))
    desk.approve_record("note-3")
    records = desk.browse(RecordFilter()).records
    asked = desk.queue()
    counted = queue_of(records, NOW)
    assert (counted.waiting, counted.ages, counted.types, counted.sources, counted.oldest) == (
        asked.waiting,
        asked.ages,
        asked.types,
        asked.sources,
        asked.oldest,
    )


def test_acceptance_is_told_of_each_writer(desk: LocalDesk) -> None:
    for id in (write(desk, "one"), write(desk, "two"), write(desk, "three")):
        desk.approve_record(id)
    desk.reject_record(write(desk, "four"))
    desk.reject_record(write(desk, "five", HOOK))
    write(desk, "six", Origin("import:claude"))
    assert desk.queue().decided == {
        "memory.remember": Decided(3, 1),
        "hook:post_model_response": Decided(0, 1),
    }
    assert Decided(3, 1).acceptance == 0.75
    assert Decided().acceptance is None


def test_an_approval_taken_back_does_not_count_until_it_is_given_again(desk: LocalDesk) -> None:
    id = write(desk, "one")
    desk.approve_record(id)
    desk.unapprove(id)
    assert desk.queue().decided == {}
    desk.approve_record(id)
    assert desk.queue().decided == {"memory.remember": Decided(1, 0)}


def test_an_edit_before_the_approval_leaves_the_draft_its_writers(desk: LocalDesk) -> None:
    id = write(desk, "one", HOOK)
    seen = desk.review(id).record.revision
    desk.edit(id, seen, content="better", by="ann")
    desk.approve_record(id)
    assert desk.queue().decided == {"hook:post_model_response": Decided(1, 0)}


def test_a_revision_is_its_own_writers_and_an_operators_edit_is_nobodys(desk: LocalDesk) -> None:
    id = write(desk, "one", HOOK)
    desk.approve_record(id)
    canonical = desk.review(id, RecordStatus.CANONICAL).record
    desk.edit(id, canonical.revision, content="by hand", by="ann")
    desk.update_record(id, "another text", origin=TOOL)
    desk.reject_record(id)
    assert desk.queue().decided == {
        "hook:post_model_response": Decided(1, 0),
        "memory.remember": Decided(0, 1),
    }


def test_a_decision_of_now_finds_its_writer_before_the_lines_that_are_looked_at(
    desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = write(desk, "old", HOOK)
    kept = write(desk, "kept", TOOL)
    desk.approve_record(kept)
    for number in range(8):
        write(desk, f"note {number}")
    desk.approve_record(old)
    desk.unapprove(kept)
    monkeypatch.setattr(waiting, "LINES", 5)
    monkeypatch.setattr(waiting, "_LATEST", waiting._LATEST.limit(5))
    assert desk.queue().decided == {"hook:post_model_response": Decided(1, 0)}
