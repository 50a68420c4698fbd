"""A folder and the store are brought in step, with nothing lost on either side."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.folders import skeleton
from store.folders.entry import Entry
from store.folders.importer import ImportOptions, import_folder
from store.folders.place import CannotWrite, Changed, Place
from store.folders.report import Outcome
from store.folders.steps import Action
from store.folders.sync import Synced, sync_folder, watch_folder
from store.local import LocalDesk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus

CASES = Path(__file__).parents[1] / "cases" / "import"
CANONICAL = ImportOptions(status=RecordStatus.CANONICAL)


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    """Return a Claude memory folder inside a project."""
    (tmp_path / "project" / ".git").mkdir(parents=True)
    return Path(shutil.copytree(CASES / "claude-basic", tmp_path / "project" / "memory"))


def counts(synced: Synced) -> tuple[dict[str, int], dict[str, int]]:
    quiet = (Outcome.UNCHANGED, Outcome.SKIPPED)
    taken = {key.value: n for key, n in synced.incoming.counts.items() if n and key not in quiet}
    given = {
        key.value: n for key, n in synced.outgoing.counts.items() if n and key is not Action.KEEP
    }
    return taken, given


def test_a_second_sync_has_nothing_to_do(desk: LocalDesk, claude: Path) -> None:
    before = {path.name: path.read_bytes() for path in claude.iterdir()}
    assert counts(sync_folder(desk, claude, CANONICAL)) == ({"new": 3}, {})
    again = sync_folder(desk, claude)
    assert counts(again) == ({}, {})
    assert again.complete
    assert not again.changes
    assert {path.name: path.read_bytes() for path in claude.iterdir()} == before


def test_a_folder_without_an_index_gets_none_for_nothing(desk: LocalDesk, claude: Path) -> None:
    (claude / "MEMORY.md").unlink()
    assert counts(sync_folder(desk, claude, CANONICAL)) == ({"new": 3}, {})
    assert not (claude / "MEMORY.md").exists()


def test_both_directions_at_once_and_the_plan_says_so(desk: LocalDesk, claude: Path) -> None:
    sync_folder(desk, claude, CANONICAL)
    desk.edit("tdd", desk.get_record("tdd").revision, content="Ours.\n")
    (claude / "user_role.md").write_text("---\nname: user-role\ntype: user\n---\nTheirs.\n")
    (claude / "fresh.md").write_text("---\nname: fresh\ntype: user\n---\nNew there.\n")
    new = NewRecord(MemoryType.PROJECT, MemoryScope.PROJECT, "new here", "text")
    desk.write(new, Origin(project_root=str(claude.parent)))
    elsewhere = NewRecord(MemoryType.PROJECT, MemoryScope.PROJECT, "of another project", "text")
    desk.write(elsewhere, Origin(project_root="/somewhere/else"))
    before = {path.name: path.read_bytes() for path in claude.iterdir()}
    plan = sync_folder(desk, claude, ImportOptions(dry_run=True))
    assert plan.changes
    assert plan.format == "claude"
    assert {path.name: path.read_bytes() for path in claude.iterdir()} == before
    done = sync_folder(desk, claude)
    # the index changes, too; and what comes in waits for a decision
    assert counts(done) == ({"revision": 1, "new": 1}, {"change": 2, "write": 1, "wait": 1})
    assert counts(plan)[0] == counts(done)[0]
    assert desk.get_record("fresh").pending
    assert b"Ours." in (claude / "feedback_tdd.md").read_bytes()
    assert b"Theirs." in (claude / "user_role.md").read_bytes()
    assert (claude / "new-here.md").exists()
    assert "(new-here.md)" in (claude / "MEMORY.md").read_text()
    assert "unindexed.md" not in (claude / "MEMORY.md").read_text()
    assert not (claude / "of-another-project.md").exists()


def test_a_record_deleted_here_takes_its_unchanged_file_along(
    desk: LocalDesk, claude: Path
) -> None:
    sync_folder(desk, claude, CANONICAL)
    desk.delete_record("tdd")
    desk.delete_record("user-role")
    (claude / "user_role.md").write_text("---\nname: user-role\ntype: user\n---\nChanged.\n")
    taken, given = counts(sync_folder(desk, claude))
    assert taken == {"again": 1}
    assert given == {"remove": 1, "change": 1}
    assert not (claude / "feedback_tdd.md").exists()
    assert "feedback_tdd.md" not in (claude / "MEMORY.md").read_text()
    assert (claude / "user_role.md").exists()
    assert counts(sync_folder(desk, claude)) == ({}, {})
    assert desk.restore("tdd").id == "tdd"


def test_a_file_deleted_there_stays_away_and_its_record_stays(
    desk: LocalDesk, claude: Path
) -> None:
    sync_folder(desk, claude, CANONICAL)
    (claude / "feedback_tdd.md").unlink()
    assert counts(sync_folder(desk, claude)) == ({"gone": 1}, {"wait": 1})
    assert not (claude / "feedback_tdd.md").exists()
    assert desk.get_record("tdd").status is RecordStatus.CANONICAL


def test_a_rejected_draft_leaves_its_file_alone(desk: LocalDesk, claude: Path) -> None:
    sync_folder(desk, claude)
    desk.reject_record("tdd")
    assert counts(sync_folder(desk, claude)) == ({}, {})
    assert (claude / "feedback_tdd.md").exists()


def test_a_change_on_both_sides_is_a_conflict_that_touches_neither(
    desk: LocalDesk, folder: Path
) -> None:
    (folder / "a.md").write_text("Once.\n")
    sync_folder(desk, folder)
    desk.edit("a", desk.get_record("a").revision, content="Ours.\n")
    (folder / "a.md").write_text("Theirs.\n")
    synced = sync_folder(desk, folder)
    assert counts(synced) == ({"conflict": 1}, {})
    assert not synced.complete
    assert (folder / "a.md").read_text() == "Theirs.\n"


def rounds(*changes: Callable[[], object]) -> Callable[[], bool]:
    """Return a wait that makes one change each time and then ends the watch."""
    left = list(changes)

    def wait() -> bool:
        if not left:
            return False
        left.pop(0)()
        return True

    return wait


def nothing() -> None:
    """Let a moment pass in which nothing happens."""


def test_watching_takes_a_new_file_once_it_has_come_to_rest(desk: LocalDesk, folder: Path) -> None:
    (folder / "a.md").write_text("a")
    b = folder / "b.md"
    wait = rounds(
        nothing,
        lambda: b.write_text("half"),
        lambda: b.write_text("half and whole"),
        nothing,
        nothing,
    )
    reports = list(watch_folder(desk, folder, wait))
    assert [report.counts[Outcome.NEW] for report in reports] == [1, 1]
    assert desk.get_record("b").content == "half and whole"


def test_watching_outlives_the_folder(desk: LocalDesk, folder: Path) -> None:
    (folder / "a.md").write_text("a")
    wait = rounds(
        lambda: shutil.rmtree(folder),
        nothing,
        lambda: (folder.mkdir(), (folder / "c.md").write_text("c")),
        nothing,
    )
    list(watch_folder(desk, folder, wait))
    assert {each.title for each in desk.list_records().records} == {"a", "c"}


class TestPlace:
    def test_a_path_that_leads_out_is_refused(self, tmp_path: Path) -> None:
        place = Place(tmp_path / "root")
        for path in ("../x.md", "/x.md", "a/../../x.md", "", "a\0b"):
            with pytest.raises(CannotWrite):
                place.write(path, b"x", None)
        assert not (tmp_path / "x.md").exists()

    def test_a_file_is_replaced_only_while_it_is_what_it_was(self, tmp_path: Path) -> None:
        place = Place(tmp_path)
        place.write("sub/a.md", b"1", None)
        with pytest.raises(Changed):
            place.write("sub/a.md", b"2", None)
        with pytest.raises(Changed):
            place.write("sub/a.md", b"2", b"other")
        with pytest.raises(Changed):
            place.remove("sub/a.md", b"other")
        place.write("sub/a.md", b"2", b"1")
        assert [path.name for path in (tmp_path / "sub").iterdir()] == ["a.md"]
        assert place.read("sub/a.md") == b"2"
        place.remove("sub/a.md", b"2")
        assert place.read("sub/a.md") is None

    def test_a_file_whose_name_is_no_utf8_is_found_again(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        name = b"caf\xe9.md".decode("utf-8", "surrogateescape")
        (folder / name).write_text("once")
        import_folder(desk, folder, CANONICAL)
        (record,) = desk.list_records().records
        desk.edit(record.id, record.revision, content="twice")
        assert counts(sync_folder(desk, folder)) == ({}, {"change": 1})
        assert (folder / name).read_text() == "twice"


@given(st.binary(max_size=60), st.data())
def test_a_skeleton_with_its_parts_is_the_file_again(data: bytes, draw: st.DataObject) -> None:
    edges = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=8)))
    spans = list(zip(edges[::2], edges[1::2], strict=False))
    entries = [Entry("t", "c", part=f"p{at % 3}", spans=(span,)) for at, span in enumerate(spans)]
    parts: dict[str, bytes] = {}
    for entry in entries:
        ((begin, end),) = entry.spans
        parts[entry.part] = parts.get(entry.part, b"") + data[begin:end]
    kept = skeleton.cut(data, entries)
    assert skeleton.fill(kept, parts) == data
    if any(parts.values()):
        assert skeleton.fill(kept, {}) is None
