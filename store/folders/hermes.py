"""Hermes: MEMORY.md and USER.md with entries between ``§`` lines, and its queue of pending writes.

The delimiter is a line of its own; a line of an entry that is nothing but ``§`` is written ``\\§``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from store.folders import note, pieces
from store.folders.entry import Entry, Item, Reading, file_hash, numbered, skipped, unreadable
from store.folders.text import decode, encode
from store.records import MemoryType

DELIMITER = "§"
_ESCAPED = "\\§"
_FILES = {"memory": None, "user": MemoryType.USER}


def read(data: bytes, path: str) -> Reading:
    """Read a memory file, or one write of the pending queue."""
    if PurePosixPath(path).suffix == ".json":
        return _pending(data)
    kind = _FILES.get(PurePosixPath(path).stem.lower())
    lines = pieces.lines(data)
    edges = [at for at, line in enumerate(lines.text) if line.strip() == DELIMITER]
    entries: list[Entry] = []
    for first, last in zip([0, *(at + 1 for at in edges)], [*edges, len(lines.text)], strict=True):
        while first < last and not lines.text[first].strip():
            first += 1
        while last > first and not lines.text[last - 1].strip():
            last -= 1
        if first < last:
            content = "\n".join(_unescape(line) for line in lines.text[first:last])
            title = pieces.headline(content) or PurePosixPath(path).stem
            made = lines.entry(first, last, title, content, pieces.text_part(content))
            entries.append(replace(made, type=kind))
    return Reading(numbered(entries)) if entries else skipped("empty")


def update(data: bytes, path: str, changes: Mapping[str, Item]) -> bytes:
    """Return a memory file with changed entries replaced."""
    entries = {entry.part: entry for entry in read(data, path).entries}
    written = {
        part: pieces.changed(entries[part], item, escape(item.content))
        for part, item in changes.items()
    }
    return pieces.replaced(data, entries.values(), written)


def escape(content: str) -> str:
    """Return a text that holds no delimiter and no blank ends, as an entry must be."""
    lines = content.strip("\n").split("\n")
    return "\n".join(
        line.replace(DELIMITER, _ESCAPED, 1) if _is_delimiter(line) else line for line in lines
    )


def _is_delimiter(line: str) -> bool:
    return line.strip().lstrip("\\") == DELIMITER


def _unescape(line: str) -> str:
    return (
        line.replace(_ESCAPED, DELIMITER, 1)
        if line.strip().endswith(_ESCAPED) and _is_delimiter(line)
        else line
    )


def _pending(data: bytes) -> Reading:
    """Read one staged write: it waits for an operator there, so here it becomes a draft."""
    text = decode(data)
    try:
        staged = json.loads(text.text)
    except (ValueError, RecursionError):
        return unreadable("not valid JSON")
    payload = staged.get("payload") if isinstance(staged, dict) else None
    if not isinstance(payload, dict):
        return skipped("no staged memory write")
    steps = payload.get("operations")
    writes = [
        step for step in (steps if isinstance(steps, list) else [payload]) if isinstance(step, dict)
    ]
    made = [_staged(step, staged, payload) for step in writes]
    entries = [entry for entry in made if entry]
    if not entries:
        return skipped("a staged write that adds no text (it removes one)")
    if len(entries) == 1:
        entries = [replace(entries[0], part="", hash=file_hash(data))]
    return Reading(numbered(replace(entry, notes=text.notes) for entry in entries))


def _staged(
    step: Mapping[str, object], staged: Mapping[str, object], payload: Mapping[str, object]
) -> Entry | None:
    content = step.get("content") or step.get("new_text")
    if not isinstance(content, str) or not content.strip():
        return None
    target = str(step.get("target") or payload.get("target") or "memory")
    moment = note.as_time(str(staged.get("created_at") or ""))
    old = step.get("old_text")
    summary = str(staged.get("summary") or "") if step is payload else ""
    return Entry(
        title=pieces.headline(content) or "staged write",
        content=content,
        part=pieces.text_part(content),
        type=_FILES.get(target.lower()),
        summary=f"would replace: {old}" if isinstance(old, str) and old else summary,
        created_at=moment,
        updated_at=moment,
        hash=file_hash(encode(content)),
    )
