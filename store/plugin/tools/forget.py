"""memory.forget: delete a memory. A person can bring it back; a draft is withdrawn for good."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.diff import diff
from render.tree import Group, Node, Text, TextStyle
from store.plugin.backend import HostedProvider
from store.plugin.calls import Call
from store.plugin.tools.shapes import Shape
from store.plugin.tools.tool import Declaration, Outcome
from store.records import MutationEvent, Origin

DECLARATION = Declaration(
    name="memory.forget",
    kind="resource",
    risk="moderate",
    description="Delete a memory that is wrong or no longer of use. To correct one, give memory.remember"
    " its id instead. A person can restore what was approved once; a draft is gone for good.",
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

    def __init__(self, provider: HostedProvider) -> None:
        self._provider = provider

    def invoke(self, arguments: Mapping[str, Any], origin: Origin, call: Call) -> Outcome:
        """Delete; NotFound when there is nothing to delete."""
        id = arguments["id"]
        record = self._provider.get_record(id)
        call.check()
        deleted = self._provider.delete_record(id, origin)
        event = MutationEvent(
            record.id,
            "",
            {
                "type": record.type.value,
                "scope": record.scope.value,
                "status": record.status.value,
                "title": record.title,
            },
        )
        result = {"deleted": deleted, "id": record.id, "message": f"{record.id} was deleted."}
        return Outcome(result, "memory_delete", event)

    def preview(self, arguments: Mapping[str, Any], origin: Origin) -> Node:
        """Show what would be gone."""
        record = self._provider.get_record(arguments["id"])
        heading = Group((Text(f"Delete {record.id}: {record.title}", TextStyle.BOLD),))
        return Group((heading, diff(record.content, "")))
