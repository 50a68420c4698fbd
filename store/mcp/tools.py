"""The tools as clients see them: the names, hints and schemas of `store.agents`, and their results."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from mcp_types import CallToolResult, TextContent, Tool, ToolAnnotations

from store.agents.calls import Call, Cancelled
from store.agents.drafts import ListMyDrafts
from store.agents.get import Get
from store.agents.propose import ProposeForgetting
from store.agents.provider import OpenMemory
from store.agents.remember import Remember
from store.agents.search import Search
from store.agents.shapes import check
from store.agents.tool import Tool as AgentTool
from store.errors import InvalidArgument, MemoryError
from store.records import MemoryScope, Origin

_OFFERED = (Remember, ProposeForgetting, Search, Get, ListMyDrafts)
_TITLES = {
    "remember": "Remember",
    "forget": "Propose to forget",
    "search": "Search memory",
    "get": "Read a memory",
    "list_my_drafts": "List my drafts",
}

_log = logging.getLogger(__name__)


class Tools:
    """The tools over a memory. Each call is of one of `names`."""

    def __init__(self, memory: OpenMemory) -> None:
        made: tuple[AgentTool, ...] = tuple(kind(memory) for kind in _OFFERED)
        self._tools = {tool.declaration.name.removeprefix("memory."): tool for tool in made}

    @property
    def names(self) -> tuple[str, ...]:
        """What can be called."""
        return tuple(self._tools)

    def listed(self) -> list[Tool]:
        """Return the tools as a client is told of them."""
        return [_listed(name, tool) for name, tool in self._tools.items()]

    def alone(self, name: str) -> bool:
        """Whether calls of a tool must not overlap."""
        return not self._tools[name].declaration.safe

    def call(
        self, name: str, arguments: Mapping[str, Any], origin: Origin, call: Call
    ) -> CallToolResult:
        """Call a tool; every failure is a result that says what is wrong, so that the model can mend it."""
        tool = self._tools[name]
        try:
            check(tool.declaration.takes, arguments)
            _require_session(arguments, origin)
            outcome = tool.invoke(arguments, origin, call)
        except Cancelled:
            raise
        except MemoryError as error:
            return _failed(f"{error}. {error.hint}" if error.hint else str(error))
        except Exception as error:
            _log.error("%s failed unexpectedly", name, exc_info=error)
            return _failed("this call failed unexpectedly; the server's log says where")
        text = json.dumps(outcome.result, ensure_ascii=False, indent=1)
        return CallToolResult(
            content=[TextContent(text=text)], structured_content=outcome.result, is_error=False
        )


def _listed(name: str, tool: AgentTool) -> Tool:
    declared = tool.declaration
    reads = declared.kind == "data_source"
    return Tool(
        name=name,
        title=_TITLES[name],
        description=declared.description,
        input_schema=declared.takes.to_json(),
        output_schema=declared.gives.to_json(),
        annotations=ToolAnnotations(
            read_only_hint=reads,
            # All that a call writes is a proposal: what a person approved stays until a person decides.
            destructive_hint=False,
            idempotent_hint=declared.idempotent,
            open_world_hint=False,
        ),
    )


def _require_session(arguments: Mapping[str, Any], origin: Origin) -> None:
    if arguments.get("scope") == MemoryScope.SESSION and not origin.session_id:
        raise InvalidArgument(
            "this connection has no session that a memory could belong to",
            hint="Remember it for the project, or globally.",
        )


def _failed(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=message)], is_error=True)
