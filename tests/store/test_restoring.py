"""A new store beside a damaged one: of a backup, and of all that its sound pages hold."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.doctor import Level, examine, mend
from store.doctor.restoring import restore
from store.errors import InvalidArgument, MemoryError, NotFound
from store.local import open_desk
from store.location import Location, resolve
from store.records import LinkClass, Record
from tests.store.making import canonical, draft, old_store

PAGE = 4096
RECORDS = 240


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of some hundred pages, closed."""
    path = tmp_path_factory.mktemp("made") / "inbox.db"
    with closing(open_desk(str(path))) as desk, desk.batch():
        for n in range(RECORDS):
            write = draft if n % 2 else canonical
            text = f"words of note {n}, see [[note-{n + 1}]]. " * 8
            write(desk, f"Note {n}", text, aliases=(f"the {n}th",))
        desk.delete_record(canonical(desk, "Deleted"))
    return path


@pytest.fixture
def store(made: Path, path: Path) -> Path:
    path.parent.mkdir(mode=0o700)
    path.write_bytes(made.read_bytes())
    path.chmod(0o600)
    return path


def leaves(store: Path, table: str) -> list[int]:
    """Return the pages at the bottom of a table or index, in order."""
    with closing(sqlite3.connect(store)) as conn:
        query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path"
        return [row[0] for row in conn.execute(query, (table,))]


def spoil(store: Path, *pages: int) -> None:
    with store.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * PAGE)
            file.write(b"\xa5" * PAGE)


def records(path: Path) -> dict[str, Record]:
    with closing(open_desk(str(path))) as desk:
        found, token = {}, ""
        while True:
            page = desk.list_records(page_size=500, page_token=token)
            found |= {record.id: record for record in page.records}
            if not (token := page.next_page_token):
                return found


def is_sound(path: Path) -> bool:
    return not [each for each in examine(resolve(str(path))) if each.level is Level.ERROR]


def beside(store: Path) -> list[str]:
    """Return the files beside a store, but for its own log."""
    own = {f"{store.name}-wal", f"{store.name}-shm"}
    return [each.name for each in store.parent.iterdir() if each.name not in own]


@pytest.fixture
def untouched(store: Path) -> Iterator[None]:
    """See to it that the store itself is left as it was after the damage."""
    yield
    assert not is_sound(store)


DERIVED = ("record_page", "record_kind", "sqlite_autoindex_link_1", "link", "near_key")
SEARCHED = ("search_index_data", "search_text", "search_index_docsize", "sqlite_autoindex_record_1")


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("which", [*DERIVED, *SEARCHED])
def test_a_damaged_page_of_what_follows_from_the_records_costs_nothing(
    made: Path, store: Path, which: str
) -> None:
    spoil(store, leaves(store, which)[-1])
    [finding] = [each for each in examine(resolve(str(store))) if each.check == "file"]
    assert "--restore" in finding.how
    done = restore(resolve(str(store)), store)
    assert (done.unread, done.left) == ((), ())
    assert (done.entries, done.trashed, done.lines) == (RECORDS, 1, RECORDS + 2)
    assert records(done.path) == records(made)
    with closing(open_desk(str(done.path))) as desk:
        assert desk.search("note 17")[0].record.id == "note-17"
        assert {link.link_class for link in desk.backlinks("note-17")} == {LinkClass.RESOLVED}
        assert desk.review("note-0").links
    assert done.path.parent == store.parent
    assert done.path.stat().st_mode & 0o777 == 0o600
    assert set(beside(store)) == {store.name, done.path.name}


@pytest.mark.usefixtures("untouched")
@pytest.mark.parametrize("which", [(0,), (-1,), (3,), (2, 6), (1, 2, -2, -1)])
def test_damaged_pages_of_the_records_lose_their_own_rows_alone(
    made: Path, store: Path, which: tuple[int, ...]
) -> None:
    pages = leaves(store, "record")
    lost = {pages[each] for each in which}
    spoil(store, *lost)
    done = restore(resolve(str(store)), store)
    assert done.unread == ("record",)
    assert done.left == ()
    whole, left = records(made), records(done.path)
    assert left.items() <= whole.items()
    # A page holds about as many rows as any other.
    assert RECORDS - len(left) <= 2 * len(lost) * RECORDS / len(pages)
    assert len(left) < RECORDS


@pytest.mark.usefixtures("untouched")
def test_a_damaged_page_of_the_journal_is_said_to_be_lost(store: Path) -> None:
    spoil(store, leaves(store, "journal")[1])
    done = restore(resolve(str(store)), store)
    assert done.unread == ("journal",)
    assert [finding.check for finding in done.left] == ["journal"]
    assert done.entries == RECORDS


def test_a_backup_of_an_older_form_is_brought_up_to_date_beside(store: Path, path: Path) -> None:
    backup = path.with_name("inbox.db.backup-0004-20260101T000000.000000Z")
    old_store(backup, "0004")
    before = (store.read_bytes(), backup.read_bytes())
    done = restore(resolve(str(store)), backup)
    assert done.left == ()
    assert (store.read_bytes(), backup.read_bytes()) == before
    assert is_sound(done.path)
    assert set(beside(store)) == {store.name, backup.name, done.path.name}


def test_what_waits_in_the_log_of_a_store_in_use_is_taken_along(store: Path) -> None:
    with closing(open_desk(str(store))) as desk:
        id = draft(desk, "In the log")
        done = restore(resolve(str(store)), store)
    assert id in records(done.path)


def test_a_source_that_is_no_database_leaves_nothing_behind(store: Path, tmp_path: Path) -> None:
    (tmp_path / "garbage").write_bytes(os.urandom(PAGE * 4))
    with pytest.raises(MemoryError, match="not a database"):
        restore(resolve(str(store)), tmp_path / "garbage")
    with pytest.raises(NotFound):
        restore(resolve(str(store)), tmp_path / "absent")
    assert beside(store) == [store.name]


LIMITED = """
import resource, sys
from pathlib import Path
from store.doctor.restoring import restore
from store.errors import SourceUnavailable
from store.location import resolve
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    restore(resolve(sys.argv[1]), Path(sys.argv[1]))
except SourceUnavailable as error:
    print(error)
"""


def test_a_disk_without_room_leaves_nothing_behind(store: Path) -> None:
    command = [sys.executable, "-c", LIMITED, str(store), str(store.stat().st_size // 2)]
    ran = subprocess.run(command, capture_output=True, check=True, text=True)
    assert "disk" in ran.stdout
    assert beside(store) == [store.name]


def test_a_server_has_its_own_tools(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="its own tools"):
        restore(Location("postgresql://x", None, "postgresql://x"), tmp_path)


def test_an_index_that_says_something_else_than_its_table_is_made_anew(
    made: Path, store: Path
) -> None:
    data = store.read_bytes()
    page = (leaves(store, "record_kind")[0] - 1) * PAGE
    at = data.rindex(b"project", page, page + PAGE)
    with store.open("r+b") as file:
        file.seek(at)
        file.write(b"projecT")
    found = examine(resolve(str(store)))
    assert [(each.check, each.mendable) for each in found] == [("file", True)]
    assert "record_kind" in found[0].what
    assert mend(resolve(str(store))) == []
    assert records(store) == records(made)
