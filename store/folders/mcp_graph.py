"""The objects of an MCP memory server's file, in any dialect: entities, relations, and what is neither.

JSON lines (``type`` first, last or absent; ``from``/``to`` or ``from_entity``/``to_entity``; sometimes two
objects on a line, or the last line cut short), or one object with ``entities`` and ``relations``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from store.folders import json_spans
from store.folders.entry import Refused
from store.folders.json_spans import Span


@dataclass(frozen=True, slots=True)
class Relation:
    """A named link between two entities."""

    source: str
    target: str
    kind: str

    def written(self) -> dict[str, object]:
        """Return the relation in the server's own dialect."""
        ends: dict[str, object] = {"type": "relation", "from": self.source, "to": self.target}
        return ends | {"relationType": self.kind}


@dataclass(slots=True)
class Graph:
    """A file's objects, in order; ``wrapped`` says that they are in one object with two arrays."""

    entities: list[tuple[Span, dict[str, object]]] = field(default_factory=list)
    relations: list[tuple[Span, Relation]] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    wrapped: bool = False

    def spans(self) -> list[Span]:
        """Return where all the objects are."""
        return [span for span, _ in self.entities] + [span for span, _ in self.relations]


def parse(text: str) -> Graph:
    """Find the objects of a file; what is cut or foreign is refused verbatim, the rest is read."""
    graph = Graph()
    try:
        whole = json_spans.value_at(text, 0)
    except ValueError:
        whole = None
    if whole and _is_whole(whole.value) and not text[whole.end :].strip():
        graph.wrapped = True
        for key, member in json_spans.members(text, whole.start):
            if key in ("entities", "relations") and isinstance(member.value, list):
                _sort(json_spans.elements(text, member.start), text, graph)
        return graph
    offset = 0
    for number, line in enumerate(text.split("\n"), 1):
        _line(text, offset, offset + len(line), number, graph)
        offset += len(line) + 1
    return graph


def looks_like(text: str) -> bool:
    """Say whether a text begins as a graph does."""
    try:
        first = json_spans.value_at(text, 0).value
    except ValueError:
        return False
    return _is_whole(first) or bool(
        isinstance(first, dict) and (_is_entity(first) or relation(first))
    )


def relation(value: Mapping[str, object]) -> Relation | None:
    """Return the relation that an object is, if it is one."""
    source = value.get("from") or value.get("from_entity")
    target = value.get("to") or value.get("to_entity")
    if not source or not target or value.get("type") not in (None, "relation"):
        return None
    kind = value.get("relationType") or value.get("relation_type") or "relates to"
    return Relation(flat(source), flat(target), flat(kind))


def flat(value: object) -> str:
    """Return a value as text: a string as it is, anything else as its JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _line(text: str, at: int, end: int, number: int, graph: Graph) -> None:
    while rest := text[at:end].strip():
        try:
            span = json_spans.value_at(text, at)
        except ValueError:
            span = None
        if span is None or span.end > end:
            graph.refused.append(
                Refused(number, rest, "not valid JSON: the line is cut or damaged")
            )
            return
        _sort([span], text, graph)
        at = span.end


def _sort(spans: Iterable[Span], text: str, graph: Graph) -> None:
    for span in spans:
        value = span.value
        if isinstance(value, dict) and _is_entity(value):
            graph.entities.append((span, value))
        elif isinstance(value, dict) and (found := relation(value)):
            graph.relations.append((span, found))
        else:
            line = text.count("\n", 0, span.start) + 1
            verbatim = text[span.start : span.end]
            graph.refused.append(Refused(line, verbatim, "neither an entity nor a relation"))


def _is_entity(value: Mapping[str, object]) -> bool:
    kind = value.get("type")
    marked = kind == "entity" or (
        kind is None and ("entityType" in value or "observations" in value)
    )
    return marked and isinstance(value.get("name"), str) and bool(value["name"])


def _is_whole(value: object) -> bool:
    return isinstance(value, dict) and any(
        isinstance(value.get(key), list) for key in ("entities", "relations")
    )
