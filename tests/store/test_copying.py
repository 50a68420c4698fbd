"""A copied store is the same store: rows, keys, times and journal; and what follows from them works there."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from store import tables
from store.copying import COPIED, Copy, copy_store
from store.copying.derived import _BUILT
from store.doctor import examine
from store.engine import Database
from store.errors import Conflict, InvalidArgument, NotFound
from store.host import open_database
from store.local import LocalDesk, open_desk
from store.location import resolve
from store.records import MemoryScope, MemoryType, RecordStatus
from tests.conftest import ENGINES
from tests.postgresql import Server
from tests.store import copier
from tests.store.making import canonical, draft, new, waiting

Pair = tuple[str, str]


PAIRS = [(one, other) for one in ENGINES for other in ENGINES]
from_each_engine_to_each = pytest.mark.parametrize("pair", PAIRS, indirect=True, ids="-".join)


@pytest.fixture
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    """Where a store is, and where it is to be copied to: in files, unless it is said otherwise."""
    engines = getattr(request, "param", ENGINES[:1] * 2)
    with ExitStack() as stack:
        places = []
        for name, engine in zip(("from", "to"), engines, strict=True):
            if engine == "sqlite":
                places.append(str(tmp_path / name / "inbox.db"))
            else:
                server: Server = request.getfixturevalue("server")
                places.append(stack.enter_context(server.database()))
        yield places[0], places[1]


@pytest.fixture
def source(pair: Pair) -> str:
    """A store in which everything there is has happened."""
    desk = open_desk(pair[0], reviewer="ann")
    for number in range(40):
        draft(
            desk,
            f"Draft {number}",
            f"See [[kept-{number % 7}]] and [[nowhere]]. Zürich 東京 {number}",
        )
    for number in range(30):
        canonical(desk, f"Kept {number}", "text " * number, aliases=(f"alias/{number}",))
    desk.update_record("kept-3", "Another text.")
    desk.approve_record("kept-3", waiting(desk, "kept-3"))
    desk.update_record("kept-4", "Waits.")
    desk.reject_record("draft-1", waiting(desk, "draft-1"))
    desk.delete_record("kept-5")
    desk.delete_record("draft-39")  # the last key that was given is of a row that is gone
    desk.claim(["draft-2"])
    with desk.database.writing() as conn:
        conn.execute(
            tables.source.insert(),
            {
                "record_id": "kept-1",
                "root": "/r",
                "path": "a.md",
                "part": "",
                "format": "claude",
                "file_hash": "0" * 64,
                "head": b"---\r\n\xff\x00",
                "raw": None,
                "newline": "\r\n",
                "mtime_us": 7,
                "gone": True,
                "given": "",
            },
        )
        conn.execute(tables.token_count.insert(), {"content_hash": "ab", "model": "m", "tokens": 3})
    desk.close()
    return pair[0]


def copied(pair: Pair) -> Copy:
    return copy_store(*map(resolve, pair))


def found(desk: LocalDesk, query: str) -> set[str]:
    return {hit.record.id for hit in desk.search(query)}


def contents(place: str) -> dict[str, list[tuple[object, ...]]]:
    with closing(Database(resolve(place), read_only=True)) as database, database.reading() as conn:
        return {
            table.name: [
                tuple(row) for row in conn.execute(select(table).order_by(*table.primary_key))
            ]
            for table in COPIED
        }


def test_every_table_that_does_not_follow_from_others_is_copied() -> None:
    derived = {"search_text", "near_key"}
    assert {table.name for table in COPIED} == set(tables.metadata.tables) - derived
    assert len(_BUILT) == len(derived)


@from_each_engine_to_each
def test_a_copy_is_the_same_row_by_row_and_sound(pair: Pair, source: str) -> None:
    done = copied(pair)
    assert contents(pair[1]) == contents(source)
    assert {each.table: each.rows for each in done.tables} == {
        name: len(rows) for name, rows in contents(source).items()
    }
    assert (done.resumed, done.behind) == (False, 0)
    assert examine(resolve(pair[1])) == []


@from_each_engine_to_each
def test_what_follows_from_the_records_works_at_the_target(pair: Pair, source: str) -> None:
    copied(pair)
    there, here = open_desk(pair[1]), open_desk(source)
    for query in ("東京", "another", "Zürich 12", "alias"):
        assert found(there, query) == found(here, query) != set()
    assert there.near("Kept 12", MemoryType.PROJECT, MemoryScope.GLOBAL) != ()
    assert there.links() == here.links()
    assert there.history(limit=500) == here.history(limit=500)
    assert there.unapprove("kept-3").status is RecordStatus.PENDING
    here.close()
    there.close()


@from_each_engine_to_each
def test_no_key_is_given_twice_not_even_one_of_a_row_that_is_gone(pair: Pair, source: str) -> None:
    def next_key(place: str) -> int:
        desk = open_desk(place)
        id = draft(desk, "Next")
        with desk.database.reading() as conn:
            key = conn.execute(select(tables.record.c.pk).where(tables.record.c.id == id))
            found = int(key.scalar_one())
        desk.close()
        return found

    copied(pair)
    assert next_key(pair[1]) == next_key(source)


def test_the_source_is_left_as_it_was(pair: Pair, source: str) -> None:
    before = contents(source)
    copied(pair)
    assert contents(source) == before


def test_an_empty_store_is_copied(pair: Pair) -> None:
    open_desk(pair[0]).close()
    assert all(each.rows == 0 for each in copied(pair).tables)
    open_desk(pair[1]).close()


def test_a_store_with_records_of_its_own_is_refused_and_left_alone(pair: Pair, source: str) -> None:
    other = open_desk(pair[1])
    canonical(other, "Mine")
    other.close()
    before = contents(pair[1])
    with pytest.raises(Conflict, match="has records of its own; nothing was copied"):
        copied(pair)
    assert contents(pair[1]) == before


def test_a_copy_that_was_written_to_is_a_store_of_its_own(pair: Pair, source: str) -> None:
    copied(pair)
    other = open_desk(pair[1])
    canonical(other, "Mine")
    other.close()
    with pytest.raises(Conflict, match="records of its own"):
        copied(pair)


@from_each_engine_to_each
def test_copying_again_brings_over_what_the_source_has_got_since(pair: Pair, source: str) -> None:
    copied(pair)
    desk = open_desk(source)
    desk.clock = lambda: int(datetime(2030, 1, 1, tzinfo=UTC).timestamp() * 1_000_000)
    draft(desk, "Later")
    desk.approve_record("draft-3")
    desk.edit("kept-6", desk.get_record("kept-6").revision, title="Kept otherwise")
    desk.reject_record("draft-4")
    desk.restore("kept-5")
    desk.release(["draft-2"])
    desk.close()
    done = copied(pair)
    assert done.resumed
    assert contents(pair[1]) == contents(source)
    assert examine(resolve(pair[1])) == []


def test_what_is_written_to_the_source_meanwhile_is_said(pair: Pair, source: str) -> None:
    desk = open_desk(source)
    told: list[str] = []

    def write_once(what: str, done: int, total: int) -> None:
        if not told:
            draft(desk, "Meanwhile")
        told.append(what)

    before = contents(source)
    done = copy_store(*map(resolve, pair), write_once)
    assert done.behind == 1
    assert contents(pair[1]) == before
    desk.close()


@pytest.mark.parametrize("stage", ["journal", "record", "name", "search", "checking journal"])
@pytest.mark.parametrize("pair", [PAIRS[0], PAIRS[1]], indirect=True, ids="-".join)
def test_a_copy_that_is_killed_is_gone_on_with(pair: Pair, source: str, stage: str) -> None:
    context = multiprocessing.get_context("spawn")
    told, telling = context.Pipe(duplex=False)
    process = context.Process(target=copier.copy, args=(*pair, telling))
    process.start()
    telling.close()
    for what, done in iter(told.recv, None):
        if what == stage and done:
            break
    process.kill()
    process.join()
    assert process.exitcode == -9
    assert copied(pair).resumed
    assert contents(pair[1]) == contents(source)
    assert examine(resolve(pair[1])) == []


def test_a_target_with_a_part_that_differs_is_put_right(pair: Pair, source: str) -> None:
    copied(pair)
    with closing(open_database(resolve(pair[1]), False)) as database, database.writing() as conn:
        conn.execute(tables.record.update().where(tables.record.c.pk == 7), {"content": "Other."})
        conn.execute(tables.name.delete().where(tables.name.c.pk > 60))
    assert copied(pair).resumed
    assert contents(pair[1]) == contents(source)
    assert examine(resolve(pair[1])) == []


def test_a_place_that_is_the_same_or_holds_nothing_is_refused(pair: Pair, source: str) -> None:
    with pytest.raises(InvalidArgument, match="to where it is"):
        copied((source, source))
    with pytest.raises(NotFound):
        copied((f"{source}.missing", pair[1]))


def test_more_rows_than_a_batch_has_are_copied(pair: Pair) -> None:
    desk = open_desk(pair[0])
    with desk.batch():
        for number in range(1001):
            desk.record(new(f"Note {number}"))
    desk.close()
    copied(pair)
    assert contents(pair[1]) == contents(pair[0])
