"""A line to a provider: one channel, calls whose failures are the `MemoryError` family's, and its end."""

from __future__ import annotations

from contextlib import suppress
from typing import Generic, Protocol, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message

from store.errors import MemoryError, SourceUnavailable
from store.remote.callbacks import CallbackServer
from store.wire.channel import OPTIONS
from store.wire.errors import from_call

CALL_SECONDS = 60.0  # a provider's first call may have to upgrade a large store
_SHUTDOWN_SECONDS = 2.0

Answer = TypeVar("Answer", bound=Message)


class Launched(Protocol):
    """The process at the other end, where it was launched from here."""

    @property
    def ended(self) -> bool:
        """Whether it is gone."""
        ...

    def last_words(self) -> str:
        """Say how it ended."""
        ...

    def leave(self) -> None:
        """See it end."""
        ...


class Connection:
    """A line to a provider.

    Args:
        target: its name for gRPC, as in ``unix:/run/memory.sock``.
        child: its process when it was launched from here: then it is told where to call back, and ends
            with the connection.
    """

    def __init__(self, target: str, child: Launched | None = None) -> None:
        self._channel = grpc.insecure_channel(target, OPTIONS)
        self._child = child
        self._callbacks = CallbackServer(self._channel) if child else None

    def call(
        self, method: str, request: Message, kind: type[Answer], seconds: float = CALL_SECONDS
    ) -> Answer:
        """Make one call.

        Args:
            method: its full name, as in ``/pluggableharness.memory.v1.MemoryService/Recall``.
            kind: the class of the answer.

        Raises:
            MemoryError: of the category that the provider named; SourceUnavailable when it cannot be
                reached, with what it said on stderr if it has died.
        """
        return self.begin(method, request, kind, seconds).result()

    def begin(
        self, method: str, request: Message, kind: type[Answer], seconds: float = CALL_SECONDS
    ) -> Pending[Answer]:
        """Make one call and wait for its answer later; for many calls at once."""
        begun = self._channel.unary_unary(method, None, None).future(
            request.SerializeToString(), timeout=seconds
        )
        return Pending(self, begun, kind)

    def explain(self, error: grpc.RpcError) -> MemoryError:
        """Return what a failed call meant."""
        if self._child and error.code() is grpc.StatusCode.UNAVAILABLE and self._child.ended:
            return SourceUnavailable(f"the plugin is gone: {self._child.last_words()}")
        return from_call(error)

    def close(self) -> None:
        """Hang up; a launched plugin is asked to end, and made to if it does not."""
        if self._child:
            shutdown = self._channel.unary_unary("/plugin.GRPCController/Shutdown", None, None)
            with suppress(grpc.RpcError, ValueError):  # a plugin may end without an answer
                shutdown(b"", timeout=_SHUTDOWN_SECONDS)
            self._child.leave()
        if self._callbacks:
            self._callbacks.close()
        self._channel.close()


class Pending(Generic[Answer]):
    """A call on its way."""

    def __init__(
        self, connection: Connection, begun: grpc.CallFuture[bytes], kind: type[Answer]
    ) -> None:
        self._connection = connection
        self._begun = begun
        self._kind = kind

    def result(self) -> Answer:
        """Wait for the answer; raises as `Connection.call`."""
        try:
            return self._kind.FromString(self._begun.result())
        except grpc.RpcError as error:
            raise self._connection.explain(error) from error
        except DecodeError as error:
            raise MemoryError("the provider's answer cannot be read") from error
