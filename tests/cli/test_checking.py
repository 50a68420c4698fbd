"""What is wrong with links, for people, hooks and code hosts, and mending it from the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from store.local import LocalDesk
from tests.cli.conftest import Cli, Write

CASES = Path(__file__).parents[1] / "cases" / "import"


@pytest.fixture
def claude(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copytree(CASES / "claude-basic", tmp_path / "claude"))


def test_a_folder_is_checked_by_itself_with_file_and_line(
    cli: Cli, claude: Path, store_path: Path
) -> None:
    ran = cli("links", "--check", "--folder", "claude")
    assert ran.code == 0
    assert ran.lines[0].split("\t")[:3] == ["wanted", "claude/feedback_tdd.md:10", "issue-828"]
    assert not store_path.exists()
    assert cli("links", "--check", "--folder", "claude", "--strict").code == 1
    (claude / "user_role.md").unlink()
    ran = cli("links", "--check", "--folder", "claude")
    assert ran.code == 1
    assert "missing\tclaude/MEMORY.md:3\tuser_role.md\tno such file" in ran.lines


def test_the_store_is_checked_where_no_folder_is_given(
    cli: Cli, desk: LocalDesk, write: Write
) -> None:
    assert cli("links", "--check").code == 0
    write("Gone")
    write("see", "[[gone]]\n")
    desk.delete_record("gone")
    ran = cli("links", "--check", "--json")
    assert ran.code == 1
    (broken,) = ran.objects
    assert (broken["kind"], broken["where"], broken["text"]) == ("broken", "see:1", "[[gone]]")


def test_sarif_is_one_json_document(cli: Cli, claude: Path) -> None:
    ran = cli("links", "--check", "--folder", "claude", "--format", "sarif")
    (run,) = json.loads(ran.out)["runs"]
    assert {result["ruleId"] for result in run["results"]} == {"wanted", "unindexed", "orphan"}


def test_options_of_a_check_need_the_check(cli: Cli) -> None:
    for arguments in (["--strict"], ["--folder", "."], ["--format", "sarif"]):
        assert cli("links", *arguments).code == 2


def test_fixing_asks_about_each_link(cli: Cli, desk: LocalDesk, write: Write) -> None:
    write("Deploy runbook")
    write("Old plan")
    write("see", "[[deploy run books]]\n[[old plan]] [[old plan]]\n")
    desk.delete_record("old-plan")
    write("New old plan")
    ran = cli("links", "fix", "--wanted", input="7\n1\n1\n")
    assert ran.code == 0
    assert desk.get_record("see").content == "[[new-old-plan]] [[new-old-plan]]\n" or (
        desk.get_record("see").content == "[[deploy-runbook]]\n[[new-old-plan]] [[new-old-plan]]\n"
    )
    assert cli("links", "--check").code == 0


def test_asking_can_be_ended_and_links_skipped(cli: Cli, desk: LocalDesk, write: Write) -> None:
    for name in ("alpha", "beta"):
        write(f"{name} one")
        write(f"see {name}", f"[[{name} on]]")
    assert cli("links", "fix", "--wanted", input="\nq\n").code == 0
    assert (
        cli("links", "fix", "--wanted", input="\n1\n").lines[-1].startswith("see-beta: [[beta on]]")
    )
    assert desk.get_record("see-alpha").content == "[[alpha on]]"


def test_suggestions_can_be_pruned_and_applied(
    cli: Cli, desk: LocalDesk, write: Write, tmp_path: Path
) -> None:
    write("Deploy runbook")
    write("see", "[[deploy run-books]]")
    ran = cli("links", "fix", "--wanted", "--json")
    (suggestion,) = ran.objects
    assert (suggestion["id"], suggestion["replacement"]) == ("see", "deploy-runbook")
    (tmp_path / "fixes.json").write_text(ran.out)
    assert cli("links", "fix", "--apply", str(tmp_path / "fixes.json")).code == 0
    assert desk.get_record("see").content == "[[deploy-runbook]]"
    again = cli("links", "fix", "--apply", "-", input=ran.out)
    assert again.code == 1
    assert "no such link" in again.out


def test_renaming_rewrites_what_refers_to_the_old_title(
    cli: Cli, desk: LocalDesk, write: Write
) -> None:
    write("Old")
    write("see", "[[Old]]")
    ran = cli("links", "rename", "old", "New name")
    assert ran.lines == ["old is now 'New name'; links rewritten in see"]
    assert desk.get_record("see").content == "[[New name]]"
