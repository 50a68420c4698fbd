"""Folders in and out from the command line: what is said, and the exit codes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from store.folders import importer
from store.local import LocalDesk
from tests.cli.conftest import Cli

CASES = Path(__file__).parents[1] / "cases" / "import"


@pytest.fixture
def lenient(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CASES / "lenient", tmp_path / "lenient"))


def test_import_counts_first_and_then_names_every_file_it_bent_or_passed_over(
    cli: Cli, lenient: Path
) -> None:
    ran = cli("import", str(lenient))
    assert ran.code == 0
    assert ran.lines[0] == "8 new, 1 skipped"
    named = {line.strip() for line in ran.lines if line.startswith("    ")}
    assert named == {"badbyte.md", "colon.md", "trailing.md", "hash.md", "notype.md", "empty.md"}
    assert cli("import", str(lenient)).lines[0] == "0 new, 8 unchanged, 1 skipped"


def test_import_ends_with_1_when_something_was_not_taken_and_gives_it_verbatim(cli: Cli) -> None:
    ran = cli("import", str(CASES / "jsonl"))
    assert ran.code == 1
    assert '    memory.jsonl:2: {"type":"entity","name":"cut","entity' in ran.lines


def test_json_has_an_object_a_file_and_one_for_the_whole(cli: Cli, lenient: Path) -> None:
    *lines, whole = cli("import", str(lenient), "--json", "--explain").objects
    assert whole["summary"] == {"new": 8, "skipped": 1}
    assert whole["complete"] is True
    colon = next(line for line in lines if line["path"] == "colon.md")
    assert colon["notes"] == [{"flag": "lenient", "what": "the frontmatter is not valid YAML"}]
    assert colon["because"] == "its frontmatter has a name and a memory type"


def test_explain_gives_the_reason_for_each_format(cli: Cli, lenient: Path) -> None:
    ran = cli("import", str(lenient), "--dry-run", "--explain")
    assert ran.lines[0] == "would be: 8 new, 1 skipped"
    assert "format vault: a Markdown note with no other format's marks (1)" in ran.lines
    assert cli("count", "--status", "pending").lines == ["0"]


def test_what_a_file_name_says_never_reaches_the_terminal_raw(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "evil\x1b[31m\n.md").write_text("")
    ran = cli("import", str(tmp_path / "in"))
    assert "\x1b" not in ran.out
    assert len(ran.lines) == 3


def test_an_interrupted_import_says_what_it_took_and_goes_on(
    cli: Cli, lenient: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "_BATCH_FILES", 4)
    real = importer._Run._take

    def take(run: importer._Run, batch: object) -> None:
        if run.report.files:
            raise KeyboardInterrupt
        real(run, batch)  # type: ignore[arg-type]

    monkeypatch.setattr(importer._Run, "_take", take)
    ran = cli("import", str(lenient))
    assert ran.code == 130
    assert ran.lines[0] == "4 new"
    assert "run it again" in ran.err
    monkeypatch.setattr(importer._Run, "_take", real)
    assert cli("import", str(lenient)).lines[0] == "4 new, 4 unchanged, 1 skipped"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("import",), 2),
        (("import", "missing"), 1),
        (("import", ".", "--format", "docx"), 1),
        (("import", ".", "--scope", "galaxy"), 2),
        (("export", "out", "--format", "docx"), 1),
        (("sync", "missing", "--yes"), 1),
    ],
)
def test_what_cannot_be_done_is_said(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli(*arguments)
    assert ran.code == code
    assert ran.err


def test_export_writes_what_was_approved_and_of_that_what_was_asked_for(
    cli: Cli, lenient: Path, tmp_path: Path
) -> None:
    cli("import", str(lenient))
    assert cli("export", str(tmp_path / "out")).lines == ["nothing to export"]
    cli("approve", "has-a-rule", "with-bom", "crlf-note")
    ran = cli("export", str(tmp_path / "out"), "--type", "user", "--type", "feedback")
    assert ran.lines == ["3 written"]
    out = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert set(out) == {"bom.md", "crlf.md", "MEMORY.md"}
    assert out["bom.md"] == (lenient / "bom.md").read_bytes()
    assert cli("export", str(tmp_path / "out"), "--json").objects[-1]["summary"] == {
        "change": 1,
        "keep": 2,
        "write": 1,
    }


def test_export_names_what_it_left_alone(
    cli: Cli, desk: LocalDesk, write: object, tmp_path: Path
) -> None:
    write("a")  # type: ignore[operator]
    (tmp_path / "a.md").write_text("mine")
    ran = cli("export", str(tmp_path), "--format", "vault")
    assert ran.code == 1
    assert ran.lines[1].startswith("conflict: a file is there that was never read")
    assert ran.lines[2] == "    a.md"


def test_sync_shows_its_plan_and_does_nothing_unasked(cli: Cli, lenient: Path) -> None:
    ran = cli("sync", str(lenient))
    assert ran.code == 2
    assert ran.lines[0] == "into the store: would be: 8 new, 1 skipped"
    assert cli("count", "--status", "pending").lines == ["0"]
    assert cli("sync", str(lenient), "--dry-run").code == 0
    done = cli("sync", str(lenient), "--yes")
    assert done.lines[0] == "into the store: 8 new, 1 skipped"
    assert done.lines[-1] == "into the folder: nothing to export"
    assert cli("sync", str(lenient)).code == 0


def test_discover_lists_places_and_asks_before_it_imports(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert "No memory folders" in cli("discover").err
    for number in (1, 2):
        memory = tmp_path / f".openclaw/workspace-{number}/memory"
        memory.mkdir(parents=True)
        (memory / "2026-08-14.md").write_text(f"Did {number} things.\n")
    (place, _) = cli("discover", "--json").objects
    assert place == {
        "agent": "OpenClaw",
        "format": "openclaw",
        "files": 1,
        "path": str(tmp_path / ".openclaw/workspace-1"),
        "project": "",
    }
    ran = cli("discover", "--import", input="n\ny\n")
    assert ran.code == 0
    assert [line for line in ran.lines if line.endswith("new")] == ["1 new"]
    assert cli("count", "--status", "pending").lines == ["1"]
