"""Find memory folders where each agent usually keeps them; nothing of them is imported by finding them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from store.folders import gemini, walk
from store.folders.belongs import project_of
from store.folders.walk import CannotRead, Found

_MAX_FILES = 100_000


@dataclass(frozen=True, slots=True)
class Discovered:
    """A folder or file that holds memories, as far as its place and its names tell.

    ``files`` counts what would be looked at; ``project`` is the root of the project it belongs to, if any.
    """

    agent: str
    path: Path
    format: str
    files: int
    project: str = ""


def discover(
    home: Path | None = None, here: Path | None = None, environ: Mapping[str, str] = os.environ
) -> tuple[Discovered, ...]:
    """Look in the usual places.

    Args:
        home: the home directory.
        here: the working directory; its project is looked at too.
        environ: where agents are told of other places.
    """
    home = home or Path.home()
    here = here or Path.cwd()
    found: dict[Path, Discovered] = {}
    for agent, format, place in _places(home, here, environ):
        try:
            path = place.resolve()
            if path in found or not path.exists():
                continue
            files = _count(path)
        except (OSError, CannotRead):
            continue  # a place that may not be looked at holds nothing for us
        if files:
            project = project_of(path if path.is_dir() else path.parent, home).root
            found[path] = Discovered(agent, path, format, files, project)
    return tuple(found.values())


def _places(home: Path, here: Path, environ: Mapping[str, str]) -> Iterator[tuple[str, str, Path]]:
    yield from _of_claude(home, here, environ)
    hermes = Path(environ.get("HERMES_HOME") or home / ".hermes")
    for base in (hermes, *_sorted(hermes, "profiles/*")):
        yield "Hermes", "hermes", base / "memories"
        yield "Hermes, waiting for approval", "hermes", base / "pending" / "memory"
    for agent, base in (("OpenClaw", home / ".openclaw"), ("Apus", home / ".apus")):
        for workspace in _sorted(base, "workspace*"):
            yield agent, "openclaw", workspace
    yield "Gemini CLI", "gemini", home / ".gemini" / "GEMINI.md"
    yield "basic-memory", "basic-memory", home / "basic-memory"
    for place in _named_in(home / ".basic-memory" / "config.json", "projects"):
        yield "basic-memory", "basic-memory", place
    for place in _named_in(_config(home, environ) / "obsidian" / "obsidian.json", "vaults"):
        yield "Obsidian", "vault", place
    if graph := environ.get("MEMORY_FILE_PATH"):
        yield "MCP memory server", "mcp", Path(graph)
    for base in _project_folders(home, here):
        yield "Gemini CLI", "gemini", base / "GEMINI.md"
        yield "Cline", "cline", base / "memory-bank"
        yield "Serena", "serena", base / ".serena" / "memories"
        yield "MCP memory server", "mcp", base / "memory.jsonl"
        yield "MCP memory server", "mcp", base / "memory.json"
        yield "mem0", "mem0", base / "memories.json"
    yield "Serena", "serena", home / ".serena" / "memories"


def _of_claude(
    home: Path, here: Path, environ: Mapping[str, str]
) -> Iterator[tuple[str, str, Path]]:
    base = Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    for place in _sorted(base, "projects/*/memory"):
        yield "Claude Code", "claude", place
    for folder in (base, *(each / ".claude" for each in _project_folders(home, here))):
        for name in ("agent-memory", "agent-memory-local"):
            for place in _sorted(folder, f"{name}/*"):
                yield "Claude Code, subagent", "claude", place


def _project_folders(home: Path, here: Path) -> tuple[Path, ...]:
    root = project_of(here, home).root
    folders = dict.fromkeys([here, *([Path(root)] if root else [])])
    return tuple(folder for folder in folders if folder != home)


def _config(home: Path, environ: Mapping[str, str]) -> Path:
    return Path(environ.get("XDG_CONFIG_HOME") or home / ".config")


def _sorted(base: Path, pattern: str) -> list[Path]:
    try:
        return sorted(base.glob(pattern))
    except OSError:
        return []


def _named_in(config: Path, key: str) -> Iterable[Path]:
    """Return the folders that an application's own list names: paths, or objects that have one."""
    try:
        listed = json.loads(walk.read(config.parent, config.name)[0])[key]
        values = listed.values()
    except (CannotRead, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []
    paths = [each.get("path") if isinstance(each, dict) else each for each in values]
    return [Path(each).expanduser() for each in paths if isinstance(each, str) and each]


def _count(path: Path) -> int:
    if path.is_file():
        if path.name == "GEMINI.md":  # mostly written by people; of interest only with its section
            return int(gemini.SECTION.encode() in walk.read(path.parent, path.name)[0])
        return 1
    count = 0
    for each in walk.walk(path):
        count += isinstance(each, Found)
        if count >= _MAX_FILES:
            break
    return count
