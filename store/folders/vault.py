"""Markdown notes, plain or as Obsidian and its like keep them: one note a file, named by its stem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from store.folders import note
from store.folders.entry import Item, Reading, names, skipped
from store.folders.frontmatter import Frontmatter, scalar
from store.folders.text import encode
from store.slugs import slugify


def read(data: bytes, path: str) -> Reading:
    """Read one note. Its tags stand in for a description, so that they are searched and shown."""
    parsed = note.parse(data)
    if parsed.blank:
        return skipped("empty")
    front = parsed.front
    title = front.text("title", "name") or note.stem(path)
    made = replace(
        note.entry(parsed, title),
        id=front.text("memory_id") or None,
        type=note.as_type(front.text("type")) or note.as_type(front.nested("metadata", "type")),
        scope=note.as_scope(front.text("scope")),
        summary=front.text("description", "summary") or _tags(front),
        aliases=note_names(front, path, title),
        created_at=note.as_time(front.text("created", "created_at", "date")),
        updated_at=note.as_time(front.text("modified", "updated", "updated_at")),
        source_session_id=front.text("source_session"),
    )
    return Reading((made,))


def note_names(front: Frontmatter, path: str, title: str) -> tuple[str, ...]:
    """Return every name that links use for a note: stem, path, permalink, title, name, aliases."""
    below = PurePosixPath(path).with_suffix("").as_posix()
    stated = front.items("aliases", "alias")
    return names(
        note.stem(path), below, front.text("permalink"), front.text("name"), *stated, but=title
    )


def update(data: bytes, path: str, changes: Mapping[str, Item]) -> bytes:
    """Return a note with the text of its record, and its title where that was changed."""
    (item,) = changes.values()
    (was,) = read(data, path).entries
    front = note.parse(data).front
    key = "name" if front.text("name") and not front.text("title") else "title"
    return note.rewrite(data, item.content, {key: item.title} if item.title != was.title else {})


def create(item: Item) -> bytes:
    """Return the note of a record that came from no file."""
    lines = ["---", f"title: {scalar(item.title)}", f"type: {item.type}", f"scope: {item.scope}"]
    if slugify(item.title) != item.id:
        lines.append(f"memory_id: {scalar(item.id)}")
    if item.summary:
        lines.append(f"description: {scalar(item.summary)}")
    if item.source_session_id:
        lines.append(f"source_session: {scalar(item.source_session_id)}")
    if item.created_at:
        lines.append(f"created: {item.created_at.isoformat()}")
    if item.updated_at:
        lines.append(f"updated: {item.updated_at.isoformat()}")
    return encode("\n".join([*lines, "---", "", ""]) + item.content)


def _tags(front: Frontmatter) -> str:
    return " ".join(f"#{tag.lstrip('#')}" for tag in front.items("tags", "tag") if tag.lstrip("#"))
