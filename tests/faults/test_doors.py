"""At each door one message says what happened and what to do; nothing that was acknowledged is lost."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from store.doctor import examine
from store.local import open_desk
from store.location import resolve
from tests.faults.doors import Place, command_line, inbox, list_all, plugin, record
from tests.mortal import MORTAL
from tests.store.making import canonical, draft

RECORD = ("record", "--type", "user", "--scope", "global", "--title", "Written")
Break = Callable[[Path], None]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A sound store of some pages, closed."""
    path = tmp_path / "private" / "inbox.db"
    with closing(open_desk(str(path))) as desk, desk.batch():
        for n in range(60):
            write = draft if n % 2 else canonical
            write(desk, f"Note {n}", f"words of note {n}, see [[note-{n + 1}]]. " * 8)
    return path


def is_whole(store: Path) -> bool:
    with closing(open_desk(str(store))) as desk:
        whole = desk.count().total == 60
    return whole and examine(resolve(str(store))) == []


def spoil(table: str, page: int) -> Break:
    """Damage a page of a table or index, counted among those at the bottom."""

    def damage(store: Path) -> None:
        with closing(sqlite3.connect(store)) as conn:
            query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path"
            pages = [row[0] for row in conn.execute(query, (table,))]
        with store.open("r+b") as file:
            file.seek((pages[page] - 1) * 4096)
            file.write(b"\xa5" * 4096)

    return damage


def spoil_both_orders(store: Path) -> None:
    """Damage the indexes that lists of all and lists of drafts are read by, where the newest are."""
    spoil("record_page", -1)(store)
    spoil("record_status_page", -1)(store)


def make_newer(store: Path) -> None:
    with closing(sqlite3.connect(store)) as conn:
        conn.execute("UPDATE alembic_version SET version_num = '9999'")
        conn.commit()


def replace_by_garbage(store: Path) -> None:
    store.write_bytes(os.urandom(16_384))


def replace_by_link(store: Path) -> None:
    store.rename(store.with_name("elsewhere.db"))
    store.symlink_to(store.with_name("elsewhere.db"))


def close_file(store: Path) -> None:
    store.chmod(0o000)


def only_read(store: Path) -> None:
    store.chmod(0o400)


def close_directory(store: Path) -> None:
    store.parent.chmod(0o500)


@dataclass(frozen=True)
class Fault:
    """What is done to a store, and what is then said of reading or writing it.

    Args:
        what: what happened, in words that all doors say.
        hint: what to do, in words that people at the doors are told.
        writes: only who writes is told; reading works.
    """

    name: str
    do: Break
    what: str
    hint: str
    writes: bool = False


FAULTS = [
    Fault("page of the records", spoil("record", -1), "file is damaged", "memory-inbox doctor"),
    Fault("page of an index", spoil_both_orders, "file is damaged", "memory-inbox doctor"),
    Fault("garbage", replace_by_garbage, "not a database", "another file with --store"),
    Fault("a newer version", make_newer, "'9999'", "Update memory-inbox"),
    Fault("a link", replace_by_link, "symbolic link", "path of the file itself"),
    Fault("chmod 000", close_file, "may not be read", "Check the permissions"),
    Fault("chmod 400", only_read, "may only be read", "Check the permissions", writes=True),
    Fault("a closed directory", close_directory, "may only be read", "the file and its directory"),
]
every_fault = pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)


def assert_one_message(said: tuple[int, str, str], fault: Fault) -> None:
    code, out, err = said
    text = " ".join(err.split())
    assert (code, out) == (1, "")
    assert text.count(fault.what) == 1
    assert fault.hint in text
    assert "Traceback" not in err
    assert len(err.splitlines()) <= 3, err


@every_fault
def test_the_command_line_says_it_in_one_message(store: Path, tmp_path: Path, fault: Fault) -> None:
    fault.do(store)
    place = Place(store, tmp_path, MORTAL)
    assert_one_message(command_line(place, *RECORD), fault)
    listed = command_line(place, "list", "--limit", "100")
    if fault.writes:
        assert (listed[0], len(listed[1].splitlines())) == (0, 60)
    else:
        assert_one_message(listed, fault)


@every_fault
def test_the_inbox_opens_and_says_it(store: Path, tmp_path: Path, fault: Fault) -> None:
    fault.do(store)
    seen = inbox(Place(store, tmp_path, MORTAL), fault.what, fault.hint)
    assert "".join(fault.what.split()) in seen
    assert "".join(fault.hint.split()) in seen
    assert "Traceback" not in seen


@every_fault
def test_the_plugin_answers_with_it(store: Path, tmp_path: Path, fault: Fault) -> None:
    fault.do(store)
    error = plugin(Place(store, tmp_path, MORTAL), record)
    assert isinstance(error, grpc.RpcError)
    assert fault.what in error.details()
    assert "Traceback" not in error.details()


def test_a_damaged_search_index_is_said_to_whom_searches(store: Path, tmp_path: Path) -> None:
    spoil("search_index_data", -1)(store)
    fault = FAULTS[0]
    assert_one_message(command_line(Place(store, tmp_path), "search", "words"), fault)
    assert command_line(Place(store, tmp_path), "list")[0] == 0
    code, out, _ = command_line(Place(store, tmp_path), "doctor")
    assert code == 1
    assert "doctor --restore" in " ".join(out.split())


@pytest.mark.parametrize("do", [close_file, only_read, close_directory])
def test_what_was_there_is_there_once_the_permissions_are_back(
    store: Path, tmp_path: Path, do: Break
) -> None:
    do(store)
    command_line(Place(store, tmp_path, MORTAL), *RECORD)
    store.parent.chmod(0o700)
    store.chmod(0o600)
    assert is_whole(store)


# File systems of their own.

MOUNTED = """
set -e
mount -t tmpfs -o size=$1,mode=700 tmpfs "$3"
cp "$2" "$3/inbox.db"
limit=$4
mount_point=$3
shift 4
case $limit in
  full) cat /dev/zero >"$mount_point/filler" 2>/dev/null || true ;;
  read-only) mount -o remount,bind,ro "$mount_point" ;;
esac
exec "$@"
"""


def mounted(store: Path, tmp_path: Path, limit: str, kilobytes: int = 0) -> Place:
    """Return a place where each command finds a copy of a store on a small file system of its own."""
    if subprocess.run(["unshare", "-rm", "true"], check=False, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    target = tmp_path / "mounted"
    target.mkdir()
    size = f"{store.stat().st_size // 1024 + 64 + kilobytes}k"
    run = ["unshare", "-rm", "sh", "-c", MOUNTED, "sh", size, str(store), str(target), limit]
    return Place(target / "inbox.db", tmp_path, run)


FULL = Fault("full", lambda _: None, "the disk is full", "Free some space")
READ_ONLY = Fault("read-only", lambda _: None, "may only be read", "mounted read-only", writes=True)
limits = pytest.mark.parametrize("fault", [FULL, READ_ONLY], ids=lambda fault: fault.name)


@limits
def test_the_command_line_on_such_a_disk(store: Path, tmp_path: Path, fault: Fault) -> None:
    place = mounted(store, tmp_path, fault.name)
    assert_one_message(command_line(place, *RECORD), fault)
    if fault.writes:
        listed = command_line(place, "list", "--limit", "100")
        assert (listed[0], len(listed[1].splitlines())) == (0, 60)
        assert command_line(place, "doctor")[0] == 0
    restored = command_line(place, "doctor", "--restore", str(store))
    assert restored[0] == 1
    assert "Traceback" not in restored[2]


@limits
def test_the_inbox_on_such_a_disk(store: Path, tmp_path: Path, fault: Fault) -> None:
    place = mounted(store, tmp_path, fault.name)
    seen = inbox(place, fault.what, fault.hint)
    assert "".join(fault.what.split()) in seen
    assert "Traceback" not in seen


@limits
def test_the_plugin_on_such_a_disk(store: Path, tmp_path: Path, fault: Fault) -> None:
    error = plugin(mounted(store, tmp_path, fault.name), record)
    assert isinstance(error, grpc.RpcError)
    assert error.code() is grpc.StatusCode.UNAVAILABLE
    assert fault.what in error.details()


FILLING = """
import json, sys
from contextlib import closing
from store.doctor import examine
from store.errors import SourceUnavailable
from store.local import open_desk
from store.location import resolve
from tests.store.making import draft
path, ids, said = sys.argv[1], [], ""
with closing(open_desk(path)) as desk:
    try:
        while len(ids) < 10_000:
            ids.append(draft(desk, f"More {len(ids)}", f"{len(ids)} " * 2000))
    except SourceUnavailable as error:
        said = str(error)
    there = desk.count().total
with closing(open_desk(path)) as desk:
    kept = [desk.get_record(id).id for id in ids] == ids
print(json.dumps([len(ids), said, there, kept, [str(each) for each in examine(resolve(path))]]))
"""


def test_a_disk_that_fills_up_loses_nothing_acknowledged(store: Path, tmp_path: Path) -> None:
    """On a real file system that has room for some more records, and no more."""
    place = mounted(store, tmp_path, "none", kilobytes=1000)
    ran = subprocess.run(
        [*place.before, sys.executable, "-c", FILLING, str(place.store)],
        env=place.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    written, said, there, kept, findings = json.loads(ran.stdout)
    assert written > 3
    assert "disk is full" in said
    assert (there, kept, findings) == (60 + written, True, [])


def test_a_plugin_reads_a_store_on_a_disk_that_filled_up(store: Path, tmp_path: Path) -> None:
    assert plugin(mounted(store, tmp_path, "none"), list_all) is None
