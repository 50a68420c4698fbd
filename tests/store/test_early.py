"""Early recalls are those of `store.recall`: the same entries, scores, order and errors."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from store import recall, tables
from store.clock import from_micros
from store.early import EarlyStore, open_early
from store.engine import Database
from store.errors import BudgetExceeded, MemoryError, SourceUnavailable
from store.local import open_desk
from store.location import Location, resolve
from store.records import (
    MemoryScope,
    MemoryType,
    NewRecord,
    Origin,
    Recalled,
    RecallRequest,
    RecordStatus,
)
from store.tokens import FallbackCounter
from tests.store.entries import START, a_store, add

NOW = from_micros(START) + timedelta(days=30)
WORDS = [
    "deploy",
    "database",
    "review",
    "commit",
    "linter",
    "tests",
    "server",
    "cache",
    "token",
    "branch",
    "Größe",
    "漢字",
    "C++",
]
ROOTS = ["", "/work/app", "/work", "/work/app/lib"]
SESSIONS = ["", "s1", "s2"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A store of some hundred entries of every kind, with links between them."""
    chance = random.Random(7)
    with a_store(str(tmp_path_factory.mktemp("early") / "inbox.db")) as database:
        with database.writing() as conn:
            for number in range(400):
                content = " ".join(chance.choices(WORDS, k=chance.randint(1, 40)))
                status = chance.choices(list(RecordStatus), [4, 1])[0]
                pk = add(
                    conn,
                    f"entry-{number}",
                    content,
                    title=" ".join(chance.choices(WORDS, k=2)),
                    type=chance.choice(list(MemoryType)),
                    scope=chance.choice(list(MemoryScope)),
                    status=status,
                    updated_at=START + chance.randint(0, 10**12),
                    session_id=chance.choice(SESSIONS),
                    project_root=chance.choice(ROOTS),
                    base_revision="x" if status is RecordStatus.PENDING and number % 2 else None,
                )
                target = f"entry-{chance.randint(0, number)}"
                link = {
                    "source_pk": pk,
                    "seq": 0,
                    "source_id": f"entry-{number}",
                    "target": target,
                    "folded": target,
                    "line": 1,
                    "state": "resolved",
                    "target_id": target,
                    "alias": "",
                }
                conn.execute(tables.link.insert().values(**link))
        yield database


@pytest.fixture(scope="module")
def early_store(store: Database) -> Iterator[EarlyStore]:
    opened = open_early(store.location)
    assert opened
    yield opened
    opened.close()


def a_request(chance: random.Random) -> RecallRequest:
    return RecallRequest(
        token_budget=chance.choice([0, 3, 50, 2000, 10**6]),
        session_id=chance.choice(SESSIONS),
        ancestors=tuple(chance.sample(["s1", "s2"], chance.randint(0, 2))),
        files_touched=tuple(f"/work/app/{word}.py" for word in chance.sample(WORDS, 2)),
        working_directory=chance.choice([*ROOTS, "/work/app/lib/deep", "/elsewhere"]),
        types=tuple(chance.sample(list(MemoryType), chance.randint(0, 3))),
        scopes=tuple(chance.sample(list(MemoryScope), chance.randint(0, 2))),
        include_pending=chance.random() < 0.3,
        query=" ".join(chance.sample(WORDS, chance.randint(0, 4))),
    )


def late(store: Database, request: RecallRequest) -> Recalled | str:
    with store.reading() as conn:
        try:
            return recall.recall(conn, request, FallbackCounter(), NOW)
        except BudgetExceeded as error:
            return str(error)


def soon(early_store: EarlyStore, request: RecallRequest) -> Recalled | str:
    try:
        return early_store.recall(request, FallbackCounter(), NOW)
    except BudgetExceeded as error:
        return str(error)


@pytest.mark.parametrize("seed", range(60))
def test_early_and_late_say_the_same(store: Database, early_store: EarlyStore, seed: int) -> None:
    request = a_request(random.Random(seed))
    assert soon(early_store, request) == late(store, request)


class Counter:
    """A host that counts one token a character."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def count(self, contents: Sequence[str], model: str) -> list[int]:
        self.asked += contents
        return [len(text) for text in contents]


class Nobody:
    """A host that cannot be reached."""

    def count(self, contents: Sequence[str], model: str) -> list[int]:
        raise SourceUnavailable("nobody")


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[EarlyStore]:
    """A store of one memory of ten characters."""
    desk = open_desk(str(tmp_path / "inbox.db"))
    desk.write(NewRecord(MemoryType.USER, MemoryScope.GLOBAL, "Ten", "x" * 10), Origin())
    desk.close()
    opened = open_early(resolve(str(tmp_path / "inbox.db")))
    assert opened
    yield opened
    opened.close()


REQUEST = RecallRequest(token_budget=100, model="m")


def tokens(found: Recalled) -> list[int]:
    return [scored.record.tokens for scored in found.given]


def test_counts_are_kept_for_the_next_time(fresh: EarlyStore) -> None:
    host = Counter()
    assert tokens(fresh.recall(REQUEST, host, NOW)) == [10]
    assert tokens(fresh.recall(REQUEST, host, NOW)) == [10]
    assert tokens(fresh.recall(replace(REQUEST, model="other"), host, NOW)) == [10]
    assert host.asked == ["x" * 10] * 2


def test_an_estimate_is_not_kept(fresh: EarlyStore) -> None:
    assert tokens(fresh.recall(REQUEST, Nobody(), NOW)) == [3]
    assert tokens(fresh.recall(REQUEST, Counter(), NOW)) == [10]


def test_a_locked_store_is_still_recalled_from(fresh: EarlyStore, tmp_path: Path) -> None:
    host = Counter()
    with sqlite3.connect(tmp_path / "inbox.db", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        assert tokens(fresh.recall(REQUEST, host, NOW)) == [10]
        other.execute("ROLLBACK")
    assert tokens(fresh.recall(REQUEST, host, NOW)) == [10]
    assert len(host.asked) == 2


def test_reading_leaves_no_files_beside_the_store(fresh: EarlyStore, tmp_path: Path) -> None:
    fresh.recall(REQUEST, Nobody(), NOW)
    fresh.close()
    assert [path.name for path in tmp_path.iterdir()] == ["inbox.db"]


def test_only_a_store_of_the_present_form_is_opened(tmp_path: Path) -> None:
    """Making, upgrading and refusing is somebody else's; nothing is made by looking."""
    path = tmp_path / "inbox.db"
    assert open_early(resolve(str(path))) is None
    assert not path.exists()
    server = Location("postgresql+psycopg://localhost/x", None, "x")
    assert open_early(server) is None
    path.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    assert open_early(resolve(str(path))) is None
    path.unlink()
    sqlite3.connect(path).close()
    assert open_early(resolve(str(path))) is None
    path.unlink()
    open_desk(str(path)).close()
    with sqlite3.connect(path) as conn:
        conn.execute("UPDATE alembic_version SET version_num = '9999'")
    conn.close()
    assert open_early(resolve(str(path))) is None


def test_a_symbolic_link_is_not_followed(tmp_path: Path) -> None:
    open_desk(str(tmp_path / "inbox.db")).close()
    os.symlink(tmp_path / "inbox.db", tmp_path / "link.db")
    with pytest.raises(MemoryError, match="symbolic link"):
        open_early(resolve(str(tmp_path / "link.db")))


def test_the_database_library_is_not_loaded() -> None:
    code = "import store.early, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "store.early" in loaded
    assert not {"sqlalchemy", "sqlmodel", "alembic"} & set(loaded)
