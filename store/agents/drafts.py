"""memory.list_my_drafts: what a writer has waiting for a person's decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.tree import Group, Node, Text
from store.agents.calls import Call
from store.agents.get import RECORD, whole
from store.agents.provider import OpenMemory
from store.agents.shapes import Shape
from store.agents.tool import Declaration, Outcome, whole_number
from store.records import Origin

_MOST = 50

DECLARATION = Declaration(
    name="memory.list_my_drafts",
    kind="data_source",
    risk="read_only",
    description="List what you asked to be remembered and no person has decided yet, the newest first."
    " To correct one, remember it again under its id.",
    takes=Shape(
        "object",
        properties={"limit": Shape("number", f"Drafts at most; {_MOST} when left out.")},
    ),
    gives=Shape(
        "object",
        properties={
            "count": Shape("number", "How many are listed."),
            "drafts": Shape("array", items=RECORD),
        },
        required=("count", "drafts"),
    ),
    idempotent=True,
)


class ListMyDrafts:
    """The tool."""

    declaration = DECLARATION

    def __init__(self, memory: OpenMemory) -> None:
        self._memory = memory

    def invoke(self, arguments: Mapping[str, Any], origin: Origin, call: Call) -> Outcome:
        """List."""
        limit = min(max(whole_number(arguments.get("limit", _MOST)), 0), _MOST)
        found = [whole(each) for each in self._memory.drafts_of(origin, limit)]
        return Outcome({"count": len(found), "drafts": found})

    def preview(self, arguments: Mapping[str, Any], origin: Origin) -> Node:
        """Say what would be listed; nothing is changed."""
        return Group((Text("List drafts that wait for a decision"),))
