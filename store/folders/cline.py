"""Cline's memory bank: six Markdown files with fixed names, and whatever a project adds to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from store.folders import note, vault
from store.folders.entry import Item, Reading, names
from store.records import MemoryType

# What each file is for, so that a reviewer sees it without opening the project.
CORE = {
    "projectbrief": "What the project is and has to do",
    "productcontext": "Why the product exists and how it should work",
    "activecontext": "What is being worked on now, and what comes next",
    "systempatterns": "Architecture and the decisions behind it",
    "techcontext": "Technologies, set-up and constraints",
    "progress": "What works, what is left, what is known to be wrong",
}


def read(data: bytes, path: str) -> Reading:
    """Read one file of a memory bank; all of it is about the project."""
    reading = vault.read(data, path)
    if not reading.entries:
        return reading
    (made,) = reading.entries
    made = replace(
        made,
        type=made.type or MemoryType.PROJECT,
        summary=made.summary or CORE.get(note.stem(path).lower(), ""),
        aliases=names(*made.aliases, heading(made.content), but=made.title),
    )
    return Reading((made,))


def heading(body: str) -> str:
    """Return a body's first heading of the first level, empty when it does not begin with one."""
    first = next((line for line in body.split("\n") if line.strip()), "")
    return first[2:].strip() if first.startswith("# ") else ""


def update(data: bytes, path: str, changes: Mapping[str, Item]) -> bytes:
    """Return a file with the text of its record."""
    return vault.update(data, path, changes)
