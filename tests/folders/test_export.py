"""What goes out reads back, keeps its bytes where nobody edited it, and never overwrites what is not ours."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.errors import InvalidArgument
from store.folders import mcp, mem0
from store.folders.entry import Item
from store.folders.export import EXPORTS, ExportOptions, export_folder
from store.folders.importer import ImportOptions, import_folder
from store.folders.report import Outcome
from store.folders.steps import Action, ExportReport
from store.folders.sync import sync_folder
from store.local import LocalDesk
from store.records import MemoryScope, MemoryType, NewRecord, Origin, RecordStatus
from tests.folders.conftest import NewDesk

CASES = Path(__file__).parents[1] / "cases" / "import"
CANONICAL = ImportOptions(status=RecordStatus.CANONICAL)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def counts(report: ExportReport) -> dict[str, int]:
    return {action.value: count for action, count in report.counts.items() if count}


def record(desk: LocalDesk, title: str, content: str = "text", **more: object) -> str:
    new = NewRecord(MemoryType.PROJECT, MemoryScope.GLOBAL, title, content, **more)  # type: ignore[arg-type]
    return desk.write(new, Origin()).id


def edit(desk: LocalDesk, id: str, content: str, title: str | None = None) -> None:
    desk.edit(id, desk.get_record(id).revision, content=content, title=title)


def from_first_words(text: str) -> str:
    """Return a text without the blank lines it begins with."""
    return re.sub(r"\A(?:[^\S\n]*\n)+", "", text)


class TestRoundTrip:
    @pytest.mark.parametrize(
        ("case", "format"),
        [
            ("claude-basic", "claude"),
            ("lenient", "claude"),
            ("lenient", "vault"),
            ("obsidian", "vault"),
        ],
    )
    def test_untouched_files_come_out_byte_for_byte(
        self, desk: LocalDesk, tmp_path: Path, case: str, format: str
    ) -> None:
        import_folder(desk, CASES / case, CANONICAL)
        report = export_folder(desk, tmp_path / "out", format)
        assert report.complete
        out, original = files(tmp_path / "out"), files(CASES / case)
        # Only what was read as the format of the export comes out as it was; the rest is written new.
        same = {"notype.md"} if format == "claude" else set(original) - {"notype.md"}
        expected = {
            name: data
            for name, data in original.items()
            if name not in ("MEMORY.md", "empty.md") and (case != "lenient" or name not in same)
        }
        assert {name: out[name] for name in expected} == expected

    def test_jsonl_comes_out_byte_for_byte(self, desk: LocalDesk, tmp_path: Path) -> None:
        data = (
            '{"name":"a","entityType":"t","observations":["café"],"extra":1}\r\n'
            '{"from_entity":"b","to_entity":"a","relationType":"uses"}\r\n'
            '{"type":"entity","name":"b","entityType":"t","observations":null}'
        ).encode()
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "graph.jsonl").write_bytes(data)
        import_folder(desk, tmp_path / "in", CANONICAL)
        export_folder(desk, tmp_path / "out", "jsonl")
        assert files(tmp_path / "out") == {"graph.jsonl": data}

    def test_mem0_json_comes_out_byte_for_byte(self, desk: LocalDesk, tmp_path: Path) -> None:
        data = b'{"results": [\n\t{"id": "1", "memory": "A"} ,\n\t{"memory": "B", "id": "2"}\n]}\n'
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "all.json").write_bytes(data)
        import_folder(desk, tmp_path / "in", CANONICAL)
        export_folder(desk, tmp_path / "out", "json")
        assert files(tmp_path / "out") == {"all.json": data}

    def test_what_was_not_approved_is_not_in_a_file_of_several(
        self, desk: LocalDesk, tmp_path: Path
    ) -> None:
        import_folder(desk, CASES / "jsonl")
        desk.approve_record("a")
        export_folder(desk, tmp_path / "out", "jsonl")
        out = files(tmp_path / "out")["memory.jsonl"].decode()
        assert '"a"' in out
        assert "missing" not in out
        assert "no-type" not in out

    TEXT = st.text(alphabet=st.sampled_from("ab é記§-#>[]|:\"'\\\n\t🎉"), max_size=60).filter(
        lambda text: text.strip() != ""
    )

    @given(
        st.lists(st.tuples(TEXT, TEXT, st.sampled_from(list(MemoryType))), min_size=1, max_size=4),
        st.sampled_from(list(EXPORTS)),
    )
    @settings(
        max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    def test_each_record_comes_back_as_one_record(
        self,
        tmp_path_factory: pytest.TempPathFactory,
        new_desk: NewDesk,
        told: list[tuple[str, str, MemoryType]],
        format: str,
    ) -> None:
        base = tmp_path_factory.mktemp("trip")
        desk, other = new_desk(base / "one" / "a.db"), new_desk(base / "two" / "b.db")
        for title, content, kind in told:
            desk.write(
                NewRecord(kind, MemoryScope.GLOBAL, title, content, summary="s: # x"), Origin()
            )
        first = export_folder(desk, base / "out", format)
        assert first.complete
        assert import_folder(desk, base / "out").counts[Outcome.NEW] == 0
        report = import_folder(other, base / "out", CANONICAL)
        assert report.complete
        ours = {each.id: each for each in desk.list_records().records}
        theirs = {each.id: each for each in other.list_records().records}
        assert set(theirs) == set(ours)
        for id, each in theirs.items():
            assert each.type is ours[id].type
            assert each.title.strip() == ours[id].title.strip()
            if format in ("claude", "vault"):  # blank lines before a body belong to its frontmatter
                assert from_first_words(each.content) == from_first_words(ours[id].content)
        again = export_folder(other, base / "again", format)
        assert again.complete
        assert files(base / "again") == files(base / "out")

    NOTE = st.lists(
        st.sampled_from([
            b"---\n", b"---\r\n", b"name: a: b\n", b"name: x\n", b"type: user\n", b"description: d # e\n",
            b"tags:\n- #t\n", b"metadata: \n  type: feedback\n", b"\n", b"text\n", b"text\r\n", b"# Head\n",
            b"\xe2\x80S damaged\n", b"\x00\n", b"\x1b[31m\n", b"\xef\xbb\xbf", b"no end", b"  \t\n",
            b"- [a] b\n", b"[[link]]\n", b"\r",
        ]),
        max_size=14,
    ).map(b"".join)  # fmt: skip

    @given(st.lists(NOTE, min_size=1, max_size=5), st.sampled_from(["claude", "vault"]))
    @settings(max_examples=80, deadline=None)
    def test_any_note_is_taken_or_named_and_comes_out_byte_for_byte(
        self,
        tmp_path_factory: pytest.TempPathFactory,
        new_desk: NewDesk,
        notes: list[bytes],
        format: str,
    ) -> None:
        base = tmp_path_factory.mktemp("notes")
        (base / "in").mkdir()
        for number, data in enumerate(notes):
            (base / "in" / f"n{number}.md").write_bytes(data)
        desk = new_desk(base / "store" / "a.db")
        report = import_folder(
            desk, base / "in", ImportOptions(status=RecordStatus.CANONICAL, format=format)
        )
        taken = {line.path for line in report.lines if line.outcome is Outcome.NEW}
        assert {line.path for line in report.lines} == {
            f"n{number}.md" for number in range(len(notes))
        }
        export_folder(desk, base / "out", format)
        out = files(base / "out")
        assert {name: out[name] for name in taken} == {
            name: (base / "in" / name).read_bytes() for name in taken
        }


class TestEdits:
    def test_an_edit_changes_its_lines_only_in_place_and_elsewhere(
        self, desk: LocalDesk, tmp_path: Path
    ) -> None:
        folder = Path(shutil.copytree(CASES / "lenient", tmp_path / "lenient"))
        import_folder(desk, folder, CANONICAL)
        edit(desk, "crlf-note", "Line one.\nLine 2.\n")
        edit(desk, "bad-byte", desk.get_record("bad-byte").content + "Added.\n")
        for place, done in ((folder, Action.CHANGE), (tmp_path / "out", Action.WRITE)):
            report = export_folder(desk, place, "claude")
            assert {each.action for each in report.done if each.path != "MEMORY.md"} >= {done}
            out = files(place)
            assert out["crlf.md"] == (CASES / "lenient/crlf.md").read_bytes().replace(b"two", b"2")
            assert out["badbyte.md"] == (CASES / "lenient/badbyte.md").read_bytes() + b"Added.\n"
            assert out["colon.md"] == (CASES / "lenient/colon.md").read_bytes()
        assert counts(export_folder(desk, folder, "claude")) == {"keep": 9}
        assert import_folder(desk, folder).counts[Outcome.UNCHANGED] == 8

    def test_a_new_title_is_written_and_every_file_is_known_again(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("---\nzeta: 1\nname: old\ntype: user\n---\nText.\n")
        import_folder(desk, folder, CANONICAL)
        edit(desk, "old", "Text.\n", title="new: title")
        export_folder(desk, folder, "claude")
        text = (folder / "a.md").read_text()
        assert text == '---\nzeta: 1\nname: "new: title"\ntype: user\n---\nText.\n'
        assert import_folder(desk, folder).counts == {Outcome.UNCHANGED: 1, Outcome.SKIPPED: 1}

    def test_entries_of_agents_own_files_are_edited_in_place(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "MEMORY.md").write_text("One.\n§\nTwo.")
        (folder / "sub").mkdir()
        (folder / "sub" / "GEMINI.md").write_text(
            "# Mine\n\n## Gemini Added Memories\n- Fact.\n\n## Also mine\n"
        )
        import_folder(desk, folder, CANONICAL)
        edit(desk, "two", "Two.\n§\nand more")
        edit(desk, "fact", "Better fact.")
        report = export_folder(desk, folder, "vault")
        assert counts(report) == {"change": 2}
        assert (folder / "MEMORY.md").read_text() == "One.\n§\nTwo.\n\\§\nand more"
        expected = "# Mine\n\n## Gemini Added Memories\n- Better fact.\n\n## Also mine\n"
        assert (folder / "sub" / "GEMINI.md").read_text() == expected
        assert counts(export_folder(desk, folder, "vault")) == {"keep": 2}
        assert import_folder(desk, folder).counts == {Outcome.UNCHANGED: 3}

    @pytest.mark.parametrize("wrapped", [False, True])
    def test_new_records_join_a_graph_that_is_there(
        self, desk: LocalDesk, folder: Path, wrapped: bool, new_desk: NewDesk
    ) -> None:
        entity = '{"name": "a", "entityType": "t", "observations": ["x"]}'
        text = f'{{"entities": [\n  {entity}\n]}}\n' if wrapped else entity
        (folder / "graph.json").write_text(text)
        import_folder(desk, folder, CANONICAL)
        record(desk, "b", "- y\n- uses [[a]]\n")
        edit(desk, "a", "- x2\n")
        export_folder(desk, folder, "jsonl")
        out = (folder / "graph.json").read_text()
        assert '["x2"]' in out
        assert import_folder(desk, folder).counts == {Outcome.UNCHANGED: 2}
        assert counts(export_folder(desk, folder, "jsonl")) == {"keep": 1}
        other = new_desk(folder.parent / "other" / "b.db")
        import_folder(other, folder, CANONICAL)
        assert other.get_record("b").content == "- y\n- uses [[a]]\n"

    FILES: ClassVar = {
        "MEMORY.md": ("# Memory\n\n## People\n\nAnn.\n\n## Places\n\nRome.\n", "people", "Ann."),
        ".serena/memories/style.md": ("---\nx: 1\n---\nUse tabs.\n", "style", "tabs"),
        "memory-bank/progress.md": ("# Progress\n\nMuch.\n", "progress", "Much"),
        "Coffee.md": ("---\ntitle: Coffee\npermalink: c\n---\n- [a] good\n", "coffee", "good"),
        "all.json": ('[\n  {"id": "1", "memory": "Likes tea"}\n]', "likes-tea", "tea"),
        "graph.jsonl": ('{"name":"e","entityType":"t","observations":["old"]}\n', "e", "old"),
    }

    @pytest.mark.parametrize("name", FILES)
    def test_each_format_takes_an_edit_in_place_and_no_other_byte_changes(
        self, desk: LocalDesk, folder: Path, name: str
    ) -> None:
        text, id, word = self.FILES[name]
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        import_folder(desk, folder, CANONICAL)
        edit(desk, id, desk.get_record(id).content.replace(word, "changed"))
        synced = sync_folder(desk, folder)
        assert counts(synced.outgoing)["change"] == 1
        assert (folder / name).read_text() == text.replace(word, "changed")
        again = sync_folder(desk, folder)
        assert not again.changes
        assert again.complete

    @pytest.mark.parametrize(
        "text", ["[]", '{"results": []}', '[{"memory": "a"},\n {"memory": "b"}]', "{}"]
    )
    def test_new_records_join_a_list_that_is_there(self, text: str) -> None:
        made = Item("new", "New", "text", MemoryType.USER, MemoryScope.GLOBAL)
        entries = mem0.read(mem0.append(text.encode(), [made]), "m.json").entries
        assert entries[-1].content == "text"
        assert len(entries) == text.count('"memory"') + 1

    def test_entries_stay_with_their_records_where_a_new_one_is_not_the_last(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        # the entity that only a relation names is read after all others
        (folder / "g.jsonl").write_text(
            '{"name":"a","entityType":"t","observations":["x"]}\n'
            '{"from":"ghost","to":"a","relationType":"haunts"}\n'
        )
        import_folder(desk, folder, CANONICAL)
        record(desk, "b", "- y\n")
        export_folder(desk, folder, "jsonl")
        edit(desk, "b", "- y2\n")
        edit(desk, "a", "- x2\n")
        export_folder(desk, folder, "jsonl")
        assert {
            e.title: e.content
            for e in mcp.read((folder / "g.jsonl").read_bytes(), "g.jsonl").entries
        } == {
            "a": "- x2\n",
            "b": "- y2\n",
            "ghost": "- haunts [[a]]\n",
        }
        assert import_folder(desk, folder).counts == {Outcome.UNCHANGED: 3}

    def test_a_part_that_a_rejected_record_had_can_be_taken(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "g.jsonl").write_text(
            '{"name":"a","entityType":"t","observations":["x"]}\n'
            '{"name":"b","entityType":"t","observations":["y"]}\n'
        )
        import_folder(desk, folder)
        desk.approve_record("a")
        desk.reject_record("b")
        (folder / "g.jsonl").write_text('{"name":"a","entityType":"t","observations":["x"]}\n')
        import_folder(desk, folder)
        record(desk, "b", "- mine\n")
        assert export_folder(desk, folder, "jsonl").complete
        assert import_folder(desk, folder).counts == {Outcome.UNCHANGED: 2}


class TestNothingIsOverwritten:
    def test_what_else_changed_in_a_file_of_several_is_imported_first(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        line = '{{"name":"{}","entityType":"t","observations":["{}"]}}\n'
        path = folder / "g.jsonl"
        path.write_text(line.format("a", "x") + line.format("b", "y"))
        import_folder(desk, folder, CANONICAL)
        edit(desk, "a", "- ours\n")
        path.write_text(
            line.format("a", "x") + line.format("b", "theirs") + line.format("c", "new")
        )
        assert counts(export_folder(desk, folder, "jsonl")) == {"wait": 1}
        assert import_folder(desk, folder).counts == {
            Outcome.UNCHANGED: 1,
            Outcome.REVISION: 1,
            Outcome.NEW: 1,
        }
        assert counts(export_folder(desk, folder, "jsonl")) == {"change": 1}
        text = line.format("a", "ours") + line.format("b", "theirs") + line.format("c", "new")
        assert path.read_text() == text
        path.write_text(text.replace("ours", "both"))
        edit(desk, "a", "- ours again\n")
        assert counts(export_folder(desk, folder, "jsonl")) == {"conflict": 1}

    def test_a_file_with_a_cut_line_can_be_written_and_is_still_refused_in_part(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        path = folder / "g.jsonl"
        path.write_text('{"name":"a","entityType":"t","observations":["x"]}\n{"name":"cut\n')
        import_folder(desk, folder, CANONICAL)
        edit(desk, "a", "- changed\n")
        assert counts(export_folder(desk, folder, "jsonl")) == {"change": 1}
        assert (
            path.read_text()
            == '{"name":"a","entityType":"t","observations":["changed"]}\n{"name":"cut\n'
        )
        assert import_folder(desk, folder).counts == {Outcome.UNCHANGED: 1, Outcome.REFUSED: 1}

    def test_a_deleted_file_of_several_comes_back_only_where_it_can_be_written(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "GEMINI.md").write_text("## Gemini Added Memories\n- fact\n- other\n")
        (folder / "g.jsonl").write_text('{"name":"a","entityType":"t","observations":["x"]}\n')
        before = files(folder)
        import_folder(desk, folder, CANONICAL)
        for name in before:
            (folder / name).unlink()
        assert counts(sync_folder(desk, folder).outgoing) == {"wait": 2}
        assert counts(export_folder(desk, folder, "jsonl")) == {"write": 2}
        assert files(folder) == before
        desk.delete_record("other")
        (folder / "GEMINI.md").unlink()
        assert counts(export_folder(desk, folder, "jsonl")) == {"keep": 1, "wait": 1}

    def test_a_file_changed_on_both_sides_is_a_conflict(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("Once.\n")
        import_folder(desk, folder, CANONICAL)
        (folder / "a.md").write_text("Theirs.\n")
        edit(desk, "a", "Ours.\n")
        report = export_folder(desk, folder, "vault")
        assert counts(report) == {"conflict": 1}
        assert not report.complete
        assert (folder / "a.md").read_text() == "Theirs.\n"
        assert desk.get_record("a").content == "Ours.\n"

    def test_a_file_changed_there_alone_waits_to_be_imported_and_then_decided(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("Once.\n")
        import_folder(desk, folder, CANONICAL)
        (folder / "a.md").write_text("Theirs.\n")
        assert counts(export_folder(desk, folder, "vault")) == {"wait": 1}
        import_folder(desk, folder)
        assert counts(export_folder(desk, folder, "vault")) == {"wait": 1}
        assert (folder / "a.md").read_text() == "Theirs.\n"
        desk.reject_record("a")
        assert counts(export_folder(desk, folder, "vault")) == {"change": 1}
        assert (folder / "a.md").read_text() == "Once.\n"

    @pytest.mark.parametrize("format", EXPORTS)
    def test_a_file_that_was_never_read_is_left_alone(
        self, desk: LocalDesk, folder: Path, format: str
    ) -> None:
        record(desk, "a")
        for name in ("a.md", "memory.jsonl", "memories.json"):
            (folder / name).write_text("somebody else's")
        before = files(folder)
        report = export_folder(desk, folder, format)
        assert report.counts[Action.CONFLICT] == 1
        assert {name: data for name, data in files(folder).items() if name in before} == before

    def test_a_file_put_there_while_writing_is_left_alone(
        self, desk: LocalDesk, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        record(desk, "a")
        real = os.link

        def late(*args: object, **more: object) -> None:
            (folder / "a.md").write_text("meanwhile")
            real(*args, **more)  # type: ignore[arg-type]

        monkeypatch.setattr(os, "link", late)
        report = export_folder(desk, folder, "vault")
        assert counts(report) == {"conflict": 1}
        assert files(folder) == {"a.md": b"meanwhile"}

    @pytest.mark.parametrize("inside", [True, False])
    def test_no_symlink_is_written_through(
        self, desk: LocalDesk, folder: Path, tmp_path: Path, inside: bool
    ) -> None:
        (tmp_path / "in" / "sub").mkdir(parents=True)
        (tmp_path / "in" / "sub" / "a.md").write_text("text")
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "a.md").write_text("precious")
        import_folder(desk, tmp_path / "in", CANONICAL)
        if inside:
            (folder / "sub").mkdir()
            (folder / "sub" / "a.md").symlink_to(tmp_path / "outside" / "a.md")
        else:
            (folder / "sub").symlink_to(tmp_path / "outside")
        report = export_folder(desk, folder, "vault")
        assert counts(report) == {"fail": 1}
        assert (tmp_path / "outside" / "a.md").read_text() == "precious"

    def test_two_records_never_share_a_file(self, desk: LocalDesk, tmp_path: Path) -> None:
        for name in ("one", "two"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "Same.md").write_text(name)
            import_folder(desk, tmp_path / name, CANONICAL)
        record(desk, "same-2", id="same-2")
        export_folder(desk, tmp_path / "out", "vault")
        assert len(files(tmp_path / "out")) == 3

    def test_a_dry_run_writes_nothing(self, desk: LocalDesk, tmp_path: Path) -> None:
        record(desk, "a")
        report = export_folder(desk, tmp_path / "out", "claude", ExportOptions(dry_run=True))
        assert counts(report) == {"write": 2}
        assert not (tmp_path / "out").exists()

    def test_a_file_is_no_folder_and_a_format_must_exist(
        self, desk: LocalDesk, tmp_path: Path
    ) -> None:
        (tmp_path / "file").write_text("x")
        with pytest.raises(InvalidArgument):
            export_folder(desk, tmp_path / "file", "claude")
        with pytest.raises(InvalidArgument, match="no export format"):
            export_folder(desk, tmp_path / "out", "docx")

    def test_files_are_private_and_keep_the_mode_they_had(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "a.md").write_text("Once.\n")
        (folder / "a.md").chmod(0o664)
        import_folder(desk, folder, CANONICAL)
        edit(desk, "a", "Twice.\n")
        record(desk, "b")
        export_folder(desk, folder, "vault")
        modes = {name: (folder / name).stat().st_mode & 0o777 for name in ("a.md", "b.md")}
        assert modes == {"a.md": 0o664, "b.md": 0o600}


class TestIndex:
    def test_a_new_index_lists_the_newest_as_far_as_it_is_loaded(
        self, desk: LocalDesk, tmp_path: Path
    ) -> None:
        for number in range(230):
            record(desk, f"memory number {number}", summary="about [it]\nand more " * 20)
        report = export_folder(desk, tmp_path / "out", "claude")
        data = (tmp_path / "out" / "MEMORY.md").read_bytes()
        lines = data.decode().splitlines()
        assert len(data) <= 25_000
        assert len(lines) <= 200
        assert "memory number 229" in lines[2]
        assert len(report.unloaded) == 230 - (len(lines) - 2)

    def test_an_index_that_is_there_only_grows(self, desk: LocalDesk, tmp_path: Path) -> None:
        folder = Path(shutil.copytree(CASES / "claude-basic", tmp_path / "claude"))
        import_folder(desk, folder, CANONICAL)
        before = (folder / "MEMORY.md").read_bytes()
        export_folder(desk, folder, "claude")
        after = (folder / "MEMORY.md").read_bytes()
        bullet = "- [Unindexed — project note (v2)](unindexed.md) — not in the index\n"
        assert after == before + bullet.encode()

    def test_titles_and_paths_cannot_break_the_list(self, desk: LocalDesk, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "a (b) c.md").write_text(
            '---\nname: "x](y)\\n- [z"\ntype: user\n---\nt\n'
        )
        import_folder(desk, tmp_path / "in", CANONICAL)
        report = export_folder(desk, tmp_path / "out", "claude")
        assert report.unloaded == []
        text = (tmp_path / "out" / "MEMORY.md").read_text()
        assert text == "# Memory\n\n- [x\\](y) - \\[z](a%20%28b%29%20c.md)\n"
