"""memory.search: Recall with words of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from render.tree import Group, Node, Text
from store.agents.calls import Call
from store.agents.provider import Memory
from store.agents.shapes import Shape
from store.agents.tool import Declaration, Outcome, whole_number
from store.records import MemoryScope, MemoryType, Origin, RecallRequest, Record

_MOST = 20
_TYPES = Shape("array", "Only these types.", items=Shape("string", choices=tuple(MemoryType)))
_SCOPES = Shape("array", "Only these scopes.", items=Shape("string", choices=tuple(MemoryScope)))

DECLARATION = Declaration(
    name="memory.search",
    kind="data_source",
    risk="read_only",
    description="Look something up in memory. Any words will do, they are no query language. The best"
    " matches come first, whole, within a budget of tokens; only what a person approved is found.",
    takes=Shape(
        "object",
        properties={
            "query": Shape("string", "What to look for."),
            "types": _TYPES,
            "scopes": _SCOPES,
            "limit": Shape("number", f"Memories at most; {_MOST} when left out."),
            "token_budget": Shape("number", "Tokens at most."),
        },
        required=("query",),
    ),
    gives=Shape(
        "object",
        properties={
            "count": Shape("number", "How many were found."),
            "memories": Shape(
                "array",
                items=Shape(
                    "object",
                    properties={
                        "id": Shape("string"),
                        "type": Shape("string", choices=tuple(MemoryType)),
                        "scope": Shape("string", choices=tuple(MemoryScope)),
                        "title": Shape("string"),
                        "content": Shape("string"),
                        "tokens": Shape("number"),
                        "relevance": Shape("number", "From 0 to 1."),
                    },
                    required=("id", "type", "scope", "title", "content", "tokens"),
                ),
            ),
        },
        required=("count", "memories"),
    ),
    idempotent=True,
)


class Search:
    """The tool."""

    declaration = DECLARATION

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def invoke(self, arguments: Mapping[str, Any], origin: Origin, call: Call) -> Outcome:
        """Search; BudgetExceeded when something was found and none of it fits."""
        budget = self._memory.get_capabilities().default_token_budget
        request = RecallRequest(
            token_budget=whole_number(arguments.get("token_budget", budget)),
            session_id=origin.session_id,
            turn_id=origin.turn_id or "",
            working_directory=origin.project_root,
            types=tuple(map(MemoryType, arguments.get("types", ()))),
            scopes=tuple(map(MemoryScope, arguments.get("scopes", ()))),
            query=arguments["query"],
            most=max(whole_number(arguments.get("limit", _MOST)), 0),
        )
        found = self._memory.recall(request)
        return Outcome({"count": len(found), "memories": [_memory(record) for record in found]})

    def preview(self, arguments: Mapping[str, Any], origin: Origin) -> Node:
        """Say what would be looked for; nothing is changed."""
        return Group((Text(f"Search memory for {arguments['query']!r}"),))


def _memory(record: Record) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": record.id,
        "type": record.type.value,
        "scope": record.scope.value,
        "title": record.title,
        "content": record.content,
        "tokens": record.tokens,
    }
    if record.relevance_score is not None:
        found["relevance"] = record.relevance_score
    return found
