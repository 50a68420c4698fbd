"""Which format a file is in, and why: from what is in it and what lies beside it, file by file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from store.folders import (
    basic_memory,
    claude,
    cline,
    gemini,
    hermes,
    index,
    mcp_graph,
    mem0,
    note,
    openclaw,
)
from store.folders.formats import FORMATS, Format

_JSON = (".json", ".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A format with the reason for it, or None with the reason why the file holds no memory."""

    format: Format | None
    why: str


@dataclass(slots=True)
class Surroundings:
    """What lies in each folder below a root, as far as it helps to tell formats apart."""

    root: Path
    _names: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Path, paths: Iterable[str]) -> Surroundings:
        """Take note of the files found below ``root``."""
        made = cls(root)
        for path in paths:
            folder, _, name = path.rpartition("/")
            made._names.setdefault(folder, set()).add(name.lower())
        return made

    def beside(self, path: str) -> set[str]:
        """Return the lower-case names of the files in a file's folder, its own too."""
        return self._names.get(path.rpartition("/")[0], set())

    def folder(self, path: str) -> str:
        """Return the name of the folder that a file is in, also where that is the root."""
        return PurePosixPath(self.root.as_posix(), path).parent.name

    def below(self, path: str, name: str) -> set[str]:
        """Return the names in a folder beside a file."""
        folder = path.rpartition("/")[0]
        return self._names.get(f"{folder}/{name}" if folder else name, set())

    def within(self, path: str, *folders: str) -> bool:
        """Say whether a file is somewhere below folders of these names, one in the other."""
        parts = PurePosixPath(self.root.as_posix(), path).parent.parts
        size = len(folders)
        return any(parts[at : at + size] == folders for at in range(len(parts) - size + 1))


def detect(data: bytes, path: str, around: Surroundings) -> Verdict:
    """Decide the format of one file.

    Args:
        data: its bytes.
        path: below the root, POSIX.
        around: what lies beside it.
    """
    if PurePosixPath(path).suffix.lower() in _JSON:
        return _json(data)
    name = PurePosixPath(path).name.lower()
    parsed = note.parse(data)
    if parsed.blank:
        return Verdict(None, "empty")
    front, text = parsed.front, parsed.text.text
    if name == "gemini.md":
        return (
            _is("gemini", "a GEMINI.md with its section of added memories")
            if gemini.SECTION in text
            else (Verdict(None, "instructions without added memories"))
        )
    if name in ("memory.md", "user.md") and not front.head:
        return _memory_file(text, name, path, around)
    if claude.is_memory(front):
        return _is("claude", "its frontmatter has a name and a memory type")
    if around.within(path, ".serena", "memories"):
        return _is("serena", "it is below .serena/memories")
    if front.text("permalink") or basic_memory.is_note(front.body):
        return _is("basic-memory", "it has a permalink, or both observations and relations")
    if (
        note.stem(name) in cline.CORE
        and len({note.stem(one) for one in around.beside(path)} & set(cline.CORE)) > 1
    ):
        return _is("cline", "it is one of several files with the names of a Cline memory bank")
    if around.folder(path) == "memory-bank" and not front.head:
        return _is("cline", "it is in a folder named memory-bank")
    if (
        openclaw.DAY.fullmatch(note.stem(path))
        and around.folder(path) == "memory"
        and not front.head
    ):
        return _is("openclaw", "it is a day's log in a folder named memory")
    return _plain(name, path, around)


def is_index(text: str, beside: set[str]) -> bool:
    """Say whether a MEMORY.md lists memories: its bullets link to Markdown files, some of them there."""
    linked = [bullet.path.rpartition("/")[2].lower() for bullet in index.listed(text)]
    return any(name in beside for name in linked) or len(linked) * 2 > text.count("\n- ") > 0


def _memory_file(text: str, name: str, path: str, around: Surroundings) -> Verdict:
    """Tell the three kinds of MEMORY.md apart: Claude's index, Hermes' entries, a workspace's notes."""
    beside = around.beside(path)
    if any(line.strip() == hermes.DELIMITER for line in text.split("\n")):
        return _is("hermes", "its entries are parted by § lines")
    if name == "memory.md" and is_index(text, beside):
        return Verdict(FORMATS["claude"], "an index of memory files")
    if beside & (openclaw.BESIDE - {"readme.md", "user.md"}) or any(
        openclaw.DAY.fullmatch(note.stem(one)) for one in around.below(path, "memory")
    ):
        if name == "user.md":
            return Verdict(None, "a workspace's instructions, not a memory")
        return _is("openclaw", "a MEMORY.md with a workspace's files beside it")
    if around.folder(path) == "memories" or {"memory.md", "user.md"} <= beside:
        return _is("hermes", "it is where Hermes keeps its memories")
    if name == "user.md":
        return _plain(name, path, around)
    if not [line for line in text.split("\n") if line.strip() and not line.startswith("#")]:
        return Verdict(FORMATS["claude"], "an index that lists nothing yet")
    return _is("openclaw", "a MEMORY.md that is no index")


def _plain(name: str, path: str, around: Surroundings) -> Verdict:
    beside = around.beside(path)
    if name in ("claude.md", "claude.local.md", "agents.md"):
        return Verdict(None, "instructions for an agent, not a memory")
    if name == "readme.md" and "memory.md" in beside:
        return Verdict(None, "a README beside the memories, not a memory")
    if name in openclaw.BESIDE and {"soul.md", "identity.md"} & beside:
        return Verdict(None, "a workspace's instructions, not a memory")
    return _is("vault", "a Markdown note with no other format's marks")


def _json(data: bytes) -> Verdict:
    text = note.parse(data).text.text
    if not text.strip():
        return Verdict(None, "empty")
    if mcp_graph.looks_like(text):
        return _is("mcp", "its objects are entities and relations")
    if mem0.looks_like(text):
        return _is("mem0", "it is a list of objects with a memory's text")
    if '"subsystem"' in text and '"payload"' in text:
        return _is("hermes", "a staged memory write of Hermes")
    return Verdict(None, "JSON of no memory format")


def _is(name: str, why: str) -> Verdict:
    return Verdict(FORMATS[name], why)
