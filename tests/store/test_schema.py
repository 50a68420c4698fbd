"""Opening: new stores are made, old ones upgraded after a copy, newer and foreign ones left alone."""

from __future__ import annotations

import hashlib
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy.schema import SchemaItem

from store import schema, tables
from store.errors import MemoryError, NotFound, StoreTooNew
from store.local import LocalDesk, open_desk
from store.location import claim
from store.migrations import MIGRATIONS, revisions
from tests.mortal import mortal
from tests.store.making import draft, old_store

HEAD = revisions()[-1]


def stored_revision(path: Path) -> str:
    with closing(sqlite3.connect(path)) as conn:
        return str(conn.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def copies(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.backup-*"))


def test_the_revisions_are_one_line_in_order() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    from alembic.script import ScriptDirectory

    steps = list(ScriptDirectory.from_config(config).walk_revisions())
    assert [step.revision for step in reversed(steps)] == list(revisions())


def test_models_and_migrations_agree(path: Path, desk: LocalDesk) -> None:
    def ours(
        thing: SchemaItem, name: str | None, kind: str, reflected: bool, other: object
    ) -> bool:
        # The full-text index is a virtual table with shadow tables, which no model describes.
        return not (kind == "table" and reflected and (name or "").startswith("search_index"))

    with desk.database.engine.connect() as conn:
        context = MigrationContext.configure(
            conn, opts={"compare_type": True, "include_object": ours}
        )
        assert compare_metadata(context, tables.metadata) == []


def test_a_new_store_needs_no_copy(path: Path, desk: LocalDesk) -> None:
    assert stored_revision(path) == HEAD
    assert copies(path) == []


def test_an_old_store_is_upgraded_after_a_copy(path: Path) -> None:
    old_store(path, "0001")
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("INSERT INTO token_count VALUES ('hash', 'model', 7)")
        conn.commit()
    with closing(open_desk(str(path))) as desk:
        draft(desk, "After the upgrade")
    assert stored_revision(path) == HEAD
    [copy] = copies(path)
    assert copy.name.startswith("inbox.db.backup-0001-")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stored_revision(copy) == "0001"
    for each in (path, copy):
        with closing(sqlite3.connect(each)) as conn:
            assert conn.execute("SELECT tokens FROM token_count").fetchall() == [(7,)]


@pytest.mark.parametrize("revision", revisions()[:-1])
def test_every_step_leads_to_the_same_tables(path: Path, revision: str, desk: LocalDesk) -> None:
    def shape(database: Path) -> set[tuple[str, str]]:
        with closing(sqlite3.connect(database)) as conn:
            return set(conn.execute("SELECT type, name FROM sqlite_master"))

    other = path.with_name("other.db")
    old_store(other, revision)
    open_desk(str(other)).close()
    assert shape(other) == shape(path)


def test_an_up_to_date_store_is_opened_without_alembic(path: Path, desk: LocalDesk) -> None:
    code = (
        "import sys; from store.local import open_desk;"
        f"open_desk({str(path)!r}).close(); sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_newer_store_is_refused_and_untouched(path: Path, desk: LocalDesk) -> None:
    draft(desk, "From the future")
    with desk.database.writing() as conn:
        conn.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    desk.close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = digest(path)
    with pytest.raises(StoreTooNew, match="9999"):
        open_desk(str(path))
    assert digest(path) == before
    assert copies(path) == []


def test_a_newer_store_with_a_log_to_fold_in_is_untouched(path: Path, desk: LocalDesk) -> None:
    with desk.database.writing() as conn:
        conn.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    log = Path(f"{path}-wal")
    before = digest(path), digest(log)
    with pytest.raises(StoreTooNew):
        open_desk(str(path))
    assert (digest(path), digest(log)) == before


def test_another_programs_database_is_refused_and_untouched(path: Path) -> None:
    claim(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE TABLE bookmarks (url TEXT)")
    before = digest(path)
    with pytest.raises(MemoryError, match="some other program"):
        open_desk(str(path))
    assert digest(path) == before


def test_a_file_that_is_no_database_is_refused_and_untouched(path: Path) -> None:
    claim(path)
    path.write_bytes(b"# Notes\n" * 200)
    with pytest.raises(MemoryError, match="not a database"):
        open_desk(str(path))
    assert path.read_bytes() == b"# Notes\n" * 200


def test_a_failed_upgrade_leaves_the_store_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_store(path, "0001")

    def fail(conn: object) -> None:
        raise MemoryError("a step failed")

    monkeypatch.setattr(schema, "_run_steps", fail)
    with pytest.raises(MemoryError, match="a step failed"):
        open_desk(str(path))
    monkeypatch.undo()
    assert stored_revision(path) == "0001"
    open_desk(str(path)).close()
    assert stored_revision(path) == HEAD


def test_programs_that_start_at_once_make_one_store(path: Path) -> None:
    code = f"from store.local import open_desk; open_desk({str(path)!r}).close()"
    started = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [each.wait() for each in started] == [0, 0, 0, 0]
    assert stored_revision(path) == HEAD


def test_programs_that_start_at_once_upgrade_once(path: Path) -> None:
    old_store(path, "0001")
    code = f"from store.local import open_desk; open_desk({str(path)!r}).close()"
    started = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [each.wait() for each in started] == [0, 0, 0, 0]
    assert len(copies(path)) == 1


def test_reading_only_needs_a_store_that_is_up_to_date(path: Path) -> None:
    with pytest.raises(NotFound):
        open_desk(str(path), read_only=True)
    old_store(path, "0001")
    with pytest.raises(MemoryError, match="older form"):
        open_desk(str(path), read_only=True)
    assert stored_revision(path) == "0001"


def test_reading_only_reads_and_does_not_write(path: Path, desk: LocalDesk) -> None:
    id = draft(desk, "Seen")
    with closing(open_desk(str(path), read_only=True)) as reader:
        assert reader.get_record(id).title == "Seen"
        with pytest.raises(MemoryError, match="reading only"):
            draft(reader, "Not written")
    assert desk.count().pending == 1


def test_a_directory_without_permission_is_said_so(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with mortal(), pytest.raises(MemoryError, match="cannot be made"):
        open_desk(str(tmp_path / "inner" / "inbox.db"))
