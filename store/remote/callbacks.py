"""What a host owes a plugin that it launched: the broker's stream, and a callback service behind it.

Here is no model that could count tokens, so counts are the estimate that hosts make then. Events are taken
and forgotten; log lines go to this process's own log.
"""

from __future__ import annotations

import itertools
import logging
import os
import queue
import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc

from store.errors import MemoryError
from store.plugin.callback import SERVICE, STREAM
from store.wire.channel import OPTIONS, target
from store.wire.convert import from_blocks
from store.wire.gen.goplugin import broker_pb2
from store.wire.gen.pluggableharness.kernel.v1 import callback_pb2
from store.wire.gen.pluggableharness.log.v1 import log_pb2

_WORKERS = 4
_LEVELS = {
    log_pb2.LOG_LEVEL_FATAL: logging.CRITICAL,
    log_pb2.LOG_LEVEL_ERROR: logging.ERROR,
    log_pb2.LOG_LEVEL_WARN: logging.WARNING,
    log_pb2.LOG_LEVEL_INFO: logging.INFO,
}

_log = logging.getLogger(__name__)


class CallbackServer:
    """Serves callbacks, and keeps the plugin told where, until it is closed.

    Args:
        channel: to the plugin.
    """

    def __init__(self, channel: grpc.Channel) -> None:
        self._directory = tempfile.mkdtemp(prefix="memory-inbox-")
        path = os.path.join(self._directory, "callback.sock")
        pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="callback")
        self._server = grpc.server(pool, handlers=[_Handlers()], options=OPTIONS)
        self._server.add_insecure_port(target(path))
        self._server.start()
        self._told: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        info = broker_pb2.ConnInfo(service_id=STREAM, network="unix", address=path)
        self._told.put(info.SerializeToString())
        # The plugin takes the end of this stream for the end of its host, so it stays open.
        self._stream = channel.stream_stream("/plugin.GRPCBroker/StartStream", None, None)(
            self._tell()
        )

    def close(self) -> None:
        """Stop serving."""
        self._told.put(None)
        self._stream.cancel()  # type: ignore[no-untyped-call]
        self._server.stop(None)
        shutil.rmtree(self._directory, ignore_errors=True)

    def _tell(self) -> Iterator[bytes]:
        while (info := self._told.get()) is not None:
            yield info


class _Handlers(grpc.GenericRpcHandler):  # type: ignore[type-arg]
    def __init__(self) -> None:
        self._sequence = itertools.count(1)
        self._answers: dict[str, Callable[[bytes], bytes]] = {
            f"{SERVICE}CountTokens": _count,
            f"{SERVICE}Emit": self._emit,
            f"{SERVICE}Log": _take_log,
        }

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[bytes, bytes] | None:
        answer = self._answers.get(handler_call_details.method)
        if answer is None:
            return None

        def behave(request: bytes, context: grpc.ServicerContext) -> bytes:
            return answer(request)

        return grpc.unary_unary_rpc_method_handler(behave)

    def _emit(self, request: bytes) -> bytes:
        number = next(self._sequence)
        return callback_pb2.EmitResult(id=str(number), sequence=number).SerializeToString()


def _count(request: bytes) -> bytes:
    from store.tokens import fallback_tokens

    try:
        text = from_blocks(callback_pb2.CountTokensRequest.FromString(request).content)
    except MemoryError:
        text = ""  # what is not text is not counted here
    count = fallback_tokens(text)
    return callback_pb2.CountTokensResult(count=count, exact=False).SerializeToString()


def _take_log(request: bytes) -> bytes:
    for entry in callback_pb2.LogRequest.FromString(request).entries:
        level = _LEVELS.get(entry.level, logging.DEBUG)
        _log.log(level, "%s: %s", entry.logger, entry.message)
    return b""
