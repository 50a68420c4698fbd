"""The services that go-plugin itself needs: broker, controller, stdio, health.

They have a pool of their own. A broker stream holds its thread for as long as the host is attached, and
the host's Shutdown has no deadline: behind a full pool of working calls it would wait for all of them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from store.plugin.broker import Broker
from store.plugin.process import Ending, OrphanWatch

if TYPE_CHECKING:
    import grpc

# Streams that begin faster than old ones end: a host that attaches again and again must get its Shutdown.
POOL = 32


class Control:
    """The control-plane calls, as bytes in and bytes out.

    Messages are decoded on the first call, not before the handshake.
    """

    def __init__(self, broker: Broker, ending: Ending, watch: OrphanWatch | None) -> None:
        self.pool = ThreadPoolExecutor(POOL, thread_name_prefix="control")
        self._broker = broker
        self._ending = ending
        self._watch = watch
        self._open: set[grpc.ServicerContext] = set()
        self._lock = threading.Lock()

    def start_stream(
        self, requests: Iterator[bytes], context: grpc.ServicerContext
    ) -> Iterator[bytes]:
        """`plugin.GRPCBroker/StartStream`: hear where the host serves; say nothing, stay open."""
        from store.wire.gen.goplugin import broker_pb2

        attachment = self._broker.attach()
        if self._watch:
            self._watch.host_came()
        self._keep(context)
        try:
            for request in requests:
                info = broker_pb2.ConnInfo.FromString(request)
                self._broker.learn(attachment, info.service_id, info.network, info.address)
        except Exception:  # noqa: S110 -- grpcio raises a bare Exception when a stream breaks
            pass
        finally:
            self._forget(context)
            if self._broker.detach(attachment) and self._watch:
                self._watch.host_left()
        yield from ()

    def stream_stdio(self, request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        """`plugin.GRPCStdio/StreamStdio`: nothing is ever printed; stay open until the host leaves."""
        ended = threading.Event()
        if context.add_callback(ended.set):
            self._keep(context)
            ended.wait()
            self._forget(context)
        yield from ()

    def shutdown(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        """`plugin.GRPCController/Shutdown`: answer, then end."""
        self._ending.ask("the host asked for it")
        return b""

    def check(self, request: bytes, context: grpc.ServicerContext) -> bytes:
        """`grpc.health.v1.Health/Check`: serving, for the whole server and the name hosts ask for."""
        import grpc

        from store.wire.gen.grpc.health.v1 import health_pb2

        service = health_pb2.HealthCheckRequest.FromString(request).service
        if service not in ("", "plugin"):
            context.abort(grpc.StatusCode.NOT_FOUND, "no such service")
        serving = health_pb2.HealthCheckResponse.SERVING
        return health_pb2.HealthCheckResponse(status=serving).SerializeToString()

    def release(self) -> None:
        """End the streams that would otherwise stay open for as long as the host does."""
        with self._lock:
            contexts = list(self._open)
        for context in contexts:
            context.cancel()  # type: ignore[no-untyped-call]

    def handlers(self) -> dict[str, grpc.RpcMethodHandler[bytes, bytes]]:
        """Return the handlers by full method name, all on the control pool."""
        import grpc

        return {
            "/plugin.GRPCBroker/StartStream": grpc.stream_stream_rpc_method_handler(
                self._pooled(self.start_stream)
            ),
            "/plugin.GRPCStdio/StreamStdio": grpc.unary_stream_rpc_method_handler(
                self._pooled(self.stream_stdio)
            ),
            "/plugin.GRPCController/Shutdown": grpc.unary_unary_rpc_method_handler(
                self._pooled(self.shutdown)
            ),
            "/grpc.health.v1.Health/Check": grpc.unary_unary_rpc_method_handler(
                self._pooled(self.check)
            ),
        }

    def _pooled(self, behaviour: Any) -> Any:
        def run(request: Any, context: grpc.ServicerContext) -> Any:
            return behaviour(request, context)

        # The server reads the pool off the function; a bound method takes no attributes.
        run.experimental_thread_pool = self.pool  # type: ignore[attr-defined]
        return run

    def _keep(self, context: grpc.ServicerContext) -> None:
        with self._lock:
            self._open.add(context)

    def _forget(self, context: grpc.ServicerContext) -> None:
        with self._lock:
            self._open.discard(context)
