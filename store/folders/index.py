"""Claude Code's MEMORY.md: one bullet a memory, of which the agent loads the first 200 lines or 25 KB."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from store.folders.text import decode, encode, patch

NAME = "MEMORY.md"
MAX_LINES = 200
MAX_BYTES = 25_000
_HOOK = 120  # characters of a description; an index that explains everything loads nothing
_BULLET = re.compile(r"[ \t]*[-*+][ \t]+\[(?P<title>(?:[^\[\]\n\\]|\\.)*)\]\((?P<to>[^()\n]+)\)")
_NEW = "# Memory\n\n"


@dataclass(frozen=True, slots=True)
class Listed:
    """A bullet of an index: where it stands, the file it names below the folder, and its title."""

    line: int  # from 1
    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Memory:
    """A memory to be listed."""

    path: str
    title: str
    summary: str = ""


def text_of(data: bytes) -> str:
    """Return an index as text."""
    return decode(data).text


def home_of(root: Path, path: str) -> str | None:
    """Return the folder of the nearest MEMORY.md above a file, with its slash; empty for the root."""
    folder = path.rpartition("/")[0]
    while True:
        if (root / folder / NAME).is_file():
            return f"{folder}/" if folder else ""
        if not folder:
            return None
        folder = folder.rpartition("/")[0]


def listed(text: str) -> tuple[Listed, ...]:
    """Return the bullets of an index that link to Markdown files, in order."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        match = _BULLET.match(line[:4000])
        if match and _target(match["to"]).lower().endswith(".md"):
            title = re.sub(r"\\(.)", r"\1", match["title"])
            found.append(Listed(number, _target(match["to"]), title))
    return tuple(found)


def update(data: bytes | None, memories: Sequence[Memory], removed: Iterable[str] = ()) -> bytes:
    """Return an index that lists these memories as far as it may grow; all else stays as it was.

    Args:
        data: the index as it is, None to make one.
        memories: that should be in it; the first come first.
        removed: files whose bullets go.
    """
    text = decode(data or b"")
    lines = (text.text if data is not None else _NEW).split("\n")
    gone = set(removed)
    drop = {bullet.line for bullet in listed("\n".join(lines)) if bullet.path in gone}
    lines = [line for number, line in enumerate(lines, 1) if number not in drop]
    there = {bullet.path for bullet in listed("\n".join(lines))}
    wanted = [memory for memory in memories if memory.path not in there]
    at = _end_of_list(lines)
    room_lines = MAX_LINES - len(lines) + (not lines[-1])
    room = MAX_BYTES - len(encode("\n".join(lines), text.newline))
    added: list[str] = []
    for memory in wanted:
        bullet = _bullet(memory)
        room -= len(encode(bullet + "\n", text.newline))
        if len(added) >= room_lines or room < 0:
            break
        added.append(bullet)
    if data is not None and not (added or drop):
        return data
    out = "\n".join([*lines[:at], *added, *lines[at:]])
    return text.bom + encode(out, text.newline) if text.exact else patch(data or b"", out)


def unloaded(data: bytes, paths: Iterable[str]) -> tuple[str, ...]:
    """Return those files that the agent does not learn of: not listed, or too far down to be loaded."""
    text = decode(data).text
    head = "\n".join(text.split("\n")[:MAX_LINES])
    head = encode(head)[:MAX_BYTES].decode("utf-8", "ignore")
    known = {bullet.path for bullet in listed(head)}
    return tuple(path for path in paths if path not in known)


def _end_of_list(lines: list[str]) -> int:
    """Return where further bullets go: after the last one, else at the end."""
    bullets = [number for number, line in enumerate(lines, 1) if _BULLET.match(line[:4000])]
    if bullets:
        return bullets[-1]
    return len(lines) - 1 if not lines[-1] else len(lines)


def _bullet(memory: Memory) -> str:
    title = re.sub(r"([\[\]\\])", r"\\\1", " ".join(memory.title.split()))
    hook = " ".join(memory.summary.split())
    if len(hook) > _HOOK:
        hook = hook[: _HOOK - 1].rstrip() + "…"
    return f"- [{title}]({quote(memory.path)})" + (f" — {hook}" if hook else "")


def _target(to: str) -> str:
    bare = to.strip().split(" ")[0] if ' "' in to else to.strip()
    return unquote(bare.strip("<>").removeprefix("./").split("#")[0])
