"""The host's callback service: counting tokens, storing events, taking logs.

The host serves it on broker stream 1, some time after it began to call us. It is dialled from inside of
a call, once for each attachment of the host: a dial that failed is not tried again until the host
attaches anew.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from store.errors import SourceUnavailable
from store.plugin.broker import Attachment, Broker

if TYPE_CHECKING:
    import grpc

    from store.records import MutationEvent
    from store.wire.logline import LogLine

STREAM = 1
LONGEST_WAIT = 5.0  # seconds for the host to tell its address
CALL_SECONDS = 2.0  # for one answer
_AT_ONCE = 32  # counts on their way
SERVICE = "/pluggableharness.kernel.v1.KernelCallbackService/"
_NOBODY = Attachment()

_log = logging.getLogger(__name__)


class Callback:
    """The host's side of the connection, reached when there is something to tell it."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._lock = threading.Lock()
        self._dialled: Attachment | None = None
        self._channel: grpc.Channel | None = None  # of that attachment; None once it is lost
        self._in_vain: Attachment | None = _NOBODY  # whose address was waited for and did not come

    @property
    def connected(self) -> bool:
        """Whether there is a line to the host that is attached now; told without waiting."""
        return self._channel is not None and self._dialled is self._broker.current

    def touch(self) -> None:
        """A call came in: dial if the host has told its address. Never waits."""
        known = self._broker.known(STREAM)
        if known and known[0] is not self._dialled:
            self._dial(*known)

    def count(self, contents: Sequence[str], model: str) -> list[int]:
        """Return the tokens of each text as the host counts them, many on their way at once.

        Raises:
            SourceUnavailable: the host cannot be reached, or does not count.
        """
        import grpc

        from store.wire.callbacks import from_count, to_count

        channel = self._reach()
        ask = channel.unary_unary(f"{SERVICE}CountTokens", None, from_count)
        counts: list[int] = []
        try:
            for start in range(0, len(contents), _AT_ONCE):
                batch = contents[start : start + _AT_ONCE]
                requests = [to_count(text, model).SerializeToString() for text in batch]
                calls = [ask.future(request, timeout=CALL_SECONDS) for request in requests]
                counts.extend(call.result() for call in calls)
        except grpc.RpcError as error:
            self._failed(channel, "CountTokens", error)
            raise SourceUnavailable("the host did not count tokens") from error
        return counts

    def emit(self, session_id: str, kind: str, event: MutationEvent) -> bool:
        """Store an event in a session's log; False when the host does not take it.

        Args:
            kind: ``memory_write``, ``memory_update`` or ``memory_delete``.
        """
        from store.wire.callbacks import to_emit

        return self._tell("Emit", to_emit(session_id, kind, event).SerializeToString())

    def log(self, lines: Sequence[LogLine]) -> bool:
        """Give the host a batch of log lines; False when it does not take them."""
        from store.wire.callbacks import to_log

        return self.connected and self._tell("Log", to_log(lines).SerializeToString())

    def close(self) -> None:
        """Hang up."""
        self._drop(self._channel)

    def _tell(self, method: str, request: bytes) -> bool:
        import grpc

        try:
            channel = self._reach()
        except SourceUnavailable:
            return False
        try:
            channel.unary_unary(f"{SERVICE}{method}", None, None)(request, timeout=CALL_SECONDS)
        except grpc.RpcError as error:
            self._failed(channel, method, error)
            return False
        return True

    def _reach(self) -> grpc.Channel:
        """Return the line to the host that is attached now, waiting once for it to tell its address."""
        known = self._broker.known(STREAM)
        if known is None and self._in_vain is not self._broker.current:
            known = self._broker.wait_for(STREAM, LONGEST_WAIT)
            if known is None:
                self._in_vain = self._broker.current
        channel = self._dial(*known) if known else None
        if channel is None:
            raise SourceUnavailable("the host cannot be called back")
        return channel

    def _dial(self, attachment: Attachment, address: str) -> grpc.Channel | None:
        from store.wire.channel import open_channel

        with self._lock:
            old = None
            if self._dialled is not attachment:
                old, self._channel = self._channel, open_channel(address)
                self._dialled = attachment
            channel = self._channel
        if old:
            old.close()
        return channel

    def _failed(self, channel: grpc.Channel, method: str, error: grpc.RpcError) -> None:
        import grpc

        if error.code() is grpc.StatusCode.UNAVAILABLE:
            self._drop(channel)  # a channel left open would go on dialling by itself
        if method != "Log":  # saying so in the log would go the same way, again and again
            _log.warning("the host did not take %s: %s", method, error.code().name)

    def _drop(self, channel: grpc.Channel | None) -> None:
        with self._lock:
            if channel is None or self._channel is not channel:
                return
            self._channel = None
        channel.close()
