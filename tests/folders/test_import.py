"""Importing takes all there is, says what it bent, and never undoes what was decided."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from store.errors import NotFound
from store.folders import gather, importer
from store.folders.entry import Flag
from store.folders.importer import ImportOptions, import_folder
from store.folders.report import Line, Outcome, Report
from store.local import LocalDesk, open_desk
from store.records import (
    LinkClass,
    MemoryScope,
    MemoryType,
    NewRecord,
    Origin,
    Record,
    RecordStatus,
)
from tests.bench.memory_files import generate

CASES = Path(__file__).parents[1] / "cases" / "import"
EXPECTED = json.loads((CASES / "expected.json").read_text())


def records(desk: LocalDesk) -> dict[str, Record]:
    return {record.title: record for record in desk.list_records(page_size=500).records}


def line(report: Report, path: str) -> Line:
    return next(line for line in report.lines if line.path == path)


def flags(line: Line) -> set[Flag]:
    return {note.flag for note in line.notes}


def counts(report: Report) -> dict[str, int]:
    return {outcome.value: count for outcome, count in report.counts.items() if count}


def copied(tmp_path: Path, name: str) -> Path:
    return Path(shutil.copytree(CASES / name, tmp_path / name))


class TestCases:
    def test_claude_basic(self, desk: LocalDesk, tmp_path: Path) -> None:
        expected = EXPECTED["claude-basic"]
        report = import_folder(desk, copied(tmp_path, "claude-basic"))
        found = {record.id: record for record in records(desk).values()}
        assert len(found) == expected["records"]
        assert {id: record.type for id, record in found.items()} == expected["types"]
        assert line(report, "MEMORY.md").why == expected["skipped"]["MEMORY.md"]
        states = {
            (entry.source_id, entry.target): (entry.link_class, entry.resolved_id)
            for entry in desk.links()
        }
        assert states == {
            ("user-role", "feedback_tdd"): (LinkClass.RESOLVED, "tdd"),
            ("tdd", "user-role"): (LinkClass.RESOLVED, "user-role"),
            ("tdd", "issue-828"): (LinkClass.WANTED, None),
        }
        provenance = found["user-role"].provenance
        assert provenance.source_session_id == "5d2f0b3a-0000-4000-8000-000000000001"
        assert provenance.recorded_by == "import:claude"
        assert found["user-role"].summary == "Reviewer of infrastructure changes"
        assert report.complete

    def test_lenient(self, desk: LocalDesk, tmp_path: Path) -> None:
        expected = EXPECTED["lenient"]
        report = import_folder(desk, copied(tmp_path, "lenient"))
        found = records(desk)
        assert len(found) == 8
        colon = found[expected["colon.md"]["title"]]
        assert colon.summary == expected["colon.md"]["description"]
        assert colon.type == expected["colon.md"]["type"]
        assert flags(line(report, "colon.md")) == {expected["colon.md"]["flag"]}
        assert found["hash-note"].summary == expected["hash.md"]["description"]
        assert found["quoted"].summary == expected["trailing.md"]["description"]
        assert found["quoted"].type == expected["trailing.md"]["type"]
        assert flags(line(report, "trailing.md")) == {expected["trailing.md"]["flag"]}
        assert found[expected["bom.md"]["title"]].type == expected["bom.md"]["type"]
        assert found[expected["crlf.md"]["title"]].content == "Line one.\nLine two.\n"
        assert flags(line(report, "badbyte.md")) == {Flag.ENCODING}
        assert line(report, "empty.md").why == expected["empty.md"]["skipped"]
        assert found["has-a-rule"].content == expected["rule.md"]["body"]
        assert found["notype"].type == MemoryType.PROJECT
        assert flags(line(report, "notype.md")) == {Flag.ASSUMED}
        assert report.complete

    def test_jsonl(self, desk: LocalDesk, tmp_path: Path) -> None:
        expected = EXPECTED["jsonl"]
        folder = copied(tmp_path, "jsonl")
        for _ in range(2):  # what was refused is refused, and said, each time
            report = import_folder(desk, folder)
            assert sorted(records(desk)) == expected["entities"]
            refused = [line for line in report.lines if line.outcome is Outcome.REFUSED]
            assert len(refused) == expected["rejected_lines_kept_verbatim"]
            assert refused[0].verbatim == '{"type":"entity","name":"cut","entity'
            assert not report.complete
        (dangling,) = desk.links([LinkClass.WANTED])
        assert (dangling.source_id, dangling.target) == ("b", "missing")
        assert expected["dangling_relation"] == "b uses missing"

    def test_obsidian(self, desk: LocalDesk, tmp_path: Path) -> None:
        expected = EXPECTED["obsidian"]["Plan.md"]
        folder = copied(tmp_path, "obsidian")
        (folder / "notes" / "B | C33 | C39.md").write_text("Named with bars.\n")
        import_folder(desk, folder)
        assert {entry.target: entry.link_class for entry in desk.links()} == expected

    @pytest.mark.parametrize("name", ["claude-basic", "lenient", "jsonl", "obsidian"])
    def test_again_adds_nothing_and_changes_no_id(
        self, desk: LocalDesk, tmp_path: Path, name: str
    ) -> None:
        folder = copied(tmp_path, name)
        first = import_folder(desk, folder)
        before = records(desk)
        again = import_folder(desk, folder)
        assert again.counts[Outcome.NEW] == 0
        assert again.counts[Outcome.UNCHANGED] == first.counts[Outcome.NEW]
        assert records(desk) == before


class TestDecisionsStand:
    @pytest.mark.parametrize("decide", ["reject", "withdraw", "delete", "purge"])
    def test_what_was_decided_against_does_not_come_back(
        self, desk: LocalDesk, folder: Path, decide: str
    ) -> None:
        (folder / "a.md").write_text("Once.\n")
        import_folder(desk, folder)
        _decide_against(desk, "a", decide)
        assert counts(import_folder(desk, folder)) == {"unchanged": 1}
        assert records(desk) == {}

    @pytest.mark.parametrize("decide", ["reject", "withdraw", "delete", "purge"])
    @pytest.mark.parametrize("status", list(RecordStatus))
    def test_it_comes_back_as_a_draft_when_its_text_changes(
        self, desk: LocalDesk, folder: Path, decide: str, status: RecordStatus
    ) -> None:
        (folder / "a.md").write_text("Once.\n")
        import_folder(desk, folder)
        _decide_against(desk, "a", decide)
        (folder / "a.md").write_text("Twice.\n")
        report = import_folder(desk, folder, ImportOptions(status=status))
        assert counts(report) == {"again": 1}
        assert "rejected or deleted" in report.lines[0].why or "deleted" in report.lines[0].why
        assert records(desk)["a"].pending

    def test_an_approved_record_gets_a_changed_file_as_a_revision(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("---\nname: a\ndescription: old\n---\nOnce.\n")
        import_folder(desk, folder)
        desk.approve_record("a")
        (folder / "a.md").write_text("---\nname: a\ndescription: new\n---\nTwice.\n")
        assert counts(import_folder(desk, folder)) == {"revision": 1}
        assert desk.get_record("a").content == "Once.\n"
        revision = desk.review("a").record
        assert (revision.content, revision.summary) == ("Twice.\n", "new")
        assert revision.provenance.recorded_by == "import:vault"
        # decided against: the same file does not propose it again
        desk.reject_record("a")
        assert counts(import_folder(desk, folder)) == {"unchanged": 1}
        assert desk.get_record("a").content == "Once.\n"

    def test_a_second_change_replaces_the_revision_that_waits(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("1")
        import_folder(desk, folder, ImportOptions(status=RecordStatus.CANONICAL))
        for text in ("2", "3"):
            (folder / "a.md").write_text(text)
            assert counts(import_folder(desk, folder)) == {"revision": 1}
        assert desk.review("a").record.content == "3"
        assert desk.count().pending == 1

    def test_a_changed_file_updates_its_untouched_draft(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("Once.\n")
        import_folder(desk, folder)
        (folder / "a.md").write_text("Twice.\n")
        assert counts(import_folder(desk, folder)) == {"updated": 1}
        assert [record.content for record in records(desk).values()] == ["Twice.\n"]

    @pytest.mark.parametrize("approved", [False, True])
    def test_a_draft_edited_here_is_not_overwritten(
        self, desk: LocalDesk, folder: Path, approved: bool
    ) -> None:
        (folder / "a.md").write_text("Once.\n")
        import_folder(desk, folder)
        if approved:
            desk.approve_record("a")
            desk.update_record("a", "An agent's.\n")
        else:
            desk.edit("a", desk.get_record("a").revision, content="Mine.\n")
        (folder / "a.md").write_text("Twice.\n")
        for _ in range(2):
            report = import_folder(desk, folder)
            assert counts(report) == {"conflict": 1}
            assert not report.complete
        assert desk.review("a").record.content == ("An agent's.\n" if approved else "Mine.\n")

    def test_the_same_edit_on_both_sides_is_no_conflict(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("Once.\n")
        import_folder(desk, folder)
        desk.edit("a", desk.get_record("a").revision, content="Twice.\n")
        (folder / "a.md").write_text("Twice.\n")
        assert counts(import_folder(desk, folder)) == {"unchanged": 1}

    def test_a_change_of_frontmatter_alone_asks_for_no_decision(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("---\nname: a\ntype: user\nmodified: 2026-01-01\n---\nOnce.\n")
        import_folder(desk, folder, ImportOptions(status=RecordStatus.CANONICAL))
        (folder / "a.md").write_text(
            "---\nname: a\ntype: feedback\nmodified: 2026-02-01\n---\nOnce.\n"
        )
        assert counts(import_folder(desk, folder)) == {"unchanged": 1}
        assert desk.count().pending == 0

    def test_someone_elses_record_under_a_freed_id_is_left_alone(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("Once.\n")
        import_folder(desk, folder)
        desk.reject_record("a")
        desk.write(NewRecord(MemoryType.USER, MemoryScope.GLOBAL, "a", "Not the file's."), Origin())
        (folder / "a.md").write_text("Twice.\n")
        assert counts(import_folder(desk, folder)) == {"again": 1}
        assert desk.get_record("a").content == "Not the file's."
        assert desk.get_record("a-2").content == "Twice.\n"


def _decide_against(desk: LocalDesk, id: str, how: str) -> None:
    if how == "reject":
        desk.reject_record(id)
    elif how == "withdraw":
        desk.delete_record(id)
    else:
        desk.approve_record(id)
        desk.delete_record(id)
        if how == "purge":
            desk.purge()


class TestFoldersChange:
    def test_a_vanished_file_is_reported_once_and_its_record_stays(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("a")
        (folder / "b.md").write_text("b")
        import_folder(desk, folder)
        (folder / "a.md").unlink()
        report = import_folder(desk, folder)
        assert counts(report) == {"unchanged": 1, "gone": 1}
        assert line(report, "a.md").id == "a"
        assert report.complete
        assert counts(import_folder(desk, folder)) == {"unchanged": 1}
        assert set(records(desk)) == {"a", "b"}
        (folder / "a.md").write_text("a")
        assert counts(import_folder(desk, folder)) == {"unchanged": 2}

    def test_a_renamed_file_is_the_same_record_with_one_more_name(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "old.md").write_text("text")
        (folder / "see.md").write_text("[[sub/new]] and [[old]]")
        import_folder(desk, folder)
        (folder / "sub").mkdir()
        (folder / "old.md").rename(folder / "sub" / "new.md")
        report = import_folder(desk, folder)
        assert counts(report) == {"renamed": 1, "unchanged": 1}
        assert line(report, "sub/new.md").why == "it was old.md"
        assert {entry.resolved_id for entry in desk.links()} == {"old"}
        assert counts(import_folder(desk, folder)) == {"unchanged": 2}

    def test_a_moved_folder_is_recognised(
        self, desk: LocalDesk, folder: Path, tmp_path: Path
    ) -> None:
        (folder / "a.md").write_text("text")
        (folder / "m.jsonl").write_text('{"name":"e","entityType":"t","observations":["x"]}')
        import_folder(desk, folder)
        folder.rename(tmp_path / "elsewhere")
        assert counts(import_folder(desk, tmp_path / "elsewhere")) == {"renamed": 2}
        assert len(records(desk)) == 2

    @pytest.mark.parametrize("first", ["", "sub", "sub/a.md"])
    @pytest.mark.parametrize("second", ["", "sub", "sub/a.md"])
    def test_a_folder_is_the_same_by_whatever_path_it_is_given(
        self, desk: LocalDesk, folder: Path, first: str, second: str
    ) -> None:
        (folder / "sub").mkdir()
        (folder / "sub" / "a.md").write_text("text")
        import_folder(desk, folder / first)
        (folder / "link").symlink_to(folder / "sub")
        assert import_folder(desk, folder / second).counts[Outcome.NEW] == 0
        assert import_folder(desk, folder / "link").counts[Outcome.NEW] == 0
        assert import_folder(desk, folder / "link" / ".." / "sub").counts[Outcome.GONE] == 0

    def test_a_copy_elsewhere_is_another_memory(
        self, desk: LocalDesk, folder: Path, tmp_path: Path
    ) -> None:
        (folder / "a.md").write_text("text")
        import_folder(desk, folder)
        shutil.copytree(folder, tmp_path / "copy")
        assert counts(import_folder(desk, tmp_path / "copy")) == {"new": 1}
        assert desk.get_record("a-2").content == "text"

    def test_entries_of_one_file_keep_their_records_when_others_come_and_go(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        path = folder / "MEMORY.md"
        path.write_text("Likes tabs.\n§\nUses vim every day for mail.\n§\nLives in Rome.")
        import_folder(desk, folder, ImportOptions(status=RecordStatus.CANONICAL))
        path.write_text("New first.\n§\nLives in Rome.\n§\nUses emacs every day for mail.")
        report = import_folder(desk, folder)
        assert counts(report) == {"new": 1, "revision": 1, "unchanged": 1, "gone": 1}
        assert (
            desk.review("uses-vim-every-day-for-mail").record.content
            == "Uses emacs every day for mail."
        )

    def test_equal_headings_of_a_log_do_not_change_places(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "memory").mkdir()
        path = folder / "memory" / "2026-08-14.md"
        path.write_text("## Deploy\n\nFirst.\n\n## Deploy\n\nSecond.\n")
        import_folder(desk, folder)
        path.write_text("## Deploy\n\nSecond.\n")
        assert counts(import_folder(desk, folder)) == {"unchanged": 1, "gone": 1}

    def test_a_file_that_says_nothing_any_more_is_gone(self, desk: LocalDesk, folder: Path) -> None:
        (folder / "a.md").write_text("text")
        import_folder(desk, folder)
        (folder / "a.md").write_text("")
        assert counts(import_folder(desk, folder)) == {"skipped": 1, "gone": 1}


class TestLinks:
    def test_paths_prefixes_and_stems_are_names(self, desk: LocalDesk, folder: Path) -> None:
        for name in ("a/Note.md", "b/Note.md"):
            (folder / name).parent.mkdir()
            (folder / name).write_text("x\n")
        (folder / "feedback_small_steps.md").write_text(
            "---\nname: Steps\ntype: feedback\n---\nx\n"
        )
        text = "[[a/Note]] [[Note]] [[small_steps]] [[feedback-small-steps]] [[reply_to_current]]\n"
        (folder / "see.md").write_text(text)
        import_folder(desk, folder)
        assert {entry.target: entry.resolved_id for entry in desk.links()} == {
            "a/Note": "note",
            "Note": None,
            "small_steps": "steps",
            "feedback-small-steps": "steps",
        }


class TestBounds:
    def test_nothing_outside_is_read_and_the_rest_is_taken(
        self, desk: LocalDesk, folder: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "secret.md").write_text("secret")
        (folder / "out.md").symlink_to(tmp_path / "secret.md")
        (folder / "MEMORY.md").write_text("- [S](../secret.md)\n- [T](/etc/passwd)\n- [A](a.md)\n")
        (folder / "a.md").write_text("text")
        (folder / "image.md").write_bytes(bytes(range(32)) * 40)
        report = import_folder(desk, folder)
        assert {record.content for record in records(desk).values()} == {"text"}
        assert line(report, "out.md").outcome is Outcome.REFUSED
        assert "out of the folder" in line(report, "out.md").why
        assert line(report, "image.md").why == "not text"
        assert not report.complete

    def test_one_unreadable_file_holds_back_no_other(
        self, desk: LocalDesk, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in "abc":
            (folder / f"{name}.md").write_text(name)
        real = gather.walk.read

        def failing(root: Path, path: str) -> Any:
            if path == "b.md":
                raise gather.CannotRead("permission denied")
            return real(root, path)

        monkeypatch.setattr(gather.walk, "read", failing)
        report = import_folder(desk, folder)
        assert set(records(desk)) == {"a", "c"}
        assert line(report, "b.md").why == "permission denied"

    def test_an_entry_that_the_store_refuses_holds_back_no_other(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        desk.content_limit = 100
        (folder / "MEMORY.md").write_text("one\n§\n" + "x" * 101 + "\n§\nthree")
        report = import_folder(desk, folder)
        assert counts(report) == {"new": 2, "refused": 1}
        assert "at most 100" in next(each.why for each in report.lines if each.why)

    def test_a_large_log_is_taken_once_the_limit_is_raised(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "log.md").write_text("words and words\n" * 22_000)
        assert counts(import_folder(desk, folder)) == {"refused": 1}
        desk.content_limit = 1024 * 1024
        assert counts(import_folder(desk, folder)) == {"new": 1}

    def test_over_long_names_are_cut_and_said(self, desk: LocalDesk, folder: Path) -> None:
        text = f"---\nname: {'n' * 900}\ndescription: {'d' * 9000}\ntype: user\n---\nx\n"
        (folder / "a.md").write_text(text)
        report = import_folder(desk, folder)
        assert {note.what[:8] for note in report.lines[0].notes} == {"its name", "its desc"}
        assert counts(import_folder(desk, folder)) == {"unchanged": 1}

    def test_characters_no_database_keeps_are_shown_as_symbols(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        data = {"name": "a\0b", "entityType": "t", "observations": ["\ud800 half"]}
        (folder / "m.jsonl").write_text(json.dumps(data))
        report = import_folder(desk, folder)
        assert counts(report) == {"new": 1}
        (record,) = records(desk).values()
        assert (record.title, record.content) == ("a␀b", "- \ufffd half\n")
        assert counts(import_folder(desk, folder)) == {"unchanged": 1}

    def test_a_missing_folder_is_an_error(self, desk: LocalDesk, tmp_path: Path) -> None:
        with pytest.raises(NotFound):
            import_folder(desk, tmp_path / "missing")
        with pytest.raises(NotFound):
            import_folder(desk, tmp_path, ImportOptions(project=tmp_path / "missing"))


class TestOptions:
    def test_a_dry_run_says_all_and_writes_nothing(self, desk: LocalDesk, folder: Path) -> None:
        for name in "abcd":
            (folder / f"{name}.md").write_text(name)
        import_folder(desk, folder)
        desk.approve_record("a")
        desk.reject_record("d")
        for name in "abd":
            (folder / f"{name}.md").write_text(name * 2)
        (folder / "c.md").unlink()
        (folder / "e.md").write_text("e")
        before, journal = records(desk), desk.history()
        dry = import_folder(desk, folder, ImportOptions(dry_run=True))
        assert counts(dry) == {"revision": 1, "updated": 1, "again": 1, "gone": 1, "new": 1}
        assert (records(desk), desk.history()) == (before, journal)
        assert counts(import_folder(desk, folder)) == counts(dry)

    def test_scope_follows_the_project_unless_told(
        self, desk: LocalDesk, folder: Path, tmp_path: Path
    ) -> None:
        (folder / "a.md").write_text("a")
        (folder / "code" / ".git").mkdir(parents=True)
        (folder / "code" / "b.md").write_text("b")
        import_folder(desk, folder)
        found = records(desk)
        assert found["a"].scope is MemoryScope.GLOBAL
        assert (found["b"].scope, found["b"].project_root) == (
            MemoryScope.PROJECT,
            str(folder / "code"),
        )
        other = tmp_path / "other"
        other.mkdir()
        (other / "c.md").write_text("c")
        (other / "d.md").write_text("d")
        import_folder(desk, other / "c.md", ImportOptions(project=folder))
        import_folder(desk, other / "d.md", ImportOptions(scope=MemoryScope.GLOBAL, project=folder))
        found = records(desk)
        assert (found["c"].scope, found["c"].project_root) == (MemoryScope.PROJECT, str(folder))
        assert (found["d"].scope, found["d"].project_root) == (MemoryScope.GLOBAL, "")

    def test_a_project_that_is_not_here_is_said_once(self, desk: LocalDesk, tmp_path: Path) -> None:
        memory = tmp_path / "projects" / "-nowhere-acme" / "memory"
        memory.mkdir(parents=True)
        for name in "ab":
            (memory / f"{name}.md").write_text(name)
        report = import_folder(desk, tmp_path / "projects")
        assert len(report.notices) == 1
        assert "--project" in report.notices[0]
        assert {record.scope for record in records(desk).values()} == {MemoryScope.PROJECT}

    def test_canonical_is_the_operators_approval(self, desk: LocalDesk, folder: Path) -> None:
        (folder / "a.md").write_text("1")
        options = ImportOptions(status=RecordStatus.CANONICAL)
        import_folder(desk, folder, options)
        (folder / "a.md").write_text("2")
        import_folder(desk, folder, options)
        assert desk.get_record("a").content == "2"
        assert desk.count().pending == 0
        assert {entry.by for entry in desk.history()} == {"ann", "import:vault"}

    def test_a_format_can_be_forced_and_is_then_what_it_is_known_as(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "notes.md").write_text("## A\n\na\n\n## B\n\nb\n")
        assert counts(import_folder(desk, folder, ImportOptions(format="openclaw"))) == {"new": 2}
        assert counts(import_folder(desk, folder, ImportOptions(format="openclaw"))) == {
            "unchanged": 2
        }
        assert counts(import_folder(desk, folder)) == {"unchanged": 2}

    def test_explaining_gives_a_reason_for_each_file_also_the_second_time(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("---\nname: a\ntype: user\n---\nx\n")
        for expected in ({"new": 1}, {"unchanged": 1}):
            report = import_folder(desk, folder, ImportOptions(explain=True))
            assert counts(report) == expected
            assert [each.because for each in report.lines] == [
                "its frontmatter has a name and a memory type"
            ]


def test_an_interrupted_run_goes_on_where_it_ended(
    desk: LocalDesk, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "_BATCH_FILES", 3)
    for number in range(10):
        (folder / f"{number}.md").write_text(f"text {number}")
    report = Report()

    def stop(done: int, total: int) -> None:
        assert total == 10
        if done == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_folder(desk, folder, report=report, progress=stop)
    assert (report.counts[Outcome.NEW], report.finished) == (6, False)
    assert counts(import_folder(desk, folder)) == {"unchanged": 6, "new": 4}


def test_of_files_with_the_measured_mix_of_oddities_none_is_lost(
    desk: LocalDesk, folder: Path
) -> None:
    odd = generate(folder, 400)
    report = import_folder(desk, folder)
    told = (
        report.counts[Outcome.NEW] + report.counts[Outcome.SKIPPED] + report.counts[Outcome.REFUSED]
    )
    assert told == 400
    assert report.counts[Outcome.SKIPPED] <= odd["empty"]
    assert report.counts[Outcome.REFUSED] == odd["symlink"]
    again = import_folder(desk, folder)
    assert again.counts[Outcome.NEW] == 0
    assert again.counts[Outcome.UNCHANGED] == report.counts[Outcome.NEW]


def test_two_runs_at_once_take_each_file_once(
    desk: LocalDesk, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        (folder / f"{number}.md").write_text(f"text {number}")
    other = open_desk(str(tmp_path / "store" / "inbox.db"))
    real = importer.Ledger.read

    def overtaken(conn: Any, root: str) -> importer.Ledger:
        """Read what is known, and let another run take everything before this one does."""
        known = real(conn, root)
        monkeypatch.setattr(importer.Ledger, "read", real)
        import_folder(other, folder)
        return known

    monkeypatch.setattr(importer.Ledger, "read", overtaken)
    report = import_folder(desk, folder)
    assert report.counts[Outcome.NEW] == 0
    assert len(records(desk)) == 4
