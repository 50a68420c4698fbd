"""Work of the store off the event loop: in threads, given up when its caller gives the request up."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import TypeVar

import anyio
import anyio.to_thread

from store.agents import calls
from store.agents.calls import Call

_THREADS = 8  # that work on the store at the same time; further calls wait

T = TypeVar("T")


class Request(Call):
    """A request in progress."""

    def __init__(self) -> None:
        self._given_up = False

    @property
    def live(self) -> bool:
        """See `Call.live`."""
        return not self._given_up

    def give_up(self) -> None:
        """Say that nobody waits any more."""
        self._given_up = True


class Work:
    """Runs the store's work; to be made where the event loop runs."""

    def __init__(self) -> None:
        self._threads = anyio.CapacityLimiter(_THREADS)
        self._alone = anyio.Lock()

    async def run(self, do: Callable[[Call], T], *, alone: bool = False) -> T:
        """Do something in a thread and return what it returns.

        When the caller is cancelled, a write that has not begun does not begin; one that has is made to
        its end, and nobody is told.

        Args:
            alone: not beside other work that is done so.
        """
        request = Request()

        def begin() -> T:
            calls.begin(request)
            request.check()
            return do(request)

        async with AsyncExitStack() as held:
            if alone:
                await held.enter_async_context(self._alone)
            try:
                return await anyio.to_thread.run_sync(
                    begin, abandon_on_cancel=True, limiter=self._threads
                )
            finally:
                request.give_up()
