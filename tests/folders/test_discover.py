"""Memory folders are found where agents keep them, and only those that hold something."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from store.folders.discover import discover

FILES = {
    "home/.claude/projects/-code-acme/memory/a.md": "x",
    "home/.claude/projects/-code-acme/session.jsonl": "{}",
    "home/.claude/projects/-code-empty/memory/": "",
    "home/.claude/agent-memory/reviewer/MEMORY.md": "x",
    "home/.gemini/GEMINI.md": "## Gemini Added Memories\n- x\n",
    "home/.hermes/memories/USER.md": "x",
    "home/.hermes/profiles/work/memories/MEMORY.md": "x",
    "home/.hermes/pending/memory/ab.json": "{}",
    "home/.openclaw/workspace/MEMORY.md": "x",
    "home/.apus/workspace-two/memory/2026-08-14.md": "x",
    "home/basic-memory/Note.md": "x",
    "elsewhere/notes/Note.md": "x",
    "elsewhere/vault/Note.md": "x",
    "code/acme/.git/HEAD": "",
    "code/acme/GEMINI.md": "only instructions",
    "code/acme/memory-bank/progress.md": "x",
    "code/acme/.serena/memories/style.md": "x",
    "code/acme/src/memory.jsonl": "{}",
}


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        if name.endswith("/"):
            path.mkdir(parents=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    config = {
        "home/.basic-memory/config.json": {
            "projects": {"n": {"path": str(tmp_path / "elsewhere/notes")}}
        },
        "home/.config/obsidian/obsidian.json": {
            "vaults": {"1": {"path": str(tmp_path / "elsewhere/vault")}}
        },
    }
    for name, value in config.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(value))
    return tmp_path


def test_each_agents_places_are_found_and_empty_ones_are_not(machine: Path) -> None:
    found = discover(machine / "home", machine / "code" / "acme" / "src", {})
    assert {each.path.relative_to(machine).as_posix(): each.format for each in found} == {
        "home/.claude/projects/-code-acme/memory": "claude",
        "home/.claude/agent-memory/reviewer": "claude",
        "home/.gemini/GEMINI.md": "gemini",
        "home/.hermes/memories": "hermes",
        "home/.hermes/profiles/work/memories": "hermes",
        "home/.hermes/pending/memory": "hermes",
        "home/.openclaw/workspace": "openclaw",
        "home/.apus/workspace-two": "openclaw",
        "home/basic-memory": "basic-memory",
        "elsewhere/notes": "basic-memory",
        "elsewhere/vault": "vault",
        "code/acme/memory-bank": "cline",
        "code/acme/.serena/memories": "serena",
        "code/acme/src/memory.jsonl": "mcp",
    }
    assert all(each.files == 1 for each in found)
    projects = {each.agent: each.project for each in found}
    assert projects["Cline"] == str(machine / "code" / "acme")
    assert projects["Gemini CLI"] == ""


def test_the_environment_names_other_places(machine: Path) -> None:
    environ = {
        "HERMES_HOME": str(machine / "elsewhere"),
        "MEMORY_FILE_PATH": str(machine / "code/acme/src/memory.jsonl"),
        "CLAUDE_CONFIG_DIR": str(machine / "nowhere"),
    }
    formats = {each.format for each in discover(machine / "home", machine / "home", environ)}
    assert "mcp" in formats
    assert not formats & {"claude", "hermes"}


@pytest.mark.parametrize("text", ["", "[]", '{"vaults": 3}', '{"vaults": {"a": {"path": 3}}}', "{"])
def test_a_broken_list_of_an_application_finds_nothing(tmp_path: Path, text: str) -> None:
    config = tmp_path / ".config" / "obsidian" / "obsidian.json"
    config.parent.mkdir(parents=True)
    config.write_text(text)
    assert discover(tmp_path, tmp_path, {}) == ()
