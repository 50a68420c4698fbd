"""The journal: append-only, chained, and paged."""

from __future__ import annotations

import hashlib
import json

import pytest

from store import journal
from store.errors import MemoryError
from store.local import LocalDesk
from store.records import content_hash
from tests.store.making import canonical, draft


def chain(desk: LocalDesk) -> journal.Chain:
    with desk.database.reading() as conn:
        return journal.follow(conn)


def some_decisions(desk: LocalDesk) -> None:
    desk.approve_record(draft(desk, "One"))
    desk.reject_record(draft(desk, "Two"))
    desk.delete_record(canonical(desk, "Three"))


def test_lines_come_newest_first_and_page_by_their_number(desk: LocalDesk) -> None:
    some_decisions(desk)
    lines = desk.history()
    assert [line.seq for line in lines] == [6, 5, 4, 3, 2, 1]
    assert desk.history(limit=2) + desk.history(limit=9, before=5) == lines
    assert [line.decision for line in desk.history("two")] == ["reject", "record"]


def test_a_line_has_the_hash_of_the_text_and_none_of_its_words(desk: LocalDesk) -> None:
    desk.reject_record(draft(desk, "Two", "the very words"))
    line = desk.history()[0]
    assert line.content_hash == content_hash("the very words")
    assert "words" not in repr(line)


def test_the_first_hash_is_what_anybody_can_compute(desk: LocalDesk) -> None:
    draft(desk, "One")
    [line] = desk.history()
    with desk.database.reading() as conn:
        row = conn.exec_driver_sql("SELECT at, hash FROM journal").one()
    plain = [1, row.at, "record", "one", "memory.remember", line.content_hash, "draft"]
    text = json.dumps(plain, separators=(",", ":"))
    assert row.hash == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.sqlite  # by a trigger, and no code is put into a server
@pytest.mark.parametrize("change", ["UPDATE journal SET by = 'nobody'", "DELETE FROM journal"])
def test_lines_cannot_be_changed_or_deleted(desk: LocalDesk, change: str) -> None:
    def try_it() -> None:
        with desk.database.writing() as conn:
            conn.exec_driver_sql(change)

    some_decisions(desk)
    with pytest.raises(MemoryError):
        try_it()
    assert len(desk.history()) == 6


@pytest.mark.parametrize(
    ("forgery", "line", "why"),
    [
        ("UPDATE journal SET by = 'nobody' WHERE seq = 3", 3, "not what was hashed"),
        ("UPDATE journal SET content_hash = '' WHERE seq = 1", 1, "not what was hashed"),
        ("DELETE FROM journal WHERE seq = 4", 5, "line 4 should be there"),
        ("UPDATE journal SET hash = 'x' WHERE seq = 6", 6, "not what was hashed"),
        ("UPDATE journal SET seq = seq - 1", 0, "line 1 should be there"),
        (
            "INSERT INTO journal SELECT -5, at, decision, id, by, '', detail, '' FROM journal LIMIT 1",
            -5,
            "line 1 should be there",
        ),
    ],
)
def test_whoever_gets_around_that_breaks_the_chain(
    desk: LocalDesk, forgery: str, line: int, why: str
) -> None:
    some_decisions(desk)
    assert chain(desk).broken is None
    with desk.database.writing() as conn:
        if conn.dialect.name == "sqlite":
            for trigger in ("journal_no_update", "journal_no_delete"):
                conn.exec_driver_sql(f"DROP TRIGGER {trigger}")
        conn.exec_driver_sql(forgery)
    found = chain(desk)
    assert found.broken == line
    assert why in found.why


def test_a_long_journal_is_walked_in_steps(
    desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    some_decisions(desk)
    monkeypatch.setattr(journal, "_STEP", 4)
    found = chain(desk)
    assert (found.lines, found.broken) == (6, None)
    with desk.database.reading() as conn:
        last = conn.exec_driver_sql("SELECT hash FROM journal WHERE seq = 6").scalar_one()
    assert found.head == last
