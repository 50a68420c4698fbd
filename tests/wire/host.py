"""A host in miniature: calls a served store, and answers its callbacks with counts of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import grpc
from google.protobuf.message import Message

from store.plugin.callback import SERVICE, STREAM
from store.records import MemoryScope, MemoryType
from store.wire import convert, enums
from store.wire.channel import OPTIONS, open_channel, target
from store.wire.gen.goplugin import broker_pb2
from store.wire.gen.pluggableharness.hook.v1 import service_pb2 as hook_pb
from store.wire.gen.pluggableharness.kernel.v1 import callback_pb2
from store.wire.gen.pluggableharness.memory.v1 import service_pb2 as pb
from store.wire.gen.pluggableharness.tool.v1 import call_pb2
from store.wire.gen.pluggableharness.tool.v1 import service_pb2 as tool_pb
from store.wire.structs import Json, from_struct, to_struct

MEMORY = "pluggableharness.memory.v1.MemoryService"
TOOL = "pluggableharness.tool.v1.ToolService"
HOOK = "pluggableharness.hook.v1.HookSubscriberService"
_MODULES = {MEMORY: pb, TOOL: tool_pb, HOOK: hook_pb}

Answer = TypeVar("Answer", bound=Message)


class Host:
    """Calls over one channel; `attach` makes it a go-plugin host with a callback service."""

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.channel = open_channel(path)
        self.callbacks = Callbacks()
        self._streams: list[Attached] = []

    def raw(self, service: str, method: str, request: bytes, seconds: float = 30.0) -> bytes:
        """Make a unary call with the bytes as they are."""
        call = self.channel.unary_unary(f"/{service}/{method}", None, None)
        answer: bytes = call(request, timeout=seconds)
        return answer

    def call(self, service: str, request: Message, seconds: float = 30.0) -> Message:
        """Make the call that a request is named after."""
        method = type(request).__name__.removesuffix("Request")
        kind = getattr(_MODULES[service], f"{method}Response")
        answer = kind.FromString(self.raw(service, method, request.SerializeToString(), seconds))
        assert isinstance(answer, Message)
        return answer

    def memory(self, request: Message, kind: type[Answer]) -> Answer:
        """Call the memory service; the kind of the answer is named for the type checker."""
        answer = self.call(MEMORY, request)
        assert isinstance(answer, kind)
        return answer

    def record(
        self,
        title: str,
        content: str = "text",
        *,
        type: MemoryType = MemoryType.USER,
        scope: MemoryScope = MemoryScope.GLOBAL,
        id: str | None = None,
    ) -> str:
        """Record, and return the id."""
        request = pb.RecordRequest(
            type=enums.type_number(type),
            scope=enums.scope_number(scope),
            id=id,
            title=title,
            content=convert.to_blocks(content),
        )
        return self.memory(request, pb.RecordResponse).result.id

    def approved(self, title: str, content: str = "text", **more: MemoryType | MemoryScope) -> str:
        """Record and approve, and return the id."""
        id = self.record(title, content, **more)  # type: ignore[arg-type]
        self.memory(pb.ApproveRecordRequest(id=id), pb.ApproveRecordResponse)
        return id

    def invoke(self, tool: str, arguments: dict[str, Json], **context: str) -> call_pb2.ToolEvent:
        """Call a tool and return its only event."""
        request = tool_pb.InvokeRequest(call=tool_call(tool, arguments, **context))
        stream = self.channel.unary_stream(f"/{TOOL}/Invoke", None, None)
        answers = list(stream(request.SerializeToString(), timeout=30))
        (event,) = (tool_pb.InvokeResponse.FromString(answer).event for answer in answers)
        return event

    def result(self, tool: str, arguments: dict[str, Json], **context: str) -> dict[str, Json]:
        """Call a tool that succeeds, and return its result."""
        event = self.invoke(tool, arguments, **context)
        assert event.WhichOneof("event") == "result", event
        return from_struct(event.result.payload)

    def attach(self, directory: Path, number: int = STREAM) -> Attached:
        """Open the broker's stream and tell where the callbacks are served."""
        path = directory / f"callback{len(self._streams)}.sock"
        attached = Attached(self.channel, self.callbacks, path, number)
        self._streams.append(attached)
        return attached

    def close(self) -> None:
        for stream in self._streams:
            stream.end()
        self.channel.close()


def tool_call(tool: str, arguments: dict[str, Json], **context: str) -> call_pb2.ToolCall:
    call = call_pb2.ToolCall(id="c1", tool_name=tool, arguments=to_struct(arguments))
    for name, value in context.items():
        setattr(call.call_context, name, value)
    return call


class Callbacks:
    """What came back. A text counts a thousand tokens and one for each character."""

    def __init__(self) -> None:
        self.counted: list[tuple[str, str]] = []
        self.emitted: list[callback_pb2.EmitRequest] = []
        self.logged: list[callback_pb2.LogRequest] = []
        self.changed = threading.Condition()
        self.refuse = False

    def wait_for(self, enough: Callable[[], bool]) -> bool:
        with self.changed:
            return self.changed.wait_for(enough, 10)

    def answer(self, method: str, request: bytes) -> bytes:
        with self.changed:
            self.changed.notify_all()
            if method == "Emit":
                self.emitted.append(callback_pb2.EmitRequest.FromString(request))
            elif method == "Log":
                self.logged.append(callback_pb2.LogRequest.FromString(request))
            else:
                asked = callback_pb2.CountTokensRequest.FromString(request)
                text = convert.from_blocks(asked.content)
                self.counted.append((text, asked.model_ref.id))
                return callback_pb2.CountTokensResult(
                    count=1000 + len(text), exact=True
                ).SerializeToString()
        return b""


class Attached:
    """One StartStream, with the callback service it tells of."""

    def __init__(
        self, channel: grpc.Channel, callbacks: Callbacks, path: Path, number: int
    ) -> None:
        self.server = grpc.server(
            ThreadPoolExecutor(4), handlers=[_Handlers(callbacks)], options=OPTIONS
        )
        self.server.add_insecure_port(target(path))
        self.server.start()
        self._told: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.tell(number, str(path))
        stream = channel.stream_stream("/plugin.GRPCBroker/StartStream", None, None)
        self._stream = stream(self._tell())

    def tell(self, number: int, address: str, network: str = "unix") -> None:
        info = broker_pb2.ConnInfo(service_id=number, network=network, address=address)
        self._told.put(info.SerializeToString())

    def end(self) -> None:
        self._told.put(None)
        self._stream.cancel()  # type: ignore[no-untyped-call]
        self.server.stop(None)

    def _tell(self) -> Iterator[bytes]:
        while (info := self._told.get()) is not None:
            yield info


class _Handlers(grpc.GenericRpcHandler):  # type: ignore[type-arg]
    def __init__(self, callbacks: Callbacks) -> None:
        self._callbacks = callbacks

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[bytes, bytes]:
        def behave(request: bytes, context: grpc.ServicerContext) -> bytes:
            if self._callbacks.refuse:
                context.abort(grpc.StatusCode.INTERNAL, "not today")
            return self._callbacks.answer(details.method.removeprefix(SERVICE), request)

        return grpc.unary_unary_rpc_method_handler(behave)
