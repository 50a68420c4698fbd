"""A store on a server: what only a server does to it, and that it gets over that by itself."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from store import engine, tables, writes
from store.doctor import examine, mend
from store.errors import Collided, MemoryError, SourceUnavailable, StoreTooNew
from store.local import LocalDesk, open_desk
from store.location import resolve
from store.search import index_is_sound, search
from tests.postgresql import Server
from tests.store.making import AGENT, canonical, draft, new, waiting

SESSIONS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'memory-inbox'"


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    with server.database() as url:
        yield url


@pytest.fixture
def desk(url: str) -> Iterator[LocalDesk]:
    with closing(open_desk(url, reviewer="reviewer")) as desk:
        yield desk


def end_sessions(server: Server) -> int:
    """End every connection that stores have to the server, as a restart or a failover does."""
    with server.connect() as conn:
        ended = conn.execute(f"SELECT pg_terminate_backend(pid) FROM ({SESSIONS}) AS ours")
        return len(ended.fetchall())


def collide(conn: Connection, code: str = "40001") -> None:
    """Have the server give the transaction up."""
    conn.exec_driver_sql(f"DO $$ BEGIN RAISE EXCEPTION 'given up' USING ERRCODE = '{code}'; END $$")


def test_an_empty_database_is_made_a_store(server: Server) -> None:
    with server.database(prepared=False) as url, closing(open_desk(url)) as desk:
        assert draft(desk, "First") == "first"
        with desk.database.engine.connect() as conn:
            context = MigrationContext.configure(conn, opts={"compare_type": True})
            both = [tables.metadata, tables.server_metadata]
            # The index refers to the records, which are described apart from it.
            found = [
                change for change in compare_metadata(context, both) if change[0] != "remove_fk"
            ]
            assert found == []


def open_and_record(url: str, start: Any) -> str:
    start.wait()
    with closing(open_desk(url)) as desk:
        return draft(desk, "Same")


def test_programs_that_make_the_tables_at_once_all_get_a_store(server: Server) -> None:
    spawn = multiprocessing.get_context("spawn")
    with (
        server.database(prepared=False) as url,
        spawn.Manager() as manager,
        spawn.Pool(4) as pool,
    ):
        start = manager.Barrier(4)
        ids = pool.starmap(open_and_record, [(url, start)] * 4)
        assert sorted(ids) == ["same", "same-2", "same-3", "same-4"]


def test_texts_are_ordered_by_code_point_whatever_the_database_says(desk: LocalDesk) -> None:
    with desk.database.reading() as conn:
        loose = conn.exec_driver_sql(
            "SELECT c.relname, a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
            " JOIN pg_collation o ON o.oid = a.attcollation JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = 'public' AND c.relkind = 'r' AND o.collname <> 'C'"
            " AND c.relname <> 'alembic_version'"
        ).all()
    assert loose == []


def test_nothing_but_tables_and_indexes_is_put_into_the_server(desk: LocalDesk) -> None:
    with desk.database.reading() as conn:
        for what in (
            "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal",
            "SELECT count(*) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
            " WHERE n.nspname = 'public'",
            "SELECT count(*) FROM pg_extension WHERE extname <> 'plpgsql'",
        ):
            assert conn.exec_driver_sql(what).scalar() == 0, what


def test_another_programs_tables_are_left_alone(server: Server) -> None:
    with server.database(prepared=False) as url:
        with server.connect(url.rpartition("/")[2].partition("?")[0]) as conn:
            conn.execute("CREATE TABLE record (url TEXT)")
        with pytest.raises(MemoryError, match="some other program"):
            open_desk(url)


def test_a_newer_store_is_refused(url: str, desk: LocalDesk) -> None:
    with desk.database.writing() as conn:
        conn.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreTooNew, match="9999"):
        open_desk(url)
    with pytest.raises(StoreTooNew, match="9999"):
        draft(desk, "Not written")


def test_a_store_that_is_read_only_takes_no_write(url: str, desk: LocalDesk) -> None:
    draft(desk, "Kept")
    with closing(open_desk(url, read_only=True)) as reader:
        assert reader.count().pending == 1
        with pytest.raises(MemoryError, match="reading only"):
            draft(reader, "Refused")
        with pytest.raises(MemoryError), reader.database.reading() as conn:
            conn.exec_driver_sql("DELETE FROM record")
    assert desk.count().pending == 1


def test_ended_connections_cost_no_call(server: Server, desk: LocalDesk) -> None:
    draft(desk, "Before")
    assert desk.count().pending == 1
    assert end_sessions(server) > 0
    assert desk.count().pending == 1
    end_sessions(server)
    assert draft(desk, "After") == "after"


def test_a_connection_lost_in_a_write_is_told_and_leaves_nothing(
    server: Server, desk: LocalDesk
) -> None:
    def lose() -> None:
        with desk.batch():
            draft(desk, "Half")
            end_sessions(server)
            draft(desk, "Way")

    with pytest.raises(SourceUnavailable, match="cannot be reached") as error:
        lose()
    assert error.value.retryable
    assert desk.count().total == 0
    assert draft(desk, "Whole") == "whole"


def test_a_server_that_is_away_is_told_until_it_is_back(server: Server, desk: LocalDesk) -> None:
    id = canonical(desk, "Acknowledged")
    server.stop("immediate")
    try:
        for _ in range(2):
            with pytest.raises(SourceUnavailable, match="cannot be reached"):
                desk.get_record(id)
            with pytest.raises(SourceUnavailable, match="cannot be reached"):
                draft(desk, "Lost")
    finally:
        server.start()
    assert desk.get_record(id).title == "Acknowledged"
    assert draft(desk, "After") == "after"


def test_a_store_that_cannot_be_opened_yet_opens_later(server: Server, url: str) -> None:
    server.stop()
    try:
        with pytest.raises(SourceUnavailable) as error:
            open_desk(url)
    finally:
        server.start()
    assert "user, password and database" in error.value.hint
    with closing(open_desk(url)) as desk:
        assert desk.count().total == 0


@pytest.mark.parametrize("code", ["40001", "40P01"])
def test_a_write_that_collided_is_done_again(
    desk: LocalDesk, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setattr(engine, "_PAUSES", (0.0, 0.0))
    real, left = writes.write, [code, code]

    def once_more(conn: Connection, *rest: Any) -> Any:
        result = real(conn, *rest)
        if left:
            collide(conn, left.pop())
        return result

    monkeypatch.setattr(writes, "write", once_more)
    assert draft(desk, "Once") == "once"
    assert [line.id for line in desk.history()] == ["once"]


def test_a_write_that_collides_for_ever_is_a_passing_failure(
    desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_PAUSES", (0.0, 0.0))
    tried = []

    def collided(conn: Connection, *_: Any) -> None:
        tried.append(1)
        collide(conn)

    monkeypatch.setattr(writes, "write", collided)
    with pytest.raises(Collided) as error:
        draft(desk, "Never")
    assert error.value.retryable
    assert len(tried) == 3
    assert desk.count().total == 0


def test_a_search_index_out_of_step_is_found_and_mended(url: str, desk: LocalDesk) -> None:
    draft(desk, "Sought", "the unmistakable xylophone")
    for damage in (
        "UPDATE search_index SET words = CAST('''other'':1D' AS tsvector)",
        "DELETE FROM search_index",
        "UPDATE search_total SET words = 7",
    ):
        with desk.database.writing() as conn:
            conn.exec_driver_sql(damage)
        assert [finding.check for finding in examine(resolve(url))] == ["index"], damage
        assert mend(resolve(url)) == []
        assert [hit.record.id for hit in desk.search("xylophones")] == ["sought"]


def test_a_missing_index_is_made_again(url: str, desk: LocalDesk) -> None:
    with desk.database.writing() as conn:
        conn.exec_driver_sql("DROP INDEX record_page")
        conn.exec_driver_sql("DROP INDEX search_index_words")
    [finding] = examine(resolve(url))
    assert "record_page" in finding.what
    assert "search_index_words" in finding.what
    assert mend(resolve(url)) == []


def test_a_text_with_more_words_than_fit_an_index_is_kept_and_found(desk: LocalDesk) -> None:
    desk.content_limit = 4_000_000
    long = " ".join(f"word{number:08}" for number in range(120_000))
    id = canonical(desk, "Long", f"beginning {long}")
    assert desk.get_record(id).content.endswith("word00119999")
    assert [hit.record.id for hit in desk.search("beginning")] == [id]
    with desk.database.reading() as conn:
        assert index_is_sound(conn)
        assert search(conn, "x" * 3000) == ()


def test_a_word_longer_than_a_lexeme_is_found_whole_only(desk: LocalDesk) -> None:
    word = "x" * 900
    id = canonical(desk, "Long word", f"say {word}y now")
    assert [hit.record.id for hit in desk.search(f"{word}y")] == [id]
    assert desk.search(f"{word}z") == ()


def test_a_server_without_its_driver_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MemoryError, match="psycopg") as error:
        open_desk("postgresql://ann:hunter2@db.example/memory")
    assert "memory-inbox[postgresql]" in error.value.hint
    assert "hunter2" not in str(error.value) + error.value.hint


def test_a_decision_after_a_failover_is_checked_like_any(server: Server, desk: LocalDesk) -> None:
    id = draft(desk, "Seen", "first")
    seen = waiting(desk, id)
    desk.update_record(id, "second", origin=AGENT)
    end_sessions(server)
    with pytest.raises(MemoryError, match="not what you looked at"):
        desk.approve_record(id, seen)
    desk.approve_record(id, waiting(desk, id))
    assert desk.write(new("Another"), AGENT).id == "another"
