"""The MCP memory server's knowledge graph: entities with observations, and named relations between them.

An entity becomes a record: its observations are list items, its relations items with a link.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from store.folders import json_spans, mcp_graph
from store.folders.entry import (
    Entry,
    Flag,
    Item,
    Note,
    Reading,
    numbered,
    skipped,
)
from store.folders.json_spans import Offsets, Span, like
from store.folders.mcp_graph import Graph, Relation, flat
from store.folders.note import as_scope, as_time, as_type
from store.folders.text import Text, decode, encode, patch

_RELATION = re.compile(r"(?P<kind>[^\[\]\n]+?) \[\[(?P<target>[^\[\]\n]+)\]\]")


def read(data: bytes, path: str) -> Reading:
    """Read a graph: one entry an entity, cut and foreign lines refused verbatim."""
    text = decode(data)
    if not text.text.strip():
        return skipped("empty")
    graph = mcp_graph.parse(text.text)
    entries = numbered(_entries(graph, text))
    why = "" if entries else "no entities in it"
    return Reading(entries, tuple(graph.refused), why, proper=not graph.refused)


def update(data: bytes, path: str, changes: Mapping[str, Item]) -> bytes:
    """Return the graph with changed entities and their relations; every other byte stays."""
    text = decode(data)
    graph = mcp_graph.parse(text.text)
    edits: list[tuple[int, int, str]] = []
    added: list[Relation] = []
    for entry, (span, value) in zip(numbered(_entries(graph, text)), graph.entities, strict=False):
        item = changes.get(entry.part)
        if item is None or (item.content, item.title) == (entry.content, entry.title):
            continue
        told, relations = _taken_apart(item)
        fresh = value | {"name": item.title, "observations": told}
        edits.append((span.start, span.end, like(text.text[span.start : span.end], fresh)))
        for place, old in graph.relations:
            if old in relations:
                relations.remove(old)
            elif old.source == entry.title:
                edits.append((place.start, place.end, ""))
        added += relations
    if added:
        edits.append(_addition(text.text, graph, added))
    out = _edited(text.text, edits, graph.wrapped)
    return text.bom + encode(out, text.newline) if text.exact else patch(data, out)


def create(items: Sequence[Item]) -> bytes:
    """Return a graph in the server's own dialect, one object a line."""
    entities, related = _objects(items)
    return encode("".join(_dumped(value) + "\n" for value in [*entities, *related]))


def append(data: bytes, items: Sequence[Item]) -> bytes:
    """Return a graph with more entities, and their relations, after those it has."""
    text = decode(data)
    if not mcp_graph.parse(text.text).wrapped:
        joint = "" if not text.text or text.text.endswith("\n") else "\n"
        return data + encode(joint + create(items).decode(), text.newline)
    edits = [
        json_spans.extension(text.text, key, [_dumped(one) for one in values])
        for key, values in zip(("entities", "relations"), _objects(items), strict=True)
        if values
    ]
    return text.bom + encode(_edited(text.text, edits, wrapped=True), text.newline)


def _objects(items: Sequence[Item]) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    entities: list[dict[str, object]] = []
    related: list[dict[str, object]] = []
    for item in items:
        told, relations = _taken_apart(item)
        entity: dict[str, object] = {"type": "entity", "name": item.title}
        entity |= {"entityType": str(item.type), "observations": told}
        entities.append(entity | _facts(item))
        related += [one.written() for one in relations]
    return entities, related


def _dumped(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _facts(item: Item) -> dict[str, object]:
    """Return what the server has no place for and leaves alone."""
    facts: dict[str, object] = {"memoryId": item.id, "scope": str(item.scope)}
    if item.summary:
        facts["description"] = item.summary
    if item.updated_at:
        facts["modified"] = item.updated_at.isoformat()
    return facts


def _entries(graph: Graph, text: Text) -> Iterator[Entry]:
    related: dict[str, list[tuple[Span, Relation]]] = {}
    for place, one in graph.relations:
        related.setdefault(one.source, []).append((place, one))
    known = {str(value["name"]) for _, value in graph.entities}
    offsets = Offsets(text.text, text.newline, len(text.bom))
    for span, value in graph.entities:
        mine = related.pop(str(value["name"]), [])
        made = _entity(value, [one for _, one in mine], known)
        yield offsets.located(made, [span, *(place for place, _ in mine)], text)
    for name, mine in related.items():
        stub = _entity({"name": name}, [one for _, one in mine], known)
        stub = stub.bent(Flag.LENIENT, "an entity that only relations name")
        yield offsets.located(stub, [place for place, _ in mine], text)


def _entity(value: Mapping[str, object], relations: list[Relation], known: set[str]) -> Entry:
    name = str(value["name"])
    observations = value.get("observations")
    told = [flat(one) for one in observations] if isinstance(observations, list) else []
    notes = [
        Note(Flag.LENIENT, f"a relation to a missing entity: {one.kind} {one.target}")
        for one in relations
        if one.target not in known
    ]
    if not isinstance(observations, list) and "observations" in value:
        notes.append(Note(Flag.LENIENT, "its observations are no list"))
    kind = flat(value.get("entityType") or "")
    items = ["- " + one.replace("\n", "\n  ") for one in told]
    items += [f"- {one.kind} {_link(one.target)}" for one in relations]
    return Entry(
        title=name,
        content="\n".join(items) + "\n" if items else name,
        part=name[:200],
        id=flat(value["memoryId"]) if value.get("memoryId") else None,
        type=as_type(kind),
        scope=as_scope(flat(value.get("scope") or "")),
        summary=flat(value.get("description") or kind),
        updated_at=as_time(flat(value.get("modified") or "")),
        notes=tuple(notes),
    )


def _taken_apart(item: Item) -> tuple[list[object], list[Relation]]:
    """Return the observations and relations of a record's text; a text that is no list is one observation."""
    if item.content.strip() == item.title:
        return [], []
    lines = item.content.rstrip("\n").split("\n")
    if lines[0][:2] != "- " or not all(line.startswith(("- ", "  ")) or not line for line in lines):
        return [item.content], []
    bullets: list[str] = []
    for line in lines:
        if line.startswith("- "):
            bullets.append(line[2:])
        else:
            bullets[-1] += "\n" + line[2:]
    told: list[object] = []
    relations: list[Relation] = []
    for bullet in bullets:
        if match := _RELATION.fullmatch(bullet):
            relations.append(Relation(item.title, match["target"], match["kind"]))
        else:
            told.append(bullet)
    return told, relations


def _addition(text: str, graph: Graph, added: list[Relation]) -> tuple[int, int, str]:
    """Return the edit that adds relations after all there are."""
    written = [_dumped(one.written()) for one in added]
    if graph.wrapped:
        return json_spans.extension(text, "relations", written)
    at = len(text.rstrip())
    return at, at, "".join("\n" + one for one in written)


def _edited(text: str, edits: list[tuple[int, int, str]], wrapped: bool) -> str:
    """Return a text with these ranges replaced; an object that goes takes its separator along."""
    out: list[
        str
    ] = []  # what follows the part of the text that is still to be looked at, last first
    for start, end, put in sorted(edits, reverse=True):
        if put:
            out += [text[end:], put]
        else:
            # Whether a comma follows depends on what went after it: so the rest is put together first.
            rest = "".join([text[end:], *reversed(out)])
            start, tail = json_spans.without(text[:start], rest, wrapped)
            out = [tail]
        text = text[:start]
    return "".join([text, *reversed(out)])


def _link(target: str) -> str:
    return target if re.search(r"[\[\]\n]", target) else f"[[{target}]]"
