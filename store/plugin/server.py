"""The gRPC server: which pool answers what, and services that are imported at their first call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeAlias

import grpc

from store.plugin.calls import Service, answer, answers
from store.plugin.routes import Routes
from store.wire.channel import OPTIONS, target

WORKERS = 32  # calls answered at once; more wait their turn

Handler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes]"


class Handlers(grpc.GenericRpcHandler):  # type: ignore[type-arg]
    """All calls that are answered, by full method name. Requests are decoded on the working thread.

    Args:
        fixed: handlers that are complete, the control plane's.
        routes: what else is answered.
        load: returns a service by its name; called once for each, on a working thread.
        arrived: told of each of these calls before it is answered.
    """

    def __init__(
        self,
        fixed: Mapping[str, Handler],
        routes: Iterable[Routes],
        load: Callable[[str], Service],
        arrived: Callable[[], None],
    ) -> None:
        self._load = load
        self._arrived = arrived
        self._services: dict[str, Service] = {}
        self._lock = threading.Lock()
        self._handlers: dict[str, Handler] = dict(fixed)
        for route in routes:
            for method in route.methods:
                stream = method in route.streaming
                handler = self._stream(route, method) if stream else self._unary(route, method)
                self._handlers[f"/{route.service}/{method}"] = handler

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler | None:
        """Return who answers a call; for None the server answers UNIMPLEMENTED."""
        return self._handlers.get(handler_call_details.method)

    def _unary(self, route: Routes, method: str) -> Handler:
        load = partial(self._loaded, route.service)

        def behave(request: bytes, context: grpc.ServicerContext) -> bytes:
            self._arrived()
            return answer(load, method, request, context)

        return grpc.unary_unary_rpc_method_handler(behave)

    def _stream(self, route: Routes, method: str) -> Handler:
        load = partial(self._loaded, route.service)

        def behave(request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
            self._arrived()
            return answers(load, method, request, context)

        return grpc.unary_stream_rpc_method_handler(behave)

    def _loaded(self, name: str) -> Service:
        with self._lock:
            if name not in self._services:
                self._services[name] = self._load(name)
            return self._services[name]


def make_server(handlers: Handlers) -> grpc.Server:
    """Return a server that answers these calls, not yet listening."""
    pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="call")
    options: list[tuple[str, Any]] = [*OPTIONS, ("grpc.so_reuseport", 0)]
    return grpc.server(pool, handlers=[handlers], options=options)


def listen(server: grpc.Server, path: str) -> None:
    """Listen on a unix socket and begin to serve.

    Raises:
        OSError: the socket cannot be bound.
    """
    try:
        bound = server.add_insecure_port(target(path))
    except RuntimeError as error:
        raise OSError(f"cannot listen on {path}") from error
    if not bound:
        raise OSError(f"cannot listen on {path}")
    server.start()
