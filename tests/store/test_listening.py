"""A store on a server tells when it was written to; a file does not, and nothing hangs on it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from store import server as servers
from store.local import LocalDesk, open_desk
from tests.postgresql import Server
from tests.store.making import draft

PATIENCE = 60.0  # seconds before a test gives up


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    with server.database() as url:
        yield url


@pytest.fixture
def desk(url: str) -> Iterator[LocalDesk]:
    desk = open_desk(url, reviewer="ann")
    yield desk
    desk.close()


def cut_lines(server: Server, url: str) -> None:
    """End every connection to a database, as a restart does."""
    name = url.rpartition("/")[2].partition("?")[0]
    with server.connect() as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
        )


def test_what_others_write_is_told(desk: LocalDesk, url: str) -> None:
    told = threading.Event()
    listening = desk.listen(told.set)
    assert listening is not None
    assert told.wait(PATIENCE)  # the line stands
    assert listening.hears
    for write in (lambda other: draft(other, "Note"), lambda other: other.claim(["note"])):
        told.clear()
        other = open_desk(url, reviewer="bob")
        write(other)
        assert told.wait(PATIENCE)
        other.close()


def test_a_line_that_is_cut_is_had_again_and_tells_that_something_may_have_been_missed(
    desk: LocalDesk, url: str, server: Server
) -> None:
    told = threading.Event()
    listening = desk.listen(told.set)
    assert listening is not None
    assert told.wait(PATIENCE)
    told.clear()
    cut_lines(server, url)
    assert told.wait(PATIENCE)
    told.clear()
    draft(desk, "Note")
    assert told.wait(PATIENCE)


def test_an_engine_without_notifications_is_written_to_all_the_same(
    desk: LocalDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "NOTIFY", "NOTIFY 'not a channel'")
    assert [draft(desk, "Note"), draft(desk, "Note")] == ["note", "note-2"]


def test_a_file_tells_nothing(tmp_path: Path) -> None:
    desk = open_desk(str(tmp_path / "inbox.db"))
    assert desk.listen(lambda: None) is None
    desk.close()
