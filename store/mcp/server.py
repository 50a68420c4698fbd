"""The server: what the protocol's requests lead to. No request leads to an approval or a rejection."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    NotificationParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from store.agents.provider import OpenMemory
from store.errors import InvalidArgument, MemoryError, NotFound
from store.mcp import prompts, resources
from store.mcp.callers import Callers, Context
from store.mcp.tools import Tools
from store.mcp.work import Work
from store.records import Producer

_INSTRUCTIONS = """\
Long-term memory shared between agents and reviewed by a person. Search it when a task begins and when \
something should be known already. Remember what later sessions need: few, well-typed memories. What you \
remember is a draft until a person approves it; search finds only what was approved."""

_log = logging.getLogger(__name__)

T = TypeVar("T")


class MemoryServer:
    """The handlers, over one memory and what tells callers apart; to be made where the event loop runs."""

    def __init__(self, memory: OpenMemory, callers: Callers, producer: Producer) -> None:
        self._memory = memory
        self._callers = callers
        self._tools = Tools(memory)
        self._work = Work()
        self.protocol: Server[Any] = Server(
            producer.name,
            version=producer.version,
            title="Memory Inbox",
            instructions=_INSTRUCTIONS,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
        )
        self.protocol.add_notification_handler(
            "notifications/roots/list_changed", NotificationParams, self.roots_changed
        )

    async def list_tools(
        self, ctx: Context, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        """`tools/list`."""
        return ListToolsResult(tools=self._tools.listed())

    async def call_tool(
        self, ctx: Context, params: CallToolRequestParams
    ) -> CallToolResult | InputRequiredResult:
        """`tools/call`."""
        name = params.name
        if name not in self._tools.names:
            known = ", ".join(self._tools.names)
            raise MCPError(INVALID_PARAMS, f"there is no tool {name[:80]!r}; there are {known}")
        origin = await self._callers.origin(ctx, params)
        if isinstance(origin, InputRequiredResult):
            return origin
        called = partial(self._tools.call, name, params.arguments or {}, origin)
        return await self._work.run(called, alone=self._tools.alone(name))

    async def list_resources(
        self, ctx: Context, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        """`resources/list`."""
        origin = await self._callers.origin_as_known(ctx)
        found = await self._answer(lambda: resources.listed(self._memory, origin))
        return ListResourcesResult(resources=found)

    async def list_templates(
        self, ctx: Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """`resources/templates/list`."""
        return ListResourceTemplatesResult(resource_templates=[resources.TEMPLATE])

    async def read_resource(
        self, ctx: Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult | InputRequiredResult:
        """`resources/read`."""
        origin = await self._callers.origin(ctx, params)
        if isinstance(origin, InputRequiredResult):
            return origin

        found = await self._answer(lambda: resources.read(self._memory, params.uri, origin))
        return ReadResourceResult(contents=[found])

    async def list_prompts(
        self, ctx: Context, params: PaginatedRequestParams | None
    ) -> ListPromptsResult:
        """`prompts/list`."""
        return ListPromptsResult(prompts=[prompts.REMEMBER])

    async def get_prompt(self, ctx: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """`prompts/get`."""
        if params.name != prompts.REMEMBER.name:
            raise MCPError(INVALID_PARAMS, f"there is no prompt {params.name[:80]!r}")
        return prompts.remember(params.arguments or {})

    async def roots_changed(self, ctx: Context, params: NotificationParams | None) -> None:
        """`notifications/roots/list_changed`."""
        self._callers.forget_roots(ctx)

    async def _answer(self, do: Callable[[], T]) -> T:
        """Do what has no result to tell of a failure in."""
        try:
            return await self._work.run(lambda call: do())
        except MemoryError as error:
            message = f"{error}. {error.hint}" if error.hint else str(error)
            wrong = isinstance(error, NotFound | InvalidArgument)
            raise MCPError(INVALID_PARAMS if wrong else INTERNAL_ERROR, message) from None
        except Exception as error:
            _log.error("a resource could not be read", exc_info=error)
            raise MCPError(INTERNAL_ERROR, "this failed unexpectedly; the log says where") from None
