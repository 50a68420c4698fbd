"""JSON-RPC 2.0 over lines: requests are answered by several threads, in any order, and can be cancelled."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from store.agents.calls import Call, Cancelled, begin
from store.apus.failures import NotRequest, Overloaded, TooLarge, failure
from store.apus.lines import Writer, parse
from store.apus.methods import Methods
from store.errors import MemoryError
from store.plugin.process import Ending

WORKERS = 8
MOST_HELD = 256  # requests, waiting and under way
_log = logging.getLogger(__name__)


class BridgeCall(Call):
    """A request that is held."""

    def __init__(self, id: int, method: str, params: Mapping[str, Any]) -> None:
        self.id = id
        self.method = method
        self.params = params
        self._cancelled = threading.Event()

    @property
    def live(self) -> bool:
        """Whether the host still waits."""
        return not self._cancelled.is_set()

    def cancel(self) -> None:
        """Nobody waits any more. A write that has begun is made to its end."""
        self._cancelled.set()


class Bridge:
    """Takes lines, answers them, and ends when told.

    Args:
        ending: is asked to end the process by ``shutdown``, and when nobody reads the answers.
        prepared: returns once requests can be answered.
    """

    def __init__(
        self, methods: Methods, writer: Writer, ending: Ending, prepared: Callable[[], None]
    ) -> None:
        self._methods = methods
        self._writer = writer
        self._ending = ending
        self._prepared = prepared
        self._queue: queue.SimpleQueue[BridgeCall | None] = queue.SimpleQueue()
        self._held: dict[int, BridgeCall] = {}
        self._lock = threading.Lock()
        self._closing = False
        self._workers = [
            threading.Thread(target=self._work, name=f"worker-{number}", daemon=True)
            for number in range(WORKERS)
        ]
        for worker in self._workers:
            worker.start()

    def take(self, line: bytes | None) -> None:
        """Take one line; None for one that was too long."""
        id: int | None = None
        try:
            if line is None:
                raise TooLarge("the line is longer than a request may be")
            message = parse(line)
            id, method, params = _request(message)
            if id is None:
                self._notice(method, params)
            elif method == "initialize":
                self._send(id, {"result": self._methods.initialize(params)})
            elif method == "shutdown":
                self._send(id, {"result": {}})
                self._ending.ask("shutdown")
            else:
                self._hold(BridgeCall(id, method, params))
        except MemoryError as error:
            self._send(id, {"error": failure(error)})

    def finish(self, seconds: float, *, abandoned: bool) -> None:
        """Take nothing more, and wait for what is under way.

        Args:
            abandoned: nobody waits for answers: what has not begun does not begin.
        """
        with self._lock:
            self._closing = True
            if abandoned:
                for call in self._held.values():
                    call.cancel()
        for _ in self._workers:
            self._queue.put(None)
        until = time.monotonic() + seconds
        for worker in self._workers:
            worker.join(max(0.0, until - time.monotonic()))

    def _hold(self, call: BridgeCall) -> None:
        with self._lock:
            if call.id in self._held:
                raise NotRequest("a request with this id is under way")
            if len(self._held) >= MOST_HELD or self._closing:
                raise Overloaded("too many requests wait; try again")
            self._held[call.id] = call
        self._queue.put(call)

    def _notice(self, method: str, params: Mapping[str, Any]) -> None:
        if method == "$/cancel":
            id = params.get("id")
            with self._lock:
                call = self._held.get(id) if isinstance(id, int) else None
            if call is not None:
                call.cancel()

    def _work(self) -> None:
        self._prepared()
        while (call := self._queue.get()) is not None:
            begin(call)
            answer = self._answer(call)
            with self._lock:
                del self._held[call.id]
            self._send(call.id, answer)

    def _answer(self, call: BridgeCall) -> dict[str, Any]:
        try:
            return {"result": self._methods.answer(call.method, call.params, call)}
        except (MemoryError, Cancelled) as error:
            return {"error": failure(error)}
        except Exception as error:
            # Its words may quote a memory: only what it was, and where, is told, and to the log alone.
            _log.exception("%s failed unexpectedly", call.method)
            return {"error": failure(error)}

    def _send(self, id: int | None, answer: Mapping[str, Any]) -> None:
        head = {"jsonrpc": "2.0", "id": id}
        try:
            try:
                self._writer.write({**head, **answer})
            except (TooLarge, ValueError) as error:
                self._writer.write({**head, "error": failure(error)})
        except OSError:
            self._ending.ask("nobody reads the answers")


def _request(message: Any) -> tuple[int | None, str, Mapping[str, Any]]:
    """Return id (None for a notification), method and parameters of a message."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        raise NotRequest("the line is no JSON-RPC 2.0 request")
    id, method, params = message.get("id"), message.get("method"), message.get("params", {})
    if not isinstance(method, str) or not isinstance(params, dict):
        raise NotRequest("a request has a method and named parameters")
    if "id" in message and (not isinstance(id, int) or isinstance(id, bool)):
        raise NotRequest("an id is a whole number")
    return id, method, params
