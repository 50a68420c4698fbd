"""Claude Code auto memory: one Markdown file a memory, and a MEMORY.md that lists them.

Frontmatter has ``name``, ``description`` and ``type``, the last either at the top or under ``metadata``
beside ``node_type``, ``originSessionId`` and ``modified``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from store.folders import index, note
from store.folders.entry import Item, Reading, names, skipped
from store.folders.frontmatter import Frontmatter, scalar
from store.folders.text import encode
from store.records import MemoryType
from store.slugs import slugify

_TYPED = re.compile(rf"^(?:{'|'.join(MemoryType)})[_-](?=.)")
_BESIDE = frozenset({"readme.md", "claude.md", "claude.local.md", "agents.md"})


def is_memory(front: Frontmatter) -> bool:
    """Say whether frontmatter is that of a Claude memory: its own marks, or a name with a type."""
    typed = note.as_type(front.text("type")) or note.as_type(front.nested("metadata", "type"))
    marked = (
        front.nested("metadata", "node_type") == "memory" or front.text("node_type") == "memory"
    )
    return marked or bool(typed and front.text("name"))


def read(data: bytes, path: str) -> Reading:
    """Read one file of a memory folder; the index and what sits beside the memories are skipped."""
    name = PurePosixPath(path).name
    if name == index.NAME:
        return skipped("an index, not a memory")
    parsed = note.parse(data)
    if parsed.blank:
        return skipped("empty")
    front = parsed.front
    if name.lower() in _BESIDE and not is_memory(front):
        return skipped("instructions beside the memories, not a memory")
    title = front.text("name", "title") or note.stem(path)
    made = replace(
        note.entry(parsed, title),
        id=front.nested("metadata", "memory_id") or None,
        type=note.as_type(front.text("type")) or note.as_type(front.nested("metadata", "type")),
        scope=note.as_scope(front.nested("metadata", "scope") or front.text("scope")),
        summary=front.text("description"),
        aliases=names(note.stem(path), _short(path), front.text("title"), but=title),
        created_at=note.as_time(front.nested("metadata", "created") or front.text("created")),
        updated_at=note.as_time(front.nested("metadata", "modified") or front.text("modified")),
        source_session_id=front.nested("metadata", "originSessionId")
        or front.text("originsessionid"),
    )
    return Reading((made,))


def _short(path: str) -> str:
    """Return a file's stem without the type that many begin with: links leave it out."""
    return _TYPED.sub("", note.stem(path))


def update(data: bytes, path: str, changes: Mapping[str, Item]) -> bytes:
    """Return a memory file with the text, and where they differ name and description, of its record."""
    (item,) = changes.values()
    (was,) = read(data, path).entries
    fields = {}
    if item.title != was.title:
        fields["name"] = item.title
    if item.summary and item.summary != was.summary:
        fields["description"] = item.summary
    return note.rewrite(data, item.content, fields)


def create(item: Item) -> bytes:
    """Return the file of a record that came from no file."""
    lines = ["---", f"name: {scalar(item.title)}"]
    if item.summary:
        lines.append(f"description: {scalar(item.summary)}")
    lines += ["metadata:", "  node_type: memory", f"  type: {item.type}", f"  scope: {item.scope}"]
    if slugify(item.title) != item.id:
        lines.append(f"  memory_id: {scalar(item.id)}")
    if item.source_session_id:
        lines.append(f"  originSessionId: {scalar(item.source_session_id)}")
    if item.created_at:
        lines.append(f"  created: {item.created_at.isoformat()}")
    if item.updated_at:
        lines.append(f"  modified: {item.updated_at.isoformat()}")
    return encode("\n".join([*lines, "---", "", ""]) + item.content)
