"""mem0 and OpenMemory: JSON lists of short memories, bare or under ``results`` or ``memories``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from store.folders import json_spans, pieces
from store.folders.entry import Entry, Item, Reading, Refused, numbered, skipped, unreadable
from store.folders.json_spans import Offsets, Span, like
from store.folders.mcp_graph import flat
from store.folders.note import as_scope, as_time, as_type
from store.folders.text import decode, encode, patch

_LISTS = ("results", "memories", "items")
_TEXTS = ("memory", "content", "text", "data")
_DEAD = ("deleted", "archived")


def read(data: bytes, path: str) -> Reading:
    """Read an export, one entry a memory; deleted and archived ones stay out, the rest is refused."""
    text = decode(data)
    if not text.text.strip():
        return skipped("empty")
    try:
        spans = list(_items(text.text))
    except ValueError:
        return unreadable("not valid JSON")
    offsets = Offsets(text.text, text.newline, len(text.bom))
    entries: list[Entry] = []
    refused: list[Refused] = []
    for span in spans:
        made = _entry(span.value)
        if made:
            entries.append(offsets.located(made, [span], text))
        elif not _is_dead(span.value):
            verbatim = text.text[span.start : span.end]
            line = text.text.count("\n", 0, span.start) + 1
            refused.append(Refused(line, verbatim, "no memory text in it"))
    why = "" if entries else "no memories in it"
    return Reading(numbered(entries), tuple(refused), why, proper=not refused)


def looks_like(text: str) -> bool:
    """Say whether a JSON text is such an export: its list holds an object with a memory's text."""
    try:
        first = next(_items(text), None)
    except ValueError:
        return False
    return first is not None and (_entry(first.value) is not None or _is_dead(first.value))


def update(data: bytes, path: str, changes: Mapping[str, Item]) -> bytes:
    """Return the export with the text of changed memories replaced; every other byte stays."""
    text = decode(data)
    edits: list[tuple[Span, str]] = []
    spans = [span for span in _items(text.text) if _entry(span.value)]
    entries = numbered(entry for span in spans if (entry := _entry(span.value)))
    for entry, span in zip(entries, spans, strict=True):
        item = changes.get(entry.part)
        if item is None or not isinstance(span.value, dict):
            continue
        key = next(key for key in _TEXTS if isinstance(span.value.get(key), str))
        value = span.value | {key: item.content}
        metadata = span.value.get("metadata")
        if isinstance(metadata, dict) and "title" in metadata:  # else its text is its title
            value["metadata"] = metadata | {"title": item.title}
        if "updated_at" in value and item.updated_at:
            value["updated_at"] = item.updated_at.isoformat()
        edits.append((span, like(text.text[span.start : span.end], value)))
    parts: list[str] = []
    at = 0
    for span, put in edits:
        parts += [text.text[at : span.start], put]
        at = span.end
    out = "".join([*parts, text.text[at:]])
    return text.bom + encode(out, text.newline) if text.exact else patch(data, out)


def create(items: Sequence[Item]) -> bytes:
    """Return an export in mem0's own form; what it has no field for is metadata."""
    return encode(json.dumps({"results": _objects(items)}, ensure_ascii=False, indent=2) + "\n")


def append(data: bytes, items: Sequence[Item]) -> bytes:
    """Return an export with more memories after those it has."""
    text = decode(data)
    written = [json.dumps(one, ensure_ascii=False) for one in _objects(items)]
    whole = json_spans.value_at(text.text, 0)
    if isinstance(whole.value, dict):
        key = next((key for key in _LISTS if isinstance(whole.value.get(key), list)), _LISTS[0])
        start, end, put = json_spans.extension(text.text, key, written)
    else:
        start, end, put = json_spans.after_last(text.text, whole.start, written)
    return text.bom + encode(text.text[:start] + put + text.text[end:], text.newline)


def _objects(items: Sequence[Item]) -> list[dict[str, object]]:
    results: list[dict[str, object]] = []
    for item in items:
        metadata = {"title": item.title, "type": str(item.type), "scope": str(item.scope)}
        if item.summary:
            metadata["description"] = item.summary
        if item.source_session_id:
            metadata["source_session"] = item.source_session_id
        created = item.created_at.isoformat() if item.created_at else None
        updated = item.updated_at.isoformat() if item.updated_at else None
        results.append(
            {"id": item.id, "memory": item.content, "metadata": metadata}
            | {"created_at": created, "updated_at": updated}
        )
    return results


def _items(text: str) -> Iterator[Span]:
    whole = json_spans.value_at(text, 0)
    if text[whole.end :].strip():
        raise ValueError("text after the JSON value")
    if isinstance(whole.value, list):
        yield from json_spans.elements(text, whole.start)
    elif isinstance(whole.value, dict):
        for key, member in json_spans.members(text, whole.start):
            if key in _LISTS and isinstance(member.value, list):
                yield from json_spans.elements(text, member.start)


def _entry(value: object) -> Entry | None:
    if not isinstance(value, dict) or _is_dead(value):
        return None
    content = next((value[key] for key in _TEXTS if isinstance(value.get(key), str)), "")
    if not content.strip():
        return None
    inner = value.get("metadata")
    metadata: Mapping[str, object] = inner if isinstance(inner, dict) else {}
    stated = flat(value.get("id") or "")
    title = flat(metadata.get("title") or metadata.get("name") or "") or pieces.headline(content)
    categories = value.get("categories")
    kinds = ", ".join(flat(kind) for kind in categories) if isinstance(categories, list) else ""
    return Entry(
        title=title or stated or "memory",
        content=content,
        part=stated or pieces.text_part(content),
        id=stated if metadata.get("title") and stated else None,
        type=as_type(flat(metadata.get("type") or "")),
        scope=as_scope(flat(metadata.get("scope") or "")),
        summary=flat(metadata.get("description") or kinds),
        created_at=as_time(flat(value.get("created_at") or "")),
        updated_at=as_time(flat(value.get("updated_at") or "")),
        source_session_id=flat(metadata.get("source_session") or value.get("run_id") or ""),
    )


def _is_dead(value: object) -> bool:
    return isinstance(value, dict) and (
        value.get("state") in _DEAD or bool(value.get("deleted_at"))
    )
