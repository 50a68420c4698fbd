"""With --read-only nothing is written, whichever command is called, and what would write says why not."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from store.local import LocalDesk
from tests.cli.conftest import Cli, Write
from tests.doors.test_commands import commands

WRITES: dict[str, list[str]] = {
    "approve": ["approve", "draft"],
    "reject": ["reject", "draft"],
    "record": ["record", "-t", "user", "-s", "global", "--title", "New", "{file}"],
    "delete": ["delete", "kept"],
    "restore": ["restore", "gone"],
    "purge": ["purge", "--yes"],
    "import": ["import", "{folder}"],
    "export": ["export", "{out}"],
    "sync": ["sync", "--yes", "{folder}"],
    "watch": ["watch", "{folder}"],
    "links rename": ["links", "rename", "kept", "Another"],
    "links fix": ["links", "fix", "--apply", "{fixes}"],
    "doctor": ["doctor", "--mend"],
    "serve": ["serve"],
    "mcp": ["mcp"],
    "bridge": ["bridge"],
}
READS: dict[str, list[str]] = {
    "list": ["list"],
    "show": ["show", "kept"],
    "count": ["count"],
    "search": ["search", "text"],
    "links": ["links"],
    "backlinks": ["backlinks", "kept"],
    "recall": ["recall", "--budget", "1000"],
    "history": ["history"],
}
ELSEWHERE = {"config show", "config check", "config edit", "discover", "apus path", "store copy"}
"""Commands that touch no store, or only read the one that they are told."""


@pytest.fixture
def filled(desk: LocalDesk, write: Write, store_path: Path, tmp_path: Path) -> Path:
    """A store with a draft, a record that links nowhere and one in the trash; nobody has it open."""
    write("Draft", draft=True)
    write("Kept", "text [[nowhere]]")
    desk.delete_record(write("Gone"))
    desk.close()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "memory.md").write_text("# A memory\n\nof a folder\n")
    fix = '{"id": "kept", "target": "nowhere", "replacement": "draft", "kind": "wanted"}\n'
    (tmp_path / "fixes").write_text(fix)
    (tmp_path / "file").write_text("text")
    return store_path


def kept(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_each_command_is_known_to_write_or_not() -> None:
    """A new command belongs into one of them."""
    assert {*WRITES, *READS, *ELSEWHERE} == commands()


@pytest.mark.parametrize("command", WRITES)
def test_what_would_write_is_refused_with_the_reason(
    cli: Cli, filled: Path, tmp_path: Path, command: str
) -> None:
    before = kept(filled)
    names = {name: tmp_path / name for name in ("folder", "file", "fixes", "out")}
    ran = cli("--read-only", *(word.format(**names) for word in WRITES[command]))
    assert ran.code in {1, 2}
    assert re.search("read-only|reading only", ran.out + ran.err)
    assert kept(filled) == before


@pytest.mark.parametrize("command", READS)
def test_what_reads_works(cli: Cli, filled: Path, command: str) -> None:
    before = kept(filled)
    assert cli("--read-only", *READS[command]).code == 0
    assert kept(filled) == before


def test_another_provider_cannot_be_held_to_it(cli: Cli) -> None:
    assert cli("--read-only", "--provider", "unix:/nowhere", "list").code == 2
