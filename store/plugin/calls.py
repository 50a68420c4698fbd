"""One call of a host: what a service method gets beside its request, and how a failure is answered."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeAlias, cast

from store.agents import calls
from store.agents.calls import Cancelled
from store.errors import InvalidArgument, MemoryError

if TYPE_CHECKING:
    import grpc
    from google.protobuf.message import Message

_log = logging.getLogger(__name__)


class Call(calls.Call):
    """A call in progress; ``request`` is what came, byte for byte."""

    request = b""

    def __init__(self, context: grpc.ServicerContext) -> None:
        self._context = context

    @property
    def live(self) -> bool:
        """Whether somebody still waits for the answer."""
        left = cast("float | None", self._context.time_remaining())
        return self._context.is_active() and (left is None or left > 0)


# The class of the request and what answers it: with a message, with an iterator of messages for a stream,
# or with bytes as they are to be sent.
Method: TypeAlias = "tuple[type[Message], Callable[[Any, Call], Any]]"


class Service(Protocol):
    """One gRPC service."""

    @property
    def methods(self) -> Mapping[str, Method]:
        """All methods, by name."""
        ...


def answer(
    load: Callable[[], Service], method: str, request: bytes, context: grpc.ServicerContext
) -> bytes:
    """Answer a unary call, or end it with the status of its failure."""
    try:
        return _to_bytes(_begin(load(), method, request, Call(context)))
    except Exception as error:
        _fail(context, method, error)


def answers(
    load: Callable[[], Service], method: str, request: bytes, context: grpc.ServicerContext
) -> Iterator[bytes]:
    """Answer a streaming call, or end it as `answer` does."""
    try:
        for message in _begin(load(), method, request, Call(context)):
            yield _to_bytes(message)
    except Exception as error:
        _fail(context, method, error)


def _begin(service: Service, method: str, request: bytes, call: Call) -> Any:
    from google.protobuf.message import DecodeError

    kind, behave = service.methods[method]
    try:
        message = kind.FromString(request)
    except DecodeError:
        raise InvalidArgument(f"the request is no {kind.DESCRIPTOR.full_name}") from None
    call.check()
    call.request = request
    calls.begin(call)
    return behave(message, call)


def _to_bytes(message: Any) -> bytes:
    return message if isinstance(message, bytes) else bytes(message.SerializeToString())


def unexpected(method: str, error: Exception) -> MemoryError:
    """Log a failure that should not be, and return what the host is told of it: nothing but that."""
    _log.error("%s failed unexpectedly", method, exc_info=error)
    return MemoryError("this call failed unexpectedly; the log says where")


def _fail(context: grpc.ServicerContext, method: str, error: Exception) -> NoReturn:
    import grpc

    from store.wire.errors import to_failure

    if isinstance(error, Cancelled):
        context.abort(grpc.StatusCode.CANCELLED, "the call was cancelled")
    known = error if isinstance(error, MemoryError) else unexpected(method, error)
    context.abort_with_status(cast("grpc.Status", to_failure(known)))
