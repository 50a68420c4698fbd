"""Every bad link is found with its file and line, and mended without touching anything else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from store.errors import Conflict, InvalidArgument, NotFound
from store.folders.export import export_folder
from store.folders.hygiene import Finding, Kind, examine, examine_folder
from store.folders.importer import ImportOptions, import_folder
from store.folders.mending import Fix, Suggester, apply_fixes, read_fixes, rename
from store.folders.sarif import sarif
from store.local import LocalDesk
from store.records import LinkClass, MemoryScope, MemoryType, NewRecord, Origin, RecordStatus

CASES = Path(__file__).parents[1] / "cases" / "import"
CANONICAL = ImportOptions(status=RecordStatus.CANONICAL)


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(CASES / "claude-basic", tmp_path / "claude"))
    index = folder / "MEMORY.md"
    index.write_text(
        index.read_text()
        + "- [Gone](gone.md) — was here\n- [Out](../secret.md)\n- [Abs](/etc/x.md)\n"
    )
    return folder


def found(desk: LocalDesk) -> dict[Kind, list[Finding]]:
    by_kind: dict[Kind, list[Finding]] = {}
    for finding in examine(desk):
        by_kind.setdefault(finding.kind, []).append(finding)
    return by_kind


def record(desk: LocalDesk, title: str, content: str = "text") -> str:
    new = NewRecord(MemoryType.PROJECT, MemoryScope.GLOBAL, title, content)
    return desk.write(new, Origin()).id


class TestFinding:
    def test_links_and_index_entries_are_found_in_their_files(
        self, desk: LocalDesk, claude: Path
    ) -> None:
        import_folder(desk, claude, CANONICAL)
        desk.delete_record("user-role")
        by_kind = found(desk)
        (broken,) = by_kind[Kind.BROKEN]
        assert (broken.id, broken.target) == ("tdd", "user-role")
        assert broken.where == f"{claude / 'feedback_tdd.md'}:10"
        assert (claude / "feedback_tdd.md").read_text().splitlines()[9] == broken.text
        (wanted,) = by_kind[Kind.WANTED]
        assert wanted.target == "issue-828"
        missing = {
            (finding.line, finding.target, finding.message) for finding in by_kind[Kind.MISSING]
        }
        assert missing == {
            (5, "gone.md", "no such file"),
            (6, "../secret.md", "leads out of the folder"),
            (7, "/etc/x.md", "leads out of the folder"),
        }
        (unindexed,) = by_kind[Kind.UNINDEXED]
        assert unindexed.path == str(claude / "unindexed.md")
        assert [finding.id for finding in by_kind[Kind.ORPHAN]] == ["unindexed-project-note-v2"]

    def test_a_text_edited_here_is_found_by_its_id(self, desk: LocalDesk, claude: Path) -> None:
        import_folder(desk, claude, CANONICAL)
        desk.edit("tdd", desk.get_record("tdd").revision, content="x\n[[nowhere-at-all]]\n")
        (wanted,) = found(desk)[Kind.WANTED]
        assert wanted.where == "tdd:2"

    def test_lines_of_files_of_several_are_the_files_lines(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "MEMORY.md").write_text("One.\n§\nTwo,\nsee [[nowhere]].\n")
        (folder / "memory").mkdir()
        (folder / "memory" / "2026-08-14.md").write_text(
            "# Day\n\n## A\n\na\n\n## B\n\n[[nowhere]]\n"
        )
        (folder / "g.jsonl").write_text(
            '{"name":"a","entityType":"t","observations":[]}\n'
            '{"name":"b","entityType":"t","observations":["[[nowhere]]"]}\n'
        )
        import_folder(desk, folder, CANONICAL)
        places = {finding.where.removeprefix(f"{folder}/") for finding in found(desk)[Kind.WANTED]}
        assert places == {"MEMORY.md:4", "memory/2026-08-14.md:9", "g.jsonl:2"}

    def test_ambiguous_names_come_with_what_they_may_mean(
        self, desk: LocalDesk, tmp_path: Path
    ) -> None:
        import_folder(desk, CASES / "obsidian", CANONICAL)
        (ambiguous,) = found(desk)[Kind.AMBIGUOUS]
        assert ambiguous.candidates == ("glossary", "glossary-2")
        assert ambiguous.where == f"{CASES / 'obsidian/notes/Plan.md'}:5"

    def test_a_folder_is_examined_without_a_store(self, claude: Path) -> None:
        before = {path.name: path.read_bytes() for path in claude.iterdir()}
        kinds = [finding.kind for finding in examine_folder(claude)]
        assert kinds.count(Kind.MISSING) == 3
        assert Kind.WANTED in kinds
        assert Kind.BROKEN not in kinds
        assert {path.name: path.read_bytes() for path in claude.iterdir()} == before
        with pytest.raises(NotFound):
            examine_folder(claude / "missing")


class TestMending:
    def test_a_suggestion_is_the_name_most_alike(self, desk: LocalDesk) -> None:
        record(desk, "Deploy runbook")
        record(desk, "Team lunch")
        source = record(desk, "source", "see [[deploy_run-book]] and [[zzzzqqq]]")
        findings = {finding.target: finding for finding in examine(desk) if finding.id == source}
        with desk.database.reading() as conn:
            suggester = Suggester(conn)
        assert suggester.suggest(findings["deploy_run-book"])[0].id == "deploy-runbook"
        assert suggester.suggest(findings["zzzzqqq"]) == ()

    def test_fixes_point_links_elsewhere_and_keep_alias_heading_and_the_rest(
        self, desk: LocalDesk
    ) -> None:
        record(desk, "Target")
        text = "[[wrong]] `[[wrong]]` ![[wrong#Part|shown]]\n| [[wrong\\|cell]] |\n[[other]]\n"
        source = record(desk, "source", text)
        done = apply_fixes(
            desk,
            [
                Fix(source, "wrong", "target"),
                Fix(source, "absent", "target"),
                Fix("no-such", "wrong", "target"),
                Fix(record(desk, "third", "[[x]]"), "x", "a]]b"),
            ],
        )
        assert [bool(each.why) for each in done] == [False, True, True, True]
        expected = text.replace("[[wrong", "[[target").replace("`[[target]]`", "`[[wrong]]`")
        assert desk.get_record(source).content == expected

    def test_fixes_are_read_from_a_list_or_lines(self) -> None:
        fix = {"id": "a", "target": "b", "replacement": "c", "likeness": 90}
        skipped = {"id": "a", "target": "b", "replacement": None}
        assert read_fixes(json.dumps([fix, skipped])) == (Fix("a", "b", "c"),)
        assert read_fixes(json.dumps(fix) + "\n\n" + json.dumps(skipped)) == (Fix("a", "b", "c"),)
        for wrong in (
            "{",
            "[1]",
            '[{"id": 1, "target": "x"}]',
            '[{"id":"a","target":"b","replacement":3}]',
        ):
            with pytest.raises(InvalidArgument):
                read_fixes(wrong)

    def test_a_rename_rewrites_references_in_the_store_and_on_export_in_files(
        self, desk: LocalDesk, folder: Path
    ) -> None:
        (folder / "Old Name.md").write_text("The one.\n")
        (folder / "see.md").write_text(
            "[[Old Name]], [[old_name|x]], `[[Old Name]]`, [[Old Name#H]]\n"
        )
        (folder / "other.md").write_text("nothing\n")
        import_folder(desk, folder, CANONICAL)
        assert rename(desk, "old-name", "New Name") == ("see",)
        assert {entry.link_class for entry in desk.links()} == {LinkClass.RESOLVED}
        export_folder(desk, folder, "vault")
        expected = "[[New Name]], [[New Name|x]], `[[Old Name]]`, [[New Name#H]]\n"
        assert (folder / "see.md").read_text() == expected
        assert (folder / "other.md").read_text() == "nothing\n"
        assert (folder / "Old Name.md").read_text() == "---\ntitle: New Name\n---\n\nThe one.\n"

    @pytest.mark.parametrize("title", ["a | b", "a ]] b", "a # b", "two\nlines"])
    def test_a_title_that_no_link_can_hold_is_referred_to_by_id(
        self, desk: LocalDesk, title: str
    ) -> None:
        id = record(desk, "Old")
        record(desk, "see", "[[Old|x]] and [[Old]]")
        assert rename(desk, id, title) == ("see",)
        assert desk.get_record("see").content == "[[old|x]] and [[old]]"

    def test_a_rename_that_cannot_be_made_changes_nothing(self, desk: LocalDesk) -> None:
        id = record(desk, "Old")
        record(desk, "see", "[[Old]]")
        with pytest.raises(InvalidArgument):
            rename(desk, id, "x" * 501)
        with pytest.raises(NotFound):
            rename(desk, "no-such", "New")
        desk.update_record(id, "revised")
        with pytest.raises(Conflict):
            rename(desk, id, "New")
        assert desk.get_record("see").content == "[[Old]]"


def test_sarif_has_a_level_a_rule_and_a_line_for_each(
    desk: LocalDesk, claude: Path, tmp_path: Path
) -> None:
    import_folder(desk, claude, CANONICAL)
    log = sarif(examine(desk), tmp_path, "1.0")
    (run,) = log["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert rules == {kind.value for kind in Kind}
    gone = next(result for result in run["results"] if "gone.md" in result["message"]["text"])
    assert (gone["ruleId"], gone["level"]) == ("missing", "error")
    place = gone["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "claude/MEMORY.md"}, "region": {"startLine": 5}}
    orphan = next(result for result in run["results"] if result["ruleId"] == "orphan")
    assert orphan["locations"] == [
        {"logicalLocations": [{"name": "unindexed-project-note-v2", "kind": "memory"}]}
    ]
    outside = sarif(examine(desk), tmp_path / "elsewhere", "1.0")
    assert "file:///" in json.dumps(outside)
