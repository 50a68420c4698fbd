"""Faults of files, disks and clocks: each is told in words, and nothing acknowledged is lost."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, nullcontext, suppress
from pathlib import Path

import pytest

from store import engine, journal
from store.clock import DAY, now
from store.doctor import Level, examine
from store.doctor.restoring import restore
from store.errors import MemoryError, NotFound, SourceUnavailable, StoreTooNew
from store.local import LocalDesk, open_desk
from store.location import resolve
from tests.mortal import mortal
from tests.store.making import canonical, draft, old_store


@pytest.fixture
def permissions() -> Iterator[None]:
    """Let permissions hold for a superuser, too."""
    with mortal():
        yield


def is_sound(path: Path) -> bool:
    return examine(resolve(str(path))) == []


# The file is taken away.


def test_a_deleted_store_takes_no_more_writes_and_the_next_call_opens_a_new_one(
    path: Path, desk: LocalDesk
) -> None:
    draft(desk, "Before")
    for file in path.parent.iterdir():
        file.unlink()
    with pytest.raises(SourceUnavailable, match="deleted, moved or replaced") as error:
        draft(desk, "Into nowhere")
    assert error.value.hint
    after = draft(desk, "After")
    with closing(open_desk(str(path))) as other:
        assert other.count().total == 1
        assert other.get_record(after)


def test_a_moved_store_has_all_that_was_acknowledged(path: Path, desk: LocalDesk) -> None:
    ids = [draft(desk, f"Note {n}") for n in range(5)]
    moved = path.with_name("moved.db")
    path.rename(moved)
    with pytest.raises(SourceUnavailable):
        desk.count()
    with closing(open_desk(str(moved))) as other:
        assert [other.get_record(id).id for id in ids] == ids
    assert is_sound(moved)


@pytest.mark.parametrize("call", ["read", "write"])
def test_a_replaced_store_is_read_anew(path: Path, desk: LocalDesk, call: str) -> None:
    draft(desk, "Old")
    with closing(open_desk(str(path.with_name("new.db")))) as other:
        new = draft(other, "New")
    for beside in path.parent.glob("inbox.db-*"):
        beside.unlink()
    path.with_name("new.db").replace(path)
    with pytest.raises(SourceUnavailable, match="replaced"):
        desk.count() if call == "read" else draft(desk, "Which?")
    assert desk.get_record(new).title == "New"
    assert desk.count().total == 1


def test_what_only_reads_makes_no_new_store(path: Path, desk: LocalDesk) -> None:
    draft(desk, "Before")
    with closing(open_desk(str(path), read_only=True)) as reader:
        assert reader.count().total == 1
        desk.close()
        path.unlink()
        with pytest.raises(SourceUnavailable):
            reader.count()
        with pytest.raises(NotFound):
            reader.count()
    assert not path.exists()


def test_a_store_that_a_newer_version_upgraded_meanwhile_takes_no_write(
    path: Path, desk: LocalDesk
) -> None:
    draft(desk, "Before")
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("UPDATE alembic_version SET version_num = '9999'")
        conn.commit()
    with pytest.raises(StoreTooNew, match="9999") as error:
        draft(desk, "After")
    assert error.value.hint
    assert desk.count().total == 1


# Others hold the lock.


def test_waits_for_another_program_do_not_add_up(
    path: Path, desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has waited for its turn in this process as long as for a lock tries once more, no longer."""
    monkeypatch.setattr(engine, "BUSY_SECONDS", 3600.0)
    moments = itertools.chain([0.0], itertools.count(3600.0))
    monkeypatch.setattr(engine.time, "monotonic", lambda: next(moments))
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as holder,
        ThreadPoolExecutor(1) as one,
    ):
        holder.execute("BEGIN IMMEDIATE")
        refused = one.submit(draft, desk, "Refused")
        try:
            error = refused.exception(timeout=30)
        finally:
            holder.execute("ROLLBACK")
    assert isinstance(error, SourceUnavailable)
    assert desk.count().total == 0


# The disk is full.


def fill(desk: LocalDesk, ids: list[str]) -> None:
    """Record until the store refuses."""
    while len(ids) < 10_000:
        ids.append(draft(desk, f"Note {len(ids)}", f"{len(ids)} " * 2000))


def test_a_full_disk_loses_nothing_and_writing_goes_on_once_there_is_room(
    path: Path, desk: LocalDesk
) -> None:
    draft(desk, "First")
    with desk.database.writing() as conn:
        pages = conn.exec_driver_sql("PRAGMA page_count").scalar_one()
        conn.exec_driver_sql(f"PRAGMA max_page_count={pages + 60}")
    ids: list[str] = []
    with pytest.raises(SourceUnavailable, match="disk is full") as error:
        fill(desk, ids)
    assert error.value.retryable
    assert error.value.hint
    assert ids
    assert desk.count().total == len(ids) + 1
    assert [desk.get_record(id).id for id in ids] == ids
    # Whoever keeps the error, as a notice on the screen does, keeps no lock with it.
    draft(desk, "There is room")
    assert is_sound(path)


LIMITED = """
import json, resource, sys
from store.errors import SourceUnavailable
from store.local import open_desk
from tests.store.making import draft
desk = open_desk(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
ids = []
try:
    while len(ids) < 10_000:
        ids.append(draft(desk, f"Note {len(ids)}", f"{len(ids)} " * 2000))
except SourceUnavailable as error:
    print(json.dumps([ids, str(error), error.hint]))
"""


def test_a_file_that_may_not_grow_loses_nothing(path: Path) -> None:
    open_desk(str(path)).close()
    command = [sys.executable, "-c", LIMITED, str(path), str(path.stat().st_size + 200_000)]
    ran = subprocess.run(command, capture_output=True, check=True)
    ids, said, hint = json.loads(ran.stdout)
    assert ids
    assert "disk" in said
    assert hint
    with closing(open_desk(str(path))) as desk:
        assert desk.count().total == len(ids)
    assert is_sound(path)


def test_an_upgrade_without_room_for_its_copy_changes_nothing(path: Path) -> None:
    old_store(path, "0004")
    code = LIMITED.replace("desk = open_desk(sys.argv[1])\n", "").replace(
        "try:\n", "try:\n    desk = open_desk(sys.argv[1])\n"
    )
    command = [sys.executable, "-c", code, str(path), "50000"]
    ran = subprocess.run(command, capture_output=True, check=True)
    _, said, hint = json.loads(ran.stdout)
    assert "disk" in said
    assert hint
    assert list(path.parent.glob("*.backup-*")) == []
    open_desk(str(path)).close()
    assert [finding.check for finding in examine(resolve(str(path)))] == []


# The file is damaged, or may not be read.


@pytest.mark.parametrize("part", [0.0, 0.3, 0.9])
def test_a_log_cut_short_gives_what_is_whole(
    path: Path, desk: LocalDesk, tmp_path: Path, part: float
) -> None:
    ids = [draft(desk, f"Note {n}") for n in range(20)]
    copy = tmp_path / "copy" / "inbox.db"
    copy.parent.mkdir(mode=0o700)
    log = path.with_name("inbox.db-wal")
    shutil.copy2(path, copy)
    size = int(log.stat().st_size * part)
    copy.with_name("inbox.db-wal").write_bytes(log.read_bytes()[:size])
    copy.with_name("inbox.db-wal").chmod(0o600)
    with closing(open_desk(str(copy))) as cut:
        there = {record.id for record in cut.list_records(page_size=50).records}
        assert there == set(ids[: len(there)])
    assert is_sound(copy)


def copied(path: Path, target: Path, log: bytes) -> Path:
    """Copy a store's file, with a log of one's own beside it."""
    target.mkdir(mode=0o700)
    shutil.copy2(path, target)
    beside = target / f"{path.name}-wal"
    beside.write_bytes(log)
    beside.chmod(0o600)
    return target / path.name


def test_a_log_of_garbage_or_none_gives_what_is_in_the_file(
    path: Path, desk: LocalDesk, tmp_path: Path
) -> None:
    ids = [draft(desk, f"Note {n}") for n in range(20)]
    log = path.with_name("inbox.db-wal").read_bytes()
    spoiled = log[:32] + os.urandom(len(log) - 32)
    for name, given in {"garbage": os.urandom(len(log)), "spoiled": spoiled, "none": b""}.items():
        copy = copied(path, tmp_path / name, given)
        with closing(open_desk(str(copy))) as cut:
            there = {record.id for record in cut.list_records(page_size=50).records}
            assert there == set(ids[: len(there)])
        assert is_sound(copy)


def test_a_log_of_another_day_is_no_traceback_and_the_records_can_be_had(
    path: Path, tmp_path: Path
) -> None:
    """SQLite takes an old log for one to be replayed: whoever copies files by themselves may do that."""
    with closing(open_desk(str(path))) as desk:
        draft(desk, "Early")
        log = path.with_name("inbox.db-wal").read_bytes()
    with closing(open_desk(str(path))) as desk, desk.batch():
        ids = {draft(desk, f"Note {n}", "words " * 300) for n in range(60)}
    copy = copied(path, tmp_path / "copy", log)
    # Of the old log's pages, among them the first, and the new file's others: seldom a sound store.
    with suppress(MemoryError), closing(open_desk(str(copy))) as desk:
        desk.list_records()
    examine(resolve(str(copy)))
    copy.with_name("inbox.db-wal").unlink(missing_ok=True)
    made = restore(resolve(str(path)), path).path
    with closing(open_desk(str(made))) as desk:
        assert {record.id for record in desk.list_records(page_size=100).records} >= ids


@pytest.mark.parametrize(
    "damage",
    [
        "links = 'no json'",
        "type = 'opinion'",
        "created_at = 'yesterday'",
        "created_at = 99999999999999999999",
        "updated_at = 9223372036854775807",
        "title = CAST(x'ff41' AS TEXT)",
    ],
)
def test_a_damaged_row_is_said_to_be_and_the_doctor_finds_it(path: Path, damage: str) -> None:
    with closing(open_desk(str(path))) as desk:
        draft(desk, "Whole")
        id = draft(desk, "Broken")
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(f"UPDATE record SET {damage} WHERE id = ?", (id,))
        conn.commit()
    with closing(open_desk(str(path))) as desk:
        for read in (lambda: desk.get_record(id), desk.list_records):
            with pytest.raises(MemoryError, match="damaged") as error:
                read()
            assert "doctor" in error.value.hint
        assert desk.get_record("whole")
    found = examine(resolve(str(path)))
    assert found
    assert all(finding.level is Level.ERROR and finding.how for finding in found)
    assert not [finding for finding in found if "doctor`" in finding.how]


@pytest.mark.usefixtures("permissions")
@pytest.mark.parametrize("mode", [0o000, 0o400])
def test_a_store_without_permission_is_said_so(path: Path, mode: int) -> None:
    with closing(open_desk(str(path))) as desk:
        draft(desk, "Kept")
    path.chmod(mode)
    with pytest.raises(SourceUnavailable) as error, closing(open_desk(str(path))) as refused:
        draft(refused, "Refused")
    with nullcontext() if mode else pytest.raises(MemoryError):
        open_desk(str(path), read_only=True).close()
    path.chmod(0o600)
    assert ("only be read" if mode else "not be read") in str(error.value)
    assert "permissions" in error.value.hint
    with closing(open_desk(str(path))) as desk:
        assert desk.count().total == 1


@pytest.mark.usefixtures("permissions")
def test_a_directory_that_became_read_only_is_said_so(path: Path) -> None:
    with closing(open_desk(str(path))) as desk:
        draft(desk, "Kept")
    path.parent.chmod(0o500)
    with pytest.raises(MemoryError) as error, closing(open_desk(str(path))) as refused:
        draft(refused, "Refused")
    path.parent.chmod(0o700)
    assert "ermission" in error.value.hint
    assert is_sound(path)


# The clock is put back.


def test_a_clock_put_back_leaves_pages_whole_and_times_in_order(desk: LocalDesk) -> None:
    start = now()
    ids = []
    for n in range(10):
        desk.clock = lambda n=n: start - n * DAY
        ids.append(draft(desk, f"Note {n}"))
    desk.update_record(ids[0], "written a day before it was made")
    seen, token = [], ""
    while True:
        page = desk.list_records(page_size=3, page_token=token)
        seen += page.records
        token = page.next_page_token
        if not token:
            break
    assert [record.id for record in seen] == ids
    assert all(record.created_at <= record.updated_at for record in seen)


def test_a_clock_put_back_leaves_the_journal_in_order_and_its_chain_whole(desk: LocalDesk) -> None:
    start = now()
    for n in range(5):
        desk.clock = lambda n=n: start - n * DAY
        desk.approve_record(draft(desk, f"Note {n}"))
    lines = desk.history()
    assert [line.seq for line in lines] == list(range(10, 0, -1))
    assert [line.id for line in lines[::2]] == [f"note-{n}" for n in (4, 3, 2, 1, 0)]
    with desk.database.reading() as conn:
        assert journal.follow(conn).broken is None


def test_a_clock_put_back_holds_no_claim_for_longer(desk: LocalDesk, where: str) -> None:
    """A claim that seems to be of tomorrow could otherwise not be got rid of until then."""
    start = now()
    id = draft(desk, "Claimed")
    desk.clock = lambda: start + DAY
    desk.claim([id])
    with closing(open_desk(where, reviewer="somebody else")) as other:
        other.clock = lambda: start
        other.approve_record(id)
        assert other.get_record(id).title == "Claimed"


def test_a_clock_put_back_does_not_keep_the_trash_from_being_emptied(desk: LocalDesk) -> None:
    start = now()
    id = canonical(desk, "Secret", "word")
    desk.delete_record(id)
    desk.clock = lambda: start - DAY
    assert desk.purge() == 1
    assert desk.trash() == ()


def test_a_clock_put_back_restores_what_was_deleted_last(desk: LocalDesk) -> None:
    start = now()
    for number, text in enumerate(["older", "newer"]):
        desk.clock = lambda number=number: start - number * DAY
        desk.delete_record(canonical(desk, "Same", text))
    assert desk.trash()[0].record.content == "newer"
    assert desk.get_record(desk.restore("same").id).content == "newer"
