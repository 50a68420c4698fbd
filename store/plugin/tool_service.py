"""`tool.v1.ToolService`: the memory tools, called, previewed and drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from render.tree import Node, Text
from store.agents.calls import Cancelled
from store.agents.forget import Forget
from store.agents.remember import Remember
from store.agents.search import Search
from store.agents.shapes import check
from store.agents.tool import Tool
from store.errors import (
    Conflict,
    ErrorCategory,
    InvalidArgument,
    MemoryError,
    NotFound,
    RatificationUnsupported,
)
from store.plugin.backend import Backend
from store.plugin.calls import Call, Method, unexpected
from store.plugin.drafts import Emit
from store.plugin.memory_service import notice, read_event
from store.plugin.results import draw_result
from store.records import MutationEvent, Origin
from store.sessions import project_of
from store.wire import offers
from store.wire.errors import said_by
from store.wire.gen.pluggableharness.tool.v1 import call_pb2
from store.wire.gen.pluggableharness.tool.v1 import service_pb2 as pb
from store.wire.structs import Json, from_struct, to_struct
from store.wire.tools import to_tool
from store.wire.trees import to_tree

_INVALID = {ErrorCategory.INVALID_TYPE, ErrorCategory.INVALID_SCOPE}


class ToolService:
    """The tools. ``category`` is what the process is launched as, and what Describe answers with."""

    def __init__(self, backend: Backend, emit: Emit, category: str) -> None:
        self._backend = backend
        self._emit = emit
        self._category = category
        provider = backend.provider
        tools: tuple[Tool, ...] = (Remember(provider), Forget(provider), Search(provider))
        self._tools = {tool.declaration.name: tool for tool in tools}

    @property
    def methods(self) -> Mapping[str, Method]:
        """All methods, by name."""
        return {
            "Describe": (pb.DescribeRequest, self.describe),
            "GetSchema": (pb.GetSchemaRequest, self.get_schema),
            "Configure": (pb.ConfigureRequest, self.configure),
            "Invoke": (pb.InvokeRequest, self.invoke),
            "Preview": (pb.PreviewRequest, self.preview),
            "Render": (pb.RenderRequest, self.render),
        }

    def describe(self, request: pb.DescribeRequest, call: Call) -> pb.DescribeResponse:
        """Say who serves."""
        producer = replace(self._backend.provider.describe(), category=self._category)
        return pb.DescribeResponse(producer=offers.to_producer(producer))

    def get_schema(self, request: pb.GetSchemaRequest, call: Call) -> pb.GetSchemaResponse:
        """Declare the tools. Slash commands and hooks come with the memory provider."""
        offer = self._backend.provider.get_capabilities()
        return pb.GetSchemaResponse(
            tools=[to_tool(tool.declaration) for tool in self._tools.values()],
            config_schema=offers.to_schema(offer.config_schema),
        )

    def configure(self, request: pb.ConfigureRequest, call: Call) -> pb.ConfigureResponse:
        """Take the configuration; the attributes are those of the memory provider."""
        self._backend.provider.configure(from_struct(request.config))
        self._backend.open_soon()
        return pb.ConfigureResponse()

    def invoke(self, request: pb.InvokeRequest, call: Call) -> Iterator[pb.InvokeResponse]:
        """Call a tool: one event, the result or an error."""
        asked = request.call
        try:
            tool, arguments, origin = self._asked(asked)
            outcome = tool.invoke(arguments, origin, call)
        except Cancelled:
            raise
        except Exception as error:
            known = error if isinstance(error, MemoryError) else unexpected(asked.tool_name, error)
            unknown = known is not error
            yield _event(call_pb2.ToolEvent(error=_tool_error(known, unknown)))
            return
        if outcome.event is not None:
            self._emit(origin.session_id, outcome.kind, outcome.event)
        result = call_pb2.ToolResult(payload=to_struct(outcome.result))
        yield _event(call_pb2.ToolEvent(result=result))

    def preview(self, request: pb.PreviewRequest, call: Call) -> pb.PreviewResponse:
        """Show what a call would do."""
        tool, arguments, origin = self._asked(request.call)
        return pb.PreviewResponse(preview=to_tree(tool.preview(arguments, origin)))

    def render(self, request: pb.RenderRequest, call: Call) -> pb.RenderResponse:
        """Draw what the host kept of a call: a memory event, or a tool's result."""
        return pb.RenderResponse(tree=to_tree(self._draw(request)))

    def _draw(self, request: pb.RenderRequest) -> Node:
        event = read_event(request.payload, request.schema_version)
        # The bytes of a result can be read as an event too, but its id is then no name.
        if isinstance(event, MutationEvent) and event.record_id.isprintable():
            return self._backend.provider.render(event)
        drawn = draw_result(request.payload, request.schema_version)
        return drawn or (
            event if isinstance(event, Text) else notice("This result cannot be read.")
        )

    def _asked(self, asked: call_pb2.ToolCall) -> tuple[Tool, dict[str, Json], Origin]:
        tool = self._tools.get(asked.tool_name)
        if tool is None:
            raise NotFound(
                f"there is no tool {asked.tool_name[:80]!r}",
                hint=f"The tools are {', '.join(self._tools)}.",
            )
        arguments = from_struct(asked.arguments)
        check(tool.declaration.takes, arguments)
        return tool, arguments, self._origin(asked)

    def _origin(self, asked: call_pb2.ToolCall) -> Origin:
        context = asked.call_context
        return Origin(
            recorded_by=asked.tool_name,
            session_id=context.session_id,
            turn_id=context.turn_id or None,
            project_root=project_of(context.working_directory),
        )


def _event(event: call_pb2.ToolEvent) -> pb.InvokeResponse:
    return pb.InvokeResponse(event=event)


def _tool_error(error: MemoryError, unexpected: bool) -> call_pb2.ToolError:
    return call_pb2.ToolError(
        category=call_pb2.TOOL_ERROR_CATEGORY_UNKNOWN if unexpected else _category(error),
        message=said_by(error),
        retryable=error.retryable,
        details=to_struct({"category": error.category.value}),
    )


def _category(error: MemoryError) -> call_pb2.ToolErrorCategory.ValueType:
    if isinstance(error, NotFound):
        return call_pb2.TOOL_ERROR_CATEGORY_NOT_FOUND
    if isinstance(error, InvalidArgument) or error.category in _INVALID:
        return call_pb2.TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS
    if isinstance(error, Conflict):
        return call_pb2.TOOL_ERROR_CATEGORY_CONCURRENCY_CONFLICT
    if isinstance(error, RatificationUnsupported):
        return call_pb2.TOOL_ERROR_CATEGORY_PERMISSION_DENIED
    return call_pb2.TOOL_ERROR_CATEGORY_EXECUTION_FAILED
