"""A file's format is decided by what is in it, and the reason is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.folders import belongs
from store.folders.detect import Surroundings, detect

MEMORY = "---\nname: x\ntype: user\n---\nText\n"
ENTITY = '{"name": "a", "entityType": "t", "observations": []}'

FOLDERS = {
    # a folder's files, and what each of them is
    "claude": {
        "MEMORY.md": ("# Memory\n- [X](x.md) — hook\n- [Gone](gone.md) — hook\n", "claude"),
        "x.md": (MEMORY, "claude"),
        "node.md": ("---\nname: y\nmetadata: \n  node_type: memory\n---\nText\n", "claude"),
        "README.md": ("# About\n", None),
        "CLAUDE.md": ("Be brief.\n", None),
        "empty.md": ("", None),
        "log.txt.md": ("just prose\n", "vault"),
    },
    "workspace": {
        "MEMORY.md": ("# Memory\n\n## People\n\nAnn.\n", "openclaw"),
        "SOUL.md": ("Be kind.\n", None),
        "AGENTS.md": ("Rules.\n", None),
        "USER.md": ("Name: Ann\n", None),
        "memory/2026-08-14.md": ("Did things.\n", "openclaw"),
        "memory/2026-08-14-evening.md": ("Did more.\n", "openclaw"),
    },
    "hermes": {
        "MEMORY.md": ("One\n§\nTwo", "hermes"),
        "USER.md": ("Only one entry", "hermes"),
    },
    "memory-bank": {
        "projectbrief.md": ("# Brief\n", "cline"),
        "progress.md": ("# Progress\n", "cline"),
        "decisions.md": ("# Own\n", "cline"),
    },
    "mixed": {
        "GEMINI.md": ("## Gemini Added Memories\n- x\n", "gemini"),
        "sub/GEMINI.md": ("# Rules\n", None),
        ".serena/memories/style.md": ("Tabs.\n", "serena"),
        "Coffee.md": ("---\ntitle: Coffee\npermalink: coffee\n---\nx\n", "basic-memory"),
        "Tea.md": ("- [taste] good\n- relates_to [[Coffee]]\n", "basic-memory"),
        "Tasks.md": ("- [x] done\n- see [[Coffee]]\n", "vault"),
        "graph.json": ('{"entities": [' + ENTITY + '], "relations": []}', "mcp"),
        "graph.jsonl": (ENTITY, "mcp"),
        "mem.json": ('[{"id": "1", "memory": "x"}]', "mem0"),
        "staged.json": ('{"subsystem": "memory", "payload": {"content": "x"}}', "hermes"),
        "package.json": ('{"name": "x", "version": "1"}', None),
        "broken.json": ('{"name": ', None),
    },
}
CASES = [
    (folder, path, text, expected)
    for folder, files in FOLDERS.items()
    for path, (text, expected) in files.items()
]


@pytest.mark.parametrize(("folder", "path", "text", "expected"), CASES)
def test_each_file_is_what_it_is(folder: str, path: str, text: str, expected: str | None) -> None:
    around = Surroundings.of(Path("/home/ann") / folder, FOLDERS[folder])
    verdict = detect(text.encode(), path, around)
    assert (verdict.format.name if verdict.format else None) == expected
    assert verdict.why


def test_a_single_entry_in_a_folder_named_memories_is_hermes() -> None:
    around = Surroundings.of(Path("/home/ann/.hermes/memories"), ["MEMORY.md"])
    verdict = detect(b"Only one", "MEMORY.md", around)
    assert verdict.format
    assert verdict.format.name == "hermes"


def test_a_folder_in_a_checkout_belongs_to_it(tmp_path: Path) -> None:
    folder = tmp_path / "code" / "notes"
    folder.mkdir(parents=True)
    assert belongs.project_of(folder, home=tmp_path).root == ""
    (tmp_path / "code" / ".git").mkdir()
    assert belongs.project_of(folder, home=tmp_path).root == str(tmp_path / "code")


def test_a_home_under_version_control_is_no_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gemini").mkdir()
    assert belongs.project_of(tmp_path / ".gemini", home=tmp_path).root == ""


def test_claudes_folder_names_lead_back_to_the_project(tmp_path: Path) -> None:
    (tmp_path / "my.code" / "acme_web-app").mkdir(parents=True)
    (tmp_path / "my").mkdir()
    assert belongs.decode("-my-code-acme-web-app", tmp_path) == (
        tmp_path / "my.code" / "acme_web-app",
    )
    (tmp_path / "my-code" / "acme-web-app").mkdir(parents=True)
    assert len(belongs.decode("-my-code-acme-web-app", tmp_path)) == 2


def test_a_project_that_is_not_here_stays_unknown(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-nowhere-at-all" / "memory"
    found = belongs.project_of(folder, home=tmp_path)
    assert (found.root, found.unknown) == ("", True)
    assert "--project" in found.why
