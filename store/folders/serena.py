"""Serena's project memories: Markdown below ``.serena/memories``, each named by its path there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from store.folders import note, vault
from store.folders.cline import heading
from store.folders.entry import Item, Reading, names
from store.records import MemoryType


def read(data: bytes, path: str) -> Reading:
    """Read one memory; a topic's folder is part of its name, as it is for Serena."""
    reading = vault.read(data, path)
    if not reading.entries:
        return reading
    (made,) = reading.entries
    parts = PurePosixPath(path).with_suffix("").parts
    if "memories" in parts:
        parts = parts[parts.index("memories") + 1 :]
    title = "/".join(parts)
    made = replace(
        made,
        title=title,
        type=made.type or MemoryType.PROJECT,
        aliases=names(note.stem(path), *made.aliases, heading(made.content), but=title),
    )
    return Reading((made,))


def update(data: bytes, path: str, changes: Mapping[str, Item]) -> bytes:
    """Return a memory with the text of its record; its name is its path and stays."""
    (item,) = changes.values()
    return note.rewrite(data, item.content, {})
