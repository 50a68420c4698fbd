"""Killing a writer at any point loses nothing that was acknowledged and leaves nothing half done."""

from __future__ import annotations

import multiprocessing
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from store.doctor import examine
from store.errors import NotFound
from store.local import LocalDesk, open_desk
from store.location import resolve
from store.records import RecordFilter, RecordStatus
from tests.store.crashing import write_until_killed

KILLS = 200
PENDING, CANONICAL = RecordStatus.PENDING, RecordStatus.CANONICAL


@pytest.mark.slow
def test_every_acknowledged_write_survives_a_kill_at_any_point(path: Path) -> None:
    # A fork server with the store imported makes a writer start in a few milliseconds.
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["tests.store.crashing"])
    seeded = random.Random(20261130)
    acknowledged: dict[str, set[str]] = {}
    open_desk(str(path)).close()
    for run in range(KILLS):
        ours, theirs = server.Pipe(duplex=False)
        writer = server.Process(target=write_until_killed, args=(str(path), run, theirs))
        writer.start()
        theirs.close()
        # After some steps, at some point of the next one or of one soon after.
        steps = [ours.recv() for _ in range(seeded.randrange(1, 10))]
        writer.join(seeded.random() * 0.004)
        writer.kill()
        writer.join()
        with closing(ours):
            steps += received(ours)
        fresh: dict[str, set[str]] = {}
        for step, id in steps:
            fresh.setdefault(id, set()).add(step)
        acknowledged |= fresh
        with closing(open_desk(str(path))) as desk:
            check(desk, fresh)
        if run % 20 == 0:
            check_file(path)
    with closing(open_desk(str(path))) as desk:
        check(desk, acknowledged)
    check_file(path)
    assert set.union(*acknowledged.values()) == {"recorded", "approved", "revised", "rejected"}


def received(done: Connection) -> Iterator[tuple[str, str]]:
    """Yield what was reported before the end; a report cut short by the kill was none."""
    while True:
        try:
            yield done.recv()
        except (EOFError, OSError):
            return


def check(desk: LocalDesk, acknowledged: dict[str, set[str]]) -> None:
    for id, steps in acknowledged.items():
        if "rejected" in steps:
            with pytest.raises(NotFound):
                desk.get_record(id)
            continue
        record = desk.get_record(id)
        assert record.content.startswith("text of ")
        assert record.status is CANONICAL or "approved" not in steps
        assert [link.target for link in desk.review(id, record.status).links] == ["note"]
        found = desk.search(record.title, RecordFilter(status=record.status), limit=5)
        assert record in [hit.record for hit in found]
        if "revised" in steps:
            assert desk.review(id, PENDING).record.content.startswith("revised text of ")


def check_file(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
    assert examine(resolve(str(path))) == []
