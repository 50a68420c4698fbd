"""memory.get: one memory, whole, by its id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.tree import Group, Node, Text
from store.agents.calls import Call
from store.agents.provider import OpenMemory
from store.agents.shapes import Shape
from store.agents.tool import Declaration, Outcome
from store.records import MemoryScope, MemoryType, Origin, Record, RecordStatus

RECORD = Shape(
    "object",
    properties={
        "id": Shape("string"),
        "type": Shape("string", choices=tuple(MemoryType)),
        "scope": Shape("string", choices=tuple(MemoryScope)),
        "status": Shape(
            "string", "pending until a person approves it.", choices=tuple(RecordStatus)
        ),
        "title": Shape("string"),
        "content": Shape("string", "Markdown."),
        "links": Shape("array", "Ids of the memories that it links to.", items=Shape("string")),
        "tokens": Shape("number"),
        "recorded_by": Shape("string", "Who wrote it."),
        "updated_at": Shape("string", "When it was changed last, in UTC."),
    },
    required=("id", "type", "scope", "status", "title", "content", "links", "tokens", "updated_at"),
)

DECLARATION = Declaration(
    name="memory.get",
    kind="data_source",
    risk="read_only",
    description="Read one memory by its id: one that a person approved and that applies here, or a draft"
    " of your own.",
    takes=Shape("object", properties={"id": Shape("string", "The memory's id.")}, required=("id",)),
    gives=RECORD,
    idempotent=True,
)


class Get:
    """The tool."""

    declaration = DECLARATION

    def __init__(self, memory: OpenMemory) -> None:
        self._memory = memory

    def invoke(self, arguments: Mapping[str, Any], origin: Origin, call: Call) -> Outcome:
        """Read; NotFound for what is not there or not for this reader, which are not told apart."""
        return Outcome(whole(self._memory.look_up(arguments["id"], origin)))

    def preview(self, arguments: Mapping[str, Any], origin: Origin) -> Node:
        """Say what would be read; nothing is changed."""
        return Group((Text(f"Read memory {arguments['id']!r}"),))


def whole(record: Record) -> dict[str, Any]:
    """Return all of a record that an agent is shown."""
    return {
        "id": record.id,
        "type": record.type.value,
        "scope": record.scope.value,
        "status": record.status.value,
        "title": record.title,
        "content": record.content,
        "links": list(record.links),
        "tokens": record.tokens,
        "recorded_by": record.provenance.recorded_by,
        "updated_at": record.updated_at.isoformat(),
    }
