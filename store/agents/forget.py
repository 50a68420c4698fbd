"""memory.forget: delete a memory. A person can bring it back; a draft is withdrawn for good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.diff import diff
from render.tree import Group, Node, Text, TextStyle
from store.agents.calls import Call
from store.agents.events import deleted
from store.agents.provider import Memory
from store.agents.shapes import Shape
from store.agents.tool import Declaration, Outcome
from store.errors import NotFound
from store.records import Origin

DECLARATION = Declaration(
    name="memory.forget",
    kind="resource",
    risk="moderate",
    description="Delete a memory that is wrong or no longer of use. To correct one, remember it again"
    " under its id. A person can restore what was approved once; a draft is gone for good.",
    takes=Shape("object", properties={"id": Shape("string", "The memory's id.")}, required=("id",)),
    gives=Shape(
        "object",
        properties={
            "deleted": Shape("boolean"),
            "id": Shape("string", "The memory's id."),
            "message": Shape("string", "The same for people."),
        },
        required=("deleted", "id", "message"),
    ),
    keys=("id",),
)


class Forget:
    """The tool."""

    declaration = DECLARATION

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def invoke(self, arguments: Mapping[str, Any], origin: Origin, call: Call) -> Outcome:
        """Delete; NotFound when there is nothing to delete."""
        id = arguments["id"]
        record = self._memory.find(id)
        if record is None:
            raise NotFound.record(id)
        call.check()
        gone = self._memory.delete_record(id, origin)
        result = {"deleted": gone, "id": record.id, "message": f"{record.id} was deleted."}
        return Outcome(result, "memory_delete", deleted(record))

    def preview(self, arguments: Mapping[str, Any], origin: Origin) -> Node:
        """Show what would be gone."""
        record = self._memory.get_record(arguments["id"])
        heading = Group((Text(f"Delete {record.id}: {record.title}", TextStyle.BOLD),))
        return Group((heading, diff(record.content, "")))
