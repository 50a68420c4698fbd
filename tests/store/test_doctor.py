"""The doctor finds every damage planted in a store, and mends what can be derived from the records."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from store.doctor import Finding, Level, examine, mend
from store.errors import NotFound
from store.local import open_desk
from store.location import resolve
from store.records import RecordFilter
from tests.store.making import canonical, draft, waiting

INDEX_ROW = (
    "INSERT INTO search_index(search_index, rowid, title, body) VALUES ('delete', {}, 'a', 'b')"
)


@pytest.fixture
def store(path: Path) -> Path:
    """A store with some of everything, closed and sound."""
    with closing(open_desk(str(path))) as desk:
        canonical(
            desk, "Release notes", "We cut them on 2026-03-14, see [[Freeze]] and [[gone-for-good]]"
        )
        canonical(desk, "Freeze", "See [[release-notes|the notes]].", aliases=("The Freeze",))
        draft(desk, "设备清单", "机房 [[freeze]]")
        desk.update_record("freeze", "Another text with [[wanted]]", title="Deep freeze")
        rejected = draft(desk, "Gone for good", "nonsense")
        desk.reject_record(rejected, waiting(desk, rejected))
    return path


def look(path: Path) -> list[Finding]:
    return examine(resolve(str(path)))


def damage(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as conn:
        for statement in statements:
            assert conn.execute(statement).rowcount != 0, "the damage must hit something"
        conn.commit()


def test_a_sound_store_has_no_findings(store: Path) -> None:
    assert look(store) == []


def test_looking_changes_nothing(store: Path) -> None:
    before = {file.name: file.read_bytes() for file in store.parent.iterdir()}
    look(store)
    assert {file.name: file.read_bytes() for file in store.parent.iterdir()} == before


def test_each_check_is_announced_before_it_runs(store: Path) -> None:
    told: list[str] = []
    examine(resolve(str(store)), told.append)
    order = "permissions backups schema file copies journal texts names links search near index"
    assert told == order.split()


DERIVED = {
    "names": [
        "DELETE FROM name WHERE is_id",
        "UPDATE name SET folded = 'other' WHERE name = 'The Freeze'",
    ],
    "links": [
        "DELETE FROM link WHERE target = 'Freeze'",
        "UPDATE link SET state = 'wanted', target_id = NULL WHERE target = 'Freeze'",
        "UPDATE link SET target_id = 'release-notes' WHERE target = 'Freeze'",
        "UPDATE link SET line = 7 WHERE target = 'Freeze'",
        "UPDATE record SET links = '[]' WHERE id = 'release-notes'",
        "UPDATE record SET links = 'no json' WHERE id = 'release-notes'",
        "DELETE FROM retired",
    ],
    "search": [
        "DELETE FROM search_text WHERE body LIKE '%2026%'",
        "UPDATE search_text SET body = 'other words'",
        "UPDATE record SET summary = 'a new summary'",
    ],
    "near": [
        "DELETE FROM near_key",
        "UPDATE near_key SET g3 = g3 + 1",
        "UPDATE near_key SET text = 'x'",
    ],
}
MENDABLE = [(check, statement) for check, statements in DERIVED.items() for statement in statements]


@pytest.mark.parametrize(("check", "statement"), MENDABLE)
def test_what_follows_from_the_records_is_found_and_mended(
    store: Path, check: str, statement: str
) -> None:
    damage(store, statement)
    found = look(store)
    assert check in {finding.check for finding in found}
    assert all(finding.level is Level.ERROR and finding.mendable for finding in found)
    if statement == "DELETE FROM retired":
        return  # what once answered follows from nothing: its links become wanted, which mending accepts
    assert mend(resolve(str(store))) == []
    assert look(store) == []


INDEX = [
    INDEX_ROW.format(1),
    "INSERT INTO search_index(rowid, title, body) VALUES (99, 'ghost', 'ghost')",
    "DELETE FROM search_index_docsize",
    "UPDATE search_index_data SET block = zeroblob(length(block)) WHERE id > 10",
]


@pytest.mark.parametrize("statement", INDEX)
def test_an_index_out_of_step_is_found_and_rebuilt(store: Path, statement: str) -> None:
    damage(store, statement)
    (finding,) = [finding for finding in look(store) if finding.check == "index"]
    assert finding.mendable
    assert mend(resolve(str(store))) == []
    with closing(open_desk(str(store))) as desk:
        assert {hit.record.id for hit in desk.search("机房")} == {"设备清单"}
        assert desk.browse(RecordFilter(text="2026-03-14")).records[0].id == "release-notes"


BEYOND_MENDING = {
    "texts": [
        "UPDATE record SET content = content || '!', content_hash = 'x' WHERE id = 'freeze'",
        "UPDATE record SET type = 'opinion' WHERE id = 'freeze'",
    ],
    "journal": [
        "DROP TRIGGER journal_no_update; UPDATE journal SET by = 'somebody else' WHERE seq = 2",
        "DROP TRIGGER journal_no_delete; DELETE FROM journal WHERE seq = 2",
        "DROP TRIGGER journal_no_update; UPDATE journal SET by = x'00ff' WHERE seq = 2",
    ],
    "file": ["INSERT INTO name(record_pk, name, folded, is_id) VALUES (999, 'a', 'a', 0)"],
}


@pytest.mark.parametrize(
    ("check", "script"),
    [(check, each) for check, scripts in BEYOND_MENDING.items() for each in scripts],
)
def test_what_only_a_backup_can_bring_back_is_found_and_left(
    store: Path, check: str, script: str
) -> None:
    with closing(sqlite3.connect(store)) as conn:
        conn.executescript(script)
    (finding,) = [finding for finding in look(store) if finding.check == check]
    assert finding.level is Level.ERROR
    assert not finding.mendable
    assert finding.how
    assert check in {finding.check for finding in mend(resolve(str(store)))}


def test_a_damaged_page_is_found(store: Path) -> None:
    with store.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(b"\xff" * 8192)
    assert {finding.level for finding in look(store)} == {Level.ERROR}


def test_a_file_that_is_no_database_is_a_finding(path: Path) -> None:
    path.parent.mkdir(mode=0o700)
    path.write_text("no database, " * 500)
    path.chmod(0o600)
    (finding,) = look(path)
    assert finding.check == "schema"


def test_a_store_from_a_newer_version_is_a_finding(store: Path) -> None:
    damage(store, "UPDATE alembic_version SET version_num = '9999'")
    (finding,) = look(store)
    assert finding.check == "schema"
    assert "9999" in finding.what
    assert finding.how


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("ALTER TABLE record DROP COLUMN summary", "the column record.summary"),
        ("ALTER TABLE near_key DROP COLUMN g3", "the column near_key.g3"),
        ("DROP TABLE source", "the table source"),
        ("DROP TABLE search_index", "the search's search_index"),
        ("DROP TRIGGER search_text_dropped", "the search's search_text_dropped"),
    ],
)
def test_a_store_that_only_says_it_is_up_to_date_is_found(
    store: Path, statement: str, what: str
) -> None:
    damage(store, statement)
    (finding,) = look(store)
    assert (finding.check, finding.level, finding.mendable) == ("schema", Level.ERROR, False)
    assert what in finding.what
    assert finding.how
    assert mend(resolve(str(store))) == [finding]


def test_a_missing_index_is_found_and_made(store: Path) -> None:
    damage(store, "DROP INDEX record_latest_project", "DROP INDEX link_state")
    (finding,) = look(store)
    assert (finding.check, finding.level, finding.mendable) == ("schema", Level.WARNING, True)
    assert "record_latest_project, link_state" in finding.what
    assert mend(resolve(str(store))) == []


def test_an_absent_store_is_an_error_and_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        look(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


def test_files_that_others_may_read_are_found_and_closed(store: Path) -> None:
    store.chmod(0o644)
    store.parent.chmod(0o755)
    findings = look(store)
    assert [finding.check for finding in findings] == ["permissions", "permissions"]
    assert str(store) in findings[1].what
    assert mend(resolve(str(store))) == []
    assert store.stat().st_mode & 0o777 == 0o600
    assert store.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(("age", "checks"), [(0, []), (31, ["backups"])])
def test_only_old_backups_are_stale(store: Path, age: int, checks: list[str]) -> None:
    copy = store.with_name(f"{store.name}.backup-0001-20260101T000000.000000Z")
    copy.write_bytes(b"x" * 1000)
    copy.chmod(0o600)
    then = copy.stat().st_mtime - age * 86_400
    os.utime(copy, (then, then))
    findings = look(store)
    assert [finding.check for finding in findings] == checks
    assert all(str(copy) in finding.how for finding in findings)


def test_a_finding_about_many_names_a_few(store: Path) -> None:
    with closing(open_desk(str(store))) as desk:
        for n in range(9):
            canonical(desk, f"Numbered {n}")
    damage(store, "UPDATE record SET content_hash = 'x' WHERE title LIKE 'Numbered%'")
    (finding,) = look(store)
    assert "9 entries: numbered-0, numbered-1, numbered-2 and 6 more" in finding.what
