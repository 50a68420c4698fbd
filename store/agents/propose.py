"""memory.forget where deleting is a person's to decide: it proposes, and a reviewer decides on that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.diff import diff
from render.tree import Group, Node, Text, TextStyle
from store.agents.calls import Call
from store.agents.provider import Removals
from store.agents.shapes import Shape
from store.agents.tool import Declaration, Outcome
from store.records import Origin, RecordStatus

DECLARATION = Declaration(
    name="memory.forget",
    kind="resource",
    risk="moderate",
    description="Propose to forget an approved memory that is wrong or no longer of use. Nothing is deleted:"
    " a person decides. To correct one, remember it again under its id.",
    takes=Shape(
        "object",
        properties={
            "id": Shape("string", "The memory's id."),
            "reason": Shape("string", "Why, for the person who decides."),
        },
        required=("id",),
    ),
    gives=Shape(
        "object",
        properties={
            "id": Shape("string", "The memory's id."),
            "status": Shape("string", "pending: it waits.", choices=tuple(RecordStatus)),
            "message": Shape("string", "The same for people."),
        },
        required=("id", "status", "message"),
    ),
    keys=("id",),
    idempotent=True,
)


class ProposeForgetting:
    """The tool."""

    declaration = DECLARATION

    def __init__(self, memory: Removals) -> None:
        self._memory = memory

    def invoke(self, arguments: Mapping[str, Any], origin: Origin, call: Call) -> Outcome:
        """Propose; NotFound for what this caller may not see, InvalidArgument for a draft."""
        record = self._memory.look_up(arguments["id"], origin)
        call.check()
        reason = arguments.get("reason", "")
        result = self._memory.propose_removal(record.id, reason, origin)
        message = f"That {record.id} be forgotten is proposed; a person decides."
        return Outcome({"id": result.id, "status": result.status.value, "message": message})

    def preview(self, arguments: Mapping[str, Any], origin: Origin) -> Node:
        """Show what would be gone if a person agrees."""
        record = self._memory.look_up(arguments["id"], origin)
        heading = Group((Text(f"Propose to forget {record.id}: {record.title}", TextStyle.BOLD),))
        return Group((heading, diff(record.content, "")))
