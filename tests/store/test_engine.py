"""Transactions: one writer at a time, readers of one moment, and errors that say what to do."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from store import engine
from store.doctor import examine
from store.engine import Database
from store.errors import InvalidArgument, MemoryError, SourceUnavailable
from store.host import LocalProvider
from store.local import LocalDesk, open_desk
from store.location import resolve
from tests.store.making import AGENT, canonical, draft, new


def pragma(desk: LocalDesk, name: str) -> object:
    with desk.database.reading() as conn:
        return conn.exec_driver_sql(f"PRAGMA {name}").scalar()


@pytest.mark.sqlite  # by its settings
def test_connections_have_the_settings_that_the_store_relies_on(desk: LocalDesk) -> None:
    assert pragma(desk, "journal_mode") == "wal"
    assert pragma(desk, "foreign_keys") == 1
    assert pragma(desk, "secure_delete") == 1
    assert pragma(desk, "synchronous") == 2
    assert pragma(desk, "busy_timeout") == 5000


def test_a_reader_sees_one_moment_while_others_write(where: str, desk: LocalDesk) -> None:
    canonical(desk, "One")
    with closing(open_desk(where)) as other, desk.database.reading() as conn:
        count = "SELECT count(*) FROM record"
        assert conn.exec_driver_sql(count).scalar() == 1
        canonical(other, "Two")
        assert conn.exec_driver_sql(count).scalar() == 1
    assert desk.count().canonical == 2


def test_a_writer_waits_for_another_and_then_sees_what_it_wrote(desk: LocalDesk) -> None:
    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with desk.batch():
            inside.set()
            leave.wait()
            draft(desk, "Same")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(hold)
        inside.wait()
        second = pool.submit(draft, desk, "Same")
        leave.set()
        first.result()
        assert second.result() == "same-2"


def test_a_lock_held_too_long_is_a_passing_failure(
    where: str, desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0.01)
    with closing(open_desk(where)) as other, desk.batch():
        with pytest.raises(SourceUnavailable) as error:
            draft(other, "Refused")
        assert error.value.retryable
        assert error.value.hint
    with closing(open_desk(where)) as other:
        draft(other, "Taken")


def test_many_threads_share_one_desk(desk: LocalDesk) -> None:
    def work(number: int) -> str:
        id = draft(desk, "Same title", f"text {number}")
        desk.approve_record(id, desk.get_record(id).revision)
        assert desk.search(f"text {number}")
        desk.list_records(page_size=3)
        return id

    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(work, range(80)))
    assert len(set(ids)) == 80
    assert desk.count().canonical == 80
    assert len(desk.database._kept) <= 16


def test_a_failed_transaction_leaves_nothing_and_the_store_usable(desk: LocalDesk) -> None:
    def fail() -> None:
        with desk.database.writing() as conn:
            conn.exec_driver_sql("INSERT INTO token_count VALUES ('h', 'm', 1)")
            conn.exec_driver_sql("SELECT * FROM nowhere")

    with pytest.raises(MemoryError) as error:
        fail()
    assert not error.value.retryable
    with desk.database.reading() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM token_count").scalar() == 0
    draft(desk, "After")


@pytest.mark.parametrize(
    ("code", "family", "words"),
    [
        (sqlite3.SQLITE_BUSY, SourceUnavailable, "another program is writing"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, SourceUnavailable, "another program is writing"),
        (sqlite3.SQLITE_FULL, SourceUnavailable, "disk is full"),
        (sqlite3.SQLITE_IOERR_FSYNC, SourceUnavailable, "disk failed"),
        (sqlite3.SQLITE_CANTOPEN, SourceUnavailable, "cannot be opened"),
        (sqlite3.SQLITE_CORRUPT, MemoryError, "damaged"),
        (sqlite3.SQLITE_NOTADB, MemoryError, "not a database"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, SourceUnavailable, "only be read"),
        (sqlite3.SQLITE_READONLY_DBMOVED, SourceUnavailable, "moved or deleted"),
        (sqlite3.SQLITE_CONSTRAINT, MemoryError, "refused"),
    ],
)
def test_an_error_of_the_database_is_told_in_words_and_without_its_text(
    desk: LocalDesk, code: int, family: type[MemoryError], words: str
) -> None:
    def fail() -> None:
        error = sqlite3.OperationalError("something with the text of a record")
        error.sqlite_errorcode = code
        with desk.database.reading():
            raise error

    with pytest.raises(family, match=words) as raised:
        fail()
    assert "text of a record" not in str(raised.value) + raised.value.hint
    assert isinstance(raised.value, SourceUnavailable) == (family is SourceUnavailable)


def test_a_damaged_file_is_said_to_be_damaged(path: Path, desk: LocalDesk) -> None:
    for number in range(50):
        draft(desk, f"Note {number}", "word " * 400)
    desk.close()
    whole = bytearray(path.read_bytes())
    for place in range(8192, len(whole), 4096):
        whole[place : place + 2048] = b"\xff" * 2048
    path.write_bytes(whole)
    with pytest.raises(MemoryError) as error, closing(open_desk(str(path))) as broken:
        broken.list_records()
    assert "damaged" in str(error.value)
    assert "doctor" in error.value.hint


def test_a_closed_desk_says_so(desk: LocalDesk) -> None:
    draft(desk, "One")
    desk.close()
    with pytest.raises(SourceUnavailable, match="closed"):
        desk.count()
    desk.close()


def test_a_server_without_its_package_or_address_says_what_is_missing() -> None:
    with pytest.raises(MemoryError) as error:
        LocalProvider("postgresql://ann:hunter2@127.0.0.1:1/memory").get_record("x")
    assert "hunter2" not in str(error.value)
    with pytest.raises((InvalidArgument, MemoryError)):
        Database(resolve("postgresql://ann@host:port/memory"))


# Load: several processes at once.


def _run_for(where: str, start: object, seconds: float, role: str, number: int) -> list[str]:
    from time import monotonic

    done: list[str] = []
    with closing(open_desk(where)) as desk:
        start.wait()  # type: ignore[attr-defined]
        end = monotonic() + seconds
        while monotonic() < end:
            if role == "write":
                id = desk.record(new(f"From {number}", f"text {len(done)} [[from-1]]"), AGENT).id
                if len(done) % 3 == 0:
                    desk.approve_record(id, desk.get_record(id).revision)
                done.append(id)
            else:
                desk.list_records(page_size=20)
                desk.search("text")
                done.append("read")
    return done


def test_writers_and_readers_at_once_lose_nothing_and_see_no_error(where: str) -> None:
    open_desk(where).close()
    spawn = multiprocessing.get_context("spawn")
    roles = ["write"] * 8 + ["read"] * 4
    with spawn.Manager() as manager, spawn.Pool(len(roles)) as pool:
        start = manager.Barrier(len(roles))
        calls = [(where, start, 2.0, role, number) for number, role in enumerate(roles)]
        answers = pool.starmap(_run_for, calls)
    written = [
        id for answer, role in zip(answers, roles, strict=True) if role == "write" for id in answer
    ]
    assert all(answers)
    assert len(written) == len(set(written))
    with closing(open_desk(where)) as desk:
        assert desk.count().total == len(written)
    assert examine(resolve(where)) == []


def test_an_operation_makes_no_new_connection_each_time(
    desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    real: Callable[..., sqlite3.Connection] = engine.connect_sqlite

    def counting(*arguments: object, **named: object) -> sqlite3.Connection:
        opened.append(arguments)
        return real(*arguments, **named)

    monkeypatch.setattr(engine, "connect_sqlite", counting)
    for number in range(20):
        desk.get_record(draft(desk, f"Note {number}"))
    assert len(opened) <= 2
